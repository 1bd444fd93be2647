"""How random games are drawn. Every kind is a function from luck to a description.

In the compiled run only a few classes of games can be compiled in the time there is, so there all games know the same;
interpreted, every game knows something else.
"""

import math
import random
from dataclasses import replace

from exactness.description import CHANCE, Description, Move, Node

SMALL = (-1.0, -0.5, 0.0, 0.5, 1.0)
WHOLE = (-2.0, -1.0, 0.0, 1.0, 2.0)
WIN_OR_LOSE = (-1.0, 1.0)
WIN_DRAW_LOSE = (-1.0, 0.0, 1.0)
HALVES = (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)
FEW = (0.0, 1.0, 2.0)
SCALES = (SMALL, WHOLE, WIN_OR_LOSE, WIN_DRAW_LOSE, (-1.0, 1 / 3, 0.1, 1.0))
PLAIN = ("order", "candidates", "ending", "bounds", "count", "noisy", "gain", "exchange", "threats", "prior")
DYADIC = ((1,), (1, 1), (1, 1, 2), (1, 3), (1, 1, 1, 1), (2, 1, 1), (1, 2, 1))


def _payoffs(rng: random.Random, players: int, zero_sum: bool, scale) -> tuple[float, ...]:
    if not zero_sum or players == 1:
        return tuple(rng.choice(scale) for _ in range(players))
    if players == 2:
        first = rng.choice(scale)
        return first, -first
    others = [rng.choice(scale) for _ in range(players - 1)]
    return (*others, -sum(others))


def _owners(rng: random.Random, players: int, dice: bool) -> list[int]:
    return [*range(players)] * 2 + [CHANCE] * (2 * dice)


def _weights(rng: random.Random, count: int, is_even: bool) -> list[int]:
    if not is_even:
        weights = [rng.choice((0, 1, 1, 2, 3, 7)) for _ in range(count)]
        return weights if any(weights) else [1] * count
    fitting = [weights for weights in DYADIC if len(weights) == count]
    return list(rng.choice(fitting)) if fitting else [1] * count


def _moves(rng: random.Random, owner: int, targets: list[int], is_even: bool) -> tuple[Move, ...]:
    weights = _weights(rng, len(targets), is_even) if owner == CHANCE else [1] * len(targets)
    return tuple(Move(to, weight) for to, weight in zip(targets, weights, strict=True))


def _tree(rng, players, dice, pay, depth, fan, is_even, least) -> list[Node]:
    """A node is followed by its subtrees, numbered as they are drawn."""
    nodes: list[Node] = [Node()]

    def grow(number: int, depth: int) -> None:
        if depth == 0 or (number and rng.random() < 0.2 / least):
            nodes[number] = Node(rng.randrange(players), payoffs=pay())
            return
        owner = rng.choice(_owners(rng, players, dice))
        count = rng.choice((1, 2, 4)) if is_even and owner == CHANCE else rng.randint(least, fan)
        targets = list(range(len(nodes), len(nodes) + count))
        nodes.extend(Node() for _ in targets)
        nodes[number] = Node(owner, _moves(rng, owner, targets, is_even))
        for target in targets:
            grow(target, depth - 1)

    grow(0, depth)
    return nodes


def _graph(rng, players, dice, pay, size, fan, is_even, circles, least) -> list[Node]:
    """Inner nodes first, then ends. Without circles a node leads only to later ones."""
    ends = rng.randint(1, 4)
    nodes = []
    for number in range(size):
        owner = rng.choice(_owners(rng, players, dice))
        count = rng.choice((1, 2, 4)) if is_even and owner == CHANCE else rng.randint(least, fan)
        first = 0 if circles else number + 1
        near = min(size + ends, first + (size + ends if circles else 4))
        targets = [
            rng.randrange(first, near) if rng.random() < 0.8 else rng.randrange(size, size + ends) for _ in range(count)
        ]
        nodes.append(Node(owner, _moves(rng, owner, targets, is_even)))
    nodes += [Node(rng.randrange(players), payoffs=pay()) for _ in range(ends)]
    return nodes


def without_strays(nodes: list[Node]) -> list[Node]:
    """Only what can be reached, numbered anew."""
    found, numbers = [0], {0: 0}
    for number in found:
        for move in nodes[number].moves:
            if move.to not in numbers:
                numbers[move.to] = len(found)
                found.append(move.to)
    return [_renumbered(nodes[number], numbers) for number in found]


def _renumbered(node: Node, numbers: dict[int, int]) -> Node:
    moves = tuple(Move(**{**vars(move), "to": numbers[move.to]}) for move in node.moves)
    return Node(**{**vars(node), "moves": moves, "passed": numbers.get(node.passed, -1)})


def _game(
    rng: random.Random,
    *,
    players: int = 2,
    zero_sum: bool = True,
    dice: bool = False,
    rule: int = 0,
    circles: bool = False,
    scale=None,
    size: int = 9,
    fan: int = 3,
    least: int = 1,
    form: str = "",
    knowledge: tuple[str, ...] | None = None,
    most: int = 4,
    **more,
) -> Description:
    """A game with some knowledge; `knowledge` says what, None draws it."""
    is_even = dice and (players > 2 or not zero_sum) and players > 1
    scale = scale or (rng.choice(SCALES) if players <= 2 and zero_sum else FEW)

    def pay() -> tuple[float, ...]:
        return _payoffs(rng, players, zero_sum, scale)

    form = form or ("circles" if circles else rng.choice(("tree", "graph", "graph")))
    if form == "tree":
        nodes = _tree(rng, players, dice, pay, rng.randint(2, 4 if size < 20 else 5), fan, is_even, least)
    else:
        nodes = _graph(rng, players, dice, pay, rng.randint(min(3, size), size), fan, is_even, circles, least)
    nodes = without_strays(nodes)
    highest = max([1.0, *(abs(payoff) for node in nodes for payoff in node.payoffs)])
    low, high = (-highest, highest) if zero_sum or players == 1 else (min(scale), max(scale))
    low, high = more.pop("low", low), more.pop("high", high)
    if players > 2 and zero_sum:
        low, high = -highest, highest
    found = Description(tuple(nodes), players, zero_sum, rule, low, high, **more)
    names = _drawn_knowledge(rng, found, most) if knowledge is None else knowledge
    return with_knowledge(rng, found, names)


def _drawn_knowledge(rng: random.Random, described: Description, most: int) -> tuple[str, ...]:
    names = set(rng.sample(PLAIN, rng.randint(0, most)))
    if rng.random() < 0.8:
        names.add("evaluate")
    if described.shape == "number":
        names |= {name for name in ("key", "passing") if rng.random() < 0.3}
    if described.players > 2 and rng.random() < 0.5:
        names.add("together")
    if described.rule or described.clock or not described.is_acyclic:
        names -= {"candidates", "ending"}
    return tuple(sorted(names))


def with_knowledge(rng: random.Random, described: Description, names: tuple[str, ...]) -> Description:
    """The same game with what the optional methods say, which is wrong more often than not."""
    span = described.high - described.low if described.is_bounded else 4.0
    low = described.low if math.isfinite(described.low) else min(-2.0, described.high - span)

    def estimate() -> tuple[float, ...]:
        if described.zero_sum and described.players > 2:
            return (0.0,) * described.players
        drawn = [low + span * rng.choice((0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)) for _ in range(described.players)]
        return (drawn[0], -drawn[0]) if described.is_opposed else tuple(drawn)

    nodes = []
    for node in described.nodes:
        others = [
            number for number, other in enumerate(described.nodes) if other.moves and other.owner == 1 - node.owner
        ]
        moves = tuple(
            Move(
                **{
                    **vars(move),
                    "order": rng.choice((0.0, 0.0, 1.0, 2.0, -1.0)),
                    "noisy": rng.random() < 0.4,
                    "gain": rng.choice((0.0, 0.5, 1.0)),
                    "exchange": rng.choice((-1.0, 0.0, 1.0)),
                    "prior": rng.choice((0.1, 1.0, 5.0)),
                    "extra": rng.random() < 0.5,
                }
            )
            for move in node.moves
        )
        nodes.append(
            Node(
                **{
                    **vars(node),
                    "moves": moves,
                    "estimate": estimate() if node.moves else (),
                    "threatened": rng.random() < 0.2,
                    "passed": rng.choice(others) if others and node.moves and rng.random() < 0.6 else -1,
                }
            )
        )
    swing = rng.choice((math.inf, 0.1, 1.0)) if "evaluate" in names else math.inf
    return described.changed(nodes=tuple(nodes), knows=names, tightness=rng.randrange(3), swing=swing)


# -- kinds -------------------------------------------------------------------------------------------------------------


def trees(rng, **more):
    """Two opponents on a tree; the same player may move again, and either may begin."""
    return _game(rng, form="tree", **more)


def transpositions(rng, **more):
    """Two opponents on a graph without circles."""
    return _game(rng, form="graph", **more)


def dice(rng, **more):
    """Two opponents and uneven dice; chance after chance, and chance first."""
    return _game(rng, dice=True, **more)


def bushes(rng, **more):
    """Larger trees and graphs, which a search that is stopped has not seen to their end; with dice or without."""
    knowledge = more.pop("knowledge", None)
    form = rng.choice(("tree", "graph"))
    found = _game(rng, form=form, dice=rng.random() < 0.4, scale=SMALL, size=25, fan=3, least=2, knowledge=(), **more)
    names = knowledge if knowledge is not None else tuple(sorted({"evaluate", *_drawn_knowledge(rng, found, 2)}))
    return with_knowledge(rng, found, names)


def solo(rng, **more):
    """One player, with or without dice."""
    scale = rng.choice((SMALL, WHOLE, (0.0, 1.0, 2.0, 3.0)))
    more = {"dice": rng.random() < 0.6, "zero_sum": False, "scale": scale, **more}
    return _game(rng, players=1, **more)


def many(rng, **more):
    """Three or four players, ties everywhere."""
    more = {"players": rng.choice((3, 3, 4)), "zero_sum": rng.random() < 0.2, **more}
    scale = WHOLE if more["zero_sum"] else rng.choice((FEW, (0.0, 4.0), (0.0, 1.0, 2.0, 3.0, 4.0)))
    return _game(rng, scale=scale, size=10, **more)


def many_with_dice(rng, **more):
    """Three or four players and dice."""
    return many(rng, dice=True, **more)


def general(rng, **more):
    """Two players whose payoffs do not cancel."""
    return _game(rng, zero_sum=False, scale=FEW, dice=rng.random() < 0.5, **more)


def circles(rng, **more):
    """Two opponents whose positions recur; play that never ends is a draw."""
    return _game(rng, circles=True, size=7, **more)


def circles_with_dice(rng, **more):
    """The same with dice, or alone."""
    players = rng.choice((1, 2, 2))
    more = {"players": players, "zero_sum": players == 2, "scale": SMALL, **more}
    return _game(rng, circles=True, dice=True, size=4, **more)


def open_circles(rng, **more):
    """Positions recur, and `utility_range` is infinite on one side or both: a draw pays its number next to 0."""
    players = rng.choice((1, 1, 2))
    ranges = ((-9.0, math.inf), (-math.inf, 9.0), (-math.inf, math.inf))
    if players == 1:
        ranges = ((-math.inf, -2.0), (2.0, math.inf), (-9.0, math.inf))
    low, high = rng.choice(ranges)
    scale = tuple(payoff for payoff in (-9.0, -4.0, -2.0, 0.0, 1.0, 3.0, 9.0) if low <= payoff <= high)
    more = {"players": players, "zero_sum": players == 2, "scale": scale, "rule": rng.choice((0, 0, 2, 3, -1)), **more}
    return _game(rng, circles=True, low=low, high=high, size=6, **more)


def _ruled(rng, rule, **more):
    scale = more.pop("scale", None) or rng.choice((WIN_DRAW_LOSE, WIN_OR_LOSE, WHOLE, HALVES))
    more = {"margins": scale in (WHOLE, HALVES), **more}
    if scale is HALVES:
        more |= {"low": -2.5, "high": 2.5}
    found = _game(rng, rule=rule, circles=True, scale=scale, size=more.pop("size", 6), **more)
    return with_history(rng, found)


def superko(rng, **more):
    """Repetition is forbidden; moves may have been played already."""
    return _ruled(rng, -1, **more)


def mazes(rng, **more):
    """Many circles, few ends, and repetition is forbidden, or a draw: where the way to a position decides its value."""
    size, ends = rng.randint(6, 8), (-1.0, 1.0)
    nodes = []
    for _ in range(size):
        doors = [
            rng.randrange(size) if rng.random() > 0.15 else size + rng.randrange(2) for _ in range(rng.randint(1, 3))
        ]
        nodes.append(Node(rng.randrange(2), tuple(Move(to) for to in doors)))
    nodes += [Node(payoffs=(payoff, -payoff)) for payoff in ends]
    found = Description(tuple(without_strays(nodes)), rule=rng.choice((-1, -1, -1, 2)))
    return with_knowledge(rng, found, more.get("knowledge") or rng.choice(((), ("order",))))


def draw_at_two(rng, **more):
    return _ruled(rng, 2, **more)


def draw_at_three(rng, **more):
    return _ruled(rng, 3, size=4, fan=2, **more)


def skewed(rng, **more):
    """Positions recur, and `utility_range` is wider on one side: a draw pays 0 to both all the same."""
    low, high = rng.choice(((-2.0, 6.0), (-7.0, 2.0), (-2.0, 3.0)))
    rule = rng.choice((0, 2, 3, -1))
    more = {"scale": WHOLE, "margins": True, "size": 4 if rule == 3 else 6, "fan": 2, **more}
    return with_history(rng, _game(rng, rule=rule, circles=True, low=low, high=high, **more))


def ruled_many(rng, **more):
    """Repetition with dice, alone, or among many: searches that cannot handle it must not claim anything."""
    players = rng.choice((1, 2, 3))
    has_dice = rng.random() < 0.5
    scale = WHOLE if players < 3 else FEW
    rule = rng.choice((2, -1))
    more = {"players": players, "zero_sum": players == 2, "dice": has_dice, "scale": scale, "size": 5, **more}
    return with_history(rng, _game(rng, rule=rule, circles=True, fan=2, **more))


def clocked(rng, **more):
    """Circles and a clock, which repetition does not look at; states are tuples or named tuples."""
    rule = rng.choice((0, 0, 2, 3, -1))
    shape, size = rng.choice(("tuple", "spot")), 3 if rule == 3 else 5
    found = _game(rng, circles=True, rule=rule, clock=rng.randint(3, 6), shape=shape, scale=SMALL, size=size, **more)
    nodes = [
        node if node.payoffs else Node(**{**vars(node), "payoffs": _payoffs(rng, 2, True, SMALL)})
        for node in found.nodes
    ]
    return with_history(rng, found.changed(nodes=tuple(nodes)))


def unbounded(rng, **more):
    """Payoffs without limits, or with one."""
    players = rng.choice((1, 1, 2, 2, 3))
    zero_sum = players == 2 and rng.random() < 0.7
    low, high = rng.choice(((-math.inf, math.inf), (-9.0, math.inf), (-math.inf, 9.0)))
    scale = (-9.0, -4.0, -1.0, 0.0, 1.0, 4.0, 9.0) if players < 3 else FEW
    more = {"players": players, "zero_sum": zero_sum, "dice": rng.random() < 0.3, "scale": scale, **more}
    return _game(rng, low=low, high=high, size=12, **more)


def ladder(rng, **more):
    """One player, or two opponents, on a long way where the good payoffs are hard to find; without limits."""
    players, length = rng.choice((1, 1, 2)), rng.randint(4, 9)
    nodes, ends = [], []
    for step in range(length):
        better, payoff = float((step + 1) ** 2), float(rng.randint(0, 3))
        ends.append(Node(0, payoffs=(payoff, -payoff)[:players]))
        nodes.append(
            Node(0 if step % 2 == 0 or players == 1 else rng.randrange(2), (Move(step + 1), Move(length + 1 + step)))
        )
    nodes.append(Node(0, payoffs=(better, -better)[:players]))
    found = Description(
        tuple(nodes + ends), players, players == 2, low=-math.inf if players == 2 else 0.0, high=math.inf
    )
    return with_knowledge(rng, found, more.get("knowledge") or ())


def margins(rng, **more):
    """Half points, in games that end."""
    return _game(rng, scale=HALVES, margins=True, low=-2.5, high=2.5, **more)


def wide(rng, **more):
    """Payoffs of very different sizes, and some that are hardly different: ply costs must not confuse them."""
    most = rng.choice((1.0, 1e6, 1e17, 3e-9))
    third = most / 3
    near = (third, math.nextafter(third, 0), math.nextafter(third, most), -third, 0.0)
    scale = rng.choice((near, (*near, -most, -1e-15 * most, 1e-12 * most, 1e-15 * most, most)))
    return _game(rng, scale=scale, size=14, **more)


def mirrored(rng, **more):
    """Symmetric states: in a mirror image the moves have other numbers, and come in another order."""
    players = rng.choice((1, 2, 2, 2, 3))
    shape = rng.choice(("tuple", "spot"))
    more = {"players": players, "zero_sum": players == 2, "dice": rng.random() < 0.4, "shape": shape, **more}
    rule = rng.choice((0, 0, -1, 2)) if players == 2 and not more["dice"] else 0
    found = _game(rng, circles=rule != 0, rule=rule, size=6 if rule else 9, **more)
    nodes = [
        Node(
            **{**vars(node), "moves": tuple(Move(**{**vars(move), "flips": rng.random() < 0.4}) for move in node.moves)}
        )
        for node in found.nodes
    ]
    knows = tuple(sorted({*found.knows, "canonical"}))
    return with_history(rng, found.changed(nodes=tuple(nodes), knows=knows))


def banked(rng, **more):
    """Points that are won on the way and never lost again."""
    more = {"dice": rng.random() < 0.3, **more}
    found = _game(rng, shape="tuple", scale=SMALL, form="graph", margins=True, low=-9.0, high=9.0, **more)
    nodes = [
        Node(
            **{
                **vars(node),
                "moves": tuple(
                    Move(**{**vars(move), "score": rng.choice((-2, -1, 0, 0, 1, 2))}) for move in node.moves
                ),
            }
        )
        for node in found.nodes
    ]
    names = tuple(sorted({*found.knows, "bank"} - {"ending"}))
    return found.changed(nodes=tuple(nodes), knows=names)


def typed(rng, **more):
    """States whose types change after the first move."""
    return _game(rng, shape="tuple", **more)


def spots(rng, **more):
    """States that are named tuples."""
    return _game(rng, shape="spot", **more)


def naive(rng, **more):
    """States that are dicts, changed in place; with dice, many players, circles or a rule for repetition."""
    more = {"shape": rng.choice(("naive", "naive moves")), **more}
    form = rng.randrange(5)
    if form == 0:
        return _game(rng, dice=True, **more)
    if form == 1:
        return many(rng, **more)
    if form == 2:
        return _game(rng, circles=True, size=6, **more)
    if form == 3:
        return _ruled(rng, rng.choice((-1, 2, 3)), size=5, fan=2, **more)
    return _game(rng, **more)


def objects(rng, **more):
    """States that are objects: of classes with equal fields, with a hash that different ones share, and fractions."""
    more = {"shape": "objects", **more}
    form = rng.randrange(4)
    if form == 0:
        return _game(rng, dice=True, size=14, **more)
    if form == 1:
        return many(rng, **more)
    if form == 2:
        return _ruled(rng, rng.choice((-1, 2, 3)), size=5, fan=2, **more)
    return _game(rng, size=14, **more)


def hidden(rng, players=2, zero_sum=True, **more):
    """Information sets: a player sees a mark, which decides how many moves there are; dice, rare ones among them."""
    scale = rng.choice((WHOLE, HALVES, (-1.0, 1.0), (-(2.0**-50), 0.0, 1.0), (0.0, 2.0**-1040, -(2.0**-1040))))
    rare = rng.choice((1, 1, 1, 10**13, 1 << 62))
    nodes: list[Node] = [Node()]

    def grow(number: int, depth: int) -> None:
        if depth == 0 or (number and rng.random() < 0.15):
            nodes[number] = Node(payoffs=_payoffs(rng, players, zero_sum, scale))
            return
        owner, seen = rng.choice(_owners(rng, players, rng.random() < 0.6)), rng.randrange(3)
        targets = list(range(len(nodes), len(nodes) + 2 + seen % 2))
        nodes.extend(Node() for _ in targets)
        moves = _moves(rng, owner, targets, is_even=False)
        if owner == CHANCE:
            moves = (Move(moves[0].to, moves[0].weight * rare or 1), *moves[1:])
        nodes[number] = Node(owner, moves, seen=seen)
        for target in targets:
            grow(target, depth - 1)

    grow(0, rng.choice((2, 3, 3, 4)))
    highest = max([1.0, *(abs(payoff) for node in nodes for payoff in node.payoffs)])
    low, high = (-highest, highest) if zero_sum else (min(0.0, *scale), max(scale))
    return Description(tuple(without_strays(nodes)), players, zero_sum, low=low, high=high, shape="hidden")


def hidden_constant(rng, **more):
    """The same for two players whose payoffs always sum to a number that is not 0, or almost always."""
    found = hidden(rng, 2)
    total = rng.choice((1.0, 1.0, 3.0, -0.5, 2.0**-50))
    ends = [number for number, node in enumerate(found.nodes) if not node.moves]
    odd = {rng.choice(ends): rng.choice((1.0, 2.0**-40))} if rng.random() < 0.2 else {}
    nodes = [
        node if node.moves else replace(node, payoffs=(node.payoffs[0], total - node.payoffs[0] + odd.get(number, 0.0)))
        for number, node in enumerate(found.nodes)
    ]
    payoffs = [payoff for node in nodes for payoff in node.payoffs]
    return found.changed(nodes=tuple(nodes), zero_sum=False, low=min(payoffs), high=max(payoffs))


def hidden_general(rng, **more):
    """The same for two or three players whose payoffs need not cancel."""
    players = rng.choice((2, 3))
    return hidden(rng, **{"players": players, "zero_sum": players == 3 and rng.random() < 0.4, **more})


def tables(rng, **more):
    """Two players who move at the same time, once; ties are frequent."""
    zero_sum, scale = rng.random() < 0.4, rng.choice((WHOLE, HALVES, (0.0, 1.0), (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0)))
    rows, cols = rng.randint(1, 4), rng.randint(1, 4)
    ends = [Node(payoffs=_payoffs(rng, 2, zero_sum, scale)) for _ in range(rows * cols)]
    inner = [Node(1, tuple(Move(1 + rows + cols * row + col) for col in range(cols))) for row in range(rows)]
    nodes = (Node(0, tuple(Move(1 + row) for row in range(rows))), *inner, *ends)
    highest = max([1.0, *map(abs, scale)])
    return Description(nodes, zero_sum=zero_sum, low=-highest, high=highest, shape="hidden")


def factors(rng, **more):
    """Numbers beyond 64 bits."""
    found = _game(rng, shape="factors", scale=WIN_OR_LOSE, form="graph", knowledge=more.get("knowledge") or (), size=7)
    nodes = [
        Node(
            **{
                **vars(node),
                "moves": tuple(
                    Move(**{**vars(move), "factor": rng.choice((2, 3, 1000003, 1 << 31, 1 << 40, (1 << 62) + 1))})
                    for move in node.moves
                ),
            }
        )
        for node in found.nodes
    ]
    return found.changed(nodes=tuple(nodes))


def division(rng, **more):
    """Somewhere the rules divide by zero."""
    shape = rng.choice(("divided", "divided way"))
    found = _game(rng, shape=shape, scale=SMALL, form="graph", knowledge=more.get("knowledge") or (), size=7)
    ends = [number for number, node in enumerate(found.nodes) if not node.moves]
    nodes = list(found.nodes)
    for number in rng.sample(ends, 1):
        nodes[number] = Node(**{**vars(nodes[number]), "divisor": 0})
    return found.changed(nodes=tuple(nodes))


def not_numbers(rng, **more):
    """Somewhere the payoff is not a number."""
    found = _game(
        rng, scale=SMALL, dice=rng.random() < 0.3, form="graph", knowledge=more.get("knowledge") or (), size=7
    )
    ends = [number for number, node in enumerate(found.nodes) if not node.moves]
    nodes = list(found.nodes)
    for number in rng.sample(ends, 1):
        nodes[number] = Node(**{**vars(nodes[number]), "payoffs": (math.nan, math.nan)})
    return found.changed(nodes=tuple(nodes))


KINDS = {
    kind.__name__: kind
    for kind in (
        trees,
        transpositions,
        dice,
        bushes,
        solo,
        many,
        many_with_dice,
        general,
        circles,
        circles_with_dice,
        open_circles,
        superko,
        mazes,
        draw_at_two,
        draw_at_three,
        skewed,
        ruled_many,
        clocked,
        unbounded,
        ladder,
        margins,
        wide,
        mirrored,
        banked,
        typed,
        spots,
        naive,
        objects,
        hidden,
        hidden_constant,
        hidden_general,
        tables,
        factors,
        division,
        not_numbers,
    )
}
NONSENSE = ("factors", "division", "not_numbers")
"""Kinds whose rules go wrong somewhere: an error is as good an answer as any."""


def with_history(rng: random.Random, described: Description) -> Description:
    """A few moves into the game, if it goes on that long."""
    from exactness.graph import built
    from zermelo.core.frozen import thaw
    from zermelo.core.referee import Referee

    referee, played = Referee(built(described)), []
    for _ in range(rng.choice((0, 0, 1, 2, 3, 5))):
        if referee.is_over:
            break
        legal = referee.legal()
        if not legal:
            break
        action = rng.choice(legal)
        referee.play(action)
        played.append(referee.game.place(thaw(action)))
    while played and (referee.is_over or not referee.legal()):
        referee.undo()
        played.pop()
    return described.changed(history=tuple(played))


def with_chance_at_the_end(described: Description) -> Description:
    """Nobody moves at the end, so whatever `to_move` returns there must not matter."""
    nodes = [node if node.moves else Node(**{**vars(node), "owner": CHANCE}) for node in described.nodes]
    return described.changed(nodes=tuple(nodes))


def drawn(kind: str, seed: int, fixed: tuple[str, ...] | None = None, players: int | None = None) -> Description:
    """The game of a kind and a seed, with the given knowledge and number of players, if any."""
    rng = random.Random(f"{kind}/{seed}")
    given = {"knowledge": fixed} if fixed is not None else {}
    found = KINDS[kind](rng, **given, **({"players": players} if players else {}))
    if random.Random(f"{kind}/{seed}/ends").random() < 0.15:
        found = with_chance_at_the_end(found)
    if kind in NONSENSE or found.history or found.is_hidden:
        return found
    is_rolled = found.nodes[0].owner == CHANCE
    return with_history(rng, found) if rng.random() < (0.8 if is_rolled else 0.2) else found
