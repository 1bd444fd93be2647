"""Work in the background of a prompt, for which nobody waits at the end."""

from __future__ import annotations

import threading
from collections.abc import Callable

from zermelo.cli.terminal import hold_asides

_threads: set[threading.Thread] = set()


def run_in_background(body: Callable[[], None]) -> threading.Thread:
    """Run it in a thread of its own that keeps its asides until somebody wants to hear them."""

    def run() -> None:
        hold_asides()
        try:
            body()
        finally:
            _threads.discard(thread)

    thread = threading.Thread(target=run, name="background", daemon=True)
    _threads.add(thread)
    thread.start()
    return thread


def is_work_running() -> bool:
    """Whether something in the background is not done."""
    return any(thread.is_alive() for thread in list(_threads))
