"""`solve`: the exact value of a position, the distance to the end, the best line, and the size of the proof."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Any

from zermelo.core.analysis import Analysis, Kind, MoveAnalysis
from zermelo.core.errors import NotProved, Refused, RulesError
from zermelo.core.game import CHANCE, Action, Game, State, legal_actions
from zermelo.core.guards import require
from zermelo.core.limit import Limit
from zermelo.core.meter import Meter
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.search.watch import Watch
from zermelo.solve.induction import FULL, REPEATS, InductionMemory, induce
from zermelo.solve.plain import ENDLESS, PlainInduction
from zermelo.solve.proof import INFINITE, MOST_PLIES, prove
from zermelo.solve.table import ProofMemory

Progress = Callable[[dict[str, Any]], None]
NO_LIMIT = Limit()
HASTE = 2.0**-30
"""What a ply counts when distances are measured: far less than any two payoffs differ, and exact in binary."""


def solve(
    game: Game,
    position: Referee | State | None = None,
    limit: Limit = NO_LIMIT,
    memory_mb: int = 256,
    progress: Progress | None = None,
) -> Analysis:
    """The proven value of a position; NotProved once the limit is reached."""
    state = game.initial() if position is None else position.state if isinstance(position, Referee) else position
    require(game, "solve")
    if game.repetition is not Repetition.NOTHING:
        raise Refused(f"solve needs a game in which positions do not repeat; {game.name} has a rule for repetition")
    solver = _choose(game, state, limit, memory_mb, progress)
    return solver.answer()


def _choose(game: Game, state: State, limit: Limit, memory_mb: int, progress: Progress | None) -> _Solver:
    """Alpha-beta where it fits, backward induction otherwise; plain Python where nothing compiles."""
    if game.players == 2 and game.zero_sum and not game.chance:
        proof = ProofMemory(memory_mb)
        if prove.prepare(game, state, 0.0, 0.0, 0.0, 0, 0, proof.address):
            return _ByProof(game, state, limit, progress, proof)
    else:
        table = InductionMemory(game.players, memory_mb)
        if induce.prepare(game, state, 0, table.address):
            return _ByInduction(game, state, limit, progress, table)
    return _ByPlainPython(game, state, limit, progress)


class _Solver:
    """What the three ways to solve have in common: the watch, the limits, the answer."""

    name = "solve"

    def __init__(self, game: Game, state: State, limit: Limit, progress: Progress | None) -> None:
        self.game, self.state, self.limit, self.progress = game, state, limit, progress
        self.watch = Watch(self.stop, limit.time)
        self.proved = "the value"
        self._reported = time.monotonic()

    # -- what each way does for itself ----------------------------------------------------------------

    def stop(self) -> None:
        raise NotImplementedError

    def nodes(self) -> int:
        raise NotImplementedError

    def value(self, state: State) -> tuple[float, ...]:
        """The payoffs of a state; NotProved when the limit is reached."""
        raise NotImplementedError

    def distance(self, state: State, value: tuple[float, ...]) -> int | None:
        """Plies to the end when the player ahead hurries and the other delays; None if unknown or nobody is ahead."""
        return None

    def choice(self, state: State, value: tuple[float, ...], distance: int | None) -> Action:
        """A best move: it keeps the value and, where known, the distance."""
        mover = self.game.to_move(state)
        for action in self.game.actions(state):
            if self.payoffs(self.game.result(state, action))[mover] == value[mover]:
                return action
        raise RulesError(f"{self.game}: no move keeps the value of {self.game.format_state(state)!r}")

    def move_values(self, actions: list[Action], value: tuple[float, ...]) -> Iterable[tuple[tuple[float, ...], Kind]]:
        """The payoffs of each root move, exact where that is not much more work."""
        return [(self.payoffs(self.game.result(self.state, action)), "exact") for action in actions]

    def size(self) -> dict[str, int]:
        """How large the proof is."""
        return {"nodes": self.nodes()}

    # -- what they share ------------------------------------------------------------------------------

    def payoffs(self, state: State) -> tuple[float, ...]:
        return self.game.utilities(state) if self.game.is_terminal(state) else self.value(state)

    def answer(self) -> Analysis:
        game, state = self.game, self.state
        if game.is_terminal(state):
            return self._analysis(game.utilities(state), 0, (), ())
        value = self.payoffs(state)
        seconds, proof = self.watch.seconds, self.size()
        if game.to_move(state) == CHANCE:
            return self._analysis(value, None, (), (), proof, seconds)
        distance = self.distance(state, value)
        line = self._line(value, distance)
        return self._analysis(value, distance, line, self._moves(value, line[0]), proof, seconds)

    def _line(self, value: tuple[float, ...], distance: int | None) -> tuple[str, ...]:
        """The best line to the end, or to the next roll of the dice."""
        state = self.state
        line: list[str] = []
        while not self.game.is_terminal(state) and self.game.to_move(state) != CHANCE and len(line) < 500:
            action = self.choice(state, value, distance)
            line.append(self.game.format_action(state, action))
            state = self.game.result(state, action)
            distance = None if distance is None else distance - 1
            value = self.payoffs(state)
        return tuple(line)

    def _moves(self, value: tuple[float, ...], best: str) -> tuple[MoveAnalysis, ...]:
        """The best move first, then the others by their value for the mover."""
        mover = self.game.to_move(self.state)
        actions = list(legal_actions(self.game, self.state))
        found = [
            MoveAnalysis(self.game.format_action(self.state, action), payoffs, kind)
            for action, (payoffs, kind) in zip(actions, self.move_values(actions, value), strict=True)
        ]
        return tuple(sorted(found, key=lambda move: (move.move != best, -move.value[mover])))

    def _analysis(
        self,
        value: tuple[float, ...],
        distance: int | None,
        line: tuple[str, ...],
        moves: tuple[MoveAnalysis, ...],
        proof: dict[str, int] | None = None,
        seconds: float = 0.0,
    ) -> Analysis:
        stats: dict[str, Any] = dict(proof or {"nodes": 0})
        stats["seconds"] = round(seconds, 6)
        stats["nodes_per_second"] = round(stats["nodes"] / seconds) if seconds > 0 else 0
        return Analysis(
            game=self.game.spec(),
            position=self.game.format_state(self.state),
            to_move=self.game.to_move(self.state) if not self.game.is_terminal(self.state) else CHANCE,
            agent=self.name,
            value=tuple(0.0 + payoff for payoff in value),
            kind="exact",
            best=line[0] if line else None,
            line=line,
            distance=distance,
            moves=moves,
            stats=stats,
            limit=self.limit,
        )

    def tick(self) -> None:
        """Report progress a few times a second."""
        now = time.monotonic()
        if self.progress is not None and now - self._reported >= 0.2:
            self._reported = now
            self.progress({"nodes": self.nodes(), "seconds": self.watch.seconds, "proving": self.proved})

    def give_up(self) -> NotProved:
        if self.watch.interrupted:
            raise KeyboardInterrupt
        spent = f"{self.watch.seconds:.3g} s" if self.watch.out_of_time else "that many"
        low, high = self.game.utility_range
        return NotProved(
            f"{self.game} is not proved after {spent} and {self.nodes():,} nodes; its value lies somewhere in "
            f"[{low:g}, {high:g}]: give more time or nodes, or ask `best` for an estimate"
        )


class _ByProof(_Solver):
    """Alpha-beta with a table."""

    def __init__(self, game: Game, state: State, limit: Limit, progress: Progress | None, memory: ProofMemory) -> None:
        self.memory = memory
        memory.allow(limit.nodes)
        super().__init__(game, state, limit, progress)
        self.middle = sum(game.utility_range) / 2

    def stop(self) -> None:
        self.memory.stop()

    def nodes(self) -> int:
        return self.memory.nodes

    def size(self) -> dict[str, int]:
        return {"nodes": self.memory.nodes, "table_hits": self.memory.hits}

    def value(self, state: State) -> tuple[float, ...]:
        found = self._window(state, -INFINITE, INFINITE)
        if found is None:
            raise self._failure()
        return found, 0.0 - found

    def distance(self, state: State, value: tuple[float, ...]) -> int | None:
        """Ask "within 1 ply? within 2?" ... until the answer is yes; the effort is bounded by that of the proof."""
        if value[0] == self.middle:
            return None
        self.proved = "the distance"
        self.memory.allow(4 * self.memory.nodes + 10_000_000)
        for plies in range(1, MOST_PLIES):
            within = self._is_within(state, value[0], plies)
            if within is None:
                return None
            if within:
                return plies
        return None

    def choice(self, state: State, value: tuple[float, ...], distance: int | None) -> Action:
        mover = self.game.to_move(state)
        keeping: Action | None = None
        for action in self.game.actions(state):
            child = self.game.result(state, action)
            if not self._keeps(child, value[mover], mover):
                continue
            if distance is None or self._takes(child, value[0], distance - 1, is_ahead=value[mover] > self.middle):
                return action
            keeping = action
        return keeping

    def move_values(self, actions: list[Action], value: tuple[float, ...]) -> Iterable[tuple[tuple[float, ...], Kind]]:
        bound: Kind = "upper"
        self.memory.allow(2 * self.memory.nodes + 1_000_000)
        for action in actions:
            child = self.game.result(self.state, action)
            if self.game.is_terminal(child):
                yield self.game.utilities(child), "exact"
                continue
            found = self._window(child, -INFINITE, INFINITE)
            if found is not None:
                yield (found, 0.0 - found), "exact"
            else:  # at least it is no better than the best
                yield value, bound

    def _window(self, state: State, alpha: float, beta: float, haste: float = 0.0) -> float | None:
        """A proof within a window; None if it was stopped."""
        if self.game.is_terminal(state):
            return self.game.utility(state, 0)
        found = self.watch.run(
            lambda: prove.run(self.game, state, alpha, beta, haste, 0, 0, self.memory.address), self.tick
        )
        return None if self.memory.is_stopped else found

    def _is_within(self, state: State, value: float, plies: int) -> bool | None:
        """Whether the value is reached within so many plies; None if it was stopped."""
        if self.game.is_terminal(state):
            return True
        sign = 1 if value > self.middle else -1
        near, far = value - sign * (plies + 0.25) * HASTE, value - sign * (plies + 0.75) * HASTE
        found = self._window(state, min(near, far), max(near, far), HASTE)
        if found is None:
            return None
        return found >= max(near, far) if sign > 0 else found <= min(near, far)

    def _takes(self, child: State, value: float, plies: int, is_ahead: bool) -> bool:
        """Whether the end is exactly so far: no farther for a player who hurries, no nearer for one who delays."""
        if is_ahead:
            return self._is_within(child, value, plies) is not False
        if plies == 0:
            return self.game.is_terminal(child)
        return not self.game.is_terminal(child) and self._is_within(child, value, plies - 1) is not True

    def _keeps(self, child: State, value: float, mover: int) -> bool:
        """Whether the mover still gets the value."""
        if self.game.is_terminal(child):
            return self.game.utility(child, mover) == value
        own = value if mover == 0 else 0.0 - value
        found = self._window(child, math.nextafter(own, -INFINITE), math.nextafter(own, INFINITE))
        if found is None:
            raise self._failure()
        return found >= own if mover == 0 else found <= own

    def _failure(self) -> Exception:
        if self.memory.is_too_deep:
            return RulesError(f"{self.game} did not end within {MOST_PLIES:,} plies, {ENDLESS}")
        return self.give_up()


class _ByInduction(_Solver):
    """A table of all positions."""

    def __init__(
        self, game: Game, state: State, limit: Limit, progress: Progress | None, memory: InductionMemory
    ) -> None:
        self.memory = memory
        memory.allow(limit.nodes)
        super().__init__(game, state, limit, progress)

    def stop(self) -> None:
        self.memory.stop()

    def nodes(self) -> int:
        return self.memory.nodes

    def size(self) -> dict[str, int]:
        return {"nodes": self.memory.nodes, "positions": self.memory.positions}

    def value(self, state: State) -> tuple[float, ...]:
        found = self.watch.run(lambda: induce.run(self.game, state, 0, self.memory.address), self.tick)
        if not self.memory.is_stopped:
            return found
        if self.memory.trouble == REPEATS:
            raise RulesError(f"{self.game} can repeat a position, {ENDLESS}")
        if self.memory.trouble == FULL:
            raise NotProved(f"{self.game} has more positions than the table holds; give more memory")
        if self.memory.trouble:
            raise RulesError(f"{self.game} goes on for too many plies, {ENDLESS}")
        raise self.give_up()


class _ByPlainPython(_Solver):
    """For games that do not compile."""

    def __init__(self, game: Game, state: State, limit: Limit, progress: Progress | None) -> None:
        self.meter = Meter(limit.nodes)
        self.induction = PlainInduction(game, self.meter)
        super().__init__(game, state, limit, progress)

    def stop(self) -> None:
        self.meter.stop()

    def nodes(self) -> int:
        return self.meter.nodes

    def size(self) -> dict[str, int]:
        return {"nodes": self.meter.nodes, "positions": len(self.induction.known)}

    def value(self, state: State) -> tuple[float, ...]:
        try:
            found = self.watch.run(lambda: self.induction.solve(state), self.tick)
        except RecursionError:
            raise RulesError(f"{self.game} goes on for too many plies, {ENDLESS}") from None
        if found is None:
            raise self.give_up()
        return found.payoffs

    def distance(self, state: State, value: tuple[float, ...]) -> int | None:
        if self.game.players != 2 or not self.game.zero_sum:
            return None
        found = self.induction.solve(state)
        return None if found is None else found.distance

    def choice(self, state: State, value: tuple[float, ...], distance: int | None) -> Action:
        mover = self.game.to_move(state)
        for action in self.game.actions(state):
            found = self.induction.solve(self.game.result(state, action))
            is_as_far = distance is None or found is None or found.distance == distance - 1
            if found is not None and found.payoffs[mover] == value[mover] and is_as_far:
                return action
        return super().choice(state, value, None)
