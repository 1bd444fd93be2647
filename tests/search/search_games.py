"""Little games for the tests of searches."""

import random

from zermelo.core.game import Game, legal_actions
from zermelo.kernel import draw_below


def random_states(game, seed, plies, count):
    """Positions where a player has to move, after random moves of everybody."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        state = game.initial()
        for _ in range(rng.randint(*plies)):
            moves = list(legal_actions(game, state))
            if not moves:
                break
            state = game.result(state, rng.choice(moves))
        if not game.is_terminal(state) and game.to_move(state) >= 0:
            found.append(state)
    return found


class Merry(Game):
    """Round and round: left or right on a ring of twelve, for ever."""

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        yield 1
        yield 11

    def result(self, state, action):
        return (state + action) % 12

    def is_terminal(self, state):
        return state < 0

    def utility(self, state, player):
        return 0


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


class Showdown(Game):
    """Each player holds a card from 1 to 5. The first folds and loses 1, or plays and the higher card wins 2.

    A state is (first card, second card, what the first did); an opponent's card that must not be looked at is `Secret`.
    """

    hidden = True
    utility_range = (-2, 2)
    FOLD, PLAY = 0, 1

    def initial(self):
        return 3, 4, None

    def to_move(self, state):
        return 0

    def actions(self, state):
        return [] if state[2] is not None else [self.FOLD, self.PLAY]

    def result(self, state, action):
        return state[0], state[1], action

    def is_terminal(self, state):
        return state[2] is not None

    def utility(self, state, player):
        own = -1 if state[2] == self.FOLD else 2 if state[0] > state[1] else -2
        return own if player == 0 else -own

    def view(self, state, player):
        return state[player], state[2]

    def worlds(self, view, player, luck):
        other = 1 + (view[0] + draw_below(luck, 4)) % 5
        return (view[0], other, view[1]) if player == 0 else (other, view[0], view[1])

    def format_action(self, state, action):
        assert not isinstance(state[1], Secret)
        return ("fold", "play")[action]

    def format_state(self, state):
        return f"{state[0]}-{state[1]}"


class Secret:
    """Whoever looks at it is caught."""

    def __getattribute__(self, name):
        raise AssertionError("the search looked at what is hidden")

    __eq__ = __lt__ = __gt__ = __hash__ = __str__ = __repr__ = __getattribute__
