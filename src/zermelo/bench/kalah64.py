"""Kalah with six pits and four seeds in each: the first player wins by 10; against ten minutes."""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.bench.kalah import time_proof
from zermelo.bench.measurement import Measurement

TEN_MINUTES = 600.0
MARGIN = 10.0
"""Irving, Donkers & Uiterwijk 2000."""


def measurements() -> Iterator[Measurement]:
    yield time_proof(6, 4, MARGIN, TEN_MINUTES, 1024)
