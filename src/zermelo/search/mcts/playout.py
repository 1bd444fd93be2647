"""Playouts: how a game is played to its end at random. A policy is a constant of the compiled search, as a game is."""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State, knows
from zermelo.kernel import Static
from zermelo.search.mcts.techniques import Techniques
from zermelo.search.mcts.workspace import MctsWorkspace
from zermelo.search.runtime.workspace import STUCK


class Playout(Static):
    """Chooses the moves of a playout: uniformly among the legal moves. Override `choose` for your own policy."""

    learns = False
    """Whether `learn` is called after every simulation."""

    def choose(self, game: Game, state: State, last: int, work: MctsWorkspace) -> int:
        """A legal move; `last` is the one that led here. Any number, if the workspace is stopped."""
        return work.generated[work.below(work.usable(game.fill_actions(state, work.buffer(), 0)))]

    def learn(self, how: Techniques, work: MctsWorkspace) -> None:
        """Called after each simulation, whose moves (`trail_move`) and `payoffs` are in the workspace."""


class Sampled(Playout):
    """Moves as the game itself draws them."""

    def choose(self, game: Game, state: State, last: int, work: MctsWorkspace) -> int:
        found: int = game.sample(state, last, work.draw())
        return found


class Sensible(Playout):
    """Any of the moves among which the game says there is a best one."""

    def choose(self, game: Game, state: State, last: int, work: MctsWorkspace) -> int:
        return work.generated[work.below(work.usable(game.fill_candidates(state, work.buffer(), 0)))]


def natural(game: Game) -> Playout:
    """The policy for a game of which nothing else is known."""
    if knows(game, "candidates") and game.zero_sum and game.players <= 2:
        return Sensible()
    return Sampled() if knows(game, "sample") else Playout()


def draw_outcome(game: Game, state: State, work: MctsWorkspace) -> int:
    """An outcome of chance, drawn by its probability. Any number, if the workspace is stopped."""
    luck = work.fraction()
    last, count = 0, 0
    for action, probability in game.outcomes(state):
        last = action
        count += 1
        luck -= probability
        if luck < 0:
            break
    if count == 0:
        work.give_up(STUCK)
    return last


def play_out(game: Game, how: Techniques, policy: Playout, state: State, last: int, work: MctsWorkspace) -> State:
    """The end of a game that is played at random after the last move; or what it came to.

    A playout does not go on after `playout_plies`, nor after the search was stopped.
    """
    plies, most = 0, work.playout_plies
    while plies < most and not work.is_halted() and not game.is_terminal(state):
        if how.decisive:
            low, high = game.bounds(state, 0)
            if low == high:
                break
        mover = game.to_move(state) if how.chance or how.trail else 0
        if how.chance and mover == CHANCE:
            last = draw_outcome(game, state, work)
        else:
            last = policy.choose(game, state, last, work)
        if work.is_halted():  # perhaps because there is no such move
            break
        if how.trail:
            work.note_move(mover, last)
        state = game.result(state, last)
        plies += 1
    return state
