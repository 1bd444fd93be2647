"""Positions of backgammon as text: the IDs of GNU Backgammon, written and read, and XGIDs, read.

    4HPwATDgc/ABMA:cAkAAAAAAAAE            position ID and match ID, both in Base64
    XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10

The position ID has 80 bits, the lowest of each byte first: for each point from the ace point to the bar as many ones as
there are checkers, then a zero; first for the side that is not on roll, as the program has it (its manual says that it
is the other way round). The match ID has 67 bits: `FIELDS`. ` rolling` after the IDs says that the cube stays where it
is in this turn.

An XGID has the bar of Black, the points from 1 to 24 as White counts them and the bar of White, with A to O for 1 to 15
checkers of White and a to o for those of Black; the cube, its owner (1 White, -1 Black), the side on roll, the dice or
D for an offered double, the score, Crawford or Jacoby, the length of the match, and the largest cube.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.core.errors import BadPosition
from zermelo.games.backgammon.board import BAR, CHECKERS, OFF, START, Side, count_at, has_borne_all_off, side_of
from zermelo.games.backgammon.position import (
    BLACK,
    DOUBLING,
    MOST_CUBE,
    NEITHER,
    OFFERED,
    OPENING,
    OVER,
    PLAYING,
    ROLLING,
    WHITE,
    Position,
    cube_of,
    is_crawford,
    larger_of,
    may_double,
    owner_of,
    phase_of,
    player_of,
    points_of,
    smaller_of,
    stakes_of,
    turn_of,
)

FIELDS = {
    "cube": 4,
    "owner": 2,
    "roller": 1,
    "crawford": 1,
    "game": 3,
    "decider": 1,
    "doubled": 1,
    "resigned": 2,
    "first": 3,
    "second": 3,
    "length": 15,
    "white": 15,
    "black": 15,
    "no_jacoby": 1,
}
"""The parts of a match ID and how many bits each has; the owner of a cube in the middle is 3."""
NONE, UNDERWAY, ENDED, DROPPED = 0, 1, 2, 4
"""Parts of a match ID: no game yet, one is played, it is over, it was ended by a pass."""
NO_OWNER = 3
POSITION_BYTES, MATCH_BYTES = 10, 9
EXAMPLE = "4HPwATDgc/ABMA:cAkAAAAAAAAE"
ROLLING_TEXT = " rolling"


@dataclass(frozen=True)
class Rules:
    """The data in the text of a position."""

    cube: bool
    match: int
    jacoby: bool


# -- writing ---------------------------------------------------------------------------------------------


def write_state(rules: Rules, state: Position) -> str:
    phase, player = phase_of(state), player_of(state)
    roller = 1 - player if phase == OFFERED else player
    mine, theirs = (state.theirs, state.mine) if phase == OFFERED else (state.mine, state.theirs)
    owner = owner_of(state)
    parts = {
        "cube": cube_of(state),
        "owner": NO_OWNER if owner == NEITHER else owner,
        "roller": roller,
        "crawford": int(is_crawford(state)),
        "game": _game_part(state),
        "decider": player,
        "doubled": int(phase == OFFERED),
        "first": larger_of(state),
        "second": smaller_of(state),
        "length": rules.match,
        "white": points_of(state, WHITE),
        "black": points_of(state, BLACK),
        "no_jacoby": int(not rules.jacoby),
    }
    text = f"{position_id(theirs, mine)}:{match_id(parts)}"
    is_kept = phase == ROLLING and rules.cube and may_double(player, state.stakes)
    return text + ROLLING_TEXT if is_kept else text


def _game_part(state: Position) -> int:
    if phase_of(state) == OPENING:
        return NONE
    if phase_of(state) != OVER:
        return UNDERWAY
    return ENDED if has_borne_all_off(state.theirs) else DROPPED


def position_id(waiting: Side, rolling: Side) -> str:
    """The position ID, for the side that waits and the side on roll."""
    bits = "".join("1" * count_at(side, place) + "0" for side in (waiting, rolling) for place in range(1, BAR + 1))
    return _encode(bits, POSITION_BYTES)


def match_id(parts: dict[str, int]) -> str:
    """The match ID with these parts, and 0 for those left out."""
    bits = "".join(f"{parts.get(name, 0):0{width}b}"[::-1] for name, width in FIELDS.items())
    return _encode(bits, MATCH_BYTES)


def _encode(bits: str, size: int) -> str:
    return base64.b64encode(int(bits[::-1], 2).to_bytes(size, "little")).decode().rstrip("=")


# -- reading ---------------------------------------------------------------------------------------------


def read_state(rules: Rules, text: str) -> Position:
    """The position that a text describes; BadPosition, with one sentence, if it does not describe one."""
    plain = text.strip()
    if plain.removeprefix("XGID=").count(":") > 1:
        return _read_xgid(rules, plain)
    ids, has_suffix = plain.removesuffix(ROLLING_TEXT), plain.endswith(ROLLING_TEXT)
    position, _, match = ids.partition(":")
    waiting, rolling = read_position_id(position)
    parts = _read_match_id(match) if match else {"owner": NO_OWNER, "game": UNDERWAY, "length": rules.match}
    found = _Found(rules, text.strip(), waiting, rolling, {name: parts.get(name, 0) for name in FIELDS})
    return found.position(has_suffix)


def read_position_id(text: str) -> tuple[Side, Side]:
    """The side that waits and the side on roll."""
    bits = _decode(text, POSITION_BYTES, "a position ID")
    sides, place, counts = [], 1, dict.fromkeys(range(BAR + 1), 0)
    for number, one in enumerate(bits):
        if one == "1":
            counts[place] += 1
        elif place < BAR:
            place += 1
        else:
            sides.append(_full_side(text, counts))
            place, counts = 1, dict.fromkeys(range(BAR + 1), 0)
            if len(sides) == 2:
                if "1" in bits[number:]:
                    break
                return sides[0], sides[1]
    raise BadPosition(f"{text!r} is not a position ID: its bits do not end where the second side does")


def _read_match_id(text: str) -> dict[str, int]:
    bits = _decode(text, MATCH_BYTES, "a match ID")
    found, start = {}, 0
    for name, width in FIELDS.items():
        found[name] = int(bits[start : start + width][::-1], 2)
        start += width
    if "1" in bits[start:]:
        raise BadPosition(f"{text!r} is not a match ID: bits are set after its last part")
    return found


def _decode(text: str, size: int, what: str) -> str:
    letters = len(base64.b64encode(bytes(size)).rstrip(b"="))
    try:
        found = base64.b64decode(text + "=" * (-letters % 4), validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if len(text) != letters or len(found) != size:
        raise BadPosition(f"{text!r} is not {what} of {letters} letters and digits; the start is {EXAMPLE!r}")
    if (exact := base64.b64encode(found).decode()[:letters]) != text:
        raise BadPosition(f"{text!r} is not {what}: bits are set behind its end, and without them it is {exact!r}")
    return f"{int.from_bytes(found, 'little'):0{8 * size}b}"[::-1]


def _full_side(text: str, counts: dict[int, int]) -> Side:
    """The side with these checkers, and the rest of the fifteen borne off."""
    if (there := sum(counts.values())) > CHECKERS:
        raise BadPosition(f"{text!r} has {there} checkers on one side; there are {CHECKERS}")
    return side_of({**counts, OFF: CHECKERS - there})


def _read_xgid(rules: Rules, text: str) -> Position:
    fields = text.removeprefix("XGID=").split(":")
    pattern = r"[-A-Oa-o]{26}:\d+:(-1|0|1):(-1|1):(D|\d\d):\d+:\d+:[0-3]:\d+:\d+"
    if not re.fullmatch(pattern, ":".join(fields), re.ASCII):
        raise BadPosition(
            f"{text!r} is not an XGID; the start is 'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10'"
        )
    board, cube, owner, turn, dice, white, black, flag, length, _ = fields
    if not re.fullmatch("D|00|[1-6]{2}", dice):
        raise BadPosition(f"{dice} in {text!r} is not a roll; two dice show 1 to 6, and 00 is before the roll")
    if board[0].isupper() or board[BAR].islower():
        raise BadPosition(f"{text!r} has a checker on the other side's bar; small letters are first, capitals last")
    sides = [_full_side(text, _counts(cells, first)) for cells, first in ((board, "A"), (board[::-1], "a"))]
    roller = WHITE if turn == "1" else BLACK
    is_doubled = dice == "D"
    parts = {
        "cube": int(cube),
        "owner": {"0": NO_OWNER, "1": WHITE, "-1": BLACK}[owner],
        "roller": roller,
        "crawford": int(flag == "1" and length != "0"),
        "game": UNDERWAY,
        "decider": 1 - roller if is_doubled else roller,
        "doubled": int(is_doubled),
        "resigned": 0,
        "first": 0 if is_doubled else int(dice[0]),
        "second": 0 if is_doubled else int(dice[1]),
        "length": int(length),
        "white": int(white),
        "black": int(black),
    }
    return _Found(rules, text, sides[1 - roller], sides[roller], parts).position(False)


def _counts(cells: str, first: str) -> dict[int, int]:
    letters = [chr(ord(first) + number) for number in range(CHECKERS)]
    return {place: letters.index(cell) + 1 for place, cell in enumerate(cells) if cell in letters}


@dataclass(frozen=True)
class _Found:
    """The data of a text, before it is checked."""

    rules: Rules
    text: str
    waiting: Side
    rolling: Side
    parts: dict[str, int]

    def position(self, is_kept: bool) -> Position:
        self._check_board()
        self._check_rules()
        parts = self.parts
        roller, game = parts["roller"], parts["game"]
        dice = sorted((parts["first"], parts["second"]), reverse=True)
        owner = NEITHER if parts["owner"] == NO_OWNER else parts["owner"]
        score = (parts["white"], parts["black"]) if self.rules.match else (0, 0)
        stakes = stakes_of(parts["cube"], owner, bool(parts["crawford"]), *score)
        if game == NONE:
            if (self.waiting, self.rolling, *dice) != (START, START, 0, 0) or parts["cube"]:
                raise self._wrong("a game that has not begun has all checkers at their start, no dice and a cube of 1")
            return Position(START, START, turn_of(WHITE, OPENING), stakes)
        if game in (ENDED, DROPPED):
            return Position(self.rolling, self.waiting, turn_of(roller, OVER), stakes)
        if parts["doubled"]:
            if dice != [0, 0] or not (self.rules.cube and may_double(roller, stakes)):
                raise self._wrong("there is a double where doubling is not allowed")
            return Position(self.waiting, self.rolling, turn_of(1 - roller, OFFERED), stakes)
        if dice != [0, 0]:
            return Position(self.rolling, self.waiting, turn_of(roller, PLAYING, *dice), stakes)
        is_asked = self.rules.cube and may_double(roller, stakes) and not is_kept
        return Position(self.rolling, self.waiting, turn_of(roller, DOUBLING if is_asked else ROLLING), stakes)

    def _check_board(self) -> None:
        sides = (self.waiting, self.rolling)
        for place in range(1, BAR):
            if count_at(self.waiting, place) and count_at(self.rolling, BAR - place):
                raise self._wrong("a point has checkers of both sides")
        are_off = [has_borne_all_off(side) for side in sides]
        if all(are_off) or (any(are_off) and self.parts["game"] in (NONE, UNDERWAY)):
            raise self._wrong("a side has no checkers left, so the game is over")
        if self.parts["game"] in (ENDED, DROPPED) and are_off != [self.parts["game"] == ENDED, False]:
            raise self._wrong("the game is over, but the side that waits has not won it")

    def _check_rules(self) -> None:
        parts, rules = self.parts, self.rules
        if parts["length"] != rules.match:
            wanted = f"match={parts['length']}" if parts["length"] else "no match"
            raise self._wrong(f"it is of a game with {wanted}, and here is match={rules.match}")
        if not rules.cube and (parts["cube"] or parts["owner"] != NO_OWNER or parts["doubled"]):
            raise self._wrong("it has a cube in play, and this game has none; use backgammon:cube=true")
        if parts["cube"] > MOST_CUBE or (parts["owner"] == NO_OWNER and parts["cube"]) or parts["owner"] == NEITHER:
            raise self._wrong(f"the cube goes from 1 to {1 << MOST_CUBE}, and from 2 on it belongs to a side")
        if parts["game"] not in (NONE, UNDERWAY, ENDED, DROPPED) or parts["resigned"]:
            raise self._wrong("games are not given up in the middle here")
        if max(parts["first"], parts["second"]) > 6 or (parts["first"] == 0) != (parts["second"] == 0):
            raise self._wrong("two dice show 1 to 6, or have not been rolled")
        if parts["decider"] != (1 - parts["roller"] if parts["doubled"] else parts["roller"]):
            raise self._wrong("only a side that is offered a double decides while the other is on roll")
        if rules.match:
            self._check_score((parts["white"], parts["black"]))

    def _check_score(self, score: Sequence[int]) -> None:
        match, is_over = self.rules.match, self.parts["game"] in (ENDED, DROPPED)
        winner = 1 - self.parts["roller"]
        if is_over != (max(score) >= match) or max(score) > match or (is_over and score[winner] != match):
            raise self._wrong(f"a match to {match} is over when the winner of its last game has that many points")
        if self.parts["crawford"] and max(score) != match - 1:
            raise self._wrong(f"the Crawford game is played when a side has {match - 1} points")

    def _wrong(self, reason: str) -> BadPosition:
        return BadPosition(f"{self.text!r} is impossible: {reason}")
