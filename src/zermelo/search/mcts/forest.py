"""The forest: a read-only view of the trees of a search, for payoffs, ranked moves, lines and drawing.

If several trees grow from the same position, nodes that are reached by the same moves are read as one. Reading does not
stop the threads that grow the trees: a count may be a moment older than the one beside it. Threads that move nodes must
wait, see `Mcts`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from zermelo.core.analysis import Kind, MoveAnalysis
from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.core.referee import Referee
from zermelo.search.mcts.payoff_scale import PayoffScale
from zermelo.search.mcts.tree import ROOT, Node, Tree
from zermelo.textbook.trace import Node as DrawnNode
from zermelo.textbook.trace import NodeKind

Place: TypeAlias = tuple[tuple[Tree, Node], ...]
"""One node, or those of several trees that are reached by the same moves."""

LONGEST_LINE = 32
TRUSTED = 8
"""A reply belongs to the line if it has at least this many visits."""


class Forest:
    """One or more trees of one search, as they are now."""

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
        """What a node is proved to be worth to the first player."""
        if self.how.solver:
            for tree, node in place:
                if tree.is_proved(node):
                    return tree.lower_bound(node)
        return None

    def kind(self, place: Place) -> Kind:
        return "estimate" if self.proved(place) is None else "exact"

    def payoffs(self, place: Place) -> tuple[float, ...]:
        """The payoffs of a node, for all players; unknown before its first visit."""
        players = self.game.players
        proved, visits = self.proved(place), self.visits(place)
        if proved is None and visits == 0:
            return (math.nan,) * players
        if proved is None:
            totals = [sum(tree.total(node, player) for tree, node in place) for player in range(self.how.sums)]
            means = [self.scale.real(total / visits) for total in totals]
        else:
            means = [proved]
        return (means[0], 0.0 - means[0])[:players] if self.how.is_opposed else tuple(means)

    def ranked(self, place: Place, mover: int) -> list[Place]:
        """The children, the move to play first: what is proved to be best, else what was visited most."""
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
            return sign * proved >= best, sign * proved > lost, visits, sign * self.scale.fixed(proved) * max(1, visits)

        return sorted(children, key=promise, reverse=True)

    def moves(self, referee: Referee) -> tuple[MoveAnalysis, ...]:
        """What is known of the moves of a position, the one to play first."""
        past: Counter[State] = Counter()
        if self.how.repeats:
            past.update([*(turn.place for turn in referee.turns), self.game.repetition_key(referee.state)])
        return tuple(self._move(child, referee.state, past) for child in self.ranked(self.root, referee.to_move))

    def _move(self, place: Place, state: State, past: Counter[State]) -> MoveAnalysis:
        line = tuple(self._line(place, state, past))
        return MoveAnalysis(line[0], self.payoffs(place), self.kind(place), visits=self.visits(place), line=line)

    def _line(self, place: Place, state: State, past: Counter[State]) -> Iterator[str]:
        """The moves that were visited most, up to the dice; only the first where the state is a secret.

        A node may have moves that repeat a position where that is forbidden, or that come after a draw by repetition:
        the past, with the places of the line, tells.
        """
        game, line = self.game, Counter[State]()
        for length in range(1, LONGEST_LINE + 1):
            yield game.format_action(state, self.action(place))
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
        """The move to play after a node, if it was tried often enough, and may be played."""
        game = self.game
        for child in self.ranked(place, game.to_move(state)):
            if self.visits(child) < TRUSTED:
                return None
            if game.repetition >= 0:
                return child
            after = game.repetition_key(game.result(state, self.action(child)))
            if after not in past and after not in line:
                return child
        return None

    # -- drawing ---------------------------------------------------------------------------------------

    def drawn(self, place: Place, state: State, most: int, depth: int, move: str = "") -> DrawnNode:
        """The node for drawing, with the `most` children that have the most visits, `depth` plies deep."""
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
                below = self.drawn(child, game.result(state, action), most, depth - 1, text)
                below.probability = chances.get(action)
                found.children.append(below)
        return found

    def _busiest(self, place: Place, most: int) -> list[Place]:
        tried = [child for child in self.children(place) if self.visits(child) > 0]
        return sorted(tried, key=self.visits, reverse=True)[:most]
