"""Nodes and leaves per second on one thread, against a goal; processor time, so that a busy machine counts less."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from zermelo.bench.measurement import Measurement
from zermelo.core.errors import RulesError
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.search import Engine, perft

Result = TypeVar("Result")


def time_call(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return the result, and the seconds of processor time that it took."""
    began = time.process_time()
    result = work()
    return result, time.process_time() - began


def rate(name: str, count: int, seconds: float, goal: float, unit: str = "million nodes/s") -> Measurement:
    """Millions per second, against a goal."""
    reached = count / seconds / 1e6
    return Measurement(name, round(reached, 2), goal, "goal", reached / goal, unit)


def within(name: str, seconds: float, most: float) -> Measurement:
    """Seconds, against a goal."""
    return Measurement(name, round(seconds, 2), most, "at most", most / seconds, "s")


def search_rate(name: str, game: Game, positions: Mapping[str, str], nodes: int, goal: float) -> Measurement:
    """Measure how fast the engine searches N nodes of each position, with a fresh memory."""
    total, seconds = 0, 0.0
    for text in positions.values():
        referee = Referee.at(game, text)
        engine = Engine(game)
        engine.prepare(referee.state)
        answer, spent = time_call(lambda engine=engine, referee=referee: engine.think(referee, Limit(nodes=nodes)))  # type: ignore[misc]
        total, seconds = total + answer.stats["nodes"], seconds + spent
    return rate(f"{name}, {', '.join(positions)}", total, seconds, goal)


def time_perft(game: Game, position: str, depth: int, leaves: int) -> float:
    """Return the seconds that perft takes; RulesError if the count is not the known one."""
    state = Referee.at(game, position).state
    perft(game, state, 1)  # compiled before the clock starts
    found, seconds = time_call(lambda: perft(game, state, depth))
    if found != leaves:
        raise RulesError(f"perft {depth} of {game} is {found:,} here, but it is known to be {leaves:,}")
    return seconds
