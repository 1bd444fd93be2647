"""Random games whose positions recur, and what they are worth by trying all strategies, in fractions."""

import itertools
from fractions import Fraction
from typing import NamedTuple

from zermelo.core.game import CHANCE, Game
from zermelo.kernel import Memory, load, load_real, store, store_real

OVER = -2
NODE, EDGE = 64, 2
DRAW = Fraction(0)


class Node(NamedTuple):
    """A player's number, CHANCE or OVER; moves as (node, probability), or one payoff per player."""

    owner: int
    moves: tuple = ()
    payoffs: tuple = ()


class Graph(Game):
    """A game on a graph of nodes; it is kept in memory, so that one compilation serves all of a kind."""

    chance = True
    utility_range = (-1, 1)
    runtime = ("memory",)
    not_compiled = ("cells", "nodes")

    def __init__(self, nodes):
        self.nodes = nodes
        self.cells = Memory(NODE * len(nodes))
        self.memory = self.cells.address
        for number, node in enumerate(nodes):
            store(self.memory, NODE * number, node.owner)
            store(self.memory, NODE * number + 1, len(node.moves))
            for place, (to, probability) in enumerate(node.moves):
                store(self.memory, NODE * number + 2 + EDGE * place, to)
                store_real(self.memory, NODE * number + 3 + EDGE * place, float(probability))
            for player, payoff in enumerate(node.payoffs):
                store_real(self.memory, NODE * number + 2 + player, float(payoff))

    def initial(self):
        return 0

    def to_move(self, state):
        return load(self.memory, NODE * state)

    def actions(self, state):
        for place in range(load(self.memory, NODE * state + 1)):  # noqa: UP028 - `yield from` does not compile
            yield place

    def outcomes(self, state):
        for place in range(load(self.memory, NODE * state + 1)):
            yield place, load_real(self.memory, NODE * state + 3 + EDGE * place)

    def result(self, state, action):
        return load(self.memory, NODE * state + 2 + EDGE * action)

    def is_terminal(self, state):
        return load(self.memory, NODE * state) == OVER

    def utility(self, state, player):
        return load_real(self.memory, NODE * state + 2 + player)


class SoloGraph(Graph):
    players = 1


class TrioGraph(Graph):
    players = 3
    zero_sum = False


def random_graph(rng, size, owners, payoffs, players=2, fan=3):
    """Nodes in any order, self-loops and impossible rolls included; the last ones are over."""
    ends = rng.randint(1, 3)
    nodes = []
    for _ in range(size):
        owner = rng.choice(owners)
        moves = [rng.randrange(size + ends) for _ in range(rng.randint(1, fan))]
        weights = [rng.choice([0, 1, 1, 2, 3]) for _ in moves]
        if not sum(weights):
            weights[0] = 1
        shares = [Fraction(weight, sum(weights)) if owner == CHANCE else Fraction(0) for weight in weights]
        nodes.append(Node(owner, tuple(zip(moves, shares, strict=True))))
    for _ in range(ends):
        first = rng.choice(payoffs)
        others = (-first,) if players == 2 else tuple(rng.choice(payoffs) for _ in range(players - 1))
        nodes.append(Node(OVER, payoffs=(first, *others)))
    return nodes


def true_values(nodes):
    """What each node is worth to the first player, by all strategies of both."""
    mine, theirs = ([n for n, node in enumerate(nodes) if node.owner == owner] for owner in (0, 1))
    lowest = {}
    for moves in itertools.product(*(range(len(nodes[n].moves)) for n in mine)):
        answers = [
            chain_values(nodes, dict(zip([*mine, *theirs], [*moves, *replies], strict=True)))
            for replies in itertools.product(*(range(len(nodes[n].moves)) for n in theirs))
        ]
        lowest[moves] = [min(column) for column in zip(*answers, strict=True)]
    return [max(column) for column in zip(*lowest.values(), strict=True)]


def chain_values(nodes, choice, player=0):
    """What each node is worth to a player if everybody always does the same; a game without an end is a draw."""
    steps = {
        n: [(to, p) for to, p in node.moves if p > 0] if node.owner == CHANCE else [(node.moves[choice[n]][0], 1)]
        for n, node in enumerate(nodes)
        if node.owner != OVER
    }
    ending = {n for n, node in enumerate(nodes) if node.owner == OVER}
    while more := {n for n in steps if n not in ending and any(to in ending for to, _ in steps[n])}:
        ending |= more
    values = [node.payoffs[player] if node.owner == OVER else DRAW for node in nodes]
    inner = [n for n in steps if n in ending]
    rows = []
    for n in inner:
        row = [Fraction(int(n == other)) for other in inner] + [DRAW]
        for to, p in steps[n]:
            if to in inner:
                row[inner.index(to)] -= p
            else:
                row[-1] += p * values[to]
        rows.append(row)
    for n, value in zip(inner, solved(rows), strict=True):
        values[n] = value
    return values


def solved(rows):
    """The solution of linear equations, each row with its right side last."""
    size = len(rows)
    for column in range(size):
        pivot = next(row for row in range(column, size) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [item / rows[column][column] for item in rows[column]]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [row[-1] for row in rows]
