"""The transcript of a position: the results of all methods of its game, recorded by one kernel, in both modes.

An answer is a word or a real number.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE, NO_ACTION, Game, State, knows
from zermelo.kernel import U64, Numbers, Record, Switches, Words, array, hash_numbers, kernel, mix, real_of, word_of

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
"""The methods in the order of comparison: later results depend on earlier ones."""

MOST_ANSWERS = 1 << 14
ROOM = 8
"""Answers that there may be about one move."""
DRAWS = 8
"""Number of moves drawn in each position."""


class Known(Switches):
    """The optional methods that a game defines; inherited ones are not compared."""

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


class Transcript(Record):
    """Questions and their answers, in the order in which they were asked."""

    count: int
    questions: Numbers = array(Numbers, MOST_ANSWERS)
    answers: Words = array(Words, MOST_ANSWERS)

    def has_room(self) -> bool:
        """Whether all answers about one more move fit."""
        return self.count <= MOST_ANSWERS - ROOM

    def write_word(self, question: int, answer: U64) -> None:
        place = self.count
        self.questions[place], self.answers[place] = question, answer
        self.count = place + 1

    def write_real(self, question: int, answer: float) -> None:
        self.write_word(question, word_of(answer))

    def write_flag(self, question: int, answer: bool) -> None:
        self.write_word(question, U64(1) if answer else U64(0))

    def by_question(self) -> dict[int, list[float]]:
        """The answers to each question, in their order."""
        found: dict[int, list[float]] = {}
        questions, answers = self.questions, self.answers
        for place in range(self.count):
            question, answer = questions[place], answers[place]
            found.setdefault(question, []).append(real_of(answer) if question >= CHANCES else answer)
        return found


@kernel
def transcribe(game: Game, known: Known, state: State, last: int, transcript: Transcript) -> int:
    """Record what the rules say about a state and its moves, as far as there is room; returns the number of answers.

    `last` is the move that led to the state, or NO_ACTION.
    """
    transcript.count = 0
    mover, is_over = game.to_move(state), game.is_terminal(state)
    transcript.write_word(TO_MOVE, U64(mover))
    transcript.write_flag(IS_TERMINAL, is_over)
    transcript.write_word(KEY, game.key(state))
    if known.canonical:
        transcript.write_word(CANONICAL, hash_numbers(game.canonical(state)))
    if known.repetition_key:
        transcript.write_word(REPETITION_KEY, hash_numbers(game.repetition_key(state)))
    if known.count:
        transcript.write_word(COUNT, U64(game.count(state)))
    if known.is_nearly_over:
        transcript.write_flag(IS_NEARLY_OVER, game.is_nearly_over(state))
    if known.bank:
        transcript.write_word(WITHOUT_BANK, hash_numbers(game.without_bank(state)))
    for player in range(game.players):
        if known.bank:
            transcript.write_real(BANK, float(game.bank(state, player)))
        low, high = game.bounds(state, player)
        transcript.write_real(BOUNDS, float(low))
        transcript.write_real(BOUNDS, float(high))
        if is_over:
            transcript.write_real(UTILITY, float(game.utility(state, player)))
        elif mover != CHANCE:
            transcript.write_real(EVALUATE, float(game.evaluate(state, player)))
    if is_over:
        return transcript.count
    if mover == CHANCE:
        for action, chance in game.outcomes(state):
            if transcript.has_room():
                transcript.write_word(OUTCOMES, U64(action))
                transcript.write_real(CHANCES, float(chance))
                transcript.write_word(RESULT, hash_numbers(game.result(state, action)))
    else:
        record_tactics(game, known, state, transcript)
        if known.sample:
            record_draws(game, state, last, transcript)
        for action in game.actions(state):
            if transcript.has_room():
                transcript.write_word(ACTIONS, U64(action))
                transcript.write_word(RESULT, hash_numbers(game.result(state, action)))
                record_promise(game, known, state, action, transcript)
    return transcript.count


def record_tactics(game: Game, known: Known, state: State, transcript: Transcript) -> None:
    """Record what the game knows about a position."""
    if known.is_threatened:
        transcript.write_flag(IS_THREATENED, game.is_threatened(state))
    if known.may_pass:
        may_pass = game.may_pass(state)
        transcript.write_flag(MAY_PASS, may_pass)
        if may_pass:
            transcript.write_word(AFTER_PASS, hash_numbers(game.after_pass(state)))
    if known.candidates:
        for action in game.candidates(state):
            if transcript.has_room():
                transcript.write_word(CANDIDATES, U64(action))
    if known.noisy_actions:
        for action in game.noisy_actions(state):
            if transcript.has_room():
                transcript.write_word(NOISY_ACTIONS, U64(action))


def record_draws(game: Game, state: State, last: int, transcript: Transcript) -> None:
    """Record moves that the game draws, with and without the last move."""
    luck = hash_numbers(state)
    for _ in range(DRAWS):
        luck = mix(luck + U64(1))
        transcript.write_word(SAMPLE, U64(game.sample(state, NO_ACTION, luck)))
        transcript.write_word(SAMPLE, U64(game.sample(state, last, luck)))


def record_promise(game: Game, known: Known, state: State, action: int, transcript: Transcript) -> None:
    """Record what the game knows about a move."""
    if known.order:
        transcript.write_real(ORDER, float(game.order(state, action)))
    if known.prior:
        transcript.write_real(PRIOR, float(game.prior(state, NO_ACTION, action)))
    if known.is_noisy:
        is_noisy = game.is_noisy(state, action)
        transcript.write_flag(IS_NOISY, is_noisy)
        if known.gain and is_noisy:
            transcript.write_real(GAIN, float(game.gain(state, action)))
        if known.exchange and is_noisy:
            transcript.write_real(EXCHANGE, float(game.exchange(state, action)))
