"""`zermelo serve`: the page's server."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from urllib.parse import urlencode

from zermelo.cli.request import find_game
from zermelo.cli.terminal import styled
from zermelo.core.extras import require_extra
from zermelo.core.game import Game, option_text
from zermelo.games import find


def serve_page(games: Sequence[str], host: str, port: int | None, browser: bool) -> None:
    """Serve until Ctrl-C. Files named here can be played; the first game named here is shown at once."""
    require_extra("page", "the page")
    found = {spec: find_game(spec) for spec in games}
    files = [key_of(spec) for spec in games if is_file(spec)]
    from zermelo.web.server import serve

    def show_address(address: str) -> None:
        first = "#" + fragment(games[0], found[games[0]]) if games else ""
        print(f"The page is at {styled(address + first, '1')}\nPress Ctrl-C to stop the server.", flush=True)
        if browser and has_browser():
            open_browser(address + first)

    serve(files, host, port, on_start=show_address)


def is_file(spec: str) -> bool:
    return spec.partition(":")[0].endswith(".py")


def key_of(spec: str) -> str:
    """The page's key of the game: its name, or its file and class, without options."""
    name, _, rest = spec.partition(":")
    class_name = rest.partition(":")[0]
    return f"{name}:{class_name}" if is_file(spec) and class_name and "=" not in class_name else name


def fragment(spec: str, game: Game) -> str:
    """What follows `#` in the address of a page that shows the game."""
    usual = find(key_of(spec)).options()
    options = {f"o.{name}": option_text(value) for name, value in game.options().items() if value != usual.get(name)}
    return urlencode({"game": key_of(spec), **options})


def has_browser() -> bool:
    """Whether a browser can be opened: there is a display and a browser, or `BROWSER` names one."""
    import webbrowser

    signs = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")  # editors on other machines set the last
    if sys.platform not in ("darwin", "win32") and not any(map(os.environ.get, signs)):
        return False
    with contextlib.suppress(webbrowser.Error):
        webbrowser.get()
        return True
    return False


def open_browser(address: str) -> None:
    """Open the address in the user's browser, if there is one."""
    import webbrowser

    with contextlib.suppress(webbrowser.Error):
        webbrowser.open(address)
