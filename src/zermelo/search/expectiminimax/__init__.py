"""Expectiminimax, and search among players who behave in any other known way."""

from zermelo.search.expectiminimax.behaviours import (
    AT_RANDOM,
    MAXIMISE,
    MINIMISE,
    Behaviour,
    Cast,
    against_all,
    amid,
    opposed,
    parse_behaviour,
    skilled,
)
from zermelo.search.expectiminimax.habits import habits_of
from zermelo.search.expectiminimax.searcher import Expectiminimax, Narrowing

__all__ = [
    "AT_RANDOM",
    "MAXIMISE",
    "MINIMISE",
    "Behaviour",
    "Cast",
    "Expectiminimax",
    "Narrowing",
    "against_all",
    "amid",
    "habits_of",
    "opposed",
    "parse_behaviour",
    "skilled",
]
