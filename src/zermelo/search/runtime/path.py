"""The path: the positions from the start of the game through the root to the current node.

Repetitions are found here. A filter of counters, by the lower bits of the key, rules out most positions at once.
"""

from __future__ import annotations

from collections import Counter
from typing import NewType

from zermelo.core.referee import Table
from zermelo.core.seat import Seat
from zermelo.kernel import U64, Numbers, Record, Words, array, mix, number

Ply = NewType("Ply", int)
"""The distance of a node from the root, whose ply is 0."""
FILTER = 1024
LONGEST_PATH = 16_384
REPEATED = LONGEST_PATH
"""A count higher than that of any position of the history."""


def next_ply(ply: Ply) -> Ply:
    return Ply(ply + 1)


class Path(Record):
    """The keys of the positions on the path, the game's history first."""

    before: int
    """The number of positions before the root."""
    closed_places: int
    """Number of positions of the history that are closed; if there are any, proofs must take the path into account."""
    seen: Numbers = array(Numbers, FILTER)
    """The number of positions on the path, by the lower bits of their keys."""
    keys: Words = array(Words, LONGEST_PATH)

    def key_at(self, ply: Ply) -> U64:
        """The key of the position at a ply; negative plies are the game's history."""
        return self.keys[self.before + ply]

    def enter(self, ply: Ply, key: U64) -> None:
        """Put a position on the path."""
        self.keys[self.before + ply] = key
        cell = number(key & U64(FILTER - 1))
        self.seen[cell] = self.seen[cell] + 1

    def leave(self, key: U64) -> None:
        """Remove the last position, which has this key, from the path."""
        cell = number(key & U64(FILTER - 1))
        self.seen[cell] = self.seen[cell] - 1

    def may_hold(self, key: U64) -> bool:
        """Whether a position may be on the path; False is certain."""
        return self.seen[number(key & U64(FILTER - 1))] != 0

    def times_before(self, ply: Ply, key: U64) -> int:
        """The number of times a position occurs on the path before this ply.

        A repetition inside the search is treated as final at once: it returns REPEATED.
        """
        if not self.may_hold(key):
            return 0
        root = self.before
        for index in range(root, root + ply):
            if self.keys[index] == key:
                return REPEATED
        found = 0
        for index in range(root):
            if self.keys[index] == key:
                found += 1
        return found


def put_history_on_path(path: Path, referee: Table) -> U64:
    """Put the game's history and the root on the path; returns the salt for keys of the table.

    A seat does not know the history, so only its root is put there.

    A position of the history is closed if it may not be repeated, or if its repetition would end the game. A proof
    holds on every path within the search, but not if other positions are closed, because its lines may pass through
    them. So the closed positions are part of every key (graph history interaction).
    """
    game = referee.game
    turns = [] if isinstance(referee, Seat) else referee.turns[-LONGEST_PATH // 2 :]
    path.before = 0
    for index, place in enumerate([*(turn.place for turn in turns), game.repetition_key(referee.known_state)]):
        path.enter(Ply(index), mix(game.key(place)))
    path.before = len(turns)
    times = Counter(turn.place for turn in turns)
    closed = [place for place, count in times.items() if count + 1 >= game.repetition]
    path.closed_places = 1 if game.repetition < 0 else len(closed)
    salt = U64(0)
    if game.repetition > 0:
        for place in closed:
            salt ^= mix(mix(game.key(place)))
    return salt
