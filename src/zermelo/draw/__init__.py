"""Boards, search trees and analyses as text, SVG and HTML, and as pictures in a notebook."""

from zermelo.draw.analyses import analysis_html, analysis_text
from zermelo.draw.notebook import Figure, figure, show, show_analysis, show_tree
from zermelo.draw.svg_boards import board_svg
from zermelo.draw.svg_trees import tree_svg
from zermelo.draw.terminal_boards import board_text, last_cells
from zermelo.draw.terminal_trees import tree_text

__all__ = [
    "Figure",
    "analysis_html",
    "analysis_text",
    "board_svg",
    "board_text",
    "figure",
    "last_cells",
    "show",
    "show_analysis",
    "show_tree",
    "tree_svg",
    "tree_text",
]
