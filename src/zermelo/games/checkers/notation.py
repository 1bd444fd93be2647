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
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import Game
from zermelo.core.referee import Referee

SIDES = "BW"
FEN = re.compile(r"([BW]):([BW])([K\d,-]*):([BW])([K\d,-]*)(?::H(\d{1,3}))?(?::F\d{1,4})?\.?", re.IGNORECASE)
SQUARES = re.compile(r"(K?)(\d{1,2})(?:-(\d{1,2}))?", re.IGNORECASE)
EXAMPLE = "'B:W18,24,K27:B12,16,K20'"


# -- positions -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fen:
    """A position in plain terms."""

    pieces: Mapping[int, str]
    """What stands on a square: b, w, B or W."""
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
UNFINISHED = "*"
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
TOKEN = re.compile(
    r"""\[\s*(?P<tag>\w+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\]
    | (?P<result>(?<!\S)(?:1-0|0-1|1/2-1/2|\*)(?!\S))
    | \{[^}]*\} | ;[^\n]* | \$\d+ | \d+\.+ | [!?*]+
    | (?P<move>\d+(?:[-x]\d+)+)
    | (?P<bracket>[()])""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True)
class PdnGame:
    """One game of a PDN file: its tags, its moves as they are written, and its result."""

    tags: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    result: str = UNFINISHED

    def replay(self, game: Game) -> Referee:
        """The game at its end; IllegalMove or BadPosition if it is not one of checkers."""
        referee = Referee.at(game, self.tags.get("FEN", ""))
        referee.play_line(self.moves)
        return referee


def game_of(referee: Referee, tags: Mapping[str, str] | None = None) -> PdnGame:
    """What a referee has seen, with the tags that PDN wants for its start."""
    game = referee.game
    start = referee.start
    found = dict(tags or {})
    if start != game.initial():
        found |= {"SetUp": "1", "FEN": game.format_state(start)}
    result = UNFINISHED
    if referee.is_over:
        black, white = referee.utilities()
        result = RESULTS[int(black), int(white)]
    return PdnGame(found, tuple(turn.text for turn in referee.turns), result)


def write_pdn(*games: PdnGame) -> str:
    """The games as a PDN file, lines of at most 80 characters."""
    return "\n".join(map(_write_game, games))


def _write_game(game: PdnGame) -> str:
    tags = {name: game.tags.get(name, "????.??.??" if name == "Date" else "?") for name in ROSTER}
    tags |= {**game.tags, "Result": game.result}
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
    is_white_first = game.tags.get("FEN", "B").strip().upper().startswith("W")
    moves = ["1...", *game.moves] if is_white_first and game.moves else list(game.moves)
    numbered = [f"{n // 2 + 1}. {move}" if n % 2 == 0 and move != "1..." else move for n, move in enumerate(moves)]
    return "\n".join([*lines, "", _wrap(" ".join([*numbered, game.result])), ""])


def _wrap(text: str) -> str:
    return textwrap.fill(text, 80, break_on_hyphens=False, break_long_words=False)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def read_pdn(text: str) -> list[PdnGame]:
    """The games of a PDN file; comments, variations and marks such as `!` are skipped."""
    games: list[PdnGame] = []
    tags: dict[str, str] = {}
    moves: list[str] = []
    depth = 0
    for match in _tokens(text):
        if match["bracket"]:
            depth += 1 if match["bracket"] == "(" else -1
        elif depth > 0:
            continue
        elif match["tag"]:
            if moves:  # the game before has no result
                games.append(PdnGame(tags, tuple(moves)))
                tags, moves = {}, []
            tags[match["tag"]] = re.sub(r"\\(.)", r"\1", match["value"])
        elif match["move"]:
            moves.append(match["move"].lower())
        elif match["result"]:
            games.append(PdnGame(tags, tuple(moves), match["result"]))
            tags, moves = {}, []
    return [*games, PdnGame(tags, tuple(moves))] if tags or moves else games


def _tokens(text: str) -> Iterator[re.Match[str]]:
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        match = TOKEN.match(text, place)
        if match is None:
            line, rest = text.count("\n", 0, place) + 1, text[place:].split(None, 1)[0]
            raise UsageError(f"line {line} of the PDN has {rest[:20]!r}, which is not a tag, move, comment or result")
        yield match
        place = match.end()
