"""Games without a notation of their own as text: headers, then the moves in the notation of the game.

    [Game "hexapawn:rows=4,cols=4"]
    [Result "White wins"]

    moves: a1a2 b4b3 {a comment} (c4c3 b1b2) b1b2

Rolls of dice are moves. `[Position "..."]` is the start if it is not the usual one. Comments, marks and variations are
written as in PGN; move numbers are not, because moves may be numbers. The headers may be missing.
"""

from __future__ import annotations

import re

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import Game
from zermelo.core.movetext import UNFINISHED, Dialect, Section, read_sections, write_section
from zermelo.core.outcome import describe_outcome
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Line, Scoresheet
from zermelo.games.library.registry import find, names

_MOVE = r"[^\s{}()\[\];$,]+ (?: \( [^\s{}()\[\];$,]* \) [^\s{}()\[\];$,]* )*"
"""Brackets belong to a move if they close in it: `6/5(2)`."""
PLAIN = Dialect("text", rf"  , | (?P<begin> moves: ) | (?P<move> {_MOVE} )")
OWN = ("Game", "Position", "Result")
"""Headers that are written from the sheet."""
_BEGIN = re.compile(r'^\s*moves:|^\s*\[Game\s+"', re.MULTILINE)
_SPEC = re.compile(r"([\w-]+)(?::[\w=,.+-]+)?")


def is_plain(text: str) -> bool:
    """Whether the text is written like this."""
    return _BEGIN.search(text) is not None


def named_game(text: str) -> Game | None:
    """The game that the first header `Game` names; None if there is none."""
    spec = next((one.headers["Game"] for one in read_sections(text, PLAIN) if "Game" in one.headers), None)
    return None if spec is None else find_registered(spec)


def find_registered(spec: str) -> Game:
    """The game that a file names; UsageError if it is not a registered one: a file must not name another file."""
    match = _SPEC.fullmatch(spec)
    if match is None or match[1] not in names():
        raise UsageError(f"the file is of the game {spec!r}, which is not a game of zermelo; give your own with --game")
    return find(spec)


def read_plain(game: Game, text: str) -> list[Scoresheet]:
    """The games of a file; their moves are not checked."""
    return [_sheet(game, section) for section in read_sections(text, PLAIN)]


def _sheet(game: Game, section: Section) -> Scoresheet:
    position, start = section.headers.get("Position", ""), None
    if position:
        try:
            start = game.parse_state(position)
        except BadPosition as error:
            raise BadPosition(f"the game in line {section.row}: {error}") from None
    headers = {name: text for name, text in section.headers.items() if name not in OWN}
    result = "" if section.result == UNFINISHED else section.result
    return Scoresheet(game, section.line, headers, result, start, row=section.row)


def write_plain(*sheets: Scoresheet) -> str:
    """The games as text."""
    return "\n".join(map(_write_game, sheets))


def _write_game(sheet: Scoresheet) -> str:
    _refuse_unwritable(sheet.line)
    headers = {"Game": sheet.game.spec()}
    if sheet.start is not None:
        headers["Position"] = sheet.game.format_state(sheet.start)
    headers |= {name: text for name, text in sheet.headers.items() if name not in OWN}
    headers |= {"Result": sheet.result} if sheet.result else {}
    return write_section(headers, sheet.line, "", None, "moves:")


def _refuse_unwritable(line: Line) -> None:
    for move in line.moves:
        if not re.fullmatch(_MOVE, move.text, re.VERBOSE):
            raise UsageError(
                f"the move {move.text!r} cannot be written as text; moves must not contain blanks, commas, {{}}[];$ "
                "or an open bracket"
            )
        for variation in move.variations:
            _refuse_unwritable(variation)


def result_of(referee: Referee) -> str:
    """`White wins`; empty before the end."""
    return describe_outcome(referee) if referee.is_over else ""
