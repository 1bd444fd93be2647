"""Expectiminimax for one game, deepened ply by ply, with a table that it keeps from move to move.

The same search serves any team among players of known behaviour, see `behaviours`. It counts in the team's payoff, or
in payoffs of all players (max^n) if a player maximises anything else. With a limit in nodes or depth and a fresh table,
an answer is the same every time.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from zermelo.core.analysis import Analysis, Kind, MoveAnalysis, Stopped
from zermelo.core.errors import Refused, RulesError, UsageError
from zermelo.core.game import Action, Game, State, has_one_value
from zermelo.core.guards import has_evaluation, is_bounded
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.kernel import fits_cell, fits_cells, is_enabled
from zermelo.search.choices import choices
from zermelo.search.expectiminimax.behaviours import Roles, opposed
from zermelo.search.expectiminimax.expectiminimax import FAR, expectiminimax_kernel
from zermelo.search.expectiminimax.habits import Habits, no_habits
from zermelo.search.expectiminimax.maxn import maxn_kernel
from zermelo.search.expectiminimax.maxn_table import PayoffTable
from zermelo.search.expectiminimax.techniques import Techniques, useful
from zermelo.search.expectiminimax.workspace import (
    AGAINST,
    HABITUAL,
    MAX,
    MIN,
    NO_PLAYER,
    OWN,
    SKILLED,
    ExpectiminimaxWorkspace,
)
from zermelo.search.repetition import NOTE, endings, legal_line, refuse_without_limit
from zermelo.search.runtime.path import Ply
from zermelo.search.runtime.table import AGES, Table
from zermelo.search.runtime.watch import Watch
from zermelo.search.runtime.workspace import STUCK, TOO_WIDE

Progress: TypeAlias = Callable[[Analysis], None]

NO_LIMIT = Limit()
DEEPEST = FAR - 1
ROUNDING = 1e-12


@dataclass(frozen=True)
class Narrowing:
    """What is left out: all but `moves` moves of a position, and outcomes less probable than `improbable`."""

    moves: int = 0
    """0 is all of them."""
    improbable: float = 0.0

    def __post_init__(self) -> None:
        if self.moves < 0:
            raise UsageError(f"{self.moves} moves cannot be looked at; 1 or more can, and 0 stands for all")
        if not 0 <= self.improbable < 1:
            raise UsageError(f"{self.improbable:g} is no limit for improbable outcomes; it is from 0 to below 1")

    def __bool__(self) -> bool:
        return self.moves > 0 or self.improbable > 0


@dataclass(frozen=True)
class RootMove:
    """What is known of one legal move."""

    action: Action
    value: float = -math.inf
    """To the player who makes it."""
    payoffs: tuple[float, ...] = ()
    """To all players, as far as they are known."""
    kind: Kind = "estimate"
    """Not the value to this depth, but the most it can be, if it is "upper"."""
    is_proved: bool = False
    """No horizon can change it."""
    is_over: bool = False
    """The referee says that it ends the game."""
    nodes: int = 0
    depth: int = 0
    line: tuple[Action, ...] = ()


class Expectiminimax:
    """Thinks about positions of one game; not about two at a time."""

    def __init__(
        self,
        game: Game,
        roles: Roles | None = None,
        megabytes: float = 64,
        techniques: list[str] | None = None,
        narrowing: Narrowing | None = None,
        habits: Habits | None = None,
    ) -> None:
        """Without roles it is for one player, or for two opponents; without techniques it uses all sound ones."""
        if not 0 < megabytes < 1 << 24:
            raise UsageError(f"a table of {megabytes} megabytes makes no sense; 64 is a good size")
        self.game, self.narrowing = game, narrowing or Narrowing()
        self.roles = opposed(game) if roles is None else roles
        if len(self.roles.behaviours) != game.players:
            raise UsageError(f"{game} has {game.players} seats; say what each of them does")
        self.habits = no_habits() if habits is None else habits
        team_size = 1 if self.roles.needs_maxn else len(self.roles.team)
        names = useful(game, team_size) if techniques is None else techniques
        if {"stars", "probes"} & {*names} and not is_bounded(game, team_size):
            raise Refused(
                f"stars and probes need a utility_range of finite width; {game.name} has payoffs without such limits: "
                "leave these techniques out"
            )
        if self.narrowing:
            names = [*names, "narrow"]
        has_models = any(behaviour.role in (SKILLED, HABITUAL) for behaviour in self.roles.behaviours)
        self.how = Techniques(*names, models=has_models, reply=self.roles.one_replies)
        if not self.how.table:
            megabytes = 0.001
        try:
            self.table: Table | PayoffTable = (
                PayoffTable(megabytes, game.players) if self.roles.needs_maxn else Table(megabytes, large_pages=True)
            )
        except (MemoryError, OverflowError, OSError, ValueError):
            raise UsageError(f"there is no room for a table of {megabytes:,} megabytes; give it less") from None

    def fits(self, state: State) -> bool:
        """Whether its memory can hold the game's moves, and the compiler its rules, if there is a compiler."""
        if not fits_cells(self.game) or not all(fits_cell(action) for action in self.game.actions(state)):
            return False
        return not is_enabled() or self.prepare(state)

    def clear(self) -> None:
        """Forget all positions."""
        self.table.clear()

    def prepare(self, state: State) -> bool:
        """Compile, or load what was compiled; False if it runs interpreted."""
        work = ExpectiminimaxWorkspace(0)
        if self.roles.needs_maxn:
            return maxn_kernel.prepare(self.game, self.how, state, NO_PLAYER, 0.0, False, 0, Ply(0), 0, work)
        return expectiminimax_kernel.prepare(self.game, self.how, state, 0.0, 0.0, 0, Ply(0), 0, work)

    def think(
        self,
        position: Referee | State | None = None,
        limit: Limit = NO_LIMIT,
        *,
        lines: int = 1,
        stop: threading.Event | None = None,
        progress: Progress | None = None,
        name: str = "expectiminimax",
    ) -> Analysis:
        """The best move within the limit, or until `stop` is set; `lines` of the best moves, if asked.

        `progress` hears of every finished depth.
        """
        referee = position if isinstance(position, Referee) else Referee(self.game, position)
        legal = choices(referee, name)
        behaviour = self.roles.behaviours[referee.to_move]
        if behaviour.role not in (MAX, MIN, OWN, AGAINST):
            seat = self.game.seat(referee.to_move)
            raise Refused(f"{seat} plays as {behaviour} here, so {name} has nothing to choose")
        is_compiled = self.prepare(referee.state)
        self.table.age = (self.table.age + 1) % AGES
        return _Thought(self, referee, legal, limit, lines, stop, progress, name, is_compiled).answer()

    def workspace(self, nodes: int | None = None) -> ExpectiminimaxWorkspace:
        """The memory of one search."""
        work, low, high = ExpectiminimaxWorkspace.create(self.table, nodes), *self.game.utility_range
        counted = 1 if self.roles.needs_maxn else len(self.roles.team)
        work.null_window = _null_window(self.game)
        work.lowest, work.highest = counted * low, counted * high
        work.width, work.improbable = self.narrowing.moves or 1 << 30, self.narrowing.improbable
        work.max_payoff_sum, work.min_rest_sum = _max_payoff_sum(self.game), low * (self.game.players - 2)
        work.rounded = ROUNDING * (high - low)
        work.habits.copy_from(self.habits)
        work.keeps_alive.append(self.habits)
        self._assign_roles(work)
        return work

    def _assign_roles(self, work: ExpectiminimaxWorkspace) -> None:
        """Write down what every seat does."""
        work.team_size = len(self.roles.team)
        for index, seat in enumerate(self.roles.team):
            work.team[index] = seat
        for seat, behaviour in enumerate(self.roles.behaviours):
            work.roles[seat], work.depths[seat] = behaviour.role, behaviour.depth
            work.reliabilities[seat] = behaviour.reliability
            for player, weight in enumerate(self.roles.payoff_weights(seat)):
                work.payoff_weights[work.weight_place(seat, player)] = weight


NULL_WINDOW_SHARE = 2.0**-46
"""As a share of the payoff scale; wider than alpha-beta's, because means of payoffs are rounded."""


def _null_window(game: Game) -> float:
    """The width of a null window, in practice less than values differ by: it only asks whether a move is better."""
    largest = max(map(abs, game.utility_range))
    return math.ldexp(NULL_WINDOW_SHARE, math.frexp(largest)[1]) if math.isfinite(largest) else NULL_WINDOW_SHARE


def _max_payoff_sum(game: Game) -> float:
    """The most that all payoffs or estimates sum to; a little more where they may be rounded."""
    low, high = game.utility_range
    most = min(game.max_payoff_sum, 0.0 if game.zero_sum else game.players * high)
    is_exact = not game.chance and (math.isfinite(game.max_payoff_sum) or not has_evaluation(game))
    return most if is_exact else most + ROUNDING * (high - low)


class _Thought:
    """One position, thought about: the watch, the root's moves, and the answer."""

    def __init__(
        self,
        search: Expectiminimax,
        referee: Referee,
        legal: list[Action],
        limit: Limit,
        lines: int,
        stop: threading.Event | None,
        progress: Progress | None,
        name: str,
        is_compiled: bool,
    ) -> None:
        self.search, self.game, self.how = search, search.game, search.how
        self.referee, self.state, self.player, self.limit = referee, referee.state, referee.to_move, limit
        self.endings = endings(referee, legal)
        self.lines, self.stop, self.progress = min(max(1, lines), len(legal)), stop, progress
        self.name, self.is_compiled = name, is_compiled
        self.role = search.roles.behaviours[self.player].role
        self.sign = -1 if self.role == MIN else 1
        self.workspace = search.workspace(limit.nodes)
        self.moves = [RootMove(action) for action in self._sorted(legal)]
        self.numbers = {action: number for number, action in enumerate(legal)}
        self.depth = 0
        self.is_told = False
        self.watch = Watch(self.workspace.stop, limit.time)
        if search.roles.needs_maxn:
            self.maxn = maxn_kernel.runner(
                self.game, self.how, self.state, NO_PLAYER, 0.0, False, 0, Ply(1), 0, self.workspace
            )
        else:
            self.expectiminimax = expectiminimax_kernel.runner(
                self.game, self.how, self.state, 0.0, 0.0, 0, Ply(1), 0, self.workspace
            )

    def _sorted(self, legal: list[Action]) -> list[Action]:
        return sorted(legal, key=lambda action: -float(self.game.order(self.state, action)))

    # -- deepening --------------------------------------------------------------------------------------

    def answer(self) -> Analysis:
        stopped = self.watch.run(self._deepen, self._tick)
        if self.workspace.trouble:
            what = {STUCK: "a position without moves", TOO_WIDE: "more moves than fit into its memory"}[
                self.workspace.trouble
            ]
            raise RulesError(f"{self.name} met {what}; `zermelo check {self.game.spec()}` finds what is wrong")
        if stopped == "depth" and self.limit == NO_LIMIT:
            raise RulesError(f"{self.game} did not end within {DEEPEST:,} plies; give a depth, a time or a node limit")
        return replace(self._analysis(), stopped=stopped)

    def _tick(self) -> None:
        if self.stop is not None and self.stop.is_set():
            self.is_told = True
            self.workspace.stop()

    def _deepen(self) -> Stopped:
        for depth in range(1, min(self.limit.depth or DEEPEST, DEEPEST) + 1):
            if not self._search(depth):
                return (
                    "user" if self.watch.interrupted or self.is_told else "time" if self.watch.out_of_time else "nodes"
                )
            self.depth = depth
            if self._is_final():
                return "done"
            if self.game.repetition and self.limit == NO_LIMIT and self.stop is None:
                refuse_without_limit(self.game, self.name)
            if self.progress is not None:
                self.progress(replace(self._analysis(), stopped="depth"))
        return "depth"

    def _search(self, depth: int) -> bool:
        """Search all moves to this depth; False if it was stopped, and then what is known is kept in order."""
        done: list[RootMove] = []
        for index, move in enumerate(self.moves):
            known = sorted((found.value for found in done), reverse=True)
            floor = known[self.lines - 1] if len(known) >= self.lines and self.how.cutoffs else -math.inf
            found = self._explored(move, floor, depth)
            if found is None:
                self._put_together(done, self.moves[index:])
                return False
            done.append(found)
        self.moves = self._ranked(done)
        return True

    def _put_together(self, done: list[RootMove], others: list[RootMove]) -> None:
        """Rank the moves if only some were searched to a new depth.

        The last depth's best move comes first, so the best of these is at least as good. Of the others those count too
        whose value does not depend on the depth; the rest keep what the last depth found, and come behind.
        """
        if done:
            known = [move for move in others if move.is_proved and move.kind == "estimate"]
            self.moves = self._ranked(done + known) + [move for move in others if move not in known]

    def _explored(self, move: RootMove, floor: float, depth: int) -> RootMove | None:
        """One move, searched; None if it was stopped."""
        work, before = self.workspace, self.workspace.nodes
        work.variation.clear(Ply(1))
        work.ordering.note_played(Ply(1), move.action)
        is_over = move.action in self.endings
        if is_over:
            work.nodes += 1
            work.is_proved = True
            value, payoffs = self._paid(self.endings[move.action])
        else:
            child = self.game.result(self.state, move.action)
            seek = self._search_payoffs if self.search.roles.needs_maxn else self._search_value
            value, payoffs = seek(child, floor, depth - 1)
        if work.is_stopped():
            return None
        is_proved = work.is_proved and not self.how.narrow
        kind: Kind = "upper" if not payoffs else "estimate"
        line = (move.action, *work.variation.line(Ply(1))) if kind == "estimate" else move.line
        payoffs = payoffs or self._payoffs(value)
        return RootMove(move.action, value, payoffs, kind, is_proved, is_over, work.nodes - before, depth, line)

    def _search_value(self, child: State, floor: float, depth: int) -> tuple[float, tuple[float, ...]]:
        """What a move is worth to its player, and to all; nothing for all if the value is only the most it can be."""
        low, high = (floor, math.inf) if self.sign == 1 else (-math.inf, -floor)
        found = self.expectiminimax(self.game, self.how, child, low, high, depth, Ply(1), 0, self.workspace)
        value = self.sign * found
        return value, self._payoffs(value) if value > floor else ()

    def _search_payoffs(self, child: State, floor: float, depth: int) -> tuple[float, tuple[float, ...]]:
        """The same with max^n."""
        parent = self.player if self.role == OWN and floor > -math.inf else NO_PLAYER
        work = self.workspace
        if not self.maxn(self.game, self.how, child, parent, floor, False, depth, Ply(1), 0, work):
            return floor, ()
        payoffs = work.read_payoffs(Ply(1), self.game.players)
        return self._worth(payoffs), payoffs

    def _paid(self, payoffs: tuple[float, ...]) -> tuple[float, tuple[float, ...]]:
        """The same at the end of the game."""
        if self.search.roles.needs_maxn:
            return self._worth(payoffs), payoffs
        value = self.sign * sum(payoffs[seat] for seat in self.search.roles.team)
        return value, self._payoffs(value)

    def _worth(self, payoffs: tuple[float, ...]) -> float:
        """What payoffs are worth to the player, by their payoff weights."""
        worths = self.search.roles.payoff_weights(self.player)
        return sum(worth * payoff for worth, payoff in zip(worths, payoffs, strict=True))

    def _ranked(self, moves: list[RootMove]) -> list[RootMove]:
        """Best first; what is only bounded comes behind equals, and the first of equals stays first.

        With payoffs for all it matters which of equals is chosen: as in the textbook, the first one of the list.
        """
        return sorted(moves, key=self._rank)

    def _rank(self, move: RootMove) -> tuple[float, bool, int]:
        number = self.numbers[move.action] if self.search.roles.needs_maxn else 0
        return -move.value, move.kind == "upper", number

    def _is_final(self) -> bool:
        """No deeper search finds anything else."""
        return self._is_known([move.is_proved for move in self.moves])

    def _is_known(self, proved: list[bool]) -> bool:
        """The best move's value is proved, and so is that no other is better, or with payoffs for all, chosen instead.

        After a depth that was not finished, an earlier depth may have proved more of another move than the best has.
        """
        best = self.moves[0]
        is_known = all(proved) and all(self._rank(move) >= self._rank(best) for move in self.moves)
        return proved[0] and (is_known or best.value >= self._highest())

    def _holds(self, move: RootMove) -> bool:
        """Whether it is proved whatever the path; the search does not look at it, and a rule for repetition does."""
        return move.is_proved and (move.is_over or not self.game.repetition)

    def _highest(self) -> float:
        """No move is worth more, so that the others do not matter; with payoffs for all they always do."""
        if self.search.roles.needs_maxn:
            return math.inf
        low, high = self.game.utility_range
        return len(self.search.roles.team) * (high if self.sign == 1 else -low)

    # -- the answer -------------------------------------------------------------------------------------

    def _analysis(self) -> Analysis:
        moves = tuple(self._move(move) for move in self.moves[: self.lines])
        is_known = self._is_known([self._holds(move) for move in self.moves])
        return Analysis(
            game=self.game.spec(),
            position=self.game.format_state(self.state),
            to_move=self.player,
            agent=self.name,
            value=moves[0].value,
            kind=self._proves() if is_known else "estimate",
            best=moves[0].move,
            line=moves[0].line,
            moves=moves,
            stats=self._stats(),
            limit=self.limit,
            notes=self._notes(is_known),
        )

    def _move(self, move: RootMove) -> MoveAnalysis:
        line = legal_line(self.referee, move.line or (move.action,))
        payoffs = move.payoffs or (math.nan,) * self.game.players
        return MoveAnalysis(line[0], payoffs, self._kind(move), move.depth, move.nodes, line=line)

    def _kind(self, move: RootMove) -> Kind:
        proves = self._proves() if self._holds(move) else "estimate"
        return "upper" if move.kind == "upper" and proves == "exact" else "estimate" if move.kind == "upper" else proves

    def _payoffs(self, value: float) -> tuple[float, ...]:
        """One value per player; unknown for those whose payoffs are another matter."""
        worth, team = 0.0 + self.sign * value, self.search.roles.team
        if self.search.roles.needs_maxn:
            is_own = self.role == OWN or (self.role == MAX and team == (self.player,))
            return tuple(value if is_own and seat == self.player else math.nan for seat in range(self.game.players))
        if len(team) > 1:
            return tuple(worth / len(team) if seat in team else math.nan for seat in range(self.game.players))
        others = 0.0 - worth if self.game.players == 2 and self.game.zero_sum else math.nan
        return tuple(worth if seat in team else others for seat in range(self.game.players))

    def _proves(self) -> Kind:
        """What it means for the value of the game, where all play for themselves, that every end was seen.

        One player against all others gets no less if the others have something else in mind. What several get together
        says little about each of them.
        """
        if self.search.roles.is_selfish:
            return "exact"
        if not self.search.roles.is_one_against_all:
            return "estimate"
        return "exact" if has_one_value(self.game) else "lower"

    def _notes(self, is_known: bool) -> tuple[str, ...]:
        notes = [] if self.is_compiled else ["it ran interpreted"]
        if self.game.repetition and not is_known:
            notes.append(NOTE)
        if self.how.narrow:
            notes.append("moves or outcomes were left out")
        return tuple(notes)

    def _stats(self) -> dict[str, float | int | bool]:
        seconds, work = self.watch.seconds, self.workspace
        nodes = min(work.nodes, self.limit.nodes or work.nodes)
        return {
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "nodes_per_second": round(nodes / seconds) if seconds > 0 else 0,
            "depth": self.depth,
            "deepest_ply": work.deepest_ply,
            "table_hits": work.hits,
            "table_fullness": self.search.table.fullness() / 1000,
            "cutoffs": work.cutoffs,
            "first_move_cutoff_rate": round(work.first_cutoffs / work.cutoffs, 3) if work.cutoffs else 0.0,
            "compiled": self.is_compiled,
        }
