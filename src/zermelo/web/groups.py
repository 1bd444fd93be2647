"""The groups of the start page: where a game belongs follows from what it declares."""

from __future__ import annotations

from zermelo.core.game import Game

OWN = "own"
"""Games that the command line named come first, whatever they are."""


def group_of(game: Game) -> str:
    """The group of a registered game."""
    if game.hidden:
        return "hidden"
    if hasattr(game, "from_spec"):  # written out as text, node by node
        return "trees"
    if game.players > 2 or "players" in game.options():
        return "many"
    if game.chance:
        return "dice"
    return "two" if game.players == 2 else "alone"
