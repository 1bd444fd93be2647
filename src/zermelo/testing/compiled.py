"""Checks that compiled and interpreted rules agree, on the positions of random games.

If they differ, the report names the method, both results and the position. A game that does not compile has nothing to
compare.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable
from functools import partial

from zermelo.core.checked import SLACK
from zermelo.core.game import NO_ACTION, Action, Game, State
from zermelo.kernel import GOLDEN, U64, Outgrown, is_enabled, kernel, number
from zermelo.kernel.compiler import CannotCompile, is_plain
from zermelo.kernel.diagnostics import explain_not_plain, explain_outgrown
from zermelo.testing.hidden import OPEN
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


@kernel
def world(game: Game, state: State, player: int, luck: U64) -> State:
    """A world that looks to the player like the state."""
    return game.other_world(state, player, luck)


STATES = {CANONICAL: representative, REPETITION_KEY: without_clocks, AFTER_PASS: after_a_pass, WITHOUT_BANK: bare}


def compiled_rules_agree(sample: Sample) -> str:
    """The compiled game gives the same results as the interpreted one in every position; it need not compile."""
    transcript, known, start = Transcript.allocate(), Known(sample.game), sample.positions[0].state
    return _compare(
        sample,
        lambda: transcribe.run_compiled(sample.game, known, start, NO_ACTION, transcript),
        sample.all(),
        lambda position: _must_agree(position, known, transcript),
    )


def compiled_worlds_agree(sample: Sample) -> str:
    """Compiled `worlds` draws the same states as the interpreted method; it need not compile."""
    game, rng = sample.game, random.Random(sample.seed)
    if not game.hidden:
        return OPEN

    def must_agree(position: Position) -> None:
        state, player, luck = position.state, position.player, U64(rng.getrandbits(64))
        compiled = world.run_compiled(game, state, player, luck)
        interpreted = position.attempt("worlds", game.other_world, state, player, luck)
        if compiled != interpreted:
            raise position.violation(
                "compiled and interpreted worlds should draw the same state",
                f"they draw {compiled!r} and {interpreted!r}",
            )

    first = next(sample.decisions(), None)
    if first is None:
        return sample.summary()
    prepare = partial(world.run_compiled, game, first.state, first.player, GOLDEN)
    return _compare(sample, prepare, sample.decisions(), must_agree)


def _compare(
    sample: Sample,
    prepare: Callable[[], object],
    positions: Iterable[Position],
    must_agree: Callable[[Position], None],
) -> str:
    """Compare all positions; the time that the compiler needs to `prepare` is not on the check's clock."""
    if not is_enabled():
        return NOT_COMPILED + "compiling is switched off"
    if not is_plain(sample.positions[0].state):
        return NOT_COMPILED + "only states made of numbers compile"
    try:
        begin = time.monotonic()
        prepare()
        sample.deadline += time.monotonic() - begin
        for position in positions:
            must_agree(position)
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
