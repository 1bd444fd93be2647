"""Random games with information sets, for comparisons with brute force. One compiled kernel serves all of them."""

import itertools
import random
from fractions import Fraction
from typing import NamedTuple

from zermelo.choice.linear_programme import maximise
from zermelo.core.game import CHANCE, Game
from zermelo.kernel import Numbers, state

END = -2
CELLS = 5
"""Of a node: mover, label, first child, number of children, payoff."""
LABELS = 3


@state
class Node(NamedTuple):
    number: int


class RandomGame(Game):
    """A tree in memory. A player sees the label of a node, and how many moves it has follows from the label."""

    chance = hidden = True
    utility_range = (-9, 9)
    runtime = ("nodes",)
    not_compiled = ("table", "draw", "pure_plans")

    def __init__(self, table=()):
        self.table = tuple(table)
        self.nodes = Numbers.allocate(max(1, len(self.table)))
        for index, number in enumerate(self.table):
            self.nodes[index] = number

    def initial(self):
        return Node(0)

    def to_move(self, state):
        return self.nodes[CELLS * state.number]

    def is_terminal(self, state):
        return self.nodes[CELLS * state.number] == END

    def actions(self, state):
        for action in range(self.nodes[CELLS * state.number + 3]):  # noqa: UP028 - `yield from` does not compile
            yield action

    def result(self, state, action):
        return Node(self.nodes[CELLS * state.number + 2] + action)

    def utility(self, state, player):
        payoff = self.nodes[CELLS * state.number + 4]
        return payoff if player == 0 else -payoff

    def view(self, state, player):
        return self.nodes[CELLS * state.number + 1]


def draw(seed, depth=4, twins=False, payoffs=3):
    """A random game; with `twins` chance first picks one of two copies, whose labels differ."""
    rng = random.Random(seed)
    table = []

    def grow(level, copies):
        """The rows of a subtree, once for each of the copies, which are shifted labels."""
        if level == 0 or (level < depth and rng.random() < 0.15):
            payoff = rng.randint(-payoffs, payoffs)
            return [(END, 0, [], payoff) for _ in copies]
        mover = CHANCE if rng.random() < 0.2 else rng.randrange(2)
        label = rng.randrange(LABELS)
        children = [grow(level - 1, copies) for _ in range(2 + label % 2)]
        return [(mover, label + shift, [child[copy] for child in children], 0) for copy, shift in enumerate(copies)]

    shifts = (0, 2 * LABELS) if twins else (0,)
    copies = grow(depth, shifts)
    root = (CHANCE, 0, copies, 0) if twins else copies[0]
    queue = [root]
    for mover, label, children, payoff in queue:
        table += [mover, label, len(queue), len(children), payoff]
        queue.extend(children)
    return RandomGame(table)


def pure_plans(game, player):
    """All pure plans of a player, as sets of (information set, move), an information set being labels and moves."""
    below = {}

    def visit(state, memory):
        if game.is_terminal(state):
            return
        mover = game.to_move(state)
        for action in game.actions(state):
            after = memory
            if mover == player:
                key = (*memory, game.view(state, player))
                below.setdefault(memory, {}).setdefault(key, len(list(game.actions(state))))
                after = (*key, action)
            visit(game.result(state, action), after)

    visit(game.initial(), ())

    def plans(memory):
        sets = below.get(memory, {})
        choices = []
        for key, count in sets.items():
            choices.append([{key: action} | rest for action in range(count) for rest in plans((*key, action))])
        return [{k: v for part in combo for k, v in part.items()} for combo in itertools.product(*choices)]

    return plans(())


def payoff(game, mine, theirs):
    """What the first player wins with two pure plans, as a fraction."""

    def visit(state, memories):
        if game.is_terminal(state):
            return Fraction(game.utility(state, 0))
        mover = game.to_move(state)
        actions = list(game.actions(state))
        if mover == CHANCE:
            return sum(visit(game.result(state, action), memories) for action in actions) / len(actions)
        key = (*memories[mover], game.view(state, mover))
        action = (mine, theirs)[mover][key]
        after = list(memories)
        after[mover] = (*key, action)
        return visit(game.result(state, action), tuple(after))

    return visit(game.initial(), ((), ()))


def value_of_matrix(matrix):
    """The value of a matrix game by the exact simplex method; entries are shifted so that the value is positive."""
    shift = 1 - min(min(row) for row in matrix)
    columns = list(zip(*matrix, strict=True))
    best, _ = maximise([1] * len(columns), [[entry + shift for entry in row] for row in matrix], [1] * len(matrix))
    return 1 / sum(best) - shift


def value_by_brute_force(game, most=40):
    """The value by the matrix of all pure plans; None if there are too many."""
    mine, theirs = pure_plans(game, 0), pure_plans(game, 1)
    if len(mine) * len(theirs) > most * most:
        return None
    return value_of_matrix([[payoff(game, one, other) for other in theirs] for one in mine])
