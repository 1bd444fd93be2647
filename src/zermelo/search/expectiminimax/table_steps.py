"""Expectiminimax and the transposition table: keys, probing, storing.

The table stores twice the depth, plus one if the value is proved. An entry is used only if it was searched to exactly
the requested depth.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.core.game import Game, State
from zermelo.kernel import U64, mix, state
from zermelo.search.expectiminimax.techniques import Techniques
from zermelo.search.expectiminimax.workspace import ExpectiminimaxWorkspace
from zermelo.search.runtime.table import EXACT, LOWER, NO_MOVE, NOTHING, UPPER, depth_in, kind_in, move_in, veil_of_keys

DEEPEST_KEPT = 62
"""Maximum depth of stored searches."""


@state
class Hit(NamedTuple):
    """The table's entry for a position."""

    kind: int
    """EXACT, LOWER or UPPER; NOTHING if the position is not in the table."""
    value: float
    depth: int
    is_proved: bool
    move: int
    """The number of the best move, veiled; NO_MOVE if unknown."""


def table_key(game: Game, how: Techniques, state: State, work: ExpectiminimaxWorkspace) -> U64:
    """The table key of a state."""
    key = mix(game.key(game.canonical(state)) if how.symmetry else game.key(state)) ^ work.salt
    if how.reply and work.has_replied:
        key = mix(key)
    return key


def veil_of(game: Game, how: Techniques, state: State, key: U64, work: ExpectiminimaxWorkspace) -> int:
    """The veil of a state's move numbers, which differs among mirror images with the same key; 0 without symmetry."""
    if not (how.table and how.symmetry):
        return 0
    return veil_of_keys(mix(game.key(state)) ^ work.salt, key)


def probe_table(how: Techniques, key: U64, work: ExpectiminimaxWorkspace) -> Hit:
    """Look up a position."""
    if not how.table:
        return Hit(NOTHING, 0.0, 0, False, NO_MOVE)
    word, value = work.table.probe(key)
    kind = kind_in(word)
    move = move_in(word) if kind != NOTHING else NO_MOVE
    return Hit(kind, value, depth_in(word) >> 1, depth_in(word) & 1 == 1, move)


def is_cutoff(hit: Hit, alpha: float, beta: float, depth: int) -> bool:
    """Whether the table's value ends the search of a node."""
    if hit.kind == NOTHING or hit.depth != depth:
        return False
    is_enough = hit.value >= beta if hit.kind == LOWER else hit.value <= alpha
    return is_enough or hit.kind == EXACT


def store_value(
    how: Techniques, key: U64, value: float, bound: int, move: int, depth: int, work: ExpectiminimaxWorkspace
) -> None:
    """Store the last value found, and whether it is proved."""
    if how.table and depth <= DEEPEST_KEPT:
        work.table.store(key, value, bound, move, 2 * depth + (1 if work.is_proved else 0))


def bound_of(value: float, alpha: float, beta: float) -> int:
    """The kind of a fail-soft result: EXACT, LOWER or UPPER."""
    return UPPER if value <= alpha else LOWER if value >= beta else EXACT
