"""`zermelo best` and `zermelo solve`: one position, one answer."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from zermelo.cli.request import find_position, print_json
from zermelo.cli.terminal import StatusLine
from zermelo.core.analysis import Analysis
from zermelo.core.errors import UsageError
from zermelo.core.limit import Limit
from zermelo.core.referee import table_for_agent
from zermelo.draw.wording import solution

log = logging.getLogger(__name__)

BEST_LIMIT = Limit(time=2.0)


def show_best(game: str, position: str, agent_text: str, limit: Limit, seed: int, as_json: bool) -> None:
    from zermelo.arena.agents import agent
    from zermelo.arena.auto import AutoAgent
    from zermelo.arena.equilibrium_agent import EquilibriumAgent
    from zermelo.draw import analysis_text
    from zermelo.search.choices import must_choose

    referee = find_position(game, position)
    must_choose(referee, agent_text, f"zermelo best {game}")
    with StatusLine() as status:

        def progress(found: Analysis) -> None:
            status.show(f"depth {found.stats.get('depth', '?')}: {' '.join(found.line)}")

        searcher = agent(agent_text, limit, seed, default=BEST_LIMIT, progress=progress)
        searcher.require(referee.game)
        if isinstance(searcher, AutoAgent | EquilibriumAgent) and referee.game.hidden:
            searcher.lines = len(referee.legal())
        log.info("agent %s searches %s, %s", searcher.name, referee.game, searcher.limit)
        answer = searcher.choose(table_for_agent(referee))
    _log_answer(answer)
    if as_json:
        print_json(answer.to_json())
    else:
        print(analysis_text(answer, referee.game))


def show_solution(
    game: str, position: str, limit: Limit, memory: int, options: Mapping[str, Any], as_json: bool
) -> None:
    """`options` are those for games with hidden information."""
    from zermelo.cli.equilibrium import EquilibriumOptions, show_equilibrium
    from zermelo.core.guards import require
    from zermelo.draw import analysis_text
    from zermelo.search.choices import must_be_open
    from zermelo.solve import prove

    if memory < 1:
        raise UsageError(f"--memory {memory} is too small; the table needs at least 1 megabyte")
    referee = find_position(game, position)
    if referee.game.hidden:
        show_equilibrium(referee, limit, EquilibriumOptions(**options), as_json)
        return
    EquilibriumOptions(**options).refuse_for(referee.game)
    require(referee.game, "solve")
    must_be_open(referee)
    with StatusLine() as status:

        def progress(found: Analysis) -> None:
            nodes, seconds = found.stats["nodes"], found.stats["seconds"]
            status.show(f"solving … {nodes:,} nodes, {seconds:.1f} s, {' '.join(found.notes[-1:])}")

        log.info("solving %s, %s, memory %d MB", referee.game, limit, memory)
        answer = prove(referee.game, referee, limit, memory, progress)
    _log_answer(answer)
    if as_json:
        print_json(answer.to_json())
    else:
        print(solution(answer, referee.game))
        print()
        print(analysis_text(answer, referee.game))


def _log_answer(answer: Analysis) -> None:
    stats = ", ".join(f"{name} {_format_count(value)}" for name, value in answer.stats.items())
    log.info("agent %s: %s, %s; stopped: %s", answer.agent, answer.kind, stats, answer.stopped)


def _format_count(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.1f}" if isinstance(value, float) else str(value)
