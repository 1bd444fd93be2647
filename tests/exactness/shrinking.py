"""The smallest game with the same contradiction: whatever can be left out is left out, again and again."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from exactness.description import CHANCE, Description, Move, Node
from exactness.graph import KNOWLEDGE
from exactness.kinds import without_strays
from zermelo.kernel import is_enabled

PLAIN = Move(0)


def shrunk(described: Description, fails: Callable[[Description], bool], most: int = 3000) -> Description:
    """A minimal game that still fails, or the smallest one found within the number of tries."""
    tries = 0
    while True:
        for smaller in _smaller(described):
            tries += 1
            if tries > most:
                return described
            if smaller != described and fails(smaller):
                described = smaller
                break
        else:
            return described


def _smaller(described: Description) -> Iterator[Description]:
    """Simpler games, the simplest first."""
    if described.history:
        yield described.changed(history=())
        yield described.changed(history=described.history[:-1])
    for number, node in enumerate(described.nodes):
        if node.moves:
            for end in _ends(described):
                yield _with_node(described, number, end)
    for number, node in enumerate(described.nodes):
        for place in range(len(node.moves)):
            if len(node.moves) > 1:
                moves = node.moves[:place] + node.moves[place + 1 :]
                if node.owner != CHANCE or any(move.weight for move in moves):
                    yield _with_node(described, number, replace(node, moves=moves))
        if len(node.moves) == 1:
            yield _skipping(described, number)
    if described.nodes[0].moves and not described.history:
        for move in described.nodes[0].moves:
            yield _starting_at(described, move.to)
    for name in described.knows:
        if not is_enabled() or name not in KNOWLEDGE:  # another class would have to be compiled
            yield described.changed(knows=tuple(one for one in described.knows if one != name))
    yield from _plainer(described)
    for number, node in enumerate(described.nodes):
        yield from _plainer_node(described, number, node)


def _ends(described: Description) -> Iterator[Node]:
    seen = {node.payoffs for node in described.nodes if not node.moves}
    yield from (Node(payoffs=payoffs) for payoffs in sorted(seen))


def _with_node(described: Description, number: int, node: Node) -> Description:
    nodes = list(described.nodes)
    nodes[number] = node
    return _tidy(described, nodes)


def _tidy(described: Description, nodes: list[Node]) -> Description:
    return described.changed(nodes=tuple(without_strays(nodes)))


def _skipping(described: Description, number: int) -> Description:
    """What leads to a node with one move leads to where that goes."""
    to = described.nodes[number].moves[0].to
    if to == number or described.history:
        return described
    nodes = [
        replace(node, moves=tuple(replace(move, to=to) if move.to == number else move for move in node.moves))
        for node in described.nodes
    ]
    if number == 0:
        nodes[0], nodes[to] = nodes[to], nodes[0]
        swap = {0: to, to: 0}
        nodes = [
            replace(node, moves=tuple(replace(move, to=swap.get(move.to, move.to)) for move in node.moves))
            for node in nodes
        ]
    return _tidy(described, nodes)


def _starting_at(described: Description, start: int) -> Description:
    if start == 0 or not described.nodes[start].moves:
        return described
    swap = {0: start, start: 0}
    nodes = list(described.nodes)
    nodes[0], nodes[start] = nodes[start], nodes[0]
    nodes = [
        replace(
            node,
            moves=tuple(replace(move, to=swap.get(move.to, move.to)) for move in node.moves),
            passed=swap.get(node.passed, node.passed),
        )
        for node in nodes
    ]
    return _tidy(described, nodes)


def _plainer(described: Description) -> Iterator[Description]:
    plain = Description(described.nodes)
    for name in ("swing", "tightness", "margins", "clock"):
        if getattr(described, name) != getattr(plain, name):
            yield described.changed(**{name: getattr(plain, name)})
    is_needed = described.clock or {"canonical", "bank"} & set(described.knows)
    is_needed = is_needed or any(move.flips or move.score for node in described.nodes for move in node.moves)
    if described.shape in ("tuple", "spot") and not is_needed and not is_enabled():
        yield described.changed(shape="number")
    if described.shape == "spot" and not is_enabled():
        yield described.changed(shape="tuple")
    if described.clock > 1:
        yield described.changed(clock=described.clock - 1)


def _plainer_node(described: Description, number: int, node: Node) -> Iterator[Description]:
    if node.seen:
        yield _with_node(described, number, replace(node, seen=0))
    if node.passed >= 0:
        yield _with_node(described, number, replace(node, passed=-1))
    if node.threatened:
        yield _with_node(described, number, replace(node, threatened=False))
    if any(node.estimate):
        yield _with_node(described, number, replace(node, estimate=(0.0,) * len(node.estimate)))
    if not node.moves and any(payoff not in (0.0, 1.0, -1.0) for payoff in node.payoffs):
        yield _with_node(
            described,
            number,
            replace(node, payoffs=tuple(float(round(one)) if one == one else one for one in node.payoffs)),
        )
    if not node.moves and any(node.payoffs):
        yield _with_node(described, number, replace(node, payoffs=(0.0,) * len(node.payoffs)))
    for place, move in enumerate(node.moves):
        for name in ("order", "noisy", "gain", "exchange", "prior", "flips", "score", "extra", "factor", "weight"):
            value = getattr(PLAIN, name)
            if getattr(move, name) != value:
                moves = node.moves[:place] + (replace(move, **{name: value}),) + node.moves[place + 1 :]
                yield _with_node(described, number, replace(node, moves=moves))
