"""Simultaneous moves: backward induction, with a matrix game in every situation.

If both players see the whole situation before they choose, the value of a situation is that of a matrix: its rows and
columns are the choices, its entries the values of the situations that they lead to. So a situation is solved once,
however it is reached.   [Buro, "Solving the Oshi-Zumo Game", 2003]

Every matrix is solved in floating-point numbers. What the mixed choices secure in the end, for each player, is added up
on the way: the value is proved to lie between these two, up to rounding, and half of what is between them is the
exploitability. In small games the values follow as fractions: what both players use in the floating-point solution
gives linear equations, and their solution is verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.core.errors import Refused, RulesError
from zermelo.core.game import CHANCE, Game, State, has_one_value
from zermelo.core.simultaneous import Simultaneous
from zermelo.equilibrium.arrays import contents
from zermelo.equilibrium.flatten import MOST_PLIES, NOT_ZERO, cancel, first_chain, information_key, simple_fraction
from zermelo.equilibrium.key_table import FIRST_SLOTS, KeyTable, words_for
from zermelo.equilibrium.stopping import IsStopped, check, stopping
from zermelo.equilibrium.strategy import Strategy
from zermelo.equilibrium.zero_sum import solve_matrix
from zermelo.kernel import U64, Numbers, Reals, Words, hash_numbers, kernel, mix, number, pointer
from zermelo.textbook.matrix_games import action_values, for_columns, indifferent, spread

MOST_SITUATIONS = 1 << 21
CHOICES_PER_SITUATION = 32
SCRATCH = 1 << 24
MOST_EXACT = 2_000
"""Situations with a choice that are solved in fractions at most."""
MOST_BITS = 4_000
"""Of a fraction."""
FULL, ENDLESS, UNLIKE, UNSEEN, UNEQUAL = 1, 2, 3, 4, 5
"""What can go wrong."""
TINY, SMALL = 1e-12, 1e-9
PATIENCE = 50
"""Pivots for each row and column before the rule of the smallest index, and twice as many in all."""
IN_PROGRESS = -1
AT_ONCE = ("view", "to_move", "actions", "result")
"""The methods by which both choose at once; in a game that has others of its own, one may see more or less."""
NOT_SEEN = "the players of {} do not see the whole situation before they choose; use lp or cfr+"


class Stack(KeyTable):
    """The situations that have been met: what both players secure there, and their mixed choices."""

    most_sets: int
    entries: int
    most_entries: int
    trouble: int
    top: int
    keys: Words = pointer(Words)
    """The key of the information set of each player."""
    rows: Numbers = pointer(Numbers)
    """The number of choices of the first player; 0 at the end and where chance moves, IN_PROGRESS at first."""
    columns: Numbers = pointer(Numbers)
    first: Numbers = pointer(Numbers)
    """The first entry of the mixed choices: those of the first player, then those of the second."""
    shares: Reals = pointer(Reals)
    low: Reals = pointer(Reals)
    """What the first player secures."""
    high: Reals = pointer(Reals)
    """What the second player holds the first to."""
    scratch: Reals = pointer(Reals)
    """Matrices on the present path; the numbers from `top` on are free."""

    def find(self, key: U64) -> int:
        """The number of a situation, or -1."""
        slot = self.slot_of(key)
        return number(self.table[slot + 1]) if self.table[slot] != U64(0) else -1

    def add(self, key: U64) -> int:
        """Number a new situation; -1 if there is no room."""
        found = self.sets
        if found == self.most_sets:
            self.trouble = FULL
            return -1
        slot = self.slot_of(key)
        self.table[slot] = key
        self.table[slot + 1] = U64(found)
        self.rows[found] = IN_PROGRESS
        self.sets = found + 1
        if 2 * self.sets > self.slots:
            self.grow()
        return found


@kernel
def visit(game: Simultaneous, state: State, chains: State, left: int, stack: Stack) -> int:
    """Solve a situation; its number, or -1 if something has gone wrong."""
    key = mix(hash_numbers(state)) | U64(1)
    known = stack.find(key)
    if known >= 0 and stack.rows[known] == IN_PROGRESS:
        stack.trouble = ENDLESS
    if known < 0:
        if left == 0:
            stack.trouble = ENDLESS
        elif stack.trouble == 0:
            known = stack.add(key)
            if known >= 0:
                solve_situation(game, state, chains, left, stack, known)
    return known if stack.trouble == 0 else -1


@kernel
def solve_situation(game: Simultaneous, state: State, chains: State, left: int, stack: Stack, here: int) -> None:
    """Solve what follows, then the matrix of this situation."""
    if game.is_terminal(state):
        if not cancel(game, state):
            stack.trouble = UNEQUAL
        stack.low[here] = stack.high[here] = float(game.utility(state, 0))
        stack.rows[here] = 0
        return
    low, high = 0.0, 0.0
    if game.to_move(state) == CHANCE:
        for action, probability in game.outcomes(state):
            if probability <= 0.0:
                continue
            child = visit(game, game.result(state, action), chains, left - 1, stack)
            if child < 0:
                return
            low += probability * stack.low[child]
            high += probability * stack.high[child]
        stack.low[here], stack.high[here], stack.rows[here] = low, high, 0
        return
    whole = hash_numbers(state[0])
    if hash_numbers(game.seen(state[0], 0)) != whole or hash_numbers(game.seen(state[0], 1)) != whole:
        stack.trouble = UNSEEN
        return
    rows, columns, base = game.count(state), 0, stack.top
    place = base
    stack.keys[2 * here] = information_key(game, state, 0, chains[0])
    for first in game.actions(state):
        middle = game.result(state, first)
        width = game.count(middle)
        if columns == 0:
            columns = width
            size = rows * columns
            if 3 * size + (rows + 1) * (rows + columns + 1) + rows > SCRATCH - base:
                stack.trouble = FULL
                return
            stack.top = base + 2 * size
            stack.keys[2 * here + 1] = information_key(game, middle, 1, chains[1])
        if width != columns:
            stack.trouble = UNLIKE
            return
        for second in game.actions(middle):
            child = visit(game, game.result(middle, second), chains, left - 1, stack)
            if child < 0:
                return
            stack.scratch[place] = stack.low[child]
            stack.scratch[place + rows * columns] = stack.high[child]
            place += 1
    entry = stack.entries
    if entry + rows + columns > stack.most_entries:
        stack.trouble = FULL
        return
    stack.entries = entry + rows + columns
    stack.first[here], stack.columns[here] = entry, columns
    solve_floating(stack.scratch, base, rows, columns, stack.shares, entry)
    low, high = bounds(stack.scratch, base, rows, columns, stack.shares, entry)
    stack.low[here], stack.high[here] = low, high
    stack.rows[here] = rows
    stack.top = base


@kernel
def bounds(values: Reals, base: int, rows: int, columns: int, shares: Reals, entry: int) -> tuple[float, float]:
    """What the mixed choices secure: a matrix of lower bounds for the first player, then one of upper bounds."""
    low, high = np.inf, -np.inf
    for column in range(columns):
        total = 0.0
        for row in range(rows):
            total += shares[entry + row] * values[base + row * columns + column]
        low = min(low, total)
    upper = base + rows * columns
    for row in range(rows):
        total = 0.0
        for column in range(columns):
            total += shares[entry + rows + column] * values[upper + row * columns + column]
        high = max(high, total)
    return low, high


@kernel
def solve_floating(values: Reals, base: int, rows: int, columns: int, shares: Reals, entry: int) -> None:
    """Mixed choices for the middle of two matrices, by the simplex method behind them.

    Raised so that all entries are 1 or more, the game is worth 1 / the most that the sum of q >= 0 can be if no row is
    worth more than 1; the prices of the rows are the first player's choices.
    """
    size, width = rows * columns, rows + columns + 1
    least = np.inf
    for cell in range(base, base + size):
        least = min(least, (values[cell] + values[cell + size]) / 2)
    table, basis = base + 2 * size, base + 2 * size + (rows + 1) * width
    for row in range(rows + 1):
        for column in range(width):
            values[table + row * width + column] = 0.0
    for row in range(rows):
        for column in range(columns):
            cell = base + row * columns + column
            values[table + row * width + column] = (values[cell] + values[cell + size]) / 2 - least + 1.0
        values[table + row * width + columns + row] = 1.0
        values[table + row * width + width - 1] = 1.0
        values[basis + row] = columns + row
    price = table + rows * width
    for column in range(columns):
        values[price + column] = -1.0
    for pivots in range(2 * PATIENCE * (rows + columns)):
        enters, best = -1, -TINY
        for column in range(width - 1):
            if values[price + column] < best:
                enters, best = column, values[price + column]
                if pivots > PATIENCE * (rows + columns):
                    break
        if enters < 0:
            break
        leaves, ratio = -1, np.inf
        for row in range(rows):
            rises = values[table + row * width + enters]
            if rises > TINY:
                limit = values[table + row * width + width - 1] / rises
                if limit < ratio - TINY or (
                    limit < ratio + TINY and (leaves < 0 or values[basis + row] < values[basis + leaves])
                ):
                    leaves, ratio = row, min(limit, ratio)
        if leaves < 0:
            break
        values[basis + leaves] = enters
        pivot, scale = table + leaves * width, 1.0 / values[table + leaves * width + enters]
        for column in range(width):
            values[pivot + column] *= scale
        for row in range(rows + 1):
            factor = values[table + row * width + enters]
            if row != leaves and factor != 0.0:
                for column in range(width):
                    values[table + row * width + column] -= factor * values[pivot + column]
    for share in range(entry, entry + rows + columns):
        shares[share] = 0.0
    for row in range(rows):
        shares[entry + row] = max(values[price + columns + row], 0.0)
        variable = int(values[basis + row])
        if variable < columns:
            shares[entry + rows + variable] = max(values[table + row * width + width - 1], 0.0)
    normalise(shares, entry, rows)
    normalise(shares, entry + rows, columns)


@kernel
def normalise(shares: Reals, first: int, count: int) -> None:
    """Make numbers sum to 1."""
    total = 0.0
    for place in range(first, first + count):
        total += shares[place]
    for place in range(first, first + count):
        shares[place] = shares[place] / total if total > 0.0 else 1.0 / count


@kernel
def begin(game: Simultaneous, chains: State, stack: Stack) -> int:
    """Solve the whole game."""
    return visit(game, game.initial(), chains, MOST_PLIES, stack)


# -- the solver --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stacked:
    """The solution of a game with simultaneous moves."""

    low: float
    high: float
    """The value is between the two, up to rounding."""
    exact: Fraction | None
    """The value, if it is proved."""
    situations: int
    strategy: Strategy

    @property
    def exploitability(self) -> float:
        return max(0.0, (self.high - self.low) / 2)


def sees_all(game: Game) -> bool:
    """Whether two opponents choose at once, and declare to see the whole situation; solving it verifies that."""
    if not (isinstance(game, Simultaneous) and game.players == 2 and has_one_value(game)):
        return False
    if any(getattr(type(game), name) is not getattr(Simultaneous, name) for name in AT_ONCE):
        return False
    return type(game).seen is Simultaneous.seen or game.forgets


def solve_stacked(game: Game, is_stopped: IsStopped | None = None, **notes: Any) -> Stacked:
    """Solve a game with simultaneous moves by backward induction; Refused if it does not fit."""
    if not isinstance(game, Simultaneous) or game.players != 2 or not has_one_value(game):
        raise Refused(f"backward induction over matrices needs two opponents who choose at once; use cfr+ for {game}")
    if not sees_all(game):
        raise Refused(NOT_SEEN.format(game))
    stack = make_stack()
    chains = tuple(first_chain(player) for player in range(2))
    with stopping(stack, is_stopped):
        root = begin.run(game, chains, stack)
    check(is_stopped, game)
    if stack.trouble == FULL:
        raise Refused(f"{game} has more than {stack.sets:,} situations; too many for backward induction")
    if stack.trouble == ENDLESS:
        raise Refused(
            f"{game} can repeat a situation, or lasts more than {MOST_PLIES} rounds; backward induction needs an end"
        )
    if stack.trouble == UNSEEN:
        raise Refused(NOT_SEEN.format(game))
    if stack.trouble == UNLIKE:
        raise RulesError(f"{game} offers different choices after different choices of the other player")
    if stack.trouble == UNEQUAL:
        raise RulesError(NOT_ZERO.format(game))
    low, high = (float(contents(part, root + 1)[root]) for part in (stack.low, stack.high))
    decisions = int(np.count_nonzero(contents(stack.rows, stack.sets)))
    exact = Fractions(game, stack).solve(is_stopped) if decisions <= MOST_EXACT else None
    return Stacked(low, high, exact, stack.sets, make_strategy(game, stack, **notes))


def make_stack() -> Stack:
    """Room for the situations; memory that is not used costs nothing."""
    stack = Stack.allocate()
    parts: dict[str, Any] = {
        "table": Words.allocate(words_for(MOST_SITUATIONS)),
        "keys": Words.allocate(2 * MOST_SITUATIONS),
        **{name: Numbers.allocate(MOST_SITUATIONS) for name in ("rows", "columns", "first")},
        "shares": Reals.allocate(CHOICES_PER_SITUATION * MOST_SITUATIONS),
        **{name: Reals.allocate(MOST_SITUATIONS) for name in ("low", "high")},
        "scratch": Reals.allocate(SCRATCH),
    }
    for name, part in parts.items():
        setattr(stack, name, part)
        stack.keeps_alive.append(part)
    stack.slots, stack.most_sets = FIRST_SLOTS, MOST_SITUATIONS
    stack.most_entries = CHOICES_PER_SITUATION * MOST_SITUATIONS
    return stack


def make_strategy(game: Game, stack: Stack, **notes: Any) -> Strategy:
    """The mixed choices by what is seen now; earlier rounds do not matter."""
    sets = stack.sets
    rows, columns, first = (contents(part, sets) for part in (stack.rows, stack.columns, stack.first))
    keys, shares = contents(stack.keys, 2 * sets).reshape(sets, 2), contents(stack.shares, stack.entries)
    inner = np.flatnonzero(rows > 0)
    parts = []
    for player, count, begins in ((0, rows, first), (1, columns, first + rows)):
        own = inner[np.argsort(keys[inner, player])]
        starts = np.concatenate([[0], np.cumsum(count[own])]).astype(np.int64)
        entries = np.repeat(begins[own] - starts[:-1], count[own]) + np.arange(starts[-1])
        parts.append((keys[own, player], starts, shares[entries]))
    return Strategy.partial(game, parts, forgets=True, **notes)


# -- fractions ---------------------------------------------------------------------------------------------


class Fractions:
    """The same backward induction in fractions, led by the floating-point solution."""

    def __init__(self, game: Game, stack: Stack) -> None:
        self.game, self.stack = game, stack
        self.known: dict[State, Fraction] = {}

    def solve(self, is_stopped: IsStopped | None = None) -> Fraction | None:
        """The value; None if payoffs or chances are not simple fractions, or a fraction becomes too long."""
        waiting = [self.game.initial()]
        while waiting:
            state = waiting[-1]
            missing = [child for child in self.children(state) if child not in self.known]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            check(is_stopped, self.game)
            if state not in self.known:
                value = self.value(state)
                if value is None or value.denominator.bit_length() > MOST_BITS:
                    return None
                self.known[state] = value
        return self.known[self.game.initial()]

    def children(self, state: State) -> list[State]:
        """The situations that follow."""
        game = self.game
        if game.is_terminal(state):
            return []
        if game.to_move(state) == CHANCE:
            return [game.result(state, action) for action, chance in game.outcomes(state) if chance > 0]
        middles = [game.result(state, first) for first in game.actions(state)]
        return [game.result(middle, second) for middle in middles for second in game.actions(middle)]

    def value(self, state: State) -> Fraction | None:
        """The value of a situation, if those of its children are known."""
        if self.game.is_terminal(state):
            return simple_fraction(self.game.utility(state, 0))
        values = [self.known[child] for child in self.children(state)]
        if self.game.to_move(state) == CHANCE:
            chances = [simple_fraction(chance) for _, chance in self.game.outcomes(state) if chance > 0]
            known = [chance for chance in chances if chance is not None]
            if len(known) < len(chances) or sum(known) != 1:
                return None
            return sum((chance * value for chance, value in zip(known, values, strict=True)), Fraction(0))
        here = self.stack.find(mix(hash_numbers(state)) | U64(1))
        rows, columns, entry = (part[here] for part in (self.stack.rows, self.stack.columns, self.stack.first))
        matrix = [values[row * columns : (row + 1) * columns] for row in range(rows)]
        shares = [self.stack.shares[place] for place in range(entry, entry + rows + columns)]
        return value_by_support(matrix, shares[:rows], shares[rows:])


def value_by_support(matrix: list[list[Fraction]], first: Sequence[float], second: Sequence[float]) -> Fraction:
    """The value of a matrix, verified: what both use in floating point, as equations; otherwise a linear programme."""
    rows = [row for row, share in enumerate(first) if share > SMALL]
    columns = [column for column, share in enumerate(second) if share > SMALL]
    if len(rows) == len(columns):
        part = [[matrix[row][column] for column in columns] for row in rows]
        mine, theirs = indifferent(list(zip(*part, strict=True))), indifferent(part)
        if mine is not None and theirs is not None:
            one, other = spread(mine, rows, len(matrix)), spread(theirs, columns, len(matrix[0]))
            best = max(action_values(matrix, other))
            if best == -max(action_values(for_columns(matrix), one)):
                return Fraction(best)
    return solve_matrix(tuple(map(tuple, matrix))).value
