"""The base class of the methods of solving a position."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from zermelo.core.analysis import Kind, MoveAnalysis, Stopped
from zermelo.core.errors import NotProved
from zermelo.core.game import CHANCE, Action, State
from zermelo.core.referee import open_table
from zermelo.search.runtime import Findings, Request, RootSearch

LONGEST_LINE = 500


class Method(RootSearch):
    """Proves the value first; then the distance, the line and the other moves, as far as that is cheap."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.proving = "the value"
        self.error = 0.0
        self._found: Findings | None = None
        self._is_done = False
        self._effort: dict[str, Any] = {}
        """Statistics of the proof of the value, once it is complete."""

    # -- what each method implements ------------------------------------------------------------------

    @abstractmethod
    def value(self, state: State) -> tuple[float, ...]:
        """The payoffs of a state that is not terminal; NotProved when the limit is reached."""

    @abstractmethod
    def size(self) -> dict[str, int]:
        """Statistics of the proof's size besides its nodes."""

    @abstractmethod
    def allow_more(self) -> None:
        """Set the node limit of the next question, once the value is proved within the caller's limit."""

    def distance(self, value: tuple[float, ...]) -> int | None:
        """Plies to the end if the winner hurries and the loser delays; None if unknown or neither player is ahead."""
        return None

    def choice(self, state: State, value: tuple[float, ...], distance: int | None) -> Action | None:
        """A best move, which keeps the value and, if known, the distance; None if it was not found within the limit."""
        for action in self.game.actions(state):
            if self.payoffs(self.game.result(state, action)) == value:
                return action
        return None

    def move_value(self, action: Action) -> tuple[float, ...] | None:
        """The payoffs after a root move; None if they were not found within the limit."""
        return self.payoffs(self.game.result(self.state, action))

    # -- shared by all methods ------------------------------------------------------------------------

    def payoffs(self, state: State) -> tuple[float, ...]:
        return self.game.utilities(state) if self.game.is_terminal(state) else self.value(state)

    def run(self) -> Stopped:
        if self.referee.is_over:
            self._find(open_table(self.referee).utilities(), distance=0)
            self._is_done = True
            return "done"
        value = self.value(self.state)
        self._effort = self.stats_of(self.count(), self.watch.seconds, self.size())
        self._find(value)
        if self.player != CHANCE:
            self._turn_to("the distance")
            distance = self.distance(value)
            self._turn_to("the line")
            line = self._line(value, distance)
            self._turn_to("the other moves")
            self._find(value, distance, line, self._moves(value, line[0] if line else None))
        self._is_done = True
        return "done" if not self.watch.is_over else self.reason()

    def _turn_to(self, question: str) -> None:
        self.proving = question
        self.allow_more()

    def _find(
        self,
        value: tuple[float, ...],
        distance: int | None = None,
        line: tuple[Action, ...] = (),
        moves: tuple[MoveAnalysis, ...] = (),
    ) -> None:
        notes: tuple[str, ...] = ()
        if self.watch.is_over:
            notes = ("the value is proved; the line and the other moves were cut short",)
        proved = _without_minus_zero(value)
        self._found = Findings(proved, "exact", moves, line, distance, error=self.error, notes=notes)

    def findings(self) -> Findings:
        """What is proved; in a report before the end, a note says what is being proved."""
        found = self._found or Findings((math.nan,) * self.game.players, "estimate")
        return found if self._is_done else replace(found, notes=(f"proving {self.proving}",))

    def stats(self) -> dict[str, Any]:
        """Those of the proof of the value; in a report before the end, those of all questions so far."""
        is_final = self._is_done and self._effort
        return self._effort if is_final else self.stats_of(self.count(), self.watch.seconds, self.size())

    def _line(self, value: tuple[float, ...], distance: int | None) -> tuple[Action, ...]:
        """The best line to the end, a roll or a repeated position; all its positions have the same value."""
        state = self.state
        line: list[Action] = []
        seen: set[State] = set()
        while state not in seen and len(line) < LONGEST_LINE:
            if self.game.is_terminal(state) or self.game.to_move(state) == CHANCE:
                break
            seen.add(state)
            action = self.choice(state, value, distance)
            if action is None:
                break
            line.append(action)
            state = self.game.result(state, action)
            distance = None if distance is None else distance - 1
        return tuple(line)

    def _moves(self, value: tuple[float, ...], best: Action | None) -> tuple[MoveAnalysis, ...]:
        """The best move first, then the others by their value for the mover."""
        found = list(self._move_values(value, best))
        return tuple(sorted(found, key=lambda move: (move.action != best, -move.value[self.player])))

    def _move_values(self, value: tuple[float, ...], best: Action | None) -> Iterable[MoveAnalysis]:
        for action in self.referee.legal():
            payoffs = value if action == best else self.move_value(action)
            # An unknown value is at most the best one for the mover.
            kind: Kind = "upper" if payoffs is None else "exact"
            yield MoveAnalysis(action, _without_minus_zero(value if payoffs is None else payoffs), kind)

    def tick(self) -> None:
        if self.is_report_due:
            self.report("nodes")

    def not_proved(self) -> NotProved:
        """The error for a reached limit; raises KeyboardInterrupt if the user stopped the proof."""
        if self.watch.interrupted:
            raise KeyboardInterrupt
        spent = f" and {self.watch.seconds:.3g} s" if self.watch.out_of_time else ""
        low, high = self.game.utility_range
        return NotProved(
            f"{self.game} is not proved after {self.count():,} nodes{spent}; its value lies somewhere in "
            f"[{low:g}, {high:g}]: give more time or nodes, or ask `best` for an estimate"
        )


def _without_minus_zero(payoffs: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(0.0 + payoff for payoff in payoffs)
