"""The textbook's searches with iterative deepening, compiled if possible, for games without hidden information."""

from __future__ import annotations

import math
from dataclasses import replace

from zermelo.core.analysis import Analysis, Kind
from zermelo.core.game import CHANCE, Action, Game, State, has_one_value
from zermelo.core.meter import Meter, Metered
from zermelo.core.referee import Referee, open_table
from zermelo.kernel import Kernel
from zermelo.search.deepening import MeteredSearch
from zermelo.search.repetition import endings, play_unchecked
from zermelo.search.runtime.root_search import Findings, Request, RootMove
from zermelo.search.runtime.watch import Watch
from zermelo.textbook import (
    INFINITY,
    alphabeta,
    expectimax,
    expectiminimax,
    maxn,
    minimax,
    quiescent_alphabeta,
    star1,
    star2,
    uniform,
)
from zermelo.textbook import (
    best_reply as best_reply_search,
)

_WINDOWED: dict[str, Kernel[..., float]] = {
    "alphabeta": alphabeta,
    "quiescence": quiescent_alphabeta,
    "star1": star1,
    "star2": star2,
}
_PLAIN: dict[str, Kernel[..., float]] = {
    "minimax": minimax,
    "expectiminimax": expectiminimax,
    "paranoid": expectiminimax,
}
TEXTBOOK_SEARCHES = (*_PLAIN, *_WINDOWED, "maxn", "bestreply", "expectimax")
"""The algorithms that `TextbookSearch` can run."""


class TextbookSearch(MeteredSearch):
    """Search with one of the textbook's algorithms, by name."""

    def __init__(self, request: Request, algorithm: str) -> None:
        self.proves = _proves(request.referee.game, algorithm)
        self.endings: dict[Action, tuple[float, ...]] = {}
        super().__init__(request, algorithm)
        self.endings = endings(open_table(self.referee), self.listed)

    def legal(self) -> list[Action]:
        return self.referee.legal()

    def prepare(self) -> bool:
        child = self.game.result(self.state, self.moves[0].action)
        if self.algorithm == "maxn":
            return maxn.prepare(self.metered, child, 0)
        if self.algorithm in _WINDOWED:
            return _WINDOWED[self.algorithm].prepare(self.metered, child, self.player, 0, -INFINITY, INFINITY)
        if self.algorithm in _PLAIN:
            return _PLAIN[self.algorithm].prepare(self.metered, child, self.player, 0)
        return False

    def answer(self) -> Analysis:
        """The analysis, with as much of the line as the time allows."""
        found = super().answer()
        return found if found.stopped == "user" or self.depth == 0 else replace(found, actions=self.line())

    def findings(self) -> Findings:
        """The results; for minimax, which the lecture runs to one depth, a note with the nodes of the last depth."""
        found = super().findings()
        if self.algorithm != "minimax" or self.depth < 2:
            return found
        last = 1 + sum(move.nodes for move in self.moves)
        return replace(found, notes=(*found.notes, f"the tree of depth {self.depth} alone has {last:,} nodes"))

    def search_moves(self, depth: int) -> list[RootMove] | None:
        found: list[RootMove] = []
        for move in self.moves:
            before = self.meter.nodes
            self.meter.saw_horizon = False
            is_over = move.action in self.endings
            if is_over:
                self.meter.enter_node()
                payoffs = self._payoffs_at_end(self.endings[move.action])
            else:
                payoffs = self._value(self.game.result(self.state, move.action), depth - 1)
            if self.meter.is_stopped():
                return None
            is_proved, nodes = not self.meter.saw_horizon, self.meter.nodes - before
            own = payoffs[self.player]
            found.append(RootMove(move.action, own, payoffs, is_proved=is_proved, is_over=is_over, nodes=nodes))
        return found

    def _value(self, state: State, depth: int, alpha: float = -INFINITY, beta: float = INFINITY) -> tuple[float, ...]:
        """The payoffs that a search returns; alpha and beta apply to algorithms with a window."""
        if self.algorithm == "maxn":
            return maxn.run(self.metered, state, depth)
        if self.algorithm == "expectimax":
            own = float(expectimax(self.metered, state, self.player, uniform, depth))
        elif self.algorithm == "bestreply":
            own = best_reply_search(self.metered, state, self.player, depth)
        elif self.algorithm in _WINDOWED:
            own = _WINDOWED[self.algorithm].run(self.metered, state, self.player, depth, alpha, beta)
        else:
            own = _PLAIN[self.algorithm].run(self.metered, state, self.player, depth)
        return self.payoffs_for_all(own)

    def _payoffs_at_end(self, payoffs: tuple[float, ...]) -> tuple[float, ...]:
        """The payoffs of a finished game, in the form of the algorithm."""
        return payoffs if self.algorithm == "maxn" else self.payoffs_for_all(0.0 + payoffs[self.player])

    # -- the line ------------------------------------------------------------------------------------

    def line(self) -> tuple[Action, ...]:
        """The principal line: after each move, search again for the reply, with half of the nodes so far."""
        self.meter = Meter.allocate(self.meter.nodes // 2 + 10_000)
        self.metered = Metered(self.game, self.meter)
        left = None if self.limit.time is None else self.limit.time - self.watch.seconds
        self.watch = Watch(self.halt, left)
        return self.watch.run(self._line, self._tick)

    def _line(self) -> tuple[Action, ...]:
        best = self.moves[0]
        here = play_unchecked(open_table(self.referee), best.action)
        line = [best.action]
        for depth in range(self.depth - 1, 0, -1):
            if here.is_over or not self._chooses(here.to_move):
                break
            reply = self._reply(here, depth, best.payoffs)
            if reply is None:
                break
            here = play_unchecked(here, reply)
            line.append(reply)
        return tuple(line)

    def _chooses(self, mover: int) -> bool:
        """Whether the algorithm assumes that this player chooses the best move."""
        return mover == self.player or (mover != CHANCE and self.algorithm != "expectimax")

    def _reply(self, here: Referee, depth: int, values: tuple[float, ...]) -> Action | None:
        """The first move that keeps the value; None if the nodes are used up."""
        mover = here.to_move
        seat = mover if self.algorithm == "maxn" else self.player
        wanted = values[seat]
        slack = 1e-9 * max(1.0, abs(wanted)) if self.game.chance else 0.0  # a narrower window may sum in another order
        window = math.nextafter(wanted - slack, -INFINITY), math.nextafter(wanted + slack, INFINITY)
        best, chosen, legal = -INFINITY, None, here.legal()
        ended = endings(here, legal)
        for action in legal:
            if action in ended:
                value = ended[action][seat]
            else:
                value = self._value(self.game.result(here.state, action), depth - 1, *window)[seat]
            if self.meter.is_stopped():
                return None
            if abs(value - wanted) <= slack:
                return action
            worth = value if mover == seat else -value
            if worth > best or chosen is None:
                best, chosen = worth, action
        return chosen


def _proves(game: Game, algorithm: str) -> Kind:
    """What a value of this algorithm proves about the game if its search met no horizon."""
    if game.players == 1 or (has_one_value(game) and algorithm not in ("expectimax", "bestreply")):
        return "exact"  # best-reply search differs from minimax if the opponent moves twice in a row
    return {"maxn": "exact", "paranoid": "lower"}.get(algorithm, "estimate")  # type: ignore[return-value]
