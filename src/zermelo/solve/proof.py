"""Proof by the engine's alpha-beta without a horizon: the exact value of two-player zero-sum games without dice.

Values are seen by player 0. Fail-soft: with v the value and r the result, r <= alpha proves v <= r, r >= beta
proves v >= r, anything between is exact. Nothing is pruned that could change the value.

With `ply_cost` above zero, a win loses that much with every ply and a loss gains it, so that values also show the
distance to the end: the winner hurries, the loser delays. A draw, which is zero, stays what it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import islice

from zermelo.core.game import Action, Game, State
from zermelo.kernel import U64, mix
from zermelo.search.alphabeta import AlphaBetaWorkspace, exact, negamax
from zermelo.search.runtime import UNKNOWN, Ply, Table

PLY = 2.0**-48
"""The cost of a ply in the measurement of distances, as a share of the scale.

Its subtraction is exact in binary, and all ply costs of a game together are less than the difference of two payoffs,
unless that is below 10^-11 of the largest payoff.
"""
QUESTIONS = 24
"""Maximum number of null-window searches; then the rest of the interval is searched as a whole."""
WIDE = 2.0
"""An interval of payoffs wider than this is halved towards zero, which rules out far ends cheaply."""


class Proof:
    """The memory of the proofs of one game: a table of about `megabytes`, and a workspace."""

    def __init__(self, game: Game, megabytes: float = 256) -> None:
        self.game, self.how = game, exact(game)
        self.table = Table(megabytes)
        self.workspace = AlphaBetaWorkspace.create(self.table)
        largest = max(map(abs, game.utility_range))
        power = math.frexp(largest)[1] if math.isfinite(largest) else 0
        self.ply_cost, self.null_window = math.ldexp(PLY, power), math.ldexp(PLY / 8, power)
        self.workspace.null_window = self.null_window
        self.workspace.win_threshold = math.inf
        self.best: Action | None = None
        self._search: Callable[..., float] | None = None

    @property
    def hits(self) -> int:
        return self.workspace.hits

    def prepare(self, state: State) -> bool:
        """Compile or load the kernels; False if the search runs interpreted."""
        return negamax.prepare(self.game, self.how, state, 0.0, 0.0, 0, Ply(0), 0, self.workspace)

    def within(self, state: State, alpha: float, beta: float, ply_cost: float = 0.0) -> float:
        """The value of a state within a window; meaningless once the workspace is stopped."""
        self.workspace.ply_cost = ply_cost
        self.workspace.salt = mix(U64(1)) if ply_cost else U64(0)
        if self._search is None:  # kept, because most proofs are short
            self._search = negamax.runner(self.game, self.how, state, 0.0, 0.0, 0, Ply(0), 0, self.workspace)
        alpha, beta = float(alpha), float(beta)
        if self.game.to_move(state) == 0:
            return self._search(self.game, self.how, state, alpha, beta, 0, Ply(0), 0, self.workspace)
        return 0.0 - self._search(self.game, self.how, state, -beta, -alpha, 0, Ply(0), 0, self.workspace)

    def value(self, state: State) -> float:
        """The exact value, by null windows ("is it more than this?"); meaningless once the workspace is stopped."""
        low, high = map(float, self.game.bounds(state, 0))
        questions, best, is_first = 0, UNKNOWN, self.game.to_move(state) == 0
        while low < high and not self.workspace.is_stopped():
            questions += 1
            self.workspace.best = UNKNOWN  # unchanged if the table has the answer
            if questions > QUESTIONS or not (math.isfinite(low) and math.isfinite(high)):
                found = self.within(state, math.nextafter(low, -math.inf), math.nextafter(high, math.inf))
                self._note(state, self.workspace.best)
                return found
            middle = halfway(low, high)
            # The next number is further away than the null window if payoffs have no bounds and are large.
            found = self.within(state, middle, max(middle + self.null_window, math.nextafter(middle, math.inf)))
            is_more = found > middle
            if is_more == is_first:
                best = self.workspace.best
            low, high = (max(found, low), high) if is_more else (low, min(found, high))
        self._note(state, best)
        return low + 0.0  # never -0

    def _note(self, state: State, best: int) -> None:
        """Store the mover's best move of the last question, given its number."""
        if best != UNKNOWN:
            self.best = next(islice(self.game.candidates(state), best, None), None)


def halfway(low: float, high: float) -> float:
    """The next question: the middle of the interval, or halfway from a far end to zero."""
    middle = (low + high) / 2 if math.isfinite(low + high) else low / 2 + high / 2
    if math.floor(middle) >= low:
        middle = math.floor(middle)
    if high - low > WIDE:
        if middle <= 0 and low / 2 < middle:
            return math.ceil(low / 2) if low <= -2 else low / 2
        if middle >= 0 and high / 2 > middle:
            return math.floor(high / 2) if high >= 2 else high / 2
    return float(middle)
