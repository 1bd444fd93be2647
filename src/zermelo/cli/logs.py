"""`zermelo --verbose`: the records of the logger `zermelo` and its children, as lines on standard error."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from zermelo.cli.terminal import write_message


class _Asides(logging.Handler):
    """Writes records as messages: beside the answer and the progress line, and not while the user types."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            write_message(self.format(record))
        except Exception:
            self.handleError(record)


@contextmanager
def logging_to_stderr() -> Iterator[None]:
    """While this lasts, show every record."""
    logger, handler = logging.getLogger("zermelo"), _Asides()
    handler.setFormatter(logging.Formatter("%(asctime)s %(name)s: %(message)s", "%H:%M:%S"))
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)
