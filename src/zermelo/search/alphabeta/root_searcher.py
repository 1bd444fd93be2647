"""One thread's search of the root: aspiration windows, and principal variation search over the root's moves."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from zermelo.core.game import Action, Game, State
from zermelo.core.referee import Referee
from zermelo.kernel import U64, mix
from zermelo.search.alphabeta.mate_distance import delayed
from zermelo.search.alphabeta.negamax import negamax
from zermelo.search.alphabeta.scale import Scale
from zermelo.search.alphabeta.techniques import Techniques
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace
from zermelo.search.runtime.path import Ply
from zermelo.search.runtime.root_search import RootMove
from zermelo.search.runtime.table import Table

ASPIRATION = 0.3
"""Half the width of an aspiration window around the last depth's value, as a share of `swing`."""


@dataclass(frozen=True)
class _Child:
    """The state after a legal move."""

    state: State
    place: U64
    """Its key in the game's history; 0 without a rule for repetition."""
    is_same: bool
    """The same player moves again."""

    @classmethod
    def after(cls, game: Game, state: State, action: Action) -> _Child:
        child = game.result(state, action)
        place = mix(game.key(game.repetition_key(child))) if game.repetition else U64(0)
        return cls(child, place, game.to_move(child) == game.to_move(state))


class RootSearcher:
    """One thread's search of the root: its workspace, and the root's moves, best first."""

    def __init__(
        self, referee: Referee, how: Techniques, table: Table, actions: list[Action], nodes: int | None
    ) -> None:
        self.game, self.how, self.state = referee.game, how, referee.state
        self.scale = Scale.of(self.game, not (self.game.margins or self.how.strict))
        self.workspace = work = AlphaBetaWorkspace.create(table, nodes)
        work.ply_cost, work.null_window = self.scale.ply_cost, self.scale.null_window
        work.win_threshold = self.scale.win_threshold
        if self.how.repeats:
            work.remember(referee)
        self.moves = [RootMove(action, line=(action,)) for action in self._sort_moves(actions)]
        self.children = {action: _Child.after(self.game, self.state, action) for action in actions}
        self.search = negamax.runner(self.game, self.how, self.state, 0.0, 0.0, 0, Ply(1), 0, work)

    def _sort_moves(self, actions: list[Action]) -> list[Action]:
        return sorted(actions, key=lambda action: -float(self.game.order(self.state, action)))

    @property
    def is_stopped(self) -> bool:
        return self.workspace.is_stopped()

    def deepen(self, depth: int, lines: int) -> bool:
        """Search to this depth; False if it was stopped before anything was found."""
        done: list[RootMove] = []
        left = list(self.moves)
        for _ in range(min(lines, len(left))):
            found = self._search_aspiration(left, depth)
            if found is None:
                break
            done.append(found[0])
            left = found[1:]
            if self.is_stopped:
                break
        if not done:
            return False
        if len(done) < min(lines, len(self.moves)):  # stopped: the other lines are those of the last depth
            left.sort(key=lambda move: _rank(move))
        self.moves = sorted(done, key=lambda move: -move.value) + left
        return True

    def _search_aspiration(self, moves: list[RootMove], depth: int) -> list[RootMove] | None:
        """Search with an aspiration window, widened until the value lies within it. [Slate & Atkin 1977]"""
        last, width = moves[0].value, ASPIRATION * self.game.swing
        alpha, beta = last - width, last + width
        if depth < 4 or not math.isfinite(last + width) or abs(last) + width >= self.scale.win_threshold:
            alpha, beta = -math.inf, math.inf
        while True:
            found = self._search_window(moves, depth, alpha, beta)
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

    def _search_window(self, moves: list[RootMove], depth: int, alpha: float, beta: float) -> list[RootMove] | None:
        """Search within a window; returns the moves, best first, or None if stopped before a good enough one."""
        best, tried = -math.inf, list(moves)
        searched = 0
        for move in moves:
            floor = max(alpha, best)
            is_first = searched == 0
            upper = beta if is_first or not self.how.pvs else min(beta, floor + self.scale.null_window)
            found = self._search_move(move, floor, upper, depth)
            if found is not None and floor < found.value < beta and upper < beta:
                found = self._search_move(move, floor, beta, depth)
            if found is None:
                break
            del tried[searched]  # searched moves come first, so this is the move's place
            searched += 1
            if found.value > best:
                best = found.value
                tried.insert(0, found)
            else:  # only a bound; the value of the last depth stays
                bound = min(found.value, best)
                tried.insert(searched - 1, replace(found, value=bound, is_bound=True, line=move.line))
            if best >= beta:
                break
        if searched < len(moves) and (searched == 0 or best <= max(alpha, -self.scale.win_threshold)):
            return None
        return tried

    def _search_move(self, move: RootMove, alpha: float, beta: float, depth: int) -> RootMove | None:
        """Search one move; None if stopped."""
        work, before = self.workspace, self.workspace.nodes
        work.variation.clear(Ply(1))
        value = self._search_value(move.action, alpha, beta, depth)
        if self.is_stopped:
            return None
        line = (move.action, *work.variation.line(Ply(1)))
        nodes = work.nodes - before
        return RootMove(move.action, value, is_proved=work.is_proved, nodes=nodes, line=line, finished=move.finished)

    def _search_value(self, action: Action, alpha: float, beta: float, depth: int) -> float:
        """The value of a move for its player, where alpha < beta; meaningless once the workspace is stopped."""
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


def _rank(move: RootMove) -> tuple[int, float]:
    """A sort key for the moves of an unfinished depth: the deepest values first, then the highest."""
    return (-move.finished.depth, -move.finished.value) if move.finished else (0, math.inf)
