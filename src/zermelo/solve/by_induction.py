"""Solving by backward induction: games with dice, many players or recurring positions, and games not compiled."""

from __future__ import annotations

from zermelo.core.counters import NO_TROUBLE
from zermelo.core.errors import NotProved, RulesError
from zermelo.core.game import Action, State
from zermelo.core.meter import Meter
from zermelo.games.library.files import recurses_by_itself
from zermelo.search.runtime import Request, stuck_sentence
from zermelo.solve.graph import GAINFUL, STUCK, UNFAIR, UNSETTLED, Graph, Position
from zermelo.solve.induction import induce, key_of
from zermelo.solve.method import Method
from zermelo.solve.plain import ENDLESS, PlainInduction

WIDEST = 1e-6
"""The relative gap between bounds above which a value counts as not proved."""


class ByInduction(Method):
    """Fills a table of all positions; then every question is a lookup."""

    def __init__(self, request: Request, graph: Graph, is_compiled: bool) -> None:
        self.graph, self.is_compiled = graph, is_compiled
        graph.allow(request.limit.nodes)
        super().__init__(request)

    def halt(self) -> None:
        self.graph.stop()

    def count(self) -> int:
        return self.graph.nodes

    def size(self) -> dict[str, int]:
        return {"positions": self.graph.table.used}

    def value(self, state: State) -> tuple[float, ...]:
        position = self._lookup(state)
        payoffs = [position.payoffs[player] + self.game.bank(state, player) for player in range(self.graph.width)]
        error = position.error
        if error > WIDEST * max(1.0, *map(abs, payoffs)):
            raise NotProved(
                f"{self.game} is not proved: rounding keeps its bounds apart; its value lies in "
                f"[{payoffs[0] - error:g}, {payoffs[0] + error:g}]; ask `best` for an estimate"
            )
        self.error = max(self.error, error)
        if len(payoffs) < self.game.players:
            payoffs.append(0.0 - payoffs[0])
        return tuple(payoffs)

    def allow_more(self) -> None:
        """Nothing to do: the table is complete."""

    def choice(self, state: State, value: tuple[float, ...], distance: int | None) -> Action | None:
        """The move to the best successor in the table; of several such moves, the one with the right bank."""
        position = self._lookup(state)
        found: list[tuple[Action, State]] = []
        for action in self.game.actions(state):
            child = self.game.result(state, action)
            if position.leads_to(key_of(self.game, child)):
                found.append((action, child))
        if len(found) < 2:
            return found[0][0] if found else None
        return min(found, key=lambda pair: self._distance(value, self.payoffs(pair[1])))[0]

    @staticmethod
    def _distance(one: tuple[float, ...], other: tuple[float, ...]) -> float:
        return max(abs(first - second) for first, second in zip(one, other, strict=True))

    def _lookup(self, state: State) -> Position:
        """The table entry of a state, with its payoffs without the bank."""
        if not induce.run(self.game, state, self.graph):
            raise self._failure()
        return self.graph.table.find(key_of(self.game, state))

    def _failure(self) -> Exception:
        trouble = self.graph.trouble
        if trouble == NO_TROUBLE:
            return self.not_proved()
        if trouble == STUCK:
            return RulesError(stuck_sentence(self.game))
        if trouble == UNFAIR:
            return RulesError(
                f"{self.game} breaks its contract: somewhere the probabilities of a roll do not sum to one; "
                "the conformance kit finds where"
            )
        if trouble == UNSETTLED:
            return NotProved(
                f"{self.game} is not proved: no equilibrium was found, because positions recur and the players' best "
                "replies do not settle; ask `best` for an estimate"
            )
        if trouble == GAINFUL:
            return RulesError(f"{self.game} can repeat a position and win points each time, {ENDLESS}")
        return NotProved(
            f"{self.game} has more positions than the table of the solver holds; give it more memory, "
            "or ask `best` for an estimate"
        )


class ByPlainPython(Method):
    """Backward induction in plain Python, the slow twin."""

    def __init__(self, request: Request) -> None:
        self.meter = Meter.allocate(request.limit.nodes)
        self.induction = PlainInduction(request.referee.game, self.meter)
        super().__init__(request)

    def halt(self) -> None:
        self.meter.stop()

    def count(self) -> int:
        return self.meter.nodes

    def size(self) -> dict[str, int]:
        return {"positions": len(self.induction.known)}

    def value(self, state: State) -> tuple[float, ...]:
        try:
            found = self.induction.solve(state)
        except RecursionError as error:
            if recurses_by_itself(error):
                raise
            raise RulesError(f"{self.game} goes on for too many plies, {ENDLESS}") from None
        if found is None:
            raise self.not_proved()
        self.error = max(self.error, found.error)
        return found.payoffs

    def allow_more(self) -> None:
        """Nothing to do: solved positions are not counted again."""

    def distance(self, value: tuple[float, ...]) -> int | None:
        found = self.induction.solve(self.state)
        return None if found is None else found.distance

    def choice(self, state: State, value: tuple[float, ...], distance: int | None) -> Action | None:
        for action in self.game.actions(state):
            found = self.induction.solve(self.game.result(state, action))
            is_as_far = distance is None or found is None or found.distance == distance - 1
            if found is not None and found.payoffs == value and is_as_far:
                return action
        return None
