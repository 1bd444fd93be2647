"""Kuhn poker: a card each, one chip to bet, and the smallest game with a bluff.

    J Q K    All ante a chip and get a card that the others do not see. In turn, each passes (checks) or bets a
             second chip. After a bet the others fold or call, once each. Then the highest card takes the pot.

With 3 players the cards are T J Q K, with 4 players 9 T J Q K; one card always stays in the deck.

Invented by Harold Kuhn ("A Simplified Two-Person Poker", 1950), who solved it: the first player loses 1/18 of a chip a
game. The game for more players is that of Szafron, Gibson and Sturtevant (2013).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import CHANCE, Game, legal_actions
from zermelo.core.picture import Card, Hand, Hands
from zermelo.kernel import U64, bit, draw_below, mix, nth_bit, popcount, replace_item, state

RANKS = "9TJQK"
NOT_DEALT = -1
UNSEEN = -2
PASS, BET = 0, 1
NOBODY = -1


@state
class Position(NamedTuple):
    cards: tuple[int, ...]
    """The card of each player, 0 for the lowest; NOT_DEALT before that."""
    moves: int
    """The number of moves."""
    opener: int
    """The player who has bet first, or NOBODY."""
    staying: int
    """A bit for each player who has bet or called."""


@state
class View(NamedTuple):
    """What a player sees: their card and the moves."""

    card: int
    moves: int
    opener: int
    staying: int


class Kuhn(Game):
    """Check or bet one chip, fold or call; the highest of three cards wins."""

    name = "kuhn"
    title = "Kuhn Poker"
    chance = hidden = True
    margins = True
    perft_table = {"": (3, 6, 12, 24, 12, 0)}

    def __init__(self, players: int = 2) -> None:
        if not 2 <= players <= 4:
            raise UsageError(f"kuhn has 2 to 4 players, not {players}")
        self.players = players
        self.deck = players + 1
        self.no_cards = (NOT_DEALT,) * players
        self.utility_range = (-2, 2 * (players - 1))

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(self.no_cards, 0, NOBODY, 0)

    def to_move(self, state: Position) -> int:
        return CHANCE if is_dealing(state) else state.moves % self.players

    def actions(self, state: Position) -> Iterator[int]:
        """While cards are dealt, those that are left; then PASS (check, fold) or BET (bet, call)."""
        if is_dealing(state):
            for card in range(self.deck):
                if card not in state.cards:
                    yield card
        else:
            yield PASS
            yield BET

    def result(self, state: Position, action: int) -> Position:
        if is_dealing(state):
            return Position(replace_item(state.cards, dealt(state), action), 0, NOBODY, 0)
        player = state.moves % self.players
        if action == PASS:
            return Position(state.cards, state.moves + 1, state.opener, state.staying)
        opener = player if state.opener == NOBODY else state.opener
        return Position(state.cards, state.moves + 1, opener, state.staying | 1 << player)

    def is_terminal(self, state: Position) -> bool:
        """All have checked, or all have answered the bet."""
        return state.moves == (self.players if state.opener == NOBODY else state.opener + self.players)

    def utility(self, state: Position, player: int) -> int:
        """The pot less what the player has put in."""
        paid = 2 if state.staying >> player & 1 else 1
        if player != self.winner(state):
            return -paid
        pot = self.players
        for other in range(self.players):
            pot += state.staying >> other & 1
        return pot - paid

    def winner(self, state: Position) -> int:
        """The highest card among those who have bet or called, or among all without a bet."""
        best, highest = 0, NOT_DEALT
        for player in range(self.players):
            if (state.staying >> player & 1 or state.opener == NOBODY) and state.cards[player] > highest:
                best, highest = player, state.cards[player]
        return best

    # -- who sees what -----------------------------------------------------------------------------

    def view(self, state: Position, player: int) -> View:
        return View(state.cards[player], state.moves, state.opener, state.staying)

    def public(self, state: Position) -> View:
        """The moves."""
        return View(NOT_DEALT, state.moves, state.opener, state.staying)

    def worlds(self, view: View, player: int, luck: U64) -> Position:
        """The other cards are equally likely."""
        cards, left = self.no_cards, U64((1 << self.deck) - 1) & ~bit(view.card)
        for other in range(self.players):
            card = view.card if other == player else nth_bit(left, draw_below(luck, popcount(left)))
            cards, left, luck = replace_item(cards, other, card), left & ~bit(card), mix(luck)
        return Position(cards, view.moves, view.opener, view.staying)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """`check`, `bet`, `fold`, `call`; a card that is dealt is its rank."""
        return self.rank(action) if is_dealing(state) else self.words(state)[action]

    def format_state(self, state: Position) -> str:
        """The cards and the moves: `JK check bet`; `.` for a card that is not dealt."""
        return " ".join([self.format_cards(state.cards), *self.story(state)])

    def format_view(self, view: View, player: int) -> str:
        """The player's card and the moves: `K check bet`; `-` before the first move."""
        return " ".join([self.format_cards((view.card,)), *(self.story(view) or ["-"])])

    def parse_state(self, text: str) -> Position:
        letters, *words = text.split() or [""]
        ranks = RANKS[-self.deck :]
        cards = [letter for letter in letters if letter != "."]
        unfinished = "." in letters
        if len(letters) != self.players or letters != "".join(cards).ljust(self.players, "."):
            raise BadPosition(
                f"{text!r} is not a position of {self}; write {self.players} cards and the moves, "
                f"as in {ranks[: self.players] + ' check'!r}"
            )
        if any(card not in ranks for card in cards) or len(set(cards)) < len(cards) or (unfinished and words):
            raise BadPosition(f"{text!r} is impossible: the cards are {' '.join(ranks)}, and all are dealt first")
        found = self.initial()
        for card in cards:
            found = self.result(found, ranks.index(card))
        for word in words:
            known = () if self.is_terminal(found) else self.words(found)
            if word not in known:
                raise BadPosition(
                    f"{text!r} is impossible: {word!r} is not {' or '.join(known) or 'possible at the end'}"
                )
            found = self.result(found, known.index(word))
        return found

    def words(self, state: Position | View) -> tuple[str, str]:
        """What PASS and BET are called."""
        return ("check", "bet") if state.opener == NOBODY else ("fold", "call")

    def story(self, state: Position | View) -> list[str]:
        """The moves so far."""
        found = []
        for move in range(state.moves):
            if state.opener == NOBODY or move <= state.opener:
                found.append("bet" if move == state.opener else "check")
            else:
                found.append("call" if state.staying >> move % self.players & 1 else "fold")
        return found

    def rank(self, card: int) -> str:
        return RANKS[card - self.deck]

    def format_cards(self, cards: tuple[int, ...]) -> str:
        return "".join("." if card == NOT_DEALT else self.rank(card) for card in cards)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Hands:
        touches = {self.format_action(state, action): () for action in legal_actions(self, state)}
        over = self.is_terminal(state)
        return self.table(state.cards, state, CHANCE if over else self.to_move(state), touches)

    def view_picture(self, view: View, player: int) -> Hands:
        """The other cards lie face down."""
        if view.card == NOT_DEALT:
            return self.table(self.no_cards, view, CHANCE, {})
        cards = tuple(view.card if other == player else UNSEEN for other in range(self.players))
        end = self.players if view.opener == NOBODY else view.opener + self.players
        turn = CHANCE if view.moves == end else view.moves % self.players
        return self.table(cards, view, turn, dict.fromkeys(self.words(view), ()) if turn == player else {})

    def table(self, cards: tuple[int, ...], state: Position | View, turn: int, touches: dict[str, tuple[()]]) -> Hands:
        hands = []
        for player, card in enumerate(cards):
            shown = () if card == NOT_DEALT else (None,) if card == UNSEEN else (Card(self.rank(card)),)
            hands.append(Hand(self.seat(player), shown, player, (("chips", 1 + (state.staying >> player & 1)),)))
        moves = [f"{self.seat(move % self.players)} {word}s" for move, word in enumerate(self.story(state))]
        return Hands(tuple(hands), turn=turn, touches=touches, caption=", ".join(moves))


def is_dealing(state: Position) -> bool:
    return state.cards[-1] == NOT_DEALT


def dealt(state: Position) -> int:
    """The number of cards that are dealt."""
    found = 0
    for card in state.cards:
        found += card != NOT_DEALT
    return found
