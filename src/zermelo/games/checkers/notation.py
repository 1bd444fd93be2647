"""Checkers as text: positions as PDN-FEN, games as PDN (Portable Draughts Notation).

    B:W21,22,K30:B1,2,K32:H6        Black to move; White's pieces, Black's pieces, kings with a K;
                                    six plies since a capture or a man's move, left out if none

    [Event "Match"]
    [Result "0-1"]

    1. 11-15 23-19 2. 8-11 22-17 ... 0-1

Squares are numbered from 1 to 32. Pieces are the letters b and w for men, B and W for kings. Black has the first move
of each number; 1-0 says that White won, 0-1 that Black did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from zermelo.core.errors import BadPosition
from zermelo.core.game import Game
from zermelo.core.movetext import UNFINISHED, Dialect, Numbering, Section, read_sections, write_section
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Scoresheet

SIDES = "BW"
FEN = re.compile(r"([BW]):([BW])([K\d,-]*):([BW])([K\d,-]*)(?::H(\d{1,3}))?(?::F\d{1,4})?\.?", re.IGNORECASE)
SQUARES = re.compile(r"(K?)(\d{1,2})(?:-(\d{1,2}))?", re.IGNORECASE)
EXAMPLE = "'B:W18,24,K27:B12,16,K20'"


# -- positions -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fen:
    """A position in plain terms."""

    pieces: Mapping[int, str]
    """The piece on a square: b, w, B or W."""
    player: int
    """0 is Black."""
    quiet: int = 0


def write_fen(fen: Fen) -> str:
    """`B:W21,22:B1,2`."""
    sides = []
    for side in reversed(SIDES):
        own = [(number, piece) for number, piece in sorted(fen.pieces.items()) if piece.upper() == side]
        sides.append(side + ",".join("K" * (piece == side) + str(number) for number, piece in own))
    return ":".join([SIDES[fen.player], *sides, *[f"H{fen.quiet}"] * (fen.quiet > 0)])


def read_fen(text: str) -> Fen:
    """The inverse of `write_fen`; sides in any order, ranges such as `1-12`, and a full stop are understood too."""
    match = FEN.fullmatch("".join(text.split()))
    if match is None or match[2].upper() == match[4].upper():
        raise BadPosition(f"{text!r} is not a PDN-FEN; write the side to move and the squares of both, as in {EXAMPLE}")
    pieces: dict[int, str] = {}
    for side, listed in ((match[2], match[3]), (match[4], match[5])):
        for number, is_king in _squares(listed, text):
            if number in pieces:
                raise BadPosition(f"{text!r} is impossible: square {number} is named twice")
            pieces[number] = side.upper() if is_king else side.lower()
    return Fen(pieces, SIDES.index(match[1].upper()), int(match[6] or 0))


def _squares(listed: str, text: str) -> Iterator[tuple[int, bool]]:
    for part in listed.split(",") if listed else ():
        match = SQUARES.fullmatch(part)
        first, last = (int(match[2]), int(match[3] or match[2])) if match else (0, 0)
        if match is None or not 1 <= first <= last <= 32:
            raise BadPosition(f"{text!r} names a square {part!r} that is not there; they are 1 to 32, kings K1 to K32")
        for number in range(first, last + 1):
            yield number, bool(match[1])


# -- games ---------------------------------------------------------------------------------------------

RESULTS = {(-1, 1): "1-0", (1, -1): "0-1", (0, 0): "1/2-1/2"}
"""By the payoffs of Black and White."""
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
PDN = Dialect(
    "PDN",
    r"""  \d+ \s* [.…]+ | [.…]+ | \d+ (?=\s)
        | (?P<move> \d+ (?: [-xX] \d+ )+ | -- )""",
    (*RESULTS.values(), UNFINISHED),
    r"[!?]{1,2} | \*",
)


def read_pdn(game: Game, text: str) -> list[Scoresheet]:
    """The games of a PDN file, with everything that is written about them; their moves are not checked.

    UsageError if it is not a PDN, BadPosition if a start is not possible, with the line.
    """
    return [_sheet(game, section) for section in read_sections(text, PDN)]


def _sheet(game: Game, section: Section) -> Scoresheet:
    start = None
    if "FEN" in section.headers:
        try:
            start = game.parse_state(section.headers["FEN"])
        except BadPosition as error:
            raise BadPosition(f"the game in line {section.row}: {error}") from None
    return Scoresheet(game, section.line, section.headers, section.result, start, row=section.row)


def write_pdn(*sheets: Scoresheet) -> str:
    """The games as a PDN file, lines of fewer than 80 characters."""
    return "\n".join(map(_write_game, sheets))


def _write_game(sheet: Scoresheet) -> str:
    result = sheet.result or UNFINISHED
    tags = {**ROSTER, "Result": result, **sheet.headers}
    tags["Result"] = result
    if sheet.start is None:
        tags.pop("FEN", None)
        tags.pop("SetUp", None)
    else:
        tags |= {"SetUp": "1", "FEN": sheet.headers.get("FEN") or sheet.game.format_state(sheet.start)}
    return write_section(tags, sheet.line, result, numbering(sheet))


def numbering(sheet: Scoresheet) -> Numbering:
    """The numbers of the moves: Black has the first of each."""
    return Numbering(1, sheet.start is not None and sheet.game.to_move(sheet.start) == 1)


def result_of(referee: Referee) -> str:
    """`1-0`, or * if the game is not over."""
    if not referee.is_over:
        return UNFINISHED
    black, white = referee.utilities()
    return RESULTS[int(black), int(white)]
