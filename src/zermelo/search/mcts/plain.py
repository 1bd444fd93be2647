"""Monte Carlo tree search for games whose moves are no whole numbers: the textbook's, with a watch."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace

from zermelo.core.analysis import Analysis, MoveAnalysis, Stopped
from zermelo.core.errors import Refused
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.search.watch import Watch
from zermelo.textbook.mcts import Tried, grow, tried

SNAPSHOT = 0.2


def think_plainly(
    referee: Referee,
    limit: Limit,
    seed: int | None = None,
    progress: Callable[[Analysis], None] | None = None,
    name: str = "mcts",
) -> Analysis:
    """The move that was tried most within the limit."""
    if referee.game.hidden:
        raise Refused(f"the moves of {referee.game} are not whole numbers, so {name} cannot keep hidden worlds apart")
    return _PlainThought(referee, limit, seed, progress, name).answer()


class _PlainThought:
    """One position, thought about."""

    def __init__(
        self,
        referee: Referee,
        limit: Limit,
        seed: int | None,
        progress: Callable[[Analysis], None] | None,
        name: str,
    ) -> None:
        self.referee, self.game, self.limit, self.seed = referee, referee.game, limit, seed
        self.progress, self.name, self.reported = progress, name, 0.0
        self.rng = random.Random(seed)
        self.root = tried(self.game, referee.state, self.rng)
        self.is_stopped = False
        self.watch = Watch(self._stop, limit.time)

    def _stop(self) -> None:
        self.is_stopped = True

    def answer(self) -> Analysis:
        self.watch.run(self._work, self._tick)
        stopped: Stopped = "user" if self.watch.interrupted else "time" if self.watch.out_of_time else "nodes"
        return replace(self._analysis(), stopped=stopped)

    def _work(self) -> None:
        most = math.inf if self.limit.nodes is None else self.limit.nodes
        while self.root.visits == 0 or (self.root.visits < most and not self.is_stopped):
            grow(self.game, self.root, self.rng)

    def _tick(self) -> None:
        if self.progress is not None and self.root.children and self.watch.seconds >= self.reported + SNAPSHOT:
            self.reported = self.watch.seconds
            self.progress(replace(self._analysis(), stopped="nodes"))

    def _analysis(self) -> Analysis:
        ranked = sorted(self.root.children, key=lambda child: child.visits, reverse=True)
        moves = tuple(self._move(child) for child in ranked)
        return Analysis(
            game=self.game.spec(),
            position=self.game.format_state(self.referee.state),
            to_move=self.referee.to_move,
            agent=self.name,
            value=moves[0].value,
            kind="estimate",
            best=moves[0].move,
            line=moves[0].line,
            moves=moves,
            stats={
                "simulations": self.root.visits,
                "seconds": round(self.watch.seconds, 6),
                "simulations_per_second": round(self.root.visits / max(self.watch.seconds, 1e-9)),
                "compiled": False,
            },
            limit=self.limit,
            seed=self.seed,
            notes=("it ran interpreted, because moves are no whole numbers",),
        )

    def _move(self, child: Tried) -> MoveAnalysis:
        text = self.game.format_action(self.referee.state, child.action)
        means = tuple(paid / max(1, child.visits) for paid in child.paid)
        return MoveAnalysis(text, means, "estimate", visits=child.visits, line=(text,))
