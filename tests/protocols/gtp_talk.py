"""A GTP server in this process, and an engine that does as a test wants."""

import queue
import threading

from zermelo.arena.levels import parse_level
from zermelo.core.analysis import Analysis, MoveAnalysis
from zermelo.core.limit import Limit
from zermelo.games import find
from zermelo.protocols.gtp.server import Server

SECONDS = 120
OWN_LIMIT = Limit(time=7)


class Talk:
    """Say something to a server and hear its answers, each as one text."""

    def __init__(self, game="go:size=5", engine=None):
        self.puppet = engine or Puppet()
        self.said = queue.SimpleQueue()
        self.server = Server(find(game), self.puppet.make, self._hear, version="1.0", make_at=self._make_at)
        self.levels = []
        self.heard = ""

    def _make_at(self, level):
        self.levels.append(parse_level(level))
        return self.puppet.make

    def _hear(self, text):
        self.heard += text + "\n"
        while "\n\n" in self.heard:
            answer, self.heard = self.heard.split("\n\n", 1)
            self.said.put(answer)

    def ask(self, line):
        """The answer to one command."""
        self.server.handle(line)
        return self.answer()

    def answer(self):
        return self.said.get(timeout=SECONDS)

    def asked(self, *lines):
        return [self.ask(line) for line in lines]

    def close(self):
        self.server.serve(["quit"])

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


class Puppet:
    """Plays the first move it may; `mode` says when.

    at once   immediately                 patient   when it is stopped
    deep      after some reports          broken    never: it raises an error
    deaf      never, not even if it is stopped

    `winrate` is what it thinks of its chances.
    """

    def __init__(self, mode="at once", winrate=0.6, limit=OWN_LIMIT):
        self.mode, self.winrate, self.limit = mode, winrate, limit
        self.begun = threading.Semaphore(0)
        self.compiled = threading.Event()
        self.compiled.set()
        self.games, self.limits, self.positions = [], [], []

    def make(self, game):
        self.games.append(game)
        return self

    def prepare(self, state):
        assert self.compiled.wait(SECONDS)

    def think(self, referee, limit, stop, progress):
        self.limits.append(limit)
        self.positions.append(referee.game.format_state(referee.state))
        self.begun.release()
        if self.mode == "broken":
            raise RuntimeError("the board is\n\non fire")
        if self.mode == "deep" and progress:
            for visits in (1000, 2000, 3000):
                progress(self.analysis(referee, visits))
        if self.mode == "patient":
            assert stop.wait(SECONDS)
        if self.mode == "deaf":
            threading.Event().wait(SECONDS)
        return self.analysis(referee, 4000)

    def analysis(self, referee, visits):
        mover, actions = referee.to_move, referee.legal()[:3]
        own = 2 * self.winrate - 1
        value = (own, -own) if mover == 0 else (-own, own)
        return Analysis.of(
            referee,
            "puppet",
            actions[0],
            value=value,
            moves=tuple(MoveAnalysis(one, value, "estimate", visits=visits, actions=(one,)) for one in actions),
        )
