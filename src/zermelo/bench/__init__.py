"""Benchmarks: ratios against a peer, measured side by side in one run."""

from zermelo.bench.measurement import BENCHMARKS, Measurement, measure

__all__ = ["BENCHMARKS", "Measurement", "measure"]
