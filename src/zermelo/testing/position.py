"""A position of a random game: the results of the rules, and the moves that led there.

All calls of the user's methods go through `ask`, so that an error becomes a sentence with its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

from zermelo.core.checked import without_checks
from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.testing.copies import deep_copy, is_frozen
from zermelo.testing.violation import ContractViolation, attempt

Answer = TypeVar("Answer")

MOST_MOVES = 100_000
_LONGEST_TEXT = 300
_MOVES_SHOWN = 30


@dataclass(eq=False)
class Position:
    """A state with its history; `observe` adds the results of the rules."""

    game: Game
    state: State
    before: Position | None = None
    action: Action = None
    """The move that led here; unused at the start."""
    player: Any = None
    over: Any = None
    moves: tuple[Action, ...] = ()
    """The legal moves, or at CHANCE the outcomes; none at the end."""
    chances: tuple[Any, ...] = ()
    """At CHANCE, the probability of each outcome."""
    payoffs: tuple[Any, ...] = ()
    """At the end, one utility per player."""

    ply: int = 0
    """The number of moves that led here."""

    def __post_init__(self) -> None:
        self.ply = self.before.ply + 1 if self.before else 0

    # -- asking the user's code --------------------------------------------------------------------

    def observe(self) -> Position:
        """Call the rules for the player to move, the end, the moves and the payoffs.

        ContractViolation if they fail.
        """
        self.over = self.ask("is_terminal")
        self.player = self.ask("to_move")
        if self.attempt("is_terminal", bool, self.over):
            self.payoffs = tuple(self.ask("utility", player) for player in range(self.game.players))
        elif self.is_chance:
            pairs = self.ask_all("outcomes")
            for pair in pairs:
                if not (isinstance(pair, tuple | list) and len(pair) == 2):
                    raise self.violation("outcomes should give pairs (action, probability)", f"it gives {pair!r}")
            self.moves, self.chances = tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)
        else:
            self.moves = self.ask_all("actions")
        return self

    def after(self, action: Action) -> Position:
        """The position after a legal move, observed."""
        return Position(self.game, self.next_state(action), self, action).observe()

    def next_state(self, action: Action) -> State:
        state = self.ask("result", action)
        if state is None:
            raise self.violation(
                "result should return the state after the move", f"after {self.move_text(action)} it is None"
            )
        return state

    def ask(self, method: str, *args: Any) -> Any:
        """The result of the game's method for this state."""
        return self.attempt(method, without_checks(self.game, method), self.fresh_state(), *args)

    def ask_all(self, method: str) -> tuple[Any, ...]:
        """All results of a method like `actions`, even of an endless one."""
        found = self.ask(method)
        if not hasattr(found, "__iter__"):
            raise self.violation(f"{method} should give moves one after the other", f"it gives {found!r}")
        items = self.attempt(method, tuple, islice(found, MOST_MOVES + 1))
        if len(items) > MOST_MOVES:
            raise self.violation(f"{method} should come to an end", f"it gives more than {MOST_MOVES:,} moves")
        return items

    def attempt(self, method: str, function: Callable[..., Answer], *args: Any) -> Answer:
        """The result of the function; an error becomes a ContractViolation that names the method and the place."""
        return attempt(self.game, method, function, *args, where=self.where)

    def fresh_state(self) -> State:
        """The state for the user's code: a copy if it is mutable."""
        return self.state if self.is_frozen else deep_copy(self.state)

    @cached_property
    def is_frozen(self) -> bool:
        return is_frozen(self.state)

    # -- what kind of position this is -------------------------------------------------------------

    @property
    def is_chance(self) -> bool:
        return isinstance(self.player, int) and self.player == CHANCE

    @property
    def is_decision(self) -> bool:
        return not self.over and not self.is_chance

    # -- sentences ---------------------------------------------------------------------------------

    def violation(self, expected: str, found: str) -> ContractViolation:
        """The error for a claim that does not hold here."""
        return ContractViolation(f"{expected}, but {found} {self.where()}")

    def where(self) -> str:
        """`in '2,1' after 1 2`, for the end of a sentence."""
        if self.before is None:
            return f"at the start, {self.text()}"
        moves = [step.before.move_text(step.action) for step in self.way() if step.before]
        if len(moves) <= _MOVES_SHOWN:
            return f"in {self.text()} after {' '.join(moves)}"
        return f"in {self.text()} after {len(moves)} moves, the last of them {' '.join(moves[-_MOVES_SHOWN:])}"

    def way(self) -> list[Position]:
        """The positions from the start to this one."""
        steps = list(self._back())
        return steps[::-1]

    def _back(self) -> Iterator[Position]:
        step: Position | None = self
        while step is not None:
            yield step
            step = step.before

    def text(self) -> str:
        """The position in notation, or else as Python writes it."""
        text = _try_to_write(lambda: self.game.format_state(self.fresh_state()))
        return repr(text) if text else _try_to_write(lambda: repr(self.state)) or "a state that cannot be written"

    def move_text(self, action: Action) -> str:
        text = _try_to_write(lambda: self.game.format_action(self.fresh_state(), action))
        return text or _try_to_write(lambda: repr(action)) or "a move that cannot be written"


def _try_to_write(write: Callable[[], object]) -> str:
    """The text, shortened if it is long; empty if there is none, which the check of the notation reports."""
    try:
        text = write()
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ""
    if not isinstance(text, str):
        return ""
    return text[:_LONGEST_TEXT] + "..." * (len(text) > _LONGEST_TEXT)
