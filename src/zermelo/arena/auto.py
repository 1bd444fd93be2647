"""The agent for any game: it solves, searches or simulates, and reports what it chose and why."""

from __future__ import annotations

import dataclasses
import logging
import math
import random

from zermelo.arena.agents import (
    DEFAULT_LIMIT,
    GLANCE,
    Agent,
    Progress,
    SearchAgent,
    SolveAgent,
    require_worlds,
)
from zermelo.arena.search_agents import KINDS
from zermelo.core.analysis import Analysis
from zermelo.core.errors import NotProved, Refused, RulesError
from zermelo.core.game import Game, State, legal_actions
from zermelo.core.guards import ALGORITHMS, fitting, preferred_algorithm
from zermelo.core.limit import Limit
from zermelo.core.random_games import random_game
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition

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
        self._searchers: dict[str, Agent] = {}
        """By algorithm: the choice also depends on the limit, which may change from move to move."""

    def choose(self, referee: Referee) -> Analysis:
        game, limit = referee.game, self.limit
        if _is_solvable(game):
            size = positions_below(game, referee.state, SMALL)
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

    def require(self, game: Game) -> None:
        require_worlds(game)

    def prepare(self, referee: Referee) -> None:
        game = referee.game
        if _is_solvable(game) and positions_below(game, referee.state, SMALL) is not None:
            self._try_to_solve(referee, GLANCE, 1)
        else:
            self._search_for(referee)[0].prepare(referee)

    def for_game(self, seed: int) -> Agent:
        return AutoAgent(self.name, self.limit, seed if self.seed is None else self.seed, self.progress, self.lines)

    def _try_to_solve(self, referee: Referee, limit: Limit, memory_mb: int) -> Analysis | None:
        try:
            log.info("auto tries to solve %s", referee.game)
            return SolveAgent(self.name, limit, memory_mb).choose(referee)
        except (NotProved, Refused, RulesError) as error:  # too large, or without a solution that settles
            log.info("auto did not solve it: %s", error)
            return None

    def _worth_a_proof(self, referee: Referee) -> int | None:
        """The decimal exponent of the game's size if a proof is likely to succeed within the limit, else None."""
        game = referee.game
        power = tree_size(game, referee.state)
        is_cut = game.players <= 2 and game.zero_sum and not game.chance  # alpha-beta needs the square root of it
        assert self.limit.time is not None
        return round(power) if power / (2 if is_cut else 1) <= math.log10(PROVABLE * self.limit.time) else None

    def _search_for(self, referee: Referee) -> tuple[Agent, str]:
        """The agent that searches this game, which keeps its search from move to move, and why it was chosen."""
        algorithm, reason = self.algorithm(referee)
        why = f"auto chose {ALGORITHMS[algorithm].title} for {referee.game.name}: {reason}"
        if algorithm not in self._searchers:
            self._searchers[algorithm] = self._agent_for(algorithm)
            log.info(why)
        return self._searchers[algorithm], why

    def algorithm(self, referee: Referee) -> tuple[str, str]:
        """The algorithm that searches this game within the current limit, and why."""
        from zermelo.search import Mcts, default_algorithm

        if self._game is not referee.game:
            self._game, self._usual, self._searchers = referee.game, default_algorithm(referee.game), {}
        algorithm, reason = self._usual
        if algorithm == "mcts" and self.limit.depth is not None and (self.limit.time or self.limit.nodes) is None:
            return preferred_algorithm(referee.game), "it can search to a depth"
        if algorithm == "mcts" and not Mcts.fits(referee.game, referee.state):
            return preferred_algorithm(referee.game), f"{reason}, and its moves are not whole numbers"
        return algorithm, reason

    def _agent_for(self, algorithm: str) -> Agent:
        if algorithm in KINDS:
            return KINDS[algorithm](self.name, algorithm, self.limit, seed=self.seed)
        return SearchAgent(self.name, algorithm, self.limit, self.seed, self.progress, self.lines)


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


def tree_size(game: Game, state: State) -> float:
    """Estimate the decimal logarithm of the size of a game tree from random games [Knuth 1975]; infinite if endless.

    A random game stands for as many lines as the product of its numbers of moves. Transpositions are not recognised,
    so a game with few positions may have a much larger tree.
    """
    rng, sizes = random.Random(0), []
    for _ in range(TRIALS):
        counts = [len(moves) for _, moves in random_game(game, state, rng, LONGEST_TRIAL)]
        if counts[-1] > 0:
            return math.inf
        sizes.append(sum(map(math.log10, counts[:-1])))
    top = max(sizes)
    return top + math.log10(sum(10 ** (size - top) for size in sizes) / TRIALS)


def _is_solvable(game: Game) -> bool:
    return "solve" in fitting(game) and game.repetition is Repetition.NOTHING


def _with_note(found: Analysis, note: str) -> Analysis:
    return dataclasses.replace(found, notes=(note, *found.notes))
