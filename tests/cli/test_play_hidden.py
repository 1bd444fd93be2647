"""`zermelo play` of a game with hidden cards: nobody reads the other's from the screen."""

from pathlib import Path

import pytest

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


def test_an_opponent_has_moved_and_the_board_tells_what_could_be_seen(zermelo):
    out = zermelo("play", KUHN, "--vs", "random", "--as", "2", "--seed", "1", keys="fold\ncheck\n").out
    assert "Player 1 has moved" in out
    assert "Player 1 plays" not in out
    assert "player 1 checks" in out or "player 1 bets" in out


@pytest.mark.own_kernels
def test_what_the_helper_thinks_does_not_name_the_position(zermelo):
    said = zermelo("play", KUHN, "--vs", "random", "--seed", "1", "--nodes", "50", keys="eval\nresign\n")
    assert "kuhn · player 1 to move" in said.out


def test_everything_is_shown_at_the_end_and_to_those_who_only_watch(zermelo):
    out = zermelo("play", KUHN, "--vs", "random", "--as", "0", "--seed", "1").out
    assert "▒" not in out
    assert "The dice: " in out
    out = zermelo("play", KUHN, "--vs", "random", "--seed", "1", keys="check\ncall\n").out
    assert out.count("▒") < out.count("player 2  ")
