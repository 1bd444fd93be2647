"""What decisions are worth at an equilibrium: known bluffs, known costs, and agreement between two ways to compute."""

import random
from fractions import Fraction

import pytest

from zermelo.core.referee import Referee
from zermelo.equilibrium import solve
from zermelo.equilibrium.decisions import Judge, simple_fractions
from zermelo.games import find

pytestmark = pytest.mark.plain


@pytest.fixture(scope="module")
def kuhn():
    game = find("kuhn")
    solution = solve(game, "lp")
    return Judge(game, solution.strategy), solution


def rows_of(judge):
    return judge.decisions(100_000, 10_000, with_bluffs=True)


def played(judge, moves, player):
    referee = Referee(judge.game)
    referee.play_line(moves.split())
    states, actions = [turn.state for turn in referee.turns], [turn.action for turn in referee.turns]
    return list(judge.decisions_of(states, actions, player))


def test_kuhn_has_twelve_decisions_and_the_bluff_is_with_the_jack(kuhn):
    rows = rows_of(kuhn[0])
    assert len(rows) == 12
    bluffs = {row.view for row in rows if any(row.bluffs)}
    assert "J check" in bluffs
    assert bluffs <= {"J check", "J -"}


def test_the_strategies_of_kuhn_are_proved_as_fractions(kuhn):
    judge, solution = kuhn
    shares = solution.strategy.by_sequence(judge.form)
    fractions = simple_fractions(judge.form, shares, solution.value)
    assert Fraction(1, 3) in fractions[1]
    assert simple_fractions(judge.form, shares, Fraction(-1, 17)) is None
    wrong = [shares[0], shares[1].copy()]
    first = judge.form.trees[1].first[0]
    wrong[1][first], wrong[1][first + 1] = 0.5, 0.5
    assert simple_fractions(judge.form, wrong, solution.value) is None


def test_a_move_of_the_equilibrium_costs_nothing_where_play_comes(kuhn):
    for row in rows_of(kuhn[0]):
        for share, worth in zip(row.probabilities, row.worth, strict=True):
            if row.reach > 0 and share > 0:
                assert max(row.worth) - worth < 1e-3, row


def test_folding_the_king_costs_three_chips_and_calling_with_the_jack_one(kuhn):
    [(_, index, decision)] = played(kuhn[0], "J K bet fold", 1)
    assert decision.view == "K bet"
    assert decision.cost(index) == pytest.approx(3, abs=1e-3)
    [(_, index, decision)] = played(kuhn[0], "Q J bet call", 1)
    assert decision.cost(index) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("spec", ["kuhn", "liars-dice:faces=3"])
def test_decisions_of_a_played_game_agree_with_the_table(spec):
    game = find(spec)
    judge = Judge(game, solve(game, "lp").strategy)
    table = {(row.player, row.key): row for row in rows_of(judge)}
    luck = random.Random(3)
    for _ in range(10):
        referee = Referee(game)
        while not referee.is_over:
            referee.play(luck.choice(referee.legal()))
        states, actions = [turn.state for turn in referee.turns], [turn.action for turn in referee.turns]
        for player in (0, 1):
            for ply, index, found in judge.decisions_of(states, actions, player):
                row = table[player, found.key]
                assert states[ply] == referee.turns[ply].state
                assert found.moves[index] == referee.turns[ply].text
                assert found.worth == pytest.approx(row.worth, abs=1e-9)


def test_the_worth_at_the_start_adds_up_to_the_value():
    game = find("leduc:ranks=2")
    solution = solve(game, "lp")
    rows = Judge(game, solution.strategy).decisions(100_000, 10_000, with_bluffs=False)
    first = [row for row in rows if row.player == 0 and row.view.endswith(" -")]
    assert sum(row.reach for row in first) == pytest.approx(1)
    assert sum(row.reach * max(row.worth) for row in first) == pytest.approx(float(solution.value), abs=1e-3)


@pytest.mark.parametrize("spec", ["matrix", "goofspiel:cards=3"])
def test_where_both_choose_at_once_nothing_is_a_bluff(spec):
    game = find(spec)
    rows = Judge(game, solve(game, "lp").strategy).decisions(100_000, 10_000, with_bluffs=True)
    assert not any(any(row.bluffs) for row in rows)
