"""Kuhn poker: three cards, two players, one bluff. A model for your own game with hidden cards.

    J Q K    Both players ante a chip and get a card that the other does not see. The first checks or bets a second
             chip; a player who faces a bet folds or calls. Then the higher card takes all.

python examples/kuhn.py             what the game is worth, in exact fractions
zermelo play examples/kuhn.py       a game against the computer; also serve, check, match

[Kuhn, "A simplified two-person poker", 1950]
"""

from fractions import Fraction
from itertools import product
from typing import NamedTuple

from zermelo import CHANCE, Card, Game, Hand, Hands, draw_below, state

RANKS = "JQK"
NOT_DEALT, UNSEEN = -1, -2
PASS, BET = 1, 2


@state
class Deal(NamedTuple):
    first: int
    """The card of the first player: 0, 1, 2 for J, Q, K; NOT_DEALT before that, UNSEEN in the other's view."""
    second: int
    moves: int
    """As digits: 12 is a check (PASS) and then a bet (BET)."""


class Kuhn(Game):
    """Check or bet one chip, fold or call; the higher of two cards wins."""

    chance = hidden = True
    utility_range = (-2, 2)

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self):
        return Deal(NOT_DEALT, NOT_DEALT, 0)

    def to_move(self, state):
        if state.second == NOT_DEALT:
            return CHANCE
        return 1 if 0 < state.moves < 10 else 0

    def actions(self, state):
        """While cards are dealt, the remaining cards; then pass (check, fold) or bet (bet, call)."""
        if state.second == NOT_DEALT:
            for card in range(3):
                if card != state.first:
                    yield card
        else:
            yield PASS
            yield BET

    def result(self, state, action):
        if state.first == NOT_DEALT:
            return Deal(action, NOT_DEALT, 0)
        if state.second == NOT_DEALT:
            return Deal(state.first, action, 0)
        return Deal(state.first, state.second, 10 * state.moves + action)

    def is_terminal(self, state):
        return state.moves > 10 and state.moves != 12

    def utility(self, state, player):
        if state.moves == 21:  # the second folds
            won = 1
        elif state.moves == 121:
            won = -1
        else:
            stake = 1 if state.moves == 11 else 2
            won = stake if state.first > state.second else -stake
        return won if player == 0 else -won

    # -- who sees what -----------------------------------------------------------------------------

    def view(self, state, player):
        """The other player's card is UNSEEN once it is dealt."""
        first, second, moves = state
        if player == 0:
            return Deal(first, second if second == NOT_DEALT else UNSEEN, moves)
        return Deal(first if first == NOT_DEALT else UNSEEN, second, moves)

    def worlds(self, view, player, luck):
        """The card that is UNSEEN is one of the two others, as the highest bit of luck says."""
        own = view.first if player == 0 else view.second
        other = (own + 1 + draw_below(luck, 2)) % 3
        return Deal(own, other, view.moves) if player == 0 else Deal(other, own, view.moves)

    # -- what a person reads and sees ----------------------------------------------------------------

    def format_action(self, state, action):
        if state.second == NOT_DEALT:
            return RANKS[action]
        return words(state.moves)[action - PASS]

    def picture(self, state):
        """The table; an UNSEEN card lies face down, so a view can be drawn like a state."""
        moves = str(state.moves or "")
        hands, story = [], []
        for player, card in enumerate(state[:2]):
            chips = 1 + moves[player::2].count(str(BET))
            hands.append(Hand(self.seat(player), shown(card), player, (("chips", chips),)))
        for number, move in enumerate(moves):
            word = words(int(moves[:number] or 0))[int(move) - PASS]
            story.append(f"{self.seat(number % 2)} {word}s")
        turn = CHANCE if self.is_terminal(state) else self.to_move(state)
        return Hands(
            tuple(hands),
            turn=turn,
            touches={} if turn == CHANCE else dict.fromkeys(words(state.moves), ()),
            caption=", ".join(story),
        )

    def view_picture(self, view, player):
        return self.picture(view)


def shown(card):
    """The cards of a hand: none yet, one face down, or one face up."""
    return () if card == NOT_DEALT else (None,) if card == UNSEEN else (Card(RANKS[card]),)


def words(moves):
    """What PASS and BET are called after these moves."""
    return ("fold", "call") if moves in (2, 12) else ("check", "bet")


# -- the exact value ------------------------------------------------------------------------------------


def equilibrium(bluff):
    """The probability of a bet or a call, by card and moves; `bluff` is the first player's with J, 0 to 1/3."""
    never, third, always = Fraction(0), Fraction(1, 3), Fraction(1)
    rows = {
        0: (bluff, never, 3 * bluff),
        1: (third, never, always),
        2: (never, third, always),
        12: (never, bluff + third, always),
    }
    return {(card, moves): chance for moves, row in rows.items() for card, chance in enumerate(row)}


def value(game, state, strategy):
    """The first player's mean gain."""
    if game.is_terminal(state):
        return Fraction(game.utility(state, 0))
    below = [value(game, game.result(state, action), strategy) for action in game.actions(state)]
    if game.to_move(state) == CHANCE:
        return sum(below) / len(below)
    card = state[game.to_move(state)]
    bet = strategy[card, state.moves]
    return (1 - bet) * below[0] + bet * below[1]


def best_answers(game, strategy):
    """Each player's gain with a best response to the other's strategy, among 64 pure strategies."""
    found = []
    for sign, own in ((1, (0, 12)), (-1, (1, 2))):
        choices = list(product(range(3), own))
        plans = (dict(zip(choices, plan, strict=True)) for plan in product((0, 1), repeat=len(choices)))
        found.append(max(sign * value(game, game.initial(), strategy | plan) for plan in plans))
    return found


def main():
    game = Kuhn()
    print("bluffs with J   the first player wins   the best answers win")
    for bluff in (Fraction(0), Fraction(1, 6), Fraction(1, 3)):
        strategy = equilibrium(bluff)
        answers = " and ".join(map(str, best_answers(game, strategy)))
        print(f"{bluff!s:>13}   {value(game, game.initial(), strategy)!s:>21}   {answers:>20}")
    print("\nNobody can do better than the equilibrium: the first player loses a chip in 18 games.")


if __name__ == "__main__":
    main()
