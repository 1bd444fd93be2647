"""Levels: the agent answers at every level, whatever was analysed before."""

import io
import json
import signal

import pytest

from zermelo.arena import auto, level_agent
from zermelo.arena.levels import HIGHEST_LEVEL
from zermelo.core.referee import Referee
from zermelo.games import find, names
from zermelo.kernel import compiler
from zermelo.web.search_process import SearchProcess
from zermelo.web.small_search_process import SmallSearchProcess

pytestmark = pytest.mark.plain
TINY = 0.02
"""Seconds instead of those of a level."""
FEW = 20
"""Simulations."""
GAMES = {
    "go": {"size": "3"},  # auto takes Monte Carlo tree search
    "connect-four": {},  # alpha-beta
    "nim": {},  # solved
    "pig": {},  # expectiminimax
    "trio": {},  # max^n
    "tree": {},
}
SLOW = ("leduc", "liars-dice", "goofspiel", "oshi-zumo", "phantom")
"""Games with hidden information that are tried to be solved, which takes seconds without the compiler."""


@pytest.fixture
def worker(request, monkeypatch):
    """What a search process does, in this one."""
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(compiler, "_listeners", [])
    yield getattr(request, "param", SearchProcess)(io.StringIO(), [])
    signal.signal(signal.SIGINT, before)


def asked(worker, game, **wanted):
    """The last thing that the worker says of a job."""
    moves = [turn.text for turn in first_choice(find_game(game)).turns]
    place = {"game": game, "options": GAMES.get(game, {}), "start": "", "moves": moves}
    limits = {"level": None, "time": None, "nodes": None, "depth": None}
    worker.work({"job": 1, **place, "seed": 0, "lines": 1, **limits, **wanted})
    return json.loads(worker._answers.getvalue().splitlines()[-1])


def find_game(name):
    return find(
        ":".join([name, ",".join(f"{option}={text}" for option, text in GAMES.get(name, {}).items())]).rstrip(":")
    )


def first_choice(game):
    """The start, after the dice."""
    referee = Referee(game)
    while referee.to_move < 0:
        referee.play(next(iter(game.outcomes(referee.state)))[0])
    return referee


def order_for(number, agent="auto"):
    return {"agent": agent, "level": number, "time": TINY}


@pytest.mark.parametrize("is_analysed", [True, False], ids=["after an analysis", "alone"])
@pytest.mark.parametrize("game", GAMES)
def test_the_computer_answers_at_every_level(worker, game, is_analysed):
    for number in range(1, HIGHEST_LEVEL + 1):
        if is_analysed and number in (1, 5):
            told = asked(worker, game, agent="auto", time=TINY)
            assert told["done"]["best"], told
        told = asked(worker, game, **order_for(number))
        assert (told.get("done") or {}).get("best"), (number, told)


@pytest.mark.parametrize("game", [name for name in names() if name not in GAMES and name not in SLOW])
def test_the_computer_answers_in_every_game_after_an_analysis(worker, game):
    """At the lowest and the highest level; a long test has all of them, and the other games."""
    for number in (1, HIGHEST_LEVEL):
        assert asked(worker, game, agent="auto", time=TINY)["done"]["best"]
        assert asked(worker, game, **order_for(number))["done"]["best"]


@pytest.mark.parametrize("agent", ["alphabeta", "minimax", "quiescence", "mcts", "maxn", "paranoid", "expectimax"])
def test_every_agent_answers_at_the_levels_without_a_clock(worker, agent):
    for number in (1, 4):
        told = asked(worker, "go", **order_for(number, agent))
        assert (told.get("done") or {}).get("best"), (number, told)


def test_a_weak_level_does_not_profit_from_a_long_analysis(worker, monkeypatch):
    monkeypatch.setattr(level_agent, "MOST_SECONDS", 1e6)  # a search that the clock stops may differ
    alone = asked(worker, "go", **order_for(1) | {"time": None})["done"]
    asked(worker, "go", agent="auto", time=None, nodes=3 * FEW)
    assert asked(worker, "go", **order_for(1) | {"time": None})["done"]["best"] == alone["best"]


@pytest.mark.parametrize("worker", [SmallSearchProcess], indirect=True)
@pytest.mark.parametrize("game", [name for name in names() if find(name).hidden])
def test_a_small_search_never_solves_a_game_with_hidden_information(worker, game, monkeypatch):
    monkeypatch.setattr(auto, "is_solved_at_once", None)  # asking already takes seconds
    monkeypatch.setattr(auto, "find_solution", None)
    told = asked(worker, game, prepare=True, **order_for(4))
    assert told == {"job": 1, "done": None}
    assert asked(worker, game, **order_for(4))["done"]["best"]
