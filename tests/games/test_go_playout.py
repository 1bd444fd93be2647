import functools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.game import NO_ACTION
from zermelo.core.point_sets import common, is_any, size_of
from zermelo.games.go import Go
from zermelo.games.go.patterns import ALLOWED, AROUND, EMPTY, MINE, OUTSIDE, THEIRS, Patterns, shapes
from zermelo.games.go.position import Position
from zermelo.kernel import U64, kernel, mix

pytestmark = pytest.mark.plain

go5 = Go(5, komi=0)


def places(game, points):
    """A set of points as (column, row) pairs."""
    step, bits = game.board.step, sum(int(word) << 64 * i for i, word in enumerate(points))
    return {(place % step, place // step) for place in range(bits.bit_length()) if bits >> place & 1}


def played(sizes=(2, 3, 5, 7, 9, 13, 19), suicide=False):
    """A game, a state of a playout, and the move that led there."""
    return st.sampled_from(sizes).flatmap(lambda size: st.sampled_from(pool(size, suicide)))


@functools.cache
def pool(size, suicide=False):
    """All states of a playout, or of its first 200 moves."""
    game, word, last, found = Go(size, suicide=suicide), U64(size), NO_ACTION, []
    state = game.initial()
    while not game.is_terminal(state) and len(found) < 200:
        found.append((game, state, last))
        word = mix(word + U64(1))
        last = game.sample(state, last, word) if word & U64(3) else game.draw_move(state, word, 0)
        state = game.result(state, last)
    return found


def drawn(game, position, last, words=200):
    """The moves that playouts draw after the last move, by name."""
    state = game.parse_state(position)
    move = NO_ACTION if last is None else game.squares if last == "pass" else named(game, last)
    rng = random.Random(1)
    found = {game.sample(state, move, U64(rng.getrandbits(64))) for _ in range(words)}
    assert found <= set(game.actions(state))
    return {game.format_action(state, action) for action in found}


def named(game, text):
    return next(action for action in range(game.squares) if game.format_action(None, action) == text)


# -- playouts ---------------------------------------------------------------------------------------------------------


@given(st.one_of(played(), played(suicide=True)), st.integers(0, 2**64 - 1))
def test_playouts_draw_legal_moves_whatever_came_last(found, word):
    game, state, last = found
    assert game.sample(state, last, U64(word)) in set(game.actions(state))
    assert game.draw_move(state, U64(word), 0) in set(game.actions(state))


@pytest.mark.parametrize(
    ("position", "last", "answers"),
    [
        # a chain in atari runs where that gains it a liberty
        ("...../..O../.OX../..O../..... B", "C2", {"D3"}),
        # at the edge it does not, and running is no answer; nor is anything else
        ("...../...../O..../XO.../.O... B", "B1", None),
        # it is saved by taking one of the stones around, or by running
        ("...../.OX../OXOX./...../..... B", "C3", {"B2", "C2"}),
        # a stone that puts itself into atari is taken
        ("...../...../...../X..../O.... B", "A1", {"B1"}),
        # one that has two liberties is given one, from whichever side; but not by a stone that would be taken itself
        ("...../...../X..../.X.../O.... B", "A1", {"A2", "B1"}),
        ("...../...../..X../.XOX./.OO.. B", "C1", {"D1"}),
        # a snapback: the stone that was thrown in is taken, since playouts do not look further
        ("...../...../XX.../OOX../X.X.. W", "A1", {"B1"}),
    ],
)
def test_the_last_move_is_answered(position, last, answers):
    found = drawn(go5, position, last)
    assert found == answers if answers else len(found) > 5


def test_a_hane_at_the_head_of_a_stone_is_a_shape():
    """Black's stones beside and White's between: the points in front of it and of the last one, on either side."""
    game = Go()
    board = "........./........./........./........./...XOX.../........./........./........./......... W"
    assert drawn(game, board, "D5") == {"D4", "D6", "E4", "E6"}


def test_a_cut_is_a_shape():
    board = "........./........./........./...XO..../...O...../........./........./........./......... W"
    assert "E5" in drawn(Go(), board.replace(" W", " B"), "D5")


def test_without_a_last_move_or_after_a_pass_any_point_may_be_drawn():
    board = "...../..O../.OX../..O../..... B"
    assert len(drawn(go5, board, None, 2000)) == len(drawn(go5, board, "pass", 2000)) > 15


def test_a_ko_is_not_taken_back_by_an_answer():
    board = "...../...../.XO../X.XO./.XO.. W B2"
    assert "B2" not in drawn(go5, board, "C2", 1000)


def test_playouts_never_fill_an_eye_and_pass_instead():
    """Both eyes of Black, and White cannot play either."""
    board = ".X.X./XXXXX/XXXXX/XXXXX/XXXXX B"
    assert drawn(go5, board, None) == {"pass"}
    assert drawn(go5, board.replace(" B", " W"), "pass") <= {"A5", "C5", "E5", "pass"}


@kernel
def drawn_by_machine(game: Go, state: Position, last: int, word: U64) -> int:
    return game.sample(state, last, word)


@kernel
def weighed_by_machine(game: Go, state: Position, action: int) -> float:
    return game.prior(state, NO_ACTION, action)


@pytest.mark.compiled
@pytest.mark.parametrize("size", [5, 9])
def test_compiled_answers_and_weights_are_those_of_the_interpreter(size):
    rng = random.Random(size)
    for game, state, last in pool(size):
        word = U64(rng.getrandbits(64))
        assert drawn_by_machine.run(game, state, last, word) == game.sample(state, last, word)
        action = rng.choice(list(game.actions(state)))
        assert weighed_by_machine.run(game, state, action) == pytest.approx(game.prior(state, NO_ACTION, action))


@kernel
def games_won(game: Go, state: Position, games: int, word: U64) -> int:
    """By answers against moves that only fill no eyes, with Black and White by turns."""
    wins = 0
    for number in range(games):
        end, last, plies = state, NO_ACTION, 0
        while not game.is_terminal(end) and plies < 1000:
            word = mix(word + U64(0x9E3779B97F4A7C15))
            if game.to_move(end) == number % 2:
                last = game.sample(end, last, word)
            else:
                last = game.draw_move(end, word, 0)
            end = game.result(end, last)
            plies += 1
        wins += 1 if game.utility(end, number % 2) > 0 else 0
    return wins


@pytest.mark.compiled
def test_answers_beat_random_moves():
    """A signature, measured here: 94 % of games on 9x9."""
    game = Go()
    assert 0.9 < games_won.run(game, game.initial(), 1000, U64(1)) / 1000 < 0.98


# -- shapes -----------------------------------------------------------------------------------------------------------


def word_of(codes):
    return sum((code & 1) << k | (code >> 1) << 8 + k for k, code in enumerate(codes))


codes = st.tuples(*[st.sampled_from((EMPTY, MINE, THEIRS, OUTSIDE))] * 8)


@given(codes)
def test_a_shape_matches_for_both_sides_and_all_symmetries(codes):
    patterns, fits = Patterns(), Patterns().fits(word_of(codes))
    exchanged = [{MINE: THEIRS, THEIRS: MINE}.get(code, code) for code in codes]
    assert patterns.fits(word_of(exchanged)) == fits
    square = dict(zip(AROUND, codes, strict=True))
    turned = [square[col, 2 - row] for row, col in AROUND]
    mirrored = [square[row, 2 - col] for row, col in AROUND]
    assert patterns.fits(word_of(turned)) == patterns.fits(word_of(mirrored)) == fits


@given(codes)
def test_the_table_of_shapes_is_what_the_pictures_say(codes):
    fits = any(all(code in ALLOWED[sign] for code, sign in zip(codes, shape, strict=True)) for shape in shapes())
    assert Patterns().fits(word_of(codes)) == fits


@given(played())
def test_the_stones_around_a_point_are_read_off_the_board(found):
    game, state, _ = found
    mine = places(game, state.mine)
    for row in range(game.size):
        for col in range(game.size):
            near = [(col + across - 1, row + up - 1) for up, across in AROUND]
            is_in = [point in mine or not (min(point) >= 0 and max(point) < game.size) for point in near]
            expected = sum(1 << k for k, found in enumerate(is_in) if found)
            assert game.board.around(state.mine, game.place_of(row * game.size + col)) == expected


# -- weights ----------------------------------------------------------------------------------------------------------


def weights(position, game=go5):
    state = game.parse_state(position)
    return {game.format_action(state, action): game.prior(state, NO_ACTION, action) for action in game.actions(state)}


def test_taking_and_saving_weigh_most_and_self_atari_little():
    found = weights("...../.O.../OX.../.O.../..... B")
    assert max(found, key=found.get) == "C3"
    assert found["C3"] > 2 > 1 > found["A2"] == found["A4"]
    assert weights("...../.X.../XOX../...../..... B")["B2"] > 4


def test_an_eye_is_filled_even_later_than_one_passes():
    for rows in (".X.X./XXXXX/XXXXX/XXXXX/XXXXX", ".X.XX/XXXXX/XXXXX/XXXXX/XXXXX"):
        found = weights(f"{rows} B")
        assert max(found, key=found.get) == "pass"


def test_in_the_opening_the_edge_is_far_from_interesting():
    found = weights("/".join(["." * 9] * 9) + " B", Go())
    assert found["A1"] < found["B2"] < found["C3"] == max(found.values())
    assert 0.5 < sum(found.values()) / len(found) < 1.5


@given(played(sizes=(5, 9)))
def test_weights_are_positive_and_symmetric(found):
    game, state, _ = found
    images = Position(
        game.board.reflect(state.mine, 1), game.board.reflect(state.theirs, 1), -1, state.player, state.passes
    )
    if state.ko < 0:
        for action in list(game.actions(state))[:-1]:
            row, col = divmod(action, game.size)
            assert 0 < game.prior(state, NO_ACTION, action) == game.prior(images, NO_ACTION, col * game.size + row)


@given(played())
def test_liberties_gives_all_of_them_or_at_least_two(found):
    game, state, _ = found
    empty = game.board.empty(state.mine, state.theirs)
    for col, row in places(game, state.mine):
        stone = game.board.point(row * game.board.step + col)
        chain = game.board.flood_fill(stone, state.mine)
        all_liberties, found = common(game.board.beside(chain), empty), game.board.liberties(state.mine, empty, stone)
        assert places(game, found) <= places(game, all_liberties)
        assert is_any(found)
        assert size_of(found) >= min(2, size_of(all_liberties))
