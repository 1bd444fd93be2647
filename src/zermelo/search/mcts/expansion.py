"""Expansion: a node gets its children, and every child what is known of it before its first visit."""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import FILL_MASK, U64, claim, load, load_real, mix, store, store_real, store_release
from zermelo.search.legacy_workspace import fill_space
from zermelo.search.mcts.playout import below, usable
from zermelo.search.mcts.techniques import ACTION, CHILDREN, Techniques
from zermelo.search.mcts.tree import COUNT_BITS, IN_THE_MAKING, PASSED, block_for, found_block, register
from zermelo.search.mcts.workspace import CEILING, FLOOR, LIKELIHOODS, MAGNITUDE, UNIT, UNITY

ALMOST = 0.98
"""No move looks better than this, or worse than its opposite, on a scale from -1 to 1."""


def expand(game: Game, how: Techniques, state: State, node: int, tree: int, memory: int) -> int:
    """Give a node its children; returns their place, or 0 if there is no room or another thread is expanding it."""
    if how.shared and not claim(tree, node + CHILDREN, 0, IN_THE_MAKING):
        return 0
    key = position_of(game, state) if how.transpositions else U64(0)
    if how.transpositions:
        known = found_block(tree, key)
        if known > 0:
            store_release(tree, node + CHILDREN, known)
            return known
    space, count = fill_space(memory), usable(list_children(game, how, state, memory), memory)
    first = block_for(tree, node, count, how.header, how.width) if count > 0 else 0
    if first == 0:
        store(tree, node + CHILDREN, 0)
        return 0
    for index in range(count):
        child = first + index * how.width
        for offset in range(how.width):
            store(tree, child + offset, 0)
        store(tree, child + ACTION, load(space, index))
    introduce(game, how, state, node, first, count, tree, memory)
    if how.transpositions:
        store(tree, first + PASSED, 0)
        register(tree, key, first)
    place = first << COUNT_BITS | count
    store_release(tree, node + CHILDREN, place)
    return place


def list_children(game: Game, how: Techniques, state: State, memory: int) -> int:
    """Write the moves of a position, or the outcomes of chance with their probabilities; returns their number.

    The rules are asked only once: memory is laid out by the answer, and another answer might not fit.
    """
    space, count = fill_space(memory), 0
    if how.chance and game.to_move(state) == CHANCE:
        for action, probability in game.outcomes(state):
            store(space, count & FILL_MASK, action)
            store_real(memory, LIKELIHOODS + (count & FILL_MASK), probability)
            count += 1
    elif how.is_opposed:
        count = game.fill_candidates(state, space, 0)
    else:
        count = game.fill_actions(state, space, 0)
    return count


def position_of(game: Game, state: State) -> U64:
    """A position in the index of the tree."""
    return mix(game.key(state))


def introduce(
    game: Game, how: Techniques, state: State, node: int, first: int, count: int, tree: int, memory: int
) -> None:
    """Write down what is known of new children."""
    mover = game.to_move(state)
    if mover != CHANCE:
        shuffle(tree, first + ACTION, how.width, count, memory)  # of equals the first is taken, so it may be any
    if how.solver:
        for index in range(count):
            store_real(tree, first + index * how.width + how.low, load_real(memory, FLOOR))
            store_real(tree, first + index * how.width + how.high, load_real(memory, CEILING))
    if how.chance and mover == CHANCE:
        for index in range(count):
            store_real(tree, first + index * how.width + how.likelihood, load_real(memory, LIKELIHOODS + index))
    if how.looks and mover != CHANCE:
        guess(game, how, state, load(tree, node + ACTION), first, count, tree, memory)
    if how.implicit:
        for index in range(count):
            child = first + index * how.width
            store_real(
                tree, child + how.implied, judged(game, game.result(state, load(tree, child + ACTION)), 0, memory)
            )


def shuffle(tree: int, first: int, step: int, count: int, memory: int) -> None:
    """Shuffle `count` cells that are `step` apart."""
    for index in range(count - 1, 0, -1):
        here, there = first + index * step, first + below(memory, index + 1) * step
        cell = load(tree, here)
        store(tree, here, load(tree, there))
        store(tree, there, cell)


def judged(game: Game, state: State, player: int, memory: int) -> float:
    """The payoff or the game's evaluation of a position, on a scale from -1 to 1."""
    value = float(game.utility(state, player)) if game.is_terminal(state) else float(game.evaluate(state, player))
    return value / load_real(memory, MAGNITUDE) * load_real(memory, UNIT) * load_real(memory, UNITY)


def guess(game: Game, how: Techniques, state: State, last: int, first: int, count: int, tree: int, memory: int) -> None:
    """How good the moves look: as the game's `prior` says, or else by `evaluate` after them."""
    mover, total = game.to_move(state), 0.0
    for index in range(count):
        child = first + index * how.width
        action, looks = load(tree, child + ACTION), 0.0
        if how.prior:
            weight = float(game.prior(state, last, action))
            looks = (weight - 1) / (weight + 1)
        else:
            looks = judged(game, game.result(state, action), mover, memory)
        looks = max(-ALMOST, min(looks, ALMOST))
        store_real(tree, child + how.guess, looks)
        if how.puct:
            store_real(tree, child + how.share, (1 + looks) / (1 - looks))
            total += (1 + looks) / (1 - looks)
    if how.puct:
        for index in range(count):
            child = first + index * how.width
            store_real(tree, child + how.share, load_real(tree, child + how.share) / total)
    if how.widening:
        put_in_order(how, first, count, tree)


def put_in_order(how: Techniques, first: int, count: int, tree: int) -> None:
    """The moves that look best come first: an insertion sort of the new children."""
    for index in range(1, count):
        place = first + index * how.width
        while place > first and load_real(tree, place + how.guess) > load_real(tree, place - how.width + how.guess):
            for offset in range(how.width):
                cell = load(tree, place + offset)
                store(tree, place + offset, load(tree, place - how.width + offset))
                store(tree, place - how.width + offset, cell)
            place -= how.width
