import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.games.hexapawn import BLACK, WHITE, Hexapawn, Position

pytestmark = pytest.mark.plain

# -- a plain twin: a dict of pawns ------------------------------------------------------------------------------------


def twin_start(rows, cols):
    return {**dict.fromkeys(((col, 1) for col in range(cols)), "P"), **{(col, rows): "p" for col in range(cols)}}


def twin_moves(pawns, pawn, rows, cols):
    """The boards one move further on, by its text."""
    ahead, enemy = (1, "p") if pawn == "P" else (-1, "P")
    if any(pawns.get((col, rows)) == "P" or pawns.get((col, 1)) == "p" for col in range(cols)):
        return {}
    found = {}
    for (col, row), who in pawns.items():
        for to in [(col - 1, row + ahead), (col, row + ahead), (col + 1, row + ahead)] if who == pawn else []:
            if 0 <= to[0] < cols and 1 <= to[1] <= rows and pawns.get(to) == (None if to[0] == col else enemy):
                left = {square: other for square, other in pawns.items() if square not in ((col, row), to)}
                found["".join(f"{'abcdefgh'[c]}{r}" for c, r in ((col, row), to))] = {**left, to: pawn}
    return found


def twin_perft(pawns, pawn, rows, cols, depth):
    if depth == 0:
        return 1
    after = twin_moves(pawns, pawn, rows, cols).values()
    return sum(twin_perft(board, "p" if pawn == "P" else "P", rows, cols, depth - 1) for board in after)


def perft(game, state, depth):
    if depth == 0:
        return 1
    if game.is_terminal(state):
        return 0
    return sum(perft(game, game.result(state, action), depth - 1) for action in game.actions(state))


def reachable(game):
    """Every state that play from the start can lead to."""
    found, waiting = set(), [game.initial()]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            if not game.is_terminal(state):
                waiting += [game.result(state, action) for action in game.actions(state)]
    return found


@st.composite
def played(draw):
    """A game and a state some random moves from its start."""
    game = Hexapawn(*draw(st.sampled_from([(3, 3), (3, 5), (4, 4), (5, 3), (8, 8), (3, 21), (64, 1)])))
    state = game.initial()
    for pick in draw(st.lists(st.integers(0, 1000), max_size=12)):
        if not game.is_terminal(state):
            actions = list(game.actions(state))
            state = game.result(state, actions[pick % len(actions)])
    return game, state


# -- the rules --------------------------------------------------------------------------------------------------------


def test_the_perft_table_is_what_the_twin_counts():
    counts = tuple(twin_perft(twin_start(3, 3), "P", 3, 3, depth) for depth in range(1, 9))
    assert Hexapawn.perft_table[""] == counts


@pytest.mark.parametrize(("rows", "cols", "depth"), [(3, 1, 2), (3, 3, 8), (3, 5, 5), (4, 4, 5), (5, 2, 9), (6, 3, 5)])
def test_perft_agrees_with_the_twin(rows, cols, depth):
    game = Hexapawn(rows, cols)
    for plies in range(1, depth + 1):
        wanted = twin_perft(twin_start(rows, cols), "P", rows, cols, plies)
        assert perft(game, game.initial(), plies) == wanted


def test_moves_agree_with_the_twin_by_name():
    game = Hexapawn()
    boards = [(game.initial(), twin_start(3, 3))]
    for state, pawns in boards:
        after = twin_moves(pawns, "Pp"[state.player], 3, 3)
        assert set(game.picture(state).touches) == set(after)
        boards += [(game.result(state, game.parse_action(state, name)), board) for name, board in after.items()]


WINNERS = {3: "FssFFsFF", 4: "sssF", 5: "FsFs", 6: "sssF", 7: "FsF", 8: "sss"}


@pytest.mark.parametrize(
    ("rows", "cols", "winner"),
    [(rows, cols, winner) for rows in WINNERS for cols, winner in enumerate(WINNERS[rows], 1)],
)
def test_small_boards_have_known_winners(rows, cols, winner):
    """First or second player, as an independent program found; larger boards are the solver's."""
    game, known = Hexapawn(rows, cols), {}

    def mover_wins(state):
        if state not in known:
            known[state] = not game.is_terminal(state) and any(
                not mover_wins(game.result(state, action)) for action in game.actions(state)
            )
        return known[state]

    assert mover_wins(game.initial()) == (winner == "F")


def test_the_loser_is_to_move_at_the_end():
    game = Hexapawn()
    arrived, blocked = game.parse_state(".P./p.p/... b"), game.parse_state(".p./.P./... b")
    for state in (arrived, blocked):
        assert game.is_terminal(state)
        assert (game.utility(state, WHITE), game.utility(state, BLACK)) == (1, -1)


def test_the_second_player_faces_37_positions_and_19_up_to_the_mirror():
    """Gardner's machine has 24 matchboxes; 19 do if a box also stands for its mirror image."""
    game = Hexapawn()
    faced = {state for state in reachable(game) if state.player == BLACK and not game.is_terminal(state)}
    assert (len(faced), len(set(map(game.canonical, faced)))) == (37, 19)


# -- knowledge --------------------------------------------------------------------------------------------------------


def mirror_text(game, state):
    board, side = game.format_state(state).split()
    return "/".join(row[::-1] for row in board.split("/")) + " " + side


@given(played())
def test_a_mirrored_position_is_the_same_position(found):
    game, state = found
    twin = game.parse_state(mirror_text(game, state))
    assert game.canonical(state) == game.canonical(twin) == game.canonical(game.canonical(state))
    assert game.canonical(state) in (state, twin)
    assert game.is_terminal(state) == game.is_terminal(twin)


@given(played())
def test_the_evaluation_is_zero_sum_and_within_the_scale(found):
    game, state = found
    assert game.evaluate(state, WHITE) == -game.evaluate(state, BLACK)
    assert -1 < game.evaluate(state, WHITE) < 1


def test_the_evaluation_counts_pawns():
    game = Hexapawn()
    assert game.evaluate(game.parse_state("p.p/.P./P.P b"), WHITE) == pytest.approx(1 / 6)


# -- notation ---------------------------------------------------------------------------------------------------------


@given(played())
def test_positions_and_moves_survive_the_round_trip(found):
    game, state = found
    assert game.parse_state(game.format_state(state)) == state
    if not game.is_terminal(state):
        for action in game.actions(state):
            assert game.parse_action(state, game.format_action(state, action)) == action


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ppp/PPP w", "'ppp/PPP w' is not a position of hexapawn; the start is 'ppp/.../PPP w'"),
        ("pppp/..../PPPP w", "the start is 'ppp/.../PPP w'"),
        ("ppp/.../PPP", "the start is 'ppp/.../PPP w'"),
        ("ppp/.../PPP x", "the start is 'ppp/.../PPP w'"),
        ("ppp/.q./PPP w", "has a letter that is not a pawn; use P for White, p for Black and . for empty"),
        ("P.p/.../P.p w", "is impossible: only one side can have reached the far row"),
        ("P.p/.../P.. w", "is impossible: the side to move has already reached the far row"),
        ("..p/.../P.p b", "is impossible: the side to move has already reached the far row"),
    ],
)
def test_a_text_that_is_not_a_position_is_refused(text, sentence):
    with pytest.raises(BadPosition) as caught:
        Hexapawn().parse_state(text)
    assert sentence in str(caught.value)


def test_an_illegal_move_is_refused_with_the_legal_ones():
    with pytest.raises(IllegalMove, match="a1a3 is not legal here; try a1a2, b1b2 or c1c2"):
        Referee(Hexapawn()).play_text("a1a3")


@pytest.mark.parametrize(("rows", "cols"), [(2, 3), (3, 0), (3, 27), (9, 8)])
def test_a_board_that_makes_no_game_is_refused(rows, cols):
    with pytest.raises(
        UsageError, match=f"3 rows or more, 1 to 26 columns and at most 64 squares, not {rows} x {cols}"
    ):
        Hexapawn(rows, cols)


# -- picture ------------------------------------------------------------------------------------------


def test_the_picture_shows_the_board_from_whites_side():
    game = Hexapawn()
    picture = game.picture(game.parse_state("p.p/.p./P.P w"))
    assert "".join(piece.symbol if piece else "." for piece in picture.cells) == "p.p.p.P.P"
    assert (picture.row_labels, picture.col_labels) == (("3", "2", "1"), ("a", "b", "c"))
    assert picture.touches == {"c1b2": (8, 4), "a1b2": (6, 4), "a1a2": (6, 3), "c1c2": (8, 5)}


def test_a_state_is_two_words_and_a_player():
    assert Hexapawn().initial() == Position(0b111, 0b111 << 6, WHITE)
