"""The root of the textbook's searches: iterative deepening, with a full window for every root move.

A value is proved if its search met no horizon. What that proves depends on the algorithm. These searches ignore the
path, so in a game with a rule for repetition only a move that ends the game is proved.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any

from zermelo.core.analysis import Kind, MoveAnalysis
from zermelo.core.errors import RulesError
from zermelo.core.game import Action
from zermelo.core.meter import Meter, Metered
from zermelo.search.repetition import NOTE
from zermelo.search.runtime.root_search import DeepeningSearch, Findings, Request, RootMove

SEARCH_SHARE = 0.9
"""Share of the time limit; the rest is for the line."""


class MeteredSearch(DeepeningSearch):
    """A search that counts its nodes with a `Meter`, and ranks the root's moves by their payoffs."""

    deepest = 4096
    proves: Kind = "estimate"
    """The kind of a value whose search met no horizon."""

    def __init__(self, request: Request, algorithm: str) -> None:
        limit = request.limit
        super().__init__(request, None if limit.time is None else SEARCH_SHARE * limit.time)
        self.algorithm = algorithm
        self.meter = Meter.allocate(limit.nodes)
        self.metered = Metered(self.game, self.meter)
        self.listed = self.legal()
        if not self.listed:
            raise RulesError(f"{self.game} is not over in {self.game.format_state(self.state)!r}, yet there is no move")
        self.moves = [RootMove(action, math.nan, (math.nan,) * self.game.players) for action in self.listed]
        self.is_opposed = self.game.players == 2 and self.game.zero_sum
        self._value_before = -math.inf
        self.is_compiled = self.prepare()

    @abstractmethod
    def legal(self) -> list[Action]:
        """The legal moves at the root."""

    @abstractmethod
    def search_moves(self, depth: int) -> list[RootMove] | None:
        """Search all root moves to this depth; None if stopped."""

    @abstractmethod
    def prepare(self) -> bool:
        """Compile before the clock starts; False if the search runs interpreted."""

    def halt(self) -> None:
        self.meter.stop()

    def search(self, depth: int) -> bool:
        found = self.search_moves(depth)
        if found is None:
            return False
        if self.depth:
            self._value_before = self.moves[0].value
        if self.algorithm == "maxn":
            found.sort(key=lambda move: self.listed.index(move.action))
        self.moves = sorted(found, key=lambda move: -move.value)  # a stable sort: equal moves keep the game's order
        return True

    def is_final(self) -> bool:
        return self._is_known([move.action for move in self.moves if move.is_proved])

    def _is_known(self, known: list[Action]) -> bool:
        """Whether the best move's value is known, and no other move can be better or, if equal, be taken instead.

        In max^n the choice among equal moves changes the other players' payoffs: it is the first one of the list.
        """
        best = self.moves[0]
        if best.action in known and self._is_highest(best):
            earlier = self.listed[: self.listed.index(best.action)] if self.algorithm == "maxn" else []
            return all(action in known for action in earlier)
        return len(known) == len(self.moves)

    def _holds(self, move: RootMove) -> bool:
        """Whether the value is proved on every path."""
        return move.is_over if self.game.repetition else move.is_proved

    def _is_highest(self, move: RootMove) -> bool:
        return move.value >= self.game.utility_range[1]

    def _distance(self) -> int | None:
        """The exact distance of a proved win of the highest value, if the search with one ply less did not find it."""
        is_won = self._holds(self.moves[0]) and self._is_highest(self.moves[0]) and self.proves == "exact"
        is_new = self._value_before < self.game.utility_range[1]
        return self.depth if is_won and is_new and self.is_opposed and not self.game.chance else None

    def findings(self) -> Findings:
        best = self.moves[0]
        is_known = self._is_known([move.action for move in self.moves if self._holds(move)])
        return Findings(
            best.payoffs,
            self.proves if is_known else "estimate",
            tuple(self._move(move) for move in self.moves),
            line=(best.action,),
            distance=self._distance(),
            notes=(NOTE,) if self.game.repetition and not is_known else (),
        )

    def _move(self, move: RootMove) -> MoveAnalysis:
        kind = self.proves if self._holds(move) else "estimate"
        return MoveAnalysis(move.action, move.payoffs, kind, depth=self.depth, nodes=move.nodes)

    def count(self) -> int:
        """The nodes, at most the limit, because a stopped search still counts while it returns."""
        return min(self.meter.nodes, self.limit.nodes or self.meter.nodes)

    def details(self) -> dict[str, Any]:
        return {"depth": self.depth}
