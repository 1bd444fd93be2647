"""Dominated actions, by pure or mixed actions, and their repeated elimination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from zermelo.choice.linear_programme import maximise
from zermelo.games.matrix.normal_form import Mixed, NormalForm


@dataclass(frozen=True)
class Elimination:
    """A step of the elimination: the action, and the mixed action that dominates it."""

    player: int
    action: int
    by: Mixed


def eliminate(game: NormalForm, weakly: bool = False) -> tuple[NormalForm, list[Elimination]]:
    """What remains after dominated actions are removed one after the other, and the steps.

    Strictly dominated actions are in no equilibrium, and the order does not matter. With `weakly` the result may depend
    on the order, and equilibria may be lost. Actions in steps have the numbers of the original game.
    """
    left = [list(range(size)) for size in game.sizes]
    steps: list[Elimination] = []
    while (step := _next_step(game, left, weakly)) is not None:
        steps.append(step)
        left[step.player].remove(step.action)
    return _restrict(game, left), steps


def dominating(game: NormalForm, left: Sequence[Sequence[int]], player: int, action: int, weakly: bool) -> Mixed | None:
    """A mixed action of what is left that dominates the action; None if there is none."""
    others = [other for other in left[player] if other != action]
    if not others:
        return None
    rivals = list(product(*(left[seat] for seat in range(game.players) if seat != player)))
    gains = [
        [_payoff(game, player, other, rival) - _payoff(game, player, action, rival) for rival in rivals]
        for other in others
    ]
    weights = _weakly(gains) if weakly else _strictly(gains)
    if weights is None:
        return None
    found = [Fraction(0)] * game.sizes[player]
    for other, weight in zip(others, weights, strict=True):
        found[other] = weight / sum(weights)
    return tuple(found)


def _strictly(gains: list[list[Fraction]]) -> list[Fraction] | None:
    """Weights of the others whose mean gain is positive against every rival profile: maximise the smallest gain."""
    count = len(gains)
    rows = [[*(-gains[other][k] for other in range(count)), Fraction(1)] for k in range(len(gains[0]))]
    rows.append([Fraction(1)] * count + [Fraction(0)])
    best, _ = maximise([Fraction(0)] * count + [Fraction(1)], rows, [Fraction(0)] * len(gains[0]) + [Fraction(1)])
    return best[:count] if best[-1] > 0 else None


def _weakly(gains: list[list[Fraction]]) -> list[Fraction] | None:
    """Weights whose mean gain is nowhere negative and somewhere positive: maximise the sum of the gains."""
    count = len(gains)
    goal = [sum(row, Fraction(0)) for row in gains]
    rows = [[-gains[other][k] for other in range(count)] for k in range(len(gains[0]))]
    rows.append([Fraction(1)] * count)
    best, _ = maximise(goal, rows, [Fraction(0)] * len(gains[0]) + [Fraction(1)])
    total = sum((weight * gain for weight, gain in zip(best, goal, strict=True)), Fraction(0))
    return best if total > 0 else None


def _next_step(game: NormalForm, left: list[list[int]], weakly: bool) -> Elimination | None:
    for player in range(game.players):
        for action in left[player]:
            by = dominating(game, left, player, action, weakly)
            if by is not None:
                return Elimination(player, action, by)
    return None


def _payoff(game: NormalForm, player: int, action: int, rivals: tuple[int, ...]) -> Fraction:
    return game.payoffs((*rivals[:player], action, *rivals[player:]))[player]


def _restrict(game: NormalForm, left: Sequence[Sequence[int]]) -> NormalForm:
    actions = tuple(tuple(names[action] for action in own) for names, own in zip(game.actions, left, strict=True))
    return NormalForm(actions, tuple(game.payoffs(profile) for profile in product(*left)), game.seats, game.title)
