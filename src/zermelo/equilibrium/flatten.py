"""From rules to the sequence form: the game is walked once, and what it is worth is left as arrays.

An information set is the player's own last sequence together with a hash of the view, so it remembers all views and
moves of the player whatever the view forgets. An end is a cell: the last sequence of each player, and the payoffs times
the probability of chance. Cells with the same sequences are added up.   [von Stengel 1996]
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.core.errors import Refused, RulesError
from zermelo.core.game import CHANCE, Game, State, has_one_value, knows
from zermelo.equilibrium.arrays import contents, shared
from zermelo.equilibrium.key_table import FIRST_SLOTS, KeyTable, words_for
from zermelo.equilibrium.stopping import IsStopped, check, stopping
from zermelo.equilibrium.treeplex import Figures, Indices, Treeplex
from zermelo.kernel import (
    GOLDEN,
    U64,
    Numbers,
    Reals,
    Words,
    hash_numbers,
    kernel,
    mix,
    number,
    pointer,
    replace_item,
)

MOST_ENDS = 1 << 24
"""Games with more ends are not flattened."""
MOST_PARTS = 1 << 22
"""Payoffs of single ends are kept up to this number of ends; without them, no value is exact."""
MOST_PAIRS = 100_000
"""Payoffs are compared as fractions up to this number of different pairs."""
LARGEST_DENOMINATOR = 10**6
LARGEST_PRODUCT = 10**8
"""Of numerator and denominator: one number in a million is as close by accident to such a fraction as rounding."""
CLOSE = 1e-14
"""The share of a payoff that rounding can change: it is a product of probabilities."""
LAST_PLACES = 2.0**-51
"""The share of a number that its last two units are at most."""
MOST_PLIES = 900
LEAST = sys.float_info.min
TOO_LARGE, ENDLESS, UNLIKE, UNEQUAL = 1, 2, 3, 4
"""What can go wrong on the walk."""
ROUNDING = 1e-9
"""Of the sum of two payoffs, beside their size."""
NOT_ZERO = "{}: the payoffs at an end do not sum to zero; a game of which that is not true declares zero_sum = False"


class Harvest(KeyTable):
    """What the walk has found so far; sequences are numbered for all players together, the empty ones first."""

    sequences: int
    ends: int
    most_sets: int
    most_ends: int
    rows: int
    """Payoffs of each end: one for each player, or one if it determines all."""
    trouble: int
    keys: Words = pointer(Words)
    owner: Numbers = pointer(Numbers)
    first: Numbers = pointer(Numbers)
    count: Numbers = pointer(Numbers)
    parent: Numbers = pointer(Numbers)
    menus: Words = pointer(Words)
    """A hash of the moves of each set, in their order."""
    chains: Words = pointer(Words)
    """A hash of the views and moves of each sequence."""
    reached: Numbers = pointer(Numbers)
    """The last sequence of each player at each end."""
    payoffs: Reals = pointer(Reals)
    pairs: Reals = pointer(Reals)
    """With two rows, both payoffs of each end, not multiplied by the probability of chance."""
    has_buckets: bool
    buckets: Words = pointer(Words)
    """What each set is in the abstract game, if there are buckets: a hash of the player's own buckets and moves."""
    bucket_chains: Words = pointer(Words)
    """The same for each sequence."""

    def add(self, key: U64, player: int, parent: int, count: int) -> int:
        """Number a new information set and its sequences."""
        found, first = self.sets, self.sequences
        self.keys[found] = key
        self.owner[found] = player
        self.first[found] = first
        self.count[found] = count
        self.parent[found] = parent
        for move in range(count):
            self.chains[first + move] = mix(key + U64(move + 1))
        self.sets = found + 1
        self.sequences = first + count
        return found

    def put_into_bucket(self, place: int, key: U64) -> None:
        """Note what an information set and its sequences are in the abstract game."""
        self.buckets[place] = key
        for move in range(self.count[place]):
            self.bucket_chains[self.first[place] + move] = mix(key + U64(move + 1))


@kernel
def walk(game: Game, state: State, last: State, chance: float, left: int, harvest: Harvest) -> int:
    """Visit all histories below a state, and count them; `last` has the last sequence of each player."""
    if game.is_terminal(state):
        end = harvest.ends
        if end == harvest.most_ends:
            harvest.trouble = TOO_LARGE
            return 1
        for player in range(game.players):
            harvest.reached[end * game.players + player] = last[player]
        if game.players == 2 and harvest.rows == 1 and not cancel(game, state):
            harvest.trouble = UNEQUAL
            return 1
        for player in range(harvest.rows):
            payoff = float(game.utility(state, player))
            harvest.payoffs[end * harvest.rows + player] = weighted(chance, payoff)
            if harvest.rows == 2:
                harvest.pairs[2 * end + player] = payoff
        harvest.ends = end + 1
        return 1
    if left == 0:
        harvest.trouble = ENDLESS
    if harvest.trouble != 0:
        return 1
    found = 1
    mover = game.to_move(state)
    if mover == CHANCE:
        for action, probability in game.outcomes(state):
            if probability > 0.0:
                found += walk(game, game.result(state, action), last, chance * probability, left - 1, harvest)
        return found
    key = information_key(game, state, mover, harvest.chains[last[mover]])
    slot = harvest.slot_of(key)
    if harvest.table[slot] == U64(0):
        if harvest.sets == harvest.most_sets:
            harvest.trouble = TOO_LARGE
            return 1
        harvest.table[slot] = key
        harvest.table[slot + 1] = U64(harvest.add(key, mover, last[mover], game.count(state)))
        place = number(harvest.table[slot + 1])
        if harvest.has_buckets:
            harvest.put_into_bucket(place, bucket_key(game, state, mover, harvest.bucket_chains[last[mover]]))
        if 2 * harvest.sets > harvest.slots:
            harvest.grow()
    else:
        place = number(harvest.table[slot + 1])
    first, move, menu = harvest.first[place], 0, GOLDEN
    for action in game.actions(state):
        if move == harvest.count[place]:
            harvest.trouble = UNLIKE
            return found
        after = replace_item(last, mover, first + move)
        found += walk(game, game.result(state, action), after, chance, left - 1, harvest)
        menu = mix(menu ^ hash_numbers(action)) | U64(1)
        move += 1
    if harvest.menus[place] == U64(0):
        harvest.menus[place] = menu
    if move != harvest.count[place] or menu != harvest.menus[place]:
        harvest.trouble = UNLIKE
    return found


@kernel
def cancel(game: Game, state: State) -> bool:
    """Whether the payoffs of two opponents at an end sum to zero, up to rounding."""
    first = game.utility(state, 0)
    return abs(first + game.utility(state, 1)) <= ROUNDING * (1.0 + abs(first))


def weighted(chance: float, payoff: float) -> float:
    """A payoff times its probability; a product that is too small for a number is not 0."""
    product = chance * payoff
    return math.copysign(LEAST, payoff) if product == 0.0 and payoff != 0.0 else product


@kernel
def information_key(game: Game, state: State, player: int, chain: U64) -> U64:
    """What identifies the player's information set after the views and moves of the chain."""
    return mix(hash_numbers(game.view(state, player)) ^ chain) | U64(1)


@kernel
def bucket_key(game: Game, state: State, player: int, chain: U64) -> U64:
    """The same for the abstract game, in which views of one bucket look the same."""
    return mix(hash_numbers(game.bucket(game.view(state, player), player)) ^ chain) | U64(1)


def first_chain(player: int) -> U64:
    """The chain of a player who has not moved."""
    return mix(GOLDEN + U64(player))


def next_chain(key: U64, move: int) -> U64:
    """The chain after the move with this index in the information set."""
    return mix(key + U64(move + 1))


class TooLarge(Refused):
    """The game does not fit into memory."""


# -- the sequence form ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SequenceForm:
    """The information sets of each player, and the payoffs by the last sequence of each."""

    trees: tuple[Treeplex, ...]
    sequences: Indices
    """A row for each player, a column for each cell."""
    payoffs: Figures
    """A row for each player, or one for two players of a zero-sum game."""
    parts: Figures
    """The first row's payoffs of single ends, in the order of the cells that they add up to; none of a large game."""
    starts: Indices
    """The first part of each cell."""
    histories: int
    ends: int
    total: Fraction | None
    """What the payoffs of two players sum to, if it is the same at all ends: then they are opponents."""
    buckets: tuple[NDArray[np.uint64], ...] = ()
    """For each player, what identifies each set in the abstract game, if the game has buckets."""

    @property
    def sets(self) -> int:
        return sum(tree.sets for tree in self.trees)


def flatten(game: Game, most: int = MOST_ENDS, is_stopped: IsStopped | None = None) -> SequenceForm:
    """The sequence form of a game with at most this many ends; the rules run compiled if they can be."""
    rows = 1 if has_one_value(game) else game.players
    harvest = make_harvest(game.players, rows, most, knows(game, "bucket"))
    roots = tuple(range(game.players))
    with stopping(harvest, is_stopped):
        histories = walk.run(game, game.initial(), roots, 1.0, MOST_PLIES, harvest)
    check(is_stopped, game)
    if harvest.trouble == TOO_LARGE:
        raise TooLarge(
            f"{game} has more than {most:,} ends or {most // 4:,} information sets; too many to solve it as a whole"
        )
    if harvest.trouble == ENDLESS:
        raise Refused(f"{game} has lines of more than {MOST_PLIES} plies; too long to solve it")
    if harvest.trouble == UNLIKE:
        raise RulesError(
            f"{game} offers different moves, or the same in another order, in positions that look the same to the "
            "player to move"
        )
    if harvest.trouble == UNEQUAL:
        raise RulesError(NOT_ZERO.format(game))
    if harvest.has_buckets and not buckets_agree(harvest):
        raise RulesError(f"{game} offers different moves, or the same in another order, for views of one bucket")
    return make_form(game.players, rows, harvest, histories)


def buckets_agree(harvest: Harvest) -> bool:
    """Whether all sets of one bucket have the same moves."""
    buckets, menus = contents(harvest.buckets, harvest.sets), contents(harvest.menus, harvest.sets)
    _, first, place = np.unique(buckets, return_index=True, return_inverse=True)
    return bool((menus[first][place] == menus).all())


def make_harvest(players: int, rows: int, most: int, has_buckets: bool) -> Harvest:
    """Room for a walk; memory that is not used costs nothing."""
    sets = max(most // 4, 16)
    harvest = Harvest.allocate()
    parts: dict[str, Any] = {
        "table": Words.allocate(words_for(sets)),
        "keys": Words.allocate(sets),
        "menus": Words.allocate(sets),
        **{name: Numbers.allocate(sets) for name in ("owner", "first", "count", "parent")},
        "chains": Words.allocate(2 * most + 64),
        "reached": Numbers.allocate(players * most),
        "payoffs": Reals.allocate(rows * most),
        "pairs": Reals.allocate(2 * most if rows == 2 else 0),
        "buckets": Words.allocate(sets if has_buckets else 0),
        "bucket_chains": Words.allocate(2 * most + 64 if has_buckets else 0),
    }
    for name, part in parts.items():
        setattr(harvest, name, part)
        harvest.keeps_alive.append(part)
    harvest.slots, harvest.most_sets, harvest.most_ends = FIRST_SLOTS, sets, most
    harvest.sequences, harvest.rows, harvest.has_buckets = players, rows, has_buckets
    for player in range(players):
        harvest.chains[player] = first_chain(player)
        if has_buckets:
            harvest.bucket_chains[player] = first_chain(player)
    return harvest


def make_form(players: int, rows: int, harvest: Harvest, histories: int) -> SequenceForm:
    """Number the sequences of each player apart, and add up equal cells."""
    sets, ends = harvest.sets, harvest.ends
    parts = (harvest.owner, harvest.first, harvest.count, harvest.parent)
    owner, first, count, parent = (contents(part, sets) for part in parts)
    keys = contents(harvest.keys, sets)
    owners = np.concatenate([np.arange(players), np.repeat(owner, count)])
    local = np.empty(len(owners), np.int64)
    for player in range(players):
        local[owners == player] = np.arange(np.count_nonzero(owners == player))
    trees = []
    for player in range(players):
        own = owner == player
        ones = np.ones(np.count_nonzero(owners == player))
        trees.append(Treeplex(local[first[own]], count[own], local[parent[own]], ones, keys[own]))
    cells = add_up(harvest, shared(local), [tree.sequences for tree in trees], rows)
    total = None if players != 2 else Fraction(0) if rows == 1 else sum_of_payoffs(contents(harvest.pairs, 2 * ends))
    buckets: tuple[NDArray[np.uint64], ...] = ()
    if harvest.has_buckets:
        buckets = tuple(contents(harvest.buckets, sets)[owner == player] for player in range(players))
    return SequenceForm(tuple(trees), *cells, histories, ends, total, buckets)


def sum_of_payoffs(pairs: Figures) -> Fraction | None:
    """The sum of each pair of payoffs, as a fraction; None if it is not always the same."""
    first, second = pairs[::2], pairs[1::2]
    with np.errstate(over="ignore", invalid="ignore"):
        sums = first + second
        if not len(sums) or not np.ptp(sums) <= ROUNDING * (1 + np.abs(pairs).max()):
            return None
    different = np.unique(first + 1j * second)
    if len(different) > MOST_PAIRS:
        return None
    for read in (Fraction, rounded_fraction):
        totals = {read(pair.real) + read(pair.imag) for pair in different.tolist()}
        if len(totals) == 1:
            return totals.pop()
    return None


def rounded_fraction(value: float) -> Fraction:
    """The simple fraction that was rounded to this number, in one step or two; without one, the number itself."""
    exact, found = Fraction(value), simple_fraction(value)
    return exact if found is None or abs(exact - found) > LAST_PLACES * abs(exact) else found


def simple_fraction(value: float) -> Fraction | None:
    """The only simple fraction that is this number but for rounding; None if there is none.

    Chances arrive as floating-point numbers: 0.333... is read as 1/3, and 1e-9 is not read as 0. Among numbers of ten
    digits some are as close to a number by accident, so such fractions count only if they are the decimals themselves.
    """
    exact = Fraction(value)
    found = exact.limit_denominator(LARGEST_DENOMINATOR)
    rounding = CLOSE * abs(value)
    if abs(exact - found) > rounding or 2 * rounding * found.denominator * LARGEST_DENOMINATOR >= 1:
        return None
    is_simple = abs(found.numerator) * found.denominator <= LARGEST_PRODUCT
    is_decimal = float(found) == value and LARGEST_DENOMINATOR % found.denominator == 0
    return found if found == exact or is_simple or is_decimal else None


def add_up(
    harvest: Harvest, local: Numbers, sizes: list[int], rows: int
) -> tuple[Indices, Figures, Figures, Indices]:  # fmt: skip
    """The cells sorted by their sequences, those with the same sequences as one; the parts and where they start."""
    players, ends = len(sizes), harvest.ends
    order, spare = np.arange(ends), np.empty(ends, np.int64)
    number_apart.run(harvest, local, players)
    for player in range(players - 1, -1, -1):
        tally = np.zeros(sizes[player] + 1, np.int64)
        sort_ends.run(harvest, players, player, shared(tally), sizes[player], shared(order), shared(spare))
        order, spare = spare, order
    keeps_parts = ends <= MOST_PARTS
    sequences, payoffs = np.empty(players * ends, np.int64), np.empty(rows * ends)
    starts = np.empty(ends if keeps_parts else 0, np.int64)
    into = (shared(sequences), shared(payoffs), shared(starts))
    count = add_sorted.run(harvest, players, rows, shared(order), *into, keeps_parts)
    parts = contents(harvest.payoffs, rows * ends)[::rows][order] if keeps_parts else np.empty(0)
    return (
        np.ascontiguousarray(sequences.reshape(players, ends)[:, :count]),
        np.ascontiguousarray(payoffs.reshape(rows, ends)[:, :count]),
        parts,
        starts[:count].copy(),
    )


@kernel
def number_apart(harvest: Harvest, local: Numbers, players: int) -> None:
    """Number the sequences at the ends as their player does."""
    for place in range(harvest.ends * players):
        harvest.reached[place] = local[harvest.reached[place]]


@kernel
def sort_ends(
    harvest: Harvest, players: int, player: int, tally: Numbers, size: int, before: Numbers, after: Numbers
) -> None:
    """Counting sort: the order `before`, sorted by the sequences of one player, stably."""
    for end in range(harvest.ends):
        tally[harvest.reached[end * players + player] + 1] += 1
    for value in range(1, size):
        tally[value] += tally[value - 1]
    for place in range(harvest.ends):
        value = harvest.reached[before[place] * players + player]
        after[tally[value]] = before[place]
        tally[value] += 1


@kernel
def add_sorted(
    harvest: Harvest, players: int, rows: int, order: Numbers, sequences: Numbers, payoffs: Reals, starts: Numbers,
    keeps_parts: bool,
) -> int:  # fmt: skip
    """Write the cells, a row of all ends for each player; ends with the same sequences are one. How many there are.

    With `keeps_parts`, the place where each cell's ends start is written too.
    """
    ends, found = harvest.ends, 0
    for place in range(ends):
        end = order[place]
        is_new = found == 0
        for player in range(players):
            sequence = harvest.reached[end * players + player]
            sequences[player * ends + found] = sequence
            if not is_new and sequences[player * ends + found - 1] != sequence:
                is_new = True
        if is_new:
            if keeps_parts:
                starts[found] = place
            for row in range(rows):
                payoffs[row * ends + found] = harvest.payoffs[end * rows + row]
            found += 1
        else:
            for row in range(rows):
                payoffs[row * ends + found - 1] += harvest.payoffs[end * rows + row]
    return found
