"""Perft: the number of lines of play of a given length. An exact count is the best test of rules.

A line that ends earlier does not count. Outcomes of dice count as moves.
"""

from __future__ import annotations

from zermelo.core.errors import UsageError
from zermelo.core.game import CHANCE, Game, State, legal_actions
from zermelo.core.referee import Referee
from zermelo.games.library.asked import game_of, state_of
from zermelo.kernel import Memory, kernel, load, retry_interpreted, stack_pointer, store
from zermelo.search.runtime.watch import ROOM, Watch

STOPPED, DEPTH, TOP, CELLS = range(4)
"""Cells: whether and why to stop; the depth of the root, and where the stack was there."""
BY_HAND, TOO_DEEP = 1, 2
DEEPEST = 1 << 62
FAR = 4
"""Nodes with at least this many plies to go check whether to stop; below them a count takes no time."""


@kernel
def count_lines(game: Game, state: State, depth: int, memory: int) -> int:
    """Lines of `depth` plies from a state; the last ply is counted without being played. Meaningless once stopped."""
    if depth == 1:
        return game.count(state)
    if game.is_terminal(state) or (depth >= FAR and is_stopped(depth, memory)):
        return 0
    total = 0
    if game.to_move(state) == CHANCE:
        for action, _ in game.outcomes(state):
            total += count_lines(game, game.result(state, action), depth - 1, memory)
    else:
        for action in game.actions(state):
            total += count_lines(game, game.result(state, action), depth - 1, memory)
    return total


def is_stopped(depth: int, memory: int) -> bool:
    """Whether to stop: the user asked for it, or the stack has no room for a longer line."""
    here = stack_pointer()
    if depth == load(memory, DEPTH):
        store(memory, TOP, here)
    elif load(memory, TOP) - here > ROOM:
        store(memory, STOPPED, TOO_DEEP)
    return load(memory, STOPPED) != 0


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
    flags = Memory(CELLS)
    flags[DEPTH] = depth
    count_lines.prepare(game, start, depth, flags.address)
    watch = Watch(lambda: flags.__setitem__(STOPPED, BY_HAND))
    count = watch.run(lambda: retry_interpreted(game, lambda: count_lines.run(game, start, depth, flags.address)))
    if watch.interrupted:  # half a count means nothing
        raise KeyboardInterrupt
    if flags[STOPPED] == TOO_DEEP:
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
