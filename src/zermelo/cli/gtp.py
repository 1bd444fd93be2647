"""`zermelo gtp`: an agent as an engine for programs that speak GTP."""

from __future__ import annotations

from zermelo import __version__
from zermelo.arena.agents import agent
from zermelo.arena.stoppable import StoppableAgent
from zermelo.cli.request import find_game
from zermelo.cli.stdio import read_lines, write_line
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.games.go import Go
from zermelo.protocols.gtp.server import Server

LIMIT = Limit(time=2.0)
"""Per move, if neither the agent nor a clock sets a limit."""


def serve_gtp(spec: str, agent_text: str) -> None:
    """Read commands from standard input until `quit` or its end."""
    game = find_game(spec)
    chosen = agent(agent_text or usual_agent(game), default=LIMIT)
    server = Server(game, lambda game: StoppableAgent(chosen, game), write_line, version=__version__)
    chosen.require(game)
    server.serve(read_lines())


def usual_agent(game: Game) -> str:
    """The default agent: the algorithm that `auto` would choose for a long search."""
    from zermelo.search import default_algorithm

    return "mcts" if isinstance(game, Go) else default_algorithm(game)[0]
