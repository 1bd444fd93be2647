"""The desk of one thread: the engine's counters, path and space for moves, and behind them what simulations need.

MAGNITUDE ...    numbers that hold for the whole search
PAYOFFS ...      what the last simulation paid, to each player
WAY, MOVERS ...  the nodes from the root to where the simulation left the tree, and who moved there
TRAIL ...        all moves of the simulation, two cells each: the move and who made it
MARKS ...        by player and move, the last simulation that made the move
TALLY ...        by player and move, two cells: how often it was made and what was paid then
REPLIES ...      by player and move of the other side, the answer that won last
LOOKUP ...       by player and move, the child of the node that others ask
LEDGER ...       what this thread has not booked yet, see `together`
LIKELIHOODS ...  how likely each outcome of one roll is (in the engine's stack of moves)
LEGAL ...        where the past forbids moves, how many the root has, and which (likewise)
SPREADS, WEIGHTS ... square roots and logarithms of visits, see `tables`
"""

from __future__ import annotations

from zermelo.core.counters import LIMIT
from zermelo.kernel import FILL_MASK, load, load_acquire, store
from zermelo.search.engine.desk import CELLS, MOVES

(
    MAGNITUDE,
    UNITY,
    UNIT,
    EXPLORATION,
    EXPANSION,
    PLAYOUT_PLIES,
    URGENCY,
    TRUST,
    BIAS,
    WIDENING,
    EQUIVALENCE,
    REFERENCE,
    IMPLICIT,
    LOWEST,
    HIGHEST,
    MIDDLE,
    FLOOR,
    CEILING,
    TRAIL_LENGTH,
    STAMP,
) = range(CELLS, CELLS + 20)
"""A payoff and the whole number that it is written down as; what 1 of those counts, on a scale from -1 to 1; the
numbers of the techniques; the least and the most that anybody is thought to get, and the middle, as whole numbers; the
least and the most that is proved, perhaps infinite; how many moves the trail has; and the number of the simulation."""
LEGAL = MOVES
LIKELIHOODS = LEGAL + FILL_MASK + 2
MOST_PLAYERS = 64
PAYOFFS = CELLS + 20
WAY = PAYOFFS + MOST_PLAYERS
LONGEST_WAY = 4096
MOVERS = WAY + LONGEST_WAY
TRAIL = MOVERS + LONGEST_WAY
LONGEST_TRAIL = 8192
MOVE_KINDS = 4096
"""Moves that differ by a multiple of this are taken for the same."""
SIDES = 4
"""So are players."""
MARKS = TRAIL + 2 * LONGEST_TRAIL
TALLY = MARKS + SIDES * MOVE_KINDS
REPLIES = TALLY + 2 * SIDES * MOVE_KINDS
LOOKUP = REPLIES + SIDES * MOVE_KINDS
ASKED = LOOKUP + SIDES * MOVE_KINDS
POWERS, SHARED_BITS = 48, 7
TABLE_CELLS = POWERS << SHARED_BITS
LEDGER = ASKED + SIDES
LEDGER_PAGES = 127
SPREADS = LEDGER + LEDGER_PAGES * (2 + MOST_PLAYERS)
WEIGHTS = SPREADS + TABLE_CELLS
MCTS_CELLS = WEIGHTS + TABLE_CELLS


def kind_of(player: int, action: int) -> int:
    """The place of a player's move in a table."""
    return (player & (SIDES - 1)) * MOVE_KINDS + (action & (MOVE_KINDS - 1))


def is_halted(desk: int) -> bool:
    """Whether the search was stopped, so that a simulation should not go on; its last one reaches the limit itself."""
    return load_acquire(desk, LIMIT) == 0


def note_move(desk: int, player: int, action: int) -> None:
    """Put a move at the end of the trail."""
    length = load(desk, TRAIL_LENGTH)
    if length < LONGEST_TRAIL:
        store(desk, TRAIL + 2 * length, action)
        store(desk, TRAIL + 2 * length + 1, player)
        store(desk, TRAIL_LENGTH, length + 1)
