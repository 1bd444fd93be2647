"""Small pictures of the games: each at its start, or a few moves later if that is empty."""

from __future__ import annotations

import random
from functools import lru_cache

from zermelo.core.game import Game
from zermelo.core.picture import Grid, Hands, Panel, Picture, Points, Text
from zermelo.core.random_games import random_game
from zermelo.draw import board_svg
from zermelo.draw.palette import colours_of
from zermelo.web.catalogue import KEPT
from zermelo.web.messages import Thumbnail

A_LITTLE_LATER = 8
"""Plies to play if the first board is empty."""


@lru_cache(maxsize=KEPT)
def draw_thumbnail(game: Game) -> Thumbnail | None:
    """The game's board; None if it is only text."""
    picture = _choose_picture(game)
    if picture is None:
        return None
    return Thumbnail(svg=board_svg(picture, game.seats, for_page=True), colours=list(colours_of(picture, game.seats)))


def _choose_picture(game: Game) -> Picture | None:
    picture = game.picture(game.initial())
    if _is_empty(picture):
        *_, (state, _moves) = random_game(game, game.initial(), random.Random(game.name), A_LITTLE_LATER)
        picture = game.picture(state)
    return None if isinstance(picture, Text) else picture


def _is_empty(picture: Picture) -> bool:
    if isinstance(picture, Hands):
        return not any(picture.cards)
    if isinstance(picture, Panel):
        return not any(number for _, number in picture.rows)
    return isinstance(picture, Grid | Points) and not any(picture.cells)
