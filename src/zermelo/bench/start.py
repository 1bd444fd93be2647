"""How long the command takes to answer, cold (nothing compiled yet) and warm, against the promised time."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from zermelo.bench.measurement import Measurement

SEARCH = ("best", "connect-four", "--depth", "10")
ROUNDS = 3


def measurements() -> Iterator[Measurement]:
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "ZERMELO_CACHE_DIR": cache}
        yield _promise("best connect-four --depth 10, cold", _seconds(SEARCH, environment), 6.0)
        yield _promise("best connect-four --depth 10, warm", _fastest(SEARCH, environment), 1.2)
        yield _promise("--help", _fastest(("--help",), environment), 0.4)
        yield _promise("games", _fastest(("games",), environment), 0.4)


def _promise(name: str, seconds: float, most: float) -> Measurement:
    return Measurement(f"zermelo {name}", round(seconds, 3), most, "promised at most", most / seconds, "s")


def _fastest(words: tuple[str, ...], environment: dict[str, str]) -> float:
    return min(_seconds(words, environment) for _ in range(ROUNDS))


def _seconds(words: tuple[str, ...], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "zermelo", *words], check=True, capture_output=True, env=environment)
    return time.perf_counter() - start
