"""Agents for a server that stops them, wants to see how far they are, and says how long they may think."""

from __future__ import annotations

import dataclasses
import math
import threading

from zermelo.arena.agents import Agent, EngineAgent, LayeredAgent, MctsAgent, Progress, Resigned, SearchAgent
from zermelo.arena.auto import AutoAgent
from zermelo.core.analysis import Analysis
from zermelo.core.game import Game, State
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.search import Engine, Mcts
from zermelo.search.engine.clock import LEAST


class MctsThinker:
    """Monte Carlo tree search; simulations are limited besides the time, and time that changes nothing is not used."""

    def __init__(self, agent: MctsAgent, game: Game) -> None:
        self.limit, self._seed, self._name = agent.limit, agent.seed, agent.name
        self._search = Mcts(game, agent.memory_mb, agent.threads)

    def prepare(self, state: State) -> object:
        return self._search.prepare(state)

    def think(self, referee: Referee, limit: Limit, stop: threading.Event, progress: Progress | None) -> Analysis:
        limit = dataclasses.replace(limit, nodes=self.limit.nodes if limit.time is not None else limit.nodes)
        return self._search.think(
            referee,
            limit,
            seed=self._seed,
            stop=stop,
            progress=progress,
            name=self._name,
            in_haste=limit.time is not None,
        )


class EngineThinker:
    """Alpha-beta."""

    def __init__(self, agent: EngineAgent, game: Game) -> None:
        self.limit, self._lines, self._name = agent.limit, agent.lines, agent.name
        self._engine = Engine(game, agent.memory_mb, agent.threads)

    def prepare(self, state: State) -> object:
        return self._engine.prepare(state)

    def think(self, referee: Referee, limit: Limit, stop: threading.Event, progress: Progress | None) -> Analysis:
        return self._engine.think(referee, limit, lines=self._lines, stop=stop, progress=progress, name=self._name)


class ChoosingThinker:
    """Any other agent. It cannot be stopped, so it never thinks without a limit."""

    def __init__(self, agent: Agent) -> None:
        self.limit = agent.limit
        self._progress: Progress | None = None
        if isinstance(agent, SearchAgent):
            agent = dataclasses.replace(agent, progress=self._tell)
        elif isinstance(agent, AutoAgent):
            agent = AutoAgent(agent.name, agent.limit, agent.seed, self._tell, agent.lines)
        self._agent = agent

    def prepare(self, state: State) -> object:
        return None

    def think(self, referee: Referee, limit: Limit, stop: threading.Event, progress: Progress | None) -> Analysis:
        self._progress = progress
        if limit == Limit():
            limit = self.limit
        if stop.is_set():
            limit = dataclasses.replace(limit, time=LEAST)
        if isinstance(self._agent, SearchAgent):
            return dataclasses.replace(self._agent, limit=limit).choose(referee)
        if isinstance(self._agent, AutoAgent | MctsAgent | EngineAgent | LayeredAgent):
            self._agent.limit = limit
        try:
            return self._agent.choose(referee)
        except Resigned:
            return _no_move(referee, self._agent.name)

    def _tell(self, found: Analysis) -> None:
        if self._progress is not None:
            self._progress(found)


def _no_move(referee: Referee, name: str) -> Analysis:
    """The answer of somebody who gives up."""
    game = referee.game
    return Analysis(
        game=game.spec(),
        position=game.format_state(referee.state),
        to_move=referee.to_move,
        agent=name,
        value=(math.nan,) * game.players,
        kind="estimate",
    )


def thinker_for(agent: Agent, game: Game) -> MctsThinker | EngineThinker | ChoosingThinker:
    """Somebody who thinks as the agent does."""
    agent.require(game)
    if isinstance(agent, MctsAgent) and Mcts.fits(game, game.initial()):
        return MctsThinker(agent, game)
    if isinstance(agent, EngineAgent) and Engine.fits(game, game.initial()):
        return EngineThinker(agent, game)
    return ChoosingThinker(agent)
