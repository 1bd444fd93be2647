"""Monte Carlo tree search of one game, with a tree that it keeps from move to move.

Several threads grow the same tree, or each its own. With one thread, a limit in simulations, a seed and a fresh tree,
an answer is the same every time.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias, TypeVar

from zermelo.core.analysis import Analysis, Stopped
from zermelo.core.counters import NEVER
from zermelo.core.errors import RulesError, UsageError
from zermelo.core.game import NO_ACTION, Action, Game, State, View, legal_actions
from zermelo.core.guards import has_evaluation, require
from zermelo.core.limit import Limit, vet_threads
from zermelo.core.referee import Referee
from zermelo.kernel import FILL_MASK, GOLDEN, U64, Outgrown, fits_cell, fits_cells, mix
from zermelo.search.choices import moves_to_choose
from zermelo.search.mcts.forest import Forest
from zermelo.search.mcts.payoff_scale import PayoffScale
from zermelo.search.mcts.plain import think_plainly
from zermelo.search.mcts.playout import Playout, natural
from zermelo.search.mcts.proofs import narrow_from_children
from zermelo.search.mcts.simulation import simulate, simulate_world
from zermelo.search.mcts.sweep import make_room, make_root, prepare_sweep
from zermelo.search.mcts.techniques import Techniques, Tuning, default_tuning, strong
from zermelo.search.mcts.tree import NO_CHILDREN, ROOT, Node, Tree
from zermelo.search.mcts.workspace import NOT_A_NUMBER, MctsWorkspace
from zermelo.search.runtime.path import put_history_on_path
from zermelo.search.runtime.watch import Watch, start_deep
from zermelo.search.runtime.workspace import STUCK, TOO_WIDE
from zermelo.textbook.trace import Node as DrawnNode

Progress: TypeAlias = Callable[[Analysis], None]
Read = TypeVar("Read")

NO_LIMIT = Limit()
SNAPSHOT = 0.2
"""Seconds between two reports."""
LEAST_TIME = 1e-3
"""Seconds for the search in plain Python if no time is left, because it has to find some move."""


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
        trees: int | None = None,
    ) -> None:
        """Without techniques, a policy or numbers it takes those that play best.

        By default each thread grows a tree of its own; threads share fewer trees evenly.
        """
        require(game, "mcts")
        vet_threads(threads)
        if not 0 < megabytes < 1 << 24:
            raise UsageError(f"a tree of {megabytes} megabytes makes no sense; 64 is a good size")
        trees = threads if trees is None else trees
        if not 1 <= trees <= threads:
            raise UsageError(f"{threads} threads grow 1 to {threads} trees, not {trees}")
        names = list(strong(game) if techniques is None else techniques)
        self.tuning = default_tuning(names) if tuning is None else tuning
        if self.tuning.playout_plies < Tuning().playout_plies and not has_evaluation(game):
            plies = self.tuning.playout_plies
            raise UsageError(f"playouts of {plies} plies need a game that can judge a position before its end")
        if game.hidden and "open" not in names:
            raise UsageError(f"{game} has hidden information, so the search must be 'open'")
        self.game, self.threads = game, threads
        self.policy = natural(game) if policy is None else policy
        trees = threads if "open" in names else trees
        self.how = Techniques(game, *names, learns=self.policy.learns, shared=trees < threads)
        self._megabytes, self.trees = megabytes, self._new_trees(megabytes, trees)
        self._played: tuple[Action, ...] | None = None
        self._start: State = None
        self._forest: Forest | None = None
        self._scale: PayoffScale | None = None
        """How the payoffs in the trees are stored; it is kept as long as the trees are."""
        self._sweeping = threading.Lock()
        """Held by a thread that moves or replaces nodes of the trees, and by one that must not be disturbed by that."""
        self._is_plain = False
        """A move that does not fit the trees was found: the game is searched without them."""

    def _new_trees(self, megabytes: float, count: int) -> list[Tree]:
        try:
            return [Tree(megabytes / count, self.how) for _ in range(count)]
        except (MemoryError, OverflowError, OSError, ValueError):
            raise UsageError(f"there is no room for a tree of {megabytes:,} megabytes; give it less") from None

    @property
    def tree(self) -> Tree:
        """The first tree."""
        return self.trees[0]

    @staticmethod
    def fits(game: Game, state: State) -> bool:
        """Whether its trees can hold the moves of a position; if not, or not those of a later one, it does without."""
        return fits_cells(game) and all(fits_cell(action) for action in legal_actions(game, state))

    def clear(self) -> None:
        """Forget everything."""
        self._played = None

    def prepare(self, state: State) -> bool:
        """Compile, or load what was compiled; False if it runs interpreted."""
        work = MctsWorkspace(0)
        if self.game.hidden:
            is_compiled = simulate_world.prepare(self.game, self.how, self.policy, state, self.tree, work, work)
        else:
            is_compiled = simulate.prepare(self.game, self.how, self.policy, state, self.tree, work)
        if is_compiled:
            prepare_sweep(self.tree)
        return is_compiled

    def think(
        self,
        position: Referee | State | None = None,
        limit: Limit = NO_LIMIT,
        *,
        seed: int | None = None,
        stop: threading.Event | None = None,
        progress: Progress | None = None,
        name: str = "mcts",
        in_haste: bool = False,
    ) -> Analysis:
        """The move that was tried most within the limit, whose `nodes` are simulations, or until `stop` is set.

        With `in_haste` it stops as soon as no other move can overtake the best one in the time that is left.

        If a move does not fit the trees, the textbook's search is used instead (see `plain`).
        """
        referee = position if isinstance(position, Referee) else Referee(self.game, position)
        legal = moves_to_choose(referee, name)
        if limit.depth is not None and limit.time is None and limit.nodes is None:
            raise UsageError(f"{name} does not search by depth; give it a time or a number of simulations")
        started = time.monotonic()
        if not self._is_plain and self.fits(self.game, referee.state):
            try:
                is_compiled = self.prepare(referee.state)
                self._forest = Forest(self.game, self.trees, self._plant(referee, legal, limit))
                return _Thought(
                    self, self._forest, referee, limit, seed, stop, progress, name, is_compiled, in_haste
                ).answer()
            except Outgrown:
                self._abandon()
                if is_compiled:
                    raise
                self._is_plain = True  # a later move does not fit
            except BaseException:
                self._abandon()
                raise
        if limit.time is not None:
            limit = replace(limit, time=max(LEAST_TIME, limit.time - (time.monotonic() - started)))
        return think_plainly(referee, limit, seed, progress, name, stop)

    def _abandon(self) -> None:
        """Leave the trees to the threads that may still write to them: a search was broken off."""
        self._played, self._forest = None, None
        self.trees = self._new_trees(self._megabytes, len(self.trees))

    def drawn(self, state: State, most: int = 5, depth: int = 3) -> DrawnNode:
        """The tree as it is now, for drawing: the `most` moves with the most visits, `depth` plies deep.

        It may be asked by another thread while this one thinks about the state.
        """
        if self._forest is None:
            raise UsageError("there is no tree before the search has thought")
        with self._sweeping:
            return self._forest.drawn(self._forest.root, state, most, depth)

    # -- the root -------------------------------------------------------------------------------------

    def _plant(self, referee: Referee, legal: list[Action], limit: Limit) -> PayoffScale:
        """Make the position the root of the trees; returns the payoff scale of the trees.

        The part of the trees below the position is kept. What is proved of the position has to be proved by its moves:
        otherwise it would be unknown which of them is as good as that.
        """
        played = tuple(turn.action for turn in referee.turns)
        before, self._played = self._played, played
        start, self._start = self._start, referee.start
        is_later = before is not None and start == self._start and played[: len(before)] == before and not self.how.open
        steps = played[len(before or ()) :]
        with self._sweeping:
            kept = [
                is_later and all(_go(tree, action) for action in steps) and self._has_children(tree, legal)
                for tree in self.trees
            ]
            if self._scale is None or not any(kept):
                self._scale = PayoffScale.of(self.game, self._public(referee), limit.time)
            for tree, is_kept in zip(self.trees, kept, strict=True):
                if not is_kept:
                    self._new_root(tree, played[-1] if played else NO_ACTION, legal, self._scale)
                elif self.how.solver:
                    tree.set_bounds(ROOT, self._scale.floor, self._scale.ceiling)
                    narrow_from_children(self.how, tree, ROOT, referee.to_move)
        return self._scale

    def _public(self, referee: Referee) -> State:
        """The state, or one that fits what the player has seen."""
        if not self.game.hidden:
            return referee.state
        return self.game.worlds(self.game.view(referee.state, referee.to_move), referee.to_move, random.Random(0))

    def _has_children(self, tree: Tree, legal: list[Action]) -> bool:
        """Whether the root's children are legal moves, as they may not be where the past forbids some."""
        found = [tree.action(child) for child in tree.child_nodes(ROOT)]
        return bool(found) and (self.game.repetition >= 0 or set(found) == set(legal))

    def _new_root(self, tree: Tree, last: Action, legal: list[Action], scale: PayoffScale) -> None:
        tree.clear()
        _fill_node(tree, ROOT, last, scale)
        if self.how.open:
            return
        if len(legal) > FILL_MASK:
            raise UsageError(f"there are {len(legal):,} moves here; the tree has room for {FILL_MASK:,} in a position")
        children = tree.new_block(ROOT, len(legal))
        if children == NO_CHILDREN:
            raise UsageError(f"{len(legal):,} moves do not fit into the tree; give it more memory")
        for index, action in enumerate(legal):
            _fill_node(tree, tree.child(children, index), action, scale)
        if self.how.transpositions:
            tree.clear_traversals(children)
        tree.set_children(ROOT, children)
        tree.header().is_fresh = True


def _go(tree: Tree, action: Action) -> bool:
    """Make the child that this move leads to the root; False if there is none."""
    for child in tree.child_nodes(ROOT):
        if tree.action(child) == action:
            make_root(tree, child)
            return True
    return False


def _fill_node(tree: Tree, node: Node, action: Action, scale: PayoffScale) -> None:
    """Nothing is known of a node but the move that leads to it, and the bounds that the game declares."""
    tree.erase(node)
    if tree.how.solver:
        tree.set_bounds(node, scale.floor, scale.ceiling)
    tree.set_action(node, action)


class _Thought:
    """One position, thought about: the watch, the threads, and the answer."""

    def __init__(
        self,
        mcts: Mcts,
        forest: Forest,
        referee: Referee,
        limit: Limit,
        seed: int | None,
        stop: threading.Event | None,
        progress: Progress | None,
        name: str,
        is_compiled: bool,
        in_haste: bool,
    ) -> None:
        self.mcts, self.forest, self.game, self.how, self.referee = mcts, forest, mcts.game, mcts.how, referee
        self.limit, self.seed, self.stop, self.progress = limit, seed, stop, progress
        self.name, self.is_compiled, self.in_haste = name, is_compiled, in_haste
        self.trees, self.state, self.player = list(mcts.trees), referee.state, referee.to_move
        self.known = forest.visits(forest.root)
        self.luck = random.randrange(1 << 32) if seed is None else seed
        shares = [None] * mcts.threads if limit.nodes is None else _shares(limit.nodes, mcts.threads)
        self.workspaces = [self._workspace(number, share) for number, share in enumerate(shares)]
        self.worlds: list[MctsWorkspace] = []
        """With hidden information, the workspaces in which single simulations run."""
        self.watch = Watch(self._halt, limit.time)
        self.is_told = self.is_clear = False
        self.reported = 0.0

    def _workspace(self, number: int, share: int | None) -> MctsWorkspace:
        game, tuning = self.game, self.mcts.tuning
        imagined = tuning.trust if self.how.priors else 0.0
        work = MctsWorkspace.create(share, self.forest.scale, game.middle(), tuning, imagined)
        if self.how.repeats:
            put_history_on_path(work.path, self.referee)
        work.luck = mix(U64(self.luck) + GOLDEN * U64(number + 1))
        if self.how.open and game.repetition < 0:
            legal = self.referee.legal()[: FILL_MASK + 1]
            work.legal_count = len(legal)
            for index, action in enumerate(legal):
                work.legal[index] = action
        return work

    def _halt(self) -> None:
        for workspace in (*self.workspaces, *self.worlds):
            workspace.stop()

    def _tick(self) -> None:
        if self.stop is not None and self.stop.is_set():
            self.is_told = True
        elif self.in_haste and self._undisturbed(self._is_clear):
            self.is_clear = True
        is_stuck = any(workspace.trouble for workspace in self.workspaces)
        if self.is_told or self.is_clear or is_stuck or self.forest.proved(self.forest.root) is not None:
            self._halt()
        elif self.progress is not None and self.watch.seconds >= self.reported + SNAPSHOT:
            found = self._undisturbed(self._report)
            if found is not None:
                self.reported = self.watch.seconds
                self.progress(replace(found, stopped="nodes"))

    def _report(self) -> Analysis | None:
        return self._analysis() if self.forest.children(self.forest.root) else None

    def _undisturbed(self, read: Callable[[], Read]) -> Read | None:
        """The result of `read` while no thread moves nodes of the trees; None, without waiting, if a thread does."""
        if not self.mcts._sweeping.acquire(blocking=False):
            return None
        try:
            return read()
        finally:
            self.mcts._sweeping.release()

    def _is_clear(self) -> bool:
        """Whether the move that leads will lead to the end, if simulations go on at the same pace."""
        if self.limit.time is None:
            return False
        left = max(0.0, self.limit.time - self.watch.seconds) / max(self.watch.seconds, 1e-9)
        if not self.forest.children(self.forest.root):
            return False
        visits = sorted((self.forest.visits(child) for child in self.forest.children(self.forest.root)), reverse=True)
        second = visits[1] if len(visits) > 1 else 0
        return visits[0] - second > left * sum(workspace.nodes for workspace in self.workspaces)

    # -- simulations ----------------------------------------------------------------------------------

    def answer(self) -> Analysis:
        stopped = self.watch.run(self._work, self._tick)
        troubles = {workspace.trouble for workspace in self.workspaces}
        if TOO_WIDE in troubles:
            raise UsageError(f"somewhere {self.game} has more than {FILL_MASK:,} moves, too many for {self.name}")
        if STUCK in troubles:
            raise RulesError(
                f"somewhere {self.game} is not over, yet there is no move; the conformance kit finds where"
            )
        if NOT_A_NUMBER in troubles:
            raise RulesError(f"somewhere the payoff or the evaluation of {self.game} is not a number; it should be one")
        return replace(self._analysis(), stopped=stopped)

    def _work(self) -> Stopped:
        self._introduce_roots()
        while True:
            self._simulate_all()
            if self.how.open and not self.forest.children(self.forest.root):
                self._simulate_once()
            if self.forest.proved(self.forest.root) is not None or self.is_clear:
                return "done"
            if not any(tree.header().is_full for tree in self.trees) or self.watch.is_over or self.is_told:
                return (
                    "user" if self.watch.interrupted or self.is_told else "time" if self.watch.out_of_time else "nodes"
                )
            self._make_room()

    def _make_room(self) -> None:
        """Forget what was seldom visited in the trees that are full."""
        with self.mcts._sweeping:
            for tree in self.trees:
                if tree.header().is_full:
                    make_room(tree)

    def _introduce_roots(self) -> None:
        """The first call of a kernel for a fresh root says what is known of its moves, before threads come in."""
        with self.mcts._sweeping:
            for number, tree in enumerate(self.trees):
                if tree.header().is_fresh:
                    workspace = self.workspaces[number]
                    limit, workspace.limit = workspace.limit, 0
                    simulate.run(self.game, self.how, self.mcts.policy, self.state, tree, workspace)
                    workspace.limit = limit

    def _simulate_all(self) -> None:
        """Let all threads simulate, and wait for them; an error of one stops all."""
        helpers: list[_Helper] = []
        try:
            for number in range(1, len(self.workspaces)):
                helpers.append(_Helper(partial(self._simulate, number)))  # noqa: PERF401 one by one: the system may refuse
            self._simulate(0)
        except RuntimeError as error:
            self._halt()
            if "start new thread" not in str(error):
                raise
            raise UsageError(f"the system has no room for {len(self.workspaces)} threads; use fewer") from None
        finally:
            for helper in helpers:
                helper.done.wait()
        for helper in helpers:
            if helper.error is not None:
                raise helper.error

    def _simulate_once(self) -> None:
        """However little time there is: an open search has no move before it has made one."""
        self.workspaces[0].allow(1)
        self._simulate(0)

    def _simulate(self, number: int) -> None:
        workspace, tree = self.workspaces[number], self.trees[number % len(self.trees)]
        try:
            if self.game.hidden:
                self._simulate_worlds(self.game.view(self.state, self.player), number, workspace, tree)
            else:
                simulate.run(self.game, self.how, self.mcts.policy, self.state, tree, workspace)
        except BaseException:
            self._halt()
            raise

    def _simulate_worlds(self, view: View, number: int, workspace: MctsWorkspace, tree: Tree) -> None:
        """Every simulation in another world that fits what the player has seen."""
        rng, own, policy = random.Random(f"{self.luck}/{number}"), self._workspace(number, 0), self.mcts.policy
        self.worlds.append(own)
        run = simulate_world.runner(self.game, self.how, policy, self.state, tree, own, workspace)
        goes_on = not workspace.is_stopped() and not tree.header().is_full
        while goes_on:
            world = self.game.worlds(view, self.player, rng)
            goes_on = run(self.game, self.how, policy, world, tree, own, workspace)

    # -- the answer -----------------------------------------------------------------------------------

    def _analysis(self) -> Analysis:
        forest = self.forest
        moves = forest.moves(self.referee)
        best, kind = moves[0], forest.kind(forest.root)
        return Analysis(
            game=self.game.spec(),
            position=self.game.format_state(self.state),
            to_move=self.player,
            agent=self.name,
            value=forest.payoffs(forest.root) if kind == "exact" else best.value,
            kind=kind,
            best=best.move,
            line=best.line,
            moves=moves,
            stats=self._stats(),
            limit=self.limit,
            seed=self.seed,
            notes=() if self.is_compiled else ("it ran interpreted",),
        )

    def _stats(self) -> dict[str, float | int | bool]:
        seconds = self.watch.seconds
        simulations = sum(workspace.nodes for workspace in self.workspaces)
        return {
            "simulations": simulations,
            "seconds": round(seconds, 6),
            "simulations_per_second": round(simulations / seconds) if seconds > 0 else 0,
            "known_before": self.known,
            "tree_nodes": sum(tree.nodes for tree in self.trees),
            "tree_depth": max(workspace.deepest_ply for workspace in self.workspaces),
            "bytes_per_node": self.trees[0].node_bytes,
            "compiled": self.is_compiled,
        }


class _Helper:
    """A thread that can be waited for, and whose error is not lost."""

    def __init__(self, body: Callable[[], None]) -> None:
        self._body, self.done = body, threading.Event()
        self.error: BaseException | None = None
        start_deep(self._run)

    def _run(self) -> None:
        try:
            self._body()
        except BaseException as error:
            self.error = error
        self.done.set()


def _shares(total: int, parts: int) -> list[int]:
    total = min(total, NEVER)
    return [total // parts + (part < total % parts) for part in range(parts)]
