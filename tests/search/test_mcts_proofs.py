"""What Monte Carlo tree search calls exact is so: no bounds from samples, no rounding, no shared history."""

import math
import random
import zlib

import pytest

from zermelo.core.errors import RulesError
from zermelo.core.game import CHANCE, Game, legal_actions
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.search.mcts import Decisive, LastGoodReply, Mast, Mcts, Playout, Sampled, Sensible, Tuning

pytestmark = pytest.mark.plain


class Climb(Game):
    """One player, ten binary choices: the payoff is the square of the number of ones."""

    players, zero_sum, utility_range = 1, False, (0.0, math.inf)

    def initial(self):
        return 0, 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        return range(2) if state[0] < 10 else range(0)

    def result(self, state, action):
        return state[0] + 1, state[1] + action

    def utility(self, state, player):
        return float(state[1]) ** 2


class Debt(Climb):
    """Something like it, to be paid."""

    utility_range = (-math.inf, 0.0)

    def utility(self, state, player):
        return -(float(11 - state[1]) ** 2)


@pytest.mark.no_cover
@pytest.mark.parametrize(("game", "value"), [(Climb(), 100), (Debt(), -1)], ids=["0 to inf", "-inf to 0"])
def test_samples_prove_nothing_where_payoffs_have_no_bounds(game, value):
    for seed in range(2):
        search = Mcts(game, 1)
        early = search.think(None, Limit(nodes=500), seed=seed)
        assert early.kind == "estimate"
        late = search.think(None, Limit(nodes=2000), seed=seed)
        assert (late.value, late.kind, late.best) == ((value,), "exact", "1")  # all of the tree was seen


def test_a_tree_that_is_kept_keeps_its_scale():
    """After a few ones the payoffs that random games reach are larger; what was paid before has to mean the same."""
    game = Climb()
    search, referee = Mcts(game, 1, techniques=[]), Referee(game)
    search.think(referee, Limit(nodes=300), seed=1)
    for _ in range(6):
        referee.play(1)
        before = search._scale
        answer = search.think(referee, Limit(nodes=1), seed=1)
        assert answer.stats["known_before"] > 1
        assert search._scale == before
        ones = referee.state[1]
        for move in answer.moves:
            assert (ones + int(move.move)) ** 2 <= move.value[0] <= 100


class Scaled(Game):
    """Three plies of two moves; payoffs are -2, -1, 0, 1 or 2 times a factor."""

    def __init__(self, factor=1.0, range_=(-2.0, 2.0)):
        self.factor, self.range_ = factor, range_
        self.utility_range = range_

    def initial(self):
        return 0, 1

    def to_move(self, state):
        return state[0] % 2

    def actions(self, state):
        return range(2) if state[0] < 3 else range(0)

    def result(self, state, action):
        return state[0] + 1, 2 * state[1] + action

    def utility(self, state, player):
        return (state[1] * 7 % 5 - 2) * self.factor * (1 - 2 * player)


@pytest.mark.parametrize(
    ("factor", "range_"),
    [
        (1e-300, (-2e-300, 2e-300)),
        (5e-324, (-1e-323, 1e-323)),
        (8e307, (-1.7e308, 1.7e308)),
        (1e-5, (-1e9, 1e9)),
        (0.1, (-1.0, 1.0)),
        (1e-300, (-math.inf, math.inf)),
        (1e300, (-math.inf, 2e300)),
        (1e300, (-2e300, math.inf)),
    ],
)
def test_proved_values_are_not_rounded(factor, range_):
    game = Scaled(factor, range_)
    answer = Mcts(game, 1).think(None, Limit(nodes=200), seed=1)
    values = brute(game, Referee(game))
    assert answer.kind == "exact"
    assert answer.value[0] == values[0]
    estimate = Mcts(game, 1, techniques=[]).think(None, Limit(nodes=200), seed=1)
    assert all(math.isfinite(move.value[0]) for move in estimate.moves)
    assert max(abs(move.value[0]) for move in estimate.moves) <= 2 * factor * 1.01


def test_a_payoff_that_is_not_a_number_is_named():
    class Nan(Scaled):
        def utility(self, state, player):
            return math.nan if state[1] in (9, 15) else super().utility(state, player)

    with pytest.raises(RulesError, match=r"not a (finite )?number"):
        Mcts(Nan(), 1, techniques=[]).think(None, Limit(nodes=500), seed=1)


class Loop(Game):
    """From the start to Q or C; from Q (first player) to C, an end worth 1/2, or astray; from C to Q or that end."""

    START, Q, C, HALF = range(4)
    EDGES = ((Q, C), (C, HALF, 4), (Q, HALF), (), (5, 5), (6, 6), (7, 7), (8, 8), ())
    repetition = Repetition.DRAW_AT_TWO

    def initial(self):
        return self.START, 0

    def to_move(self, state):
        return 1 if state[0] in (self.START, self.C) else 0

    def actions(self, state):
        return range(len(self.EDGES[state[0]]))

    def result(self, state, action):
        return self.EDGES[state[0]][action], state[1] * 2 + action if state[0] > self.HALF else 0

    def utility(self, state, player):
        return (0.5 if state[0] == self.HALF else -1) * (1 - 2 * player)


@pytest.mark.no_cover
def test_a_proof_is_not_shared_by_positions_with_another_past():
    """Once Q was there, C is a draw: the second player goes back. Without that past C is worth 1/2."""
    game = Loop()
    for seed in range(40):
        search, referee = Mcts(game, 1, techniques=["solver", "transpositions"]), Referee(game)
        search.think(referee, Limit(nodes=10), seed=seed)
        referee.play(0)
        answer = search.think(referee, Limit(nodes=10), seed=seed)
        assert all(move.kind == "estimate" or move.value[0] == 0 for move in answer.moves if move.move == "0")


# -- random games --------------------------------------------------------------------------------------------


class Rough(Game):
    """A random graph: layers with an end, or one heap of positions where play may go in circles."""

    is_flat = False

    def __init__(self, seed=0, depth=4, width=4, scale=1.0):
        self.seed, self.depth, self.width, self.scale = seed, depth, width, scale

    def drawn(self, state, salt, below):
        return zlib.crc32(f"{self.seed} {state} {salt}".encode()) // 7 % below

    def initial(self):
        return 0, 0

    def to_move(self, state):
        if self.chance and state != (0, 0) and self.drawn(state, "die", 3) == 0:
            return CHANCE
        return self.drawn(state, "mover", self.players)

    def is_terminal(self, state):
        return state != (0, 0) and (state[0] >= self.depth or self.drawn(state, "end", 4) == 0)

    def actions(self, state):
        return range(0) if self.is_terminal(state) else range(1 + self.drawn(state, "moves", 3))

    def result(self, state, action):
        after = self.drawn(state, action, self.width)
        return (0 if self.is_flat else state[0] + 1), after

    def utility(self, state, player):
        return (self.drawn(state, "payoff", 5) - 2) / 2 * self.scale * (1 - 2 * player)


class Dicey(Rough):
    chance = True


class Alone(Rough):
    players, zero_sum = 1, False


class Circles(Rough):
    is_flat = True
    repetition = Repetition.DRAW_AT_TWO

    def is_terminal(self, state):
        return state != (0, 0) and self.drawn(state, "end", 2) == 0


class Thrice(Circles):
    repetition = Repetition.DRAW_AT_THREE


class Endless(Circles):
    repetition = Repetition.NOTHING


def brute(game, referee, action=None):
    """The first player's value of a position with its past, or after a move, by looking at every line to its end.

    Where play may go on forever: what each can force in a number of plies, the worst and the best of it.
    """
    state, past = referee.state, [turn.place for turn in referee.turns]
    if action is not None:
        state, past = game.result(state, action), [*past, game.repetition_key(state)]
    if isinstance(game, Endless):
        return tuple(forced(game, state, 24, end, {}) for end in game.utility_range)
    return (valued(game, state, past),) * 2


def valued(game, state, past):
    times = int(game.repetition)
    if game.is_terminal(state):
        return game.utility(state, 0)
    if times and past.count(state) + 1 >= times:
        return sum(game.utility_range) / 2
    below = {action: valued(game, game.result(state, action), [*past, state]) for action in legal_actions(game, state)}
    return chosen(game, state, below)


def forced(game, state, plies, otherwise, known):
    if game.is_terminal(state):
        return game.utility(state, 0)
    if plies == 0:
        return otherwise
    if (state, plies) not in known:
        moves = legal_actions(game, state)
        below = {action: forced(game, game.result(state, action), plies - 1, otherwise, known) for action in moves}
        known[state, plies] = chosen(game, state, below)
    return known[state, plies]


def chosen(game, state, below):
    mover = game.to_move(state)
    if mover == CHANCE:
        return sum(chance * below[action] for action, chance in game.outcomes(state))
    return max(below.values()) if mover == 0 else min(below.values())


def must_hold(game, referee, answer):
    """How many claims there were."""
    claims = [(game.parse_action(referee.state, move.move), move) for move in answer.moves if move.kind != "estimate"]
    if answer.kind != "estimate":
        claims += [(None, answer), (game.parse_action(referee.state, answer.best), answer)]
    for action, claim in claims:
        assert claim.kind == "exact"
        for truth in brute(game, referee, action):
            assert claim.value[0] == pytest.approx(truth, abs=1e-12 * game.scale), (game, action, claim, truth)
    return len(claims)


POLICIES = [Playout(), Mast(), LastGoodReply(Playout()), Decisive(Playout()), Sensible(), Sampled()]
TECHNIQUES = ["tuned", "urgency", "rave", "grave", "transpositions"]
RANGES = [(-1, 1), (-1, 1), (-math.inf, math.inf), (-1, math.inf), (-math.inf, 1)]


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", [Rough, Dicey, Alone, Circles, Thrice, Endless], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(
    "seeds", [range(20), pytest.param(range(20, 600), marks=pytest.mark.long)], ids=["few", "many"]
)
def test_whatever_is_called_exact_is_so_in_random_games(kind, seeds, monkeypatch):
    """Whatever the techniques, the policy, the threads and the memory, with a tree that is kept over a game."""
    monkeypatch.setattr("zermelo.kernel.compiler.is_enabled", lambda: False)  # every game is another one
    monkeypatch.setattr("zermelo.search.mcts.simulation.MOST_PATH_NODES", 20)
    monkeypatch.setattr("zermelo.search.mcts.payoff_scale.LONGEST_TRIAL", 40)
    monkeypatch.setattr("zermelo.search.mcts.searcher.has_evaluation", lambda game: True)
    claims = 0
    for seed in seeds:
        rng = random.Random(f"{kind.__name__} {seed}")
        scale = rng.choice([1.0, 1.0, 0.1, 1e-300, 1e300])
        game = kind(seed, depth=rng.choice([2, 3, 4]), width=rng.choice([1, 2, 4]), scale=scale)
        game.utility_range = tuple(end * scale for end in rng.choice(RANGES if not game.repetition else RANGES[:1]))
        threads = rng.choice([1, 1, 1, 2])
        names = ["solver", *(name for name in TECHNIQUES if rng.random() < 0.3)]
        tuning = Tuning(rng.choice([0.2, 1.0, 3.0]), rng.choice([1, 1, 2, 4]), playout_plies=rng.choice([3, 20]))
        trees = rng.choice([1, threads])
        search = Mcts(game, rng.choice([0.01, 0.5]) * threads, threads, names, rng.choice(POLICIES), tuning, trees)
        referee = Referee(game)
        for _ in range(6):
            if referee.is_over:
                break
            if referee.to_move == CHANCE:
                referee.roll(rng)
                continue
            answer = search.think(referee, Limit(nodes=rng.choice([1, 5, 20, 50, 100])), seed=seed)
            claims += must_hold(game, referee, answer)
            referee.play(rng.choice(referee.legal()))
    assert claims > len(seeds) / 4
