"""Why a hint is a good move, in words that follow the move."""

import pytest

from zermelo.core.analysis import Analysis, MoveAnalysis
from zermelo.games import find
from zermelo.web.hints import reason

pytestmark = pytest.mark.plain


def move(name, value, kind="estimate", **more):
    return MoveAnalysis(name, (value, -value), kind, **more)


def why(spec, *moves, to_move=0):
    game = find(spec)
    best = moves[0]
    return reason(Analysis(game.spec(), "", to_move, "", best.value, best.kind, best.action, moves=moves), game)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ([move("a", 1, "exact", distance=1), move("b", 0, "exact")], "wins at once"),
        ([move("a", 1, "exact", distance=5), move("b", 0)], "wins in 3 moves"),
        ([move("a", 1, "exact", distance=5, distance_kind="upper"), move("b", 0)], "wins in at most 3 moves"),
        ([move("a", 1, "lower"), move("b", 0)], "wins, whatever the other side does"),
        (
            [move("a", 0, "exact"), move("b", -1, "exact"), move("c", -1, "upper")],
            "keeps the draw; every other move loses",
        ),
        ([move("a", 0, "exact"), move("b", 0, "exact"), move("c", -1, "exact")], "keeps the draw; 1 other move loses"),
        ([move("a", 0, "exact"), move("b", 0, "exact")], "leads to a draw, as every good move does"),
        (
            [move("a", -1, "exact"), move("b", -1, "exact")],
            "every move loses against perfect play; this one makes it hardest",
        ),
        ([move("a", 0.16), move("b", -0.18), move("c", -0.5)], "best of 3 moves: 58 % instead of 41 %"),
        ([move("a", 0.16), move("b", -0.18, "upper")], "best of 2 moves: 58 % instead of at most 41 %"),
        ([move("a", 0.1, visits=9), move("b", 0.2, visits=2)], "one of the best of 2 moves: 55 %"),
        ([move("a", 0.16), move("b", float("nan"))], "best of 2 moves"),
        ([move("a", 0.16)], "the only move"),
    ],
)
def test_the_reason_follows_from_the_values(moves, expected):
    assert why("tic-tac-toe", *moves) == expected


def test_the_reason_is_that_of_the_player_to_move():
    moves = move("a", -1, "exact", distance=3), move("b", 1, "exact")
    assert why("tic-tac-toe", *moves, to_move=1) == "wins in 2 moves"


def test_a_won_pawn_is_named():
    best, other = move("a", 1.5 / 128), move("b", 0.3 / 128)
    assert why("chess", best, other) == "1.2 pawns better than any other move"


def test_a_margin_is_named():
    assert why("othello", move("a", 8, "exact"), move("b", 2, "exact")) == "wins by 8"
    assert why("othello", move("a", 0.8), move("b", 0.5)) == "best of 2 moves: 0.80 discs instead of 0.50"


def test_for_many_players_the_value_is_compared():
    game = find("trio")
    moves = MoveAnalysis("a", (2.0, 0.5, 0.5), "estimate"), MoveAnalysis("b", (1.0, 1.0, 1.0), "estimate")
    analysis = Analysis(game.spec(), "", 0, "", moves[0].value, "estimate", "a", moves=moves)
    assert reason(analysis, game) == "best of 2 moves: 2.00 instead of 1.00"


def test_without_moves_there_is_no_reason():
    game = find("nim")
    assert reason(Analysis(game.spec(), "", 0, "", (0.0, 0.0), "estimate"), game) == ""
