"""The notations of whole games: PGN, PDN, GGF, SGF, .mat, and plain text for all other games.

A `Form` reads a file into scoresheets and writes them. `recognise` finds the form and the game of a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from zermelo.core.errors import IllegalMove, UsageError
from zermelo.core.game import Game
from zermelo.core.movetext import Numbering
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Scoresheet
from zermelo.games.library.plain_sheets import is_plain, named_game, read_plain, result_of, write_plain
from zermelo.games.library.registry import find


@dataclass(frozen=True)
class Form:
    """How the games of a game are written."""

    name: str
    _read: Callable[[Game, str], list[Scoresheet]]
    _write: Callable[..., str]
    _result: Callable[[Referee], str]
    _numbering: Callable[[Scoresheet], Numbering] | None = None
    """None if moves are counted one by one."""
    keeps_annotations: bool = True
    """Whether there is a place for comments, marks and variations."""
    annotator: str = "Annotator"
    """The header that says who wrote the comments."""

    def read(self, game: Game, text: str) -> list[Scoresheet]:
        """The games of the text, one at least; `check` them before use.

        The game as it is played here says which rules hold where the text does not.
        """
        sheets = self._read(game, text)
        if not sheets:
            raise UsageError(f"there is no game in this {self.name}")
        return sheets

    def check(self, sheet: Scoresheet) -> Scoresheet:
        """The sheet with its moves in notation; IllegalMove, with the place, if one is not legal."""
        return sheet.checked(lambda ply: self.label(sheet, ply))

    def check_one(self, sheet: Scoresheet, number: int, count: int) -> Scoresheet:
        """The same for one of several games; an error names the game if it has no line of the file."""
        try:
            return self.check(sheet)
        except IllegalMove as error:
            if count == 1 or str(error).startswith("line "):
                raise
            raise IllegalMove(f"game {number}, {error}") from None

    def write(self, *sheets: Scoresheet) -> str:
        """The games as text; reading it gives them back, as far as there is a place for what they have."""
        return self._write(*sheets)

    def label(self, sheet: Scoresheet, ply: int) -> str:
        """What players call the move at a ply, counted from 0: `12...`."""
        return str(ply + 1) if self._numbering is None else self._numbering(sheet).label(ply)

    def sheet(self, referee: Referee, headers: Mapping[str, str] | None = None, result: str = "") -> Scoresheet:
        """The game so far; `result` says how it ended if the moves do not."""
        return Scoresheet.of(referee, headers, self._result(referee) if referee.is_over else result)


def form_of(game: Game) -> Form:
    """The usual form for this game."""
    return _FORMS.get(game.name, PLAIN_FORM)


def has_own_form(game: Game) -> bool:
    """Whether the game has a notation of its own."""
    return game.name in _FORMS


def recognise(text: str, name: str, game: Game | None = None) -> tuple[Form, Game]:
    """The form of a file and its game, as far as it is known before reading; UsageError if it cannot be found.

    `name` is the name of the file, whose ending counts where the text can be one of several.
    """
    if is_plain(text):
        found = game or named_game(text)
        if found is None:
            raise UsageError(f"{name} does not say which game it is; give it with --game")
        return PLAIN_FORM, found
    if game is not None:
        return form_of(game), game
    if (kind := _kind(text, name)) is None:
        raise UsageError(f"{name} is not a scoresheet that can be recognised; give the game with --game")
    return _FORMS[kind], find(kind)


def _kind(text: str, name: str) -> str | None:
    """The game of the file."""
    for kind, sign in _SIGNS.items():
        if sign.search(text):
            return kind
    return _ENDINGS.get(name.rpartition(".")[2].lower())


_SIGNS = {
    "othello": re.compile(r"\(\s*;.*?GM\[\s*othello\s*\]", re.IGNORECASE | re.DOTALL),
    "go": re.compile(r"\(\s*;\s*[A-Z]{1,8}\s*\["),
    "backgammon": re.compile(r"^\s*\d+ point match", re.MULTILINE),
    "checkers": re.compile(r'^\s*\[GameType "2|(?<!\S)\d+\.\s*\d{1,2}[-x]\d{1,2}\b(?!/)', re.MULTILINE),
    "chess": re.compile(r'^\s*\[\w+\s+"|(?<!\S)\d+\.\s*[a-hKQRBNO]', re.MULTILINE),
}
"""What a file of a game contains; the first that fits counts."""
_ENDINGS = {"pgn": "chess", "pdn": "checkers", "ggf": "othello", "sgf": "go", "mat": "backgammon"}


# -- the forms, which import a game only when it is needed ------------------------------------------------


def _from(module: str, function: str) -> Callable[..., Any]:
    """The function of a game's module, which is imported when it is called."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(f"zermelo.games.{module}"), function)(*arguments)

    return call


def _read_sgf(game: Game, text: str) -> list[Scoresheet]:
    from zermelo.games.go.sgf import read_sgf

    in_file = ("size", "komi", "handicap")
    return read_sgf(text, **{name: value for name, value in game.options().items() if name not in in_file})


def _read_mat(_game: Game, text: str) -> list[Scoresheet]:
    from zermelo.games.backgammon.mat import read_mat

    return read_mat(text)


def _form(name: str, module: str, numbered: bool = False) -> Form:
    """A form whose module has the functions read_pgn, write_pgn, result_of and perhaps numbering."""
    read, write = (_from(module, f"{what}_{name.lower()}") for what in ("read", "write"))
    return Form(name, read, write, _from(module, "result_of"), _from(module, "numbering") if numbered else None)


PLAIN_FORM = Form("text", read_plain, write_plain, result_of)
_FORMS = {
    "chess": _form("PGN", "chess.notation", numbered=True),
    "checkers": _form("PDN", "checkers.notation", numbered=True),
    "othello": replace(_form("GGF", "othello.notation"), keeps_annotations=False),
    "go": replace(_form("SGF", "go.sgf"), _read=_read_sgf, annotator="AN"),
    "backgammon": Form(".mat", _read_mat, _from("backgammon.mat", "write_mat"), lambda _: "", keeps_annotations=False),
}
