"""The requirements of each algorithm. Searches check them first, and errors name an algorithm that fits."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass

from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import Game, knows, suggest


@dataclass(frozen=True)
class Needs:
    """The requirements of an algorithm."""

    title: str
    players: tuple[int, int] = (1, 64)
    zero_sum: bool = False
    dice: bool = False
    """Whether it can handle chance."""
    hidden: bool = False
    """Whether it can handle hidden information."""
    secret: bool = False
    """Whether it is for hidden information only."""
    bounded: bool = False
    """Whether it relies on a `utility_range` of finite width."""

    def obstacles(self, game: Game) -> list[str]:
        """The properties of the game that the algorithm cannot handle."""
        found = []
        low, high = self.players
        if not low <= game.players <= high:
            found.append(_players(game.players))
        if self.zero_sum and game.players > 1 and not game.zero_sum:
            found.append("payoffs that do not sum to zero")
        if game.chance and not self.dice:
            found.append("dice")
        if game.hidden and not self.hidden:
            found.append("hidden information")
        if self.secret and not game.hidden:
            found.append("nothing that is hidden")
        if self.bounded and not is_bounded(game):
            found.append("payoffs without such limits")
        return found

    def describe_missing(self, game: Game) -> str:
        """The unmet requirements as text."""
        low, high = self.players
        parts = ["at most two players" if game.players > 2 else "two players"] if high == 2 else []
        parts += [f"at most {high} players"] * (2 < high < game.players)
        parts += ["at least one player"] * (game.players < low)
        parts += ["payoffs that sum to zero"] * (self.zero_sum and not game.zero_sum)
        parts += ["no dice"] * (game.chance and not self.dice)
        parts += ["no hidden information"] * (game.hidden and not self.hidden)
        parts += ["hidden information"] * (self.secret and not game.hidden)
        parts += ["a utility_range of finite width"] * (self.bounded and not is_bounded(game))
        return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts)


ALGORITHMS: dict[str, Needs] = {
    "minimax": Needs("minimax", players=(1, 2), zero_sum=True),
    "alphabeta": Needs("alpha-beta", players=(1, 2), zero_sum=True),
    "quiescence": Needs("quiescence search", players=(1, 2), zero_sum=True),
    "expectiminimax": Needs("expectiminimax", players=(1, 2), zero_sum=True, dice=True),
    "star1": Needs("Star1", players=(1, 2), zero_sum=True, dice=True, bounded=True),
    "star2": Needs("Star2", players=(1, 2), zero_sum=True, dice=True, bounded=True),
    "maxn": Needs("max^n", dice=True),
    "paranoid": Needs("paranoid search", dice=True),
    "bestreply": Needs("best-reply search", dice=True),
    "expectimax": Needs("expectimax", dice=True),
    "determinised": Needs("determinisation", players=(1, 2), zero_sum=True, dice=True, hidden=True),
    "mcts": Needs("Monte Carlo tree search", dice=True, hidden=True),
    "solve": Needs("solve", dice=True),
    "equilibrium": Needs("an equilibrium", dice=True, hidden=True, secret=True),
    "random": Needs("random play", players=(1, sys.maxsize), dice=True, hidden=True),
}


def agent_title(agent: str) -> str:
    """The name of an agent that people read: `alpha-beta` for "alphabeta"."""
    return ALGORITHMS[agent].title if agent in ALGORITHMS else agent


def require(game: Game, algorithm: str) -> None:
    """Raise Refused if the algorithm does not fit the game."""
    if algorithm not in ALGORITHMS:
        raise UsageError(f"there is no algorithm {algorithm!r}; {suggest(ALGORITHMS, '')}")
    needs = ALGORITHMS[algorithm]
    if obstacles := needs.obstacles(game):
        other = "equilibrium" if algorithm == "solve" and game.hidden else preferred_algorithm(game)
        remedy = f": use {other}" if suitable_algorithms(game) else ""
        raise Refused(
            f"{needs.title} needs {needs.describe_missing(game)}; {game.name} has {' and '.join(obstacles)}{remedy}"
        )


def suitable_algorithms(game: Game) -> list[str]:
    """The algorithms that fit the game."""
    return [name for name, needs in ALGORITHMS.items() if not needs.obstacles(game)]


def preferred_algorithm(game: Game) -> str:
    """The preferred algorithm for the game."""
    for name in ("alphabeta", "expectiminimax", "maxn", "determinised"):
        if not ALGORITHMS[name].obstacles(game):
            return name
    return "random"


def is_bounded(game: Game, players: int = 1) -> bool:
    """Whether the summed payoffs of this many players have finite limits, whose difference is finite too."""
    low, high = game.utility_range
    return math.isfinite(players * high - players * low)


def has_evaluation(game: Game) -> bool:
    """Whether the game can evaluate a position before the end."""
    return knows(game, "evaluate")


def _players(count: int) -> str:
    names = {1: "one player", 2: "two players", 3: "three players", 4: "four players"}
    return names.get(count, f"{count} players")
