"""Ranks: for each position the least height at which it was part of a forced line (see `forcing`).

A hash table that never forgets a rank, only whose it was: in a full group the highest rank is given up, and from then
on bounds the ranks of all positions that are not found in the group.
"""

from __future__ import annotations

from zermelo.kernel import U64, Memory, Record, Words, mix, number, pointer

UNRANKED = 255
GROUP = 8
"""Words in a group, one line of the processor's cache: 56 bits of the position's key, 8 of the rank.

The first word says how far below UNRANKED a rank was that found no room.
"""


class Ranks(Record):
    """The ranks for the questions of one forcer about one payoff."""

    groups: U64
    """The number of groups."""
    salt: U64
    """Part of every key: it tells a question from those before."""
    words: Words = pointer(Words)

    def rank_of(self, spot: U64) -> int:
        """At most the least height at which a position was part of a forced line; UNRANKED if it never was."""
        words, tag = self.words, self.tag_of(spot)
        first = self.group_of(tag)
        for cell in range(first + 1, first + GROUP):
            word = words[cell]
            if word | U64(UNRANKED) == tag and word != U64(0):
                return number(word & U64(UNRANKED))
        return UNRANKED - number(words[first])

    def lower(self, spot: U64, height: int) -> None:
        """Let a position have at most this rank."""
        words, tag = self.words, self.tag_of(spot)
        first = self.group_of(tag)
        highest, place = height, first
        for cell in range(first + 1, first + GROUP):
            word = words[cell]
            rank = number(word & U64(UNRANKED))
            if word == U64(0) or word | U64(UNRANKED) == tag:
                words[cell] = (tag ^ U64(UNRANKED)) | U64(height if word == U64(0) else min(height, rank))
                return
            if rank > highest:
                highest, place = rank, cell
        lost = max(number(words[first]), UNRANKED - highest)
        words[first] = U64(lost)
        if place > first:  # this position may have been given up before
            words[place] = (tag ^ U64(UNRANKED)) | U64(min(height, UNRANKED - lost))

    def tag_of(self, spot: U64) -> U64:
        """What the word of a position looks like if its rank is UNRANKED."""
        return mix(spot ^ self.salt) | U64(UNRANKED)

    def group_of(self, tag: U64) -> int:
        """The first cell of the group where a position's rank is."""
        return GROUP * number(((tag >> 32) * self.groups) >> 32)


def memory_of(megabytes: float) -> Memory:
    """Memory for ranks, none of them known."""
    return Memory(int(megabytes * 1024 * 1024) // (8 * GROUP) * GROUP)
