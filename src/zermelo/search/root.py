"""The root of a search: a textbook algorithm, compiled, deepened ply by ply, as an `Analysis`.

Every root move is searched on its own, with a full window, so that each has a value of its own; that costs
alpha-beta some nodes at the root. A value is `exact` when its search met no horizon.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from zermelo.core.analysis import Analysis, Kind, MoveAnalysis, Stopped
from zermelo.core.errors import Refused, RulesError
from zermelo.core.game import CHANCE, Action, Game, State, legal_actions
from zermelo.core.guards import has_evaluation, require
from zermelo.core.limit import Limit
from zermelo.core.meter import Meter, Metered
from zermelo.core.referee import Referee
from zermelo.kernel import Kernel
from zermelo.search.watch import Watch
from zermelo.textbook import (
    INFINITY,
    alphabeta,
    determinised,
    expectimax,
    expectiminimax,
    maxn,
    minimax,
    quiescent_alphabeta,
    star1,
    star2,
    uniform,
)

UNLIMITED_TIME = Limit()
LONGEST = 4096
"""Plies; a game that goes on beyond is not searched to its end."""

_WINDOWED: dict[str, Kernel[..., float]] = {
    "alphabeta": alphabeta,
    "quiescence": quiescent_alphabeta,
    "star1": star1,
    "star2": star2,
}
_PLAIN: dict[str, Kernel[..., float]] = {
    "minimax": minimax,
    "expectiminimax": expectiminimax,
    "paranoid": expectiminimax,
}
SEARCHES = (*_PLAIN, *_WINDOWED, "maxn", "expectimax", "determinised")
"""The algorithms that `analyse` can run."""


@dataclass
class _Move:
    action: Action
    child: State
    value: tuple[float, ...] = ()
    kind: Kind = "estimate"
    nodes: int = 0


def analyse(
    game: Game,
    position: Referee | State | None = None,
    algorithm: str = "alphabeta",
    limit: Limit = UNLIMITED_TIME,
    seed: int | None = None,
    progress: Callable[[Analysis], None] | None = None,
) -> Analysis:
    """What an algorithm thinks of a position within a limit; without one, until the game is seen to its end."""
    state = game.initial() if position is None else position.state if isinstance(position, Referee) else position
    require(game, algorithm)
    if game.is_terminal(state):
        raise Refused(f"the game is over here, so {algorithm} has nothing to choose")
    if game.to_move(state) == CHANCE:
        raise Refused(f"the dice are to be rolled here, so {algorithm} has nothing to choose")
    if algorithm == "determinised":
        return _determinised(game, state, limit, seed)
    return _Root(game, state, algorithm, limit, seed, progress).deepen()


class _Root:
    """One search, deepened until a limit is reached."""

    def __init__(
        self,
        game: Game,
        state: State,
        algorithm: str,
        limit: Limit,
        seed: int | None,
        progress: Callable[[Analysis], None] | None,
    ) -> None:
        self.game, self.state, self.algorithm, self.limit, self.seed = game, state, algorithm, limit, seed
        self.progress = progress
        self.player = game.to_move(state)
        self.moves = [_Move(action, game.result(state, action)) for action in legal_actions(game, state)]
        if not self.moves:
            raise RulesError(f"{game} is not over in {game.format_state(state)!r}, yet there is no move")
        self.meter = Meter(limit.nodes)
        self.metered = Metered(game, self.meter)
        self.is_compiled = self._prepare()
        self.watch = Watch(self.meter.stop, limit.time)
        self.depth = 0

    def deepen(self) -> Analysis:
        """Search to depth 1, 2, 3 ... and keep the last one that was finished."""
        deepest = min(self.limit.depth or LONGEST, LONGEST)
        found = self._unsearched()
        stopped: Stopped = "depth"
        for depth in range(1, deepest + 1):
            moves = self.watch.run(lambda depth=depth: self._search(depth))  # type: ignore[misc]
            if moves is None:
                stopped = "user" if self.watch.interrupted else "time" if self.watch.out_of_time else "nodes"
                break
            self.moves, self.depth = moves, depth
            found = self._analysis("depth")
            if self.progress is not None:
                self.progress(found)
            if found.kind == "exact":
                stopped = "done"
                break
        if stopped == "depth" and deepest == LONGEST and self.limit.depth is None:
            raise RulesError(f"{self.game} did not end within {LONGEST:,} plies; give a depth, a time or a node limit")
        stats = self._stats()
        notes = () if self.is_compiled else ("it ran interpreted",)
        return replace(found, stopped=stopped, line=self._line() if self.depth else (), notes=notes, stats=stats)

    # -- one depth -----------------------------------------------------------------------------------

    def _search(self, depth: int) -> list[_Move] | None:
        """All root moves to this depth, best first; None if it was stopped."""
        found: list[_Move] = []
        for move in self.moves:
            before = self.meter.nodes
            self.meter.clear_horizon()
            value = self._value(move.child, depth - 1)
            if self.meter.is_stopped:
                return None
            kind: Kind = "estimate" if self.meter.saw_horizon else "exact"
            found.append(_Move(move.action, move.child, value, kind, self.meter.nodes - before))
        return sorted(found, key=lambda move: -move.value[self.player])  # stable: the first of equals stays first

    def _value(self, state: State, depth: int, alpha: float = -INFINITY, beta: float = INFINITY) -> tuple[float, ...]:
        """The payoffs at the end of a search, as far as the algorithm tells; a window where it has one."""
        if self.algorithm == "maxn":
            return maxn.run(self.metered, state, depth)
        if self.algorithm == "expectimax":
            own = expectimax(self.metered, state, self.player, uniform, depth)
        elif self.algorithm in _WINDOWED:
            own = _WINDOWED[self.algorithm].run(self.metered, state, self.player, depth, alpha, beta)
        else:
            own = _PLAIN[self.algorithm].run(self.metered, state, self.player, depth)
        return self._spread(own)

    def _spread(self, own: float) -> tuple[float, ...]:
        """One value per player; unknown for the others where payoffs are not opposed."""
        if self.game.players == 2 and self.game.zero_sum:
            return (own, 0.0 - own) if self.player == 0 else (0.0 - own, own)
        return tuple(own if player == self.player else math.nan for player in range(self.game.players))

    def _prepare(self) -> bool:
        """Compile before the clock starts."""
        child = self.moves[0].child
        if self.algorithm == "maxn":
            return maxn.prepare(self.metered, child, 0)
        if self.algorithm == "expectimax":
            return False
        if self.algorithm in _WINDOWED:
            return _WINDOWED[self.algorithm].prepare(self.metered, child, self.player, 0, -INFINITY, INFINITY)
        return _PLAIN[self.algorithm].prepare(self.metered, child, self.player, 0)

    # -- what was found ------------------------------------------------------------------------------

    def _line(self) -> tuple[str, ...]:
        """The best line: after each move, search again for the reply, with half the effort so far."""
        line = [self.game.format_action(self.state, self.moves[0].action)]
        state, value, root_player = self.moves[0].child, self.moves[0].value, self.player
        self.meter = Meter(self.meter.nodes // 2 + 10_000)
        self.metered = Metered(self.game, self.meter)
        watch = Watch(self.meter.stop, None if self.limit.time is None else self.limit.time / 4 + 0.05)
        for depth in range(self.depth - 1, 0, -1):
            if self.game.is_terminal(state) or self.game.to_move(state) == CHANCE:
                break
            self.player = self.game.to_move(state)
            reply = watch.run(lambda state=state, depth=depth: self._reply(state, depth, value))  # type: ignore[misc]
            if reply is None:
                break
            line.append(self.game.format_action(state, reply))
            state = self.game.result(state, reply)
        self.player = root_player
        return tuple(line)

    def _reply(self, state: State, depth: int, target: tuple[float, ...]) -> Action | None:
        """The first move that keeps the value; None if the effort is spent."""
        own = target[self.player]
        window = (-INFINITY, INFINITY)
        if math.isfinite(own) and self.algorithm in _WINDOWED:  # the narrowest window that tells it from others
            window = math.nextafter(own, -INFINITY), math.nextafter(own, INFINITY)
        best, chosen = -INFINITY, None
        for action in self.game.actions(state):
            value = self._value(self.game.result(state, action), depth - 1, *window)[self.player]
            if self.meter.is_stopped:
                return None
            if value == own:
                return action
            if value > best or chosen is None:
                best, chosen = value, action
        return chosen

    def _unsearched(self) -> Analysis:
        """What can be said before depth 1 is finished: the first legal move, and no value."""
        for move in self.moves:
            move.value = (math.nan,) * self.game.players
        return self._analysis("time")

    def _analysis(self, stopped: Stopped) -> Analysis:
        best = self.moves[0]
        names = [self.game.format_action(self.state, move.action) for move in self.moves]
        return Analysis(
            game=self.game.spec(),
            position=self.game.format_state(self.state),
            to_move=self.player,
            agent=self.algorithm,
            value=best.value,
            kind=self._kind(best),
            best=names[0],
            line=(names[0],),
            distance=self._distance(best),
            moves=tuple(
                MoveAnalysis(name, move.value, move.kind, depth=self.depth, nodes=move.nodes)
                for name, move in zip(names, self.moves, strict=True)
            ),
            stats=self._stats(),
            limit=self.limit,
            stopped=stopped,
            seed=self.seed,
        )

    def _kind(self, best: _Move) -> Kind:
        """The best value is exact if it is itself, and no other move can be better."""
        is_highest = best.value[self.player] >= self.game.utility_range[1]
        is_proved = best.kind == "exact" and (is_highest or all(move.kind == "exact" for move in self.moves))
        return "exact" if is_proved else "estimate"

    def _distance(self, best: _Move) -> int | None:
        """A win of the highest value that was not there one ply ago takes exactly this many."""
        is_highest = best.value[self.player] >= self.game.utility_range[1]
        return self.depth if is_highest and best.kind == "exact" and not self.game.chance else None

    def _stats(self) -> dict[str, float | int | bool]:
        seconds = self.watch.seconds
        return {
            "nodes": self.meter.nodes,
            "seconds": round(seconds, 6),
            "nodes_per_second": round(self.meter.nodes / seconds) if seconds > 0 else 0,
            "depth": self.depth,
            "compiled": self.is_compiled,
        }


def _determinised(game: Game, state: State, limit: Limit, seed: int | None) -> Analysis:
    """Average minimax over worlds that fit what the player sees; the state itself is not looked at."""
    player = game.to_move(state)
    view = game.view(state, player)
    depth = limit.depth or LONGEST
    watch = Watch(lambda: None, limit.time)
    means = watch.run(lambda: determinised(game, view, player, random.Random(seed), depth=depth))
    others = game.players == 2 and game.zero_sum

    def spread(own: float) -> tuple[float, ...]:
        return tuple(own if p == player else -own if others else math.nan for p in range(game.players))

    ranked = sorted(means.items(), key=lambda item: -item[1])
    names = [game.format_action(state, action) for action, _ in ranked]
    return Analysis(
        game=game.spec(),
        position="",
        to_move=player,
        agent="determinised",
        value=spread(ranked[0][1]),
        kind="estimate",
        best=names[0],
        line=(names[0],),
        moves=tuple(
            MoveAnalysis(name, spread(mean), "estimate") for name, (_, mean) in zip(names, ranked, strict=True)
        ),
        stats={"seconds": round(watch.seconds, 6)},
        limit=limit,
        seed=seed,
    )


def default_algorithm(game: Game) -> tuple[str, str]:
    """The algorithm to use on a game, and why, in a few words."""
    if game.hidden:
        return "determinised", "it has hidden information"
    if game.players > 2 or not game.zero_sum:
        return "maxn", "everybody plays for themselves"
    if game.chance:
        return "star1", "it has dice"
    if has_evaluation(game):
        return "alphabeta", "two players, no dice, and it can judge a position"
    return "alphabeta", "two players and no dice"
