"""All sessions: in memory while they are in use, and in the store."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

from pydantic import ValidationError

from zermelo.core.errors import Refused, UsageError
from zermelo.web.catalogue import Catalogue
from zermelo.web.messages import NewSession
from zermelo.web.new_sessions import set_up
from zermelo.web.session import Session, check_dice, check_players
from zermelo.web.session_lock import SessionLock
from zermelo.web.store import DAMAGED, Outdated, Store
from zermelo.web.threads import TooLong

Result = TypeVar("Result")

KEPT = 256
"""Sessions that are kept in memory although they are not in use."""


class UnknownSession(UsageError):
    """There is no such session."""


class Sessions:
    """All sessions, in memory and in the store."""

    def __init__(self, catalogue: Catalogue, store: Store) -> None:
        self.catalogue, self.store = catalogue, store
        self._live: WeakValueDictionary[str, Session] = WeakValueDictionary()
        """All sessions in use: there are never two objects of one session."""
        self._kept: OrderedDict[str, Session] = OrderedDict()
        self._loading: dict[str, SessionLock] = {}
        self._lock = threading.Lock()

    def create(self, wanted: NewSession) -> Session:
        """Create a session; errors say what is wrong with the request."""
        stored, note = set_up(self.catalogue.game(wanted.game, wanted.options), wanted)
        session = Session(stored, self.catalogue, self.store)
        is_reloaded = self.catalogue.is_reloaded(wanted.game)
        session.note = note or f"The rules of {Path(wanted.game).name} were reloaded." * is_reloaded
        check_players(session.players, session)
        check_dice(session.dice, session.game)
        self.store.create(stored)
        session.judge_end()
        with self._lock:
            self._keep(session)
        return session

    def get(self, name: str) -> Session:
        """Return the session; UsageError if it is unknown. Loading blocks only requests for the same session."""
        with self._lock:
            if (session := self._live.get(name)) is not None:
                self._keep(session)
                return session
            loading = self._loading.setdefault(name, SessionLock("this game"))
        with loading:
            try:
                with self._lock:
                    session = self._live.get(name)
                if session is None:
                    session = self._load(name)
                with self._lock:
                    session = self._live.get(name, session)  # never two objects of one session
                    self._keep(session)
                return session
            finally:
                with self._lock:
                    self._loading.pop(name, None)

    def change(self, name: str, work: Callable[[Session], Result]) -> Result:
        """Run `work` on the session and return its result; reload the session first if another server has changed it.

        A session whose rules were interrupted is loaded again, since its state may be incomplete.
        """
        session = self.get(name)
        try:
            with session.lock:
                self.store.require_same(session.id, session.current, len(session.nodes) - 1)
                return work(session)
        except Outdated:
            self._drop(session)
        except TooLong:
            self._drop(session)
            raise
        session = self.get(name)
        with session.lock:
            return work(session)

    def delete(self, name: str) -> None:
        with self._lock:
            self._kept.pop(name, None)
            self._live.pop(name, None)
        self.store.delete(name)

    def _load(self, name: str) -> Session:
        stored = self.store.load(name)
        if stored is None:
            raise UnknownSession("this game no longer exists; start a new one")
        try:
            session = Session(stored, self.catalogue, self.store)
        except ValidationError:
            raise Refused(DAMAGED) from None
        if len(session.players) != session.game.players:
            raise Refused(DAMAGED)
        return session

    def _keep(self, session: Session) -> None:
        """Keep the session in memory; the caller holds the lock."""
        self._live[session.id] = self._kept[session.id] = session
        self._kept.move_to_end(session.id)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def _drop(self, session: Session) -> None:
        with self._lock:
            if self._live.get(session.id) is session:
                del self._live[session.id]
            if self._kept.get(session.id) is session:
                del self._kept[session.id]
