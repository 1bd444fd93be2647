"""Boards of pits, for the games that sow: a side of the board is one word.

    byte    0  1  2  3  4  5  6          a pit a byte, and the store above the last pit;
    South   a  b  c  d  e  f  store      one seed into each of many pits is one addition, and nothing is
    North   A  B  C  D  E  F  store      carried over, because there are at most 127 seeds

As text, South's pits and store, North's pits and store, and the side to move: `4-4-4-4-4-4:0 4-4-4-4-4-4:0 s`.
"""

from __future__ import annotations

import re

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.picture import Grid, Piece, Touches
from zermelo.kernel import U64, bit, number

SOUTH, NORTH = 0, 1
MOST_PITS = 6
MOST_SEEDS = 127
ONES = U64(0x0101_0101_0101_0101)


def check_size(name: str, pits: int, seeds: int) -> None:
    """UsageError if a side with these pits and seeds does not fit into a word."""
    if not 1 <= pits <= MOST_PITS or seeds < 1 or 2 * pits * seeds > MOST_SEEDS:
        raise UsageError(
            f"{name} has 1 to {MOST_PITS} pits a side and at most {MOST_SEEDS} seeds in all, "
            f"not {pits} pits with {seeds} seeds each"
        )


def ones(pits: int) -> U64:
    """One seed in each of the first `pits` bytes, 7 at most."""
    return ONES & (bit(8 * pits) - U64(1))


def seeds_in(side: U64, pit: int) -> int:
    """The number of seeds in a pit; the store comes after the last pit."""
    return number((side >> (8 * pit)) & U64(0xFF))


def seeds_of(side: U64) -> int:
    """The number of seeds of a side, its store included."""
    return number((side * ONES) >> 56)


def at_least(side: U64, pits: int, seeds: int) -> U64:
    """The highest bit of every byte whose pit has at least this many seeds, from 1 on."""
    return ((side & (bit(8 * pits) - U64(1))) + ones(pits) * U64(128 - seeds)) & (ones(pits) << 7)


def filled_pits(side: U64, pits: int) -> U64:
    """The highest bit of every byte whose pit is not empty."""
    return at_least(side, pits, 1)


# -- text ----------------------------------------------------------------------------------------------


def pit_name(player: int, pit: int) -> str:
    return ("abcdef", "ABCDEF")[player][pit]


def write_board(south: U64, north: U64, pits: int, player: int) -> str:
    sides = (
        "-".join(str(seeds_in(side, pit)) for pit in range(pits)) + f":{seeds_in(side, pits)}"
        for side in (south, north)
    )
    return " ".join([*sides, "sn"[player]])


def read_board(text: str, game: str, start: str) -> tuple[U64, U64, int]:
    """South's side, North's side and the side to move; `start` shows how many pits and seeds there are."""
    shape = re.sub(r"\d+", r"(\\d{1,3})", start[:-1]) + "([sn])"
    match = re.fullmatch(shape, text.strip())
    if match is None:
        raise BadPosition(f"{text!r} is not a position of {game}; the start is {start!r}")
    numbers = [int(seeds) for seeds in match.groups()[:-1]]
    everything = sum(int(seeds) for seeds in re.findall(r"\d+", start))
    if sum(numbers) != everything:
        raise BadPosition(f"{text!r} is impossible: it has {sum(numbers)} seeds, but {game} has {everything}")
    half = len(numbers) // 2
    south, north = (
        U64(sum(seeds << 8 * pit for pit, seeds in enumerate(side))) for side in (numbers[:half], numbers[half:])
    )
    return south, north, "sn".index(match.groups()[-1])


# -- picture -------------------------------------------------------------------------------------------


def board_picture(south: U64, north: U64, pits: int, moves: dict[str, int], player: int) -> Grid:
    """Two rows of numbers, North's from right to left; the stores at the ends."""
    top = [_seeds(NORTH, seeds_in(north, pit)) for pit in reversed(range(pits))]
    bottom = [_seeds(SOUTH, seeds_in(south, pit)) for pit in range(pits)]
    stores = [Piece(str(seeds_in(side, pits)), owner, "store") for owner, side in enumerate((south, north))]
    touches: Touches = {name: (pits + 3 + pit,) if player == SOUTH else (pits - pit,) for name, pit in moves.items()}
    return Grid(
        2,
        pits + 2,
        (stores[NORTH], *top, None, None, *bottom, stores[SOUTH]),
        row_labels=("North", "South"),
        col_labels=("", *(f"{pit_name(NORTH, pits - 1 - pit)}/{pit_name(SOUTH, pit)}" for pit in range(pits)), ""),
        touches=touches,
        colours=("white", "black"),
        material="wood",
        facing=True,
    )


def _seeds(owner: int, seeds: int) -> Piece | None:
    return Piece(str(seeds), owner, "seeds") if seeds else None
