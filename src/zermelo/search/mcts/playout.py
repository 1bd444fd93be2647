"""Playouts: how a game is played to its end at random. A policy is a constant of the compiled search, as a game is."""

from __future__ import annotations

from zermelo.core.counters import give_up
from zermelo.core.game import CHANCE, Game, State, knows
from zermelo.kernel import FILL_MASK, U64, Static, load, load_word, mix, number, store_word
from zermelo.search.legacy_workspace import SALT, STUCK, TOO_WIDE, fill_space
from zermelo.search.mcts.techniques import Techniques
from zermelo.search.mcts.workspace import is_halted, note_move

GOLDEN = U64(0x9E3779B97F4A7C15)


class Playout(Static):
    """Chooses the moves of a playout: uniformly among the legal moves. Override `choose` for your own policy."""

    learns = False
    """Whether `learn` is called after every simulation."""

    def choose(self, game: Game, state: State, last: int, memory: int) -> int:
        """A legal move; `last` is the one that led here. Any number, if the workspace is stopped."""
        space = fill_space(memory)
        return load(space, below(memory, usable(game.fill_actions(state, space, 0), memory)))

    def learn(self, how: Techniques, memory: int) -> None:
        """Called after each simulation, whose moves (`TRAIL`) and payoffs (`PAYOFFS`) are in the workspace."""


class Sampled(Playout):
    """Moves as the game itself draws them."""

    def choose(self, game: Game, state: State, last: int, memory: int) -> int:
        found: int = game.sample(state, last, draw(memory))
        return found


class Sensible(Playout):
    """Any of the moves among which the game says there is a best one."""

    def choose(self, game: Game, state: State, last: int, memory: int) -> int:
        space = fill_space(memory)
        return load(space, below(memory, usable(game.fill_candidates(state, space, 0), memory)))


def natural(game: Game) -> Playout:
    """The policy for a game of which nothing else is known."""
    if knows(game, "candidates") and game.zero_sum and game.players <= 2:
        return Sensible()
    return Sampled() if knows(game, "sample") else Playout()


def usable(count: int, memory: int) -> int:
    """The number of generated moves; if there are none or too many, the search gives up and 0 is returned."""
    if count <= 0 or count > FILL_MASK:
        give_up(memory, STUCK if count <= 0 else TOO_WIDE)
        return 0
    return count


def below(memory: int, count: int) -> int:
    """A random number from 0 to count - 1."""
    return number(((draw(memory) >> 32) * U64(count)) >> 32)


def fraction(memory: int) -> float:
    """A random number from 0 to below 1."""
    return number(draw(memory) >> 11) * 2.0**-53


def draw(memory: int) -> U64:
    """A random word: SplitMix64 [Steele, Lea & Flood 2014]."""
    word = load_word(memory, SALT) + GOLDEN
    store_word(memory, SALT, word)
    return mix(word)


def draw_outcome(game: Game, state: State, memory: int) -> int:
    """An outcome of chance, drawn by its probability. Any number, if the workspace is stopped."""
    luck = fraction(memory)
    last, count = 0, 0
    for action, probability in game.outcomes(state):
        last = action
        count += 1
        luck -= probability
        if luck < 0:
            break
    if count == 0:
        give_up(memory, STUCK)
    return last


def play_out(game: Game, how: Techniques, policy: Playout, state: State, last: int, most: int, memory: int) -> State:
    """The end of a game that is played at random after the last move; or what it came to.

    A playout does not go on after `most` plies, nor after the search was stopped.
    """
    plies = 0
    while plies < most and not is_halted(memory) and not game.is_terminal(state):
        if how.decisive:
            low, high = game.bounds(state, 0)
            if low == high:
                break
        mover = game.to_move(state) if how.chance or how.trail else 0
        if how.chance and mover == CHANCE:
            last = draw_outcome(game, state, memory)
        else:
            last = policy.choose(game, state, last, memory)
        if is_halted(memory):  # perhaps because there is no such move
            break
        if how.trail:
            note_move(memory, mover, last)
        state = game.result(state, last)
        plies += 1
    return state
