"""Backward induction: the payoffs of any finite game of perfect information, with dice, many players and cycles.

The search is depth-first, and a position gets its value when all positions below it are solved. Positions that can
reach one another, a strongly connected component, are solved together [Tarjan, "Depth-first search and linear graph
algorithms", 1972]. In most games a component is one position, solved by one step of induction; otherwise the values are
found by iteration between bounds.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import U64, kernel, mix
from zermelo.solve.cycles import narrow
from zermelo.solve.equilibrium import find_equilibrium
from zermelo.solve.graph import (
    FULL,
    GAINFUL,
    LOWER,
    NOWHERE,
    ROUNDING,
    STUCK,
    UNFAIR,
    UNSEEN,
    UNSETTLED,
    UPPER,
    Edge,
    Frame,
    Graph,
    Position,
    SoloGraph,
)
from zermelo.solve.plain import FAIR
from zermelo.solve.strategy import choose


@kernel
def induce(game: Game, state: State, graph: Graph) -> bool:
    """Solve a state, without its bank, and all positions below it; False if the graph was stopped."""
    root = graph.table.find(key_of(game, state))
    if root.is_done():
        return True
    graph.clear()
    graph.nodes += 1
    states = [game.without_bank(state)]
    frame = graph.reserve(root)
    while frame.address != NOWHERE and not graph.is_stopped():
        if frame.index == UNSEEN:
            expand(game, states, frame, graph)
        elif frame.next > frame.end:
            frame = follow(frame, graph)
        else:
            frame = leave(frame, graph)
    return root.is_done()


def key_of(game: Game, state: State) -> U64:
    """The key of a position; the same for symmetric positions and for those that differ only in the bank."""
    return mix(game.key(game.canonical(game.without_bank(state))))


# -- Tarjan's algorithm ------------------------------------------------------------------------------------------------


def expand(game: Game, states: list[State], frame: Frame, graph: Graph) -> None:
    """List the moves of a position, or the outcomes of its roll, as edges."""
    here = states[graph.number_of(frame)]
    mover = max(CHANCE, min(game.to_move(here), game.players - 1))  # an index from here on
    graph.open(frame, mover)
    total = 0.0
    if mover == CHANCE:
        for action, probability in game.outcomes(here):
            if probability > 0:
                edge = link(game, states, game.result(here, action), graph)
                edge.set_probability(probability)
                total += probability
            if graph.is_stopped():
                break
    else:
        for action in game.actions(here):
            link(game, states, game.result(here, action), graph)
            total = 1.0
            if graph.is_stopped():
                break
    frame.end = graph.top
    if not graph.is_stopped() and abs(1.0 - total) > FAIR:
        graph.give_up(UNFAIR if total > 0 else STUCK)


def link(game: Game, states: list[State], child: State, graph: Graph) -> Edge:
    """Add an edge to a position; a new position gets a frame."""
    edge, count = Edge(graph.top), graph.frame_count
    if not graph.is_room():
        graph.give_up(FULL)
        return edge
    graph.top -= graph.edge_bytes
    is_over = game.is_terminal(child)
    for player in range(graph.width):
        payoff = game.utility(child, player) if is_over else game.bank(child, player)
        edge.payoffs[player] = float(payoff)
    attach(graph, edge, key_of(game, child), is_over)
    if graph.frame_count > count:
        if count < len(states):
            states[count] = game.without_bank(child)
        else:
            states.append(game.without_bank(child))
    return edge


def attach(graph: Graph, edge: Edge, key: U64, is_over: bool) -> None:
    """Attach an edge to the position with this key."""
    graph.nodes += 1
    edge.word = key
    edge.error = 0.0
    edge.to = Frame(NOWHERE)
    if is_over:
        return
    position = graph.table.find(key)
    if position.is_done():
        settle(edge, position, graph)
    elif not position.is_free():
        edge.to = Frame(position.frame())
    elif graph.table.used >= graph.table.room:
        graph.give_up(FULL)
    else:
        edge.to = graph.reserve(position)


def follow(frame: Frame, graph: Graph) -> Frame:
    """Follow the next edge; returns the next frame to work on: that of a new position, otherwise the same one."""
    edge = Edge(frame.next)
    to = edge.to
    if to.address != NOWHERE:
        if to.position.is_done():
            settle(edge, to.position, graph)
        elif to.index == UNSEEN:
            to.parent = frame.address
            return to
        else:
            frame.least = min(frame.least, to.least)
    frame.next -= graph.edge_bytes
    return frame


def leave(frame: Frame, graph: Graph) -> Frame:
    """Leave a position after its last edge; solve the component if this is its root. Returns the parent."""
    graph.stack(graph.stack_height, frame)
    graph.stack_height += 1
    first = frame.index
    if frame.least == first:
        size = graph.height - first
        graph.stack_height -= size
        if size == 1 and are_settled(frame, graph):
            step_back(graph, frame)
        else:
            solve_component(graph, graph.stack_height, graph.stack_height + size)
        graph.height, graph.top, graph.frame_count = first, frame.first, frame.frames_before
    return Frame(frame.parent)


# -- values ------------------------------------------------------------------------------------------------------------


def settle(edge: Edge, position: Position, graph: Graph) -> None:
    """Settle an edge: store the value of its position plus the amount that the move adds to the bank."""
    edge.to = Frame(NOWHERE)
    error = position.error
    for player in range(graph.width):
        banked = edge.payoffs[player]
        payoff = banked + position.payoffs[player]
        edge.payoffs[player] = payoff
        if banked != 0 and error > 0:
            error += ROUNDING * abs(payoff)
    edge.error = error


def are_settled(frame: Frame, graph: Graph) -> bool:
    """Whether no edge leads to an open position."""
    left = 0
    for address in range(frame.first, frame.end, -graph.edge_bytes):
        left += not Edge(address).is_settled()
    return left == 0


def step_back(graph: Graph, frame: Frame) -> None:
    """One step of induction: compute the value of a position from its edges."""
    if frame.owner == CHANCE:
        take_mean(graph, frame)
    else:
        take_best(graph, frame)


def take_best(graph: Graph, frame: Frame) -> None:
    """Set the value of a position to that of the mover's best move, the first of equals."""
    column, sign = frame.owner, 1.0
    if graph.width == 1 and column > 0:
        column, sign = 0, -1.0
    best, error, position = Edge(frame.first), 0.0, frame.position
    for address in range(frame.first, frame.end, -graph.edge_bytes):
        edge = Edge(address)
        error = max(error, edge.error)
        if sign * (edge.payoffs[column] - best.payoffs[column]) > 0:
            best = edge
    for player in range(graph.width):
        position.payoffs[player] = best.payoffs[player]
    position.error = error
    position.close(best.word)


def take_mean(graph: Graph, frame: Frame) -> None:
    """Set the value of a position to the mean over the outcomes of its roll."""
    error, reach, position = 0.0, 0.0, frame.position
    for address in range(frame.first, frame.end, -graph.edge_bytes):
        edge = Edge(address)
        error += edge.probability() * edge.error
        for player in range(graph.width):
            reach = max(reach, abs(edge.payoffs[player]) + edge.error)
    for player in range(graph.width):
        mean = 0.0
        for address in range(frame.first, frame.end, -graph.edge_bytes):
            edge = Edge(address)
            mean += edge.probability() * edge.payoffs[player]
        position.payoffs[player] = mean
    position.error = error + graph.mean_error(frame, reach)
    position.close(U64(0))


# -- components --------------------------------------------------------------------------------------------------------


@kernel
def solve_component(graph: Graph, first: int, end: int) -> None:
    """Solve a strongly connected component: the positions at these places of the stack."""
    if is_gainful(graph, first, end):
        graph.give_up(GAINFUL)
    elif graph.width == 1:
        solo = SoloGraph(graph.address)
        ring = narrow(solo, first, end)
        choose(solo, first, ring, end)
    elif not find_equilibrium(graph, first, end) and not graph.is_stopped():
        graph.give_up(UNSETTLED)
    if not graph.is_stopped():
        for place in range(first, end):
            close(graph, graph.frame_at(place))


def is_gainful(graph: Graph, first: int, end: int) -> bool:
    """Whether a cycle adds to the bank."""
    for place in range(first, end):
        frame = graph.frame_at(place)
        for address in range(frame.first, frame.end, -graph.edge_bytes):
            edge = Edge(address)
            for player in range(graph.width):
                if not edge.is_settled() and edge.payoffs[player] != 0:
                    return True
    return False


def close(graph: Graph, frame: Frame) -> None:
    """Set the value of a position to the middle of its bounds."""
    error, position = 0.0, frame.position
    for player in range(graph.width):
        low, high = graph.value(frame, LOWER, player), graph.value(frame, UPPER, player)
        value = (low + high) / 2
        error = max(error, high - value, value - low)
        position.payoffs[player] = value
    position.error = error * (1 + ROUNDING)
    position.close(Edge(frame.choice).word)
