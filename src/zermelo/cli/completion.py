"""What the tab key offers. Only names are looked up; no game is loaded."""

from __future__ import annotations

from click import Context, Parameter


def complete_games(context: Context, parameter: Parameter, incomplete: str) -> list[str]:
    from zermelo.games import names

    return [name for name in names() if name.startswith(incomplete)]


def complete_agents(context: Context, parameter: Parameter, incomplete: str) -> list[str]:
    from zermelo.arena.agents import agent_names

    return [name for name in [*agent_names(), "human"] if name.startswith(incomplete)]


def complete_algorithms(context: Context, parameter: Parameter, incomplete: str) -> list[str]:
    from zermelo.core.guards import ALGORITHMS

    return [name for name in ALGORITHMS if name.startswith(incomplete)]
