"""`zermelo play` of a game with hidden cards: the screen does not reveal the other player's."""

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.plain

KUHN = str(Path(__file__).parents[2] / "examples" / "kuhn.py")


def screens(said):
    """What was said before the game was over, and after."""
    before, _, after = said.out.rpartition("Your move: ")
    return before, after


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seat", [1, 2])
def test_a_person_sees_their_own_card_and_the_back_of_the_other(zermelo, seat, seed):
    said = zermelo("play", KUHN, "--vs", "random", "--as", seat, "--seed", seed, keys="position\nmoves\nresign\n")
    before, after = screens(said)
    cards = after.partition("moves: ")[2].split()[:2]
    table = [line.split() for line in before.splitlines() if "chips" in line]
    mine, theirs = table[seat - 1], table[2 - seat]
    assert cards[seat - 1] in mine
    assert "▒" in theirs
    assert cards[2 - seat] not in "".join(map(str, table))
    assert "The dice" not in before
    assert "it is shown when the game is over" in before


def test_after_an_opponents_move_the_board_shows_only_what_is_visible(zermelo):
    out = zermelo("play", KUHN, "--vs", "random", "--as", "2", "--seed", "1", keys="fold\ncheck\n").out
    assert "Player 1 has moved" in out
    assert "Player 1 plays" not in out
    assert "player 1 checks" in out or "player 1 bets" in out


def test_how_often_an_opponent_tries_is_not_said(zermelo):
    """In phantom tic-tac-toe a try that meets a stone is repeated; only the turn is announced."""
    out = zermelo("play", "phantom", "--vs", "random", "--seed", 12, keys="b2\nresign\n").out
    assert "moves: b2 b2 c1" in out
    assert out.count("O has moved") == 1


@pytest.mark.compiled
def test_hints_do_not_name_the_hidden_position(zermelo):
    said = zermelo("play", KUHN, "--vs", "random", "--seed", "1", "--nodes", "50", keys="eval\nresign\n")
    assert re.search(r"kuhn · .* · player 1 to move", said.out)
    assert said.out.index("▒") < said.out.index("player 1 to move")


def test_everything_is_shown_at_the_end_and_to_those_who_only_watch(zermelo):
    out = zermelo("play", KUHN, "--vs", "random", "--as", "0", "--seed", "1").out
    assert "▒" not in out
    assert "The dice: " in out
    out = zermelo("play", KUHN, "--vs", "random", "--seed", "1", keys="check\ncall\n").out
    assert out.count("▒") < out.count("player 2  ")


@pytest.mark.parametrize("seed", range(4))
def test_leaving_and_saving_show_no_card(zermelo, tmp_path, seed):
    file = tmp_path / "game.jsonl"
    said = zermelo("play", "kuhn", "--vs", "random", "--seed", seed, keys=f"save {file}\nquit\n")
    assert "A record would show what is hidden; the game can be saved when it is over." in said.out
    assert said.out.endswith("Good-bye.\nWhat is hidden stays hidden, because the game is not over.\n")
    assert "moves:" not in said.out.replace("Commands: moves", "")
    assert not file.exists()


def test_a_game_that_is_open_is_still_printed_and_saved(zermelo, tmp_path):
    file = tmp_path / "game.jsonl"
    said = zermelo("play", "nim", "--vs", "random", keys=f"save {file}\n1\nquit\n")
    assert "To continue from any point" in said.out
    assert file.exists()
