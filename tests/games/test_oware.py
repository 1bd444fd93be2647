import random

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.mancala import seeds_in
from zermelo.games.oware import Oware
from zermelo.search import perft

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
    game = Oware(houses, draw(st.integers(1, 127 // (2 * houses))))
    cuts = draw(st.lists(st.integers(0, 2 * houses * game.seeds), min_size=2 * houses + 1, max_size=2 * houses + 1))
    edges = [0, *sorted(cuts), 2 * houses * game.seeds]
    numbers = [high - low for low, high in zip(edges, edges[1:], strict=False)]
    south, north = numbers[: houses + 1], numbers[houses + 1 :]
    sides = ("-".join(map(str, side[:-1])) + f":{side[-1]}" for side in (south, north))
    return game, game.parse_state(" ".join([*sides, draw(st.sampled_from("sn"))]))


# -- the rules ---------------------------------------------------------------------------------------------------------


@given(boards())
def test_sowing_and_captures_are_those_of_the_plain_twin(found):
    game, state = found
    mine, theirs = plain_sides(game, state)
    moves = plain_moves(mine, theirs)
    is_over = not moves or max(mine[-1], theirs[-1]) > game.houses * game.seeds
    assert game.is_terminal(state) == is_over
    assert game.count(state) == (0 if is_over else len(moves))
    assert sorted(game.actions(state)) == moves
    for house in moves:
        own, other = plain_result(mine, theirs, house)
        after = game.result(state, house)
        assert plain_sides(game, after) == (other, own)
        assert after.player == 1 - state.player
        assert game.is_noisy(state, house) == (own[-1] > mine[-1])
        assert game.order(state, house) == own[-1] - mine[-1]


def test_openspiel_agrees_move_by_move():
    """Up to the first repetition, where OpenSpiel gives the seeds on the board to their sides and we say draw."""
    theirs, rng = pyspiel.load_game("oware"), random.Random(7)
    for _ in range(1000):
        referee, their_state = Referee(GAME), theirs.new_initial_state()
        while not their_state.is_terminal():
            assert not referee.is_over
            state = referee.state
            assert state.player == their_state.current_player()
            actions = sorted(GAME.actions(state))
            assert actions == their_state.legal_actions()
            house = rng.choice(actions)
            referee.play(house)
            their_state.apply_action(house)
        assert referee.is_over
        if GAME.is_terminal(referee.state):
            assert list(referee.utilities()) == their_state.returns()
        else:
            assert referee.utilities() == (0, 0)
