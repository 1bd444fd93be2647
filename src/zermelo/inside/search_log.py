"""The trees of `trace` for searches of millions of nodes: a compiled search writes down what it looks at.

One kernel is minimax, alpha-beta, expectiminimax, Star1 and, seen from the player to move, paranoid search: they are
one recursion, with cuts or without. The log is a block of cells: a few counts, a list of moments, and for each node

    parent | place among its siblings | first child | next sibling | value | alpha | beta
           | moment of entering | moment of leaving | kind and proof | branches

A moment is a node being entered or left; a leaf has one moment for both. Nodes have the numbers in which they were
entered; the root is 0.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import Memory, kernel, load, store, store_real
from zermelo.textbook.minimax import INFINITY, UNLIMITED

COUNT, ROOM, CLOCK, IS_FULL, LEAVES, CUTS, HEADER = 0, 1, 2, 3, 4, 5, 8
PARENT, INDEX, FIRST, NEXT, VALUE, ALPHA, BETA, ENTERED, LEFT, KIND, BRANCHES, WIDTH = range(12)
INNER, TERMINAL, HORIZON = 0, 1, 2
EXACT, LOWER, UPPER, ESTIMATE = 0, 1, 2, 3
PROOF = 4
"""A node's kind is what it is, and this many times what its value proves."""
NO_NODE = -1
LOGGED = {"minimax": 0, "alphabeta": 1, "expectiminimax": 0, "star1": 1, "paranoid": 0}
"""The algorithms, and whether they cut."""


def new_log(room: int) -> Memory:
    """An empty log with room for this many nodes."""
    log = Memory(HEADER + room * (WIDTH + 2))
    log[ROOM] = room
    return log


def cell_of(log: int, node: int) -> int:
    """Where a node is written down: after the moments, of which every node has two at most."""
    return HEADER + 2 * load(log, ROOM) + node * WIDTH


@kernel
def search_and_log(
    game: Game,
    state: State,
    player: int,
    log: int,
    cuts: int,
    depth: int = UNLIMITED,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    parent: int = NO_NODE,
    index: int = 0,
) -> float:
    """The value of the state for `player`, with everything that was looked at in the log, until that is full."""
    node = load(log, COUNT)
    if node >= load(log, ROOM):
        store(log, IS_FULL, 1)
        return 0.0
    store(log, COUNT, node + 1)
    cell = cell_of(log, node)
    store(log, cell + PARENT, parent)
    store(log, cell + INDEX, index)
    store(log, cell + FIRST, NO_NODE)
    store(log, cell + NEXT, NO_NODE)
    store_real(log, cell + ALPHA, alpha)
    store_real(log, cell + BETA, beta)
    store(log, cell + ENTERED, load(log, CLOCK))
    store(log, cell + LEFT, NO_NODE)
    if game.is_terminal(state):
        return leaf(log, node, TERMINAL + PROOF * EXACT, float(game.utility(state, player)))
    if depth == 0:
        return leaf(log, node, HORIZON + PROOF * ESTIMATE, float(game.evaluate(state, player)))
    tick(log, node)
    mover = game.to_move(state)
    best, branches, last, is_cut, is_estimate = -INFINITY, 0, NO_NODE, 0, 0
    if mover == CHANCE:
        low, high = float(game.utility_range[0]), float(game.utility_range[1])
        total, unseen = 0.0, 1.0
        best = 0.0
        for action, probability in game.outcomes(state):
            if is_cut == 0 and probability > 0 and load(log, IS_FULL) == 0:
                unseen -= probability
                need_alpha, need_beta = -INFINITY, INFINITY
                if cuts:
                    need_alpha = max(low, (alpha - total - unseen * high) / probability)
                    need_beta = min(high, (beta - total - unseen * low) / probability)
                child = load(log, COUNT)
                value = search_and_log(
                    game,
                    game.result(state, action),
                    player,
                    log,
                    cuts,
                    depth - 1,
                    need_alpha,
                    need_beta,
                    node,
                    branches,
                )
                is_estimate |= link_child(log, node, last, child)
                last = child
                total += probability * value
                best = total
                if cuts and low < need_alpha and value <= need_alpha:
                    best, is_cut = min(alpha, total + unseen * high), 1
                elif cuts and need_beta < high and value >= need_beta:
                    best, is_cut = max(beta, total + unseen * low), 1
            else:
                store(log, CUTS, load(log, CUTS) + 1)
            branches += 1
    else:
        is_max = mover == player
        best = -INFINITY if is_max else INFINITY
        for action in game.actions(state):
            if is_cut == 0 and load(log, IS_FULL) == 0:
                low, high = alpha, beta
                if cuts and is_max:
                    low = max(alpha, best)
                elif cuts:
                    high = min(beta, best)
                child = load(log, COUNT)
                value = search_and_log(
                    game, game.result(state, action), player, log, cuts, depth - 1, low, high, node, branches
                )
                is_estimate |= link_child(log, node, last, child)
                last = child
                best = max(best, value) if is_max else min(best, value)
                if cuts and (best >= beta if is_max else best <= alpha):
                    is_cut = 1
            else:
                store(log, CUTS, load(log, CUTS) + 1)
            branches += 1
    store(log, cell + BRANCHES, branches)
    if load(log, IS_FULL):
        return 0.0
    proof = EXACT
    if is_estimate:
        proof = ESTIMATE
    elif cuts and best <= alpha:
        proof = UPPER
    elif cuts and best >= beta:
        proof = LOWER
    store(log, cell + KIND, INNER + PROOF * proof)
    store_real(log, cell + VALUE, best)
    store(log, cell + LEFT, load(log, CLOCK))
    tick(log, node)
    return best


def tick(log: int, node: int) -> None:
    """The next moment belongs to this node."""
    clock = load(log, CLOCK)
    store(log, HEADER + clock, node)
    store(log, CLOCK, clock + 1)


def leaf(log: int, node: int, kind: int, value: float) -> float:
    """Write down a leaf; its value."""
    cell = cell_of(log, node)
    store(log, cell + KIND, kind)
    store_real(log, cell + VALUE, value)
    store(log, cell + LEFT, load(log, CLOCK))
    store(log, LEAVES, load(log, LEAVES) + 1)
    tick(log, node)
    return value


def link_child(log: int, parent: int, last: int, child: int) -> int:
    """Hang a child that was looked at onto its parent; whether its value is an estimate."""
    if child >= load(log, COUNT):
        return 0
    if last == NO_NODE:
        store(log, cell_of(log, parent) + FIRST, child)
    else:
        store(log, cell_of(log, last) + NEXT, child)
    return 1 if load(log, cell_of(log, child) + KIND) // PROOF == ESTIMATE else 0


def log_search(algorithm: str, game: Game, state: State, depth: int | None, room: int) -> Memory | None:
    """The log of an algorithm of `LOGGED`; None if the game does not compile."""
    takes_sides = algorithm == "paranoid" and not game.is_terminal(state)
    player = max(game.to_move(state), 0) if takes_sides else 0
    log = new_log(room)
    arguments = (game, state, player, log.address, LOGGED[algorithm], UNLIMITED if depth is None else depth)
    if not search_and_log.prepare(*arguments):
        return None
    search_and_log.run_compiled(*arguments)
    return log
