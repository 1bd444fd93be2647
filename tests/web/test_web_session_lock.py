"""The lock of a session: one request at a time, and none waits for ever."""

import threading

import pytest

from zermelo.core.errors import Refused
from zermelo.web import session_lock


@pytest.mark.plain
def test_a_long_wait_for_a_session_ends_with_an_error(monkeypatch):
    """A user's rules may never end; other requests must not wait for them."""
    monkeypatch.setattr(session_lock, "PATIENCE", 0.1)
    turnstile, is_inside, is_over = session_lock.SessionLock("hexapawn"), threading.Event(), threading.Event()

    def stay():
        with turnstile:
            is_inside.set()
            is_over.wait()

    other = threading.Thread(target=stay)
    other.start()
    is_inside.wait()
    with pytest.raises(Refused, match="the rules of hexapawn have been running for"), turnstile:
        pass
    is_over.set()
    other.join()
    with turnstile, turnstile:
        pass
