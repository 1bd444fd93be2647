"""Leduc hold'em: a card each, a round of bets, a card on the table, another round of bets.

    player 1   J♠             The deck has 3 ranks in 2 suits. All ante a chip and get a card that the others do not
    table      K♥             see. A bet is 2 chips in the first round and 4 in the second, which begins when a card
    player 2   ▒   chips 5    has been turned up; at most two bets or raises a round. A pair with the table's card
                              wins, otherwise the highest card; equal hands share the pot.

Southey, Bowling, Larson, Piccione, Burch, Billings & Rayner, "Bayes' Bluff: Opponent Modelling in Poker", 2005.
A card is rank * suits + suit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import CHANCE, Game, legal_actions
from zermelo.core.picture import Card, Hand, Hands
from zermelo.kernel import U64, bit, draw_below, mix, msb, nth_bit, popcount, replace_item, state

NOT_DEALT, UNSEEN = -1, -2
FOLD, CALL, RAISE, TURN = 0, 1, 2, 3
"""Moves as two bits of `moves`; TURN stands between the rounds."""
BITS = 2
MOST_RAISES = 2
MOST_PLAYERS = 5
"""At most 6 * players - 4 moves, two bits each, and one TURN fit into `moves`."""
RANKS = {3: "JQK", 4: "TJQK", 5: "9TJQK"}
ALL_RANKS = "23456789TJQKA"
SUITS = "♠♥♦♣"
LETTERS = "shdc"


@state
class Position(NamedTuple):
    cards: tuple[int, ...]
    """The card of each player; NOT_DEALT before that."""
    paid: tuple[int, ...]
    """The chips of each player in the pot."""
    table: int
    """The card turned up, or NOT_DEALT."""
    folded: int
    """A bit for each player who has folded."""
    player: int
    raises: int
    """In this round."""
    waiting: int
    """How many players still have to answer before the round is over."""
    moves: int
    """All moves since the deal, two bits each, behind a leading 1."""


@state
class View(NamedTuple):
    """What a player sees: their card, the table's, and the moves."""

    card: int
    table: int
    moves: int


class Leduc(Game):
    """Two rounds of bets, one card in the hand and one on the table; a pair wins."""

    name = "leduc"
    title = "Leduc Hold'em"
    chance = hidden = True
    margins = True
    perft_table = {"": (6, 30, 60, 150, 390, 780, 1800)}

    def __init__(self, ranks: int = 3, suits: int = 2, players: int = 2) -> None:
        if not (2 <= ranks <= 13 and 1 <= suits <= 4 and 2 <= players <= MOST_PLAYERS):
            raise UsageError(
                f"leduc has 2 to 13 ranks, 1 to 4 suits and 2 to {MOST_PLAYERS} players, "
                f"not {ranks}, {suits} and {players}"
            )
        if ranks * suits <= players:
            raise UsageError(f"leduc for {players} players needs {players + 1} cards or more, not {ranks * suits}")
        self.ranks, self.suits, self.players = ranks, suits, players
        self.deck = ranks * suits
        self.no_cards, self.antes = (NOT_DEALT,) * players, (1,) * players
        most = 1 + 2 * MOST_RAISES + 4 * MOST_RAISES
        self.utility_range = (-most, most * (players - 1))

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(self.no_cards, self.antes, NOT_DEALT, 0, 0, 0, self.players, 1)

    def to_move(self, state: Position) -> int:
        return CHANCE if is_dealing(state) else state.player

    def actions(self, state: Position) -> Iterator[int]:
        """Cards that are left; or FOLD if there is a bet to answer, CALL (check), RAISE (bet) at most twice."""
        if is_dealing(state):
            for card in range(self.deck):
                if card not in state.cards:
                    yield card
        else:
            if state.paid[state.player] < max(state.paid):
                yield FOLD
            yield CALL
            if state.raises < MOST_RAISES:
                yield RAISE

    def result(self, state: Position, action: int) -> Position:
        if state.cards[-1] == NOT_DEALT:
            cards = replace_item(state.cards, dealt(state), action)
            return Position(cards, state.paid, NOT_DEALT, 0, 0, 0, self.players, 1)
        if is_dealing(state):
            first, waiting = self.next_player(state.folded, self.players - 1), self.staying(state.folded)
            moves = state.moves << BITS | TURN
            return Position(state.cards, state.paid, action, state.folded, first, 0, waiting, moves)
        paid, folded, raises, waiting = state.paid, state.folded, state.raises, state.waiting - 1
        if action == FOLD:
            folded |= 1 << state.player
            if self.staying(folded) == 1:
                waiting = 0
        else:
            stake = max(paid)
            if action == RAISE:
                stake += 2 if state.table == NOT_DEALT else 4
                raises, waiting = raises + 1, self.staying(folded) - 1
            paid = replace_item(paid, state.player, stake)
        player, moves = self.next_player(folded, state.player), state.moves << BITS | action
        return Position(state.cards, paid, state.table, folded, player, raises, waiting, moves)

    def is_terminal(self, state: Position) -> bool:
        """All but one have folded, or the second round is over."""
        return state.waiting == 0 and (state.table != NOT_DEALT or self.staying(state.folded) == 1)

    def utility(self, state: Position, player: int) -> float:
        """A share of the pot less what the player has put in."""
        best, sharers, pot = -1, 0, 0
        for other in range(self.players):
            pot += state.paid[other]
            if not state.folded >> other & 1:
                strength = self.strength(state, other)
                if strength == best:
                    sharers += 1
                elif strength > best:
                    best, sharers = strength, 1
        if state.folded >> player & 1 or self.strength(state, player) < best:
            return float(-state.paid[player])
        return pot / sharers - state.paid[player]

    def strength(self, state: Position, player: int) -> int:
        """The rank of the player's card; above all of them with a pair."""
        rank = state.cards[player] // self.suits
        is_pair = state.table != NOT_DEALT and rank == state.table // self.suits
        return self.ranks + rank if is_pair else rank

    def staying(self, folded: int) -> int:
        """The number of players who have not folded."""
        found = 0
        for player in range(self.players):
            found += 1 - (folded >> player & 1)
        return found

    def next_player(self, folded: int, player: int) -> int:
        """The next player who has not folded."""
        player = (player + 1) % self.players
        while folded >> player & 1:
            player = (player + 1) % self.players
        return player

    # -- who sees what -----------------------------------------------------------------------------

    def view(self, state: Position, player: int) -> View:
        return View(state.cards[player], state.table, state.moves)

    def public(self, state: Position) -> View:
        """The card on the table and the moves."""
        return View(NOT_DEALT, state.table, state.moves)

    def worlds(self, view: View, player: int, luck: U64) -> Position:
        """The cards of the others are equally likely."""
        cards, left = self.no_cards, U64((1 << self.deck) - 1) & ~bit(view.card)
        if view.table != NOT_DEALT:
            left &= ~bit(view.table)
        for other in range(self.players):
            card = view.card if other == player else nth_bit(left, draw_below(luck, popcount(left)))
            cards, left, luck = replace_item(cards, other, card), left & ~bit(card), mix(luck)
        return self.replay(cards, view)

    def replay(self, cards: tuple[int, ...], view: View) -> Position:
        """The position with these cards after the moves of the view."""
        found = Position(cards, self.antes, NOT_DEALT, 0, 0, 0, self.players, 1)
        for move in digits(view.moves):
            found = self.result(found, view.table if move == TURN else move)
        return found

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """`check`, `bet`, `fold`, `call`, `raise`; a card that is dealt is its rank and suit: `Ks`."""
        if is_dealing(state):
            return self.card_text(action)
        if action == FOLD:
            return "fold"
        if action == CALL:
            return "call" if state.paid[state.player] < max(state.paid) else "check"
        return "raise" if state.raises else "bet"

    def format_state(self, state: Position) -> str:
        """The cards, the moves, the card on the table and the moves after it: `JsKh check bet call Kd check`."""
        return " ".join(["".join(map(self.card_text, state.cards)), *self.story(state)])

    def format_view(self, view: View, player: int) -> str:
        """The player's card, then as in a position: `Js check bet call Kd`; `-` before the first move."""
        cards = tuple(view.card if other == player else UNSEEN for other in range(self.players))
        story = self.story(self.replay(cards, view)) if view.card != NOT_DEALT else []
        return " ".join([self.card_text(view.card), *(story or ["-"])])

    def parse_state(self, text: str) -> Position:
        letters, *words = text.split() or [""]
        names = {self.card_text(card): card for card in range(self.deck)}
        pairs = [letters[at : at + 2] for at in range(0, len(letters), 2)]
        cards = [names.get(pair, NOT_DEALT) for pair in pairs if pair != ".."]
        if len(pairs) != self.players or pairs[len(cards) :] != [".."] * (self.players - len(cards)):
            raise BadPosition(
                f"{text!r} is not a position of {self}; write {self.players} cards and the moves, "
                f"as in {''.join(list(names)[: self.players]) + ' check'!r}"
            )
        if NOT_DEALT in cards or len(set(cards)) < len(cards) or (len(cards) < self.players and words):
            raise BadPosition(f"{text!r} is impossible: the cards are {' '.join(names)}, and all are dealt first")
        found = self.initial()
        for card in cards:
            found = self.result(found, card)
        for word in words:
            known = {self.format_action(found, action): action for action in legal_actions(self, found)}
            if word not in known:
                raise BadPosition(
                    f"{text!r} is impossible: {word!r} is not {' or '.join(known) or 'possible at the end'}"
                )
            found = self.result(found, known[word])
        return found

    def story(self, state: Position) -> list[str]:
        """The moves so far, and the card turned up between them."""
        found, at = [], self.initial()._replace(cards=tuple(UNSEEN for _ in state.cards))
        for move in digits(state.moves):
            action = state.table if move == TURN else move
            found.append(self.format_action(at, action))
            at = self.result(at, action)
        return found

    def card_text(self, card: int) -> str:
        if card < 0:
            return ".."
        return self.rank_text(card) + LETTERS[card % self.suits]

    def rank_text(self, card: int) -> str:
        ranks = RANKS.get(self.ranks, ALL_RANKS[-self.ranks :])
        return ranks[card // self.suits]

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Hands:
        hands = []
        for player, card in enumerate(state.cards):
            numbers = (("chips", state.paid[player]),)
            hands.append(Hand(self.seat(player), self.shown(card), player, numbers))
        if state.table != NOT_DEALT:
            hands.insert(1, Hand("table", self.shown(state.table)))
        turn = CHANCE if self.is_terminal(state) or is_dealing(state) else state.player
        touches = {self.format_action(state, action): () for action in legal_actions(self, state)}
        return Hands(tuple(hands), turn=turn, touches=touches, caption=" ".join(self.story(state)))

    def view_picture(self, view: View, player: int) -> Hands:
        """The other cards lie face down."""
        if view.card == NOT_DEALT:
            return Hands(tuple(Hand(self.seat(other), (), other) for other in range(self.players)))
        cards = tuple(view.card if other == player else UNSEEN for other in range(self.players))
        found = self.picture(self.replay(cards, view))
        if found.turn == player:
            return found
        return Hands(found.hands, turn=found.turn, caption=found.caption)

    def shown(self, card: int) -> tuple[Card | None, ...]:
        if card == NOT_DEALT:
            return ()
        return (None,) if card == UNSEEN else (Card(self.rank_text(card), SUITS[card % self.suits]),)


def is_dealing(state: Position) -> bool:
    """A card is to be dealt: to a player, or to the table after the first round."""
    return state.cards[-1] == NOT_DEALT or (state.waiting == 0 and state.table == NOT_DEALT)


def dealt(state: Position) -> int:
    """The number of players who have a card."""
    found = 0
    for card in state.cards:
        found += card != NOT_DEALT
    return found


def digits(moves: int) -> Iterator[int]:
    """The moves, two bits each, from the first."""
    size = msb(U64(moves)) // BITS
    for at in range(size):
        yield moves >> BITS * (size - 1 - at) & 3
