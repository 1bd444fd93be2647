"""The benchmark of expectiminimax: both sides look at the same tree, as far as that can be told without a clock."""

import sys

import pyspiel
import pytest
from open_spiel.python.algorithms import minimax as their_search

from zermelo.bench import expectiminimax
from zermelo.bench.expectiminimax import Pair, counted, our_plain_search, start_of
from zermelo.bench.ladder import first_choice
from zermelo.core.errors import UsageError
from zermelo.games import find

PAIRS = {pair.title: pair for pair in expectiminimax.PAIRS}


def test_a_missing_peer_is_told_in_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UsageError, match="OpenSpiel, which is not installed; the package is called open_spiel"):
        next(expectiminimax.measurements())


@pytest.mark.parametrize("title", ["pig", "2048"])
def test_both_sides_have_as_many_moves_at_the_start(title):
    ours, theirs = find(title), start_of(pyspiel, PAIRS[title])
    assert len(list(ours.actions(first_choice(ours)))) == len(theirs.legal_actions())


def test_the_peer_lists_plays_of_backgammon_once_for_each_order_of_the_dice():
    ours, theirs = find("backgammon"), start_of(pyspiel, PAIRS["backgammon"])
    places = {str(theirs.child(action)).split("Turn")[0] for action in theirs.legal_actions()}
    assert (len(list(ours.actions(first_choice(ours)))), len(places), len(theirs.legal_actions())) == (15, 15, 30)


def test_nodes_are_calls_of_the_function():
    """Pig, one decision: the start, roll and hold. Two: the start; roll, six faces and their two decisions; hold, its
    two decisions."""
    start = start_of(pyspiel, PAIRS["pig"])
    assert [counted(their_search, start, decisions) for decisions in (1, 2)] == [3, 1 + (1 + 6 * 3) + 3]
    assert [our_plain_search(find("pig"), plies)[1] for plies in (1, 2, 3)] == [3, 11, 31]
    assert their_search.expectiminimax.__name__ == "expectiminimax"


def test_trees_of_2048_differ_by_the_pushes_that_the_peer_leaves_out():
    pair = Pair("2048", "2048", 2)
    theirs = counted(their_search, start_of(pyspiel, pair), pair.decisions)
    assert 0 <= our_plain_search(find("2048"), pair.plies)[1] - theirs < 0.02 * theirs


@pytest.mark.compiler
def test_measurements_are_ratios_of_speed_and_of_time():
    nodes, answer = expectiminimax.measured(Pair("pig", "pig", 2), their_search, pyspiel, seconds=0.001, rounds=1)
    assert (nodes.peer_name, nodes.unit) == ("OpenSpiel", "million nodes/s")
    assert nodes.ratio == pytest.approx(nodes.ours / nodes.peer, rel=0.1)
    assert (answer.name, answer.unit) == ("expectiminimax, pig, 2 decisions, an answer", "s")
    assert answer.ratio == pytest.approx(answer.peer / answer.ours, rel=0.1)
