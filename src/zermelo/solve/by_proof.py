"""Solving by alpha-beta with a transposition table: games of two opponents without dice."""

from __future__ import annotations

import math

from zermelo.core.counters import NO_TROUBLE
from zermelo.core.errors import NotProved, RulesError
from zermelo.core.game import Action, State
from zermelo.search.alphabeta import MOST_PLIES
from zermelo.search.runtime import MOST_MOVES, STUCK, TOO_LONG, Request, stuck_sentence
from zermelo.solve.method import Method
from zermelo.solve.plain import ENDLESS, Endless
from zermelo.solve.proof import Proof


class ByProof(Method):
    """Proves the value, then answers further questions by null-window proofs, most of which the table has."""

    is_compiled = True

    def __init__(self, request: Request, proof: Proof) -> None:
        self.proof, self.memory = proof, proof.workspace
        self.memory.allow(request.limit.nodes)
        super().__init__(request)
        self.ply_cost = proof.ply_cost
        self.effort = 0
        self.first: Action | None = None

    def halt(self) -> None:
        self.memory.stop()

    def count(self) -> int:
        return self.memory.nodes

    def size(self) -> dict[str, int]:
        return {"table_hits": self.proof.hits}

    def value(self, state: State) -> tuple[float, ...]:
        found = self.proof.value(state)
        if self.memory.is_stopped():
            raise self._failure()
        return found, 0.0 - found

    def allow_more(self) -> None:
        """Allow a few times the nodes of the proof, unless the time is up."""
        if self.effort == 0:
            self._remember_proof()
        if not self.watch.is_over:
            self.memory.allow(4 * self.effort + 5_000_000)

    def _remember_proof(self) -> None:
        """Store the size and a best move of the proof before the memory is used for other questions."""
        self.effort, self.first = self.memory.nodes, self.proof.best

    def distance(self, value: tuple[float, ...]) -> int | None:
        """Ask "within 1 ply? 2? 3? 4? 6? 9?" ... until the answer is yes, then search between the last two questions.

        None for margins, for payoffs without bounds, where a ply cost may be less than a rounding error, and for a
        payoff that is less than the ply costs of a line, or differs from others by less.
        """
        if self.game.margins or not all(map(math.isfinite, self.game.utility_range)):
            return None
        if abs(value[0]) <= MOST_PLIES * self.ply_cost:
            return None
        least, most = 0, 1
        while not (within := self._is_within(self.state, value[0], most)):
            if within is None or most >= MOST_PLIES:
                return None
            least, most = most, most + max(1, most // 2)
        near, far = self._after(value[0], least + 0.5), self._after(value[0], most + 0.5)
        found = self._window(self.state, min(near, far), max(near, far), self.ply_cost)
        plies = math.nan if found is None else abs(value[0] - found) / self.ply_cost
        return int(plies) if plies.is_integer() else None  # else the end has another payoff

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
        """Whether the last question ran into a cycle, so that the next one may still have an answer."""
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
        """The result of a proof within a window; None if stopped."""
        if self.game.is_terminal(state):
            return float(self.game.utility(state, 0))
        if self.memory.is_stopped():
            return None
        found = self.proof.within(state, alpha, beta, ply_cost)
        return None if self.memory.is_stopped() else found

    def _is_within(self, state: State, value: float, plies: int) -> bool | None:
        """Whether a state of this value ends within `plies`; None if stopped."""
        if self.game.is_terminal(state):
            return True
        near, far = self._after(value, plies + 0.25), self._after(value, plies + 0.75)
        found = self._window(state, min(near, far), max(near, far), self.ply_cost)
        if found is None:
            return None
        return found >= near if value > 0 else found <= near

    def _after(self, value: float, plies: float) -> float:
        """The value with ply costs if the end is `plies` plies away."""
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
        """Whether the mover still gets the value; None if stopped.

        The null window asks for no more than the value, because a search for more may run into endless cycles.
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
            return RulesError(stuck_sentence(self.game))
        return NotProved(
            f"{self.game} is not proved: one line of play has more than the {MOST_MOVES:,} moves a proof can keep; "
            "ask `best` for an estimate"
        )
