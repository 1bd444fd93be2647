"""`zermelo bench`: ratios measured side by side, above 1 in our favour, and the ladder of techniques."""

from __future__ import annotations

import sys

from zermelo.bench import measure
from zermelo.cli.request import find_game, print_json
from zermelo.core.errors import UsageError

LADDER = "ladder"


def main(names: list[str], depth: int | None, against: str, as_json: bool) -> None:
    """Run benchmarks by name, or the ladder of one game."""
    if names[:1] == [LADDER]:
        if len(names) != 2:
            raise UsageError("the ladder takes one game; write zermelo bench ladder GAME")
        if against:
            raise UsageError("the ladder has no peer to compare with; leave out --against")
        show_ladder(names[1], depth, as_json)
    elif depth is not None:
        raise UsageError("only the ladder takes a depth; write zermelo bench ladder GAME --depth 6")
    else:
        show_measurements(names, against, as_json)


def show_measurements(names: list[str], against: str, as_json: bool) -> None:
    """Print each measurement when it is done; JSON is printed at the end."""
    found = []
    for measurement in measure(names, lambda why: print(why, file=sys.stderr), against):
        found.append(measurement.to_json())
        if not as_json:
            print(
                f"{measurement.ratio:7.2f}x  {measurement.name}: {measurement.ours:,} {measurement.unit}, "
                f"{measurement.peer_name} {measurement.peer:,}",
                flush=True,
            )
    if as_json:
        print_json({"measurements": found})


def show_ladder(spec: str, depth: int | None, as_json: bool) -> None:
    """Print each row when it is done, since each has to be compiled; JSON is printed at the end."""
    from zermelo.bench.ladder import MEANINGS, climb

    game = find_game(spec)
    rows = []
    for row in climb(game, depth):
        rows.append(row)
        if as_json:
            continue
        if len(rows) == 1:
            print(f"{game}, depth {row.depth}")
            print(f"{'':<14} {'nodes':>14} {'share':>7} {'seconds':>8} {'value':>9}")
        mark = " " if row.rung.is_sound else "*"
        share = f"{row.share:.1%}" if row.before else ""
        print(
            f"{row.rung.title:<14} {row.nodes:>14,} {share:>7} {row.seconds:>8.3f} {row.value:>9.4g}{mark}"
            f"  {MEANINGS[row.rung.name]}",
            flush=True,
        )
    if as_json:
        print_json({"measurements": [row.to_json() for row in rows]})
        return
    sound = sum(row.rung.is_sound for row in rows)
    print(f"The {sound} sound rows have the same value.", end="")
    print(" * From here on the value may differ." if sound < len(rows) else "")
