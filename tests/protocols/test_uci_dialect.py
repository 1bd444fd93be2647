"""How games are written in the protocol; chess against python-chess."""

import random

import pytest

from zermelo.core.errors import IllegalMove
from zermelo.core.game import Game
from zermelo.core.notation import GameNotation
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.chess import Chess
from zermelo.protocols.uci.dialect import Dialect, LongAlgebraic, dialect_of

pytestmark = pytest.mark.plain

python_chess = pytest.importorskip("chess")


def test_chess_has_its_own_dialect_and_others_their_notation():
    assert type(dialect_of(Chess())) is LongAlgebraic
    assert dialect_of(Chess(evaluation="material")).variant == "chess"
    assert type(dialect_of(find("hexapawn"))) is Dialect


@pytest.mark.parametrize("seed", range(3))
def test_chess_moves_are_those_of_python_chess(seed):
    """Random games: the same words, and each is read as the move it was written for."""
    game, rng = Chess(), random.Random(seed)
    dialect, referee, board = dialect_of(game), Referee(game), python_chess.Board()
    for _ in range(40):
        words = {dialect.write(referee.state, action): action for action in referee.legal()}
        assert set(words) == {move.uci() for move in board.legal_moves}
        if not words:
            break
        word = rng.choice(sorted(words))
        assert dialect.read(referee.state, word) == words[word]
        referee.play(words[word])
        board.push_uci(word)
    line = tuple(turn.action for turn in referee.turns)
    start = game.initial()
    words = dialect.write_line(GameNotation(game, start), line)
    assert list(words) == [move.uci() for move in board.move_stack]
    assert dialect.read_line(start, words) == line


def test_promotions_and_castling():
    game = Chess()
    dialect = dialect_of(game)
    state = game.parse_state("4k3/P7/8/8/8/8/8/4K2R w K - 0 1")
    words = {dialect.write(state, action) for action in game.actions(state)}
    assert {"a7a8q", "a7a8r", "a7a8b", "a7a8n", "e1g1"} <= words
    assert dialect.read(state, "a7a8Q") == dialect.read(state, "a7a8q")
    for word in ("a7a8", "O-O", "e1h1", "0000", "", "a7a8k"):
        with pytest.raises(IllegalMove):
            dialect.read(state, word)


def test_a_small_b_is_a_file_and_no_bishop():
    """`b5c6` is legal as a bishop's move to those who read it as a scoresheet."""
    game = Chess()
    state = game.parse_state("4k3/8/2p5/8/B7/8/8/4K3 w - - 0 1")
    assert game.parse_action(state, "b4c6") is not None
    with pytest.raises(IllegalMove, match="b4c6 is not legal here"):
        dialect_of(game).read(state, "b4c6")


def test_a_line_ends_where_it_is_no_longer_legal():
    game = find("hexapawn")
    line = dialect_of(game).read_line(game.initial(), ["a1a2", "b3a2", "a1a2"])
    assert GameNotation(game, game.initial()).write(line) == ("a1a2", "b3a2")


class Discs(Game):
    """Counts in discs, and how many matters."""

    utility_range = (-64, 64)
    margins = True


class Pawns(Game):
    unit = 1 / 128


@pytest.mark.parametrize(
    ("game", "value", "distance", "words"),
    [
        (Pawns(), 0.0, None, "cp 0"),
        (Pawns(), 1.5 / 128, None, "cp 150"),
        (Pawns(), -0.07 / 128, None, "cp -7"),
        (Pawns(), 1.0, 1, "mate 1"),
        (Pawns(), 1.0, 5, "mate 3"),
        (Pawns(), -1.0, 2, "mate -1"),
        (Pawns(), -1.0, 6, "mate -3"),
        (Pawns(), -1.0, 0, "mate 0"),
        (Pawns(), 0.0, 8, "cp 0"),
        (Pawns(), 1.0, None, "cp 12800"),
        (Pawns(), float("nan"), None, "cp 0"),
        (Discs(), 10, None, "cp 1000"),
        (Discs(), 64, 20, "cp 6400"),
    ],
)
def test_scores(game, value, distance, words):
    assert Dialect(game).score(value, distance) == words


@pytest.mark.parametrize(
    ("game", "unit", "number", "value"),
    [
        (Pawns(), "cp", 150, 1.5 / 128),
        (Pawns(), "cp", -99999999, -1),
        (Pawns(), "mate", 3, 1),
        (Pawns(), "mate", -2, -1),
        (Pawns(), "mate", 0, -1),
        (Discs(), "cp", -300, -3),
    ],
)
def test_scores_of_others(game, unit, number, value):
    assert Dialect(game).value(unit, number) == value
