"""The exceptions, one class per remedy. Every message is one sentence that says what would be right."""

from __future__ import annotations


class ZermeloError(Exception):
    """Base class of all errors for users; the command prints the message and exits with `exit_code`."""

    exit_code = 1


class UsageError(ZermeloError):
    """The request itself is malformed: an unknown game, agent, option or limit."""

    exit_code = 2


class IllegalMove(ZermeloError, ValueError):
    """The move is not legal in this position."""


class BadPosition(ZermeloError, ValueError):
    """The text is not a position of the game, or the position is impossible."""


class Refused(ZermeloError):
    """The algorithm does not fit the game; the message names one that does."""


class RulesError(ZermeloError):
    """The game breaks its contract: it is endless, a position has no moves, probabilities do not sum to one."""


class NotProved(ZermeloError):
    """The limit was reached before the value was proved."""
