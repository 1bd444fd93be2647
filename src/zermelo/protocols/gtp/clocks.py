"""Both sides' clocks: main time, then byo-yomi, a number of seconds for a number of stones.

    time_settings 600 30 5            ten minutes, then 30 seconds for every five stones
    time_left b 25 3                  25 seconds are left for three stones; `time_left b 300 0` is main time
    kgs-time_settings byoyomi 600 30 5    five periods of 30 seconds; a move within a period gives it back

The time of our own moves is subtracted, in case the controller does not send `time_left`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zermelo.protocols.gtp.commands import Failure

OVERHEAD = 0.1
"""Seconds that a move takes besides the search."""
LEAST = 0.02
MOST_SECONDS = 1e7


@dataclass(frozen=True)
class TimeLeft:
    """The time that a side has left; in byo-yomi for N stones or in N periods."""

    seconds: float
    stones: int = 0


@dataclass(frozen=True)
class Settings:
    """Seconds; `stones` is 0 if there is no byo-yomi."""

    main: float
    period: float = 0.0
    stones: int = 0
    periods: int = 0
    """Japanese byo-yomi: the number of periods, one stone each; 0 for Canadian byo-yomi."""

    @property
    def byo_yomi(self) -> TimeLeft:
        """The time after the main time."""
        return TimeLeft(self.period, self.periods or self.stones)


@dataclass(frozen=True)
class Clocks:
    """The settings, if there are any, and the time that both sides have left."""

    settings: Settings | None = None
    left: tuple[TimeLeft, TimeLeft] = (TimeLeft(0), TimeLeft(0))

    @classmethod
    def set(cls, settings: Settings | None) -> Clocks:
        if settings is None:
            return cls()
        full = TimeLeft(settings.main) if settings.main > 0 else settings.byo_yomi
        return cls(settings, (full, full))

    def with_left(self, player: int, left: TimeLeft) -> Clocks:
        """The clocks with the time that the controller reports; without settings, that is the main time."""
        both = (left, self.left[1]) if player == 0 else (self.left[0], left)
        return replace(self, left=both, settings=self.settings or Settings(left.seconds))

    def budget(self, player: int, moves: int) -> float | None:
        """Seconds for the next move if about `moves` are left to play; None without a clock."""
        if self.settings is None:
            return None
        settings, left = self.settings, self.left[player]
        extra = settings.period / settings.stones if settings.stones else 0.0
        if left.stones == 0:
            found = min(left.seconds / moves + 0.8 * extra, 0.8 * (left.seconds + extra))
        else:
            found = 0.9 * left.seconds / (1 if settings.periods else left.stones)
        return max(LEAST, found - OVERHEAD)

    def after(self, player: int, seconds: float) -> Clocks:
        """The clocks after a move that took this long."""
        if self.settings is None:
            return self
        settings, left, used = self.settings, self.left[player], seconds
        if left.stones == 0:
            rest = left.seconds - used
            if rest > 0 or settings.stones == 0:
                return self.with_left(player, TimeLeft(max(0.0, rest)))
            left, used = settings.byo_yomi, -rest
        if settings.periods:
            return self.with_left(player, TimeLeft(settings.period, left.stones))
        if left.stones == 1:
            return self.with_left(player, settings.byo_yomi)
        return self.with_left(player, TimeLeft(max(0.0, left.seconds - used), left.stones - 1))


def read_settings(words: Sequence[str]) -> Settings | None:
    """Read `main byo_yomi stones`; None if that means no clock: byo-yomi without stones, or no time at all."""
    main, period, stones = _numbers(words, 3)
    if (period > 0 and stones < 1) or not (main or period):
        return None
    return Settings(main, period, int(stones) if period > 0 else 0)


def read_kgs_settings(words: Sequence[str]) -> Settings | None:
    """Read `none`, `absolute 600`, `byoyomi 600 30 5` or `canadian 600 300 25`."""
    match [word.lower() for word in words]:
        case ["none"]:
            return None
        case ["absolute", *rest]:
            (main,) = _numbers(rest, 1)
            return read_settings((str(main), "0", "0"))
        case ["byoyomi", *rest]:
            main, period, periods = _numbers(rest, 3)
            return Settings(main, period, 1, int(periods)) if period > 0 and periods >= 1 else None
        case ["canadian", *rest]:
            return read_settings(rest)
    raise Failure("syntax error: write none, absolute, byoyomi or canadian, and its numbers")


def read_left(words: Sequence[str]) -> TimeLeft:
    seconds, stones = _numbers(words, 2)
    return TimeLeft(seconds, int(stones))


def _numbers(words: Sequence[str], count: int) -> list[float]:
    try:
        found = [float(word) for word in words]
    except ValueError:
        found = []
    if len(found) != count or not all(0 <= number <= MOST_SECONDS for number in found):
        raise Failure(f"syntax error: {count} numbers from 0 are expected, not {' '.join(words)!r}")
    return found
