"""Monte Carlo tree search for games whose moves do not fit the compiled search's memory: any hashable move will do.

It is the textbook's, with a watch. Where there is hidden information every simulation is played in another world that
fits what the player has seen, and a node stands for the moves that led to it: a child is compared with the others over
the visits where its move was available [Cowling, Powley & Whitehouse 2012].
"""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from zermelo.core.analysis import Analysis, MoveAnalysis, Stopped
from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.search.runtime.watch import Watch
from zermelo.textbook.mcts import Tried, grow, make_node, simulate

SNAPSHOT = 0.2
EXPLORATION = math.sqrt(2)
"""On a scale of payoffs from -1 to 1."""


def think_plainly(
    referee: Referee,
    limit: Limit,
    seed: int | None = None,
    progress: Callable[[Analysis], None] | None = None,
    name: str = "mcts",
    stop: threading.Event | None = None,
) -> Analysis:
    """The move that was tried most within the limit."""
    return _PlainThought(referee, limit, seed, progress, name, stop).answer()


# -- hidden information ----------------------------------------------------------------------------------


@dataclass
class OpenNode:
    """A move in the tree of an open search: who made it, how often it was there to be made, and what came of it."""

    mover: int = CHANCE
    action: Action = None
    available: int = 0
    visits: int = 0
    paid: tuple[float, ...] = ()
    children: list[OpenNode] = field(default_factory=list)


def grow_open(game: Game, root: OpenNode, world: State, rng: random.Random) -> None:
    """One simulation of a world: down the tree to a move that is new there, then at random."""
    path, state, is_new = [root], world, False
    while not is_new and not game.is_terminal(state):
        mover = game.to_move(state)
        if mover == CHANCE:
            outcomes, chances = zip(*game.outcomes(state), strict=True)
            state = game.result(state, rng.choices(outcomes, chances)[0])
            continue
        child, is_new = chosen(game, path[-1], mover, list(game.actions(state)), rng)
        path.append(child)
        state = game.result(state, child.action)
    payoffs = simulate(game, state, rng)
    for node in path:
        node.visits += 1
        node.paid = tuple(map(sum, zip(node.paid or game.zeros, payoffs, strict=True)))


def chosen(game: Game, node: OpenNode, mover: int, legal: list[Action], rng: random.Random) -> tuple[OpenNode, bool]:
    """The child for one of the legal moves, and whether it is new: untried moves come first."""
    known = [child for child in node.children if child.mover == mover and child.action in legal]
    for child in known:
        child.available += 1
    found = {child.action for child in known}
    if untried := [action for action in legal if action not in found]:
        node.children.append(OpenNode(mover, rng.choice(untried), available=1))
        return node.children[-1], True
    low, high = game.utility_range
    scale = EXPLORATION * (high - low) / 2 if math.isfinite(high - low) else EXPLORATION

    def score(child: OpenNode) -> float:
        return child.paid[mover] / child.visits + scale * math.sqrt(math.log(child.available) / child.visits)

    return max(known, key=score), False


# -- the watch -------------------------------------------------------------------------------------------


class _PlainThought:
    """One position, thought about."""

    def __init__(
        self,
        referee: Referee,
        limit: Limit,
        seed: int | None,
        progress: Callable[[Analysis], None] | None,
        name: str,
        stop: threading.Event | None,
    ) -> None:
        self.referee, self.game, self.limit, self.seed = referee, referee.game, limit, seed
        self.progress, self.name, self.stop, self.reported = progress, name, stop, 0.0
        self.rng = random.Random(seed)
        self.view = self.game.view(referee.state, referee.to_move)
        self.open_root = OpenNode()
        self.closed = Tried(None, None)
        if not self.game.hidden:
            self.closed = make_node(self.game, referee.state, self.rng)
            legal = referee.legal()  # superko may forbid some of the moves
            self.closed.untried = [action for action in self.closed.untried if action in legal]
        self.is_stopped = self.is_told = False
        self.watch = Watch(self._stop, limit.time)

    @property
    def root(self) -> Tried | OpenNode:
        return self.open_root if self.game.hidden else self.closed

    def _stop(self) -> None:
        self.is_stopped = True

    def answer(self) -> Analysis:
        self.watch.run(self._work, self._tick)
        stopped: Stopped = "time" if self.watch.out_of_time else "nodes"
        if self.watch.interrupted or self.is_told:
            stopped = "user"
        return replace(self._analysis(), stopped=stopped)

    def _work(self) -> None:
        most = math.inf if self.limit.nodes is None else self.limit.nodes
        while self.root.visits == 0 or (self.root.visits < most and not self.is_stopped):
            if self.game.hidden:
                world = self.game.worlds(self.view, self.referee.to_move, self.rng)
                grow_open(self.game, self.open_root, world, self.rng)
            else:
                grow(self.game, self.closed, self.rng)

    def _tick(self) -> None:
        if self.stop is not None and self.stop.is_set():
            self.is_stopped = self.is_told = True
        if self.progress is not None and self.root.visits > 0 and self.watch.seconds >= self.reported + SNAPSHOT:
            self.reported = self.watch.seconds
            self.progress(replace(self._analysis(), stopped="nodes"))

    def _analysis(self) -> Analysis:
        children: list[Tried | OpenNode] = [*self.root.children]
        ranked = sorted(children, key=lambda child: child.visits, reverse=True)
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
            notes=("it ran interpreted, because some of the moves are not whole numbers of 64 bits",),
        )

    def _move(self, child: Tried | OpenNode) -> MoveAnalysis:
        text = self.game.format_action(self.referee.state, child.action)
        visits, paid = child.visits, child.paid or self.game.zeros
        return MoveAnalysis(
            text, tuple(sum_ / max(1, visits) for sum_ in paid), "estimate", visits=visits, line=(text,)
        )
