import functools
import random
from collections import Counter

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import CHANCE
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.pig import HOLD, Pig, Position

pytestmark = pytest.mark.plain


@functools.cache
def chances_at_the_start_of_a_turn(target):
    """The exact winning chance of the player to move, by own and other score [Neller & Presser 2004].

    Scores only grow, so pairs of scores are solved from the highest sum down. Within a pair each player's chance is
    a line in the other's, as long as nobody changes their mind about when to hold: cross the lines until nobody does.
    """
    chances = {}
    for total in range(2 * target - 2, -1, -1):
        for mine in range(max(0, total - target + 1), total // 2 + 1):
            theirs = total - mine
            me = you = 0.5
            change = 1.0
            while change > 1e-13:
                my_base, my_slope = turn_of(chances, target, mine, theirs, 1 - you)[0]
                your_base, your_slope = turn_of(chances, target, theirs, mine, 1 - me)[0]
                before = me, you
                me = (my_base + my_slope * (1 - your_base - your_slope)) / (1 - my_slope * your_slope)
                you = your_base + your_slope * (1 - me)
                change = abs(me - before[0]) + abs(you - before[1])
            chances[mine, theirs], chances[theirs, mine] = me, you
    return chances


def turn_of(chances, target, mine, theirs, lost):
    """For each turn total the chance of winning as base + slope * (chance after losing the turn)."""
    needed = target - mine
    lines = [(0.0, 0.0)] * needed + [(1.0, 0.0)] * 6
    base_sum, slope_sum = 5.0, 0.0  # of the five turn totals that a good roll leads to
    for turn in range(needed - 1, -1, -1):
        base_sum += lines[turn + 2][0] - lines[turn + 7][0] if turn + 7 < len(lines) else 0.0
        slope_sum += lines[turn + 2][1] - lines[turn + 7][1] if turn + 7 < len(lines) else 0.0
        roll = base_sum / 6, (1 + slope_sum) / 6
        hold = (1 - chances[theirs, mine + turn], 0.0) if turn else (0.0, 1.0)
        lines[turn] = roll if roll[0] + roll[1] * lost >= hold[0] + hold[1] * lost else hold
    return lines


def win_probability(target, mine, theirs, turn):
    chances = chances_at_the_start_of_a_turn(target)
    lost = 1 - chances[theirs, mine]
    base, slope = turn_of(chances, target, mine, theirs, lost)[turn]
    return base + slope * lost


def values_by_the_rules(game):
    """The value for the first player of every position, by iterating the game's own rules to a fixed point."""
    values, frontier = {}, [game.initial()]
    while frontier:
        state = frontier.pop()
        if state not in values:
            values[state] = float(game.utility(state, 0)) if game.is_terminal(state) else 0.0
            if not game.is_terminal(state):
                frontier += [game.result(state, action) for action in game.actions(state)]
    change = 1.0
    while change > 1e-12:
        change = 0.0
        for state in values:
            if not game.is_terminal(state):
                better = backed_up(game, state, values)
                change, values[state] = max(change, abs(better - values[state])), better
    return values


def backed_up(game, state, values):
    player = game.to_move(state)
    if player == CHANCE:
        return sum(chance * values[game.result(state, face)] for face, chance in game.outcomes(state))
    return (max, min)[player](values[game.result(state, action)] for action in game.actions(state))


def test_the_first_player_wins_a_game_to_100_with_probability_0_5306():  # Neller & Presser 2004
    assert win_probability(100, 0, 0, 0) == pytest.approx(0.5305927253, abs=1e-10)


@pytest.mark.parametrize("target", [1, 2, 3, 7])
def test_the_rules_have_the_exact_values(target):
    for state, value in values_by_the_rules(Pig(target)).items():
        turn_is_open = not state.rolling and max(state.scores) < target
        if turn_is_open and state.player == 0 and state.scores[0] + state.turn < target:
            assert (1 + value) / 2 == pytest.approx(win_probability(target, *state.scores, state.turn), abs=1e-9)


def test_perft_agrees_with_a_plain_twin():
    layer, counts = Counter([((0, 0), 0, "to decide")]), []  # (mover's score, other's score), turn total
    for _ in Pig.perft_table[""]:
        after = Counter()
        for ((mine, theirs), turn, stage), ways in layer.items():
            if stage == "to decide":
                after[(mine, theirs), turn, "rolling"] += ways
                after[(theirs, mine + turn), 0, "to decide"] += ways
            else:
                after[(theirs, mine), 0, "to decide"] += ways
                for face in range(2, 7):
                    after[(mine, theirs), turn + face, "to decide"] += ways
        layer = after
        counts.append(sum(layer.values()))
    assert tuple(counts) == Pig.perft_table[""]


@pytest.mark.parametrize(("target", "games"), [(20, 980), (100, 20)])
def test_openspiel_agrees_move_by_move(target, games):
    """Its horizon is out of reach here."""
    ours, theirs = Pig(target), pyspiel.load_game(f"pig(winscore={target},horizon=1000000)")
    rng = random.Random(3)
    for _ in range(games):
        state, their_state = ours.initial(), theirs.new_initial_state()
        while not their_state.is_terminal():
            assert not ours.is_terminal(state)
            assert ours.to_move(state) == (CHANCE if their_state.is_chance_node() else their_state.current_player())
            if state.rolling:
                assert [(face - 1, chance) for face, chance in ours.outcomes(state)] == their_state.chance_outcomes()
                face = rng.randint(1, 6)
                state = ours.result(state, face)
                their_state.apply_action(face - 1)
            else:
                assert f"Scores: {state.scores[0]} {state.scores[1]}, Turn total: {state.turn}\n" in str(their_state)
                moves = list(ours.actions(state))
                assert moves == their_state.legal_actions()
                action = rng.choice(moves)
                state = ours.result(state, action)
                their_state.apply_action(action)
        assert ours.is_terminal(state)
        assert [ours.utility(state, player) for player in (0, 1)] == their_state.returns()


def test_a_turn_runs_as_the_rules_say():
    game = Referee.at(Pig(), "moves: roll 6 roll 5 hold roll 4 roll 1")
    assert Pig().format_state(game.state) == "11-0 0 1"
    assert [turn.player for turn in game.turns] == [0, CHANCE, 0, CHANCE, 0, 1, CHANCE, 1, CHANCE]


def test_with_enough_points_to_win_a_player_holds():
    game = Referee.at(Pig(10), "moves: roll 6 roll 6")
    assert game.legal() == [HOLD]
    game.play_text("hold")
    assert game.is_over
    assert game.utilities() == (1, -1)
    assert Pig(10).format_state(game.state) == "12-0 0 2"


scores = st.integers(0, 99)


@given(scores, scores, st.integers(0, 100), st.integers(0, 1), st.booleans())
def test_the_evaluation_is_zero_sum_and_inside_the_scale(one, other, turn, player, rolling):
    game = Pig()
    state = Position((one, other), min(turn, 105 - (one, other)[player]), player, rolling)
    assert game.evaluate(state, 0) == -game.evaluate(state, 1)
    assert -1 < game.evaluate(state, 0) < 1
    more = state._replace(turn=state.turn + 1)
    assert game.evaluate(more, player) >= game.evaluate(state, player)


def test_the_evaluation_is_as_close_to_the_exact_values_as_its_docstring_says():
    game, rng, squares = Pig(), random.Random(1), []
    for _ in range(2000):
        mine, theirs = rng.randrange(100), rng.randrange(100)
        for turn in rng.sample(range(100 - mine), min(3, 100 - mine)):
            exact = 2 * win_probability(100, mine, theirs, turn) - 1
            squares.append((game.evaluate(Position((mine, theirs), turn, 0, False), 0) - exact) ** 2)
    assert (sum(squares) / len(squares)) ** 0.5 == pytest.approx(0.13, abs=0.01)


def test_the_picture_has_a_bar_for_each_score_and_the_turn():
    picture = Pig().picture(Position((62, 47), 11, 1, False))
    assert picture.rows == (("player 1", 62), ("player 2", 47), ("turn total", 11))
    assert picture.goal == 100
    assert picture.touches == {"roll": (2,), "hold": (1,)}
    assert list(Pig().picture(Position((62, 47), 11, 1, True)).touches) == ["1", "2", "3", "4", "5", "6"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a position of pig; write scores, turn total and player, as in '62-47 11 1'"),
        ("62-47 11", "is not a position of pig"),
        ("62-47 11 3", "is not a position of pig"),
        ("62-47 11 1 rolled", "is not a position of pig"),
        ("100-47 0 1", "is impossible: a player with 100 to 105 points has won already"),
        ("47-106 0 1", "is impossible: a player with 100 to 105 points has won"),
        ("62-47 1 1", "is impossible: a turn total is never 1"),
        ("62-47 44 1", "is impossible: a turn total is never 1"),
        ("62-47 38 1 rolling", "is impossible: .* a player with enough to win does not roll"),
        ("62-100 5 1", "is impossible: the game was over before this turn"),
        ("62-100 0 1 rolling", "is impossible: the game was over before this turn"),
    ],
)
def test_a_position_that_cannot_be_is_refused(text, sentence):
    with pytest.raises(BadPosition, match=sentence):
        Pig().parse_state(text)


def test_a_game_that_is_over_can_be_written():
    assert Pig().is_terminal(Pig().parse_state("62-100 0 1"))


@pytest.mark.parametrize("target", [0, -5, 10001])
def test_a_target_that_makes_no_game_is_refused(target):
    with pytest.raises(UsageError, match="pig is played to a target of 1 to 10000 points"):
        find(f"pig:target={target}")
