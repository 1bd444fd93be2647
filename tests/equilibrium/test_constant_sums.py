"""Two players whose payoffs always sum to the same number are opponents, though they declare zero_sum = False."""

from fractions import Fraction

import numpy as np
import pytest

from zermelo.arena.agents import agent
from zermelo.arena.exploit import exploit
from zermelo.core.errors import Refused
from zermelo.draw.strategies import value_sentence
from zermelo.equilibrium import exploitability, solve
from zermelo.equilibrium.flatten import flatten, sum_of_payoffs
from zermelo.equilibrium.regret import VARIANTS
from zermelo.games import find
from zermelo.games.kuhn import Kuhn

ALMOST = "tree:p1(a:p2{s}(l:<1,0> r:<0,1>) b:p2{s}(l:<0,1> r:<1,1>))"


class Shares(Kuhn):
    """Kuhn poker with 3 chips each: what they have in the end sums to 6."""

    zero_sum = False

    def __init__(self):
        super().__init__()
        self.utility_range = (1, 5)

    def utility(self, state, player):
        return 3 + super_utility(self, state, player)


super_utility = Kuhn.utility


def test_the_value_is_that_of_the_zero_sum_game_and_what_is_added():
    found = solve(Shares())
    assert (found.value, found.total, found.kind, found.method) == (3 - Fraction(1, 18), 6, "exact", "lp")
    assert found.values == pytest.approx((3 - 1 / 18, 3 + 1 / 18))
    assert found.exploitability < 1e-12
    assert value_sentence(Shares(), found) == "worth 53/18 to player 1 (2.944444), proved; the payoffs sum to 6"


@pytest.mark.parametrize("variant", VARIANTS)
def test_regret_minimisation_learns_the_same(variant):
    found, other = (solve(game, variant, iterations=50) for game in (Shares(), Kuhn()))
    assert found.exploitability == pytest.approx(other.exploitability, abs=1e-9)
    assert found.value == pytest.approx([3 + value for value in other.value])


def test_its_strategies_are_judged_alike():
    strategy = solve(Shares()).strategy
    assert exploitability(Shares(), strategy) == pytest.approx(0, abs=1e-12)
    for name in ("auto", "random"):
        found, other = (exploit(game, agent(name)) for game in (Shares(), Kuhn()))
        assert found.kind == "exact"
        assert found.exploitability == pytest.approx(other.exploitability)


def test_one_other_end_is_enough_to_make_them_no_opponents():
    game = find(ALMOST)
    assert flatten(game).total is None
    assert solve(game, iterations=5).kind == "estimate"
    with pytest.raises(Refused, match="two players whose payoffs always sum to the same number"):
        solve(game, "lp")


@pytest.mark.parametrize(
    ("pairs", "total"),
    [
        ([(1, 0), (0.5, 0.5), (0, 1)], 1),
        ([(1 / 3, 2 / 3), (1 / 49, 48 / 49), (1, 0)], 1),
        ([(0.1, 0.2), (0.3, 0.0)], Fraction(3, 10)),
        ([(2.0**-50, 1.0), (1.0, 2.0**-50)], 1 + Fraction(1, 1 << 50)),
        ([(1, 0), (0, 1 + 2.0**-40)], None),
        ([(1, 0), (2.0**-60, 1)], None),
        ([(1, 0), (1e308, 1e308)], None),
        ([], None),
    ],
)
def test_sums_are_compared_as_fractions(pairs, total):
    assert sum_of_payoffs(np.array(pairs, float).ravel()) == total
