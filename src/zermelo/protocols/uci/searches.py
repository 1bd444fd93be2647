"""The searches that a server runs: one after the other, in a thread of their own, while orders keep coming in.

Every search says `bestmove` exactly once, whatever happens to it: it is stopped before it began, or while the engine is
compiled, the game is over, the engine fails.

A search that ponders runs without a clock until `ponderhit`; then it runs again with its clock, on a table that is full
of what was found.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from zermelo.core.analysis import Analysis
from zermelo.core.errors import ZermeloError
from zermelo.core.game import Action, Game, State
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.protocols.output import WriteLine
from zermelo.protocols.serial_executor import SerialExecutor
from zermelo.protocols.uci.dialect import Dialect
from zermelo.protocols.uci.options import Options
from zermelo.protocols.uci.orders import Order
from zermelo.protocols.uci.report import complaint, final_lines, move_words, report_lines
from zermelo.search.alphabeta import Clock

NO_MOVE = "(none)"
PAUSE = 0.05
"""Seconds between two reports, since lines are slow to write; the last one is always told."""


class UciEngine(Protocol):
    """What a server needs of an engine."""

    def think(
        self,
        position: Referee,
        limit: Limit,
        *,
        clock: Clock | None = None,
        lines: int = 1,
        only: Sequence[Action] = (),
        stop: threading.Event | None = None,
        progress: Callable[[Analysis], None] | None = None,
    ) -> Analysis: ...

    def prepare(self, state: State) -> bool: ...

    def clear(self) -> None: ...


MakeEngine: TypeAlias = Callable[[Game, int, int], UciEngine]
"""From a game, megabytes and threads."""


class Search:
    """One `go`."""

    def __init__(self, referee: Referee, order: Order, options: Options, dialect: Dialect, write: WriteLine) -> None:
        self.referee, self.order, self.options, self.dialect, self.write = referee, order, options, dialect, write
        self._changed = threading.Condition()
        self._halt = threading.Event()
        self._is_stopped = False
        self._is_hit = not order.ponder
        self._news: object = None
        self._next_report = -math.inf

    # -- from the other program's side ----------------------------------------------------------------

    def stop(self) -> None:
        """Answer now."""
        with self._changed:
            self._is_stopped = True
            self._halt.set()
            self._changed.notify_all()

    def hit(self) -> None:
        """The expected move was played: from now on it is our own time."""
        with self._changed:
            if not self._is_hit:
                self._is_hit = True
                self._halt.set()
                self._changed.notify_all()

    @property
    def is_stopped(self) -> bool:
        return self._is_stopped

    @property
    def ends_by_itself(self) -> bool:
        """Whether it answers some day without another word."""
        return self._is_hit and not self.order.infinite and (self.order.limit, self.order.clock) != (Limit(), None)

    # -- in the thread of searches --------------------------------------------------------------------

    def run(self, engine: Callable[[], UciEngine]) -> None:
        """Think, and say the best move; an error becomes a sentence, and some legal move is played all the same."""
        words = NO_MOVE
        try:
            if not self.referee.is_over:
                words = self._any_move()
            thinker = engine()
            if self.referee.is_over:
                for line in final_lines(self.referee, self.dialect):
                    self.write(line)
            else:
                answer = self._answer(thinker)
                self._show(answer)
                words = move_words(self.referee, answer, self.dialect) or words
        except Exception as error:
            self.write(complaint(error))
        with self._changed:
            self._changed.wait_for(self._may_answer)
        self.write(f"bestmove {words}")

    def _answer(self, engine: UciEngine) -> Analysis:
        limit = self.order.limit
        if not self._is_hit:
            answer = self._think(engine, Limit(nodes=limit.nodes, depth=limit.depth), None, pondering=True)
            if self._is_stopped or answer.stopped != "user":
                return answer
        return self._think(engine, limit, self.order.clock)

    def _think(self, engine: UciEngine, limit: Limit, clock: Clock | None, pondering: bool = False) -> Analysis:
        with self._changed:
            halt = self._halt = threading.Event()
            if self._is_stopped or (pondering and self._is_hit):
                halt.set()

        def progress(found: Analysis) -> None:
            if time.monotonic() >= self._next_report:
                self._show(found)
                self._next_report = time.monotonic() + PAUSE
            if self._is_enough(found):
                halt.set()

        lines, only = self.options.multipv, self.order.only
        return engine.think(self.referee, limit, clock=clock, lines=lines, only=only, stop=halt, progress=progress)

    def _may_answer(self) -> bool:
        """Whether the other program waits for an answer, once the thinking is over."""
        return self._is_stopped or (self._is_hit and not self.order.infinite)

    def _is_enough(self, found: Analysis) -> bool:
        """Whether the mate that is wanted is there."""
        mate, low, high = self.order.mate, *self.referee.game.utility_range
        value = found.value[found.to_move]
        return (
            mate is not None and found.distance is not None and value > (low + high) / 2 and found.distance < 2 * mate
        )

    def _show(self, found: Analysis) -> None:
        """Report what is new."""
        news = found.stats.get("depth"), [(one.line, one.value, one.distance) for one in found.moves]
        if news != self._news:
            self._news = news
            for line in report_lines(self.referee, found, self.options.multipv, self.dialect):
                self.write(line)

    def _any_move(self) -> str:
        """For want of a better one."""
        moves = self.order.only or tuple(self.referee.legal())
        return self.dialect.write(self.referee.state, moves[0])


class Searches:
    """What takes time, one after the other: compiling, thinking, forgetting."""

    def __init__(self, game: Game, make: MakeEngine, write: WriteLine) -> None:
        self.game, self.make, self.write = game, make, write
        self._lock = threading.Lock()
        self._open: list[Search] = []
        self._executor = SerialExecutor(lambda error: write(complaint(error)))
        self._engine: UciEngine | None = None
        self._is_ready = self._is_preparing = False
        self._waiting: list[Callable[[], None]] = []
        self._made_with: tuple[int, int] | None = None

    # -- from the other program's side ----------------------------------------------------------------

    def go(self, search: Search) -> None:
        """Begin it after those that are under way, which are stopped."""
        self.stop()
        with self._lock:
            self._open.append(search)
        self._executor.add(lambda: self._run(search))

    def stop(self) -> None:
        for search in self._under_way():
            search.stop()

    def hit(self) -> None:
        for search in self._under_way():
            search.hit()

    def clear(self) -> None:
        """Forget everything that was found."""
        self._executor.add(self._clear)

    def when_ready(self, options: Options, answer: Callable[[], None]) -> None:
        """Call `answer` as soon as the engine is compiled; during a search that is now, or before it begins."""
        with self._lock:
            is_searching, is_ready = bool(self._open), self._is_ready
            if is_searching and not is_ready:
                self._waiting.append(answer)
        if not is_searching:
            self._executor.add(lambda: self._get_ready(options, answer))
        elif is_ready:
            answer()

    def close(self, at_once: bool, is_open: Callable[[], bool]) -> None:
        """Wait until all have answered; they are stopped if it must be at once, or if they would go on for ever.

        What is being compiled is waited for. A search that does not stop is not, or not for long.
        """
        for search in self._under_way():
            if at_once or not search.ends_by_itself:
                search.stop()
        before = self._under_way()

        def is_late() -> bool:
            """Whether a search goes on that was stopped, is compiled, and is none of those that came before it."""
            nonlocal before
            if not is_open():
                self.stop()
            then, before = before, self._under_way()
            return not self._is_preparing and before == then and all(search.is_stopped for search in before)

        self._executor.close(is_late)

    def _under_way(self) -> list[Search]:
        with self._lock:
            return list(self._open)

    # -- in the thread --------------------------------------------------------------------------------

    def _run(self, search: Search) -> None:
        try:
            search.run(lambda: self._ready_engine(search.options))
        finally:
            self._answer_waiting()
            with self._lock:
                self._open.remove(search)

    def _get_ready(self, options: Options, answer: Callable[[], None]) -> None:
        try:
            self._ready_engine(options)
        finally:
            answer()

    def _ready_engine(self, options: Options) -> UciEngine:
        """The engine, compiled; whoever waits for that hears of it, also if it fails."""
        self._is_preparing = True
        try:
            engine = self._engine_with(options)
            engine.prepare(self.game.initial())
        finally:
            self._is_preparing = False
            self._answer_waiting()
        return engine

    def _answer_waiting(self) -> None:
        """It is as ready as it will ever be."""
        with self._lock:
            self._is_ready = True
            waiting, self._waiting = self._waiting, []
        for answer in waiting:
            answer()

    def _clear(self) -> None:
        if self._engine is not None:
            self._engine.clear()

    def _engine_with(self, options: Options) -> UciEngine:
        """The engine; another one if it must have another size. If that fails, the old one stays."""
        wanted = (options.hash, options.threads)
        if self._engine is None or wanted != self._made_with:
            try:
                self._engine = self.make(self.game, *wanted)
            except ZermeloError as error:
                if self._engine is None:
                    raise
                self.write(complaint(error))
            self._made_with = wanted
        return self._engine
