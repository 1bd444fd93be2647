"""Agents that get ready in the background: a first start compiles for half a minute, while the person thinks.

Compiling shares the interpreter with the prompt, turn and turn about; typing does not notice. Ctrl-C ends the
waiting for it, never the compiling.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from zermelo.arena.agents import Agent
from zermelo.cli.background import run_in_background
from zermelo.core.game import CHANCE, Action
from zermelo.core.referee import Referee

TICK = 0.05
"""Seconds between two looks."""


class Warmup:
    """Which agents of a table could choose at once."""

    def __init__(self) -> None:
        self._known: dict[int, threading.Thread] = {}

    def begin(self, agent: Agent, referee: Referee) -> None:
        """Get the agent ready in the background, once; where dice are to be rolled there is nothing to try."""
        if id(agent) not in self._known and not referee.is_over and referee.to_move != CHANCE:
            position = Referee(referee.game, referee.state)
            self._known[id(agent)] = run_in_background(lambda: _prepare(agent, position))

    def wait(self, agent: Agent, referee: Referee, meanwhile: Callable[[], None]) -> None:
        """Until the agent is ready, calling `meanwhile` now and then; Ctrl-C ends the waiting."""
        self.begin(agent, referee)
        thread = self._known.get(id(agent))
        while thread is not None and thread.is_alive():
            meanwhile()
            thread.join(TICK)


def quick_move(referee: Referee) -> str:
    """The move after which the position looks best to the player to move, without any search."""
    game, state, player = referee.game, referee.state, referee.to_move

    def promise(action: Action) -> float:
        after = game.result(state, action)
        return float(game.utility(after, player) if game.is_terminal(after) else game.evaluate(after, player))

    return game.format_action(state, max(referee.legal(), key=promise))


def _prepare(agent: Agent, referee: Referee) -> None:
    with contextlib.suppress(Exception):  # it comes again, and is told, when the agent is asked for its move
        agent.prepare(referee)
