"""Games and matches of backgammon in .mat files, the text format of the program Jellyfish that all others read.

    ; [Site "the club"]

     3 point match

     Game 1
     Alice : 0                            Bob : 0
      1) 31: 8/5 6/5                      62: 24/18 13/11
      2)  Doubles => 2                     Drops
          Wins 1 point

The first player is White. Each side counts the points from its own end; the bar is 25 or `bar`, off the board is 0 or
`off`. Turns go on in the other column; the winner's column has the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zermelo.core.errors import IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Line, Scoresheet
from zermelo.games.backgammon.board import has_borne_all_off
from zermelo.games.backgammon.notation import NO_PLAY_TEXT
from zermelo.games.backgammon.position import (
    BLACK,
    DOUBLING,
    NEITHER,
    OFFERED,
    OPENING,
    PLAYING,
    ROLLING,
    WHITE,
    Position,
    cube_of,
    phase_of,
    player_of,
    points_of,
    stakes_of,
)
from zermelo.games.backgammon.rules import Backgammon

COLUMN = 36
_LENGTH = re.compile(r"^\s*(\d+) point match", re.MULTILINE)
_GAME = re.compile(r"^\s*Game (\d+)\s*$", re.MULTILINE)
_NAMES = re.compile(r"^\s*(.+?) : (\d+)\s+(.+?) : (\d+)\s*$")
_TURN = re.compile(r"^\s*(\d+)\)(.*)$")
_CELL = re.compile(r"([1-6][1-6]):([^:D]*?)(?=\s+[1-6][1-6]:|\s\s+\S|$)|Doubles\s*=>\s*(\d+)|Takes?|Drops?|Passes?")
_END = re.compile(r"^(\s*)Wins (\d+) points?")
_HEADER = re.compile(r'^\s*;\s*\[(\w[\w ]*?)\s+"(.*)"\]\s*$', re.MULTILINE)
_RESULT = re.compile(r"(White|Black) wins (\d+)")
SIDES = ("White", "Black")


# -- writing ---------------------------------------------------------------------------------------------


def write_mat(*sheets: Scoresheet) -> str:
    """Games that follow each other; each sheet has one game, or all of a match. There is no place for annotations."""
    first = sheets[0]
    game = first.game
    if not isinstance(game, Backgammon):
        raise UsageError(f".mat files are written for backgammon, not for {game}")
    names = (first.headers.get("White", "White"), first.headers.get("Black", "Black"))
    headers = "".join(f'; [{name} "{text}"]\n' for name, text in first.headers.items() if name not in SIDES)
    parts = [f"{headers}\n" * bool(headers), f" {game.match} point match\n"]
    number = 0
    for sheet in sheets:
        referee, ending = sheet.replay(), ""
        for begun, last in _games(referee):
            number += 1
            start = referee.turns[begun].state if begun < len(referee.turns) else referee.state
            parts.append(f"\n Game {number}\n {_headline(names, start)}\n")
            cells = list(_cells(referee, begun, last))
            parts += [f"{row:>3}) {left:<{COLUMN}}{right}".rstrip() + "\n" for row, left, right in _rows(cells)]
            ending = _ending(referee, last)
            parts.append(ending)
        if not ending and (won := _RESULT.match(sheet.result)):  # resigned
            winner, points = SIDES.index(won[1]), int(won[2])
            is_match_over = 0 < game.match <= points_of(referee.start, winner) + points
            parts.append(_ending_text(winner, points, is_match_over))
    return "".join(parts)


def _games(referee: Referee) -> Iterator[tuple[int, int]]:
    """The turns with which games begin and end, each with the first of the next."""
    starts = [number for number, turn in enumerate(referee.turns) if phase_of(turn.state) == OPENING]
    starts = starts if starts[:1] == [0] else [0, *starts]
    yield from zip(starts, [*starts[1:], len(referee.turns)], strict=True)


def _headline(names: tuple[str, str], start: Position) -> str:
    left, right = (f"{name} : {points_of(start, player)}" for player, name in enumerate(names))
    return f"{left:<{COLUMN + 4}}{right}"


def _cells(referee: Referee, first: int, last: int) -> Iterator[tuple[int, str]]:
    """The text in the columns, each with its player."""
    for turn in referee.turns[first:last]:
        phase, player = phase_of(turn.state), player_of(turn.state)
        if phase == PLAYING:
            dice = f"{turn.state.turn >> 4 & 7}{turn.state.turn >> 7 & 7}"
            yield player, f"{dice}: {turn.text.replace('+', ' ') if turn.text != NO_PLAY_TEXT else ''}"
        elif phase == DOUBLING and turn.text == "double":
            yield player, f" Doubles => {2 << cube_of(turn.state)}"
        elif phase == OFFERED:
            yield player, " Takes" if turn.text == "take" else " Drops"


def _rows(cells: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str, str]]:
    """The cells two by two; a side that begins on the right leaves the left one empty."""
    row, left = 1, ""
    for player, text in cells:
        if player == WHITE:
            if left:
                yield row, left, ""
                row += 1
            left = text
        else:
            yield row, left, text
            row, left = row + 1, ""
    if left:
        yield row, left, ""


def _ending(referee: Referee, last: int) -> str:
    """`Wins 2 points`, in the winner's column; nothing if the game is not over."""
    after = referee.turns[last].state if last < len(referee.turns) else referee.state
    game, before = referee.game, referee.turns[last - 1].state if last else referee.state
    assert isinstance(game, Backgammon)
    is_next = last < len(referee.turns)
    if not (is_next or game.is_terminal(after)):
        return ""
    if game.is_terminal(after):
        winner = 1 - player_of(after)
        is_played = has_borne_all_off(after.theirs)
        points = game.prize(after.theirs, after.mine, before.stakes) if is_played else 1 << cube_of(before)
    else:
        gains = [points_of(after, player) - points_of(before, player) for player in (WHITE, BLACK)]
        winner, points = (WHITE, gains[WHITE]) if gains[WHITE] else (BLACK, gains[BLACK])
    return _ending_text(winner, points, bool(game.match and game.is_terminal(after)))


def _ending_text(winner: int, points: int, is_match_over: bool = False) -> str:
    text = f" Wins {points} point{'' if points == 1 else 's'}{' and the match' if is_match_over else ''}"
    return " " * (5 + COLUMN * winner) + text + "\n"


# -- reading ---------------------------------------------------------------------------------------------


def read_mat(text: str) -> list[Scoresheet]:
    """The games of a file; UsageError or IllegalMove, with one sentence, if it does not make sense."""
    length, pieces = _LENGTH.search(text), _GAME.split(text)
    if not length or len(pieces) < 3:
        raise UsageError("this is not a .mat file: it needs a line such as '7 point match', and another 'Game 1'")
    game = Backgammon(cube=True, match=int(length[1]))
    said = dict(_HEADER.findall(pieces[0]))
    sheets: list[Scoresheet] = []
    row = 1 + pieces[0].count("\n")
    for number, body in zip(pieces[1::2], pieces[2::2], strict=True):
        lines = body.strip("\n").split("\n")
        heading = _NAMES.match(lines[0])
        if not heading:
            raise UsageError(f"game {number} of the .mat file does not begin with 'name : points  name : points'")
        headers = {**said, "White": heading[1].strip(), "Black": heading[3].strip()}
        white, black = int(heading[2]), int(heading[4])
        start = _start(game, white, black, sheets[-1].start or game.initial() if sheets else None)
        moves, result = _read_game(game, int(number), start, lines[1:])
        usual = None if start == game.initial() else start
        sheets.append(Scoresheet(game, Line.of(moves), headers, result, usual, row=row))
        row += 1 + body.count("\n")
    return sheets


def _start(game: Backgammon, white: int, black: int, before: Position | None) -> Position:
    """The start of a game at a score; it is the Crawford game if a side has just come within a point of the end."""
    if not game.match:
        return game.initial()
    if max(white, black) >= game.match:
        raise UsageError(f"at {white} to {black} a match to {game.match} points is over")
    near = game.match - 1
    was_near = before is not None and near in (points_of(before, WHITE), points_of(before, BLACK))
    is_crawford = game.match == 1 or (near in (white, black) and not was_near and white != black)
    return game.opening(stakes_of(0, NEITHER, is_crawford, white, black))


def _read_game(game: Backgammon, number: int, start: Position, lines: Sequence[str]) -> tuple[list[str], str]:
    """The moves, and who won how much, if the file says so."""
    referee, result = Referee(game, start), ""
    for line in lines:
        if end := _END.match(line):
            result = f"{SIDES[WHITE if len(end[1]) < COLUMN / 2 else BLACK]} wins {end[2]}"
            break
        turn = _TURN.match(line)
        for cell in _CELL.finditer(turn[2]) if turn else ():
            try:
                _play_cell(referee, cell, is_left=cell.start() < COLUMN / 3)
            except IllegalMove as error:
                raise IllegalMove(f"game {number}, row {turn[1] if turn else ''}: {error}") from None
    return [turn.text for turn in referee.turns], result


def _play_cell(referee: Referee, cell: re.Match[str], is_left: bool) -> None:
    """Play the move of one cell."""
    state = referee.state
    if phase_of(state) == DOUBLING:
        referee.play_text("double" if cell[3] else "roll")
    elif cell[3]:
        raise IllegalMove("doubling is not allowed here")
    elif phase_of(state) == OFFERED:
        referee.play_text("take" if cell[0].startswith("T") else "pass")
        return
    if cell[1]:
        if phase_of(referee.state) not in (OPENING, ROLLING):
            raise IllegalMove(f"{cell[1]} is rolled where no dice are to be rolled")
        dice = "".join(sorted(cell[1], reverse=phase_of(referee.state) != OPENING or is_left))
        referee.play_text(dice)
        play = cell[2].strip().replace("?", "")
        referee.play_text(play if "/" in play else NO_PLAY_TEXT)
