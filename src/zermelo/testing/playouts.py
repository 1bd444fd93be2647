"""Checks of a game's knowledge for Monte Carlo search: priors and samples."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.core.game import NO_ACTION, Action, knows
from zermelo.kernel import U64, hash_numbers, mix
from zermelo.testing.position import Position
from zermelo.testing.sample import INHERITED, Sample, is_number

DRAWS = 12
"""Number of random words for each position, besides the least and the greatest word."""
GREATEST = U64((1 << 64) - 1)


def priors_are_weights(sample: Sample) -> str:
    """`prior` is a finite number from 0 on for every move, and above 0 for one of them."""
    if not knows(sample.game, "prior"):
        return INHERITED
    for position in sample.decisions():
        last = position.action if position.before else NO_ACTION
        weights = [position.ask("prior", last, move) for move in position.moves]
        for move, weight in zip(position.moves, weights, strict=True):
            if not (is_number(weight) and weight >= 0):
                found = f"that of {position.move_text(move)} is {weight!r}"
                raise position.violation("prior should be a finite number from 0 on", found)
        if weights and not any(weights):
            raise position.violation("the prior of some move should be above 0", "there is none")
    return sample.summary()


def drawn_moves_are_legal(sample: Sample) -> str:
    """`sample` gives a legal move for any word, with the last move or without; the same word draws the same."""
    if not knows(sample.game, "sample"):
        return INHERITED
    for number, position in enumerate(sample.decisions()):
        for last in _last_moves(position):
            for luck in _words(sample.seed, number):
                _must_draw_a_move(position, last, luck)
    return sample.summary()


def _last_moves(position: Position) -> Iterator[Action]:
    yield NO_ACTION
    if position.before:
        yield position.action


def _words(seed: int, number: int) -> Iterator[U64]:
    yield U64(0)
    yield GREATEST
    for draw in range(DRAWS):
        yield mix(hash_numbers((seed, number, draw)))


def _must_draw_a_move(position: Position, last: Action, luck: U64) -> None:
    drawn = position.ask("sample", last, luck)
    named = "NO_ACTION" if last == NO_ACTION else last
    call = f"sample(state, {named}, {luck!r})"
    twin = next((move for move in position.moves if move == drawn), None)
    if twin is None:
        raise position.violation("sample should draw a legal move", f"{call} is {drawn!r}")
    if type(drawn) is not type(twin):
        raise position.violation("sample should draw a move as actions gives it", f"{call} is {drawn!r}, not {twin!r},")
    again = position.ask("sample", last, luck)
    if again != drawn:
        raise position.violation("sample should draw the same move every time", f"{call} is {drawn!r}, then {again!r}")
