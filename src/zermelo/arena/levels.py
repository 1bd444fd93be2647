"""Levels of strength, from 1 to 10, the same for every game, agent and way to play.

The highest levels search with a clock. The others are points on one scale of skill: with more skill, an agent searches
more nodes and has less doubt about the values that it finds (see `level_agent`). How much skill a level has depends on
the game, because a game of skill has more room between a beginner and a master than a game of luck. It was measured by
`benchmarks/levels.py`; `docs/levels.md` has the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from zermelo.core.errors import UsageError
from zermelo.core.game import Game
from zermelo.core.limit import Limit

NAMES = (
    "first steps",
    "beginner",
    "learner",
    "casual",
    "steady",
    "thoughtful",
    "clever",
    "strong",
    "very strong",
    "full strength",
)
HIGHEST_LEVEL = len(NAMES)
USUAL_LEVEL = 4
CLOCKS = {9: Limit(time=1.0), 10: Limit(time=5.0)}
"""The levels that search with a clock and play the best move."""
USUAL_SKILLS = (0.0, 1.5, 3.0, 4.5, 6.0, 7.5, 9.0, 10.5)
"""The skill of each level without a clock, in a game that was not measured."""
SKILLS: dict[str, tuple[float, ...]] = {
    "tic-tac-toe": (-2.0, 0.5, 1.7, 2.6, 3.4, 4.2, 5.0, 10.4),
    "hexapawn": (-3.0, -1.5, -0.2, 0.9, 1.8, 2.6, 3.8, 8.9),
    "connect-four": (0.2, 1.8, 3.1, 4.1, 5.1, 6.5, 8.5, 10.5),
    "nim": (0.4, 2.2, 3.8, 5.1, 6.5, 7.8, 9.1, 10.5),
    "pig": (-2.2, -1.4, -0.7, 0.1, 0.9, 1.9, 2.9, 5.0),
    "trio": (1.1, 1.9, 2.7, 3.4, 4.1, 4.8, 6.4, 10.5),
    "othello": (2.3, 3.8, 5.0, 6.3, 7.5, 8.6, 9.6, 10.5),
    "checkers": (0.6, 2.3, 3.8, 5.2, 6.5, 7.9, 9.3, 10.5),
    "kalah": (-3.0, 1.3, 2.7, 3.9, 5.1, 6.2, 7.4, 10.5),
    "oware": (0.3, 2.3, 4.0, 5.5, 6.9, 8.3, 9.5, 10.5),
    "go": (1.6, 3.2, 4.2, 5.3, 6.5, 7.7, 9.1, 10.5),
    "backgammon": (-0.6, 1.4, 2.8, 4.1, 5.3, 6.9, 8.7, 10.5),
}
"""The same for the games that were measured, with their usual options."""
ELOS: dict[str, tuple[int, ...]] = {"chess": (800, 1000, 1200, 1400, 1600, 1800, 2000, 2200)}
"""The Elo of these levels, where other programs are a measure."""


@dataclass(frozen=True)
class Effort:
    """How hard an agent without a clock tries."""

    nodes: int
    simulations: int
    """The limit, instead of nodes, of Monte Carlo tree search."""
    doubt: float
    """The temperature of the choice among the moves; 0 always takes the best one."""

    @classmethod
    def of(cls, skill: float) -> Effort:
        """One unit of skill doubles the nodes, and two units halve the doubt."""
        return cls(round(100 * 2**skill), round(16 * 2 ** (0.8 * skill)), 3 * 2 ** (-skill / 2))


@dataclass(frozen=True)
class Level:
    """A level of a game."""

    number: int
    name: str
    limit: Limit | None
    """The clock of a level that plays the best move it finds in this time."""
    skill: float = 0.0
    elo: int | None = None

    def describe(self) -> str:
        """The name, with the Elo if it is known."""
        return self.name if self.elo is None else f"{self.name}, about {self.elo} Elo"


def levels(game: Game) -> list[Level]:
    """The levels of a game, from 1."""
    skills = SKILLS.get(game.name, USUAL_SKILLS)
    elos = ELOS.get(game.name, ())
    return [
        Level(
            number,
            name,
            CLOCKS.get(number),
            skills[number - 1] if number <= len(skills) else 0.0,
            elos[number - 1] if number <= len(elos) else None,
        )
        for number, name in enumerate(NAMES, 1)
    ]


def level(game: Game, number: int) -> Level:
    return levels(game)[vet_level(number) - 1]


def vet_level(number: int) -> int:
    """Raise UsageError if there is no such level."""
    if not 1 <= number <= HIGHEST_LEVEL:
        raise UsageError(f"there is no level {number}; the levels are 1 to {HIGHEST_LEVEL}, the strongest")
    return number


def parse_level(text: str) -> int:
    """Read the number of a level."""
    if not text.strip().isdecimal():
        raise UsageError(f"a level is a whole number from 1 to {HIGHEST_LEVEL}, not {text!r}")
    return vet_level(int(text))


def elo_range(game: Game) -> tuple[int, int] | None:
    """The lowest and the highest Elo that a game's levels are a measure for; None if there is none."""
    elos = ELOS.get(game.name)
    return None if elos is None else (elos[0], elos[-1])


def skill_for_elo(game: Game, elo: float) -> float:
    """The skill for an Elo within the range, between those of the two nearest levels."""
    points = list(zip(ELOS[game.name], SKILLS.get(game.name, USUAL_SKILLS), strict=False))
    for (low, skill), (high, more) in pairwise(points):
        if elo <= high:
            return skill + (more - skill) * (elo - low) / (high - low)
    return points[-1][1]


def at_level(agent: str, level: str) -> str:
    """The text of an agent with a level, as in `auto:level=4`."""
    number = parse_level(level)
    if agent.partition(":")[0].strip().lower() in ("human", "random", "solve", "equilibrium", "uci", "gtp"):
        raise UsageError(f"{agent} has no levels; leave out --level")
    return f"{agent}{',' if ':' in agent else ':'}level={number}"
