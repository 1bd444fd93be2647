"""`zermelo uci`: our engine for programs that speak UCI."""

from __future__ import annotations

from zermelo.cli.pipes import heard_lines, say
from zermelo.cli.request import found_game
from zermelo.core.guards import require
from zermelo.protocols.uci.server import Server
from zermelo.search.alphabeta import Engine


def serve_uci(spec: str) -> None:
    """Read orders from standard input until `quit` or its end."""
    game = found_game(spec)
    require(game, "alphabeta")
    Server(game, Engine, say).serve(heard_lines())
