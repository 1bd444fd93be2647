"""The benchmark of Monte Carlo search: both sides do the same work."""

import sys

import pyspiel
import pytest

from zermelo.bench import mcts
from zermelo.core.errors import UsageError
from zermelo.core.game import legal_actions
from zermelo.games import find

pytestmark = pytest.mark.plain


def test_a_missing_peer_is_reported_in_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UsageError, match="OpenSpiel, which is not installed; the package is called open_spiel"):
        next(mcts.measurements())


@pytest.mark.parametrize("pair", mcts.PAIRS, ids=lambda pair: pair.title)
def test_both_sides_play_the_same_game(pair):
    """As many moves at the start and after each of them, and payoffs from -1 to 1: one exploration constant fits."""
    ours, theirs = find(pair.ours), pyspiel.load_game(pair.theirs)
    start = theirs.new_initial_state()
    assert ours.utility_range == (theirs.min_utility(), theirs.max_utility()) == (-1, 1)
    state = ours.initial()
    here = [len(list(legal_actions(ours, ours.result(state, move)))) for move in legal_actions(ours, state)]
    there = [boards_after(start.child(move)) for move in start.legal_actions()]
    assert sorted(here) == sorted(there)


def boards_after(state):
    """How many boards their moves lead to: in backgammon two may lead to the same one, and a double is two moves."""
    if state.get_game().get_type().short_name != "backgammon":
        return len(state.legal_actions())
    return len({str(state.child(move)).split("Turn:")[0] for move in state.legal_actions()})


@pytest.mark.parametrize("title", ["pig", "backgammon"])
def test_games_with_dice_begin_after_the_first_roll(title):
    pair = next(pair for pair in mcts.PAIRS if pair.title == title)
    ours, theirs = find(pair.ours), mcts.their_start(pyspiel, pair.theirs)
    assert len(list(ours.actions(mcts.first_choice(ours)))) == boards_after(theirs)


def test_the_peer_is_asked_for_how_many_simulations_to_make():
    bot = mcts.their_bot(pyspiel, "tic_tac_toe", 50)
    assert mcts.search(pyspiel, "tic_tac_toe", bot) == 50


def test_slow_games_get_fewer_simulations():
    quick = mcts.their_simulations(pyspiel, "tic_tac_toe", 0.05)
    slow = mcts.their_simulations(pyspiel, "chess", 0.05)
    assert 1 <= slow < quick <= mcts.SIMULATIONS


@pytest.mark.compiled
def test_a_measurement_is_a_ratio_of_simulations_per_second():
    found = mcts.measure_pair(mcts.PAIRS[0], pyspiel, seconds=0.02, rounds=1)
    assert (found.name, found.peer_name, found.unit) == ("MCTS, tic-tac-toe", "OpenSpiel", "simulations/s")
    assert found.ratio == pytest.approx(found.ours / found.peer, rel=0.01)
