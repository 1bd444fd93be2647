"""`solve`: the exact value of a position, the distance to the end, the best line, and the size of the proof."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from zermelo.core.analysis import Analysis
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import Game, State
from zermelo.core.guards import require
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.games.library.asked import game_of, position_of
from zermelo.kernel import retry_interpreted
from zermelo.search.runtime import LONGEST_PATH
from zermelo.solve.by_forcing import ByForcing
from zermelo.solve.by_induction import ByInduction, ByPlainPython
from zermelo.solve.by_proof import ByProof
from zermelo.solve.forcing import Forcing
from zermelo.solve.graph import Graph
from zermelo.solve.induction import induce
from zermelo.solve.method import Method, Progress
from zermelo.solve.plain import Endless
from zermelo.solve.proof import Proof

Reserved = TypeVar("Reserved")

NO_LIMIT = Limit()
LEAST_TIME = 0.001
LONGEST_HISTORY = LONGEST_PATH // 2


def solve(
    game: Game | str,
    position: Referee | State | str | None = None,
    limit: Limit = NO_LIMIT,
    memory_mb: int = 256,
    progress: Progress | None = None,
) -> Analysis:
    """The proven value of a position; NotProved once the limit is reached.

    Game and position may be texts, as the command takes them: `solve("hexapawn", "moves: a1a2")`.
    The node limit is for the value; the distance, the line and the values of the other moves may take a few times as
    much again, but no more time than the limit says. A proof has no depth limit, so `limit.depth` is not looked at.
    """
    game = game_of(game)
    require(game, "solve")
    position = position_of(game, position)
    referee = position.copy() if isinstance(position, Referee) else Referee(game, position)
    if game.repetition is not Repetition.NOTHING:
        _require_forcing(referee)
    if memory_mb < 1:
        raise UsageError(f"the table needs a megabyte or more, not {memory_mb}")
    return retry_interpreted(game, lambda: _solved(referee, limit, memory_mb, progress))


def _solved(referee: Referee, limit: Limit, memory_mb: int, progress: Progress | None) -> Analysis:
    game = referee.game
    if game.repetition is not Repetition.NOTHING:
        forcing = _reserve(lambda: Forcing(game, memory_mb), memory_mb)
        return ByForcing(referee, limit, progress, forcing).answer()
    method = _choose(referee, limit, memory_mb, progress)
    try:
        return method.answer()
    except Endless:
        left = None if limit.time is None else max(limit.time - method.watch.seconds, LEAST_TIME)
        del method
        return _induction(referee, replace(limit, time=left), memory_mb, progress).answer()


def _require_forcing(referee: Referee) -> None:
    """Refuse what cannot be asked of a game in which positions may repeat."""
    game, moves = referee.game, len(referee.turns)
    if game.players != 2 or not game.zero_sum or game.chance:
        raise Refused(f"solve needs a game in which positions do not repeat; {game.name} has a rule for repetition")
    if not math.isfinite(game.utility_range[1] - game.utility_range[0]):
        raise Refused(f"solve needs a finite utility_range where positions may repeat; that of {game.name} is infinite")
    if moves > LONGEST_HISTORY:
        raise Refused(f"solve needs a history of at most {LONGEST_HISTORY:,} moves; this game has {moves:,}")


def _choose(referee: Referee, limit: Limit, memory_mb: int, progress: Progress | None) -> Method:
    """Alpha-beta where it fits, backward induction otherwise; plain Python where nothing compiles."""
    game = referee.game
    if game.players == 2 and game.zero_sum and not game.chance:
        proof = _reserve(lambda: Proof(game, memory_mb), memory_mb)
        if proof.prepare(referee.state):
            return ByProof(referee, limit, progress, proof)
    else:
        method = _induction(referee, limit, memory_mb, progress)
        if method.is_compiled:
            return method
    return ByPlainPython(referee, limit, progress)


def _induction(referee: Referee, limit: Limit, memory_mb: int, progress: Progress | None) -> ByInduction:
    game, state = referee.game, referee.state
    graph = _reserve(lambda: Graph.create(game, state, memory_mb), memory_mb)
    is_compiled = induce.prepare(game, state, graph)
    return ByInduction(referee, limit, progress, graph, is_compiled)


def _reserve(make: Callable[[], Reserved], megabytes: int) -> Reserved:
    try:
        return make()
    except (MemoryError, OverflowError, OSError, ValueError):
        raise UsageError(f"there is no room for a table of {megabytes:,} megabytes; give it less") from None
