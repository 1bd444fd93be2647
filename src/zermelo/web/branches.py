"""Branches of a session and variations of a scoresheet, each made of the other."""

from __future__ import annotations

from contextlib import suppress

from zermelo.core.errors import IllegalMove
from zermelo.core.game import CHANCE
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Line, Move
from zermelo.web.game_tree import GameTree, Node
from zermelo.web.messages import MOST_MOVES
from zermelo.web.store import StoredNode


def nodes_of(referee: Referee, line: Line) -> list[StoredNode]:
    """The root, the moves that were played, and behind them the variations, as far as there is room for them."""
    nodes = [StoredNode(0, -1, "", CHANCE)]
    nodes += [StoredNode(one, one - 1, turn.text, turn.player) for one, turn in enumerate(referee.turns, 1)]
    there = Referee(referee.game, referee.start)
    for ply, (turn, move) in enumerate(zip(referee.turns, line.moves, strict=False)):
        for variation in move.variations:
            _add_branch(nodes, there, ply, variation)
        there.play(turn.action)
    return nodes


def _add_branch(nodes: list[StoredNode], referee: Referee, parent: int, line: Line) -> None:
    """Add the moves of a variation, and its own variations; up to one that is not legal, such as a move left out."""
    before = len(referee.turns)
    with suppress(IllegalMove):
        for move in line.moves:
            player = referee.to_move
            referee.play_text(move.text)
            if (known := _find_child(nodes, parent, move.text)) is None:
                if len(nodes) > MOST_MOVES:
                    break
                known = len(nodes)
                nodes.append(StoredNode(known, parent, move.text, player))
            action = referee.undo().action
            for variation in move.variations:
                _add_branch(nodes, referee, parent, variation)
            referee.play(action)
            parent = known
    while len(referee.turns) > before:
        referee.undo()


def _find_child(nodes: list[StoredNode], parent: int, move: str) -> int | None:
    return next((node.number for node in nodes[parent + 1 :] if (node.parent, node.move) == (parent, move)), None)


def line_to(tree: GameTree, number: int) -> Line:
    """The moves to a node, with the branches beside them as variations."""
    branches: dict[int, list[Node]] = {}
    for node in tree.nodes[1:]:
        branches.setdefault(node.parent or 0, []).append(node)
    path = [tree.nodes[one] for one in tree.path(number)]
    return Line(tuple(_with_variations(node, branches) for node in path))


def _with_variations(node: Node, branches: dict[int, list[Node]], is_main: bool = True) -> Move:
    """The move, with the branches beside it; those are beside the first of them only."""
    beside = [one for one in branches[node.parent or 0] if one is not node] if is_main else []
    return Move(node.move, variations=tuple(_branch(one, branches) for one in beside))


def _branch(node: Node, branches: dict[int, list[Node]]) -> Line:
    """The line that begins with a node and follows the first move of each position."""
    moves = [_with_variations(node, branches, is_main=False)]
    while following := branches.get(node.number):
        node = following[0]
        moves.append(_with_variations(node, branches))
    return Line(tuple(moves))
