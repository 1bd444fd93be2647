"""The workspace of one search thread, as flat memory: counters, killers, history, path, principal variation, moves.

cell 0 ...       counters, where the table is, numbers that hold for the whole search
HISTORY ...      the history heuristic's score of each move, by player and move, between -1 and 1
REPLIES ...      the countermove: what refuted a move last
KILLERS ...      two killer moves for each ply: quiet moves that caused a cutoff there
PLAYED ...       the move that led to each ply; NO_ACTION after a pass
EXCLUDED ...     for each ply one more than the number of a move to leave out (singular extension); 0 if none is
REDUCTIONS ...   plies of late move reduction, by depth and number of the move
SEEN ...         how often positions with the same lower bits of their key stand on the path
PATH ...         the keys of the positions on the path, the game's history first
LINE ...         for each ply the best line from there, with its length in front
MOVES ...        the stack, three cells a move: action, score, number and marks
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from typing import Protocol

from zermelo.core.counters import FREE_CELLS, OldCounters
from zermelo.core.game import NO_ACTION
from zermelo.core.referee import Referee
from zermelo.kernel import FILL_MASK, U64, Memory, load, load_word, mix, number, stack_pointer, store, store_word
from zermelo.search.runtime.watch import ROOM

(
    TABLE,
    CLUSTERS,
    AGE,
    HITS,
    CUTOFFS,
    FIRST_CUTOFFS,
    IS_PROVED,
    DEEPEST_PLY,
    BEFORE,
    PLY_COST,
    NULL_WINDOW,
    WIN_THRESHOLD,
    BEST,
    SALT,
    CLOSED_PLACES,
    STACK_TOP,
    LAST_LOUD_NODE,
) = range(FREE_CELLS, FREE_CELLS + 17)
MOVE_KINDS = 4096
RING = 256
"""Plies that have killers and an excluded move of their own: more than a line with a horizon has."""
HISTORY = 32
REPLIES = HISTORY + 2 * MOVE_KINDS
KILLERS = REPLIES + MOVE_KINDS
PLAYED = KILLERS + 2 * RING
EXCLUDED = PLAYED + RING
REDUCTIONS = EXCLUDED + RING
SEEN = REDUCTIONS + 64 * 64
SEEN_KINDS = 1024
PATH = SEEN + SEEN_KINDS
LONGEST_PATH = 16_384
LINE = PATH + LONGEST_PATH
LONGEST_LINE = 64
FILL = LINE + LONGEST_LINE * (LONGEST_LINE + 1)
MOVES = FILL + FILL_MASK + 1
MOST_MOVES = 174_080
"""Capacity of the stack: the untried moves of all positions on one line."""
CELLS = MOVES + 3 * MOST_MOVES
TOO_LONG, TOO_WIDE, STUCK = range(1, 4)


class Entries(Protocol):
    """A table, as its workspaces see it."""

    memory: Memory
    clusters: int


class Workspace(OldCounters):
    """The memory of one thread of a search; the table it addresses lives as long as the workspace does."""

    def __init__(self, table: Entries | None, size: int = CELLS) -> None:
        super().__init__(size)
        self._entries = None if table is None else table.memory  # kernels know only its address
        if table is not None:
            self.cells[TABLE], self.cells[CLUSTERS] = table.memory.address, table.clusters
        self.cells.copy(_blank(), REPLIES, SEEN)

    def line(self) -> list[int]:
        """The actions of the best line from the ply after the root's move."""
        first = LINE + LONGEST_LINE + 1
        return [self.cells[first + 1 + index] for index in range(self.cells[first])]


@cache
def _blank() -> Memory:
    """The part of a new workspace that does not start as zero."""
    cells = Memory(SEEN)
    for index in range(REPLIES, EXCLUDED):
        cells[index] = NO_ACTION
    for depth in range(1, 64):
        for late in range(1, 64):
            cells[REDUCTIONS + 64 * depth + late] = round(0.5 + math.log(depth) * math.log(late) / 2.1)
    return cells


def remember(workspace: OldCounters, referee: Referee) -> None:
    """Put the game's history on the path.

    A position of the history that may not be repeated, or whose repetition would end the game, is closed. A proof holds
    on every path within the search, but not if other positions are closed, because it may lead through one of them. So
    the closed positions are part of every key.
    """
    game, turns = referee.game, referee.turns[-LONGEST_PATH // 2 :]
    for index, place in enumerate([*(turn.place for turn in turns), game.repetition_key(referee.state)]):
        enter(workspace.address, index, mix(game.key(place)))
    workspace.cells[BEFORE] = len(turns)
    times = Counter(turn.place for turn in turns)
    closed = [place for place, count in times.items() if count + 1 >= game.repetition]
    workspace.cells[CLOSED_PLACES] = 1 if game.repetition < 0 else len(closed)
    if game.repetition > 0:
        salt = U64(0)
        for place in closed:
            salt ^= mix(mix(game.key(place)))
        store_word(workspace.address, SALT, salt)


def enter(memory: int, ply: int, place: U64) -> None:
    """Put a position on the path."""
    store_word(memory, PATH + load(memory, BEFORE) + ply, place)
    cell = SEEN + number(place & U64(SEEN_KINDS - 1))
    store(memory, cell, load(memory, cell) + 1)


def leave(memory: int, place: U64) -> None:
    """Take the last position from the path."""
    cell = SEEN + number(place & U64(SEEN_KINDS - 1))
    store(memory, cell, load(memory, cell) - 1)


def times_before(memory: int, ply: int, place: U64) -> int:
    """How often a position occurs on the path before this ply.

    A repetition inside the search is treated as final at once: it returns LONGEST_PATH.
    """
    if load(memory, SEEN + number(place & U64(SEEN_KINDS - 1))) == 0:
        return 0
    root = PATH + load(memory, BEFORE)
    for cell in range(root, root + ply):
        if load_word(memory, cell) == place:
            return LONGEST_PATH
    found = 0
    for cell in range(PATH, root):
        if load_word(memory, cell) == place:
            found += 1
    return found


def note_line(memory: int, ply: int, action: int) -> None:
    """Update the principal variation at this ply: this move, then the variation of the next ply."""
    if ply + 1 >= LONGEST_LINE:
        return
    here, after = LINE + ply * (LONGEST_LINE + 1), LINE + (ply + 1) * (LONGEST_LINE + 1)
    length = min(load(memory, after), LONGEST_LINE - 1)
    store(memory, here + 1, action)
    for index in range(1, length + 1):
        store(memory, here + 1 + index, load(memory, after + index))
    store(memory, here, length + 1)


def end_line(memory: int, ply: int) -> None:
    """Clear the principal variation at this ply."""
    if ply < LONGEST_LINE:
        store(memory, LINE + ply * (LONGEST_LINE + 1), 0)


def is_too_deep(memory: int, ply: int) -> bool:
    """Whether a line without a horizon has used up the stack of its thread, as it can with the largest states."""
    here = stack_pointer()
    if ply <= 1:
        store(memory, STACK_TOP, here)
    return load(memory, STACK_TOP) - here > ROOM


def has_closed_places(memory: int) -> bool:
    """Whether repetition closes a position of the history, so that a search that ignores the path proves nothing."""
    return load(memory, CLOSED_PLACES) != 0


def set_proved(memory: int, is_proved: bool) -> None:
    """Record whether the value about to be returned holds whatever lies beyond the horizon."""
    store(memory, IS_PROVED, 1 if is_proved else 0)


def last_is_proved(memory: int) -> bool:
    """Whether the value that was returned last is proved."""
    return load(memory, IS_PROVED) != 0


def fill_space(memory: int) -> int:
    """The address of the buffer for the generated moves of one position."""
    return memory + 8 * FILL
