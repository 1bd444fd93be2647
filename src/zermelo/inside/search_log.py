"""The trees of `trace` for searches of millions of nodes: a compiled search logs its nodes.

One kernel runs minimax, alpha-beta, expectiminimax, Star1 and, seen from the player to move, paranoid search: they are
one recursion, with or without cuts. The log has a few counts, a list of moments, and a `LoggedNode` for each node.

A moment is a node being entered or left; a leaf has one moment for both. Nodes are numbered in the order of entering;
the root is 0.
"""

from __future__ import annotations

from typing import Self

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import Memory, Numbers, Record, kernel, pointer
from zermelo.kernel.records import CELL
from zermelo.textbook.minimax import INFINITY, UNLIMITED

INNER, TERMINAL, HORIZON = range(3)
EXACT, LOWER, UPPER, ESTIMATE = range(4)
NO_NODE = -1
"""No node, or a moment that has not come."""
LOGGED = {"minimax": False, "alphabeta": True, "expectiminimax": False, "star1": True, "paranoid": False}
"""The algorithms that can be logged, and whether they cut."""


class LoggedNode(Record):
    """The data of a node."""

    parent: int
    index: int
    """Its place among its siblings, cut ones included."""
    first_child: int
    next_sibling: int
    value: float
    alpha: float
    beta: float
    entered: int
    """The moment of entering."""
    left: int
    """The moment of leaving."""
    kind: int
    """INNER, TERMINAL or HORIZON."""
    proof: int
    """The kind of its value: EXACT, LOWER, UPPER or ESTIMATE."""
    branches: int


NODE_BYTES = CELL * (LoggedNode.cells + 2)
"""Bytes per node, with at most two moments."""


class SearchLog(Record):
    """The log of a search; owns the memory of the nodes and moments."""

    count: int
    """The number of nodes."""
    room: int
    """Maximum number of nodes."""
    clock: int
    """The number of moments."""
    is_full: bool
    """Whether the search was stopped because there was no room for a node."""
    leaves: int
    cuts: int
    """Number of cut branches."""
    moments: Numbers = pointer(Numbers)
    """The node of each moment."""
    first: int
    """The address of the first node."""

    @classmethod
    def create(cls, room: int) -> Self:
        """An empty log for `room` nodes."""
        found, memory = cls.allocate(), Memory(room * NODE_BYTES // CELL)
        found.keeps_alive.append(memory)
        found.room, found.moments, found.first = room, Numbers(memory.address), memory.address + 2 * CELL * room
        return found

    def node(self, number: int) -> LoggedNode:
        return LoggedNode(self.first + number * (NODE_BYTES - 2 * CELL))

    def enter(self, parent: int, index: int, alpha: float, beta: float) -> int:
        """Log a node; returns its number, or NO_NODE if there is no room."""
        number = self.count
        if number >= self.room:
            self.is_full = True
            return NO_NODE
        self.count = number + 1
        node = self.node(number)
        node.parent, node.index = parent, index
        node.first_child, node.next_sibling = NO_NODE, NO_NODE
        node.alpha, node.beta = alpha, beta
        node.entered, node.left = self.clock, NO_NODE
        return number

    def tick(self, number: int) -> None:
        """Assign the next moment to this node."""
        self.moments[self.clock] = number
        self.clock += 1

    def leave(self, number: int, kind: int, proof: int, value: float) -> float:
        """Log the value of a node; returns it."""
        node = self.node(number)
        node.kind, node.proof, node.value, node.left = kind, proof, value, self.clock
        self.tick(number)
        return value

    def leave_leaf(self, number: int, kind: int, proof: int, value: float) -> float:
        """The same, for a leaf."""
        self.leaves += 1
        return self.leave(number, kind, proof, value)

    def link(self, parent: int, last: int, child: int) -> bool:
        """Link a searched child to its parent, after the last one; returns whether its value is an estimate."""
        if child >= self.count:
            return False
        if last == NO_NODE:
            self.node(parent).first_child = child
        else:
            self.node(last).next_sibling = child
        return self.node(child).proof == ESTIMATE


@kernel
def search_and_log(
    game: Game,
    state: State,
    player: int,
    log: SearchLog,
    has_cuts: bool,
    depth: int = UNLIMITED,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    parent: int = NO_NODE,
    index: int = 0,
) -> float:
    """Search and log all nodes until the log is full; returns the value of the state for `player`."""
    number = log.enter(parent, index, alpha, beta)
    if number == NO_NODE:
        return 0.0
    if game.is_terminal(state):
        return log.leave_leaf(number, TERMINAL, EXACT, float(game.utility(state, player)))
    if depth == 0:
        return log.leave_leaf(number, HORIZON, ESTIMATE, float(game.evaluate(state, player)))
    log.tick(number)
    if game.to_move(state) == CHANCE:
        best, is_estimate = log_outcomes(game, state, player, log, has_cuts, depth, alpha, beta, number)
    else:
        best, is_estimate = log_moves(game, state, player, log, has_cuts, depth, alpha, beta, number)
    if log.is_full:
        return 0.0
    proof = EXACT
    if is_estimate or game.repetition != 0:  # the tree does not see where positions repeat
        proof = ESTIMATE
    elif has_cuts and best <= alpha:
        proof = UPPER
    elif has_cuts and best >= beta:
        proof = LOWER
    return log.leave(number, INNER, proof, best)


def log_moves(
    game: Game,
    state: State,
    player: int,
    log: SearchLog,
    has_cuts: bool,
    depth: int,
    alpha: float,
    beta: float,
    parent: int,
) -> tuple[float, bool]:
    """Minimax or alpha-beta: the best value of the moves, and whether it rests on an estimate."""
    is_max = game.to_move(state) == player
    best = -INFINITY if is_max else INFINITY
    index, last, is_cut, is_estimate = 0, NO_NODE, False, False
    for action in game.actions(state):
        if is_cut or log.is_full:
            log.cuts += 1
        else:
            low, high, child = alpha, beta, log.count
            if has_cuts and is_max:
                low = max(alpha, best)
            elif has_cuts:
                high = min(beta, best)
            value = search_and_log(
                game, game.result(state, action), player, log, has_cuts, depth - 1, low, high, parent, index
            )
            is_estimate = log.link(parent, last, child) or is_estimate
            last = child
            best = max(best, value) if is_max else min(best, value)
            is_cut = has_cuts and (best >= beta if is_max else best <= alpha)
        index += 1
    log.node(parent).branches = index
    return best, is_estimate


def log_outcomes(
    game: Game,
    state: State,
    player: int,
    log: SearchLog,
    has_cuts: bool,
    depth: int,
    alpha: float,
    beta: float,
    parent: int,
) -> tuple[float, bool]:
    """Expectiminimax or Star1: the mean over the outcomes, and whether it rests on an estimate. [Ballard 1983]"""
    lowest, highest = float(game.utility_range[0]), float(game.utility_range[1])
    best, total, unseen = 0.0, 0.0, 1.0
    index, last, is_cut, is_estimate = 0, NO_NODE, False, False
    for action, probability in game.outcomes(state):
        if is_cut or not probability > 0 or log.is_full:
            log.cuts += 1
        else:
            unseen -= probability
            low, high, child = -INFINITY, INFINITY, log.count
            if has_cuts:
                low = max(lowest, (alpha - total - unseen * highest) / probability)
                high = min(highest, (beta - total - unseen * lowest) / probability)
            value = search_and_log(
                game, game.result(state, action), player, log, has_cuts, depth - 1, low, high, parent, index
            )
            is_estimate = log.link(parent, last, child) or is_estimate
            last = child
            total += probability * value
            best = total
            if has_cuts and lowest < low and value <= low:
                best, is_cut = min(alpha, total + unseen * highest), True
            elif has_cuts and high < highest and value >= high:
                best, is_cut = max(beta, total + unseen * lowest), True
        index += 1
    log.node(parent).branches = index
    return best, is_estimate


def log_search(algorithm: str, game: Game, state: State, depth: int | None, room: int) -> SearchLog | None:
    """The log of an algorithm of `LOGGED`; None if the game does not compile."""
    takes_sides = algorithm == "paranoid" and not game.is_terminal(state)
    player = max(game.to_move(state), 0) if takes_sides else 0
    log = SearchLog.create(room)
    arguments = (game, state, player, log, LOGGED[algorithm], UNLIMITED if depth is None else depth)
    if not search_and_log.prepare(*arguments):
        return None
    search_and_log.run_compiled(*arguments)
    return log
