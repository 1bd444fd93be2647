"""The lectures' own examples, typed in."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from looks import even_dice

from trees import Inner, text_of, trees
from zermelo.core.game import Game
from zermelo.games.tictactoe import TicTacToe
from zermelo.games.tree import Tree
from zermelo.kernel import state
from zermelo.textbook import (
    Linear,
    alphabeta,
    decide,
    expectimax,
    expectiminimax,
    maxn,
    mean_interval,
    minimax,
    minimax_player,
    mixture,
    star1,
    star2,
    trace,
    uniform,
)

pytestmark = pytest.mark.plain


def choice(tree, search):
    """The move of the player at the root."""
    player = tree.to_move(0)
    return tree.format_action(0, decide(tree, 0, lambda child: search(tree, child, player)))


# -- minimax and alpha-beta ----------------------------------------------------------------------------


def test_max_of_three_min_nodes_is_worth_three():
    tree = Tree("max(min(3 12 8) min(2 4 6) min(14 5 2))")
    assert minimax(tree, 0, 0) == alphabeta(tree, 0, 0) == 3
    assert [minimax(tree, tree.result(0, action), 0) for action in tree.actions(0)] == [3, 2, 2]
    assert choice(tree, minimax) == choice(tree, alphabeta) == "a"


def test_alpha_beta_skips_4_and_6_and_then_looks_at_14_5_and_2():
    root = trace("alphabeta", Tree("max(min(3 12 8) min(2 4 6) min(14 5 2))"))
    assert [leaf.value for leaf in root.leaves()] == [3, 12, 8, 2, 14, 5, 2]
    assert [(cut.move, cut.reason) for cut in root.cuts()] == [("b", "2 ≤ α = 3"), ("c", "2 ≤ α = 3")]


def test_the_ghost_makes_pac_man_go_left():
    tree = Tree("max(left:min(-8 -5) right:min(-10 8))")
    assert [minimax(tree, child, 0) for child in (1, 2)] == [-8, -10]
    assert minimax(tree, 0, 0) == -8
    assert choice(tree, minimax) == "left"


@state
class Walk(NamedTuple):
    cell: int
    points: int


class PacManAlone(Game):
    """Pac-Man has 10 points and loses one per move; the pellet ends the game, and so does the last point.

    . C . o     cells 0 to 3; the pellet is two steps to the right
    """

    players = 1
    zero_sum = False
    utility_range = (0, 10)

    def initial(self):
        return Walk(1, 10)

    def to_move(self, state):
        return 0

    def actions(self, state):
        if state.cell > 0:
            yield -1
        yield 1

    def result(self, state, action):
        return Walk(state.cell + action, state.points - 1)

    def is_terminal(self, state):
        return state.cell == 3 or state.points == 0

    def utility(self, state, player):
        return state.points

    def format_action(self, state, action):
        return "left" if action < 0 else "right"


def test_pac_man_alone_is_worth_8_and_6_after_a_step_to_the_left():
    game = PacManAlone()
    start = game.initial()
    assert minimax(game, start, 0) == 8
    assert minimax(game, game.result(start, -1), 0) == 6
    assert decide(game, start, lambda child: minimax(game, child, 0)) == 1


# -- chance --------------------------------------------------------------------------------------------


def test_expectimax_over_thirds():
    tree = Tree("max(chance(3 12 9) chance(2 4 6) chance(15 6 0))")
    assert [expectiminimax(tree, child, 0) for child in (1, 2, 3)] == pytest.approx([8, 4, 7])
    assert expectiminimax(tree, 0, 0) == star1(tree, 0, 0) == star2(tree, 0, 0) == pytest.approx(8)
    assert choice(tree, expectiminimax) == "a"


def test_a_half_of_8_a_third_of_24_and_a_sixth_of_minus_12_is_10():
    assert expectiminimax(Tree("chance(1/2:8 1/3:24 1/6:-12)"), 0, 0) == pytest.approx(10)


@pytest.mark.parametrize(
    ("seen", "least", "most"),
    [([10], -6.67, 10), ([10, 10], -3.33, 10), ([10, 10, -10], -3.33, 6.67), ([], -10, 10)],
)
def test_a_die_with_utilities_from_minus_10_to_10_after_some_faces(seen, least, most):
    found = mean_interval([(1 / 6, face) for face in seen], -10, 10)
    assert found == pytest.approx((least, most), abs=0.005)


def test_an_opponent_who_plays_minimax_to_depth_2_four_times_out_of_five_and_at_random_otherwise():
    """0.8 * 3 + 0.2 * 23/3, 0.8 * 2 + 0.2 * 4 and 0.8 * 2 + 0.2 * 7."""
    tree = Tree("max(min(3 12 8) min(2 4 6) min(14 5 2))")
    model = mixture((0.8, minimax_player(2)), (0.2, uniform))
    values = [expectimax(tree, child, 0, model) for child in (1, 2, 3)]
    assert values == pytest.approx([2.4 + 0.2 * 23 / 3, 2.4, 3.0])
    assert expectimax(tree, 0, 0, model) == values[0]
    assert expectimax(tree, 0, 0, uniform) == pytest.approx(23 / 3)
    assert expectimax(tree, 0, 0, minimax_player(2)) == minimax(tree, 0, 0)


def rolls():
    """The distinct rolls of two dice with their ways to fall and their pips; doubles count four times."""
    for high in range(1, 7):
        for low in range(1, high + 1):
            yield (1, 4 * high) if high == low else (2, high + low)


def test_two_backgammon_dice_have_21_distinct_rolls_that_are_not_equally_likely():
    """A roll is worth 49/6 pips on the average; 21 equal chances would make it 9."""
    branches = [f"{ways}/36:{pips}" for ways, pips in rolls()]
    fair, naive = (Tree(f"chance({' '.join(b)})") for b in (branches, [b.partition(":")[2] for b in branches]))
    assert len(list(fair.outcomes(0))) == 21
    assert sorted({chance for _, chance in fair.outcomes(0)}) == pytest.approx([1 / 36, 1 / 18])
    assert sum(chance for _, chance in fair.outcomes(0)) == pytest.approx(1)
    assert expectiminimax(fair, 0, 0) == pytest.approx(49 / 6)
    assert expectiminimax(naive, 0, 0) == pytest.approx(9)


# -- many agents ---------------------------------------------------------------------------------------


def test_three_agents_with_utility_tuples_settle_on_5_2_5():
    tree = Tree("p1(p2(p3(<1,6,6> <7,1,2>) p3(<6,1,2> <7,2,1>))   p2(p3(<5,1,7> <1,5,2>) p3(<7,7,1> <5,2,5>)))")
    assert maxn(tree, 0) == (5, 2, 5)


# -- evaluation functions ------------------------------------------------------------------------------


def lead_in(piece):
    """How many more of a piece the player has; the first player's are capitals."""

    def feature(board, player):
        lead = board.count(piece) - board.count(piece.lower())
        return lead if player == 0 else -lead

    return feature


@pytest.mark.parametrize(("board", "value"), [("QN rrb", -1.25), ("QN rr", 2), ("N rr", -7)])
def test_chess_material(board, value):
    material = Linear((1, 3, 3.25, 5, 9), [lead_in(piece) for piece in "PNBRQ"])
    assert material(board, 0) == value
    assert material(board, 1) == -value


@pytest.mark.parametrize(("board", "value"), [("KKPP ppp", 3), ("P kp", -2), ("", 0)])
def test_checkers_counts_kings_twice(board, value):
    assert Linear((2, 1), [lead_in("K"), lead_in("P")])(board, 0) == value


@pytest.mark.parametrize(
    ("position", "crosses", "noughts"),
    [
        (".../.../... x", 8, 8),
        (".../.X./... o", 8, 4),
        ("X../.O./... x", 4, 5),
        ("X.O/.X./... o", 5, 2),
    ],
)
def test_tic_tac_toe_counts_open_lines(position, crosses, noughts):
    game = TicTacToe()
    board = game.parse_state(position)
    assert (game.open_lines(board, 0), game.open_lines(board, 1)) == (crosses, noughts)
    lead = Linear((1, -1), (game.open_lines, lambda board, player: game.open_lines(board, 1 - player)))
    assert lead(board, 0) == crosses - noughts
    assert game.evaluate(board, 0) == pytest.approx((crosses - noughts) / 9)


# -- transformations -----------------------------------------------------------------------------------


def transformed(tree, change):
    if isinstance(tree, Inner):
        return tree._replace(children=tuple(transformed(child, change) for child in tree.children))
    return change(tree)


@given(st.lists(trees(chance=False, leaves=8), min_size=2, max_size=4), st.sampled_from(["max", "min"]))
def test_a_monotone_transformation_keeps_the_choice_of_minimax(branches, kind):
    tree = Inner(kind, tuple(branches))
    plain, cubed = Tree(text_of(tree)), Tree(text_of(transformed(tree, lambda x: x**3 + 2 * x - 7)))
    assert choice(plain, minimax) == choice(cubed, minimax)


def test_a_monotone_transformation_may_change_the_choice_of_expectiminimax():
    """2.1 against 1.3, but 21 against 40.9 once 1 2 3 4 become 1 20 30 400 (Russell & Norvig, section 5.5)."""
    small = Tree("max(chance(.9:2 .1:3) chance(.9:1 .1:4))")
    large = Tree("max(chance(.9:20 .1:30) chance(.9:1 .1:400))")
    assert [expectiminimax(small, child, 0) for child in (1, 2)] == pytest.approx([2.1, 1.3])
    assert [expectiminimax(large, child, 0) for child in (1, 2)] == pytest.approx([21, 40.9])
    assert (choice(small, expectiminimax), choice(large, expectiminimax)) == ("a", "b")


@given(
    st.lists(trees(leaves=8).map(even_dice), min_size=2, max_size=4),
    st.sampled_from(["max", "min"]),
    st.integers(1, 9),
    st.integers(-20, 20),
)
def test_a_positive_affine_transformation_keeps_the_choice_of_expectiminimax(branches, kind, factor, shift):
    tree = Inner(kind, tuple(branches))
    plain, moved = Tree(text_of(tree)), Tree(text_of(transformed(tree, lambda x: factor * x + shift)))
    assert choice(plain, expectiminimax) == choice(moved, expectiminimax)
    assert expectiminimax(moved, 0, 0) == factor * expectiminimax(plain, 0, 0) + shift
