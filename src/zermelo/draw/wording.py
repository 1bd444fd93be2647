"""Results in words: who wins, in how many plies, and whether that is proved."""

from __future__ import annotations

from zermelo.core.analysis import Analysis
from zermelo.core.game import Game
from zermelo.core.numerals import error_text
from zermelo.core.outcome import is_win_or_lose
from zermelo.draw.analyses import chance_text, in_plies, is_chance_to_win

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


def solution(answer: Analysis, game: Game) -> str:
    """The proof in one sentence: `hexapawn: Black (second player) wins, in 8 plies with best play; proved …`."""
    return f"{answer.game}: {_verdict(answer, game)}; {_proof(answer)}"


def prospects(answer: Analysis, game: Game, player: int) -> str:
    """The meaning of an answer for a player, in a few words."""
    value = answer.value[player]
    if value != value:
        return "unknown"
    if answer.kind != "exact":
        counted = f"{value / game.unit:+.2f} {game.unit_name}".rstrip()
        if is_chance_to_win(answer, game):
            return f"{_feeling(value, game)} for {game.seat(player)} ({chance_text(value)} of simulated games)"
        return f"{_feeling(value, game)} for {game.seat(player)} ({counted})"
    if game.chance or game.players != 2 or not game.zero_sum:
        return f"worth {value:.4g} to {game.seat(player)}"
    winner = player if value > 0 else 1 - player
    return "a draw" if value == 0 else f"{game.seat(winner)} wins{in_plies(answer)}"


def _feeling(value: float, game: Game) -> str:
    """A lead below one unit, such as a pawn, or below a fifth of a win counts as even."""
    low, high = game.utility_range
    lead, enough = value - game.middle(), min(game.unit, (high - low) / 10)
    return "looks good" if lead > enough else "looks bad" if lead < -enough else "about even"


def _verdict(answer: Analysis, game: Game) -> str:
    if game.players == 2 and game.zero_sum and not game.chance:
        value = answer.value[0]
        if value == 0:
            return f"a draw{in_plies(answer, ', after')} with best play"
        winner = 0 if value > 0 else 1
        points = "" if abs(value) == 1 else f" by {abs(value):g}"
        order = "" if game.seat(winner).startswith("player ") else f" ({ORDINALS[winner]} player)"
        return f"{game.seat(winner)}{order} wins{points}{in_plies(answer, ', in')} with best play"
    error = f" ± {error_text(answer.error)}" if answer.error else ""
    if game.players == 1:
        return f"worth {answer.value[0]:.10g}{error} with best play"
    shares = ", ".join(f"{game.seat(player)} {value:.10g}{error}" for player, value in enumerate(answer.value))
    if game.utility_range == (-1, 1) and is_win_or_lose(game):
        return f"with best play {game.seat(0)} scores {50 + 50 * answer.value[0]:.10g} % ({shares})"
    return f"with best play {shares}"


def _proof(answer: Analysis) -> str:
    for name in ("positions", "nodes"):
        if (count := answer.stats.get(name)) is not None:
            return f"proved with {count:,} {name if count != 1 else name[:-1]}"
    return "proved"


def capitalise(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]
