"""Solving by alpha-beta with a table: two opponents, no dice."""

from __future__ import annotations

import math

from zermelo.core.counters import NO_TROUBLE
from zermelo.core.errors import NotProved, RulesError
from zermelo.core.game import Action, State
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.search.alphabeta import MOST_PLIES
from zermelo.search.runtime import MOST_MOVES, STUCK, TOO_LONG
from zermelo.solve.method import STUCK_SENTENCE, Method, Progress
from zermelo.solve.plain import ENDLESS, Endless
from zermelo.solve.proof import Proof


class ByProof(Method):
    """After the value, further questions are proofs with narrow windows; the table remembers most of what they need."""

    def __init__(self, referee: Referee, limit: Limit, progress: Progress | None, proof: Proof) -> None:
        self.proof, self.memory = proof, proof.workspace
        self.memory.allow(limit.nodes)
        super().__init__(referee, limit, progress)
        self.ply_cost = proof.ply_cost
        self.effort = 0
        self.first: Action | None = None

    def stop(self) -> None:
        self.memory.stop()

    def nodes(self) -> int:
        return self.memory.nodes

    def size(self) -> dict[str, int]:
        return {"nodes": self.memory.nodes, "table_hits": self.proof.hits}

    def value(self, state: State) -> tuple[float, ...]:
        found = self.proof.value(state)
        if self.memory.is_stopped():
            raise self._failure()
        return found, 0.0 - found

    def allow_more(self) -> None:
        """A few times the effort of the proof, unless the time is up."""
        if self.effort == 0:
            self._remember_proof()
        if not self.watch.is_over:
            self.memory.allow(4 * self.effort + 5_000_000)

    def _remember_proof(self) -> None:
        """Its size, and a best move, before other questions are asked of the memory."""
        self.effort, self.first = self.memory.nodes, self.proof.best

    def distance(self, value: tuple[float, ...]) -> int | None:
        """Ask "within 1 ply? 2? 3? 4? 6? 9?" ... until the answer is yes, then look between the last two questions.

        None if margins count, or if payoffs have no bounds: then a ply may cost less than a rounding error.
        """
        if value[0] == 0 or self.game.margins or not all(map(math.isfinite, self.game.utility_range)):
            return None
        least, most = 0, 1
        while not (within := self._is_within(self.state, value[0], most)):
            if within is None or most >= MOST_PLIES:
                return None
            least, most = most, most + max(1, most // 2)
        near, far = self._after(value[0], least + 0.5), self._after(value[0], most + 0.5)
        found = self._window(self.state, min(near, far), max(near, far), self.ply_cost)
        return None if found is None else round(abs(value[0] - found) / self.ply_cost)

    def choice(self, state: State, value: tuple[float, ...], distance: int | None) -> Action | None:
        mover = self.game.to_move(state)
        for action in self.game.actions(state):
            child = self.game.result(state, action)
            keeps = self._keeps(child, value[0], mover)
            if keeps and distance is not None:
                keeps = self._takes(child, value[0], distance - 1, is_ahead=value[mover] > 0)
            if keeps:
                return action
            if keeps is None and not self._goes_on():
                break
        if state is not self.state:
            return None
        if self.first is None and self.memory.trouble == TOO_LONG:
            raise self._failure()
        return self.first

    def _goes_on(self) -> bool:
        """Whether a question that was stopped ran into a circle, so that the next one may have an answer."""
        if self.memory.trouble == TOO_LONG:
            self.allow_more()
        return not self.memory.is_stopped()

    def move_value(self, action: Action) -> tuple[float, ...] | None:
        child = self.game.result(self.state, action)
        if self.game.is_terminal(child):
            return self.game.utilities(child)
        found = 0.0 if self.memory.is_stopped() else self.proof.value(child)
        return None if self.memory.is_stopped() else (found, 0.0 - found)

    def _window(self, state: State, alpha: float, beta: float, ply_cost: float = 0.0) -> float | None:
        """A proof within a window; None if it was stopped."""
        if self.game.is_terminal(state):
            return float(self.game.utility(state, 0))
        if self.memory.is_stopped():
            return None
        found = self.proof.within(state, alpha, beta, ply_cost)
        return None if self.memory.is_stopped() else found

    def _is_within(self, state: State, value: float, plies: int) -> bool | None:
        """Whether a state of this value can be brought to its end within `plies`; None if it was stopped."""
        if self.game.is_terminal(state):
            return True
        near, far = self._after(value, plies + 0.25), self._after(value, plies + 0.75)
        found = self._window(state, min(near, far), max(near, far), self.ply_cost)
        if found is None:
            return None
        return found >= near if value > 0 else found <= near

    def _after(self, value: float, plies: float) -> float:
        """The value with ply costs, if the end is `plies` plies away."""
        return value - plies * self.ply_cost if value > 0 else value + plies * self.ply_cost

    def _takes(self, child: State, value: float, plies: int, is_ahead: bool) -> bool | None:
        """Whether the end is exactly `plies` away: no farther if the mover hurries, no nearer if the mover delays."""
        if is_ahead:
            return self._is_within(child, value, plies)
        if plies == 0 or self.game.is_terminal(child):
            return plies == 0 and self.game.is_terminal(child)
        within = self._is_within(child, value, plies - 1)
        return None if within is None else not within

    def _keeps(self, child: State, value: float, mover: int) -> bool | None:
        """Whether the mover still gets the value; None if it was stopped.

        More is not asked: whoever has enough looks no farther, where there may be circles without end.
        """
        least, most = self.game.utility_range if self.game.is_terminal(child) else self.game.bounds(child, 0)
        if least >= value if mover == 0 else most <= value:
            return True
        low, high = (
            (math.nextafter(value, -math.inf), value) if mover == 0 else (value, math.nextafter(value, math.inf))
        )
        found = self._window(child, low, high)
        if found is None:
            return None
        return found >= value if mover == 0 else found <= value

    def _failure(self) -> Exception:
        trouble = self.memory.trouble
        if trouble == NO_TROUBLE:
            return self.not_proved()
        if trouble == TOO_LONG:
            return Endless(f"{self.game} did not end within {MOST_PLIES:,} plies, {ENDLESS}")
        if trouble == STUCK:
            return RulesError(f"{self.game} breaks its contract: {STUCK_SENTENCE}")
        return NotProved(
            f"{self.game} is not proved: one line of play has more than the {MOST_MOVES:,} moves a proof can keep; "
            "ask `best` for an estimate"
        )
