"""Agents that search, and keep their table or tree from move to move."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

from zermelo.arena.agents import DEFAULT_LIMIT, Agent
from zermelo.core.analysis import Analysis, Progress
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import Game
from zermelo.core.guards import preferred_algorithm
from zermelo.core.limit import Limit
from zermelo.core.random_games import random_game
from zermelo.core.referee import Table

if TYPE_CHECKING:
    import threading

    from zermelo.search.dispatcher import Dispatcher
    from zermelo.search.expectiminimax import Habits, Roles

TRIALS, LONGEST_TRIAL = 5, 100
"""Random games to find the kind of moves, and their plies at most."""


@dataclasses.dataclass
class SearchAgent(Agent):
    """Plays the best move that a search finds within the limit."""

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
    stop_early: bool = False
    """Whether Monte Carlo tree search stops as soon as more time would not change the move, as in a match."""
    others: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """The behaviour of each seat, by names such as seat2 (the second player), or "others" for all of them."""
    moves: int = 0
    improbable: float = 0.0
    """The moves and rolls to search; see `Narrowing`."""
    _dispatcher: Dispatcher | None = dataclasses.field(default=None, init=False, repr=False)

    def choose(self, referee: Table) -> Analysis:
        from zermelo.search.runtime import Request

        request = Request(
            referee, self.limit, self.name, self.lines, self.seed, self.stop, self.progress, self.stop_early
        )
        return self._dispatch().answer(request)

    def prepare(self, referee: Table) -> None:
        self._dispatch().prepare(referee)

    def clear(self) -> None:
        """Clear the memory that is kept from move to move."""
        self._dispatch().clear()

    def require(self, game: Game) -> None:
        self._dispatch().require(game, self.limit)
        if self.algorithm == "mcts" and game.hidden and not has_whole_moves(game):
            raise Refused(
                f"the moves of {game} are not whole numbers, so mcts cannot keep hidden worlds apart: "
                f"use {preferred_algorithm(game)}, or number the moves"
            )

    def for_game(self, seed: int) -> Agent:
        """Return the agent with an empty memory."""
        return dataclasses.replace(self, seed=seed if self.seed is None else self.seed, stop_early=True)

    def _dispatch(self) -> Dispatcher:
        """The searches that are kept."""
        from zermelo.search.dispatcher import Dispatcher
        from zermelo.search.expectiminimax import Narrowing

        if self._dispatcher is None:
            self._dispatcher = Dispatcher(
                self.algorithm,
                self.memory_mb,
                self.threads,
                Narrowing(self.moves, self.improbable),
                self._roles if self.others else None,
            )
        return self._dispatcher

    def _roles(self, game: Game, player: int) -> tuple[Roles, Habits | None]:
        """The roles that the options give; habits come from saved games."""
        from zermelo.arena.learned_opponents import read_habits
        from zermelo.search.expectiminimax import AT_RANDOM, SELFISH, amid, parse_behaviour

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
