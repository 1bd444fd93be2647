"""Tab completion: the suggestions and the shell scripts. Only names are looked up; no game is loaded."""

from __future__ import annotations

from glob import escape, glob

from click import Command, Context, Parameter
from click.shell_completion import CompletionItem, get_completion_class

SHELLS = ("bash", "zsh", "fish")


def completion_script(app: Command, shell: str) -> str:
    """The script that a shell evaluates to complete the words after `zermelo`."""
    completer = get_completion_class(shell)
    assert completer is not None
    return completer(app, {}, "zermelo", "_ZERMELO_COMPLETE").source()


def complete_games(context: Context, parameter: Parameter, incomplete: str) -> list[str] | list[CompletionItem]:
    """Names of games, and files ending in .py; if none match, the shell's own suggestions, such as folders."""
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
