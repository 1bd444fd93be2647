"""A process that solves games with hidden information: `python -m zermelo.web.equilibrium_process`.

It speaks the protocol of `zermelo.web.search_process`. An order has `ask`:

    solve     the strategies of all players, with the curve of the exploitability while regrets are minimised
    mixture   the probabilities of a player's moves, from what this player has seen and nothing else
    regrets   what regret minimisation learns at each information set, step by step
    costs     what each decision of a finished game cost

Solved games are kept; a solution depends on the game and the method alone.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, TextIO

from zermelo.arena.auto import tree_size
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import Game
from zermelo.draw.strategies import METHOD_TITLES
from zermelo.draw.svg_curves import Curve
from zermelo.equilibrium.answers import METHODS, Solution, solve, suits_programme
from zermelo.equilibrium.decisions import Judge
from zermelo.equilibrium.flatten import flatten
from zermelo.inside.regrets import record_regrets
from zermelo.web.mixtures import describe_costs, mixture_of
from zermelo.web.search_process import SearchProcess, main
from zermelo.web.solution_view import describe_curve, describe_solution

CURVE_GOAL, CURVE_SECONDS = 1e-4, 10.0
"""`auto` draws the curve of CFR+ as far as this, then solves the linear programme."""
GOAL, SECONDS = 1e-5, 5.0
"""Any other method goes as far as this."""
LARGEST = 8.0
"""The logarithm of the size of the largest tree that is solved, by its estimate."""
HELP_SECONDS = 10.0
"""For the solution behind a hint or a review, where no linear programme fits."""
MOST_ENDS = 200_000
"""Games with more ends are not solved for a hint or a review."""
MOST_SIZE = 6.0
"""The logarithm of the size of the largest tree that is walked for them, by its estimate."""
KEPT = 4
INTERVAL = 0.1
"""Seconds between two curves that are sent."""


class EquilibriumProcess(SearchProcess):
    """Solves games, one job at a time."""

    def __init__(self, answers: TextIO, files: list[str]) -> None:
        super().__init__(answers, files)
        self._solved: OrderedDict[str, tuple[Game, Judge, Solution]] = OrderedDict()

    def _answer(self, order: dict[str, Any]) -> dict[str, Any]:
        game = self._catalogue.game(order["game"], order["options"])
        if order["ask"] == "solve":
            beside = [Curve(METHOD_TITLES[one["method"]], one["points"]) for one in order["beside"]]
            return self._solve(game, order["method"], beside)
        if order["ask"] == "mixture":
            return mixture_of(game, order, lambda: self._judge(game))
        if order["ask"] == "regrets":
            return record_regrets(game, order["iterations"], order["plus"])
        judge, solution = self._judge(game)
        return describe_costs(game, order["moves"], judge, solution)

    # -- solving -----------------------------------------------------------------------------------------

    def _solve(self, game: Game, method: str, beside: Sequence[Curve]) -> dict[str, Any]:
        if method not in METHODS:
            raise UsageError(f"there is no method {method!r}")
        if tree_size(game, game.initial(), LARGEST) > LARGEST:
            raise Refused(f"{game.title} is too large to solve it here; choose smaller options")
        points: list[tuple[float, float]] = []
        name = "cfr+" if method == "auto" else method
        curve = Curve(METHOD_TITLES[name], points)
        begin = time.perf_counter()

        def note(iterations: int, gain: float) -> None:
            points.append((iterations, gain))
            now = time.monotonic()
            self._last = describe_curve(curve, beside)
            if now - self._reported >= INTERVAL:
                self._reported = now
                self._send(analysis=self._last)

        found = None
        if method != "lp":
            goal, seconds = (CURVE_GOAL, CURVE_SECONDS) if method == "auto" else (GOAL, SECONDS)
            found = solve(game, name, to=goal, seconds=seconds, on_progress=note)
        form = flatten(game)
        if method == "lp" or (method == "auto" and suits_programme(form)):
            found = solve(game, "lp")
        assert found is not None
        return describe_solution(game, found, form, curve, beside, time.perf_counter() - begin)

    def _judge(self, game: Game) -> tuple[Judge, Solution]:
        """The solution of a small game; Refused if the game is too large for it."""
        key = repr(game)
        known = self._solved.pop(key, None)
        if known is None or known[0] is not game:
            if tree_size(game, game.initial(), MOST_SIZE) > MOST_SIZE:
                raise Refused(f"{game.title} is too large to solve it for this")
            form = flatten(game, MOST_ENDS)
            is_exact = suits_programme(form)
            solution = solve(game, "lp") if is_exact else solve(game, "cfr+", to=1e-4, seconds=HELP_SECONDS)
            known = game, Judge(game, solution.strategy, form), solution
        self._solved[key] = known
        while len(self._solved) > KEPT:
            self._solved.popitem(last=False)
        return known[1], known[2]


if __name__ == "__main__":
    main(EquilibriumProcess)
