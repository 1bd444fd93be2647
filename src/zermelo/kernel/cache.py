"""Compiled kernels on disk: in the user's cache directory, one file per kernel and digest, bounded in size.

numba's own cache keeps one index per function and trusts the function's own file; a kernel's machine code depends
on the whole game. Here the file's name says everything the code depends on, so a stale entry cannot be found.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import serialize
from numba.core.caching import CompileResultCacheImpl, _Cache

from zermelo.kernel.compiler import announce
from zermelo.kernel.digest import package_digest

LIMIT = 512 * 1024 * 1024
"""Bytes; the entries that were not used for longest go first."""


def directory() -> Path:
    """Where compiled kernels live; `ZERMELO_CACHE_DIR` moves it."""
    if chosen := os.environ.get("ZERMELO_CACHE_DIR"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("zermelo", appauthor=False) / "kernels"


class KernelCache(_Cache):
    """The cache of one kernel, in the place of numba's."""

    def __init__(self, name: str, code: bytes, statics: Callable[[Any], tuple[str, ...]]) -> None:
        self.hits = 0
        self._name, self._code, self._statics = name, code, statics
        self._enabled = True
        self._saved: dict[tuple[str, ...], set[Path]] = {}

    @property
    def cache_path(self) -> str:
        return str(directory())

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        for path in directory().glob(f"{self._name}.*.nbc"):
            path.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        if self._enabled:
            try:
                payload = pickle.loads(path.read_bytes())
                found = CompileResultCacheImpl.rebuild(None, target_context, payload)
            except FileNotFoundError:
                pass
            except Exception:  # a damaged entry is no entry
                with contextlib.suppress(OSError):
                    path.unlink()
            else:
                with contextlib.suppress(OSError):
                    os.utime(path)
                self.hits += 1
                return found
        announce(self._name, self._statics(sig))
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if not self._enabled or data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return
        path = self._path(sig, data.codegen)
        # Two signatures of one recursive kernel for one game call each other; reloaded apart, they crash (numba #6061).
        siblings = self._saved.setdefault(self._statics(sig), set())
        siblings.add(path)
        with contextlib.suppress(OSError):
            if len(siblings) > 1:
                for sibling in siblings:
                    sibling.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(f".{os.getpid()}.{time.monotonic_ns()}")
            partial.write_bytes(serialize.dumps(data._reduce()))
            partial.replace(path)
            _sweep(path)

    def _path(self, sig: Any, codegen: Any) -> Path:
        """`kernel.game.digest.nbc`; the last part names everything else the machine code depends on."""
        statics = self._statics(sig)
        game = statics[0].partition("[")[0] if statics else "any"
        depends = (sig, codegen.magic_tuple(), sys.version, numba.__version__, self._code, package_digest())
        text = "\n".join(map(str, (*depends, *map(_module_of, sig))))
        return directory() / f"{self._name}.{game}.{hashlib.sha256(text.encode()).hexdigest()[:24]}.nbc"


def _module_of(typ: Any) -> str:
    return getattr(getattr(typ, "instance_class", None), "__module__", "")


def _sweep(newest: Path) -> None:
    """Keep the directory within its limit."""
    entries = []
    for path in newest.parent.iterdir():
        with contextlib.suppress(OSError):
            found = path.stat()
            entries.append((found.st_mtime, found.st_size, path))
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= LIMIT:
            return
        if path != newest:
            path.unlink(missing_ok=True)
            total -= size
