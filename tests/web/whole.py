"""The whole server as a person starts it, and its pages as programs: sockets that order, hear and answer."""

import asyncio
import contextlib
import json
import urllib.request

from websockets.asyncio.client import connect

PATIENCE = 120
"""Seconds until something that does not come is given up; kernels may have to be compiled."""


def call(address, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}api/{path}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


class Page:
    """An open page; `heard` is everything that it was sent."""

    def __init__(self, socket):
        self._socket, self.heard = socket, []

    async def order(self, do, **more):
        await self._socket.send(json.dumps({"do": do, **more}))

    async def until(self, kind, **wanted):
        """The content of the next event of this kind with these contents; None of those before may be a refusal."""
        async with asyncio.timeout(PATIENCE):
            while True:
                news = json.loads(await self._socket.recv())
                self.heard.append(news)
                assert news["event"] != "refused", news
                assert news["event"] != "thinking" or news["content"]["state"] != "failed", news
                content = news["content"]
                if news["event"] == kind and all((content or {}).get(name) == value for name, value in wanted.items()):
                    return content

    async def leave(self):
        await self._socket.close()


@contextlib.asynccontextmanager
async def visiting(address, name):
    """Open a page; the snapshot is the first that it hears."""
    url = f"{address.replace('http', 'ws')}api/sessions/{name}/stream"
    async with connect(url, max_size=None, open_timeout=PATIENCE) as socket:
        page = Page(socket)
        await page.until("snapshot")
        yield page
