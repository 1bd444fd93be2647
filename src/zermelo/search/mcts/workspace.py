"""The workspace of one thread: that of alpha-beta, with its counters, path and moves, then what simulations need.

MAGNITUDE ...    numbers that hold for the whole search
PAYOFFS ...      the payoffs of the last simulation, by player
PATH_NODES ...   the nodes from the root to where the simulation left the tree
MOVERS ...       who moved at each of these nodes
TRAIL ...        all moves of the simulation, two cells each: the move and who made it
MARKS ...        by player and move, the last simulation that made the move
TALLY ...        by player and move, two cells: how often it was made and the sum of payoffs (MAST)
REPLIES ...      by player and move of the other side, the answer that won last
LOOKUP ...       by player and move, the child of GRAVE's reference node
LEDGER ...       visits and payoffs that this thread has not yet added to the tree, see `parallel`
LIKELIHOODS ...  how likely each outcome of one roll is (in the engine's stack of moves)
LEGAL ...        where the past forbids moves, how many the root has, and which (likewise)
SQRT_LOGS, INVERSE_SQRTS ... functions of visits, see `ucb_tables`
"""

from __future__ import annotations

from zermelo.core.counters import LIMIT
from zermelo.kernel import FILL_MASK, load, load_acquire, store
from zermelo.search.legacy_workspace import CELLS, MOVES

(
    MAGNITUDE,  # a payoff ...
    UNITY,  # ... and the whole number it is stored as
    UNIT,  # the stored 1 on a scale from -1 to 1
    EXPLORATION,  # this and the following, up to IMPLICIT: the numbers of `Tuning`
    EXPANSION,
    PLAYOUT_PLIES,
    URGENCY,
    TRUST,
    BIAS,
    WIDENING,
    EQUIVALENCE,
    REFERENCE,
    IMPLICIT,
    LOWEST,  # the least payoff, declared or measured, as a whole number
    HIGHEST,  # the greatest payoff, likewise
    MIDDLE,  # the payoff of a draw, likewise
    FLOOR,  # the least payoff as declared, perhaps infinite
    CEILING,  # the greatest payoff as declared, perhaps infinite
    TRAIL_LENGTH,  # moves on the trail
    STAMP,  # the number of the simulation
) = range(CELLS, CELLS + 20)
LEGAL = MOVES
LIKELIHOODS = LEGAL + FILL_MASK + 2
MOST_PLAYERS = 64
PAYOFFS = CELLS + 20
PATH_NODES = PAYOFFS + MOST_PLAYERS
MOST_PATH_NODES = 4096
MOVERS = PATH_NODES + MOST_PATH_NODES
TRAIL = MOVERS + MOST_PATH_NODES
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
SQRT_LOGS = LEDGER + LEDGER_PAGES * (2 + MOST_PLAYERS)
INVERSE_SQRTS = SQRT_LOGS + TABLE_CELLS
MCTS_CELLS = INVERSE_SQRTS + TABLE_CELLS


def kind_of(player: int, action: int) -> int:
    """The place of a player's move in a table."""
    return (player & (SIDES - 1)) * MOVE_KINDS + (action & (MOVE_KINDS - 1))


def is_halted(memory: int) -> bool:
    """Whether the search was stopped, so that a simulation should not go on; its last one reaches the limit itself."""
    return load_acquire(memory, LIMIT) == 0


def note_move(memory: int, player: int, action: int) -> None:
    """Put a move at the end of the trail."""
    length = load(memory, TRAIL_LENGTH)
    if length < LONGEST_TRAIL:
        store(memory, TRAIL + 2 * length, action)
        store(memory, TRAIL + 2 * length + 1, player)
        store(memory, TRAIL_LENGTH, length + 1)
