"""The compiled rules against the interpreted ones, on the positions of random games.

One kernel asks every method about a position and writes down what it says, question and answer by turns; an answer
is a word or a real number. The kernel runs both ways. Where the two accounts differ, the method, both answers and
the position are named. A game need not compile at all: then it runs interpreted, and there is nothing to compare.
"""

from __future__ import annotations

import math
import time

from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.kernel import (
    U64,
    Memory,
    hash_numbers,
    is_enabled,
    kernel,
    load_real,
    load_word,
    number,
    store,
    store_real,
    store_word,
)
from zermelo.kernel.compiler import CannotCompile, is_plain
from zermelo.testing.position import Position
from zermelo.testing.rules import SLACK
from zermelo.testing.sample import Sample

TO_MOVE, IS_TERMINAL, ACTIONS, OUTCOMES, RESULT, IS_NOISY, KEY, CANONICAL = range(8)
CHANCES, UTILITY, EVALUATE, ORDER, BOUNDS = range(8, 13)
"""Words first, then real numbers."""

METHODS = {
    TO_MOVE: "to_move",
    IS_TERMINAL: "is_terminal",
    ACTIONS: "actions",
    OUTCOMES: "outcomes",
    CHANCES: "outcomes",
    RESULT: "result",
    UTILITY: "utility",
    EVALUATE: "evaluate",
    ORDER: "order",
    IS_NOISY: "is_noisy",
    KEY: "key",
    CANONICAL: "canonical",
    BOUNDS: "bounds",
}
"""In the order in which they are compared: a later answer may only follow from an earlier one."""

MOST_CELLS = 1 << 15
ROOM = 16
"""Cells that the answers about one move may take."""
NOT_COMPILED = "not compiled: "


@kernel
def account(game: Game, state: State, memory: int) -> int:
    """Write down what the rules say about a state and its moves, as far as there is room; how many cells it took."""
    mover, is_over = game.to_move(state), game.is_terminal(state)
    cell = say(memory, 0, TO_MOVE, U64(mover))
    cell = say(memory, cell, IS_TERMINAL, U64(1) if is_over else U64(0))
    cell = say(memory, cell, KEY, game.key(state))
    cell = say(memory, cell, CANONICAL, hash_numbers(game.canonical(state)))
    for player in range(game.players):
        low, high = game.bounds(state, player)
        cell = say_real(memory, cell, BOUNDS, float(low))
        cell = say_real(memory, cell, BOUNDS, float(high))
        if is_over:
            cell = say_real(memory, cell, UTILITY, float(game.utility(state, player)))
        elif mover != CHANCE:
            cell = say_real(memory, cell, EVALUATE, float(game.evaluate(state, player)))
    if is_over:
        return cell
    if mover == CHANCE:
        for action, chance in game.outcomes(state):
            if cell <= MOST_CELLS - ROOM:
                cell = say(memory, cell, OUTCOMES, U64(action))
                cell = say_real(memory, cell, CHANCES, float(chance))
                cell = say(memory, cell, RESULT, hash_numbers(game.result(state, action)))
    else:
        for action in game.actions(state):
            if cell <= MOST_CELLS - ROOM:
                cell = say(memory, cell, ACTIONS, U64(action))
                cell = say(memory, cell, RESULT, hash_numbers(game.result(state, action)))
                cell = say_real(memory, cell, ORDER, float(game.order(state, action)))
                cell = say(memory, cell, IS_NOISY, U64(1) if game.is_noisy(state, action) else U64(0))
    return cell


def say(memory: int, cell: int, question: int, answer: U64) -> int:
    """Write down a word; the next free cell."""
    store(memory, cell, question)
    store_word(memory, cell + 1, answer)
    return cell + 2


def say_real(memory: int, cell: int, question: int, answer: float) -> int:
    """Write down a real number; the next free cell."""
    store(memory, cell, question)
    store_real(memory, cell + 1, answer)
    return cell + 2


@kernel
def state_after(game: Game, state: State, action: int) -> State:
    """For the report of a difference: the state itself."""
    return game.result(state, action)


@kernel
def representative(game: Game, state: State) -> State:
    """For the report of a difference: the state itself."""
    return game.canonical(state)


def compiled_rules_agree(sample: Sample) -> str:
    """The compiled game says the same as the interpreted one in every position; it need not compile at all."""
    first = sample.positions[0]
    if not is_enabled():
        return NOT_COMPILED + "compiling is switched off"
    if not is_plain(first.state):
        return NOT_COMPILED + "only states made of numbers compile"
    memory = Memory(MOST_CELLS)
    try:
        begin = time.monotonic()
        account.compiled(sample.game, first.state, memory.address)
        sample.deadline += time.monotonic() - begin  # the compiler's work is not on the check's clock
        for position in sample.all():
            _must_agree(position, memory)
    except CannotCompile as refusal:
        return NOT_COMPILED + str(refusal)
    return sample.seen()


def _must_agree(position: Position, memory: Memory) -> None:
    game, state = position.game, position.state
    if not is_plain(state):
        raise position.unmet("a state should be made of numbers of 64 bits, as the first one is", f"it is {state!r}")
    compiled = _answers(memory, account.compiled(game, state, memory.address))
    interpreted = _answers(memory, position.attempt("a method", account, game, state, memory.address))
    for question, method in METHODS.items():
        mine, other = interpreted.get(question, []), compiled.get(question, [])
        if not _same(mine, other):
            expected = f"compiled and interpreted {method} should say the same"
            raise position.unmet(expected, _difference(position, question, other, mine))


def _answers(memory: Memory, cells: int) -> dict[int, list[float]]:
    """The answers by question, each in the order in which they were given."""
    found: dict[int, list[float]] = {}
    for cell in range(0, cells, 2):
        question = memory[cell]
        read = load_real if question >= CHANCES else load_word
        found.setdefault(question, []).append(read(memory.address, cell + 1))
    return found


def _same(some: list[float], others: list[float]) -> bool:
    return len(some) == len(others) and all(map(_is_close, some, others))


def _is_close(one: float, other: float) -> bool:
    """Words are equal or not; real numbers are equal up to rounding, and one that is none is like another."""
    if isinstance(one, U64):
        return one == other
    return math.isclose(one, other, rel_tol=SLACK, abs_tol=SLACK) or (math.isnan(one) and math.isnan(other))


# -- telling a person ----------------------------------------------------------------------------------


def _difference(position: Position, question: int, compiled: list[float], interpreted: list[float]) -> str:
    """`they say 3 and 2`, the compiled answer first."""
    if question in (ACTIONS, OUTCOMES):
        return _moves_difference(position, compiled, interpreted)
    if len(compiled) != len(interpreted):
        return f"there are {len(compiled)} and {len(interpreted)} answers"
    index = next(i for i, pair in enumerate(zip(compiled, interpreted, strict=True)) if not _is_close(*pair))
    if question == CANONICAL:
        return f"they say {representative.compiled(position.game, position.state)!r} and {position.ask('canonical')!r}"
    if question == RESULT:
        move = position.moves[index]
        states = state_after.compiled(position.game, position.state, move), position.ask("result", move)
        return f"after {position.move_text(move)} they say {states[0]!r} and {states[1]!r}"
    one, other = (_shown(question, answers[index]) for answers in (compiled, interpreted))
    about = f"for {position.move_text(position.moves[index])} " if question in (CHANCES, ORDER, IS_NOISY) else ""
    return f"{about}they say {one} and {other}"


def _shown(question: int, answer: float) -> str:
    if question in (IS_TERMINAL, IS_NOISY):
        return str(bool(answer))
    if question == TO_MOVE:
        return str(number(U64(answer)))
    return str(answer)


def _moves_difference(position: Position, compiled: list[float], interpreted: list[float]) -> str:
    """Which moves only one of the two knows."""
    known: dict[float, Action] = {U64(move): move for move in position.moves}

    def name(word: float) -> str:
        return position.move_text(known[word]) if word in known else str(number(U64(word)))

    def told(words: list[float]) -> str:
        return " ".join(map(name, words[:8])) + " …" * (len(words) > 8) if words else "none"

    extra = [word for word in compiled if word not in interpreted]
    missing = [word for word in interpreted if word not in compiled]
    if extra or missing:
        return f"only the compiled rules give {told(extra)}, and only the interpreted ones {told(missing)}"
    return f"they give {told(compiled)} and {told(interpreted)}"
