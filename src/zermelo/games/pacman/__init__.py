"""Pac-Man, the maze of the courses."""

from zermelo.games.pacman.rules import PacMan

__all__ = ["PacMan"]
