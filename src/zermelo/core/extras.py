"""Optional dependencies: `pip install 'zermelo[page]'` installs those of the page."""

from __future__ import annotations

from importlib.util import find_spec

from zermelo.core.errors import UsageError

EXTRAS = {"page": ("fastapi", "uvicorn", "websockets"), "go": ("sgfmill",), "lp": ("highspy",)}
"""The extras of pyproject.toml and the modules that their part cannot do without."""


def missing_modules(extra: str) -> list[str]:
    """The modules of the extra that are not installed."""
    return [name for name in EXTRAS[extra] if find_spec(name) is None]


def require_extra(extra: str, purpose: str) -> None:
    """Raise UsageError, with the remedy, if a module of the extra is not installed; nothing is imported."""
    if missing := missing_modules(extra):
        raise UsageError(f"{purpose} needs {' and '.join(missing)}; install with: pip install 'zermelo[{extra}]'")
