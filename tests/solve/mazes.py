"""Games in which positions repeat, and what they are worth by trying everything with the referee."""

import random
from typing import NamedTuple

from zermelo.core.game import Game
from zermelo.core.repetition import Repetition
from zermelo.kernel import state

PRIME = 2147483647
ALTERNATE, OWNED, POSITIONAL, CLOCKED = range(4)


class Maze(Game):
    """Rooms with doors; both players move the same token, and some rooms end the game."""

    def __init__(self, seed, rule):
        rng = random.Random(seed)
        self.repetition = rule
        self.doors = {
            (room, player): sorted(rng.sample(range(9), rng.randint(1, 3))) for room in range(6) for player in (0, 1)
        }

    def initial(self):
        return 0, 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        if state[0] < 6:
            yield from self.doors[state]

    def result(self, state, action):
        return action, 1 - state[1]

    def is_terminal(self, state):
        return state[0] >= 6

    def utility(self, state, player):
        return (state[0] - 7) * (1 if player == 0 else -1)


class Rooms(Game):
    """Where the doors of each room lead, and who moves there; a number instead is the first player's payoff."""

    def __init__(self, doors, movers, rule):
        self.doors, self.movers, self.repetition = doors, movers, rule

    def initial(self):
        return next(iter(self.doors))

    def to_move(self, state):
        return self.movers[state]

    def actions(self, state):
        if not self.is_terminal(state):
            yield from range(len(self.doors[state]))

    def result(self, state, action):
        return self.doors[state][action]

    def is_terminal(self, state):
        return not isinstance(self.doors[state], str)

    def utility(self, state, player):
        return self.doors[state] * (1 if player == 0 else -1)


class TimedRooms(Rooms):
    """Play ends after a number of plies, with the payoff of the room; repetitions do not look at the clock.

    `repetition_key` sets the clock to `still`, which may be any time.
    """

    def __init__(self, doors, movers, pays, end, still, rule):
        super().__init__(doors, movers, rule)
        self.pays, self.end, self.still = pays, end, still

    def initial(self):
        return next(iter(self.doors)), 0

    def to_move(self, state):
        return self.movers[state[0]]

    def actions(self, state):
        if not self.is_terminal(state):
            yield from range(len(self.doors[state[0]]))

    def result(self, state, action):
        return self.doors[state[0]][action], state[1] + 1

    def is_terminal(self, state):
        return state[1] >= self.end

    def utility(self, state, player):
        return self.pays[state[0]] * (1 if player == 0 else -1)

    def repetition_key(self, state):
        return state[0], self.still


def drawn(seed, room, salt):
    """A number that looks random."""
    word = (seed * 31 + room * 9176 + salt * 7919 + 12345) % PRIME
    word = word * 48271 % PRIME
    word = (word + 17 * salt + room) * 48271 % PRIME
    return word * 48271 % PRIME


@state
class Place(NamedTuple):
    seed: int
    room: int
    player: int
    plies: int


class Labyrinth(Game):
    """All small mazes in one game, so that it is compiled once: a position says in which maze it is.

    The players alternate (ALTERNATE), each room belongs to one of them (OWNED), rooms count as repeated whoever is to
    move (POSITIONAL), or play ends after a few plies, which do not count as part of the position (CLOCKED).
    """

    repetition = Repetition.FORBIDDEN

    def start(self, seed):
        return Place(seed, 0, 0, 0)

    def initial(self):
        return self.start(1)

    def kind(self, seed):
        return drawn(seed, 0, 1) % 4

    def rooms(self, seed):
        return 2 + drawn(seed, 0, 2) % 6

    def to_move(self, state):
        return drawn(state.seed, state.room, 3) % 2 if self.kind(state.seed) == OWNED else state.player

    def actions(self, state):
        if not self.is_terminal(state):
            for door in range(1 + drawn(state.seed, state.room, 4 + state.player) % 3):  # noqa: UP028 - to compile
                yield door

    def result(self, state, action):
        seed, kind = state.seed, self.kind(state.seed)
        room = drawn(seed, state.room, 10 + 2 * action + state.player) % (self.rooms(seed) + 1 + drawn(seed, 0, 6) % 3)
        return Place(seed, room, 0 if kind == OWNED else 1 - state.player, state.plies + 1 if kind == CLOCKED else 0)

    def is_terminal(self, state):
        return state.room >= self.rooms(state.seed) or state.plies >= 3 + drawn(state.seed, 0, 7) % 7

    def utility(self, state, player):
        payoff = drawn(state.seed, state.room, 8) % 3 - 1
        return payoff if player == 0 else -payoff

    def repetition_key(self, state):
        if self.kind(state.seed) == POSITIONAL:
            return Place(state.seed, state.room, 0, 0)
        return Place(state.seed, state.room, state.player, 0)


class DrawAtTwo(Labyrinth):
    repetition = Repetition.DRAW_AT_TWO


class DrawAtThree(Labyrinth):
    repetition = Repetition.DRAW_AT_THREE


class Timeless(Labyrinth):
    """Positions are whole states, and the game is drawn when one comes for the third time."""

    repetition = Repetition.DRAW_AT_THREE

    def kind(self, seed):
        return drawn(seed, 0, 1) % 2

    repetition_key = Game.repetition_key


class HalfPoints(Labyrinth):
    """Nobody gets nothing: the least payoffs are half a point."""

    margins = True
    utility_range = (-1.5, 1.5)

    def utility(self, state, player):
        payoff = drawn(state.seed, state.room, 8) % 4 - 1.5
        return payoff if player == 0 else -payoff


LABYRINTHS = [Labyrinth, DrawAtTwo, DrawAtThree, Timeless, HalfPoints]


class TooLarge(Exception):
    """There are too many combinations to try."""


def brute_force(referee, budget=10**9):
    """Minimax over everything that can happen, with the referee's own idea of the rules; the first player's value."""
    return _tried(referee, [budget])


def _tried(referee, budget):
    budget[0] -= 1
    if budget[0] < 0:
        raise TooLarge
    if referee.is_over:
        return referee.utilities()[0]
    values = []
    for action in referee.legal():
        referee.play(action)
        values.append(_tried(referee, budget))
        referee.undo()
    return max(values) if referee.to_move == 0 else min(values)
