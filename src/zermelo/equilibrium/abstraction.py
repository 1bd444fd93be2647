"""Lossy abstraction: views of one bucket are played alike, so their information sets become one.

A set of the abstract game is the chain of the player's own buckets and moves. Its payoffs are the sums over all its
members, so regrets and best responses there are those of players who cannot tell the members apart. An equilibrium of
the abstract game need not be one of the full game, and a finer abstraction can be worse [Waugh, Schnizlein, Bowling &
Szafron 2009], so its strategies are judged in the full game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zermelo.equilibrium.flatten import SequenceForm
from zermelo.equilibrium.treeplex import Figures, Indices, Treeplex


@dataclass(frozen=True)
class Abstraction:
    """The form of the abstract game, and for each player the abstract sequence of each sequence."""

    form: SequenceForm
    classes: tuple[Indices, ...]

    def lift(self, strategies: Sequence[Figures]) -> list[Figures]:
        """The same strategies in the full game."""
        return [strategy[classes] for strategy, classes in zip(strategies, self.classes, strict=True)]


def abstraction(form: SequenceForm) -> Abstraction | None:
    """The abstract game of a form; None if no two information sets are in one bucket."""
    parts = [merged(tree, buckets) for tree, buckets in zip(form.trees, form.buckets, strict=False)]
    if not parts or all(small.sets == tree.sets for (small, _), tree in zip(parts, form.trees, strict=True)):
        return None
    trees, classes = zip(*parts, strict=True)
    rows = np.stack([own[sequences] for own, sequences in zip(classes, form.sequences, strict=True)])
    place, first = np.zeros(rows.shape[1], np.int64), np.zeros(1, np.int64)
    for tree, row in zip(trees, rows, strict=True):
        _, first, place = np.unique(place * tree.sequences + row, return_index=True, return_inverse=True)
    payoffs = np.stack([np.bincount(place, row, len(first)) for row in form.payoffs]).astype(np.float64)
    single, starts = np.empty(0), np.empty(0, np.int64)
    small = SequenceForm(trees, rows[:, first], payoffs, single, starts, form.histories, form.ends, form.total)
    return Abstraction(small, classes)


def merged(tree: Treeplex, buckets: NDArray[np.uint64]) -> tuple[Treeplex, Indices]:
    """The information sets of one player with those of one bucket as one, and the class of each sequence."""
    keys, members, place = np.unique(buckets, return_index=True, return_inverse=True)
    order = np.argsort(members)  # a set comes after the set above it
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    of_set, members = rank[place], members[order]
    count = tree.count[members]
    first = 1 + np.concatenate([[0], np.cumsum(count)[:-1]]).astype(np.int64)[: len(count)]
    classes = np.zeros(tree.sequences, np.int64)
    owners = tree.owners()[1:]
    classes[1:] = first[of_set[owners]] + np.arange(1, tree.sequences) - tree.first[owners]
    parent = classes[tree.parent[members]]
    return Treeplex(first, count, parent, np.ones(1 + int(count.sum())), keys[order]), classes
