"""Iterative deepening expectiminimax for one game, with a table that it keeps from move to move.

The same search serves any team among players of known behaviour, see `behaviours`. Its values are the team's payoff, or
the payoffs of all players (max^n) if a player maximises anything else. With a limit in nodes or depth and a fresh
table, an answer is the same every time.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import Any

from zermelo.core.analysis import Analysis, Kind, MoveAnalysis, Progress
from zermelo.core.errors import Refused, RulesError, UsageError
from zermelo.core.game import Action, Game, State, has_one_value
from zermelo.core.guards import has_evaluation, is_bounded
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee, open_table
from zermelo.kernel import is_enabled
from zermelo.search.choices import moves_fit, must_choose, whole_moves
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
from zermelo.search.repetition import NOTE, cut_at_repetition, endings
from zermelo.search.runtime.arguments import reserve, vet_megabytes
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

ROUNDING = 1e-12


@dataclass(frozen=True)
class Narrowing:
    """Limits of the technique `narrow`: at most `moves` moves, and no outcomes less probable than `improbable`."""

    moves: int = 0
    """Maximum number of moves; 0 for all."""
    improbable: float = 0.0

    def __post_init__(self) -> None:
        if self.moves < 0:
            raise UsageError(f"{self.moves} is not a number of moves; give 1 or more, or 0 for all")
        if not 0 <= self.improbable < 1:
            raise UsageError(f"{self.improbable:g} is not a limit for improbable outcomes; give 0 or more, below 1")

    def __bool__(self) -> bool:
        return self.moves > 0 or self.improbable > 0


class Expectiminimax:
    """Expectiminimax or max^n search of one game, one position at a time."""

    def __init__(
        self,
        game: Game,
        roles: Roles | None = None,
        megabytes: float = 64,
        techniques: list[str] | None = None,
        narrowing: Narrowing | None = None,
        habits: Habits | None = None,
    ) -> None:
        """Roles default to one player or two opponents, techniques to all sound ones."""
        vet_megabytes(megabytes)
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
        self.table = reserve(megabytes, lambda: self._new_table(megabytes))

    def _new_table(self, megabytes: float) -> Table | PayoffTable:
        if self.roles.needs_maxn:
            return PayoffTable(megabytes, self.game.players)
        return Table(megabytes, large_pages=True)

    def fits(self, state: State) -> bool:
        """Whether the moves of the game fit the memory, and its rules compile or no compiler is in use."""
        return moves_fit(self.game, state) and (not is_enabled() or self.prepare(state))

    def clear(self) -> None:
        """Clear the table."""
        self.table.clear()

    def prepare(self, state: State) -> bool:
        """Compile or load the kernels; False if the search runs interpreted."""
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
        seed: int | None = None,
        stop: threading.Event | None = None,
        progress: Progress | None = None,
        name: str = "expectiminimax",
    ) -> Analysis:
        """The best move within the limit, or until `stop` is set, and values for the `lines` best moves.

        `progress` is called after every finished depth. The `seed` is only reported.
        """
        referee = position if isinstance(position, Referee) else Referee(self.game, position)
        must_choose(referee, name)
        return self.answer(Request(referee, limit, name, lines=lines, seed=seed, stop=stop, progress=progress))

    def answer(self, request: Request) -> Analysis:
        """Search the position of a request, in which a player can move."""
        referee = request.referee
        legal = whole_moves(referee, request.name)
        behaviour = self.roles.behaviours[referee.to_move]
        if behaviour.role not in (MAX, MIN, OWN, AGAINST):
            seat = self.game.seat(referee.to_move)
            raise Refused(f"{seat} plays as {behaviour} here, so {request.name} has nothing to choose")
        is_compiled = self.prepare(referee.state)
        self.table.age = (self.table.age + 1) % AGES
        return ExpectiminimaxSearch(self, request, legal, is_compiled).answer()

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
        """Write the role of every seat into a workspace."""
        work.team_size = len(self.roles.team)
        for index, seat in enumerate(self.roles.team):
            work.team[index] = seat
        for seat, behaviour in enumerate(self.roles.behaviours):
            work.roles[seat], work.depths[seat] = behaviour.role, behaviour.depth
            work.reliabilities[seat] = behaviour.reliability
            for player, weight in enumerate(self.roles.payoff_weights(seat)):
                work.payoff_weights[work.weight_place(seat, player)] = weight


NULL_WINDOW_SHARE = 2.0**-46
"""The width of a null window, as a share of the payoff scale; wider than alpha-beta's, because means are rounded."""


def _null_window(game: Game) -> float:
    """The width of a null window; in practice, values differ by more."""
    largest = max(map(abs, game.utility_range))
    return math.ldexp(NULL_WINDOW_SHARE, math.frexp(largest)[1]) if math.isfinite(largest) else NULL_WINDOW_SHARE


def _max_payoff_sum(game: Game) -> float:
    """An upper bound of the sum of all payoffs or estimates, rounding included."""
    low, high = game.utility_range
    most = min(game.max_payoff_sum, 0.0 if game.zero_sum else game.players * high)
    is_exact = not game.chance and (math.isfinite(game.max_payoff_sum) or not has_evaluation(game))
    return most if is_exact else most + ROUNDING * (high - low)


class ExpectiminimaxSearch(DeepeningSearch):
    """The search of one position: the windows of the root's moves, their ranks, and what they prove."""

    deepest = FAR - 1

    def __init__(self, searcher: Expectiminimax, request: Request, legal: list[Action], is_compiled: bool) -> None:
        super().__init__(request)
        self.how, self.roles, self.table, self.is_compiled = searcher.how, searcher.roles, searcher.table, is_compiled
        self.endings = endings(open_table(self.referee), legal)
        self.lines = min(max(1, request.lines), len(legal))
        self.role = self.roles.behaviours[self.player].role
        self.sign = -1 if self.role == MIN else 1
        self.workspace = searcher.workspace(self.limit.nodes)
        self.moves = [RootMove(action) for action in self._sort_moves(legal)]
        self.numbers = {action: number for number, action in enumerate(legal)}
        if self.roles.needs_maxn:
            self.maxn = maxn_kernel.runner(
                self.game, self.how, self.state, NO_PLAYER, 0.0, False, 0, Ply(1), 0, self.workspace
            )
        else:
            self.expectiminimax = expectiminimax_kernel.runner(
                self.game, self.how, self.state, 0.0, 0.0, 0, Ply(1), 0, self.workspace
            )

    def halt(self) -> None:
        self.workspace.stop()

    def check(self) -> None:
        if self.workspace.trouble == STUCK:
            raise RulesError(stuck_sentence(self.game))
        if self.workspace.trouble == TOO_WIDE:
            raise RulesError(f"somewhere {self.game} has more moves than fit into the memory of {self.request.name}")

    def _sort_moves(self, legal: list[Action]) -> list[Action]:
        return sorted(legal, key=lambda action: -float(self.game.order(self.state, action)))

    # -- one depth --------------------------------------------------------------------------------------

    def search(self, depth: int) -> bool:
        """Search all moves to this depth; False if stopped, with the moves ranked by what is known."""
        done: list[RootMove] = []
        for index, move in enumerate(self.moves):
            known = sorted((found.value for found in done), reverse=True)
            floor = known[self.lines - 1] if len(known) >= self.lines and self.how.cutoffs else -math.inf
            found = self._search_move(move, floor, depth)
            if found is None:
                self._merge_results(done, self.moves[index:])
                return False
            done.append(found)
        self.moves = self._rank_moves(done)
        return True

    def _merge_results(self, done: list[RootMove], others: list[RootMove]) -> None:
        """Rank the moves after a depth that was stopped.

        The last depth's best move is searched first, so the best of the searched moves is at least as good. Other moves
        with proved values are ranked with them; the rest keep the values of the last depth and come last.
        """
        if done:
            known = [move for move in others if move.is_proved and not move.is_bound]
            self.moves = self._rank_moves(done + known) + [move for move in others if move not in known]

    def _search_move(self, move: RootMove, floor: float, depth: int) -> RootMove | None:
        """Search one move; None if stopped."""
        work, before = self.workspace, self.workspace.nodes
        work.variation.clear(Ply(1))
        work.ordering.note_played(Ply(1), move.action)
        is_over = move.action in self.endings
        if is_over:
            work.nodes += 1
            work.is_proved = True
            value, payoffs = self._payoffs_at_end(self.endings[move.action])
        else:
            child = self.game.result(self.state, move.action)
            seek = self._search_payoffs if self.roles.needs_maxn else self._search_value
            value, payoffs = seek(child, floor, depth - 1)
        if work.is_stopped():
            return None
        is_proved = work.is_proved and not self.how.narrow
        is_bound = not payoffs
        line = move.line if is_bound else (move.action, *work.variation.line(Ply(1)))
        payoffs = payoffs or self._payoffs(value)
        nodes = work.nodes - before
        return RootMove(move.action, value, payoffs, is_bound, is_proved, is_over, nodes, depth, line)

    def _search_value(self, child: State, floor: float, depth: int) -> tuple[float, tuple[float, ...]]:
        """The value of a move for its player, and for all players; the latter is empty for an upper bound."""
        low, high = (floor, math.inf) if self.sign == 1 else (-math.inf, -floor)
        found = self.expectiminimax(self.game, self.how, child, low, high, depth, Ply(1), 0, self.workspace)
        value = self.sign * found
        return value, self._payoffs(value) if value > floor else ()

    def _search_payoffs(self, child: State, floor: float, depth: int) -> tuple[float, tuple[float, ...]]:
        """The same, by max^n."""
        parent = self.player if self.role == OWN and floor > -math.inf else NO_PLAYER
        work = self.workspace
        if not self.maxn(self.game, self.how, child, parent, floor, False, depth, Ply(1), 0, work):
            return floor, ()
        payoffs = work.read_payoffs(Ply(1), self.game.players)
        return self._weigh(payoffs), payoffs

    def _payoffs_at_end(self, payoffs: tuple[float, ...]) -> tuple[float, tuple[float, ...]]:
        """The same, at the end of the game."""
        if self.roles.needs_maxn:
            return self._weigh(payoffs), payoffs
        value = self.sign * sum(payoffs[seat] for seat in self.roles.team)
        return value, self._payoffs(value)

    def _weigh(self, payoffs: tuple[float, ...]) -> float:
        """The weighted sum of payoffs for the player."""
        worths = self.roles.payoff_weights(self.player)
        return sum(worth * payoff for worth, payoff in zip(worths, payoffs, strict=True))

    def _rank_moves(self, moves: list[RootMove]) -> list[RootMove]:
        """The moves, best first; bounds come after equal values, and otherwise equal moves keep their order.

        In max^n the choice among equal moves matters: as in the textbook, it is the first one of the list.
        """
        return sorted(moves, key=self._rank)

    def _rank(self, move: RootMove) -> tuple[float, bool, int]:
        number = self.numbers[move.action] if self.roles.needs_maxn else 0
        return -move.value, move.is_bound, number

    def is_final(self) -> bool:
        """Whether no deeper search can change the answer."""
        return self._is_known([move.is_proved for move in self.moves])

    def _is_known(self, proved: list[bool]) -> bool:
        """Whether the best move's value is proved, and also that no other move is better or, in max^n, chosen instead.

        After an unfinished depth, an earlier depth may have proved a higher value for another move.
        """
        best = self.moves[0]
        is_known = all(proved) and all(self._rank(move) >= self._rank(best) for move in self.moves)
        return proved[0] and (is_known or best.value >= self._highest())

    def _holds(self, move: RootMove) -> bool:
        """Whether the value is proved on every path; the search ignores the path, a rule for repetition does not."""
        return move.is_proved and (move.is_over or not self.game.repetition)

    def _highest(self) -> float:
        """The value from which on other moves do not matter; infinite in max^n, where they always do."""
        if self.roles.needs_maxn:
            return math.inf
        low, high = self.game.utility_range
        return len(self.roles.team) * (high if self.sign == 1 else -low)

    # -- the answer -------------------------------------------------------------------------------------

    def findings(self) -> Findings:
        moves = tuple(self._move(move) for move in self.moves[: self.lines])
        is_known = self._is_known([self._holds(move) for move in self.moves])
        notes: tuple[str, ...] = (NOTE,) if self.game.repetition and not is_known else ()
        if self.how.narrow:
            notes += ("moves or outcomes were left out",)
        return Findings(moves[0].value, self._proves() if is_known else "estimate", moves, notes=notes)

    def _move(self, move: RootMove) -> MoveAnalysis:
        line = cut_at_repetition(open_table(self.referee), move.line or (move.action,))
        payoffs = move.payoffs or (math.nan,) * self.game.players
        return MoveAnalysis(move.action, payoffs, self._kind(move), move.depth, move.nodes, actions=line)

    def _kind(self, move: RootMove) -> Kind:
        proves = self._proves() if self._holds(move) else "estimate"
        return proves if not move.is_bound else "upper" if proves == "exact" else "estimate"

    def _payoffs(self, value: float) -> tuple[float, ...]:
        """One value per player; unknown for those that the team's value does not determine."""
        worth, team = 0.0 + self.sign * value, self.roles.team
        if self.roles.needs_maxn:
            is_own = self.role == OWN or (self.role == MAX and team == (self.player,))
            return tuple(value if is_own and seat == self.player else math.nan for seat in range(self.game.players))
        if len(team) > 1:
            return tuple(worth / len(team) if seat in team else math.nan for seat in range(self.game.players))
        others = 0.0 - worth if self.game.players == 2 and self.game.zero_sum else math.nan
        return tuple(worth if seat in team else others for seat in range(self.game.players))

    def _proves(self) -> Kind:
        """The kind of a value whose search saw every end, for the value of the game with selfish players.

        One player against all others gets no less if the others have other goals. The sum of a larger team does not
        bound the payoff of each member.
        """
        if self.roles.is_selfish:
            return "exact"
        if not self.roles.is_one_against_all:
            return "estimate"
        return "exact" if has_one_value(self.game) else "lower"

    def count(self) -> int:
        """The nodes, at most the limit, because a stopped search still counts while it returns."""
        return min(self.workspace.nodes, self.limit.nodes or self.workspace.nodes)

    def details(self) -> dict[str, Any]:
        return {"depth": self.depth, **table_statistics(self.workspace, self.table)}
