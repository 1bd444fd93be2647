"""What all tests share: when a test runs, compiled kernels are kept between runs, nothing is measured by the clock."""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

import outside
from zermelo.kernel import is_enabled

os.environ.setdefault("ZERMELO_CACHE_DIR", str(Path(__file__).parent.parent / ".pytest_cache" / "kernels"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what it runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)

# In CI few examples, the same every time: what is wrong there was wrong before. Elsewhere new ones are looked for.
is_ci = "CI" in os.environ
settings.register_profile("zermelo", deadline=None, max_examples=50 if is_ci else 100, derandomize=is_ci)
settings.load_profile("zermelo")


MODES = ("compiled", "both", "plain")
"""The marks that say in which modes a test runs, the strongest first: a test may be an exception in its module."""


def mode_of(item):
    return next((mark for mark in MODES if item.get_closest_marker(mark)), "compiled")


def pytest_collection_modifyitems(items):
    for item in items:
        for marks in marks_by_place(item):
            given = sorted({mark.name for mark in marks} & set(MODES))
            if len(given) > 1:
                raise pytest.UsageError(f"{item.nodeid} is marked {' and '.join(given)} in one place, which is it?")
        if item.get_closest_marker("ctrl_c") and mode_of(item) != "compiled":
            raise pytest.UsageError(f"{item.nodeid} is marked ctrl_c and {mode_of(item)}, but coverage excludes ctrl_c")


def marks_by_place(item):
    """The marks of a test's parameters, of the test, of its module."""
    if isinstance(item, pytest.Function):
        yield item.callspec.marks if hasattr(item, "callspec") else []
        for place in (item.function, item.module):
            marks = getattr(place, "pytestmark", [])
            yield marks if isinstance(marks, list) else [marks]


@pytest.fixture(autouse=True)
def _plain_tests_compile_nothing(request):
    """However the tests are started; nor do the programs that they start."""
    with pytest.MonkeyPatch.context() as patch:
        if mode_of(request.node) == "plain":
            patch.setenv("NUMBA_DISABLE_JIT", "1")
        yield


def pytest_runtest_setup(item):
    if mode_of(item) == "compiled" and not is_enabled():
        pytest.skip("it runs with the compiler; mark it plain or both if it is to run without")
    if item.get_closest_marker("ctrl_c") and item.config.getoption("--cov", default=None):
        pytest.skip("Ctrl-C at an unlucky moment leaves the lock of the coverage tool closed")
    for mark in item.iter_markers("needs"):
        for package in mark.args:
            outside.require(package)
