"""Standard input and output as pipes to another program: bytes, line by line, at once."""

from __future__ import annotations

import sys
from collections.abc import Iterator


def read_lines() -> Iterator[str]:
    """Read lines until the input ends; bytes that are not UTF-8 are replaced."""
    for line in iter(sys.stdin.buffer.readline, b""):
        yield line.decode("utf-8", errors="replace")


def write_line(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", errors="replace") + b"\n")
    sys.stdout.buffer.flush()
