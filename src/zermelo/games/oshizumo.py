"""Oshi-Zumo: push the wrestler out of the ring by bids, all at once; the coins that are bid are gone.

    # . . . W . . #       Both players have 10 coins. In each round both bid; the higher bid pushes the wrestler one
                          place towards the other side, and equal bids leave it where it is. A wrestler out of the ring
                          has lost for the side where it fell; if the coins are gone, the place of the wrestler decides.

Described by Michael Buro ("Solving the Oshi-Zumo game", 2003). If only a fall decides, the game is called Alesia.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import State
from zermelo.core.picture import Grid, Piece, Touches
from zermelo.core.simultaneous import Simultaneous
from zermelo.kernel import state

MOST_COINS, MOST_SIZE, MOST_ROUNDS = 1000, 20, 1000
COINS_WEIGHT = 0.2
"""The share of the estimate that comes from the coins."""


@state
class Situation(NamedTuple):
    coins: tuple[int, int]
    place: int
    """Of the wrestler: 0 in the middle, above 0 on the side of the second player."""
    rounds: int
    """The number of rounds played, if the horizon can matter; otherwise 0."""


class OshiZumo(Simultaneous):
    """Bid coins to push the wrestler out of the ring, all at once."""

    name = "oshi-zumo"
    title = "Oshi-Zumo"
    option_labels = {
        "size": "places from the middle to the edge",
        "min_bid": "lowest bid",
        "horizon": "rounds at most",
        "alesia": "only a fall wins",
    }
    forgets = True
    perft_table = {"": (10, 100, 459, 2115, 5880, 16800, 31164, 63420)}

    def __init__(
        self, coins: int = 10, size: int = 3, min_bid: int = 1, horizon: int = 1000, alesia: bool = False
    ) -> None:
        if not (1 <= coins <= MOST_COINS and 1 <= size <= MOST_SIZE and 1 <= horizon <= MOST_ROUNDS):
            raise UsageError(
                f"oshi-zumo has 1 to {MOST_COINS} coins, 1 to {MOST_SIZE} places to the edge and 1 to {MOST_ROUNDS} "
                f"rounds, not {coins}, {size} and {horizon}"
            )
        if not 0 <= min_bid <= coins:
            raise UsageError(f"the lowest bid in oshi-zumo is from 0 to the {coins} coins, not {min_bid}")
        self.coins, self.size, self.min_bid, self.horizon, self.alesia = coins, size, min_bid, horizon, alesia
        self.out = size + 1
        self.is_counted = min_bid == 0 or horizon < -(-coins // min_bid)

    # -- the rules ---------------------------------------------------------------------------------

    def start(self) -> Situation:
        return Situation((self.coins, self.coins), 0, 0)

    def choices(self, situation: Situation, player: int) -> Iterator[int]:
        """All bids from the lowest on; all that is left if it is less."""
        if situation.coins[player] < self.min_bid:
            yield situation.coins[player]
        else:
            for bid in range(self.min_bid, situation.coins[player] + 1):  # noqa: UP028, a kernel has no yield from
                yield bid

    def outcome(self, situation: Situation, chosen: tuple[int, ...]) -> Situation:
        place = situation.place + (chosen[0] > chosen[1]) - (chosen[1] > chosen[0])
        left = (situation.coins[0] - chosen[0], situation.coins[1] - chosen[1])
        return Situation(left, place, situation.rounds + 1 if self.is_counted else 0)

    def is_decided(self, situation: Situation) -> bool:
        """The wrestler is out, all coins are gone, or it was the last round."""
        is_out = abs(situation.place) == self.out
        is_broke = situation.coins[0] == 0 and situation.coins[1] == 0
        return is_out or is_broke or situation.rounds == self.horizon

    def payoff(self, situation: Situation, player: int) -> int:
        place = situation.place if player == 0 else -situation.place
        if self.alesia and abs(place) < self.out:
            return 0
        return (place > 0) - (place < 0)

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """The place of the wrestler, and the lead in coins."""
        coins, place = state[0].coins, state[0].place
        lead = (coins[0] - coins[1]) / max(coins[0] + coins[1], 1)
        found = (1 - COINS_WEIGHT) * place / self.out + COINS_WEIGHT * lead
        return float(found if player == 0 else -found)

    # -- notation ----------------------------------------------------------------------------------

    def format_situation(self, situation: Situation) -> str:
        """The coins of both, the place of the wrestler, and the rounds if they matter: `7-3 +1`, `7-3 +1 4`."""
        rounds = f" {situation.rounds}" if self.is_counted else ""
        return f"{situation.coins[0]}-{situation.coins[1]} {situation.place:+d}{rounds}"

    def parse_situation(self, text: str) -> Situation:
        try:
            coins, place, *rounds = text.split()
            first, second = map(int, coins.split("-"))
            found = Situation((first, second), int(place), int(rounds[0]) if rounds else 0)
        except (ValueError, IndexError):
            found = None
        if found is None or self.format_situation(found) != text:
            raise BadPosition(
                f"{text!r} is not a position of {self}; write it as in {self.format_situation(self.start())!r}"
            )
        if max(found.coins) > self.coins or abs(found.place) > self.out or found.rounds > self.horizon:
            raise BadPosition(
                f"{text!r} is impossible: both have at most {self.coins} coins, the wrestler is at most {self.out} "
                f"places from the middle, and there are at most {self.horizon} rounds"
            )
        return found

    # -- picture -----------------------------------------------------------------------------------

    def scene(self, seen: Situation, player: int, moves: Touches) -> Grid:
        """The ring with its two edges; the first player pushes to the right."""
        places = 2 * self.out + 1
        wrestler = Piece("W", -1, "wrestler")
        cells = tuple(wrestler if place == self.out + seen.place else None for place in range(places))
        labels = ("out", *(f"{abs(place)}" for place in range(-self.size, self.size + 1)), "out")
        caption = f"coins: {self.seat(0)} {seen.coins[0]}, {self.seat(1)} {seen.coins[1]}"
        return Grid(1, places, cells, col_labels=labels, touches=moves, caption=caption)
