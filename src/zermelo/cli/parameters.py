"""Types of command line values, and the options `--time`, `--nodes` and `--depth` as one `Limit`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


class _Parsed(click.ParamType):  # type: ignore[type-arg]  # not generic in older versions of click
    """A value that a function of `zermelo.core.limit` reads; its errors are our own sentences, not click's."""

    def parse(self, text: str) -> Any:
        raise NotImplementedError

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from zermelo.core.errors import UsageError

        if not isinstance(value, str):  # a default
            return value
        try:
            return self.parse(value)
        except UsageError as error:
            option = f"{param.opts[0]}: " if param is not None else ""
            raise UsageError(f"{option}{error}") from None


class Duration(_Parsed):
    """Seconds from `2s`, `500ms` or `3min`."""

    name = "duration"

    def parse(self, text: str) -> float:
        from zermelo.core.limit import parse_duration

        return parse_duration(text)


class Count(_Parsed):
    """A whole number from `10000`, `10k` or `2M`."""

    name = "count"

    def parse(self, text: str) -> int:
        from zermelo.core.limit import parse_count

        return parse_count(text)


_LIMITS: dict[str, tuple[_Parsed, str, str]] = {
    "time": (Duration(), "DURATION", "Stop after this time: 2s, 500ms, 3min."),
    "nodes": (Count(), "N", "Stop after N nodes: 10000, 10k, 2M."),
    "depth": (Count(), "PLIES", "Search to this depth."),
}


def limit_options(*names: str) -> Callable[[Command], Command]:
    """Add those of `--time`, `--nodes` and `--depth` that are named; the command receives them as one `limit`."""

    def add(command: Command) -> Command:
        @wraps(command)
        def run(*arguments: Any, **options: Any) -> Any:
            from zermelo.core.limit import Limit

            limit = Limit(**{name: options.pop(name) for name in names})
            return command(*arguments, limit=limit, **options)

        found: Any = run
        for name in reversed(names):
            kind, metavar, text = _LIMITS[name]
            found = click.option(f"--{name}", type=kind, metavar=metavar, help=text)(found)
        return found  # type: ignore[no-any-return]

    return add
