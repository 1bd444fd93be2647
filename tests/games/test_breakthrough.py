import functools
import random

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.games.breakthrough import BLACK, WHITE, Breakthrough, Position
from zermelo.search import perft
from zermelo.solve import solve

pytestmark = pytest.mark.plain

START = "pppppppp/pppppppp/......../......../......../......../PPPPPPPP/PPPPPPPP w"

# -- a plain twin: a dict of pieces -----------------------------------------------------------------------------------


def twin_start(rows, cols):
    both = ((1, "P"), (2, "P"), (rows - 1, "p"), (rows, "p"))
    return {(col, row): piece for row, piece in both for col in range(cols)}


def twin_moves(pieces, piece, rows, cols):
    """The boards one move further on, by its text."""
    ahead = 1 if piece == "P" else -1
    if len(set(pieces.values())) < 2 or any(row == (rows if who == "P" else 1) for (_, row), who in pieces.items()):
        return {}
    found = {}
    for (col, row), who in pieces.items():
        for to in [(col - 1, row + ahead), (col, row + ahead), (col + 1, row + ahead)] if who == piece else []:
            blocked = pieces.get(to) == piece or (to[0] == col and to in pieces)
            if 0 <= to[0] < cols and not blocked:
                left = {square: other for square, other in pieces.items() if square not in ((col, row), to)}
                found["".join(f"{'abcdefgh'[c]}{r}" for c, r in ((col, row), to))] = {**left, to: piece}
    return found


def twin_perft(pieces, piece, rows, cols, depth):
    if depth == 0:
        return 1
    after = twin_moves(pieces, piece, rows, cols)
    if depth == 1:
        return len(after)
    return sum(twin_perft(board, "p" if piece == "P" else "P", rows, cols, depth - 1) for board in after.values())


def random_game(game, seed):
    """The states of one random game, from the start to the end."""
    rng, state = random.Random(seed), game.initial()
    yield state
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(list(game.actions(state))))
        yield state


SIZES = ((4, 2), (4, 5), (5, 5), (6, 4), (7, 3), (8, 8), (4, 16), (32, 2))


@st.composite
def scattered(draw, sizes=SIZES, most=5):
    """A game that is not over, with a few pieces anywhere."""
    game = Breakthrough(*draw(st.sampled_from(sizes)))
    squares = draw(st.permutations(range(game.cols, game.squares - game.cols)))
    most = min(most, 2 * game.cols)
    count, others = draw(st.integers(1, most)), draw(st.integers(1, most))
    white, black = squares[:count], squares[count : count + others] or squares[-1:]
    words = [sum(1 << square for square in some) for some in (set(white) - set(black), black)]
    return game, Position(words[0] or 1, words[1], draw(st.integers(0, 1)))


# -- the rules --------------------------------------------------------------------------------------------------------


def test_the_perft_table_is_what_the_twin_counts():
    counts = tuple(twin_perft(twin_start(8, 8), "P", 8, 8, depth) for depth in range(1, 4))
    assert Breakthrough.perft_table[""][:3] == counts


@pytest.mark.compiled
def test_perft_to_the_depth_of_the_table():
    counts = Breakthrough.perft_table[""][:5]
    assert tuple(perft(Breakthrough(), depth=depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize(("rows", "cols", "depth"), [(4, 2, 9), (5, 3, 5), (7, 4, 3)])
def test_perft_agrees_with_the_twin(rows, cols, depth):
    game = Breakthrough(rows, cols)
    for plies in range(1, depth + 1):
        assert perft(game, depth=plies) == twin_perft(twin_start(rows, cols), "P", rows, cols, plies)


def test_moves_agree_with_the_twin_by_name():
    for rows, cols, seed in ((5, 3, 1), (8, 8, 2), (4, 5, 3)):
        game, rng = Breakthrough(rows, cols), random.Random(seed)
        state, pieces = game.initial(), twin_start(rows, cols)
        while not game.is_terminal(state):
            after = twin_moves(pieces, "Pp"[state.player], rows, cols)
            assert set(game.picture(state).touches) == set(after)
            name = rng.choice(sorted(after))
            state, pieces = game.result(state, game.parse_action(state, name)), after[name]
        assert not twin_moves(pieces, "Pp"[state.player], rows, cols)


@pytest.mark.parametrize(
    ("rows", "cols", "games"), [(8, 8, 60), (7, 4, 20), pytest.param(8, 8, 1000, marks=pytest.mark.long)]
)
def test_openspiel_agrees_move_by_move(rows, cols, games):
    """With fewer than six rows OpenSpiel gives each side one row of pieces, here it is always two.

    There the first player starts from the top: rows are numbered the other way round.
    """

    def turned(name):
        return "".join(str(rows + 1 - int(sign)) if sign.isdigit() else sign for sign in name.rstrip("*"))

    ours = Breakthrough(rows, cols)
    theirs, rng = pyspiel.load_game(f"breakthrough(rows={rows},columns={cols})"), random.Random(8)
    for _ in range(games):
        state, their_state = ours.initial(), theirs.new_initial_state()
        while not their_state.is_terminal():
            assert not ours.is_terminal(state)
            names = {turned(their_state.action_to_string(action)): action for action in their_state.legal_actions()}
            texts = {ours.format_action(state, action): action for action in ours.actions(state)}
            assert set(texts) == set(names)
            name = rng.choice(sorted(names))
            state = ours.result(state, texts[name])
            their_state.apply_action(names[name])
        assert ours.is_terminal(state)
        assert [ours.utility(state, player) for player in (0, 1)] == their_state.returns()


@given(scattered())
def test_there_is_always_a_move_and_as_many_as_counted(found):
    game, state = found
    if not game.is_terminal(state):
        assert len(list(game.actions(state))) == game.count(state) > 0


def twin_wins(rows, cols):
    """Whether the first player wins, by the twin's rules alone."""

    @functools.cache
    def wins(board, piece):
        after = twin_moves(dict(board), piece, rows, cols).values()
        return any(not wins(tuple(sorted(pieces.items())), "p" if piece == "P" else "P") for pieces in after)

    return wins(tuple(sorted(twin_start(rows, cols).items())), "P")


@pytest.mark.parametrize(("rows", "cols"), [(5, 2), pytest.param(6, 2, marks=pytest.mark.long)])
def test_proofs_agree_with_the_twin(rows, cols):
    assert solve(Breakthrough(rows, cols)).value[WHITE] == (1 if twin_wins(rows, cols) else -1)


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize(
    ("rows", "cols", "winner"), [(4, 4, BLACK), (5, 3, BLACK), (6, 3, WHITE), (7, 3, BLACK), (5, 5, BLACK)]
)
def test_small_boards_have_known_winners(rows, cols, winner):
    """5x5: Peter Danielsen, Little Golem forum, December 2006."""
    assert solve(Breakthrough(rows, cols)).value[winner] == 1


def test_the_loser_is_to_move_at_the_end():
    game = Breakthrough(4, 3)
    for text in (".P./p.p/.../... b", ".../PPP/.../... b", ".../.../P../..p w", "p../.../.../... w"):
        state = game.parse_state(text)
        assert game.is_terminal(state)
        assert game.count(state) == 0
        assert game.utility(state, state.player) == -1 == -game.utility(state, 1 - state.player)


# -- knowledge --------------------------------------------------------------------------------------------------------


def exact(game):
    """The value for the player to move, by the rules alone."""

    @functools.cache
    def value(state):
        if game.is_terminal(state):
            return game.utility(state, state.player)
        return max(-value(game.result(state, action)) for action in game.actions(state))

    return value


EXACT = {size: exact(Breakthrough(*size)) for size in ((5, 4), (7, 3), (4, 6))}


@given(scattered(sorted(EXACT), most=3))
def test_bounds_hold_the_exact_value(found):
    game, state = found
    low, high = game.bounds(state, state.player)
    assert low <= EXACT[game.rows, game.cols](state) <= high
    assert game.bounds(state, 1 - state.player) == (-high, -low)


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("......../......../P......./......../......../......../.p....../........ w", BLACK),  # two steps against one
        ("......../......../P......./......../......../......../.p....../........ b", BLACK),
        ("......../......../P......./......../......../.p....../......../........ w", WHITE),
        ("......../......../P......./......../......../.p....../......../........ b", BLACK),
        ("..p...../......../P......./......../......../......../......../........ w", WHITE),  # too far to the side
        ("..p...../......../P......./......../......../......../......../........ b", WHITE),
        (".p....../......../P......./......../......../......../......../........ w", -1),
        ("p......./......../P......./......../......../......../......../........ w", -1),
    ],
)
def test_a_runner_that_cannot_be_caught_decides(text, winner):
    game = Breakthrough()
    state = game.parse_state(text)
    assert game.winner(state) == winner
    if winner >= 0:
        assert game.bounds(state, winner) == (1, 1)
        assert 0.9 < game.evaluate(state, winner) < 1


def test_bounds_are_open_at_the_start():
    game = Breakthrough()
    assert game.bounds(game.initial(), WHITE) == (-1, 1)


@given(scattered())
def test_the_evaluation_is_zero_sum_and_within_the_scale(found):
    game, state = found
    assert game.evaluate(state, WHITE) == -game.evaluate(state, BLACK)
    assert abs(game.evaluate(state, WHITE)) < 1


def upside_down(state, game):
    """The same position with the sides exchanged."""
    white, black = (
        sum(1 << (game.squares - 1 - square) for square in range(game.squares) if pieces >> square & 1)
        for pieces in map(int, (state.black, state.white))
    )
    return Position(white, black, 1 - state.player)


@given(scattered())
def test_both_sides_are_judged_alike(found):
    game, state = found
    turned = upside_down(state, game)
    assert game.evaluate(state, WHITE) == pytest.approx(game.evaluate(turned, BLACK))
    assert game.bounds(state, WHITE) == game.bounds(turned, BLACK)
    last = game.squares - 1
    for action in game.actions(state):
        other = (last - action // game.squares) * game.squares + last - action % game.squares
        assert game.order(state, action) == game.order(turned, other)
        assert game.is_noisy(state, action) == game.is_noisy(turned, other)
        assert game.exchange(state, action) == game.exchange(turned, other)
        assert game.gain(state, action) == game.gain(turned, other)
    assert game.is_threatened(state) == game.is_threatened(turned)


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        ("pppp/pppp/..../.P../P.PP/PPP. w", "pppp/pppp/..../.P../P.PP/PPPP w"),
        ("pppp/pp.p/..../..../P.PP/.P.. w", "pppp/pp.p/..../.P../P.P./.P.. w"),
        ("pppp/..../.p../P..P/..../.PP. w", "pppp/..../.p../.PP./..../.PP. w"),
    ],
    ids=["a piece more", "a step ahead", "side by side in the middle"],
)
def test_the_evaluation_likes(worse, better):
    game = Breakthrough(6, 4)
    assert game.evaluate(game.parse_state(worse), WHITE) < game.evaluate(game.parse_state(better), WHITE)


def test_the_far_row_comes_first_then_captures_and_a_gift_last():
    game = Breakthrough(7, 4)
    state = game.parse_state("..../..P./..../p.../.P.p/P.P./.... w")
    guess = {game.format_action(state, action): game.order(state, action) for action in game.actions(state)}
    noisy = {game.format_action(state, action) for action in game.noisy_actions(state)}
    assert noisy == {"c6b7", "c6c7", "c6d7", "b3a4", "c2d3"}
    assert min(guess[move] for move in ("c6b7", "c6c7", "c6d7")) > guess["c2d3"]
    assert min(guess["c2d3"], guess["b3a4"]) > max(guess[move] for move in set(guess) - noisy)
    gifts = {move for move in guess if game.is_gift(state, game.parse_action(state, move))}
    assert gifts == {move for move in guess if guess[move] < 0}


def test_a_piece_about_to_win_leaves_only_moves_that_stop_it():
    game = Breakthrough(6, 4)
    state = game.parse_state("p..p/..../.P../p.../.p../P.P. w")
    assert game.is_threatened(state)
    assert {game.format_action(state, action) for action in game.candidates(state)} == {"a1b2", "c1b2"}
    free = game.parse_state("p..p/..../.P../p.../.p../...P w")
    assert game.winner(free) == BLACK
    assert set(game.candidates(free)) == set(game.actions(free))
    first = game.parse_state("p..p/.P../..../p.../.p../P.P. w")
    assert not game.is_threatened(first)
    assert {game.format_action(first, action)[-1] for action in game.candidates(first)} == {"6"}
    assert not game.is_threatened(game.initial())


@given(scattered(sorted(EXACT), most=3))
def test_a_best_move_is_among_the_candidates(found):
    game, state = found
    value = EXACT[game.rows, game.cols]
    if not game.is_terminal(state):
        assert set(game.candidates(state)) <= set(game.actions(state))
        assert max(-value(game.result(state, action)) for action in game.candidates(state)) == value(state)


@given(scattered())
def test_noisy_moves_are_found_without_the_others(found):
    game, state = found
    if not game.is_terminal(state):
        noisy = [action for action in game.actions(state) if game.is_noisy(state, action)]
        assert list(game.noisy_actions(state)) == noisy


@pytest.mark.parametrize(
    ("text", "move", "pieces"),
    [
        ("pppp/p..p/.p../P.../...P/..P. w", "a3b4", 0),
        ("pppp/...p/.p../P.../...P/..P. w", "a3b4", 1),
        ("pppp/p..p/.p../P.P./...P/..P. w", "a3b4", 1),
        ("p..p/..../.P../...P/..../..P. w", "b4b5", -1),
        ("...p/..../.P../...P/..../..P. w", "b4b5", 0),
    ],
)
def test_exchanges_count_takers_and_friends(text, move, pieces):
    game = Breakthrough(6, 4)
    state = game.parse_state(text)
    action = game.parse_action(state, move)
    assert game.exchange(state, action) == pieces * game.unit
    assert game.gain(state, action) >= game.exchange(state, action)


def mirror_text(game, state):
    board, side = game.format_state(state).split()
    return "/".join(row[::-1] for row in board.split("/")) + " " + side


@given(scattered())
def test_a_mirrored_position_is_the_same_position(found):
    game, state = found
    if game.is_terminal(state):
        return
    twin = game.parse_state(mirror_text(game, state))
    assert game.canonical(state) == game.canonical(twin) == game.canonical(game.canonical(state))
    assert game.canonical(state) in (state, twin)
    assert game.bounds(state, 0) == game.bounds(twin, 0)
    assert game.evaluate(state, 0) == game.evaluate(twin, 0)


# -- notation ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_positions_and_moves_survive_the_round_trip(size):
    game = Breakthrough(*size)
    for state in random_game(game, 1):
        assert game.parse_state(game.format_state(state)) == state
        if not game.is_terminal(state):
            for action in game.actions(state):
                assert game.parse_action(state, game.format_action(state, action)) == action


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ppp/PPP w", f"'ppp/PPP w' is not a position of breakthrough; the start is '{START}'"),
        (START[:-2], "is not a position of breakthrough; the start is"),
        (START[:-1] + "x", "is not a position of breakthrough; the start is"),
        (START.replace(".", "q", 1), "has a letter that is not a piece; use P for White, p for Black and . for empty"),
        (START.replace(".", "P", 1), "is impossible: a side has 16 pieces at most"),
        ("/".join(["........"] * 8) + " w", "is impossible: only one side can have lost all its pieces"),
        ("P......." + "/........" * 6 + "/p....... w", "is impossible: only one side can have reached the far row"),
        ("P.....p." + "/........" * 7 + " w", "is impossible: the side to move has already won"),
        ("......p." + "/........" * 6 + "/.P....p. b", "is impossible: the side to move has already won"),
        ("........" + "/..P....." * 7 + " w", "is impossible: the side to move has already won"),
        ("........" + "/..p....." * 6 + "/........ b", "is impossible: the side to move has already won"),
    ],
)
def test_a_text_that_is_not_a_position_is_refused(text, sentence):
    with pytest.raises(BadPosition) as caught:
        Breakthrough().parse_state(text)
    assert sentence in str(caught.value)


def test_an_illegal_move_is_refused_with_the_legal_ones():
    with pytest.raises(IllegalMove, match="a2a4 is not legal here; try b2a3, "):
        Referee(Breakthrough()).play_text("a2a4")


@pytest.mark.parametrize(("rows", "cols"), [(3, 3), (4, 1), (4, 17), (9, 8)])
def test_a_board_that_makes_no_game_is_refused(rows, cols):
    with pytest.raises(
        UsageError, match=f"4 rows or more, 2 to 16 columns and at most 64 squares, not {rows} x {cols}"
    ):
        Breakthrough(rows, cols)


# -- picture ------------------------------------------------------------------------------------------


def test_the_picture_shows_the_board_from_whites_side():
    game = Breakthrough(4, 3)
    picture = game.picture(game.parse_state("p.p/.p./P.P/... w"))
    assert "".join(piece.symbol if piece else "." for piece in picture.cells) == "p.p.p.P.P..."
    assert (picture.row_labels, picture.col_labels) == (("4", "3", "2", "1"), ("a", "b", "c"))
    assert picture.touches == {"c2b3": (8, 4), "a2b3": (6, 4), "a2a3": (6, 3), "c2c3": (8, 5)}
