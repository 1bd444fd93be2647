"""Twins in C++, compiled on the spot by `g++ -O3 -march=native`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from zermelo.core.errors import UsageError


def build(source: str, program: Path, *options: str) -> None:
    """Compile a file of the folder `benchmarks`; UsageError if there is no compiler."""
    compiler = shutil.which("g++")
    if compiler is None:
        raise UsageError("the C++ twin needs g++ to be installed")
    subprocess.run([compiler, "-O3", "-march=native", *options, "-o", program, _find_source(source)], check=True)


def _find_source(source: str) -> Path:
    """Find it in the repository, or beside this file in an installed package."""
    for place in (Path(__file__).parents[3] / "benchmarks" / source, Path(__file__).with_name(source)):
        if place.exists():
            return place
    raise UsageError(f"the C++ twin benchmarks/{source} is missing; run this in a clone of the repository")
