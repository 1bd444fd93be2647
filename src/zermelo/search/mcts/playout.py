"""Playouts: how a game is played to its end at random. A policy is a constant of the compiled search, as a game is."""

from __future__ import annotations

from zermelo.core.counters import give_up
from zermelo.core.game import CHANCE, Game, State, knows
from zermelo.kernel import FILL_MASK, U64, Static, load, load_word, mix, number, store_word
from zermelo.search.engine.desk import SALT, STUCK, TOO_WIDE, fill_space
from zermelo.search.mcts.desk import is_halted, note_move
from zermelo.search.mcts.manner import Manner

GOLDEN = U64(0x9E3779B97F4A7C15)


class Playout(Static):
    """Chooses the moves of a playout: any legal move, each as likely as the others. One's own overrides `choose`."""

    learns = False
    """Whether it is told of the moves of every simulation, by `learn`."""

    def choose(self, game: Game, state: State, last: int, desk: int) -> int:
        """A legal move; `last` is the one that led here. Any number, if the desk says stopped."""
        space = fill_space(desk)
        return load(space, below(desk, usable(game.fill_actions(state, space, 0), desk)))

    def learn(self, how: Manner, desk: int) -> None:
        """A simulation is over: its moves are on the desk's trail, and what was paid stands there as well."""


class Sampled(Playout):
    """Moves as the game itself draws them."""

    def choose(self, game: Game, state: State, last: int, desk: int) -> int:
        found: int = game.sample(state, last, draw(desk))
        return found


class Sensible(Playout):
    """Any of the moves among which the game says there is a best one."""

    def choose(self, game: Game, state: State, last: int, desk: int) -> int:
        space = fill_space(desk)
        return load(space, below(desk, usable(game.fill_candidates(state, space, 0), desk)))


def natural(game: Game) -> Playout:
    """The policy for a game of which nothing else is known."""
    if knows(game, "candidates") and game.zero_sum and game.players <= 2:
        return Sensible()
    return Sampled() if knows(game, "sample") else Playout()


def usable(count: int, desk: int) -> int:
    """How many moves are in the space for them; 0, and the search gives up, if there are none or too many."""
    if count <= 0 or count > FILL_MASK:
        give_up(desk, STUCK if count <= 0 else TOO_WIDE)
        return 0
    return count


def below(desk: int, count: int) -> int:
    """A random number from 0 to count - 1."""
    return number(((draw(desk) >> 32) * U64(count)) >> 32)


def fraction(desk: int) -> float:
    """A random number from 0 to below 1."""
    return number(draw(desk) >> 11) * 2.0**-53


def draw(desk: int) -> U64:
    """A random word: SplitMix64 [Steele, Lea & Flood 2014]."""
    word = load_word(desk, SALT) + GOLDEN
    store_word(desk, SALT, word)
    return mix(word)


def drawn_outcome(game: Game, state: State, desk: int) -> int:
    """What chance does, as likely as it says. Any number, if the desk says stopped."""
    luck = fraction(desk)
    last, count = 0, 0
    for action, probability in game.outcomes(state):
        last = action
        count += 1
        luck -= probability
        if luck < 0:
            break
    if count == 0:
        give_up(desk, STUCK)
    return last


def played_out(game: Game, how: Manner, policy: Playout, state: State, last: int, most: int, desk: int) -> State:
    """The end of a game that is played at random after the last move; or what it came to.

    A playout does not go on after `most` plies, nor after the search was stopped.
    """
    plies = 0
    while plies < most and not is_halted(desk) and not game.is_terminal(state):
        if how.decisive:
            low, high = game.bounds(state, 0)
            if low == high:
                break
        mover = game.to_move(state) if how.chance or how.trail else 0
        if how.chance and mover == CHANCE:
            last = drawn_outcome(game, state, desk)
        else:
            last = policy.choose(game, state, last, desk)
        if is_halted(desk):  # perhaps because there is no such move
            break
        if how.trail:
            note_move(desk, mover, last)
        state = game.result(state, last)
        plies += 1
    return state
