"""Agents that a server can stop, look at, and give a time."""

import threading
import time

import pytest

from zermelo.arena.agents import Agent, Resigned, agent
from zermelo.arena.stoppable import StoppableAgent
from zermelo.cli.gtp import usual_agent
from zermelo.core.errors import Refused
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games import find

KINDS = [
    "mcts:sims=50,memory=1",
    "alphabeta:depth=2,memory=1",
    "maxn:depth=2,memory=1",
    "minimax:depth=2",
    "auto:depth=2",
    "random",
]


@pytest.fixture
def referee():
    return Referee.at(find("tic-tac-toe"), "moves: b2")


def stoppable(text, referee):
    found = StoppableAgent(agent(text), referee.game)
    found.prepare(referee.state)
    return found


@pytest.mark.parametrize("text", KINDS)
def test_each_plays_a_legal_move_within_its_own_limit(referee, text):
    one = stoppable(text, referee)
    found = one.think(referee, one.limit, threading.Event(), None)
    referee.play_text(found.best)
    assert found.agent == text


@pytest.mark.parametrize(
    ("text", "name"), list(zip(KINDS[:4], ("connect-four", "connect-four", "pig", "connect-four"), strict=True))
)
def test_those_that_can_be_stopped_think_without_a_limit_until_then(text, name):
    """In games that are too large to be seen to their end."""
    referee = Referee(find(name))
    one, stop, seen = stoppable(text, referee), threading.Event(), []

    def stop_at_the_first_report(analysis):
        seen.append(analysis)
        stop.set()

    found = one.think(referee, Limit(), stop, stop_at_the_first_report)
    assert found.stopped == "user"
    assert seen


def test_a_clock_does_not_lift_a_limit_of_simulations(referee):
    one = stoppable("mcts:sims=30,memory=1", referee)
    found = one.think(referee, Limit(time=30), threading.Event(), None)
    assert found.stats["simulations"] <= 30


def test_one_that_cannot_be_stopped_takes_its_own_limit_for_none(referee):
    found = stoppable("auto:depth=3", referee).think(referee, Limit(), threading.Event(), None)
    assert found.stats["depth"] == 3


def test_one_that_cannot_be_stopped_hurries_if_it_is_too_late_already():
    referee = Referee(find("tic-tac-toe:m=5,n=5,k=4"))
    stop, began = threading.Event(), time.monotonic()
    stop.set()
    stoppable("minimax:time=1h", referee).think(referee, Limit(), stop, None)
    assert time.monotonic() - began < 60


@pytest.mark.plain
def test_one_that_resigns_has_no_move(referee):
    class Sad(Agent):
        name = "sad"

        def choose(self, referee):
            raise Resigned("what is the use")

    found = StoppableAgent(Sad(), referee.game).think(referee, Limit(), threading.Event(), None)
    assert (found.best, found.moves, found.agent) == (None, (), "sad")


@pytest.mark.plain
def test_an_agent_that_does_not_fit_the_game_is_refused():
    with pytest.raises(Refused, match="alpha-beta needs"):
        StoppableAgent(agent("alphabeta"), find("trio"))


@pytest.mark.plain
def test_go_is_searched_by_playouts_and_other_games_as_by_auto():
    assert usual_agent(find("go")) == "mcts"
    assert usual_agent(find("chess")) == "alphabeta"
