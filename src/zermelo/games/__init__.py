"""One file or one folder for each game; `library` finds them."""

from zermelo.games.library.registry import all_games, describe, find, names

__all__ = ["all_games", "describe", "find", "names"]
