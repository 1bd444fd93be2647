"""Compiled Monte Carlo tree search: the same visits as the textbook's, right answers, bounded memory."""

import math
import random

import pytest
from search_games import random_states

from sizes import some
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import legal_actions
from zermelo.core.limit import Limit
from zermelo.core.meter import Meter
from zermelo.core.referee import Referee
from zermelo.draw.terminal_trees import tree_text
from zermelo.games import find
from zermelo.games.tree import Tree as TreeGame
from zermelo.kernel import is_enabled
from zermelo.search import Mcts, analyse
from zermelo.search.mcts import Tuning
from zermelo.search.mcts.tree import ROOT, count_of
from zermelo.solve.plain import PlainInduction


def must_be_sound(tree, threads=1):
    """Each node's children are visited once less than it is, except the root's; how many nodes there are.

    With threads, others may play out from a node while one gives it its children, and two may come at once.
    """
    found, waiting = 0, [ROOT]
    while waiting:
        node = waiting.pop()
        found += 1
        children = list(tree.child_nodes(node))
        if children:
            below = sum(map(tree.visits, children))
            own = tree.visits(node) - below
            assert own == 0 if node == ROOT else own >= 0 if threads > 1 else own == 1, (node, own, below)
            waiting += children
    return found


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("connect-four", marks=pytest.mark.both),
        pytest.param("pig", marks=pytest.mark.plain),
        pytest.param("trio", marks=pytest.mark.plain),
    ],
)
def test_visits_of_children_add_up_to_their_parents(name):
    game = find(name)
    search = Mcts(game, 1, techniques=[])
    answer = search.think(None, Limit(nodes=some(400)), seed=1)
    simulations = answer.stats["simulations"]
    assert search.tree.visits(ROOT) == simulations == sum(move.visits for move in answer.moves) == some(400)
    assert must_be_sound(search.tree) > 20


@pytest.mark.both
@pytest.mark.parametrize("techniques", [[], ["solver"]])
def test_the_same_seed_gives_the_same_tree(techniques):
    game = find("connect-four")
    limit = Limit(nodes=some(300))
    answers = [Mcts(game, 1, techniques=techniques).think(None, limit, seed=seed) for seed in (7, 7, 8)]
    assert answers[0].moves == answers[1].moves
    assert answers[0].moves != answers[2].moves


@pytest.mark.both
@pytest.mark.parametrize(("spec", "plies"), [("tic-tac-toe", (2, 6)), ("hexapawn", (0, 4)), ("connect-four", (31, 38))])
def test_the_solvers_proofs_hold(spec, plies):
    """Against plain backward induction: the value of the position, and of every move that is called exact."""
    game = find(spec)
    solution, proved = PlainInduction(game, Meter.allocate()), 0
    for state in random_states(game, f"mcts {spec}", plies, 12 if is_enabled() else 4):
        answer = Mcts(game, 4).think(state, Limit(nodes=20_000), seed=3)
        for move in answer.moves:
            if move.kind == "exact":
                child = game.result(state, game.parse_action(state, move.move))
                assert move.value == solution.solve(child).payoffs
        if answer.kind == "exact":
            proved += 1
            assert answer.stopped == "done"
            assert answer.value == solution.solve(state).payoffs
            best = game.result(state, game.parse_action(state, answer.best))
            assert solution.solve(best).payoffs == answer.value
    assert proved > (8 if is_enabled() else 2)


def test_small_games_are_proved_to_the_end():
    """Tic-tac-toe is a draw, and the second player wins hexapawn [Gardner 1962]."""
    for spec, value in (("tic-tac-toe", 0), ("hexapawn", -1)):
        answer = Mcts(find(spec)).think(None, Limit(nodes=500_000), seed=1)
        assert (answer.value[0], answer.kind, answer.stopped) == (value, "exact", "done")


def test_the_mean_comes_near_the_value_with_dice():
    """The best move and, within five standard errors, its value: it is 8 or 0, so that one simulation errs by 4."""
    tree = TreeGame("max(chance(1/2:8 1/2:0) chance(1/4:10 3/4:-10) min(2 5))")
    answer = Mcts(tree, 1, techniques=[]).think(None, Limit(nodes=20_000), seed=3)
    assert answer.best == "a"
    assert answer.value[0] == pytest.approx(4, abs=5 * 4 / math.sqrt(answer.moves[0].visits))


@pytest.mark.both
def test_three_players_have_three_payoffs():
    game = find("trio")
    answer = Mcts(game, 1).think(None, Limit(nodes=some(500)), seed=2)
    assert len(answer.value) == game.players == 3
    assert answer.kind == "estimate"


def test_a_full_tree_makes_room_and_continues():
    """Never more memory than was asked for; what is forgotten is what was visited least."""
    game = find("connect-four")
    search = Mcts(game, megabytes=0.25, techniques=[])
    answer = search.think(None, Limit(nodes=200_000), seed=1)
    assert answer.stats["simulations"] == 200_000
    assert len(search.tree.memory) * 8 <= 0.25 * 1024 * 1024
    assert search.tree.header().top <= len(search.tree.memory)
    assert answer.best in "345"
    assert sum(move.visits for move in answer.moves) == 200_000


@pytest.mark.both
def test_the_tree_is_kept_from_move_to_move():
    game = find("connect-four")
    search, referee = Mcts(game, 1, techniques=[]), Referee(game)
    first = search.think(referee, Limit(nodes=some(1000)), seed=1)
    referee.play_text(first.line[0])
    reply = game.format_action(
        referee.state,
        search.tree.action(
            max(
                search.tree.child_nodes(
                    next(
                        child
                        for child in search.tree.child_nodes(ROOT)
                        if game.format_action(game.initial(), search.tree.action(child)) == first.best
                    )
                ),
                key=search.tree.visits,
            )
        ),
    )
    referee.play_text(reply)
    second = search.think(referee, Limit(nodes=some(1000)), seed=1)
    assert second.stats["known_before"] > 5
    assert sum(move.visits for move in second.moves) == some(1000) + second.stats["known_before"] - 1
    assert count_of(search.tree.children(ROOT)) > 0


@pytest.mark.both
def test_another_game_starts_with_an_empty_tree():
    game = find("connect-four")
    search = Mcts(game, 1)
    search.think(None, Limit(nodes=some(100)), seed=1)
    later = search.think(game.result(game.initial(), 3), Limit(nodes=some(100)), seed=1)
    assert later.stats["known_before"] == 0


def test_two_threads_lose_no_visit():
    game = find("connect-four")
    search = Mcts(game, 8, threads=2, techniques=[], trees=1)
    answer = search.think(None, Limit(nodes=100_000), seed=1)
    assert search.tree.visits(ROOT) == sum(move.visits for move in answer.moves) == 100_000
    must_be_sound(search.tree, threads=2)
    assert abs(answer.value[0]) < 1


@pytest.mark.both
def test_the_answer_is_legal_however_few_simulations_there_are():
    """In Kalah a player may move twice; in pig there are dice."""
    for name in ("kalah", "pig"):
        game = find(name)
        for state in random_states(game, "few", (0, 8), 4):
            answer = Mcts(game, 1, techniques=[]).think(state, Limit(nodes=1), seed=1)
            assert answer.best in {game.format_action(state, action) for action in legal_actions(game, state)}


@pytest.mark.both
def test_it_is_one_of_the_searches():
    game = find("tic-tac-toe")
    answer = analyse(game, None, "mcts", Limit(nodes=200), seed=random.Random(1).randrange(100))
    assert answer.agent == "mcts"
    assert answer.moves[0].visits is not None


@pytest.mark.plain
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"threads": 0}, r"a search has 1 to \d+ threads"),
        ({"megabytes": 0}, "makes no sense"),
        ({"tuning": Tuning(playout_plies=3)}, "need a game with `evaluate`"),
        ({"techniques": ["luck"]}, "no technique 'luck'"),
        ({"techniques": ["bounds"]}, "needs a game with `bounds`"),
        ({"techniques": ["priors"]}, "needs a game with `prior` or `evaluate`"),
    ],
)
def test_wrong_options_are_one_sentence(arguments, sentence):
    with pytest.raises(UsageError, match=sentence):
        Mcts(find("nim"), **arguments)


@pytest.mark.plain
def test_a_depth_alone_is_not_a_limit():
    with pytest.raises(UsageError, match="give it a time or a number of simulations"):
        Mcts(find("tic-tac-toe"), 1).think(None, Limit(depth=3))


@pytest.mark.plain
def test_nothing_to_choose_is_one_sentence():
    game = find("tic-tac-toe")
    with pytest.raises(Refused, match=r"the game is over in .*: X wins; give a position in which"):
        Mcts(game, 1).think(game.parse_state("XXX/OO./... o"))


@pytest.mark.both
def test_the_tree_can_be_drawn_while_it_grows(monkeypatch):
    """The moves that were tried most, with their visits; asked from the thread that hears of progress."""
    monkeypatch.setattr("zermelo.search.runtime.root_search.REPORT_SECONDS", 0)
    game, seen = find("connect-four"), []
    search = Mcts(game, 4, techniques=[])
    answer = search.think(
        None,
        Limit(time=0.6),
        seed=1,
        progress=lambda _: seen.append(search.draw_tree(game.initial(), most=3, depth=2)),
    )
    final = search.draw_tree(game.initial(), most=3, depth=2)
    assert {child.move for child in final.children} <= {f"{move.move} ×{move.visits}" for move in answer.moves}
    shown = [int(child.move.partition("×")[2]) for child in final.children]
    assert shown == sorted((move.visits for move in answer.moves), reverse=True)[:3]
    assert all(len(node.children) <= 3 for node in final.nodes())
    assert {node.kind for node in final.nodes()} == {"max", "min"}
    assert len(seen) >= 1
    assert tree_text(final).count("×") >= 3


@pytest.mark.plain
def test_there_is_no_tree_before_a_search():
    with pytest.raises(UsageError, match="there is no tree yet"):
        Mcts(find("nim")).draw_tree(find("nim").initial())


def test_stop_early_ends_the_search_when_no_move_can_overtake():
    game = TreeGame("max(chance(1/2:1 1/2:0.9) -1 -1)")
    answer = Mcts(game, 1, techniques=[]).think(None, Limit(time=3), seed=1, stop_early=True)
    assert answer.best == "a"
    assert answer.stopped == "done"
