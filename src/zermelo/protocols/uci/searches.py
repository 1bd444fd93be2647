"""The searches of a server: one after the other, in their own thread, while commands keep arriving.

Every search sends `bestmove` exactly once, also if it is stopped before it starts or while the engine is compiled, if
the game is over, or if the engine fails.

A search that ponders runs without a clock until `ponderhit`; then it runs again with its clock, on the filled table.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from zermelo.core.analysis import Analysis, Progress
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
"""Seconds between two reports, since lines are slow to write; the last one is always sent."""


class UciEngine(Protocol):
    """What the server needs of an engine."""

    def think(
        self,
        position: Referee,
        limit: Limit,
        *,
        clock: Clock | None = None,
        lines: int = 1,
        only: Sequence[Action] = (),
        stop: threading.Event | None = None,
        progress: Progress | None = None,
    ) -> Analysis: ...

    def prepare(self, state: State) -> bool: ...

    def clear(self) -> None: ...


MakeEngine: TypeAlias = Callable[[Game, int, int], UciEngine]
"""From a game, megabytes and threads."""
Weaken: TypeAlias = Callable[[UciEngine, int], UciEngine]
"""From an engine and an Elo to an engine of this strength."""


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

    # -- called by the server's thread ----------------------------------------------------------------

    def stop(self) -> None:
        """Answer now."""
        with self._changed:
            self._is_stopped = True
            self._halt.set()
            self._changed.notify_all()

    def hit(self) -> None:
        """The expected move was played: from now on our own clock runs."""
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
        """Whether it will answer without another command."""
        return self._is_hit and not self.order.infinite and (self.order.limit, self.order.clock) != (Limit(), None)

    # -- in the search thread -------------------------------------------------------------------------

    def run(self, engine: Callable[[], UciEngine]) -> None:
        """Search and send the best move; after an error, send a sentence and any legal move."""
        words = NO_MOVE
        try:
            if not self.referee.is_over:
                words = self._any_move()
            ready = engine()
            if self.referee.is_over:
                for line in final_lines(self.referee, self.dialect):
                    self.write(line)
            else:
                answer = self._answer(ready)
                self._show(answer)
                words = move_words(answer, self.dialect) or words
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
        """Whether the other program expects an answer when the search is over."""
        return self._is_stopped or (self._is_hit and not self.order.infinite)

    def _is_enough(self, found: Analysis) -> bool:
        """Whether the requested mate was found."""
        mate, middle = self.order.mate, self.referee.game.middle()
        is_won = found.value[found.to_move] > middle
        return mate is not None and found.distance is not None and is_won and found.distance < 2 * mate

    def _show(self, found: Analysis) -> None:
        """Report what is new."""
        news = found.stats.get("depth"), [(one.actions, one.value, one.distance) for one in found.moves]
        if news != self._news:
            self._news = news
            for line in report_lines(found, self.options.multipv, self.dialect):
                self.write(line)

    def _any_move(self) -> str:
        """The first legal move, in case the search finds none."""
        moves = self.order.only or tuple(self.referee.legal())
        return self.dialect.write(self.referee.state, moves[0])


class Searches:
    """The slow jobs, one after the other: compile, search, clear the table."""

    def __init__(self, game: Game, make: MakeEngine, write: WriteLine, weaken: Weaken | None = None) -> None:
        self.game, self.make, self.write, self.weaken = game, make, write, weaken
        self._lock = threading.Lock()
        self._open: list[Search] = []
        self._executor = SerialExecutor(lambda error: write(complaint(error)))
        self._engine: UciEngine | None = None
        self._is_ready = self._is_preparing = False
        self._waiting: list[Callable[[], None]] = []
        self._made_with: tuple[int, int] | None = None

    # -- called by the server's thread ----------------------------------------------------------------

    def go(self, search: Search) -> None:
        """Stop the searches under way, and start this one after them."""
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
        """Clear the engine's table."""
        self._executor.add(self._clear)

    def when_ready(self, options: Options, answer: Callable[[], None]) -> None:
        """Call `answer` as soon as the engine is compiled; during a search at once, or before it starts."""
        with self._lock:
            is_searching, is_ready = bool(self._open), self._is_ready
            if is_searching and not is_ready:
                self._waiting.append(answer)
        if not is_searching:
            self._executor.add(lambda: self._get_ready(options, answer))
        elif is_ready:
            answer()

    def close(self, at_once: bool, is_open: Callable[[], bool]) -> None:
        """Wait until all searches have answered; stop those that would never end, and with `at_once` all of them.

        It waits for a compilation to finish, but only briefly for a search that does not stop.
        """
        for search in self._under_way():
            if at_once or not search.ends_by_itself:
                search.stop()
        before = self._under_way()

        def is_late() -> bool:
            """Whether a stopped search is still running, although nothing is compiled and no other one has ended."""
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
        """Return the compiled engine; answer those who wait for it, also if it fails."""
        self._is_preparing = True
        try:
            engine = self._engine_with(options)
            engine.prepare(self.game.initial())
        finally:
            self._is_preparing = False
            self._answer_waiting()
        strength = options.strength
        return engine if self.weaken is None or strength is None else self.weaken(engine, strength)

    def _answer_waiting(self) -> None:
        """Answer the waiting `isready` commands."""
        with self._lock:
            self._is_ready = True
            waiting, self._waiting = self._waiting, []
        for answer in waiting:
            answer()

    def _clear(self) -> None:
        if self._engine is not None:
            self._engine.clear()

    def _engine_with(self, options: Options) -> UciEngine:
        """The engine; a new one if the size has changed. If that fails, the old one stays."""
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
