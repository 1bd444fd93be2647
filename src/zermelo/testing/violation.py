"""A broken claim of the contract, and the one sentence that describes an error in the user's code."""

from __future__ import annotations

import sysconfig
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Answer = TypeVar("Answer")

_PACKAGE = Path(__file__).parent.parent
_NOT_THEIRS = (
    *(str(_PACKAGE / name) for name in ("testing", "core", "kernel")),
    sysconfig.get_paths()["stdlib"],
    "<frozen",
    "<string>",
)


class ContractViolation(Exception):
    """The rules break the contract; the sentence says what was expected, what was found, and in which position."""


class OutOfTime(Exception):
    """A search for a value was stopped; its results so far hold."""


def attempt(
    game: object, method: str, function: Callable[..., Answer], *args: Any, where: Callable[[], str] = str
) -> Answer:
    """The result of the function; an error becomes a ContractViolation that names the method and the line."""
    try:
        return function(*args)
    except (KeyboardInterrupt, ContractViolation, OutOfTime):
        raise
    except BaseException as error:
        rules = getattr(type(game), method, None)
        sentence = f"{describe_error(method, error, getattr(rules, 'unchecked', rules))} {where()}"
        raise ContractViolation(sentence.strip()) from error


def describe_error(method: str, error: BaseException, function: Any = None) -> str:
    """`actions raised KeyError: 'x' at mygame.py:12`."""
    message = " ".join(str(error).split())[:200]
    what = type(error).__name__ + (f": {message}" if message else "")
    place = line_of(error, function)
    return f"{method} raised {what}" + (f" at {place}" if place else "")


def line_of(error: BaseException, function: Any = None) -> str:
    """The innermost line of the user's code in the traceback, or else the place where the function is defined."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if not frame.filename.startswith(_NOT_THEIRS):
            return f"{_short(frame.filename)}:{frame.lineno}"
    code = getattr(function, "__code__", None)
    return f"{_short(code.co_filename)}:{code.co_firstlineno}" if code else ""


def _short(filename: str) -> str:
    path = Path(filename)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else filename
