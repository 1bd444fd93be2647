import functools
import itertools
import random

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.game import legal_actions
from zermelo.core.referee import Referee
from zermelo.games.othello.rules import ALIKE, BLACK, WHITE, Othello
from zermelo.kernel import U64, bits, popcount
from zermelo.search import perft
from zermelo.solve import solve

pytestmark = pytest.mark.plain

START = "---------------------------OX------XO--------------------------- X"
SIZES = (4, 6, 8)

# -- a plain twin: a dict of discs ------------------------------------------------------------------------------------

DIRECTIONS = [(across, down) for across in (-1, 0, 1) for down in (-1, 0, 1) if across or down]


def twin_of(game, state):
    """The discs by square, as (column, row), of the side to move (1) and of the other (-1)."""
    discs = dict.fromkeys(bits(state.mine), 1) | dict.fromkeys(bits(state.theirs), -1)
    return {(square % game.size, square // game.size): side for square, side in discs.items()}


def twin_turned(discs, square, side):
    """The squares of the discs that a disc of this side turns, by walking in all directions."""
    found = set()
    for across, down in DIRECTIONS:
        walk, (col, row) = [], square
        while discs.get((col := col + across, row := row + down)) == -side:
            walk.append((col, row))
        if discs.get((col, row)) == side:
            found.update(walk)
    return found


def twin_moves(discs, size, side=1):
    """What each move of a side turns."""
    found = {}
    for col in range(size):
        for row in range(size):
            if (col, row) not in discs and (turned := twin_turned(discs, (col, row), side)):
                found[col, row] = turned
    return found


def random_game(game, seed):
    """The states of one random game, from the start to the end."""
    rng, state = random.Random(seed), game.initial()
    yield state
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(list(game.actions(state))))
        yield state


@st.composite
def played(draw, sizes=SIZES, **options):
    """A game and a state some random moves from its start."""
    game = Othello(draw(st.sampled_from(sizes)), **options)
    states = list(random_game(game, draw(st.integers(0, 10**6))))
    return game, draw(st.sampled_from(states))


@st.composite
def thrown(draw):
    """A game and a state with discs anywhere."""
    game = Othello(draw(st.sampled_from(SIZES)))
    words = st.integers(0, int(game.board.all))
    mine, full = draw(words), draw(words) | draw(words)
    return game, game.position(U64(mine & full), U64(full & ~mine), draw(st.integers(0, 1)))


# -- the rules --------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_perft():
    """Known counts to nine plies [Aart Bik, "Perft for Reversi", 2009]; passes are moves."""
    known = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288)
    assert tuple(perft(Othello(), depth=depth) for depth in range(1, 10)) == known == Othello.perft_table[""][:9]


@pytest.mark.compiled
def test_the_tenth_count_leaves_out_games_that_are_over():
    """228 games end with the ninth move. Aart Bik's 24,571,284 lets them go on with a pass, this count does not."""
    game = Othello()

    def over(state, plies):
        if game.is_terminal(state):
            return plies == 0
        return sum(over(game.result(state, action), plies - 1) for action in game.actions(state)) if plies else 0

    assert Othello.perft_table[""][9] == 24571284 - 228 == perft(game, depth=10)
    assert game.is_terminal(game.parse_state("e6f4e3d6c5f6e7f5g5"))
    assert over(game.parse_state("e6f4e3d6c5f6"), 3) > 0


@given(st.one_of(played(), thrown()))
def test_moves_and_turned_discs_are_those_of_the_twin(found):
    game, state = found
    discs = twin_of(game, state)
    moves = twin_moves(discs, game.size)
    assert {(square % game.size, square // game.size) for square in bits(state.moves)} == set(moves)
    for (col, row), turned in moves.items():
        after = game.result(state, row * game.size + col)
        assert twin_of(game, after) == {
            square: -1 if square in turned or square == (col, row) else -side
            for square, side in {**discs, (col, row): 1}.items()
        }


@given(st.one_of(played(), thrown()))
def test_a_pass_is_the_only_move_exactly_if_only_the_opponent_can_move(found):
    game, state = found
    mine, theirs = (twin_moves(twin_of(game, state), game.size, side) for side in (1, -1))
    assert game.is_terminal(state) == (not mine and not theirs)
    actions = list(legal_actions(game, state))
    assert len(actions) == game.count(state)
    assert (actions == [game.squares]) == (not mine and bool(theirs))
    if actions == [game.squares]:
        after = game.result(state, game.squares)
        assert (after.mine, after.theirs, after.player) == (state.theirs, state.mine, 1 - state.player)


@pytest.mark.parametrize("games", [60, pytest.param(1000, marks=pytest.mark.long)])
def test_openspiel_agrees_move_by_move(games):
    """OpenSpiel knows the same passes, as action 64, and pays 1 for a win: the rules are the same."""
    ours, theirs = Othello(margin=False), pyspiel.load_game("othello")
    rng, passes = random.Random(7), 0
    for _ in range(games):
        state, their_state = ours.initial(), theirs.new_initial_state()
        while not their_state.is_terminal():
            assert not ours.is_terminal(state)
            assert ours.to_move(state) == their_state.current_player()
            actions = list(ours.actions(state))
            assert actions == their_state.legal_actions()
            action = rng.choice(actions)
            passes += action == 64
            state = ours.result(state, action)
            their_state.apply_action(action)
        assert ours.is_terminal(state)
        assert [ours.utility(state, player) for player in (0, 1)] == their_state.returns()
    assert passes > games // 10


# -- payoffs and known values -----------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.long
def test_the_second_player_wins_4x4_by_8():
    """3 discs to 11, and two squares stay empty."""
    assert solve(Othello(4)).value == (-8, 8)


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize(("options", "value"), [({"empties": True}, 10), ({"margin": False}, 1)], ids=str)
def test_the_second_player_wins_4x4_however_it_is_counted(options, value):
    assert solve(Othello(4, **options)).value == (-value, value)


PERFECT = "c2b4c5d2e4e3d1c1b1d5d6f4b3b2f3f2e2b6a4c6a6a2b5a5e6e5a3a1f5f6e1f1"
"""Perfect play on 6x6 [Joel Feinstein, "Perfect play in 6x6 Othello", 1993]."""


def test_perfect_play_on_6x6_ends_16_to_20():
    game = Othello(6)
    end = game.parse_state(PERFECT)
    assert game.is_terminal(end)
    assert [popcount(discs) for discs in game.discs_of(end)] == [16, 20]


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("moves", [14, 16, 18])
def test_positions_of_perfect_play_on_6x6_are_worth_its_end(moves):
    game = Othello(6)
    assert solve(game, game.parse_state(PERFECT[: 2 * moves])).value == (-4, 4)


FFO = [
    ("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X", 18),
    ("-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X", 10),
    ("----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X", 2),
    ("-XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X", 0),
    ("-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X", 32),
    ("--OXXX--OOOXXX--OOOXOXO-OOXOOOX-OOXXXXXXXOOXXOX--OOOOX---XXXXXX- X", 14),
    ("--OXXO--XOXXXX--XOOOXXXXXOOXXXXXXOOOOXXX-XXXXXXX--XXOOO----XXOO- X", 8),
    ("---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO-- O", 8),
    ("--XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO-- O", -8),
    ("-XXXX-----OXXX--XOXOXOXXOXOXXOXXOXXOXOOOXXXOXOOX--OXXO---OOOOO-- O", 10),
    ("---O-XOX----XXOX---XXOOXO-XXOXOXXXXOOXOX-XOOXXXXXOOOXX-XOOOOOOO- O", 30),
    ("--O--O--X-OOOOX-XXOOOXOOXXOXOXOOXXOXXOOOXXXXOOOO--OXXX---XXXXX-- O", -8),
]


@pytest.mark.compiled
@pytest.mark.parametrize(("position", "margin"), FFO)
def test_endgames_are_worth_what_others_found(position, margin):
    """The first twelve of the test suite of the French Othello Federation, 14 and 15 empty squares, for the mover."""
    game = Othello(empties=True)
    state = game.parse_state(position)
    assert solve(game, state).value[state.player] == margin


@given(st.one_of(played(), thrown()))
def test_payoffs_count_discs(found):
    game, state = found
    lead, empty = popcount(state.mine) - popcount(state.theirs), game.squares - popcount(state.mine | state.theirs)
    sign = (lead > 0) - (lead < 0)
    for options, wanted in (({}, lead), ({"empties": True}, lead + sign * empty), ({"margin": False}, sign)):
        other = Othello(game.size, **options)
        assert other.utility(state, state.player) == -other.utility(state, 1 - state.player) == wanted
        assert abs(wanted) <= other.utility_range[1] == -other.utility_range[0]


# -- knowledge --------------------------------------------------------------------------------------------------------


def exact(game):
    """The margin for the player to move, by the rules alone."""

    @functools.cache
    def value(state):
        if game.is_terminal(state):
            return game.utility(state, state.player)
        return max(-value(game.result(state, action)) for action in game.actions(state))

    return value


@pytest.mark.parametrize(("size", "empty"), [(4, 7), (6, 6), (8, 6)])
@pytest.mark.parametrize("options", [{}, {"empties": True}, {"margin": False}], ids=str)
def test_bounds_hold_the_exact_value(size, empty, options):
    game = Othello(size, **options)
    value, told = exact(game), 0
    for seed in range(6):
        for state in random_game(game, seed):
            if popcount(state.mine | state.theirs) >= game.squares - empty:
                low, high = game.bounds(state, state.player)
                assert low <= value(state) <= high
                assert game.bounds(state, 1 - state.player) == (-high, -low)
                told += (low, high) != game.utility_range
    assert told > 5


def stable_discs(game, mine, theirs):
    return game.board.stable(mine, game.board.open_lines(game.board.all & ~(mine | theirs)))


@given(played())
def test_stable_discs_are_never_turned_again(found):
    game, state = found
    stable = stable_discs(game, state.mine, state.theirs)
    assert not stable & ~state.mine
    rng, player = random.Random(0), state.player
    for _ in range(3):
        after = state
        while not game.is_terminal(after):
            after = game.result(after, rng.choice(list(game.actions(after))))
        assert not stable & ~game.discs_of(after)[player]


def test_stable_discs_start_in_the_corners_and_need_all_four_directions():
    game = Othello()
    rows = ["XXX----X", "XX------", "X-------", "--XOX---", "--OXO---", "------O-", "-----OO-", "----OOOO"]
    state = game.parse_state("".join(rows) + " X")
    for mine, theirs, stable in (
        (state.mine, state.theirs, {"a1", "b1", "c1", "a2", "b2", "a3", "h1"}),
        (state.theirs, state.mine, {"h8", "g8", "f8", "e8"}),
    ):
        found = stable_discs(game, mine, theirs)
        assert {game.format_action(state, square) for square in bits(found)} == stable


def test_the_last_move_is_counted_out():
    game = Othello(4, empties=True)
    state = game.parse_state("XXXXXOOXXOOX-OOX X")
    assert game.bounds(state, BLACK) == (12, 12)


@given(st.one_of(played(), thrown()))
def test_the_evaluation_is_zero_sum_and_within_the_scale(found):
    game, state = found
    assert game.evaluate(state, BLACK) == -game.evaluate(state, WHITE)
    assert abs(game.evaluate(state, BLACK)) <= game.utility_range[1]
    result = Othello(game.size, margin=False).evaluate(state, BLACK)
    assert abs(result) <= 1
    assert result * game.evaluate(state, BLACK) >= 0


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("X" + START[1:], START),
        (START, START[:9] + "X" + START[10:]),
    ],
    ids=["a corner", "no disc diagonally next to an empty corner"],
)
def test_the_evaluation_knows_corners(better, worse):
    game = Othello()
    assert game.evaluate(game.parse_state(better), BLACK) > game.evaluate(game.parse_state(worse), BLACK)


def test_only_corners_are_noisy():
    game = Othello(4)
    state = game.parse_state("-OX--OX--OXO---- X")
    noisy = {game.format_action(state, action) for action in game.actions(state) if game.is_noisy(state, action)}
    assert noisy == {"a1", "a4"}
    skip = game.parse_state("XXXOXXXXXXXXXXX- X")
    assert list(game.actions(skip)) == [16] or game.is_terminal(skip)
    assert not game.is_noisy(skip, 16)


def test_moves_that_leave_few_replies_come_first():
    game = Othello()
    state = game.parse_state("f5d6c3d3c4f4f6f3e6e7")
    replies = {action: game.count(game.result(state, action)) for action in game.actions(state)}
    first = max(game.actions(state), key=lambda action: game.order(state, action))
    assert replies[first] <= min(replies.values()) + 1


# -- symmetry ---------------------------------------------------------------------------------------------------------


def images(game, state):
    """The eight positions that turning and mirroring the board gives, by their text."""
    board, side = game.format_state(state).split()
    rows = [list(board[i : i + game.size]) for i in range(0, game.squares, game.size)]
    for _ in range(4):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
        for shown in (rows, rows[::-1]):
            yield game.parse_state("".join("".join(row) for row in shown) + " " + side)


@given(played())
def test_turned_and_mirrored_positions_are_alike(found):
    game, state = found
    twins = set(images(game, state))
    assert state in twins
    assert len({game.count(twin) for twin in twins}) == 1
    assert [game.evaluate(twin, 0) for twin in twins] == pytest.approx([game.evaluate(state, 0)] * len(twins))
    assert len({game.bounds(twin, 0) for twin in twins}) == 1
    if popcount(state.mine | state.theirs) <= ALIKE:
        assert len({game.canonical(twin) for twin in twins}) == 1
        assert game.canonical(state) in twins
    else:
        assert game.canonical(state) == state


@given(played(), played())
def test_keys_distinguish_positions(one, other):
    game, state = one
    assert (game.key(state) == other[0].key(other[1])) == (state == other[1])
    swapped = game.position(state.mine, state.theirs, 1 - state.player)
    assert game.key(swapped) != game.key(state)


# -- notation ---------------------------------------------------------------------------------------------------------


@given(played())
def test_positions_and_moves_survive_the_round_trip(found):
    game, state = found
    assert game.parse_state(game.format_state(state)) == state
    for action in legal_actions(game, state):
        assert game.parse_action(state, game.format_action(state, action)) == action


def test_the_start_is_that_of_obf_files():
    game = Othello()
    assert game.format_state(game.initial()) == START
    assert game.parse_state(START) == game.parse_state(START + "; D3:+0; C4:+0") == game.initial()
    assert [game.format_action(game.initial(), action) for action in game.actions(game.initial())] == [
        "d3",
        "c4",
        "f5",
        "e6",
    ]


def test_a_transcript_is_a_position_and_leaves_out_passes():
    game = Othello()
    assert game.parse_state("f5d6c3") == game.parse_state("F5 D6 C3") == Referee.at(game, "moves: f5 d6 c3").state
    small = Othello(4)
    passed = next(
        (seed, states)
        for seed, states in ((seed, list(random_game(small, seed))) for seed in range(100))
        if any(not state.moves for state in states[:-1])
    )[1]
    referee = Referee(small)
    for before, after in itertools.pairwise(passed):
        referee.play(next(a for a in legal_actions(small, before) if small.result(before, a) == after))
    squares = "".join(turn.text for turn in referee.turns if turn.text != "pass")
    assert len(squares) < 2 * len(referee.turns)
    assert small.parse_state(squares) == referee.state


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "X",
            f"'X' is not a position of othello; the start is '{START}', and squares played from there, such as 'd3',",
        ),
        (START[:-2], "is not a position of othello"),
        (START[:-1] + "b", "is not a position of othello"),
        (START.replace("-", "x", 1), "has a letter that is not a disc; use X for Black, O for White and - for empty"),
        ("-" * 28 + START[28:], "is impossible: the four squares in the middle are never empty"),
        ("f5f5", "'f5f5' is impossible: move 2: f5 is not legal here; try f4, d6 or f6"),
        ("f5z9", "'f5z9' is impossible: move 2: z9 is not legal here"),
    ],
)
def test_a_text_that_is_not_a_position_is_refused(text, sentence):
    with pytest.raises(BadPosition) as caught:
        Othello().parse_state(text)
    assert sentence in str(caught.value)


def test_an_illegal_move_is_refused_with_the_legal_ones():
    with pytest.raises(IllegalMove, match="a1 is not legal here; try d3, c4, f5 or e6"):
        Referee(Othello()).play_text("a1")


@pytest.mark.parametrize("size", [2, 5, 7])
def test_a_board_that_makes_no_game_is_refused(size):
    with pytest.raises(UsageError, match=f"othello is played on boards of size 4, 6 or 8, not {size}$"):
        Othello(size)


def test_a_board_that_does_not_fit_a_word_is_refused():
    with pytest.raises(UsageError, match="size 4, 6 or 8, not 10; larger ones do not fit a word of 64 squares"):
        Othello(10)


# -- picture ------------------------------------------------------------------------------------------


def test_the_picture_counts_the_discs():
    game = Othello(4)
    picture = game.picture(game.initial())
    assert "".join(piece.symbol if piece else "." for piece in picture.cells) == ".....OX..XO....."
    assert (picture.row_labels, picture.col_labels) == (("1", "2", "3", "4"), ("a", "b", "c", "d"))
    assert picture.touches == {"b1": (1,), "a2": (4,), "d3": (11,), "c4": (14,)}
    assert picture.caption == "Black 2, White 2"
