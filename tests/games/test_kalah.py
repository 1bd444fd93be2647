import functools
import random

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.mancala.kalah import Kalah
from zermelo.games.mancala.pits import seeds_in
from zermelo.search import perft
from zermelo.solve import solve

pytestmark = pytest.mark.plain

GAME = Kalah()


# -- a plain twin: seeds are sown one by one ---------------------------------------------------------------------------


def plain_result(mine, theirs, pit, empty_capture):
    """Pits with the store behind them, of the mover and of the other; and whether the mover moves again."""
    holes = len(mine) - 1
    mine, theirs = list(mine), list(theirs)
    places = [(mine, at) for at in range(holes + 1)] + [(theirs, at) for at in range(holes)]
    seeds, mine[pit] = mine[pit], 0
    place = pit
    for _ in range(seeds):
        place = (place + 1) % len(places)
        side, at = places[place]
        side[at] += 1
    opposite = holes - 1 - place
    if place < holes and mine[place] == 1 and (theirs[opposite] or empty_capture):
        mine[holes] += mine[place] + theirs[opposite]
        mine[place] = theirs[opposite] = 0
    return tuple(mine), tuple(theirs), place == holes


@functools.cache
def plain_value(mine, theirs, empty_capture):
    """The margin that the mover can enforce."""
    if not any(mine[:-1]) or not any(theirs[:-1]):
        return sum(mine) - sum(theirs)
    best = -1000
    for pit, seeds in enumerate(mine[:-1]):
        if seeds:
            own, other, again = plain_result(mine, theirs, pit, empty_capture)
            value = plain_value(own, other, empty_capture) if again else -plain_value(other, own, empty_capture)
            best = max(best, value)
    return best


def plain_start(holes, seeds):
    return (seeds,) * holes + (0,)


def plain_sides(game, state):
    """The pits and stores of the mover and of the other."""
    return tuple(tuple(seeds_in(side, pit) for pit in range(game.holes + 1)) for side in (state.mine, state.theirs))


@st.composite
def played(draw):
    """A game and a state some moves from its start."""
    holes = draw(st.integers(1, 6))
    game = Kalah(holes, draw(st.integers(1, 127 // (2 * holes))), draw(st.booleans()))
    state = game.initial()
    for pick in draw(st.lists(st.integers(0, 1000), max_size=40)):
        if not game.is_terminal(state):
            actions = list(game.actions(state))
            state = game.result(state, actions[pick % len(actions)])
    return game, state


# -- the rules ---------------------------------------------------------------------------------------------------------


@given(played())
def test_sowing_and_captures_are_those_of_the_plain_twin(found):
    game, state = found
    mine, theirs = plain_sides(game, state)
    assert sum(mine) + sum(theirs) == 2 * game.holes * game.seeds
    is_over = not any(mine[:-1]) or not any(theirs[:-1])
    assert game.is_terminal(state) == is_over
    if is_over:
        assert game.utility(state, state.player) == -game.utility(state, 1 - state.player) == sum(mine) - sum(theirs)
        assert game.count(state) == 0
        return
    assert list(game.actions(state)) == [pit for pit in reversed(range(game.holes)) if mine[pit]]
    assert game.count(state) == len(list(game.actions(state)))
    for pit in game.actions(state):
        own, other, again = plain_result(mine, theirs, pit, game.empty_capture)
        after = game.result(state, pit)
        assert after.player == (state.player if again else 1 - state.player)
        assert plain_sides(game, after) == ((own, other) if again else (other, own))


def plain_perft(mine, theirs, depth):
    if not any(mine[:-1]) or not any(theirs[:-1]):
        return 0
    total = 0
    for pit in (pit for pit, seeds in enumerate(mine[:-1]) if seeds):
        if depth == 1:
            total += 1
        else:
            own, other, again = plain_result(mine, theirs, pit, False)
            total += plain_perft(own, other, depth - 1) if again else plain_perft(other, own, depth - 1)
    return total


@pytest.mark.compiled
def test_perft():
    table = Kalah.perft_table[""]
    start = plain_start(6, 4)
    assert tuple(plain_perft(start, start, depth) for depth in range(1, 7)) == table[:6]
    assert tuple(perft(GAME, None, depth) for depth in range(1, len(table) + 1)) == table


@pytest.mark.parametrize("games", [60, pytest.param(1000, marks=pytest.mark.long)])
def test_openspiel_agrees_move_by_move(games):
    """Its `mancala` is Kalah(6, 4) without the empty capture; its payoff is the sign of ours."""
    theirs, rng = pyspiel.load_game("mancala"), random.Random(6)
    for _ in range(games):
        state, their_state = GAME.initial(), theirs.new_initial_state()
        while not their_state.is_terminal():
            assert not GAME.is_terminal(state)
            assert state.player == their_state.current_player()
            first = 1 + 7 * state.player
            actions = list(GAME.actions(state))
            assert sorted(first + pit for pit in actions) == their_state.legal_actions()
            pit = rng.choice(actions)
            state = GAME.result(state, pit)
            their_state.apply_action(first + pit)
        assert GAME.is_terminal(state)
        margin = GAME.utility(state, 0)
        assert [(margin > 0) - (margin < 0), (margin < 0) - (margin > 0)] == their_state.returns()


def after(position, *moves, **options):
    game = Kalah(**options)
    referee = Referee.at(game, position)
    referee.play_line(moves)
    return game.format_state(referee.state)


def test_a_last_seed_in_the_store_moves_again():
    assert after("", "c") == "4-4-0-5-5-5:1 4-4-4-4-4-4:0 s"
    assert after("", "c", "f") == "4-4-0-5-5-0:2 5-5-5-5-4-4:0 n"


def test_a_last_seed_in_an_empty_pit_captures_what_is_opposite():
    position = "1-0-4-4-4-4:3 4-4-4-4-5-4:3 s"
    assert after(position, "a") == "0-0-4-4-4-4:9 4-4-4-4-0-4:3 n"


def test_only_the_empty_capture_takes_a_lonely_seed():
    position = "1-0-4-4-4-4:3 4-4-4-4-0-4:8 s"
    assert after(position, "a") == "0-1-4-4-4-4:3 4-4-4-4-0-4:8 n"
    assert after(position, "a", empty_capture=True) == "0-0-4-4-4-4:4 4-4-4-4-0-4:8 n"


def test_thirteen_seeds_go_all_round_and_capture_at_home():
    """The last one falls into the pit they came from, which was just emptied; five lie opposite then."""
    assert after("0-0-13-0-0-1:9 4-4-4-4-4-4:1 s", "c") == "1-1-0-1-1-2:16 5-5-5-0-5-5:1 n"


def test_seeds_left_at_the_end_belong_to_their_side():
    game = Kalah()
    state = game.parse_state("0-0-0-0-0-0:20 1-0-0-2-0-3:22 n")
    assert game.is_terminal(state)
    assert [game.utility(state, player) for player in (0, 1)] == [-8, 8]


# -- knowledge ---------------------------------------------------------------------------------------------------------


@given(played())
def test_the_evaluation_is_on_the_scale_and_the_same_for_both_sides(found):
    game, state = found
    if not game.is_terminal(state):
        low, high = game.utility_range
        assert low < game.evaluate(state, 0) < high
        assert game.evaluate(state, 0) == -game.evaluate(state, 1)
        turned = state._replace(player=1 - state.player)
        assert game.evaluate(turned, 1 - state.player) == game.evaluate(state, state.player)


@given(played())
def test_noisy_moves_move_again_or_capture(found):
    game, state = found
    mine, theirs = plain_sides(game, state)
    for pit in game.actions(state):
        own, _, again = plain_result(mine, theirs, pit, game.empty_capture)
        seeds = mine[pit] // game.places + (pit + mine[pit] % game.places >= game.holes)
        captured = own[-1] - mine[-1] - seeds
        assert game.is_noisy(state, pit) == (again or captured > 0)
        assert game.gain(state, pit) == (float("inf") if again else captured)


def test_bounds_count_what_is_in_the_stores_and_what_just_reaches_them():
    """South has 10, and puts 3 more there, of 48; North has 12."""
    state = GAME.parse_state("2-5-4-2-5-1:10 1-1-1-1-1-2:12 s")
    assert GAME.bounds(state, 0) == (2 * 13 - 48, 48 - 2 * 12)
    assert GAME.bounds(state, 1) == (2 * 12 - 48, 48 - 2 * 13)


@pytest.mark.parametrize("empty_capture", [False, True])
def test_bounds_hold_the_value_of_plain_minimax(empty_capture):
    """On every position of a small game."""
    game = Kalah(3, 2, empty_capture)
    seen, waiting, narrow = {game.initial()}, [game.initial()], 0
    while waiting:
        state = waiting.pop()
        low, high = game.bounds(state, state.player)
        assert low <= plain_value(*plain_sides(game, state), empty_capture) <= high
        narrow += high - low < 12
        if not game.is_terminal(state):
            following = {game.result(state, pit) for pit in game.actions(state)} - seen
            seen |= following
            waiting += following
    assert narrow > len(seen) / 2


def test_another_move_is_tried_first_and_then_a_capture():
    state = GAME.parse_state("1-0-4-3-4-5:3 4-4-4-4-5-4:3 s")
    tried = sorted(GAME.actions(state), key=lambda pit: -GAME.order(state, pit))
    assert [GAME.format_action(state, pit) for pit in tried][:3] == ["d", "c", "a"]


# -- exact values ------------------------------------------------------------------------------------------------------

VALUES = {
    False: ((0, -2, 6, -2, 2, 0), (2, -2, -2, -10, 6, 8), (0, 4, 2, 2, 6, -8), (2, 6, 6, 2, 4, 0), (0, 2, 6, 10)),
    True: ((0, -2, 6, -2, 2, 0), (2, -2, -2, -12, 6, 8), (0, 4, 2, 2, 6, -10), (2, 6, 8, 2, 2, 0), (0, 0, 8, 12)),
}
"""The first player's margin by the rule of capture, the pits (from 1) and the seeds (from 1), as proved here."""
SIGNS = ("=-+-+=", "+---++", "=++++-", "+++++=", "==++++")
"""Who wins with empty captures, with 1 to 5 pits and 1 to 6 seeds   [Irving, Donkers & Uiterwijk 2000]."""


def test_values_agree_with_the_published_table():
    assert all(
        "-=+"[1 + (value > 0) - (value < 0)] == sign
        for row, signs in zip(VALUES[True], SIGNS, strict=True)
        for value, sign in zip(row, signs, strict=False)
    )


@pytest.mark.parametrize(
    ("holes", "seeds", "empty_capture"), [(3, 3, True), pytest.param(4, 2, False, marks=pytest.mark.long)]
)
def test_small_games_have_the_value_of_plain_minimax(holes, seeds, empty_capture):
    start = plain_start(holes, seeds)
    value = solve(Kalah(holes, seeds, empty_capture)).value
    assert (
        value[0] == -value[1] == plain_value(start, start, empty_capture) == VALUES[empty_capture][holes - 1][seeds - 1]
    )


@pytest.mark.compiled
@pytest.mark.long
@pytest.mark.parametrize("empty_capture", [False, True])
@pytest.mark.parametrize("holes", [1, 2, 3, 4, 5])
def test_the_table_of_small_games(holes, empty_capture):
    for seeds, value in enumerate(VALUES[empty_capture][holes - 1], 1):
        assert solve(Kalah(holes, seeds, empty_capture)).value[0] == value
        if holes * seeds <= 12:
            assert plain_value(*[plain_start(holes, seeds)] * 2, empty_capture) == value


# -- notation ----------------------------------------------------------------------------------------------------------


@given(played())
def test_positions_survive_their_notation(found):
    game, state = found
    assert game.parse_state(game.format_state(state)) == state


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'' is not a position of kalah; the start is '4-4-4-4-4-4:0 4-4-4-4-4-4:0 s'"),
        ("4-4-4-4-4:0 4-4-4-4-4-4:0 s", "is not a position of kalah"),
        ("4-4-4-4-4-4:0 4-4-4-4-4-4:0 x", "is not a position of kalah"),
        ("4-4-4-4-4-4:0 4-4-4-4-4-4:1 s", "is impossible: it has 49 seeds, but kalah has 48"),
    ],
)
def test_a_text_that_is_not_a_position_is_refused(text, sentence):
    with pytest.raises(BadPosition) as caught:
        GAME.parse_state(text)
    assert sentence in str(caught.value)


def test_a_move_is_one_of_the_movers_pits():
    referee = Referee(GAME)
    with pytest.raises(IllegalMove, match="g is not legal here; try f, e, d, c, b or a"):
        referee.play_text("g")
    referee.play_text("f")
    with pytest.raises(IllegalMove, match="e1 is not legal here; try F, E, D, C, B or A"):
        referee.play_text("e1")


@pytest.mark.parametrize("options", ["holes=7", "holes=0", "seeds=0", "seeds=11"])
def test_boards_that_do_not_fit_into_words_are_refused(options):
    with pytest.raises(UsageError, match=r"kalah has 1 to 6 pits a side and at most 127 seeds in all, not"):
        find(f"kalah:{options}")
