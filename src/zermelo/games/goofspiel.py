"""Goofspiel: prizes are turned up one by one, and everybody bids a card for each, all at once.

    prize          K          All hands hold the same cards, ace to king, worth 1 to 13 points. The highest bid takes
    player 1   A 2 3 ▒        the prize; if it is tied, it is lost. All cards that were bid are gone. The last
    player 2   A ▒ 3 4        cards are bid without a choice. Whoever has most points wins.

If bids are hidden, only the winner of each prize is announced. A card is its number of points less 1, in a bit set as
in a move.

Known since the 1930s at Princeton; Sheldon Ross ("Goofspiel: the game of pure strategy", 1971) found the best response
to random bids.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import CHANCE, State
from zermelo.core.picture import Card, Hand, Hands, Touches
from zermelo.core.simultaneous import Simultaneous
from zermelo.kernel import GOLDEN, U64, bit, bits, draw_below, lsb, mix, msb, nth_bit, popcount, replace_item, state

RANKS = "A23456789TJQK"
ORDERS = ("random", "descending", "ascending")
RETURNS = ("win", "difference", "points")
NO_PRIZE = -1
NO_WINNER = -1
TIED = "-"
CARD_BITS = 4
MOST_PLAYERS = 6


@state
class Situation(NamedTuple):
    down: U64
    """The prizes that lie face down."""
    prize: int
    """The prize to bid for, or NO_PRIZE."""
    hands: tuple[U64, ...]
    points: tuple[int, ...]
    turned: int
    """With hidden bids, the prizes of the rounds played, four bits each and a 1 in front; otherwise 0."""
    winners: int
    """Likewise, the winner + 1 of each round, or 0."""
    bids: tuple[int, ...]
    """Of each player likewise, the cards bid; in what a player sees, 0 for the others."""


class Goofspiel(Simultaneous):
    """Bid cards of equal hands for prizes, all at once."""

    name = "goofspiel"
    title = "Goofspiel"
    option_labels = {"prizes": "order of the prizes", "hidden_bids": "bids stay hidden", "returns": "payoffs"}
    perft_table = {"": (4, 16, 64, 192, 576, 1728, 3456, 6912, 13824, 0)}

    def __init__(
        self,
        cards: int = 4,
        prizes: str = "random",
        hidden_bids: bool = False,
        returns: str = "win",
        players: int = 2,
    ) -> None:
        if not 2 <= cards <= len(RANKS) or not 2 <= players <= MOST_PLAYERS:
            raise UsageError(
                f"goofspiel has 2 to {len(RANKS)} cards and 2 to {MOST_PLAYERS} players, not {cards} and {players}"
            )
        if prizes not in ORDERS:
            raise UsageError(f"goofspiel turns the prizes up in {', '.join(ORDERS)} order, not {prizes!r}")
        if returns not in RETURNS:
            raise UsageError(f"goofspiel pays {', '.join(RETURNS)}, not {returns!r}")
        if hidden_bids and players > 2:
            raise UsageError(f"goofspiel with hidden bids is for 2 players, not {players}")
        self.cards, self.prizes, self.hidden_bids, self.returns, self.players = (
            cards,
            prizes,
            hidden_bids,
            returns,
            players,
        )
        self.chance = prizes == "random"
        self.forgets = not hidden_bids
        self.all = U64((1 << cards) - 1)
        self.nothing = (0,) * players
        self.full_hands = (self.all,) * players
        total = cards * (cards + 1) // 2
        self.total = total
        self.pays_win, self.pays_difference = returns == "win", returns == "difference"
        self.zero_sum = returns != "points"
        self.margins = returns != "win"
        if returns == "difference":
            self.utility_range = (-total / players, total * (players - 1) / players)
        elif returns == "points":
            self.utility_range, self.max_payoff_sum = (0, total), total

    # -- the rules ---------------------------------------------------------------------------------

    def start(self) -> Situation:
        begun = 1 if self.hidden_bids else 0
        bids = self.nothing
        for player in range(self.players):
            bids = replace_item(bids, player, begun)
        return self.turn(Situation(self.all, NO_PRIZE, self.full_hands, self.nothing, begun, begun, bids))

    def turn(self, before: Situation) -> Situation:
        """Turn up the next prize if chance does not choose it: the order is fixed, or one prize is left."""
        if self.chance and popcount(before.down) != 1:
            return before
        if before.down == U64(0):
            return before
        prize = lsb(before.down) if self.prizes == "ascending" else msb(before.down)
        return self.drawn(before, prize)

    def is_drawing(self, situation: Situation) -> bool:
        return situation.prize == NO_PRIZE and situation.down != U64(0)

    def draws(self, situation: Situation) -> Iterator[tuple[int, float]]:
        """Every prize that lies face down is equally likely."""
        for prize in bits(situation.down):
            yield prize, 1 / popcount(situation.down)

    def drawn(self, situation: Situation, event: int) -> Situation:
        down = situation.down & ~bit(event)
        return Situation(
            down, event, situation.hands, situation.points, situation.turned, situation.winners, situation.bids
        )

    def choices(self, situation: Situation, player: int) -> Iterator[int]:
        for card in bits(situation.hands[player]):  # noqa: UP028, a kernel has no yield from
            yield card

    def outcome(self, situation: Situation, chosen: tuple[int, ...]) -> Situation:
        """The prize goes to the highest bid; the last cards follow at once."""
        found = self.turn(self.awarded(situation, chosen))
        if popcount(found.hands[0]) != 1:
            return found
        last = chosen
        for player in range(self.players):
            last = replace_item(last, player, lsb(found.hands[player]))
        return self.awarded(found, last)

    def awarded(self, situation: Situation, chosen: tuple[int, ...]) -> Situation:
        hands, points, bids = situation.hands, situation.points, situation.bids
        winner = winner_of(chosen)
        if winner != NO_WINNER:
            points = replace_item(points, winner, points[winner] + situation.prize + 1)
        turned, winners = situation.turned, situation.winners
        for player in range(self.players):
            hands = replace_item(hands, player, hands[player] & ~bit(chosen[player]))
            if self.hidden_bids:
                bids = replace_item(bids, player, bids[player] << CARD_BITS | chosen[player])
        if self.hidden_bids:
            turned, winners = turned << CARD_BITS | situation.prize, winners << CARD_BITS | winner + 1
        return Situation(situation.down, NO_PRIZE, hands, points, turned, winners, bids)

    def is_decided(self, situation: Situation) -> bool:
        return situation.hands[0] == U64(0)

    def payoff(self, situation: Situation, player: int) -> float:
        """Points; points less the mean of all; or 1 for a win, shared by the best, paid by the others."""
        own, points = situation.points[player], situation.points
        if self.pays_difference:
            total = 0
            for other in range(self.players):
                total += points[other]
            return own - total / self.players
        if not self.pays_win:
            return float(own)
        best = 0
        for other in range(self.players):
            best = max(best, points[other])
        winners = 0
        for other in range(self.players):
            winners += points[other] == best
        if winners == self.players:
            return 0.0
        return 1 / winners if own == best else -1 / (self.players - winners)

    # -- who sees what -----------------------------------------------------------------------------

    def seen(self, situation: Situation, player: int) -> Situation:
        """All, or with hidden bids all but the hand and the bids of the other."""
        if not self.hidden_bids:
            return situation
        hands, bids = situation.hands, situation.bids
        for other in range(self.players):
            if other != player:
                hands, bids = replace_item(hands, other, U64(0)), replace_item(bids, other, 0)
        return Situation(
            situation.down, situation.prize, hands, situation.points, situation.turned, situation.winners, bids
        )

    def situations(self, seen: Situation, player: int, luck: U64) -> Situation:
        """The other's bids are one of the sequences that lead to these winners, all equally likely."""
        if not self.hidden_bids:
            return seen
        own = seen.bids[player]
        others = self.draw_bids(own, seen.winners, player, luck)
        nobody = replace_item(replace_item(self.nothing, 0, 1), 1, 1)
        found = Situation(self.all, NO_PRIZE, self.full_hands, self.nothing, 1, 1, nobody)
        for at in range(rounds_in(own)):
            chosen = replace_item(self.nothing, player, card_at(own, at))
            chosen = replace_item(chosen, 1 - player, card_at(others, at))
            found = self.awarded(self.drawn(found, card_at(seen.turned, at)), chosen)
        return found if seen.prize == NO_PRIZE else self.drawn(found, seen.prize)

    def draw_bids(self, own: int, winners: int, player: int, luck: U64) -> int:
        """Bids of the other that lead to these winners, written as the player's own.

        The bids that lose and those that win are drawn apart, all ways equally likely, until no card is in both. Among
        those that lose, the bid with fewest choices comes first, so that the number of choices does not depend on what
        was drawn before; likewise among those that win.
        """
        rounds, free = rounds_in(own), self.all
        for at in range(rounds):
            if card_at(winners, at) == 0:
                free &= ~bit(card_at(own, at))
        while True:
            found, lower, higher = own, U64(0), U64(0)
            for bid in range(self.cards):
                at = round_of(own, bid)
                if at >= 0 and card_at(winners, at) == player + 1:
                    luck = mix(luck)
                    card = draw_card(free & ~lower & (bit(bid) - U64(1)), luck)
                    lower |= bit(card)
                    found += (card - bid) << CARD_BITS * (rounds - 1 - at)
            for bid in range(self.cards - 1, -1, -1):
                at = round_of(own, bid)
                if at >= 0 and card_at(winners, at) == 2 - player:
                    luck = mix(luck)
                    card = draw_card((free & ~higher) >> bid + 1 << bid + 1, luck)
                    higher |= bit(card)
                    found += (card - bid) << CARD_BITS * (rounds - 1 - at)
            if lower & higher == U64(0):
                return found

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """The lead in points, as a share of all points; on the scale of the payoffs."""
        situation = state[0]
        total = 0
        for other in range(self.players):
            total += situation.points[other]
        lead = situation.points[player] - total / self.players
        if self.pays_win:
            return float(lead / self.total)
        return float(lead if self.pays_difference else situation.points[player])

    # -- notation ----------------------------------------------------------------------------------

    def format_choice(self, situation: Situation, player: int, choice: int) -> str:
        """The card: `A`, `2` ... `T`, `J`, `Q`, `K`."""
        return RANKS[choice]

    def format_draw(self, situation: Situation, event: int) -> str:
        return RANKS[event]

    def format_situation(self, situation: Situation) -> str:
        """The prize, those face down, and each player's hand and points: `3 A2 A24:0 A34:4`; `-` for none.

        With hidden bids the rounds, prize and bids, then the prize: `K:4-2 A:3-3 2`.
        """
        prize = TIED if situation.prize == NO_PRIZE else RANKS[situation.prize]
        if not self.hidden_bids:
            hands = zip(map(cards_text, situation.hands), situation.points, strict=True)
            return " ".join([prize, cards_text(situation.down), *(f"{hand}:{points}" for hand, points in hands)])
        bids = zip(*map(digits, situation.bids), strict=True)
        rounds = [
            f"{RANKS[card]}:{'-'.join(RANKS[bid] for bid in both)}"
            for card, both in zip(digits(situation.turned), bids, strict=True)
        ]
        return " ".join([*rounds, prize])

    def format_seen(self, seen: Situation, player: int) -> str:
        """With hidden bids the rounds, prize, own bid and winner, then the prize: `K:4-2 A:3-0 2`; 0 is a tie."""
        if not self.hidden_bids:
            return self.format_situation(seen)
        rounds = [
            f"{RANKS[prize]}:{RANKS[bid]}-{winner}"
            for prize, bid, winner in zip(
                digits(seen.turned), digits(seen.bids[player]), digits(seen.winners), strict=True
            )
        ]
        return " ".join([*rounds, TIED if seen.prize == NO_PRIZE else RANKS[seen.prize]])

    def parse_situation(self, text: str) -> Situation:
        try:
            found = self.read_rounds(text) if self.hidden_bids else self.read_table(text)
        except (ValueError, IndexError):
            found = None
        if found is None or self.format_situation(found) != text:
            example = "A:3-2 2" if self.hidden_bids else "3 A2 A24:0 A34:4"
            raise BadPosition(f"{text!r} is not a position of {self}; write it as in {example!r}")
        return found

    def read_table(self, text: str) -> Situation | None:
        """A position with open bids, or None if it cannot come about."""
        prize, down, *players = text.split()
        hands = tuple(cards_of(player.partition(":")[0]) for player in players)
        points = tuple(int(player.partition(":")[2]) for player in players)
        up = NO_PRIZE if prize == TIED else RANKS.index(prize)
        found = Situation(cards_of(down), up, hands, points, 0, 0, self.nothing)
        left = popcount(found.down) + (up != NO_PRIZE)
        gone = self.all & ~found.down & ~(U64(0) if up == NO_PRIZE else bit(up))
        is_possible = (
            len(players) == self.players
            and all(popcount(hand) == left and hand & ~self.all == U64(0) for hand in hands)
            and left != 1
            and not (found.down | gone) & ~self.all
            and can_be_shared(tuple(card + 1 for card in bits(gone)), points)
            and self.is_up(found)
        )
        return found if is_possible else None

    def is_up(self, found: Situation) -> bool:
        """Whether a prize is turned up exactly if it has to be, and the right one in a fixed order."""
        if self.chance:
            return found.prize == NO_PRIZE or found.down != U64(0)
        if found.down == U64(0):
            return found.prize == NO_PRIZE
        left = [*bits(found.down), found.prize]
        count = len(left)
        expected = list(range(self.cards - count, self.cards) if self.prizes == "ascending" else range(count))
        return sorted(left) == expected and found.prize == expected[0 if self.prizes == "ascending" else -1]

    def read_rounds(self, text: str) -> Situation | None:
        """A position with hidden bids, by playing its rounds."""
        *rounds, prize = text.split()
        found = self.start()
        for played in rounds:
            card, _, bids = played.partition(":")
            found = self.read_prize(found, card)
            chosen = tuple(RANKS.index(bid) for bid in bids.split("-"))
            if not all(hand & bit(card) for hand, card in zip(found.hands, chosen, strict=True)):
                return None
            found = self.outcome(found, chosen)
            if self.is_decided(found):
                break
        return found if prize == TIED else self.read_prize(found, prize)

    def read_prize(self, found: Situation, card: str) -> Situation:
        """The situation with a prize turned up, if chance has to."""
        prize = RANKS.index(card)
        return self.drawn(found, prize) if self.is_drawing(found) and found.down & bit(prize) else found

    # -- picture -----------------------------------------------------------------------------------

    def scene(self, seen: Situation, player: int, moves: Touches) -> Hands:
        """The hands and the prize; with hidden bids the other's cards lie face down."""
        is_secret = self.hidden_bids and player != CHANCE
        known = self.situations(seen, player, GOLDEN) if is_secret else seen
        hands = [Hand("prize", () if known.prize == NO_PRIZE else shown(bit(known.prize)))]
        for other in range(self.players):
            cards = shown(known.hands[other])
            if is_secret and other != player:
                cards = (None,) * len(cards)
            hands.append(Hand(self.seat(other), cards, other, (("points", known.points[other]),)))
        down = f"face down: {' '.join(RANKS[card] for card in bits(known.down))}" if known.down else ""
        return Hands(tuple(hands), touches=moves, caption=down)


def winner_of(chosen: tuple[int, ...]) -> int:
    """The player with the highest bid, or NO_WINNER if it is tied."""
    best, winner = -1, NO_WINNER
    for player in range(len(chosen)):
        if chosen[player] > best:
            best, winner = chosen[player], player
        elif chosen[player] == best:
            winner = NO_WINNER
    return winner


def draw_card(cards: U64, luck: U64) -> int:
    """One of the cards, all equally likely."""
    return nth_bit(cards, draw_below(luck, popcount(cards)))


def can_be_shared(prizes: tuple[int, ...], points: tuple[int, ...]) -> bool:
    """Whether some of the prizes can be given out so that the players have these points."""
    reached = {(0,) * len(points)}
    for prize in prizes:
        more = {
            (*sums[:player], sums[player] + prize, *sums[player + 1 :])
            for sums in reached
            for player in range(len(points))
        }
        reached |= {sums for sums in more if all(own <= most for own, most in zip(sums, points, strict=True))}
    return points in reached


def rounds_in(word: int) -> int:
    """The number of cards in a word of four bits each."""
    return max(msb(U64(word)) // CARD_BITS, 0)


def card_at(word: int, at: int) -> int:
    """The card of a round, the first of which is 0."""
    return word >> CARD_BITS * (rounds_in(word) - 1 - at) & 15


def round_of(word: int, card: int) -> int:
    """The round of a card; -1 if the word does not have it."""
    found = -1
    for at in range(rounds_in(word)):
        if card_at(word, at) == card:
            found = at
    return found


def digits(word: int) -> list[int]:
    """The cards in a word, from the first."""
    return [card_at(word, at) for at in range(rounds_in(word))]


def cards_text(cards: U64) -> str:
    return "".join(RANKS[card] for card in bits(cards)) or TIED


def cards_of(text: str) -> U64:
    found = U64(0)
    for rank in "" if text == TIED else text:
        found |= bit(RANKS.index(rank))
    return found


def shown(cards: U64) -> tuple[Card | None, ...]:
    return tuple(Card(RANKS[card]) for card in bits(cards))
