"""The kernels on arrays against the textbook on the rules: the same strategies after each iteration."""

import pytest
from random_games import draw

from zermelo.equilibrium import flatten as forms
from zermelo.equilibrium.answers import best_response as quick_response
from zermelo.equilibrium.answers import nash_conv as quick_conv
from zermelo.equilibrium.regret import RegretMinimiser
from zermelo.equilibrium.several import SeveralMinimiser
from zermelo.equilibrium.strategy import Recall, Strategy
from zermelo.games import find
from zermelo.textbook import average_strategies, best_response, cfr, exploitability, nash_conv
from zermelo.textbook.information_sets import InformationSet


def key_of(here, table):
    """The key that the kernels give to an information set of the textbook."""
    recall = Recall(here.player)
    for place in range(0, len(here.past), 2):
        view, action = here.past[place : place + 2]
        before = InformationSet(here.player, here.past[:place], view)
        recall.move(view, table[before].actions.index(action))
    return recall.key(here.view)


def check_equal(game, form, table, strategies):
    """Compare the average strategies at all information sets."""
    ours = Strategy.of(game, form, list(strategies))
    assert sum(map(len, ours.keys)) == len(table)
    for here, learned in table.items():
        assert ours.at(here.player, key_of(here, table)) == pytest.approx(learned.average, abs=1e-9)


def compare(game, iterations, plus=False):
    """After these numbers of iterations, with symmetry and lanes and without."""
    form, variant = forms.flatten(game), "cfr+" if plus else "cfr"
    quick = [RegretMinimiser(form, variant), RegretMinimiser(form, variant, shrink=False)]
    for number, table in enumerate(cfr(game, max(iterations), plus), 1):
        for minimiser in quick:
            minimiser.run(1)
        if number in iterations:
            for minimiser in quick:
                check_equal(game, form, table, minimiser.strategies())
            gain = exploitability(game, average_strategies(table))
            assert gain == pytest.approx(quick[0].exploitability, abs=1e-9)


@pytest.mark.parametrize("plus", [False, True])
def test_kuhn_poker_after_1_10_and_100_iterations(plus):
    compare(find("kuhn"), {1, 10, 100}, plus)


def test_leduc_after_1_and_4_iterations():
    compare(find("leduc"), {1, 4}, plus=True)


@pytest.mark.long
def test_leduc_after_100_iterations():
    compare(find("leduc"), {10, 100}, plus=True)


@pytest.mark.parametrize("seed", range(12))
def test_random_trees_after_1_10_and_100_iterations(seed):
    compare(draw(seed, depth=3), {1, 10, 100}, plus=seed % 2 == 0)


def test_three_players():
    game = find("kuhn:players=3")
    form = forms.flatten(game)
    minimiser, (*_, table) = SeveralMinimiser(form, "cfr"), cfr(game, 5)
    minimiser.run(5)
    check_equal(game, form, table, minimiser.strategies())
    assert nash_conv(game, average_strategies(table)) == pytest.approx(
        quick_conv(game, Strategy.of(game, form, minimiser.strategies()))
    )


@pytest.mark.parametrize("seed", range(8))
def test_best_responses_to_the_uniform_strategy(seed):
    game = draw(seed, depth=4)
    for player in (0, 1):
        assert best_response(game, {}, player)[0] == pytest.approx(quick_response(game, None, player)[0], abs=1e-9)
