"""`zermelo gtp`: an agent as an engine for programs that speak GTP."""

from __future__ import annotations

from zermelo import __version__
from zermelo.arena.agents import Agent, agent
from zermelo.arena.levels import at_level
from zermelo.arena.stoppable import StoppableAgent
from zermelo.cli.request import find_game
from zermelo.cli.stdio import read_lines, write_line
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.games.go import Go
from zermelo.protocols.gtp.search_control import MakeEngine
from zermelo.protocols.gtp.server import Server

LIMIT = Limit(time=2.0)
"""Per move, if neither the agent nor a clock sets a limit."""


def serve_gtp(spec: str, agent_text: str, level: str | None) -> None:
    """Read commands from standard input until `quit` or its end."""
    game = find_game(spec)
    text = agent_text or usual_agent(game)

    def make_at(level: str) -> MakeEngine:
        return _maker(agent(at_level(text, level)))

    chosen = agent(text if level is None else at_level(text, level), default=LIMIT)
    server = Server(game, _maker(chosen), write_line, version=__version__, make_at=make_at)
    chosen.require(game)
    server.serve(read_lines())


def _maker(chosen: Agent) -> MakeEngine:
    return lambda game: StoppableAgent(chosen, game)


def usual_agent(game: Game) -> str:
    """The default agent: the algorithm that `auto` would choose for a long search."""
    from zermelo.search import default_algorithm

    return "mcts" if isinstance(game, Go) else default_algorithm(game)[0]
