"""Little games for tests of the compiler: quick to compile, easy to count."""

from typing import NamedTuple

from zermelo.core.game import Game
from zermelo.kernel import U64, bit, bits, kernel, popcount, state


@state
class Heap(NamedTuple):
    left: int
    player: int


class Take(Game):
    """Take one to `most` stones; who takes the last one wins."""

    def __init__(self, stones=7, most=3):
        self.stones, self.most = stones, most

    def initial(self):
        return Heap(self.stones, 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        for stones in range(1, self.most + 1):
            if stones <= state.left:
                yield stones

    def result(self, state, action):
        return Heap(state.left - action, 1 - state.player)

    def utility(self, state, player):
        return -1 if player == state.player else 1


@state
class Lamps(NamedTuple):
    burning: U64
    ply: int


class Switch(Game):
    """Put out one burning lamp after the other; words and bits in every rule."""

    def __init__(self, lamps=5):
        self.lamps = U64((1 << lamps) - 1)

    def initial(self):
        return Lamps(self.lamps, 0)

    def to_move(self, state):
        return state.ply % 2

    def actions(self, state):
        for lamp in bits(state.burning):  # noqa: UP028 - `yield from` does not compile
            yield lamp

    def result(self, state, action):
        return Lamps(state.burning & ~bit(action), state.ply + 1)

    def utility(self, state, player):
        return 1 if popcount(state.burning) % 2 == player else -1


@kernel
def lines(game: Game, state: NamedTuple, depth: int) -> int:
    """How many lines of play there are, to the end or to the depth."""
    if depth == 0 or game.is_terminal(state):
        return 1
    total = 0
    for action in game.actions(state):
        total += lines(game, game.result(state, action), depth - 1)
    return total


@kernel
def width(game: Game, state: NamedTuple) -> int:
    """How many moves there are to choose from along the line of first moves."""
    total = 0
    while not game.is_terminal(state):
        first = -1
        for action in game.actions(state):
            total += 1
            if first < 0:
                first = action
        state = game.result(state, first)
    return total


def lines_of_take(stones, most):
    """The same for `Take`, without the game: compositions of the number of stones."""
    return 1 if stones == 0 else sum(lines_of_take(stones - taken, most) for taken in range(1, min(most, stones) + 1))
