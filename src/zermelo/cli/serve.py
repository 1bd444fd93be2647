"""`zermelo serve`: the page's server."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from urllib.parse import quote

from zermelo.cli.request import found_game
from zermelo.cli.terminal import styled


def serve_page(games: Sequence[str], host: str, port: int | None, browser: bool) -> None:
    """Serve until Ctrl-C. Files named here can be played; the first game that is named is shown at once."""
    for spec in games:
        found_game(spec)
    files = [spec for spec in games if spec.partition(":")[0].endswith(".py")]
    from zermelo.web.server import serve

    def started(address: str) -> None:
        first = f"#game={quote(games[0])}" if games else ""
        print(f"The page is at {styled(address + first, '1')}\nCtrl-C ends it.", flush=True)
        if browser and has_browser():
            open_browser(address + first)

    serve(files, host, port, on_start=started)


def has_browser() -> bool:
    """Whether a page can be shown here: there is a screen, and a browser for it."""
    import webbrowser

    if sys.platform not in ("darwin", "win32") and not any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY"))):
        return False
    with contextlib.suppress(webbrowser.Error):
        webbrowser.get()
        return True
    return False


def open_browser(address: str) -> None:
    """Open the address in the person's browser, if there is one."""
    import webbrowser

    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)
