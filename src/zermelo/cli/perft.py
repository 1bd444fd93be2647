"""`zermelo perft`: the leaves of the game tree, and how fast they are counted."""

from __future__ import annotations

import time
from typing import Any

from zermelo.cli.request import find_position, print_json
from zermelo.core.errors import UsageError
from zermelo.core.referee import Referee


def show_perft(game: str, position: str, depth: int, divide: bool, as_json: bool) -> None:
    from zermelo.search import perft

    if depth < 1:
        raise UsageError(f"the depth is {depth}; it must be 1 or more")
    referee = find_position(game, position)
    perft(referee.game, referee.state, 1)  # compiled before the clock starts
    answer: dict[str, Any] = {"game": referee.game.spec(), "position": referee.game.format_state(referee.state)}
    if as_json:
        leaves, seconds = _count_leaves(referee, depth)
        answer |= {"depth": depth, "leaves": leaves, "seconds": round(seconds, 6)}
        print_json(answer | ({"divide": _divide(referee, depth)} if divide else {}))
        return
    print(f"{answer['game']}   {answer['position']}")
    if divide:
        for move, leaves in _divide(referee, depth).items():
            print(f"{move:<8} {leaves:>16,}")
        return
    for ply in range(1, depth + 1):
        leaves, seconds = _count_leaves(referee, ply)
        rate = f"{leaves / seconds:>14,.0f} leaves/s" if seconds > 0.001 else ""
        print(f"depth {ply:<3} {leaves:>16,} leaves {seconds:>9.3f} s {rate}".rstrip(), flush=True)


def _count_leaves(referee: Referee, depth: int) -> tuple[int, float]:
    from zermelo.search import perft

    started = time.perf_counter()
    leaves = perft(referee.game, referee.state, depth)
    return leaves, time.perf_counter() - started


def _divide(referee: Referee, depth: int) -> dict[str, int]:
    """The leaves below each move."""
    from zermelo.search import divide

    return divide(referee.game, referee.state, depth)
