"""Checks that compiled and interpreted rules agree, on the positions of random games.

If they differ, the report names the method, both results and the position. A game that does not compile has nothing to
compare.
"""

from __future__ import annotations

import math
import time

from zermelo.core.checked import SLACK
from zermelo.core.game import NO_ACTION, Action, Game, State
from zermelo.kernel import U64, Outgrown, is_enabled, kernel, number
from zermelo.kernel.compiler import CannotCompile, is_plain
from zermelo.kernel.diagnostics import explain_not_plain, explain_outgrown
from zermelo.testing.position import Position
from zermelo.testing.sample import Sample
from zermelo.testing.transcript import (
    ACTIONS,
    AFTER_PASS,
    CANDIDATES,
    CANONICAL,
    CHANCES,
    EXCHANGE,
    GAIN,
    IS_NOISY,
    METHODS,
    NOISY_ACTIONS,
    ORDER,
    OUTCOMES,
    PRIOR,
    REPETITION_KEY,
    RESULT,
    SAMPLE,
    TO_MOVE,
    WITHOUT_BANK,
    YES_OR_NO,
    Known,
    Transcript,
    transcribe,
)

NOT_COMPILED = "not compiled: "


@kernel
def state_after(game: Game, state: State, action: int) -> State:
    """For the report of a difference: the state itself."""
    return game.result(state, action)


@kernel
def representative(game: Game, state: State) -> State:
    """For the report of a difference: the state itself."""
    return game.canonical(state)


@kernel
def without_clocks(game: Game, state: State) -> State:
    """For the report of a difference: the state itself."""
    return game.repetition_key(state)


@kernel
def after_a_pass(game: Game, state: State) -> State:
    """For the report of a difference: the state itself."""
    return game.after_pass(state)


@kernel
def bare(game: Game, state: State) -> State:
    """For the report of a difference: the state itself."""
    return game.without_bank(state)


STATES = {CANONICAL: representative, REPETITION_KEY: without_clocks, AFTER_PASS: after_a_pass, WITHOUT_BANK: bare}


def compiled_rules_agree(sample: Sample) -> str:
    """The compiled game gives the same results as the interpreted one in every position; it need not compile."""
    first = sample.positions[0]
    if not is_enabled():
        return NOT_COMPILED + "compiling is switched off"
    if not is_plain(first.state):
        return NOT_COMPILED + "only states made of numbers compile"
    transcript, known = Transcript.allocate(), Known(sample.game)
    try:
        begin = time.monotonic()
        transcribe.run_compiled(sample.game, known, first.state, NO_ACTION, transcript)
        sample.deadline += time.monotonic() - begin  # the compiler's work is not on the check's clock
        for position in sample.all():
            _must_agree(position, known, transcript)
    except CannotCompile as refusal:
        return NOT_COMPILED + str(refusal)
    except Outgrown as error:
        return NOT_COMPILED + explain_outgrown(error, [sample.game])
    return sample.summary()


def _must_agree(position: Position, known: Known, transcript: Transcript) -> None:
    game, state = position.game, position.state
    if not is_plain(state):
        raise CannotCompile(explain_not_plain(state, [game]))
    last = position.action if position.before and type(position.action) is int else NO_ACTION
    transcribe.run_compiled(game, known, state, last, transcript)
    compiled = transcript.by_question()
    position.attempt("a method", transcribe, game, known, state, last, transcript)
    interpreted = transcript.by_question()
    for question, method in METHODS.items():
        mine, other = interpreted.get(question, []), compiled.get(question, [])
        if not _same(mine, other):
            expected = f"compiled and interpreted {method} should say the same"
            raise position.violation(expected, _difference(position, question, other, mine))


def _same(some: list[float], others: list[float]) -> bool:
    return len(some) == len(others) and all(map(_is_close, some, others))


def _is_close(one: float, other: float) -> bool:
    """Words are equal or not; real numbers are equal up to rounding, and NaN equals NaN."""
    if isinstance(one, U64):
        return one == other
    return math.isclose(one, other, rel_tol=SLACK, abs_tol=SLACK) or (math.isnan(one) and math.isnan(other))


# -- sentences -----------------------------------------------------------------------------------------


def _difference(position: Position, question: int, compiled: list[float], interpreted: list[float]) -> str:
    """`they say 3 and 2`, the compiled answer first."""
    if question in (ACTIONS, OUTCOMES, NOISY_ACTIONS, CANDIDATES):
        return _moves_difference(position, compiled, interpreted)
    if len(compiled) != len(interpreted):
        return f"there are {len(compiled)} and {len(interpreted)} answers"
    index = next(i for i, pair in enumerate(zip(compiled, interpreted, strict=True)) if not _is_close(*pair))
    if question in STATES:
        state = STATES[question].run_compiled(position.game, position.state)
        return f"they say {state!r} and {position.ask(METHODS[question])!r}"
    if question == RESULT:
        move = position.moves[index]
        states = state_after.run_compiled(position.game, position.state, move), position.ask("result", move)
        return f"after {position.move_text(move)} they say {states[0]!r} and {states[1]!r}"
    one, other = (_format_answer(question, answers[index]) for answers in (compiled, interpreted))
    if question == SAMPLE:
        return f"they draw {_move_name(position, compiled[index])} and {_move_name(position, interpreted[index])}"
    if question in (CHANCES, ORDER, PRIOR, IS_NOISY):
        return f"for {position.move_text(position.moves[index])} they say {one} and {other}"
    if question in (GAIN, EXCHANGE):
        noisy = [move for move in position.moves if position.ask("is_noisy", move)]
        return f"for {position.move_text(noisy[index])} they say {one} and {other}"
    return f"they say {one} and {other}"


def _format_answer(question: int, answer: float) -> str:
    if question in YES_OR_NO:
        return str(bool(answer))
    if question == TO_MOVE:
        return str(number(U64(answer)))
    return str(answer)


def _moves_difference(position: Position, compiled: list[float], interpreted: list[float]) -> str:
    """The moves that only one of the two gives."""

    def texts(words: list[float]) -> str:
        return " ".join(_move_name(position, word) for word in words[:8]) + " …" * (len(words) > 8) if words else "none"

    extra = [word for word in compiled if word not in interpreted]
    missing = [word for word in interpreted if word not in compiled]
    if extra or missing:
        return f"only the compiled rules give {texts(extra)}, and only the interpreted ones {texts(missing)}"
    return f"they give {texts(compiled)} and {texts(interpreted)}"


def _move_name(position: Position, word: float) -> str:
    """A legal move in notation, anything else as a number."""
    known: dict[float, Action] = {U64(move): move for move in position.moves}
    return position.move_text(known[word]) if word in known else str(number(U64(word)))
