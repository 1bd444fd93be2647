"""The techniques of Monte Carlo tree search: each finds the right move, and none changes what is counted."""

import math
import random

import pytest
from search_games import random_states

from zermelo.core.errors import UsageError
from zermelo.core.game import legal_actions
from zermelo.core.limit import Limit
from zermelo.core.meter import Meter
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.tree import Tree as TreeGame
from zermelo.search.mcts import Decisive, LastGoodReply, Mast, Mcts, Playout, Sampled, Sensible, Tuning
from zermelo.search.mcts.techniques import MEANING
from zermelo.search.mcts.tree import ROOT
from zermelo.search.mcts.ucb_tables import ucb_tables
from zermelo.solve.plain import PlainInduction

SETS = [
    ["tuned"],
    ["puct"],
    ["urgency", "bias"],
    ["priors", "rave"],
    ["grave", "widening"],
    ["implicit", "transpositions"],
    ["open"],
]
QUICK = [["priors", "rave"], ["implicit", "transpositions"], ["open"]]
"""What `make test` compiles here; each set is a kernel, and other tests compile the other techniques."""
POLICIES = [
    Decisive(Playout()),
    Sensible(),
    LastGoodReply(Mast(0.2)),
    Sampled(),
    pytest.param(Mast(), marks=pytest.mark.long),
    pytest.param(LastGoodReply(Playout()), marks=pytest.mark.long),
]


def told(things):
    return [" ".join(thing) if isinstance(thing, list) else type(thing).__name__ for thing in things]


def best_moves(game, state, solution):
    """The moves that keep the value of the state."""
    mover = game.to_move(state)
    values = {
        game.format_action(state, action): solution.solve(game.result(state, action)).payoffs[mover]
        for action in legal_actions(game, state)
    }
    return {move for move, value in values.items() if value == max(values.values())}


def positions_to_solve(game, count):
    """Positions with good and bad moves, and the good ones of each."""
    solution, found = PlainInduction(game, Meter.allocate()), []
    for state in random_states(game, "techniques", (0, 4), 60):
        best = best_moves(game, state, solution)
        if len(best) < game.count(state):
            found.append((state, best))
    return found[:count]


@pytest.mark.parametrize(
    "techniques",
    [names if names in QUICK else pytest.param(names, marks=pytest.mark.long) for names in SETS],
    ids=told(SETS),
)
def test_every_technique_finds_the_best_move(techniques):
    """Seeds are fixed; of a hundred other seeds no position failed with more than one."""
    game = find("hexapawn")
    search = Mcts(game, 4, techniques=techniques, tuning=Tuning(exploration=0.7, trust=3, equivalence=200))
    for state, best in positions_to_solve(game, 12):
        search.clear()
        assert search.think(state, Limit(nodes=4000), seed=2).best in best


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy_finds_the_best_move(policy):
    game = find("hexapawn")
    search = Mcts(game, 4, techniques=[], policy=policy)
    for state, best in positions_to_solve(game, 12):
        search.clear()
        assert search.think(state, Limit(nodes=4000), seed=2).best in best


@pytest.mark.both
@pytest.mark.parametrize("techniques", [["priors", "rave", "tuned"], ["puct", "grave", "widening", "implicit"]])
def test_a_simulation_is_one_visit_whatever_the_technique(techniques):
    game = find("tic-tac-toe")
    search = Mcts(game, 1, techniques=techniques, tuning=Tuning(expansion=3, reference=5))
    answer = search.think(None, Limit(nodes=150), seed=1)
    assert sum(move.visits for move in answer.moves) == search.tree.visits(ROOT) == 150


@pytest.mark.plain
def test_every_technique_has_a_test():
    assert {name for names in SETS for name in names} == set(MEANING) - {"solver", "bounds", "decisive"}


def test_the_means_of_later_moves_are_booked_once_a_simulation():
    """No move was made later more often than there were simulations through its parent; those made are among them."""
    game = find("tic-tac-toe")
    search = Mcts(game, 4, techniques=["rave"], policy=Playout())
    search.think(None, Limit(nodes=3000), seed=5)
    tree = search.tree
    for child in tree.child_nodes(ROOT):
        later = tree.rave_visits(child)
        assert tree.visits(child) <= later <= tree.visits(ROOT)
        assert abs(tree.rave_total(child)) <= later << 30
    assert sum(tree.rave_visits(child) for child in tree.child_nodes(ROOT)) > tree.visits(ROOT)


@pytest.mark.plain
def test_widening_looks_at_a_few_moves_first():
    game = find("breakthrough")
    search = Mcts(game, 1, techniques=["widening"], tuning=Tuning(widening=0.0, playout_plies=20))
    answer = search.think(None, Limit(nodes=60), seed=1)
    assert sum(move.visits > 0 for move in answer.moves) == 3
    assert len(answer.moves) == 22


@pytest.mark.both
def test_a_node_gets_children_at_the_given_visit():
    game = find("tic-tac-toe")
    for expansion in (1, 4):
        search = Mcts(game, 1, techniques=[], tuning=Tuning(expansion=expansion, exploration=100))
        search.think(None, Limit(nodes=9 * expansion), seed=1)
        assert all(search.tree.visits(child) == expansion for child in search.tree.child_nodes(ROOT))
        assert not any(list(search.tree.child_nodes(child)) for child in search.tree.child_nodes(ROOT))
        search.clear()
        search.think(None, Limit(nodes=9 * expansion + 1), seed=1)
        assert sum(bool(list(search.tree.child_nodes(child))) for child in search.tree.child_nodes(ROOT)) == 1


@pytest.mark.plain
def test_untried_moves_need_not_come_first():
    """Once the move that wins was found, no other is tried."""
    game = TreeGame(f"max({'-1 ' * 15} 1 {'-1 ' * 15})")
    search = Mcts(game, 1, techniques=["urgency"], tuning=Tuning(exploration=0.001, urgency=0))
    answer = search.think(None, Limit(nodes=60), seed=4)
    assert answer.value == (1, -1)
    assert answer.moves[0].visits > 15
    assert any(move.visits == 0 for move in answer.moves)
    plain = Mcts(game, 1, techniques=[], tuning=Tuning(exploration=0)).think(None, Limit(nodes=60), seed=4)
    assert all(move.visits > 0 for move in plain.moves)


@pytest.mark.both
def test_open_and_closed_searches_agree_where_dice_come_last():
    """The gamble is worth 4; its mean after n visits errs by 4 / sqrt(n), and five times that is never seen."""
    game = TreeGame("max(chance(1/2:8 1/2:0) chance(1/4:10 3/4:-10) min(2 5))")
    for techniques in ([], ["open"]):
        answer = Mcts(game, 1, techniques=techniques).think(None, Limit(nodes=800), seed=1)
        assert answer.best == "a"
        assert answer.value[0] == pytest.approx(4, abs=5 * 4 / math.sqrt(answer.moves[0].visits))


@pytest.mark.both
def test_an_open_search_knows_who_made_a_move():
    """In pig a roll may end the turn, so the same number of moves leads to nodes of either player."""
    game = find("pig:target=20")
    search = Mcts(game, 1, techniques=["open"])
    search.think(None, Limit(nodes=300), seed=1)
    tree = search.tree
    [rolled] = [
        child for child in tree.child_nodes(ROOT) if game.format_action(game.initial(), tree.action(child)) == "roll"
    ]
    movers = {tree.mover(child) for child in tree.child_nodes(rolled)}
    assert movers == {0, 1}


def test_positions_that_are_reached_by_two_ways_share_their_moves():
    """With transpositions there are fewer nodes after as many simulations, and the answer is proved all the same."""
    game = find("tic-tac-toe")
    nodes = {}
    for names in ((), ("transpositions",)):
        search = Mcts(game, 16, techniques=["solver", *names])
        answer = search.think(None, Limit(nodes=300_000), seed=1)
        assert (answer.value[0], answer.kind) == (0, "exact")
        nodes[names] = answer.stats["tree_nodes"]
    assert nodes[("transpositions",)] < nodes[()] / 2


@pytest.mark.parametrize(
    "techniques",
    [["transpositions"], *(pytest.param(names, marks=pytest.mark.long) for names in (["open"], ["priors", "rave"]))],
    ids=told,
)
def test_a_full_tree_makes_room(techniques):
    """Whatever the shape of the nodes, nothing outgrows the memory, and every move keeps its visits."""
    game = find("connect-four")
    search = Mcts(game, megabytes=0.25, techniques=techniques)
    answer = search.think(None, Limit(nodes=60_000), seed=1)
    assert answer.stats["simulations"] == sum(move.visits for move in answer.moves) == 60_000
    header = search.tree.header()
    assert header.top <= header.capacity <= len(search.tree.memory) <= 0.25 * 1024 * 1024 / 8
    seen = set()
    waiting = [ROOT]
    while waiting:  # every pointer leads to a node whose move is one of the seven columns
        node = waiting.pop()
        for child in search.tree.child_nodes(node):
            assert search.tree.action(child) in range(7)
            if child not in seen:
                seen.add(child)
                waiting.append(child)
    assert len(seen) > 100


def test_transpositions_survive_a_game():
    """Move after move the tree is kept, and full again and again; the visits of the root's moves never exceed it."""
    game = find("connect-four")
    search, referee, rng = Mcts(game, 0.25, techniques=["solver", "transpositions"]), Referee(game), random.Random(3)
    while not referee.is_over:
        answer = search.think(referee, Limit(nodes=5000), seed=1)
        assert answer.best in {game.format_action(referee.state, action) for action in referee.legal()}
        referee.play(rng.choice(referee.legal()))


def test_threads_may_grow_a_tree_each():
    game = find("connect-four")
    search = Mcts(game, 8, threads=2, techniques=[], trees=2)
    answer = search.think(None, Limit(nodes=40_001), seed=1)
    assert sum(move.visits for move in answer.moves) == 40_001
    assert [tree.visits(ROOT) for tree in search.trees] == [20_001, 20_000]
    again = Mcts(game, 8, threads=2, techniques=[], trees=2).think(None, Limit(nodes=40_001), seed=1)
    assert again.moves == answer.moves  # nobody waits for anybody, so it is the same every time


@pytest.mark.plain
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"trees": 2}, "1 threads grow 1 to 1 trees"),
        ({"techniques": ["open", "rave"]}, "does not work with `open`"),
        ({"techniques": ["implicit"]}, "needs a game with `evaluate`"),
    ],
)
def test_wrong_mixtures_are_one_sentence(arguments, sentence):
    with pytest.raises(UsageError, match=sentence):
        Mcts(find("nim"), **arguments)


@pytest.mark.plain
@pytest.mark.parametrize("numbers", [{"exploration": -1}, {"trust": math.nan}, {"implicit": 2}])
def test_wrong_numbers_are_one_sentence(numbers):
    with pytest.raises(UsageError, match="number"):
        Tuning(**numbers)
    with pytest.raises(UsageError, match="epsilon"):
        Mast(3)


@pytest.mark.plain
def test_ucb_tables_are_accurate_to_one_part_in_five_hundred():
    tables = ucb_tables(10.0)
    for count in (*range(1, 3000), *(3**power for power in range(5, 29))):
        root, logarithm = 1 / math.sqrt(count + 10), math.sqrt(math.log(count))
        exact = 1e-12 if count < 256 else 1 / 500
        assert tables.inverse_sqrt(count) == pytest.approx(root, rel=exact)
        assert tables.sqrt_log(count) == pytest.approx(logarithm, rel=exact)


@pytest.mark.both
def test_equal_moves_come_in_random_order():
    """Of forty draws from nine, three or more never come up less than once in 10,000 times."""
    game = find("tic-tac-toe")
    first = {Mcts(game, 1, techniques=[]).think(None, Limit(nodes=1), seed=seed).best for seed in range(40)}
    assert len(first) >= 7
