"""Agents that keep their search, with its table or tree, from move to move."""

from __future__ import annotations

import dataclasses
import random
from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zermelo.arena.agents import DEFAULT_LIMIT, Agent, Progress, require_worlds
from zermelo.core.analysis import Analysis
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import Game
from zermelo.core.guards import preferred_algorithm, require
from zermelo.core.limit import Limit
from zermelo.core.random_games import random_game
from zermelo.core.referee import Referee
from zermelo.kernel import Outgrown, retry_interpreted

if TYPE_CHECKING:
    import threading

    from zermelo.search import Engine, Expectiminimax, Mcts
    from zermelo.search.expectiminimax import Habits, Roles

TRIALS, LONGEST_TRIAL = 5, 100
"""Random games to find the kind of moves, and their plies at most."""


@dataclasses.dataclass
class StatefulSearchAgent(Agent):
    """Plays the best move of a search that it keeps; of the textbook's search if that one does not fit the game."""

    name: str
    algorithm: str
    limit: Limit = DEFAULT_LIMIT
    _: dataclasses.KW_ONLY
    lines: int = 1
    memory_mb: float = 64
    threads: int = 1
    seed: int | None = None
    progress: Progress | None = None
    stop: threading.Event | None = None
    _searches: dict[tuple[Game, int], Any] = dataclasses.field(default_factory=dict, init=False, repr=False)

    def choose(self, referee: Referee) -> Analysis:
        from zermelo.search.choices import must_choose

        must_choose(referee, self.name)
        return retry_interpreted(referee.game, lambda: self._choose(referee))

    def _choose(self, referee: Referee) -> Analysis:
        from zermelo.search import analyse

        search = self._search_for(referee)
        if not self.fits(search, referee):
            found = analyse(referee.game, referee, self.algorithm, self.limit, self.seed, self.progress)
            return dataclasses.replace(found, agent=self.name)
        try:
            return self.think(search, referee)
        except Outgrown:
            self._searches.clear()  # an interrupted search may be inconsistent
            raise

    def prepare(self, referee: Referee) -> None:
        self._search_for(referee).prepare(referee.state)

    def require(self, game: Game) -> None:
        require(game, self.algorithm)
        require_worlds(game)

    def for_game(self, seed: int) -> Agent:
        """Return the agent with an empty memory."""
        return dataclasses.replace(self)

    def _search_for(self, referee: Referee) -> Any:
        key = referee.game, self.point_of_view(referee)
        if key not in self._searches:
            if all(game is not referee.game for game, _ in self._searches):
                self._searches.clear()  # the game has changed
            self._searches[key] = self.create_search(*key)
        return self._searches[key]

    def point_of_view(self, referee: Referee) -> int:
        """The player that a search is for; 0 for searches that value the position for every player."""
        return 0

    @abstractmethod
    def create_search(self, game: Game, player: int) -> Any:
        """Create a search with an empty memory."""

    @abstractmethod
    def fits(self, search: Any, referee: Referee) -> bool:
        """Whether the search can be used in this game."""

    @abstractmethod
    def think(self, search: Any, referee: Referee) -> Analysis:
        """Search, and return the analysis."""


class EngineAgent(StatefulSearchAgent):
    """Alpha-beta that keeps its table."""

    def create_search(self, game: Game, player: int) -> Engine:
        from zermelo.search import Engine

        return Engine(game, self.memory_mb, self.threads)

    def fits(self, search: Engine, referee: Referee) -> bool:
        return search.fits(referee.game, referee.state)

    def think(self, search: Engine, referee: Referee) -> Analysis:
        return search.think(
            referee, self.limit, lines=self.lines, stop=self.stop, progress=self.progress, name=self.name
        )


@dataclasses.dataclass
class MctsAgent(StatefulSearchAgent):
    """Monte Carlo tree search that keeps its tree."""

    in_haste: bool = dataclasses.field(default=False, kw_only=True)
    """Stop early if more time would not change the move, as in a match."""

    def create_search(self, game: Game, player: int) -> Mcts:
        from zermelo.search import Mcts

        return Mcts(game, self.memory_mb, self.threads)

    def fits(self, search: Mcts, referee: Referee) -> bool:
        return search.fits(referee.game, referee.state)

    def require(self, game: Game) -> None:
        super().require(game)
        limit = self.limit
        if limit.depth is not None and limit.time is None and limit.nodes is None:
            raise UsageError(f"{self.name} does not search by depth; give a time or a number of simulations")
        if game.hidden and not has_whole_moves(game):
            raise Refused(
                f"the moves of {game} are not whole numbers, so {self.name} cannot keep hidden worlds apart: "
                f"use {preferred_algorithm(game)}, or number the moves"
            )

    def think(self, search: Mcts, referee: Referee) -> Analysis:
        return search.think(
            referee,
            self.limit,
            seed=self.seed,
            stop=self.stop,
            progress=self.progress,
            name=self.name,
            in_haste=self.in_haste,
        )

    def for_game(self, seed: int) -> Agent:
        return dataclasses.replace(self, seed=seed if self.seed is None else self.seed, in_haste=True)


@dataclasses.dataclass
class LayeredAgent(StatefulSearchAgent):
    """Expectiminimax, max^n and their relatives, with a table."""

    others: Mapping[str, str] = dataclasses.field(default_factory=dict, kw_only=True)
    """The behaviour of each seat, by names such as seat2 (the second player), or "others" for all of them."""
    moves: int = dataclasses.field(default=0, kw_only=True)
    improbable: float = dataclasses.field(default=0.0, kw_only=True)
    """The moves and rolls to search; see Narrowing."""

    def point_of_view(self, referee: Referee) -> int:
        return referee.to_move

    def create_search(self, game: Game, player: int) -> Expectiminimax:
        from zermelo.search import Expectiminimax
        from zermelo.search.expectiminimax import Narrowing

        roles, habits = self._roles(game, player)
        return Expectiminimax(
            game, roles, self.memory_mb, narrowing=Narrowing(self.moves, self.improbable), habits=habits
        )

    def fits(self, search: Expectiminimax, referee: Referee) -> bool:
        return search.fits(referee.state)

    def think(self, search: Expectiminimax, referee: Referee) -> Analysis:
        return search.think(
            referee, self.limit, lines=self.lines, stop=self.stop, progress=self.progress, name=self.name
        )

    def _roles(self, game: Game, player: int) -> tuple[Roles, Habits | None]:
        """The roles that the options give; habits come from saved games."""
        from zermelo.arena.learned_opponents import read_habits
        from zermelo.search.expectiminimax import AT_RANDOM, SELFISH, amid, parse_behaviour
        from zermelo.search.root import roles_for

        if not self.others:
            return roles_for(game, self.algorithm, player), None
        usual = SELFISH if self.algorithm == "maxn" else AT_RANDOM
        behaviours = {seat: usual for seat in range(game.players) if seat != player}
        for seat, text in self.others.items():
            number = None if seat == "others" else int(seat.removeprefix("seat")) - 1
            if number is not None and not 0 <= number < game.players:
                raise UsageError(f"{seat}={text} names no seat: {game.name} has {game.players} seats")
            said = parse_behaviour(text)
            behaviours |= {each: said for each in behaviours if number in (None, each)}
        files = {seat: behaviour.file for seat, behaviour in behaviours.items() if behaviour.file}
        return amid(game, player, behaviours), read_habits(game, files) if files else None


def has_whole_moves(game: Game) -> bool:
    """Whether the moves of a few random games are whole numbers, so that they fit into flat memory."""
    rng = random.Random(0)
    return all(
        isinstance(action, int)
        for _ in range(TRIALS)
        for _, moves in random_game(game, game.initial(), rng, LONGEST_TRIAL)
        for action in moves
    )


KINDS: dict[str, type[StatefulSearchAgent]] = {
    "alphabeta": EngineAgent,
    "mcts": MctsAgent,
    "expectiminimax": LayeredAgent,
    "maxn": LayeredAgent,
    "paranoid": LayeredAgent,
    "bestreply": LayeredAgent,
    "expectimax": LayeredAgent,
}
"""By the names of their algorithms."""
