"""QR codes in the terminal, with half blocks: each character is two modules, one above the other."""

from __future__ import annotations

import os
from typing import TextIO

from zermelo.cli.terminal import has_colour, has_cursor

QUIET = 4
"""Modules of the light border that scanners need."""
BLOCKS = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""By whether the upper and the lower module are dark: light modules are drawn."""
LIGHT_ON_DARK = "38;5;231;48;5;16"
"""White characters on black, whatever the colours of the terminal are."""


def qr_lines(text: str, stream: TextIO, beside: int = 0) -> list[str]:
    """The QR code of the text, or no lines if the stream is not a terminal that has room for it and `beside` lines.

    Without colours, a terminal with a light background shows it inverted, which not every scanner reads.
    """
    if not has_cursor(stream) or not _can_encode(stream):
        return []
    rows = half_blocks(dark_modules(text))
    size = os.get_terminal_size(stream.fileno())
    if not rows or size.columns < len(rows[0]) or size.lines < len(rows) + beside:
        return []
    return [f"\x1b[{LIGHT_ON_DARK}m{row}\x1b[0m" if has_colour(stream) else row for row in rows]


def dark_modules(text: str) -> list[list[bool]]:
    """The modules of the QR code with its border, row by row; none without the package `qrcode`."""
    try:
        from qrcode.constants import ERROR_CORRECT_L
        from qrcode.main import QRCode
    except ImportError:  # the page works without it
        return []
    code = QRCode(error_correction=ERROR_CORRECT_L, border=QUIET)  # a screen does not get scratched
    code.add_data(text)
    return [[bool(module) for module in row] for row in code.get_matrix()]


def half_blocks(modules: list[list[bool]]) -> list[str]:
    """Lines of text, each of which shows two rows of modules."""
    rows = [*modules, [False] * len(modules[0])] if len(modules) % 2 else modules
    return ["".join(BLOCKS[pair] for pair in zip(*two, strict=True)) for two in zip(rows[::2], rows[1::2], strict=True)]


def _can_encode(stream: TextIO) -> bool:
    try:
        "".join(BLOCKS.values()).encode(stream.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
