"""`prove`: the exact value of a position, the distance to the end, the best line, and the size of the proof."""

from __future__ import annotations

import math
import threading
from dataclasses import replace

from zermelo.core.analysis import Analysis, Progress
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import Game, State
from zermelo.core.guards import require
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.games.library.resolve import game_of, position_of
from zermelo.kernel import retry_interpreted
from zermelo.search.runtime import LONGEST_PATH, NO_LIMIT, Request, reserve
from zermelo.solve.by_forcing import ByForcing
from zermelo.solve.by_induction import ByInduction, ByPlainPython
from zermelo.solve.by_proof import ByProof
from zermelo.solve.forcing import Forcing
from zermelo.solve.graph import Graph
from zermelo.solve.induction import induce
from zermelo.solve.method import Method
from zermelo.solve.plain import Endless
from zermelo.solve.proof import Proof

LEAST_TIME = 0.001
LONGEST_HISTORY = LONGEST_PATH // 2


def prove(
    game: Game | str,
    position: Referee | State | str | None = None,
    limit: Limit = NO_LIMIT,
    memory_mb: int = 256,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Analysis:
    """The proved value of a position; raises NotProved once the limit is reached or `stop` is set.

    Game and position may be texts, as the command takes them: `solve("hexapawn", "moves: a1a2")`.
    The node limit is for the value; the distance, the line and the values of the other moves may take a few times as
    many nodes again, within the same time limit. A proof has no depth limit, so `limit.depth` is ignored.
    """
    game = game_of(game)
    require(game, "solve")
    position = position_of(game, position)
    referee = position.copy() if isinstance(position, Referee) else Referee(game, position)
    if game.repetition is not Repetition.NOTHING:
        _require_forcing(referee)
    if memory_mb < 1:
        raise UsageError(f"the table needs a megabyte or more, not {memory_mb}")
    request = Request(referee, limit, "solve", stop=stop, progress=progress)
    return retry_interpreted(game, lambda: _solve(request, memory_mb))


def _solve(request: Request, memory_mb: int) -> Analysis:
    game, limit = request.referee.game, request.limit
    if game.repetition is not Repetition.NOTHING:
        forcing = reserve(memory_mb, lambda: Forcing(game, memory_mb))
        return ByForcing(request, forcing).answer()
    method = _choose(request, memory_mb)
    try:
        return method.answer()
    except Endless:
        left = None if limit.time is None else max(limit.time - method.watch.seconds, LEAST_TIME)
        del method
        return _induction(replace(request, limit=replace(limit, time=left)), memory_mb).answer()


def _require_forcing(referee: Referee) -> None:
    """Refuse games with repetitions that `ByForcing` cannot solve."""
    game, moves = referee.game, len(referee.turns)
    if game.players != 2 or not game.zero_sum or game.chance:
        raise Refused(f"solve needs a game in which positions do not repeat; {game.name} has a rule for repetition")
    if not math.isfinite(game.utility_range[1] - game.utility_range[0]):
        raise Refused(f"solve needs a finite utility_range where positions may repeat; that of {game.name} is infinite")
    if moves > LONGEST_HISTORY:
        raise Refused(f"solve needs a history of at most {LONGEST_HISTORY:,} moves; this game has {moves:,}")


def _choose(request: Request, memory_mb: int) -> Method:
    """Alpha-beta if it fits, otherwise backward induction; plain Python if the game does not compile."""
    game = request.referee.game
    if game.players == 2 and game.zero_sum and not game.chance:
        proof = reserve(memory_mb, lambda: Proof(game, memory_mb))
        if proof.prepare(request.referee.state):
            return ByProof(request, proof)
    else:
        method = _induction(request, memory_mb)
        if method.is_compiled:
            return method
    return ByPlainPython(request)


def _induction(request: Request, memory_mb: int) -> ByInduction:
    game, state = request.referee.game, request.referee.state
    graph = reserve(memory_mb, lambda: Graph.create(game, state, memory_mb))
    is_compiled = induce.prepare(game, state, graph)
    return ByInduction(request, graph, is_compiled)
