"""`zermelo uci`: alpha-beta as an engine for programs that speak UCI."""

from __future__ import annotations

from zermelo.arena.level_agent import WeakEngine
from zermelo.arena.levels import elo_range
from zermelo.cli.request import find_game
from zermelo.cli.stdio import read_lines, write_line
from zermelo.core.guards import require
from zermelo.protocols.uci.server import Server
from zermelo.search.alphabeta import Engine


def serve_uci(spec: str) -> None:
    """Read commands from standard input until `quit` or its end."""
    game = find_game(spec)
    require(game, "alphabeta")
    server = Server(game, Engine, write_line, elos=elo_range(game), weaken=lambda engine, elo: WeakEngine(engine, elo))
    server.serve(read_lines())
