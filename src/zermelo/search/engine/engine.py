"""The engine: alpha-beta for one game, deepened ply by ply, with a table that it keeps from move to move.

Several threads search the same position at staggered depths and share nothing but the table ("lazy SMP"); the first one
answers. With one thread, a limit in nodes or depth and a fresh table, an answer is the same every time.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from zermelo.core.analysis import Analysis, Kind, MoveAnalysis, Stopped
from zermelo.core.errors import RulesError, UsageError
from zermelo.core.game import Action, Game, State
from zermelo.core.guards import require
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.kernel import U64, is_enabled, mix, store
from zermelo.search.choices import choices
from zermelo.search.engine.clock import Clock, doubt
from zermelo.search.engine.desk import (
    AGE,
    CERTAIN,
    CUTOFFS,
    DEEPEST_PLY,
    FIRST_CUTOFFS,
    GRAIN,
    HASTE,
    HITS,
    PLAYED,
    STUCK,
    Desk,
    end_line,
    enter,
    is_settled,
    leave,
    remember,
    settle,
    times_before,
)
from zermelo.search.engine.haste import MOST_PLIES, slowed
from zermelo.search.engine.negamax import FAR, negamax
from zermelo.search.engine.table import AGES, Table
from zermelo.search.engine.techniques import Techniques, strong
from zermelo.search.watch import Watch, start_deep

Progress: TypeAlias = Callable[[Analysis], None]

NO_LIMIT = Limit()
DEEPEST = FAR - 1
HASTE_SHARE, GRAIN_SHARE = 2.0**-42, 2.0**-46
"""Of the scale: what a ply counts, and the width of a window that is closed."""
ASPIRATION = 0.3
"""Of `swing`: how far the next depth's value is expected to lie, at most, from the last one's."""


@dataclass(frozen=True)
class Scale:
    """The numbers of a search that follow from the game's payoffs."""

    haste: float
    grain: float
    certain: float
    """No estimate is as high: from here on a value is a win."""

    @classmethod
    def of(cls, game: Game, is_hasty: bool) -> Scale:
        largest = max(map(abs, game.utility_range))
        size = 2.0 ** math.frexp(largest)[1] if math.isfinite(largest) else 1.0
        haste = HASTE_SHARE * size if is_hasty else 0.0
        return cls(haste, GRAIN_SHARE * size, game.utility_range[1] - MOST_PLIES * haste)

    def plain(self, value: float) -> float:
        """The value without haste: whole plies of a line, together, count less than the last digit that is kept."""
        return round(value, min(8, math.floor(-math.log10(2 * FAR * self.haste))))


@dataclass(frozen=True)
class RootMove:
    """What is known of one legal move."""

    action: Action
    value: float = -math.inf
    is_proved: bool = False
    nodes: int = 0
    line: tuple[Action, ...] = ()


@dataclass(frozen=True)
class _Child:
    """The state after a legal move."""

    state: State
    place: U64
    """Its key in the game's history; 0 where no repetition counts."""
    is_same: bool
    """The same player moves again."""

    @classmethod
    def after(cls, game: Game, state: State, action: Action) -> _Child:
        child = game.result(state, action)
        place = mix(game.key(game.timeless(child))) if game.repetition else U64(0)
        return cls(child, place, game.to_move(child) == game.to_move(state))


class Engine:
    """Thinks about positions of one game; not about two at a time."""

    def __init__(
        self, game: Game, megabytes: float = 64, threads: int = 1, techniques: Techniques | None = None
    ) -> None:
        require(game, "alphabeta")
        if threads < 1:
            raise UsageError(f"a search needs a thread or more, not {threads}")
        if not 0 < megabytes < 1 << 24:
            raise UsageError(f"a table of {megabytes} megabytes makes no sense; 64 is a good size")
        self.game, self.threads = game, threads
        self.techniques = strong(game) if techniques is None else techniques
        try:
            self.table = Table(megabytes, large_pages=True)
        except (MemoryError, OverflowError, OSError, ValueError):
            raise UsageError(f"there is no room for a table of {megabytes:,} megabytes; give it less") from None

    @staticmethod
    def fits(game: Game, state: State) -> bool:
        """Whether the engine's memory can hold the game's moves, and the compiler its rules, if there is a compiler."""
        if not all(isinstance(action, int) for action in game.actions(state)):
            return False
        how = strong(game)
        return not is_enabled() or negamax.prepare(game, how, state, 0.0, 0.0, 0, 0, 0, 0)

    def clear(self) -> None:
        """Forget all positions."""
        self.table.clear()

    def prepare(self, state: State) -> bool:
        """Compile, or load what was compiled; False if it runs interpreted."""
        return negamax.prepare(self.game, self.techniques, state, 0.0, 0.0, 0, 0, 0, 0)

    def think(
        self,
        position: Referee | State | None = None,
        limit: Limit = NO_LIMIT,
        *,
        clock: Clock | None = None,
        lines: int = 1,
        only: Sequence[Action] = (),
        stop: threading.Event | None = None,
        progress: Progress | None = None,
        name: str = "alphabeta",
    ) -> Analysis:
        """The best move within the limit and the clock, or until `stop` is set; `lines` of the best moves, if asked.

        `only` restricts the root to some moves. `progress` hears of every finished depth.
        """
        referee = position if isinstance(position, Referee) else Referee(self.game, position)
        legal = choices(referee, name)
        is_compiled = self.prepare(referee.state)
        self.table.age = (self.table.age + 1) % AGES
        chosen = [action for action in legal if not only or action in only] or legal
        think = _Thought(self, referee, chosen, limit, clock, lines, stop, progress, name, is_compiled)
        return think.answer()


class _Searcher:
    """One thread's search of the root: its desk, and its moves in the order of their promise."""

    def __init__(self, engine: Engine, referee: Referee, actions: list[Action], nodes: int | None) -> None:
        self.engine, self.game, self.how, self.state = engine, engine.game, engine.techniques, referee.state
        self.scale = Scale.of(self.game, not (self.game.margins or self.how.strict))
        self.desk = Desk(engine.table.address, engine.table.clusters)
        cells = self.desk.cells
        cells[AGE] = engine.table.age
        for cell, number in ((HASTE, self.scale.haste), (GRAIN, self.scale.grain), (CERTAIN, self.scale.certain)):
            self.desk.set_real(cell, number)
        self.desk.allow(nodes)
        if self.how.repeats:
            remember(self.desk, referee)
        self.moves = [RootMove(action) for action in self._sorted(actions)]
        self.children = {action: _Child.after(self.game, self.state, action) for action in actions}
        self.search = negamax.runner(self.game, self.how, self.state, 0.0, 0.0, 0, 1, 0, self.desk.address)

    def _sorted(self, actions: list[Action]) -> list[Action]:
        return sorted(actions, key=lambda action: -float(self.game.order(self.state, action)))

    @property
    def is_stopped(self) -> bool:
        return self.desk.is_stopped

    def deepen(self, depth: int, lines: int) -> bool:
        """Search to this depth; False if it was stopped before anything was found."""
        done: list[RootMove] = []
        left = list(self.moves)
        for _ in range(min(lines, len(left))):
            found = self._best_of(left, depth)
            if found is None:
                break
            done.append(found[0])
            left = found[1:]
            if self.is_stopped:
                break
        if not done:
            return False
        self.moves = sorted(done, key=lambda move: -move.value) + left
        return True

    def _best_of(self, moves: list[RootMove], depth: int) -> list[RootMove] | None:
        """The moves, the best one first; a window around the last value is widened until the value lies in it."""
        last, width = moves[0].value, ASPIRATION * self.game.swing
        alpha, beta = last - width, last + width
        if depth < 4 or not math.isfinite(last + width) or abs(last) + width >= self.scale.certain:
            alpha, beta = -math.inf, math.inf
        while True:
            found = self._within(moves, depth, alpha, beta)
            if found is None or self.is_stopped:
                return found
            moves, value = found, found[0].value
            width *= 3
            if value <= alpha:
                alpha = value - width if abs(value) + width < self.scale.certain else -math.inf
            elif value >= beta:
                beta = value + width if abs(value) + width < self.scale.certain else math.inf
            else:
                return found

    def _within(self, moves: list[RootMove], depth: int, alpha: float, beta: float) -> list[RootMove] | None:
        """The moves, the best one first, within a window; None if it was stopped with nothing but bad news."""
        best, tried = -math.inf, list(moves)
        searched = 0
        for move in moves:
            floor = max(alpha, best)
            is_first = searched == 0
            upper = beta if is_first or not self.how.scout else min(beta, floor + self.scale.grain)
            found = self._explored(move, floor, upper, depth)
            if found is not None and floor < found.value < beta and upper < beta:
                found = self._explored(move, floor, beta, depth)
            if found is None:
                break
            searched += 1
            tried.remove(move)
            if found.value > best:
                best = found.value
                tried.insert(0, found)
            else:  # a bound only; the value of the last depth says more
                tried.insert(searched - 1, replace(found, value=min(found.value, best), line=move.line))
            if best >= beta:
                break
        if searched < len(moves) and (searched == 0 or best <= max(alpha, -self.scale.certain)):
            return None
        return tried

    def _explored(self, move: RootMove, alpha: float, beta: float, depth: int) -> RootMove | None:
        """One move, searched; None if it was stopped."""
        before, memory = self.desk.nodes, self.desk.address
        end_line(memory, 1)
        value = self._value(move.action, alpha, beta, depth)
        if self.is_stopped:
            return None
        line = (move.action, *self.desk.line())
        return RootMove(move.action, value, is_settled(memory), self.desk.nodes - before, line)

    def _value(self, action: Action, alpha: float, beta: float, depth: int) -> float:
        """What a move is worth to the player who makes it, where alpha < beta; meaningless once it is stopped."""
        game, memory, child = self.game, self.desk.address, self.children[action]
        if self.how.repeats:
            if times_before(memory, 1, child.place) + 1 >= game.repetition > 0:
                settle(memory, False)
                return (game.utility_range[0] + game.utility_range[1]) / 2
            enter(memory, 1, child.place)
        store(memory, PLAYED + 1, action)
        near, far = slowed(memory, alpha, -1.0), slowed(memory, beta, -1.0)
        low, high = (near, far) if child.is_same else (-far, -near)
        value = self.search(game, self.how, child.state, low, high, depth - 1, 1, 0, memory)
        if self.how.repeats:
            leave(memory, child.place)
        return slowed(memory, value if child.is_same else -value, 1.0)


@dataclass
class _Said:
    """A position on a line that was written down, and the positions after it."""

    state: State
    texts: tuple[str, ...] = ()
    after: dict[Action, _Said] = field(default_factory=dict)


class _Thought:
    """One position, thought about: the watch, the threads, and the answer."""

    def __init__(
        self,
        engine: Engine,
        referee: Referee,
        actions: list[Action],
        limit: Limit,
        clock: Clock | None,
        lines: int,
        stop: threading.Event | None,
        progress: Progress | None,
        name: str,
        is_compiled: bool,
    ) -> None:
        self.engine, self.game, self.state, self.referee = engine, engine.game, referee.state, referee
        self.limit, self.clock, self.lines, self.stop, self.progress = limit, clock, max(1, lines), stop, progress
        self.name, self.is_compiled = name, is_compiled
        self.player = referee.to_move
        self.main = _Searcher(engine, referee, actions, limit.nodes)
        self.helpers = [_Searcher(engine, referee, actions, None) for _ in range(engine.threads - 1)]
        seconds = limit.time
        if clock is not None:
            seconds = clock.most if seconds is None else min(seconds, clock.most)
        self.watch = Watch(self.main.desk.stop, seconds)
        self.depth = 0
        self.is_told = False
        self.is_final = False
        self._said = _Said(self.state)

    def answer(self) -> Analysis:
        stopped = self.watch.run(self._deepen, self._tick)
        if self.main.desk.trouble == STUCK:
            raise RulesError(
                f"somewhere {self.game} is not over, yet there is no move; the conformance kit finds where"
            )
        return replace(self._analysis(), stopped=stopped)

    def _tick(self) -> None:
        if self.stop is not None and self.stop.is_set():
            self.is_told = True
            self.main.desk.stop()

    # -- deepening ------------------------------------------------------------------------------------

    def _deepen(self) -> Stopped:
        finished = [self._help(helper, number) for number, helper in enumerate(self.helpers)]
        try:
            return self._deepen_main()
        finally:
            for helper in self.helpers:
                helper.desk.stop()
            for event in finished:
                event.wait()

    def _help(self, helper: _Searcher, number: int) -> threading.Event:
        """Let another thread search ahead, every other one a ply deeper."""
        finished = threading.Event()

        def body() -> None:
            try:
                for depth in range(1 + number % 2, DEEPEST + 1):
                    if not helper.deepen(depth, 1) or helper.is_stopped:
                        break
            finally:
                finished.set()

        start_deep(body)
        return finished

    def _deepen_main(self) -> Stopped:
        main, deepest = self.main, min(self.limit.depth or DEEPEST, DEEPEST)
        best, stable, before = main.moves[0].action, 0, -math.inf
        for depth in range(1, deepest + 1):
            is_found = main.deepen(depth, self.lines)
            self.is_final = self._proves_all(not main.is_stopped)
            if main.is_stopped:
                return self._why()
            if not is_found:
                return "depth"
            self.depth = depth
            top = main.moves[0]
            stable = stable + 1 if top.action == best else 0
            drop, best, before = (before - top.value) / self.game.unit, top.action, top.value
            if self.progress is not None:
                self.progress(replace(self._analysis(), stopped="depth"))
            if self.is_final:
                return "done"
            if self._is_clear(stable, drop):
                return "time"
        return "depth"

    def _why(self) -> Stopped:
        if self.watch.interrupted or self.is_told:
            return "user"
        return "time" if self.watch.out_of_time else "nodes"

    def _proves_all(self, is_finished: bool) -> bool:
        """Every line that was asked for is proved, and so is that no other move is better.

        What was proved of the others holds beside the best move of the same depth, so that it has to be finished.
        """
        shown = self.main.moves[: self.lines]
        is_won = shown[0].is_proved and shown[0].value >= self.main.scale.certain
        return (is_won and self.lines == 1) or (is_finished and all(move.is_proved for move in self.main.moves))

    def _is_clear(self, stable: int, drop: float) -> bool:
        """Whether to stop before the time is up: there is no choice, or more time would hardly change it."""
        if len(self.main.moves) == 1 and (self.clock is not None or self.limit.time is not None):
            return self.depth >= 8
        if self.clock is None:
            return False
        nodes = sum(move.nodes for move in self.main.moves)
        effort = self.main.moves[0].nodes / max(1, nodes)
        return self.watch.seconds >= self.clock.intended * doubt(stable, effort, drop) * 0.7

    # -- the answer -----------------------------------------------------------------------------------

    def _analysis(self) -> Analysis:
        best = self.main.moves[0]
        shown = self.main.moves[: self.lines]
        moves = tuple(self._move(move) for move in shown)
        is_known = math.isfinite(best.value)
        return Analysis(
            game=self.game.spec(),
            position=self.game.format_state(self.state),
            to_move=self.player,
            agent=self.name,
            value=moves[0].value if is_known else (math.nan,) * self.game.players,
            kind=moves[0].kind if self.is_final or best.value >= self.main.scale.certain else "estimate",
            best=moves[0].move,
            line=moves[0].line,
            distance=moves[0].distance,
            moves=moves,
            stats=self._stats(),
            limit=self.limit,
            notes=() if self.is_compiled else ("it ran interpreted",),
        )

    def _move(self, move: RootMove) -> MoveAnalysis:
        line = self._texts(move.line or (move.action,))
        value, distance = self._told(move)
        values = self._spread(value)
        return MoveAnalysis(line[0], values, self._kind(move), self.depth, move.nodes, line=line, distance=distance)

    def _kind(self, move: RootMove) -> Kind:
        """Exact if all is proved; so is a sure defeat, and a sure win of the best move: others may have a bound."""
        is_won = move.value >= self.main.scale.certain and move is self.main.moves[0]
        is_decided = is_won or move.value <= -self.main.scale.certain
        return "exact" if self.is_final or (move.is_proved and is_decided) else "estimate"

    def _texts(self, actions: Sequence[Action]) -> tuple[str, ...]:
        """A line in the game's notation; what was said of one depth is not worked out again for the next."""
        place = self._said
        for action in actions:
            if action not in place.after:
                child = self.game.result(place.state, action)
                place.after[action] = _Said(child, (*place.texts, self.game.format_action(place.state, action)))
            place = place.after[action]
        return place.texts

    def _told(self, move: RootMove) -> tuple[float, int | None]:
        """The value without haste, and the distance where it is a proven win or defeat."""
        scale, value = self.main.scale, move.value
        if scale.haste == 0.0 or not math.isfinite(value):
            return value, None
        plain = scale.plain(value)
        if move.is_proved and abs(value) >= scale.certain:
            return plain, round(abs(plain - value) / scale.haste)
        return plain, None

    def _spread(self, own: float) -> tuple[float, ...]:
        own = 0.0 + own
        return tuple(own if player == self.player else 0.0 - own for player in range(self.game.players))

    def _stats(self) -> dict[str, float | int | bool]:
        seconds, cells = self.watch.seconds, self.main.desk.cells
        nodes = min(self.main.desk.nodes, self.limit.nodes or self.main.desk.nodes)
        nodes += sum(helper.desk.nodes for helper in self.helpers)
        return {
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "nodes_per_second": round(nodes / seconds) if seconds > 0 else 0,
            "depth": self.depth,
            "deepest_ply": cells[DEEPEST_PLY],
            "table_hits": cells[HITS],
            "table_fullness": self.engine.table.fullness() / 1000,
            "cutoffs": cells[CUTOFFS],
            "first_move_cutoff_rate": round(cells[FIRST_CUTOFFS] / cells[CUTOFFS], 3) if cells[CUTOFFS] else 0.0,
            "compiled": self.is_compiled,
        }
