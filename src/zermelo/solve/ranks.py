"""Ranks: for each position the least height at which it was part of a forced line (see `forcing`).

A hash table that keeps a lower bound of every rank: in a full group the highest rank is dropped, and from then on is
the upper limit for the ranks of all positions that the group does not contain.
"""

from __future__ import annotations

from zermelo.kernel import U64, Memory, Record, Words, mix, number, pointer

UNRANKED = 255
GROUP = 8
"""Words in a group, one cache line: 56 bits of the position's key, 8 of the rank.

The first word is the difference of UNRANKED and the lowest dropped rank.
"""


class Ranks(Record):
    """The ranks for the questions of one forcer about one payoff."""

    groups: U64
    """Number of groups."""
    salt: U64
    """Part of every key, different for every question."""
    words: Words = pointer(Words)

    def rank_of(self, spot: U64) -> int:
        """A lower bound of a position's rank; UNRANKED if it was never part of a forced line."""
        words, tag = self.words, self.tag_of(spot)
        first = self.group_of(tag)
        for cell in range(first + 1, first + GROUP):
            word = words[cell]
            if word | U64(UNRANKED) == tag and word != U64(0):
                return number(word & U64(UNRANKED))
        return UNRANKED - number(words[first])

    def lower(self, spot: U64, height: int) -> None:
        """Lower a position's rank to at most this height."""
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
        if place > first:  # this position's rank may have been dropped before
            words[place] = (tag ^ U64(UNRANKED)) | U64(min(height, UNRANKED - lost))

    def tag_of(self, spot: U64) -> U64:
        """The word of a position with the rank UNRANKED."""
        return mix(spot ^ self.salt) | U64(UNRANKED)

    def group_of(self, tag: U64) -> int:
        """The first cell of a position's group."""
        return GROUP * number(((tag >> 32) * self.groups) >> 32)


def memory_of(megabytes: float) -> Memory:
    """Memory for ranks, none of them known."""
    return Memory(int(megabytes * 1024 * 1024) // (8 * GROUP) * GROUP)
