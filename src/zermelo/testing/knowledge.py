"""Checks of a game's knowledge beyond its rules: evaluation, bank, keys, symmetry, bounds."""

from __future__ import annotations

import math
from numbers import Real

from zermelo.core.checked import SLACK
from zermelo.core.game import knows
from zermelo.testing.position import Position
from zermelo.testing.sample import INHERITED, Sample, is_number
from zermelo.testing.values import Interval, format_interval, has_a_value, proven_interval

NODES = 500
"""Maximum number of positions in the search for the value of one position."""
EDGE = 1e-8
"""Share of the scale: an estimate closer to its ends looks like the end of the game to a search."""


def estimates_are_on_the_scale(sample: Sample) -> str:
    """`evaluate` is a finite number on the scale of `utility`; in a zero-sum game for two, opposite for the two.

    Without dice and hidden information it also stays clear of the ends of the scale, which mean a decided game.
    """
    game = sample.game
    if not knows(game, "evaluate"):
        return INHERITED
    low, high = game.utility_range
    is_opposed = game.zero_sum and game.players == 2
    edge = EDGE * (high - low) if is_opposed and not game.chance and not game.hidden else -SLACK
    for position in sample.decisions():
        estimates = [position.ask("evaluate", player) for player in range(game.players)]
        for player, estimate in enumerate(estimates):
            if not is_number(estimate) or not low - SLACK <= estimate <= high + SLACK:
                raise position.violation(
                    f"evaluate should be a number within utility_range, {low} to {high}",
                    f"that of player {player} is {estimate!r}",
                )
            if not low + edge <= estimate <= high - edge:
                raise position.violation(
                    f"evaluate should stay clear of the ends of utility_range, {low} and {high}, until all is decided",
                    f"that of player {player} is {estimate!r}",
                )
        again = [position.ask("evaluate", player) for player in range(game.players)]
        if again != estimates:
            raise position.violation("evaluate should answer the same every time", f"it is {estimates}, then {again}")
        most = min(game.max_payoff_sum, 0 if game.zero_sum else math.inf)
        if game.players > 2 and sum(estimates) > most + SLACK:
            raise position.violation(
                f"the estimates of all players should sum to {most} at most, as payoffs do", f"they are {estimates}"
            )
        if is_opposed and abs(sum(estimates)) > SLACK:
            raise position.violation(
                "evaluate in a zero-sum game should be opposite for the two players", f"it is {estimates}"
            )
    return sample.summary()


def the_bank_is_only_added(sample: Sample) -> str:
    """`without_bank` changes neither the turn nor the moves, and reduces the payoffs by exactly `bank`."""
    game = sample.game
    if not knows(game, "bank"):
        return INHERITED
    for position in sample.all():
        bare = Position(game, position.ask("without_bank"), position.before, position.action).observe()
        if (bare.player, bool(bare.over), bare.moves) != (position.player, bool(position.over), position.moves):
            raise position.violation("without_bank should change neither the turn nor the moves", "it does")
        for player in range(game.players):
            bank = _ask_bank(position, player)
            if position.over and abs(position.payoffs[player] - bank - bare.payoffs[player]) > SLACK:
                raise position.violation(
                    "utility should be less by the bank without_bank",
                    f"for player {player} it is {position.payoffs[player]} with {bank}, {bare.payoffs[player]} without",
                )
        for move in position.moves:
            then, bare_then = position.after(move), bare.after(move)
            for player in range(game.players):
                gained = _ask_bank(then, player) - _ask_bank(position, player)
                bare_gained = _ask_bank(bare_then, player) - _ask_bank(bare, player)
                if abs(gained - bare_gained) > SLACK:
                    raise position.violation(
                        "a move should put the same into the bank without_bank",
                        f"{position.move_text(move)} puts {gained} there for player {player}, without {bare_gained}",
                    )
            if then.ask("without_bank") != bare_then.ask("without_bank"):
                raise position.violation(
                    "a move should lead to the same position without_bank", f"{position.move_text(move)} does not"
                )
    return sample.summary()


def _ask_bank(position: Position, player: int) -> float:
    bank: float = position.ask("bank", player)
    if not is_number(bank):
        raise position.violation("bank should be a number", f"that of player {player} is {bank!r}")
    return bank


def keys_distinguish_states(sample: Sample) -> str:
    """`key` is a 64-bit number, equal for equal states and different for all different states of random play.

    States that differ only in their clocks may share a key.
    """
    owners: dict[int, Position] = {}
    for position in sample.all():
        key = position.ask("key")
        if not isinstance(key, int) or not 0 <= key < 1 << 64:
            raise position.violation("key should be a whole number of 64 bits", f"it is {key!r}")
        if position.ask("key") != key or _again(position).ask("key") != key:
            raise position.violation("equal states should have equal keys", "the second time the key is another")
        owner = owners.setdefault(key, position)
        if owner is not position and owner.ask("repetition_key") != position.ask("repetition_key"):
            raise position.violation(
                "different states should have different keys", f"{owner.text()} has the same key as this"
            )
    return sample.summary()


def symmetry_keeps_the_value(sample: Sample) -> str:
    """`canonical` gives one representative, with the same player to move, as many moves and the same value."""
    game = sample.game
    if not knows(game, "canonical"):
        return INHERITED
    twins: list[tuple[Position, Position]] = []
    for position in sample.all():
        twin = Position(game, position.ask("canonical"), position.before, position.action)
        if twin.state == position.state:
            continue
        if twin.ask("canonical") != twin.state:
            raise position.violation(
                "the canonical state of a canonical state should be itself", f"{twin.text()} has another"
            )
        twin.observe()
        for what, mine, other in (
            ("player to move", position.player, twin.player),
            ("answer from is_terminal", position.over, twin.over),
            ("number of moves", len(position.moves), len(twin.moves)),
        ):
            if mine != other:
                raise position.violation(
                    f"the canonical state should have the same {what}",
                    f"in {twin.text()} it is {other!r}, not {mine!r} as",
                )
        twins.append((position, twin))
    seen = f"{sample.summary()}, {len(twins)} of them not canonical"
    for position, twin in sorted(twins, key=lambda pair: -pair[0].ply):
        for player in range(game.players):
            _must_be_worth_the_same(sample, position, twin, player)
    return seen


def _must_be_worth_the_same(sample: Sample, position: Position, twin: Position, player: int) -> None:
    mine, other = (_prove(sample, one, player) for one in (position, twin))
    if max(mine[0], other[0]) > min(mine[1], other[1]) + SLACK:
        raise position.violation(
            "the canonical state should have the same value",
            f"for player {player} {twin.text()} is worth {format_interval(other)}, not {format_interval(mine)} as",
        )


def bounds_hold_the_value(sample: Sample) -> str:
    """`bounds` is an interval that encloses the value, wherever a small search can prove it."""
    game = sample.game
    if not knows(game, "bounds"):
        return INHERITED
    for position in sample.deepest_first():
        for player in range(game.players):
            low, high = _bounds(position, player)
            if has_a_value(game):
                least, most = _prove(sample, position, player)
            elif position.over:
                least = most = position.payoffs[player]
            else:
                continue
            if most < low - SLACK or least > high + SLACK:
                raise position.violation(
                    "bounds should enclose the value",
                    f"for player {player} they are {low} to {high} and the value is {format_interval((least, most))}",
                )
    return sample.summary()


def _bounds(position: Position, player: int) -> Interval:
    found = position.ask("bounds", player)
    if not (
        isinstance(found, tuple)
        and len(found) == 2
        and all(isinstance(bound, Real) for bound in found)
        and found[0] <= found[1]
    ):
        raise position.violation("bounds should be a pair (lowest, highest)", f"for player {player} it is {found!r}")
    return found


def _prove(sample: Sample, position: Position, player: int) -> Interval:
    return proven_interval(position, player, NODES, sample.is_late)


def _again(position: Position) -> Position:
    """The same position with a new copy of its state."""
    if position.before is None:
        return Position(position.game, position.attempt("initial", position.game.initial))
    return Position(position.game, position.before.next_state(position.action), position.before, position.action)
