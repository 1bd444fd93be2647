"""Run the harness by hand: `PYTHONPATH=src:tests python -m exactness --kind superko --games 500`."""

import argparse
import faulthandler
import json
import signal
import sys
import time
from collections import Counter

from exactness.description import Description
from exactness.kinds import KINDS
from exactness.running import Tally, contradiction, placed, play
from exactness.ways import WAYS


def main() -> int:
    faulthandler.register(signal.SIGUSR1)
    parser = argparse.ArgumentParser(prog="python -m exactness", description=__doc__)
    parser.add_argument("--kind", action="append", choices=KINDS, help="kinds of games; all of them if not given")
    parser.add_argument("--way", action="append", choices=WAYS, help="ways to ask; all of them if not given")
    parser.add_argument("--games", type=int, default=100, help="how many games of each kind")
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    parser.add_argument("--asks", type=int, default=3, help="how often each game is asked about")
    parser.add_argument("--knows", help="the optional methods all games have, joined by commas; at random if not given")
    parser.add_argument("--stop", action="store_true", help="stop at the first contradiction")
    parser.add_argument("--no-shrink", action="store_true")
    parser.add_argument("--show", type=int, default=1, help="how many contradictions of each topic are printed")
    parser.add_argument("--game", help="one game, as it is printed with a contradiction")
    parser.add_argument("--options", default="{}", help="how the way is used, with --game")
    given = parser.parse_args()
    if given.game:
        return one(Description.from_json(given.game), given.way[0], json.loads(given.options))
    fixed = None if given.knows is None else tuple(filter(None, given.knows.split(",")))
    tally, shown, start = Tally(), Counter(), time.monotonic()
    first: dict[str, tuple[int, float]] = {}
    for seed in range(given.seed, given.seed + given.games):
        for kind in given.kind or KINDS:
            for finding in play(kind, seed, tally, count=given.asks, names=given.way or (), fixed=fixed):
                topic = f"{kind}, {finding.topic}"
                shown[topic] += 1
                first.setdefault(topic, (tally.games, time.monotonic() - start))
                if shown[topic] <= given.show:
                    print(f"{'=' * 100}\n{finding if given.no_shrink else finding.shrunk()}", flush=True)
                if given.stop:
                    return 1
    print(f"{tally.games} games in {time.monotonic() - start:.1f} s, {tally.too_large} too large")
    for name, count in sorted(tally.asked.items()):
        seen = tally.seen[name]
        print(
            f"  {name:28} asked {count:6}; claims: {seen.exact} exact, {seen.bounds} bounds, {seen.estimates} estimates"
        )
    for topic, count in shown.most_common():
        games, seconds = first[topic]
        print(f"  CONTRADICTED {count:5} times, first after {games} games, {seconds:.1f} s: {topic}")
    return 1 if tally.findings else 0


def one(described: Description, way: str, options: dict) -> int:
    print(described)
    _, referee = placed(described)
    sentence = contradiction(described, way, options)
    print(f"player to move: {referee.to_move}\n{way} {options}\n{sentence or 'no contradiction'}")
    return 1 if sentence else 0


if __name__ == "__main__":
    sys.exit(main())
