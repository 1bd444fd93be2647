"""Lossless symmetry: information sets and moves that are alike become one.

Colour refinement gives two sequences one colour as long as nothing tells them apart: the payoffs against each colour of
the other player, the sets below, the set above. The result is an equitable partition: members of a class have equal
sums of payoffs against every class. Regret minimisation from the uniform strategy treats members of a class alike, and
among the equilibria there is one that does; so the quotient has the same iterates and the same value.
[Grohe, Kersting, Mladenov & Selman, "Dimension Reduction via Colour Refinement", 2014]

Colours are hashes, which could collide; the partition is verified before it is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.equilibrium.flatten import SequenceForm
from zermelo.equilibrium.treeplex import Figures, Indices, Treeplex

Colours = NDArray[np.uint64]
ODD = np.uint64(0x9E3779B97F4A7C15)
ROUNDING = 1e-9
MOST_ROUNDS = 200
WORTH = 2 / 3
"""A quotient with a larger share of the sequences and sets is not worth its time."""


@dataclass(frozen=True)
class Quotient:
    """A smaller form, and the class of each sequence of the full one."""

    form: SequenceForm
    classes: tuple[Indices, Indices]

    def lift(self, player: int, strategy: Figures) -> Figures:
        """The strategy of the full form: all members of a class have its probability."""
        found: Figures = strategy[self.classes[player]]
        return found


def quotient(form: SequenceForm, worth: float = 1.0) -> Quotient | None:
    """The quotient of a two-player form by its colours; None if nothing is alike, or more than this share is left."""
    colours = refine(form, worth)
    if colours is None:
        return None
    partitions = [partition(tree, *own) for tree, own in zip(form.trees, colours, strict=True)]
    if any(found is None for found in partitions):
        return None
    found = [one for one in partitions if one is not None]
    if all(part.tree.sequences == tree.sequences for part, tree in zip(found, form.trees, strict=True)):
        return None
    if not is_equitable(form, found):
        return None
    return make_quotient(form, found)


# -- colour refinement -------------------------------------------------------------------------------------


def refine(form: SequenceForm, worth: float = 1.0) -> list[tuple[Colours, Colours]] | None:
    """The colours of each player's sequences and sets when another round tells no more apart; None as in `quotient`."""
    payoff = mix((np.round(form.payoffs[0], 12) + 0.0).view(np.uint64))
    owners = [tree.owners() for tree in form.trees]
    colours = [
        (mix(np.full(tree.sequences, 7 + player, np.uint64)), mix(tree.count.astype(np.uint64)))
        for player, tree in enumerate(form.trees)
    ]
    classes, most = 0, worth * sum(tree.sequences + tree.sets for tree in form.trees)
    for _ in range(MOST_ROUNDS):
        colours = [
            refine_player(
                tree,
                owners[player],
                colours[player],
                add_at(tree.sequences, form.sequences[player], mix(across(form, colours, player) * ODD + payoff)),
            )
            for player, tree in enumerate(form.trees)
        ]
        before, classes = classes, sum(len(np.unique(part)) for own in colours for part in own)
        if classes > most:
            return None
        if classes == before:
            break
    return colours


def across(form: SequenceForm, colours: list[tuple[Colours, Colours]], player: int) -> Colours:
    """The colour of the other player's sequence in each cell."""
    found: Colours = colours[1 - player][0][form.sequences[1 - player]]
    return found


def refine_player(
    tree: Treeplex, owners: Indices, colours: tuple[Colours, Colours], payoffs: Colours
) -> tuple[Colours, Colours]:
    """New colours: of a sequence from its payoffs, the sets below and the set above; of a set from its moves."""
    moves, sets = colours
    below = add_at(tree.sequences, tree.parent, mix(sets + np.uint64(5)))
    above = np.zeros(tree.sequences, np.uint64)
    above[1:] = sets[owners[1:]]
    moves = mix(moves * ODD + mix(payoffs + np.uint64(1)) + np.uint64(3) * mix(below + np.uint64(2)) + mix(above))
    inside = add_at(tree.sets, owners[1:], mix(moves[1:] + np.uint64(9)))
    return moves, mix(sets * ODD + mix(inside + np.uint64(11)) + mix(moves[tree.parent] + np.uint64(13)))


def mix(word: NDArray[Any]) -> Colours:
    """The finaliser of SplitMix64 on an array; sums and products of words wrap around."""
    word = word.astype(np.uint64)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: Colours = word ^ (word >> np.uint64(31))
    return found


def add_at(size: int, where: Indices, what: Colours) -> Colours:
    """The sum of words at each place, whatever their order: a hash of a multiset."""
    order = np.argsort(where, kind="stable")
    found = np.zeros(size, np.uint64)
    if len(order):
        places = where[order]
        start = np.flatnonzero(np.r_[True, places[1:] != places[:-1]])
        found[places[start]] = np.add.reduceat(what[order], start)
    return found


# -- the quotient ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """One player's partition."""

    tree: Treeplex
    """The tree of the classes."""
    classes: Indices
    """The class of each sequence."""
    sets: Indices
    """The class of each set."""


def partition(tree: Treeplex, moves: Colours, sets: Colours) -> Part | None:
    """The tree of the classes, a representative of each in the order of the full tree; None if it is no tree."""
    _, example, of_set = np.unique(sets, return_index=True, return_inverse=True)
    _, of_sequence = np.unique(moves, return_inverse=True)
    name = np.full(int(of_sequence.max()) + 1, -1)
    name[of_sequence[0]] = 0
    if np.count_nonzero(of_sequence == of_sequence[0]) > 1:
        return None
    first, count, parent, keys, copies = [], [], [], [], [1.0]
    order = np.sort(example)
    for representative in order:
        begin = tree.first[representative]
        members, repeated = np.unique(of_sequence[begin : begin + tree.count[representative]], return_counts=True)
        if (name[members] >= 0).any() or name[of_sequence[tree.parent[representative]]] < 0:
            return None
        first.append(len(copies))
        count.append(len(members))
        parent.append(name[of_sequence[tree.parent[representative]]])
        keys.append(tree.keys[representative])
        name[members] = len(copies) + np.arange(len(members))
        copies.extend(repeated.astype(float))
    made = Treeplex(
        np.array(first, np.int64), np.array(count, np.int64), np.array(parent, np.int64), np.array(copies),
        np.array(keys, np.uint64),
    )  # fmt: skip
    number = np.empty(len(order), np.int64)
    number[of_set[order]] = np.arange(len(order))
    return Part(made, name[of_sequence], number[of_set])


def is_equitable(form: SequenceForm, parts: list[Part]) -> bool:
    """Whether the members of each class are alike: shape, parents, and payoffs against each class of the other."""
    for player, (tree, part) in enumerate(zip(form.trees, parts, strict=True)):
        made, owners = part.tree, tree.owners()
        if not np.array_equal(part.classes[tree.parent], made.parent[part.sets]):
            return False
        if not np.array_equal(made.owners()[part.classes[1:]], part.sets[owners[1:]]):
            return False
        if not np.array_equal(np.add.reduceat(made.copies[1:], made.first - 1)[part.sets], tree.count):
            return False
        members, count = members_by_class(part, owners)
        if not np.array_equal(count, made.copies[members]):
            return False
        if not families_agree(tree, part):
            return False
        if not payoffs_agree(form, parts, player):
            return False
    return True


def members_by_class(part: Part, owners: Indices) -> tuple[Indices, Indices]:
    """For each set and class of moves in it: the class, and how many of the set's moves are in it."""
    pairs = owners[1:] * part.tree.sequences + part.classes[1:]
    found, count = np.unique(pairs, return_counts=True)
    return found % part.tree.sequences, count


def families_agree(tree: Treeplex, part: Part) -> bool:
    """Whether all members of a class of sequences have as many sets of each class below them."""
    size = int(part.sets.max(initial=0)) + 1
    pairs, count = np.unique(tree.parent * size + part.sets, return_counts=True)
    members = np.bincount(part.classes)
    classes, place = np.unique(part.classes[pairs // size] * size + pairs % size, return_inverse=True)
    most = np.zeros(len(classes), np.int64)
    np.maximum.at(most, place, count)
    total = np.bincount(place, count, len(classes))
    return bool((most * members[classes // size] == total).all())


def payoffs_agree(form: SequenceForm, parts: list[Part], player: int) -> bool:
    """Whether all members of a class have the same sums of payoffs against each class of the other player."""
    rows, others = form.sequences[player], parts[1 - player].classes[form.sequences[1 - player]]
    size = parts[1 - player].tree.sequences
    pairs, place = np.unique(rows * size + others, return_inverse=True)
    sums = np.bincount(place, form.payoffs[0], len(pairs))
    members, against = pairs // size, pairs % size
    classes, place = np.unique(parts[player].classes[members] * size + against, return_inverse=True)
    most, least = np.full(len(classes), -np.inf), np.full(len(classes), np.inf)
    np.maximum.at(most, place, sums)
    np.minimum.at(least, place, sums)
    count = np.bincount(place, minlength=len(classes))
    everybody = np.bincount(parts[player].classes, minlength=parts[player].tree.sequences)[classes // size]
    absent = count < everybody
    most[absent], least[absent] = np.maximum(most[absent], 0), np.minimum(least[absent], 0)
    return bool((most - least <= ROUNDING).all())


def make_quotient(form: SequenceForm, parts: list[Part]) -> Quotient:
    """The form of the classes; its payoffs are the sums over all members."""
    rows, others = (part.classes[own] for part, own in zip(parts, form.sequences, strict=True))
    size = parts[1].tree.sequences
    pairs, place = np.unique(rows * size + others, return_inverse=True)
    payoffs = np.bincount(place, form.payoffs[0], len(pairs))[None, :].astype(float)
    sequences = np.stack([pairs // size, pairs % size])
    trees, starts = (parts[0].tree, parts[1].tree), np.arange(len(pairs))
    made = SequenceForm(trees, sequences, payoffs, payoffs[0], starts, form.histories, form.ends, form.total)
    return Quotient(made, (parts[0].classes, parts[1].classes))
