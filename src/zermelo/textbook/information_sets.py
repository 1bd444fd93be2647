"""Information sets: what a player knows at their turn, if the player remembers all they have seen and done.

Two states are in one information set if the player to move has had the same views and made the same moves.
[von Neumann & Morgenstern 1944; Kuhn 1953]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from zermelo.core.game import CHANCE, Action, Game, State, View

Memories: TypeAlias = tuple[tuple[Any, ...], ...]
"""For each player, their own views and moves so far, alternately."""


class InformationSet(NamedTuple):
    """The player to move, their views and moves so far, and what they see now."""

    player: int
    past: tuple[Any, ...]
    view: View

    def text(self, game: Game) -> str:
        """What the player sees, in notation: `K check bet`."""
        return game.format_view(self.view, self.player)


Strategies: TypeAlias = Mapping[InformationSet, Sequence[float]]
"""The probability of each move at each information set of all players; moves are equally likely in sets left out."""


def no_memories(game: Game) -> Memories:
    """Before the game: the players have seen and done nothing."""
    return ((),) * game.players


def information_set(game: Game, state: State, memories: Memories) -> InformationSet:
    """The information set of the player to move."""
    player = game.to_move(state)
    return InformationSet(player, memories[player], game.view(state, player))


def remember(memories: Memories, here: InformationSet, action: Action) -> Memories:
    """The memories after the player in this information set has made a move."""
    own = (*here.past, here.view, action)
    return (*memories[: here.player], own, *memories[here.player + 1 :])


def branches(
    game: Game, state: State, memories: Memories, strategies: Strategies
) -> list[tuple[float, State, Memories]]:
    """The probability of each move or outcome, the state that it leads to, and what is remembered there."""
    if game.to_move(state) == CHANCE:
        return [(chance, game.result(state, action), memories) for action, chance in game.outcomes(state)]
    here = information_set(game, state, memories)
    actions = list(game.actions(state))
    shares = strategies.get(here, [1 / len(actions)] * len(actions))
    return [
        (share, game.result(state, action), remember(memories, here, action))
        for action, share in zip(actions, shares, strict=True)
    ]
