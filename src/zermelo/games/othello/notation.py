"""Othello as text: transcripts, and games in GGF, the Generic Game Format of the server GGS.

    f5d6c3d3c4f4        a transcript: the squares one after the other, passes left out

    (;GM[Othello]PB[Black's name]PW[White's name]RE[+12.00]TY[8]
    BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
    B[F5]W[D6/-0.51/2.03]B[C3//1.50] ... ;)

In GGF black discs are `*`. A move may be followed by an evaluation and the seconds it took; the result is Black's lead.
GGF has no place for comments and variations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.game import Game
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Line, Move, Scoresheet

PASS = "pass"
PASSES = ("pa", "ps", "--", PASS)
"""Other programs' notations of a pass, in lower case."""
ROSTER = ("GM", "PC", "DT", "PB", "PW", "RB", "RW", "TI", "TY", "RE", "BO")
SQUARES = re.compile(r"(?:[a-zA-Z][1-9])+")
GGF_GAME = re.compile(r"\(\s*;(.*?);\s*\)", re.DOTALL)
EFFORT = "/"
"""What a GGF says of a move behind a slash: an evaluation and the seconds it took."""
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
    """Play moves in notation; forced passes may be left out."""
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


def game_of(properties: Mapping[str, str], game: Game) -> Game:
    """The game on the board that the properties BO and TY describe, with the other options of `game`."""
    if "BO" in properties:
        size = properties["BO"].split(" ", 1)[0]
        if not size.isdecimal():
            board = properties["BO"]
            raise BadPosition(f"BO[{board}] is not a board; it begins with its size, such as BO[8 ---...-- *]")
    else:
        size = (re.findall(r"\d+", properties.get("TY", "")) or [str(game.options()["size"])])[0]
    return game if int(size) == game.options()["size"] else type(game)(**{**game.options(), "size": int(size)})


def result_of(referee: Referee) -> str:
    """Black's lead at the end: `+12.00`; a question mark before."""
    discs = referee.game.format_state(referee.state)[:-1]
    return f"{discs.count('X') - discs.count('O'):+d}.00" if referee.is_over else "?"


def write_ggf(*sheets: Scoresheet) -> str:
    """The games as a GGF file, one a line; comments and variations are left out."""
    return "".join(f"(;{_properties(sheet)};)\n" for sheet in sheets)


def _properties(sheet: Scoresheet) -> str:
    game = sheet.game
    start = game.initial() if sheet.start is None else sheet.start
    size, board = str(game.options()["size"]), game.format_state(start)
    own = {"GM": "Othello", "TY": size, "RE": sheet.result or "?", "BO": f"{size} {board.replace('X', '*')}"}
    tags = {**own, **sheet.headers, "RE": own["RE"], "BO": own["BO"]}
    tags = {name: tags[name] for name in ROSTER if name in tags} | tags
    for name, value in tags.items():
        if "]" in value:
            raise UsageError(f"the property {name} is {value!r}, and GGF has no way to write a ]; leave it out")
    colour = game.to_move(start)
    moves = (
        f"{'BW'[(colour + ply) % 2]}[{'PASS' if move.text == PASS else move.text.upper()}"
        f"{''.join(move.extras.get(EFFORT, ()))}]"
        for ply, move in enumerate(sheet.line.moves)
    )
    return "".join([*(f"{name}[{value}]" for name, value in tags.items()), *moves])


def read_ggf(game: Game, text: str) -> list[Scoresheet]:
    """The games of a GGF file on the boards of the file, or of a transcript, with the passes that were left out.

    Their moves are not checked further than up to the first that is not legal.
    """
    if is_transcript(text):
        return [_with_passes(Scoresheet(game, Line.of(re.findall("..", "".join(text.split())))))]
    found = [_read(game, match[1], 1 + text.count("\n", 0, match.start())) for match in GGF_GAME.finditer(text)]
    if not found:
        raise UsageError("there is no game in this GGF; a game is written (;GM[Othello] ... B[F5]W[D6];)")
    return found


def _read(game: Game, properties: str, row: int) -> Scoresheet:
    tags: dict[str, str] = {}
    moves: list[Move] = []
    place = 0
    while properties[place:].strip():
        match = PROPERTY.match(properties, place)
        if match is None:
            raise UsageError(
                f"the GGF has {properties[place:].strip()[:20]!r} where a property such as B[F5] should be"
            )
        name, value = match.groups()
        if name in ("B", "W"):
            text, slash, effort = value.partition("/")
            text = text.strip().lower()
            moves.append(Move(PASS if text in PASSES else text, extras={EFFORT: ("/" + effort,)} if slash else {}))
        else:
            tags[name] = value
        place = match.end()
    if tags.get("GM", "Othello").lower() != "othello":
        raise UsageError(f"the GGF is of a game of {tags['GM']}, not of Othello")
    game = game_of(tags, game)
    start = game.parse_state(position_of(tags["BO"])) if "BO" in tags else None
    headers = {name: value for name, value in tags.items() if name not in ("GM", "TY", "RE", "BO")}
    # TY can say more than the size: s8r18 is a game with a random start
    headers |= {"TY": tags["TY"]} if not tags.get("TY", "8").isdecimal() else {}
    start = None if start == game.initial() else start
    return _with_passes(Scoresheet(game, Line(tuple(moves)), headers, tags.get("RE", ""), start, row=row))


def position_of(board: str) -> str:
    """The position that a BO property describes, as `parse_state` reads it."""
    discs = "".join(board.split()[1:]).replace("*", "X")
    return f"{discs[:-1]} {discs[-1:]}"


def _with_passes(sheet: Scoresheet) -> Scoresheet:
    """With the passes that need not be written."""
    referee, moves = Referee(sheet.game, sheet.start), list[Move]()
    for number, move in enumerate(sheet.line.moves):
        try:
            if move.text != PASS and has_to_pass(referee):
                referee.play_text(PASS)
                moves.append(Move(PASS))
            referee.play_text(move.text)
        except IllegalMove:  # `checked` says which
            moves += sheet.line.moves[number:]
            break
        moves.append(move)
    return replace(sheet, line=Line(tuple(moves)))
