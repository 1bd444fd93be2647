"""`zermelo best` and `zermelo solve`: one position, one answer."""

from __future__ import annotations

import logging
from typing import Any

from zermelo.cli.request import find_position, print_json
from zermelo.cli.terminal import StatusLine
from zermelo.core.analysis import Analysis
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import CHANCE
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.draw.wording import outcome, solution

log = logging.getLogger(__name__)

BEST_LIMIT = Limit(time=2.0)


def show_best(game: str, position: str, agent_text: str, limit: Limit, seed: int, as_json: bool) -> None:
    from zermelo.arena.agents import agent
    from zermelo.draw import analysis_text
    from zermelo.search.choices import must_choose

    referee = find_position(game, position)
    _must_be_open(referee)
    must_choose(referee, agent_text, f"zermelo best {game}")
    with StatusLine() as status:

        def progress(found: Analysis) -> None:
            status.show(f"depth {found.stats.get('depth', '?')}: {' '.join(found.line)}")

        searcher = agent(agent_text, limit, seed, default=BEST_LIMIT, progress=progress)
        searcher.require(referee.game)
        log.info("agent %s searches %s, %s", searcher.name, referee.game, searcher.limit)
        answer = searcher.choose(referee)
    _log_answer(answer)
    if as_json:
        print_json(answer.to_json())
    else:
        print(analysis_text(answer, referee.game))


def show_solution(game: str, position: str, limit: Limit, memory: int, as_json: bool) -> None:
    from zermelo.core.guards import require
    from zermelo.draw import analysis_text
    from zermelo.solve import solve

    if memory < 1:
        raise UsageError(f"--memory {memory} is too small; the table needs at least 1 megabyte")
    referee = find_position(game, position)
    require(referee.game, "solve")
    _must_be_open(referee)
    with StatusLine() as status:

        def progress(found: dict[str, Any]) -> None:
            status.show("solving … " + ", ".join(f"{name} {_format_count(value)}" for name, value in found.items()))

        log.info("solving %s, %s, memory %d MB", referee.game, limit, memory)
        answer = solve(referee.game, referee, limit, memory, progress)
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


def _must_be_open(referee: Referee) -> None:
    if referee.is_over:
        text = referee.game.format_state(referee.state)
        raise Refused(f"the game is over in {text!r}: {outcome(referee)}; give a position with a player to move")
    if referee.to_move == CHANCE and not referee.game.chance:
        raise Refused(
            f"{referee.game.name} says that chance moves, but declares no dice; set chance = True in its class"
        )


def _format_count(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.1f}" if isinstance(value, float) else str(value)
