"""Whole games as their players write them down: PGN, PDN, GGF, SGF and .mat files, from a referee and back to one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from zermelo.core.errors import UsageError
from zermelo.core.game import Game
from zermelo.core.referee import Referee

T = TypeVar("T")


@dataclass(frozen=True)
class Reading:
    """A game as it was read."""

    referee: Referee
    """At the end of the game."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Who, when and where, by the names of the form; what follows from the moves is not among them."""
    result: str = ""
    """What the text says, in the words of the form: resignations and lost time are not in the moves."""
    note: str = ""
    """What was left out, in one sentence."""


@dataclass(frozen=True)
class Scoresheet:
    """How the games of a game are written; `write` and `read_whole` are inverses."""

    name: str
    _write: Callable[[Referee, Mapping[str, str], str], str]
    _read: Callable[[Game, str], Reading]

    def write(self, referee: Referee, reading: Reading | None = None) -> str:
        """The game so far, with the headers of the sheet it was read from, and its result if no move was added."""
        if reading is None:
            return self._write(referee, {}, "")
        is_same = referee.start == reading.referee.start and _moves(referee) == _moves(reading.referee)
        return self._write(referee, reading.headers, reading.result if is_same else "")

    def read(self, game: Game, text: str) -> Referee:
        """The first game of the text, at its end; `read_whole` also has what is not in the moves."""
        return self.read_whole(game, text).referee

    def read_whole(self, game: Game, text: str) -> Reading:
        """The first game of the text; the game as it is played here says which rules hold where the text does not."""
        return self._read(game, text)


def scoresheet_of(game: Game) -> Scoresheet | None:
    """The usual form for this game; None if the game has none."""
    return _FORMS.get(game.name)


def _write_pgn(referee: Referee, headers: Mapping[str, str], result: str) -> str:
    from zermelo.games.chess import Chess
    from zermelo.games.chess.notation import Scoresheet as Sheet
    from zermelo.games.chess.notation import write_pgn

    game = referee.game
    assert isinstance(game, Chess)
    if referee.is_over:
        white, black = referee.utilities()
        result = "1-0" if white > black else "0-1" if black > white else "1/2-1/2"
    actions = tuple(turn.action for turn in referee.turns)
    return write_pgn(game, Sheet(actions, headers, result or "*", _start(referee)))


def _read_pgn(game: Game, text: str) -> Reading:
    from zermelo.games.chess import Chess
    from zermelo.games.chess.notation import count_games, read_pgn

    assert isinstance(game, Chess)
    sheet = _first(read_pgn(game, text), "PGN")
    referee = Referee(game, sheet.start)
    for action in sheet.actions:
        referee.play(action)
    return Reading(
        referee, _without(sheet.tags, *_OF_MOVES), sheet.result, _describe_omissions(text, count_games(text))
    )


def _write_pdn(referee: Referee, headers: Mapping[str, str], result: str) -> str:
    from zermelo.games.checkers.notation import UNFINISHED, game_of, write_pdn

    game = game_of(referee, headers)
    return write_pdn(replace(game, result=result) if result and game.result == UNFINISHED else game)


def _read_pdn(game: Game, text: str) -> Reading:
    from zermelo.games.checkers.notation import read_pdn

    games = read_pdn(text)
    sheet = _first(games, "PDN")
    headers = _without(sheet.tags, *_OF_MOVES)
    return Reading(sheet.replay(game), headers, sheet.result, _describe_omissions(text, len(games)))


def _write_ggf(referee: Referee, headers: Mapping[str, str], result: str) -> str:
    from zermelo.games.othello.notation import game_of, write_ggf

    return write_ggf(game_of(referee, {**headers, **({"RE": result} if result and not referee.is_over else {})}))


def _read_ggf(game: Game, text: str) -> Reading:
    from zermelo.games.othello.notation import is_transcript, play_transcript, read_ggf

    if is_transcript(text):
        referee = Referee(game)
        play_transcript(referee, text)
        return Reading(referee)
    games = read_ggf(text)
    sheet = _first(games, "GGF")
    headers = _without(sheet.tags, "GM", "TY", "RE", "BO")
    return Reading(sheet.replay(game), headers, sheet.tags.get("RE", ""), _describe_omissions("", len(games)))


def _write_sgf(referee: Referee, headers: Mapping[str, str], result: str) -> str:
    from zermelo.games.go.sgf import game_of, write_sgf

    return write_sgf(game_of(referee, {**headers, **({"RE": result} if result and not referee.is_over else {})}))


def _read_sgf(game: Game, text: str) -> Reading:
    from zermelo.games.go.sgf import read_sgf

    in_file = ("size", "komi", "handicap")
    sheet = read_sgf(text, **{name: value for name, value in game.options().items() if name not in in_file})
    headers = _without(sheet.tags, "RE")
    note = "variations are left out" if re.search(r"\)\s*\(", text) else ""
    return Reading(sheet.replay(), headers, sheet.tags.get("RE", ""), note)


def _write_mat(referee: Referee, headers: Mapping[str, str], result: str) -> str:
    from zermelo.games.backgammon.mat import write_mat

    return write_mat(referee, (headers.get("White", "White"), headers.get("Black", "Black")))


def _read_mat(_game: Game, text: str) -> Reading:
    from zermelo.games.backgammon.mat import read_mat

    file = read_mat(text)
    headers = dict(zip(("White", "Black"), file.names, strict=True))
    return Reading(file.replay(0), headers, note=_describe_omissions("", len(file.games)))


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


_OF_MOVES = ("Result", "SetUp", "FEN")
"""Headers that follow from the moves."""


def _without(headers: Mapping[str, str], *names: str) -> dict[str, str]:
    return {name: text for name, text in headers.items() if name not in names}


def _describe_omissions(text: str, games: int) -> str:
    """What of a PGN or PDN is not read."""
    moves = re.sub(r'\[\s*\w+\s*"(?:[^"\\]|\\.)*"\s*\]', "", text)
    comments = "comments and variations are left out" if re.search(r"[{(;]|\$\d", moves) else ""
    others = f"only the first of {games} games is read" if games > 1 else ""
    return "; ".join(filter(None, (others, comments)))


def _moves(referee: Referee) -> list[str]:
    return [turn.text for turn in referee.turns]


def _first(games: Iterable[T], name: str) -> T:
    for game in games:
        return game
    raise UsageError(f"there is no game in this {name}")
