"""A search process that never compiles, for the first answers: `python -m zermelo.web.small_search_process`."""

from __future__ import annotations

import os

import zermelo.arena.level_agent
import zermelo.search.dispatcher
import zermelo.solve  # noqa: F401 - all of them in advance: the first order should not wait for them
from zermelo.web.search_process import main

NICENESS = 0
"""Somebody waits for its answers, which take a moment only."""

if __name__ == "__main__":
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    main(niceness=NICENESS)
