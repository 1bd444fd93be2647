"""The agent that plays an equilibrium: it draws each move from its mixture.

equilibrium                  solves a small game, once in a process
equilibrium:kuhn.strategy    reads a strategy that `zermelo solve kuhn --save kuhn.strategy` has written
"""

from __future__ import annotations

import math
import random
import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.arena.agents import Agent, place_in_time
from zermelo.core.analysis import Analysis, MoveAnalysis
from zermelo.core.errors import Refused
from zermelo.core.game import Action, Game, has_one_value
from zermelo.core.guards import require
from zermelo.core.limit import Limit
from zermelo.core.referee import Table, table_for_agent
from zermelo.core.seat import Seat

if TYPE_CHECKING:
    from zermelo.equilibrium.decisions import Decision
    from zermelo.equilibrium.strategy import Strategy

MOST_ENDS = 200_000
"""Games with more ends are not solved for a move."""
MOST_ENDS_AT_ONCE = 20_000
"""Games with at most this many ends are solved at once: exactly, if they can be."""
GOAL, MOST_ITERATIONS = 1e-4, 20_000
"""Larger ones up to this exploitability."""
MOST_HISTORIES, MOST_SETS = 60_000, 20_000
"""How much is walked for the worth of moves."""
WORTH_PLACES = 4
"""Decimal places: what the others are believed to hold includes slips (see `Judge`)."""
DOUBT = 0.25
"""Of the scale of payoffs: a careless player makes a move that gives this away e times less often than the best one."""
KEPT = 4


@dataclass
class Solved:
    """A game with a strategy for it."""

    game: Game
    strategy: Strategy

    @cached_property
    def decisions(self) -> dict[tuple[int, int], Decision]:
        """What the decisions of a small game are worth, by player and information set; none if it may be large."""
        from zermelo.equilibrium.decisions import Judge

        if self.strategy.forgets or self.strategy.is_partial:
            return {}
        judge = Judge(self.game, self.strategy)
        found = judge.decisions(MOST_HISTORIES, MOST_SETS, with_bluffs=False)
        return {(one.player, int(one.key)): one for one in found}

    def key_of(self, seat: Seat) -> int:
        """The key of a seat's information set; if the seat's memories have a gap, the only set with this view."""
        from zermelo.equilibrium.strategy import Recall

        if self.strategy.forgets:
            return int(self.strategy.recall(seat.player).key(seat.view))
        if not seat.is_whole:
            view = seat.format_view()
            found = [one for one in self.decisions.values() if (one.player, one.view) == (seat.player, view)]
            if len(found) == 1:
                return int(found[0].key)
        return Recall.key_of(seat)


_solved: OrderedDict[str, Solved] = OrderedDict()
_solving = threading.Lock()
_small: dict[tuple[type[Game], str, int], bool] = {}
"""Whether a game has so few ends."""


def find_solution(game: Game, most_ends: int = MOST_ENDS) -> Solved:
    """The solution of a small game, which is kept; Refused if the game has more ends."""
    from zermelo.equilibrium.answers import solve, suits_programme
    from zermelo.equilibrium.flatten import flatten

    with _solving:
        name = game.spec()
        known = _solved.pop(name, None)
        if known is None or known.game is not game:
            form = flatten(game, most_ends)
            is_small = form.sequences.shape[1] <= MOST_ENDS_AT_ONCE and suits_programme(form)
            method = "lp" if is_small else "cfr+"
            known = Solved(game, solve(game, method, to=GOAL, iterations=MOST_ITERATIONS).strategy)
        _solved[name] = known
        while len(_solved) > KEPT:
            _solved.popitem(last=False)
        return known


def is_solved_at_once(game: Game) -> bool:
    """Whether a game between two opponents is so small that its equilibrium is found at once."""
    from zermelo.equilibrium.flatten import flatten

    if not game.hidden or game.players != 2:
        return False
    key = type(game), game.spec(), MOST_ENDS_AT_ONCE
    if key not in _small:
        try:
            _small[key] = flatten(game, MOST_ENDS_AT_ONCE).total is not None
        except Refused:
            _small[key] = False
    return _small[key]


@dataclass
class EquilibriumAgent(Agent):
    """Plays each move with the probability that an equilibrium gives it."""

    name: str = "equilibrium"
    path: Path | None = None
    seed: int | None = None
    limit: Limit = Limit()
    lines: int = 1
    """With more than one, the answer says what the moves are worth."""
    game_seed: int | None = None
    carelessness: float = 0.0
    """The share of a careless player's moves in the mixture: the more a move loses, the rarer it is."""

    def __post_init__(self) -> None:
        self._read: Solved | None = None

    def choose(self, referee: Table) -> Analysis:
        table = table_for_agent(referee)
        shares = self.policy(table)
        rng = random.Random(f"{self.seed}/{self.game_seed}/{place_in_time(table)}")
        if self.seed is None and self.game_seed is None:
            rng = random.Random()
        action = rng.choices(table.legal(), shares)[0]
        assert isinstance(table, Seat)
        moves = tuple(self._moves(table, shares))
        strategy = self._solution(table.game).strategy
        return Analysis.of(
            table,
            self.name,
            action,
            moves=moves,
            seed=self.seed,
            exploitability=None if self.carelessness else strategy.notes.get("exploitability"),
            value=next((move.value for move in moves if move.action == action), ()),
        )

    def policy(self, table: Table) -> tuple[float, ...]:
        """The probability of each legal move."""
        require(table.game, "equilibrium")
        assert isinstance(table, Seat)
        found = self._solution(table.game)
        shares = found.strategy.at(table.player, found.key_of(table), len(table.legal()))
        if not self.carelessness:
            return shares
        careless = self._careless(table)
        return tuple(
            (1 - self.carelessness) * own + self.carelessness * other
            for own, other in zip(shares, careless, strict=True)
        )

    def _careless(self, seat: Seat) -> list[float]:
        """A probability for each move that falls with what it gives away; equal ones if that is unknown."""
        worth = self._worth(seat) or (0.0,) * len(seat.legal())
        low, high = seat.game.utility_range
        doubt = DOUBT * (high - low) if math.isfinite(high - low) else max(worth) - min(worth) or 1.0
        weights = [math.exp((one - max(worth)) / doubt) for one in worth]
        return [weight / sum(weights) for weight in weights]

    def strategy(self, game: Game) -> Strategy:
        """The strategy for the whole game."""
        return self._solution(game).strategy

    def require(self, game: Game) -> None:
        require(game, "equilibrium")
        if self.path is not None:
            self._solution(game)

    def prepare(self, referee: Table) -> None:
        self._solution(referee.game)

    def for_game(self, seed: int) -> Agent:
        found = replace(self, game_seed=seed)
        found._read = self._read
        return found

    def _solution(self, game: Game) -> Solved:
        from zermelo.equilibrium.strategy import Strategy

        if self.path is None:
            return find_solution(game)
        if self._read is None or self._read.game is not game:
            strategy = Strategy.load(self.path)
            strategy.check(game)
            self._read = Solved(game, strategy)
        return self._read

    def _moves(self, seat: Seat, shares: tuple[float, ...]) -> list[MoveAnalysis]:
        """The moves, the likeliest one first."""
        unknown = (float("nan"),) * seat.game.players
        values = [unknown] * len(shares)
        if self.lines > 1 and (worth := self._worth(seat)):
            values = [payoffs_for(seat, own) for own in worth]
        found = zip(seat.legal(), shares, values, strict=True)
        ranked: list[tuple[Action, float, tuple[float, ...]]] = sorted(found, key=lambda one: -one[1])
        return [
            MoveAnalysis(action, value, "estimate", actions=(action,), probability=share)
            for action, share, value in ranked
        ]

    def _worth(self, seat: Seat) -> tuple[float, ...]:
        """What the moves win on average over what the player cannot see; empty if the game is too large for that."""
        found = self._solution(seat.game)
        decision = found.decisions.get((seat.player, found.key_of(seat)))
        return decision.worth if decision is not None else ()


def payoffs_for(seat: Seat, own: float) -> tuple[float, ...]:
    """The values of all players, as far as the player's own decides them."""
    own = round(own, WORTH_PLACES) + 0.0
    others = 0.0 - own if has_one_value(seat.game) else float("nan")
    return tuple(own if player == seat.player else others for player in range(seat.game.players))
