"""Phantom games: the rules of OpenSpiel's, worlds against enumeration, values of small boards."""

import random
import re
from collections import Counter
from fractions import Fraction

import pytest
from poker_peers import play_along

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import legal_actions
from zermelo.core.referee import Referee
from zermelo.draw import board_text
from zermelo.equilibrium import solve
from zermelo.games import find
from zermelo.kernel import U64

pytestmark = pytest.mark.plain
GAMES = [30, pytest.param(1000, marks=pytest.mark.long)]


def shown(state, player):
    return state.information_state_string(player)


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize(
    ("spec", "theirs", "their_view"),
    [
        ("phantom", "phantom_ttt(obstype=reveal-nothing)", None),
        ("phantom:abrupt=true", "phantom_ttt(obstype=reveal-nothing,gameversion=abrupt)", None),
        ("phantom:tries=true", "phantom_ttt(obstype=reveal-numturns)", shown),
        ("phantom:game=hex:rows=3,cols=3,tries=true", "dark_hex(gameversion=cdh,board_size=3)", shown),
        ("phantom:game=hex:rows=3,cols=3,abrupt=true", "dark_hex(gameversion=adh,board_size=3)", None),
        ("phantom:game=hex:rows=2,cols=4,tries=true", "dark_hex(gameversion=cdh,num_rows=2,num_cols=4)", shown),
    ],
)
def test_rules_and_information_are_those_of_openspiel(spec, theirs, their_view, games):
    """The information states of dark_hex have the number of all tries, which is what `tries` announces."""
    play_along(find(spec), theirs, games, their_view=their_view)


VALUES = {
    "phantom:game=hex:rows=2,cols=2": Fraction(1),
    "phantom:abrupt=true,game=hex:rows=2,cols=2": Fraction(1, 2),
    "phantom:game=hex:rows=2,cols=3": Fraction(1),
    "phantom:abrupt=true,game=hex:rows=2,cols=3": Fraction(9, 11),
    "phantom:game=hex:rows=3,cols=2": Fraction(-1),
    "phantom:abrupt=true,game=hex:rows=3,cols=2": Fraction(-1, 8),
    "phantom:game=tic-tac-toe:m=3,n=2": Fraction(0),
    "phantom:abrupt=true,game=tic-tac-toe:m=3,n=2": Fraction(17, 72),
}


@pytest.mark.parametrize(
    "spec", [spec if "rows=2,cols=2" in spec else pytest.param(spec, marks=pytest.mark.long) for spec in VALUES]
)
def test_the_values_of_small_boards(spec):
    """Computed by the linear programmes of two other implementations."""
    found = solve(spec, "lp")
    assert (found.value, found.kind) == (VALUES[spec], "exact")


def test_a_stone_that_is_found_keeps_the_turn_or_loses_it():
    for spec, mover in (("phantom", 1), ("phantom:abrupt=true", 0)):
        game = Referee.at(find(spec), "moves: b2 b2")
        assert game.to_move == mover
        assert game.game.format_state(game.state) == "b2 b2!"


def test_a_view_shows_what_the_player_has_found_and_nothing_else():
    game = find("phantom")
    state = game.parse_state("b2 b2! a1 a1!")
    assert [game.format_view(game.view(state, player), player) for player in (0, 1)] == ["b2 a1!", "b2! a1"]
    drawn = board_text(game.view_picture(game.view(state, 1), 1))
    assert drawn.count("X") == 1
    assert drawn.count("O") == 1
    first = game.parse_state("b2 c3")
    assert game.view(first, 0) == game.view(game.parse_state("b2 a1"), 0)
    assert "O" not in board_text(game.view_picture(game.view(first, 0), 0))


def histories(game, state, moves=()):
    yield state
    for move in legal_actions(game, state):
        yield from histories(game, game.result(state, move), (*moves, move))


@pytest.mark.parametrize("options", ["", "abrupt=true,", "tries=true,"])
@pytest.mark.parametrize("player", [0, 1])
def test_worlds_are_all_games_that_fit_equally_likely(options, player):
    game = find(f"phantom:{options}game=hex:rows=2,cols=2")
    fitting = {}
    for state in histories(game, game.initial()):
        if not game.is_terminal(state) and game.to_move(state) == player:
            fitting.setdefault(game.view(state, player), []).append(state)
    rng = random.Random(1)
    for view, states in rng.sample(sorted(fitting.items()), min(len(fitting), 8)):
        draws = Counter(game.worlds(view, player, U64(rng.getrandbits(64))) for _ in range(80 * len(set(states))))
        expected = Counter(states)
        assert set(draws) == set(expected)
        share = draws.total() / expected.total()
        for state, count in expected.items():
            assert abs(draws[state] - share * count) < 6 * (share * count) ** 0.5 + 1


def test_worlds_of_a_large_board_are_found_quickly():
    game = find("phantom:tries=true,game=hex:rows=9,cols=9")
    rng, state = random.Random(3), game.initial()
    for _ in range(70):
        if not game.is_terminal(state):
            state = game.result(state, rng.choice(list(game.actions(state))))
    player = game.to_move(state)
    world = game.worlds(game.view(state, player), player, U64(3))
    assert game.view(world, player) == game.view(state, player)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("z9", "'z9' is not a cell that can be tried then; write start, or all tries in order"),
        ("b2 b2", "those tries are 'b2 b2!'"),
        ("b2 b2! b2!", "'b2!' is not a cell that can be tried then"),
        ("", "those tries are 'start'"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(text, sentence):
    with pytest.raises(BadPosition, match=re.escape(sentence)):
        find("phantom").parse_state(text)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("phantom:game=pig", "such as tic-tac-toe or hex; pig is not such a game"),
        ("phantom:game=connect-four", "the moves of connect-four are not the cells 0, 1, 2 ... of a board"),
        ("phantom:game=hex:swap=true", "in hex the moves are not all free cells"),
        ("phantom:game=chess", "the moves of chess are not the cells 0, 1, 2 ... of a board"),
        ("phantom:abrupt=maybe", "phantom: abrupt=maybe is not understood"),
        ("phantom:abrupt=true,abrupt=true", "abrupt is given twice"),
        ("phantom:game=draughts", "there is no game 'draughts'"),
    ],
)
def test_games_that_cannot_be_are_refused(spec, sentence):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        find(spec)


@pytest.mark.parametrize(
    "spec", ["phantom", "phantom:abrupt=true", "phantom:tries=true,game=hex:rows=2,cols=3", "phantom:game=hex"]
)
def test_the_name_finds_the_game_again(spec):
    assert find(spec).spec() == spec
    assert find(spec).full_title().startswith("Phantom ")
