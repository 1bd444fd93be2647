"""A quick check of a user's game: rules that would make every answer wrong are refused with a sentence."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

from zermelo.core.errors import RulesError
from zermelo.core.game import Game
from zermelo.core.naive import with_values
from zermelo.testing import foundation, rules
from zermelo.testing.sample import Sample
from zermelo.testing.violation import ContractViolation, attempt

CLAIMS = (
    foundation.methods_are_given,
    foundation.declarations_make_sense,
    foundation.random_games_can_be_played,
    foundation.states_are_values,
    rules.a_player_is_to_move,
    rules.play_goes_on_until_it_is_over,
    rules.chances_sum_to_one,
    rules.utilities_are_numbers,
    rules.utilities_sum_to_zero,
    rules.utilities_stay_in_range,
)
GAMES, PLIES, SECONDS = 5, 200, 0.3
PATIENCE = 15.0
"""Seconds after which rules that are still running are considered endless."""


def precheck(game: Game) -> Game:
    """The game, with states that are values, after a few random games; RulesError says what is wrong with its rules."""
    try:
        with _interrupt_endless_rules():
            game = with_values(game)
            _look_at(game)
            return game
    except ContractViolation as violation:
        raise RulesError(f"{type(game).__name__}: {violation}") from None


def _look_at(game: Game) -> None:
    sample = Sample(game, plies=PLIES)
    for claim in CLAIMS:
        sample.deadline = time.monotonic() + SECONDS
        if claim is foundation.random_games_can_be_played:
            sample.draw(GAMES)
        attempt(game, "a method", claim, sample)


@contextlib.contextmanager
def _interrupt_endless_rules() -> Iterator[None]:
    """Interrupt rules that do not end, if the system has timer signals and this is the main thread."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_signal: int, frame: FrameType | None) -> None:
        raise ContractViolation(f"{_describe_frame(frame)} is still running after {PATIENCE:g} seconds; it must end")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, PATIENCE)  # `with_values` may swallow one
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _describe_frame(frame: FrameType | None) -> str:
    """Name the method of the rules that is running: the outermost frame outside Zermelo."""
    found = frame
    while frame is not None and not str(frame.f_globals.get("__name__", "")).startswith("zermelo"):
        found, frame = frame, frame.f_back
    return f"{found.f_code.co_name} ({Path(found.f_code.co_filename).name}:{found.f_lineno})" if found else "a method"
