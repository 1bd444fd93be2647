"""Nim: take any number from one heap; who takes the last counter wins (in misère play, loses).

    a  ooo          a move is heap * (largest heap + 1) + how many;
    b  oooo         `b3` takes three counters from heap b
    c  ooooo

Solved by Charles Bouton (Annals of Mathematics 3, 1901).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import Game, legal_actions
from zermelo.core.picture import Piles
from zermelo.kernel import replace_item, state

HEAP_NAMES = "abcdefghijklmnopqrstuvwxyz"


@state
class Position(NamedTuple):
    heaps: tuple[int, ...]
    player: int


class Nim(Game):
    """Two players take counters from one heap at a time; the last counter decides."""

    name = "nim"
    option_labels = {"heaps": "counters in each heap", "misere": "the last counter loses"}
    perft_table = {"": (12, 113, 810, 4338, 17496, 53442, 123228, 211470, 262248, 222390, 115500, 27720, 0)}

    def __init__(self, heaps: tuple[int, ...] = (3, 4, 5), misere: bool = False) -> None:
        if not 1 <= len(heaps) <= len(HEAP_NAMES) or not all(1 <= heap <= 1000 for heap in heaps):
            shown = "-".join(map(str, heaps)) or "none"
            raise UsageError(f"nim has 1 to {len(HEAP_NAMES)} heaps of 1 to 1000 counters, as in 3-4-5, not {shown}")
        self.heaps, self.misere = tuple(heaps), misere
        self.base = max(heaps) + 1

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(self.heaps, 0)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """One counter or more from one heap."""
        for heap in range(len(state.heaps)):
            for count in range(1, state.heaps[heap] + 1):
                yield heap * self.base + count

    def result(self, state: Position, action: int) -> Position:
        heap, count = action // self.base, action % self.base
        return Position(replace_item(state.heaps, heap, state.heaps[heap] - count), 1 - state.player)

    def is_terminal(self, state: Position) -> bool:
        for heap in state.heaps:  # noqa: SIM110 - `all` does not compile
            if heap > 0:
                return False
        return True

    def utility(self, state: Position, player: int) -> int:
        """At the end the player to move is the one who did not take the last counter."""
        return 1 if (player == state.player) == self.misere else -1

    # -- knowledge ---------------------------------------------------------------------------------

    def canonical(self, state: Position) -> Position:
        """The order of the heaps does not matter: smallest first."""
        heaps = state.heaps
        for end in range(1, len(heaps)):
            place = end
            while place > 0 and heaps[place - 1] > heaps[place]:
                smaller, larger = heaps[place], heaps[place - 1]
                heaps = replace_item(replace_item(heaps, place - 1, smaller), place, larger)
                place -= 1
        return Position(heaps, state.player)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """The heap and how many: `b3`."""
        return f"{HEAP_NAMES[action // self.base]}{action % self.base}"

    def format_state(self, state: Position) -> str:
        """The heaps and the player to move: `3-4-5 1`."""
        return f"{'-'.join(map(str, state.heaps))} {state.player + 1}"

    def parse_state(self, text: str) -> Position:
        heaps, _, player = text.strip().partition(" ")
        sizes = [int(heap) if heap.isdecimal() and len(heap) < 5 else -1 for heap in heaps.split("-")]
        if len(sizes) != len(self.heaps) or min(sizes) < 0 or player not in ("1", "2"):
            raise BadPosition(
                f"{text!r} is not a position of {self}; the start is {self.format_state(self.initial())!r}"
            )
        if max(sizes) >= self.base:
            raise BadPosition(f"{text!r} is impossible: the largest heap of {self} has {self.base - 1} counters")
        return Position(tuple(sizes), int(player) - 1)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Piles:
        return Piles(
            state.heaps,
            labels=tuple(HEAP_NAMES[: len(state.heaps)]),
            touches={
                self.format_action(state, action): (action // self.base,) for action in legal_actions(self, state)
            },
        )
