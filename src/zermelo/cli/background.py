"""Background threads that run beside a prompt; the process does not wait for them when it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable

from zermelo.cli.terminal import hold_messages

_threads: set[threading.Thread] = set()


def run_in_background(body: Callable[[], None]) -> threading.Thread:
    """Run the function in a new thread, which holds its messages until `show_held_messages`."""

    def run() -> None:
        hold_messages()
        try:
            body()
        finally:
            _threads.discard(thread)

    thread = threading.Thread(target=run, name="background", daemon=True)
    _threads.add(thread)
    thread.start()
    return thread


def is_work_running() -> bool:
    """Whether a background thread is still running."""
    return any(thread.is_alive() for thread in list(_threads))
