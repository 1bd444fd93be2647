"""Expectiminimax, max^n, and search with models of the other players."""

from zermelo.search.expectiminimax.behaviours import (
    AT_RANDOM,
    MAXIMISE,
    MINIMISE,
    SELFISH,
    Behaviour,
    Roles,
    against,
    against_all,
    amid,
    best_reply,
    each_alone,
    opposed,
    parse_behaviour,
    skilled,
)
from zermelo.search.expectiminimax.habits import Habits, habits_of
from zermelo.search.expectiminimax.searcher import Expectiminimax, Narrowing

__all__ = [
    "AT_RANDOM",
    "MAXIMISE",
    "MINIMISE",
    "SELFISH",
    "Behaviour",
    "Expectiminimax",
    "Habits",
    "Narrowing",
    "Roles",
    "against",
    "against_all",
    "amid",
    "best_reply",
    "each_alone",
    "habits_of",
    "opposed",
    "parse_behaviour",
    "skilled",
]
