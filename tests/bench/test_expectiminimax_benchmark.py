"""The benchmark of expectiminimax: both sides search the same tree."""

import sys
from itertools import islice

import pyspiel
import pytest
from open_spiel.python.algorithms import minimax as their_minimax

from zermelo.bench import expectiminimax
from zermelo.bench.expectiminimax import Pair, count_calls, our_plain_search, positions
from zermelo.core.errors import UsageError
from zermelo.games import find


@pytest.mark.plain
def test_a_missing_peer_is_reported_in_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UsageError, match="OpenSpiel, which is not installed; the package is called open_spiel"):
        next(expectiminimax.measurements())


@pytest.mark.plain
@pytest.mark.parametrize("pair", expectiminimax.PAIRS, ids=lambda pair: pair.name)
def test_positions_are_the_same_here_and_there(pair):
    """The same mover and moves. In 2048 the peer may leave out a push; plays of backgammon have other numbers, and the
    peer lists some twice, so that the boards they lead to are counted."""
    game = find(pair.name)
    pairs = list(islice(positions(pair, game, pyspiel), expectiminimax.POSITIONS))
    assert len(pairs) == expectiminimax.POSITIONS
    for there, here in pairs:
        assert game.to_move(here) == there.current_player()
        actions = list(game.actions(here))
        if pair.name == "backgammon":
            boards = {str(there.child(action)).split("Turn:")[0] for action in there.legal_actions()}
            assert len(actions) == len(boards)
        else:
            assert set(there.legal_actions()) <= set(actions)


def test_nodes_are_calls_of_the_function():
    """Pig, one decision: the start, roll and hold. Two: the start; roll, six faces and their two decisions; hold and
    its two decisions."""
    there, here = next(positions(Pair("pig", 1, 1), find("pig"), pyspiel))
    assert [count_calls(their_minimax, there, depth) for depth in (1, 2)] == [3, 1 + (1 + 6 * 3) + 3]
    assert [our_plain_search(find("pig"), here, plies).nodes for plies in (1, 2, 3)] == [3, 11, 31]
    assert their_minimax.expectiminimax.__name__ == "expectiminimax"


@pytest.mark.long
def test_trees_of_2048_differ_by_the_pushes_that_the_peer_leaves_out():
    pair = Pair("2048", 2, 1)
    there, here = next(positions(pair, find("2048"), pyspiel))
    theirs = count_calls(their_minimax, there, pair.depth)
    assert 0 <= our_plain_search(find("2048"), here, pair.plies).nodes - theirs < 0.02 * theirs


def test_measurements_are_ratios_of_speed_and_of_time():
    pair = Pair("pig", 2, 3)
    nodes, answers = expectiminimax.measure_pair(pair, their_minimax, pyspiel, most=2, seconds=0.001, rounds=1)
    assert (nodes.peer_name, nodes.unit) == ("OpenSpiel", "million nodes/s")
    assert nodes.ratio == pytest.approx(nodes.ours / nodes.peer, rel=0.1)
    assert (answers.name, answers.unit) == ("expectiminimax, pig, 2 positions, 2 decisions, answers", "s")
    assert answers.ratio == pytest.approx(answers.peer / answers.ours, rel=0.1)
