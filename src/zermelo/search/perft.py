"""Perft: the exact number of lines of play of a given length, the best test of rules.

Lines that end earlier do not count. Outcomes of dice count as moves.
"""

from __future__ import annotations

from zermelo.core.errors import UsageError
from zermelo.core.game import CHANCE, Game, State, legal_actions
from zermelo.core.referee import Referee
from zermelo.games.library.resolve import game_of, state_of
from zermelo.kernel import Record, kernel, retry_interpreted, stack_pointer
from zermelo.search.runtime.watch import ROOM, Watch

GO_ON, BY_HAND, TOO_DEEP = range(3)
"""Values of `stopped`: whether and why to stop."""
DEEPEST = 1 << 62
FAR = 4
"""Nodes with at least this many plies left check whether to stop; the count below them takes very little time."""


class PerftWorkspace(Record):
    """The stop flag of a count, and the extent of its stack."""

    reason: int
    """Why to stop; GO_ON if not."""
    depth: int
    """The depth of the root."""
    stack_top: int
    """The stack pointer at the root."""

    def stop(self) -> None:
        self.reason = BY_HAND

    def is_stopped(self, depth: int) -> bool:
        """Whether the user has stopped the count, or the stack is full."""
        here = stack_pointer()
        if depth == self.depth:
            self.stack_top = here
        elif self.stack_top - here > ROOM:
            self.reason = TOO_DEEP
        return self.reason != GO_ON


@kernel
def count_lines(game: Game, state: State, depth: int, work: PerftWorkspace) -> int:
    """The number of lines from a state; the last ply is not played (bulk counting). Meaningless once stopped."""
    if depth == 1:
        return game.count(state)
    if game.is_terminal(state) or (depth >= FAR and work.is_stopped(depth)):
        return 0
    total = 0
    if game.to_move(state) == CHANCE:
        for action, _ in game.outcomes(state):
            total += count_lines(game, game.result(state, action), depth - 1, work)
    else:
        for action in game.actions(state):
            total += count_lines(game, game.result(state, action), depth - 1, work)
    return total


def perft(game: Game | str, state: Referee | State | str | None = None, depth: int = 1) -> int:
    """The number of lines of `depth` plies; 1 for depth 0. Game and position may be texts."""
    game = game_of(game)
    if not isinstance(depth, int) or depth < 0:
        raise UsageError(f"a depth of {depth} makes no sense; it is 0 or more")
    start = state_of(game, state)
    if depth == 0:
        return 1
    if depth > DEEPEST:
        raise UsageError(f"lines of {depth:,} plies cannot be counted; the depth is at most {DEEPEST:,}")
    work = PerftWorkspace.allocate()
    work.depth = depth
    count_lines.prepare(game, start, depth, work)
    watch = Watch(work.stop)
    count = watch.run(lambda: retry_interpreted(game, lambda: count_lines.run(game, start, depth, work)))
    if watch.interrupted:  # a partial count is useless
        raise KeyboardInterrupt
    if work.reason == TOO_DEEP:
        raise UsageError(f"lines of {depth:,} plies of {game} do not fit on the stack; give a smaller depth")
    return count


def divide(game: Game | str, state: Referee | State | str | None = None, depth: int = 1) -> dict[str, int]:
    """Perft for each first move; the counts sum to perft."""
    game = game_of(game)
    if not isinstance(depth, int) or depth < 1:
        raise UsageError(f"lines of {depth} plies have no first move; the depth is 1 or more")
    start = state_of(game, state)
    return {
        game.format_action(start, action): perft(game, game.result(start, action), depth - 1)
        for action in legal_actions(game, start)
    }
