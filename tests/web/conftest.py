"""A server in this process for its API, one of its own for the browser; searches run interpreted: nothing compiles."""

import os
import re
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient
from serving import address_of, start_server

import outside
from zermelo.web.app import application
from zermelo.web.catalogue import Catalogue
from zermelo.web.pool import Pool
from zermelo.web.security import Gate
from zermelo.web.store import Store

HOST = "localhost"
PATIENCE = 30_000
"""Milliseconds: other tests want the processors too."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture
def interpreted(monkeypatch):
    """What workers inherit."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


@pytest.fixture
def store(tmp_path):
    return tmp_path / "sessions.sqlite"


@pytest.fixture
def api(interpreted, store):
    """The API behind its gate."""
    with TestClient(Gate(application(Catalogue(), Store(store), Pool(1))), base_url=f"http://{HOST}") as client:
        yield client


@pytest.fixture
def begun(api):
    """A new game of hexapawn between two people."""

    def begin(game="hexapawn", **wanted):
        wanted.setdefault("players", [{}, {}])
        answer = api.post("/api/sessions", json={"game": game, **wanted})
        assert answer.status_code == 201, answer.text
        return answer.json()

    return begin


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """A server of its own; `address` is the page's."""
    data = tmp_path_factory.mktemp("served")
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "ZERMELO_DATA_DIR": str(data), "PYTHONUNBUFFERED": "1"}
    with start_server(environment) as process:
        yield SimpleNamespace(address=address_of(process), data=data)
        process.terminate()


@pytest.fixture(scope="session")
def chromium():
    executable = outside.require("chromium")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, served):
    """Open the page in a fresh browser; everything that goes wrong in it, or goes elsewhere, fails the test."""
    contexts, faults = [], []

    def opened(fragment="", *, width=1280, height=900, analysing="no", socket=None, **options):
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        context.add_init_script(f"localStorage.setItem('zermelo.analysing', '{analysing}')")
        contexts.append(context)
        page = context.new_page()
        if socket is not None:
            page.route_web_socket(re.compile("/stream$"), socket)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and faults.append(message.text))
        page.on("request", lambda request: request.url.startswith(served.address) or faults.append(request.url))
        page.goto(served.address + fragment)
        page.wait_for_selector(".board svg, .start .entry, .curtain")
        return page

    opened.faults = faults
    yield opened
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def browser_of(chromium):
    """Open a page in a fresh browser."""
    contexts = []

    def opened(**options):
        contexts.append(chromium.new_context(**options))
        return contexts[-1].new_page()

    yield opened
    for context in contexts:
        context.close()


def pytest_terminal_summary(terminalreporter):
    if outside.path_of("chromium") is None:
        terminalreporter.section("THE PAGE WAS NOT TESTED IN A BROWSER", red=True)
        terminalreporter.line("There is no chromium here; on Debian: apt install chromium")
