import itertools
import random

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.game import legal_actions
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Line, Scoresheet
from zermelo.games import find
from zermelo.games.checkers.board import BLACK, WHITE
from zermelo.games.checkers.notation import Fen, read_fen, read_pdn, result_of, write_fen, write_pdn
from zermelo.games.checkers.rules import QUIET_PLIES, Checkers
from zermelo.search import Engine, perft

pytestmark = pytest.mark.plain

GAME = Checkers()
START = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"


def moves(position):
    state = GAME.parse_state(position)
    return sorted(GAME.format_action(state, action) for action in legal_actions(GAME, state))


def after(position, move):
    state = GAME.parse_state(position)
    return GAME.format_state(GAME.result(state, GAME.parse_action(state, move)))


# -- a plain twin: rows and columns, letters, recursion ----------------------------------------------------------------


def place(number):
    row = (number - 1) // 4
    return row, 2 * ((number - 1) % 4) + 1 - row % 2


NUMBERS = {place(number): number for number in range(1, 33)}


def plain_moves(fen):
    """Every legal move as the tuple of squares that the piece comes to."""
    board = {place(number): piece for number, piece in fen.pieces.items()}
    own, forward = "bw"[fen.player], (1, -1)[fen.player]
    pieces = [(spot, piece) for spot, piece in board.items() if piece.lower() == own]
    jumps = [path for spot, piece in pieces for path in plain_jumps(board, spot, piece, forward) if len(path) > 1]
    if jumps:
        return {tuple(NUMBERS[spot] for spot in path) for path in jumps}
    return {
        (NUMBERS[spot], NUMBERS[beside])
        for spot, piece in pieces
        for beside in plain_neighbours(spot, piece, forward)
        if beside not in board
    }


def plain_neighbours(spot, piece, forward, distance=1):
    rows = (1, -1) if piece.isupper() else (forward,)
    found = [(spot[0] + distance * down, spot[1] + distance * across) for down in rows for across in (-1, 1)]
    return [beside for beside in found if beside in NUMBERS]


def plain_jumps(board, spot, piece, forward):
    """The paths of all captures that cannot be continued; the bare square if there is none."""
    paths = []
    for landing in plain_neighbours(spot, piece, forward, 2):
        over = (spot[0] + landing[0]) // 2, (spot[1] + landing[1]) // 2
        if board.get(over, piece).lower() != piece.lower() and landing not in board:
            rest = {other: letter for other, letter in board.items() if other not in (spot, over)}
            paths += [(spot, *path) for path in plain_jumps({**rest, landing: piece}, landing, piece, forward)]
    return paths or [(spot,)]


def fen_of(state):
    return read_fen(GAME.format_state(state))


@st.composite
def positions(draw):
    """Any pieces anywhere, many kings among them."""
    letters = draw(st.lists(st.sampled_from("bwBW......"), min_size=32, max_size=32))
    pieces = {number: letter for number, letter in enumerate(letters, 1) if letter != "."}
    pieces |= {number: "W" for number, letter in pieces.items() if letter == "w" and number <= 4}
    pieces |= {number: "B" for number, letter in pieces.items() if letter == "b" and number >= 29}
    for side in "bw":
        own = [number for number, letter in pieces.items() if letter.lower() == side]
        for number in own[11:]:
            del pieces[number]
    pieces |= {16: "B", 17: "W"}
    return Fen(pieces, draw(st.sampled_from([BLACK, WHITE])))


# -- the rules ---------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_perft():
    """The counts of the start to ten plies that draughts programs publish; the deepest takes a fifth of a second."""
    known = (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564)
    assert Checkers.perft_table[""] == known
    assert tuple(perft(GAME, None, depth) for depth in range(1, 11)) == known


@given(positions())
def test_moves_are_those_of_the_plain_twin(fen):
    state = GAME.parse_state(write_fen(fen))
    paths = [tuple(GAME.path(action)) for action in GAME.actions(state)]
    assert len(set(paths)) == len(paths)
    assert set(paths) == plain_moves(fen)
    assert GAME.count(state) == len(paths)
    assert GAME.is_terminal(state) == (not paths)


@given(positions())
def test_a_move_takes_what_it_jumps_and_nothing_else(fen):
    state = GAME.parse_state(write_fen(fen))
    for action in GAME.actions(state):
        path, now = GAME.path(action), fen_of(GAME.result(state, action))
        spots = [place(number) for number in path]
        pieces = dict(fen.pieces)
        piece = pieces.pop(path[0])
        for (row, col), (next_row, next_col) in itertools.pairwise(spots):
            if abs(row - next_row) == 2:
                del pieces[NUMBERS[(row + next_row) // 2, (col + next_col) // 2]]
        is_crowned = path[-1] > 28 if piece == "b" else path[-1] < 5
        pieces[path[-1]] = piece.upper() if is_crowned else piece
        assert now.pieces == pieces
        assert now.player == 1 - fen.player
        assert now.quiet == (1 if piece.isupper() and len(pieces) == len(fen.pieces) else 0)


@pytest.mark.parametrize("games", [50, pytest.param(1000, marks=pytest.mark.long)])
def test_openspiel_agrees_move_by_move(games):
    """OpenSpiel's first player sits at the bottom, jumps one piece at a time, and draws at 40 plies without a capture.

    So our squares are theirs turned round, our captures are composed of theirs, and games are compared up to there.
    """
    theirs, rng = pyspiel.load_game("checkers"), random.Random(5)
    for _ in range(games):
        state, their_state = GAME.initial(), theirs.new_initial_state()
        since_capture = 0
        while not GAME.is_terminal(state) and since_capture < 39:
            lines = dict(their_lines(their_state))
            assert len(lines) == GAME.count(state)
            action = rng.choice(list(GAME.actions(state)))
            assert {tuple(GAME.path(other)) for other in GAME.actions(state)} == set(lines)
            their_state = lines[tuple(GAME.path(action))]
            since_capture = 0 if GAME.is_noisy(state, action) else since_capture + 1
            state = GAME.result(state, action)
            assert their_board(their_state) == fen_of(state).pieces
        if since_capture < 39:
            assert their_state.is_terminal()
            assert [GAME.utility(state, player) for player in (0, 1)] == their_state.returns()


def their_lines(state, path=()):
    """The complete moves: the squares that the piece comes to, and the state after them."""
    mover = state.current_player()
    for action in state.legal_actions():
        name, child = state.action_to_string(action), state.child(action)
        first, last = (NUMBERS[int(square[1]) - 1, 7 - "abcdefgh".index(square[0])] for square in (name[:2], name[2:]))
        squares = (*(path or (first,)), last)
        if not child.is_terminal() and child.current_player() == mover:
            yield from their_lines(child, squares)
        else:
            yield squares, child


def their_board(state):
    rows = [line[1:] for line in str(state).splitlines()[:8]]
    letters = {"o": "b", "8": "B", "+": "w", "*": "W"}
    return {
        NUMBERS[7 - row, 7 - col]: letters[cell]
        for row, cells in enumerate(rows)
        for col, cell in enumerate(cells)
        if cell in letters
    }


def test_captures_are_forced_and_go_on_to_the_end():
    assert moves("B:W14:B9,3") == ["9x18"]
    assert moves("B:W14,23:B9,3") == ["9x27"]
    assert after("B:W14,23:B9,3", "9x27") == "W:W:B3,27"


def test_men_capture_forward_only_and_kings_both_ways():
    assert moves("B:W6:B10") == ["10-14", "10-15"]
    assert moves("B:W6:BK10") == ["10x1"]
    assert moves("W:WK14:B10,18") == ["14x23", "14x7"]


def test_a_man_that_is_crowned_stops():
    """As a king it could jump on over 26."""
    assert moves("B:W25,26:B21") == ["21x30"]
    assert after("B:W25,26:B21", "21x30") == "W:W26:BK30"
    assert moves("B:W25,26:BK21") == ["21x23"]


def test_a_king_may_come_back_to_where_it_started():
    """Around four men, this way or that."""
    position = "B:W6,7,14,15:BK2"
    assert moves(position) == ["2x11x18x9x2", "2x9x18x11x2"]
    assert after(position, "2x9x18x11x2") == after(position, "2x11x18x9x2") == "W:W:BK2"


def test_the_longest_capture_takes_nine():
    """The nine inner squares of the other rows, each jumped once, from corner to corner."""
    position = "B:W6,7,8,14,15,16,22,23,24:BK4"
    state = GAME.parse_state(position)
    paths = [GAME.path(action) for action in GAME.actions(state)]
    assert max(map(len, paths)) == 10
    assert {tuple(path) for path in paths} == plain_moves(read_fen(position))


@pytest.mark.parametrize("position", ["W:W:B3", "W:W21:B14,17", "B:W9,14:B5"])
def test_a_player_without_moves_has_lost(position):
    state = GAME.parse_state(position)
    assert GAME.is_terminal(state)
    assert moves(position) == []
    assert GAME.utility(state, state.player) == -1
    assert GAME.utility(state, 1 - state.player) == 1


def test_forty_quiet_moves_of_each_side_are_a_draw():
    last = GAME.parse_state(f"B:WK32:BK1:H{QUIET_PLIES - 1}")
    assert not GAME.is_terminal(last)
    state = GAME.result(last, GAME.parse_action(last, "1-5"))
    assert GAME.is_terminal(state)
    assert GAME.count(state) == GAME.utility(state, BLACK) == GAME.utility(state, WHITE) == 0


def test_a_capture_and_a_mans_move_set_the_clock_back():
    assert after("B:WK32:B9,K1:H7", "1-5") == "W:WK32:BK5,9:H8"
    assert after("B:WK32:B9,K1:H7", "9-13") == "W:WK32:BK1,13"
    assert after("B:W6,K32:BK1:H7", "1x10") == "W:WK32:BK10"


def test_the_third_occurrence_is_a_draw():
    """The clock runs on, and repetition looks past it."""
    referee = Referee.at(GAME, "B:WK32:BK1")
    referee.play_line(["1-5", "32-28", "5-1", "28-32"] * 2)
    assert referee.state.quiet == 8
    assert referee.is_over
    assert referee.utilities() == (0, 0)


# -- knowledge ---------------------------------------------------------------------------------------------------------


def test_the_lectures_evaluation_counts_kings_twice():
    """2 kings + pawns, mine minus yours."""
    game = find("checkers:evaluation=material")
    state = game.parse_state("B:W21,22,K3:BK30,K31,1")
    assert game.evaluate(state, BLACK) == (5 - 4) * game.unit
    assert game.evaluate(state, WHITE) == (4 - 5) * game.unit


OTHERS = str.maketrans("bwBW", "wbWB")


@pytest.mark.parametrize("evaluation", ["features", "material"])
@given(fen=positions())
def test_the_evaluation_is_the_same_for_both_sides(evaluation, fen):
    """Turned round, with the colours exchanged, every position has the opposite value."""
    game = Checkers(evaluation)
    state = game.parse_state(write_fen(fen))
    turned = Fen({33 - number: piece.translate(OTHERS) for number, piece in fen.pieces.items()}, 1 - fen.player)
    assert game.evaluate(state, BLACK) == -game.evaluate(state, WHITE)
    assert game.evaluate(state, BLACK) == pytest.approx(game.evaluate(game.parse_state(write_fen(turned)), WHITE))
    assert abs(game.evaluate(state, BLACK)) < 1


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("B:W21,22,23:B9,10,11,K14", "B:W21,22,23:B9,10,11,14"),
        ("B:WK18:BK10,K11", "B:WK18:BK1,K2"),
        ("B:WK18:BK10,K11", "B:WK32:BK10,K11"),
        ("B:W30,31,21,25:B1,2,3,10", "B:W30,31,21,25:B1,2,7,10"),
        ("W:W22,26,31:B1,2,3", "W:W22,25,31:B1,2,18"),
    ],
    ids=[
        "a king",
        "kings near the hunted one",
        "no refuge in the double corner",
        "a guarded back rank",
        "nothing hanging",
    ],
)
def test_features_count_for_black(better, worse):
    assert GAME.evaluate(GAME.parse_state(better), BLACK) > GAME.evaluate(GAME.parse_state(worse), BLACK)


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("position", ["B:WK1:BK31,K32", "W:WK3,K10,K18:BK31,K28", "B:WK5,12:BK31,K30,K29"])
def test_the_engine_wins_what_is_won(position):
    """Two kings against one, three against two, and three against a king and a man; the other side plays as well."""
    referee, engine = Referee.at(GAME, position), Engine(GAME, megabytes=16)
    winner = referee.to_move
    while not referee.is_over:
        referee.play_text(engine.think(referee, Limit(nodes=200_000)).best)
    assert referee.utilities()[winner] == 1


def test_long_captures_are_tried_first_then_new_kings():
    state = GAME.parse_state("B:W14,23,6:B9,K2")
    ordered = sorted(GAME.actions(state), key=lambda action: -GAME.order(state, action))
    assert GAME.short_text(ordered[0]) == "9x27"
    state = GAME.parse_state("B:W12:B1,25")
    assert {GAME.short_text(action) for action in GAME.actions(state) if GAME.order(state, action) > 0} == {
        "25-29",
        "25-30",
    }


@given(positions())
def test_exactly_captures_are_noisy(fen):
    state = GAME.parse_state(write_fen(fen))
    for action in GAME.actions(state):
        assert GAME.is_noisy(state, action) == ("x" in GAME.format_action(state, action))


# -- notation ----------------------------------------------------------------------------------------------------------


@given(positions())
def test_moves_and_positions_survive_the_round_trip(fen):
    state = GAME.parse_state(write_fen(fen))
    assert fen_of(state) == fen
    for action in GAME.actions(state):
        assert GAME.parse_action(state, GAME.format_action(state, action)) == action
        assert GAME.parse_action(state, GAME.full_text(action)) == action


def test_all_squares_are_written_where_the_ends_leave_a_doubt():
    """From 3 to 19 over 8 and 16, or over 7 and 15."""
    position = "B:W7,8,15,16:BK3"
    assert moves(position) == ["3x10x19x12x3", "3x12x19x10x3"]
    position = "B:W6,7,14,15,30:B2"
    assert moves(position) == ["2x11x18", "2x9x18"]
    with pytest.raises(IllegalMove, match=r"2x18 can be several moves here; try 2x9x18 or 2x11x18"):
        after(position, "2x18")
    assert after(position, "2X9X18") == "W:W7,15,30:B18"


def test_fen_is_read_in_every_spelling():
    state = GAME.initial()
    assert GAME.format_state(state) == START
    for text in ("B:W21-32:B1-12", "b:b1-12:w21-32.", "B:W21-32:B1-12:H0:F1", " B : W21-32 : B1-12 "):
        assert GAME.parse_state(text) == state
    assert GAME.parse_state("W:WK1-3,9:BK30,5") == GAME.parse_state("W:B5,K30:WK1,K2,K3,9")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a PDN-FEN; write the side to move and the squares of both, as in 'B:W18,24,K27:B12,16,K20'"),
        ("B:W1:W2", "is not a PDN-FEN"),
        ("X:W1:B2", "is not a PDN-FEN"),
        ("B:W33:B1", "'B:W33:B1' names a square '33' that is not there; they are 1 to 32, kings K1 to K32"),
        ("B:W12-9:B1", "names a square '12-9' that is not there"),
        ("B:W9,,10:B1", "names a square '' that is not there"),
        ("B:W9:B9", "'B:W9:B9' is impossible: square 9 is named twice"),
        ("B:W3:B9", "is impossible: a man on the far row is a king; write K before its number"),
        ("B:W21:B30", "is impossible: a man on the far row is a king; write K before its number"),
        ("B:W21:B1-13", "is impossible: a side has at most twelve pieces"),
        ("B:W:B1", "is impossible: the side without a piece would have to move, and has lost"),
        ("B:W21:B1:H4", "is impossible: H counts plies of kings since a capture, 80 at most"),
        ("B:WK21:BK1:H81", "is impossible: H counts plies of kings since a capture, 80 at most"),
    ],
)
def test_a_text_that_is_not_a_position_is_refused(text, sentence):
    with pytest.raises(BadPosition) as caught:
        GAME.parse_state(text)
    assert sentence in str(caught.value)


def test_an_illegal_move_is_refused_with_the_legal_ones():
    with pytest.raises(IllegalMove, match="9-13 is not legal here; try 9x18"):
        after("B:W14:B9,3", "9-13")


def test_an_unknown_evaluation_is_refused():
    with pytest.raises(UsageError, match="checkers has no evaluation 'pawns'; try features or material"):
        find("checkers:evaluation=pawns")


# -- PDN ---------------------------------------------------------------------------------------------------------------

PDN = """
[Event "An example"]
[White "Last, \\"First\\""]
[Result "1-0"]

{Two games} 1. 11-15! 23-19 2.8-11 22-17 (2... 24-20 {not (so) good}) 3. 11-16? $4 24-20 4. 16x23 27x11
5. 7x16 20x11 ; to the end of the line 1-0
1-0

[FEN "W:W21:BK1"]
[SetUp "1"]
1... 21-17 2. 1-5 1/2-1/2
[Event "no result"] 1. 9-14
"""


def test_pdn_is_read():
    first, second, third = read_pdn(GAME, PDN)
    assert first.headers == {"Event": "An example", "White": 'Last, "First"'}
    assert first.moves == ("11-15", "23-19", "8-11", "22-17", "11-16", "24-20", "16x23", "27x11", "7x16", "20x11")
    assert (first.result, second.result, third.result) == ("1-0", "1/2-1/2", "*")
    assert first.line.comments == ("Two games",)
    assert [move.marks for move in first.line.moves[:5]] == [(1,), (), (), (), (2, 4)]
    assert first.line.moves[3].variations[0].moves[0].comments == ("not (so) good",)
    assert GAME.format_state(first.replay().state) == "B:W11,17,21,25,26,28,29,30,31,32:B1,2,3,4,5,6,9,10,12"
    assert GAME.format_state(second.replay().state) == "W:W17:BK5:H1"
    assert (third.headers, third.moves) == ({"Event": "no result"}, ("9-14",))


def test_games_survive_pdn():
    rng, played = random.Random(8), []
    for number in range(20):
        referee = Referee.at(GAME, "" if number % 2 else "W:W9-12,21,K31:B5,6,K18,K19:H3")
        while not referee.is_over:
            referee.play(rng.choice(referee.legal()))
        played.append(Scoresheet.of(referee, {"Event": f'"{number}"', "Site": "a \\ b"}, result_of(referee)))
    text = write_pdn(*played)
    read = read_pdn(GAME, text)
    assert all(len(line) < 80 for line in text.splitlines() if not line.startswith("["))
    assert [(game.moves, game.result) for game in read] == [(game.moves, game.result) for game in played]
    for ours, theirs in zip(played, read, strict=True):
        assert ours.headers.items() <= theirs.headers.items()
        assert result_of(theirs.replay()) == theirs.result
    assert {game.result for game in played} == {"1-0", "0-1", "1/2-1/2"}


def test_pdn_is_written_with_its_roster_and_numbers():
    start = GAME.parse_state("W:W21:BK1")
    headers = {"White": "Lafferty", "FEN": "W:W21:BK1", "SetUp": "1"}
    assert write_pdn(Scoresheet(GAME, Line.of(["21-17", "1-5", "17-14"]), headers, "*", start)) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Lafferty"]\n[Black "?"]\n[Result "*"]\n'
        '[FEN "W:W21:BK1"]\n[SetUp "1"]\n\n1... 21-17 2. 1-5 17-14 *\n'
    )
    line = Line.of(["11-15", "23-19", "8-11"])
    assert "\n1. 11-15 23-19 2. 8-11 1-0\n" in write_pdn(Scoresheet(GAME, line, result="1-0"))


def test_junk_in_pdn_is_refused_with_its_line():
    with pytest.raises(UsageError, match=r"line 3 of this PDN has 'e2e4', which is not a header, a move or a comment"):
        read_pdn(GAME, '[Event "?"]\n\n1. e2e4')
    with pytest.raises(IllegalMove, match="move 2: 11-15 is not legal here; try"):
        read_pdn(GAME, "1. 11-15 11-15")[0].replay()


# -- picture -----------------------------------------------------------------------------------------------------------


def test_the_picture_shows_the_pieces_and_the_path():
    state = GAME.parse_state("B:W14,23,K32:B9,K3")
    picture = GAME.picture(state)
    assert {
        number: picture.cells[8 * row + col].symbol
        for number, (row, col) in zip(range(1, 33), map(place, range(1, 33)), strict=True)
        if picture.cells[8 * row + col]
    } == {3: "B", 9: "b", 14: "w", 23: "w", 32: "W"}
    assert picture.touches == {"9x27": tuple(8 * row + col for row, col in map(place, (9, 18, 27)))}
    assert picture.row_labels[0] == "1-4"
    assert picture.chequered


@pytest.mark.compiled
def test_forced_captures_do_not_make_the_search_endless():
    """A capture without a choice was once extended twice: ten plies took seven million positions."""
    assert Engine(GAME, megabytes=16).think(None, Limit(depth=10)).stats["nodes"] < 500_000
