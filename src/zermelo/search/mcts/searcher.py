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
from typing import Any, TypeVar

from zermelo.core.analysis import Analysis, Progress, Stopped
from zermelo.core.counters import NEVER
from zermelo.core.errors import RulesError, UsageError
from zermelo.core.game import NO_ACTION, Action, Game, State
from zermelo.core.guards import has_evaluation, require
from zermelo.core.limit import Limit, vet_threads
from zermelo.core.referee import Referee, Table
from zermelo.core.seat import Seat
from zermelo.kernel import FILL_MASK, GOLDEN, U64, Outgrown, mix
from zermelo.search.choices import legal_moves, moves_fit, must_choose
from zermelo.search.mcts.forest import Forest
from zermelo.search.mcts.payoff_scale import PayoffScale
from zermelo.search.mcts.plain import PlainMctsSearch
from zermelo.search.mcts.playout import Playout, default_policy
from zermelo.search.mcts.proofs import narrow_from_children
from zermelo.search.mcts.simulation import simulate, simulate_worlds
from zermelo.search.mcts.sweep import make_room, make_root, prepare_sweep
from zermelo.search.mcts.techniques import Techniques, Tuning, default_tuning, strong
from zermelo.search.mcts.tree import NO_CHILDREN, ROOT, Node, Tree
from zermelo.search.mcts.workspace import NOT_A_NUMBER, MctsWorkspace
from zermelo.search.runtime.arguments import reserve, vet_megabytes
from zermelo.search.runtime.helper import Helper, raise_first_error
from zermelo.search.runtime.path import put_history_on_path
from zermelo.search.runtime.root_search import NO_LIMIT, Findings, Request, RootSearch, stuck_sentence
from zermelo.search.runtime.workspace import STUCK, TOO_WIDE
from zermelo.textbook.trace import Node as DrawnNode

Read = TypeVar("Read")

LEAST_TIME = 1e-3
"""Seconds for the search in plain Python if no time is left, because it has to find some move."""


class Mcts:
    """Monte Carlo tree search of one game, one position at a time."""

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
        """Techniques, policy and tuning default to those that play best.

        By default each thread grows its own tree (root parallelisation); with fewer trees, threads share them evenly
        (tree parallelisation). [Chaslot, Winands & van den Herik 2008]
        """
        require(game, "mcts")
        vet_threads(threads)
        vet_megabytes(megabytes, "tree")
        trees = threads if trees is None else trees
        if not 1 <= trees <= threads:
            raise UsageError(f"{threads} threads grow 1 to {threads} trees, not {trees}")
        names = list(strong(game) if techniques is None else techniques)
        self.tuning = default_tuning(names) if tuning is None else tuning
        if self.tuning.playout_plies < Tuning().playout_plies and not has_evaluation(game):
            plies = self.tuning.playout_plies
            raise UsageError(f"playouts of {plies} plies need a game with `evaluate`")
        if game.hidden and "open" not in names:
            raise UsageError(f"{game} has hidden information, so the techniques must include 'open'")
        self.game, self.threads = game, threads
        self.policy = default_policy(game) if policy is None else policy
        trees = threads if "open" in names else trees
        self.how = Techniques(game, *names, learns=self.policy.learns, shared=trees < threads)
        self._megabytes, self.trees = megabytes, self._new_trees(megabytes, trees)
        self._played: tuple[Action, ...] | None = None
        self._start: State = None
        self._forest: Forest | None = None
        self._scale: PayoffScale | None = None
        """The payoff scale of the trees."""
        self._sweeping = threading.Lock()
        """Held while nodes of the trees are moved or replaced, and while they are read consistently."""
        self._is_plain = False
        """Whether a move did not fit the trees, so that the game is searched in plain Python."""

    def _new_trees(self, megabytes: float, count: int) -> list[Tree]:
        return reserve(megabytes, lambda: [Tree(megabytes / count, self.how) for _ in range(count)], "tree")

    @property
    def tree(self) -> Tree:
        """The first tree."""
        return self.trees[0]

    @staticmethod
    def require_limit(limit: Limit) -> None:
        """Raise UsageError for a limit in plies alone, which never stops the search."""
        if limit.depth is not None and limit.time is None and limit.nodes is None:
            raise UsageError("mcts does not search by depth; give it a time or a number of simulations")

    def clear(self) -> None:
        """Forget everything."""
        self._played = None

    def prepare(self, state: State) -> bool:
        """Compile or load the kernels; False if the search runs interpreted."""
        work = MctsWorkspace(0)
        if self.game.hidden:
            is_compiled = simulate_worlds.prepare(self.game, self.how, self.policy, state, 0, self.tree, work)
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
        stop_early: bool = False,
    ) -> Analysis:
        """The move with the most visits within the limit, whose `nodes` are simulations, or until `stop` is set.

        With `stop_early` it stops as soon as no other move can overtake the best one in the remaining time.

        If a move does not fit the trees, the textbook's search is used instead (see `plain`).
        """
        referee = position if isinstance(position, Referee) else Referee(self.game, position)
        must_choose(referee, name)
        return self.answer(
            Request(referee, limit, name, seed=seed, stop=stop, progress=progress, stop_early=stop_early)
        )

    def answer(self, request: Request) -> Analysis:
        """Search the position of a request, in which a player can move."""
        referee, limit = request.referee, request.limit
        legal = legal_moves(referee)
        self.require_limit(limit)
        started = time.monotonic()
        if not self._is_plain and moves_fit(self.game, referee.known_state):
            try:
                is_compiled = self.prepare(referee.known_state)
                self._forest = Forest(self.game, self.trees, self._set_root(referee, legal, limit))
                return MctsSearch(self, self._forest, request, is_compiled).answer()
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
        return PlainMctsSearch(replace(request, limit=limit)).answer()

    def _abandon(self) -> None:
        """Replace the trees after an aborted search, because threads may still write to them."""
        self._played, self._forest = None, None
        self.trees = self._new_trees(self._megabytes, len(self.trees))

    def draw_tree(self, state: State, most: int = 5, depth: int = 3) -> DrawnNode:
        """A drawing of the current tree: the `most` most visited moves, `depth` plies deep.

        Another thread may call it during the search.
        """
        if self._forest is None:
            raise UsageError("there is no tree yet; search first")
        with self._sweeping:
            return self._forest.draw_node(self._forest.root, state, most, depth)

    # -- the root -------------------------------------------------------------------------------------

    def _set_root(self, referee: Table, legal: list[Action], limit: Limit) -> PayoffScale:
        """Make the position the root of the trees; returns their payoff scale.

        The subtrees of the position are kept. Proved bounds of the root are derived from its moves again, because they
        must say which move is that good.
        """
        played = () if isinstance(referee, Seat) else tuple(turn.action for turn in referee.turns)
        before, self._played = self._played, played
        start, self._start = self._start, None if isinstance(referee, Seat) else referee.start
        is_later = before is not None and start == self._start and played[: len(before)] == before and not self.how.open
        steps = played[len(before or ()) :]
        with self._sweeping:
            kept = [
                is_later and all(_advance_root(tree, action) for action in steps) and self._has_children(tree, legal)
                for tree in self.trees
            ]
            if self._scale is None or not any(kept):
                self._scale = PayoffScale.of(self.game, referee.known_state, limit.time)
            for tree, is_kept in zip(self.trees, kept, strict=True):
                if not is_kept:
                    self._new_root(tree, played[-1] if played else NO_ACTION, legal, self._scale)
                elif self.how.solver:
                    tree.set_bounds(ROOT, self._scale.floor, self._scale.ceiling)
                    narrow_from_children(self.how, tree, ROOT, referee.to_move)
        return self._scale

    def _has_children(self, tree: Tree, legal: list[Action]) -> bool:
        """Whether the root's children are the legal moves; the history may forbid some."""
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


def _advance_root(tree: Tree, action: Action) -> bool:
    """Make the child with this move the root; False if there is none."""
    for child in tree.child_nodes(ROOT):
        if tree.action(child) == action:
            make_root(tree, child)
            return True
    return False


def _fill_node(tree: Tree, node: Node, action: Action, scale: PayoffScale) -> None:
    """Initialise a node with its move and the declared bounds."""
    tree.erase(node)
    if tree.how.solver:
        tree.set_bounds(node, scale.floor, scale.ceiling)
    tree.set_action(node, action)


class MctsSearch(RootSearch):
    """The search of one position: its threads, when to stop, and the answer of the trees."""

    unit = "simulations"

    def __init__(self, mcts: Mcts, forest: Forest, request: Request, is_compiled: bool) -> None:
        super().__init__(request)
        self.mcts, self.forest, self.how, self.trees = mcts, forest, mcts.how, list(mcts.trees)
        self.is_compiled = is_compiled
        self.known = forest.visits(forest.root)
        self.seed = random.randrange(1 << 32) if request.seed is None else request.seed
        nodes = self.limit.nodes
        shares = [None] * mcts.threads if nodes is None else _shares(nodes, mcts.threads)
        self.workspaces = [self._workspace(number, share) for number, share in enumerate(shares)]
        self.is_clear = False

    def _workspace(self, number: int, share: int | None) -> MctsWorkspace:
        game, tuning = self.game, self.mcts.tuning
        imagined = tuning.trust if self.how.priors else 0.0
        work = MctsWorkspace.create(share, self.forest.scale, game.middle(), tuning, imagined)
        if self.how.repeats:
            put_history_on_path(work.path, self.referee)
        work.random_state = mix(U64(self.seed) + GOLDEN * U64(number + 1))
        if self.how.open and game.repetition < 0:
            legal = self.referee.legal()[: FILL_MASK + 1]
            work.legal_count = len(legal)
            for index, action in enumerate(legal):
                work.legal[index] = action
        return work

    def halt(self) -> None:
        for workspace in self.workspaces:
            workspace.stop()

    def tick(self) -> None:
        if self.request.stop_early and self._read_undisturbed(self._is_clear):
            self.is_clear = True
        is_stuck = any(workspace.trouble for workspace in self.workspaces)
        if self.is_clear or is_stuck or self.forest.proved(self.forest.root) is not None:
            self.halt()
        elif not self.watch.is_over and self.is_report_due:
            found = self._read_undisturbed(self._snapshot)
            if found is not None:
                self.send(found)

    def _snapshot(self) -> Analysis | None:
        return self.analysis("nodes") if self.forest.children(self.forest.root) else None

    def _read_undisturbed(self, read: Callable[[], Read]) -> Read | None:
        """The result of `read` while no thread moves nodes of the trees; None, without waiting, if one does."""
        if not self.mcts._sweeping.acquire(blocking=False):
            return None
        try:
            return read()
        finally:
            self.mcts._sweeping.release()

    def _is_clear(self) -> bool:
        """Whether no other move can overtake the best one in the remaining time, at the present speed."""
        if self.limit.time is None:
            return False
        left = max(0.0, self.limit.time - self.watch.seconds) / max(self.watch.seconds, 1e-9)
        if not self.forest.children(self.forest.root):
            return False
        visits = sorted((self.forest.visits(child) for child in self.forest.children(self.forest.root)), reverse=True)
        second = visits[1] if len(visits) > 1 else 0
        return visits[0] - second > left * sum(workspace.nodes for workspace in self.workspaces)

    # -- simulations ----------------------------------------------------------------------------------

    def check(self) -> None:
        troubles = {workspace.trouble for workspace in self.workspaces}
        if TOO_WIDE in troubles:
            name = self.request.name
            raise UsageError(f"somewhere {self.game} has more than {FILL_MASK:,} moves, too many for {name}")
        if STUCK in troubles:
            raise RulesError(stuck_sentence(self.game))
        if NOT_A_NUMBER in troubles:
            raise RulesError(f"somewhere the payoff or the evaluation of {self.game} is not a number; it should be one")

    def run(self) -> Stopped:
        self._initialise_roots()
        while True:
            self._simulate_all()
            if self.how.open and not self.forest.children(self.forest.root):
                self._simulate_once()
            if self.forest.proved(self.forest.root) is not None or self.is_clear:
                return "done"
            if not any(tree.header().is_full for tree in self.trees) or self.watch.is_over:
                return self.reason()
            self._make_room()

    def _make_room(self) -> None:
        """Drop rarely visited nodes from the trees that are full."""
        with self.mcts._sweeping:
            for tree in self.trees:
                if tree.header().is_full:
                    make_room(tree)

    def _initialise_roots(self) -> None:
        """Initialise the moves of fresh roots by one kernel call, before threads share them."""
        with self.mcts._sweeping:
            for number, tree in enumerate(self.trees):
                if tree.header().is_fresh:
                    workspace = self.workspaces[number]
                    limit, workspace.limit = workspace.limit, 0
                    simulate.run(self.game, self.how, self.mcts.policy, self.state, tree, workspace)
                    workspace.limit = limit

    def _simulate_all(self) -> None:
        """Run simulations in all threads, and wait for them; an error in one stops all."""
        helpers: list[Helper] = []
        try:
            for number in range(1, len(self.workspaces)):
                helpers.append(Helper(partial(self._simulate, number)))  # noqa: PERF401 one by one: the system may refuse
            self._simulate(0)
        except RuntimeError as error:
            self.halt()
            if "start new thread" not in str(error):
                raise
            raise UsageError(f"the system has no room for {len(self.workspaces)} threads; use fewer") from None
        finally:
            for helper in helpers:
                helper.wait()
        raise_first_error(helpers)

    def _simulate_once(self) -> None:
        """Run one simulation whatever the limit: without one, an open search has no move."""
        self.workspaces[0].allow(1)
        self._simulate(0)

    def _simulate(self, number: int) -> None:
        workspace, tree = self.workspaces[number], self.trees[number % len(self.trees)]
        try:
            policy = self.mcts.policy
            if isinstance(self.referee, Seat):
                simulate_worlds.run(self.game, self.how, policy, self.state, self.referee.player, tree, workspace)
            else:
                simulate.run(self.game, self.how, policy, self.state, tree, workspace)
        except BaseException:
            self.halt()
            raise

    # -- the answer -----------------------------------------------------------------------------------

    def findings(self) -> Findings:
        forest = self.forest
        moves, kind = forest.moves(self.referee), forest.kind(forest.root)
        return Findings(forest.payoffs(forest.root) if kind == "exact" else moves[0].value, kind, moves)

    def count(self) -> int:
        return sum(workspace.nodes for workspace in self.workspaces)

    def details(self) -> dict[str, Any]:
        return {
            "known_before": self.known,
            "tree_nodes": sum(tree.nodes for tree in self.trees),
            "tree_depth": max(workspace.deepest_ply for workspace in self.workspaces),
            "bytes_per_node": self.trees[0].node_bytes,
        }


def _shares(total: int, parts: int) -> list[int]:
    total = min(total, NEVER)
    return [total // parts + (part < total % parts) for part in range(parts)]
