"""An open session: its pages, the numbers of its events, and what is under way in it besides the game.

Changes are numbered; each page gets all of them in order. Of each kind of progress only the latest waits to be sent,
so a slow page misses outdated progress instead of delaying others. A page that misses a change asks for a snapshot.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from typing import Any, NamedTuple

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import BaseModel

from zermelo.web.instant import InstantJob
from zermelo.web.messages import Analyse, Change
from zermelo.web.pool import Job
from zermelo.web.session import Session, Standing, Turn

MOST_WAITING = 1_000
"""Events that may wait for a page. One that is slower is disconnected; it connects again and gets a snapshot."""
MOST_ORDERS = 50
"""Changes ordered by a page that may wait for the rules of the game."""

USUAL_PACE = 0.6
"""Seconds between two moves if only agents play."""
MOVE_PAUSE = 0.2
"""Seconds to show a person's move before the dice roll."""
ROLL_PAUSE = 0.45
"""Seconds to show a roll; an agent searches meanwhile."""
LEAST_PAUSE = 0.05
"""Seconds in which the pages draw a position before the next search or the next move."""


class JsonText(str):
    """JSON text that is serialised once and sent to every page."""

    __slots__ = ()


def json_text(content: object) -> JsonText:
    if isinstance(content, JsonText):
        return content
    return JsonText(content.model_dump_json() if isinstance(content, BaseModel) else json.dumps(content))


class Whole(NamedTuple):
    """Everything that the pages show of a session."""

    state: JsonText
    lifted: JsonText | None
    """The same for a page at which the person to move has lifted the curtain."""
    is_private: bool = False
    """Whether only such a page may notice what has changed."""


class Client:
    """One page: its socket, what waits to be sent on it, and what it has ordered."""

    def __init__(self, socket: WebSocket, opened: OpenSession) -> None:
        self.socket, self.opened = socket, opened
        self.is_following = False
        """Whether every position that the game comes to is analysed for this page."""
        self.analysis: Analyse | None = None
        """The latest analysis that was ordered for it."""
        self.job: Job | InstantJob | None = None
        self.changes: asyncio.Queue[Change] = asyncio.Queue(MOST_ORDERS)
        self.lifted: int | None = None
        """The seat whose player has lifted the curtain at this page, until it is another one's turn."""
        self._waiting: dict[object, str] = {}
        self._numbers = itertools.count()
        self._is_news = asyncio.Event()

    @property
    def sees_turn(self) -> bool:
        """Whether no curtain is closed at this page."""
        return self.opened.curtain is None or self.opened.curtain == self.lifted

    def tell(self, kind: str, content: object, is_progress: bool = False) -> None:
        """Send an event that concerns this page only."""
        self.send(self.opened.event(kind, content), kind if is_progress else None)

    def send(self, text: str, replaces: str | None = None) -> None:
        """Send a text as soon as possible; it replaces the one that waits under the same name."""
        key = next(self._numbers) if replaces is None else replaces
        self._waiting.pop(key, None)
        self._waiting[key] = text
        self._is_news.set()

    async def send_news(self) -> None:
        """Send what waits until the page disconnects."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._is_news.wait()
                self._is_news.clear()
                if len(self._waiting) > MOST_WAITING:
                    await self.socket.close(1013, "this page is too slow; it connects again")
                    return
                waiting, self._waiting = self._waiting, {}
                for text in waiting.values():
                    await self.socket.send_text(text)


class Answer:
    """An agent's search for its move."""

    def __init__(self, turn: Turn, job: Job | InstantJob) -> None:
        self.turn, self.job = turn, job
        self.is_void: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done if its move will not be played: the position or the player has changed, or there is a pause."""

    def discard(self) -> None:
        if not self.is_void.done():
            self.is_void.set_result(None)


class OpenSession:
    """What the service knows of a session besides its game. It is used on the event loop only."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.game = ""
        """Its game and options; "" until it is first opened."""
        self.compiling: str | None = None
        """A sentence while kernels of its game are being compiled."""
        self.clients: set[Client] = set()
        self.seq = 0
        """The number of the latest change."""
        self.source: Session | None = None
        """The object whose changes are published; after another one was loaded, the pages need a snapshot."""
        self.standing: Standing | None = None
        """By the latest change; None until the session is first looked at."""
        self.since = 0.0
        """The time of the latest change of the position."""
        self.pace, self.is_paused = USUAL_PACE, False
        self.forced: int | None = None
        """A node where the agent or the dice move in any case: although no page is open, or moves follow already."""
        self.trouble = ""
        """Why the agent could not move."""
        self.turns: asyncio.Task[None] | None = None
        self.answer: Answer | None = None
        self.answering: dict[str, Any] | None = None
        """The progress of the agent that searches for its move."""
        self.review: asyncio.Task[None] | None = None
        self.reviewed: dict[str, int] | None = None
        """The progress of the review."""
        self.changed = asyncio.Event()

    # -- events --------------------------------------------------------------------------------------

    def event(self, kind: str, content: object) -> str:
        """The text of an event. Progress has the number of the latest change."""
        return f'{{"seq": {self.seq}, "event": "{kind}", "content": {json_text(content)}}}'

    def publish(self, kind: str, content: object) -> None:
        """Number a change and send it to all pages."""
        self.seq += 1
        text = self.event(kind, content)
        for client in self.clients:
            client.send(text)

    def skip(self) -> None:
        """Skip a number, so that the pages see that they have missed something."""
        self.seq += 1

    def broadcast(self, kind: str, content: object) -> None:
        """Send the latest progress to all pages."""
        text = self.event(kind, content)
        for client in self.clients:
            client.send(text, kind)

    def close_curtains(self) -> None:
        """Forget who has lifted the curtain, if it is another person's turn now."""
        for client in self.clients:
            if not client.sees_turn:
                client.lifted = None

    def send_snapshot(self, client: Client, whole: Whole) -> None:
        """Send everything; what waits for this page is contained in it."""
        state = whole.lifted if whole.lifted is not None and client.sees_turn else whole.state
        rest = {**self.running(), "review": self.reviewed, "answering": self.answering, "compiling": self.compiling}
        client.tell("snapshot", JsonText(f'{{"session": {state}, {json.dumps(rest)[1:]}'))

    def send_running(self) -> None:
        self.broadcast("running", self.running())

    def running(self) -> dict[str, Any]:
        return {"is_paused": self.is_paused, "pace": round(1000 * self.pace)}

    # -- turns ---------------------------------------------------------------------------------------

    @property
    def curtain(self) -> int | None:
        """The person to move, if the others at the page must not see what this one sees."""
        return self.standing.curtain if self.standing is not None else None

    @property
    def turn(self) -> Turn | None:
        return self.standing.turn if self.standing is not None else None

    @property
    def is_hidden(self) -> bool:
        """Whether its game has hidden information."""
        return self.source is not None and self.source.game.hidden

    @property
    def is_used(self) -> bool:
        return bool(self.clients) or self.turns is not None or self.review is not None

    def may_move(self, turn: Turn) -> bool:
        """Whether the agent or the dice move by themselves."""
        if turn.node == self.forced:
            return True
        return bool(self.clients) and not self.is_paused and turn.is_last

    def pause_before(self, turn: Turn) -> float:
        """Seconds from the latest change to the next roll, or to the search for the next move."""
        assert self.standing is not None
        if turn.player is not None:
            return LEAST_PAUSE
        if not self.standing.has_people:
            return max(self.pace, LEAST_PAUSE)
        return ROLL_PAUSE if turn.is_after_roll else MOVE_PAUSE

    def may_play_from(self, turn: Turn) -> float:
        """The time from which an agent may play the move that it has found: the pages show what was before."""
        assert self.standing is not None
        if turn.node == self.forced:
            return self.since
        if not self.standing.has_people:
            return self.since + self.pace
        return self.since + ROLL_PAUSE if turn.is_after_roll else self.since

    def notify(self) -> None:
        """Wake all who wait for a change."""
        changed, self.changed = self.changed, asyncio.Event()
        changed.set()
