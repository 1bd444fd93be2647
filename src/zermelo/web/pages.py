"""The HTML of the pages: they differ in their title, their first module and their style sheets."""

from __future__ import annotations

import html
import posixpath
import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent / "static"
ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E"
    "%3Crect width='32' height='32' rx='7' fill='%230a66c2'/%3E%3Cpath d='M16 6L25 22H7Z' fill='%23fff'/%3E"
    "%3Ccircle cx='10' cy='26' r='2' fill='%23fff'/%3E%3Ccircle cx='16' cy='26' r='2' fill='%23fff'/%3E"
    "%3Ccircle cx='22' cy='26' r='2' fill='%23fff'/%3E%3C/svg%3E"
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
IMPORT = re.compile(r'from ?"(\.[^"]+)"')


def start_page(first: str = "") -> str:
    """The page that plays games; `first` names the game that its bare address shows."""
    meta = f'<meta name="zermelo-first" content="{html.escape(first)}">'
    without = "You can also play in a terminal: <code>zermelo play</code>."
    return page_html(
        "Zermelo", "main.js", ["style.css", "board.css", "mixture.css"], "Setting up the games …", without, meta
    )


def inside_page() -> str:
    """The page that looks inside searches."""
    without = "In a terminal, <code>zermelo tree</code> shows trees as text."
    styles = ["style.css", "board.css", "inside.css"]
    return page_html("Inside the search · Zermelo", "inside-page.js", styles, "Loading the tree …", without)


def solve_page() -> str:
    """The page that solves games with hidden information."""
    without = "In a terminal, <code>zermelo solve kuhn</code> solves games."
    styles = ["style.css", "board.css", "mixture.css", "solve.css"]
    return page_html("Solve a game · Zermelo", "solve-page.js", styles, "Loading the games …", without)


def regrets_page() -> str:
    """The page that looks inside counterfactual regret minimisation."""
    without = "In Python, zermelo.textbook.cfr runs it step by step."
    styles = ["style.css", "board.css", "inside.css", "mixture.css", "regrets.css"]
    return page_html("Inside regrets · Zermelo", "regrets-page.js", styles, "Loading …", without)


def page_html(title: str, script: str, styles: list[str], loading: str, without: str, meta: str = "") -> str:
    """A page that runs one module, and loads the modules that this one needs at the same time."""
    others = [name for name in modules_of(script) if name != script]
    links = [f'<link rel="stylesheet" href="/static/{name}">' for name in styles]
    links += [f'<link rel="modulepreload" href="/static/{name}">' for name in others]
    head = [
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        *([meta] if meta else []),
        f"<title>{html.escape(title)}</title>",
        f'<link rel="icon" href="{ICON}">',
        *links,
        f'<script type="module" src="/static/{script}"></script>',
    ]
    body = [
        f'<div id="page"><p class="loading">{loading}</p></div>',
        f"<noscript>This page needs JavaScript. {without}</noscript>",
    ]
    rows = ["<!doctype html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", *body, "</body>", "</html>"]
    return "\n".join(rows) + "\n"


@cache
def modules_of(script: str) -> list[str]:
    """The modules that a module needs, itself included, in alphabetical order."""
    needed: set[str] = set()
    waiting = [script]
    while waiting:
        module = waiting.pop()
        if module in needed:
            continue
        needed.add(module)
        code = COMMENT.sub("", (STATIC / module).read_text("utf-8"))  # types are named in comments
        folder = posixpath.dirname(module)
        waiting += [posixpath.normpath(posixpath.join(folder, name)) for name in IMPORT.findall(code)]
    return sorted(needed)
