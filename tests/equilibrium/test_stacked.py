"""Simultaneous moves: backward induction over matrices against the linear programme of the whole game."""

import random
from fractions import Fraction
from typing import NamedTuple

import pytest

from zermelo.core.errors import Refused, RulesError
from zermelo.core.game import legal_actions
from zermelo.core.simultaneous import Simultaneous
from zermelo.equilibrium import exploitability, solve, stacked
from zermelo.equilibrium.decisions import Judge
from zermelo.equilibrium.flatten import flatten
from zermelo.equilibrium.programme import solve_form
from zermelo.equilibrium.stacked import sees_all, solve_stacked, value_by_support
from zermelo.equilibrium.strategy import Strategy
from zermelo.equilibrium.zero_sum import solve_matrix
from zermelo.games import find
from zermelo.kernel import Numbers, state

END, ROLL, CHOOSE = 0, 1, 2
CELLS = 5
"""Of a node: kind, rows, columns, first child, payoff."""


@state
class Place(NamedTuple):
    number: int


class RandomRounds(Simultaneous):
    """A tree in memory in which both choose at once, or chance draws; payoffs are whole numbers."""

    chance = True
    utility_range = (-9, 9)
    runtime = ("nodes", "luck")
    not_compiled = (*Simultaneous.not_compiled, "table")

    def __init__(self, table=(), luck=0.0):
        self.table, self.luck = tuple(table), luck
        self.nodes = Numbers.allocate(max(1, len(self.table)))
        for index, number in enumerate(self.table):
            self.nodes[index] = number

    def start(self):
        return Place(0)

    def is_drawing(self, situation):
        return self.nodes[CELLS * situation.number] == ROLL

    def draws(self, situation):
        count = self.nodes[CELLS * situation.number + 1]
        for event in range(count):
            if self.luck > 0.0:
                yield event, self.luck if event == 0 else (1 - self.luck) / (count - 1)
            else:
                yield event, 1 / count

    def drawn(self, situation, event):
        return Place(self.nodes[CELLS * situation.number + 3] + event)

    def choices(self, situation, player):
        for choice in range(self.nodes[CELLS * situation.number + 1 + player]):  # noqa: UP028
            yield choice

    def outcome(self, situation, chosen):
        columns = self.nodes[CELLS * situation.number + 2]
        return Place(self.nodes[CELLS * situation.number + 3] + chosen[0] * columns + chosen[1])

    def is_decided(self, situation):
        return self.nodes[CELLS * situation.number] == END

    def payoff(self, situation, player):
        payoff = self.nodes[CELLS * situation.number + 4]
        return payoff if player == 0 else -payoff


def draw(seed, depth=3):
    rng = random.Random(seed)
    queue, table = [depth], []
    for level in queue:
        if level == 0 or (level < depth and rng.random() < 0.3):
            table += [END, 0, 0, 0, rng.randint(-4, 4)]
            continue
        kind = ROLL if rng.random() < 0.25 else CHOOSE
        rows, columns = rng.randint(1, 3), 1 if kind == ROLL else rng.randint(1, 3)
        table += [kind, rows, columns, len(queue), 0]
        queue += [level - 1] * (rows * columns)
    return RandomRounds(table)


@pytest.mark.parametrize(
    "seeds", [range(40), pytest.param(range(40, 600), marks=pytest.mark.long)], ids=["few", "many"]
)
def test_the_value_is_that_of_the_linear_programme(seeds):
    mixed = 0
    for seed in seeds:
        game = draw(seed)
        found, expected = solve_stacked(game), solve_form(flatten(game)).value
        assert found.exact == expected
        assert found.low - 1e-9 <= expected <= found.high + 1e-9
        assert found.exploitability < 1e-9
        mixed += expected.denominator > 2
    assert mixed > len(seeds) / 10


def test_the_strategy_is_an_equilibrium_by_information_sets_too():
    for seed in range(8):
        game = draw(seed)
        form = flatten(game)
        unfolded = solve_stacked(game).strategy.unfolded(game, form)
        assert not unfolded.is_partial
        assert exploitability(game, unfolded) < 1e-9


DESCENDING = "goofspiel:cards=3,prizes=descending"


@pytest.mark.parametrize(
    "spec",
    [
        "oshi-zumo",
        DESCENDING,
        pytest.param("goofspiel:cards=4", marks=pytest.mark.long),
        pytest.param("goofspiel:cards=5,prizes=descending,returns=difference", marks=pytest.mark.long),
    ],
)
def test_games_that_treat_both_alike_are_worth_nothing(spec):
    game = find(spec)
    found = solve_stacked(game)
    assert (found.exact, found.situations) == (0, len(situations(game)))


def situations(game):
    """All states before a choice of the first player, and all ends."""
    found, waiting = set(), [game.initial()]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            waiting += [game.result(state, action) for action in legal_actions(game, state)]
    return {state for state in found if state[1] == game.nothing_chosen}


def test_auto_takes_matrices_where_all_is_seen():
    found = solve(DESCENDING)
    assert (found.method, found.value, found.kind) == ("stacked", 0, "exact")
    assert not found.strategy.forgets
    assert exploitability(DESCENDING, found.strategy) < 1e-9
    assert not sees_all(find("goofspiel:cards=3,hidden_bids=true"))


def test_a_large_game_has_a_strategy_that_forgets(tmp_path):
    game = find("oshi-zumo")
    found = solve(game)
    assert found.strategy.forgets
    found.strategy.save(tmp_path / "zumo.json")
    again = Strategy.load(tmp_path / "zumo.json")
    first = next(again.table(game))
    assert (first.view, first.reach) == ("10-10 +0", 1)
    recall = again.recall(0)
    start = game.initial()
    assert again.at(0, recall.key(game.view(start, 0))) == first.probabilities
    recall.move(game.view(start, 0), 2)
    assert recall.chain == again.recall(0).chain


def test_a_game_too_large_for_fractions_is_an_estimate_with_its_exploitability(monkeypatch):
    monkeypatch.setattr(stacked, "MOST_EXACT", 10)
    found = solve("oshi-zumo", "stacked")
    assert found.kind == "estimate"
    assert found.value[0] == pytest.approx(0, abs=1e-9)
    assert 0 <= found.exploitability < 1e-9


def test_choices_that_stay_hidden_are_refused():
    with pytest.raises(Refused, match="do not see the whole situation before they choose; use lp or cfr"):
        solve("goofspiel:cards=3,hidden_bids=true", "stacked")


class Guess(Simultaneous):
    """Player 2 guesses a coin that chance has tossed; both see it."""

    chance = True
    utility_range = (-1, 1)
    luck = 0.5

    def start(self):
        return (0, 0)

    def is_drawing(self, situation):
        return situation[0] == 0

    def draws(self, situation):
        yield 0, self.luck
        yield 1, 1 - self.luck

    def drawn(self, situation, event):
        return (1, event)

    def choices(self, situation, player):
        yield 0
        yield 1

    def outcome(self, situation, chosen):
        return (2, int(chosen[1] == situation[1]))

    def is_decided(self, situation):
        return situation[0] == 2

    def payoff(self, situation, player):
        return 1 - 2 * abs(situation[1] - player)

    def format_situation(self, situation):
        return "coin"


class BlindGuess(Guess):
    """The same without seeing the coin."""

    def view(self, state, player):
        return state[0][0], state[1][player]


class LateGuess(RandomRounds):
    """The second player sees what the first has chosen."""

    def view(self, state, player):
        return state


MATCHING = [CHOOSE, 2, 2, 1, 0, *(number for payoff in (1, -1, -1, 1) for number in (END, 0, 0, 0, payoff))]


@pytest.mark.plain
@pytest.mark.parametrize(("game", "value"), [(BlindGuess(), 0), (LateGuess(MATCHING), -1)])
def test_views_of_its_own_are_not_taken_for_choices_at_once(game, value):
    found = solve(game)
    assert (found.method, found.kind, found.value) == ("lp", "exact", value)
    with pytest.raises(Refused, match="do not see the whole situation"):
        solve(game, "stacked")


class Generous(Guess):
    """Declares payoffs that cancel, and has others."""

    def payoff(self, situation, player):
        return 1 - situation[1]


@pytest.mark.plain
@pytest.mark.parametrize("method", ["stacked", "lp"])
def test_payoffs_that_do_not_cancel_are_not_taken_for_a_value(method):
    with pytest.raises(RulesError, match="generous: the payoffs at an end do not sum to zero"):
        solve(Generous(), method)


@pytest.mark.plain
def test_an_outcome_without_probability_does_not_matter():
    assert solve(Guess()).value == -1
    game = Guess()
    game.luck = 0.0
    for method in ("stacked", "lp"):
        found = solve(game, method)
        assert (found.method, found.kind, found.value, found.exploitability) == (method, "exact", -1, 0)
        assert [row.reach for row in found.strategy.table(game)] == [1, 1]
        assert len(Judge(game, found.strategy).decisions(100, 100, with_bluffs=True)) == 2


@pytest.mark.parametrize("spec", ["kuhn", "matrix:chicken", "goofspiel:cards=3,players=3"])
def test_other_games_are_refused(spec):
    with pytest.raises(Refused, match="needs two opponents who choose at once; use cfr"):
        solve(spec, "stacked")


def test_situations_that_recur_are_refused():
    game = RandomRounds([CHOOSE, 1, 1, 0, 0])
    with pytest.raises(Refused, match="can repeat a situation"):
        solve_stacked(game)


def test_the_value_of_a_matrix_does_not_depend_on_a_good_guess():
    """The floating-point solution only leads the way; a wrong one is noticed."""
    rng = random.Random(3)
    for _ in range(30):
        matrix = [[Fraction(rng.randint(-3, 3)) for _ in range(3)] for _ in range(4)]
        expected = solve_matrix(tuple(map(tuple, matrix))).value
        for first, second in (([1, 0, 0, 0], [1, 0, 0]), ([0.5, 0.5, 0, 0], [0, 0.5, 0.5]), ([0.25] * 4, [0.3] * 3)):
            assert value_by_support(matrix, first, second) == expected


def test_chances_that_are_no_simple_fractions_prove_nothing():
    luck = 0.3141592653589793
    game = RandomRounds([ROLL, 2, 1, 1, 0, END, 0, 0, 0, 1, END, 0, 0, 0, -1], luck)
    found = solve_stacked(game)
    assert found.exact is None
    assert found.low == pytest.approx(2 * luck - 1)
    assert not solve_form(flatten(game)).is_exact
