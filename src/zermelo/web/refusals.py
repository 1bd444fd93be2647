"""Refusals: why an order or a request was not obeyed, in one sentence."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from zermelo.core.errors import ZermeloError
from zermelo.games.library.files import where
from zermelo.web.messages import AnyOrder
from zermelo.web.open_session import Client, OpenSession
from zermelo.web.pool import Busy

log = logging.getLogger(__name__)

BUSY = "all workers are busy; try again in a moment"


@contextlib.contextmanager
def refusals(client: Client, order: AnyOrder) -> Iterator[None]:
    """Send an error to the page that caused it."""
    try:
        yield
    except Exception as error:
        refuse(client, reason_of(error), order.id)


def refuse(client: Client, error: str, order: int | None = None) -> None:
    client.tell("refused", {"id": order, "error": error})


def refuse_all(opened: OpenSession, error: str) -> None:
    for client in opened.clients:
        refuse(client, error)


def reason_of(error: Exception) -> str:
    """An error as one sentence."""
    if isinstance(error, Busy):
        return BUSY
    if isinstance(error, ZermeloError):
        return " ".join(str(error).split())
    log.warning("an order failed", exc_info=error)
    return f"there is a mistake in the game or in the server: {where(error)}"


def sentence(errors: Sequence[Any]) -> str:
    """The first validation error as one sentence."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])
