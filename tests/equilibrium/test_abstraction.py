"""Buckets: views that are played alike, and what that costs in the full game."""

from dataclasses import replace

import pytest
from random_games import CELLS, RandomGame, draw

from zermelo.core.errors import Refused, RulesError
from zermelo.draw.strategies import effort_line
from zermelo.equilibrium import exploitability, solve
from zermelo.equilibrium.abstraction import abstraction
from zermelo.equilibrium.flatten import flatten
from zermelo.games.kuhn import Kuhn, View
from zermelo.games.leduc import Leduc
from zermelo.kernel.digest import digest


class Blurred(Kuhn):
    """Kuhn poker with players who cannot tell some cards from the next lower one."""

    def __init__(self, players=2, blurred=2):
        super().__init__(players)
        self.blurred = blurred

    def bucket(self, view, player):
        card = view.card - 1 if view.card == self.blurred else view.card
        return View(card, view.moves, view.opener, view.staying)


class Suitless(Leduc):
    """Leduc without suits, which do not matter."""

    def bucket(self, view, player):
        table = view.table // self.suits if view.table >= 0 else view.table
        return view.card // self.suits, table, view.moves


def test_views_of_a_bucket_are_played_alike_and_judged_in_the_full_game():
    found = solve(Blurred(), "cfr+", to=1e-5)
    assert (found.kind, found.sets, found.buckets) == ("estimate", 12, 8)
    rows = {(row.player, row.view): row.probabilities for row in found.strategy.table(Blurred())}
    for view in ("-", "check bet"):
        assert rows[0, f"K {view}"] == rows[0, f"Q {view}"]
    assert rows[0, "J -"] != rows[0, "Q -"]
    assert found.exploitability == pytest.approx(exploitability(Kuhn(), strategy_of(found, Kuhn())))
    assert found.exploitability > 0.01
    assert sum(found.value) == pytest.approx(0)


def strategy_of(found, game):
    """The same strategy for a game whose rules differ only in their buckets."""
    return replace(found.strategy, spec=game.spec(), rules=digest(game))


def test_the_programme_finds_the_same_as_regret_minimisation():
    by_programme, by_regret = solve(Blurred(), "lp"), solve(Blurred(), "cfr+", to=1e-6)
    assert by_programme.kind == "estimate"
    assert solve(Blurred()).method == "lp"
    assert by_programme.value == pytest.approx(by_regret.value, abs=1e-4)


def test_buckets_that_lose_nothing_lead_to_an_equilibrium():
    found = solve(Suitless(), "lp")
    assert (found.kind, found.sets, found.buckets) == ("estimate", 936, 288)
    assert found.value[0] == pytest.approx(-0.085606424078, abs=1e-9)
    assert found.exploitability < 1e-7
    small = solve(Suitless(), "cfr+", iterations=100)
    assert small.exploitability == pytest.approx(solve(Leduc(), "cfr+", iterations=100).exploitability, rel=1e-6)
    assert "936 information sets in 288 buckets" in effort_line(Suitless(), small)


def test_progress_shows_what_answers_gain_in_the_full_game():
    seen = []
    found = solve(Blurred(), "cfr+", iterations=50, on_progress=lambda iterations, gain: seen.append(gain))
    assert seen[-1] == found.exploitability


def test_several_players_share_buckets_too():
    found = solve(Blurred(players=3), "cfr+", iterations=50)
    assert 0 < found.buckets < found.sets
    rows = {(row.player, row.view): row.probabilities for row in found.strategy.table(Blurred(players=3))}
    assert rows[2, "J check check"] == rows[2, "Q check check"]
    with pytest.raises(Refused, match="two players"):
        solve(Blurred(players=3), "lp")


def test_without_two_views_in_one_bucket_nothing_is_lost():
    game = Blurred(blurred=9)
    assert abstraction(flatten(game)) is None
    assert solve(game).kind == "exact"


def test_buckets_must_share_their_moves():
    class Mixed(Leduc):
        def bucket(self, view, player):
            return view.card

    with pytest.raises(RulesError, match="offers different moves, or the same in another order, for views of one"):
        solve(Mixed())


class Marked(RandomGame):
    """Random games whose buckets leave little of the labels."""

    def bucket(self, view, player):
        return view % 2


class Unmarked(RandomGame):
    """The same for players who see no more than that."""

    def view(self, state, player):
        return self.nodes[CELLS * state.number + 1] % 2


def test_the_abstract_game_is_the_one_of_players_who_see_only_buckets():
    smaller = 0
    for seed in range(60):
        table = draw(seed, depth=3, twins=seed % 2 == 0).table
        form, expected = flatten(Marked(table)), flatten(Unmarked(table))
        found = abstraction(form)
        smaller += found is not None
        small = form if found is None else found.form
        for tree, other in zip(small.trees, expected.trees, strict=True):
            for name in ("first", "count", "parent", "copies"):
                assert getattr(tree, name).tolist() == getattr(other, name).tolist()
            assert found is None or tree.keys.tolist() == other.keys.tolist()
        assert small.sequences.tolist() == expected.sequences.tolist()
        assert small.payoffs == pytest.approx(expected.payoffs)
    assert smaller > 30
