"""Small pictures of the games: each at its start, or a few moves later if that is empty."""

from __future__ import annotations

import contextlib
import random
from functools import cache

from zermelo.core.errors import ZermeloError
from zermelo.core.game import Game
from zermelo.core.picture import Grid, Hands, Picture, Text
from zermelo.core.random_games import random_game
from zermelo.draw import board_svg
from zermelo.web.boards import STYLE
from zermelo.web.catalogue import Catalogue

A_LITTLE_LATER = 8
"""Plies to play if the first board is empty."""


@cache
def draw_thumbnails(catalogue: Catalogue) -> dict[str, str]:
    """The boards by key, without their own colours; a game that is only text has none."""
    found = {}
    for key in catalogue.keys:
        with contextlib.suppress(ZermeloError):
            picture = _choose_picture(catalogue.game(key))
            if picture is not None:
                found[key] = STYLE.sub("", board_svg(picture))
    return found


def _choose_picture(game: Game) -> Picture | None:
    picture = game.picture(game.initial())
    if _is_empty(picture):
        *_, (state, _moves) = random_game(game, game.initial(), random.Random(game.name), A_LITTLE_LATER)
        picture = game.picture(state)
    return None if isinstance(picture, Text) else picture


def _is_empty(picture: Picture) -> bool:
    if isinstance(picture, Hands):
        return not any(picture.cards)
    return isinstance(picture, Grid) and not any(picture.cells)
