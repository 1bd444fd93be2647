"""What the trees of a search say: payoffs, moves in their order, lines, and a part of the tree for drawing.

Where several trees grow from the same position, nodes that are reached by the same moves are read as one. Reading needs
nobody to stop: a count may be a moment older than the one beside it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from zermelo.core.analysis import Kind, MoveAnalysis
from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.search.mcts.books import Books
from zermelo.search.mcts.tree import ROOT, Tree
from zermelo.textbook.trace import Node, NodeKind

Place: TypeAlias = tuple[tuple[Tree, int], ...]
"""One node, or those of several trees that are reached by the same moves."""

LONGEST_LINE = 32
TRUSTED = 8
"""A reply belongs to the line if it was tried so often."""


class Forest:
    """One or more trees of one search, as they are now."""

    def __init__(self, game: Game, trees: Sequence[Tree], books: Books) -> None:
        self.game, self.books, self.how = game, books, trees[0].how
        self.root: Place = tuple((tree, ROOT) for tree in trees)

    def visits(self, place: Place) -> int:
        return sum(tree.visits(node) for tree, node in place)

    def action(self, place: Place) -> Action:
        tree, node = place[0]
        return tree.action(node)

    def children(self, place: Place) -> list[Place]:
        found: dict[Action, list[tuple[Tree, int]]] = {}
        for tree, node in place:
            for child in tree.children(node):
                found.setdefault(tree.action(child), []).append((tree, child))
        return [tuple(nodes) for nodes in found.values()]

    def proved(self, place: Place) -> int | None:
        """What is proved of a node, as it stands in the books."""
        if self.how.solver:
            for tree, node in place:
                if tree.memory[node + self.how.low] == tree.memory[node + self.how.high]:
                    return tree.memory[node + self.how.low]
        return None

    def kind(self, place: Place) -> Kind:
        return "estimate" if self.proved(place) is None else "exact"

    def payoffs(self, place: Place) -> tuple[float, ...]:
        """What a node is worth to everybody; unknown as long as it was never visited."""
        scale, players = self.books.scale, self.game.players
        proved, visits = self.proved(place), self.visits(place)
        if proved is None and visits == 0:
            return (math.nan,) * players
        if proved is None:
            totals = [sum(tree.total(node, player) for tree, node in place) for player in range(self.how.sums)]
            means = [total / (scale * visits) for total in totals]
        else:
            means = [proved / scale]
        return (means[0], 0.0 - means[0])[:players] if self.how.is_opposed else tuple(means)

    def ranked(self, place: Place, mover: int) -> list[Place]:
        """The children, the move to play first: what is proved to be best, else what was visited most."""
        best, sign = self.proved(place), -1 if self.how.is_opposed and mover == 1 else 1
        column, lost = 0 if self.how.is_opposed else mover, self.books.low * self.books.scale

        def promise(child: Place) -> tuple[bool, bool, int, int]:
            proved, visits = self.proved(child), self.visits(child)
            if proved is None:
                return False, True, visits, sign * sum(tree.total(node, column) for tree, node in child)
            return proved == best, sign * proved > lost, visits, sign * proved * max(1, visits)

        return sorted(self.children(place), key=promise, reverse=True)

    def move(self, place: Place, state: State) -> MoveAnalysis:
        """What is known of the move that leads from a state to a node."""
        line = self._line(place, state)
        return MoveAnalysis(line[0], self.payoffs(place), self.kind(place), visits=self.visits(place), line=line)

    def _line(self, place: Place, state: State) -> tuple[str, ...]:
        """The moves that were visited most, up to the dice; only the first where the state is a secret."""
        game, texts = self.game, [self.game.format_action(state, self.action(place))]
        state = game.result(state, self.action(place))
        while len(texts) < LONGEST_LINE and not self.how.open:
            if not self.children(place) or game.to_move(state) == CHANCE:
                break
            ranked = self.ranked(place, game.to_move(state))
            if self.visits(ranked[0]) < TRUSTED:
                break
            place = ranked[0]
            texts.append(game.format_action(state, self.action(place)))
            state = game.result(state, self.action(place))
        return tuple(texts)

    # -- drawing ---------------------------------------------------------------------------------------

    def drawn(self, place: Place, state: State, most: int, depth: int, move: str = "") -> Node:
        """The node as one that can be drawn, with the `most` children that were visited most, so many plies deep."""
        game, is_over = self.game, self.game.is_terminal(state)
        mover = None if is_over else game.to_move(state)
        kind: NodeKind = "terminal" if is_over else "chance" if mover == CHANCE else "max"
        if kind == "max" and self.how.is_opposed and mover == 1:
            kind = "min"
        payoffs = self.payoffs(place)
        value = payoffs[0] if self.how.is_opposed else payoffs
        found = Node(state, kind, mover, move, value=value, value_kind=self.kind(place))
        if depth > 0 and not is_over:
            chances = dict(game.outcomes(state)) if mover == CHANCE else {}
            for child in self._busiest(place, most):
                action = self.action(child)
                text = f"{game.format_action(state, action)} ×{self.visits(child)}"
                below = self.drawn(child, game.result(state, action), most, depth - 1, text)
                below.probability = chances.get(action)
                found.children.append(below)
        return found

    def _busiest(self, place: Place, most: int) -> list[Place]:
        tried = [child for child in self.children(place) if self.visits(child) > 0]
        return sorted(tried, key=self.visits, reverse=True)[:most]
