"""One module a game, and the registry that finds them."""

from zermelo.games.registry import all_games, describe, find, names

__all__ = ["all_games", "describe", "find", "names"]
