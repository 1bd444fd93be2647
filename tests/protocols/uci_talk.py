"""A server in this process, and engines that do as a test wants."""

import queue
import threading
import time

from zermelo.core.analysis import Analysis, MoveAnalysis
from zermelo.core.errors import UsageError
from zermelo.games import find
from zermelo.protocols.uci.server import Server
from zermelo.search.alphabeta import Engine

SECONDS = 300
"""For an answer; the first one may have to be compiled."""


class Talk:
    """Say something to a server and hear its answers, line by line."""

    def __init__(self, game="hexapawn", engine=Engine):
        self.heard = []
        self._new = queue.SimpleQueue()
        self.server = Server(find(game) if isinstance(game, str) else game, engine, self._hear)

    def _hear(self, text):
        for line in text.split("\n"):
            self.heard.append(line)
            self._new.put(line)

    def say(self, *lines):
        for line in lines:
            self.server.handle(line)

    def until(self, word):
        """The lines up to the next one that begins with the word."""
        found = []
        while not found or found[-1].split(" ")[0] != word:
            found.append(self._new.get(timeout=SECONDS))
        return found

    def answer(self, *lines):
        """The best move, after saying all this."""
        self.say(*lines)
        return self.until("bestmove")[-1]

    def silence(self, seconds=0.1):
        """Whether nothing is said for a while."""
        time.sleep(seconds)
        return self._new.empty()

    def complaints(self, *lines):
        """What is answered to these lines, `isready` apart, in sentences."""
        self.say(*lines, "isready")
        return [line.removeprefix("info string ") for line in self.until("readyok")[:-1]]

    def close(self):
        self.server.serve(["quit"])

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def count(self, word):
        return sum(line.split(" ")[0] == word for line in self.heard)


class Puppet:
    """An engine that plays the first move it may; `mode` says when.

    at once   immediately                 patient   when it is stopped
    deep      after some reports          broken    never: it raises an error
    deaf      never, not even if it is stopped

    It is compiled when `compiled` is set.
    """

    def __init__(self, mode="at once"):
        self.mode = mode
        self.searches = []
        self.made = []
        self.cleared = 0
        self.begun = threading.Semaphore(0)
        self.compiled = threading.Event()
        self.compiled.set()

    def __call__(self, game, megabytes, threads):
        if megabytes == 666:
            raise UsageError("there is no room for a table of 666 megabytes; give it less")
        self.game = game
        self.made.append((megabytes, threads))
        return self

    def prepare(self, state):
        assert self.compiled.wait(SECONDS)
        return True

    def clear(self):
        self.cleared += 1

    def think(self, position, limit, *, clock=None, lines=1, only=(), stop=None, progress=None):
        self.searches.append((limit, clock, lines, tuple(only)))
        self.begun.release()
        stopped = "depth"
        if self.mode == "broken":
            raise RuntimeError("the engine is\non fire")
        if self.mode == "patient":
            assert stop.wait(SECONDS)
            stopped = "user"
        if self.mode == "deaf":
            threading.Event().wait(SECONDS)
        if self.mode == "deep":
            for depth in range(1, 6):
                progress(self.analysis(position, only, depth, lines))
                if stop.is_set():
                    return self.analysis(position, only, depth, lines)
        return self.analysis(position, only, 5, lines, stopped)

    def analysis(self, referee, only, depth, lines, stopped="depth"):
        chosen = [action for action in referee.legal() if not only or action in only]
        distance = 7 if depth >= 3 else None
        value = (1.0, -1.0) if depth >= 3 else (0.25, -0.25)
        value = value if referee.to_move == 0 else value[::-1]
        moves = (MoveAnalysis(one, value, "estimate", actions=(one,), distance=distance) for one in chosen[:lines])
        return Analysis.of(
            referee,
            "puppet",
            chosen[0],
            value=value,
            distance=distance,
            moves=tuple(moves),
            stats={"depth": depth, "nodes": 100 * depth, "seconds": 0.5},
            stopped=stopped,
        )
