"""Move ordering: which move to try next.

The table's move comes first. The others are sorted by the game's own `order`, on whose scale 1 is a hint, plus up to 2
for killer moves, countermoves and the history heuristic. Captures that lose material come last.
"""

from __future__ import annotations

from zermelo.core.game import NO_ACTION, Game, State
from zermelo.kernel import FILL_MASK, Switches, load, load_real, store, store_real
from zermelo.search.legacy_workspace import (
    HISTORY,
    KILLERS,
    MOST_MOVES,
    MOVE_KINDS,
    MOVES,
    PLAYED,
    REPLIES,
    RING,
    fill_space,
)

LAST = -1e9
NOISY, LOSING = 1 << 16, 1 << 17
NUMBER = NOISY - 1
KILLER, SECOND_KILLER, REPLY = 2.0, 1.7, 1.4


class Ordering(Switches):
    """The switches of move ordering."""

    order: bool
    killers: bool
    history: bool
    quiescence: bool


def push(memory: int, top: int, action: int, score: float, marks: int) -> None:
    """Put a move on the stack, with its number in the order of generation and its marks."""
    cell = MOVES + 3 * top
    store(memory, cell, action)
    store_real(memory, cell + 1, score)
    store(memory, cell + 2, marks)


def stack_moves(memory: int, top: int, count: int, table_move: int) -> int:
    """Push `count` generated moves, the table's move first; returns where the others begin.

    The caller has checked `is_room`.
    """
    space = fill_space(memory)
    for index in range(count):
        push(memory, top + index, load(space, index), 0.0, index)
    if table_move < count:
        swap(memory, top, top + table_move)
        return top + 1
    return top


def is_room(top: int, count: int) -> bool:
    """Whether `count` moves fit into the buffer of generated moves and on the stack."""
    return top + count <= MOST_MOVES and count <= FILL_MASK


def select_next(memory: int, first: int, top: int) -> int:
    """Selection sort, one step: swap the best-scored move, the earlier of equals, to `first` and return its cell."""
    start = MOVES + 3 * first
    best, highest, earliest = start, load_real(memory, start + 1), load(memory, start + 2) & NUMBER
    for cell in range(start + 3, MOVES + 3 * top, 3):
        score = load_real(memory, cell + 1)
        if score >= highest and (score > highest or load(memory, cell + 2) & NUMBER < earliest):
            best, highest, earliest = cell, score, load(memory, cell + 2) & NUMBER
    swap(memory, first, (best - MOVES) // 3)
    return start


def swap(memory: int, one: int, other: int) -> None:
    """Swap two moves on the stack."""
    if one != other:
        here, there = MOVES + 3 * one, MOVES + 3 * other
        action, score, marks = load(memory, here), load_real(memory, here + 1), load(memory, here + 2)
        push(memory, one, load(memory, there), load_real(memory, there + 1), load(memory, there + 2))
        push(memory, other, action, score, marks)


def without_quiet(memory: int, first: int, top: int) -> int:
    """Remove the quiet moves from the stack, from `first` on; returns the new top."""
    kept = first
    for place in range(first, top):
        if load(memory, MOVES + 3 * place + 2) & NOISY != 0:
            swap(memory, kept, place)
            kept += 1
    return kept


def noisy_only(game: Game, state: State, memory: int, first: int, top: int) -> int:
    """Mark the noisy moves on the stack from `first` on, and remove the others; returns the new top."""
    for place in range(first, top):
        cell = MOVES + 3 * place
        if game.is_noisy(state, load(memory, cell)):
            store(memory, cell + 2, load(memory, cell + 2) | NOISY)
    return without_quiet(memory, first, top)


def score_move(game: Game, how: Ordering, state: State, player: int, ply: int, place: int, memory: int) -> None:
    """Write the score and the marks of the move at a place of the stack."""
    cell = MOVES + 3 * place
    action = load(memory, cell)
    is_noisy = how.quiescence and game.is_noisy(state, action)
    store_real(memory, cell + 1, ordering_score(game, how, state, action, is_noisy, player, ply, memory))
    if is_noisy:
        store(memory, cell + 2, load(memory, cell + 2) | NOISY)


def ordering_score(
    game: Game, how: Ordering, state: State, action: int, is_noisy: bool, player: int, ply: int, memory: int
) -> float:
    """How good a move looks before it is searched: the game's `order`, killers, countermove, history."""
    found = float(game.order(state, action)) if how.order else 0.0
    if is_noisy:
        return found
    if how.killers:
        killers = KILLERS + 2 * (ply & (RING - 1))
        if load(memory, killers) == action:
            return found + KILLER
        if load(memory, killers + 1) == action:
            return found + SECOND_KILLER
        last = load(memory, PLAYED + (ply & (RING - 1)))
        if last != NO_ACTION and load(memory, REPLIES + (last & (MOVE_KINDS - 1))) == action:
            return found + REPLY
    if how.history:
        found += load_real(memory, history_cell(player, action))
    return found


def history_cell(player: int, action: int) -> int:
    return HISTORY + MOVE_KINDS * (player & 1) + (action & (MOVE_KINDS - 1))


def reward_cutoff(memory: int, how: Ordering, player: int, ply: int, depth: int, first: int, best: int) -> None:
    """Update killers and history: the quiet move at stack place `best` cut off, those from `first` on did not."""
    action = load(memory, MOVES + 3 * best)
    if how.killers:
        killers = KILLERS + 2 * (ply & (RING - 1))
        if load(memory, killers) != action:
            store(memory, killers + 1, load(memory, killers))
            store(memory, killers, action)
        reward_reply(memory, ply, action)
    if how.history:
        weight = min(depth * depth, 400) / 1600
        cell = history_cell(player, action)
        store_real(memory, cell, load_real(memory, cell) + weight * (1 - load_real(memory, cell)))
        for place in range(first, best):
            if load(memory, MOVES + 3 * place + 2) & NOISY == 0:
                cell = history_cell(player, load(memory, MOVES + 3 * place))
                store_real(memory, cell, load_real(memory, cell) - weight * (1 + load_real(memory, cell)))


def reward_reply(memory: int, ply: int, action: int) -> None:
    """Record the move as the countermove of the last move or roll."""
    last = load(memory, PLAYED + (ply & (RING - 1)))
    if last != NO_ACTION:
        store(memory, REPLIES + (last & (MOVE_KINDS - 1)), action)
