"""Compiled max^n, best-reply search and mixed layers: the payoffs of the textbook, ties included."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sizes import some
from trees import Inner, random_tree, text_of, trees
from zermelo.core.errors import UsageError
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.games import find
from zermelo.games.tree import Tree
from zermelo.kernel import U64
from zermelo.search import analyse
from zermelo.search.expectiminimax import (
    AT_RANDOM,
    MAXIMISE,
    MINIMISE,
    SELFISH,
    Expectiminimax,
    Roles,
    against,
    amid,
    best_reply,
    each_alone,
    parse_behaviour,
)
from zermelo.search.expectiminimax.expectiminimax import expectiminimax_kernel
from zermelo.search.expectiminimax.maxn import NO_PLAYER, maxn_kernel
from zermelo.search.expectiminimax.maxn_table import PayoffTable
from zermelo.search.expectiminimax.workspace import ExpectiminimaxWorkspace
from zermelo.search.runtime.path import Ply
from zermelo.search.runtime.table import NO_MOVE
from zermelo.textbook import best_reply as plain_best_reply
from zermelo.textbook import expectimax, maxn, paranoid, uniform

DEEP = 60
many = settings(max_examples=some(150), deadline=None)
depths = st.sampled_from([1, 2, 3, 4, DEEP])


def payoffs_of(search, state, depth):
    """What the kernel itself finds."""
    workspace = search.workspace()
    return found_by(search, workspace, state, depth)


def found_by(search, workspace, state, depth):
    """The payoffs that the kernel leaves in the workspace."""
    game = search.game
    assert maxn_kernel.run(game, search.how, state, NO_PLAYER, 0.0, False, depth, Ply(0), 0, workspace)
    return workspace.read_payoffs(Ply(0), game.players)


def selfish(game, *, techniques=None):
    return Expectiminimax(game, each_alone(game), 0.1, techniques)


@pytest.mark.both
@given(trees(players=3, leaves=30), depths)
@many
def test_the_payoffs_are_those_of_the_textbook_ties_included(nested, depth):
    tree = Tree(text_of(nested))
    wanted = maxn(tree, 0, depth)
    assert payoffs_of(selfish(tree, techniques=[]), 0, depth) == wanted
    assert payoffs_of(selfish(tree), 0, depth) == pytest.approx(wanted, abs=1e-9)


def with_sum(tree, total):
    """The tree with the last player's payoff changed so that each leaf sums to the total."""
    if isinstance(tree, Inner):
        return tree._replace(children=tuple(with_sum(child, total) for child in tree.children))
    return (*tree[:-1], total - sum(tree[:-1]))


@pytest.mark.both
@pytest.mark.parametrize("players", [3, pytest.param(4, marks=pytest.mark.long)])
def test_shallow_pruning_visits_fewer_nodes_and_changes_nothing(players):
    rng, looks, fewer = random.Random(11), 0, 0
    for _ in range(some(60)):
        nested = random_tree(rng, depth=6, branching=4, players=players, chance=False)
        if not isinstance(nested, Inner):
            continue
        tree = Tree(text_of(with_sum(nested, 6)))
        plain, pruned = selfish(tree, techniques=[]), selfish(tree, techniques=["cutoffs"])
        workspaces = plain.workspace(), pruned.workspace()
        found = [
            found_by(search, workspace, 0, DEEP) for search, workspace in zip((plain, pruned), workspaces, strict=True)
        ]
        assert found[0] == found[1] == maxn(tree, 0)
        looks, fewer = looks + workspaces[0].nodes, fewer + workspaces[1].nodes
    assert fewer < looks


@pytest.mark.both
def test_a_position_that_will_not_be_chosen_is_left():
    """When the second player has 9 of 10, no more than 1 is left for the first, who has that already."""
    tree = Tree("p1(p2(<1,3,6> <4,2,4>) p2(<1,9,0> <0,0,10> <10,0,0>))")
    tree.max_payoff_sum = 10  # what the tree estimates in between is more, but nobody asks for it
    search = selfish(tree, techniques=["cutoffs"])
    answer = search.think(None, Limit())
    assert (answer.value, answer.best, answer.kind, answer.stats["cutoffs"]) == ((1, 3, 6), "a", "exact", 0)
    workspace = search.workspace()
    assert found_by(search, workspace, 0, DEEP) == (1, 3, 6)
    assert workspace.nodes == 6


@pytest.mark.both
def test_every_requested_line_has_payoffs_and_a_bounded_move_only_its_movers():
    tree = Tree("p1(p2(<5,3,2> <4,2,4>) p2(<1,9,0> <0,0,10>) p3(<2,2,6> <3,3,4>))")
    answer = selfish(tree).think(None, Limit(), lines=3)
    assert [(move.move, move.value) for move in answer.moves] == [("a", (5, 3, 2)), ("c", (2, 2, 6)), ("b", (1, 9, 0))]
    assert all(move.kind == "exact" for move in answer.moves)
    bounded = selfish(tree, techniques=["cutoffs"])
    bounded.think(None, Limit())
    assert bounded.think(None, Limit()).value == (5, 3, 2)


@pytest.mark.parametrize(
    ("spec", "depth"),
    [
        ("trio", 4),
        ("pig", 4),
        pytest.param("trio:cols=3,rows=3", 6, marks=pytest.mark.long),
        pytest.param("chinese-checkers:players=3,size=2", 2, marks=pytest.mark.long),
    ],
)
def test_real_games_have_the_payoffs_and_the_move_of_the_textbook(spec, depth):
    game = find(spec)
    rng, state = random.Random(3), game.initial()
    for _ in range(4):
        state = game.result(state, rng.choice(list(game.actions(state))))
        if game.is_terminal(state) or game.to_move(state) < 0:
            break
        wanted = maxn(game, state, depth)
        answer = analyse(game, state, "maxn", Limit(depth=depth))
        assert answer.value == pytest.approx(wanted)
        child = game.result(state, game.parse_action(state, answer.best))
        assert maxn(game, child, depth - 1) == pytest.approx(wanted)


# -- mixed layers ----------------------------------------------------------------------------------------


def mixed_payoffs(tree: Game, state: int, wishes, depth: int):
    """Each seat takes the first move with the highest worth, or any move if it has no wish."""
    if tree.is_terminal(state):
        return tree.utilities(state)
    if depth == 0:
        return tree.evaluations(state)
    mover = tree.to_move(state)
    chances = list(tree.outcomes(state)) if mover < 0 else [(action, None) for action in tree.actions(state)]
    values = [mixed_payoffs(tree, tree.result(state, action), wishes, depth - 1) for action, _ in chances]
    if mover >= 0 and wishes[mover] is not None:
        return max(values, key=wishes[mover])
    weights = [1 / len(values) if chance is None else chance for _, chance in chances]
    return tuple(sum(w * v for w, v in zip(weights, column, strict=True)) for column in zip(*values, strict=True))


@pytest.mark.both
@given(trees(players=3, leaves=24), depths)
@many
def test_each_seat_follows_its_own_behaviour(nested, depth):
    """The first for itself, the second against the third, the third at random."""
    tree = Tree(text_of(nested))
    search = Expectiminimax(tree, Roles((), (SELFISH, against(2), AT_RANDOM)), 0.1)
    wanted = mixed_payoffs(tree, 0, (lambda v: v[0], lambda v: -v[2], None), depth)
    assert payoffs_of(search, 0, depth) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.both
@given(trees(players=3, leaves=24), depths)
@many
def test_minimising_others_are_paranoid_search(nested, depth):
    tree = Tree(text_of(nested))
    roles = Roles((0,), (MAXIMISE, MINIMISE, against(0)))
    found = payoffs_of(Expectiminimax(tree, roles, 0.1), 0, depth)
    assert found[0] == pytest.approx(paranoid(tree, 0, 0, depth), abs=1e-9)


@pytest.mark.both
def test_one_for_itself_among_others_who_move_at_random_is_expectimax():
    rng = random.Random(4)
    for _ in range(some(30)):
        tree = Tree(text_of(random_tree(rng, players=3)))
        search = Expectiminimax(tree, Roles((), (SELFISH, AT_RANDOM, AT_RANDOM)), 0.1)
        assert payoffs_of(search, 0, DEEP)[0] == pytest.approx(expectimax(tree, 0, 0, uniform))


@pytest.mark.plain
@pytest.mark.parametrize(("text", "found"), [("own", SELFISH), ("against(1)", against(0)), ("against(3)", against(2))])
def test_max_n_behaviours_have_texts(text, found):
    assert parse_behaviour(text) == found
    assert str(found) == text


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "sentence"), [("against", "against whom"), ("against(0)", "against whom"), ("own(2)", "in brackets")]
)
def test_an_invalid_behaviour_gets_a_sentence(text, sentence):
    with pytest.raises(UsageError, match=sentence):
        parse_behaviour(text)


@pytest.mark.plain
def test_a_behaviour_against_a_missing_player_is_refused():
    with pytest.raises(UsageError, match="there is no player 4 to be against"):
        amid(find("trio"), 0, {1: against(3)})


# -- best-reply search -----------------------------------------------------------------------------------


class Ordered(Tree):
    """The later move comes first."""

    def order(self, state, action):
        return float(action)


@pytest.mark.parametrize(
    "kind", [pytest.param(Tree, marks=pytest.mark.both), pytest.param(Ordered, marks=pytest.mark.plain)]
)
@given(trees(players=3, leaves=30), depths)
@many
def test_only_one_opponent_replies(kind, nested, depth):
    tree = kind(text_of(nested))
    for player in (0, 2):
        wanted = plain_best_reply(tree, 0, player, depth)
        search = Expectiminimax(tree, best_reply(tree, player), 0.1)
        workspace = search.workspace()
        found = expectiminimax_kernel.run(tree, search.how, 0, -math.inf, math.inf, depth, Ply(0), 0, workspace)
        assert found == pytest.approx(wanted, abs=1e-9)


@pytest.mark.both
def test_two_opponents_cannot_both_hurt():
    """Together they could make it 0; alone, the second can make it 2 and the third 3."""
    tree = Tree("p1(p2(p3(<9,0,0> <3,0,0>) p3(<2,0,0> <0,0,0>)) <1,0,0>)")
    answer = analyse(tree, 0, "bestreply", Limit(depth=5))
    assert (answer.value[0], answer.kind) == (2, "estimate")
    assert analyse(tree, 0, "paranoid", Limit(depth=5)).value[0] == 1


@pytest.mark.parametrize(
    ("spec", "depth"),
    [
        ("trio", 4),
        pytest.param("chinese-checkers:players=4,size=2", 3, marks=pytest.mark.long),
        pytest.param("pacman:layout=tiny,ghosts=1", 5, marks=pytest.mark.long),
    ],
)
def test_best_reply_of_real_games_is_the_textbooks(spec, depth):
    game = find(spec)
    state = game.initial()
    answer = analyse(game, state, "bestreply", Limit(depth=depth))
    assert answer.value[0] == pytest.approx(plain_best_reply(game, state, 0, depth))


# -- the table -------------------------------------------------------------------------------------------


class Payoffs:
    """A table of max^n for three players, and the row of a workspace."""

    def __init__(self, megabytes):
        self.game, self.table = find("trio"), PayoffTable(megabytes, 3)
        self.workspace = ExpectiminimaxWorkspace.create(self.table)

    def keep(self, key, payoffs, *, move=1, depth=5, is_proved=False, age=0):
        self.workspace.payoff_table.age, row = age, self.workspace.payoffs(Ply(0))
        for player, payoff in enumerate(payoffs):
            row[player] = payoff
        self.workspace.payoff_table.store(self.game, key, row, move, depth, is_proved)

    def find(self, key):
        """Payoffs, move, depth and whether they are proved; None if they are not known."""
        entry = self.workspace.payoff_table.probe(self.game, key)
        if entry.address == 0:
            return None
        return [entry.payoffs[player] for player in range(3)], entry.move(), entry.depth(), entry.is_proved()


@pytest.mark.plain
def test_an_entry_of_the_table_holds_the_payoffs_of_all():
    kept, keys = Payoffs(0.1), [U64(number * 0x9E37_79B9_7F4A_7C15) for number in range(1, 9)]
    for number, key in enumerate(keys):
        kept.keep(key, (number, -number, 0.5), move=number, depth=number + 1, is_proved=number % 2 == 1)
    for number, key in enumerate(keys):
        assert kept.find(key) == ([number, -number, 0.5], number, number + 1, number % 2 == 1)
    kept.keep(keys[0], (9, 9, 9), move=1000, depth=300)
    assert kept.find(keys[0]) == ([9, 9, 9], NO_MOVE, 255, False)
    kept.keep(keys[0], (0, 0, 0), move=3, depth=0)
    assert kept.find(keys[0])[2] == 255, "what was cut off does not replace what is known"


@pytest.mark.plain
def test_the_first_entry_of_a_cluster_is_replaced_only_by_a_deeper_one_or_a_newer_search():
    kept, deep, shallow, third = Payoffs(1e-9), U64(1), U64(2), U64(3)
    kept.keep(deep, (1, 1, 1), depth=7)
    kept.keep(shallow, (2, 2, 2), depth=3)
    kept.keep(third, (3, 3, 3), depth=4)
    assert [kept.find(key) is not None for key in (deep, shallow, third)] == [True, False, True]
    kept.keep(shallow, (2, 2, 2), depth=3, age=1)
    assert [kept.find(key) is not None for key in (deep, shallow, third)] == [False, True, True]
