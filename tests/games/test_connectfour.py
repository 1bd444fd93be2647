import functools
import random

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.connectfour import ConnectFour, Position
from zermelo.kernel import U64, bits, popcount

pytestmark = pytest.mark.plain

START = "......./......./......./......./......./......."


def layers(game, plies):
    """The distinct positions after 0, 1, 2 ... plies."""
    layer = {game.initial()}
    for _ in range(plies + 1):
        yield layer
        layer = {
            game.result(state, action)
            for state in layer
            if not game.is_terminal(state)
            for action in game.actions(state)
        }


# -- a plain twin: squares as (column, row) ---------------------------------------------------------------------------


@functools.cache
def plain_fours(cols, rows):
    """Every four as a set of squares, found by walking from every square in every direction."""
    found = set()
    for col in range(cols):
        for row in range(rows):
            for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                walk = frozenset((col + i * across, row + i * up) for i in range(4))
                if all(0 <= c < cols and 0 <= r < rows for c, r in walk):
                    found.add(walk)
    return found


def squares_of(game, stones):
    return {(index // game.height, index % game.height) for index in bits(stones)}


any_size = st.integers(1, 32).flatmap(lambda cols: st.tuples(st.just(cols), st.integers(1, 64 // cols - 1)))


@st.composite
def played(draw, sizes=any_size):
    """A game and a state some random moves from its start."""
    game = ConnectFour(*draw(sizes), scored=draw(st.booleans()))
    state = game.initial()
    for pick in draw(st.lists(st.integers(0, 1000), max_size=30)):
        if not game.is_terminal(state):
            actions = list(game.actions(state))
            state = game.result(state, actions[pick % len(actions)])
    return game, state


# -- the rules --------------------------------------------------------------------------------------------------------


def test_perft():
    """The first seven of the known counts; equal positions are counted once and multiplied."""
    game = ConnectFour()

    @functools.cache
    def lines(state, depth):
        if game.is_terminal(state):
            return 0
        actions = list(game.actions(state))
        return len(actions) if depth == 1 else sum(lines(game.result(state, action), depth - 1) for action in actions)

    known = (7, 49, 343, 2401, 16807, 117649, 823536)
    assert tuple(lines(game.initial(), depth) for depth in range(1, 8)) == known == ConnectFour.perft_table[""][:7]


def test_positions_by_ply():
    """John Tromp's counts, OEIS A212693."""
    assert [len(layer) for layer in layers(ConnectFour(), 6)] == [1, 7, 49, 238, 1120, 4263, 16422]


def test_openspiel_agrees_move_by_move():
    ours, theirs = ConnectFour(), pyspiel.load_game("connect_four")
    rng = random.Random(4)
    for _ in range(1000):
        state, their_state = ours.initial(), theirs.new_initial_state()
        while not their_state.is_terminal():
            assert not ours.is_terminal(state)
            assert ours.to_move(state) == their_state.current_player()
            assert sorted(ours.actions(state)) == their_state.legal_actions()
            column = rng.choice(their_state.legal_actions())
            state = ours.result(state, column)
            their_state.apply_action(column)
        assert ours.is_terminal(state)
        assert [ours.utility(state, player) for player in (0, 1)] == their_state.returns()


@given(any_size, st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_a_four_is_seen_wherever_it_lies_and_nowhere_else(board, one, other):
    game, fours = ConnectFour(*board), plain_fours(*board)
    for stones in (U64(one) & game.board, U64(one & other) & game.board, U64(one | other) & game.board):
        taken = squares_of(game, stones)
        made = [four for four in fours if four <= taken]
        assert game.has_line(stones) == bool(made)
        assert game.open_fours(stones) == len(made)
        assert squares_of(game, game.winning_stones(stones)) == set().union(*made)
        assert squares_of(game, game.winning_squares(stones)) - taken == {
            (col, row)
            for four in fours
            if len(four - taken) == 1
            for col, row in four - taken
            if (col, row + 1) not in four
        }  # stones do not hang in the air: in a column only the topmost square of a four can be the last


@given(any_size)
def test_no_shift_is_as_wide_as_a_word(size):
    """Such a shift is 0 interpreted and anything at all compiled."""
    assert all(3 * step < 64 for step in ConnectFour(*size).steps)


def test_columns_come_from_the_centre_outwards():
    assert list(ConnectFour().actions(ConnectFour().initial())) == [3, 2, 4, 1, 5, 0, 6]
    game = ConnectFour(cols=4)
    assert list(game.actions(game.position_after("222222"))) == [2, 0, 3]


def test_a_full_board_without_a_four_is_a_draw():
    game = ConnectFour(cols=4, rows=4)
    state = game.parse_state("OXOX/OXOX/XOXO/XOXO x")
    assert game.is_terminal(state)
    assert game.utility(state, 0) == game.utility(state, 1) == 0


# -- Pons' scale ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cols", "rows"), [(7, 6), (5, 5), (4, 4), (9, 6)])
def test_a_win_with_the_fourth_stone_is_the_best_there_is(cols, rows):
    """On 7x6, a win with one's k-th stone scores 22 - k; on odd boards the first player has one stone more."""
    game = ConnectFour(cols, rows, scored=True)
    first, second = game.position_after("1212121"), game.position_after("21314141")
    most = (cols * rows + 1) // 2 + 1 - 4
    assert game.utility_range == (-most, most)
    assert [game.utility(first, player) for player in (0, 1)] == [most, -most]
    assert game.utility(second, 1) == cols * rows // 2 + 1 - 4


def random_ends(game, count):
    rng = random.Random(2)
    for _ in range(count):
        state = game.initial()
        while not game.is_terminal(state):
            state = game.result(state, rng.choice(list(game.actions(state))))
        yield state


@pytest.mark.parametrize(("cols", "rows"), [(7, 6), (5, 5), (4, 4)])
def test_the_score_is_the_stones_the_winner_has_left_and_one_more(cols, rows):
    game = ConnectFour(cols, rows, scored=True)
    for state in random_ends(game, 200):
        winner, board = 1 - game.to_move(state), game.format_state(state)
        owned = cols * rows // 2 + (cols * rows % 2 if winner == 0 else 0)
        left = owned - board.count("XO"[winner])
        won = bool(game.picture(state).marked)
        assert game.utility(state, winner) == -game.utility(state, 1 - winner) == (left + 1 if won else 0)


def value(game, state, known):
    """The exact value for the player to move, by the rules alone; `known` collects that of every state below."""
    if state not in known:
        player = game.to_move(state)
        known[state] = (
            game.utility(state, player)
            if game.is_terminal(state)
            else max(-value(game, game.result(state, action), known) for action in game.actions(state))
        )
    return known[state]


def late_positions(game, free, count):
    """Random positions with at most this number of free squares."""
    rng = random.Random(3)
    while count:
        state = game.initial()
        while not game.is_terminal(state) and popcount(state.filled) < game.cells - free:
            state = game.result(state, rng.choice(list(game.actions(state))))
        if not game.is_terminal(state):
            yield state
            count -= 1


@functools.cache
def solved(cols, rows, scored):
    """A game and the exact values of late states; of all on the smallest boards."""
    game, known = ConnectFour(cols, rows, scored), {}
    for state in late_positions(game, 8, 8):
        value(game, state, known)
    return game, known


boards = pytest.mark.parametrize(
    ("cols", "rows"),
    [
        (4, 4),
        (7, 6),
        (3, 5),
        (4, 2),
        (8, 1),
        *(pytest.param(cols, rows, marks=pytest.mark.long) for cols, rows in ((5, 4), (4, 5), (5, 3))),
    ],
)


@pytest.mark.parametrize("scored", [False, True])
@boards
def test_bounds_hold_the_exact_value(cols, rows, scored):
    game, known = solved(cols, rows, scored)
    proved = 0
    for state, exact in known.items():
        mover = game.to_move(state)
        low, high = game.bounds(state, mover)
        assert low <= exact <= high, game.format_state(state)
        assert game.bounds(state, 1 - mover) == (-high, -low)
        proved += low == high
    assert proved > len(known) / 2


@pytest.mark.parametrize("scored", [False, True])
@boards
def test_a_best_move_is_among_the_candidates(cols, rows, scored):
    game, known = solved(cols, rows, scored)
    left_out = 0
    for state, exact in known.items():
        if not game.is_terminal(state):
            moves = list(game.candidates(state))
            assert set(moves) <= set(game.actions(state))
            assert max(-known[game.result(state, move)] for move in moves) == exact, game.format_state(state)
            left_out += len(moves) < len(list(game.actions(state)))
    assert left_out


@pytest.mark.parametrize(
    ("board", "bounds"),
    [
        ("O.O.XXO/O.X.OOX/XXOXXXO/OOXXOOO/XXOOXXX/OXOXOXO x", (-1, -1)),  # O gets row 6, and a four there
        ("O...XXO/O.X.OOX/XXO.XXO/OOXXOOO/XXOOXXX/OXOXOXO x", (-2, 0)),  # O gets 3 or the lowest of 4, and row 6
        ("O...XXO/O.X.OOX/XXOXXXO/OOXXOOO/XXOOXXX/OXOXOXO o", (1, 2)),  # O plays 3 and goes on as in the first
    ],
)
def test_bounds_see_what_answering_every_stone_is_good_for(board, bounds):
    game = ConnectFour(scored=True)
    state = game.parse_state(board)
    mover = game.to_move(state)
    low, high = game.bounds(state, mover)
    assert (low, high) == bounds
    assert low <= value(game, state, {}) <= high


def test_bounds_see_a_win_a_lost_cause_and_the_time_that_is_left():
    game = ConnectFour(scored=True)
    assert game.bounds(game.initial(), 0) == (-18, 18)
    assert game.bounds(game.position_after("121212"), 0) == (18, 18)
    assert game.bounds(game.position_after("31415"), 1) == (-18, -18)  # X wins at 2 or at 6
    assert game.bounds(game.position_after("3141"), 1) == (-18, 18)
    assert game.bounds(game.position_after("444444333333777777"), 0) == (-11, 11)  # stone 21 or 22 at the soonest


# -- knowledge --------------------------------------------------------------------------------------------------------


@given(played())
def test_the_evaluation_is_zero_sum_and_within_the_scale(found):
    game, state = found
    assert game.evaluate(state, 0) == -game.evaluate(state, 1)
    assert abs(game.evaluate(state, 0)) < game.utility_range[1]


def test_the_evaluation_counts_open_fours():
    """69 fours in all; a stone at the foot of the middle column shuts 7 of them to the opponent."""
    game, scored = ConnectFour(), ConnectFour(scored=True)
    assert game.all_fours == 69
    assert game.evaluate(game.position_after("4"), 0) == pytest.approx(7 / 238)
    assert scored.evaluate(scored.position_after("4"), 0) == pytest.approx(18 * 7 / 238)


@given(played(st.sampled_from([(7, 6), (5, 4), (4, 15)])))
def test_the_evaluation_counts_a_winning_square_as_four_open_fours(found):
    game, state = found
    fours = plain_fours(game.cols, game.rows)
    mine, filled = squares_of(game, state.mine), squares_of(game, state.filled)
    theirs, lead = filled - mine, 0
    for sign, own, other in ((1, mine, theirs), (-1, theirs, mine)):
        winning = set().union(*(four - own for four in fours if len(four - own) == 1)) - filled
        lead += sign * (sum(not four & other for four in fours) + 4 * len(winning))
    share = lead / (len(fours) + 4 * game.cells + 1)
    assert game.evaluate(state, game.to_move(state)) == pytest.approx(share * game.utility_range[1])


def test_a_move_is_noisy_if_it_wins_or_stops_a_win():
    game = ConnectFour()
    quiet, to_stop, to_win = game.position_after("4142"), game.position_after("41424"), game.position_after("414243")
    for state, wanted in ((quiet, []), (to_stop, [3]), (to_win, [3])):
        assert [column for column in range(7) if game.is_noisy(state, column)] == wanted


def test_the_noisy_move_is_tried_first_then_the_centre():
    game = ConnectFour()
    for columns, noisy in (("41424", 3), ("414243", 3), ("534334216", 6)):
        state = game.position_after(columns)
        assert max(range(7), key=lambda column, state=state: game.order(state, column)) == noisy
    start = game.initial()
    assert sorted(range(7), key=lambda column: -game.order(start, column)) == [3, 2, 4, 1, 5, 0, 6]


def wins_whatever_the_answer(game, state, action):
    """By the rules alone: after the move and any answer, the mover makes four."""
    after = game.result(state, action)
    return not game.is_terminal(after) and all(
        not game.is_terminal(answered)
        and any(
            game.has_line(game.result(answered, last).mine ^ game.result(answered, last).filled)
            for last in game.actions(answered)
        )
        for answered in (game.result(after, answer) for answer in game.actions(after))
    )


def test_a_move_that_wins_whatever_the_answer_is_tried_first():
    game, found = ConnectFour(), 0
    for state in late_positions(game, 18, 300):
        winning = [action for action in game.candidates(state) if wins_whatever_the_answer(game, state, action)]
        if winning and not game.wins_at_once(state):
            assert max(game.candidates(state), key=lambda action: game.order(state, action)) in winning
            found += 1
    assert found > 10


def test_a_square_to_win_on_is_not_given_away():
    """X has 1, 2 and 3 of row 2; a stone below the fourth lets O stop it."""
    game = ConnectFour()
    state = game.parse_state("......./......./......./......./XXX..O./OXO.XOO x")
    assert min(range(7), key=lambda column: game.order(state, column)) == 3


def test_a_square_above_one_where_the_opponent_wins_is_worth_nothing():
    """With 5 O would win on the third square of 4, but X wins on the second; with 6, O wins on the first."""
    game = ConnectFour()
    state = game.parse_state("......./......./.X...../.OO..../.XX.X../.XO.O.. o")
    assert game.order(state, 5) > game.order(state, 4)


def mirror_text(game, state):
    board, side = game.format_state(state).split()
    return "/".join(row[::-1] for row in board.split("/")) + " " + side


@given(played())
def test_a_mirrored_position_is_the_same_position(found):
    game, state = found
    twin = game.parse_state(mirror_text(game, state))
    assert game.canonical(state) == game.canonical(twin) == game.canonical(game.canonical(state))
    assert game.canonical(state) in (state, twin)


@pytest.mark.parametrize(("cols", "rows", "plies"), [(7, 6, 5), (4, 4, 7), (3, 2, 6), (2, 31, 8), (32, 1, 2)])
def test_no_two_positions_have_the_same_key_and_none_has_0(cols, rows, plies):
    game = ConnectFour(cols, rows)
    states = {state for layer in layers(game, plies) for state in layer}
    keys = {game.key(state) for state in states}
    assert len(keys) == len(states)
    assert 0 not in keys


# -- notation ---------------------------------------------------------------------------------------------------------


@given(played())
def test_positions_and_moves_survive_the_round_trip(found):
    game, state = found
    assert game.parse_state(game.format_state(state)) == state
    if not game.is_terminal(state):
        for action in game.actions(state):
            assert game.parse_action(state, game.format_action(state, action)) == action


def test_a_position_is_a_board_or_the_columns_that_were_played():
    game = ConnectFour()
    board = "......./......./......./......./...O.../..OXX.. x"
    assert game.parse_state("4453") == game.parse_state(board) == Referee.at(game, "moves: 4 4 5 3").state
    assert game.format_state(game.parse_state("4453")) == board
    assert game.parse_state("") == game.parse_state(START + " x") == Position(0, 0)


def test_after_9_come_letters():
    game = find("connect-four:cols=12,rows=4")
    state = game.parse_state("9abc")
    assert game.format_state(state).endswith("/........XOXO x")
    assert game.format_action(state, 11) == "c"
    assert game.parse_action(state, "C") == 11


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4448", "'4448' names a column '8' that is not there; they are 1 to 7"),
        ("4440", "names a column '0' that is not there; they are 1 to 7"),
        ("44x", "names a column 'x' that is not there; they are 1 to 7"),
        ("4444444", "'4444444' is impossible: column 4 is full before move 7"),
        ("12121212", "'12121212' goes on after the end: the game is over after 7 moves"),
        ("...X... o", "is not a position of connect-four; the start is '......./......./......./"),
        (START, "is not a position of connect-four; the start is"),
        (START + " w", "is not a position of connect-four; the start is"),
        (START.replace(".", "x", 1) + " o", "has a letter that is not a stone; use X, O and . for empty"),
        (START.replace(".", "X", 1) + " o", "is impossible: a stone hangs in the air; stones fall to the lowest free"),
        (START[:-7] + "XX..... o", "is impossible: it has 2 X and 0 O, but X starts and the players take turns"),
        (START[:-7] + "O...... x", "is impossible: it has 0 X and 1 O, but X starts and the players take turns"),
        (START[:-7] + "XO..... o", "is impossible: with 1 X and 1 O it is the turn of x"),
        (
            START[:-15] + "OOOO.../XXXX... x",
            "is impossible: the side to move already has four, so the game was over before",
        ),
        (
            START[:-15] + "OO.O.../XXXXO.. x",
            "is impossible: the side to move already has four, so the game was over before",
        ),
        (START[:-15] + "OOXO.../XXXXO.. o", "is impossible: no last move on top of a column made all these fours"),
    ],
)
def test_a_text_that_is_not_a_position_is_refused(text, sentence):
    with pytest.raises(BadPosition) as caught:
        ConnectFour().parse_state(text)
    assert sentence in str(caught.value)


def test_an_illegal_move_is_refused_with_the_legal_ones():
    with pytest.raises(IllegalMove, match="4 is not legal here; try 3, 5, 2, 6, 1 or 7"):
        Referee.at(ConnectFour(), "444444").play_text("4")


@pytest.mark.parametrize(("cols", "rows"), [(0, 6), (7, 0), (8, 8), (1, 64)])
def test_a_board_that_makes_no_game_is_refused(cols, rows):
    with pytest.raises(UsageError, match=rf"cols \* \(rows \+ 1\) <= 64, not cols={cols}, rows={rows}"):
        ConnectFour(cols, rows)


# -- picture ------------------------------------------------------------------------------------------


def test_the_picture_marks_the_winning_line():
    game = ConnectFour(cols=5, rows=4)
    picture = game.picture(game.position_after("1212121"))
    assert "".join(piece.symbol if piece else "." for piece in picture.cells) == "X....XO...XO...XO..."
    assert picture.marked == (0, 5, 10, 15)
    assert (picture.col_labels, picture.touches) == (("1", "2", "3", "4", "5"), {})


def test_the_picture_shows_where_a_stone_falls():
    game = ConnectFour(cols=4, rows=2)
    assert game.picture(game.position_after("1122")).touches == {"3": (6,), "4": (7,)}
    assert game.picture(game.position_after("12")).touches == {"1": (0,), "2": (1,), "3": (6,), "4": (7,)}
