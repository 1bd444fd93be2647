"""Random games with information sets: the linear programme against the matrix of all pure plans, and regrets."""

import random
from fractions import Fraction

import pytest
from random_games import CELLS, END, RandomGame, draw, value_by_brute_force

from zermelo.core.errors import RulesError
from zermelo.core.game import CHANCE
from zermelo.equilibrium import programme, solve
from zermelo.equilibrium.flatten import flatten, simple_fraction
from zermelo.equilibrium.programme import solve_form
from zermelo.equilibrium.regret import RegretMinimiser
from zermelo.equilibrium.symmetry import quotient
from zermelo.games import find

FEW, MANY = range(60), range(1000)
SEEDS = [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.long)]


@pytest.mark.parametrize("seeds", SEEDS)
def test_the_value_is_that_of_all_pure_plans(seeds):
    compared = 0
    for seed in seeds:
        game = draw(seed, depth=3)
        expected = value_by_brute_force(game)
        if expected is not None:
            compared += 1
            assert solve_form(flatten(game)).value == expected
    assert compared > len(seeds) / 2


@pytest.mark.parametrize("seeds", SEEDS)
def test_symmetry_never_changes_the_value(seeds):
    shrunk = 0
    for seed in seeds:
        form = flatten(draw(seed, twins=seed % 2 == 0, payoffs=1 + seed % 3))
        shrunk += quotient(form) is not None
        found = solve_form(form), solve_form(form, shrink=False)
        assert found[0].value == found[1].value
        assert found[0].is_exact
    assert shrunk > len(seeds) / 3


def test_the_simplex_method_in_fractions_finds_the_same_value(monkeypatch):
    forms = [flatten(draw(seed, depth=3)) for seed in range(20)]
    expected = [solve_form(form).value for form in forms]
    monkeypatch.setattr(programme, "has_solver", lambda: False)
    assert [solve_form(form).value for form in forms] == expected


@pytest.mark.parametrize("variant", ["cfr", "cfr+", "dcfr", "pcfr+"])
def test_regret_minimisation_is_as_near_to_the_value_as_it_says(variant):
    for seed in FEW[::4]:
        form = flatten(draw(seed))
        value = float(solve_form(form).value)
        minimiser = RegretMinimiser(form, variant)
        minimiser.run(300)
        first, second, _ = minimiser.judge()
        assert -second - 1e-9 <= value <= first + 1e-9
        assert minimiser.exploitability < 0.1


def test_symmetry_changes_no_iterate():
    for seed in FEW[::3]:
        form = flatten(draw(seed, twins=True, payoffs=1))
        plain, quick = RegretMinimiser(form, shrink=False), RegretMinimiser(form)
        for _ in range(3):
            plain.run(7)
            quick.run(7)
            assert plain.exploitability == pytest.approx(quick.exploitability, abs=1e-9)


def test_a_value_that_is_not_verified_is_an_estimate(monkeypatch):
    form = flatten(draw(3))
    exact = solve_form(form)
    monkeypatch.setattr(programme, "certify", lambda *_: None)
    found = solve_form(form)
    assert isinstance(exact.value, Fraction)
    assert not found.is_exact
    assert found.value == pytest.approx(float(exact.value))


class Rare(RandomGame):
    """A coin that hardly ever shows heads, and then the first player wins 9."""

    runtime = (*RandomGame.runtime, "heads")

    def __init__(self, heads):
        self.heads = heads
        super().__init__([CHANCE, 0, 1, 2, 0, END, 0, 0, 0, 9, END, 0, 0, 0, 0])

    def outcomes(self, state):
        yield 0, self.heads
        yield 1, 1 - self.heads


@pytest.mark.plain
@pytest.mark.parametrize("heads", [1e-13, 1e-18, 1e-300, 5e-324])
def test_what_is_nearly_impossible_is_not_called_0(heads):
    """All payoffs below 1e-12 were once read as the fraction 0."""
    solution = solve(Rare(heads))
    assert solution.kind == "estimate"
    assert solution.value[0] == pytest.approx(9 * heads, rel=1e-9)


@pytest.mark.plain
def test_a_rare_chance_that_is_a_simple_fraction_gives_an_exact_value():
    assert solve(Rare(1e-6)).value == Fraction(9, 10**6)


def test_numbers_that_are_close_to_a_fraction_by_accident_prove_nothing():
    """0.563072593302158 was once read as 284502/505267, which it is up to 3e-15, and the value was called exact."""
    rng = random.Random(1)
    numbers = [rng.random() * scale for scale in (1, 10, 1000) for _ in range(5000)]
    assert [number for number in numbers if simple_fraction(number) is not None] == []
    assert simple_fraction(0.563072593302158) is None


@pytest.mark.parametrize("text", ["1/3", "-13/132600", "1/117649", "1234567/100", "123457/1000000", "20000001/2"])
def test_simple_fractions_and_decimals_are_read(text):
    assert simple_fraction(float(Fraction(text))) == Fraction(text)


class Turned(RandomGame):
    """Two positions look the same, and list their moves in opposite orders: 1 always wins, 0 loses."""

    def __init__(self):
        ends = [END, 0, 0, 0, -1, END, 0, 0, 0, 1]
        super().__init__([CHANCE, 0, 1, 2, 0, 0, 1, 3, 2, 0, 0, 1, 5, 2, 0, *ends, *ends])

    def actions(self, state):
        if state.number == 2:
            yield 1
            yield 0
        else:
            yield 0
            yield 1


@pytest.mark.plain
def test_moves_in_another_order_tell_positions_apart_that_should_look_the_same():
    """Moves of an information set were once taken to be the same if there were as many."""
    with pytest.raises(RulesError, match="different moves, or the same in another order, in positions that look the"):
        solve(Turned())


class Scaled(RandomGame):
    """Payoffs that are not simple fractions."""

    def utility(self, state, player):
        payoff = self.nodes[CELLS * state.number + 4] * 0.31830988618
        return payoff if player == 0 else -payoff


@pytest.mark.plain
@pytest.mark.parametrize("has_solver", [True, False])
def test_payoffs_that_are_not_simple_fractions_are_solved_nearly(monkeypatch, has_solver):
    """They were once rounded to whole numbers."""
    monkeypatch.setattr(programme, "has_solver", lambda: has_solver)
    for seed in range(4):
        game = draw(seed, depth=3)
        found = solve(Scaled(game.table))
        assert found.kind == "estimate"
        assert found.exploitability < 1e-6
        assert found.value[0] == pytest.approx(0.31830988618 * float(solve(game).value), abs=1e-6)


def swapped(plan):
    """A plan of another basis: two moves have each other's weight."""
    numerators, denominator = plan
    return [numerators[0], numerators[2], numerators[1], *numerators[3:]], denominator


def uniform(plan):
    """A plan, but not the best; in Kuhn poker its probabilities are quarters."""
    form = flatten(find("kuhn"))
    tree = next(tree for tree in form.trees if tree.sequences == len(plan[0]))
    return [round(4 * share) for share in tree.plan(tree.uniform()).tolist()], 4


@pytest.mark.parametrize("wrong", [swapped, uniform])
@pytest.mark.parametrize("player", [0, 1])
def test_a_corrupt_basis_proves_nothing(monkeypatch, wrong, player):
    exact = programme.refine

    def corrupted(*arguments, **others):
        plans = list(exact(*arguments, **others))
        plans[player] = wrong(plans[player])
        return tuple(plans)

    monkeypatch.setattr(programme, "quotient", lambda form: None)
    monkeypatch.setattr(programme, "refine", corrupted)
    found = solve("kuhn", "lp")
    assert found.kind == "estimate"
    assert found.value[0] == pytest.approx(-1 / 18)
    assert found.exploitability < 1e-9  # the floating-point solution is still right


def test_a_wrong_solution_has_its_exploitability(monkeypatch):
    monkeypatch.setattr(programme, "refine", lambda *_: None)
    right = programme.run_solver

    def wrong(made, *others):
        _, solver = right(made, *others)
        return tuple(tree.plan(tree.uniform()) for tree in made.form.trees), solver

    monkeypatch.setattr(programme, "run_solver", wrong)
    monkeypatch.setattr(programme, "quotient", lambda form: None)
    found = solve("kuhn", "lp")
    assert (found.kind, found.exploitability) == ("estimate", pytest.approx(11 / 24))


def test_leduc_shrinks_from_936_to_288_information_sets():
    """Suits do not matter; nothing tells the quotient so."""
    form = flatten(find("leduc"))
    small = quotient(form)
    assert (form.sets, small.form.sets) == (936, 288)
