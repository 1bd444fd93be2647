"""Game trees typed in as text."""

from zermelo.games.tree.rules import Tree

__all__ = ["Tree"]
