"""Tactics of Go: urgent answers to the last move, and prior probabilities of moves.

The playouts are those of the program MoGo [Gelly, Wang, Munos & Teytaud, "Modification of UCT with patterns in
Monte-Carlo Go", 2006].
"""

from __future__ import annotations

from zermelo.core.point_sets import Points, common, is_any, size_of, union, without
from zermelo.games.go.board import Board
from zermelo.games.go.patterns import Patterns
from zermelo.games.go.position import NOWHERE, Position
from zermelo.kernel import Static, bits

PASSING, OWN_EYE = 0.05, 0.01
TAKES, SAVES, ATARI, SELF_ATARI, SHAPE = 8.0, 6.0, 2.0, 0.1, 3.0
"""Weights of what a stone does; a pass has less than any of them, and filling an own eye least."""
LONELY, MIDDLE = (0.1, 0.4, 1.2, 1.2), 1.0
"""Weights by line from the edge, if no other stone is near; the last one for the inner lines."""
BESIDE, NEAR = 2.5, 1.5
"""Weights by the distance from the last stone: one step, diagonals included, and two."""


class Replies(Static):
    """Sets of points where an answer to a stone of theirs could be; a stone there is always legal."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.patterns = Patterns()

    def answers(self, state: Position, last: int) -> Points:
        """The most urgent answers to a stone that was just placed; empty if there are none."""
        board = self.board
        empty = board.empty(state.mine, state.theirs)
        free = empty if state.ko == NOWHERE else without(empty, board.point(state.ko))
        point = board.point(last)
        found = self.saving_moves(state, empty, point)
        liberties = board.liberties(state.theirs, empty, point)
        if size_of(liberties) == 1:
            found = union(found, liberties)
        found = common(found, free)
        if not is_any(found) and size_of(liberties) == 2:
            found = self.atari_moves(state, empty, free, point)
        if not is_any(found):
            found = self.shape_moves(state, empty, free, point)
        return found

    def saving_moves(self, state: Position, empty: Points, point: Points) -> Points:
        """Moves that save a chain of mine beside a stone of theirs: by taking another chain, or by running."""
        board, found = self.board, self.board.none
        near = common(board.beside(point), state.mine)
        for i in range(board.words):
            for place in bits(near[i]):
                stone = board.point(64 * i + place)
                liberties = board.liberties(state.mine, empty, stone)
                if size_of(liberties) == 1:
                    found = union(found, self.capturing_moves(state, empty, board.flood_fill(stone, state.mine)))
                    if size_of(board.liberties(state.mine, without(empty, liberties), liberties)) > 1:
                        found = union(found, liberties)
        return found

    def capturing_moves(self, state: Position, empty: Points, chain: Points) -> Points:
        """Moves that take stones beside a chain of mine."""
        board, found = self.board, self.board.none
        near = common(board.beside(chain), state.theirs)
        for i in range(board.words):
            for place in bits(near[i]):
                liberties = board.liberties(state.theirs, empty, board.point(64 * i + place))
                if size_of(liberties) == 1:
                    found = union(found, liberties)
        return found

    def atari_moves(self, state: Position, empty: Points, free: Points, point: Points) -> Points:
        """Moves that leave a chain of theirs one of its two liberties, and do not put themselves into atari."""
        board, found = self.board, self.board.none
        liberties = common(board.beside(board.flood_fill(point, state.theirs)), empty)
        if size_of(liberties) == 2:
            liberties = common(liberties, free)
            for i in range(board.words):
                for place in bits(liberties[i]):
                    stone = board.point(64 * i + place)
                    if not self.is_self_atari(state, empty, stone):
                        found = union(found, stone)
        return found

    def shape_moves(self, state: Position, empty: Points, free: Points, point: Points) -> Points:
        """Moves round a stone that make a shape, and do not put themselves into atari."""
        board, found = self.board, self.board.none
        near = common(board.round(point), free)
        for i in range(board.words):
            for place in bits(near[i]):
                if self.makes_shape(state, 64 * i + place):
                    stone = board.point(64 * i + place)
                    if not self.is_self_atari(state, empty, stone):
                        found = union(found, stone)
        return found

    def makes_shape(self, state: Position, place: int) -> bool:
        return self.patterns.fits(self.board.around(state.mine, place) | self.board.around(state.theirs, place) << 8)

    def is_self_atari(self, state: Position, empty: Points, point: Points) -> bool:
        """Whether a stone here would be in a chain with one liberty or none, and takes nothing."""
        board = self.board
        rest = without(empty, point)
        if size_of(board.liberties(state.mine, rest, point)) > 1:
            return False
        foes = common(board.beside(point), state.theirs)
        return not (is_any(foes) and is_any(board.captured(state.theirs, rest, foes)))

    def weight(self, state: Position, place: int) -> float:
        """The relative probability that a good player plays here, about 1 on average: a product of factors."""
        board = self.board
        point = board.point(place)
        near = board.beside(point)
        empty = board.empty(state.mine, state.theirs)
        if not is_any(without(board.round(point), empty)):
            return self.lonely_weight(point)
        friends, foes = common(near, state.mine), common(near, state.theirs)
        rest = without(empty, point)
        found, is_taking, is_saving = 1.0, False, False
        for i in range(board.words):
            for other in bits(foes[i]):
                liberties = size_of(board.liberties(state.theirs, rest, board.point(64 * i + other)))
                if liberties == 0:
                    is_taking = True
                elif liberties == 1:
                    found = ATARI
        for i in range(board.words):
            for other in bits(friends[i]):
                if not is_any(board.liberties(state.mine, rest, board.point(64 * i + other))):
                    is_saving = True
        if is_taking:
            return TAKES * SAVES if is_saving else TAKES
        if not is_saving and not is_any(without(near, friends)) and is_any(board.eyes(point, state.theirs)):
            return OWN_EYE
        if size_of(board.liberties(state.mine, rest, point)) < 2:
            return SELF_ATARI
        if is_saving:
            found *= SAVES
        return found * SHAPE if self.makes_shape(state, place) else found

    def nearness(self, last: int, place: int) -> float:
        """A stone near the last one is more likely."""
        near, point = self.board.round(self.board.point(last)), self.board.point(place)
        if is_any(common(near, point)):
            return BESIDE
        return NEAR if is_any(common(self.board.round(near), point)) else 1.0

    def lonely_weight(self, point: Points) -> float:
        """The weight of a stone without neighbours, diagonals included: higher on the third line than on the first."""
        for line in range(len(LONELY)):
            if is_any(common(point, self.board.lines[line])):
                return LONELY[line]
        return MIDDLE
