"""Go with area scoring and superko."""

from zermelo.games.go.rules import Go

__all__ = ["Go"]
