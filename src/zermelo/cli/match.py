"""`zermelo match`: agents against each other; the score, its confidence interval, the records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from zermelo.arena.agents import agent
from zermelo.arena.match import MatchResult, play_match
from zermelo.arena.ratings import Z95
from zermelo.arena.records import write_record
from zermelo.cli.request import find_game, print_json
from zermelo.cli.terminal import StatusLine, note
from zermelo.core.game import Game
from zermelo.core.limit import Limit


def show_match(
    spec: str,
    agent_texts: Sequence[str],
    games: int,
    openings: int | None,
    save: Path | None,
    limit: Limit,
    seed: int,
    as_json: bool,
    duplicate: bool = True,
) -> None:
    game = find_game(spec)
    agents = [agent(text, limit) for text in agent_texts]
    so_far: list[MatchResult] = []
    with StatusLine() as status:

        def progress(found: MatchResult) -> None:
            so_far[:] = [found]
            status.show(f"game {found.games} of {games}: +{found.wins} ={found.draws} -{found.losses}")
            if save is not None:
                write_record(save, found.records[-1])

        try:
            result = play_match(game, agents, games, seed, progress, openings=openings, duplicate=duplicate)
        except KeyboardInterrupt:
            found = so_far[0] if so_far else MatchResult(game.spec(), tuple(one.name for one in agents), seed)
            note(f"stopped after {found.games} of {games} games")
            if as_json:
                print_json(found.to_json())
            elif so_far:
                print(match_text(found, game))
            raise
    for sentence in remarks(result, game):
        note(sentence)
    if as_json:
        print_json(result.to_json())
    else:
        print(match_text(result, game))
        if save is not None:
            print(f"records: {save}")


def match_text(result: MatchResult, game: Game) -> str:
    """The table, and for two agents the difference in strength.

    In a game with hidden information whose payoffs are stakes, chips count and not wins: a player may win less often,
    and more. There is no Elo difference then.
    """
    rows = [f"{result.game}: {result.games} games, seed {result.seed}"]
    wide = max(map(len, result.agents))
    stakes = counts_stakes(result, game)
    for number, name in enumerate(result.agents):
        parts = [f"  {name:<{wide}}"]
        if stakes:
            parts.append(_payoff_text(result, number, is_alone=False))
        if game.players > 1:
            wins, draws, losses = result.tally(number)
            score = "" if stakes else f"  score {100 * result.score(number):.1f} %"
            parts.append(f"{wins} won, {draws} drawn, {losses} lost{score}")
        if not stakes and (game.players != 2 or not game.zero_sum or game.margins or result.is_graded):
            parts.append(_payoff_text(result, number, is_alone=game.players == 1))
        if result.speeds and math.isfinite(result.speeds[number]):
            parts.append(f"{_short(result.speeds[number])} moves/s")
        rows.append("  ".join(parts))
    by_seat = [
        f"as {game.seat(seat)} +{wins} ={draws} -{losses}"
        for seat in range(game.players)
        for wins, draws, losses in [result.tally(0, seat)]
    ]
    if game.players > 1:
        rows.append(f"  {result.agents[0]}: {', '.join(by_seat)}")
    if stakes and (sure := payoff_superiority(result)) is not None:
        how = "each deal was played from both seats" if result.duplicate else "every game had a deal of its own"
        rows.append(f"  likelihood that {result.agents[0]} is the stronger one: {_percent(sure)}; {how}")
    elif (found := result.rating) is not None and not stakes:
        if found.error is None:
            bound = "at least" if result.wins else "at most"
            rows.append(f"  Elo difference {bound} {found.elo:+.0f} (95 %; one side won every game)")
        else:
            rows.append(
                f"  Elo difference {found.elo:+.0f} ± {found.error:.0f} (95 %, from the scores of pairs of games)"
            )
        rows.append(f"  likelihood that {result.agents[0]} is the stronger one: {_percent(found.superiority)}")
    return "\n".join(rows)


def counts_stakes(result: MatchResult, game: Game) -> bool:
    """Whether what is won counts, and not how often."""
    return game.hidden and game.players > 1 and (game.margins or result.is_graded)


def payoff_superiority(result: MatchResult) -> float | None:
    """The likelihood that the first of two agents wins more on average; None before the second round."""
    error = result.payoff_error()
    if error is None or len(result.agents) != 2:
        return None
    if error == 0:
        return 0.5 if result.payoff() == 0 else float(result.payoff() > 0)
    return (1 + math.erf(Z95 * result.payoff() / error / math.sqrt(2))) / 2


def _payoff_text(result: MatchResult, number: int, is_alone: bool) -> str:
    """The mean with its confidence interval; for a single player also the range of the payoffs."""
    mean, error, payoffs = result.payoff(number), result.payoff_error(number), result.payoffs(number)
    text = f"mean payoff {_short(mean)}"
    if error:
        digits = max(0, 1 - math.floor(math.log10(error)))
        mean = round(mean, digits) + 0.0  # no minus before zero
        text = f"mean payoff {mean:,.{digits}f} ± {error:,.{digits}f} (95 %)"
    return f"{text}, from {_short(min(payoffs))} to {_short(max(payoffs))}" if is_alone and payoffs else text


def _short(value: float) -> str:
    """Three significant digits, and all digits before the decimal point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _percent(likelihood: float) -> str:
    """A percentage that is never 0 or 100: a finite match makes nothing certain."""
    if 0.0005 < likelihood < 0.9995:
        return f"{100 * likelihood:.1f} %"
    return "above 99.9 %" if likelihood > 0.5 else "below 0.1 %"


def remarks(result: MatchResult, game: Game) -> list[str]:
    """Remarks that qualify the score: faults, adjudications, repeated games."""
    found = []
    faults = [record for record in result.records if record.ending == "forfeited"]
    if faults:
        games = f"{len(faults)} games were" if len(faults) > 1 else "one game was"
        found.append(f"{games} lost by a fault; the first one, game {faults[0].number}: {faults[0].reason}")
    if adjudicated := sum(record.ending == "adjudicated" for record in result.records):
        found.append(f"{adjudicated} of {result.games} games were too long and were scored as draws")
    is_drawn = game.chance or game.hidden  # equal games are then equal deals, or mixed strategies
    if result.different_games < 0.9 * result.games and not is_drawn:
        found.append(
            f"only {result.different_games} of {result.games} games differ from each other, so the score is less "
            "certain than it looks; more random plies (--openings) give more variety"
        )
    return found
