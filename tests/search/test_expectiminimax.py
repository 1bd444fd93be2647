"""Compiled expectiminimax: the plain value with every technique, in any window, for any layers."""

import math
import random
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import Graph
from random_graphs import value_of as best_play

from sizes import some
from trees import Inner, random_tree, text_of, trees
from zermelo.core.errors import Refused, UsageError
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.wrapped import Wrapped
from zermelo.games import find
from zermelo.games.tree import Tree
from zermelo.kernel import is_enabled
from zermelo.search.expectiminimax import (
    AT_RANDOM,
    MAXIMISE,
    MINIMISE,
    Expectiminimax,
    Narrowing,
    against_all,
    amid,
    habits_of,
    parse_behaviour,
    skilled,
)
from zermelo.search.expectiminimax.behaviours import Behaviour
from zermelo.search.expectiminimax.expectiminimax import expectiminimax_kernel
from zermelo.search.expectiminimax.table_steps import probe_table, table_key, veil_of
from zermelo.search.expectiminimax.techniques import SOUND
from zermelo.search.expectiminimax.workspace import HABITUAL
from zermelo.search.runtime.path import Ply
from zermelo.search.runtime.table import EXACT, LOWER, UPPER, unveil_move
from zermelo.textbook import expectimax, expectiminimax, mixture, uniform
from zermelo.textbook.layers import coalition, paranoid
from zermelo.textbook.opponents import minimax_player

LADDER = [list(SOUND[:count]) for count in ((0, 2, len(SOUND)) if is_enabled() else range(len(SOUND) + 1))]
SLACK = 1e-9
DEEP = 60

many = settings(max_examples=some(150), deadline=None)
ends = st.integers(-6, 6) | st.sampled_from([-0.5, 0.5, 1.25])
windows = st.tuples(ends, ends).filter(lambda ends: ends[0] != ends[1]).map(sorted)


def value_of(search, state, depth, alpha=-math.inf, beta=math.inf):
    """What the kernel itself returns for the first player."""
    workspace = search.workspace()
    return expectiminimax_kernel.run(search.game, search.how, state, alpha, beta, depth, Ply(0), 0, workspace)


def is_true_bound(found, alpha, beta, value):
    if found <= alpha:
        return value <= found + SLACK
    if found >= beta:
        return value >= found - SLACK
    return found == pytest.approx(value, abs=SLACK)


@pytest.mark.both
@given(trees(), st.sampled_from([1, 2, 3, 4, DEEP]), windows)
@many
def test_every_technique_keeps_the_value_and_in_any_window_a_true_bound(nested, depth, window):
    tree = Tree(text_of(nested))
    value = expectiminimax(tree, tree.initial(), 0, depth)
    for names in (LADDER[0], LADDER[-1]):
        search = Expectiminimax(tree, megabytes=0.1, techniques=names)
        assert value_of(search, tree.initial(), depth) == pytest.approx(value, abs=SLACK)
        search.clear()
        assert is_true_bound(value_of(search, tree.initial(), depth, *window), *window, value)


@pytest.mark.both
def test_one_technique_more_never_changes_the_value():
    rng = random.Random(5)
    for _ in range(some(60)):
        tree = Tree(text_of(random_tree(rng, depth=5, branching=4)))
        wanted = expectiminimax(tree, 0, 0, DEEP)
        for names in LADDER:
            assert value_of(Expectiminimax(tree, megabytes=0.1, techniques=names), 0, DEEP) == pytest.approx(wanted)


@pytest.mark.both
def test_without_cuts_the_value_is_expectiminimaxs_to_the_last_bit():
    rng = random.Random(6)
    for _ in range(some(60)):
        tree = Tree(text_of(random_tree(rng, depth=5, branching=4)))
        for names in ([], ["order", "table", "history", "killers"]):
            assert value_of(Expectiminimax(tree, megabytes=0.1, techniques=names), 0, DEEP) == expectiminimax(
                tree, 0, 0, DEEP
            )


class AlsoNever(Wrapped):
    """The same game; before every outcome it is said that it never happens."""

    def outcomes(self, state):
        for action, probability in self.game.outcomes(state):
            yield action, 0.0
            yield action, probability


@pytest.mark.plain
def test_ties_zero_probabilities_and_payoffs_at_the_bounds():
    tree = AlsoNever(Tree("max(chance(3) chance(1/2:10 1/2:-4) min(3 3) chance(1/3:-4 1/3:10 1/3:3) 3)"))
    for names in LADDER:
        search = Expectiminimax(tree, megabytes=0.1, techniques=names)
        assert value_of(search, 0, DEEP) == 3
        answer = search.think(None, Limit(depth=5), lines=5)
        assert (answer.value, answer.kind) == ((3, -3), "exact")
        assert sorted(move.value[0] for move in answer.moves) == [3] * 5


@pytest.mark.both
def test_several_lines_have_values_of_their_own_and_the_rest_are_bounded():
    tree = Tree("max(min(5 6) min(7 8) min(1 9) min(4 4))")
    search = Expectiminimax(tree, megabytes=0.1)
    answer = search.think(None, Limit(), lines=2)
    assert [move.value[0] for move in answer.moves] == [7, 5]
    assert (answer.kind, answer.best, answer.stopped) == ("exact", "b", "done")
    assert all(move.kind == "exact" for move in answer.moves)


@pytest.mark.both
@pytest.mark.parametrize("moves", ["", "roll 3 hold"])
def test_both_players_get_their_own_value(moves):
    referee = Referee.at(find("pig:target=20"), f"moves: {moves}")
    game, state, seat = referee.game, referee.state, referee.to_move
    assert seat == (1 if moves else 0)
    answer = Expectiminimax(game, megabytes=1).think(referee, Limit(depth=6), lines=2)
    for move in answer.moves:
        after = game.result(state, game.parse_action(state, move.move))
        assert move.value[seat] == pytest.approx(expectiminimax(game, after, seat, 5))
        assert move.value[0] == -move.value[1]
    assert answer.moves[0].value[seat] >= answer.moves[-1].value[seat]


@pytest.mark.both
def test_a_search_is_reproducible_and_can_be_stopped():
    game = find("pig")
    answers = [Expectiminimax(game, megabytes=1).think(None, Limit(nodes=3000)) for _ in range(2)]
    assert answers[0].moves == answers[1].moves
    assert answers[0].stopped == "nodes"
    assert answers[0].stats["nodes"] == 3000
    stop = threading.Event()
    stop.set()
    assert Expectiminimax(game, megabytes=1).think(None, Limit(time=60), stop=stop).stopped == "user"


# -- layers of other kinds ------------------------------------------------------------------------------


@pytest.mark.both
@given(trees(players=3, chance=True, leaves=16), st.sampled_from([2, 4, DEEP]))
@many
def test_paranoid_players_and_coalitions_get_what_the_textbook_says(nested, depth):
    if not isinstance(nested, Inner):
        return
    tree = Tree(text_of(nested))
    for team in ((0,), (2,), (0, 1)):
        wanted = coalition(tree, 0, team, depth) if len(team) > 1 else paranoid(tree, 0, team[0], depth)
        search = Expectiminimax(tree, against_all(tree, *team), 0.1)
        assert value_of(search, 0, depth) == pytest.approx(wanted, abs=SLACK)


@pytest.mark.plain
@given(trees(chance=True), st.sampled_from([1, 2, 3, DEEP]))
@many
def test_against_random_players_it_is_expectimax(nested, depth):
    tree = Tree(text_of(nested))
    search = Expectiminimax(tree, amid(tree, 0, AT_RANDOM), 0.1)
    assert value_of(search, 0, depth) == pytest.approx(expectimax(tree, 0, 0, uniform, depth), abs=SLACK)


@pytest.mark.both
@pytest.mark.parametrize("reliability", [0.0, 0.8, 1.0])
def test_the_lectures_ghost_plays_minimax_to_depth_two_four_times_out_of_five(reliability):
    """The other player is minimax to depth 2 with this reliability, and moves at random otherwise."""
    rng = random.Random(7)
    model = mixture((reliability, minimax_player(2)), (1 - reliability, uniform))
    for _ in range(some(40)):
        tree = Tree(text_of(random_tree(rng, depth=4, branching=3, chance=False, most=9)))
        search = Expectiminimax(tree, amid(tree, 0, [skilled(2, reliability)]), 0.1)
        assert value_of(search, 0, DEEP) == pytest.approx(expectimax(tree, 0, 0, model))


@pytest.mark.both
def test_a_learned_player_moves_as_often_as_it_was_seen_to():
    """Seen seven times to the left and three times to the right; half a time more counts for each."""
    tree = Tree("max(min(8 -8) 1)")
    middle = tree.result(0, next(iter(tree.actions(0))))
    left, right = tree.actions(middle)
    habits = habits_of(tree, [(middle, left)] * 7 + [(middle, right)] * 3)
    roles = amid(tree, 0, [parse_behaviour("random")])
    assert value_of(Expectiminimax(tree, roles, 0.1), middle, DEEP) == 0
    learned = Expectiminimax(tree, amid(tree, 0, [Behaviour(HABITUAL)]), 0.1, habits=habits)
    assert value_of(learned, middle, DEEP) == pytest.approx((7.5 * 8 - 3.5 * 8) / 11)


@pytest.mark.plain
def test_a_random_seat_has_nothing_to_choose():
    tree = Tree("min(max(1 2) 0)")
    with pytest.raises(Refused, match="plays as random here"):
        Expectiminimax(tree, amid(tree, 0, AT_RANDOM), 0.1).think(None, Limit(depth=2))


# -- bets -----------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_omissions_are_reported():
    tree = Tree("max(min(5 6) min(7 8) chance(9/10:6 1/10:100))")
    answer = Expectiminimax(tree, megabytes=0.1, narrowing=Narrowing(improbable=0.2)).think(None, Limit(depth=3))
    assert (answer.best, answer.value[0], answer.kind) == ("b", 7, "estimate")
    assert answer.notes[-1] == "moves or outcomes were left out"
    narrow = Expectiminimax(tree, megabytes=0.1, narrowing=Narrowing(moves=1))
    assert value_of(narrow, 0, DEEP) == 5


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("max", MAXIMISE),
        ("min", MINIMISE),
        ("random", AT_RANDOM),
        ("minimax(2)", skilled(2)),
        ("minimax(2)@0.8", skilled(2, 0.8)),
        ("minimax(3)@80%", skilled(3, 0.8)),
    ],
)
def test_behaviours_have_texts(text, found):
    assert parse_behaviour(text) == found
    assert parse_behaviour(str(found)) == found


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("clever", "is not a behaviour"),
        ("minimax", "does not say how far"),
        ("minimax(99)", "give 1 to 20"),
        ("minimax(2)@1.5", "from 0 to 1"),
        ("random@0.5", "only minimax"),
        ("random(3)", "in brackets"),
        ("table(nowhere.jsonl)", "needs a file of saved games"),
    ],
)
def test_an_invalid_behaviour_gets_a_sentence(text, sentence):
    with pytest.raises(UsageError, match=sentence):
        parse_behaviour(text)


@pytest.mark.both
def test_a_monotone_change_of_the_evaluation_changes_expectiminimaxs_choice_and_not_minimaxs():
    """Squares of payoffs from 0 on: a sure 5 beats a mean of 4, but 25 is less than the mean of 0 and 64."""
    leaves = "max(min(5 6) chance(1/2:0 1/2:8))", "max(min(25 36) chance(1/2:0 1/2:64))"
    assert [Expectiminimax(Tree(text), megabytes=0.1).think(None, Limit(depth=4)).best for text in leaves] == ["a", "b"]
    opposed = "max(min(5 6) min(0 8))", "max(min(25 36) min(0 64))"
    assert [Expectiminimax(Tree(text), megabytes=0.1).think(None, Limit(depth=4)).best for text in opposed] == [
        "a",
        "a",
    ]


@pytest.mark.plain
@pytest.mark.parametrize(
    "names",
    [
        ["table"],
        ["cutoffs", "probes", "stars"],
        pytest.param(["stars"], marks=pytest.mark.long),
        pytest.param(["pvs", "cutoffs", "stars"], marks=pytest.mark.long),
    ],
)
def test_techniques_agree_on_pig(names):
    game = find("pig:target=20")
    start = game.initial()
    wanted = max(expectiminimax(game, game.result(start, action), 0, 8) for action in game.actions(start))
    search = Expectiminimax(game, megabytes=0.5, techniques=names)
    assert value_of(search, start, 9) == pytest.approx(wanted, abs=SLACK)


@pytest.mark.plain
def test_a_stored_move_is_one_of_the_position_that_asks():
    """Mirror images share an entry, and list their moves in another order."""
    asked = wrong = 0
    for seed in range(60):
        game = Graph(seed, 12, 4, has_mirror=True)
        search = Expectiminimax(game, megabytes=1)
        how, workspace, worst = search.how, search.workspace(), game.utility_range[0] - 1
        assert how.symmetry
        expectiminimax_kernel(game, how, game.initial(), worst, -worst, 60, Ply(0), 0, workspace)
        for state in (
            (place, player, mirror) for place in range(game.places) for player in (0, 1) for mirror in (0, 1)
        ):
            key = table_key(game, how, state, workspace)
            hit = probe_table(how, key, workspace)
            number = unveil_move(hit.move, veil_of(game, how, state, key, workspace))
            actions, is_first = list(game.actions(state)), game.to_move(state) == 0
            if hit.kind not in (EXACT, LOWER if is_first else UPPER) or number >= len(actions):
                continue
            found = best_play(game, game.result(state, actions[number]))
            asked += 1
            wrong += found < hit.value if is_first else found > hit.value
    assert asked > 300
    assert wrong <= asked / 50, "by chance an image reads the number of a move where another one is meant"
