"""`zermelo serve`: the page's server."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from zermelo.cli.qr import qr_lines
from zermelo.cli.request import find_game
from zermelo.cli.terminal import style
from zermelo.core.extras import require_extra
from zermelo.core.game import Game, option_text
from zermelo.games import find

if TYPE_CHECKING:
    from zermelo.web.addresses import Addresses


def serve_page(games: Sequence[str], host: str, port: int | None, browser: bool, token: str = "") -> None:
    """Serve until Ctrl-C. Files named here can be played; the first game named here is shown at once."""
    require_extra("page", "the page")
    found = {spec: find_game(spec) for spec in games}
    files = [key_of(spec) for spec in games if is_file(spec)]
    first = fragment(games[0], found[games[0]]) if games else ""
    from zermelo.web.server import serve

    def start(addresses: Addresses) -> None:
        show_addresses(addresses)
        if found:
            print(f"Preparing {' and '.join(found)} in the background; you can play at once.", flush=True)
        if browser and has_browser():
            open_browser(addresses.own + (f"#{first}" if first else ""))

    warm = [(key_of(spec), chosen_options(spec, game)) for spec, game in found.items()]
    serve(files, host, port, on_start=start, token=token, first=first, warm=warm)


def show_addresses(addresses: Addresses) -> None:
    """Print the addresses that people can open; with a QR code in a terminal if other machines can reach the server."""
    address, *others = addresses.shared or (addresses.own,)
    print(f"The page is at {style(address, '1')}")
    for other in others:
        print(f"       also at {style(other, '1')}")
    if addresses.shared and (code := qr_lines(address, sys.stdout, len(others) + 3)):  # the cursor has a line too
        print(*code, sep="\n")
    print("Press Ctrl-C to stop the server.", flush=True)


def is_file(spec: str) -> bool:
    return spec.partition(":")[0].endswith(".py")


def key_of(spec: str) -> str:
    """The page's key of the game: its name, or its file and class, without options."""
    name, _, rest = spec.partition(":")
    class_name = rest.partition(":")[0]
    return f"{name}:{class_name}" if is_file(spec) and class_name and "=" not in class_name else name


def fragment(spec: str, game: Game) -> str:
    """What follows `#` in the address of a page that shows the game."""
    options = {f"o.{name}": text for name, text in chosen_options(spec, game).items()}
    return urlencode({"game": key_of(spec), **options})


def chosen_options(spec: str, game: Game) -> dict[str, str]:
    """The options of the game that are not the usual ones, as text."""
    usual = find(key_of(spec)).options()
    return {name: option_text(value) for name, value in game.options().items() if value != usual.get(name)}


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
