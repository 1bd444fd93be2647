"""The benchmark of equilibria: both sides do the same work, and what is wrong stops it. Nothing is timed."""

import sys

import pyspiel
import pytest

from zermelo.bench import equilibrium
from zermelo.core.errors import RulesError, UsageError

KUHN = equilibrium.Pair("Kuhn", "kuhn", "kuhn_poker")


@pytest.mark.plain
def test_a_missing_peer_is_reported_in_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(UsageError, match="OpenSpiel, which is not installed; the package is called open_spiel"):
        next(equilibrium.measurements())


def test_rates_are_ratios_of_the_same_work():
    for found in (
        equilibrium.iteration_rate(KUHN, pyspiel, seconds=0.001, rounds=1),
        equilibrium.sampling_rate(KUHN, pyspiel, seconds=0.001, rounds=1),
        equilibrium.exploitability_rate(KUHN, pyspiel),
    ):
        assert found.peer_name == "OpenSpiel"
        assert found.ratio > 0


def test_the_exploitability_after_1_10_and_100_iterations_is_the_same():
    found = list(equilibrium.same_iterates(KUHN, pyspiel))
    assert [one.ours for one in found] == [one.peer for one in found]
    assert found[0].ours > found[-1].ours > 0


def test_other_iterates_stop_the_benchmark():
    other = equilibrium.Pair("Kuhn", "kuhn", "leduc_poker")
    with pytest.raises(RulesError, match=r"after 1 iterations, Kuhn is 0\.\d+, but OpenSpiel's is 2"):
        next(equilibrium.same_iterates(other, pyspiel))


def test_goals_are_reached_by_proofs_and_by_regrets():
    for method, to in (("cfr+", 1e-2), ("lp", 0.0)):
        found = equilibrium.time_to(equilibrium.Goal(KUHN, method, to, 1.0))
        assert (found.peer, found.peer_name, found.unit) == (1000, "goal", "ms")


def test_a_value_that_is_not_proved_stops_the_benchmark(monkeypatch):
    monkeypatch.setattr("zermelo.equilibrium.programme.certify", lambda *_: None)
    with pytest.raises(RulesError, match="lp did not solve kuhn"):
        equilibrium.time_to(equilibrium.Goal(KUHN, "lp", 0.0, 1.0))


def test_memory_counts_all_arrays_of_an_iteration():
    found = equilibrium.memory_per_set(KUHN)
    assert 100 < found.ours < 1000  # 12 sets, 24 moves: at least 6 numbers of 8 bytes for each move


def test_flattening_counts_histories():
    assert equilibrium.flattening_rate("kuhn").ours > 0
