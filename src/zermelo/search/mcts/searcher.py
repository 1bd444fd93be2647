"""Monte Carlo tree search of one game, with a tree that it keeps from move to move.

Several threads grow the same tree. With one thread, a limit in simulations, a seed and a fresh tree, an answer is the
same every time.
"""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from zermelo.core.analysis import Analysis, Kind, MoveAnalysis, Stopped
from zermelo.core.counters import Counters
from zermelo.core.errors import UsageError
from zermelo.core.game import CHANCE, NO_ACTION, Action, Game, State, legal_actions
from zermelo.core.guards import has_evaluation, require
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.kernel import FILL_MASK, U64, mix
from zermelo.search.choices import choices
from zermelo.search.engine.desk import DEEPEST_PLY, SALT, TOO_WIDE, remember
from zermelo.search.mcts.desk import (
    BIAS,
    EQUIVALENCE,
    EXPANSION,
    EXPLORATION,
    HIGHEST,
    IMPLICIT,
    LOWEST,
    MCTS_CELLS,
    PLAYOUT_PLIES,
    REFERENCE,
    SCALE,
    TRUST,
    UNIT,
    URGENCY,
    WIDENING,
)
from zermelo.search.mcts.manner import ACTION, CHILDREN, Manner, Tuning, strong
from zermelo.search.mcts.playout import Playout, natural
from zermelo.search.mcts.simulation import simulate
from zermelo.search.mcts.tree import COUNT_BITS, ROOT, Tree, block_for
from zermelo.search.watch import Watch, start_deep

Progress: TypeAlias = Callable[[Analysis], None]

NO_LIMIT = Limit()
UNITY = 1 << 30
"""The largest payoff as a whole number."""
LONGEST_PLAYOUT = 5000
"""Plies; what is not over by then is judged."""
LONGEST_LINE = 32
TRUSTED = 8
"""A reply belongs to the line if it was tried so often."""
SNAPSHOT = 0.2
"""Seconds between two reports."""


@dataclass(frozen=True)
class Books:
    """How payoffs are written down as whole numbers."""

    scale: float
    half: float
    """Half of what lies between the least and the most that anybody gets."""
    low: float
    high: float

    @classmethod
    def of(cls, game: Game, state: State) -> Books:
        low, high = map(float, game.utility_range)
        if not math.isfinite(high - low):
            low, high = _seen(game, state)
        largest = max(abs(low), abs(high), 1e-9)
        return cls(UNITY / 2.0 ** math.frexp(largest)[1], max((high - low) / 2, 1e-9), low, high)

    def fixed(self, value: float) -> int:
        return math.floor(value * self.scale + 0.5)


class Mcts:
    """Thinks about positions of one game; not about two at a time."""

    def __init__(
        self,
        game: Game,
        megabytes: float = 64,
        threads: int = 1,
        techniques: Sequence[str] | None = None,
        policy: Playout | None = None,
        tuning: Tuning | None = None,
    ) -> None:
        """Without techniques, a policy or numbers it takes those that play best."""
        require(game, "mcts")
        if threads < 1:
            raise UsageError(f"a search needs a thread or more, not {threads}")
        if not 0 < megabytes < 1 << 24:
            raise UsageError(f"a tree of {megabytes} megabytes makes no sense; 64 is a good size")
        self.tuning = Tuning() if tuning is None else tuning
        if self.tuning.playout_plies < Tuning().playout_plies and not has_evaluation(game):
            plies = self.tuning.playout_plies
            raise UsageError(f"playouts of {plies} plies need a game that can judge a position before its end")
        names = strong(game) if techniques is None else techniques
        self.game, self.threads = game, threads
        self.policy = natural(game) if policy is None else policy
        self.how = Manner(game, *names, learns=self.policy.learns, shared=threads > 1)
        try:
            self.tree = Tree(megabytes, self.how)
        except (MemoryError, OverflowError, OSError, ValueError):
            raise UsageError(f"there is no room for a tree of {megabytes:,} megabytes; give it less") from None
        self._way: tuple[Action, ...] | None = None
        self._start: State = None

    @staticmethod
    def fits(game: Game, state: State) -> bool:
        """Whether its memory can hold the game's moves."""
        return all(isinstance(action, int) for action in legal_actions(game, state))

    def clear(self) -> None:
        """Forget everything."""
        self._way = None

    def prepare(self, state: State) -> bool:
        """Compile, or load what was compiled; False if it runs interpreted."""
        return simulate.prepare(self.game, self.how, self.policy, state, 0, 0)

    def think(
        self,
        position: Referee | State | None = None,
        limit: Limit = NO_LIMIT,
        *,
        seed: int | None = None,
        stop: threading.Event | None = None,
        progress: Progress | None = None,
        name: str = "mcts",
    ) -> Analysis:
        """The move that was tried most within the limit, whose `nodes` are simulations, or until `stop` is set."""
        referee = position if isinstance(position, Referee) else Referee(self.game, position)
        legal = choices(referee, name)
        if limit.depth is not None and limit.time is None and limit.nodes is None:
            raise UsageError(f"{name} does not search by depth; give it a time or a number of simulations")
        is_compiled = self.prepare(referee.state)
        books = Books.of(self.game, referee.state)
        self._plant(referee, legal, books)
        return _Thought(self, referee, books, limit, seed, stop, progress, name, is_compiled).answer()

    def _plant(self, referee: Referee, legal: list[Action], books: Books) -> None:
        """Make the position the root of the tree; what is known of it already is kept."""
        way = tuple(turn.action for turn in referee.turns)
        before, self._way = self._way, way
        start, self._start = self._start, referee.turns[0].state if referee.turns else referee.state
        is_later = before is not None and start == self._start and way[: len(before)] == before
        steps = way[len(before or ()) :]
        if is_later and all(self._go(action) for action in steps) and self._has_children(legal):
            return
        self._new_root(way[-1] if way else NO_ACTION, legal, books)

    def _go(self, action: Action) -> bool:
        """Make the child that this move leads to the root; False if there is none."""
        for child in self.tree.children(ROOT):
            if self.tree.action(child) == action:
                self.tree.descend(child)
                return True
        return False

    def _has_children(self, legal: list[Action]) -> bool:
        """Whether the root's children are legal moves, as they may not be where the past forbids some."""
        found = [self.tree.action(child) for child in self.tree.children(ROOT)]
        return bool(found) and (self.game.repetition >= 0 or set(found) == set(legal))

    def _new_root(self, last: Action, legal: list[Action], books: Books) -> None:
        tree, how = self.tree, self.how
        tree.clear()
        first = block_for(tree.address, ROOT, len(legal), how.width)
        if first == 0 or len(legal) > FILL_MASK:
            raise UsageError(f"{len(legal):,} moves do not fit into the tree; give it more memory")
        for node in (ROOT, *range(first, first + len(legal) * how.width, how.width)):
            for offset in range(how.width):
                tree.memory[node + offset] = 0
            if how.solver:
                tree.memory[node + how.low], tree.memory[node + how.high] = map(books.fixed, (books.low, books.high))
        tree.memory[ROOT + ACTION] = last
        for index, action in enumerate(legal):
            tree.memory[first + index * how.width + ACTION] = action
        tree.memory[ROOT + CHILDREN] = first << COUNT_BITS | len(legal)


class _Thought:
    """One position, thought about: the watch, the threads, and the answer."""

    def __init__(
        self,
        mcts: Mcts,
        referee: Referee,
        books: Books,
        limit: Limit,
        seed: int | None,
        stop: threading.Event | None,
        progress: Progress | None,
        name: str,
        is_compiled: bool,
    ) -> None:
        self.mcts, self.game, self.tree, self.how, self.referee = mcts, mcts.game, mcts.tree, mcts.how, referee
        self.books, self.limit, self.seed, self.stop, self.progress = books, limit, seed, stop, progress
        self.name, self.is_compiled = name, is_compiled
        self.state, self.player = referee.state, referee.to_move
        self.known = self.tree.visits(ROOT)
        luck = random.randrange(1 << 32) if seed is None else seed
        shares = [None] * mcts.threads if limit.nodes is None else _shares(limit.nodes, mcts.threads)
        self.desks = [self._desk(luck, number, share) for number, share in enumerate(shares)]
        self.watch = Watch(self._halt, limit.time)
        self.is_told = False
        self.reported = 0.0

    def _desk(self, luck: int, number: int, share: int | None) -> Counters:
        desk = Counters(MCTS_CELLS, share)
        books, tuning = self.books, self.mcts.tuning
        for cell, value in {
            SCALE: books.scale,
            UNIT: 1 / (books.scale * books.half),
            EXPLORATION: tuning.exploration,
            URGENCY: tuning.urgency,
            TRUST: tuning.trust,
            BIAS: tuning.bias,
            WIDENING: tuning.widening,
            EQUIVALENCE: max(tuning.equivalence, 1e-9),
            IMPLICIT: tuning.implicit,
        }.items():
            desk.set_real(cell, value)
        for cell, count in {
            LOWEST: books.fixed(books.low),
            HIGHEST: books.fixed(books.high),
            EXPANSION: tuning.expansion,
            PLAYOUT_PLIES: tuning.playout_plies,
            REFERENCE: tuning.reference,
        }.items():
            desk.cells[cell] = count
        word = int(mix(U64(luck) + U64(0x9E3779B97F4A7C15) * U64(number + 1)))
        desk.cells[SALT] = word - (1 << 64) if word >> 63 else word
        if self.how.repeats:
            remember(desk, self.referee)
        return desk

    def _halt(self) -> None:
        for desk in self.desks:
            desk.stop()

    def _tick(self) -> None:
        if self.stop is not None and self.stop.is_set():
            self.is_told = True
            self._halt()
        if self.progress is not None and self.watch.seconds >= self.reported + SNAPSHOT:
            self.reported = self.watch.seconds
            self.progress(replace(self._analysis(), stopped="nodes"))

    # -- simulations ----------------------------------------------------------------------------------

    def answer(self) -> Analysis:
        stopped = self.watch.run(self._work, self._tick)
        if any(desk.trouble == TOO_WIDE for desk in self.desks):
            raise UsageError(f"somewhere {self.game} has more than {FILL_MASK:,} moves, too many for {self.name}")
        return replace(self._analysis(), stopped=stopped)

    def _work(self) -> Stopped:
        while True:
            helpers = [_Helper(lambda desk=desk: self._simulate(desk)) for desk in self.desks[1:]]  # type: ignore[misc]
            self._simulate(self.desks[0])
            for helper in helpers:
                helper.join()
            if self._is_proved(ROOT):
                return "done"
            if not self.tree.is_full:
                return (
                    "user" if self.watch.interrupted or self.is_told else "time" if self.watch.out_of_time else "nodes"
                )
            self.tree.make_room()

    def _simulate(self, desk: Counters) -> None:
        simulate.run(self.game, self.how, self.mcts.policy, self.state, self.tree.address, desk.address)

    # -- the answer -----------------------------------------------------------------------------------

    def _is_proved(self, node: int) -> bool:
        memory, how = self.tree.memory, self.how
        return how.solver and memory[node + how.low] == memory[node + how.high]

    def _payoffs(self, node: int) -> tuple[float, ...]:
        """What a node is worth to everybody; unknown as long as it was never visited."""
        scale, players = self.books.scale, self.game.players
        if self._is_proved(node):
            own = self.tree.memory[node + self.how.low] / scale
            return (own, 0.0 - own)[:players]
        visits = self.tree.visits(node)
        if visits == 0:
            return (math.nan,) * players
        if self.how.is_opposed:
            own = self.tree.total(node, 0) / (scale * visits)
            return (own, 0.0 - own)[:players]
        return tuple(self.tree.total(node, player) / (scale * visits) for player in range(players))

    def _ranked(self, node: int, mover: int) -> list[int]:
        """The children, the move to play first: what is proved to be best, else what was visited most."""
        proved = self._payoffs(node)[mover] if self._is_proved(node) else None

        def promise(child: int) -> tuple[bool, bool, int, float]:
            payoffs = self._payoffs(child)
            own = payoffs[mover] if math.isfinite(payoffs[mover]) else -math.inf
            is_best = proved is not None and self._is_proved(child) and own == proved
            is_lost = self._is_proved(child) and own <= self.books.low
            return is_best, not is_lost, self.tree.visits(child), own

        return sorted(self.tree.children(node), key=promise, reverse=True)

    def _analysis(self) -> Analysis:
        ranked = self._ranked(ROOT, self.player)
        moves = tuple(self._move(child) for child in ranked)
        best = moves[0]
        kind: Kind = "exact" if self._is_proved(ROOT) else "estimate"
        return Analysis(
            game=self.game.spec(),
            position=self.game.format_state(self.state),
            to_move=self.player,
            agent=self.name,
            value=self._payoffs(ROOT) if kind == "exact" else best.value,
            kind=kind,
            best=best.move,
            line=best.line,
            moves=moves,
            stats=self._stats(),
            limit=self.limit,
            seed=self.seed,
            notes=() if self.is_compiled else ("it ran interpreted",),
        )

    def _move(self, child: int) -> MoveAnalysis:
        kind: Kind = "exact" if self._is_proved(child) else "estimate"
        line = self._line(child)
        return MoveAnalysis(line[0], self._payoffs(child), kind, visits=self.tree.visits(child), line=line)

    def _line(self, node: int) -> tuple[str, ...]:
        """The moves that were visited most, up to the dice."""
        state, texts = self.state, []
        while True:
            action = self.tree.action(node)
            texts.append(self.game.format_action(state, action))
            state = self.game.result(state, action)
            if len(texts) >= LONGEST_LINE or self.game.is_terminal(state) or self.game.to_move(state) == CHANCE:
                return tuple(texts)
            ranked = self._ranked(node, self.game.to_move(state))
            if not ranked or self.tree.visits(ranked[0]) < TRUSTED:
                return tuple(texts)
            node = ranked[0]

    def _stats(self) -> dict[str, float | int | bool]:
        seconds = self.watch.seconds
        simulations = sum(desk.nodes for desk in self.desks)
        return {
            "simulations": simulations,
            "seconds": round(seconds, 6),
            "simulations_per_second": round(simulations / seconds) if seconds > 0 else 0,
            "known_before": self.known,
            "tree_nodes": self.tree.nodes,
            "tree_depth": max(desk.cells[DEEPEST_PLY] for desk in self.desks),
            "bytes_per_node": self.how.node_bytes,
            "compiled": self.is_compiled,
        }


class _Helper:
    """A thread that can be waited for, and whose error is not lost."""

    def __init__(self, body: Callable[[], None]) -> None:
        self._body, self._done = body, threading.Event()
        self._error: BaseException | None = None
        start_deep(self._run)

    def _run(self) -> None:
        try:
            self._body()
        except BaseException as error:
            self._error = error
        self._done.set()

    def join(self) -> None:
        self._done.wait()
        if self._error is not None:
            raise self._error


def _shares(total: int, parts: int) -> list[int]:
    return [total // parts + (part < total % parts) for part in range(parts)]


def _seen(game: Game, state: State) -> tuple[float, float]:
    """The least and the most that anybody got in a few random games: payoffs without bounds have to be measured."""
    rng, seen = random.Random(0), [0.0, 1.0]
    for _ in range(20):
        here = state
        for _ in range(LONGEST_PLAYOUT):
            if game.is_terminal(here):
                break
            here = game.result(here, rng.choice(list(legal_actions(game, here))))
        if game.is_terminal(here):
            seen += map(float, game.utilities(here))
    return min(seen), max(seen)
