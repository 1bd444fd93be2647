"""Zermelo: write the rules of a game once, in plain Python; it plays, solves, explains and draws it.

    game = zermelo.find("hexapawn")                 a game by name, or your own file
    zermelo.analyse(game, algorithm="alphabeta")    the best move, and why
    zermelo.solve(game)                             the exact value
    zermelo.trace("alphabeta", game, depth=3)       the tree the search looked at
    zermelo.show(game, state)                       the board as a picture
    zermelo.check(game)                             does it keep the contract?

The lectures' algorithms are in `zermelo.textbook`, utility theory in `zermelo.choice`, pictures in `zermelo.draw`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from zermelo.core.analysis import Analysis
from zermelo.core.errors import BadPosition, IllegalMove, NotProved, Refused, RulesError, UsageError, ZermeloError
from zermelo.core.game import CHANCE, Game
from zermelo.core.limit import Limit
from zermelo.core.picture import Card, Grid, Hand, Hands, Panel, Piece, Piles, Points, Table, Text
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.games import find
from zermelo.kernel import (
    U64,
    bit,
    bits,
    bswap,
    draw_below,
    drop,
    lsb,
    mix,
    msb,
    number,
    popcount,
    replace_item,
    rotl,
    state,
)

if TYPE_CHECKING:
    from zermelo.draw import show, show_tree
    from zermelo.search import analyse, perft
    from zermelo.solve import solve
    from zermelo.testing import check
    from zermelo.textbook import trace

_LATER = {
    "analyse": "search.analyse",
    "check": "testing.check",
    "perft": "search.perft",
    "show": "draw.show",
    "show_tree": "draw.show_tree",
    "solve": "solve",
    "trace": "textbook.trace",
}
"""Loaded when they are first asked for, so that starting is quick."""

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "U64",
    "Analysis",
    "BadPosition",
    "Card",
    "Game",
    "Grid",
    "Hand",
    "Hands",
    "IllegalMove",
    "Limit",
    "NotProved",
    "Panel",
    "Piece",
    "Piles",
    "Points",
    "Referee",
    "Refused",
    "Repetition",
    "RulesError",
    "Table",
    "Text",
    "UsageError",
    "ZermeloError",
    "analyse",
    "bit",
    "bits",
    "bswap",
    "check",
    "draw_below",
    "drop",
    "find",
    "lsb",
    "mix",
    "msb",
    "number",
    "perft",
    "popcount",
    "replace_item",
    "rotl",
    "show",
    "show_tree",
    "solve",
    "state",
    "trace",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'zermelo' has no attribute {name!r}")
    module, _, attribute = _LATER[name].partition(".")
    found = import_module(f"zermelo.{module}")
    return getattr(found, attribute) if attribute else found
