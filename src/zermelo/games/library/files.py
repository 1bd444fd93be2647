"""A user's file as a module: loaded by its path, and loaded again only when it has changed on disk."""

from __future__ import annotations

import hashlib
import importlib
import re
import sys
import sysconfig
import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from zermelo.core.errors import RulesError, UsageError
from zermelo.kernel import EndlessRecursion

INNERMOST = 100
"""Number of calls to examine after a RecursionError."""


@dataclass(frozen=True)
class Loaded:
    """A module, with the bytes it and the helper modules beside it were made from."""

    module: ModuleType
    sources: dict[Path, bytes]
    helpers: dict[str, ModuleType]

    def is_fresh(self) -> bool:
        return all(path.is_file() and path.read_bytes() == source for path, source in self.sources.items())


_loaded: dict[Path, Loaded] = {}
_PACKAGE = str(Path(__file__).resolve().parents[2])
_LIBRARIES = ("<frozen", *(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")))


def module_of(path: str) -> ModuleType:
    """The module in the file; the same object as last time unless the file or a helper beside it has changed."""
    try:
        file = Path(path).expanduser().resolve()
        is_there = file.is_file()
    except (OSError, RuntimeError, ValueError):  # a path too long, a loop of links, a zero byte
        is_there = False
    if not is_there:
        raise UsageError(f"there is no file {path}; give the path of a Python file with a Game class in it")
    if file not in _loaded or not _loaded[file].is_fresh():
        _loaded[file] = _load(path, file)
    return _loaded[file].module


def where(error: BaseException) -> str:
    """The error in one line, with the file and the line of the user's code that it comes from."""
    sentence = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__}: {error.msg} ({Path(error.filename).name}, line {error.lineno})"
    folders = {file.parent for file in _loaded} | _loading
    found, is_inside = None, False
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith(_PACKAGE):
            is_inside = True
        elif Path(frame.filename).parent in folders or (is_inside and not frame.filename.startswith(_LIBRARIES)):
            found = frame  # called by us, and neither ours nor a library's: the rules
    return f"{sentence} ({Path(found.filename).name}, line {found.lineno})" if found else sentence


def recurses_by_itself(error: RecursionError) -> bool:
    """Whether a function of the user's calls itself without end; otherwise it is the search that went too deep."""
    if isinstance(error, EndlessRecursion):
        return True
    trace, files = error.__traceback__, deque[str](maxlen=INNERMOST)
    while trace is not None:
        files.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    theirs = sum(not file.startswith(_PACKAGE) for file in files)
    return len(files) == INNERMOST and 4 * theirs >= INNERMOST  # between two calls of a kernel are calls of ours


_loading: set[Path] = set()
"""Folders of files that are being imported at this moment."""


def _load(path: str, file: Path) -> Loaded:
    name = f"zermelo_file_{re.sub(r'[^A-Za-z0-9_]', '_', file.stem)}_{hashlib.sha256(bytes(file)).hexdigest()[:8]}"
    spec = spec_from_file_location(name, file)
    assert spec is not None
    module = module_from_spec(spec)
    source = file.read_bytes()
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        with _importing_from(file.parent) as helpers:
            # Not spec.loader.exec_module: cached bytecode misses an edit within the same second.
            exec(compile(source, str(file), "exec"), module.__dict__)
    except (Exception, SystemExit) as error:
        if before is None:
            del sys.modules[name]
        else:
            sys.modules[name] = before
        raise RulesError(f"{path} cannot be imported: {where(error)}") from None
    finally:
        _loading.discard(file.parent)
    sources = {Path(str(helper.__file__)): Path(str(helper.__file__)).read_bytes() for helper in helpers.values()}
    return Loaded(module, {file: source, **sources}, helpers)


@contextmanager
def _importing_from(folder: Path) -> Iterator[dict[str, ModuleType]]:
    """Put the folder first on the path; afterwards the dict holds the modules beside the file that came with it.

    A helper from an earlier load gives way to the file of the same name in this folder: `board.py` of one
    game must not serve another.
    """
    for loaded in _loaded.values():
        for name, helper in loaded.helpers.items():
            if sys.modules.get(name) is helper and (folder / f"{name}.py").is_file():
                del sys.modules[name]
    already = set(sys.modules)
    helpers: dict[str, ModuleType] = {}
    wrote_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    _loading.add(folder)
    try:
        yield helpers
        new = {name: module for name, module in sys.modules.items() if name not in already}
        helpers |= {
            name: module
            for name, module in new.items()
            if getattr(module, "__file__", None) == str(folder / f"{name}.py")
        }
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = wrote_bytecode
