"""The tree of a game itself, with its information sets: what can happen, and what each player can tell apart."""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State, has_one_value, legal_actions
from zermelo.textbook.information_sets import Memories, information_set, no_memories, remember
from zermelo.textbook.trace import Node


def game_tree(game: Game, state: State, depth: int | None = None) -> Node:
    """The tree below a state to a depth; nodes that their player cannot tell apart have the same information set.

    With two players whose payoffs cancel the first one is Max, and ends have this player's payoff; otherwise every
    player's node is a Max node, and ends have all payoffs.
    """
    root = Node(state, "terminal")
    _grow(game, root, no_memories(game), depth)
    return root


def _grow(game: Game, node: Node, memories: Memories, depth: int | None) -> None:
    state = node.state
    if game.is_terminal(state):
        payoffs = game.utilities(state)
        node.value = payoffs[0] if has_one_value(game) else payoffs
        return
    mover = game.to_move(state)
    node.player = mover
    node.kind = "chance" if mover == CHANCE else "min" if mover > 0 and has_one_value(game) else "max"
    chances = dict(game.outcomes(state)) if mover == CHANCE else {}
    here = None if mover == CHANCE else information_set(game, state, memories)
    if here is not None:
        node.information_set, node.view = here, here.text(game)
    if depth == 0:
        node.kind = "horizon"
        return
    for action in legal_actions(game, state):
        child = Node(game.result(state, action), "terminal", move=game.format_action(state, action))
        child.probability = chances.get(action)
        node.children.append(child)
        after = memories if here is None else remember(memories, here, action)
        _grow(game, child, after, None if depth is None else depth - 1)
