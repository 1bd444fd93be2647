"""Compiled kernels on disk: in the user's cache directory, one file per kernel and digest, bounded in size.

numba's own cache keeps one index per function and trusts the function's own file; a kernel's machine code depends
on the whole game. Here the file's name says everything the code depends on, so a stale entry cannot be found.
Files are read only if they belong to the user, because they hold pickled code. If files of `zermelo.kernel` have
changed since they were imported, their digest does not describe the compiler in memory, and nothing is read or saved.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numba
from numba.core import serialize
from numba.core.caching import CompileResultCacheImpl, _Cache
from numba.core.codegen import RuntimeLinker

from zermelo.kernel.compiler import announce
from zermelo.kernel.digest import compiler_digest, compiler_had_changed, compiler_has_changed

LIMIT = 512 * 1024 * 1024
"""Maximum bytes; the least recently used entries are deleted first."""

_CHECKSUM = 32


_PARTIAL = ".partial"
_ABANDONED = 3600.0
"""Seconds after which an unfinished file counts as abandoned."""


def directory() -> Path:
    """The directory of compiled kernels; `ZERMELO_CACHE_DIR` changes it."""
    if chosen := os.environ.get("ZERMELO_CACHE_DIR"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("zermelo", appauthor=False) / "kernels"


def _is_usable() -> bool:
    """Whether the cache can be used: the user has a home directory, and the sources are as imported."""
    return (directory().is_absolute() or "ZERMELO_CACHE_DIR" in os.environ) and not compiler_had_changed()


class KernelCache(_Cache):
    """The cache of one kernel, which replaces numba's."""

    def __init__(self, name: str, code: str, statics: Callable[[Any], tuple[str, ...]]) -> None:
        self.hits = 0
        self._name, self._code, self._statics = name, code, statics
        self._enabled = True
        self._compiling: list[Any] = []
        """The signatures under compilation, the outermost first."""

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
        del self._compiling[max(_nesting(self) - 1, 0) :]  # a compilation that failed for another game is over
        if self._enabled and not self._compiling and _is_usable():
            found = _read(self._path(sig, target_context.codegen()), sig, target_context)
            if found is not None:
                self.hits += 1
                return found
        announce(self._name, self._statics(sig))
        self._compiling.append(sig)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        is_inner = self._compiling[:1] != [sig]
        while self._compiling and self._compiling.pop() != sig:
            pass  # those above it were abandoned
        # A kernel that calls itself with other types is compiled within itself; half of such a cycle is useless.
        if is_inner or not self._enabled or data.lifted or data.library.has_dynamic_globals or not _is_usable():
            return
        if _is_part_of_a_circle(data.library) or compiler_has_changed():
            return
        try:
            pickled = serialize.dumps(data._reduce())
        except (pickle.PicklingError, TypeError, AttributeError):  # it refers to an object of this process
            return
        _write(self._path(sig, data.codegen), pickled)

    def _path(self, sig: Any, codegen: Any) -> Path:
        """`kernel.game.digest.nbc`; the last part names everything else the machine code depends on."""
        statics = self._statics(sig)
        game = statics[0].partition("[")[0] if statics else "any"
        depends = (sig, codegen.magic_tuple(), sys.version, numba.__version__, self._code, compiler_digest())
        text = hashlib.sha256("\n".join(map(str, depends)).encode()).hexdigest()[:24]
        return directory() / f"{_file_name(self._name)}.{_file_name(game)}.{text}.nbc"


def _nesting(cache: KernelCache) -> int:
    """The number of compilations of the kernel under way, all in this thread, which has the compiler's lock.

    numba asks the cache from within `compile`, and does not report one that fails.
    """
    found, frame = 0, sys._getframe(2)
    code = frame.f_code
    caller: FrameType | None = frame
    while caller is not None:
        found += caller.f_code is code and getattr(caller.f_locals.get("self"), "_cache", None) is cache
        caller = caller.f_back
    return found


def _file_name(name: str) -> str:
    return re.sub(r"[^\w.]", "_", name)


def _is_part_of_a_circle(library: Any) -> bool:
    """Whether kernels call one another recursively, or one calls itself with other types.

    numba calls unfinished functions through pointers that it fills in later. In code that comes from disk
    they would stay empty, and the first call would crash (numba #6061).
    """
    return any(value.name.startswith(RuntimeLinker.PREFIX) for value in library._final_module.global_variables)


# -- files: a checksum, then the pickled code; a damaged file is ignored ---------------------------------


def _read(path: Path, sig: Any, target_context: Any) -> Any:
    content = _own_content(path)
    if content is None:
        return None
    checksum, pickled = content[:_CHECKSUM], content[_CHECKSUM:]
    found = None
    if _checksum(path, pickled) == checksum:
        with contextlib.suppress(Exception):  # a damaged file may raise anything
            found = CompileResultCacheImpl.rebuild(None, target_context, pickle.loads(pickled))
    if found is None:
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return found if found.signature.args == tuple(sig) else None


def _checksum(path: Path, pickled: bytes) -> bytes:
    """A checksum that covers the file's name, so that a file cannot replace another one."""
    return hashlib.sha256(path.name.encode() + pickled).digest()


def _own_content(path: Path) -> bytes | None:
    """The bytes of a regular file that only the user can write; None for other files."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            return None
        if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
            return None
        try:
            return file.read()
        except OSError:
            return None


def _write(path: Path, pickled: bytes) -> None:
    """Save the file if possible; a full or read-only disk is not an error."""
    partial = path.with_suffix(f".{os.getpid()}.{time.monotonic_ns()}{_PARTIAL}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "wb") as file:
            file.write(_checksum(path, pickled) + pickled)
        partial.replace(path)
        _sweep(path)
    except OSError:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def _sweep(newest: Path) -> None:
    """Delete the oldest entries beyond the limit, and abandoned files."""
    for path in newest.parent.glob(f"*{_PARTIAL}"):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _ABANDONED:
                path.unlink()
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
