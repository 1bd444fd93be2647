"""Connect Four: the class of positions that lie near the start and are decided late; beside the C++ twin."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.bench.connectfour import Class, compared
from zermelo.bench.measurement import Measurement

BEGIN_HARD = Class("begin-hard", range(1, 15), range(29, 42), 65_900_000, 6)


def measurements() -> Iterator[Measurement]:
    yield from compared((BEGIN_HARD,))
