"""Compiled kernels on disk: in the user's cache directory, one file per kernel and digest, bounded in size.

numba's own cache keeps one index per function and trusts the function's own file; a kernel's machine code depends
on the whole game. Here the file's name says everything the code depends on, so a stale entry cannot be found.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import serialize
from numba.core.caching import CompileResultCacheImpl, _Cache
from numba.core.codegen import RuntimeLinker

from zermelo.kernel.compiler import announce
from zermelo.kernel.digest import package_digest

LIMIT = 512 * 1024 * 1024
"""Bytes; the entries that were not used for longest go first."""

_CHECKSUM = 32


def directory() -> Path:
    """Where compiled kernels live; `ZERMELO_CACHE_DIR` moves it."""
    if chosen := os.environ.get("ZERMELO_CACHE_DIR"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("zermelo", appauthor=False) / "kernels"


class KernelCache(_Cache):
    """The cache of one kernel, in the place of numba's."""

    def __init__(self, name: str, code: str, statics: Callable[[Any], tuple[str, ...]]) -> None:
        self.hits = 0
        self._name, self._code, self._statics = name, code, statics
        self._enabled = True

    @property
    def cache_path(self) -> str:
        return str(directory())

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        for path in directory().glob(f"{_file_name(self._name)}.*.nbc"):
            path.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        if self._enabled and (found := _read(self._path(sig, target_context.codegen()), sig, target_context)):
            self.hits += 1
            return found
        announce(self._name, self._statics(sig))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if not self._enabled or data.lifted or data.library.has_dynamic_globals or _is_part_of_a_circle(data.library):
            return
        try:
            pickled = serialize.dumps(data._reduce())
        except (pickle.PicklingError, TypeError, AttributeError):  # it names an object that only lives here
            return
        _write(self._path(sig, data.codegen), pickled)

    def _path(self, sig: Any, codegen: Any) -> Path:
        """`kernel.game.digest.nbc`; the last part names everything else the machine code depends on."""
        statics = self._statics(sig)
        game = statics[0].partition("[")[0] if statics else "any"
        depends = (sig, codegen.magic_tuple(), sys.version, numba.__version__, self._code, package_digest())
        text = hashlib.sha256("\n".join(map(str, depends)).encode()).hexdigest()[:24]
        return directory() / f"{_file_name(self._name)}.{_file_name(game)}.{text}.nbc"


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.]", "_", name)


def _is_part_of_a_circle(library: Any) -> bool:
    """Whether kernels call each other in a circle, or one calls itself with other types.

    numba calls what is still being compiled through pointers that it fills in later. In code that comes from disk
    nobody would fill them in, and the first call would crash (numba #6061).
    """
    return any(value.name.startswith(RuntimeLinker.PREFIX) for value in library._final_module.global_variables)


# -- files: a checksum, then the pickled code; a damaged file is no file ---------------------------------


def _read(path: Path, sig: Any, target_context: Any) -> Any:
    try:
        content = path.read_bytes()
        checksum, pickled = content[:_CHECKSUM], content[_CHECKSUM:]
        assert hashlib.sha256(pickled).digest() == checksum
        found = CompileResultCacheImpl.rebuild(None, target_context, pickle.loads(pickled))
    except FileNotFoundError:
        return None
    except Exception:
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return found if found.signature.args == tuple(sig) else None


def _write(path: Path, pickled: bytes) -> None:
    partial = path.with_suffix(f".{os.getpid()}.{time.monotonic_ns()}.nbc")
    with contextlib.suppress(OSError):  # a full or read-only disk costs time, not the answer
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(hashlib.sha256(pickled).digest() + pickled)
        partial.replace(path)
        _sweep(path)


def _sweep(newest: Path) -> None:
    """Keep the directory within its limit."""
    entries = []
    for path in newest.parent.glob("*.nbc"):
        with contextlib.suppress(OSError):
            found = path.stat()
            entries.append((found.st_mtime_ns, found.st_size, path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= LIMIT:
            return
        if path != newest:
            path.unlink(missing_ok=True)
            total -= size
