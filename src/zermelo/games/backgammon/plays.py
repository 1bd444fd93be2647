"""The plays that a roll of backgammon allows: each position it can lead to, exactly once.

A play is one number, five bits for each place that a checker leaves: first the one that moves by the larger number of
the dice, then the one that moves by the smaller; after a double all of them, the furthest first. 0 means no checker.

Which die is moved first makes no difference to where a pair of moves leads. Two pairs lead to the same position only if

  - one checker makes both moves and hits nothing on the way, whichever comes first; the larger number is given
  - two checkers are borne off, each by either number; the one further away is given the larger number

After a double, the moves can always be made in the order of the places, and different plays give different positions.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.games.backgammon.board import (
    AWAY,
    BAR,
    OFF,
    POINTS,
    Side,
    hit,
    lone,
    made_points,
    mirror,
    move_checker,
    occupied,
    sources,
)
from zermelo.games.backgammon.position import Position, larger_of, smaller_of
from zermelo.kernel import U64, bit, bits, msb, popcount

WIDTH = 5
LOW = (1 << WIDTH) - 1
NO_PLAY = 0
NO, YES = 0, 1
MOST_MOVES = 4


def choices(state: Position) -> Iterator[int]:
    """The legal plays: of both numbers if possible, else of the larger one, or the smaller one, or none.

    Before the roll, and when a double is offered, no or yes.
    """
    mine, theirs, high, low = state.mine, state.theirs, larger_of(state), smaller_of(state)
    own, single, free = occupied(mine), lone(mine), POINTS & ~mirror(made_points(theirs))
    if high == 0:
        yield NO
        yield YES
    elif high == low:
        moves = most_moves(mine, free, high)
        if moves == 0:
            yield NO_PLAY
        for first in bits(sources(own, free, high)):
            one = move_checker(mine, first, high)
            if moves == 1:
                yield first
            for second in bits(sources(occupied(one), free, high) & up_to(first)):
                two = move_checker(one, second, high)
                if moves == 2:
                    yield first | second << WIDTH
                for third in bits(sources(occupied(two), free, high) & up_to(second)):
                    if moves == 3:
                        yield first | second << WIDTH | third << 2 * WIDTH
                    three = move_checker(two, third, high)
                    for fourth in bits(sources(occupied(three), free, high) & up_to(third)):
                        yield first | second << WIDTH | third << 2 * WIDTH | fourth << 3 * WIDTH
    else:
        calm = free & ~mirror(occupied(theirs))
        highs, lows, found = sources(own, free, high), sources(own, free, low), False
        for larger in bits(highs):
            after = sources(without(own, single, larger, high), free, low)
            if after & bit(larger + low) and has_twin(own, single, free, calm, larger + low, high, low):
                after ^= bit(larger + low)
            for smaller in bits(after):
                found = True
                yield larger | smaller << WIDTH
        is_plain = not own & bit(BAR) and popcount(own & AWAY) + popcount(own & AWAY & ~single) > 1
        for smaller in bits(lows):
            after = sources(without(own, single, smaller, low), free, high)
            if smaller > low and after & bit(smaller - low) and has_twin(own, single, free, calm, smaller, high, low):
                after ^= bit(smaller - low)
            if is_plain:
                after &= ~own
            for larger in bits(after):
                if is_plain or not (
                    is_given(own, single, free, highs, larger, smaller, high, low)
                    or (larger <= high and smaller <= low and larger < smaller)
                ):
                    found = True
                    yield larger | smaller << WIDTH
        if not found:
            if highs:
                for larger in bits(highs):
                    yield larger
            elif lows:
                for smaller in bits(lows):
                    yield smaller << WIDTH
            else:
                yield NO_PLAY


def without(own: U64, single: U64, source: int, die: int) -> U64:
    """The occupied places after one checker has moved; `single` are those with one checker before."""
    return (own & ~(single & bit(source))) | bit(max(source - die, OFF))


def has_twin(own: U64, single: U64, free: U64, calm: U64, source: int, high: int, low: int) -> bool:
    """Whether one checker that makes both moves may begin with the larger as well, and hits nothing either way."""
    if source <= high or not calm & bit(source - high) or not calm & bit(source - low):
        return False
    if not sources(own, free, high) & bit(source):
        return False
    return bool(sources(without(own, single, source, high), free, low) & bit(source - high))


def is_given(own: U64, single: U64, free: U64, highs: U64, larger: int, smaller: int, high: int, low: int) -> bool:
    """Whether the same two moves can be made with the larger number first."""
    if not highs & bit(larger):
        return False
    return bool(sources(without(own, single, larger, high), free, low) & bit(smaller))


def most_moves(side: Side, free: U64, die: int) -> int:
    """The number of moves of a double that can be made; no move prevents another, so any order gives it."""
    moves = 0
    while moves < MOST_MOVES:
        movable = sources(occupied(side), free, die)
        if not movable:
            break
        side = move_checker(side, msb(movable), die)
        moves += 1
    return moves


def up_to(place: int) -> U64:
    """The places up to and including this one."""
    return (bit(place) << 1) - U64(1)


def apply_play(mine: Side, theirs: Side, play: int, high: int, low: int) -> tuple[Side, Side]:
    """Both sides after a play. A checker may be moved on before it has arrived: counts make up for it."""
    die = high
    while play:
        source = play & LOW
        if source:
            mine = move_checker(mine, source, die)
            if source > die and occupied(theirs) & bit(BAR - source + die):
                theirs = hit(theirs, BAR - source + die)
        play >>= WIDTH
        die = low
    return mine, theirs
