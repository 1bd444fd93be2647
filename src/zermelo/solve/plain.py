"""Backward induction in plain Python, for games that do not compile; the slow twin of the compiled proofs.

It finds the payoffs of all players, and the distance to the end if the player who is ahead hurries and the other
delays. Of equal moves, distance included, it plays the first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from zermelo.core.errors import RulesError
from zermelo.core.game import CHANCE, Game, State
from zermelo.core.meter import Meter
from zermelo.solve.graph import mean_error_of

FAIR = 1e-6
"""The largest error of the sum of probabilities."""


class Endless(RulesError):
    """The game need not end, so there is no last position to start from."""


@dataclass(frozen=True)
class Solved:
    """The solution of a position: payoffs, and plies to the end (None if neither player is ahead).

    Only games of two opponents without dice have a distance.
    """

    payoffs: tuple[float, ...]
    distance: int | None
    error: float = 0.0
    """The maximum rounding error of the payoffs in games with dice."""


class PlainInduction:
    """Backward induction with a memo of all solved positions."""

    def __init__(self, game: Game, meter: Meter) -> None:
        self.game, self.meter = game, meter
        self.known: dict[State, Solved | None] = {}
        self.is_opposed = game.players == 2 and game.zero_sum and not game.chance

    def solve(self, state: State) -> Solved | None:
        """The solution of a state; None if the meter stopped the work."""
        key = self.game.canonical(state)
        if key in self.known:
            found = self.known[key]
            if found is None:
                raise Endless(f"{self.game} can repeat the position {self.game.format_state(state)!r}, {ENDLESS}")
            return found
        if self.meter.enter_node():
            return None
        self.known[key] = None  # in progress
        found = self._terminal(state) if self.game.is_terminal(state) else self._inner(state)
        if found is None:
            del self.known[key]
        else:
            self.known[key] = found
        return found

    def _terminal(self, state: State) -> Solved:
        payoffs = self.game.utilities(state)
        return Solved(payoffs, 0 if self.is_opposed and payoffs[0] != 0 else None)

    def _inner(self, state: State) -> Solved | None:
        mover = self.game.to_move(state)
        if mover == CHANCE:
            return self._chance(state)
        best: Solved | None = None
        error = 0.0
        for action in self.game.actions(state):
            child = self.solve(self.game.result(state, action))
            if child is None:
                return None
            distance = None if child.distance is None else child.distance + 1
            found = Solved(child.payoffs, distance)
            error = max(error, child.error)
            if best is None or self._rank(found, mover) > self._rank(best, mover):
                best = found
        if best is None:
            raise RulesError(f"{self.game} is not over in {self.game.format_state(state)!r}, yet there is no move")
        return replace(best, error=error)

    def _rank(self, found: Solved, mover: int) -> tuple[float, float]:
        own, distance = found.payoffs[mover], found.distance or 0
        return own, -distance if own > 0 else distance

    def _chance(self, state: State) -> Solved | None:
        totals, certainty, error, reach, count = [0.0] * self.game.players, 0.0, 0.0, 0.0, 0
        for action, probability in self.game.outcomes(state):
            if not probability:
                continue
            child = self.solve(self.game.result(state, action))
            if child is None:
                return None
            totals = [total + probability * payoff for total, payoff in zip(totals, child.payoffs, strict=True)]
            certainty, error, count = certainty + probability, error + probability * child.error, count + 1
            reach = max(reach, *(abs(payoff) + child.error for payoff in child.payoffs))
        if abs(1 - certainty) > FAIR:
            raise RulesError(
                f"{self.game} breaks its contract: in {self.game.format_state(state)!r} "
                "the probabilities of a roll do not sum to one"
            )
        return Solved(tuple(totals), None, error + mean_error_of(certainty, count, reach))


ENDLESS = "so it need not end and has no value by backward induction; `best` gives an estimate"
