"""`zermelo bench`: ratios, measured side by side; above 1 is in our favour."""

from __future__ import annotations

import json
import sys

from zermelo.bench import measure


def main(names: list[str], as_json: bool) -> None:
    """Print each measurement as it comes; with JSON, all at the end."""
    found = []
    for measurement in measure(names):
        found.append(measurement.to_json())
        if not as_json:
            print(
                f"{measurement.ratio:7.2f}x  {measurement.name}: {measurement.ours:,} {measurement.unit}, "
                f"{measurement.peer_name} {measurement.peer:,}"
            )
            sys.stdout.flush()
    if as_json:
        print(json.dumps(found, indent=2))
