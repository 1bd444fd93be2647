"""Games that a careless or hostile user might write. Most keep the contract nearly everywhere, not in a rare position.

`SOUND` games have a value, which every exact answer must have; `WRONG` ones must be refused with a sentence.
"""

import functools
import math
import sys

import numpy as np

from zermelo import CHANCE, Game, replace_item
from zermelo.kernel import kernel

DEPTH, WIDTH = 5, 3


class Plain(Game):
    """Five plies, three moves each; the sum of what was played decides."""

    def initial(self):
        return (0, 0)

    def to_move(self, state):
        return state[0] % 2

    def actions(self, state):
        if state[0] < DEPTH:
            for action in range(WIDTH):  # noqa: UP028 - `yield from` does not compile
                yield action

    def result(self, state, action):
        return (state[0] + 1, state[1] * WIDTH + action)

    def utility(self, state, player):
        return (1 if state[1] * 7 % 5 < 2 else -1) * (1 if player == 0 else -1)


def _is_rare(state):
    """One line in 81."""
    return state[0] == 4 and state[1] == 0


# -- numbers ------------------------------------------------------------------------------------------


class BigStates(Plain):
    """Products beyond 64 bits at the end."""

    def initial(self):
        return (0, 1)

    def result(self, state, action):
        return (state[0] + 1, state[1] * (10_007, 99_991, 65_537)[action])

    def utility(self, state, player):
        return (1 if state[1] % 11 < 6 else -1) * (1 if player == 0 else -1)


class BigMoves(Plain):
    """Moves that need 70 bits, in some positions."""

    def actions(self, state):
        if state[0] < DEPTH:
            yield 1
            yield 2 + (state[1] << 60)

    def result(self, state, action):
        return (state[0] + 1, state[1] * 5 + action % 7)


class FarMoves(Plain):
    """Moves at both ends of 64 bits."""

    def actions(self, state):
        if state[0] < DEPTH:
            yield -(1 << 62)
            yield -1
            yield (1 << 62) + 1

    def result(self, state, action):
        return (state[0] + 1, state[1] * 3 + action % 7)


class BitBoard(Game):
    """Dominoes on a strip of 70 squares of which the last nine are free; who cannot place one loses."""

    def initial(self):
        return ((1 << 61) - 1, 0)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        for cell in range(69):
            if not state[0] & (3 << cell):
                yield cell

    def result(self, state, action):
        return (state[0] | (3 << action), 1 - state[1])

    def utility(self, state, player):
        return -1 if player == state[1] else 1


class BigSum(Plain):
    """Not the state but an intermediate result leaves 64 bits."""

    def utility(self, state, player):
        return (1 if (state[1] << 62) // 3 % 5 < 2 else -1) * (1 if player == 0 else -1)


class Divides(Plain):
    def result(self, state, action):
        code = state[1] * WIDTH + action
        return (state[0] + 1, code // (0 if _is_rare(state) else 1))


class NotANumber(Plain):
    def utility(self, state, player):
        if state[1] == 0:
            return math.nan
        return (1 if state[1] * 7 % 5 < 2 else -1) * (1 if player == 0 else -1)


class Infinite(NotANumber):
    def utility(self, state, player):
        if state[1] == 0:
            return math.inf if player == 0 else -math.inf
        return (1 if state[1] * 7 % 5 < 2 else -1) * (1 if player == 0 else -1)


class TooMuch(NotANumber):
    """A payoff outside utility_range."""

    def utility(self, state, player):
        if state[1] == 0:
            return 5 if player == 0 else -5
        return (1 if state[1] * 7 % 5 < 2 else -1) * (1 if player == 0 else -1)


# -- indices and players --------------------------------------------------------------------------------


class ReadsBeyond(Plain):
    """A table of numpy, read beyond its end."""

    def __init__(self):
        self.table = np.zeros(8, np.int64)

    def result(self, state, action):
        code = state[1] * WIDTH + action
        return (state[0] + 1, code + self.table[1 << 20 if _is_rare(state) else 0])


class WritesBeyond(Plain):
    """A scratch array of numpy, written far beyond its end."""

    def result(self, state, action):
        scratch = np.zeros(8, np.int64)
        scratch[1 << 40 if _is_rare(state) else action] = 1
        return (state[0] + 1, state[1] * WIDTH + action)


class TupleBeyond(Plain):
    def result(self, state, action):
        return (state[0] + 1, state[1] * WIDTH + (0, 1, 2)[action + 9 if _is_rare(state) else action])


class ReplacesBeyond(Plain):
    def result(self, state, action):
        made = replace_item(state, 9 if _is_rare(state) else 1, state[1] * WIDTH + action)
        return replace_item(made, 0, state[0] + 1)


class StrangeMover(Plain):
    def to_move(self, state):
        return 1 << 40 if _is_rare(state) else state[0] % 2


class SlightlyStrangeMover(Plain):
    def to_move(self, state):
        return 2 if _is_rare(state) else state[0] % 2


class StrangeMoverOfThree(Plain):
    players = 3
    zero_sum = False
    utility_range = (0, 2)

    def to_move(self, state):
        return 1 << 40 if _is_rare(state) else state[0] % 3

    def utility(self, state, player):
        return (state[1] + player) % 3


class StrangeMoverWithDice(Plain):
    chance = True

    def to_move(self, state):
        return -(1 << 40) if _is_rare(state) else (0, CHANCE, 1, CHANCE, 0)[state[0] % 5]


class StrangeChances(Plain):
    chance = True

    def to_move(self, state):
        return (0, CHANCE, 1, CHANCE, CHANCE)[state[0] % 5]

    def outcomes(self, state):
        for action in range(WIDTH):
            yield action, 0.3 if _is_rare(state) else 1 / WIDTH


# -- types ---------------------------------------------------------------------------------------------


class Flag(Plain):
    """The first state has another type than the later ones."""

    def initial(self):
        return (0, 0, False)

    def result(self, state, action):
        return (state[0] + 1, state[1] * WIDTH + action, True)


class Halves(Plain):
    def initial(self):
        return (0, 0)

    def result(self, state, action):
        return (state[0] + 1, state[1] * WIDTH + action + 0.5 - 0.5)


class Grows(Plain):
    """The state is the list of moves."""

    def initial(self):
        return ()

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        return range(WIDTH) if len(state) < DEPTH else ()

    def result(self, state, action):
        return state + (action,)

    def utility(self, state, player):
        return (1 if sum(state) % 3 == 0 else -1) * (1 if player == 0 else -1)


class Moves(Plain):
    """Items wander between two tuples; the numbers are the same, in the same order."""

    def initial(self):
        return ((), (1, 2, 3, 4))

    def to_move(self, state):
        return 0

    def actions(self, state):
        return range(1, len(state[1]) + 1) if not state[0] else ()

    def result(self, state, action):
        return (state[1][:action], state[1][action:])

    def utility(self, state, player):
        return (1 if len(state[0]) == 3 else -1) * (1 if player == 0 else -1)


class Words(Plain):
    """Texts as states and moves."""

    def initial(self):
        return ""

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        return "<>&" if len(state) < DEPTH else ""

    def result(self, state, action):
        return state + action

    def utility(self, state, player):
        return (1 if state.count("<") % 3 == 0 else -1) * (1 if player == 0 else -1)


class RareFraction(Plain):
    """A move that is not a whole number, in a rare position."""

    def actions(self, state):
        if state[0] < DEPTH:
            yield 0
            yield 1.5 if _is_rare(state) else 1

    def result(self, state, action):
        return (state[0] + 1, state[1] * WIDTH + int(action))


class RareNone(Plain):
    def result(self, state, action):
        return None if _is_rare(state) else (state[0] + 1, state[1] * WIDTH + action)


# -- sizes ---------------------------------------------------------------------------------------------


class Wide(Plain):
    """A thousand moves, then three."""

    def actions(self, state):
        if state[0] < 2:
            for action in range(3 if state[0] else 1000):  # noqa: UP028 - `yield from` does not compile
                yield action

    def result(self, state, action):
        return (state[0] + 1, state[1] + action)

    def utility(self, state, player):
        return (1 if state[1] >= 999 else -1) * (1 if player == 0 else -1)


class TooWide(Plain):
    """More moves than a search has room for."""

    def actions(self, state):
        if state[0] < 1:
            for action in range(70_000):  # noqa: UP028 - `yield from` does not compile
                yield action

    def result(self, state, action):
        return (state[0] + 1, action)

    def utility(self, state, player):
        return (1 if state[1] == 69_999 else -1) * (1 if player == 0 else -1)


class Long(Plain):
    """Twenty thousand forced plies."""

    def actions(self, state):
        if state[0] < 20_000:
            yield 0

    def result(self, state, action):
        return (state[0] + 1, 0)


class Endless(Plain):
    """A forced line without end."""

    def actions(self, state):
        yield 0

    def result(self, state, action):
        return (state[0] + 1, 0)


# -- manners -------------------------------------------------------------------------------------------


class Raises(Plain):
    def result(self, state, action):
        if _is_rare(state):
            raise KeyError("nothing here")
        return (state[0] + 1, state[1] * WIDTH + action)


class Leaves(Plain):
    def utility(self, state, player):
        if state[1] == 0:
            sys.exit(3)
        return 1 if player == 0 else -1


class Interrupts(Plain):
    def utility(self, state, player):
        if state[1] == 0:
            raise KeyboardInterrupt
        return 1 if player == 0 else -1


class Recurses(Plain):
    def utility(self, state, player):
        def down(number):
            return down(number + 1)

        return down(0)


@kernel
def _down(number: int) -> int:
    return 0 if number == 0 else _down(number - 1) + 1


class RecursesCompiled(Plain):
    """A kernel of the user's own may call itself; here it does so without end, in a rare position."""

    def utility(self, state, player):
        if state[1] < WIDTH and _down(-1) == 0:
            return 0
        return (1 if state[1] * 7 % 5 < 2 else -1) * (1 if player == 0 else -1)


class NoWayOn(Plain):
    """Not over, and no move."""

    def is_terminal(self, state):
        return state[0] >= DEPTH

    def actions(self, state):
        if state[0] < DEPTH and not _is_rare(state):
            for action in range(WIDTH):  # noqa: UP028 - `yield from` does not compile
                yield action


class NoPlayers(Plain):
    players = 0


class ManyPlayers(Plain):
    players = 65
    zero_sum = False
    utility_range = (0, 2)

    def utility(self, state, player):
        return (state[1] + player) % 3


class WrongRange(Plain):
    utility_range = (1, -1)


class HugeRange(Plain):
    utility_range = (-1e308, 1e308)

    def utility(self, state, player):
        return (1e308 if state[1] * 7 % 5 < 2 else -1e308) * (1 if player == 0 else -1)


class TinyRange(Plain):
    utility_range = (-1e-300, 1e-300)

    def utility(self, state, player):
        return (1e-300 if state[1] * 7 % 5 < 2 else -1e-300) * (1 if player == 0 else -1)


def value(game):
    """The value for the first player, by recursion over the rules as Python runs them."""

    @functools.cache
    def best(state):
        if game.is_terminal(state):
            return game.utility(state, 0)
        found = [best(game.result(state, action)) for action in game.actions(state)]
        return max(found) if game.to_move(state) == 0 else min(found)

    return best(game.initial())


SOUND = (Plain, BigStates, BigMoves, FarMoves, BitBoard, BigSum, Flag, Halves, Grows, Moves, Words, RareFraction)
SOUND += (Wide, HugeRange, TinyRange)
"""Games with a value, which every exact answer must have."""
WRONG = (Divides, NotANumber, Infinite, TooMuch, ReadsBeyond, WritesBeyond, TupleBeyond, ReplacesBeyond, StrangeMover)
WRONG += (SlightlyStrangeMover, StrangeMoverOfThree, StrangeMoverWithDice, StrangeChances, RareNone, Raises, Leaves)
WRONG += (Interrupts, Recurses, RecursesCompiled, NoWayOn, NoPlayers, ManyPlayers, WrongRange)
"""Games without a value: a search of the whole game must report that."""
LARGE = (TooWide, Long, Endless)
