"""Playouts: random play to the end of the game. Like a game, a policy is a constant of the compiled search."""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State, knows
from zermelo.kernel import Static
from zermelo.search.mcts.techniques import Techniques
from zermelo.search.mcts.workspace import MctsWorkspace
from zermelo.search.runtime.workspace import STUCK


class Playout(Static):
    """Chooses the moves of a playout: uniformly among the legal moves. Override `choose` for your own policy."""

    learns = False
    """Whether the search calls `learn` after every simulation."""

    def choose(self, game: Game, state: State, last: int, work: MctsWorkspace) -> int:
        """A legal move, after the move `last`; meaningless once the workspace is stopped."""
        return work.generated[work.below(work.usable(game.fill_actions(state, work.buffer(), 0)))]

    def learn(self, how: Techniques, work: MctsWorkspace) -> None:
        """Learn from a simulation: its moves (`trail_move`) and `payoffs` are in the workspace."""


class Sampled(Playout):
    """Plays the moves that the game's `sample` draws."""

    def choose(self, game: Game, state: State, last: int, work: MctsWorkspace) -> int:
        found: int = game.sample(state, last, work.draw())
        return found


class Sensible(Playout):
    """Plays uniformly among the game's `candidates`."""

    def choose(self, game: Game, state: State, last: int, work: MctsWorkspace) -> int:
        return work.generated[work.below(work.usable(game.fill_candidates(state, work.buffer(), 0)))]


def default_policy(game: Game) -> Playout:
    """The default policy: `sample` or `candidates` if the game has them, otherwise uniform."""
    if knows(game, "candidates") and game.zero_sum and game.players <= 2:
        return Sensible()
    return Sampled() if knows(game, "sample") else Playout()


def draw_outcome(game: Game, state: State, work: MctsWorkspace) -> int:
    """Draw an outcome of chance by its probability; meaningless once the workspace is stopped."""
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
    """Play at random after the last move; returns the last state, which may not be terminal.

    A playout ends after `playout_plies` at the latest, and when the search is stopped.
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
