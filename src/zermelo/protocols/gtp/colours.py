"""Colours and players: the seat that is called Black or White; in games without such seats Black starts."""

from __future__ import annotations

from zermelo.core.game import Game
from zermelo.protocols.gtp.commands import Failure

COLOURS = {"b": "black", "w": "white"}


def player_of(game: Game, word: str) -> int:
    """The player with this colour; Failure for any other word."""
    colour = COLOURS.get(word.lower(), word.lower())
    if colour not in COLOURS.values():
        raise Failure(f"invalid color or coordinate: {word!r} is not black, white, b or w")
    names = [game.seat(player).lower() for player in range(2)]
    return names.index(colour) if sorted(names) == sorted(COLOURS.values()) else int(colour == "white")


def letter_of(game: Game, player: int) -> str:
    """`b` or `w`."""
    return next(letter for letter in COLOURS if player_of(game, letter) == player)
