"""Regret minimisation, step by step: the steps are those of the textbook."""

import pytest

from zermelo.core.errors import Refused
from zermelo.games import find
from zermelo.inside.regrets import record_regrets
from zermelo.textbook.regret_matching import match_regrets

pytestmark = pytest.mark.plain


@pytest.fixture(scope="module")
def kuhn():
    return record_regrets(find("kuhn"), 40, plus=False)


def test_kuhn_has_twelve_sets_and_a_step_for_each_in_each_iteration(kuhn):
    views = {one["view"] for one in kuhn["sets"] if one["player"] == 1}
    assert len(kuhn["sets"]) == 12
    assert views == {f"{card} {move}" for card in "JQK" for move in ("check", "bet")}
    steps = [(step["iteration"], step["set"]) for step in kuhn["steps"]]
    places = sorted(range(12), key=lambda place: (kuhn["sets"][place]["player"], place))
    assert steps == [(iteration, place) for iteration in range(1, 41) for place in places]


def test_each_step_begins_with_the_regrets_of_the_last_one_and_plays_by_regret_matching(kuhn):
    latest = {}
    for step in kuhn["steps"]:
        assert step["before"] == latest.get(step["set"], [0.0, 0.0])
        assert step["strategy"] == pytest.approx(match_regrets(step["regrets"]))
        latest[step["set"]] = step["regrets"]


def test_the_averages_approach_the_equilibrium(kuhn):
    gains = kuhn["exploitability"]
    assert len(gains) == 40
    assert gains[-1] < 0.03 < gains[0]


def test_the_first_regrets_of_the_king_are_known():
    """By hand, against the uniform strategy.

    The king checks: the other checks (1/2) and it wins 1, or bets (1/2) and it wins 2 (call) or loses 1 (fold) by 1/2
    each: 3/4. The king bets: a fold wins 1, a call 2: 3/2. Mean 9/8; the deal has probability 1/3.
    """
    found = record_regrets(find("kuhn"), 1, plus=False)
    place = next(at for at, one in enumerate(found["sets"]) if (one["player"], one["view"]) == (0, "K -"))
    step = next(one for one in found["steps"] if one["set"] == place)
    assert step["regrets"] == pytest.approx([(3 / 4 - 9 / 8) / 3, (3 / 2 - 9 / 8) / 3])


def test_with_plus_no_regret_is_negative():
    found = record_regrets(find("kuhn"), 5, plus=True)
    assert min(min(step["regrets"]) for step in found["steps"]) == 0


@pytest.mark.parametrize(("name", "words"), [("tic-tac-toe", "nothing is hidden"), ("leduc", "too many positions")])
def test_games_that_do_not_fit_are_refused(name, words):
    with pytest.raises(Refused, match=words):
        record_regrets(find(name), 1, plus=False)
