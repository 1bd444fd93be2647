"""Strategies: looked up by what a player remembers, saved and loaded, judged."""

import json
import os
from contextlib import suppress

import numpy as np
import pytest

from zermelo.core.errors import UsageError
from zermelo.equilibrium import Recall, Strategy, best_response, exploitability, nash_conv, solve
from zermelo.games import find


@pytest.fixture(scope="module")
def kuhn():
    return solve("kuhn")


def test_a_move_is_found_by_what_the_player_remembers(kuhn):
    """With K, after a check and a bet, the first player calls."""
    game, recall = find("kuhn"), Recall(0)
    before, now = game.parse_state("KQ"), game.parse_state("KQ check bet")
    recall.move(game.view(before, 0), 0)
    assert kuhn.strategy.at(0, recall.key(game.view(now, 0))) == (0, 1)


def test_the_table_has_each_information_set_once_in_words(kuhn):
    rows = list(kuhn.strategy.table(find("kuhn")))
    assert len(rows) == len({(row.player, row.view) for row in rows}) == 12
    [row] = [row for row in rows if row.player == 1 and row.view == "Q bet"]
    assert row.moves == ("fold", "call")
    assert row.probabilities == pytest.approx((2 / 3, 1 / 3))


@pytest.mark.parametrize("name", ["kuhn.npz", "kuhn.json", "kuhn.strategy"])
def test_a_file_gives_the_strategy_back(kuhn, tmp_path, name):
    kuhn.strategy.save(tmp_path / name)
    found = Strategy.load(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (found.spec, found.notes["value"], found.notes["kind"]) == ("kuhn", "-1/18", "exact")
    assert nash_conv("kuhn", found) == pytest.approx(0, abs=1e-12)
    for one, other in zip(found.probabilities, kuhn.strategy.probabilities, strict=True):
        assert np.array_equal(one, other)


def test_a_file_that_cannot_be_written_leaves_the_old_one(kuhn, tmp_path, monkeypatch):
    path = tmp_path / "kuhn.npz"
    kuhn.strategy.save(path)
    before = path.read_bytes()

    def fail(*_, **__):
        raise OSError("full")

    monkeypatch.setattr("zermelo.equilibrium.strategy.np.savez_compressed", fail)
    with pytest.raises(OSError, match="full"):
        kuhn.strategy.save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_not_a_file_is_not_replaced(kuhn, tmp_path):
    """`--save /dev/full` once put a file in the place of the device."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path):
        with pytest.raises(UsageError, match="is not a file, so it cannot be replaced"):
            kuhn.strategy.save(path)
    assert pipe.is_fifo()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"{}", "is not a strategy: 'sets'"),
        (b"no json", "is not a strategy: Expecting value"),
        (json.dumps({"schema": 9, "players": 0, "sets": []}).encode(), "it was written by another version"),
    ],
)
def test_another_file_is_refused(tmp_path, content, sentence):
    path = tmp_path / "some.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=sentence):
        Strategy.load(path)


@pytest.mark.parametrize("name", ["kuhn.npz", "kuhn.json"])
def test_a_file_that_is_cut_off_is_refused(kuhn, tmp_path, name):
    path = tmp_path / name
    kuhn.strategy.save(path)
    content = path.read_bytes()
    for end in range(0, len(content) - 1, 97):
        path.write_bytes(content[:end])
        with pytest.raises(UsageError, match=r"is not a strategy: ."):
            Strategy.load(path)


def test_a_damaged_archive_is_refused_or_harmless(kuhn, tmp_path):
    path = tmp_path / "kuhn.npz"
    kuhn.strategy.save(path)
    content = path.read_bytes()
    for place in range(0, len(content), 11):
        damaged = bytearray(content)
        damaged[place] ^= 0x55
        path.write_bytes(damaged)
        with suppress(UsageError):
            assert nash_conv("kuhn", Strategy.load(path)) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "shares",
    [[float("nan"), 1], [-1, 2], [1, 1], [0, 0], [1], [0.5, 0.25, 0.25], [], [1e308, 1e308], [10**400, 0], ["a", "b"]],
)
def test_shares_that_are_no_mixture_of_the_moves_are_refused(kuhn, tmp_path, shares):
    path = tmp_path / "kuhn.json"
    kuhn.strategy.save(path)
    content = json.loads(path.read_text())
    content["sets"][0]["probabilities"] = shares
    path.write_text(json.dumps(content))
    with pytest.raises(UsageError, match=r"is not a strategy|has another number of moves"):
        exploitability("kuhn", Strategy.load(path))


@pytest.mark.parametrize(
    "change",
    [{"players": 0}, {"players": 1}, {"players": 10**30}, {"exploitability": float("nan")}, {"exploitability": [1]}],
)
def test_a_header_of_nonsense_is_refused(kuhn, tmp_path, change):
    path = tmp_path / "kuhn.json"
    kuhn.strategy.save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(UsageError, match=r"is not a strategy|not for kuhn"):
        Strategy.load(path).check(find("kuhn"))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"none\.npz cannot be read: No such file"):
        Strategy.load(tmp_path / "none.npz")


def test_a_strategy_belongs_to_its_game(kuhn):
    with pytest.raises(UsageError, match="a strategy for kuhn, not for leduc"):
        kuhn.strategy.check(find("leduc"))
    with pytest.raises(UsageError, match="does not know all information sets"):
        exploitability("leduc", kuhn.strategy)


def test_the_best_response_is_worth_what_it_says(kuhn):
    """Against uniform play the best responses win 1/2 and 5/12."""
    for player, expected in ((0, 1 / 2), (1, 5 / 12)):
        value, answered = best_response("kuhn", None, player)
        assert value == pytest.approx(expected)
        assert set(answered.probabilities[player].tolist()) <= {0, 1}
        again, _ = best_response("kuhn", answered, player)
        assert again == pytest.approx(expected)


def test_several_players_are_solved_with_their_nash_conv():
    """Three-player Kuhn poker has equilibria; regret minimisation comes close to one."""
    found = solve("kuhn:players=3", "cfr+", iterations=300)
    assert found.kind == "estimate"
    assert sum(found.value) == pytest.approx(0)
    assert found.nash_conv == pytest.approx(nash_conv("kuhn:players=3", found.strategy), abs=1e-9)
    assert found.nash_conv < 0.01


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("kuhn", "magic"), "no method 'magic'; try auto, lp, stacked, cfr"),
        (("kuhn:players=3", "cfr-br"), "no variant 'cfr-br' of regret minimisation for several players"),
    ],
)
def test_what_cannot_be_solved_so_is_refused(arguments, sentence):
    with pytest.raises(UsageError, match=sentence):
        solve(*arguments)


def test_solving_stops_at_the_exploitability_and_tells_its_progress():
    seen = []
    found = solve("leduc", "cfr+", to=1e-2, on_progress=lambda iterations, gain: seen.append((iterations, gain)))
    assert found.exploitability <= 1e-2 < seen[-2][1]
    assert seen[-1] == (found.iterations, found.exploitability)


def test_solving_ends_where_regret_minimisation_does_not_converge():
    """A game of Shapley [1964] with one payoff changed: the strategies go round for ever."""
    found = solve("matrix:0,0 2,1 1,2; 1,2 0,0 2,1; 2,1 1,2 0,0.5")
    assert (found.kind, found.stopped, found.iterations) == ("estimate", "iterations", 20_000)
    assert found.exploitability > 0.01
