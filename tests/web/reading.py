"""The accessibility problems that axe finds on a page."""

import json
from pathlib import Path

import axe_playwright_python

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page):
    page.evaluate(AXE)
    found = json.loads(page.evaluate("axe.run().then((found) => JSON.stringify(found.violations))"))
    return [(one["id"], [node["html"][:160] for node in one["nodes"]][:3]) for one in found]
