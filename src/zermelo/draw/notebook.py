"""Pictures in a notebook: objects that show as a figure there and as text everywhere else."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.core.analysis import Analysis
from zermelo.core.game import Game, State
from zermelo.draw.analyses import analysis_html, analysis_text
from zermelo.draw.svg_boards import board_svg
from zermelo.draw.svg_trees import tree_svg
from zermelo.draw.terminal_boards import board_text
from zermelo.draw.terminal_trees import tree_text
from zermelo.textbook.trace import Node


@dataclass(frozen=True, repr=False)
class Figure:
    """One picture in the forms a notebook asks for; its `repr` is the text."""

    text: str
    svg: str | None = None
    html: str | None = None

    def __repr__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str | None:
        return self.svg

    def _repr_html_(self) -> str | None:
        return self.html


def show(game: Game, state: State | None = None) -> Figure:
    """The board; by default at the start."""
    picture = game.picture(game.initial() if state is None else state)
    return Figure(board_text(picture), svg=board_svg(picture))


def show_tree(node: Node, most: int = 200) -> Figure:
    """The recorded search tree."""
    return Figure(tree_text(node, most), svg=tree_svg(node, most))


def show_analysis(analysis: Analysis, game: Game) -> Figure:
    """The answer of a search."""
    return Figure(analysis_text(analysis, game), html=analysis_html(analysis, game))
