"""`zermelo match`: score, error bars and records on the command line."""

import json
import re
import signal

import pytest

from zermelo.arena.match import MatchResult
from zermelo.arena.records import read_records
from zermelo.cli.match import remarks
from zermelo.games import find

pytestmark = pytest.mark.plain


def test_a_match_for_programs(zermelo):
    found = zermelo("match", "random", "random:seed=3", "--game", "nim", "--games", "6", "--json").json
    results = ["schema", "game", "agents", "games", "wins", "draws", "losses", "score"]
    assert list(found) == [*results, "elo", "elo_error", "payoff", "payoff_error", "duplicate"]
    assert found["agents"] == ["random", "random:seed=3"]
    assert found["games"] == 6


def test_a_match_for_people(zermelo):
    out = zermelo("match", "random", "random:seed=3", "--game", "tic-tac-toe", "--games", "20").out
    assert out.startswith("tic-tac-toe: 20 games, seed 0\n")
    assert "  random         " in out
    assert "as X +" in out
    assert "Elo difference" in out
    assert "likelihood" in out


@pytest.mark.compiled
def test_a_clean_sweep_is_reported_as_a_bound(zermelo):
    """Six games, all of them won by the perfect player."""
    out = zermelo("match", "solve", "random", "--game", "nim", "--games", "6", "--seed", "1").out
    assert "Elo difference at least +" in out


def test_a_seed_repeats_the_match(zermelo):
    def match(seed):
        arguments = ("--game", "hexapawn", "--games", "6", "--seed", seed, "--json")
        return zermelo("match", "random", "random:seed=9", *arguments).json

    assert match(3) == match(3)


def test_records_are_saved_game_by_game(zermelo, tmp_path):
    path = tmp_path / "games.jsonl"
    said = zermelo("match", "random", "random", "--game", "nim", "--games", "4", "--save", path)
    assert f"records: {path}" in said.out
    records = read_records(path)
    assert [record.number for record in records] == [1, 2, 3, 4]
    assert json.loads(path.read_text().splitlines()[0])["game"] == "nim"


def test_three_agents(zermelo):
    out = zermelo("match", "random", "random", "random", "--game", "trio", "--games", "6").out
    assert out.count("mean payoff") == 3
    assert "Elo" not in out


def test_a_match_of_one_player_reports_payoffs_but_no_wins(zermelo):
    out = zermelo("match", "random", "--game", "2048:rows=2,cols=2,target=0", "--games", "10").out
    first, second = out.splitlines()
    assert first == "2048:rows=2,cols=2,target=0: 10 games, seed 0"
    assert re.fullmatch(r"  random  mean payoff \d+ ± \d\d? \(95 %\), from \d+ to \d+  [\d,.]+ moves/s", second)


def test_where_the_margin_counts_the_mean_payoff_is_reported(zermelo):
    out = zermelo("match", "random", "random", "--game", "othello", "--games", "4").out
    assert re.search(r"score [\d.]+ %  mean payoff -?[\d.]+ ± [\d.]+ \(95 %\)", out)
    assert "mean payoff" not in zermelo("match", "random", "random", "--game", "nim", "--games", "4").out


@pytest.mark.compiled
def test_repeated_games_are_pointed_out(zermelo):
    arguments = ("minimax:depth=1", "minimax:depth=1", "--game", "hexapawn", "--games", "8", "--openings", "0")
    assert "only 2 of 8 games differ" in zermelo("match", *arguments).err


def test_faults_and_adjudications_are_pointed_out():
    from zermelo.arena.records import Record

    def record(number, ending, reason=""):
        return Record("nim", ("a", "b"), (0, 1), 0, number, 0, (str(number),), (0, 0), ending, reason)

    records = (record(1, "played"), record(2, "forfeited", "b slept"), record(3, "adjudicated"))
    found = remarks(MatchResult("nim", ("a", "b"), 0, records), find("nim"))
    assert found == [
        "one game was lost by a fault; the first one, game 2: b slept",
        "1 of 3 games were too long and were scored as draws",
    ]


@pytest.mark.compiled
@pytest.mark.ctrl_c
def test_control_c_shows_the_score_so_far(zermelo, monkeypatch):
    from zermelo.arena import match

    played = match._Table.play
    count = iter(range(100))

    def play(self, *arguments):
        if next(count) == 3:
            signal.raise_signal(signal.SIGINT)
        return played(self, *arguments)

    monkeypatch.setattr(match._Table, "play", play)
    said = zermelo("match", "random", "random", "--game", "nim", "--games", "10")
    assert said.code == 130
    assert "stopped after 3 of 10 games" in said.err
    assert said.out.startswith("nim: 3 games")


@pytest.mark.compiled
@pytest.mark.ctrl_c
@pytest.mark.parametrize("games", [0, 3])
def test_control_c_leaves_valid_json(zermelo, monkeypatch, games):
    from zermelo.arena import match

    played, count = match._Table.play, iter(range(100))

    def play(self, *arguments):
        if next(count) == games:
            signal.raise_signal(signal.SIGINT)
        return played(self, *arguments)

    monkeypatch.setattr(match._Table, "play", play)
    said = zermelo("match", "random", "random", "--game", "nim", "--games", "10", "--json")
    assert said.code == 130
    assert f"stopped after {games} of 10 games" in said.err
    found = json.loads(said.out)
    assert (found["game"], found["games"]) == ("nim", games)


def test_chips_count_in_games_of_stakes(zermelo):
    """Who folds more loses more often, and may win more; there is no Elo difference of that."""
    out = zermelo("match", "random", "random:seed=3", "--game", "leduc", "--games", "40").out
    assert re.search(r"  random  +mean payoff -?[\d.]+ ± [\d.]+ \(95 %\)  \d+ won, \d+ drawn, \d+ lost", out)
    assert "Elo" not in out
    assert "score" not in out
    assert re.search(r"likelihood that random is the stronger one: .* %; each deal was played from both seats", out)


def test_payoffs_that_are_more_than_win_or_loss_are_stated(zermelo):
    out = zermelo("match", "random", "random", "--game", "tree:max(min(3 12) min(2 4))", "--games", "6").out
    assert out.count("mean payoff") == 2
    assert "Elo" in out


def test_repeated_deals_are_no_reason_to_doubt(zermelo):
    said = zermelo("match", "random", "random", "--game", "kuhn", "--games", "60")
    assert "differ from each other" not in said.err


def test_every_game_can_have_its_own_deal(zermelo):
    together = zermelo("match", "random", "random", "--game", "kuhn", "--games", "200", "--json").json
    apart = zermelo("match", "random", "random", "--game", "kuhn", "--games", "200", "--no-duplicate", "--json").json
    assert (together["duplicate"], apart["duplicate"]) == (True, False)
    assert together["payoff_error"] < apart["payoff_error"]
