import random
from collections import Counter
from itertools import combinations

import pytest

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.trio import Trio
from zermelo.kernel import bit

pytestmark = pytest.mark.plain


class PlainTrio:
    """The twin: columns as strings of letters, lines looked for square by square."""

    def __init__(self, cols, rows, line):
        self.cols, self.rows, self.line = cols, rows, line

    def start(self):
        return ("",) * self.cols

    def moves(self, columns):
        full = sum(map(len, columns)) == self.cols * self.rows
        return [] if full or self.winner(columns) else [c for c in range(self.cols) if len(columns[c]) < self.rows]

    def play(self, columns, col):
        mover = "XOT"[sum(map(len, columns)) % 3]
        return (*columns[:col], columns[col] + mover, *columns[col + 1 :])

    def winner(self, columns):
        cells = {(c, r): letter for c, column in enumerate(columns) for r, letter in enumerate(column)}
        for (c, r), letter in cells.items():
            for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if all(cells.get((c + i * across, r + i * up)) == letter for i in range(self.line)):
                    return letter
        return None


def test_perft_agrees_with_the_plain_twin():
    twin = PlainTrio(4, 4, 3)
    layer, counts = Counter([twin.start()]), []
    for _ in Trio.perft_table[""]:
        after = Counter()
        for columns, ways in layer.items():
            for col in twin.moves(columns):
                after[twin.play(columns, col)] += ways
        layer = after
        counts.append(sum(layer.values()))
    assert tuple(counts) == Trio.perft_table[""]


@pytest.mark.parametrize("size", [(4, 4, 3), (5, 3, 3), (3, 5, 4), (9, 6, 4), (1, 7, 2), (7, 1, 3)])
def test_random_games_agree_with_the_plain_twin(size):
    game, twin, rng = Trio(*size), PlainTrio(*size), random.Random(11)
    for _ in range(60):
        state, columns = game.initial(), twin.start()
        while moves := twin.moves(columns):
            assert not game.is_terminal(state)
            assert list(game.actions(state)) == moves
            col = rng.choice(moves)
            state, columns = game.result(state, col), twin.play(columns, col)
        assert game.is_terminal(state)
        winner = twin.winner(columns)
        expected = [3 if seat == winner else 0 for seat in "XOT"] if winner else [1, 1, 1]
        assert [game.utility(state, player) for player in range(3)] == expected


def test_three_points_are_at_stake_and_the_evaluation_shares_them_out():
    game, rng = Trio(), random.Random(2)
    for _ in range(50):
        state = game.initial()
        assert [game.evaluate(state, player) for player in range(3)] == [1, 1, 1]
        while not game.is_terminal(state):
            state = game.result(state, rng.choice(list(game.actions(state))))
            assert sum(game.evaluate(state, player) for player in range(3)) == pytest.approx(3)
        assert sum(game.utility(state, player) for player in range(3)) == 3


def test_the_evaluation_counts_the_lines_that_are_still_open():
    game = Trio()
    state = Referee.at(game, "moves: 2").state
    assert game.open_lines(game.initial(), 0) == 24
    assert game.open_lines(state, 0) == 24
    assert game.open_lines(state, 1) == 24 - 4  # two across, one up and one diagonal go through b1
    assert game.evaluate(state, 0) == 3 * 24 / (24 + 20 + 20)


@pytest.mark.parametrize(("player", "points"), [(0, 1), (1, 1), (2, 0)])
def test_on_3_by_3_only_the_third_player_can_be_held_to_nothing_by_the_others(player, points):  # as its page says
    game, known = Trio(3, 3), {}

    def least(state):
        if game.is_terminal(state):
            return game.utility(state, player)
        if state not in known:
            below = (least(game.result(state, action)) for action in game.actions(state))
            known[state] = max(below) if game.to_move(state) == player else min(below)
        return known[state]

    assert least(game.initial()) == points


def test_left_and_right_are_alike():
    game, rng = Trio(5, 4), random.Random(4)
    for _ in range(40):
        state = mirror = game.initial()
        while not game.is_terminal(state):
            col = rng.choice(list(game.actions(state)))
            state, mirror = game.result(state, col), game.result(mirror, game.cols - 1 - col)
            assert game.canonical(state) == game.canonical(mirror)
            assert game.canonical(game.canonical(state)) == game.canonical(state)
        assert [game.utility(state, p) for p in range(3)] == [game.utility(mirror, p) for p in range(3)]


def test_the_centre_is_tried_first():
    game = Trio(5, 4)
    assert sorted(range(5), key=lambda col: -game.order(game.initial(), col)) == [2, 1, 3, 0, 4]


def test_three_squares_are_a_line_exactly_if_they_are_evenly_spaced_neighbours():
    game = Trio()
    squares = [(col, row) for col in range(4) for row in range(4)]
    lines = 0
    for (a, b), (c, d), (e, f) in combinations(squares, 3):
        is_line = (c - a, d - b) == (e - c, f - d) and max(abs(c - a), abs(d - b)) == 1
        lines += is_line
        assert game.has_line(bit(game.square(a, b)) | bit(game.square(c, d)) | bit(game.square(e, f))) == is_line
    assert lines == 24  # 8 across, 8 up, 8 along diagonals


def test_the_picture_marks_the_winning_line():
    game = Trio()
    picture = game.picture(Referee.at(game, "moves: 1 1 1 2 2 2 3").state)
    assert "".join(stone.symbol if stone else "." for stone in picture.cells) == "....TT..OO..XXX."
    assert picture.marked == (12, 13, 14)
    assert picture.touches == {}


def test_the_picture_shows_where_a_stone_will_land():
    game = Trio()
    picture = game.picture(Referee.at(game, "moves: 2 2").state)
    assert picture.touches == {"1": (12,), "2": (5,), "3": (14,), "4": (15,)}
    assert picture.col_labels == ("1", "2", "3", "4")


def test_a_full_column_is_not_a_move():
    game = Referee.at(Trio(), "moves: 1 1 1 1")
    with pytest.raises(IllegalMove, match="1 is not legal here; try 2, 3 or 4"):
        game.play_text("1")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", r"is not a position of trio; the start is '\.\.\.\./\.\.\.\./\.\.\.\./\.\.\.\. X'"),
        ("..../..../.... X", "is not a position of trio"),
        ("..../..../..../...Y X", "has a letter that is not a stone; use X, O, T and . for empty"),
        ("..../..../...X/.... O", "is impossible: a stone hangs above an empty square"),
        ("..../..../..../XX.. O", "is impossible: X, O and T move in turn"),
        ("..../..../..../XO.. X", "is impossible: after 2 stones it is the turn of T"),
        ("..../..../..../XO..", "is not a position of trio; the start is"),
        ("..../..../OOTO/XXXT T", "is impossible: the game was over before the last stone"),
        ("..../..../OOT./XXXT O", "is impossible: no stone of X on top of a column can be the last one"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        Trio().parse_state(text)


@pytest.mark.parametrize("spec", ["trio:cols=10", "trio:cols=0", "trio:rows=0", "trio:cols=9,rows=7"])
def test_a_board_that_does_not_fit_is_refused(spec):
    with pytest.raises(UsageError, match="trio has 1 to 9 columns"):
        find(spec)


@pytest.mark.parametrize("line", [1, 5])
def test_a_line_that_does_not_fit_is_refused(line):
    with pytest.raises(UsageError, match=f"a line of {line} does not fit trio on 4 x 4; .* 2 to 4"):
        find(f"trio:line={line}")
