"""`solve`: a proof if all players see everything, an equilibrium if not."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from zermelo.core.analysis import Analysis, Progress
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import Game, State
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games.library.resolve import game_of, position_of
from zermelo.search.runtime import NO_LIMIT, Watch
from zermelo.solve.solver import prove

if TYPE_CHECKING:
    from zermelo.equilibrium.answers import Solution


def solve(
    game: Game | str,
    position: Referee | State | str | None = None,
    limit: Limit = NO_LIMIT,
    memory_mb: int = 256,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
    *,
    method: str | None = None,
    to: float | None = None,
    iterations: int | None = None,
    seed: int = 0,
    on_iterations: Callable[[int, float], None] | None = None,
) -> Analysis | Solution:
    """The exact value of a position as a proved `Analysis`; of a game with hidden information, a `Solution`.

    A proof raises NotProved once the limit is reached or `stop` is set. An equilibrium is found from the start, by a
    linear programme or by a variant of regret minimisation (`method`, as in `zermelo.equilibrium.solve`). Regret
    minimisation ends at an exploitability of `to`, after `iterations`, at the limit of time, when `stop` is set or
    after Ctrl-C, with what it has found so far (Halted if that is nothing); `on_iterations` gets iterations and
    exploitability.
    """
    game = game_of(game)
    if game.hidden:
        must_begin_at_the_start(game, position)
        return find_equilibrium(game, limit, method, to, iterations, seed, stop, on_iterations)
    if (method, to, iterations) != (None, None, None):
        raise UsageError(
            f"a method, an exploitability and a number of iterations are for games with hidden information; "
            f"{game.name} hides nothing, so solve proves its value"
        )
    return prove(game, position, limit, memory_mb, progress, stop)


def must_begin_at_the_start(game: Game, position: Referee | State | str | None) -> None:
    """Raise Refused for a position in the middle: with hidden information, it has no value of its own."""
    found = None if position in (None, "") else position_of(game, position)
    state = found.state if isinstance(found, Referee) else found
    if state is not None and state != game.initial():
        raise Refused(
            f"{game.name} has hidden information, so it is solved from the start: what a position is worth depends on "
            "how the players came there; `best` gives the moves of one position"
        )


def find_equilibrium(
    game: Game,
    limit: Limit,
    method: str | None,
    to: float | None,
    iterations: int | None,
    seed: int,
    stop: threading.Event | None,
    on_iterations: Callable[[int, float], None] | None,
) -> Solution:
    from zermelo.equilibrium.answers import solve as solve_hidden
    from zermelo.equilibrium.programme import in_solver
    from zermelo.equilibrium.stopping import Halted

    if limit.nodes is not None:
        raise UsageError("a limit in nodes is for proofs; give a time, a number of iterations or an exploitability")
    is_halted, has_begun = threading.Event(), threading.Event()

    def note(done: int, gain: float) -> None:
        has_begun.set()
        if on_iterations is not None:
            on_iterations(done, gain)

    def watch_stop() -> None:
        if stop is not None and stop.is_set():
            watch.request_stop()
        if watch.interrupted and not has_begun.is_set() and not in_solver.is_set():
            raise KeyboardInterrupt  # there is nothing yet to keep, and compilation would take seconds

    watch = Watch(is_halted.set)
    try:
        return watch.run(
            lambda: solve_hidden(
                game,
                method or "auto",
                to=to,
                seed=seed,
                iterations=iterations,
                seconds=limit.time,
                on_progress=note,
                is_stopped=is_halted.is_set,
            ),
            watch_stop,
        )
    except Halted:
        if watch.interrupted:
            raise KeyboardInterrupt from None
        raise
