"""What the page lists of every game, although the rules of a user's file may be wrong or never end.

The registered games are looked at in one thread, and each file in its own, for a short time; a file whose rules fail or
take longer is left out. A page that asks while the server still prepares the answer waits for the same one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

from zermelo.core.errors import ZermeloError
from zermelo.web.catalogue import Catalogue
from zermelo.web.threads import RuleThreads

log = logging.getLogger(__name__)

Found = TypeVar("Found")

FILE_SECONDS = 3.0
"""Seconds for which the list waits for a file."""


class EveryGame(Generic[Found]):
    """One question about every game of a catalogue."""

    def __init__(self, catalogue: Catalogue, threads: RuleThreads, ask: Callable[[str], Found | None]) -> None:
        self._catalogue, self._threads, self._ask = catalogue, threads, ask
        self._running: dict[str, asyncio.Task[dict[str, Found]]] = {}
        """What is being asked; nothing is asked twice at the same time."""

    async def answers(self) -> dict[str, Found]:
        """The answers by key, in the order of the catalogue; without those that are None."""
        files = self._catalogue.files
        tasks = [self._begin(key, self._answer_file(key)) for key in files]
        found = dict(await asyncio.shield(self._begin("", self._answer_registered())))
        if tasks:
            done, _ = await asyncio.wait(tasks, timeout=FILE_SECONDS)
            for task in done:
                found |= task.result()
        return {key: found[key] for key in self._catalogue.keys if key in found}

    def _begin(self, name: str, work: Coroutine[Any, Any, dict[str, Found]]) -> asyncio.Task[dict[str, Found]]:
        """The task with this name: the one that runs, or a new one for the work."""
        task = self._running.get(name)
        if task is not None:
            work.close()
            return task
        task = self._running[name] = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._running.pop(name, None))
        return task

    async def _answer_registered(self) -> dict[str, Found]:
        files = self._catalogue.files
        return await self._threads.run(lambda: self._answer([key for key in self._catalogue.keys if key not in files]))

    async def _answer_file(self, key: str) -> dict[str, Found]:
        try:
            return await self._threads.run(lambda: self._answer([key]))
        except Exception as error:
            log.info("%s is left out of the list: %s", key, error)
            return {}

    def _answer(self, keys: list[str]) -> dict[str, Found]:
        found = {}
        for key in keys:
            with contextlib.suppress(ZermeloError):
                answer = self._ask(key)
                if answer is not None:
                    found[key] = answer
        return found
