"""The forest: a read-only view of the trees of a search, for payoffs, ranked moves, lines and drawing.

If several trees grow from the same position (root parallelisation), nodes that are reached by the same moves are read
as one. Reading does not stop the threads that grow the trees, so counts may differ by a few simulations. Threads that
move nodes must wait, see `Mcts`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from zermelo.core.analysis import Kind, MoveAnalysis
from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.core.referee import Table
from zermelo.core.seat import Seat
from zermelo.search.mcts.payoff_scale import PayoffScale
from zermelo.search.mcts.tree import ROOT, Node, Tree
from zermelo.textbook.trace import Node as DrawnNode
from zermelo.textbook.trace import NodeKind

Place: TypeAlias = tuple[tuple[Tree, Node], ...]
"""One node, or the nodes of several trees that are reached by the same moves."""

LONGEST_LINE = 32
TRUSTED = 8
"""Visits that a reply needs to be part of the line."""


class Forest:
    """One or more trees of one search."""

    def __init__(self, game: Game, trees: Sequence[Tree], scale: PayoffScale) -> None:
        self.game, self.scale, self.how = game, scale, trees[0].how
        self.root: Place = tuple((tree, ROOT) for tree in trees)

    def visits(self, place: Place) -> int:
        return sum(tree.visits(node) for tree, node in place)

    def action(self, place: Place) -> Action:
        tree, node = place[0]
        return tree.action(node)

    def children(self, place: Place) -> list[Place]:
        found: dict[Action, list[tuple[Tree, Node]]] = {}
        for tree, node in place:
            for child in tree.child_nodes(node):
                found.setdefault(tree.action(child), []).append((tree, child))
        return [tuple(nodes) for nodes in found.values()]

    def proved(self, place: Place) -> float | None:
        """The proved value of a node for the first player; None if it is not proved."""
        if self.how.solver:
            for tree, node in place:
                if tree.is_proved(node):
                    return tree.lower_bound(node)
        return None

    def kind(self, place: Place) -> Kind:
        return "estimate" if self.proved(place) is None else "exact"

    def payoffs(self, place: Place) -> tuple[float, ...]:
        """The mean payoffs of a node, for all players; unknown before its first visit."""
        players = self.game.players
        proved, visits = self.proved(place), self.visits(place)
        if proved is None and visits == 0:
            return (math.nan,) * players
        if proved is None:
            totals = [sum(tree.total(node, player) for tree, node in place) for player in range(self.how.sums)]
            means = [self.scale.to_payoff(total / visits) for total in totals]
        else:
            means = [proved]
        return (means[0], 0.0 - means[0])[:players] if self.how.is_opposed else tuple(means)

    def rank_children(self, place: Place, mover: int) -> list[Place]:
        """The children, best first: those proved best, then by visits; proved defeats come last."""
        sign = -1 if self.how.is_opposed and mover == 1 else 1
        column = 0 if self.how.is_opposed else range(self.how.sums)[mover]  # IndexError if there is no such player
        lost = -self.scale.ceiling if sign < 0 else self.scale.floor
        children, best = self.children(place), math.inf
        if self.proved(place) is not None:
            values = [self.proved(child) for child in children]
            best = max((sign * value for value in values if value is not None), default=math.inf)

        def promise(child: Place) -> tuple[bool, bool, int, int]:
            proved, visits = self.proved(child), self.visits(child)
            if proved is None:
                return False, True, visits, sign * sum(tree.total(node, column) for tree, node in child)
            total = self.scale.to_stored(proved) * max(1, visits)
            return sign * proved >= best, sign * proved > lost, visits, sign * total

        return sorted(children, key=promise, reverse=True)

    def moves(self, referee: Table) -> tuple[MoveAnalysis, ...]:
        """The analysis of the moves of a position, best first."""
        past: Counter[State] = Counter()
        state = referee.known_state
        if self.how.repeats:
            turns = [] if isinstance(referee, Seat) else referee.turns
            past.update([*(turn.place for turn in turns), self.game.repetition_key(state)])
        return tuple(self._move(child, state, past) for child in self.rank_children(self.root, referee.to_move))

    def _move(self, place: Place, state: State, past: Counter[State]) -> MoveAnalysis:
        line = tuple(self._line(place, state, past))
        return MoveAnalysis(line[0], self.payoffs(place), self.kind(place), visits=self.visits(place), actions=line)

    def _line(self, place: Place, state: State, past: Counter[State]) -> Iterator[Action]:
        """The line of the most visited moves, up to the dice; with hidden information only its first move.

        A node may have moves that are forbidden because they repeat a position, or that come after a draw by
        repetition. The past and the positions of the line decide that.
        """
        game, line = self.game, Counter[State]()
        for length in range(1, LONGEST_LINE + 1):
            yield self.action(place)
            if length == LONGEST_LINE or self.how.open:
                return
            state = game.result(state, self.action(place))
            if game.is_terminal(state) or game.to_move(state) == CHANCE:
                return
            if self.how.repeats:
                here = game.repetition_key(state)
                line[here] += 1
                if 0 < game.repetition <= past[here] + line[here]:
                    return
            found = self._reply(place, state, past, line)
            if found is None:
                return
            place = found

    def _reply(self, place: Place, state: State, past: Counter[State], line: Counter[State]) -> Place | None:
        """The best move after a node, if it has enough visits and is legal."""
        game = self.game
        for child in self.rank_children(place, game.to_move(state)):
            if self.visits(child) < TRUSTED:
                return None
            if game.repetition >= 0:
                return child
            after = game.repetition_key(game.result(state, self.action(child)))
            if after not in past and after not in line:
                return child
        return None

    # -- drawing ---------------------------------------------------------------------------------------

    def draw_node(self, place: Place, state: State, most: int, depth: int, move: str = "") -> DrawnNode:
        """The node as a drawing, with the `most` most visited children, `depth` plies deep."""
        game, is_over = self.game, self.game.is_terminal(state)
        mover = None if is_over else game.to_move(state)
        kind: NodeKind = "terminal" if is_over else "chance" if mover == CHANCE else "max"
        if kind == "max" and self.how.is_opposed and mover == 1:
            kind = "min"
        payoffs = self.payoffs(place)
        value = payoffs[0] if self.how.is_opposed else payoffs
        found = DrawnNode(state, kind, mover, move, value=value, value_kind=self.kind(place))
        if depth > 0 and not is_over:
            chances = dict(game.outcomes(state)) if mover == CHANCE else {}
            for child in self._busiest(place, most):
                action = self.action(child)
                text = f"{game.format_action(state, action)} ×{self.visits(child)}"
                below = self.draw_node(child, game.result(state, action), most, depth - 1, text)
                below.probability = chances.get(action)
                found.children.append(below)
        return found

    def _busiest(self, place: Place, most: int) -> list[Place]:
        tried = [child for child in self.children(place) if self.visits(child) > 0]
        return sorted(tried, key=self.visits, reverse=True)[:most]
