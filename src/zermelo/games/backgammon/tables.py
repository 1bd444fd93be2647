"""Tables of backgammon that are made once, kept on disk, and read by compiled code.

A file is an array in numpy's own format with a checksum behind it, in the user's cache directory. A file that is
damaged is made anew; where nothing can be written, the table is made in every process.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo.games.backgammon.bearoff import FEW_POSITIONS, POSITIONS, ROLLS, one_sided, two_sided
from zermelo.kernel import Reals

VERSION = 1
"""The version of the files' contents."""
CHECKSUM = 32


def directory() -> Path:
    """The directory of the tables; `ZERMELO_CACHE_DIR` changes it."""
    if chosen := os.environ.get("ZERMELO_CACHE_DIR"):
        return Path(chosen) / "tables"
    from platformdirs import user_cache_path

    return user_cache_path("zermelo", appauthor=False) / "tables"


@functools.cache
def rolls_needed() -> Any:
    """`one_sided`, from disk if it is there."""
    return load_or_make("backgammon-one-sided", (POSITIONS, ROLLS), one_sided)


@functools.cache
def race_chances() -> Any:
    """`two_sided`, from disk if it is there."""
    return load_or_make("backgammon-two-sided", (FEW_POSITIONS, FEW_POSITIONS), two_sided)


def cells_of(table: Any) -> Reals:
    """The numbers of a table where they lie in memory."""
    return Reals(int(table.ctypes.data), [table])


def load_or_make(name: str, shape: tuple[int, ...], make: Callable[[], Any]) -> Any:
    """The table of that name, read or made; its numbers lie one after the other in memory."""
    import numpy

    path = directory() / f"{name}-{VERSION}.npy"
    found = _read(path)
    if found is None or found.shape != shape or found.dtype != numpy.float64:
        found = numpy.ascontiguousarray(make())
        _write(path, found)
    return found


def _read(path: Path) -> Any:
    """The array in a file; None if the file is missing or damaged."""
    import numpy

    try:
        content = path.read_bytes()
        if hashlib.sha256(content[:-CHECKSUM]).digest() == content[-CHECKSUM:]:
            return numpy.load(io.BytesIO(content[:-CHECKSUM]), allow_pickle=False)
    except (OSError, ValueError, EOFError):
        pass
    return None


def _write(path: Path, table: Any) -> None:
    import numpy

    written = io.BytesIO()
    numpy.save(written, table, allow_pickle=False)
    content = written.getvalue()
    partial = path.with_suffix(f".{os.getpid()}.{time.monotonic_ns()}.npy")
    with contextlib.suppress(OSError):  # a full or read-only disk costs time, not the answer
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(content + hashlib.sha256(content).digest())
        partial.replace(path)
