"""The four steps of Monte Carlo tree search, on games whose answers are known."""

import random

import pytest

from zermelo.core.errors import RulesError
from zermelo.core.game import Game
from zermelo.games import find
from zermelo.games.tree import Tree
from zermelo.inside.mcts_tree import GrowingTree, grow_tree
from zermelo.textbook import expectiminimax, mcts
from zermelo.textbook.mcts import best, make_tree

pytestmark = pytest.mark.plain


def every_node(root):
    yield root
    for child in root.children:
        yield from every_node(child)


def test_the_most_tried_move_wins_at_once():
    game = find("tic-tac-toe")
    state = game.parse_state("XX./OO./... x")
    root = mcts(game, state, 400, random.Random(1))
    assert game.format_action(state, best(root)) == "c3"


def test_visits_add_up():
    """Every visit of a node is its own first one or goes on to a child; at the end of the game none does."""
    game = find("hexapawn")
    root = mcts(game, game.initial(), 500, random.Random(2))
    assert root.visits == 500
    assert sum(child.visits for child in root.children) == 500
    for node in every_node(root):
        below = sum(child.visits for child in node.children)
        if node is not root and node.mover is not None:
            assert node.visits == below + 1
        elif node.mover is None:
            assert below == 0


def test_the_mean_comes_near_the_value_with_dice():
    """A tree with dice and few moves: 3,000 simulations, error below 0.3 of a scale of 20 with certainty near 1."""
    tree = Tree("max(chance(1/2:8 1/2:0) chance(1/4:10 3/4:-10) min(2 5))")
    root = mcts(tree, tree.initial(), 3000, random.Random(3))
    assert tree.format_action(tree.initial(), best(root)) == "a"
    chosen = max(root.children, key=lambda child: child.visits)
    assert chosen.mean(0) == pytest.approx(expectiminimax(tree, chosen.state, 0), abs=0.3)


def test_all_players_maximise_their_own_payoff():
    """Three players; the second would rather give the third nothing than take 2 instead of 3."""
    tree = Tree("p1(p2(p3(<1,2,6> <4,3,2>) p3(<6,1,2> <7,4,1>)) p2(p3(<5,1,1> <1,5,2>) p3(<7,7,1> <5,4,5>)))")
    root = mcts(tree, tree.initial(), 4000, random.Random(4))
    assert root.visits == 4000
    assert len(root.paid) == 3


def test_the_tree_can_be_drawn():
    game = find("hexapawn")
    node = make_tree(game, mcts(game, game.initial(), 50, random.Random(5)))
    assert node.kind == "max"
    assert {child.kind for child in node.children} == {"min"}
    assert node.children[0].move.endswith(f"×{max(int(child.move.split('×')[1]) for child in node.children)}")


class Endless(Game):
    def initial(self):
        return 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        return [0]

    def result(self, state, action):
        return state

    def is_terminal(self, state):
        return False

    def utility(self, state, player):
        return 0


def test_a_game_without_end_is_one_sentence():
    with pytest.raises(RulesError, match="did not end within 10,000 plies"):
        mcts(Endless(), 0, 1, random.Random(6))


class Fickle(Game):
    """After 0, `count` is wrong and the evaluation is not a number."""

    runtime = ("wrong",)
    chance = True

    def __init__(self, wrong):
        self.wrong = wrong

    def initial(self):
        return (0, 0)

    def to_move(self, state):
        return -1 if state == (2, 0) else state[0] % 2

    def actions(self, state):
        if state[0] < 5:
            yield 0
            yield 1

    def count(self, state):
        if state[0] == 5:
            return 0
        return self.wrong if state == (2, 0) else 2

    def result(self, state, action):
        return (state[0] + 1, state[1] + action)

    def utility(self, state, player):
        return (1 if state[1] % 2 else -1) * (1 if player == 0 else -1)


@pytest.mark.both
@pytest.mark.parametrize("wrong", [-7, 1, 5])
def test_a_wrong_count_of_moves_does_not_lead_out_of_the_tree(wrong):
    """A child that is not there was looked for at an address that is not the tree's."""
    game = Fickle(wrong)
    for run in (grow_tree, grow_tree.run):
        assert run(game, game.initial(), GrowingTree.create(game, 300, 1), 300, 1.4) == 300
