"""Solving by backward induction: dice, many players, and every game that does not compile."""

from __future__ import annotations

from zermelo.core.counters import NO_TROUBLE
from zermelo.core.errors import NotProved, RulesError
from zermelo.core.game import Action, Game, State
from zermelo.core.limit import Limit
from zermelo.core.meter import Meter
from zermelo.solve.induction import FULL, MOST_PLIES, REPEATS, STUCK, InductionMemory, induce
from zermelo.solve.plain import ENDLESS, PlainInduction
from zermelo.solve.way import STUCK_SENTENCE, Progress, Way


class ByInduction(Way):
    """A compiled table of all positions; once it is complete, every question is a look into it."""

    def __init__(
        self, game: Game, state: State, limit: Limit, progress: Progress | None, memory: InductionMemory
    ) -> None:
        self.memory = memory
        memory.allow(limit.nodes)
        super().__init__(game, state, limit, progress)

    def stop(self) -> None:
        self.memory.stop()

    def nodes(self) -> int:
        return self.memory.nodes

    def size(self) -> dict[str, int]:
        return {"nodes": self.memory.nodes, "positions": self.memory.positions}

    def value(self, state: State) -> tuple[float, ...]:
        found = induce.run(self.game, state, 0, self.memory.address)
        if self.memory.is_stopped:
            raise self._failure()
        return found

    def allow_more(self) -> None:
        self.memory.allow(None)

    def _failure(self) -> Exception:
        trouble = self.memory.trouble
        if trouble == NO_TROUBLE:
            return self.not_proved()
        if trouble == REPEATS:
            return RulesError(f"{self.game} can repeat a position, {ENDLESS}")
        if trouble == STUCK:
            return RulesError(f"{self.game} breaks its contract: {STUCK_SENTENCE}")
        if trouble == FULL:
            return NotProved(f"{self.game} has more positions than the table of the solver holds; give it more memory")
        return RulesError(f"{self.game} did not end within {MOST_PLIES:,} plies, {ENDLESS}")


class ByPlainPython(Way):
    """The slow twin."""

    is_compiled = False

    def __init__(self, game: Game, state: State, limit: Limit, progress: Progress | None) -> None:
        self.meter = Meter(limit.nodes)
        self.induction = PlainInduction(game, self.meter)
        super().__init__(game, state, limit, progress)

    def stop(self) -> None:
        self.meter.stop()

    def nodes(self) -> int:
        return self.meter.nodes

    def size(self) -> dict[str, int]:
        return {"nodes": self.meter.nodes, "positions": len(self.induction.known)}

    def value(self, state: State) -> tuple[float, ...]:
        try:
            found = self.induction.solve(state)
        except RecursionError:
            raise RulesError(f"{self.game} goes on for too many plies, {ENDLESS}") from None
        if found is None:
            raise self.not_proved()
        return found.payoffs

    def allow_more(self) -> None:
        """Nothing to do: known positions are not counted again."""

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
