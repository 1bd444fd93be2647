import functools
import itertools
import random
from collections import Counter

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.mancala.oware import QUIET_PLIES, Oware
from zermelo.games.mancala.pits import seeds_in
from zermelo.search import perft
from zermelo.solve import solve

pytestmark = pytest.mark.plain

GAME = Oware()


# -- a plain twin: seeds are sown one by one ---------------------------------------------------------------------------


def plain_result(mine, theirs, house):
    """Houses with the captured seeds behind them, of the mover and of the other."""
    houses = len(mine) - 1
    mine, theirs = list(mine), list(theirs)
    places = [(mine, at) for at in range(houses)] + [(theirs, at) for at in range(houses)]
    seeds, mine[house] = mine[house], 0
    place = house
    while seeds:
        place = (place + 1) % len(places)
        if place != house:
            side, at = places[place]
            side[at] += 1
            seeds -= 1
    captured = theirs.copy()
    while place >= houses and captured[place - houses] in (2, 3):
        captured[place - houses] = 0
        place -= 1
    if any(captured[:-1]) and captured != theirs:
        mine[houses] += sum(theirs) - sum(captured)
        theirs = captured
    return tuple(mine), tuple(theirs)


def plain_moves(mine, theirs):
    houses = [house for house, seeds in enumerate(mine[:-1]) if seeds]
    if any(theirs[:-1]):
        return houses
    return [house for house in houses if any(plain_result(mine, theirs, house)[1][:-1])]


def plain_sides(game, state):
    """The houses and captured seeds of the mover and of the other."""
    return tuple(tuple(seeds_in(side, at) for at in range(game.houses + 1)) for side in (state.mine, state.theirs))


@st.composite
def boards(draw):
    """A game and any distribution of its seeds, many of them in one house at times."""
    houses = draw(st.integers(1, 6))
    game = Oware(houses, draw(st.integers(1, 127 // (2 * houses))), draw(st.booleans()))
    cuts = draw(st.lists(st.integers(0, 2 * houses * game.seeds), min_size=2 * houses + 1, max_size=2 * houses + 1))
    edges = [0, *sorted(cuts), 2 * houses * game.seeds]
    numbers = [high - low for low, high in itertools.pairwise(edges)]
    south, north = numbers[: houses + 1], numbers[houses + 1 :]
    sides = ("-".join(map(str, side[:-1])) + f":{side[-1]}" for side in (south, north))
    quiet = draw(st.integers(0, QUIET_PLIES))
    return game, game.parse_state(" ".join([*sides, draw(st.sampled_from("sn")), *[str(quiet)] * (quiet > 0)]))


def after(position, *moves, **options):
    game = Oware(**options)
    referee = Referee.at(game, position)
    referee.play_line(moves)
    return game.format_state(referee.state)


# -- the rules ---------------------------------------------------------------------------------------------------------


@given(boards())
def test_sowing_and_captures_are_those_of_the_plain_twin(found):
    game, state = found
    mine, theirs = plain_sides(game, state)
    moves = plain_moves(mine, theirs)
    is_decided = max(mine[-1], theirs[-1]) > game.houses * game.seeds and not game.margin
    is_over = not moves or is_decided or state.quiet == QUIET_PLIES
    assert game.is_terminal(state) == is_over
    assert game.count(state) == (0 if is_over else len(moves))
    assert sorted(game.actions(state)) == moves
    for house in moves:
        own, other = plain_result(mine, theirs, house)
        taken = own[-1] - mine[-1]
        after = game.result(state, house)
        assert plain_sides(game, after) == (other, own)
        assert after.player == 1 - state.player
        assert after.quiet == (0 if taken else state.quiet + 1)
        assert game.is_noisy(state, house) == (taken > 0)
        assert game.gain(state, house) == pytest.approx(taken if game.margin else taken / game.all_seeds)


@given(boards())
def test_seeds_on_the_board_belong_to_their_side(found):
    game, state = found
    mine, theirs = map(sum, plain_sides(game, state))
    margin = mine - theirs if game.margin else (mine > theirs) - (mine < theirs)
    assert game.utility(state, state.player) == -game.utility(state, 1 - state.player) == margin


@pytest.mark.compiled
def test_perft():
    """Counted by the plain twin, too."""
    layer = Counter([((4, 4, 4, 4, 4, 4, 0),) * 2])
    counts = []
    for _ in range(6):
        following = Counter()
        for (mine, theirs), ways in layer.items():
            for house in plain_moves(mine, theirs):
                own, other = plain_result(mine, theirs, house)
                following[other, own] += ways
        layer = following
        counts.append(sum(layer.values()))
    table = Oware.perft_table[""]
    assert table[:6] == tuple(counts)
    assert tuple(perft(GAME, None, depth) for depth in range(1, len(table) + 1)) == table


@pytest.mark.parametrize("games", [60, pytest.param(1000, marks=pytest.mark.long)])
def test_openspiel_agrees_move_by_move(games):
    """Its games end when a side has more than half, as ours do without `margin`, and when a position comes back.

    There it gives the seeds on the board to their sides. Ours go on, and would end in the same way. Very rarely a
    hundred plies without a capture end ours before a position came back.
    """
    game = Oware(margin=False)
    theirs, rng = pyspiel.load_game("oware"), random.Random(7)
    repeated = tired = 0
    for _ in range(games):
        state, their_state = game.initial(), theirs.new_initial_state()
        while not their_state.is_terminal() and state.quiet < QUIET_PLIES:
            assert not game.is_terminal(state)
            assert state.player == their_state.current_player()
            actions = sorted(game.actions(state))
            assert actions == their_state.legal_actions()
            house = rng.choice(actions)
            state = game.result(state, house)
            their_state.apply_action(house)
        if not their_state.is_terminal():
            tired += 1
            continue
        repeated += not game.is_terminal(state)
        assert [game.utility(state, player) for player in (0, 1)] == their_state.returns()
    assert tired <= games / 100
    assert 0 < repeated < games / 2


def test_twos_and_threes_are_captured_backwards_as_long_as_they_last():
    assert after("0-0-0-0-0-3:20 1-2-2-8-5-5:2 s", "f") == "0-0-0-0-0-0:28 0-0-0-8-5-5:2 n"
    assert after("0-0-0-0-0-3:20 4-2-2-8-4-3:2 s", "f") == "0-0-0-0-0-0:26 5-0-0-8-4-3:2 n"
    assert after("0-0-0-0-0-3:20 1-2-3-8-5-4:2 s", "f") == "0-0-0-0-0-0:20 2-3-4-8-5-4:2 n 1"


def test_nothing_is_captured_at_home():
    assert after("1-1-0-4-4-4:10 4-4-4-4-4-0:4 s", "a") == "0-2-0-4-4-4:10 4-4-4-4-4-0:4 n 1"


def test_a_house_with_twelve_seeds_is_passed_by():
    assert after("0-0-12-0-0-0:13 1-1-5-5-5-1:5 s", "c") == "1-1-0-2-1-1:13 2-2-6-6-6-2:5 n 1"


def test_a_grand_slam_captures_nothing():
    """The move stands, but the other side keeps its seeds."""
    assert after("0-0-0-0-0-2:20 1-2-0-0-0-0:23 s", "f") == "0-0-0-0-0-0:20 2-3-0-0-0-0:23 n 1"


def test_a_player_must_give_seeds_to_one_who_has_none():
    referee = Referee.at(GAME, "1-0-0-3-2-0:20 0-0-0-0-0-0:22 s")
    assert [GAME.format_action(referee.state, house) for house in referee.legal()] == ["e", "d"]


def test_a_side_that_cannot_give_keeps_its_seeds():
    referee = Referee.at(GAME, "1-0-2-1-0-0:20 0-0-0-0-0-0:24 s")
    assert referee.is_over
    assert referee.utilities() == (0, 0)


def test_seeds_that_circulate_for_ever_belong_to_their_sides():
    """Two lonely seeds never meet; the referee waits for a hundred moves."""
    referee = Referee.at(GAME, f"1-0-0-0-0-0:24 0-0-0-1-0-0:22 s {QUIET_PLIES - 1}")
    assert not referee.is_over
    referee.play_text("a")
    assert referee.is_over
    assert referee.utilities() == (2, -2)


def test_without_margin_more_than_half_decides():
    text = "1-0-0-0-0-5:25 1-0-8-0-0-0:8 n"
    assert not Referee.at(GAME, text).is_over
    game = Oware(margin=False)
    assert Referee.at(game, text).utilities() == (1, -1)
    assert not Referee.at(game, text.replace("0-5:25", "1-5:24")).is_over


# -- knowledge ---------------------------------------------------------------------------------------------------------


@given(boards())
def test_the_evaluation_is_on_the_scale_and_the_same_for_both_sides(found):
    game, state = found
    low, high = game.utility_range
    assert low <= game.evaluate(state, 0) <= high
    assert game.evaluate(state, 0) == -game.evaluate(state, 1)
    turned = state._replace(player=1 - state.player)
    assert game.evaluate(turned, 1 - state.player) == game.evaluate(state, state.player)


@given(boards())
def test_bounds_hold_the_payoff_and_become_narrower(found):
    game, state = found
    low, high = game.bounds(state, 0)
    assert low <= game.utility(state, 0) <= high
    assert game.bounds(state, 1) == (-high, -low)
    for house in game.actions(state):
        lower, higher = game.bounds(game.result(state, house), 0)
        assert low <= lower <= higher <= high


def test_captures_are_tried_first():
    state = GAME.parse_state("0-0-0-0-2-3:20 1-2-2-8-5-0:5 s")
    assert [
        GAME.format_action(state, house) for house in sorted(GAME.actions(state), key=lambda a: -GAME.order(state, a))
    ] == [
        "f",
        "e",
    ]


@pytest.mark.parametrize(("houses", "seeds"), [(2, 2), pytest.param(3, 2, marks=pytest.mark.long)])
def test_small_games_have_the_value_of_plain_minimax(houses, seeds):
    start = (seeds,) * houses + (0,)
    game = Oware(houses, seeds)
    assert solve(game).value[0] == plain_value(start, start, 0)


@functools.cache
def plain_value(mine, theirs, quiet):
    """The margin that the mover can enforce."""
    moves = plain_moves(mine, theirs)
    if not moves or quiet == QUIET_PLIES:
        return sum(mine) - sum(theirs)
    values = []
    for house in moves:
        own, other = plain_result(mine, theirs, house)
        values.append(-plain_value(other, own, 0 if own[-1] > mine[-1] else quiet + 1))
    return max(values)


# -- notation ----------------------------------------------------------------------------------------------------------


@given(boards())
def test_positions_survive_their_notation(found):
    game, state = found
    assert game.parse_state(game.format_state(state)) == state


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'' is not a position of oware; the start is '4-4-4-4-4-4:0 4-4-4-4-4-4:0 s'"),
        ("4-4-4-4-4:0 4-4-4-4-4-4:0 s", "is not a position of oware"),
        ("4-4-4-4-4-4:0 4-4-4-4-4-4:0 x", "is not a position of oware"),
        ("4-4-4-4-4-4:0 4-4-4-4-4-4:1 s", "is impossible: it has 49 seeds, but oware has 48"),
        ("4-4-4-4-4-4:0 4-4-4-4-4-4:0 s 101", "is impossible: after 100 plies without a capture the game is over"),
    ],
)
def test_a_text_that_is_not_a_position_is_refused(text, sentence):
    with pytest.raises(BadPosition) as caught:
        GAME.parse_state(text)
    assert sentence in str(caught.value)


def test_a_move_is_one_of_the_movers_houses():
    referee = Referee(GAME)
    with pytest.raises(IllegalMove, match="g is not legal here; try f, e, d, c, b or a"):
        referee.play_text("g")
    referee.play_text("a")
    with pytest.raises(IllegalMove, match="e1 is not legal here; try F, E, D, C, B or A"):
        referee.play_text("e1")


@pytest.mark.parametrize("options", ["houses=7", "houses=0", "seeds=0", "seeds=11"])
def test_boards_that_do_not_fit_into_words_are_refused(options):
    with pytest.raises(UsageError, match=r"oware has 1 to 6 pits a side and at most 127 seeds in all, not"):
        find(f"oware:{options}")
