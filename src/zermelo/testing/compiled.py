"""The compiled rules against the interpreted ones, on the positions of random games.

Every method is put as a question to one kernel, and the kernel runs both ways. Answers that are words are compared
exactly, by a hash of all of them; answers that are real numbers up to rounding.
"""

from __future__ import annotations

import math
import time

from zermelo.core.game import Game, State
from zermelo.kernel import U64, hash_numbers, is_enabled, kernel, mix
from zermelo.kernel.compiler import CannotCompile, is_plain
from zermelo.testing.position import Position
from zermelo.testing.rules import SLACK
from zermelo.testing.sample import Sample

TO_MOVE, IS_TERMINAL, ACTIONS, RESULT, OUTCOMES, KEY, CANONICAL, IS_NOISY = range(8)
UTILITY, EVALUATE, ORDER, BOUNDS = range(4)

WORDS = ("to_move", "is_terminal", "actions", "result", "outcomes", "key", "canonical", "is_noisy")
REALS = ("utility", "evaluate", "order", "bounds")


@kernel
def word_answer(game: Game, state: State, question: int) -> U64:
    """A hash of what a method says about the state, and of all its moves where it takes one."""
    found = U64(0)
    if question == TO_MOVE:
        found = U64(game.to_move(state))
    elif question == IS_TERMINAL:
        found = U64(1) if game.is_terminal(state) else U64(0)
    elif question == ACTIONS:
        for action in game.actions(state):
            found = mix(found ^ U64(action))
    elif question == RESULT:
        for action in game.actions(state):
            found = mix(found ^ hash_numbers(game.result(state, action)))
    elif question == OUTCOMES:
        for action, chance in game.outcomes(state):
            after = hash_numbers(game.result(state, action))
            found = mix(mix(found ^ U64(action)) ^ after) ^ hash_numbers(float(chance))
    elif question == KEY:
        found = game.key(state)
    elif question == CANONICAL:
        found = hash_numbers(game.canonical(state))
    else:
        for action in game.actions(state):
            found = mix(found ^ (U64(1) if game.is_noisy(state, action) else U64(2)))
    return found


@kernel
def real_answer(game: Game, state: State, question: int, player: int) -> float:
    """What a method says about the state; for two bounds or many moves, numbers that tell the answers apart."""
    found = 0.0
    if question == UTILITY:
        found = float(game.utility(state, player))
    elif question == EVALUATE:
        found = float(game.evaluate(state, player))
    elif question == ORDER:
        weight = 1.0
        for action in game.actions(state):
            found += weight * game.order(state, action)
            weight += 1.0
    else:
        low, high = game.bounds(state, player)
        found = low + 3.0 * high
    return found


def compiled_rules_agree(sample: Sample) -> str:
    """The compiled game says the same as the interpreted one in every position; it need not compile at all."""
    if not is_enabled():
        return "nothing to look at: compiling is switched off"
    if not is_plain(sample.positions[0].state):
        return "nothing to look at: only states made of numbers compile"
    try:
        begin = time.monotonic()
        _must_agree(sample.positions[0])
        sample.deadline += time.monotonic() - begin  # the compiler's work is not on the check's clock
        for position in sample.all():
            _must_agree(position)
    except CannotCompile as refusal:
        return f"nothing to look at: {refusal}"
    return sample.seen()


def _must_agree(position: Position) -> None:
    game, state = position.game, position.state
    for question in _words_to_ask(position):
        word = position.attempt(WORDS[question], word_answer, game, state, question)
        if word_answer.compiled(game, state, question) != word:
            raise position.unmet(f"compiled and interpreted {WORDS[question]} should say the same", "they do not")
    for question in _reals_to_ask(position):
        for player in range(game.players):
            real = position.attempt(REALS[question], real_answer, game, state, question, player)
            found = real_answer.compiled(game, state, question, player)
            if not math.isclose(found, real, rel_tol=SLACK, abs_tol=SLACK):
                raise position.unmet(
                    f"compiled and interpreted {REALS[question]} should say the same", f"they say {found} and {real}"
                )


def _words_to_ask(position: Position) -> list[int]:
    """The questions that make sense in this kind of position."""
    always = [TO_MOVE, IS_TERMINAL, KEY, CANONICAL]
    if position.over:
        return always
    return [*always, OUTCOMES] if position.is_chance else [*always, ACTIONS, RESULT, IS_NOISY]


def _reals_to_ask(position: Position) -> list[int]:
    if position.over:
        return [UTILITY, BOUNDS]
    return [BOUNDS] if position.is_chance else [EVALUATE, ORDER, BOUNDS]
