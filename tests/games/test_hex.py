"""Hex: the rules of OpenSpiel's, chains against a plain flood fill, values of small boards."""

import random
import re

import pyspiel
import pytest

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import legal_actions
from zermelo.core.point_sets import has_point
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.hex import BLUE, RED, Hex
from zermelo.solve import solve

pytestmark = pytest.mark.plain
GAMES = [30, pytest.param(1000, marks=pytest.mark.long)]


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize(
    ("rows", "cols", "swap"), [(3, 3, True), (5, 5, False), (4, 2, False), (2, 7, False), (9, 9, True)]
)
def test_rules_are_those_of_openspiel(rows, cols, swap, games):
    game, rng = Hex(rows, cols, swap), random.Random(0)
    there = pyspiel.load_game(f"hex(num_rows={rows},num_cols={cols},swap={swap})")
    for _ in range(games if rows < 9 else games // 10):
        here, other = game.initial(), there.new_initial_state()
        while not game.is_terminal(here):
            moves = list(legal_actions(game, here))
            assert sorted(moves) == other.legal_actions()
            assert game.to_move(here) == other.current_player()
            move = moves[-1] if moves[-1] == game.cells and rng.random() < 0.5 else rng.choice(moves)
            here = game.result(here, move)
            other.apply_action(move)
        assert other.is_terminal()
        assert [game.utility(here, player) for player in (RED, BLUE)] == other.returns()


def neighbours(row, col):
    return [(row, col - 1), (row, col + 1), (row - 1, col), (row - 1, col + 1), (row + 1, col), (row + 1, col - 1)]


def plainly_linked(cells, rows, starts):
    """The cells that lead to a start, by a search over pairs of row and column."""
    found, waiting = set(), [cell for cell in starts if cell in cells]
    while waiting:
        cell = waiting.pop()
        if cell not in found:
            found.add(cell)
            waiting += [near for near in neighbours(*cell) if near in cells]
    return found


@pytest.mark.parametrize(("rows", "cols"), [(5, 4), (1, 3), (3, 1), (2, 2), (11, 11)])
def test_links_are_those_of_a_plain_flood_fill(rows, cols):
    game, rng = Hex(rows, cols), random.Random(1)
    for _ in range(10):
        state = game.initial()
        while not game.is_terminal(state):
            state = game.result(state, rng.choice(list(game.actions(state))))
            for stones, linked, starts in (
                (state.red, state.red_linked, [(0, col) for col in range(cols)]),
                (state.blue, state.blue_linked, [(row, 0) for row in range(rows)]),
            ):
                cells = {(cell // cols, cell % cols) for cell in range(rows * cols) if has_point(stones, cell)}
                found = {(cell // cols, cell % cols) for cell in range(rows * cols) if has_point(linked, cell)}
                assert found == plainly_linked(cells, rows, starts)


def test_the_distance_is_the_number_of_stones_still_needed():
    game = Hex(4, 4)
    state = game.parse_state("..../RBB./..R./B..R r")
    assert [game.distance(state, player) for player in (RED, BLUE)] == [3, 2]


@pytest.mark.parametrize("size", [2, 3, pytest.param(4, marks=[pytest.mark.compiled, pytest.mark.long])])
def test_the_first_player_wins_on_small_boards(size):
    """Nash, 1949: there are no draws, and an extra stone never hurts."""
    found = solve(f"hex:rows={size},cols={size}")
    assert (found.value[0], found.kind) == (1.0, "exact")


@pytest.mark.parametrize(("rows", "cols", "value"), [(2, 3, 1.0), (3, 2, -1.0), (2, 4, 1.0), (4, 2, -1.0)])
def test_the_shorter_way_wins_even_for_the_second_player(rows, cols, value):
    """By pairing cells, see Gardner 1959."""
    assert solve(f"hex:rows={rows},cols={cols}").value[0] == value


def test_with_the_swap_the_second_player_wins():
    assert solve("hex:rows=3,cols=3,swap=true").value[0] == -1.0


def test_a_stone_that_is_swapped_is_mirrored():
    game = Referee.at(Hex(3, 3, swap=True), "moves: b1 swap")
    assert game.game.format_state(game.state) == ".../B../... r"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("R../.../...", "'R../.../...' is not a position of hex:rows=3,cols=3; the start is '.../.../... r'"),
        ("X../.../... b", "a letter that is not a stone; use R, B and . for empty"),
        ("R../.../... r", "with 1 R and 0 B it is not the turn of r"),
        ("RBB/R../R.B r", "the side to move has linked already, so the game was over before"),
        ("R.R/RBR/RBR b", "with 6 R and 2 B it is not the turn of b"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(text, sentence):
    with pytest.raises(BadPosition, match=re.escape(sentence)):
        Hex(3, 3).parse_state(text)


def test_two_chains_cannot_have_been_closed_by_one_stone():
    with pytest.raises(BadPosition, match="no single last stone linked the sides"):
        Hex(4, 4).parse_state("RBBR/RBBR/RBBR/RB.R b")


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("hex:rows=20", "hex has 1 to 19 rows and columns, not 20 by 11"),
        ("hex:rows=3,cols=4,swap=true", "a stone can be swapped on a square board only, not on 3 by 4 cells"),
    ],
)
def test_boards_that_cannot_be_are_refused(spec, sentence):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        find(spec)
