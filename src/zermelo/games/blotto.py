"""Colonel Blotto: divide coins among fields, all at once; whoever has most in a field wins it.

    player 1   5 3 2     Fields 1 and 3 are tied or won by the higher number; a tied field has no owner. Most fields
    player 2   0 4 6     win: here player 2 wins two fields of three.

Proposed by Émile Borel ("La théorie du jeu et les équations intégrales à noyau symétrique", 1921).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import comb

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.picture import Card, Hand, Hands, Touches
from zermelo.core.simultaneous import PENDING, Simultaneous
from zermelo.kernel import Numbers

MOST_DIVISIONS = 100_000
MOST_PLAYERS = 6


class Blotto(Simultaneous):
    """Divide coins among fields, all at once; most fields win."""

    name = "blotto"
    title = "Colonel Blotto"
    runtime = ("divided",)
    not_compiled = (*Simultaneous.not_compiled, "divisions")
    perft_table = {"": (66, 4356, 0)}

    def __init__(self, coins: int = 10, fields: int = 3, players: int = 2) -> None:
        if not (coins >= 1 and 2 <= fields <= 20 and 2 <= players <= MOST_PLAYERS):
            raise UsageError(
                f"blotto has 1 coin or more, 2 to 20 fields and 2 to {MOST_PLAYERS} players, "
                f"not {coins}, {fields} and {players}"
            )
        if (count := comb(coins + fields - 1, fields - 1)) > MOST_DIVISIONS:
            raise UsageError(f"{coins} coins can be divided in {count:,} ways; at most {MOST_DIVISIONS:,} are allowed")
        self.coins, self.fields, self.players, self.count_divisions = coins, fields, players, count
        self.divisions = tuple(divisions_of(coins, fields))
        self.divided = Numbers.allocate(count * fields)
        for number, division in enumerate(self.divisions):
            for field, amount in enumerate(division):
                self.divided[number * fields + field] = amount

    def __reduce__(self) -> tuple[type[Blotto], tuple[int, int, int]]:
        """Copies get their own memory."""
        return type(self), (self.coins, self.fields, self.players)

    # -- the rules: a situation has the division of each player, or PENDING ------------------------------------

    def start(self) -> tuple[int, ...]:
        return self.nothing_chosen

    def choices(self, situation: tuple[int, ...], player: int) -> Iterator[int]:
        for number in range(self.count_divisions):  # noqa: UP028, a kernel has no yield from
            yield number

    def outcome(self, situation: tuple[int, ...], chosen: tuple[int, ...]) -> tuple[int, ...]:
        return chosen

    def is_decided(self, situation: tuple[int, ...]) -> bool:
        return situation[0] != PENDING

    def payoff(self, situation: tuple[int, ...], player: int) -> float:
        """1 for most fields, shared by those who have as many and paid by the others; 0 if all have as many."""
        own, best, winners = self.won(situation, player), 0, 0
        for other in range(self.players):
            fields = self.won(situation, other)
            if fields > best:
                best, winners = fields, 1
            elif fields == best:
                winners += 1
        if winners == self.players:
            return 0.0
        return 1 / winners if own == best else -1 / (self.players - winners)

    def won(self, situation: tuple[int, ...], player: int) -> int:
        """The number of fields in which the player has more than each other."""
        found = 0
        for field in range(self.fields):
            own, is_most = self.divided[situation[player] * self.fields + field], True
            for other in range(self.players):
                if other != player and self.divided[situation[other] * self.fields + field] >= own:
                    is_most = False
            found += is_most
        return found

    # -- notation ----------------------------------------------------------------------------------

    def format_choice(self, situation: tuple[int, ...], player: int, choice: int) -> str:
        """The coins for each field: `5-3-2`."""
        return "-".join(map(str, self.divisions[choice]))

    def format_situation(self, situation: tuple[int, ...]) -> str:
        """`start`, or what all have chosen: `5-3-2 0-4-6`."""
        if situation[0] == PENDING:
            return "start"
        return " ".join(self.format_choice(situation, 0, choice) for choice in situation)

    def parse_situation(self, text: str) -> tuple[int, ...]:
        if text == "start":
            return self.start()
        known = {self.format_choice((), 0, number): number for number in range(self.count_divisions)}
        words = text.split()
        if len(words) != self.players or any(word not in known for word in words):
            raise BadPosition(
                f"{text!r} is not a position of {self}; write start, or a division of {self.coins} coins among "
                f"{self.fields} fields for each of {self.players} players"
            )
        return tuple(known[word] for word in words)

    # -- picture -----------------------------------------------------------------------------------

    def scene(self, seen: tuple[int, ...], player: int, moves: Touches) -> Hands:
        """The coins of each player, field by field."""
        hands = []
        for other in range(self.players):
            amounts = () if seen[other] == PENDING else self.divisions[seen[other]]
            numbers = (("fields", self.won(seen, other)),) if amounts else (("coins", self.coins),)
            hands.append(Hand(self.seat(other), tuple(Card(str(amount)) for amount in amounts), other, numbers))
        return Hands(tuple(hands), touches=moves)


def divisions_of(coins: int, fields: int) -> Iterator[tuple[int, ...]]:
    """All ways to divide coins among fields in the order of a dictionary, by the places of the bars between them."""
    for bars in combinations(range(coins + fields - 1), fields - 1):
        ends = (-1, *bars, coins + fields - 1)
        yield tuple(after - before - 1 for before, after in pairwise(ends))
