"""The seat: what an agent gets in a game with hidden information, instead of the referee.

A seat knows what its player has seen, and nothing else: the view, the legal moves, and the player's own earlier views
and moves. It keeps no state and no referee, so an agent cannot look at the other players' cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NoReturn

from zermelo.core.errors import IllegalMove, Refused
from zermelo.core.game import CHANCE, Action, Game, State, View, suggest
from zermelo.kernel import GOLDEN, U64, mix


@dataclass(frozen=True)
class Memory:
    """An earlier turn of the seat's own player."""

    view: View
    action: Action
    index: int
    """The place of the action among the legal ones."""
    text: str


@dataclass(frozen=True)
class Seat:
    """A player's place at the table: what they see and remember, and what they may do."""

    game: Game
    player: int
    view: View
    memories: tuple[Memory, ...] = ()
    """The player's own earlier turns, the first one first."""
    moves: tuple[tuple[Action, str], ...] = ()
    """The legal moves with their notation; none if it is not the player's turn."""
    is_over: bool = False
    is_whole: bool = True
    """Whether the memories go back to the start of the game."""

    @property
    def to_move(self) -> int:
        """The player if it is their turn; otherwise CHANCE, because a seat does not see whose turn it is."""
        return self.player if self.moves else CHANCE

    @property
    def ply(self) -> int:
        """The number of the player's own earlier turns."""
        return len(self.memories)

    @property
    def known_state(self) -> State:
        """A state that fits the view; the same for every call."""
        return self.world(0)

    def legal(self) -> list[Action]:
        """The moves that may be played now."""
        return [action for action, _ in self.moves]

    def find_legal(self, action: Action) -> Action:
        """The legal action that equals this one, in the game's own type."""
        return find_equal(self.legal(), action, [text for _, text in self.moves])

    def format_action(self, action: Action) -> str:
        """A legal move in the game's notation."""
        return self.moves[self.legal().index(self.find_legal(action))][1]

    def format_view(self) -> str:
        """The view as text."""
        return self.game.format_view(self.view, self.player)

    def world(self, luck: int) -> State:
        """A random state that fits the view; the same luck gives the same state."""
        return self.game.worlds(self.view, self.player, mix(U64(luck) + GOLDEN))

    # -- what a referee has, and a seat must not ---------------------------------------------------

    @property
    def state(self) -> NoReturn:
        self._refuse("the state")

    @property
    def turns(self) -> NoReturn:
        self._refuse("the others' turns")

    @property
    def start(self) -> NoReturn:
        self._refuse("the first state")

    def _refuse(self, what: str) -> NoReturn:
        raise Refused(
            f"{self.game.name} has hidden information, so a seat does not show {what}; "
            "use its view, memories, legal() and world(luck)"
        )


def find_equal(legal: Sequence[Action], action: Action, names: Iterable[str]) -> Action:
    """The one of the legal actions that equals this one; IllegalMove otherwise."""
    try:
        return legal[legal.index(action)]
    except ValueError:  # an array of numpy raises it too
        raise IllegalMove(f"{action!r} is not legal here; {suggest(names, 'the game is over')}") from None


class SeatNotation:
    """Writes the moves of a seat: only lines of one move, because the rest depends on what is hidden."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat

    def write(self, line: Iterable[Action]) -> tuple[str, ...]:
        return tuple(self._seat.format_action(action) for action in list(line)[:1])
