"""An agent at a level: it searches little, and may choose a worse move than the best it found.

Each move has a score, and is chosen with a probability that grows exponentially with the score divided by the doubt
(softmax). The score is the value as a chance to win, in standard deviations of all moves' values: what stands out is
seen, in any game, and of moves that differ little any may be played. After simulations the score is the logarithm of
the visits. Of a search that was stopped, the last finished depth counts. Each move starts with an empty memory, so the
same seed gives the same move, whatever was searched before.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from zermelo.arena.agents import Agent, place_in_time
from zermelo.arena.auto import AutoAgent
from zermelo.arena.equilibrium_agent import EquilibriumAgent
from zermelo.arena.levels import Effort, Level, level, skill_for_elo, vet_level
from zermelo.arena.search_agent import SearchAgent
from zermelo.core.analysis import Analysis, MoveAnalysis, Progress
from zermelo.core.errors import UsageError
from zermelo.core.game import Action, Game, State
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee, Table, table_for_agent
from zermelo.core.seat import Seat
from zermelo.core.winning_chances import expectation

if TYPE_CHECKING:
    import threading

    from zermelo.protocols.uci.searches import UciEngine
    from zermelo.search.alphabeta import Clock

MEGABYTES = 8
CAREFUL_LEVELS = 8
"""Above this level, small games with hidden information are played as an equilibrium does."""
MOST_SECONDS = 0.8
"""Maximum time for a move without a clock; interpreted searches need this limit."""
HURRY = 0.001
"""The bonus per ply for winning sooner: of two moves that win, the shorter one scores higher."""

Search = Callable[[Limit, Progress], Analysis]


class LevelAgent(Agent):
    """Plays at a level, by default with the algorithm that suits the game."""

    def __init__(
        self,
        number: int,
        algorithm: str = "auto",
        name: str = "",
        seed: int | None = None,
        limit: Limit | None = None,
    ) -> None:
        """`limit` applies in addition to the limits of the level."""
        self.number, self.algorithm, self.seed, self.limit = vet_level(number), algorithm, seed, limit or Limit()
        self.name = name or f"{algorithm}:level={number}"
        self._auto = AutoAgent(self.name)
        self._searchers: dict[str, SearchAgent] = {}

    def choose(self, referee: Table) -> Analysis:
        referee = table_for_agent(referee)
        if (agent := self._careless(referee)) is not None:
            with contextlib.suppress(UsageError):  # the position has no history
                return agent.choose(referee)
        found = level(referee.game, self.number)
        if found.limit is not None:
            return self._choose_best(referee, found.limit)
        return self._choose_with_doubt(referee, found)

    def policy(self, table: Table) -> tuple[float, ...] | None:
        agent = self._careless(table)
        return None if agent is None else agent.policy(table)

    def require(self, game: Game) -> None:
        """Raise Refused for a game that the algorithm does not fit."""
        if self.algorithm == "auto":
            self._auto.require(game)
        else:
            self._searcher(self.algorithm).require(game)

    def prepare(self, referee: Table) -> None:
        clock = level(referee.game, self.number).limit
        if (agent := self._careless(referee)) is not None:
            agent.prepare(referee)
        elif clock is not None and self.algorithm == "auto":
            self._auto.limit = clock
            self._auto.prepare(referee)
        else:
            self._searcher(self._suitable(referee)).prepare(referee)

    def for_game(self, seed: int) -> Agent:
        return LevelAgent(self.number, self.algorithm, self.name, seed if self.seed is None else self.seed, self.limit)

    def _careless(self, table: Table) -> EquilibriumAgent | None:
        """In a small game with hidden information, a player whose share of careless moves falls with the level."""
        if self.algorithm != "auto" or not isinstance(table, Seat) or not self._auto.has_equilibrium(table.game):
            return None
        share = max(0.0, 1 - (self.number - 1) / CAREFUL_LEVELS)
        return EquilibriumAgent(self.name, None, self.seed, carelessness=share)

    def _choose_best(self, referee: Table, clock: Limit) -> Analysis:
        agent: Agent = self._auto if self.algorithm == "auto" else self._searcher(self.algorithm)
        agent.limit, agent.progress, agent.stop = within(clock, self.limit), self.progress, self.stop
        return agent.choose(referee)

    def _choose_with_doubt(self, referee: Table, own: Level) -> Analysis:
        algorithm = self._suitable(referee)
        searcher, effort = self._searcher(algorithm), Effort.of(own.skill)
        rng = random.Random(f"{self.seed or 0}/{place_in_time(referee)}")
        searcher.seed, searcher.lines, searcher.stop = rng.getrandbits(31), len(referee.legal()), self.stop
        nodes = effort.simulations if algorithm == "mcts" else effort.nodes

        def search(limit: Limit, progress: Progress) -> Analysis:
            searcher.clear()
            searcher.limit, searcher.progress = within(limit, self.limit), progress
            return searcher.choose(referee)

        found = search_with_effort(search, nodes)
        return dataclasses.replace(choose_with_doubt(found, referee.game, effort.doubt, rng), seed=self.seed)

    def _suitable(self, referee: Table) -> str:
        return self._auto.algorithm(referee)[0] if self.algorithm == "auto" else self.algorithm

    def _searcher(self, algorithm: str) -> SearchAgent:
        """The search with this algorithm, which is kept from move to move, but for its memory."""
        if algorithm not in self._searchers:
            self._searchers[algorithm] = SearchAgent(self.name, algorithm, memory_mb=MEGABYTES)
        return self._searchers[algorithm]


class WeakEngine:
    """An engine for UCI whose strength is limited to an Elo."""

    def __init__(self, engine: UciEngine, elo: int) -> None:
        self.engine, self.elo = engine, elo

    def prepare(self, state: State) -> bool:
        return self.engine.prepare(state)

    def clear(self) -> None:
        self.engine.clear()

    def think(
        self,
        position: Referee,
        limit: Limit,
        *,
        clock: Clock | None = None,
        lines: int = 1,
        only: Sequence[Action] = (),
        stop: threading.Event | None = None,
        progress: Progress | None = None,
    ) -> Analysis:
        """Choose a move; the number of lines and the progress of the search are not for a weak player."""
        game, effort = position.game, Effort.of(skill_for_elo(position.game, self.elo))
        if clock is not None:
            limit = within(limit, Limit(time=clock.intended))

        def search(own: Limit, progress: Progress) -> Analysis:
            self.engine.clear()
            both = within(own, limit)
            return self.engine.think(
                position, both, lines=len(position.legal()), only=only, stop=stop, progress=progress
            )

        return choose_with_doubt(search_with_effort(search, effort.nodes), game, effort.doubt, random.Random())


def search_with_effort(search: Search, nodes: int) -> Analysis:
    """The deepest finished search with this many nodes, at least to depth 1."""
    finished: list[Analysis] = []

    def keep(found: Analysis) -> None:
        if found.stopped == "depth":
            finished[:] = [found]

    found = search(Limit(nodes=nodes, time=MOST_SECONDS), keep)
    if found.stopped in ("done", "depth", "user") or found.is_simulated:
        return found
    if not finished and found.stopped == "nodes":
        return search(Limit(depth=1, time=MOST_SECONDS), keep)
    return finished[0] if finished else found


def choose_with_doubt(found: Analysis, game: Game, doubt: float, rng: random.Random) -> Analysis:
    """The analysis of a move chosen at random, better ones more likely.

    Its value is an estimate of the position, because the best move may have a higher one.
    """
    if not found.moves:
        return found
    scores = _scores(found, game)
    best = max(scores)
    weights = [math.exp((score - best) / doubt) for score in scores]
    move = rng.choices(found.moves, weights)[0]
    return dataclasses.replace(
        found,
        action=move.action,
        actions=move.actions or (move.action,),
        value=move.value,
        kind="estimate",
        distance=None,
        moves=(move,),
    )


def _scores(found: Analysis, game: Game) -> list[float]:
    """The score of each move; a move without a value counts as the worst one."""
    if found.is_simulated:
        return [math.log1p(move.visits or 0) for move in found.moves]
    worths = [_worth(found, move, game) for move in found.moves]
    known = [worth for worth in worths if math.isfinite(worth)]
    if not known:
        return [0.0] * len(worths)
    mean = sum(known) / len(known)
    deviation = math.sqrt(sum((worth - mean) ** 2 for worth in known) / len(known)) or 1.0
    least = min(known)
    return [((worth if math.isfinite(worth) else least) - mean) / deviation for worth in worths]


def _worth(found: Analysis, move: MoveAnalysis, game: Game) -> float:
    """What the player to move expects of a move; winners hurry and losers delay."""
    own = move.value[found.to_move]
    if not math.isfinite(own):
        return own
    chance = expectation(found, move.value, move.kind, game, found.to_move)
    if move.distance is None:
        return own if chance is None else chance
    sooner = HURRY * move.distance
    worth = own if chance is None else chance
    return worth - sooner if own > game.middle() else worth + sooner


def within(limit: Limit, other: Limit) -> Limit:
    """The limit that keeps both."""
    smaller = {
        name: min((value for value in (getattr(limit, name), getattr(other, name)) if value is not None), default=None)
        for name in ("time", "nodes", "depth")
    }
    return Limit(**smaller)
