"""What the tab key offers. Only names are looked up; no game is loaded."""

from __future__ import annotations

from glob import escape, glob

from click import Context, Parameter
from click.shell_completion import CompletionItem


def complete_games(context: Context, parameter: Parameter, incomplete: str) -> list[str] | list[CompletionItem]:
    """Names, and Python files; where there is neither, whatever the shell itself would offer, such as folders."""
    from zermelo.games import names

    found = [name for name in names() if name.startswith(incomplete)]
    if incomplete:
        found += sorted(glob(f"{escape(incomplete)}*.py"))
    return found or [CompletionItem(incomplete, type="file")]


def complete_agents(context: Context, parameter: Parameter, incomplete: str) -> list[str]:
    from zermelo.arena.agents import agent_names

    return [name for name in [*agent_names(), "human"] if name.startswith(incomplete)]


def complete_algorithms(context: Context, parameter: Parameter, incomplete: str) -> list[str]:
    from zermelo.core.guards import ALGORITHMS

    return [name for name in ALGORITHMS if name.startswith(incomplete)]
