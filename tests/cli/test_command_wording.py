"""Results in words, and what the door and the tab key offer."""

from dataclasses import replace

import pytest

from zermelo.cli import welcome
from zermelo.cli.completion import complete_agents, complete_algorithms, complete_games
from zermelo.cli.terminal import StatusLine
from zermelo.core.analysis import Analysis
from zermelo.core.game import Game
from zermelo.core.outcome import describe_result
from zermelo.draw.wording import prospects, solution
from zermelo.games import find

pytestmark = pytest.mark.plain


def answer(game, value, kind="exact", distance=None, **stats):
    return Analysis(game.spec(), "somewhere", 0, "test", value, kind, distance=distance, stats=stats)


@pytest.mark.parametrize(
    ("name", "value", "distance", "sentence"),
    [
        ("hexapawn", (-1, 1), 8, "hexapawn: Black (second player) wins, in 8 plies with best play"),
        ("hexapawn", (1, -1), 1, "hexapawn: White (first player) wins, in 1 ply with best play"),
        ("nim", (1, -1), None, "nim: player 1 wins with best play"),
        ("tic-tac-toe", (0, 0), 9, "tic-tac-toe: a draw, after 9 plies with best play"),
        (
            "connect-four:scored=true",
            (-4, 4),
            None,
            "connect-four:scored=true: O (second player) wins by 4 with best play",
        ),
        (
            "pig",
            (0.0611854506, -0.0611854506),
            None,
            "pig: with best play player 1 scores 53.05927253 % (player 1 0.0611854506, player 2 -0.0611854506)",
        ),
        ("trio", (3, 0, 0), None, "trio: with best play X 3, O 0, T 0"),
    ],
)
def test_a_solution_is_one_sentence(name, value, distance, sentence):
    game = find(name)
    assert solution(answer(game, value, distance=distance, nodes=123), game) == f"{sentence}; proved with 123 nodes"


def test_a_solution_that_is_not_exact_says_how_near_it_is():
    game = find("2048:target=32")
    found = replace(answer(game, (0.0828872891,)), error=2.21e-15)
    assert solution(found, game) == "2048:target=32: worth 0.0828872891 ± 2.3e-15 with best play; proved"


def test_a_proof_is_reported_by_its_positions_where_they_were_counted():
    game = find("nim")
    assert solution(answer(game, (1, -1), positions=1, nodes=9), game).endswith("proved with 1 position")
    assert solution(answer(game, (1, -1)), game).endswith("; proved")


class Alone(Game):
    """A game for one."""

    players = 1


def test_a_game_for_one_is_worth_its_points():
    assert solution(answer(Alone(), (7,)), Alone()) == "alone: worth 7 with best play; proved"
    assert describe_result(Alone(), (7,)) == "7 points"


@pytest.mark.parametrize(
    ("name", "payoffs", "verdict"),
    [
        ("hexapawn", (1, -1), "White wins"),
        ("tic-tac-toe", (0, 0), "a draw"),
        ("trio", (0, 3, 0), "O wins (X 0, O 3, T 0)"),
        ("trio", (1.5, 1.5, 0), "X and O share first place (X 1.5, O 1.5, T 0)"),
        ("trio", (1, 1, 1), "a draw"),
        ("connect-four:scored=true", (5, -5), "X wins (X 5, O -5)"),
    ],
)
def test_an_end_is_reported_by_who_won(name, payoffs, verdict):
    assert describe_result(find(name), payoffs) == verdict


@pytest.mark.parametrize(
    ("name", "value", "kind", "words"),
    [
        ("hexapawn", (1, -1), "exact", "White wins in 3 plies"),
        ("othello", (3.25, -3.25), "estimate", "looks good for Black (+3.25 discs)"),
        ("othello:margin=false", (-0.25, 0.25), "estimate", "looks bad for Black (-16.00 discs)"),
        ("kalah", (0.5, -0.5), "estimate", "about even for South (+0.50 seeds)"),
        ("oware:margin=false", (0.25, -0.25), "estimate", "looks good for South (+12.00 seeds)"),
        ("hexapawn", (-1, 1), "exact", "Black wins in 3 plies"),
        ("tic-tac-toe", (0, 0), "exact", "a draw"),
        ("hexapawn", (0.5, -0.5), "estimate", "looks good for White (+0.50)"),
        ("hexapawn", (-0.5, 0.5), "estimate", "looks bad for White (-0.50)"),
        ("hexapawn", (0.1, -0.1), "estimate", "about even for White (+0.10)"),
        ("chess", (0.02, -0.02), "estimate", "looks good for White (+2.56 pawns)"),
        ("chess", (-0.02, 0.02), "estimate", "looks bad for White (-2.56 pawns)"),
        ("chess", (0.002, -0.002), "estimate", "about even for White (+0.26 pawns)"),
        ("pig", (0.06, -0.06), "exact", "worth 0.06 to player 1"),
        ("hexapawn", (float("nan"),) * 2, "estimate", "unknown"),
    ],
)
def test_a_hint_promises_only_what_is_proved(name, value, kind, words):
    game = find(name)
    assert prospects(answer(game, value, kind, distance=3), game, 0) == words


@pytest.mark.parametrize(
    ("typed", "chosen"),
    [
        (["2"], "nim"),
        (["nim"], "nim"),
        (["N"], "nim"),
        ([""], "hexapawn"),
        (["q"], None),
        (["golf", "9", "1"], "hexapawn"),
    ],
)
def test_a_game_is_chosen_by_name_number_or_enter(monkeypatch, capsys, typed, chosen):
    keys = iter(typed)
    monkeypatch.setattr("builtins.input", lambda prompt: next(keys))
    assert welcome._ask_for_game(["hexapawn", "nim"]) == chosen
    assert capsys.readouterr().out.count("There is no game") == len(typed) - 1


def test_a_name_that_begins_another_can_still_be_ask_for_game(monkeypatch):
    monkeypatch.setattr("builtins.input", lambda prompt: "go")
    assert welcome._ask_for_game(["go", "gomoku"]) == "go"


def test_the_tab_key_knows_names_only():
    assert complete_games(None, None, "hexa") == ["hexapawn"]
    assert complete_agents(None, None, "h") == ["human"]
    assert complete_algorithms(None, None, "max") == ["maxn"]


def test_a_status_line_is_silent_without_a_terminal(capsys):
    with StatusLine() as status:
        status.show("working")
    assert capsys.readouterr() == ("", "")


def test_the_tab_key_offers_your_own_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chequers.py").touch()
    (tmp_path / "notes.txt").touch()
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.py").touch()
    assert complete_games(None, None, "che") == ["chess", "checkers", "chequers.py"]
    assert complete_games(None, None, "games/") == ["games/mine.py"]
    assert [(item.value, item.type) for item in complete_games(None, None, "ga")] == [("ga", "file")]  # the folder
    assert "chequers.py" not in complete_games(None, None, "")
