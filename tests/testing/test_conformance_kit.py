"""The kit as a whole: what it passes, what it reports, and that nothing the user's code does gets out of it."""

import itertools
import time
from pathlib import Path

import pytest
from little_games import Coin, Heap, HighCard, KnowingTake, PlainNotation, ShownCard, Take, TwoHeaps, failed

from zermelo.core.errors import UsageError
from zermelo.games import find
from zermelo.games.hexapawn import Hexapawn
from zermelo.testing import Check, Report, assert_conformant, check
from zermelo.testing.kit import CLAIMS

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    "game",
    [Hexapawn(), Hexapawn(4, 3), Take(), KnowingTake(), TwoHeaps(), Coin(), HighCard(), ShownCard(), PlainNotation()],
    ids=str,
)
def test_sound_games_pass_everything(game):
    report = check(game)
    assert report.conformant, str(report)
    assert [found.name for found in report.checks] == [claim.name for claim in CLAIMS]


def test_the_checks_look_at_something():
    details = {found.name: found.detail for found in check(KnowingTake()).checks}
    details |= {name: found for name, found in _details(TwoHeaps()) if name == "symmetry"}
    details |= {name: found for name, found in _details(Coin()) if name == "chances"}
    secrets = ("views", "worlds", "recall", "view keys", "view notation", "odds of worlds", "public", "buckets")
    details |= {name: found for name, found in _details(KnowingCard()) if name in secrets}
    details |= {name: found for name, found in _details(find("matrix")) if name == "simultaneous"}
    details |= {name: found for name, found in _details(Partners()) if name == "teams"}
    details |= {name: found for name, found in _details(ShownCard()) if name == "view picture"}
    compiled = ("compiled", "compiled worlds")
    assert not [name for name, detail in details.items() if detail.startswith("nothing") and name not in compiled]


class KnowingCard(HighCard):
    """Poker with all that is optional."""

    def public(self, state):
        return state.line

    def bucket(self, view, player):
        return view[0]


class Partners(Take):
    """Both players win if the heap is gone."""

    zero_sum, teams = False, (0, 0)

    def utility(self, state, player):
        return 1


def _details(game):
    return [(found.name, found.detail) for found in check(game).checks]


def test_the_page_has_every_check_in_its_order():
    page = (Path(__file__).parents[2] / "docs" / "conformance.md").read_text(encoding="utf-8")
    table = page.partition("| check | claim |")[2].partition("\n\n")[0]
    names = [name for row in table.splitlines()[2:] for name in row.split("|")[1].strip().split(", ")]
    assert names == [claim.name for claim in CLAIMS]


def test_a_report_is_reproducible():
    assert check(Hexapawn(), seed=3).to_json() == check(Hexapawn(), seed=3).to_json()
    assert check(Hexapawn(), games=5, seed=3).to_json() != check(Hexapawn(), games=5, seed=4).to_json()


def test_the_json_keys_are_the_public_contract():
    found = check(Take()).to_json()
    assert list(found) == ["game", "conformant", "checks"]
    assert found["game"] == "take"
    assert found["conformant"] is True
    assert all(list(one) == ["name", "passed", "detail"] for one in found["checks"])


def test_a_report_prints_as_a_list():
    report = Report(
        "chess",
        [
            Check("moves", True, "9 positions"),
            Check("zero sum", False, "bad"),
            Check("keys", False, "not checked: 'moves' failed"),
        ],
    )
    assert str(report).splitlines() == [
        "chess: 1 of 3 checks failed, and 1 that needs it was not made",
        "  ok           moves     9 positions",
        "  FAILED       zero sum  bad",
        "  not checked  keys      'moves' failed",
    ]


def test_assert_conformant_is_silent_or_lists_every_failure():
    assert_conformant(Take())

    class Broken(Take):
        def utility(self, state, player):
            return 2

    with pytest.raises(AssertionError) as caught:
        assert_conformant(Broken())
    assert "broken is not conformant" in str(caught.value)
    assert "zero sum: the utilities of a zero-sum game should sum to 0" in str(caught.value)
    assert "utility range: utility should stay within utility_range, -1 to 1" in str(caught.value)


@pytest.mark.parametrize("method", ["initial", "to_move", "actions", "result", "is_terminal", "utility"])
@pytest.mark.parametrize(
    "error", [KeyError("ouch"), SystemExit("ouch"), RecursionError("ouch"), StopIteration("ouch")], ids=repr
)
def test_an_error_in_the_rules_is_reported_with_its_method_and_line(method, error):
    def broken(self, *args):
        raise error

    game = type("Broken", (Take,), {method: broken})()
    report = check(game)
    (failure,) = report.failures
    assert failure.name == "play"
    assert f"{method} raised {type(error).__name__}: " in failure.detail
    assert "ouch" in failure.detail
    assert f"test_conformance_kit.py:{broken.__code__.co_firstlineno + 1}" in failure.detail
    assert {found.detail for found in report.checks[3:]} == {"not checked: 'play' failed"}


OPTIONAL = {
    "evaluate": "evaluation",
    "order": "ordering",
    "is_noisy": "noise",
    "noisy_actions": "noisy moves",
    "gain": "gains",
    "exchange": "exchanges",
    "is_threatened": "threats",
    "may_pass": "passing",
    "after_pass": "passing",
    "candidates": "candidates",
    "is_nearly_over": "endings",
    "prior": "priors",
    "sample": "drawn moves",
    "bank": "bank",
    "count": "moves",
    "key": "keys",
    "canonical": "symmetry",
    "bounds": "bounds",
    "format_action": "move notation",
    "parse_action": "move notation",
    "format_state": "position notation",
    "parse_state": "position notation",
    "picture": "picture",
}


@pytest.mark.parametrize("method", OPTIONAL)
def test_an_error_in_knowledge_or_notation_fails_only_its_own_check(method):
    def broken(self, *args):
        raise ZeroDivisionError

    found = failed(type("Broken", (KnowingTake,), {method: broken, "perft_table": {}})())
    assert list(found) == [OPTIONAL[method]]
    assert f"{method} raised ZeroDivisionError at " in found[OPTIONAL[method]]
    assert f"test_conformance_kit.py:{broken.__code__.co_firstlineno + 1} " in found[OPTIONAL[method]]


def test_a_wrong_signature_is_reported_with_the_line_of_the_method():
    class Broken(Take):
        def to_move(self):
            return 0

    (detail,) = failed(Broken()).values()
    assert "to_move raised TypeError" in detail
    assert f"test_conformance_kit.py:{Broken.to_move.unchecked.__code__.co_firstlineno}" in detail


def test_ctrl_c_gets_through():
    class Interrupted(Take):
        def evaluate(self, state, player):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(Interrupted())


def test_moves_without_end_are_cut_off():
    class Endless(Take):
        def actions(self, state):
            return itertools.count()

    assert "actions should come to an end, but it gives more than 100,000 moves" in failed(Endless())["play"]


def test_the_kit_keeps_to_its_time():
    """A thousand games would take more than a minute."""

    class Slow(Take):
        def initial(self):
            return Heap(60, 0)

        def result(self, state, action):
            time.sleep(0.001)
            return super().result(state, action)

    begin = time.monotonic()
    report = check(Slow(), games=1000, seconds=1)
    assert time.monotonic() - begin < 30
    assert report.conformant, str(report)
    assert any("then the time was up" in found.detail for found in report.checks)


def test_a_game_that_cannot_be_printed_is_still_reported():
    class Mute(Take):
        def __str__(self):
            raise ValueError

    assert check(Mute()).game == "Mute"


def test_long_ways_are_shortened():
    class Long(Take):
        def initial(self):
            return Heap(200, 0)

        def utility(self, state, player):
            return 9

    assert "moves, the last of them " in failed(Long())["utility range"]


@pytest.mark.parametrize("options", [{"games": 0}, {"plies": 0}, {"seconds": 0}], ids=str)
def test_the_kit_needs_something_to_do(options):
    with pytest.raises(UsageError, match="the kit needs a game, a ply and some time"):
        check(Take(), **options)
