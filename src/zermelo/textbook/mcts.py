"""Monte Carlo tree search: select, expand, simulate, back-propagate; play the most visited move.

It needs no evaluation: the value of a position is the mean payoff of random games from it, and promising moves get more
of these games.   [Kocsis & Szepesvari 2006; Coulom 2006]
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from zermelo.core.errors import RulesError
from zermelo.core.game import CHANCE, Action, Game, State, legal_actions
from zermelo.textbook.trace import Node, NodeKind

LONGEST_PLAYOUT = 10_000


@dataclass
class Tried:
    """A node of the tree: its visits, and the sum of each player's payoffs."""

    state: State
    mover: int | None
    action: Action = None
    visits: int = 0
    paid: tuple[float, ...] = ()
    untried: list[Action] = field(default_factory=list)
    children: list[Tried] = field(default_factory=list)

    def mean(self, player: int) -> float:
        return self.paid[player] / self.visits


def mcts(game: Game, state: State, simulations: int, rng: random.Random, exploration: float = math.sqrt(2)) -> Tried:
    """The root of the tree after this many simulations; `best` is the move to play."""
    root = make_node(game, state, rng)
    for _ in range(simulations):
        grow(game, root, rng, exploration)
    return root


def grow(game: Game, root: Tried, rng: random.Random, exploration: float = math.sqrt(2)) -> None:
    """Run one simulation: the four steps."""
    way = select(game, root, rng, exploration)
    if way[-1].untried:
        way.append(expand(game, way[-1], rng))
    back_propagate(way, simulate(game, way[-1].state, rng))


def select(game: Game, node: Tried, rng: random.Random, exploration: float) -> list[Tried]:
    """Selection: the path to the first node with an untried move, or to the end of the game."""
    way = [node]
    while not node.untried and node.children:
        if node.mover == CHANCE:
            chances = dict(game.outcomes(node.state))
            node = rng.choices(node.children, [chances[child.action] for child in node.children])[0]
        else:
            node = max(node.children, key=lambda child: ucb1(child, way[-1], exploration))
        way.append(node)
    return way


def ucb1(child: Tried, parent: Tried, exploration: float) -> float:
    """UCB1: the mean payoff for the player who chooses the child, plus an exploration term. [Auer et al. 2002]"""
    assert parent.mover is not None
    return child.mean(parent.mover) + exploration * math.sqrt(math.log(parent.visits) / child.visits)


def expand(game: Game, node: Tried, rng: random.Random) -> Tried:
    """Expansion: add a node for an untried move."""
    action = node.untried.pop()
    node.children.append(make_node(game, game.result(node.state, action), rng, action))
    return node.children[-1]


def simulate(game: Game, state: State, rng: random.Random) -> tuple[float, ...]:
    """Simulation: the payoffs of a random game from the state."""
    for _ in range(LONGEST_PLAYOUT):
        if game.is_terminal(state):
            return game.utilities(state)
        if game.to_move(state) == CHANCE:
            actions, chances = zip(*game.outcomes(state), strict=True)
            state = game.result(state, rng.choices(actions, chances)[0])
        else:
            state = game.result(state, rng.choice(list(game.actions(state))))
    raise RulesError(f"a random game of {game} did not end within {LONGEST_PLAYOUT:,} plies")


def back_propagate(way: list[Tried], payoffs: tuple[float, ...]) -> None:
    """Back-propagation: add the payoffs to all nodes of the path."""
    for node in way:
        node.visits += 1
        node.paid = tuple(map(sum, zip(node.paid, payoffs, strict=True)))


def best(root: Tried) -> Action:
    """The move with the most visits."""
    return max(root.children, key=lambda child: child.visits).action


def make_node(game: Game, state: State, rng: random.Random, action: Action = None) -> Tried:
    """Create a node; its moves will be tried in random order."""
    if game.is_terminal(state):
        return Tried(state, None, action, paid=game.zeros)
    untried = list(legal_actions(game, state))
    rng.shuffle(untried)
    return Tried(state, game.to_move(state), action, paid=game.zeros, untried=untried)


def make_tree(game: Game, node: Tried, move: str = "", probability: float | None = None) -> Node:
    """The tree for drawing: values are means, those of the first player if two oppose each other."""
    is_opposed = game.players <= 2 and game.zero_sum
    kind: NodeKind = "terminal" if node.mover is None else "chance" if node.mover == CHANCE else "max"
    if kind == "max" and is_opposed and node.mover == 1:
        kind = "min"
    means = tuple(paid / max(1, node.visits) for paid in node.paid)
    found = Node(node.state, kind, node.mover, move, probability, value=means[0] if is_opposed else means)
    found.value_kind = "estimate"
    chances = dict(game.outcomes(node.state)) if node.mover == CHANCE else {}
    for child in sorted(node.children, key=lambda child: -child.visits):
        text = f"{game.format_action(node.state, child.action)} ×{child.visits}"
        found.children.append(make_tree(game, child, text, chances.get(child.action)))
    return found
