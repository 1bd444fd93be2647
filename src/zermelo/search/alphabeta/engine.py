"""The engine: iterative deepening alpha-beta for one game, with a table that it keeps from move to move.

Several threads search the same position at staggered depths and share nothing but the table ("lazy SMP"); the first one
answers. With one thread, a limit in nodes or depth and a fresh table, an answer is the same every time.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from zermelo.core.analysis import Analysis, Kind, MoveAnalysis, Progress, Stopped
from zermelo.core.errors import RulesError
from zermelo.core.game import Action, Game, State
from zermelo.core.guards import require
from zermelo.core.limit import Limit, vet_threads
from zermelo.core.referee import Referee, open_table
from zermelo.kernel import is_enabled
from zermelo.search.alphabeta.clock import Clock, doubt
from zermelo.search.alphabeta.mate_distance import delayed
from zermelo.search.alphabeta.negamax import FAR, negamax
from zermelo.search.alphabeta.root_searcher import RootSearcher
from zermelo.search.alphabeta.scale import LONGEST
from zermelo.search.alphabeta.techniques import Techniques, strong, without_unsound
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace
from zermelo.search.choices import moves_fit, must_choose, whole_moves
from zermelo.search.repetition import cut_at_repetition
from zermelo.search.runtime.arguments import reserve, vet_megabytes
from zermelo.search.runtime.helper import Helper, raise_first_error
from zermelo.search.runtime.path import Ply
from zermelo.search.runtime.root_search import (
    NO_LIMIT,
    DeepeningSearch,
    Findings,
    Request,
    RootMove,
    stuck_sentence,
    table_statistics,
)
from zermelo.search.runtime.table import AGES, Table
from zermelo.search.runtime.workspace import STUCK, TOO_WIDE


class Engine:
    """Alpha-beta search of one game, one position at a time."""

    def __init__(
        self, game: Game, megabytes: float = 64, threads: int = 1, techniques: Techniques | None = None
    ) -> None:
        require(game, "alphabeta")
        vet_threads(threads)
        vet_megabytes(megabytes)
        self.game, self.threads = game, threads
        self.techniques = strong(game) if techniques is None else without_unsound(game, techniques)
        self.table = reserve(megabytes, lambda: Table(megabytes, large_pages=True))

    def fits(self, state: State) -> bool:
        """Whether the moves of the game fit the engine's memory, and its rules compile or no compiler is in use."""
        return moves_fit(self.game, state) and (not is_enabled() or self.prepare(state))

    def clear(self) -> None:
        """Clear the table."""
        self.table.clear()

    def prepare(self, state: State) -> bool:
        """Compile or load the kernels; False if the search runs interpreted."""
        return negamax.prepare(self.game, self.techniques, state, 0.0, 0.0, 0, Ply(0), 0, AlphaBetaWorkspace(0))

    def think(
        self,
        position: Referee | State | None = None,
        limit: Limit = NO_LIMIT,
        *,
        clock: Clock | None = None,
        lines: int = 1,
        only: Sequence[Action] = (),
        seed: int | None = None,
        stop: threading.Event | None = None,
        progress: Progress | None = None,
        name: str = "alphabeta",
    ) -> Analysis:
        """The best move within the limit and the clock, or until `stop` is set, and values for the `lines` best moves.

        `only` restricts the root to some moves. `progress` is called after every finished depth. The `seed` is only
        reported.
        """
        referee = position if isinstance(position, Referee) else Referee(self.game, position)
        request = Request(referee, limit, name, lines=lines, seed=seed, stop=stop, progress=progress)
        must_choose(referee, name)
        return self.answer(request, clock, only)

    def answer(self, request: Request, clock: Clock | None = None, only: Sequence[Action] = ()) -> Analysis:
        """Search the position of a request, in which a player can move."""
        legal = whole_moves(request.referee, request.name)
        is_compiled = self.prepare(request.referee.state)
        self.table.age = (self.table.age + 1) % AGES
        chosen = [action for action in legal if not only or action in only] or legal
        return AlphaBetaSearch(self, request, chosen, clock, is_compiled).answer()


class AlphaBetaSearch(DeepeningSearch):
    """The search of one position: its threads, when to stop, and what the root's moves prove."""

    deepest = FAR - 1
    sees_repetition = True

    def __init__(
        self, engine: Engine, request: Request, actions: list[Action], clock: Clock | None, is_compiled: bool
    ) -> None:
        seconds = request.limit.time
        if clock is not None:
            seconds = clock.most if seconds is None else min(seconds, clock.most)
        super().__init__(request, seconds)
        self.engine, self.clock, self.lines, self.is_compiled = engine, clock, max(1, request.lines), is_compiled
        how, table = engine.techniques, engine.table
        referee = open_table(self.referee)
        self.main = RootSearcher(referee, how, table, actions, self.limit.nodes)
        self.others = [RootSearcher(referee, how, table, actions, None) for _ in range(engine.threads - 1)]
        self.proves_all = False
        self._best, self._value, self._stable, self._drop = self.main.moves[0].action, -math.inf, 0, math.inf

    def halt(self) -> None:
        self.main.workspace.stop()

    def check(self) -> None:
        if self.main.workspace.trouble == STUCK:
            raise RulesError(stuck_sentence(self.game))

    # -- deepening ------------------------------------------------------------------------------------

    def run(self) -> Stopped:
        """Deepen; the other threads search ahead and fill the table."""
        helpers: list[Helper] = []
        try:
            for number, searcher in enumerate(self.others):
                helpers.append(Helper(partial(self._help, searcher, number)))
            stopped = super().run()
        finally:
            for searcher in self.others:
                searcher.workspace.stop()
            for helper in helpers:
                helper.wait()
        raise_first_error(helpers)
        return stopped

    def _help(self, searcher: RootSearcher, number: int) -> None:
        """Search ahead, every other thread one ply deeper; an error of the rules ends the search."""
        try:
            for depth in range(1 + number % 2, self.deepest + 1):
                if not searcher.deepen(depth, 1) or searcher.is_stopped:
                    break
        except BaseException:
            self.halt()
            raise

    def search(self, depth: int) -> bool:
        is_found = self.main.deepen(depth, self.lines)
        self.proves_all = self._proves_all(not self.main.is_stopped)
        if self.main.is_stopped or not is_found:
            return False
        top = self.main.moves[0]
        self._stable = self._stable + 1 if top.action == self._best else 0
        self._drop = (self._value - top.value) / self.game.unit
        self._best, self._value = top.action, top.value
        return True

    def is_final(self) -> bool:
        return self.proves_all

    def reason(self) -> Stopped:
        if not self.main.is_stopped:
            return "depth"
        return "memory" if self.main.workspace.trouble == TOO_WIDE else super().reason()

    def _proves_all(self, is_finished: bool) -> bool:
        """Whether every requested line is proved, and also that no other move is better.

        Bounds of the other moves are relative to the best move of the same depth, so that depth must be finished.
        """
        shown = self.main.moves[: self.lines]
        is_won = shown[0].is_proved and shown[0].value >= self.main.scale.win_threshold
        return (is_won and self.lines == 1) or (is_finished and all(move.is_proved for move in self.main.moves))

    def is_clear(self) -> bool:
        """Whether to stop early: there is only one move, or more time is unlikely to change the best one."""
        if len(self.main.moves) == 1 and (self.clock is not None or self.limit.time is not None):
            return self.depth >= 8
        if self.clock is None:
            return False
        nodes = sum(move.nodes for move in self.main.moves)
        effort = self.main.moves[0].nodes / max(1, nodes)
        return self.watch.seconds >= self.clock.intended * doubt(self._stable, effort, self._drop) * 0.7

    # -- the answer -----------------------------------------------------------------------------------

    def findings(self) -> Findings:
        best = self.main.moves[0]
        others = (move for move in self.main.moves[1 : self.lines] if move.finished or self._has_bound(move))
        moves = tuple(self._move(move) for move in (best, *others))
        is_decided = best.finished is not None and best.finished.value >= self.main.scale.win_threshold
        is_exact = any(move.kind == "exact" for move in moves)
        return Findings(
            moves[0].value,
            moves[0].kind if self.proves_all or is_decided else "estimate",
            moves,
            distance=moves[0].distance,
            distance_kind=moves[0].distance_kind,
            error=self._error(self.main.moves[: self.lines]) if is_exact else 0.0,
        )

    def _move(self, move: RootMove) -> MoveAnalysis:
        """The analysis of a move: its last finished value, or a proved bound that is lower.

        A bound that holds only to a depth, as from a search that failed low, is never shown, because it is not an
        estimate.
        """
        if self._has_bound(move):
            line, value = (move.action,), self.payoffs_for_all(self.main.scale.ceiling(move.value))
            return MoveAnalysis(line[0], value, "upper", self.depth, move.nodes, actions=line)
        if move.finished is None:
            line, value = (move.action,), (math.nan,) * self.game.players
            return MoveAnalysis(line[0], value, "estimate", 0, move.nodes, actions=line)
        found = move.finished
        line = cut_at_repetition(open_table(self.referee), found.line)
        own, distance = self._payoff_and_distance(found)
        kind: Kind = "exact" if self.proves_all or (found.is_proved and self._is_decided(found.value)) else "estimate"
        return MoveAnalysis(
            line[0],
            self.payoffs_for_all(own),
            kind,
            found.depth,
            found.nodes,
            actions=line,
            distance=distance,
            distance_kind="exact" if distance == 1 else "upper",
        )

    def _has_bound(self, move: RootMove) -> bool:
        """Whether a proved upper bound of a move is below its value at the last finished depth."""
        if not move.is_proved or (move.finished is not None and move.finished.is_proved):
            return False
        return move.finished is None or move.value < move.finished.value

    def _is_decided(self, value: float) -> bool:
        """Whether a proved value is a win or a defeat."""
        return abs(value) >= self.main.scale.win_threshold

    def _payoff_and_distance(self, found: RootMove) -> tuple[float, int | None]:
        """The value without ply costs and, for a proved win or loss, an upper bound of the plies to the end.

        A shorter win may have been reduced or pruned, and the search stops at the first proof. A payoff that differs
        from that of a win by less than the ply costs has no distance: another end may pay more.
        """
        scale, value = self.main.scale, found.value
        if scale.ply_cost == 0.0 or not found.is_proved:
            return scale.plain(value), None
        payoff = self._payoff(found)
        if not self._is_decided(value):
            return scale.plain(value) if payoff is None else payoff, None
        most = math.copysign(self.game.utility_range[1], value)
        if payoff is not None and payoff != most:
            return payoff, None
        return most, round(abs(most - value) / scale.ply_cost)

    def _payoff(self, found: RootMove) -> float | None:
        """The payoff behind a proved value, to the last bit; None if unknown.

        It is the payoff at the end of the line. If the line is incomplete, because the search stopped at a bound of the
        game or went deeper than a line is recorded, it is a bound of the game, or the rounded value, that differs from
        the value by whole ply costs.
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
        """The possible error of the exact values shown whose proving line is incomplete."""
        scale, error = self.main.scale, 0.0
        for found in (move.finished for move in moves):
            is_doubtful = scale.ply_cost and found and found.is_proved and not self._is_decided(found.value)
            if found and is_doubtful and self._payoff(found) is None:
                error = max(error, abs(scale.plain(found.value) - found.value) + scale.slack)
        return error

    def count(self) -> int:
        """The nodes of all threads, at most the limit, because a stopped search still counts while it returns."""
        nodes = self.main.workspace.nodes
        return min(nodes, self.limit.nodes or nodes) + sum(searcher.workspace.nodes for searcher in self.others)

    def details(self) -> dict[str, Any]:
        return {"depth": self.depth, **table_statistics(self.main.workspace, self.engine.table)}
