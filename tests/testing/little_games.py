"""Small games that keep the contract; the tests break one thing at a time."""

from typing import NamedTuple

from zermelo.core.errors import BadPosition
from zermelo.core.game import CHANCE, Game
from zermelo.core.picture import Card, Hand, Hands, Piles
from zermelo.kernel import U64, draw_below, popcount, state
from zermelo.testing import check

FIRST, SECOND = 0, 1


def failed(game, **options):
    """The names of the checks that fail, with their sentences."""
    return {found.name: found.detail for found in check(game, **{"games": 10, **options}).failures}


@state
class Heap(NamedTuple):
    left: int
    player: int


class Take(Game):
    """Take one or two counters from a heap of five; the player who takes the last one wins."""

    def initial(self):
        return Heap(5, FIRST)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        for count in range(1, min(2, state.left) + 1):  # noqa: UP028 - `yield from` does not compile
            yield count

    def result(self, state, action):
        return Heap(state.left - action, 1 - state.player)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        return -1 if player == state.player else 1


class KnowingTake(Take):
    """Take, with all that a game can know about itself."""

    seats = ("Anna", "Bert")
    perft_table = {"": (2, 4, 7, 5, 1, 0), "2,1": (2, 1, 0)}

    def is_lost(self, state):
        return state.left % 3 == 0

    def evaluate(self, state, player):
        return 0.5 if self.is_lost(state) != (player == state.player) else -0.5

    def order(self, state, action):
        return 1.0 if (state.left - action) % 3 == 0 else 0.0

    def is_noisy(self, state, action):
        """It takes all."""
        return action == state.left

    def noisy_actions(self, state):
        if state.left <= 2:
            yield state.left

    def gain(self, state, action):
        return 1.5

    def exchange(self, state, action):
        return 1.5

    def is_threatened(self, state):
        """The opponent could take all."""
        return state.left <= 2

    def may_pass(self, state):
        return not self.is_lost(state)

    def after_pass(self, state):
        return Heap(state.left, 1 - state.player)

    def candidates(self, state):
        """A move that leaves a multiple of three, if there is one."""
        return range(1, 3) if self.is_lost(state) else range(state.left % 3, state.left % 3 + 1)

    def is_nearly_over(self, state):
        return state.left <= 3

    def prior(self, state, last, action):
        return 2.0 if (state.left - action) % 3 == 0 else 1.0

    def sample(self, state, last, luck):
        """The move that leaves a multiple of three; a lost player answers as the other did, or takes one or two."""
        best = state.left % 3
        if best > 0:
            return best
        return last if last == 2 else 1 + (popcount(luck) & 1)

    def bank(self, state, player):
        """Nothing is won before the end."""
        return 0

    def count(self, state):
        return min(2, state.left)

    def repetition_key(self, state):
        """A game without a clock."""
        return state

    def key(self, state):
        return U64(2 * state.left + state.player)

    def bounds(self, state, player):
        value = 1 if self.is_lost(state) != (player == state.player) else -1
        return (value, value)

    def picture(self, state):
        return Piles((state.left,), ("heap",), {str(count): (0,) for count in self.actions(state)})


@state
class Heaps(NamedTuple):
    one: int
    other: int
    player: int


class TwoHeaps(Game):
    """Take one or two counters from one of two heaps; the player who takes the last one wins.

    An action is 2 * heap + count - 1.
    """

    def initial(self):
        return Heaps(3, 2, FIRST)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        for heap in range(2):
            for count in range(1, min(2, state[heap]) + 1):
                yield 2 * heap + count - 1

    def result(self, state, action):
        count = action % 2 + 1
        if action < 2:
            return Heaps(state.one - count, state.other, 1 - state.player)
        return Heaps(state.one, state.other - count, 1 - state.player)

    def utility(self, state, player):
        return -1 if player == state.player else 1

    def canonical(self, state):
        return Heaps(min(state[:2]), max(state[:2]), state.player)


@state
class Toss(NamedTuple):
    score: int
    tosses: int
    is_flying: bool


class Coin(Game):
    """One player tosses a coin, three times at most, and may stop at any time; heads count one, tails lose all."""

    players, zero_sum, chance, utility_range = 1, False, True, (0, 3)

    def initial(self):
        return Toss(0, 0, False)

    def to_move(self, state):
        return CHANCE if state.is_flying else 0

    def actions(self, state):
        if state.tosses < 3:
            yield 0
            yield 1

    def result(self, state, action):
        if not state.is_flying:
            return Toss(state.score, state.tosses, True) if action else Toss(state.score, 3, False)
        return Toss(state.score + 1 if action else 0, state.tosses + 1, False)

    def is_terminal(self, state):
        return state.tosses == 3

    def outcomes(self, state):
        yield 0, 0.4
        yield 1, 0.6

    def utility(self, state, player):
        return state.score


@state
class Deal(NamedTuple):
    cards: tuple[int, ...]
    line: tuple[int, ...]


NONE = -1
PASS, BET = 0, 1


class HighCard(Game):
    """Poker with three cards and one chip each: pass or bet one more; after a bet, pass is to fold [Kuhn 1950]."""

    chance = hidden = True
    utility_range = (-2, 2)

    def initial(self):
        return Deal((NONE, NONE), (NONE, NONE, NONE))

    def to_move(self, state):
        if NONE in state.cards:
            return CHANCE
        return self.moves_made(state) % 2

    def moves_made(self, state):
        return sum(move != NONE for move in state.line)

    def actions(self, state):
        if NONE in state.cards:
            yield from (card for card in range(3) if card not in state.cards)
        elif not self.is_over(state.line):
            yield PASS
            yield BET

    def is_over(self, line):
        return line[:2] in ((PASS, PASS), (BET, PASS), (BET, BET)) or line[2] != NONE

    def result(self, state, action):
        if NONE in state.cards:
            return Deal(with_next(state.cards, action), state.line)
        return Deal(state.cards, with_next(state.line, action))

    def utility(self, state, player):
        line = tuple(move for move in state.line if move != NONE)
        high = 0 if state.cards[0] > state.cards[1] else 1
        if line[-1] == PASS and BET in line:
            winner, stake = 1 - (len(line) - 1) % 2, 1
        else:
            winner, stake = high, 2 if BET in line else 1
        return stake if player == winner else -stake

    def format_state(self, state):
        """The two cards and the moves: `20 pb-`."""
        return "".join("012-"[card] for card in state.cards) + " " + "".join("pb-"[move] for move in state.line)

    def parse_state(self, text):
        cards, _, line = text.partition(" ")
        if len(cards) != 2 or len(line) != 3 or set(cards) - set("012-") or set(line) - set("pb-"):
            raise BadPosition(f"{text!r} is no deal; the start is '-- ---'")
        return Deal(tuple("-012".index(card) - 1 for card in cards), tuple("-pb".index(move) - 1 for move in line))

    def view(self, state, player):
        return state.cards[player], state.line

    def worlds(self, view, player, luck):
        mine, line = view
        other = (mine + 1 + draw_below(luck, 2)) % 3
        return Deal((mine, other) if player == FIRST else (other, mine), line)


class ShownCard(HighCard):
    """The same with a picture of what a player has seen."""

    def view_picture(self, view, player):
        mine, line = view
        hand = Hand("mine", () if mine == NONE else (Card(str(mine)),), player)
        return Hands((hand,), touches={} if self.is_over(line) else {"0": (), "1": (0,)})


def with_next(items, item):
    place = items.index(NONE)
    return (*items[:place], item, *items[place + 1 :])


@state
class Memory(NamedTuple):
    first: int
    second: int


class Absent(Game):
    """Choose left or right, twice; the same choice twice wins."""

    players, zero_sum, hidden, utility_range = 1, False, True, (0, 1)

    def initial(self):
        return Memory(NONE, NONE)

    def to_move(self, state):
        return 0

    def actions(self, state):
        if state.second == NONE:
            yield 0
            yield 1

    def result(self, state, action):
        return Memory(action, NONE) if state.first == NONE else Memory(state.first, action)

    def utility(self, state, player):
        return 1 if state.first == state.second else 0

    def view(self, state, player):
        """Forgets the first choice."""
        return state.first == NONE

    def worlds(self, view, player, luck):
        return Memory(NONE if view else draw_below(luck, 2), NONE)


class PlainNotation(Take):
    """Take, with a notation of its own: `3 a`."""

    def format_action(self, state, action):
        return "ab"[action - 1]

    def format_state(self, state):
        return f"{state.left} {'ab'[state.player]}"

    def parse_state(self, text):
        left, _, side = text.partition(" ")
        if not left.isdigit() or side not in ("a", "b"):
            raise BadPosition(f"{text!r} is no heap; the start is '5 a'")
        return Heap(int(left), "ab".index(side))
