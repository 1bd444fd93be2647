"""The tree of `mcts` in flat memory, for hundreds of thousands of simulations: the lecture's four steps, compiled.

The memory has a few counts, a book with a line for each simulation, and for each node

    parent | place among the moves | first child | last child | next sibling | visits | branches | tried
           | order of trying | visits as they were | paid, one per player | paid as it was, one per player

A line of the book is the node where the simulation left the tree, the number of nodes after it, and what was paid. So
the tree can be had as it was after any simulation: `recount` counts the book again. Games go on at random as the game
itself draws moves (`sample`). The same seed gives the same tree, interpreted and compiled.
"""

from __future__ import annotations

import math

from zermelo.core.game import CHANCE, NO_ACTION, Action, Game, State
from zermelo.kernel import (
    GOLDEN,
    U64,
    Memory,
    draw_below,
    kernel,
    load,
    load_real,
    load_word,
    mix,
    number,
    store,
    store_real,
    store_word,
)
from zermelo.textbook.mcts import LONGEST_PLAYOUT

COUNT, ROOM, DONE, LUCK, THEN, HEADER = 0, 1, 2, 3, 4, 8
LEAF, SIZE, LINE = 0, 1, 2
PARENT, INDEX, FIRST, LAST, NEXT, VISITS, BRANCHES, TRIED, ORDER, VISITS_THEN, PAID = range(11)
NO_NODE = UNKNOWN = -1


def new_tree(game: Game, room: int, seed: int) -> Memory:
    """A tree with an unvisited root, and room for this many simulations."""
    tree = Memory(HEADER + room * (LINE + game.players) + (room + 1) * (PAID + 2 * game.players))
    tree[ROOM], tree[LUCK] = room, seed
    plant(game, tree.address, NO_NODE, 0)
    return tree


def line_of(game: Game, simulation: int) -> int:
    """The cell where the line of a simulation begins; simulations are numbered from 0."""
    return HEADER + simulation * (LINE + game.players)


def cell_of(game: Game, tree: int, node: int) -> int:
    """The cell where a node begins: after the book."""
    return line_of(game, load(tree, ROOM)) + node * (PAID + 2 * game.players)


@kernel
def grow_tree(game: Game, state: State, tree: int, wanted: int, exploration: float) -> int:
    """Simulate until there are `wanted` simulations in all, or the memory is full; returns their number."""
    while load(tree, DONE) < min(wanted, load(tree, ROOM)):
        node, here, is_new = 0, state, False
        while not is_new:
            cell = cell_of(game, tree, node)
            if load(tree, cell + BRANCHES) == UNKNOWN:
                store(tree, cell + BRANCHES, max(game.count(here), 0))
            if load(tree, cell + BRANCHES) == 0:
                break
            is_new = load(tree, cell + TRIED) < load(tree, cell + BRANCHES)
            if is_new:
                child = plant(game, tree, node, next_untried(tree, cell))
            elif game.to_move(here) == CHANCE:
                child = child_at(game, tree, cell, draw_outcome(game, here, tree))
            else:
                child = best_child(game, tree, cell, game.to_move(here), exploration)
            here = game.result(here, action_at(game, here, load(tree, cell_of(game, tree, child) + INDEX)))
            node = child
        note(game, tree, node, play_out(game, here, tree))
    return load(tree, DONE)


@kernel
def recount(game: Game, tree: int, wanted: int) -> int:
    """Set visits and payoffs "as they were" to those after this many simulations; returns their number."""
    if wanted < load(tree, THEN):
        store(tree, THEN, 0)
        for node in range(load(tree, COUNT)):
            cell = cell_of(game, tree, node)
            store(tree, cell + VISITS_THEN, 0)
            for player in range(game.players):
                store_real(tree, cell + PAID + game.players + player, 0.0)
    for simulation in range(load(tree, THEN), min(wanted, load(tree, DONE))):
        line = line_of(game, simulation)
        node = load(tree, line + LEAF)
        while node != NO_NODE:
            cell = cell_of(game, tree, node)
            store(tree, cell + VISITS_THEN, load(tree, cell + VISITS_THEN) + 1)
            for player in range(game.players):
                place = cell + PAID + game.players + player
                store_real(tree, place, load_real(tree, place) + load_real(tree, line + LINE + player))
            node = load(tree, cell + PARENT)
        store(tree, THEN, simulation + 1)
    return load(tree, THEN)


# -- selecting -----------------------------------------------------------------------------------------


def best_child(game: Game, tree: int, cell: int, mover: int, exploration: float) -> int:
    """Of the node in this cell, the child with the highest UCB1 for the mover; of equals, the first that was tried."""
    child, column = load(tree, cell + FIRST), PAID + max(0, min(mover, game.players - 1))
    best, highest = child, -math.inf
    rarity = math.log(load(tree, cell + VISITS))
    while child != NO_NODE:
        place = cell_of(game, tree, child)
        visits = load(tree, place + VISITS)
        score = load_real(tree, place + column) / visits + exploration * math.sqrt(rarity / visits)
        if score > highest:
            best, highest = child, score
        child = load(tree, place + NEXT)
    return best


def child_at(game: Game, tree: int, cell: int, index: int) -> int:
    """The child with this place among the moves; the first one if rules that change their mind have no such place."""
    child = load(tree, cell + FIRST)
    while child != NO_NODE and load(tree, cell_of(game, tree, child) + INDEX) != index:
        child = load(tree, cell_of(game, tree, child) + NEXT)
    return child if child != NO_NODE else load(tree, cell + FIRST)


def action_at(game: Game, state: State, index: int) -> Action:
    """The move, or the outcome, with this place."""
    place = 0
    if game.to_move(state) == CHANCE:
        for action, _ in game.outcomes(state):
            if place == index:
                return action
            place += 1
    else:
        for action in game.actions(state):
            if place == index:
                return action
            place += 1
    return 0


# -- expanding -----------------------------------------------------------------------------------------


def next_untried(tree: int, cell: int) -> int:
    """The next move of the node in this cell to be tried: from anywhere on, in steps that come by all of them."""
    branches, tried = load(tree, cell + BRANCHES), load(tree, cell + TRIED)
    if tried == 0:
        store_word(tree, cell + ORDER, draw(tree))
    order = load_word(tree, cell + ORDER)
    step = 1 + draw_below(mix(order), branches)
    while common_divisor(step, branches) > 1:
        step += 1
    store(tree, cell + TRIED, tried + 1)
    return (draw_below(order, branches) + tried * step) % branches


def common_divisor(one: int, other: int) -> int:
    while other > 0:
        one, other = other, one % other
    return one


def plant(game: Game, tree: int, parent: int, index: int) -> int:
    """A new node, as the last child of its parent; its number."""
    node = load(tree, COUNT)
    store(tree, COUNT, node + 1)
    cell = cell_of(game, tree, node)
    store(tree, cell + PARENT, parent)
    store(tree, cell + INDEX, index)
    store(tree, cell + FIRST, NO_NODE)
    store(tree, cell + LAST, NO_NODE)
    store(tree, cell + NEXT, NO_NODE)
    store(tree, cell + BRANCHES, UNKNOWN)
    if parent != NO_NODE:
        above = cell_of(game, tree, parent)
        if load(tree, above + FIRST) == NO_NODE:
            store(tree, above + FIRST, node)
        else:
            store(tree, cell_of(game, tree, load(tree, above + LAST)) + NEXT, node)
        store(tree, above + LAST, node)
    return node


# -- simulating, back-propagating ------------------------------------------------------------------------


def play_out(game: Game, state: State, tree: int) -> tuple[float, ...]:
    """The payoffs of a random playout; estimates if it does not end."""
    for _ in range(LONGEST_PLAYOUT):
        if game.is_terminal(state):
            return game.utilities(state)
        if game.to_move(state) == CHANCE:
            state = game.result(state, action_at(game, state, draw_outcome(game, state, tree)))
        else:
            state = game.result(state, game.sample(state, NO_ACTION, draw(tree)))
    return game.evaluations(state)


def note(game: Game, tree: int, leaf: int, payoffs: tuple[float, ...]) -> None:
    """Book the payoffs on all nodes of the way, and the simulation in the book."""
    node = leaf
    while node != NO_NODE:
        cell = cell_of(game, tree, node)
        store(tree, cell + VISITS, load(tree, cell + VISITS) + 1)
        for player in range(game.players):
            store_real(tree, cell + PAID + player, load_real(tree, cell + PAID + player) + payoffs[player])
        node = load(tree, cell + PARENT)
    line = line_of(game, load(tree, DONE))
    store(tree, line + LEAF, leaf)
    store(tree, line + SIZE, load(tree, COUNT))
    for player in range(game.players):
        store_real(tree, line + LINE + player, payoffs[player])
    store(tree, DONE, load(tree, DONE) + 1)


# -- luck ------------------------------------------------------------------------------------------------


def draw(tree: int) -> U64:
    """A random word: SplitMix64 [Steele, Lea & Flood 2014]."""
    word = load_word(tree, LUCK) + GOLDEN
    store_word(tree, LUCK, word)
    return mix(word)


def draw_outcome(game: Game, state: State, tree: int) -> int:
    """The place of a random outcome, drawn by its probability."""
    luck, place, found = number(draw(tree) >> 11) * 2.0**-53, 0, 0
    for _, probability in game.outcomes(state):
        if luck >= 0 and probability > 0:
            found = place
        luck -= probability
        place += 1
    return found
