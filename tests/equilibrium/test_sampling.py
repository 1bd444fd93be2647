"""Monte Carlo regret minimisation: it converges, straight from the rules, with seeds that fix everything."""

import math
import random

import pyspiel
import pytest
from random_games import draw

from zermelo.core.errors import Refused, UsageError
from zermelo.equilibrium import answers, solve
from zermelo.equilibrium.flatten import TooLarge, flatten
from zermelo.equilibrium.programme import solve_form
from zermelo.equilibrium.sampling import METHODS, SamplingMinimiser
from zermelo.equilibrium.several import Table
from zermelo.equilibrium.strategy import Strategy
from zermelo.games import find
from zermelo.textbook import average_strategies, exploitability, external_sampling


def gain_of(minimiser, form=None):
    """The exploitability of the average strategy so far."""
    form = form or flatten(minimiser.game)
    table = Table(form)
    table.set_strategies(minimiser.strategy().by_sequence(form))
    values, best = table.judge_strategies()
    return (sum(best) - sum(values)) / len(best)


@pytest.mark.parametrize(
    ("spec", "method", "iterations", "gain"),
    [
        ("kuhn", "mccfr", 100_000, 0.006),
        ("kuhn", "outcome", 300_000, 0.02),
        ("kuhn:players=3", "mccfr", 100_000, 0.02),
        ("leduc", "mccfr", 300_000, 0.08),
        ("leduc", "outcome", 500_000, 0.45),
    ],
)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_it_converges(spec, method, iterations, gain, seed):
    minimiser = SamplingMinimiser(find(spec), method, seed)
    minimiser.run(iterations)
    assert gain_of(minimiser) < gain


@pytest.mark.parametrize("method", METHODS)
def test_the_strategies_of_random_games_secure_the_value(method):
    for seed in range(10):
        game = draw(seed)
        form = flatten(game)
        minimiser = SamplingMinimiser(game, method, seed)
        minimiser.run(60_000)
        assert gain_of(minimiser, form) < 0.1
        table = Table(form)
        table.set_strategies(minimiser.strategy().by_sequence(form))
        assert table.judge_strategies()[0][0] == pytest.approx(float(solve_form(form).value), abs=0.2)


def test_a_seed_fixes_the_strategy_whatever_the_slices():
    once, sliced, other = (SamplingMinimiser(find("kuhn"), seed=seed) for seed in (7, 7, 8))
    once.run(100)
    other.run(100)
    for _ in range(10):
        sliced.run(10)
    tables = [minimiser.strategy().probabilities[0].tolist() for minimiser in (once, sliced, other)]
    assert tables[0] == tables[1] != tables[2]


def mean_gain(one):
    return sum(map(one, range(10))) / 10


def test_it_learns_as_fast_as_the_textbook_and_openspiel():
    """Mean exploitability on Kuhn poker over ten seeds."""
    game, theirs = find("kuhn"), pyspiel.load_game("kuhn_poker")

    def ours(seed):
        minimiser = SamplingMinimiser(game, seed=seed)
        minimiser.run(400)
        return gain_of(minimiser)

    def textbook(seed):
        *_, table = external_sampling(game, 400, random.Random(seed))
        return exploitability(game, average_strategies(table))

    def openspiel(seed):
        solver = pyspiel.ExternalSamplingMCCFRSolver(theirs, seed)
        for _ in range(400):
            solver.run_iteration()
        return pyspiel.exploitability(theirs, solver.average_policy())

    expected = mean_gain(openspiel)
    assert mean_gain(ours) == pytest.approx(expected, rel=0.5)
    assert mean_gain(textbook) == pytest.approx(expected, rel=0.5)


def test_the_estimated_value_approaches_the_value():
    minimiser = SamplingMinimiser(find("kuhn"), seed=3)
    minimiser.run(300_000)
    assert minimiser.values() == pytest.approx((-1 / 18, 1 / 18), abs=0.01)


# -- memory --------------------------------------------------------------------------------------------


def test_what_was_not_met_is_played_at_random():
    """One iteration of Leduc poker meets few information sets; the strategy can still be judged, saved and read."""
    game = find("leduc")
    form = flatten(game)
    minimiser = SamplingMinimiser(game, "outcome", seed=1)
    minimiser.run(3)
    assert 1 < minimiser.sets < 100
    strategy = minimiser.strategy()
    assert strategy.is_partial
    assert strategy.at(0, 12345, moves=4) == (0.25,) * 4
    with pytest.raises(UsageError, match="does not know this information set"):
        strategy.at(0, 12345)
    for tree, probabilities in zip(form.trees, strategy.by_sequence(form), strict=True):
        assert tree.strategy(tree.plan(probabilities)) == pytest.approx(probabilities)


def test_a_partial_strategy_survives_its_file(tmp_path):
    minimiser = SamplingMinimiser(find("leduc"), seed=1)
    minimiser.run(2)
    for name in ("leduc.json", "leduc.strategy"):
        minimiser.strategy().save(tmp_path / name)
        again = Strategy.load(tmp_path / name)
        assert again.is_partial
        assert len(list(again.table(find("leduc")))) == 936


def test_a_full_memory_is_reported_in_a_sentence():
    minimiser = SamplingMinimiser(find("leduc"), seed=1, most_sets=100)
    with pytest.raises(Refused, match="leduc has more than 100 information sets; there is no room for more"):
        minimiser.run(1000)


# -- solve ---------------------------------------------------------------------------------------------


def test_solve_samples_and_says_estimate():
    found = solve("kuhn", "mccfr", to=0, iterations=20_000, seed=5)
    assert (found.method, found.kind, found.iterations, found.sets) == ("mccfr", "estimate", 20_000, 12)
    assert found.exploitability == pytest.approx(answers.exploitability("kuhn", found.strategy))
    assert found.exploitability < 0.02
    assert not found.strategy.is_partial


def test_solve_samples_until_the_exploitability_is_small():
    assert solve("kuhn", "outcome", to=0.05).exploitability <= 0.05


def test_a_game_that_does_not_fit_is_sampled_if_there_is_a_limit(monkeypatch):
    def refuse(game, *_):
        raise TooLarge(f"{game} is too large")

    monkeypatch.setattr(answers, "flatten", refuse)
    found = solve("leduc", iterations=1000)
    assert (found.method, found.exploitability, found.kind) == ("mccfr", math.inf, "estimate")
    assert found.strategy.is_partial
    assert found.value[0] == -found.value[1]
    for method in ("auto", "mccfr"):
        with pytest.raises(Refused, match="mccfr samples it, if you give it a number of iterations or a time"):
            solve("leduc", method)
    with pytest.raises(Refused, match="too large"):
        solve("leduc", "cfr+", iterations=3)


@pytest.mark.parametrize("limits", [{"iterations": 0}, {"seconds": 0}, {"seconds": -1.0}])
def test_limits_that_leave_no_time_are_refused(limits):
    with pytest.raises(UsageError, match="iterations is 1 or more, and a time is more than 0"):
        solve("kuhn", "mccfr", **limits)


def test_an_unknown_method_of_sampling():
    with pytest.raises(UsageError, match=r"no method 'chance' of sampling; try mccfr or outcome"):
        SamplingMinimiser(find("kuhn"), "chance")
