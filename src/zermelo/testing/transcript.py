"""The transcript of a position: what every method of its game answers, recorded by one kernel that runs both ways.

Questions and answers alternate; an answer is a word or a real number.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE, NO_ACTION, Game, State, knows
from zermelo.kernel import (
    U64,
    Memory,
    Switches,
    hash_numbers,
    kernel,
    load_real,
    load_word,
    mix,
    store,
    store_real,
    store_word,
)

TO_MOVE, IS_TERMINAL, ACTIONS, OUTCOMES, RESULT, COUNT, KEY, CANONICAL, REPETITION_KEY = range(9)
IS_NOISY, NOISY_ACTIONS, CANDIDATES, IS_THREATENED, MAY_PASS, AFTER_PASS, IS_NEARLY_OVER, WITHOUT_BANK, SAMPLE = range(
    9, 18
)
CHANCES, UTILITY, EVALUATE, ORDER, BOUNDS, GAIN, EXCHANGE, BANK, PRIOR = range(18, 27)
"""Words first, then real numbers."""
YES_OR_NO = (IS_TERMINAL, IS_NOISY, IS_THREATENED, MAY_PASS, IS_NEARLY_OVER)

METHODS = {
    TO_MOVE: "to_move",
    IS_TERMINAL: "is_terminal",
    ACTIONS: "actions",
    OUTCOMES: "outcomes",
    CHANCES: "outcomes",
    RESULT: "result",
    COUNT: "count",
    UTILITY: "utility",
    EVALUATE: "evaluate",
    ORDER: "order",
    PRIOR: "prior",
    IS_NOISY: "is_noisy",
    NOISY_ACTIONS: "noisy_actions",
    GAIN: "gain",
    EXCHANGE: "exchange",
    CANDIDATES: "candidates",
    SAMPLE: "sample",
    IS_THREATENED: "is_threatened",
    MAY_PASS: "may_pass",
    AFTER_PASS: "after_pass",
    IS_NEARLY_OVER: "is_nearly_over",
    BANK: "bank",
    WITHOUT_BANK: "without_bank",
    KEY: "key",
    CANONICAL: "canonical",
    REPETITION_KEY: "repetition_key",
    BOUNDS: "bounds",
}
"""In the order in which they are compared: a later answer may only follow from an earlier one."""

MOST_CELLS = 1 << 15
ROOM = 16
"""Cells that the answers about one move may take."""
DRAWS = 8
"""Moves that are drawn in each position."""


class Known(Switches):
    """The optional methods that a game gives itself: what it inherits need not be compiled to be compared."""

    def __init__(self, game: Game) -> None:
        self.count = knows(game, "count")
        self.repetition_key = knows(game, "repetition_key")
        self.canonical = knows(game, "canonical")
        self.order = knows(game, "order")
        self.prior = knows(game, "prior")
        self.sample = knows(game, "sample")
        self.is_noisy = knows(game, "is_noisy")
        self.noisy_actions = knows(game, "noisy_actions")
        self.gain = knows(game, "gain")
        self.exchange = knows(game, "exchange")
        self.candidates = knows(game, "candidates")
        self.is_threatened = knows(game, "is_threatened")
        self.may_pass = knows(game, "may_pass")
        self.is_nearly_over = knows(game, "is_nearly_over")
        self.bank = knows(game, "bank")


@kernel
def transcribe(game: Game, known: Known, state: State, last: int, memory: int) -> int:
    """Record what the rules say about a state and its moves, as far as there is room; returns the number of cells.

    `last` is the move that led to the state, or NO_ACTION.
    """
    mover, is_over = game.to_move(state), game.is_terminal(state)
    cell = write_word(memory, 0, TO_MOVE, U64(mover))
    cell = write_flag(memory, cell, IS_TERMINAL, is_over)
    cell = write_word(memory, cell, KEY, game.key(state))
    if known.canonical:
        cell = write_word(memory, cell, CANONICAL, hash_numbers(game.canonical(state)))
    if known.repetition_key:
        cell = write_word(memory, cell, REPETITION_KEY, hash_numbers(game.repetition_key(state)))
    if known.count:
        cell = write_word(memory, cell, COUNT, U64(game.count(state)))
    if known.is_nearly_over:
        cell = write_flag(memory, cell, IS_NEARLY_OVER, game.is_nearly_over(state))
    if known.bank:
        cell = write_word(memory, cell, WITHOUT_BANK, hash_numbers(game.without_bank(state)))
    for player in range(game.players):
        if known.bank:
            cell = write_real(memory, cell, BANK, float(game.bank(state, player)))
        low, high = game.bounds(state, player)
        cell = write_real(memory, cell, BOUNDS, float(low))
        cell = write_real(memory, cell, BOUNDS, float(high))
        if is_over:
            cell = write_real(memory, cell, UTILITY, float(game.utility(state, player)))
        elif mover != CHANCE:
            cell = write_real(memory, cell, EVALUATE, float(game.evaluate(state, player)))
    if is_over:
        return cell
    if mover == CHANCE:
        for action, chance in game.outcomes(state):
            if cell <= MOST_CELLS - ROOM:
                cell = write_word(memory, cell, OUTCOMES, U64(action))
                cell = write_real(memory, cell, CHANCES, float(chance))
                cell = write_word(memory, cell, RESULT, hash_numbers(game.result(state, action)))
    else:
        cell = record_tactics(game, known, state, memory, cell)
        if known.sample:
            cell = record_draws(game, state, last, memory, cell)
        for action in game.actions(state):
            if cell <= MOST_CELLS - ROOM:
                cell = write_word(memory, cell, ACTIONS, U64(action))
                cell = write_word(memory, cell, RESULT, hash_numbers(game.result(state, action)))
                cell = record_promise(game, known, state, action, memory, cell)
    return cell


def record_tactics(game: Game, known: Known, state: State, memory: int, cell: int) -> int:
    """Record what the game knows about a position; returns the next free cell."""
    if known.is_threatened:
        cell = write_flag(memory, cell, IS_THREATENED, game.is_threatened(state))
    if known.may_pass:
        may_pass = game.may_pass(state)
        cell = write_flag(memory, cell, MAY_PASS, may_pass)
        if may_pass:
            cell = write_word(memory, cell, AFTER_PASS, hash_numbers(game.after_pass(state)))
    if known.candidates:
        for action in game.candidates(state):
            if cell <= MOST_CELLS - ROOM:
                cell = write_word(memory, cell, CANDIDATES, U64(action))
    if known.noisy_actions:
        for action in game.noisy_actions(state):
            if cell <= MOST_CELLS - ROOM:
                cell = write_word(memory, cell, NOISY_ACTIONS, U64(action))
    return cell


def record_draws(game: Game, state: State, last: int, memory: int, cell: int) -> int:
    """Record moves that the game draws, with and without the last move; returns the next free cell."""
    luck = hash_numbers(state)
    for _ in range(DRAWS):
        luck = mix(luck + U64(1))
        cell = write_word(memory, cell, SAMPLE, U64(game.sample(state, NO_ACTION, luck)))
        cell = write_word(memory, cell, SAMPLE, U64(game.sample(state, last, luck)))
    return cell


def record_promise(game: Game, known: Known, state: State, action: int, memory: int, cell: int) -> int:
    """Record what the game knows about a move; returns the next free cell."""
    if known.order:
        cell = write_real(memory, cell, ORDER, float(game.order(state, action)))
    if known.prior:
        cell = write_real(memory, cell, PRIOR, float(game.prior(state, NO_ACTION, action)))
    if known.is_noisy:
        is_noisy = game.is_noisy(state, action)
        cell = write_flag(memory, cell, IS_NOISY, is_noisy)
        if known.gain and is_noisy:
            cell = write_real(memory, cell, GAIN, float(game.gain(state, action)))
        if known.exchange and is_noisy:
            cell = write_real(memory, cell, EXCHANGE, float(game.exchange(state, action)))
    return cell


def write_flag(memory: int, cell: int, question: int, answer: bool) -> int:
    """Write a truth value; returns the next free cell."""
    return write_word(memory, cell, question, U64(1) if answer else U64(0))


def write_word(memory: int, cell: int, question: int, answer: U64) -> int:
    """Write a word; returns the next free cell."""
    store(memory, cell, question)
    store_word(memory, cell + 1, answer)
    return cell + 2


def write_real(memory: int, cell: int, question: int, answer: float) -> int:
    """Write a real number; returns the next free cell."""
    store(memory, cell, question)
    store_real(memory, cell + 1, answer)
    return cell + 2


def answers_in(memory: Memory, cells: int) -> dict[int, list[float]]:
    """The answers by question, each in the order in which they were given."""
    found: dict[int, list[float]] = {}
    for cell in range(0, cells, 2):
        question = memory[cell]
        read = load_real if question >= CHANCES else load_word
        found.setdefault(question, []).append(read(memory.address, cell + 1))
    return found
