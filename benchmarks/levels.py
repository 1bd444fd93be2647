"""How strong the levels are: python benchmarks/levels.py [GAME ...] [--minutes 5] [--stockfish] [--ladder]

Agents of many skills play each other, at random openings and with every seat, and against random play.
Their Elo is the maximum of the likelihood of all games (Bradley and Terry), with a weak belief that the Elo is a smooth
function of the skill.

Without a further option, the skills of a grid are measured, and the skills of the levels are proposed: the first level
is 15 % of the way from random play to the strongest skill, the highest one without a clock is the strongest, and the
others lie between them in even steps of Elo.

    --minutes    processor time for each game
    --stockfish  chess only: some skills against Stockfish at several values of its UCI_Elo, which fixes the scale;
                 the levels are then proposed at the Elo that they are named for
    --ladder     the levels as they are instead of a grid: each against the next two, those with a clock included

In a game of several players, points are for every pair of an agent of one skill and one of the other; in a game for one
player, two agents compare what they reach with the same dice.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product

import numpy as np
from scipy.optimize import minimize

from zermelo.arena import level_agent
from zermelo.arena.agents import Agent, agent
from zermelo.arena.level_agent import LevelAgent
from zermelo.arena.levels import ELOS, NAMES, Level, levels
from zermelo.arena.match import MatchResult, play_match
from zermelo.core.analysis import Analysis
from zermelo.core.game import Game
from zermelo.core.referee import Table
from zermelo.games import find, names

GRID = (-3.0, -1.0, 1.0, 3.0, 5.0, 7.0, 9.0, 10.5)
RANDOM = "random"
ANCHORS = {1350: (3.0, 5.0), 1600: (5.0, 7.0), 1850: (5.0, 7.0, 9.0), 2100: (7.0, 9.0, 10.5)}
"""The values of UCI_Elo, and the skills that play against them."""
ANCHOR_NODES = 20_000
"""More than the depth at which Stockfish chooses a move for these values."""
MOST_GAMES = 400
"""Of a pair."""
LEAST_GAMES = 8
SMOOTH = 120.0
"""Elo by which two neighbouring steps of the grid usually differ."""
BEGINNER = 0.15
"""The first level's share of the way from random play to the strongest skill."""
CLOCKLESS = 8
PATIENT = 30.0
"""Seconds for a move, instead of the usual limit: a busy machine must not make the levels weaker."""


class SkillAgent(LevelAgent):
    """Plays with a skill that no level needs to have."""

    def __init__(self, skill: float, seed: int | None = None) -> None:
        super().__init__(1, name=f"skill {skill:g}", seed=seed)
        self.skill = skill

    def choose(self, referee: Table) -> Analysis:
        return self._choose_with_doubt(referee, Level(0, "", None, self.skill))

    def for_game(self, seed: int) -> Agent:
        return SkillAgent(self.skill, seed)


@dataclass
class Results:
    """The points of all pairs of players so far, and the processor time that they took."""

    games: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    points: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    seconds: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))

    def count(self, pair: tuple[str, str], points: float, games: int, seconds: float) -> None:
        self.games[pair] += games
        self.points[pair] += points
        self.seconds[pair] += seconds


def play(game: Game, players: dict[str, Agent], pairs: Sequence[tuple[str, str]], budget: float) -> Results:
    """Let all pairs play rounds until each has used its share of the processor time."""
    table = Results()
    share = budget / len(pairs)
    open_pairs = list(pairs)
    number = 0
    while open_pairs:
        for pair in list(open_pairs):
            begun = time.process_time()
            points, games = play_round(game, players[pair[0]], players[pair[1]], number)
            table.count(pair, points, games, time.process_time() - begun)
            is_enough = table.games[pair] >= LEAST_GAMES and table.seconds[pair] >= share
            if is_enough or table.games[pair] >= MOST_GAMES:
                open_pairs.remove(pair)
        number += 1
    return table


def play_round(game: Game, one: Agent, other: Agent, number: int) -> tuple[float, int]:
    """The points of the first agent, and the number of games."""
    if game.players == 1:
        first, second = (play_match(game, [each], games=1, seed=number).payoffs()[0] for each in (one, other))
        return compared(first, second), 1
    seats = [one if seat % 2 == 0 else other for seat in range(game.players)]
    found = play_match(game, seats, games=game.players, seed=number)
    return sum(points_of(found, game.players)), game.players


def points_of(found: MatchResult, players: int) -> list[float]:
    """For each game the mean over all pairs of an agent of the first kind and one of the second."""
    found_points = []
    for record in found.records:
        assert record.result is not None
        payoff = {index: record.result[seat] for seat, index in enumerate(record.seats)}
        duels = product(range(0, players, 2), range(1, players, 2))
        points = [compared(payoff[one], payoff[other]) for one, other in duels]
        found_points.append(sum(points) / len(points))
    return found_points


def compared(one: float, other: float) -> float:
    return 0.5 if one == other else float(one > other)


def fit(
    order: Sequence[str], table: Results, known: dict[str, float], scale: Sequence[str]
) -> dict[str, tuple[float, float]]:
    """The Elo of each player and its standard error, smooth along the players of the scale.

    The Elo of the first player is 0, unless that of others is known.
    """
    fixed = known or {order[0]: 0.0}
    free = [name for name in order if name not in fixed]
    smooth = list(zip(scale, scale[1:], scale[2:], strict=False))

    def elos(x: np.ndarray) -> dict[str, float]:
        return {**fixed, **dict(zip(free, x, strict=True))}

    def loss(x: np.ndarray) -> float:
        elo = elos(x)
        total = 0.0
        for (one, other), games in table.games.items():
            points = table.points[one, other]
            ahead = (elo[one] - elo[other]) * np.log(10) / 400
            total += games * np.logaddexp(0, -ahead) + (games - points) * ahead
        for low, mid, high in smooth:
            total += (elo[low] - 2 * elo[mid] + elo[high]) ** 2 / (2 * SMOOTH**2)
        return float(total + 1e-7 * sum(value**2 for value in elo.values()))

    start = np.linspace(100, 1000, len(free)) + (min(fixed.values()) if known else 0)
    found = minimize(loss, start, method="BFGS")
    errors = np.sqrt(np.diag(found.hess_inv))
    result = {name: (value, 0.0) for name, value in fixed.items()}
    result.update({name: (value, error) for name, value, error in zip(free, found.x, errors, strict=True)})
    return result


def propose(skills: Sequence[float], elos: Sequence[float], wanted: Sequence[float]) -> list[float]:
    """The skills with the wanted Elos, by straight lines between those that were measured."""
    rising = np.maximum.accumulate(np.array(elos) + 1e-3 * np.arange(len(elos)))
    return [round(float(skill), 1) for skill in np.interp(wanted, rising, skills)]


def report(table: Results, found: dict[str, tuple[float, float]]) -> None:
    for name, (elo, error) in sorted(found.items(), key=lambda item: item[1][0]):
        print(f"  {name:<16} {elo:7.0f} ± {1.96 * error:3.0f}")
    for (one, other), games in table.games.items():
        print(f"    {one} : {other}   {table.points[one, other]:g} of {games}, {table.seconds[one, other]:.0f} s")


def measure_skills(game: Game, seconds: float, has_stockfish: bool) -> None:
    players: dict[str, Agent] = {RANDOM: agent(RANDOM)}
    players |= {f"{skill:g}": SkillAgent(skill) for skill in GRID}
    grid = [f"{skill:g}" for skill in GRID]
    pairs = [*pairwise([RANDOM, *grid]), (RANDOM, grid[1])]
    known: dict[str, float] = {}
    if has_stockfish:
        for elo, rivals in ANCHORS.items():
            name = f"Stockfish {elo}"
            known[name] = float(elo)
            players[name] = agent(f"uci:stockfish,UCI_LimitStrength=true,UCI_Elo={elo},nodes={ANCHOR_NODES}")
            pairs += [(f"{skill:g}", name) for skill in rivals]
    table = play(game, players, pairs, seconds)
    found = fit([RANDOM, *grid, *known], table, known, grid)
    print(f"{game.spec()}: Elo of skills, and 95 %")
    report(table, found)
    elos = [found[name][0] for name in grid]
    if game.name in ELOS and has_stockfish:
        wanted = [float(elo) for elo in ELOS[game.name]]
    else:
        top = float(np.max(elos))
        least = found[RANDOM][0]
        wanted = list(np.linspace(least + BEGINNER * (top - least), top, CLOCKLESS))
    print(f"  levels at {', '.join(f'{elo:.0f}' for elo in wanted)}")
    print(f'    "{game.name}": {tuple(propose(GRID, elos, wanted))},', flush=True)


def measure_ladder(game: Game, seconds: float) -> None:
    players: dict[str, Agent] = {RANDOM: agent(RANDOM)}
    players |= {f"level {one.number}": LevelAgent(one.number) for one in levels(game)}
    order = list(players)
    pairs = [*pairwise(order), *zip(order[:-1], order[2:], strict=False)]
    table = play(game, players, pairs, seconds)
    found = fit(order, table, {}, order[1 : CLOCKLESS + 1])
    print(f"{game.spec()}: Elo of levels over random play, and 95 %")
    report(table, found)
    steps = [found[high][0] - found[low][0] for low, high in pairwise(order)]
    print("  " + "  ".join(f"{step:.0f}" for step in steps), f"({NAMES[0]} … {NAMES[-1]})", flush=True)


def main() -> None:
    level_agent.MOST_SECONDS = PATIENT
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", default=[])
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--stockfish", action="store_true")
    parser.add_argument("--ladder", action="store_true")
    given = parser.parse_args()
    for name in given.games or names():
        game, seconds = find(name), 60 * given.minutes
        if given.ladder:
            measure_ladder(game, seconds)
        else:
            measure_skills(game, seconds, given.stockfish and game.name == "chess")


if __name__ == "__main__":
    main()
