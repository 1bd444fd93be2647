"""Pictures in notebooks: objects shown as a figure there and as text elsewhere."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import singledispatch

from zermelo.core.analysis import Analysis
from zermelo.core.errors import ZermeloError
from zermelo.core.game import Game, State
from zermelo.core.referee import Referee
from zermelo.draw.analyses import analysis_html, analysis_text
from zermelo.draw.svg_boards import board_svg
from zermelo.draw.svg_trees import tree_svg
from zermelo.draw.terminal_boards import board_text
from zermelo.draw.terminal_trees import tree_text
from zermelo.games import find
from zermelo.games.library.resolve import game_of, position_of
from zermelo.textbook.trace import Node


@dataclass(frozen=True, repr=False)
class Figure:
    """A picture in the formats of notebooks; its `repr` is the text."""

    text: str
    svg: str | None = None
    html: str | None = None

    def __repr__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str | None:
        return self.svg

    def _repr_html_(self) -> str | None:
        return self.html


def show(game: Game | str, state: Referee | State | str | None = None) -> Figure:
    """The board; by default at the start. Game and position may be texts: `show("chess", "moves: e4 e5")`."""
    game = game_of(game)
    position = position_of(game, state)
    here = position.state if isinstance(position, Referee) else position
    picture = game.picture(game.initial() if here is None else here)
    return Figure(board_text(picture), svg=board_svg(picture, game.seats))


def show_tree(node: Node, most: int = 200) -> Figure:
    """The recorded search tree."""
    return Figure(tree_text(node, most), svg=tree_svg(node, most))


def show_analysis(analysis: Analysis, game: Game | None = None) -> Figure:
    """The answer of a search; `game` gives the names of players and units."""
    return Figure(analysis_text(analysis, game), html=analysis_html(analysis, game))


@singledispatch
def figure(shown: object) -> Figure:
    """The figure of an object in a notebook: a recorded search, an answer, a game in progress."""
    return Figure(repr(shown))


@figure.register
def _(node: Node) -> Figure:
    return show_tree(node)


@figure.register
def _(analysis: Analysis) -> Figure:
    with contextlib.suppress(ZermeloError):  # a game of a notebook's own is in no registry
        return show_analysis(analysis, find(analysis.game))
    return show_analysis(analysis)


@figure.register
def _(referee: Referee) -> Figure:
    return show(referee.game, referee.state)
