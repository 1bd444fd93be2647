"""What `zermelo serve` makes of its arguments; the server itself is tested with the page."""

import pytest

from zermelo.cli import serve
from zermelo.games import find

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("hexapawn", "game=hexapawn"),
        ("hexapawn:rows=4", "game=hexapawn&o.rows=4"),
        ("nim:heaps=1-2,misere=true", "game=nim&o.heaps=1-2&o.misere=true"),
        ("tree:max(1 2)", "game=tree&o.text=max%281+2%29"),
    ],
)
def test_the_address_shows_the_game_that_was_named(spec, expected):
    assert serve.fragment(spec, find(spec)) == expected


@pytest.mark.parametrize(
    ("spec", "expected"),
    [("nim:heaps=3", "nim"), ("a.py", "a.py"), ("a.py:A", "a.py:A"), ("a.py:A:n=3", "a.py:A"), ("a.py:n=3", "a.py")],
)
def test_a_key_has_no_options(spec, expected):
    assert serve.key_of(spec) == expected


def test_an_unknown_game_is_refused_before_anything_is_served(zermelo):
    assert "there is no game 'chequers'" in zermelo("serve", "chequers").sentence


def test_a_port_that_is_taken_is_reported(zermelo):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        said = zermelo("serve", "--no-browser", "--port", taken.getsockname()[1])
    assert "cannot listen on 127.0.0.1" in said.sentence
    assert said.code == 2


def test_without_a_screen_there_is_no_browser(monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert not serve.has_browser()


def test_a_browser_that_was_named_needs_no_screen_here(monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("webbrowser._tryorder", None)  # the variable is read once
    monkeypatch.setenv("BROWSER", "/bin/true")
    assert serve.has_browser()


def test_zermelo_alone_opens_the_page_where_there_is_a_browser(monkeypatch):
    from zermelo.cli import welcome

    served = []
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr(serve, "has_browser", lambda: True)
    monkeypatch.setattr(serve, "serve_page", lambda *arguments, **options: served.append((arguments, options)))
    welcome.welcome("the help")
    assert served == [(((), "127.0.0.1", None), {"browser": True})]
