"""`zermelo solve` of games with hidden information: the value, and what to play at each information set."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

from zermelo.cli.request import print_json
from zermelo.cli.terminal import StatusLine, note
from zermelo.core.errors import UsageError
from zermelo.core.game import Game, has_one_value
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.draw.strategies import METHOD_TITLES, Fractions, proved_fractions, solution_text
from zermelo.equilibrium.answers import METHODS, Solution
from zermelo.equilibrium.decisions import Decision, Judge, unjudged
from zermelo.equilibrium.flatten import flatten
from zermelo.solve import solve

log = logging.getLogger(__name__)

MOST_HISTORIES = 60_000
"""Histories that are walked to print a strategy."""
MOST_ROWS = 40
"""Information sets that are printed unless the user says how many."""
LARGEST_FORM = 20_000
"""Information sets for whose strategies fractions and the worth of moves are computed."""


@dataclass(frozen=True)
class EquilibriumOptions:
    """The options of `zermelo solve` for games with hidden information."""

    method: str | None = None
    to: float | None = None
    iterations: int | None = None
    seed: int | None = None
    """Seed of the methods that sample."""
    most: int | None = None
    save: Path | None = None

    def refuse_for(self, game: Game) -> None:
        """Raise UsageError for a game that hides nothing, because a proof has none of these."""
        names = [f"--{name}" for name, value in vars(self).items() if value is not None]
        if names:
            raise UsageError(
                f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} for games with hidden information; "
                f"{game.name} hides nothing, so its value is proved"
            )


def show_equilibrium(referee: Referee, limit: Limit, options: EquilibriumOptions, as_json: bool) -> None:
    game = referee.game
    vet(options)
    with StatusLine() as status:
        status.show(f"solving {game} …")
        title = METHOD_TITLES.get(options.method or "cfr+", options.method or "")

        def progress(iterations: int, gain: float) -> None:
            status.show(f"solving … {title}, {iterations:,} iterations, exploitability {gain:.2e}")

        log.info("solving %s, %s, %s", game, options, limit)
        found = solve(
            game,
            referee,
            limit,
            method=options.method,
            to=options.to,
            iterations=options.iterations,
            seed=options.seed or 0,
            on_iterations=progress,
        )
        assert isinstance(found, Solution)
        rows, fractions = rows_of(
            game, found, options.most if options.most is not None else None if as_json else MOST_ROWS
        )
    if options.save is not None:
        save(found, options.save)
    for sentence in remarks(game, found, options):
        note(sentence)
    if as_json:
        print_json(solution_json(game, found, rows, fractions))
    else:
        print(solution_text(game, found, rows, fractions))
        if options.save is not None:
            print(f"strategy: {options.save}")
    if found.stopped == "user":
        raise KeyboardInterrupt


def vet(options: EquilibriumOptions) -> None:
    if options.method is not None and options.method not in METHODS:
        raise UsageError(f"there is no method {options.method!r}; try {', '.join(METHODS[:-1])} or {METHODS[-1]}")
    if options.to is not None and not options.to > 0:
        raise UsageError(f"--to {options.to:g} is too small; it is an exploitability above 0, such as 1e-4")
    if options.iterations is not None and options.iterations < 1:
        raise UsageError(f"--iterations {options.iterations} is too small; there is at least one")
    if options.most is not None and options.most < 1:
        raise UsageError(f"--most {options.most} is too small; a table has at least one row")
    if options.save is not None and not options.save.absolute().parent.is_dir():
        raise UsageError(f"{options.save} cannot be written: there is no folder {options.save.parent}")
    if options.save is not None and options.save.exists() and not options.save.is_file():
        raise UsageError(f"{options.save} cannot be written: it is not a file")


def rows_of(game: Game, found: Solution, most: int | None) -> tuple[Sequence[Decision], Fractions]:
    """The rows that are shown, with proved fractions; none of a game that was too large for more than samples."""
    if not math.isfinite(found.exploitability):
        return [], {}
    if found.strategy.forgets:
        return list(islice(unjudged(game, found.strategy), most)), {}
    form = flatten(game)
    judge = Judge(game, found.strategy, form)
    with_bluffs = has_one_value(game) and found.sets <= LARGEST_FORM
    rows = judge.decisions(MOST_HISTORIES, max(found.sets, 1), with_bluffs)
    fractions = proved_fractions(found, form) if found.sets <= LARGEST_FORM else {}
    return rows[:most], fractions


def save(found: Solution, path: Path) -> None:
    try:
        found.strategy.save(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None


def remarks(game: Game, found: Solution, options: EquilibriumOptions) -> list[str]:
    """What a reader should know about the answer."""
    if found.total is not None:
        unknown = "the game is too large to compute the exploitability, or to print the strategy; --save keeps it"
        return [] if math.isfinite(found.exploitability) else [unknown]
    why = f"{game.players} players" if game.players != 2 else "payoffs whose sum is not always the same"
    more = "" if game.players != 2 else ", or ask `zermelo nash` if it is a matrix game"
    return [
        f"{game.name} has {why}, so regret minimisation need not find an equilibrium: NashConv is what all players "
        f"together can gain by changing their strategies alone{more}"
    ]


def solution_json(game: Game, found: Solution, rows: Sequence[Decision], fractions: Fractions) -> dict[str, Any]:
    is_fraction = isinstance(found.value, Fraction)
    return {
        "game": found.game,
        "value": list(found.values),
        "fraction": str(found.value) if is_fraction else None,
        "kind": found.kind,
        "exploitability": found.exploitability if math.isfinite(found.exploitability) else None,
        "nash_conv": found.nash_conv if math.isfinite(found.nash_conv) else None,
        "method": found.method,
        "iterations": found.iterations,
        "sets": found.sets,
        "seconds": round(found.seconds, 6),
        "stopped": found.stopped,
        "strategy": [row_json(row, fractions.get((row.player, row.key))) for row in rows],
    }


def row_json(row: Decision, exact: Sequence[Fraction] | None) -> dict[str, Any]:
    moves = []
    for number, (move, share) in enumerate(zip(row.moves, row.probabilities, strict=True)):
        one: dict[str, Any] = {"move": move, "probability": share, "is_bluff": row.bluffs[number]}
        one["fraction"] = None if exact is None else str(exact[number])
        one["worth"] = round(row.worth[number], 6) if row.worth else None
        moves.append(one)
    return {"player": row.player, "view": row.view, "reach": row.reach, "moves": moves}
