"""`zermelo check`: the conformance kit on any game."""

from __future__ import annotations

import textwrap

from zermelo.cli.request import announce_compiling, print_json
from zermelo.cli.terminal import style
from zermelo.core.errors import UsageError


def show_check(spec: str, games: int, seed: int, as_json: bool) -> bool:
    """Print the report; return whether the game is conformant."""
    from zermelo.games import find
    from zermelo.testing import check

    if games < 1:
        raise UsageError(f"--games {games} is too small; the check plays at least one random game")
    game = find(spec)
    announce_compiling(game)
    report = check(game, games, seed)
    if as_json:
        print_json(report.to_json())
        return report.conformant
    marks = {"ok": ("✓", "32"), "FAILED": ("✗", "31"), "not checked": ("–", "33")}
    wide = max(len(one.name) for one in report.checks)
    for one in report.checks:
        mark, colour = marks[one.status]
        rows = textwrap.wrap(one.detail, max(100 - wide - 4, 40), break_on_hyphens=False) or [""]
        for number, row in enumerate(rows):
            head = f"{style(mark, colour)} {one.name:<{wide}}" if number == 0 else " " * (wide + 2)
            print(f"{head}  {style(row, '2') if one.passed else row}".rstrip())
    print()
    if report.conformant:
        print(f"{report.game} fulfils the contract: {len(report.checks)} checks passed.")
    else:
        print(f"{report.game} does not fulfil the contract: {report.verdict}.")
    return report.conformant
