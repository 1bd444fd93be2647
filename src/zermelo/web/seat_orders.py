"""What a process may know to judge a seat's moves in a game with hidden information.

An order names the seat, its information set, and a state that fits its view. It is made from the seat's own views and
moves alone, so positions that look the same to a seat have the same order, byte for byte.
"""

from __future__ import annotations

from typing import Any

from zermelo.core.errors import Refused
from zermelo.core.game import knows
from zermelo.core.seat import Seat


def seat_order(seat: Seat) -> dict[str, Any]:
    """The part of an order that says what the seat to move has seen.

    The key of the information set is None if the game did not begin at its start, because then the seat's memory has a
    gap; the world is None if the game has no method for it.
    """
    from zermelo.equilibrium.strategy import Recall  # here, because the server starts without numpy

    if not seat.moves:
        raise Refused("hints are for the player to move, from what this player has seen")
    game, key = seat.game, Recall.key_of(seat) if seat.is_whole else None
    return {
        "seat": seat.player,
        "key": None if key is None else str(key),
        "world": game.format_state(seat.world(key or 0)) if knows(game, "worlds") else None,
        "legal": [text for _, text in seat.moves],
    }
