"""Public states and lanes: information sets that differ only in what a player holds, side by side.

Public states are found in the form itself, so the rules need not say what is public: an end joins the last sequences of
both players; if two sequences of a player are joined, so are their information sets; and if two sets are, so are the
sequences before them and their moves, one by one. The sets of a player that are joined form a unit, with a lane for
each hand. Lanes change no result: a cell is in the block of its two nodes, wherever its lanes are. But if the blocks
are nearly full, the kernels are several times faster.
[Johanson, Waugh, Bowling & Zinkevich, "Accelerating Best Response Calculation in Large Extensive Games", 2011]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.equilibrium.arrays import contents, keep
from zermelo.equilibrium.flatten import SequenceForm
from zermelo.equilibrium.treeplex import Figures, Indices, Payoffs, Treeplex
from zermelo.kernel import Numbers, Record, kernel, pointer

MOST_LANES = 16
LEAST_FULL = 0.5
"""Lanes are used if at least this share of the payoffs in the blocks is given."""


@dataclass(frozen=True)
class Units:
    """One player's information sets in units."""

    first: Indices
    count: Indices
    parent: Indices
    place: Indices
    """The entry of each sequence: node * width + lane."""
    lane: Indices
    """The lane of each set."""
    unit: Indices
    """The unit of each set."""

    @property
    def nodes(self) -> int:
        return 1 + int(self.count.sum())


@dataclass(frozen=True)
class Layout:
    """A two-player form in units, lanes and blocks."""

    width: int
    units: tuple[Units, Units]
    start: Indices
    other: Indices
    values: Figures


def lay_out(form: SequenceForm) -> Layout:
    """The layout with lanes if that is faster, otherwise with one lane."""
    found = find_units(form)
    if found is not None and found[0] > 1:
        width, units = found
        layout = make_layout(form, units, width)
        if form.payoffs.shape[1] >= LEAST_FULL * len(layout.values):
            return layout
    return one_lane(form)


def one_lane(form: SequenceForm) -> Layout:
    """The layout without lanes: a block for each cell, as they are sorted."""
    units = (single_lane(form.trees[0]), single_lane(form.trees[1]))
    rows, others = form.sequences
    start = np.searchsorted(rows, np.arange(units[0].nodes + 1))
    return Layout(1, units, start.astype(np.int64), others, form.payoffs[0])


def make_payoffs(layout: Layout) -> Payoffs:
    """The layout's payoffs for the kernels."""
    payoffs = Payoffs.allocate()
    payoffs.rows = layout.units[0].nodes
    keep(payoffs, start=layout.start, other=layout.other, values=layout.values)
    return payoffs


def single_lane(tree: Treeplex) -> Units:
    """Every information set as a unit."""
    return Units(
        tree.first, tree.count, tree.parent, np.arange(tree.sequences), np.zeros(tree.sets, np.int64),
        np.arange(tree.sets),
    )  # fmt: skip


def make_layout(form: SequenceForm, units: tuple[Units, Units], width: int) -> Layout:
    """Collect the cells in blocks, sorted by the first player's node."""
    placed = [own.place[sequences] for own, sequences in zip(units, form.sequences, strict=True)]
    rows, others = nodes_of_cells(form, units, width)
    keys = rows * units[1].nodes + others
    blocks, block = np.unique(keys, return_inverse=True)
    values = np.zeros(len(blocks) * width * width)
    np.add.at(values, (block * width + placed[0] % width) * width + placed[1] % width, form.payoffs[0])
    start = np.searchsorted(blocks, np.arange(units[0].nodes + 1) * units[1].nodes)
    return Layout(width, units, start.astype(np.int64), blocks % units[1].nodes, values)


def nodes_of_cells(form: SequenceForm, units: tuple[Units, Units], width: int) -> tuple[Indices, Indices]:
    """The node of each player in each cell."""
    first, second = (own.place[row] // width for own, row in zip(units, form.sequences, strict=True))
    return first, second


# -- units -------------------------------------------------------------------------------------------------


class Player(Record):
    """One player's sets and their units, for the search of public states."""

    sets: int
    sequences: int
    offset: int
    """The number of the player's empty sequence, if the sequences of both are numbered together."""
    first: Numbers = pointer(Numbers)
    count: Numbers = pointer(Numbers)
    parent: Numbers = pointer(Numbers)
    owner: Numbers = pointer(Numbers)
    """The set of each sequence."""
    joined: Numbers = pointer(Numbers)
    """A forest over the sets: the sets of a tree are joined, and its root is the smallest."""
    example: Numbers = pointer(Numbers)
    """A set for each class of sequences, or -1."""
    units: int
    nodes: int
    unit: Numbers = pointer(Numbers)
    """The unit of each set; at first -1."""
    lane: Numbers = pointer(Numbers)
    node: Numbers = pointer(Numbers)
    """The node of each sequence."""
    unit_first: Numbers = pointer(Numbers)
    unit_count: Numbers = pointer(Numbers)
    unit_parent: Numbers = pointer(Numbers)
    taken: Numbers = pointer(Numbers)
    """A bit for each lane of a unit."""


class Joins(Record):
    """A forest over the sequences of both players."""

    ends: int
    one: Numbers = pointer(Numbers)
    other: Numbers = pointer(Numbers)
    joined: Numbers = pointer(Numbers)


@kernel
def root(forest: Numbers, item: int) -> int:
    """The root of an item's tree; the path to it is halved."""
    while forest[item] != item:
        forest[item] = forest[forest[item]]
        item = forest[item]
    return item


@kernel
def join(forest: Numbers, one: int, other: int) -> int:
    """Join two trees; 1 if they were apart."""
    one, other = root(forest, one), root(forest, other)
    if one < other:
        forest[other] = one
    elif other < one:
        forest[one] = other
    return 1 if one != other else 0


@kernel
def join_ends(joins: Joins) -> None:
    """The last sequences of both players at an end have a public state in common."""
    for cell in range(joins.ends):
        join(joins.joined, joins.one[cell], joins.other[cell])


@kernel
def join_sets(joins: Joins, player: Player) -> int:
    """Join the sets of joined sequences, and the sequences around joined sets; how many were apart."""
    found = 0
    for sequence in range(1, player.sequences):
        label = root(joins.joined, player.offset + sequence)
        if player.example[label] < 0:
            player.example[label] = player.owner[sequence]
        else:
            found += join(player.joined, player.example[label], player.owner[sequence])
    for each in range(player.sets):
        like = root(player.joined, each)
        if like != each:
            found += join(joins.joined, player.offset + player.parent[each], player.offset + player.parent[like])
            for move in range(min(player.count[each], player.count[like])):
                one, other = player.first[each] + move, player.first[like] + move
                found += join(joins.joined, player.offset + one, player.offset + other)
    return found


@kernel
def give_lanes(player: Player, most: int) -> bool:
    """Number units, nodes and lanes; False if the sets of a unit differ in shape or two of them need one lane."""
    player.units, player.nodes = 0, 1
    for each in range(player.sets):
        like, above = root(player.joined, each), player.parent[each]
        unit = player.unit[like]
        if unit < 0:
            unit = player.units
            player.units = unit + 1
            player.unit_first[unit] = player.nodes
            player.unit_count[unit] = player.count[each]
            player.unit_parent[unit] = player.node[above]
            player.nodes += player.count[each]
        player.unit[each] = unit
        if player.unit_count[unit] != player.count[each] or player.unit_parent[unit] != player.node[above]:
            return False
        lane = player.lane[player.owner[above]] if above > 0 else 0
        if above == 0:
            while lane < most and player.taken[unit] >> lane & 1:
                lane += 1
        if lane >= most or player.taken[unit] >> lane & 1:
            return False
        player.taken[unit] |= 1 << lane
        player.lane[each] = lane
        for move in range(player.count[each]):
            player.node[player.first[each] + move] = player.unit_first[unit] + move
    return True


def find_units(form: SequenceForm) -> tuple[int, tuple[Units, Units]] | None:
    """The width and the units of both players, or None if lanes do not fit the form."""
    offsets = (0, form.trees[0].sequences)
    players = [make_player(form, player, offset) for player, offset in enumerate(offsets)]
    total = sum(tree.sequences for tree in form.trees)
    joins = Joins.allocate()
    joins.ends = form.sequences.shape[1]
    keep(joins, one=form.sequences[0].copy(), other=form.sequences[1] + offsets[1], joined=np.arange(total))
    join_ends.run(joins)
    while sum(join_sets.run(joins, player) for player in players):
        for player in players:
            keep(player, example=np.full(total, -1))
    if not all(give_lanes.run(player, MOST_LANES) for player in players):
        return None
    width = 1 + max(int(contents(player.lane, player.sets).max(initial=0)) for player in players)
    first, second = (read_units(player, width) for player in players)
    return width, (first, second)


def make_player(form: SequenceForm, number: int, offset: int) -> Player:
    tree = form.trees[number]
    total = sum(each.sequences for each in form.trees)
    player = Player.allocate()
    player.sets, player.sequences, player.offset = tree.sets, tree.sequences, offset
    keep(player, first=tree.first, count=tree.count, parent=tree.parent, owner=tree.owners())
    keep(player, joined=np.arange(tree.sets), example=np.full(total, -1), unit=np.full(tree.sets, -1))
    keep(player, node=np.zeros(tree.sequences, np.int64))
    for name in ("lane", "unit_first", "unit_count", "unit_parent", "taken"):
        keep(player, **{name: np.zeros(tree.sets, np.int64)})
    return player


def read_units(player: Player, width: int) -> Units:
    units, sets = player.units, player.sets
    lane, unit = contents(player.lane, sets), contents(player.unit, sets)
    place = contents(player.node, player.sequences) * width
    place[1:] += lane[contents(player.owner, player.sequences)[1:]]
    parts = (player.unit_first, player.unit_count, player.unit_parent)
    first, count, parent = (contents(part, units) for part in parts)
    return Units(first, count, parent, place, lane, unit)
