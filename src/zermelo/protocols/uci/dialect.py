"""How a game is written in UCI: moves, lines and scores.

    chess        g1f3, e7e8q      from, to and the promotion, as the protocol has it
    other games  their own notation

The protocol defines chess only. For other games a position is the game's own text, and `UCI_Variant` names the game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from zermelo.core.errors import IllegalMove
from zermelo.core.game import Action, Game, State, legal_actions, suggest
from zermelo.core.notation import Notation

WON = 1e-6
"""A proven value this close to an end of the scale, as a share of it, means that the game is decided."""


class Dialect:
    """A game in its own notation."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def variant(self) -> str:
        """The game's name among variants."""
        return self.game.spec()

    def write(self, state: State, action: Action) -> str:
        """A legal move as one word."""
        return self.game.format_action(state, action)

    def read(self, state: State, text: str) -> Action:
        """Read a legal move; IllegalMove otherwise."""
        return self.game.parse_action(state, text)

    def write_line(self, notation: Notation, line: Sequence[Action]) -> Sequence[str]:
        """A line as words; the notation is that of the position where it begins."""
        return notation.write(line)

    def read_line(self, state: State, words: Iterable[str]) -> tuple[Action, ...]:
        """The line that the words stand for, up to the first one that is not a legal move."""
        found = []
        for word in words:
            try:
                action = self.read(state, word)
            except IllegalMove:
                break
            found.append(action)
            state = self.game.result(state, action)
        return tuple(found)

    def score(self, value: float, distance: int | None) -> str:
        """`cp 35` or `mate -2`: the value for the mover, or the moves to a proven end."""
        low, high = self.game.utility_range
        if distance is not None and not self.game.margins:
            if value >= high - WON * (high - low):
                return f"mate {(distance + 1) // 2}"
            if value <= low + WON * (high - low):
                return f"mate {-((distance + 1) // 2)}"
        return f"cp {round(100 * value / self.game.unit) if math.isfinite(value) else 0}"

    def value(self, unit: str, number: int) -> float:
        """The approximate inverse of `score`: the value of `cp 35` or `mate -2` for the mover."""
        low, high = self.game.utility_range
        if unit == "mate":
            return float(high if number > 0 else low)
        return max(float(low), min(float(high), number * self.game.unit / 100))


class LongAlgebraic(Dialect):
    """Chess in the protocol's long algebraic notation."""

    @property
    def variant(self) -> str:
        return "chess"

    def write(self, state: State, action: Action) -> str:
        from zermelo.games.chess.notation import write_uci

        return write_uci(action)

    def read(self, state: State, text: str) -> Action:
        """Read strictly: `b8c6` never means a bishop."""
        wanted = text.strip().lower()
        legal = {self.write(state, action): action for action in legal_actions(self.game, state)}
        if wanted not in legal:
            raise IllegalMove(
                f"{text.strip() or 'an empty move'} is not legal here; {suggest(legal, 'the game is over')}"
            )
        return legal[wanted]

    def write_line(self, notation: Notation, line: Sequence[Action]) -> Sequence[str]:
        """A word says everything about a move, so the positions between are not needed."""
        from zermelo.games.chess.notation import write_uci

        return [write_uci(action) for action in line]


def dialect_of(game: Game) -> Dialect:
    """The dialect of this game."""
    from zermelo.games.chess import Chess

    return LongAlgebraic(game) if isinstance(game, Chess) else Dialect(game)
