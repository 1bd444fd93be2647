"""Decisions of backgammon as people write them.

24/18+13/11     two checkers, furthest first; blanks do as well as the plus sign when they are read
24/18*/13       one checker that hits on its way; 24/13 if it does not
bar/20 6/off    from the bar; off the board
8/5(2)          two checkers alike
no-play         nothing can be moved
65              a roll; the first of a game has White's die first
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from zermelo.core.errors import IllegalMove
from zermelo.core.game import suggest
from zermelo.games.backgammon.board import BAR, OFF, lone, mirror
from zermelo.games.backgammon.plays import LOW, WIDTH
from zermelo.games.backgammon.position import (
    DOUBLING,
    OFFERED,
    PLAYING,
    Position,
    larger_of,
    phase_of,
    smaller_of,
)

Hop: TypeAlias = tuple[int, int]
"""A move from one place to another by one number of the dice."""

NO_PLAY_TEXT = "no-play"
WORDS = {DOUBLING: ("roll", "double"), OFFERED: ("pass", "take")}
SYNONYMS = {"drop": "pass", "accept": "take", "cannotmove": NO_PLAY_TEXT, "noplay": NO_PLAY_TEXT, "dance": NO_PLAY_TEXT}
_NAMES = {"bar": BAR, "off": OFF}
_WAY = re.compile(r"((?:bar|\d{1,2})(?:/(?:off|\d{1,2})\*?)+)(?:\((\d)\))?")


def write_action(state: Position, action: int) -> str:
    """A play, a word about the cube, or a roll."""
    phase = phase_of(state)
    if phase in WORDS:
        return WORDS[phase][action]
    if phase != PLAYING:
        return f"{action >> 3}{action & 7}"
    return "+".join(_group(_ways(state, hops_of(state, action)))) or NO_PLAY_TEXT


def read_action(state: Position, text: str, legal: Iterable[int]) -> int:
    """The one among the legal actions that the text means.

    A play is recognised by where its checkers come from and arrive. Hits may be left out, unless two ways differ only
    in what is hit.
    """
    actions = {write_action(state, action): action for action in legal}
    wanted = " ".join(text.lower().replace("+", " ").replace(",", " ").split())
    word = wanted.replace(" ", "").replace("-", "")
    for name in (wanted, wanted.replace(" ", "+"), word, word[::-1], SYNONYMS.get(word, "")):
        if name in actions:
            return actions[name]
    meant = _shift(_read_ways(wanted)) if phase_of(state) == PLAYING else None
    alike = [name for name, action in actions.items() if meant and _shift(hops_of(state, action)) == meant]
    starred = [name for name in alike if _hit_places(name) == _hit_places(wanted)]
    if len(alike) == 1 or len(starred) == 1:
        return actions[alike[0] if len(alike) == 1 else starred[0]]
    if alike:
        raise IllegalMove(f"{text.strip()} can be {' or '.join(alike)}; write which")
    raise IllegalMove(f"{text.strip() or 'an empty move'} is not legal here; {suggest(actions, 'the game is over')}")


def hops_of(state: Position, play: int) -> list[Hop]:
    """The moves of a play, the furthest first."""
    found = []
    die = larger_of(state)
    while play:
        if source := play & LOW:
            found.append((source, max(source - die, OFF)))
        play, die = play >> WIDTH, smaller_of(state)
    return sorted(found, reverse=True)


def _ways(state: Position, hops: list[Hop]) -> Iterator[str]:
    """The way of each checker that moves; a point on the way is named if a checker is hit there."""
    ways: list[list[int]] = []
    for source, target in hops:
        begun = next((way for way in ways if way[-1] == source), None)
        if begun:
            begun.append(target)
        else:
            ways.append([source, target])
    blots = mirror(lone(state.theirs))
    hits = {place for _, place in hops if place != OFF and blots >> place & type(blots)(1)}
    for way in ways:
        text = _name(way[0])
        for number, place in enumerate(way[1:], 2):
            if place in hits or number == len(way):
                text += f"/{_name(place)}{'*' if place in hits else ''}"
            hits.discard(place)
        yield text


def _group(ways: Iterator[str]) -> Iterator[str]:
    """Equal ways are written once, with their number; only the first of them hits."""
    found: dict[str, str] = {}
    times: Counter[str] = Counter()
    for way in ways:
        found.setdefault(way.replace("*", ""), way)
        times[way.replace("*", "")] += 1
    for bare, way in found.items():
        yield f"{way}({times[bare]})" if times[bare] > 1 else way


def _name(place: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(place, str(place))


def _read_ways(text: str) -> list[Hop]:
    found = []
    for part in text.split():
        match = _WAY.fullmatch(part)
        if not match:
            return []
        places = [_NAMES[name] if name in _NAMES else int(name) for name in match[1].replace("*", "").split("/")]
        found += [(places[0], places[-1])] * int(match[2] or 1)
    return found


def _hit_places(text: str) -> set[str]:
    return set(re.findall(r"(\d+)\*", text))


def _shift(hops: Iterable[Hop]) -> Counter[int]:
    """The change of the number of checkers on each place, unchanged places left out."""
    found: Counter[int] = Counter()
    for source, target in hops:
        found[source] -= 1
        found[target] += 1
    return Counter({place: change for place, change in found.items() if change})
