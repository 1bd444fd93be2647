"""The tree of `mcts` in flat memory, for hundreds of thousands of simulations: the lecture's four steps, compiled.

Its memory has two parts: the book, with a line for each simulation, and the nodes. With the book the tree can be had as
it was after any simulation: `recount` counts the book again. Games go on at random as the game itself draws moves
(`sample`). The same seed gives the same tree, interpreted and compiled.
"""

from __future__ import annotations

import math
from typing import NewType, Self

from zermelo.core.game import CHANCE, NO_ACTION, Action, Game, State
from zermelo.kernel import GOLDEN, U64, Memory, Reals, Record, array, draw_below, kernel, mix, number
from zermelo.kernel.records import CELL
from zermelo.textbook.mcts import LONGEST_PLAYOUT

Node = NewType("Node", int)
"""The number of a node: nodes are numbered in the order in which they were planted."""
ROOT, NO_NODE = Node(0), Node(-1)
UNKNOWN = -1


class Line(Record):
    """A line of the book: what is known of a simulation."""

    leaf: Node
    """Where it left the tree."""
    size: int
    """The number of nodes after it."""
    payoffs: Reals = array(Reals, 0)
    """What was paid, one per player."""


class TreeNode(Record):
    """What is known of a node."""

    parent: Node
    index: int
    """The place of its move among those of its parent."""
    first_child: Node
    last_child: Node
    next_sibling: Node
    visits: int
    branches: int
    """The number of its moves or outcomes; UNKNOWN until it is left for the first time."""
    tried: int
    """The number of those that have been tried."""
    order: U64
    """A random word that says in which order they are tried."""
    visits_then: int
    """The visits as they were; see `recount`."""
    paid: Reals = array(Reals, 0)
    """The sums of what was paid, one per player; then the sums as they were, one per player."""


class GrowingTree(Record):
    """The tree; its nodes and then its book follow it in memory."""

    count: int
    """The number of nodes."""
    room: int
    """Simulations for which there is room."""
    done: int
    """The number of simulations."""
    then: int
    """The simulations that visits and payoffs "as they were" are of."""
    random_state: U64
    """The state of the random numbers."""
    players: int
    book: int
    """The address of the first line."""
    line_bytes: int
    node_bytes: int

    @classmethod
    def create(cls, game: Game, room: int, seed: int) -> Self:
        """A tree with an unvisited root, and room for this many simulations."""
        line_cells, node_cells = Line.cells + game.players, TreeNode.cells + 2 * game.players
        memory = Memory(cls.cells + (room + 1) * node_cells + room * line_cells)
        found = cls(memory.address, [memory])
        found.room, found.random_state, found.players = room, U64(seed), game.players
        found.line_bytes, found.node_bytes = CELL * line_cells, CELL * node_cells
        found.book = memory.address + CELL * (cls.cells + (room + 1) * node_cells)
        found.plant(NO_NODE, 0)
        return found

    def line(self, simulation: int) -> Line:
        """The line of a simulation; they are numbered from 0."""
        return Line(self.book + simulation * self.line_bytes)

    def node(self, node: Node) -> TreeNode:
        return TreeNode(self.address + TREE_BYTES + node * self.node_bytes)

    def plant(self, parent: Node, index: int) -> Node:
        """Add a node as the last child of its parent; returns it."""
        node = Node(self.count)
        self.count = node + 1
        new = self.node(node)
        new.parent, new.index, new.branches = parent, index, UNKNOWN
        new.first_child, new.last_child, new.next_sibling = NO_NODE, NO_NODE, NO_NODE
        if parent != NO_NODE:
            above = self.node(parent)
            if above.first_child == NO_NODE:
                above.first_child = node
            else:
                self.node(above.last_child).next_sibling = node
            above.last_child = node
        return node

    def forget_counts(self) -> None:
        """Set visits and payoffs "as they were" to those before all simulations."""
        self.then = 0
        for place in range(self.count):
            node = self.node(Node(place))
            node.visits_then = 0
            for player in range(self.players):
                node.paid[self.players + player] = 0.0

    def draw(self) -> U64:
        """A random word: SplitMix64 [Steele, Lea & Flood 2014]."""
        self.random_state += GOLDEN
        return mix(self.random_state)


TREE_BYTES = CELL * GrowingTree.cells


@kernel
def grow_tree(game: Game, state: State, tree: GrowingTree, wanted: int, exploration: float) -> int:
    """Simulate until there are `wanted` simulations in total, or the memory is full; returns their number."""
    while tree.done < min(wanted, tree.room):
        node, here, is_new = ROOT, state, False
        while not is_new:
            this = tree.node(node)
            if this.branches == UNKNOWN:
                this.branches = max(game.count(here), 0)
            if this.branches == 0:
                break
            is_new = this.tried < this.branches
            if is_new:
                node = tree.plant(node, next_untried(tree, this))
            elif game.to_move(here) == CHANCE:
                node = child_at(tree, this, draw_outcome(game, here, tree))
            else:
                node = best_child(game, tree, this, game.to_move(here), exploration)
            here = game.result(here, action_at(game, here, tree.node(node).index))
        note(game, tree, node, play_out(game, here, tree))
    return tree.done


@kernel
def recount(tree: GrowingTree, wanted: int) -> int:
    """Set visits and payoffs "as they were" to those after this many simulations; returns their number."""
    if wanted < tree.then:
        tree.forget_counts()
    for simulation in range(tree.then, min(wanted, tree.done)):
        line = tree.line(simulation)
        node = line.leaf
        while node != NO_NODE:
            this = tree.node(node)
            this.visits_then += 1
            for player in range(tree.players):
                this.paid[tree.players + player] += line.payoffs[player]
            node = this.parent
        tree.then = simulation + 1
    return tree.then


# -- selecting -----------------------------------------------------------------------------------------


def best_child(game: Game, tree: GrowingTree, parent: TreeNode, mover: int, exploration: float) -> Node:
    """The child with the highest UCB1 for the mover; of equals, the first that was tried."""
    child, column = parent.first_child, max(0, min(mover, game.players - 1))
    best, highest = child, -math.inf
    rarity = math.log(parent.visits)
    while child != NO_NODE:
        this = tree.node(child)
        visits = this.visits
        score = this.paid[column] / visits + exploration * math.sqrt(rarity / visits)
        if score > highest:
            best, highest = child, score
        child = this.next_sibling
    return best


def child_at(tree: GrowingTree, parent: TreeNode, index: int) -> Node:
    """The child with this place among the moves; the first one if inconsistent rules have no such place."""
    child = parent.first_child
    while child != NO_NODE and tree.node(child).index != index:
        child = tree.node(child).next_sibling
    return child if child != NO_NODE else parent.first_child


def action_at(game: Game, state: State, index: int) -> Action:
    """The move, or the outcome, with this place."""
    place = 0
    if game.to_move(state) == CHANCE:
        for action, _ in game.outcomes(state):
            if place == index:
                return action
            place += 1
    else:
        for action in game.actions(state):
            if place == index:
                return action
            place += 1
    return 0


# -- expanding -----------------------------------------------------------------------------------------


def next_untried(tree: GrowingTree, node: TreeNode) -> int:
    """The next move to try: from a random start, in steps coprime to the number of moves."""
    branches, tried = node.branches, node.tried
    if tried == 0:
        node.order = tree.draw()
    order = node.order
    step = 1 + draw_below(mix(order), branches)
    while common_divisor(step, branches) > 1:
        step += 1
    node.tried = tried + 1
    return (draw_below(order, branches) + tried * step) % branches


def common_divisor(one: int, other: int) -> int:
    while other > 0:
        one, other = other, one % other
    return one


# -- simulating, back-propagating ------------------------------------------------------------------------


def play_out(game: Game, state: State, tree: GrowingTree) -> tuple[float, ...]:
    """The payoffs of a random playout; evaluations if it does not end."""
    for _ in range(LONGEST_PLAYOUT):
        if game.is_terminal(state):
            return game.utilities(state)
        if game.to_move(state) == CHANCE:
            state = game.result(state, action_at(game, state, draw_outcome(game, state, tree)))
        else:
            state = game.result(state, game.sample(state, NO_ACTION, tree.draw()))
    return game.evaluations(state)


def note(game: Game, tree: GrowingTree, leaf: Node, payoffs: tuple[float, ...]) -> None:
    """Add the payoffs to all nodes of the path, and the simulation to the book."""
    node = leaf
    while node != NO_NODE:
        this = tree.node(node)
        this.visits += 1
        for player in range(game.players):
            this.paid[player] += payoffs[player]
        node = this.parent
    line = tree.line(tree.done)
    line.leaf, line.size = leaf, tree.count
    for player in range(game.players):
        line.payoffs[player] = payoffs[player]
    tree.done += 1


def draw_outcome(game: Game, state: State, tree: GrowingTree) -> int:
    """Draw an outcome by its probability; returns its place."""
    luck, place, found = number(tree.draw() >> 11) * 2.0**-53, 0, 0
    for _, probability in game.outcomes(state):
        if luck >= 0 and probability > 0:
            found = place
        luck -= probability
        place += 1
    return found
