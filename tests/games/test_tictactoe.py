import functools
import random
from collections import Counter

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.games.tictactoe import CROSS, NOUGHT, Position, TicTacToe
from zermelo.kernel import U64, bits

pytestmark = pytest.mark.plain

BOARDS = [
    (3, 3, 3),
    (4, 3, 3),
    (3, 4, 2),
    (5, 4, 4),
    (4, 4, 4),
    (7, 1, 4),
    (1, 6, 3),
    (2, 9, 5),
    (8, 8, 5),
    (26, 2, 20),
]


def layers(game):
    """The distinct positions by ply, each with the number of ways to reach it."""
    layer = Counter([game.initial()])
    while layer:
        yield layer
        after = Counter()
        for state, ways in layer.items():
            if not game.is_terminal(state):
                for action in game.actions(state):
                    after[game.result(state, action)] += ways
        layer = after


def plain_lines(m, n, k):
    """Every line as a set of squares, found by walking from every square in every direction."""
    found = set()
    for col in range(m):
        for row in range(n):
            for across in (-1, 0, 1):
                for up in (-1, 0, 1):
                    walk = [(col + i * across, row + i * up) for i in range(k)]
                    if len(set(walk)) == k and all(0 <= c < m and 0 <= r < n for c, r in walk):
                        found.add(frozenset(r * m + c for c, r in walk))
    return found


@st.composite
def played(draw):
    """A game and a state some random moves from its start."""
    game = TicTacToe(*draw(st.sampled_from(BOARDS)))
    state = game.initial()
    for pick in draw(st.lists(st.integers(0, 1000), max_size=20)):
        if not game.is_terminal(state):
            actions = list(game.actions(state))
            state = game.result(state, actions[pick % len(actions)])
    return game, state


# -- the rules --------------------------------------------------------------------------------------------------------


def test_perft_table_counts_games_and_positions():
    """The counts are those of an independent program; the games are the literature's 255,168."""
    ways = [sum(layer.values()) for layer in layers(TicTacToe())]
    assert (*ways[1:], 0) == TicTacToe.perft_table[""]


def test_255168_games_end_in_131184_and_77904_wins_and_46080_draws():
    game, ends = TicTacToe(), Counter()
    for layer in layers(game):
        for state, ways in layer.items():
            if game.is_terminal(state):
                ends[game.utility(state, CROSS)] += ways
    assert ends == {1: 131184, -1: 77904, 0: 46080}
    assert ends.total() == 255168


def test_5478_positions_are_765_up_to_symmetry():
    game = TicTacToe()
    positions = {state for layer in layers(game) for state in layer}
    assert (len(positions), len(set(map(game.canonical, positions)))) == (5478, 765)


def value(game, state, known):
    """For the player to move; a win is not looked beyond."""
    if state not in known:
        if game.is_terminal(state):
            known[state] = game.utility(state, state.player)
        else:
            best = -1
            for action in game.actions(state):
                best = max(best, -value(game, game.result(state, action), known))
                if best == 1:
                    break
            known[state] = best
    return known[state]


@pytest.mark.parametrize(
    ("m", "n", "k", "wanted"), [(2, 1, 2, 0), (2, 2, 2, 1), (3, 3, 3, 0), (3, 3, 2, 1), (4, 2, 3, 0), (4, 3, 3, 1)]
)
def test_the_value_of_small_boards(m, n, k, wanted):
    """X wins with lines of 3 from 4 by 3 squares on [van den Herik, Uiterwijk & van Rijswijck 2002]."""
    game = TicTacToe(m, n, k)
    assert value(game, game.initial(), {}) == wanted


def test_openspiel_agrees_move_by_move():
    """OpenSpiel counts squares from the top left, we from the bottom left."""
    ours, theirs = TicTacToe(), pyspiel.load_game("tic_tac_toe")
    rng = random.Random(1)
    for _ in range(1000):
        state, their_state = ours.initial(), theirs.new_initial_state()
        while not their_state.is_terminal():
            assert not ours.is_terminal(state)
            assert ours.to_move(state) == their_state.current_player()
            square_of = {action: (2 - action // 3) * 3 + action % 3 for action in their_state.legal_actions()}
            assert sorted(square_of.values()) == list(ours.actions(state))
            action = rng.choice(list(square_of))
            state = ours.result(state, square_of[action])
            their_state.apply_action(action)
        assert ours.is_terminal(state)
        assert [ours.utility(state, player) for player in (CROSS, NOUGHT)] == their_state.returns()


@pytest.mark.parametrize(("m", "n", "k"), BOARDS)
def test_the_lines_are_those_found_by_walking(m, n, k):
    game, lines = TicTacToe(m, n, k), plain_lines(m, n, k)
    found = [
        frozenset(start + i * step for i in range(k))
        for step, starts in zip(game.steps, game.starts, strict=True)
        for start in bits(starts)
    ]
    assert len(found) == len(lines) == game.lines
    assert set(found) == lines
    assert game.lines_through == tuple(sum(square in line for line in lines) for square in range(m * n))


@pytest.mark.parametrize(("m", "n", "k"), BOARDS)
def test_no_shift_is_as_wide_as_a_word(m, n, k):
    """Such a shift is 0 interpreted and anything at all compiled."""
    assert all((k - 1) * step < 64 for step in TicTacToe(m, n, k).steps)


@functools.cache
def game_and_lines(m, n, k):
    return TicTacToe(m, n, k), plain_lines(m, n, k)


@given(st.sampled_from(BOARDS), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_a_line_is_seen_wherever_it_lies_and_nowhere_else(board, one, other):
    game, lines = game_and_lines(*board)
    for marks in (U64(one) & game.board, U64(one | other) & game.board):
        marked = set(bits(marks))
        assert game.has_line(marks) == any(line <= marked for line in lines)
        assert game.squares_in_lines(marks) == set().union(*(line for line in lines if line <= marked))


# -- knowledge --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "crosses", "noughts"),
    [
        (".../.../... x", 8, 8),
        (".../.X./... o", 8, 4),
        (".../.X./O.. x", 5, 4),
        ("O../.X./... x", 5, 4),
        (".O./.X./... x", 6, 4),
    ],
)
def test_open_lines_are_the_lectures_evaluation(text, crosses, noughts):
    """Counted on paper: an X in the centre leaves O the four sides; an O on an edge shuts two lines of X."""
    game = TicTacToe()
    state = game.parse_state(text)
    assert (game.open_lines(state, CROSS), game.open_lines(state, NOUGHT)) == (crosses, noughts)
    assert game.evaluate(state, CROSS) == pytest.approx((crosses - noughts) / 9)


@given(played())
def test_open_lines_hold_no_mark_of_the_opponent(found):
    game, state = found
    lines = game_and_lines(game.m, game.n, game.k)[1]
    for player, theirs in ((CROSS, set(bits(state.noughts))), (NOUGHT, set(bits(state.crosses)))):
        assert game.open_lines(state, player) == sum(not line & theirs for line in lines)


@given(played())
def test_the_evaluation_is_zero_sum_and_within_the_scale(found):
    game, state = found
    assert game.evaluate(state, CROSS) == -game.evaluate(state, NOUGHT)
    assert -1 < game.evaluate(state, CROSS) < 1


def test_the_centre_is_tried_first_and_the_edges_last():
    game = TicTacToe()
    assert [game.order(game.initial(), square) for square in range(9)] == [3, 2, 3, 2, 4, 2, 3, 2, 3]


def turned_text(rows):
    """A quarter turn of the board."""
    return ["".join(column) for column in zip(*reversed(rows), strict=True)]


def images(game, state):
    """The board turned and mirrored on paper."""
    board, side = game.format_state(state).split()
    rows = board.split("/")
    for _ in range(4):
        rows = turned_text(rows)
        for image in (rows, [row[::-1] for row in rows]):
            if (len(image), len(image[0])) == (game.n, game.m):
                yield game.parse_state("/".join(image) + " " + side)


@given(played())
def test_turned_and_mirrored_positions_are_the_same_position(found):
    game, state = found
    alike = set(images(game, state))
    assert game.canonical(state) in alike
    assert len(set(map(game.canonical, alike))) == 1


# -- notation ---------------------------------------------------------------------------------------------------------


@given(played())
def test_positions_and_moves_survive_the_round_trip(found):
    game, state = found
    assert game.parse_state(game.format_state(state)) == state
    if not game.is_terminal(state):
        for action in game.actions(state):
            assert game.parse_action(state, game.format_action(state, action)) == action


def test_squares_are_lettered_from_the_left_and_numbered_from_the_bottom():
    game = TicTacToe()
    referee = Referee.at(game, "moves: a1 c1 b2 c3")
    assert game.format_state(referee.state) == "..O/.X./X.O x"
    assert referee.state == Position(0b000010001, 0b100000100, CROSS)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the start is '.../.../... x'"),
        ("X../... o", "'X../... o' is not a position of tic-tac-toe; the start is '.../.../... x'"),
        ("X.../..../.... o", "the start is '.../.../... x'"),
        ("X../.../...", "the start is '.../.../... x'"),
        ("X../.../... X", "the start is '.../.../... x'"),
        ("x../.../... o", "has a letter that is not a mark; use X, O and . for empty"),
        ("XX./.../... o", "is impossible: it has 2 X and 0 O, but X starts and the players take turns"),
        ("O../.../... x", "is impossible: it has 0 X and 1 O, but X starts and the players take turns"),
        ("X../.../... x", "is impossible: with 1 X and 0 O it is the turn of o"),
        ("XO./.../... o", "is impossible: with 1 X and 1 O it is the turn of x"),
        ("XXX/OOO/... x", "is impossible: the side to move already has a line, so the game was over before"),
        ("XXX/OO./O.. x", "is impossible: the side to move already has a line, so the game was over before"),
    ],
)
def test_a_text_that_is_not_a_position_is_refused(text, sentence):
    with pytest.raises(BadPosition) as caught:
        TicTacToe().parse_state(text)
    assert sentence in str(caught.value)


def test_two_lines_need_a_square_in_common():
    """One mark can complete both at once only where they cross."""
    game = TicTacToe(5, 3, 3)
    crossing, apart = "XXXOO/X.OO./X.... o", "XXXOO/OO.O./..XXX o"
    assert game.is_terminal(game.parse_state(crossing))
    with pytest.raises(BadPosition, match="is impossible: no single last move made all these lines"):
        game.parse_state(apart)


def test_an_illegal_move_is_refused_with_the_legal_ones():
    with pytest.raises(IllegalMove, match=r"move 2: b2 is not legal here; try a1, b1, c1, a2, c2, a3, b3 or c3"):
        Referee.at(TicTacToe(), "moves: b2 b2")


@pytest.mark.parametrize(("m", "n"), [(0, 3), (3, 0), (27, 2), (9, 8)])
def test_a_board_that_makes_no_game_is_refused(m, n):
    with pytest.raises(UsageError, match=f"1 to 26 columns and at most 64 squares, not m={m} by n={n}"):
        TicTacToe(m, n)


@pytest.mark.parametrize(("m", "n", "k"), [(3, 3, 4), (3, 3, 1), (2, 3, 4)])
def test_a_line_that_does_not_fit_is_refused(m, n, k):
    with pytest.raises(UsageError, match=f"a line of k={k} does not do .* k goes from 2 to 3"):
        TicTacToe(m, n, k)


# -- picture ------------------------------------------------------------------------------------------


def test_the_picture_marks_the_winning_line():
    game = TicTacToe()
    picture = game.picture(game.parse_state("O.X/OX./X.. o"))
    assert "".join(piece.symbol if piece else "." for piece in picture.cells) == "O.XOX.X.."
    assert picture.marked == (2, 4, 6)
    assert picture.touches == {}


def test_the_picture_shows_where_a_move_is_clicked():
    game = TicTacToe(3, 2, 2)
    picture = game.picture(game.initial())
    assert (picture.rows, picture.cols, picture.marked) == (2, 3, ())
    assert picture.touches == {"a1": (3,), "b1": (4,), "c1": (5,), "a2": (0,), "b2": (1,), "c2": (2,)}
