"""A method of solving a position: what all methods share, from the watch to the answer."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from zermelo.core.analysis import Analysis, Kind, MoveAnalysis, Stopped
from zermelo.core.errors import NotProved
from zermelo.core.game import CHANCE, Action, State
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.search.runtime import Watch

Progress = Callable[[dict[str, Any]], None]
LONGEST_LINE = 500
REPORT_SECONDS = 0.2
STUCK_SENTENCE = "somewhere it is not over, yet there is no move; the conformance kit finds where"


class Method(ABC):
    """Proves the value first; then the distance, the line and the other moves, as far as they cost little more."""

    is_compiled = True

    def __init__(self, referee: Referee, limit: Limit, progress: Progress | None) -> None:
        self.referee, self.game, self.state = referee, referee.game, referee.state
        self.limit, self.progress = limit, progress
        self.watch = Watch(self.stop, limit.time)
        self.proving = "the value"
        self.error = 0.0
        self._reported = time.monotonic()

    # -- what each method implements ------------------------------------------------------------------

    @abstractmethod
    def stop(self) -> None:
        """Make the proof return soon."""

    @abstractmethod
    def nodes(self) -> int:
        """The number of positions searched so far."""

    @abstractmethod
    def value(self, state: State) -> tuple[float, ...]:
        """The payoffs of a state that is not terminal; NotProved when the limit is reached."""

    @abstractmethod
    def size(self) -> dict[str, int]:
        """How large the proof is."""

    @abstractmethod
    def allow_more(self) -> None:
        """The value is proved within the node limit; the next question has a limit of its own."""

    def distance(self, value: tuple[float, ...]) -> int | None:
        """Plies to the end if the winner hurries and the loser delays; None if unknown or neither player is ahead."""
        return None

    def choice(self, state: State, value: tuple[float, ...], distance: int | None) -> Action | None:
        """A best move: it keeps the value and, if known, the distance; None if it cannot be found any more."""
        for action in self.game.actions(state):
            if self.payoffs(self.game.result(state, action)) == value:
                return action
        return None

    def move_value(self, action: Action) -> tuple[float, ...] | None:
        """The payoffs after a root move; None if that is much more work."""
        return self.payoffs(self.game.result(self.state, action))

    # -- what they share ------------------------------------------------------------------------------

    def payoffs(self, state: State) -> tuple[float, ...]:
        return self.game.utilities(state) if self.game.is_terminal(state) else self.value(state)

    def answer(self) -> Analysis:
        return self.watch.run(self._answer, self._tick)

    def _answer(self) -> Analysis:
        game, state = self.game, self.state
        if self.referee.is_over:
            return self._analysis(self.referee.utilities(), 0, (), (), self.size(), 0.0)
        value = self.value(state)
        seconds, size = self.watch.seconds, self.size()
        if game.to_move(state) == CHANCE:
            return self._analysis(value, None, (), (), size, seconds)
        self._turn_to("the distance")
        distance = self.distance(value)
        self._turn_to("the line")
        line = self._line(value, distance)
        self._turn_to("the other moves")
        moves = self._moves(value, line[0] if line else None)
        return self._analysis(value, distance, line, moves, size, seconds)

    def _turn_to(self, question: str) -> None:
        self.proving = question
        self.allow_more()

    def _line(self, value: tuple[float, ...], distance: int | None) -> tuple[str, ...]:
        """The best line to the end, to a roll of the dice or round a circle; all its positions have the same value."""
        state = self.state
        line: list[str] = []
        seen: set[State] = set()
        while state not in seen and len(line) < LONGEST_LINE:
            if self.game.is_terminal(state) or self.game.to_move(state) == CHANCE:
                break
            seen.add(state)
            action = self.choice(state, value, distance)
            if action is None:
                break
            line.append(self.game.format_action(state, action))
            state = self.game.result(state, action)
            distance = None if distance is None else distance - 1
        return tuple(line)

    def _moves(self, value: tuple[float, ...], best: str | None) -> tuple[MoveAnalysis, ...]:
        """The best move first, then the others by their value for the mover."""
        mover = self.game.to_move(self.state)
        found = list(self._move_values(value, best))
        return tuple(sorted(found, key=lambda move: (move.move != best, -move.value[mover])))

    def _move_values(self, value: tuple[float, ...], best: str | None) -> Iterable[MoveAnalysis]:
        for action in self.referee.legal():
            name = self.game.format_action(self.state, action)
            payoffs = value if name == best else self.move_value(action)
            # An unknown value is at most the best one for the mover.
            kind: Kind = "upper" if payoffs is None else "exact"
            yield MoveAnalysis(name, _without_minus_zero(value if payoffs is None else payoffs), kind)

    def _analysis(
        self,
        value: tuple[float, ...],
        distance: int | None,
        line: tuple[str, ...],
        moves: tuple[MoveAnalysis, ...],
        size: dict[str, int],
        seconds: float,
    ) -> Analysis:
        stats: dict[str, Any] = {**size, "seconds": round(seconds, 6)}
        stats["nodes_per_second"] = round(stats["nodes"] / seconds) if seconds > 0 else 0
        stats["compiled"] = self.is_compiled
        stopped: Stopped = "user" if self.watch.interrupted else "time" if self.watch.out_of_time else "done"
        notes: tuple[str, ...] = () if self.is_compiled else ("it ran interpreted",)
        if stopped != "done":
            notes += ("the value is proved; the line and the other moves were cut short",)
        return Analysis(
            game=self.game.spec(),
            position=self.game.format_state(self.state),
            to_move=CHANCE if self.referee.is_over else self.game.to_move(self.state),
            agent="solve",
            value=_without_minus_zero(value),
            kind="exact",
            error=self.error,
            best=line[0] if line else None,
            line=line,
            distance=distance,
            moves=moves,
            stats=stats,
            limit=self.limit,
            stopped=stopped,
            notes=notes,
        )

    def _tick(self) -> None:
        """Report progress a few times a second."""
        now = time.monotonic()
        if self.progress is not None and now - self._reported >= REPORT_SECONDS:
            self._reported = now
            self.progress({"nodes": self.nodes(), "seconds": self.watch.seconds, "proving": self.proving})

    def not_proved(self) -> NotProved:
        """The sentence for a limit that was reached; KeyboardInterrupt if it was the user."""
        if self.watch.interrupted:
            raise KeyboardInterrupt
        spent = f" and {self.watch.seconds:.3g} s" if self.watch.out_of_time else ""
        low, high = self.game.utility_range
        return NotProved(
            f"{self.game} is not proved after {self.nodes():,} nodes{spent}; its value lies somewhere in "
            f"[{low:g}, {high:g}]: give more time or nodes, or ask `best` for an estimate"
        )


def _without_minus_zero(payoffs: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(0.0 + payoff for payoff in payoffs)
