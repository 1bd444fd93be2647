"""A process that runs searches: `python -m zermelo.web.search_process`.

It reads orders from standard input and writes messages to standard output, one JSON object per line.

    {"job": 1, "game": …, "options": …, "start": …, "moves": […],
     "agent": "auto", "level": null, "time": 2, "nodes": null, "depth": null, "lines": null, "seed": 0}
    {"stop": 1}

With a level, the agent plays at it, and the limits apply in addition to its own; an agent at a level and an analysis
share no memory, because a weak player must not profit from a long analysis. With `"prepare": true` nothing is searched:
the kernels for such a search are compiled or loaded, and a stop is ignored.

    {"job": 1, "preparing": "compiling …"}        while kernels are compiled for the first time, every second
    {"job": 1, "prepared": true}                  when they are compiled
    {"job": 1, "loading": true}                   while the compiler or kernels are loaded, every second
    {"job": 1, "analysis": {…}}                   progress
    {"job": 1, "done": {…}}                       the answer, or null if it was stopped before it had one
    {"job": 1, "error": "a sentence"}

The process serves many jobs, so that kernels stay loaded and tables stay filled. A stop raises KeyboardInterrupt in the
main thread, as Ctrl-C does; the pool kills a process that does not stop.
"""

from __future__ import annotations

import _thread
import gc
import json
import os
import signal
import sys
import threading
import time
import warnings
from collections import OrderedDict
from types import FrameType
from typing import Any, TextIO

from zermelo.arena.agents import Agent, RandomAgent, agent
from zermelo.arena.level_agent import LevelAgent
from zermelo.core.analysis import Analysis
from zermelo.core.errors import ZermeloError
from zermelo.core.game import CHANCE, Game, legal_actions
from zermelo.core.guards import ALGORITHMS
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee, table_for_agent
from zermelo.games.library.files import recurses_by_itself, where
from zermelo.kernel import forget_objects, on_compile
from zermelo.web.analysis_view import describe_analysis
from zermelo.web.catalogue import Catalogue

INTERVAL = 0.2
"""Seconds between two reports."""
AGENTS_KEPT = 3
"""Each may hold a table of 64 MB."""
GAMES_KEPT = 8
COMPILER = ("numba", "llvmlite", "numpy", "importlib")
"""Code that must not be interrupted, including imports."""
COMPILING = ("zermelo.kernel.bridge", "zermelo.kernel.cache")
"""Our modules that are on the stack while a kernel is compiled, but not while it runs."""
BEAT = 1.0
"""Seconds between two checks whether the compiler is still running."""
LATER = 0.05
"""Seconds after which a stop during compilation is tried again."""
MOST_MEMORY = 4 << 30
"""Bytes of memory that a search may use; beyond that the search reports an error."""


class SearchProcess:
    """Runs one job at a time."""

    def __init__(self, answers: TextIO, files: list[str]) -> None:
        self._answers, self._files, self._catalogue = answers, files, Catalogue(files)
        self._sending = threading.Lock()
        self._job, self._reported = 0, 0.0
        self._last: dict[str, Any] | None = None
        self._is_stoppable = False
        self._preparing = ""
        self._stopped: set[int] = set()
        self._referees: OrderedDict[str, tuple[Game, Referee]] = OrderedDict()
        self._agents: OrderedDict[tuple[str, str], Agent] = OrderedDict()
        on_compile(self._announce)
        signal.signal(signal.SIGINT, self._handle_interrupt)

    # -- stopping ------------------------------------------------------------------------------------

    def stop(self, job: int) -> None:
        """Stop the job, now or when its turn comes; called from the thread that reads orders."""
        self._stopped.add(job)
        if job == self._job:
            _thread.interrupt_main()

    def _handle_interrupt(self, _signal: int, frame: FrameType | None) -> None:
        """Interrupt the job if it was stopped; ignore Ctrl-C in the server's terminal, which the server handles."""
        if not self._is_stoppable or self._job not in self._stopped:
            return
        if is_compiling(frame):
            threading.Timer(LATER, _thread.interrupt_main).start()
            return
        self._is_stoppable = False
        raise KeyboardInterrupt

    # -- working -------------------------------------------------------------------------------------

    def work(self, order: dict[str, Any]) -> None:
        """Run a job and send its result."""
        self._job, self._last, self._preparing = order["job"], None, ""
        try:
            if order.get("prepare"):
                self._prepare(order)
                self._send(done=None)
                return
            self._is_stoppable = True
            done = None if self._job in self._stopped else self._answer(order)
            self._is_stoppable = False
            self._send(done=done)
        except KeyboardInterrupt:
            self._send(done=self._last)
        except ZermeloError as error:
            self._send(error=" ".join(str(error).split()))
        except Exception as error:
            is_too_deep = isinstance(error, RecursionError) and not recurses_by_itself(error)
            if is_too_deep or isinstance(error, MemoryError):
                error.__traceback__ = None  # its frames hold what filled the memory
                self._forget()
                self._send(error="this search is too deep or needs too much memory; choose a smaller limit")
            else:
                self._send(error=f"the search failed: {where(error)}")
        finally:
            self._is_stoppable = False
            self._stopped.discard(self._job)

    def _answer(self, order: dict[str, Any]) -> dict[str, Any]:
        referee = self._referee(order)
        if order["agent"] == "random":
            return describe_analysis(RandomAgent(seed=order["seed"]).choose(table_for_agent(referee)), referee.game)
        searcher = self._agent(order)
        searcher.lines = order["lines"] or len(referee.legal())
        searcher.progress = lambda found: self._report(found, referee)
        searcher.require(referee.game)
        return describe_analysis(searcher.choose(table_for_agent(referee)), referee.game)

    def _prepare(self, order: dict[str, Any]) -> None:
        """Compile or load the kernels of a search; nothing if no player ever chooses."""
        referee = self._referee(order)
        while not referee.is_over and referee.to_move == CHANCE:
            referee.play(next(legal_actions(referee.game, referee.state)))
        if order["agent"] != "random" and not referee.is_over:
            self._agent(order).prepare(table_for_agent(referee))

    def _referee(self, order: dict[str, Any]) -> Referee:
        """The game at its position; a game of an earlier job is not replayed from its start."""
        name = json.dumps([order["game"], order["options"], order["start"]])
        game = self._catalogue.game(order["game"], order["options"])
        known, referee = self._referees.pop(name, (None, None))
        if referee is None or known is not game:  # the file of the rules may have changed
            referee = Referee.at(game, order["start"])
        moves, played = order["moves"], [turn.text for turn in referee.turns]
        shared = 0
        while shared < min(len(moves), len(played)) and moves[shared] == played[shared]:
            shared += 1
        while len(referee.turns) > shared:
            referee.undo()
        referee.play_line(moves[shared:])
        self._referees[name] = game, referee
        while len(self._referees) > GAMES_KEPT:
            self._referees.popitem(last=False)
        return referee

    def _agent(self, order: dict[str, Any]) -> Agent:
        """The agent with its memory of this game, and the order's limits."""
        text = order["agent"] if order["level"] is None else f"{order['agent']}:level={order['level']}"
        name = json.dumps([order["game"], order["options"]]), text
        found = self._agents.pop(name, None) or agent(text)
        found.limit = Limit(order["time"], order["nodes"], order["depth"])
        if isinstance(found, LevelAgent):
            found.seed = order["seed"]
        self._agents[name] = found
        while len(self._agents) > AGENTS_KEPT:
            self._agents.popitem(last=False)
        return found

    def _forget(self) -> None:
        """Free the memory of games and searches, so that the next job does not fail as well."""
        self._referees.clear()
        self._agents.clear()
        self._catalogue = Catalogue(self._files)
        forget_objects()
        gc.collect()

    # -- reporting -----------------------------------------------------------------------------------

    def _report(self, found: Analysis, referee: Referee) -> None:
        self._last = describe_analysis(found, referee.game)
        now = time.monotonic()
        if now - self._reported >= INTERVAL:
            self._reported = now
            self._send(analysis=self._last)

    def _announce(self, kernel: str, game: str) -> None:
        title = ALGORITHMS[kernel].title if kernel in ALGORITHMS else "the search"
        self._preparing = f"preparing {title}, once …"
        self._send(preparing=self._preparing)

    def report_compiling(self) -> None:
        """Report every second whether kernels are still being compiled; runs in its own thread."""
        while True:
            time.sleep(BEAT)
            job, preparing = self._job, self._preparing
            if is_compiler_running():
                self._send(job, **({"preparing": preparing} if preparing else {"loading": True}))
            elif preparing:
                self._preparing = ""
                self._send(job, prepared=True)

    def _send(self, job: int | None = None, **content: Any) -> None:
        with self._sending:
            self._answers.write(json.dumps({"job": self._job if job is None else job, **content}) + "\n")
            self._answers.flush()


def is_compiling(frame: FrameType | None, packages: tuple[str, ...] = COMPILER) -> bool:
    """Whether the compiler is on the stack of this frame: it must not be interrupted."""
    while frame is not None:
        name = frame.f_globals.get("__name__", "")
        if name.partition(".")[0] in packages or name in COMPILING:
            return True
        frame = frame.f_back
    return False


def is_compiler_running() -> bool:
    """Whether a thread of this process is inside the compiler. Running machine code has no frames there."""
    return any(is_compiling(frame, ("numba", "llvmlite")) for frame in sys._current_frames().values())


def _cap_memory() -> None:
    try:
        import resource
    except ImportError:  # a system without such limits
        return
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def show_note(message: Warning | str, *_place: object, **_more: object) -> None:
    """Show a warning, such as that rules do not compile, as one line in the server's terminal."""
    print(f"note: {' '.join(str(message).split())}", file=sys.stderr)


def main(kind: type[SearchProcess] = SearchProcess) -> None:
    """Run jobs until standard input ends."""
    _cap_memory()
    warnings.showwarning = show_note
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output of a game must not mix with the messages
    worker = kind(answers, sys.argv[1:])
    orders: list[dict[str, Any]] = []
    arrived = threading.Condition()

    def listen() -> None:
        for line in sys.stdin:
            order = json.loads(line)
            if "stop" in order:
                worker.stop(order["stop"])
                continue
            with arrived:
                orders.append(order)
                arrived.notify()
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    threading.Thread(target=worker.report_compiling, daemon=True).start()
    while True:
        with arrived:
            while not orders:
                arrived.wait()
            order = orders.pop(0)
        worker.work(order)


if __name__ == "__main__":
    main()
