"""What searches in layers claim to be proved, holds: random games against plain recursion, and the cases that did not.

Each claim is about the value of the game, in which all play for themselves, whatever the search thinks of the others.
"""

import dataclasses
import math
import random

import pytest
from layer_claims import is_near, wrong_claims
from layer_graphs import Graph, Kind, Node, for_itself, payoffs_by_recursion, together

from zermelo.core.errors import Refused, RulesError
from zermelo.core.game import CHANCE, Game
from zermelo.core.limit import Limit
from zermelo.games.tree import Tree
from zermelo.search import SEARCHES, analyse
from zermelo.search.expectiminimax import (
    AT_RANDOM,
    MAXIMISE,
    MINIMISE,
    SELFISH,
    Expectiminimax,
    Roles,
    against,
    against_all,
    best_reply,
    each_alone,
    opposed,
)
from zermelo.search.expectiminimax.techniques import SOUND
from zermelo.search.expectiminimax.workspace import AGAINST, MAX, MIN, OWN

pytestmark = [pytest.mark.plain, pytest.mark.no_cover, pytest.mark.filterwarnings("ignore:.*runs interpreted")]


# -- random games ---------------------------------------------------------------------------------------


def some_kind(rng, players):
    total = rng.choice([None, None, 4, 6]) if players > 1 else None
    return Kind(
        players=players,
        zero_sum=total is None and rng.random() < 0.5,
        chance=rng.random() < 0.6,
        layers=rng.randint(3, 7),
        width=rng.randint(2, 4),
        branching=rng.randint(2, 4),
        steps=rng.choice([1, 2, 2, 4]),
        total=total,
    )


def selfish(rng):
    graph = Graph(rng.randrange(1 << 30), some_kind(rng, rng.choice([1, 2, 3, 3, 3, 4])))
    return graph, each_alone(graph)


def with_dice(rng):
    kind = dataclasses.replace(some_kind(rng, rng.choice([1, 2, 2, 2])), zero_sum=True, chance=True, total=None)
    graph = Graph(rng.randrange(1 << 30), kind)
    return graph, rng.choice([opposed(graph), against_all(graph, rng.randrange(graph.players))])


def of_any_cast(rng):
    graph = Graph(rng.randrange(1 << 30), some_kind(rng, rng.choice([2, 2, 3, 4])))
    seats = range(graph.players)
    everything = [MAXIMISE, MINIMISE, AT_RANDOM, SELFISH, *map(against, seats)]
    behaviours = rng.choice([everything, everything[:2]])
    team = tuple(rng.sample(seats, rng.randint(1, 2)))
    casts = [
        against_all(graph, rng.choice(seats)),
        against_all(graph, *team),
        best_reply(graph, rng.choice(seats)),
        Roles(team, tuple(rng.choice(behaviours) for _ in seats)),
    ]
    return graph, rng.choice(casts)


def with_odd_payoffs(rng):
    """Tiny and huge ones, and such that are rounded; or without limits."""
    graph, _ = selfish(rng) if rng.random() < 0.5 else with_dice(rng)
    scale = rng.choice([1.0, 0.1, 0.3, 1e20, 1e-300, 1e307])
    graph = Graph(graph.seed, dataclasses.replace(graph.kind, scale=scale, is_bounded=rng.random() < 0.5))
    return graph, opposed(graph) if graph.players == 2 and graph.zero_sum else each_alone(graph)


def wish_of(roles, seat):
    """What payoffs are worth to a seat; None if it moves at random."""
    behaviour = roles.behaviours[seat]
    return {
        OWN: for_itself(seat),
        AGAINST: together((behaviour.victim,), -1),
        MAX: together(roles.team),
        MIN: together(roles.team, -1),
    }.get(behaviour.role)


def check_many_answers(graph, roles, rng):
    """One search of the graph after another, with some techniques and a table that it keeps."""
    chosen = (MAX, MIN, OWN, AGAINST)
    roots = [
        state
        for state, node in enumerate(graph.nodes)
        if node.children and node.mover != CHANCE and roles.behaviours[node.mover].role in chosen
    ]
    names = [name for name in SOUND if rng.random() < 0.75] if rng.random() < 0.6 else None
    if names and not graph.kind.is_bounded:
        names = [name for name in names if name not in ("stars", "probes")]
    search = Expectiminimax(graph, roles, rng.choice([0.0002, 0.001, 0.1]), names)
    wishes = [wish_of(roles, seat) for seat in range(graph.players)]
    slack, known = 1e-9 * graph.kind.scale, {}
    for state in rng.sample(roots, min(len(roots), 3)) + roots[:2]:
        limit = rng.choice([Limit(), Limit(depth=rng.randint(1, 8)), Limit(nodes=rng.randint(1, 20)), Limit(nodes=150)])
        reports = []
        answer = search.think(state, limit, lines=rng.randint(1, 3), progress=reports.append)
        for found in (*reports, answer):
            assert wrong_claims(graph, state, found, slack) == []
        if limit.nodes is None and not roles.one_replies:
            is_done = answer.stopped == "done"
            depth = math.inf if is_done else answer.stats["depth"]
            wanted = payoffs_by_recursion(graph, wishes, state, depth, known)
            values = answer.value if roles.needs_maxn else (sum(answer.value[player] for player in roles.team),)
            wanted = wanted if roles.needs_maxn else (sum(wanted[player] for player in roles.team),)
            assert is_near(values, wanted, slack), "techniques that are sound change the value to a depth"
            assert is_done or limit.depth is not None


@pytest.mark.parametrize("kind", [selfish, with_dice, of_any_cast, with_odd_payoffs])
def test_claims_of_a_search_hold_in_random_games(kind):
    for seed in range(75):
        rng = random.Random(seed)
        check_many_answers(*kind(rng), rng)


@pytest.mark.long
@pytest.mark.parametrize("kind", [selfish, with_dice, of_any_cast, with_odd_payoffs])
def test_claims_of_a_search_hold_in_thousands_of_random_games(kind):
    for seed in range(1000, 4000):
        rng = random.Random(seed)
        check_many_answers(*kind(rng), rng)


class Worded(Graph):
    """Moves are texts, so that the textbook's searches are used."""

    def actions(self, state):
        yield from (f"m{number}" for number in super().actions(state))

    def outcomes(self, state):
        yield from ((f"m{number}", chance) for number, chance in super().outcomes(state))

    def result(self, state, action):
        return super().result(state, int(action[1:]))

    def order(self, state, action):
        return super().order(state, int(action[1:]))


@pytest.mark.parametrize("algorithm", [name for name in SEARCHES if name not in ("mcts", "determinised", "quiescence")])
def test_claims_of_the_textbooks_searches_hold_in_random_games(algorithm):
    for seed in range(50):
        rng = random.Random(seed)
        graph = Worded(seed, some_kind(rng, rng.choice([1, 2, 2, 3, 4])))
        try:
            answer = analyse(graph, 0, algorithm, rng.choice([Limit(), Limit(depth=3), Limit(nodes=60)]))
        except Refused:
            continue
        assert wrong_claims(graph, 0, answer, 1e-9) == []


# -- the cases ------------------------------------------------------------------------------------------


def inner(mover, *children, estimates=()):
    return Node(mover, children, (), (), estimates, (0.0,) * len(children))


def over(*payoffs):
    return Node(0, (), (), payoffs, (), ())


def drawn(*nodes, graph=Graph):
    """A graph of these nodes, without dice."""
    found = graph()
    found.nodes, found.players, found.chance = nodes, len(nodes[-1].payoffs), False
    found.zero_sum = found.players == 2
    return found


def think(tree, roles=None, lines=1, **limit):
    return Expectiminimax(tree, roles, 0.1).think(None, Limit(**limit), lines=lines)


def test_an_earlier_move_that_is_not_proved_may_still_tie_in_max_n():
    """At depth 3 the second player's later move pays the most there is; the earlier one does so too, a ply further."""
    tree = Tree("p1(p2(p3(p3(<3,4,3> <0,4,2>)) <2,4,2>) <1,1,1>)")
    answers = [think(tree, each_alone(tree), depth=depth) for depth in range(1, 8)]
    assert [wrong for answer in answers for wrong in wrong_values(answer, (3, 4, 3))] == []
    assert (answers[-1].value, answers[-1].kind, answers[-1].stopped) == ((3, 4, 3), "exact", "done")


def wrong_values(answer, value):
    return [answer.value] if answer.kind == "exact" and answer.value != value else []


def test_a_later_move_need_not_be_proved_once_the_mover_has_the_most_there_is():
    tree = Tree("p1(p2(<2,4,2> p3(p3(p3(<3,4,3>)))) <1,1,1>)")
    answer = think(tree, each_alone(tree))
    assert (answer.value, answer.kind, answer.stats["depth"]) == ((2, 4, 2), "exact", 2)


class SameRoll(Game):
    """Two dice are the same but for their names; one is chosen and rolled, and then six plies decide."""

    chance, utility_range = True, (-10, 10)

    def initial(self):
        return 0, 0

    def to_move(self, state):
        return CHANCE if state[0] == 1 else state[0] % 2

    def is_terminal(self, state):
        return state[0] == 8

    def actions(self, state):
        return range(2)

    def result(self, state, action):
        ply, seen = state
        return ply + 1, (action if ply == 0 else action + 1 if ply == 1 else (3 * seen + action) % 7)

    def utility(self, state, player):
        return state[1] if player == 0 else -state[1]

    def evaluate(self, state, player):
        return 0.37 * self.utility(state, player)


@pytest.mark.parametrize("depth", [3, 4, 5])
def test_an_outcome_that_the_table_only_estimates_is_not_proved(depth):
    answer = think(SameRoll(), lines=2, depth=depth)
    assert [move.kind for move in answer.moves] == ["estimate", "estimate"]
    assert {move.kind for move in think(SameRoll(), lines=2).moves} == {"exact"}


class Race(Game):
    """Stop, and win at once; or go on, and a die is rolled, for ever."""

    chance = True

    def __init__(self, first=0):
        self.first = first

    def initial(self):
        return self.first, 0

    def to_move(self, state):
        return CHANCE if state[1] == 1 else state[0]

    def is_terminal(self, state):
        return state[1] == 2

    def actions(self, state):
        return range(2)

    def result(self, state, action):
        return (1 - state[0], 0) if state[1] == 1 else (state[0], action + 1)

    def utility(self, state, player):
        return 1 if player == state[0] else -1


def test_either_player_stops_at_a_proved_win():
    answers = [think(Race(first), nodes=3000) for first in (0, 1)]
    assert [answer.value for answer in answers] == [(1, -1), (-1, 1)]
    assert {(answer.kind, answer.stopped, answer.stats["nodes"]) for answer in answers} == {("exact", "done", 2)}


def test_a_depth_that_was_not_finished_does_not_count():
    tree = Tree("max(min(5 max(6 1)) min(7 8) min(1 max(9 2)) min(4 4))")
    for nodes in range(1, 40):
        finished = []
        answer = Expectiminimax(tree, megabytes=0.1).think(None, Limit(nodes=nodes), progress=finished.append)
        assert answer.stats["depth"] == len(finished)


@pytest.mark.parametrize("lines", [1, 2])
@pytest.mark.parametrize("roles", [opposed, each_alone])
def test_a_stopped_search_remembers_what_an_earlier_depth_proved_of_other_moves(roles, lines):
    """The first move looks best until depth 3 shows that it loses; what the other one gets was proved at depth 1."""
    graph = drawn(
        inner(0, 1, 2),
        inner(0, 3, estimates=(0.75, -0.75)),
        over(0.5, -0.5),
        inner(0, 4, estimates=(0.75, -0.75)),
        over(-1.0, 1.0),
    )
    for nodes in range(1, 30):
        answer = think(graph, roles(graph), nodes=nodes, lines=lines)
        assert wrong_claims(graph, 0, answer) == []


def test_the_textbooks_max_n_waits_for_an_earlier_move_that_may_tie():
    graph = drawn(inner(0, 1, 2), inner(0, 3, estimates=(1, 1, 1)), over(4, 3, 4), over(4, 0, 4), graph=Worded)
    graph.utility_range = (0, 4)
    answer = analyse(graph, 0, "maxn")
    assert (answer.value, answer.best, answer.kind) == ((4, 0, 4), "m0", "exact")


@pytest.mark.parametrize("team", [(0, 1), (1,), ()])
def test_players_who_help_each_other_prove_nothing_about_their_game(team):
    tree = Tree("max(min(3 -3) min(1 -2))")
    roles = Roles(team, (MAXIMISE, MAXIMISE))
    answer = think(tree, roles)
    assert (answer.kind, {move.kind for move in answer.moves}) == ("estimate", {"estimate"})


def test_a_coalitions_total_does_not_bound_each_members_payoff():
    tree = Tree("p1(p2(<0,4,0> <1,1,0>) <1,1,1>)")
    answer = think(tree, against_all(tree, 0, 1))
    assert (answer.value[:2], answer.kind) == ((2, 2), "estimate")


class Twice(Game):
    """After the first player's move the second one moves twice; b and then b again is what hurts."""

    def initial(self):
        return ""

    def to_move(self, state):
        return 0 if state == "" else 1

    def actions(self, state):
        return "ab" if len(state) < 3 else ""

    def result(self, state, action):
        return state + action

    def utility(self, state, player):
        return (1 if player == 1 else -1) * (1 if state[1:] == "bb" else -1)


def test_best_reply_search_proves_nothing_where_the_opponent_moves_twice():
    found = analyse(Twice(), algorithm="bestreply")
    assert (found.value, found.kind) == ((1, -1), "estimate")
    found = analyse(Twice(), algorithm="minimax")
    assert (found.value, found.kind) == ((-1, 1), "exact")


class LaterFirst(Tree):
    """The later move is tried first."""

    def order(self, state, action):
        return float(action)


def test_a_sum_that_is_rounded_does_not_hide_a_tie():
    """One minus 0.9 is less than 0.1, in floating point."""
    tree = LaterFirst("p1(p2(<0.1,0.9,0> <0.05,0.2,0.75>) <0.1,0.2,0.7>)")
    tree.max_payoff_sum = 1.0
    answer = think(tree, each_alone(tree))
    assert (answer.value, answer.best, answer.kind) == ((0.1, 0.9, 0), "a", "exact")


class Unlimited(SameRoll):
    utility_range = (-math.inf, math.inf)


class TooWide(SameRoll):
    utility_range = (-1e308, 1e308)


@pytest.mark.parametrize("game", [Unlimited(), TooWide()])
def test_star1_and_star2_are_refused_without_limits_of_the_payoffs(game):
    for algorithm in ("star1", "star2"):
        with pytest.raises(Refused, match=r"of finite width; .* has payoffs without such limits: use expectiminimax"):
            analyse(game, algorithm=algorithm)
    with pytest.raises(Refused, match="stars and probes need a utility_range of finite width"):
        Expectiminimax(game, techniques=["cutoffs", "stars"])
    assert analyse(game, algorithm="expectiminimax").value == analyse(SameRoll(), algorithm="expectiminimax").value


def test_a_scouts_window_is_never_empty():
    """Beside large payoffs its null window vanishes, if the scale does not say how large they are."""
    for scale in (1.0, 1e20):
        payoffs = [scale * payoff for payoff in (1, 0, 1, 2)]
        tree = Tree("max(max(max({:.0f} {:.0f}) max({:.0f} {:.0f})))".format(*payoffs))
        tree.utility_range = (-math.inf, math.inf)
        assert think(tree).value[0] == 2 * scale


class Stranger(SameRoll):
    """In a rare position, the player to move does not exist."""

    def __init__(self, mover=1 << 40):
        self.mover = mover

    def to_move(self, state):
        return self.mover if state == (6, 3) else super().to_move(state)


@pytest.mark.parametrize("mover", [1 << 40, 2, -2])
@pytest.mark.parametrize("roles", [opposed, each_alone])
def test_a_mover_who_does_not_play_is_named_and_proves_nothing(mover, roles):
    with pytest.raises(RulesError, match="to_move returned a number that is not a player"):
        think(Stranger(mover), roles(Stranger(mover)))
