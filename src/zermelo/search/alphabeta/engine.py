"""The engine: alpha-beta for one game, deepened ply by ply, with a table that it keeps from move to move.

Several threads search the same position at staggered depths and share nothing but the table ("lazy SMP"); the first one
answers. With one thread, a limit in nodes or depth and a fresh table, an answer is the same every time.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from zermelo.core.analysis import Analysis, Kind, MoveAnalysis, Stopped
from zermelo.core.errors import RulesError, UsageError
from zermelo.core.game import Action, Game, State
from zermelo.core.guards import require
from zermelo.core.limit import Limit, vet_threads
from zermelo.core.referee import Referee
from zermelo.kernel import U64, fits_cell, fits_cells, is_enabled, mix
from zermelo.search.alphabeta.clock import Clock, doubt
from zermelo.search.alphabeta.mate_distance import MOST_PLIES, delayed
from zermelo.search.alphabeta.negamax import FAR, negamax
from zermelo.search.alphabeta.quiescence import LOUD_PLIES
from zermelo.search.alphabeta.techniques import Techniques, fitted, strong
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace
from zermelo.search.choices import choices
from zermelo.search.runtime.path import Ply
from zermelo.search.runtime.table import AGES, Table
from zermelo.search.runtime.watch import Watch, start_deep
from zermelo.search.runtime.workspace import STUCK, TOO_WIDE

Progress: TypeAlias = Callable[[Analysis], None]

NO_LIMIT = Limit()
DEEPEST = FAR - 1
PLY_COST_SHARE, NULL_WINDOW_SHARE = 2.0**-48, 2.0**-52
"""As shares of the payoff scale: the cost of one ply (mate distance) and the width of a null window."""
LONGEST = FAR + LOUD_PLIES
"""Most plies of a line, quiescence included: a value is at most this many ply costs away from its payoff."""
DIGITS = 8
"""Digits kept of an estimate, if the payoffs are about as large as 1."""
ASPIRATION = 0.3
"""Aspiration window, as a share of `swing`: how far the next depth's value is expected to lie from the last one's."""


@dataclass(frozen=True)
class Scale:
    """The numbers of a search that follow from the game's payoffs."""

    ply_cost: float
    null_window: float
    win_threshold: float
    """No estimate is this high: from here on a value is a win."""

    @classmethod
    def of(cls, game: Game, has_ply_cost: bool) -> Scale:
        largest = max(map(abs, game.utility_range))
        power = math.frexp(largest)[1] if math.isfinite(largest) else 0
        ply_cost = math.ldexp(PLY_COST_SHARE, power) if has_ply_cost and math.isfinite(largest) else 0.0
        return cls(ply_cost, math.ldexp(NULL_WINDOW_SHARE, power), game.utility_range[1] - MOST_PLIES * ply_cost)

    @property
    def slack(self) -> float:
        """The most by which ply costs can move a value away from its payoff."""
        return LONGEST * self.ply_cost

    def plain(self, value: float) -> float:
        """The value without ply costs, rounded: all ply costs of a line together are less than the last digit.

        It is the payoff itself if that has no more digits.
        """
        if self.ply_cost == 0.0 or not math.isfinite(value):
            return value
        size = self.ply_cost / PLY_COST_SHARE
        most = DIGITS if size >= 1 else DIGITS - math.floor(math.log10(size))
        return round(value, min(most, math.floor(-math.log10(2 * self.slack))))

    def ceiling(self, value: float) -> float:
        """An upper bound of the payoff, given an upper bound of the value with ply costs.

        A certain loss, or any other round number plus ply costs, is returned as that number.
        """
        plain = self.plain(value)
        if self.ply_cost == 0.0 or value == 0.0 or abs(plain - value) <= self.slack:
            return plain
        return value + self.slack if value > 0 else value


@dataclass(frozen=True)
class Finished:
    """The value of a move to a depth at which it was searched with a window that holds the value."""

    value: float
    depth: int
    is_proved: bool
    nodes: int
    line: tuple[Action, ...]


@dataclass(frozen=True)
class RootMove:
    """What is known of one legal move."""

    action: Action
    value: float = -math.inf
    """What the last search of it returned: the value, or an upper bound if the search failed low."""
    is_proved: bool = False
    """Whether that holds whatever lies beyond the horizon."""
    nodes: int = 0
    line: tuple[Action, ...] = ()
    finished: Finished | None = None
    """The last value that is not a bound, which may be shown as an estimate."""

    def finish(self, depth: int) -> RootMove:
        """The same move, whose value lies within the window of its search to this depth."""
        return replace(self, finished=Finished(self.value, depth, self.is_proved, self.nodes, self.line))

    @property
    def rank(self) -> tuple[int, float]:
        """A sort key for moves of a depth that was not finished: the deepest values first, then the highest."""
        return (-self.finished.depth, -self.finished.value) if self.finished else (0, math.inf)


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
        place = mix(game.key(game.repetition_key(child))) if game.repetition else U64(0)
        return cls(child, place, game.to_move(child) == game.to_move(state))


class Engine:
    """Thinks about positions of one game; not about two at a time."""

    def __init__(
        self, game: Game, megabytes: float = 64, threads: int = 1, techniques: Techniques | None = None
    ) -> None:
        require(game, "alphabeta")
        vet_threads(threads)
        if not 0 < megabytes < 1 << 24:
            raise UsageError(f"a table of {megabytes} megabytes makes no sense; 64 is a good size")
        self.game, self.threads = game, threads
        self.techniques = strong(game) if techniques is None else fitted(game, techniques)
        try:
            self.table = Table(megabytes, large_pages=True)
        except (MemoryError, OverflowError, OSError, ValueError):
            raise UsageError(f"there is no room for a table of {megabytes:,} megabytes; give it less") from None

    @staticmethod
    def fits(game: Game, state: State) -> bool:
        """Whether the engine's memory can hold the game's moves, and the compiler its rules, if there is a compiler."""
        if not fits_cells(game) or not all(fits_cell(action) for action in game.actions(state)):
            return False
        how = strong(game)
        return not is_enabled() or negamax.prepare(game, how, state, 0.0, 0.0, 0, Ply(0), 0, AlphaBetaWorkspace(0))

    def clear(self) -> None:
        """Forget all positions."""
        self.table.clear()

    def prepare(self, state: State) -> bool:
        """Compile, or load what was compiled; False if it runs interpreted."""
        return negamax.prepare(self.game, self.techniques, state, 0.0, 0.0, 0, Ply(0), 0, AlphaBetaWorkspace(0))

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
    """One thread's search of the root: its workspace, and the root's moves, the most promising first."""

    def __init__(self, engine: Engine, referee: Referee, actions: list[Action], nodes: int | None) -> None:
        self.engine, self.game, self.how, self.state = engine, engine.game, engine.techniques, referee.state
        self.scale = Scale.of(self.game, not (self.game.margins or self.how.strict))
        self.workspace = work = AlphaBetaWorkspace.create(engine.table, nodes)
        work.ply_cost, work.null_window = self.scale.ply_cost, self.scale.null_window
        work.win_threshold = self.scale.win_threshold
        if self.how.repeats:
            work.remember(referee)
        self.moves = [RootMove(action, line=(action,)) for action in self._sorted(actions)]
        self.children = {action: _Child.after(self.game, self.state, action) for action in actions}
        self.search = negamax.runner(self.game, self.how, self.state, 0.0, 0.0, 0, Ply(1), 0, work)

    def _sorted(self, actions: list[Action]) -> list[Action]:
        return sorted(actions, key=lambda action: -float(self.game.order(self.state, action)))

    @property
    def is_stopped(self) -> bool:
        return self.workspace.is_stopped()

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
        if len(done) < min(lines, len(self.moves)):  # it was stopped: the other lines are those of the last depth
            left.sort(key=lambda move: move.rank)
        self.moves = sorted(done, key=lambda move: -move.value) + left
        return True

    def _best_of(self, moves: list[RootMove], depth: int) -> list[RootMove] | None:
        """The moves, the best one first; a window around the last value is widened until the value lies in it."""
        last, width = moves[0].value, ASPIRATION * self.game.swing
        alpha, beta = last - width, last + width
        if depth < 4 or not math.isfinite(last + width) or abs(last) + width >= self.scale.win_threshold:
            alpha, beta = -math.inf, math.inf
        while True:
            found = self._within(moves, depth, alpha, beta)
            if found is None:
                return None
            moves, value = found, found[0].value
            fails_low, fails_high = value <= alpha > -math.inf, value >= beta < math.inf
            if not (fails_low or fails_high):
                return [found[0].finish(depth), *found[1:]]
            if self.is_stopped:
                return None
            width *= 3
            if fails_low:
                alpha = value - width if abs(value) + width < self.scale.win_threshold else -math.inf
            else:
                beta = value + width if abs(value) + width < self.scale.win_threshold else math.inf

    def _within(self, moves: list[RootMove], depth: int, alpha: float, beta: float) -> list[RootMove] | None:
        """The moves, the best one first, within a window; None if it was stopped with nothing but bad news."""
        best, tried = -math.inf, list(moves)
        searched = 0
        for move in moves:
            floor = max(alpha, best)
            is_first = searched == 0
            upper = beta if is_first or not self.how.pvs else min(beta, floor + self.scale.null_window)
            found = self._explored(move, floor, upper, depth)
            if found is not None and floor < found.value < beta and upper < beta:
                found = self._explored(move, floor, beta, depth)
            if found is None:
                break
            del tried[searched]  # where the move is: what was searched comes first
            searched += 1
            if found.value > best:
                best = found.value
                tried.insert(0, found)
            else:  # a bound only; the value of the last depth says more
                tried.insert(searched - 1, replace(found, value=min(found.value, best), line=move.line))
            if best >= beta:
                break
        if searched < len(moves) and (searched == 0 or best <= max(alpha, -self.scale.win_threshold)):
            return None
        return tried

    def _explored(self, move: RootMove, alpha: float, beta: float, depth: int) -> RootMove | None:
        """One move, searched; None if it was stopped."""
        work, before = self.workspace, self.workspace.nodes
        work.variation.clear(Ply(1))
        value = self._value(move.action, alpha, beta, depth)
        if self.is_stopped:
            return None
        line = (move.action, *work.variation.line(Ply(1)))
        return RootMove(move.action, value, work.is_proved, work.nodes - before, line, move.finished)

    def _value(self, action: Action, alpha: float, beta: float, depth: int) -> float:
        """What a move is worth to the player who makes it, where alpha < beta; meaningless once it is stopped."""
        game, work, child, ply = self.game, self.workspace, self.children[action], Ply(1)
        if self.how.repeats:
            is_repeated = work.path.times_before(ply, child.place) + 1 >= game.repetition > 0
            if is_repeated and not game.is_terminal(child.state):
                return work.report(game.middle(), False)
            work.path.enter(ply, child.place)
        work.ordering.note_played(ply, action)
        near, far = delayed(work, alpha, -1.0), delayed(work, beta, -1.0)
        low, high = (near, far) if child.is_same else (-far, -near)
        value = self.search(game, self.how, child.state, low, high, depth - 1, ply, 0, work)
        if self.how.repeats:
            work.path.leave(child.place)
        return delayed(work, value if child.is_same else -value, 1.0)


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
        self.watch = Watch(self.main.workspace.stop, seconds)
        self.depth = 0
        self.is_told = False
        self.is_final = False
        self._said = _Said(self.state)
        self._places = Counter(
            [*(turn.place for turn in referee.turns), self.game.repetition_key(self.state)]
            if self.game.repetition
            else ()
        )

    def answer(self) -> Analysis:
        stopped = self.watch.run(self._deepen, self._tick)
        if self.main.workspace.trouble == STUCK:
            raise RulesError(
                f"somewhere {self.game} is not over, yet there is no move; the conformance kit finds where"
            )
        return replace(self._analysis(), stopped=stopped)

    def _tick(self) -> None:
        if self.stop is not None and self.stop.is_set():
            self.is_told = True
            self.watch.tell()

    # -- deepening ------------------------------------------------------------------------------------

    def _deepen(self) -> Stopped:
        errors: list[BaseException] = []
        finished = [self._help(helper, number, errors) for number, helper in enumerate(self.helpers)]
        try:
            stopped = self._deepen_main()
        finally:
            for helper in self.helpers:
                helper.workspace.stop()
            for event in finished:
                event.wait()
        if errors:
            raise errors[0]
        return stopped

    def _help(self, helper: _Searcher, number: int, errors: list[BaseException]) -> threading.Event:
        """Let another thread search ahead, every other one a ply deeper; an error of the rules ends the search."""
        finished = threading.Event()

        def body() -> None:
            try:
                for depth in range(1 + number % 2, DEEPEST + 1):
                    if not helper.deepen(depth, 1) or helper.is_stopped:
                        break
            except BaseException as error:
                errors.append(error)
                self.main.workspace.stop()
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
        if self.main.workspace.trouble == TOO_WIDE:
            return "memory"
        if self.watch.interrupted or self.is_told:
            return "user"
        return "time" if self.watch.out_of_time else "nodes"

    def _proves_all(self, is_finished: bool) -> bool:
        """Every line that was asked for is proved, and so is that no other move is better.

        What was proved of the others holds beside the best move of the same depth, so that it has to be finished.
        """
        shown = self.main.moves[: self.lines]
        is_won = shown[0].is_proved and shown[0].value >= self.main.scale.win_threshold
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
        others = (move for move in self.main.moves[1 : self.lines] if move.finished or self._has_bound(move))
        moves = tuple(self._move(move) for move in (best, *others))
        is_decided = best.finished is not None and best.finished.value >= self.main.scale.win_threshold
        return Analysis(
            game=self.game.spec(),
            position=self.game.format_state(self.state),
            to_move=self.player,
            agent=self.name,
            value=moves[0].value,
            kind=moves[0].kind if self.is_final or is_decided else "estimate",
            best=moves[0].move,
            line=moves[0].line,
            distance=moves[0].distance,
            distance_kind=moves[0].distance_kind,
            error=self._error(self.main.moves[: self.lines]) if any(move.kind == "exact" for move in moves) else 0.0,
            moves=moves,
            stats=self._stats(),
            limit=self.limit,
            notes=() if self.is_compiled else ("it ran interpreted",),
        )

    def _move(self, move: RootMove) -> MoveAnalysis:
        """A move as it is shown: with its last finished value, or with what is proved and says more.

        A bound to a depth, which is all that a search that failed low returns, is not an estimate and is never shown.
        """
        if self._has_bound(move):
            line, value = self._texts((move.action,)), self._spread(self.main.scale.ceiling(move.value))
            return MoveAnalysis(line[0], value, "upper", self.depth, move.nodes, line=line)
        if move.finished is None:
            line, value = self._texts((move.action,)), (math.nan,) * self.game.players
            return MoveAnalysis(line[0], value, "estimate", 0, move.nodes, line=line)
        found = move.finished
        line = self._texts(found.line)
        own, distance = self._told(found)
        kind: Kind = "exact" if self.is_final or (found.is_proved and self._is_decided(found.value)) else "estimate"
        return MoveAnalysis(
            line[0],
            self._spread(own),
            kind,
            found.depth,
            found.nodes,
            line=line,
            distance=distance,
            distance_kind="exact" if distance == 1 else "upper",
        )

    def _has_bound(self, move: RootMove) -> bool:
        """Whether it is proved that a move is worth less than it seemed at the last depth that was finished."""
        if not move.is_proved or (move.finished is not None and move.finished.is_proved):
            return False
        return move.finished is None or move.value < move.finished.value

    def _is_decided(self, value: float) -> bool:
        """Whether a proved value is a sure win or defeat; no other value can then be better or worse."""
        return abs(value) >= self.main.scale.win_threshold

    def _texts(self, actions: Sequence[Action]) -> tuple[str, ...]:
        """A line in the game's notation; what was said of one depth is not worked out again for the next.

        It ends where a position is repeated: quiescence, and an entry of the table, may not have looked at that.
        """
        place, times = self._said, int(self.game.repetition)
        seen = Counter(self._places)
        for action in actions:
            if action not in place.after:
                child = self.game.result(place.state, action)
                place.after[action] = _Said(child, (*place.texts, self.game.format_action(place.state, action)))
            after = place.after[action]
            if times:
                here = self.game.repetition_key(after.state)
                seen[here] += 1
                if times < 0 and seen[here] > 1:
                    break
                if 0 < times <= seen[here]:
                    return after.texts
            place = after
        return place.texts

    def _told(self, found: Finished) -> tuple[float, int | None]:
        """The value without ply costs, and if it is a proved win or loss, the plies within which the winner ends it.

        That is an upper bound: what would be nearer may have been reduced or pruned, and the search stops at a proof.
        """
        scale, value = self.main.scale, found.value
        if scale.ply_cost == 0.0 or not found.is_proved:
            return scale.plain(value), None
        payoff = self._payoff(found)
        if not self._is_decided(value):
            return scale.plain(value) if payoff is None else payoff, None
        if payoff is None:
            payoff = math.copysign(self.game.utility_range[1], value)
        return payoff, round(abs(payoff - value) / scale.ply_cost)

    def _payoff(self, found: Finished) -> float | None:
        """The payoff behind a proved value, to the last bit; None if unknown.

        It is paid at the end of the line. If the line is incomplete, the search stopped at a bound of the game or went
        deeper than a line is recorded: then a bound of the game, or the rounded value, is the payoff if it differs
        from the value by whole ply costs.
        """
        value, scale, states = found.value, self.main.scale, [self.state]
        if value == 0.0:
            return 0.0
        for action in found.line:
            states.append(self.game.result(states[-1], action))
        if self.game.is_terminal(states[-1]):
            payoff = delayed_payoff = float(self.game.utility(states[-1], self.player))
            for _ in found.line:
                delayed_payoff = delayed(self.main.workspace, delayed_payoff, 1.0)
            return payoff if delayed_payoff == value else None
        likely = [float(bound) for state in reversed(states) for bound in self.game.bounds(state, self.player)]
        for payoff in (*likely, scale.plain(value)):
            plies = (payoff - value) / math.copysign(scale.ply_cost, value)
            if len(found.line) <= plies <= LONGEST and plies.is_integer():
                return payoff
        return None

    def _error(self, moves: Iterable[RootMove]) -> float:
        """How far an exact value that is shown may be off, because the line that proves it is not known to its end."""
        scale, error = self.main.scale, 0.0
        for found in (move.finished for move in moves):
            is_doubtful = scale.ply_cost and found and found.is_proved and not self._is_decided(found.value)
            if found and is_doubtful and self._payoff(found) is None:
                error = max(error, abs(scale.plain(found.value) - found.value) + scale.slack)
        return error

    def _spread(self, own: float) -> tuple[float, ...]:
        own = 0.0 + own
        return tuple(own if player == self.player else 0.0 - own for player in range(self.game.players))

    def _stats(self) -> dict[str, float | int | bool]:
        seconds, work = self.watch.seconds, self.main.workspace
        nodes = min(work.nodes, self.limit.nodes or work.nodes)
        nodes += sum(helper.workspace.nodes for helper in self.helpers)
        return {
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "nodes_per_second": round(nodes / seconds) if seconds > 0 else 0,
            "depth": self.depth,
            "deepest_ply": work.deepest_ply,
            "table_hits": work.hits,
            "table_fullness": self.engine.table.fullness() / 1000,
            "cutoffs": work.cutoffs,
            "first_move_cutoff_rate": round(work.first_cutoffs / work.cutoffs, 3) if work.cutoffs else 0.0,
            "compiled": self.is_compiled,
        }
