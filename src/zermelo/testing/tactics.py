"""Checks of a game's knowledge of moves: order, noise, gains, threats, passes, candidates, the end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from numbers import Real
from typing import Any

from zermelo.core.checked import SLACK
from zermelo.core.game import Action, knows
from zermelo.testing.position import Position
from zermelo.testing.sample import INHERITED, Sample, is_number, is_yes_or_no
from zermelo.testing.values import format_interval, has_a_value, proven_interval

NODES = 1000
"""Maximum number of positions in the search for the best move of one position."""


def guesses_are_numbers(sample: Sample) -> str:
    """`order` is a finite number for every move."""
    return _each_move_has(sample, "order", is_number, "a finite number")


def noise_is_yes_or_no(sample: Sample) -> str:
    """`is_noisy` is True or False for every move."""
    return _each_move_has(sample, "is_noisy", is_yes_or_no, "True or False")


def noisy_moves_are_found(sample: Sample) -> str:
    """`noisy_actions` gives exactly the moves for which `is_noisy` is True, each once, in any order."""
    if not knows(sample.game, "noisy_actions"):
        return INHERITED
    for position in sample.decisions():
        given = _distinct_moves(position, "noisy_actions")
        for move in _noisy(position):
            if move not in given:
                raise position.violation(
                    "noisy_actions should give every noisy move", f"it leaves out {_name(position, move)}"
                )
            del given[move]
        for move in given:
            raise position.violation(
                "noisy_actions should give only noisy moves", f"{_name(position, move)} is not noisy"
            )
    return sample.summary()


def gains_are_numbers(sample: Sample) -> str:
    """`gain` of a noisy move is a number; infinite if unknown."""
    wanted = "a number, infinite if unknown"
    return _each_move_has(sample, "gain", _is_gain, wanted, only_noisy=True)


def _is_gain(value: object) -> bool:
    return isinstance(value, Real) and not math.isnan(value) and value != -math.inf


def exchanges_are_numbers(sample: Sample) -> str:
    """`exchange` of a noisy move is a finite number."""
    return _each_move_has(sample, "exchange", is_number, "a finite number", only_noisy=True)


def threats_are_yes_or_no(sample: Sample) -> str:
    """`is_threatened` is True or False."""
    if not knows(sample.game, "is_threatened"):
        return INHERITED
    for position in sample.decisions():
        _yes_or_no(position, "is_threatened")
    return sample.summary()


def a_pass_gives_the_turn_away(sample: Sample) -> str:
    """`may_pass` is True or False; if True, `after_pass` returns a position with another player to move."""
    if not knows(sample.game, "may_pass"):
        return INHERITED
    passes = 0
    for position in sample.decisions():
        if not _yes_or_no(position, "may_pass"):
            continue
        passes += 1
        then = Position(sample.game, position.ask("after_pass"), position.before, position.action).observe()
        if then.player == position.player or then.is_chance:
            raise position.violation(
                "after_pass should give the turn to the opponent", f"then to_move is {then.player!r}"
            )
    return f"{sample.summary()}, a pass in {passes} of them"


def a_best_move_is_a_candidate(sample: Sample) -> str:
    """`candidates` are legal moves, and a small search does not prove that another move is better than all of them."""
    game = sample.game
    if not knows(game, "candidates"):
        return INHERITED
    for position in sample.decisions(deepest_first=True):
        given = _distinct_moves(position, "candidates")
        for move in given:
            if move not in position.moves:
                raise position.violation("candidates should be legal moves", f"{_name(position, move)} is not one")
        if not given:
            raise position.violation("there should be a candidate among the moves", "there is none")
        if len(given) < len(position.moves) and has_a_value(game):
            _must_hold_a_best(sample, position, list(given))
    return sample.summary()


def _must_hold_a_best(sample: Sample, position: Position, given: list[Action]) -> None:
    each = NODES // len(position.moves)
    values = {
        move: proven_interval(position.after(move), position.player, each, sample.is_late) for move in position.moves
    }
    better = max(values, key=lambda move: values[move][0])
    best = max(given, key=lambda move: values[move][1])
    if values[best][1] < values[better][0] - SLACK:
        raise position.violation(
            "candidates should hold a best move",
            f"{_name(position, better)} is worth {format_interval(values[better])} and the best of them, "
            f"{_name(position, best)}, {format_interval(values[best])}",
        )


def the_end_stays_near(sample: Sample) -> str:
    """`is_nearly_over` is True or False, and once True, it stays True to the end."""
    if not knows(sample.game, "is_nearly_over"):
        return INHERITED
    for position in sample.all():
        if not _yes_or_no(position, "is_nearly_over"):
            continue
        for move in position.moves:
            then = position.after(move)
            if not then.over and not _yes_or_no(then, "is_nearly_over"):
                raise then.violation("is_nearly_over should stay True to the end", "a move later it is False,")
    return sample.summary()


def _each_move_has(
    sample: Sample, method: str, is_right: Callable[[Any], bool], wanted: str, *, only_noisy: bool = False
) -> str:
    """Check a method's results for all moves, or for the noisy ones."""
    if not knows(sample.game, method):
        return INHERITED
    for position in sample.decisions():
        for move in _noisy(position) if only_noisy else position.moves:
            answer = position.ask(method, move)
            if not is_right(answer):
                found = f"that of {position.move_text(move)} is {answer!r}"
                raise position.violation(f"{method} should be {wanted}", found)
    return sample.summary()


def _yes_or_no(position: Position, method: str) -> bool:
    answer = position.ask(method)
    if not is_yes_or_no(answer):
        raise position.violation(f"{method} should be True or False", f"it is {answer!r}")
    return bool(answer)


def _noisy(position: Position) -> list[Action]:
    return [move for move in position.moves if position.ask("is_noisy", move)]


def _distinct_moves(position: Position, method: str) -> Counter[Action]:
    """The moves that a method gives, each of which should come once."""
    times: Counter[Action] = position.attempt("hash of a move", Counter, position.ask_all(method))
    for move, number in times.items():
        if number > 1:
            raise position.violation(
                f"{method} should give a move once", f"{_name(position, move)} comes {number} times"
            )
    return times


def _name(position: Position, move: Action) -> str:
    """A legal move in notation, anything else as Python writes it."""
    return position.move_text(move) if move in position.moves else repr(move)
