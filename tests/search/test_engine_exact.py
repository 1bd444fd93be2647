"""What the engine calls proved holds: random games with every technique, against brute force.

The brute force shares nothing with the searches. Everything runs interpreted, so that no game has to be compiled.
"""

import random

import pytest
from engine_games import BEHIND, LOST, DrawnAtThree, DrawnAtTwo, plain_workspace
from random_graphs import Graph, Judge, Knowing, Wide, forced_values, value_of

from zermelo.core.errors import RulesError
from zermelo.core.game import NO_ACTION, Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.kernel import mix, observe
from zermelo.search.alphabeta import Engine, Techniques, exact, sound, strong
from zermelo.search.alphabeta.negamax import negamax
from zermelo.search.alphabeta.table_steps import table_key, veil_of
from zermelo.search.alphabeta.techniques import MEANING
from zermelo.search.runtime.table import NO_MOVE, NOTHING, UPPER, kind_in, move_in, unveil_move, veil_move
from zermelo.solve.proof import Proof

pytestmark = [pytest.mark.plain, pytest.mark.no_cover]
ROUNDING = 1e-9


def must_hold(what, kind, value, low, high):
    """A claim about a number that certainly lies between `low` and `high`."""
    slack = ROUNDING * max(1.0, abs(value))
    if kind == "exact":
        assert abs(value - low) <= slack, what
        assert abs(value - high) <= slack, what
    elif kind == "upper":
        assert high <= value + slack, what
    elif kind == "lower":
        assert low >= value - slack, what


def must_be_right(referee, answer, value_after, about):
    """Every claim of an answer; `value_after(actions)` is what player 0 gets at least and at most."""
    mover, game = referee.to_move, referee.game

    def own(*actions):
        low, high = value_after(*actions)
        return (low, high) if mover == 0 else (-high, -low)

    must_hold((about, answer.best), answer.kind, answer.value[mover], *own())
    assert answer.best == answer.moves[0].move
    for move in answer.moves:
        action = game.parse_action(referee.state, move.move)
        must_hold((about, move), move.kind, move.value[mover], *own(action))
        referee.copy().play_line(move.line)
        assert move.distance is None or move.distance < 100, (about, move)


def some_techniques(game, rng):
    """Those that play well, or any."""
    if rng.random() < 0.4:
        return strong(game) if rng.random() < 0.8 else sound(game)
    names = [name for name in MEANING if name != "bank" and rng.random() < 0.7]
    return Techniques(*names, strict=rng.random() < 0.15, repeats=bool(game.repetition))


def thoughts(game, rng, count):
    """Several thoughts with one table, about the game as it goes on or about other games; each with its referee."""
    engine = Engine(game, rng.choice((0.0001, 0.1, 0.1)), 2 if rng.random() < 0.03 else 1, some_techniques(game, rng))
    referee, goes_on = Referee(game), rng.random() < 0.6
    for _ in range(count):
        if not goes_on or referee.is_over:
            referee = Referee(game)
        for _ in range(rng.choice((0, 0, 1, 2, 4, 7))):
            if not referee.is_over:
                referee.play(rng.choice(referee.legal()))
        if referee.is_over:
            continue
        if rng.random() < 0.2:
            referee = Referee(game, referee.state)
        nodes = rng.choice((5, 20, 60, 200, 600))
        limit = Limit(depth=rng.randint(1, 8), nodes=2000) if rng.random() < 0.5 else Limit(nodes=nodes)
        lines = rng.choice((1, 1, 2, 3))
        about = f"{game!r} {type(game).__name__} {engine.techniques.names()} {limit} {lines} lines {referee.state}"
        yield referee, engine.think(referee, limit, lines=lines), about


# -- random games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [Graph, Knowing, Wide])
def test_claims_about_games_that_end_hold(kind):
    for seed in range(100):
        rng = random.Random(f"{kind.__name__} {seed}")
        game = kind(seed, rng.randint(5, 12), rng.randint(2, 4), has_mirror=rng.random() < 0.5)
        for referee, answer, about in thoughts(game, rng, 3):

            def value_after(*actions, game=game, state=referee.state):
                value = value_of(game, game.result(state, *actions) if actions else state)
                return value, value

            must_be_right(referee, answer, value_after, about)


def test_claims_about_endless_games_hold():
    for seed in range(12):
        rng = random.Random(f"endless {seed}")
        game = Graph(seed, rng.randint(3, 8), rng.randint(1, 3), is_cyclic=True, has_mirror=rng.random() < 0.5)
        values = forced_values(game)
        for referee, answer, about in thoughts(game, rng, 3):

            def value_after(*actions, game=game, state=referee.state, values=values):
                return values[game.result(state, *actions) if actions else state]

            must_be_right(referee, answer, value_after, about)


@pytest.mark.parametrize("repetition", [2, 3, -1])
def test_claims_about_games_with_a_rule_of_repetition_hold(repetition):
    """With their history, and with a table that is kept while the history grows."""
    for seed in range(25):
        rng = random.Random(f"repetition {repetition} {seed}")
        places = rng.randint(3, 4 if repetition == 3 else 5)
        game = Graph(seed, places, rng.randint(1, 3), True, repetition, has_mirror=rng.random() < 0.2)
        judge = Judge(game)
        for referee, answer, about in thoughts(game, rng, 8):
            history = [turn.state for turn in referee.turns]

            def value_after(*actions, game=game, state=referee.state, history=history, judge=judge):
                after = (game.result(state, *actions), [*history, state]) if actions else (state, history)
                value = judge.value(*after)
                return value, value

            must_be_right(referee, answer, value_after, about)


class Boundless(Graph):
    is_wide = True


@pytest.mark.parametrize("names", [("cutoffs", "pvs"), ("cutoffs", "pvs", "table")])
def test_unbounded_payoffs_never_get_a_closed_window(names):
    """Alpha plus the null window was alpha itself, and a lower bound was taken for an upper one."""
    for seed in (*range(30), 105, 116, 181, 237, 251, 483):
        game = Boundless(seed, 10, 3)
        answer = Engine(game, 0.01, techniques=Techniques(*names)).think(None, Limit(depth=12))
        value = value_of(game, game.initial())
        must_hold(seed, answer.kind, answer.value[0], value, value)


def test_proofs_of_payoffs_without_bounds_are_right():
    """Numbers above 32 are further apart than the null window of an unknown scale."""
    for seed in range(300):
        game = Wide(seed, 10, 3, has_mirror=seed % 2 == 0)
        value = value_of(game, game.initial())
        assert abs(Proof(game, 0.1).value(game.initial()) - value) <= ROUNDING * max(1, abs(value)), seed


class Thirds(Knowing):
    """Payoffs that have no end, neither in decimal nor in binary digits."""

    def _declare(self, rng):
        super()._declare(rng)
        self.margins, self.utility_range, self.swing, self.unit = False, (-1, 1), 1, 1
        return [-1, -2 / 3, -1 / 3, 0, 1 / 3, 2 / 3, 1]


def test_exact_values_are_payoffs_to_the_last_digit_or_say_by_how_much_they_may_be_off():
    """With a ply cost, a value is known to eight digits; the payoff at the end of its line has them all."""
    exact_ones = 0
    for seed in range(150):
        rng = random.Random(seed)
        game = Thirds(seed, rng.randint(5, 10), 3)
        answer = Engine(game, 0.1).think(None, Limit(depth=rng.randint(2, 10)), lines=rng.choice((1, 3)))
        for move in answer.moves:
            value = value_of(game, game.result(game.initial(), int(move.move)))
            if move.kind == "exact":
                assert abs(move.value[0] - value) <= answer.error, (seed, move)
                exact_ones += value not in (-1, 0, 1) and answer.error == 0
            elif move.kind == "upper":
                assert move.value[0] >= value, (seed, move)
    assert exact_ones > 50


class Scaled(Knowing):
    """Payoffs of any size, with and without many digits."""

    scale, margins = 1.0, False

    def _declare(self, rng):
        super()._declare(rng)
        self.margins, self.swing = type(self).margins, self.scale
        self.utility_range, self.unit = (-self.scale, self.scale), self.scale / 10
        return [share * self.scale for share in (-1, -2 / 3, -0.7, -1 / 3, 0, 0.1, 1 / 3, 0.5, 2 / 3, 1)]


@pytest.mark.parametrize("margins", [False, True])
@pytest.mark.parametrize("scale", [1 / 3, 1.0, 61.0, 1e20, 1e-12, 1e308, 1e-300])
def test_exact_values_are_payoffs_whatever_the_scale(scale, margins):
    """Values were rounded to eight digits after the point, and a scale of 1e308 could not be measured."""
    kind = type("Scaled", (Scaled,), {"scale": scale, "margins": margins})
    exact_ones = 0
    for seed in range(60):
        rng = random.Random(seed)
        game = kind(seed, rng.randint(5, 10), 3)
        answer = Engine(game, 0.1).think(None, Limit(depth=rng.randint(2, 10)), lines=rng.choice((1, 3)))
        for move in answer.moves:
            value = value_of(game, game.result(game.initial(), int(move.move)))
            if move.kind == "exact":
                assert abs(move.value[0] - value) <= 1e-12 * abs(value), (seed, move)
                assert move.distance is None or move.distance < 12
                exact_ones += answer.error == 0
            elif move.kind == "upper":
                assert move.value[0] >= value - 1e-12 * abs(value), (seed, move)
    assert exact_ones > 30


class Corridor(Game):
    """One move at a time to a payoff of a third, farther away than a line is written down."""

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        if state < 100:
            yield 0

    def result(self, state, action):
        return state + 1

    def utility(self, state, player):
        return 1 / 3 if player == 0 else -1 / 3


@pytest.mark.both
def test_a_payoff_beyond_the_recorded_line_is_reported_with_its_error():
    answer = Engine(Corridor(), 0.1).think(None, Limit(depth=110))
    assert answer.kind == "exact"
    assert 0 < abs(answer.value[0] - 1 / 3) <= answer.error < 1e-8


# -- what the random games hardly ever show ---------------------------------------------------------------------------


def test_a_proof_does_not_lead_through_a_position_that_has_since_come_twice():
    """Room 1 loses by way of rooms 2 and 3. Once these were visited twice, entering room 2 ends the game as a draw."""
    game = DrawnAtThree(BEHIND, 1, 2, 2, 3, 3, LOST, 0, start=2, lead=-0.9)
    engine = Engine(game, 0.1)
    first = engine.think(0, Limit(depth=8))
    assert (first.value, first.kind, first.best) == ((-0.5, 0.5), "exact", "0")
    referee = Referee(game)
    for door in (0, 1, 1, 0, 0, 1):
        referee.play(door)
    assert referee.state == 0
    assert Judge(game).value(0, [turn.state for turn in referee.turns]) == 0
    second = engine.think(referee, Limit(depth=8))
    assert (second.value, second.best, second.kind) == ((0, 0), "1", "estimate")


class Hunt(DrawnAtTwo):
    """In rooms 2 and 3 the mover is threatened."""

    def is_threatened(self, state):
        return state in (2, 3)

    def is_noisy(self, state, action):
        return False


def test_quiescence_proves_nothing_where_a_position_of_the_history_would_come_again():
    """Room 2 is lost, unless room 3 was visited before: entering it again is a draw."""
    game = Hunt(BEHIND, 1, 2, 2, 3, 3, LOST, 0, start=3, lead=-0.9)
    how = Techniques("cutoffs", "pvs", "quiescence", "threats")
    assert Engine(game, 0.1, techniques=how).think(0, Limit(depth=2)).kind == "exact"
    referee = Referee(game)
    referee.play(1)
    answer = Engine(game, 0.1, techniques=how).think(referee, Limit(depth=2))
    assert answer.kind == "estimate"
    answer = Engine(game, 0.1, techniques=how).think(referee, Limit(depth=6))
    assert (answer.value, answer.best) == ((0, 0), "1")


class Path:
    """An observer who compares the path with the positions that are searched."""

    def __init__(self, game):
        self.game, self.passes = game, 0

    def enter(self, name, arguments):
        if name != "negamax":
            return
        state, ply, work = arguments["state"], arguments["ply"], arguments["work"]
        expected = mix(self.game.key(self.game.repetition_key(state)))
        assert work.path.key_at(ply) == expected
        self.passes += ply > 0 and work.ordering.last_move(ply) == NO_ACTION

    def leave(self, result):
        pass


def test_a_pass_stands_on_the_path():
    """What an earlier move left there would count as a repetition on another line."""
    passes = 0
    for seed in range(30):
        game = Graph(seed, 8, 3, True, 3)
        workspace, path = plain_workspace(), Path(game)
        workspace.remember(Referee(game))
        workspace.allow(3000)
        how = Techniques("cutoffs", "table", "null_move", repeats=True)
        with observe(path):
            negamax(game, how, game.initial(), 0.0, 2.0**-40, 6, 0, 0, workspace)
        passes += path.passes
    assert passes > 20


def test_a_stored_move_is_one_of_the_position_that_asks():
    """Mirror images share an entry, and list their moves in another order."""
    asked = wrong = 0
    for seed in range(60):
        game = Graph(seed, 12, 4, has_mirror=True)
        workspace, how = plain_workspace(), exact(game)
        assert how.symmetry
        most = game.utility_range[1] + 1
        negamax(game, how, game.initial(), -most, most, 0, 0, 0, workspace)
        for place in range(game.places):
            for state in ((place, player, mirror) for player in (0, 1) for mirror in (0, 1)):
                key = table_key(game, how, state, workspace)
                word, value = workspace.table.probe(key)
                number = unveil_move(move_in(word), veil_of(game, how, state, key, workspace))
                actions = list(game.actions(state))
                if kind_in(word) in (NOTHING, UPPER) or number >= len(actions):
                    continue
                sign = 1 if game.to_move(state) == 0 else -1
                asked += 1
                wrong += sign * value_of(game, game.result(state, actions[number])) < value
    assert asked > 300
    assert wrong <= asked / 50, "by chance an image reads the number of a move where another one is meant"


def test_veils_hide_every_number_and_give_it_back():
    for veil in range(NO_MOVE):
        stored = {veil_move(number, veil) for number in range(NO_MOVE)}
        assert stored == set(range(NO_MOVE))
        assert all(unveil_move(veil_move(number, veil), veil) == number for number in range(NO_MOVE))
    assert veil_move(NO_MOVE, 7) == veil_move(999, 7) == unveil_move(NO_MOVE, 7) == NO_MOVE


class Impasse(Graph):
    """A threatened position that is not over and has no move."""

    def is_terminal(self, state):
        return False

    def actions(self, state):
        if state[0] == 0:
            yield 0

    def is_threatened(self, state):
        return state[0] > 0


def test_a_threatened_position_without_moves_is_not_lost():
    """Quiescence called it infinitely bad, and proved."""
    with pytest.raises(RulesError, match="is not over, yet there is no move"):
        Engine(Impasse(3), 0.1).think(None, Limit(depth=1))


class Clocked(Game):
    """Step to and fro between two places; the second step ends the game, and player 0 wins. A state is (place, steps).

    Repetition does not look at the steps, so that the last position is where play was before.
    """

    repetition = Repetition(2)

    def initial(self):
        return (0, 0)

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        if state[1] < 2:
            yield 0

    def result(self, state, action):
        return (1 - state[0], state[1] + 1)

    def repetition_key(self, state):
        return (state[0], 0)

    def utility(self, state, player):
        return 1 if player == 0 else -1


@pytest.mark.parametrize("played", [0, 1])
def test_an_end_pays_what_it_pays_even_if_it_repeats_a_position(played):
    referee = Referee(Clocked())
    for _ in range(played):
        referee.play(0)
    answer = Engine(Clocked(), 0.1).think(referee, Limit(depth=5))
    assert answer.value == (1, -1)
    assert answer.kind == "exact"
    referee.play_line(["0"] * (2 - played))
    assert referee.utilities() == (1, -1)


class Tiny(Graph):
    """Payoffs next to nothing on a scale from -1 to 1."""

    share = 1e-300

    def utility(self, state, player):
        return super().utility(state, player) * self.share


@pytest.mark.filterwarnings("ignore:.*runs interpreted")
@pytest.mark.parametrize("share", [1e-300, 1e-9])
def test_payoffs_smaller_than_haste_are_not_proved_to_be_draws(share):
    """Those of 1e-300 were 0, exact; larger ones than the ply costs of a line are proved."""
    tried = proved = 0
    for seed in range(40):
        game = Tiny(seed)
        game.share = share
        truth = value_of(game, game.initial())
        found = Engine(game, megabytes=1).think(limit=Limit(depth=30))
        tried += truth != 0
        assert found.kind != "exact" or found.value[0] == truth
        proved += found.kind == "exact"
    assert tried > 10
    assert proved > 10 or share == 1e-300
