"""Hands of cards as SVG: cards with rank and suit, patterned backs, and the owner beside each hand.

A hand is a row. A card shows its suit large and its rank in the corner; one without a suit shows the rank alone. All
cards are as wide as the longest words on one of them. Dice are squares with dots, or a number above six.
"""

from __future__ import annotations

from zermelo.core.numerals import number_text
from zermelo.core.picture import Card, Hand, Hands
from zermelo.draw.markup import Markup, element, label, lines, text_width
from zermelo.draw.palette import owner_name
from zermelo.draw.svg_tables import DOTS

WIDE, TALL, GAP = 46, 64, 7
"""The size of a card, and the distance to the next."""
ROW = 13
"""Maximum number of cards in a row: a whole suit."""
SPACE = 18
"""Between hands."""
INSET = 5
"""The distance from the edge of a back to its pattern."""
ACROSS, DOWN = 4, 6
"""The size of the diamonds on a back."""
RANK, WORDS = 26, 14
"""Font sizes of a rank without a suit: of one or two letters, and of more."""
SUITS = {
    "♠": "M0 -10C3 -5 9 -2 9 3A4.6 4.6 0 0 1 1.2 6.2C1.4 8 2 9.4 3.4 10.5"
    "H-3.4C-2 9.4 -1.4 8 -1.2 6.2A4.6 4.6 0 0 1 -9 3C-9 -2 -3 -5 0 -10Z",
    "♥": "M0 10C-3 5.5 -9.5 1 -9.5 -4.2A5 5 0 0 1 0 -6A5 5 0 0 1 9.5 -4.2C9.5 1 3 5.5 0 10Z",
    "♦": "M0 -10.5C2 -6 4.8 -2.6 7.8 0C4.8 2.6 2 6 0 10.5C-2 6 -4.8 2.6 -7.8 0C-4.8 -2.6 -2 -6 0 -10.5Z",
    "♣": "M-3.4 10.5C-2 9.4 -1.4 8 -1.2 5.4A4.7 4.7 0 1 1 -4.1 -2.2"
    "A4.7 4.7 0 1 1 4.1 -2.2A4.7 4.7 0 1 1 1.2 5.4C1.4 8 2 9.4 3.4 10.5Z",
}
"""The centred outlines of the suits, so that no font needs to have them."""
SUIT_NAMES = {"♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs"}
RED = ("♥", "♦")
DOT, SPREAD = 4, 12
"""The radius of a dot of a die, and the distance to the next."""


def hands_parts(hands: Hands, margin: float) -> tuple[float, float, list[Markup]]:
    """The width, height and parts of the picture."""
    wide = max([WIDE, *(_least_width(card) for card in hands.cards if card)])
    left = margin + 38 + max([0.0, *(_beside(hand) for hand in hands.hands)])
    columns = min(ROW, max([1, *(len(hand.cards) for hand in hands.hands)]))
    parts, cell, top = [], 0, margin
    tall = wide if hands.dice else TALL
    for hand in hands.hands:
        height = max(_lines_high(hand), _rows(hand) * (tall + GAP) - GAP)
        parts += _name_labels(hand, hand.owner >= 0 and hand.owner == hands.turn, margin, top + min(height, tall) / 2)
        for number, card in enumerate(hand.cards):
            row, column = divmod(number, ROW)
            x, y = left + column * (wide + GAP), top + row * (tall + GAP)
            shape = _die(card, wide) if hands.dice else _back(wide) if card is None else _face(card, wide)
            drawn = element(
                "g", element("title", describe_card(card, hands.dice)), shape, transform=f"translate({x:g} {y:g})"
            )
            size = {"x": x, "y": y, "width": wide, "height": tall, "rx": 9 if hands.dice else 6}
            parts.append(_cell(drawn, cell + number, size, card is None, cell + number in hands.marked))
        cell += len(hand.cards)
        top += height + SPACE
    return left + columns * (wide + GAP) - GAP + margin, top - SPACE * bool(hands.hands) + margin, parts


def describe_hands(hands: Hands) -> str:
    """The cards and numbers of all hands in words."""
    parts = []
    for hand in hands.hands:
        whose = f"{hand.name}, to move" if 0 <= hand.owner == hands.turn else hand.name
        numbers = [f"{name} {number_text(number)}" for name, number in hand.numbers]
        cards = [describe_card(card, hands.dice) for card in hand.cards]
        parts.append(f"{whose}: {', '.join([*cards, *numbers]) or 'nothing'}")
    cells = [describe_card(hands.cards[cell], hands.dice) for cell in hands.marked]
    return "; ".join(parts) + (f"; marked: {', '.join(cells)}" if cells else "")


def describe_card(card: Card | None, is_die: bool = False) -> str:
    """`Q of hearts`, `5-6`, `a card face down`; `die 5`, `a die under a cup`."""
    if is_die:
        return "a die under a cup" if card is None else f"die {card.rank}"
    if card is None:
        return "a card face down"
    return f"{card.rank} of {SUIT_NAMES[card.suit]}" if card.suit in SUIT_NAMES else f"{card.rank}{card.suit}"


# -- beside a hand ---------------------------------------------------------------------------------


def _name_labels(hand: Hand, is_turn: bool, x: float, middle: float) -> list[Markup]:
    """The player's colour, the name, below it the numbers; an arrow before it shows whose turn it is."""
    top = middle - _lines_high(hand) / 2
    parts = []
    if is_turn:
        parts.append(element("path", class_="accented", d=f"M{x:g} {top + 3:g}l7 6l-7 6Z"))
    if hand.owner >= 0:
        parts.append(element("circle", class_=f"owner-{owner_name(hand.owner)}", cx=x + 17, cy=top + 9, r=6))
    parts.append(label(x + 29, top + 14, hand.name, "strong" if is_turn else "", "start"))
    for row, (name, number) in enumerate(hand.numbers, 1):
        parts.append(label(x + 29, top + 14 + 18 * row, f"{name} {number_text(number)}", "muted", "start"))
    return parts


def _beside(hand: Hand) -> float:
    """The width of the text beside a hand."""
    return max(text_width(text, 14) for text in (hand.name, *(f"{name} {number_text(n)}" for name, n in hand.numbers)))


def _lines_high(hand: Hand) -> float:
    return 18 * (1 + len(hand.numbers))


def _rows(hand: Hand) -> int:
    """The number of rows of cards; an empty hand has one."""
    return max(1, -(-len(hand.cards) // ROW))


# -- cards -----------------------------------------------------------------------------------------


def _cell(drawn: Markup, number: int, size: dict[str, float], is_hidden: bool, is_marked: bool) -> Markup:
    edge = element("rect", class_="marked" if is_hidden else "plain", **size)
    mark = element("rect", class_="line best", **size) if is_marked else Markup()
    return element("g", edge, drawn, mark, class_="cell", data_cell=number)


def _die(die: Card | None, wide: float) -> Markup:
    """The dots of a die, with its corner at (0, 0); a question mark if it is under a cup."""
    if die is None:
        return _write("?", wide / 2, wide / 2 + 0.36 * RANK, RANK, "middle muted")
    if not die.rank.isdecimal() or int(die.rank) not in DOTS:
        return _write(die.rank, wide / 2, wide / 2 + 0.36 * RANK, RANK)
    dots = [
        element("circle", class_="ink", cx=wide / 2 + column * SPREAD, cy=wide / 2 + row * SPREAD, r=DOT)
        for row in (-1, 0, 1)
        for column in (-1, 0, 1)
        if str(3 * row + column + 5) in DOTS[int(die.rank)]
    ]
    return lines(*dots)


def _face(card: Card, wide: float) -> Markup:
    """Rank and suit, with the card's corner at (0, 0)."""
    ink = "red" if card.suit in RED else "ink"
    if not card.suit:
        size = RANK if len(card.rank) < 3 else WORDS
        return _write(card.rank, wide / 2, TALL / 2 + 0.36 * size, size)
    corner = _write(card.rank, 6, 20, 17, f"start {ink}")
    if card.suit not in SUITS:
        return lines(corner, _write(card.suit, wide / 2, TALL - 14, RANK if len(card.suit) < 3 else WORDS))
    where = f"translate({wide / 2:g} {TALL - 23:g}) scale(1.35)"
    return lines(corner, element("path", class_=ink, d=SUITS[card.suit], transform=where))


def _write(text: str, x: float, y: float, size: float, style: str = "middle") -> Markup:
    return element("text", text, x=x, y=y, class_=f"{style} strong", font_size=size)


def _back(wide: float) -> Markup:
    """Diamonds in a frame, with the card's corner at (0, 0)."""
    width, height = (wide - 2 * INSET) / ACROSS, (TALL - 2 * INSET) / DOWN
    zigzags = []
    for row in range(2 * DOWN):  # one that begins with a step down and one with a step up, for each row of diamonds
        ends = [INSET + height * (row // 2 + (column + row) % 2) for column in range(ACROSS + 1)]
        zigzags.append("L".join(f"{INSET + width * column:g} {y:g}" for column, y in enumerate(ends)))
    frame = element("rect", class_="line", x=INSET, y=INSET, width=wide - 2 * INSET, height=TALL - 2 * INSET, rx=3)
    return lines(frame, element("path", class_="line", d="M" + "M".join(zigzags), opacity=0.45))


def _least_width(card: Card) -> float:
    """The minimum width of a card that fits its text."""
    if not card.suit:
        return text_width(card.rank, RANK if len(card.rank) < 3 else WORDS) + 12
    sign = 0.0 if card.suit in SUITS else text_width(card.suit, RANK if len(card.suit) < 3 else WORDS)
    return max(text_width(card.rank, 17), sign) + 12
