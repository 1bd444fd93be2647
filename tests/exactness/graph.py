"""A description as a game. All tables lie in flat memory that travels with the call, so that one compiled search serves
all games of a class; a class is made for each set of optional methods.

A node's cells:   owner | moves | passed or -1 | threatened | nearly over | divisor | seen | payoffs | estimates |
                  lows | highs
A move's cells:   to | probability | order | marks | gain | exchange | prior | score | factor
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from exactness.description import CHANCE, Description, order_of
from zermelo.core.game import Game
from zermelo.core.repetition import Repetition
from zermelo.kernel import U64, Memory, load, load_real, mix, state, store, store_real

OWNER, COUNT, PASSED, THREATENED, NEARLY_OVER, DIVISOR, SEEN, PAYOFFS = range(8)
MOST_PLAYERS, MOST_MOVES = 4, 8
ESTIMATES, LOWS, HIGHS = (PAYOFFS + part * MOST_PLAYERS for part in (1, 2, 3))
MOVES = PAYOFFS + 4 * MOST_PLAYERS
TO, PROBABILITY, ORDER, MARKS, GAIN, EXCHANGE, PRIOR, SCORE, FACTOR, MOVE = range(10)
NODE = MOVES + MOST_MOVES * MOVE
NOISY, FLIPS, CANDIDATE = 1, 2, 4
ENDING_HEIGHT = 2
EDGE = 1e-12


@state
class Spot(NamedTuple):
    """A state as a named tuple: the fields are those of `Tuples`."""

    node: int
    mirror: int
    clock: int
    score: int
    moved: bool


class Graph(Game):
    """States are the numbers of nodes, moves those of edges."""

    runtime = ("memory", "utility_range", "limit", "swing", "chance", "zero_sum")
    not_compiled = ("cells", "described", "max_payoff_sum", "margins")
    lists_as_drawn = True

    def __init__(self, described: Description) -> None:
        self.described = described
        self.chance, self.zero_sum, self.margins = described.chance, described.zero_sum, described.margins
        self.utility_range = (float(described.low), float(described.high))
        self.swing, self.limit = float(described.swing), described.clock
        if "together" in described.knows:
            self.max_payoff_sum = max_payoff_sum(described)
        self.cells = Memory(NODE * len(described.nodes))
        self.memory = self.cells.address
        fill(self.memory, described)

    # -- states: what the shapes do in their own way -------------------------------------------------

    def node(self, state):
        return NODE * state

    def mirror(self, state):
        return 0

    def score(self, state):
        return 0

    def is_late(self, state):
        return False

    def initial(self):
        return 0

    def number(self, state):
        return state

    def move(self, place):
        return place

    def place(self, action):
        return action

    def child(self, state, move):
        return load(self.memory, move + TO)

    # -- rules -----------------------------------------------------------------------------------------

    def edge(self, state, action):
        """The cell of the move; in a mirror image they are counted from the end."""
        node = self.node(state)
        if self.mirror(state) != 0:
            action = load(self.memory, node + COUNT) - 1 - action
        return node + MOVES + MOVE * action

    def to_move(self, state):
        return load(self.memory, self.node(state) + OWNER)

    def actions(self, state):
        if not self.is_terminal(state):
            count = load(self.memory, self.node(state) + COUNT)
            for place in range(count):
                if self.lists_as_drawn and self.mirror(state) != 0:
                    yield count - 1 - place
                else:
                    yield place

    def outcomes(self, state):
        for place in range(load(self.memory, self.node(state) + COUNT)):
            yield place, load_real(self.memory, self.edge(state, place) + PROBABILITY)

    def result(self, state, action):
        return self.child(state, self.edge(state, action))

    def is_terminal(self, state):
        return self.is_late(state) or load(self.memory, self.node(state) + COUNT) == 0

    def utility(self, state, player):
        score = self.score(state) * 0.5
        return load_real(self.memory, self.node(state) + PAYOFFS + player) + (score if player == 0 else -score)

    def format_state(self, state):
        return str(tuple(state)) if isinstance(state, tuple) else str(state)

    def spec(self):
        return "graph"

    def __reduce__(self):
        return built, (self.described,)


class Tuples(Graph):
    """States are tuples; whole numbers and False first, what the rules make of them later."""

    def node(self, state):
        return NODE * state[0]

    def mirror(self, state):
        return state[1]

    def score(self, state):
        return state[3]

    def is_late(self, state):
        return self.limit > 0 and state[2] >= self.limit

    def initial(self):
        return (0, 0, 0, 0, False)

    def child(self, state, move):
        flips = (load(self.memory, move + MARKS) & FLIPS) // FLIPS
        clock = state[2] + 1 if self.limit > 0 else 0
        return (load(self.memory, move + TO), state[1] ^ flips, clock, state[3] + load(self.memory, move + SCORE), True)

    def repetition_key(self, state):
        return (state[0], state[1], 0, state[3], True)


class Spots(Tuples):
    """The same with a class of their own."""

    def initial(self):
        return Spot(0, 0, 0, 0, False)

    def child(self, state, move):
        flips = (load(self.memory, move + MARKS) & FLIPS) // FLIPS
        clock = state.clock + 1 if self.limit > 0 else 0
        score = state.score + load(self.memory, move + SCORE)
        return Spot(load(self.memory, move + TO), state.mirror ^ flips, clock, score, True)

    def repetition_key(self, state):
        return Spot(state.node, state.mirror, 0, state.score, True)


class Naive(Graph):
    """States are dicts with lists in them, which the rules change in place.

    Equal positions are not written the same: the order of the dict and the zeros depend on the way. A node's last bit
    is in the type of what is `odd`: True, or 1.
    """

    format_state = Game.format_state

    def number(self, state):
        return 2 * state["halves"][0][0] + (state["odd"] is True)

    def node(self, state):
        return NODE * self.number(state)

    def initial(self):
        return {"halves": [[0], [None, "x"]], "odd": 1, "zero": 0}

    def child(self, state, move):
        to = load(self.memory, move + TO)
        state["halves"][0][0] = to // 2
        state["odd"] = True if to % 2 else 1
        state["zero"] = (0, 0.0, -0.0)[move % 3]
        name = ("halves", "odd", "zero")[move % 3]
        state[name] = state.pop(name)
        return state


class NaiveMoves(Naive):
    """Moves are tuples, and lists at dice."""

    def move(self, place):
        return (place, "a")

    def place(self, action):
        return action[0]

    def edge(self, state, action):
        return super().edge(state, self.place(action))

    def actions(self, state):
        for place in super().actions(state):
            yield self.move(place)

    def outcomes(self, state):
        for place in range(load(self.memory, self.node(state) + COUNT)):
            yield [place], load_real(self.memory, self.edge(state, [place]) + PROBABILITY)


@dataclass(frozen=True)
class Even:
    half: int


class Odd:
    """Equal to others by its node alone; different ones may have the same hash, which Python allows."""

    def __init__(self, node):
        self.node, self.met = node, []

    def __eq__(self, other):
        return isinstance(other, Odd) and self.node == other.node

    def __hash__(self):
        return hash(-1 - self.node % 4)


@dataclass(frozen=True)
class Third:
    half: int


class Objects(Graph):
    """States are objects of several classes, fractions among them, with equal fields or the same hash.

    A tuple of one number is not that number.
    """

    format_state = Game.format_state

    def number(self, state):
        if isinstance(state, tuple | int):
            return state[0] - 1 if isinstance(state, tuple) else state
        if isinstance(state, Fraction):
            return int(-state * 3) - 1
        return state.node if isinstance(state, Odd) else 4 * state.half + 2 * isinstance(state, Third)

    def node(self, state):
        return NODE * self.number(state)

    def initial(self):
        return Even(0)

    def child(self, state, move):
        to = load(self.memory, move + TO)
        kind = to % 4
        if to % 8 in (5, 6):
            return to if to % 8 == 6 else (to + 1,)
        if kind == 3:
            return Fraction(-1 - to, 3)
        return Odd(to) if kind == 1 else Third(to // 4) if kind == 2 else Even(to // 4)


class Factors(Graph):
    """States carry a number that moves multiply, beyond 64 bits; its remainder decides who gets the payoff."""

    def node(self, state):
        return NODE * state[0]

    def initial(self):
        return (0, 1)

    def child(self, state, move):
        return (load(self.memory, move + TO), state[1] * load(self.memory, move + FACTOR))

    def utility(self, state, player):
        payoff = load_real(self.memory, self.node(state) + PAYOFFS + player)
        return payoff if state[1] % 7 < 4 else -payoff


class Divided(Graph):
    """Payoffs are divided; a divisor of 0 is a mistake in the rules."""

    def utility(self, state, player):
        node = self.node(state)
        return load_real(self.memory, node + PAYOFFS + player) * (12 // load(self.memory, node + DIVISOR)) / 12


class DividedWay(Graph):
    """Dividing by 0 on the way to a state, not in what it pays."""

    def child(self, state, move):
        to = load(self.memory, move + TO)
        return to + 0 * (12 // load(self.memory, NODE * to + DIVISOR))


class Hidden(Graph):
    """The player to move sees a mark of the node, which several nodes may share."""

    hidden = True

    def view(self, state, player):
        return load(self.memory, self.node(state) + SEEN) if self.to_move(state) == player else -1


# -- knowledge ---------------------------------------------------------------------------------------------------------


class Knows:
    class Evaluate:
        def evaluate(self, state, player):
            return load_real(self.memory, self.node(state) + ESTIMATES + player)

    class Order:
        def order(self, state, action):
            return load_real(self.memory, self.edge(state, action) + ORDER)

    class Key:
        def key(self, state):
            return mix(U64(self.node(state)) ^ U64(0x9E3779B97F4A7C15))

    class Canonical:
        def canonical(self, state):
            return (state[0], 0, state[2], state[3], state[4])

    class CanonicalSpot:
        def canonical(self, state):
            return Spot(state.node, 0, state.clock, state.score, state.moved)

    class Bounds:
        def bounds(self, state, player):
            node, score = self.node(state), self.score(state) * 0.5
            own = score if player == 0 else -score
            return load_real(self.memory, node + LOWS + player) + own, load_real(
                self.memory, node + HIGHS + player
            ) + own

    class Noisy:
        def is_noisy(self, state, action):
            return load(self.memory, self.edge(state, action) + MARKS) & NOISY != 0

    class Gain:
        def gain(self, state, action):
            return load_real(self.memory, self.edge(state, action) + GAIN)

    class Exchange:
        def exchange(self, state, action):
            return load_real(self.memory, self.edge(state, action) + EXCHANGE)

    class Threats:
        def is_threatened(self, state):
            return load(self.memory, self.node(state) + THREATENED) != 0

    class Passing:
        def may_pass(self, state):
            return load(self.memory, self.node(state) + PASSED) >= 0

        def after_pass(self, state):
            return load(self.memory, self.node(state) + PASSED)

    class Candidates:
        def candidates(self, state):
            for action in self.actions(state):
                if load(self.memory, self.edge(state, action) + MARKS) & CANDIDATE != 0:
                    yield action

    class Ending:
        def is_nearly_over(self, state):
            return load(self.memory, self.node(state) + NEARLY_OVER) != 0

    class Bank:
        def bank(self, state, player):
            return state[3] * 0.5 if player == 0 else state[3] * -0.5

        def without_bank(self, state):
            return (state[0], state[1], state[2], 0, state[4])

    class Prior:
        def prior(self, state, last, action):
            return load_real(self.memory, self.edge(state, action) + PRIOR)

    class Count:
        def count(self, state):
            return 0 if self.is_late(state) else load(self.memory, self.node(state) + COUNT)


KNOWLEDGE = {
    "evaluate": Knows.Evaluate,
    "order": Knows.Order,
    "key": Knows.Key,
    "canonical": Knows.Canonical,
    "bounds": Knows.Bounds,
    "noisy": Knows.Noisy,
    "gain": Knows.Gain,
    "exchange": Knows.Exchange,
    "threats": Knows.Threats,
    "passing": Knows.Passing,
    "candidates": Knows.Candidates,
    "ending": Knows.Ending,
    "bank": Knows.Bank,
    "prior": Knows.Prior,
    "count": Knows.Count,
}
SHAPES = {
    "number": Graph,
    "tuple": Tuples,
    "spot": Spots,
    "naive": Naive,
    "naive moves": NaiveMoves,
    "objects": Objects,
    "factors": Factors,
    "divided": Divided,
    "divided way": DividedWay,
    "hidden": Hidden,
}
ONLY_NUMBERS, ONLY_TUPLES = {"key", "passing"}, {"canonical", "bank"}
"""Knowledge that needs states of one shape."""


@cache
def graph_class(shape: str, knows: tuple[str, ...], players: int, rule: int, as_drawn: bool) -> type[Graph]:
    mixins = [KNOWLEDGE[name] for name in knows]
    if shape == "spot" and "canonical" in knows:
        mixins[mixins.index(Knows.Canonical)] = Knows.CanonicalSpot
    parts = "".join(part.title() for part in (shape.replace(" ", ""), *knows))
    name = f"Graph{parts}{players}{rule}{as_drawn:d}"
    body = {
        "name": "graph",
        "players": players,
        "repetition": Repetition(rule),
        "lists_as_drawn": as_drawn,
        "__module__": __name__,
    }
    return type(name.replace("-", "m"), (*mixins, SHAPES[shape]), body)


def built(described: Description) -> Graph:
    """The game; moves that were played already are another matter."""
    knows = tuple(name for name in sorted(described.knows) if name in KNOWLEDGE)
    made = graph_class(described.shape, knows, described.players, described.rule, not described.has_one_value)
    return made(described)


# -- tables ------------------------------------------------------------------------------------------------------------


def fill(memory: int, described: Description) -> None:
    heights, lows, highs, best = derived(described)
    for number, node in enumerate(described.nodes):
        cell = NODE * number
        store(memory, cell + OWNER, node.owner)
        store(memory, cell + COUNT, len(node.moves))
        store(memory, cell + PASSED, node.passed)
        store(memory, cell + THREATENED, int(node.threatened))
        store(memory, cell + NEARLY_OVER, int(heights[number] <= ENDING_HEIGHT))
        store(memory, cell + DIVISOR, node.divisor)
        store(memory, cell + SEEN, node.seen)
        for player in range(described.players):
            payoffs, estimate = node.payoffs or (0.0,) * described.players, node.estimate or (0.0,) * described.players
            store_real(memory, cell + PAYOFFS + player, payoffs[player])
            store_real(memory, cell + ESTIMATES + player, estimate[player])
            store_real(memory, cell + LOWS + player, lows[number][player])
            store_real(memory, cell + HIGHS + player, highs[number][player])
        total = sum(move.weight for move in node.moves)
        for place, move in enumerate(node.moves):
            edge = cell + MOVES + MOVE * place
            marks = NOISY * move.noisy | FLIPS * move.flips | CANDIDATE * (move.extra or place in best[number])
            store(memory, edge + TO, move.to)
            store_real(memory, edge + PROBABILITY, move.weight / total if node.owner == CHANCE else 0.0)
            store_real(memory, edge + ORDER, move.order)
            store(memory, edge + MARKS, marks)
            store_real(memory, edge + GAIN, move.gain)
            store_real(memory, edge + EXCHANGE, move.exchange)
            store_real(memory, edge + PRIOR, move.prior)
            store(memory, edge + SCORE, move.score)
            store(memory, edge + FACTOR, move.factor)


def derived(described: Description):
    """Per node: its height, the least and the most of each player's value, and the best moves, as far as known."""
    order = order_of(described.nodes)
    if order is None or described.clock or described.rule:
        return loosely_derived(described)
    return closely_derived(described, order)


def loosely_derived(described: Description):
    """In circles: all payoffs that there are, and the middle; every move is a candidate."""
    nodes, players = described.nodes, range(described.players)
    middle = 0.0 if described.zero_sum and described.players > 1 else (described.low + described.high) / 2
    if not described.is_bounded:
        middle = min(max(0.0, described.low), described.high)
    paid = [node.payoffs for node in nodes if node.payoffs and (described.clock or not node.moves)]
    least = tuple(min([middle, *(payoffs[player] for payoffs in paid)]) for player in players)
    most = tuple(max([middle, *(payoffs[player] for payoffs in paid)]) for player in players)
    lows = [node.payoffs if not node.moves else least for node in nodes]
    highs = [node.payoffs if not node.moves else most for node in nodes]
    return [1 << 20] * len(nodes), lows, highs, [range(len(node.moves)) for node in nodes]


def closely_derived(described: Description, order: list[int]):
    """Backward induction; the first of equal moves is played, as everywhere."""
    nodes, players = described.nodes, range(described.players)
    heights, best = [0] * len(nodes), [[] for _ in nodes]
    values, least, most = ([()] * len(nodes) for _ in range(3))
    slack = EDGE * max(1.0, *(abs(payoff) for node in nodes for payoff in node.payoffs)) if described.chance else 0.0
    for number in order:
        node = nodes[number]
        if not node.moves:
            paid = tuple(0.0 if math.isnan(payoff) else float(payoff) for payoff in node.payoffs)
            values[number] = least[number] = most[number] = paid
            continue
        heights[number] = 1 + max(heights[move.to] for move in node.moves)
        scores = [tuple(move.score * (0.5 if player == 0 else -0.5) for player in players) for move in node.moves]

        def shifted(table, nodes=node.moves, scores=scores):
            return [
                tuple(a + b for a, b in zip(table[move.to], score, strict=True))
                for move, score in zip(nodes, scores, strict=True)
            ]

        below = shifted(values)
        least[number] = tuple(min(column) for column in zip(*shifted(least), strict=True))
        most[number] = tuple(max(column) for column in zip(*shifted(most), strict=True))
        if node.owner == CHANCE:
            total = sum(move.weight for move in node.moves)
            values[number] = tuple(
                sum(move.weight * value for move, value in zip(node.moves, column, strict=True)) / total
                for column in zip(*below, strict=True)
            )
            best[number] = range(len(node.moves))
            continue
        highest = max(value[node.owner] for value in below)
        best[number] = [place for place, value in enumerate(below) if value[node.owner] >= highest - slack]
        values[number] = next(value for value in below if value[node.owner] == highest)
    share = described.tightness / 2

    def nearer(table, side):
        return [
            tuple(
                (1 - share) * end + share * value + side * (slack if nodes[number].moves else 0.0)
                if end != value
                else end
                for end, value in zip(table[number], values[number], strict=True)
            )
            for number in range(len(nodes))
        ]

    return heights, nearer(least, -1), nearer(most, 1), best


def max_payoff_sum(described: Description) -> float:
    """The most that all payoffs sum to, or all estimates."""
    sums = [sum(node.payoffs) for node in described.nodes if not node.moves or described.clock]
    sums += [sum(node.estimate) for node in described.nodes if node.estimate]
    return float(max([*sums, 0.0 if described.zero_sum else -math.inf]))
