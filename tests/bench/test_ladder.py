"""The ladder of techniques: fewer nodes or more, but the same value. Interpreted, so that no row has to be compiled."""

import itertools
import math

import pytest

from zermelo.bench import ladder
from zermelo.core.errors import Refused, RulesError, UsageError
from zermelo.games import find
from zermelo.games.connectfour import ConnectFour
from zermelo.games.nim import Nim
from zermelo.games.tictactoe import TicTacToe
from zermelo.search.alphabeta.negamax import negamax
from zermelo.textbook import expectiminimax, minimax

pytestmark = pytest.mark.plain


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """Neither a compiler nor a large table."""
    monkeypatch.setattr("zermelo.kernel.compiler.is_enabled", lambda: False)
    monkeypatch.setattr(ladder, "MEGABYTES", 1)
    assert negamax.prepare(TicTacToe(), ladder.Techniques(), TicTacToe().initial(), 0.0, 0.0, 0, 0, 0, 0) is False


def test_sound_rows_have_the_value_of_textbook_minimax():
    game = TicTacToe()
    rows = list(ladder.climb(game, 3))
    value = minimax(game, game.initial(), 0, 3)
    sound = [row for row in rows if row.rung.is_sound]
    assert len(sound) >= 8
    assert all(math.isclose(row.value, value, abs_tol=1e-12) for row in sound)


def test_minimax_comes_first_and_looks_at_every_node():
    first = next(ladder.climb(TicTacToe(), 3))
    assert first.rung.name == "minimax"
    assert first.nodes == 1 + 9 + 9 * 8 + 9 * 8 * 7
    assert first.rung.how.names() == []


def test_every_row_adds_one_technique_that_the_game_knows_enough_for():
    rungs = ladder.rungs(TicTacToe())
    for before, rung in itertools.pairwise(rungs):
        added = set(rung.how.names()) - set(before.how.names())
        assert added == ({rung.name} if rung.name != "deepening" else set())
    names = [rung.name for rung in rungs]
    assert {"cutoffs", "table", "symmetry"} < set(names)
    assert not {"null_move", "bounds", "candidates", "quiescence"} & set(names)


def test_the_sound_rows_do_not_use_what_a_game_proves():
    game = ConnectFour()
    rungs = {rung.name: rung for rung in ladder.rungs(game)}
    after = game.initial()
    for _ in range(3):  # First threatens to connect four in the first column
        after = game.result(game.result(after, 0), 1)
    after = game.result(after, 6)
    assert rungs["etc"].is_sound
    assert list(rungs["bounds"].game.candidates(after)) == list(game.actions(after))
    assert list(rungs["candidates"].game.candidates(after)) == list(game.candidates(after)) != list(game.actions(after))
    assert not rungs["bounds"].is_sound
    assert not rungs["candidates"].is_sound


def test_a_row_is_reported_against_the_row_before():
    rows = list(ladder.climb(TicTacToe(), 2))
    told = [row.to_json() for row in rows]
    assert [row["peer"] for row in told[1:]] == [row["ours"] for row in told[:-1]]
    assert [row["peer_name"] for row in told[1:]] == [row["name"] for row in told[:-1]]
    compared = {"name", "ours", "peer", "peer_name", "ratio", "unit"}
    assert set(told[0]) == compared | {"game", "depth", "seconds", "value", "sound"}


class Mistaken(Nim):
    """Takes all positions for one."""

    def key(self, state):
        return super().key(self.initial())


def test_sound_rows_that_disagree_are_an_error():
    with pytest.raises(RulesError, match=r"finds .* where minimax finds"):
        list(ladder.climb(Mistaken((1, 2, 3)), 4))


def test_without_a_depth_it_is_as_deep_as_patience_allows_or_as_the_game_is_long(monkeypatch):
    game = find("nim:heaps=1-2")
    monkeypatch.setattr(ladder, "PATIENCE", math.inf)
    assert next(ladder.climb(game)).depth == 3
    monkeypatch.setattr(ladder, "PATIENCE", 0.0)
    assert next(ladder.climb(game)).depth == 2


@pytest.mark.parametrize("depth", [0, -1, 250])
def test_a_depth_that_makes_no_sense_is_reported(depth):
    with pytest.raises(UsageError, match=f"the depth is {depth}; it must be between 1 and 249"):
        next(ladder.climb(TicTacToe(), depth))


def test_a_third_player_is_refused():
    with pytest.raises(Refused, match="trio has three players"):
        next(ladder.climb(find("trio")))


def test_with_dice_the_ladder_leads_from_expectiminimax_to_star2():
    game = find("pig:target=20")
    rows = list(ladder.climb(game, 6))
    assert [row.rung.name for row in rows][:3] == ["expectiminimax", "cutoffs", "stars"]
    assert rows[-1].rung.title == "Star2"
    assert all(row.rung.is_sound for row in rows)
    assert rows[0].value == pytest.approx(expectiminimax(game, game.initial(), 0, 6))
    assert rows[-1].nodes < rows[2].nodes <= rows[1].nodes < rows[0].nodes
