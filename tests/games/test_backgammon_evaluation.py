"""What backgammon knows: the evaluation, the order of plays, the cube, matches, bounds."""

import random

import pytest

from zermelo.core.game import CHANCE, legal_actions
from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.board import BAR, OFF, START, count_at, pips, side_of
from zermelo.games.backgammon.contact import hits, thick, thin
from zermelo.games.backgammon.evaluation import Evaluation
from zermelo.games.backgammon.match import leader_chance, match_chances
from zermelo.games.backgammon.position import (
    NEITHER,
    PLAYING,
    WHITE,
    Position,
    stakes_of,
    turn_of,
)
from zermelo.kernel import U64, bits, draw_below, kernel, mix

pytestmark = pytest.mark.plain

GAME = Backgammon()


def random_states(game, seed, plies):
    state, rng = game.initial(), random.Random(seed)
    for _ in range(plies):
        yield state
        if game.is_terminal(state):
            return
        state = game.result(state, rng.choice(list(legal_actions(game, state))))


@kernel
def estimate(game: Backgammon, state: Position, player: int) -> float:
    return game.evaluate(state, player)


@kernel
def rank(game: Backgammon, state: Position, action: int) -> float:
    return game.order(state, action)


# -- the evaluation --------------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize("options", [{"cube": True, "match": 3}], ids=str)
def test_compiled_and_interpreted_evaluations_agree(options):
    game = Backgammon(**options)
    for seed in range(2):
        for state in random_states(game, seed, 100):
            if not game.is_terminal(state):
                assert estimate.run(game, state, 0) == pytest.approx(game.evaluate(state, 0), abs=1e-12)
                if game.to_move(state) != CHANCE:
                    action = next(iter(game.actions(state)))
                    assert rank.run(game, state, action) == pytest.approx(game.order(state, action), abs=1e-12)


@pytest.mark.parametrize("options", [{}, {"cube": True}, {"cube": True, "match": 5}, {"match": 1}], ids=str)
def test_estimates_are_opposite_and_inside_the_bounds(options):
    game = Backgammon(**options)
    for state in random_states(game, 11, 200):
        if not game.is_terminal(state):
            value = game.evaluate(state, WHITE)
            low, high = game.bounds(state, WHITE)
            assert value == -game.evaluate(state, 1 - WHITE)
            assert low <= value <= high
            assert game.bounds(state, 1 - WHITE) == (-high, -low)


def test_sides_are_equal_before_the_first_roll_and_the_roller_is_slightly_ahead_after_it():
    assert GAME.evaluate(GAME.initial(), WHITE) == 0
    assert 0.02 < GAME.evaluate(GAME.parse_state("4HPwATDgc/ABMA"), WHITE) < 0.12  # 0.07 by rollouts of strong programs


def after(text, dice):
    state = GAME.parse_state("4HPwATDgc/ABMA")
    state = GAME.result(state, GAME.parse_action(state, dice))
    return GAME.evaluate(GAME.result(state, GAME.parse_action(state, text)), WHITE)


@pytest.mark.parametrize(
    ("dice", "best"), [("31", "8/5 6/5"), ("61", "13/7 8/7"), ("42", "8/4 6/4"), ("65", "24/13"), ("53", "8/3 6/3")]
)
def test_undisputed_openings_are_found(dice, best):
    state = GAME.parse_state("4HPwATDgc/ABMA")
    state = GAME.result(state, GAME.parse_action(state, dice))
    values = {action: GAME.evaluate(GAME.result(state, action), WHITE) for action in GAME.actions(state)}
    assert max(values, key=values.get) == GAME.parse_action(state, best)


def test_a_closed_board_with_a_checker_on_the_bar_wins():
    closed = dict.fromkeys(range(1, 7), 2)
    mine, theirs = side_of({**closed, 8: 3}), side_of({BAR: 1, 6: 5, 5: 5, 4: 4})
    win, gain, loss = GAME.evaluation.outlook(mine, theirs)
    assert win > 0.85
    assert gain > loss
    assert GAME.evaluation.outlook(theirs, mine)[0] < 0.2


# -- features ----------------------------------------------------------------------------------------------------


def plain_hits(mine, theirs):
    """The rolls with a play that sends a checker back, by the rules."""
    found = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            state = Position(mine, theirs, turn_of(WHITE, PLAYING, high, low), stakes_of(0, NEITHER))
            results = (GAME.result(state, action) for action in GAME.actions(state))
            if any(count_at(then.mine, BAR) > count_at(theirs, BAR) for then in results):
                found += 1 if high == low else 2
    return found


def test_rolls_that_hit_are_nearly_those_of_the_rules():
    """Plays with both numbers may be forced another way; that is not looked at."""
    states = [state for seed in range(2) for state in random_states(GAME, seed, 120)]
    some_states = random.Random(5).sample(states, 12)
    wrong = [s for s in some_states if hits(s.mine, s.theirs) != plain_hits(s.mine, s.theirs)]
    assert len(wrong) <= len(some_states) // 5


def test_known_shots():
    """A shot from six points away, nothing in between: 17 of 36; from one: 11; from the bar by a certain number: 11."""
    far = side_of({BAR - 7: 1, OFF: 14})
    assert hits(side_of({13: 1, OFF: 14}), far) == 17
    assert hits(side_of({8: 1, OFF: 14}), far) == 11
    assert hits(side_of({BAR: 1, OFF: 14}), side_of({1: 1, OFF: 14})) == 11
    assert hits(side_of({8: 1, OFF: 14}), side_of({1: 2, OFF: 13})) == 0


def test_features_are_the_counts():
    rng = random.Random(6)
    for _ in range(30):
        side = side_of(dict.fromkeys(range(BAR + 1), 0) | dict.fromkeys(rng.sample(range(BAR + 1), 5), 3))
        for one in (side, START):
            places = [place for place in range(BAR + 1) if count_at(one, place)]
            assert set(bits(thin(one))) == {p if count_at(one, p) == 1 else p + 32 for p in places}
            spares = {p for p in places if count_at(one, p) > 2} | {p + 32 for p in places if count_at(one, p) > 4}
            assert set(bits(thick(one))) == spares


# -- the cube and matches ------------------------------------------------------------------------------------------


def test_the_value_of_the_cube_in_a_race_without_gammons():
    """The live cube is taken down to 20 per cent and cashed from 80 on [Janowski 1993]; the dead one is 2p - 1."""
    judge = Evaluation(True, 0, False)
    assert judge.with_cube(0.6, 0, 0, 0) == pytest.approx(0.2)
    live = {access: (judge.with_cube(0.5, 0, 0, access) - 0.32 * 0.0) / 0.68 for access in (1, 2, 3)}
    assert live[3] == pytest.approx(0)
    assert live[1] == pytest.approx(0.25)
    assert live[2] == pytest.approx(-0.25)
    assert judge.with_cube(0.8, 0, 0, 3) == pytest.approx(0.68 * 1 + 0.32 * 0.6)


def test_under_jacoby_gammons_are_worth_nothing_until_the_cube_is_turned():
    judge = Evaluation(True, 0, True)
    assert judge.with_cube(0.5, 0.4, 0, 3) == judge.with_cube(0.5, 0, 0, 3)
    assert judge.with_cube(0.5, 0.4, 0, 1) > judge.with_cube(0.5, 0, 0, 1)


@pytest.mark.parametrize(
    ("mine", "theirs", "chance"), [(1, 2, 0.70), (1, 3, 0.75), (3, 5, 0.66), (2, 4, 0.67), (5, 7, 0.64)]
)
def test_chances_in_a_match_are_near_those_in_use(mine, theirs, chance):
    """Kit Woolsey's table of 1992, in per cent: 70, 75, 66, 67, 64."""
    assert leader_chance(mine, theirs, False) == pytest.approx(chance, abs=0.03)


def test_match_chances_are_opposite():
    table = match_chances(7)
    assert table[:, 1:, 1:] + table[:, 1:, 1:].transpose(0, 2, 1) == pytest.approx(1)
    assert (table[:, 0, 1:] == 1).all()


# -- strength ------------------------------------------------------------------------------------------------------


@kernel
def by_evaluation(game: Backgammon, state: Position) -> int:
    best, found, mover = -9.0, 0, game.to_move(state)
    for action in game.actions(state):
        then = game.result(state, action)
        value = game.utility(then, mover) if game.is_terminal(then) else game.evaluate(then, mover)
        if value > best:
            best, found = value, action
    return found


@kernel
def by_pips(game: Backgammon, state: Position, luck: U64) -> int:
    """The play after which the mover is furthest ahead in the race; of equals any."""
    best, found, equals = -9999, 0, 0
    for action in game.actions(state):
        then = game.result(state, action)
        value = pips(then.mine) - pips(then.theirs)
        if value > best:
            best, found, equals = value, action, 1
        elif value == best:
            equals += 1
            luck = mix(luck + U64(0x9E3779B97F4A7C15))
            if draw_below(luck, equals) == 0:
                found = action
    return found


@kernel
def points_won(game: Backgammon, games: int, seed: U64) -> int:
    """The first bot's winnings against the second in this number of games; seats alternate."""
    luck, total = seed, 0
    for number in range(games):
        seat, state = number & 1, game.initial()
        while not game.is_terminal(state):
            luck = mix(luck + U64(0x9E3779B97F4A7C15))
            mover = game.to_move(state)
            if mover == seat:
                action = by_evaluation(game, state)
            elif mover != CHANCE:
                action = by_pips(game, state, luck)
            else:
                wanted, action = draw_below(luck, 36) / 36 + 1e-6, 0
                for roll, chance in game.outcomes(state):
                    if wanted >= 0:
                        action = roll
                    wanted -= chance
            state = game.result(state, action)
        total += int(game.utility(state, seat))
    return total


@pytest.mark.compiled
def test_the_evaluation_beats_running_home_by_far():
    games = 300
    assert points_won.run(GAME, games, U64(1)) > 0.3 * games


@pytest.mark.compiled
@pytest.mark.long
def test_the_evaluation_beats_running_home_by_far_in_two_thousand_games():
    games = 2000
    assert points_won.run(GAME, games, U64(2)) > 0.3 * games
