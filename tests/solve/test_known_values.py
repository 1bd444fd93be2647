"""Solved games have the values that are known from elsewhere."""

import functools
import operator

import pytest
from solve_games import CHAIN, SUBTRACT, WIDE, Spot, Zoo

from zermelo.core.game import CHANCE
from zermelo.core.referee import Referee
from zermelo.games.connectfour import ConnectFour
from zermelo.games.hexapawn import Hexapawn
from zermelo.games.nim import Nim
from zermelo.games.nim import Position as Heaps
from zermelo.games.tictactoe import TicTacToe
from zermelo.games.tree import Tree
from zermelo.solve import solve

# -- hexapawn: who wins, First or second player, with 1, 2, 3 ... columns; recomputed with an independent program ----

HEXAPAWN = {3: "FssFFsFF", 4: "sssFssFs", 5: "FsFsFsF", 6: "sssFFs", 7: "FsFsF", 8: "sssFs"}


def boards():
    """The whole table; a few boards run always, and small ones even without the compiler."""
    for rows, winners in HEXAPAWN.items():
        for cols, winner in enumerate(winners, 1):
            if (rows, cols) in {(3, 3), (4, 4)}:
                yield pytest.param(rows, cols, winner)
            else:
                is_short = (rows, cols) == (6, 5)
                yield pytest.param(rows, cols, winner, marks=pytest.mark.compiled if is_short else pytest.mark.long)


@pytest.mark.both
@pytest.mark.parametrize(("rows", "cols", "winner"), list(boards()))
def test_hexapawn(rows, cols, winner):
    answer = solve(Hexapawn(rows, cols))
    value = 1 if winner == "F" else -1
    assert answer.value == (value, -value)
    assert (answer.kind, answer.stopped) == ("exact", "done")
    assert len(answer.line) == answer.distance
    assert answer.distance % 2 == (winner == "F")  # the winner makes the last move


# -- tic-tac-toe -----------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_tic_tac_toe_is_a_draw():
    answer = solve(TicTacToe())
    assert answer.value == (0, 0)
    assert answer.distance is None
    assert len(answer.line) == 9
    assert {move.value for move in answer.moves} == {(0, 0)}  # whatever X begins with


@pytest.mark.both
def test_an_answer_beside_the_centre_loses_at_tic_tac_toe():
    """After a corner only the centre holds."""
    game = TicTacToe()
    answer = solve(game, Referee.at(game, "moves: a1"))
    assert answer.best == "b2"
    assert [move.move for move in answer.moves if move.value == (0, 0)] == ["b2"]
    assert all(move.value == (1, -1) for move in answer.moves[1:])


# -- nim: Bouton's rule ----------------------------------------------------------------------------------------------


def is_won_at_nim(heaps, is_misere):
    """The player to move wins normal play unless the heaps xor to zero; in misère play the same, except when no heap
    has more than one counter: then an even number of heaps wins.   [Bouton 1901]
    """
    xor = functools.reduce(operator.xor, heaps)
    return (xor == 0) if is_misere and max(heaps) <= 1 else (xor != 0)


@pytest.mark.plain
@pytest.mark.parametrize("is_misere", [False, True])
def test_nim_follows_boutons_rule(is_misere):
    game = Nim((3, 4, 5), is_misere)
    for heaps in [(a, b, c) for a in range(4) for b in range(5) for c in range(6) if a + b + c]:
        for player in (0, 1):
            own = 1 if is_won_at_nim(heaps, is_misere) else -1
            expected = (own, -own) if player == 0 else (-own, own)
            assert solve(game, Heaps(heaps, player), memory_mb=1).value == expected, heaps


@pytest.mark.plain
def test_four_heaps_of_nim():
    game = Nim((1, 3, 5, 7))
    assert solve(game).value == (-1, 1)
    answer = solve(game, Referee.at(game, "moves: d5"))  # 1, 3, 5, 2: take one of the five
    assert answer.value == (-1, 1)
    assert [move.move for move in answer.moves if move.value == (-1, 1)] == [
        move
        for move, heaps in {"c5": (1, 3, 0, 2), "a1": (0, 3, 5, 2), "b3": (1, 0, 5, 2)}.items()
        if not is_won_at_nim(heaps, False)
    ]


# -- Connect Four on small boards ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cols", "rows"),
    [
        pytest.param(cols, rows, marks=[pytest.mark.long] if rows == 5 else [])
        for cols, rows in ((5, 4), (5, 5), (6, 5))
    ],
)
def test_small_boards_of_connect_four_are_drawn(cols, rows):
    """John Tromp, "John's Connect Four Playground"."""
    answer = solve(ConnectFour(cols, rows))
    assert answer.value == (0, 0)
    assert len(answer.line) == cols * rows


# -- games with a formula --------------------------------------------------------------------------------------------


@pytest.mark.both
def test_taking_one_to_three_counters_is_lost_at_multiples_of_four():
    """The loser takes one each time, to delay; the winner answers with three: two plies for four counters."""
    game = Zoo()
    for counters in range(1, 40):
        answer = solve(game, Spot(SUBTRACT, counters, 0), memory_mb=1)
        is_won = counters % 4 != 0
        assert answer.value[0] == (1 if is_won else -1)
        assert answer.distance == 2 * (counters // 4) + is_won
        assert len(answer.line) == answer.distance


@pytest.mark.both
@pytest.mark.parametrize("player", [0, 1])
def test_a_chain_of_single_moves_is_decided_by_its_length(player):
    for length in (1, 2, 7, 10):
        answer = solve(Zoo(), Spot(CHAIN, length, player), memory_mb=1)
        assert answer.value[player] == (1 if length % 2 else -1)
        assert answer.distance == length
        assert answer.line == ("1",) * length
        assert [move.kind for move in answer.moves] == ["exact"]


@pytest.mark.both
def test_the_best_of_two_thousand_moves_is_found():
    answer = solve(Zoo(), Spot(WIDE, 3, 0), memory_mb=1)
    assert answer.value == (1, -1)
    assert answer.best == "1999"
    assert answer.distance == 5
    assert len(answer.moves) == 2000
    assert {move.value for move in answer.moves[1:]} == {(-1, 1)}


# -- trees of the lectures -------------------------------------------------------------------------------------------


@pytest.mark.both
@pytest.mark.parametrize(
    ("text", "value", "best", "line"),
    [
        ("max(min(3 12 8) min(2 4 6) min(14 5 2))", (3, -3), "a", ("a", "a")),
        ("max(min(-8 -5) min(-10 8))", (-8, 8), "a", ("a", "a")),
        ("max(chance(3 12 9) chance(2 4 6) chance(15 6 0))", (8, -8), "a", ("a",)),
        ("min(2 max(min(1 5) 7) -1.5)", (-1.5, 1.5), "c", ("c",)),
        ("p1(p1(<1> <4>) <3>)", (4,), "a", ("a", "b")),
        ("p2(<4,1> p1(<0,2> <1,1>))", (4, 1), "a", ("a",)),
    ],
)
def test_lecture_trees(text, value, best, line):
    answer = solve(Tree(text))
    assert answer.value == value
    assert (answer.best, answer.line) == (best, line)


@pytest.mark.both
def test_a_roll_of_the_dice_has_a_value_and_no_move():
    answer = solve(Tree("chance(1/2:8 1/3:24 1/6:-12)"))
    assert answer.value == pytest.approx((10, -10))
    assert (answer.kind, answer.to_move, answer.best, answer.line, answer.moves) == ("exact", CHANCE, None, (), ())


@pytest.mark.both
@pytest.mark.parametrize("position", ["XX./OO./... x", "XXX/OO./... o"])
def test_positions_are_given_by_text(position):
    game = TicTacToe()
    assert solve(game, Referee.at(game, position)).value == (1, -1)


@pytest.mark.both
def test_a_finished_game_is_its_own_proof():
    game = TicTacToe()
    answer = solve(game, game.parse_state("XXX/OO./... o"))
    assert (answer.value, answer.kind, answer.distance) == ((1, -1), "exact", 0)
    assert (answer.best, answer.line, answer.moves) == (None, (), ())
    assert answer.stats["nodes"] == 0
