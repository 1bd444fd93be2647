"""Correlated equilibria: a mediator draws a profile and tells each player only its own action [Aumann 1974].

In a *correlated* equilibrium no player gains by another action than the one that is recommended. In a *coarse* one no
player gains by refusing the recommendation before hearing it [Moulin & Vial 1978]. Both are linear programmes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from zermelo.choice.linear_programme import maximise
from zermelo.games.matrix.normal_form import NormalForm, Profile


@dataclass(frozen=True)
class Correlated:
    """A distribution over profiles, and the mean payoffs."""

    distribution: dict[Profile, Fraction]
    """The profiles with a positive probability."""
    payoffs: tuple[Fraction, ...]


def correlated_equilibrium(
    game: NormalForm, weights: tuple[Fraction, ...] | None = None, coarse: bool = False
) -> Correlated:
    """The correlated equilibrium with the largest weighted sum of payoffs; by default all players count alike."""
    chosen = weights or (Fraction(1),) * game.players
    profiles = list(game.profiles())
    values = [sum((w * payoff for w, payoff in zip(chosen, cell, strict=True)), Fraction(0)) for cell in game.cells]
    # All values become positive, so that the probabilities of the best distribution sum to 1 although less is allowed.
    shift = 1 - min(values)
    rows = [*_incentives(game, profiles, coarse), [Fraction(1)] * len(profiles)]
    best, _ = maximise([value + shift for value in values], rows, [Fraction(0)] * (len(rows) - 1) + [Fraction(1)])
    found = {profile: weight for profile, weight in zip(profiles, best, strict=True) if weight}
    payoffs = [Fraction(0)] * game.players
    for profile, weight in found.items():
        payoffs = [total + weight * payoff for total, payoff in zip(payoffs, game.payoffs(profile), strict=True)]
    return Correlated(found, tuple(payoffs))


def gain_by_deviating(game: NormalForm, distribution: dict[Profile, Fraction], coarse: bool = False) -> Fraction:
    """What the best deviation from a distribution gains: 0 or less in an equilibrium."""
    profiles = list(distribution)
    weights = list(distribution.values())
    rows = _incentives(game, profiles, coarse)
    return max(sum((w * g for w, g in zip(weights, row, strict=True)), Fraction(0)) for row in rows)


def _incentives(game: NormalForm, profiles: list[Profile], coarse: bool) -> list[list[Fraction]]:
    """For each deviation, what it gains in each profile."""
    rows: list[list[Fraction]] = []
    for player, size in enumerate(game.sizes):
        recommendations: list[int | None] = [None] if coarse else list(range(size))
        for recommended in recommendations:
            rows.extend(
                [_gain(game, profile, player, recommended, action) for profile in profiles]
                for action in range(size)
                if action != recommended
            )
    return rows


def _gain(game: NormalForm, profile: Profile, player: int, recommended: int | None, action: int) -> Fraction:
    if recommended is not None and profile[player] != recommended:
        return Fraction(0)
    other = (*profile[:player], action, *profile[player + 1 :])
    return game.payoffs(other)[player] - game.payoffs(profile)[player]
