"""Chinese checkers for two, three, four and six players."""

from zermelo.games.chinesecheckers.rules import ChineseCheckers

__all__ = ["ChineseCheckers"]
