"""Connect Four: the class of positions that lie near the start and are decided late; beside the C++ twin.

The published class has 0 to 14 stones; their distribution is not published. Drawn evenly from 1 on, six of them take
1,467 million nodes, of which two with a single stone and one with two take 1,399 million, and the twin more than twenty
minutes. So positions here have four stones or more.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.bench.connectfour import Class, compare
from zermelo.bench.measurement import Measurement

BEGIN_HARD = Class("begin-hard", range(4, 15), range(29, 42), 65_900_000, 6)


def measurements() -> Iterator[Measurement]:
    yield from compare((BEGIN_HARD,))
