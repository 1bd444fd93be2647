"""The agent for any game: it solves, searches or simulates, and reports what it chose and why."""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import math
import random

from zermelo.arena.agents import (
    DEFAULT_LIMIT,
    GLANCE,
    Agent,
    SolveAgent,
)
from zermelo.arena.equilibrium_agent import EquilibriumAgent, find_solution, is_solved_at_once
from zermelo.arena.search_agent import SearchAgent
from zermelo.core.analysis import Analysis, Progress
from zermelo.core.errors import NotProved, Refused, RulesError, UsageError
from zermelo.core.game import Game, State, legal_actions
from zermelo.core.guards import ALGORITHMS, preferred_algorithm, suitable_algorithms
from zermelo.core.limit import Limit
from zermelo.core.random_games import random_game
from zermelo.core.referee import Table, open_table, table_for_agent
from zermelo.core.repetition import Repetition
from zermelo.core.seat import Seat

log = logging.getLogger(__name__)

SMALL = 500
"""A game with at most this many positions left is solved at once."""
TRIALS, LONGEST_TRIAL = 30, 400
"""Random games to estimate the size of a game, and their plies at most."""
PROVABLE = 100_000
"""A proof is tried if it needs at most this many positions for every second of the limit."""
PROOF_SHARE = 0.25
"""Share of the time for a proof that may fail."""


class AutoAgent(Agent):
    """Solves small games, and searches others with the algorithm that suits them; the first note says which."""

    def __init__(
        self,
        name: str = "auto",
        limit: Limit = DEFAULT_LIMIT,
        seed: int | None = None,
        progress: Progress | None = None,
        lines: int = 1,
    ) -> None:
        """`lines` is how many of the best moves get a value, at least."""
        self.name, self.limit, self.seed, self.progress, self.lines = name, limit, seed, progress, lines
        self._game: Game | None = None
        self._usual = "", ""
        self._small: tuple[Game, bool] | None = None
        self._searchers: dict[str, Agent] = {}
        """By algorithm: the choice also depends on the limit, which may change from move to move."""

    def choose(self, referee: Table) -> Analysis:
        from zermelo.search.choices import must_choose

        must_choose(referee, self.name)
        game, limit, table = referee.game, self.limit, table_for_agent(referee)
        if isinstance(table, Seat) and self.has_equilibrium(game):
            agent = EquilibriumAgent(self.name, None, self.seed, lines=self.lines)
            with contextlib.suppress(UsageError):  # the position has no history
                return _with_note(agent.choose(table), "auto found an equilibrium, and draws its moves at random")
        if _is_solvable(game):
            size = positions_below(game, open_table(referee).state, SMALL)
            if size is not None and (found := self._try_to_solve(referee, limit, 1)):
                return _with_note(found, f"auto solved the game from here: only {size} positions are left")
            if size is None and limit.time is not None and (power := self._worth_a_proof(referee)) is not None:
                if found := self._try_to_solve(referee, Limit(time=PROOF_SHARE * limit.time), 64):
                    return _with_note(found, f"auto solved the game from here: its tree has about 10^{power} nodes")
                limit = dataclasses.replace(limit, time=(1 - PROOF_SHARE) * limit.time)
        searcher, why = self._search_for(referee)
        searcher.limit, searcher.lines = limit, self.lines
        searcher.progress, searcher.stop = self.progress, self.stop
        return _with_note(searcher.choose(referee), why)

    def policy(self, table: Table) -> tuple[float, ...] | None:
        if isinstance(table, Seat) and self.has_equilibrium(table.game):
            return EquilibriumAgent(self.name, None, self.seed).policy(table)
        return None

    def require(self, game: Game) -> None:
        from zermelo.search.dispatcher import require_worlds

        require_worlds(game)

    def prepare(self, referee: Table) -> None:
        if referee.game.hidden and self.has_equilibrium(referee.game):
            find_solution(referee.game)
            return
        if _is_solvable(referee.game):
            is_small = positions_below(referee.game, open_table(referee).state, SMALL) is not None
            if is_small or (self.limit.time is not None and self._worth_a_proof(referee) is not None):
                self._try_to_solve(referee, GLANCE, 1)
            if is_small:
                return
        self._search_for(referee)[0].prepare(referee)

    def for_game(self, seed: int) -> Agent:
        return AutoAgent(self.name, self.limit, seed if self.seed is None else self.seed, self.progress, self.lines)

    def has_equilibrium(self, game: Game) -> bool:
        """Whether the whole game is so small that its equilibrium is found at once."""
        if self._small is None or self._small[0] is not game:
            self._small = game, is_solved_at_once(game)
        return self._small[1]

    def _try_to_solve(self, referee: Table, limit: Limit, memory_mb: int) -> Analysis | None:
        try:
            log.info("auto tries to solve %s", referee.game)
            solver = SolveAgent(self.name, limit, memory_mb)
            solver.stop = self.stop
            return solver.choose(referee)
        except (NotProved, Refused, RulesError) as error:  # too large, or without a solution that settles
            log.info("auto did not solve it: %s", error)
            return None

    def _worth_a_proof(self, referee: Table) -> int | None:
        """The decimal exponent of the game's size if a proof is likely to succeed within the limit, else None."""
        game = referee.game
        is_cut = game.players <= 2 and game.zero_sum and not game.chance  # alpha-beta needs the square root of it
        assert self.limit.time is not None
        most = (2 if is_cut else 1) * math.log10(PROVABLE * self.limit.time)
        power = tree_size(game, open_table(referee).state, most)
        return round(power) if power <= most else None

    def _search_for(self, referee: Table) -> tuple[Agent, str]:
        """The agent that searches this game, which keeps its search from move to move, and why it was chosen."""
        algorithm, reason = self.algorithm(referee)
        why = f"auto chose {ALGORITHMS[algorithm].title} for {referee.game.name}: {reason}"
        if algorithm not in self._searchers:
            self._searchers[algorithm] = SearchAgent(self.name, algorithm, self.limit, seed=self.seed)
            log.info(why)
        return self._searchers[algorithm], why

    def algorithm(self, referee: Table) -> tuple[str, str]:
        """The algorithm that searches this game within the current limit, and why."""
        from zermelo.search import default_algorithm
        from zermelo.search.choices import moves_fit

        if self._game is not referee.game:
            self._game, self._usual, self._searchers = referee.game, default_algorithm(referee.game), {}
        algorithm, reason = self._usual
        if algorithm == "mcts" and self.limit.depth is not None and (self.limit.time or self.limit.nodes) is None:
            return preferred_algorithm(referee.game), "it can search to a depth"
        if algorithm == "mcts" and not moves_fit(referee.game, referee.known_state):
            return preferred_algorithm(referee.game), f"{reason}, and its moves are not whole numbers"
        return algorithm, reason


def positions_below(game: Game, state: State, most: int) -> int | None:
    """Count the positions that can still be reached, this one included; None if there are more than `most`."""
    seen = {state}
    waiting = [state]
    while waiting:
        here = waiting.pop()
        for action in legal_actions(game, here):
            there = game.result(here, action)
            if there not in seen:
                seen.add(there)
                waiting.append(there)
                if len(seen) > most:
                    return None
    return len(seen)


def tree_size(game: Game, state: State, most: float = math.inf) -> float:
    """Estimate the decimal logarithm of the size of a game tree from random games [Knuth 1975].

    It is infinite if a game is endless, or as soon as the estimate is certain to exceed `most`. A random game stands
    for as many lines as the product of its numbers of moves. Transpositions are not recognised, so a game with few
    positions may have a much larger tree.
    """
    rng, sizes = random.Random(0), []
    for _ in range(TRIALS):
        size, moves = 0.0, [None]
        for _, moves in random_game(game, state, rng, LONGEST_TRIAL):
            size += math.log10(len(moves) or 1)
            if size - math.log10(TRIALS) > most:
                return math.inf
        if moves:
            return math.inf
        sizes.append(size)
    top = max(sizes)
    return top + math.log10(sum(10 ** (size - top) for size in sizes) / TRIALS)


def _is_solvable(game: Game) -> bool:
    return "solve" in suitable_algorithms(game) and game.repetition is Repetition.NOTHING


def _with_note(found: Analysis, note: str) -> Analysis:
    return dataclasses.replace(found, notes=(note, *found.notes))
