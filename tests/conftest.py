"""What all tests share: compiled kernels are kept between runs, and nothing is measured by the clock."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

import outside
from sizes import some

os.environ.setdefault("ZERMELO_CACHE_DIR", str(Path(__file__).parent.parent / ".pytest_cache" / "kernels"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what it runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

# In CI the same examples every time: what is wrong there was wrong before. Elsewhere new ones are looked for.
settings.register_profile("zermelo", deadline=None, max_examples=some(100), derandomize="CI" in os.environ)
settings.load_profile("zermelo")


def pytest_collection_modifyitems(items):
    for item in items:
        others = [mark for mark in ("compiler", "once", "plain") if item.get_closest_marker(mark)]
        if item.get_closest_marker("own_kernels") and others:
            raise pytest.UsageError(
                f"{item.nodeid} is marked own_kernels and {others[0]}, so make test would leave it out"
            )


def pytest_runtest_setup(item):
    if item.get_closest_marker("ctrl_c") and item.config.getoption("--cov", default=None):
        pytest.skip("Ctrl-C at an unlucky moment leaves the lock of the coverage tool closed")
    for mark in item.iter_markers("needs"):
        for package in mark.args:
            outside.require(package)
