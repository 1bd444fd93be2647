"""From an algorithm's name to a search, for `analyse`, the agents, the command and the page.

`alphabeta` is run by `Engine`, `mcts` by `Mcts`, and the algorithms for dice and for many players by `Expectiminimax`.
For all other names, and if these do not fit a game, the textbook's search is used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from zermelo.core.analysis import Analysis
from zermelo.core.errors import Refused, RulesError
from zermelo.core.game import Game, State
from zermelo.core.guards import preferred_algorithm, require
from zermelo.core.limit import Limit, vet_threads
from zermelo.core.referee import Referee, Table
from zermelo.kernel import Outgrown, retry_interpreted
from zermelo.search.alphabeta import Engine
from zermelo.search.choices import moves_fit, must_choose
from zermelo.search.expectiminimax import (
    AT_RANDOM,
    Expectiminimax,
    Habits,
    Narrowing,
    Roles,
    against_all,
    amid,
    best_reply,
    each_alone,
    opposed,
)
from zermelo.search.mcts import Mcts
from zermelo.search.runtime.root_search import Request
from zermelo.search.textbook_search import TEXTBOOK_SEARCHES, TextbookSearch
from zermelo.search.worlds import DeterminisedSearch

EXPECTIMINIMAX_FAMILY = ("expectiminimax", "maxn", "paranoid", "bestreply", "expectimax")
"""The algorithms that `Expectiminimax` runs, each with its own roles."""
SEARCHES = (*TEXTBOOK_SEARCHES, "determinised", "mcts")
"""The algorithms that a dispatcher can run."""

ChooseRoles = Callable[[Game, int], tuple[Roles, Habits | None]]
"""A function from a game and the player who searches to the roles of all seats."""


class Searcher(Protocol):
    """A search of one game that may keep a table or a tree from move to move."""

    def prepare(self, state: State) -> bool:
        """Compile or load the kernels; False if the search runs interpreted."""

    def answer(self, request: Request) -> Analysis:
        """Search a position in which a player can move."""

    def clear(self) -> None:
        """Clear the table or tree."""


@dataclass
class _Textbook:
    """Keeps nothing."""

    game: Game
    algorithm: str

    def prepare(self, state: State) -> bool:
        return self._search(Request(Referee(self.game, state))).is_compiled

    def answer(self, request: Request) -> Analysis:
        return self._search(request).answer()

    def clear(self) -> None:
        """There is nothing to clear."""

    def _search(self, request: Request) -> TextbookSearch | DeterminisedSearch:
        is_hidden = self.algorithm == "determinised"
        return DeterminisedSearch(request) if is_hidden else TextbookSearch(request, self.algorithm)


@dataclass
class Dispatcher:
    """Runs one algorithm on any suitable game, and keeps its searches from move to move."""

    algorithm: str
    megabytes: float = 64
    threads: int = 1
    narrowing: Narrowing | None = None
    roles: ChooseRoles | None = None
    """The roles for algorithms that `Expectiminimax` runs; by default those of the algorithm."""
    _kept: dict[tuple[Game, int], Searcher] = field(default_factory=dict, init=False, repr=False)

    def require(self, game: Game, limit: Limit) -> None:
        """Raise an error if the algorithm cannot be used for this game; nothing is compiled."""
        require(game, self.algorithm)
        if self.algorithm not in SEARCHES:
            raise Refused(f"{self.algorithm} is not a search by depth; use {preferred_algorithm(game)}")
        vet_threads(self.threads)
        require_worlds(game)
        if self.algorithm == "mcts":
            Mcts.require_limit(limit)

    def prepare(self, referee: Table) -> bool:
        """Compile for the referee's game; False if it runs interpreted."""
        require(referee.game, self.algorithm)
        return self._searcher_for(referee).prepare(referee.known_state)

    def clear(self) -> None:
        """Clear the tables and trees."""
        for searcher in self._kept.values():
            searcher.clear()

    def answer(self, request: Request) -> Analysis:
        """Search; raises Refused before compilation if the algorithm does not fit or there is nothing to choose."""
        game = request.referee.game
        self.require(game, request.limit)
        must_choose(request.referee, request.name)
        return retry_interpreted(game, lambda: self._answer(request))

    def _answer(self, request: Request) -> Analysis:
        try:
            return self._searcher_for(request.referee).answer(request)
        except Outgrown:
            self._kept.clear()  # an interrupted search may be inconsistent
            raise

    def _searcher_for(self, referee: Table) -> Searcher:
        """The kept search for this game and player; the textbook's search if it does not fit the position."""
        game = referee.game
        if self.algorithm != "mcts" and not moves_fit(game, referee.known_state):  # before there is a table
            return _Textbook(game, self.algorithm)
        key = game, referee.to_move if self.algorithm in EXPECTIMINIMAX_FAMILY else 0
        if key not in self._kept:
            if all(other is not game for other, _ in self._kept):
                self._kept.clear()  # the game has changed
            self._kept[key] = self._create(*key)
        found = self._kept[key]
        is_unfit = isinstance(found, Engine | Expectiminimax) and not found.fits(referee.known_state)
        return _Textbook(game, self.algorithm) if is_unfit else found

    def _create(self, game: Game, player: int) -> Searcher:
        """Create a search with empty memory."""
        if self.algorithm == "alphabeta":
            return Engine(game, self.megabytes, self.threads)
        if self.algorithm == "mcts":
            return Mcts(game, self.megabytes, self.threads)
        if self.algorithm in EXPECTIMINIMAX_FAMILY:
            roles, habits = self.roles(game, player) if self.roles else (roles_for(game, self.algorithm, player), None)
            return Expectiminimax(game, roles, self.megabytes, narrowing=self.narrowing, habits=habits)
        return _Textbook(game, self.algorithm)


def roles_for(game: Game, algorithm: str, player: int) -> Roles:
    """The roles that an algorithm assumes when it searches for a player."""
    if algorithm == "expectimax":
        return amid(game, player, AT_RANDOM)
    if algorithm == "expectiminimax":
        return opposed(game)
    if algorithm == "maxn":
        return each_alone(game)
    return best_reply(game, player) if algorithm == "bestreply" else against_all(game, player)


def require_worlds(game: Game) -> None:
    """Raise RulesError for a game with hidden information that lacks the method `worlds`."""
    if game.hidden and type(game).worlds is Game.worlds:
        raise RulesError(f"{type(game).__name__}: a game with hidden = True should have the method worlds")
