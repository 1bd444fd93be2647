"""Draw games, ask in every way, check every claim; shrink what is contradicted and say how to run it again."""

import contextlib
import json
import random
import shlex
import signal
import threading
import time
import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import exactness.secret_ways  # noqa: F401 - adds its ways to WAYS
from exactness.brute import TooLarge
from exactness.claims import Contradiction, Judge, Seen
from exactness.description import Description
from exactness.graph import Graph, built
from exactness.kinds import drawn
from exactness.shrinking import shrunk
from exactness.ways import WAYS, run
from zermelo.core.errors import IllegalMove
from zermelo.core.frozen import thaw
from zermelo.core.referee import Referee
from zermelo.kernel import is_enabled

SHRINKING_SECONDS = 20
HANGING_SECONDS, COMPILING_SECONDS = 60, 240
"""Seconds of processor time within which every way answers for these small games, interpreted or after compilation."""
LOADED = 10
"""So many times as long it may take on a machine that does other work too; whoever only waits hangs as well."""


@dataclass(frozen=True)
class Finding:
    """A contradiction and the smallest game that has it."""

    kind: str
    seed: int
    way: str
    options: dict
    sentence: str
    described: Description
    first: Description

    def shrunk(self) -> "Finding":
        """The same with the smallest game."""
        small, sentence = smallest(self.first, self.way, self.options, self.sentence)
        return replace(self, described=small, sentence=sentence)

    @property
    def topic(self) -> str:
        """What kind of claim is wrong, for counting."""
        return f"{self.way}: {self.sentence.split(':')[0].split(' ')[0]}"

    def command(self) -> str:
        jit = "" if is_enabled() else "NUMBA_DISABLE_JIT=1 "
        game, options = shlex.quote(self.described.to_json()), shlex.quote(json.dumps(self.options))
        return f"{jit}PYTHONPATH=src:tests python -m exactness --way {self.way} --options {options} --game {game}"

    def __str__(self) -> str:
        return (
            f"{self.sentence}\n\nfound by {self.way} {json.dumps(self.options)}\n"
            f"in a game of the kind {self.kind}, seed {self.seed}, drawn with {len(self.first.nodes)} nodes; "
            f"the smallest:\n{self.described}\n\nrun it again with\n{self.command()}\n"
        )


@dataclass
class Tally:
    """What was done, for a look at whether anything was."""

    games: int = 0
    too_large: int = 0
    asked: Counter = field(default_factory=Counter)
    seen: dict[str, Seen] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    seconds: float = 0.0


def placed(described: Description) -> tuple[Graph, Referee]:
    """The game and the position after the moves that were played."""
    referee = Referee(built(described))
    for place in described.history:
        action = next((one for one in referee.legal() if referee.game.place(thaw(one)) == place), None)
        if action is None:
            raise IllegalMove(f"{place} is not legal in a game that was made smaller")
        referee.play(action)
    return referee.game, referee


def contradiction(described: Description, way: str, options: dict, seen: Seen | None = None) -> str | None:
    """What is wrong, or None; TooLarge if it cannot be checked."""
    game, referee = placed(described)
    judge = Judge(game, seen)
    judge.prepare(referee)
    if referee.is_over:
        return None
    try:
        with warnings.catch_warnings(), _patience():
            warnings.simplefilter("ignore")
            run(way, game, referee, options, judge)
    except Contradiction as error:
        return str(error)
    except _Hangs:
        return f"hang: no answer within {_seconds()} s"
    return None


def _seconds() -> int:
    return COMPILING_SECONDS if is_enabled() else HANGING_SECONDS


class _Hangs(BaseException):
    """The patience is at its end."""


@contextlib.contextmanager
def _patience():
    """Raise _Hangs after a while, if signals can be had; a search that hangs goes on in its thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    start, wall = time.process_time(), time.monotonic()

    def give_up(*_):
        if time.process_time() - start > _seconds() or time.monotonic() - wall > LOADED * _seconds():
            raise _Hangs
        signal.alarm(_seconds())

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(_seconds())
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def smallest(described: Description, way: str, options: dict, sentence: str) -> tuple[Description, str]:
    """The smallest game found in which the same way is contradicted about the same thing."""
    topic, end, last = sentence.split(":")[0].split(" ")[0], time.monotonic() + SHRINKING_SECONDS, sentence

    def fails(smaller: Description) -> bool:
        nonlocal last
        if time.monotonic() > end or not WAYS[way].suits(smaller):
            return False
        try:
            found = contradiction(smaller, way, options)
        except (TooLarge, IllegalMove, IndexError, ValueError):
            return False
        if found is None or found.split(":")[0].split(" ")[0] != topic:
            return False
        last = found
        return True

    return shrunk(described, fails), last


def ways_for(
    described: Description, rng: random.Random, count: int, names: Iterable[str] = ()
) -> list[tuple[str, dict]]:
    """Some of the ways that fit a game, with options."""
    fitting = [way for way in WAYS.values() if way.suits(described) and (not names or way.name in names)]
    chosen = [rng.choice(fitting) for _ in range(count)] if fitting else []
    return [(way.name, way.options(rng, described)) for way in chosen]


def play(
    kind: str,
    seed: int,
    tally: Tally,
    *,
    count: int = 3,
    names: Iterable[str] = (),
    fixed: tuple[str, ...] | None = None,
    players: int | None = None,
) -> list[Finding]:
    """One game, asked in some ways."""
    described = drawn(kind, seed, fixed, players)
    rng, found = random.Random(f"{kind}/{seed}/ways"), []
    tally.games += 1
    for way, options in ways_for(described, rng, count, names):
        tally.asked[way] += 1
        seen = tally.seen.setdefault(way, Seen())
        try:
            sentence = contradiction(described, way, options, seen)
        except TooLarge:
            tally.too_large += 1
            break
        if sentence is not None:
            found.append(Finding(kind, seed, way, options, sentence, described, described))
    tally.findings += found
    return found
