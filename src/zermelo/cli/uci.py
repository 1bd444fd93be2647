"""`zermelo uci`: our engine for programs that speak UCI."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from zermelo.cli.request import found_game
from zermelo.core.guards import require
from zermelo.protocols.uci.server import Server
from zermelo.search.engine import Engine


def serve_uci(spec: str) -> None:
    """Read orders from standard input until `quit` or its end."""
    game = found_game(spec)
    require(game, "alphabeta")
    Server(game, Engine, _say).serve(_lines())


def _lines() -> Iterator[str]:
    """Whatever comes in; bytes that are no text are no reason to stop."""
    for line in iter(sys.stdin.buffer.readline, b""):
        yield line.decode("utf-8", errors="replace")


def _say(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", errors="replace") + b"\n")
    sys.stdout.buffer.flush()
