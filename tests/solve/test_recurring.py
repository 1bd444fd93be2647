"""Games with dice whose positions recur: values from elsewhere, all strategies of random games, bounds that hold."""

import random
from fractions import Fraction
from itertools import product

import pytest
from graphs import OVER, Graph, Node, SoloGraph, TrioGraph, chain_values, random_graph, true_values
from solve_games import RING, DiceZoo, Spot, Zoo

from sizes import some
from zermelo.core.errors import NotProved, RulesError
from zermelo.core.game import CHANCE, Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.pig import Pig
from zermelo.search.runtime import Request
from zermelo.solve import solve
from zermelo.solve.solver import _induction

PAYOFFS = [Fraction(number, 4) for number in (-4, -3, -1, 0, 1, 2, 4)]
HALF = Fraction(1, 2)


def over(payoff):
    return Node(OVER, payoffs=(Fraction(payoff), -Fraction(payoff)))


def moves(*nodes):
    return tuple((node, Fraction(0)) for node in nodes)


def roll(*nodes):
    return Node(CHANCE, tuple((node, Fraction(1, len(nodes))) for node in nodes))


# -- pig ---------------------------------------------------------------------------------------------------------------


def test_pig_has_the_value_that_neller_and_presser_found():
    """0.530592 in "Optimal Play of the Dice Game Pig", 2004; ten digits recomputed with an independent program."""
    answer = solve(Pig())
    assert (1 + answer.value[0]) / 2 == pytest.approx(0.5305927253, abs=5e-11)
    assert 0 < answer.error < 1e-10
    assert answer.value[1] == -answer.value[0]
    assert (answer.kind, answer.best, answer.line) == ("exact", "roll", ("roll",))


@pytest.mark.plain
def test_little_pig_as_in_the_paper(monkeypatch):
    """Neller and Presser's own equations, by value iteration: the chance to win with scores i and j and a turn of k."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    target = 6
    chances = {}

    def chance(i, j, k):
        return 1.0 if i + k >= target else chances.get((i, j, k), 0.0)

    change = 1.0
    while change > 1e-15:
        change = 0.0
        for i, j in product(range(target), repeat=2):
            for k in range(target - i):
                rolled = (1 - chance(j, i, 0) + sum(chance(i, j, k + face) for face in range(2, 7))) / 6
                found = max(rolled, 1 - chance(j, i + k, 0))
                change = max(change, abs(found - chance(i, j, k)))
                chances[i, j, k] = found
    game = Pig(target)
    for i, j, k in [(0, 0, 0), (2, 0, 3), (5, 5, 0), (0, 4, 4), (3, 5, 2)]:
        answer = solve(game, game.parse_state(f"{i}-{j} {k} 1"))
        assert (1 + answer.value[0]) / 2 == pytest.approx(chance(i, j, k), abs=1e-12)
        kept = 1 - chance(j, i + k, 0)
        assert {move.move: move.value[0] for move in answer.moves}["hold"] == pytest.approx(2 * kept - 1, abs=1e-12)


# -- formulas ----------------------------------------------------------------------------------------------------------


def walk(steps, up):
    """A random walk between ruin, 0, and a fortune; the start is in the middle."""
    places = [Node(CHANCE, ((n - 1, 1 - up), (n + 1, up))) for n in range(1, steps)]
    return [over(-1), *places, over(1)]


@pytest.mark.both
@pytest.mark.parametrize("up", [HALF, Fraction(2, 5), Fraction(9, 10)], ids=str)
def test_the_gamblers_ruin(up):
    """Who has n of N coins gets them all with probability (1 - r^n) / (1 - r^N), r the odds against; n / N if even."""
    steps, against = 14, (1 - up) / up
    for place in (1, 7, 13):
        answer = solve(Graph(walk(steps, up)), place, memory_mb=1)
        luck = Fraction(place, steps) if against == 1 else (1 - against**place) / (1 - against**steps)
        assert abs(Fraction(answer.value[0]) - (2 * luck - 1)) <= Fraction(answer.error)
        assert answer.error < 1e-10


@pytest.mark.both
def test_a_coin_that_is_thrown_until_it_shows_heads():
    """One position, with a way back to itself."""
    answer = solve(Graph([Node(CHANCE, ((0, HALF), (1, HALF))), over(1)]), memory_mb=1)
    assert answer.value[0] == pytest.approx(1, abs=1e-12)
    assert abs(answer.value[0] - 1) <= answer.error


# -- a game without an end is a draw -----------------------------------------------------------------------------------


@pytest.mark.both
@pytest.mark.parametrize("game", [Zoo(), DiceZoo()], ids=str)
def test_an_endless_game_is_a_draw(game):
    answer = solve(game, Spot(RING, 0, 0), Limit(time=60))
    assert (answer.value, answer.error, answer.distance) == ((0, 0), 0, None)
    assert {move.value for move in answer.moves} == {(0, 0)}


@pytest.mark.both
def test_a_line_that_comes_back_ends_there():
    circle = [Node(0, moves(1)), Node(1, moves(2)), Node(0, moves(0, 3)), over(-1)]
    answer = solve(Graph(circle), memory_mb=1)
    assert (answer.value, answer.line) == ((0, 0), ("0", "0", "0"))


@pytest.mark.both
@pytest.mark.parametrize(
    ("nodes", "value"),
    [
        ([Node(0, moves(1, 2)), Node(1, moves(0, 3)), over("1/4"), over("1/2")], "1/4"),  # the first leaves
        ([Node(0, moves(1, 2)), Node(1, moves(0, 3)), over("1/4"), over("-1/2")], "1/4"),  # before it is worse
        ([Node(0, moves(1, 2)), Node(1, moves(0, 3)), over("-1/4"), over("1/2")], 0),  # nobody wants to
        ([Node(0, moves(1, 2)), Node(1, moves(0, 3)), over("-1/4"), over("-1/2")], "-1/4"),
        ([Node(0, moves(1)), Node(0, moves(0, 2)), roll(0, 3, 4), over(1), over("1/2")], "3/4"),
        ([Node(0, moves(1)), roll(0, 2), Node(1, moves(2, 3)), over("-1")], "-1"),  # 2: stay, or win
    ],
)
def test_a_player_who_gains_by_leaving_a_cycle_leaves_it(nodes, value):
    answer = solve(Graph(nodes), memory_mb=1)
    assert answer.value[0] == pytest.approx(float(Fraction(value)), abs=1e-12)
    assert abs(Fraction(answer.value[0]) - Fraction(value)) <= Fraction(answer.error)


# -- random games: one and two players, dice, circles, ties, self-loops, impossible rolls ------------------------------

OWNERS = [(0, 1), (0, 1, CHANCE), (0, 1, CHANCE, CHANCE), (0, CHANCE), (1, CHANCE)]


@pytest.mark.both
def test_the_bounds_hold_whatever_strategies_there_are():
    """Every position of random games, against all strategies of both players in exact fractions."""
    for seed in range(some(60)):
        rng = random.Random(seed)
        nodes = random_graph(rng, rng.randint(2, 6), OWNERS[seed % len(OWNERS)], PAYOFFS)
        truth, best = true_values(nodes), {}
        for state, node in enumerate(nodes):
            if node.owner != OVER:
                answer = solve(Graph(nodes), state, memory_mb=1)
                allowed = Fraction(answer.error)
                assert abs(Fraction(answer.value[0]) - truth[state]) <= allowed < 1e-12, seed
                for move in answer.moves:
                    to = node.moves[int(move.move)][0]
                    assert abs(Fraction(move.value[0]) - truth[to]) <= allowed, seed
                if node.owner != CHANCE:
                    best[state] = int(answer.best)
        assert guarantees(nodes, best) == (truth, truth), seed


@pytest.mark.parametrize("seed", [12, 107, 173, 371])
def test_bounds_meet_in_larger_games(seed):
    """The second player can wait in circles for a value that was only ever an estimate, and must not get it."""
    nodes = random_graph(random.Random(seed), 400, (0, 1, CHANCE, CHANCE), PAYOFFS, fan=5)
    answer = solve(Graph(nodes), memory_mb=4)
    assert answer.error < 1e-11
    assert answer.stats["positions"] > 300


def guarantees(nodes, best):
    """What the best moves get for each player whatever the other one does: they do not go round in circles."""
    found = []
    for player, worst in ((0, min), (1, max)):
        own = {n: move for n, move in best.items() if nodes[n].owner == player}
        theirs = [n for n in best if n not in own]
        answers = [
            chain_values(nodes, own | dict(zip(theirs, replies, strict=True)))
            for replies in product(*(range(len(nodes[n].moves)) for n in theirs))
        ]
        found.append([worst(column) for column in zip(*answers, strict=True)])
    return tuple(found)


@pytest.mark.both
def test_interpreted_and_compiled_answers_are_the_same_to_the_last_bit(monkeypatch):
    for kind, players in ((Graph, 2), (TrioGraph, 3)):
        for seed in range(some(8)):
            nodes = random_graph(random.Random(seed), 6, (*range(players), CHANCE), PAYOFFS, players)
            fast = solve(kind(nodes), memory_mb=1)
            with monkeypatch.context() as patch:
                patch.setenv("NUMBA_DISABLE_JIT", "1")
                slow = solve(kind(nodes), memory_mb=1)
            assert slow.stats["compiled"] is False
            assert (slow.value, slow.error, slow.moves) == (fast.value, fast.error, fast.moves)


@pytest.mark.plain
def test_one_player_alone(monkeypatch):
    """The same as two, of whom one never moves."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for seed in range(5):
        nodes = random_graph(random.Random(seed), 5, (0, CHANCE), PAYOFFS)
        answer = solve(SoloGraph(nodes), memory_mb=1)
        assert len(answer.value) == 1
        assert abs(Fraction(answer.value[0]) - true_values(nodes)[0]) <= Fraction(answer.error)


@pytest.mark.plain
@pytest.mark.filterwarnings("ignore::zermelo.kernel.CompileWarning")
def test_a_game_that_does_not_compile_is_solved_too():
    class Letters(Game):
        """Throw until a word is spelt, or misspelt."""

        chance = True
        players = 1

        def initial(self):
            return ""

        def to_move(self, state):
            return CHANCE

        def actions(self, state):
            return "ab"

        def result(self, state, action):
            return "" if state + action == "a" else state + action

        def is_terminal(self, state):
            return len(state) == 2

        def utility(self, state, player):
            return 1 if state == "ba" else -1

    answer = solve(Letters(), memory_mb=1)
    assert answer.value[0] == pytest.approx(0, abs=1e-12)
    assert answer.notes == ("it ran interpreted",)


# -- everybody for themselves ------------------------------------------------------------------------------------------


def equilibria(nodes):
    """The first node's payoffs for all combinations of moves that no player would change alone in one position."""
    deciding = [n for n, node in enumerate(nodes) if node.owner >= 0]
    for choices in product(*(range(len(nodes[n].moves)) for n in deciding)):
        choice = dict(zip(deciding, choices, strict=True))
        values = [chain_values(nodes, choice, player) for player in range(3)]
        if all(
            values[nodes[n].owner][n] >= max(values[nodes[n].owner][to] for to, _ in nodes[n].moves) for n in deciding
        ):
            yield [column[0] for column in values]


@pytest.mark.both
def test_three_players_reach_an_equilibrium():
    for seed in range(some(25)):
        rng = random.Random(seed)
        nodes = random_graph(rng, rng.randint(2, 5), (0, 1, 2, CHANCE), PAYOFFS, players=3, fan=2)
        answer = solve(TrioGraph(nodes), memory_mb=1)
        assert any(
            all(
                abs(Fraction(found) - true) <= Fraction(answer.error)
                for found, true in zip(answer.value, one, strict=True)
            )
            for one in equilibria(nodes)
        ), seed


@pytest.mark.both
def test_without_an_equilibrium_it_says_so():
    """Who gives up has half a point; the one before gets a whole point for waiting, and the one after loses it."""
    ends = [(HALF, -1, 1), (1, HALF, -1), (-1, 1, HALF)]
    nodes = [Node(n, moves(3 + n, (n + 1) % 3)) for n in range(3)]
    nodes += [Node(OVER, payoffs=tuple(map(Fraction, end))) for end in ends]
    assert not list(equilibria(nodes))
    with pytest.raises(NotProved, match="no equilibrium was found"):
        solve(TrioGraph(nodes), memory_mb=1)


# -- points in the bank ------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_pacman_among_ghosts_that_move_by_chance():
    """Plain expectimax agrees; what has been scored already is left out of the table."""
    game = find("pacman:layout=trapped,random=true,steps=5")
    known = {}

    def expectimax(state):
        if state not in known:
            if game.is_terminal(state):
                known[state] = game.utility(state, 0)
            elif game.to_move(state) == CHANCE:
                known[state] = sum(p * expectimax(game.result(state, a)) for a, p in game.outcomes(state))
            else:
                known[state] = max(expectimax(game.result(state, action)) for action in game.actions(state))
        return known[state]

    answer = solve(game, memory_mb=1)
    assert answer.value[0] == pytest.approx(expectimax(game.initial()), abs=1e-9)
    bare = [game.without_bank(state) for state in known if not game.is_terminal(state)]
    assert answer.stats["positions"] == len({game.key(state) for state in bare})


class Mill(Game):
    """A wheel that pays a point each time it goes round, until it breaks."""

    players, chance, utility_range = 1, True, (0, 100)

    def initial(self):
        return 0, 0

    def to_move(self, state):
        return CHANCE

    def actions(self, state):
        return range(2)

    def result(self, state, action):
        return action, state[1] + 1

    def is_terminal(self, state):
        return state[0] == 1

    def utility(self, state, player):
        return state[1]

    def bank(self, state, player):
        return state[1]

    def without_bank(self, state):
        return state[0], 0


@pytest.mark.plain
@pytest.mark.filterwarnings("ignore::zermelo.kernel.CompileWarning")
def test_points_for_going_round_are_not_counted_to_infinity():
    with pytest.raises(RulesError, match="mill can repeat a position and win points each time"):
        _induction(Request(Referee(Mill(), (0, 0))), 1).answer()


class Wages(Mill):
    """Work for nothing, for two points or for one; then the dice end the game. A state is (step, points)."""

    utility_range = (0, 2)

    def to_move(self, state):
        return CHANCE if state[0] == 2 else 0

    def actions(self, state):
        return range(3 if state[0] == 1 else 1)

    def result(self, state, action):
        return state[0] + 1, state[1] + (0, 2, 1)[action]

    def is_terminal(self, state):
        return state[0] == 3


@pytest.mark.plain
@pytest.mark.filterwarnings("ignore::zermelo.kernel.CompileWarning")
def test_of_moves_that_differ_only_in_points_the_line_takes_the_best():
    """They lead to the same place of the table, which says where the best move leads."""
    answer = _induction(Request(Referee(Wages(), (0, 0))), 1).answer()
    assert answer.value == (2.0,)
    assert answer.line == ("0", "1")


# -- limits ------------------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_a_limit_holds_in_the_middle_of_an_iteration():
    game = Graph(walk(30, HALF))
    free = solve(game, 15, memory_mb=1)
    assert free.stats["nodes"] > 1000
    with pytest.raises(NotProved, match=r"is not proved after [\d,]+ nodes; its value lies somewhere in \[-1, 1\]"):
        solve(game, 15, Limit(nodes=1000), memory_mb=1)


@pytest.mark.both
def test_if_rounding_keeps_bounds_apart_nothing_is_claimed():
    """Sixty heads in a row, or all over again: it happens at last, but no sum of floating-point numbers can tell."""
    nodes = [roll(0, throw + 1) for throw in range(60)] + [over(1)]
    with pytest.raises(NotProved, match=r"rounding keeps its bounds apart; its value lies in \[.*, 1\]; ask `best`"):
        solve(Graph(nodes), memory_mb=1)


def test_time_is_up_in_the_middle_of_an_iteration():
    """Sixteen hundred coins change hands a very long time."""
    game = Graph(walk(1600, HALF))
    with pytest.raises(NotProved, match=r"nodes and [\d.]+ s; its value lies"):
        solve(game, 800, Limit(time=0.3))


def test_a_game_that_is_too_large_says_so():
    with pytest.raises(
        NotProved, match="pig has more positions than the table of the solver holds; give it more memory"
    ):
        solve(Pig(), memory_mb=1)


@pytest.mark.both
def test_dice_that_do_not_sum_to_one_break_the_contract():
    nodes = [Node(CHANCE, ((1, HALF), (2, Fraction(1, 3)))), over(1), over(-1)]
    with pytest.raises(RulesError, match="probabilities that do not sum to 1"):
        solve(Graph(nodes), memory_mb=1)
