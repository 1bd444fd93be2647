"""The command `zermelo`."""

from zermelo.cli.errors import main

__all__ = ["main"]
