"""The arguments of `go`.

    go wtime 60000 btime 58000 winc 1000 binc 1000 movestogo 20     with a clock, in milliseconds
    go movetime 500 · go depth 8 · go nodes 100000 · go mate 3      with a limit
    go infinite · go ponder wtime ... · go searchmoves e2e4 d2d4 depth 8

Out-of-range numbers are clamped: a negative clock counts as one millisecond, depth 0 as depth 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zermelo.core.errors import ZermeloError
from zermelo.core.game import Action
from zermelo.core.limit import MOST, Limit
from zermelo.search.alphabeta import Clock

NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "mate", "movetime")
WORDS = (*NUMBERS, "searchmoves", "ponder", "infinite")
LARGEST = 2**53
DEEPEST = 1000
SPARE_PLIES = 2
"""Extra depth for a mate search, since the search may reduce the depth of moves."""


@dataclass(frozen=True)
class Order:
    """One search that another program requests."""

    limit: Limit = Limit()
    clock: Clock | None = None
    ponder: bool = False
    """Search in the opponent's time until `ponderhit`; limit and clock apply from then on."""
    infinite: bool = False
    """Do not send `bestmove` before `stop`."""
    only: tuple[Action, ...] = ()
    """The moves to choose from; empty for all."""
    mate: int | None = None
    """Stop when a mate in this many moves is found."""
    complaints: tuple[str, ...] = ()
    """Sentences about words that were not understood."""


def read_order(words: Sequence[str], mover: int, overhead: float, read_move: Callable[[str], Action]) -> Order:
    """Read the words after `go`; `mover` is 0 for the player whose clock is `wtime`, `overhead` is in seconds."""
    numbers: dict[str, int] = {}
    only: list[Action] = []
    complaints: list[str] = []
    waiting = list(words)
    flags = set()
    while waiting:
        word = waiting.pop(0)
        if word in NUMBERS:
            try:
                numbers[word] = max(-LARGEST, min(LARGEST, int(waiting[0])))
                waiting.pop(0)
            except (ValueError, IndexError):
                complaints.append(f"go: {word} needs a whole number after it")
                if waiting and waiting[0] not in WORDS:
                    waiting.pop(0)
        elif word == "searchmoves":
            while waiting and waiting[0] not in WORDS:
                try:
                    only.append(read_move(waiting.pop(0)))
                except (ZermeloError, ValueError) as error:
                    complaints.append(f"go searchmoves: {error}")
        elif word in WORDS:
            flags.add(word)
        else:
            complaints.append(f"go: {word!r} is not understood")
    infinite = "infinite" in flags
    return Order(
        limit=_limit(numbers, overhead, infinite),
        clock=None if infinite or "movetime" in numbers else _clock(numbers, mover, overhead),
        ponder="ponder" in flags,
        infinite=infinite,
        only=tuple(dict.fromkeys(only)),
        mate=max(1, numbers["mate"]) if "mate" in numbers else None,
        complaints=tuple(complaints),
    )


def _limit(numbers: dict[str, int], overhead: float, infinite: bool) -> Limit:
    time = None
    if "movetime" in numbers and not infinite:
        asked = max(0.001, min(numbers["movetime"] / 1000, MOST["time"]))
        time = max(asked - overhead, asked / 2)
    depths = [numbers["depth"]] if "depth" in numbers else []
    if "mate" in numbers:
        depths.append(2 * max(1, numbers["mate"]) + SPARE_PLIES)
    return Limit(
        time=time,
        nodes=max(1, numbers["nodes"]) if "nodes" in numbers else None,
        depth=max(1, min(DEEPEST, *depths)) if depths else None,
    )


def _clock(numbers: dict[str, int], mover: int, overhead: float) -> Clock | None:
    """The mover's clock; the other player's if only that one is given."""
    own, other = ("w", "b") if mover == 0 else ("b", "w")
    left = numbers.get(f"{own}time", numbers.get(f"{other}time"))
    if left is None:
        return None
    to_go = numbers.get("movestogo", 0)
    return Clock(
        left=max(1, left) / 1000,
        increment=max(0, numbers.get(f"{own}inc", 0)) / 1000,
        moves_to_go=to_go if to_go > 0 else None,
        overhead=overhead,
    )
