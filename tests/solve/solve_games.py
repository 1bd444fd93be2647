"""Little games for the solver's tests, and references that know nothing of it."""

from typing import NamedTuple

from trees import Inner
from zermelo.core.game import CHANCE, Game, legal_actions
from zermelo.core.meter import Meter
from zermelo.core.referee import Referee
from zermelo.kernel import state
from zermelo.solve.plain import PlainInduction

SUBTRACT, RING, STUCK, CHAIN, WIDE = range(5)
WIDTH = 2000


@state
class Spot(NamedTuple):
    room: int
    here: int
    player: int


class Zoo(Game):
    """One game with many rooms, so that one compilation serves all; a position says in which room it is.

    SUBTRACT    take one, two or three counters; who takes the last one wins
    RING        step left or right on a ring, for ever
    STUCK       take counters one by one; at none there is no move, yet it is not over
    CHAIN       a single move at every turn; who makes the last one wins
    WIDE        2,000 moves; all but the last lead to a chain that the opponent wins
    """

    def initial(self):
        return Spot(SUBTRACT, 5, 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        if state.room == SUBTRACT:
            for count in range(1, min(state.here, 3) + 1):  # noqa: UP028 - `yield from` does not compile
                yield count
        elif state.room == RING:
            yield 1
            yield -1
        elif state.room == WIDE:
            for number in range(WIDTH):  # noqa: UP028 - `yield from` does not compile
                yield number
        elif state.here > 0:
            yield 1

    def result(self, state, action):
        if state.room == RING:
            return Spot(RING, (state.here + action) % 12, 1 - state.player)
        if state.room == WIDE and action < WIDTH - 1:
            return Spot(CHAIN, 2 * (state.here // 2) + 1, 1 - state.player)
        if state.room == WIDE:
            return Spot(WIDE, state.here - 1, 1 - state.player)
        return Spot(state.room, state.here - action, 1 - state.player)

    def is_terminal(self, state):
        return state.here == 0 and state.room != RING and state.room != STUCK

    def utility(self, state, player):
        return -1 if player == state.player else 1


class DiceZoo(Zoo):
    """The same rooms, with dice that choose where an odd number of counters is left."""

    chance = True

    def to_move(self, state):
        return CHANCE if state.here % 2 == 1 else state.player


class Letters(Game):
    """Take one or two letters from a word; who takes the last one wins. A state with a text in it does not compile."""

    def initial(self):
        return "abcde", 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(2, len(state[0])) + 1)

    def result(self, state, action):
        return state[0][action:], 1 - state[1]

    def is_terminal(self, state):
        return state[0] == ""

    def utility(self, state, player):
        return -1 if player == state[1] else 1


def random_states(game, rng, plies, count):
    """Positions that are not over, after random moves of everybody."""
    found = []
    while len(found) < count:
        state = game.initial()
        for _ in range(rng.randint(*plies)):
            moves = list(legal_actions(game, state))
            if not moves:
                break
            state = game.result(state, rng.choice(moves))
        if not game.is_terminal(state):
            found.append(state)
    return found


def twin(game):
    """The slow twin: a function from states to what is known of them."""
    return PlainInduction(game, Meter.allocate()).solve


def values_along(game, state, line, solution):
    """The payoffs in every position of a line, and whether its end is the end of the game."""
    referee = Referee(game, state)
    found = [solution(referee.state).payoffs]
    for move in line:
        referee.play_text(move)
        found.append(solution(referee.state).payoffs)
    return found, referee.is_over


def judged(tree):
    """Value and plies to the end of a tree without dice; who is ahead hurries, who is behind delays."""
    if not isinstance(tree, Inner):
        return tree, 0
    sign = 1 if tree.kind == "max" else -1

    def liking(found):
        value, plies = found
        return sign * value, plies if sign * value < 0 else -plies if sign * value > 0 else 0

    value, plies = max((judged(child) for child in tree.children), key=liking)
    return value, plies + 1


def even_dice(tree):
    """The tree with dice of one, two or four equal faces: means of whole numbers are exact, and ties stay ties."""
    if not isinstance(tree, Inner):
        return tree
    children = tuple(map(even_dice, tree.children))
    return Inner(tree.kind, children[:2] if tree.kind == "chance" and len(children) == 3 else children)
