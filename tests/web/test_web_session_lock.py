"""One at a time in a session, and nobody waits for ever."""

import threading

import pytest

from zermelo.core.errors import Refused
from zermelo.games import find
from zermelo.web import sessions


def test_who_waits_long_for_a_session_gets_an_error(monkeypatch):
    """Rules of somebody's own may never end; the others must not wait with them."""
    monkeypatch.setattr(sessions, "PATIENCE", 0.1)
    turnstile, is_inside, is_over = sessions.SessionLock(find("hexapawn")), threading.Event(), threading.Event()

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
