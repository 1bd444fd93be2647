"""Othello as text: transcripts, and games in GGF, the Generic Game Format of the server GGS.

    f5d6c3d3c4f4        a transcript: the squares one after the other, passes left out

    (;GM[Othello]PB[Black's name]PW[White's name]RE[+12.00]TY[8]
    BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
    B[F5]W[D6/-0.51/2.03]B[C3//1.50] ... ;)

In GGF black discs are `*`. A move may be followed by an evaluation and the seconds it took; the result is Black's lead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.game import Game
from zermelo.core.referee import Referee

PASS = "pass"
PASSES = ("pa", "ps", "--", PASS)
"""How others write a pass, in lower case."""
ROSTER = ("GM", "PC", "DT", "PB", "PW", "RB", "RW", "TI", "TY", "RE", "BO")
SQUARES = re.compile(r"(?:[a-zA-Z][1-9])+")
GGF_GAME = re.compile(r"\(\s*;(.*?);\s*\)", re.DOTALL)
PROPERTY = re.compile(r"\s*([A-Z]{1,2})\[([^\]]*)\]")


# -- transcripts ---------------------------------------------------------------------------------------


def is_transcript(text: str) -> bool:
    """Whether the text is nothing but squares: `f5d6c3`, in capitals or not, with spaces or not."""
    return SQUARES.fullmatch("".join(text.split())) is not None


def write_transcript(referee: Referee) -> str:
    """The squares that were played."""
    return "".join(turn.text for turn in referee.turns if turn.text != PASS)


def play_transcript(referee: Referee, text: str) -> None:
    """Play the squares of a transcript, and the passes between them."""
    squares = "".join(text.split())
    if not is_transcript(squares):
        raise IllegalMove(f"{text!r} is not a transcript; write squares one after the other, such as f5d6c3")
    play_squares(referee, re.findall("..", squares))


def play_squares(referee: Referee, moves: Iterable[str]) -> None:
    """Play moves in notation; who has to pass need not say so."""
    for number, move in enumerate(moves, 1):
        wanted = PASS if move.lower() in PASSES else move.lower()
        try:
            if wanted != PASS and has_to_pass(referee):
                referee.play_text(PASS)
            referee.play_text(wanted)
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from None


def has_to_pass(referee: Referee) -> bool:
    return [referee.game.format_action(referee.state, action) for action in referee.legal()] == [PASS]


# -- GGF -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GgfGame:
    """One game of a GGF file: its properties (`PB`, `RE`, `BO` ...), and its moves: `f5`, or `pass`."""

    tags: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()

    def replay(self, game: Game) -> Referee:
        """The game at its end; IllegalMove or BadPosition if it is not one of this game."""
        referee = Referee.at(game, position_of(self.tags["BO"], game) if "BO" in self.tags else "")
        play_squares(referee, self.moves)
        return referee


def game_of(referee: Referee, tags: Mapping[str, str] | None = None) -> GgfGame:
    """What a referee has seen, with the properties that GGF wants."""
    game = referee.game
    start = game.format_state(referee.start)
    size = str(game.options()["size"])
    discs = game.format_state(referee.state)
    lead = f"{discs[:-1].count('X') - discs[:-1].count('O'):+d}.00" if referee.is_over else "?"
    own = {"GM": "Othello", "TY": size, "RE": lead, "BO": f"{size} {start.replace('X', '*')}"}
    return GgfGame({**own, **(tags or {})}, tuple(turn.text for turn in referee.turns))


def position_of(board: str, game: Game) -> str:
    """The position that a BO property describes, as `parse_state` reads it."""
    size, *cells = board.split() or [""]
    wanted = str(game.options()["size"])
    if size != wanted:
        if not size.isdecimal():
            raise BadPosition(f"BO[{board}] is not a board; it begins with its size, such as BO[{wanted} ---...-- *]")
        raise BadPosition(f"BO[{board}] is a board of size {size}, and this is {game}; use othello:size={size}")
    discs = "".join(cells).replace("*", "X")
    return f"{discs[:-1]} {discs[-1:]}"


def write_ggf(*games: GgfGame) -> str:
    """The games as a GGF file, one a line."""
    return "".join(f"(;{_properties(game)};)\n" for game in games)


def _properties(game: GgfGame) -> str:
    tags = {name: game.tags[name] for name in ROSTER if name in game.tags} | dict(game.tags)
    for name, value in tags.items():
        if "]" in value:
            raise UsageError(f"the property {name} is {value!r}, and GGF has no way to write a ]; leave it out")
    colour = 1 if tags.get("BO", "*").rstrip().endswith("O") else 0
    moves = (
        "BW"[(colour + ply) % 2] + f"[{'PASS' if move == PASS else move.upper()}]"
        for ply, move in enumerate(game.moves)
    )
    return "".join([*(f"{name}[{value}]" for name, value in tags.items()), *moves])


def read_ggf(text: str) -> list[GgfGame]:
    """The games of a GGF file; evaluations, times and komi bids are skipped."""
    found = [_read(match[1]) for match in GGF_GAME.finditer(text)]
    if not found:
        raise UsageError("there is no game in this GGF; a game is written (;GM[Othello] ... B[F5]W[D6];)")
    return found


def _read(properties: str) -> GgfGame:
    tags: dict[str, str] = {}
    moves: list[str] = []
    place = 0
    while properties[place:].strip():
        match = PROPERTY.match(properties, place)
        if match is None:
            raise UsageError(
                f"the GGF has {properties[place:].strip()[:20]!r} where a property such as B[F5] should be"
            )
        name, value = match.groups()
        if name in ("B", "W"):
            move = value.partition("/")[0].strip().lower()
            moves.append(PASS if move in PASSES else move)
        elif name not in ("KB", "KW"):
            tags[name] = value
        place = match.end()
    if tags.get("GM", "Othello").lower() != "othello":
        raise UsageError(f"the GGF is of a game of {tags['GM']}, not of Othello")
    return GgfGame(tags, tuple(moves))
