"""Agents for a server that stops them, follows their progress and sets their limits."""

from __future__ import annotations

import copy
import dataclasses
import threading

from zermelo.arena.agents import Agent, Resigned
from zermelo.arena.search_agent import SearchAgent
from zermelo.core.analysis import Analysis, Progress
from zermelo.core.game import Game, State
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee, Table
from zermelo.search.alphabeta.clock import LEAST


class StoppableAgent:
    """An agent with a stop event, progress and a limit per search; one that cannot be stopped always has a limit."""

    def __init__(self, agent: Agent, game: Game) -> None:
        agent.require(game)
        self.limit = agent.limit
        self._agent, self._game = copy.copy(agent), game

    def prepare(self, state: State) -> None:
        if isinstance(self._agent, SearchAgent):
            self._agent.prepare(Referee(self._game, state))

    def think(self, referee: Table, limit: Limit, stop: threading.Event, progress: Progress | None) -> Analysis:
        agent = self._agent
        if (
            isinstance(agent, SearchAgent) and agent.algorithm == "mcts" and limit.time is not None
        ):  # the limit of simulations still applies
            limit = dataclasses.replace(limit, nodes=self.limit.nodes)
            agent.stop_early = True
        if not isinstance(agent, SearchAgent):
            limit = self.limit if limit == Limit() else limit
            limit = dataclasses.replace(limit, time=LEAST) if stop.is_set() else limit
        for name, value in {"limit": limit, "stop": stop, "progress": progress}.items():
            object.__setattr__(agent, name, value)  # some agents are frozen, but this copy is not shared
        try:
            return agent.choose(referee)
        except Resigned:
            return Analysis.of(referee, agent.name)  # without a move
