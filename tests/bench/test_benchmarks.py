"""Benchmarks: which there are, and what they say when something is missing. Nothing is timed."""

import importlib
import sys

import pytest

from zermelo.bench import BENCHMARKS, chess, measure, othello
from zermelo.bench.measurement import ON_REQUEST, Measurement
from zermelo.cli import main
from zermelo.core.errors import UsageError
from zermelo.games import find
from zermelo.kernel import popcount

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("name", [*BENCHMARKS, *ON_REQUEST])
def test_every_benchmark_can_be_run_by_its_name(name):
    assert callable(importlib.import_module(f"zermelo.bench.{name}").measurements)


def test_very_long_ones_run_only_by_name():
    assert not set(ON_REQUEST) & set(BENCHMARKS)


def test_an_unknown_name_is_reported_before_anything_runs():
    with pytest.raises(UsageError, match=r"no benchmark 'nix'; try .*kalah64 or ladder GAME"):
        next(measure(["start", "nix"]))


def test_a_missing_peer_is_reported_in_a_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(chess, "USUAL_PLACE", tmp_path / "stockfish")
    with pytest.raises(UsageError, match="Stockfish, which is not installed"):
        chess._stockfish()


def test_without_names_a_missing_peer_stops_only_its_own_benchmark(monkeypatch):
    found = Measurement("speed", 2.0, 1.0, "goal", 2.0, "s")

    def missing():
        raise UsageError("the peer is not installed")
        yield

    monkeypatch.setattr("zermelo.bench.measurement.BENCHMARKS", {"chess": "", "othello": ""})
    monkeypatch.setattr(chess, "measurements", missing)
    monkeypatch.setattr(othello, "measurements", lambda: iter([found]))
    told = []
    assert list(measure((), told.append)) == [found]
    assert told == ["chess: the peer is not installed"]
    with pytest.raises(UsageError, match="not installed"):
        list(measure(["chess", "othello"], told.append))


def test_a_system_that_cannot_measure_a_peer_skips_only_its_benchmark(monkeypatch):
    """As Windows, which has no module `resource`."""
    monkeypatch.setitem(sys.modules, "resource", None)
    importlib.reload(chess)
    monkeypatch.setattr("zermelo.bench.measurement.BENCHMARKS", {"chess": ""})
    monkeypatch.setattr(chess, "search_rate", lambda *_arguments: Measurement("speed", 2.0, 1.0, "goal", 2.0, "s"))
    monkeypatch.setattr(chess, "time_perft", lambda *_arguments: 1.0)
    monkeypatch.setattr(chess, "_stockfish", lambda: "stockfish")
    told = []
    assert len(list(measure((), told.append))) == 1
    assert told == ["chess: perft is compared with Stockfish, whose processor time this system does not report"]


@pytest.mark.parametrize("empties", [14, 50])
def test_endgames_have_the_requested_number_of_empty_squares(empties):
    game = find("othello")
    state = othello.endgame(game, empties, 1)
    assert 64 - popcount(state.mine | state.theirs) == empties
    assert not game.is_terminal(state)
    assert state == othello.endgame(game, empties, 1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ladder"], "the ladder takes one game; write zermelo bench ladder GAME"),
        (["ladder", "nim", "hexapawn"], "the ladder takes one game; write zermelo bench ladder GAME"),
        (["star", "--depth", "3"], "only the ladder takes a depth; write zermelo bench ladder GAME --depth 6"),
        (["mcts", "--against", "stockfish"], "mcts is not measured against 'stockfish'; try open_spiel"),
        (
            ["star", "--against", "open_spiel"],
            "star is not measured against 'open_spiel'; it has no peer to choose: leave out --against",
        ),
        (
            ["--against", "open_spiel"],
            "--against needs the name of a benchmark; write zermelo bench mcts --against open_spiel",
        ),
        (["ladder", "nim", "--against", "open_spiel"], "the ladder has no peer to compare with; leave out --against"),
        (["ladder", "nim", "--depth", "deep"], "--depth: 'deep' is not a count; write 10000, 10k or 2M"),
        (["ladder", "nim", "--depth", "0"], "the depth is 0; it must be between 1 and 249"),
    ],
)
def test_wrong_usage_is_one_sentence(capsys, arguments, sentence):
    assert main(["bench", *arguments]) == 2
    said = capsys.readouterr()
    assert said.err == f"zermelo: {sentence}\n"
    assert said.out == ""
