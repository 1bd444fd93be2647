"""The graph of a game: a table of all positions, and the open part of the graph in Tarjan's algorithm.

    table:                     the positions, by key; none is ever removed
    block of memory:           frames, from the front:     a `Frame` each, then its estimates, lower and upper values
                               edges, from the end back:   an `Edge` each, then its payoffs

A position has a frame from when it is first reached until all positions below it are solved. Moves, and the outcomes of
a roll, are edges. Once a position is solved, its value is in the table, and edges to it are settled: they hold the
value themselves. The bank of a position is left out of its value.

There is one value per player, or a single one for one player or for two whose payoffs cancel (the width of the graph).
The records below end with that number of values. `SoloFrame` and `BoundEdge` are views of the same memory for one
value.
"""

from __future__ import annotations

from typing import Self

from zermelo.core.counters import Counters
from zermelo.core.game import Game, State, has_one_value
from zermelo.kernel import U64, Memory, Reals, Record, array, inline, number, pointer, real_of, word_of
from zermelo.kernel.records import CELL
from zermelo.kernel.states import numbers_of

FREE, OPEN, DONE = range(3)
STATUS_BITS = 2
STATUS = U64(3)
"""Mask of the status bits."""
NOWHERE = 0
"""No frame: a null address."""
UNSEEN = -1
ESTIMATE, LOWER, UPPER = range(3)
"""The kinds of values in a frame."""
CLOSE = 2.0**-44
"""The share of the scale at which bounds are close enough."""
ROUNDING = 2.0**-52
"""Twice the relative rounding error of a sum or a product."""
FULL, STUCK, UNFAIR, UNSETTLED, GAINFUL = range(1, 6)
"""Error codes: no memory left, a position without moves, probabilities that do not sum to one, no equilibrium found, a
cycle that adds to the bank."""


class Position(Record):
    """An entry of the table of positions."""

    key: U64
    status: U64
    """FREE; OPEN and the address of the frame; or DONE and the key of the position that the best move leads to."""
    error: float
    """The maximum error of the payoffs."""
    payoffs: Reals = array(Reals, 0)

    def is_free(self) -> bool:
        return self.status == U64(FREE)

    def is_done(self) -> bool:
        return self.status & STATUS == U64(DONE)

    def open(self, frame: int) -> None:
        """Mark the position as open, with its frame at this address."""
        self.status = U64(frame) << STATUS_BITS | U64(OPEN)

    def frame(self) -> int:
        """The address of an open position's frame."""
        return number(self.status >> STATUS_BITS)

    def close(self, choice: U64) -> None:
        """Mark the position as solved, with the key of the position that its best move leads to."""
        self.status = choice & ~STATUS | U64(DONE)

    def leads_to(self, key: U64) -> bool:
        """Whether the best move of a solved position leads to the position with this key."""
        return self.status >> STATUS_BITS == key >> STATUS_BITS


class PositionTable(Record):
    """A hash table with open addressing for all positions of a game."""

    first: int
    """The address of the first place."""
    place_bytes: int
    mask: U64
    """One less than the number of places."""
    used: int
    room: int
    """Maximum number of positions."""

    def find(self, key: U64) -> Position:
        """The entry of a key, which is inserted if it is new. The caller ensures that there is room."""
        mask = self.mask
        place = key & mask
        while True:
            position = Position(self.first + number(place) * self.place_bytes)
            if position.is_free():
                position.key = key
                return position
            if position.key == key:
                return position
            place = (place + U64(1)) & mask


class Frame(Record):
    """An open position. Edges and frames are referred to by their addresses."""

    position: Position = pointer(Position)
    owner: int
    """The player to move, or CHANCE."""
    first: int
    """Its first edge; the others precede it in memory."""
    end: int
    """The end of its edges."""
    next: int
    """The next edge to follow."""
    index: int
    """The height of the path when the position was reached; UNSEEN before."""
    least: int
    """The least index reachable from it (Tarjan's low-link)."""
    parent: int
    """The frame it was reached from; NOWHERE for the root."""
    frames_before: int
    """Number of frames in use before its children."""
    stacked: int
    """Not part of the frame: these cells together are the stack of positions whose edges have been followed."""
    choice: int
    """The edge of the chosen move."""
    mark: int
    """A mark for the algorithm that solves a component."""
    slack: float
    """The largest error of the mean over the outcomes of a roll."""
    values: Reals = array(Reals, 0)
    """The estimates of all players, then the lower values, then the upper values."""


class Edge(Record):
    """A move or an outcome of a roll."""

    to: Frame = pointer(Frame)
    """The open position it leads to; NOWHERE if the edge is settled and holds the value."""
    word: U64
    """The key of the position that a move leads to; the probability of an outcome."""
    error: float
    """The maximum error of the payoffs."""
    payoffs: Reals = array(Reals, 0)
    """The value if the edge is settled; otherwise the amount that the move adds to the bank."""

    def is_settled(self) -> bool:
        return self.to.address == NOWHERE

    def probability(self) -> float:
        return real_of(self.word)

    def set_probability(self, probability: float) -> None:
        self.word = word_of(probability)


class SoloFrame(Frame):
    """A frame with one value."""

    held: float
    """The value that a player can hold (see `cycles`)."""
    lower: float
    upper: float


class BoundEdge(Record):
    """An edge with one value, during the iteration: a settled edge holds bounds instead of a value and its error."""

    to: SoloFrame = pointer(SoloFrame)
    word: U64
    upper: float
    lower: float

    def bounds(self) -> tuple[float, float]:
        """The bounds of the position the edge leads to."""
        to = self.to
        if to.address == NOWHERE:
            return self.lower, self.upper
        return to.lower, to.upper

    def probability(self) -> float:
        return real_of(self.word)


SOLO_FRAME, SOLO_EDGE = CELL * SoloFrame.cells, CELL * BoundEdge.cells
"""Bytes of a frame, and of an edge, with one value."""


class Graph(Counters):
    """The table of positions and the graph of the open ones; owns the memory of both."""

    table: PositionTable = inline(PositionTable)
    width: int
    """The number of values per position."""
    draw: float
    """The payoff of a game that never ends, a draw."""
    frames: int
    """The address of the first frame."""
    block_bytes: int
    state_bytes: int
    """Bytes of a state beside its frame."""
    frame_bytes: int
    edge_bytes: int
    frame_count: int
    """Number of frames in use."""
    top: int
    """The place of the next edge."""
    height: int
    """Number of positions reached and not yet solved."""
    stack_height: int
    """Number of these whose edges have been followed."""

    @classmethod
    def create(cls, game: Game, state: State, megabytes: int = 256) -> Self:
        """Allocate memory for all positions of a game: a table of at most `megabytes`, but at least 1,024 entries.

        The frames of open positions may take the same amount again.
        """
        found, width = cls.allocate(), width_of(game)
        found.width, found.draw = width, game.middle()
        found.frame_bytes, found.edge_bytes = CELL * (Frame.cells + 3 * width), CELL * (Edge.cells + width)
        cells, slots = Position.cells + width, 1 << 10
        while 2 * slots * CELL * cells <= megabytes * 1024 * 1024:
            slots *= 2
        table, block = Memory(slots * cells), Memory(megabytes * 1024 * 1024 // CELL)
        found.keeps_alive += [table, block]
        found.table.first, found.table.place_bytes = table.address, CELL * cells
        found.table.mask, found.table.room = U64(slots - 1), slots - slots // 4
        found.frames, found.block_bytes = block.address, CELL * len(block)
        found.state_bytes = CELL * len(list(numbers_of(state)))
        return found

    def clear(self) -> None:
        """Clear the open part; the table stays."""
        self.frame_count, self.height, self.stack_height = 0, 0, 0
        self.top = self.frames + self.block_bytes - self.edge_bytes

    def is_room(self) -> bool:
        """Whether there is room for one more edge and the frame it leads to."""
        edges = self.frames + self.block_bytes - self.top + self.edge_bytes
        return (self.frame_count + 1) * (self.frame_bytes + self.state_bytes) + edges <= self.block_bytes

    def reserve(self, position: Position) -> Frame:
        """Assign the next frame to a new position."""
        frame = Frame(self.frames + self.frame_count * self.frame_bytes)
        self.frame_count += 1
        self.table.used += 1
        position.open(frame.address)
        frame.position = position
        frame.index = UNSEEN
        frame.parent = NOWHERE
        return frame

    def open(self, frame: Frame, owner: int) -> None:
        """Initialise the frame of a position whose edges are about to be listed."""
        height = self.height
        frame.owner = owner
        frame.index = height
        frame.least = height
        frame.frames_before = self.frame_count
        frame.first = self.top
        frame.next = self.top
        self.height = height + 1

    def number_of(self, frame: Frame) -> int:
        """The number of a frame, in the order of memory."""
        return (frame.address - self.frames) // self.frame_bytes

    def stack(self, place: int, frame: Frame) -> None:
        """Put a position at a place of the stack."""
        Frame(self.frames + place * self.frame_bytes).stacked = frame.address

    def frame_at(self, place: int) -> Frame:
        """The frame at a place of the stack."""
        return Frame(Frame(self.frames + place * self.frame_bytes).stacked)

    def value(self, frame: Frame, kind: int, player: int) -> float:
        """An ESTIMATE, or the LOWER or UPPER value of a position for a player."""
        return frame.values[kind * self.width + player]

    def set_value(self, frame: Frame, kind: int, player: int, value: float) -> None:
        frame.values[kind * self.width + player] = value

    def mean_error(self, frame: Frame, reach: float) -> float:
        """The largest error of the mean over the outcomes of a roll, if values are at most `reach` from zero."""
        total, count = 0.0, 0
        for address in range(frame.first, frame.end, -self.edge_bytes):
            total += Edge(address).probability()
            count += 1
        return mean_error_of(total, count, reach)


class SoloGraph(Graph):
    """A graph with one value per position."""

    def stack(self, place: int, frame: Frame) -> None:
        Frame(self.frames + place * SOLO_FRAME).stacked = frame.address

    def frame_at(self, place: int) -> SoloFrame:
        return SoloFrame(Frame(self.frames + place * SOLO_FRAME).stacked)


def width_of(game: Game) -> int:
    """The number of values per position: one for a single player, or for two whose payoffs cancel."""
    return 1 if has_one_value(game) else game.players


def mean_error_of(total: float, count: int, reach: float) -> float:
    """The largest error of a mean, from the sum and the number of the probabilities.

    Sums are rounded, and so are probabilities, which therefore may not sum to one.
    """
    rounding = ROUNDING * (count + 2) if count > 1 else 0.0
    return (abs(1.0 - total) + rounding) * reach
