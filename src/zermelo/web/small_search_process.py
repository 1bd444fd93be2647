"""A search process that never compiles, for the first answers: `python -m zermelo.web.small_search_process`."""

from __future__ import annotations

import os
from typing import Any

import zermelo.arena.level_agent
import zermelo.search.dispatcher
import zermelo.solve  # noqa: F401 - all of them in advance: the first order should not wait for them
from zermelo.arena.agents import Agent
from zermelo.search import default_algorithm
from zermelo.web.search_process import SearchProcess, main


class SmallSearchProcess(SearchProcess):
    """Never solves a whole game with hidden information: interpreted, that takes up to three seconds."""

    def _agent(self, order: dict[str, Any]) -> Agent:
        game = self._catalogue.game(order["game"], order["options"])
        if game.hidden and order["agent"] == "auto":
            order = {**order, "agent": default_algorithm(game)[0]}
        return super()._agent(order)


if __name__ == "__main__":
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    main(SmallSearchProcess)
