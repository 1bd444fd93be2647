"""Regret minimisation: the iterates of OpenSpiel, with symmetry and lanes and without."""

import pyspiel
import pytest
from open_spiel.python.algorithms import discounted_cfr

from zermelo.core.errors import UsageError
from zermelo.equilibrium.flatten import flatten
from zermelo.equilibrium.regret import VARIANTS, RegretMinimiser
from zermelo.games import find

GAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker"}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("variant", "solver"), [("cfr", "CFRSolver"), ("cfr+", "CFRPlusSolver")])
def test_the_iterates_are_those_of_openspiel(game, variant, solver):
    theirs = pyspiel.load_game(GAMES[game])
    peer = getattr(pyspiel, solver)(theirs)
    form = flatten(find(game))
    plain, quick = RegretMinimiser(form, variant, shrink=False), RegretMinimiser(form, variant)
    for iterations in (1, 9, 90):
        for _ in range(iterations):
            peer.evaluate_and_update_policy()
        expected = pyspiel.nash_conv(theirs, peer.average_policy()) / 2
        for ours in (plain, quick):
            ours.run(iterations)
            assert ours.exploitability == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("variant", "solver"), [("dcfr", discounted_cfr.DCFRSolver), ("lcfr", discounted_cfr.LCFRSolver)]
)
def test_discounted_iterates_are_those_of_openspiel(variant, solver):
    theirs = pyspiel.load_game("kuhn_poker")
    peer, ours = solver(theirs), RegretMinimiser(flatten(find("kuhn")), variant)
    for iterations in (1, 9, 40):
        for _ in range(iterations):
            peer.evaluate_and_update_policy()
        ours.run(iterations)
        expected = pyspiel.nash_conv(theirs, pyspiel_policy(theirs, peer.average_policy())) / 2
        assert ours.exploitability == pytest.approx(expected, rel=1e-6)


def pyspiel_policy(game, policy):
    from open_spiel.python import policy as policies

    return policies.python_policy_to_pyspiel_policy(policy.to_tabular())


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "cfr-br"])
@pytest.mark.parametrize("game", GAMES)
def test_symmetry_and_lanes_change_no_iterate(game, variant):
    """Except against best responses: which of two equal ones is taken depends on rounding."""
    form = flatten(find(game))
    plain, quick = RegretMinimiser(form, variant, shrink=False), RegretMinimiser(form, variant)
    assert quick.quotient is not None or quick.layout.width > 1
    for iterations in (1, 4, 20):
        plain.run(iterations)
        quick.run(iterations)
        for one, other in zip(plain.strategies(), quick.strategies(), strict=True):
            assert one == pytest.approx(other, abs=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_approaches_the_value_of_kuhn_poker(variant):
    minimiser = RegretMinimiser(flatten(find("kuhn")), variant)
    minimiser.run(20_000)
    assert minimiser.exploitability < 2e-3
    assert minimiser.judge()[2] == pytest.approx(-1 / 18, abs=2e-3)


def test_an_unknown_variant_is_refused_with_those_that_exist():
    with pytest.raises(UsageError, match=r"no variant 'cfr\*' of regret minimisation; try cfr, cfr\+, lcfr"):
        RegretMinimiser(flatten(find("kuhn")), "cfr*")
