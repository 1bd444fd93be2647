"""Prepare agents in the background: the first start of a game compiles for up to half a minute.

The compiler takes turns with the prompt, so typing stays responsive. Ctrl-C ends the wait, never the compilation.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from zermelo.arena.agents import Agent
from zermelo.cli.background import run_in_background
from zermelo.core.game import CHANCE, Action
from zermelo.core.referee import Referee, table_for_agent

TICK = 0.05
"""Seconds between two checks."""


class Warmup:
    """The agents of a game that are being prepared, or are ready."""

    def __init__(self) -> None:
        self._known: dict[int, threading.Thread] = {}

    def begin(self, agent: Agent, referee: Referee) -> None:
        """Start to prepare the agent in the background, once; not before dice, where an agent has no choice."""
        if id(agent) not in self._known and not referee.is_over and referee.to_move != CHANCE:
            position = Referee(referee.game, referee.state)
            self._known[id(agent)] = run_in_background(lambda: _prepare(agent, position))

    def wait(self, agent: Agent, referee: Referee, meanwhile: Callable[[], None]) -> None:
        """Wait until the agent is ready and call `meanwhile` from time to time; Ctrl-C ends the wait."""
        self.begin(agent, referee)
        thread = self._known.get(id(agent))
        while thread is not None and thread.is_alive():
            meanwhile()
            thread.join(TICK)


def quick_move(referee: Referee) -> Action:
    """The move whose result has the best evaluation for the player to move, without a search."""
    table = table_for_agent(referee)
    game, state, player = table.game, table.known_state, table.to_move

    def promise(action: Action) -> float:
        after = game.result(state, action)
        return float(game.utility(after, player) if game.is_terminal(after) else game.evaluate(after, player))

    return max(table.legal(), key=promise)


def _prepare(agent: Agent, referee: Referee) -> None:
    with contextlib.suppress(Exception):  # it is raised again, and reported, when the agent chooses its move
        agent.prepare(table_for_agent(referee))
