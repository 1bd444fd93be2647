"""Liar's dice: bid how many dice of all players show a face; whoever is not believed has them counted.

    player 1   ⚁ ⚄       2x5 says: among all dice on the table are at least two fives.
    player 2   ▒ ▒       The next player bids more, or says liar. A bid is higher if its number is, or with the same
                         number its face. If the bid holds, the liar-caller loses; otherwise the bidder does.

A wild face counts as every face: none, the ones, or the highest face. A bid is (number - 1) * faces + face - 1; the
move after the highest bid is LIAR. Also known as Dudo, Perudo and Bluff.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import CHANCE, Game, legal_actions
from zermelo.core.picture import Card, Hand, Hands
from zermelo.kernel import GOLDEN, U64, bit, bits, draw_below, mix, msb, popcount, replace_item, state

WILD = ("none", "ones", "highest")
COUNT_BITS = 4
"""A hand has four bits for each face: how many dice show it."""
MOST_DICE = (1 << COUNT_BITS) - 1
MOST_BIDS = 62
LIAR = "liar"


@state
class Position(NamedTuple):
    hands: tuple[int, ...]
    """The dice of each player."""
    rolled: int
    """How many dice have been rolled, those of the first player first."""
    said: U64
    """A bit for each bid that was made, and for LIAR; bids only rise, so this is their order, too."""


@state
class View(NamedTuple):
    """What a player sees: their dice and the bids."""

    hand: int
    said: U64


class LiarsDice(Game):
    """Bid on the dice of both players, or call the other's bluff."""

    name = "liars-dice"
    title = "Liar's Dice"
    chance = hidden = True
    perft_table = {"": (6, 36, 432, 2808, 10296, 25740, 46332)}

    def __init__(self, dice: tuple[int, ...] = (1, 1), faces: int = 6, wild: str = "highest") -> None:
        if len(dice) != 2 or not all(1 <= count <= MOST_DICE for count in dice):
            raise UsageError(f"liars-dice is for two players with 1 to {MOST_DICE} dice each, as in dice=2-1")
        if wild not in WILD:
            raise UsageError(f"in liars-dice the wild face is {', '.join(WILD[:-1])} or {WILD[-1]}, not {wild!r}")
        if not 2 <= faces <= 9 or sum(dice) * faces > MOST_BIDS:
            raise UsageError(f"liars-dice has 2 to 9 faces and at most {MOST_BIDS} bids, dice times faces")
        self.dice, self.faces, self.wild = dice, faces, wild
        self.all_dice = sum(dice)
        self.liar = self.all_dice * faces
        self.wild_face = {"none": -1, "ones": 0, "highest": faces - 1}[wild]

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position((0, 0), 0, U64(0))

    def to_move(self, state: Position) -> int:
        return CHANCE if state.rolled < self.all_dice else popcount(state.said) & 1

    def actions(self, state: Position) -> Iterator[int]:
        """While dice are rolled, the faces from 0; then all higher bids, and LIAR after the first bid."""
        if state.rolled < self.all_dice:
            for face in range(self.faces):  # noqa: UP028 - `yield from` does not compile
                yield face
        else:
            last = msb(state.said)
            for bid in range(last + 1, self.liar):  # noqa: UP028
                yield bid
            if last >= 0:
                yield self.liar

    def result(self, state: Position, action: int) -> Position:
        if state.rolled == self.all_dice:
            return Position(state.hands, state.rolled, state.said | bit(action))
        player = 0 if state.rolled < self.dice[0] else 1
        hand = state.hands[player] + (1 << COUNT_BITS * action)
        return Position(replace_item(state.hands, player, hand), state.rolled + 1, state.said)

    def is_terminal(self, state: Position) -> bool:
        return msb(state.said) == self.liar

    def utility(self, state: Position, player: int) -> int:
        """After LIAR it would be the bidder's turn."""
        bidder = popcount(state.said) & 1
        bid = msb(state.said ^ bit(self.liar))
        shown = self.showing(state.hands[0], bid % self.faces) + self.showing(state.hands[1], bid % self.faces)
        winner = bidder if shown > bid // self.faces else 1 - bidder
        return 1 if player == winner else -1

    def showing(self, hand: int, face: int) -> int:
        """How many dice of the hand show the face or are wild."""
        found = hand >> COUNT_BITS * face & MOST_DICE
        if self.wild_face not in (-1, face):
            found += hand >> COUNT_BITS * self.wild_face & MOST_DICE
        return found

    # -- who sees what -----------------------------------------------------------------------------

    def view(self, state: Position, player: int) -> View:
        return View(state.hands[player], state.said)

    def public(self, state: Position) -> View:
        """The bids."""
        return View(0, state.said)

    def worlds(self, view: View, player: int, luck: U64) -> Position:
        """The other player's dice are rolled, whatever the bids."""
        other = 0
        for _ in range(self.dice[1 - player]):
            other += 1 << COUNT_BITS * draw_below(luck, self.faces)
            luck = mix(luck)
        hands = (view.hand, other) if player == 0 else (other, view.hand)
        return Position(hands, self.all_dice, view.said)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """`2x5` bids two fives; `liar`; a die that is rolled is its face."""
        return str(action + 1) if state.rolled < self.all_dice else self.bid_text(action)

    def format_state(self, state: Position) -> str:
        """The dice of both players and the bids: `25/3 1x3 2x3 liar`; `.` for a die that is not rolled."""
        hands = [self.hand_text(hand).ljust(count, ".") for hand, count in zip(state.hands, self.dice, strict=True)]
        return " ".join(["/".join(hands), *self.story(state.said)])

    def format_view(self, view: View, player: int) -> str:
        """The player's dice and the bids: `25 1x3`; `-` before the first bid."""
        return " ".join([self.hand_text(view.hand) or ".", *(self.story(view.said) or ["-"])])

    def parse_state(self, text: str) -> Position:
        letters, *words = text.split() or [""]
        hands = letters.split("/")
        faces = [[int(die) for die in hand if die.isdecimal() and die.isascii()] for hand in hands]
        lengths = tuple(map(len, hands))
        dots = "".join(die for hand in hands for die in hand)
        if lengths != self.dice or dots.strip("123456789") != dots[dots.find(".") :] * ("." in dots):
            example = "/".join("".join(str(1 + die % self.faces) for die in range(count)) for count in self.dice)
            raise BadPosition(
                f"{text!r} is not a position of {self}; write the dice and the bids, as in '{example} 1x2'"
            )
        if any(not 1 <= face <= self.faces for hand in faces for face in hand) or ("." in dots and words):
            raise BadPosition(f"{text!r} is impossible: dice have faces 1 to {self.faces}, and all are rolled first")
        if any(hand != sorted(hand) for hand in faces):
            raise BadPosition(f"{text!r} is not how the dice are written: the lowest face first")
        found = self.initial()
        for face in (face for hand in faces for face in hand):
            found = self.result(found, face - 1)
        for word in words:
            known = {self.bid_text(bid): bid for bid in legal_actions(self, found)}
            if word not in known:
                raise BadPosition(
                    f"{text!r} is impossible: {word!r} is not a higher bid{' or liar' * bool(found.said)}"
                )
            found = self.result(found, known[word])
        return found

    def bid_text(self, bid: int) -> str:
        return LIAR if bid == self.liar else f"{bid // self.faces + 1}x{bid % self.faces + 1}"

    def story(self, said: U64) -> list[str]:
        """The bids so far."""
        return [self.bid_text(bid) for bid in bits(said)]

    def hand_text(self, hand: int) -> str:
        """The faces of the dice, the lowest first."""
        return "".join(str(face + 1) * (hand >> COUNT_BITS * face & MOST_DICE) for face in range(self.faces))

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Hands:
        shown = [tuple(map(Card, self.hand_text(hand))) for hand in state.hands]
        touches = {self.format_action(state, action): () for action in legal_actions(self, state)}
        turn = CHANCE if self.is_terminal(state) else self.to_move(state)
        return self.table(shown, state.said, turn, touches)

    def view_picture(self, view: View, player: int) -> Hands:
        """The other player's dice are under the cup."""
        own = self.hand_text(view.hand)
        shown: list[tuple[Card | None, ...]] = [(None,) * count for count in self.dice]
        shown[player] = tuple(map(Card, own))
        rolling, over = len(own) < self.dice[player], msb(view.said) == self.liar
        turn = CHANCE if rolling or over else popcount(view.said) & 1
        known = self.worlds(view, player, GOLDEN) if turn == player else None
        moves = () if known is None else [self.bid_text(bid) for bid in legal_actions(self, known)]
        return self.table(shown, view.said, turn, dict.fromkeys(moves, ()))

    def table(
        self, shown: Sequence[tuple[Card | None, ...]], said: U64, turn: int, touches: dict[str, tuple[()]]
    ) -> Hands:
        hands = tuple(Hand(self.seat(player), dice, player) for player, dice in enumerate(shown))
        story = [f"{self.seat(number % 2)} {text}" for number, text in enumerate(self.story(said))]
        return Hands(hands, dice=True, turn=turn, touches=touches, caption=", ".join(story[-2:]))
