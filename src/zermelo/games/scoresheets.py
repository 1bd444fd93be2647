"""Whole games as their players write them down: PGN, PDN, GGF, SGF and .mat files, from a referee and back to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from zermelo.core.errors import UsageError
from zermelo.core.game import Game
from zermelo.core.referee import Referee

T = TypeVar("T")


@dataclass(frozen=True)
class Scoresheet:
    """How the games of a game are written; `write` and `read` are inverses, `read` takes the first of several games."""

    name: str
    write: Callable[[Referee], str]
    read: Callable[[Game, str], Referee]
    """The game as it is played here says which rules hold where the text does not; the referee is at the end."""


def scoresheet_of(game: Game) -> Scoresheet | None:
    """The usual form for this game; None if it has none of its own."""
    return _FORMS.get(game.name)


def _write_pgn(referee: Referee) -> str:
    from zermelo.games.chess import Chess
    from zermelo.games.chess_notation import Scoresheet as Sheet
    from zermelo.games.chess_notation import write_pgn

    game = referee.game
    assert isinstance(game, Chess)
    start = _start(referee)
    result = "*"
    if referee.is_over:
        white, black = referee.utilities()
        result = "1-0" if white > black else "0-1" if black > white else "1/2-1/2"
    return write_pgn(game, Sheet(tuple(turn.action for turn in referee.turns), result=result, start=start))


def _read_pgn(game: Game, text: str) -> Referee:
    from zermelo.games.chess import Chess
    from zermelo.games.chess_notation import read_pgn

    assert isinstance(game, Chess)
    sheet = _first(read_pgn(game, text), "PGN")
    referee = Referee(game, sheet.start)
    for action in sheet.actions:
        referee.play(action)
    return referee


def _write_pdn(referee: Referee) -> str:
    from zermelo.games.checkers_notation import game_of, write_pdn

    return write_pdn(game_of(referee))


def _read_pdn(game: Game, text: str) -> Referee:
    from zermelo.games.checkers_notation import read_pdn

    return _first(read_pdn(text), "PDN").replay(game)


def _write_ggf(referee: Referee) -> str:
    from zermelo.games.othello_notation import game_of, write_ggf

    return write_ggf(game_of(referee))


def _read_ggf(game: Game, text: str) -> Referee:
    from zermelo.games.othello_notation import is_transcript, play_transcript, read_ggf

    if is_transcript(text):
        referee = Referee(game)
        play_transcript(referee, text)
        return referee
    return _first(read_ggf(text), "GGF").replay(game)


def _write_sgf(referee: Referee) -> str:
    from zermelo.games.go_sgf import game_of, write_sgf

    return write_sgf(game_of(referee))


def _read_sgf(game: Game, text: str) -> Referee:
    from zermelo.games.go_sgf import read_sgf

    told = ("size", "komi", "handicap")
    return read_sgf(text, **{name: value for name, value in game.options().items() if name not in told}).replay()


def _write_mat(referee: Referee) -> str:
    from zermelo.games.backgammon_mat import write_mat

    return write_mat(referee)


def _read_mat(_game: Game, text: str) -> Referee:
    from zermelo.games.backgammon_mat import read_mat

    return read_mat(text).replay(0)


_FORMS = {
    "chess": Scoresheet("PGN", _write_pgn, _read_pgn),
    "checkers": Scoresheet("PDN", _write_pdn, _read_pdn),
    "othello": Scoresheet("GGF", _write_ggf, _read_ggf),
    "go": Scoresheet("SGF", _write_sgf, _read_sgf),
    "backgammon": Scoresheet(".mat", _write_mat, _read_mat),
}


def _start(referee: Referee) -> Any:
    """Where the game began; None if that is where every game does."""
    return None if referee.start == referee.game.initial() else referee.start


def _first(games: Iterable[T], name: str) -> T:
    for game in games:
        return game
    raise UsageError(f"there is no game in this {name}")
