"""Monte Carlo tree search in plain Python, for games whose moves do not fit the compiled search's memory.

Moves can be any hashable values. The algorithm is the textbook's, with a watch. With hidden information, it is
information set MCTS: every simulation samples a world that fits what the player has seen, a node stands for a sequence
of moves, and UCB1 counts for each child the visits in which its move was available [Cowling, Powley & Whitehouse 2012].
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from zermelo.core.analysis import MoveAnalysis, Stopped
from zermelo.core.game import CHANCE, Action, Game, State
from zermelo.core.seat import Seat
from zermelo.kernel import U64
from zermelo.search.runtime.root_search import Findings, Request, RootSearch
from zermelo.textbook.mcts import Tried, grow, make_node, simulate

EXPLORATION = math.sqrt(2)
"""The constant of UCB1, for payoffs from -1 to 1."""

# -- hidden information ----------------------------------------------------------------------------------


@dataclass
class OpenNode:
    """A node of information set MCTS: the mover, the visits in which the move was available, and the payoffs."""

    mover: int = CHANCE
    action: Action = None
    available: int = 0
    visits: int = 0
    paid: tuple[float, ...] = ()
    children: list[OpenNode] = field(default_factory=list)


def grow_open(game: Game, root: OpenNode, world: State, rng: random.Random) -> None:
    """Run one simulation in a sampled world: descend to a new move, then play at random."""
    path, state, is_new = [root], world, False
    while not is_new and not game.is_terminal(state):
        mover = game.to_move(state)
        if mover == CHANCE:
            outcomes, chances = zip(*game.outcomes(state), strict=True)
            state = game.result(state, rng.choices(outcomes, chances)[0])
            continue
        child, is_new = choose_child(game, path[-1], mover, list(game.actions(state)), rng)
        path.append(child)
        state = game.result(state, child.action)
    payoffs = simulate(game, state, rng)
    for node in path:
        node.visits += 1
        node.paid = tuple(map(sum, zip(node.paid or game.zeros, payoffs, strict=True)))


def choose_child(
    game: Game, node: OpenNode, mover: int, legal: list[Action], rng: random.Random
) -> tuple[OpenNode, bool]:
    """Select a child for one of the legal moves; also whether it is new. Untried moves come first."""
    known = [child for child in node.children if child.mover == mover and child.action in legal]
    for child in known:
        child.available += 1
    found = {child.action for child in known}
    if untried := [action for action in legal if action not in found]:
        node.children.append(OpenNode(mover, rng.choice(untried), available=1))
        return node.children[-1], True
    low, high = game.utility_range
    scale = EXPLORATION * (high - low) / 2 if math.isfinite(high - low) else EXPLORATION

    def score(child: OpenNode) -> float:
        return child.paid[mover] / child.visits + scale * math.sqrt(math.log(child.available) / child.visits)

    return max(known, key=score), False


# -- the root --------------------------------------------------------------------------------------------


class PlainMctsSearch(RootSearch):
    """The search of one position with the textbook's algorithm; the answer is the move with the most visits."""

    unit = "simulations"
    why_interpreted = "it ran interpreted, because some of the moves are not whole numbers of 64 bits"

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.rng = random.Random(request.seed)
        self.open_root = OpenNode()
        self.closed = Tried(None, None)
        if not self.game.hidden:
            self.closed = make_node(self.game, self.state, self.rng)
            legal = self.referee.legal()  # superko may forbid some of the moves
            self.closed.untried = [action for action in self.closed.untried if action in legal]
        self.is_stopped = False

    @property
    def root(self) -> Tried | OpenNode:
        return self.open_root if self.game.hidden else self.closed

    def halt(self) -> None:
        self.is_stopped = True

    def run(self) -> Stopped:
        most = math.inf if self.limit.nodes is None else self.limit.nodes
        while self.root.visits == 0 or (self.root.visits < most and not self.is_stopped):
            if isinstance(self.referee, Seat):
                world = self.game.worlds(self.referee.view, self.player, U64(self.rng.getrandbits(64)))
                grow_open(self.game, self.open_root, world, self.rng)
            else:
                grow(self.game, self.closed, self.rng)
        return self.reason()

    def tick(self) -> None:
        if self.root.visits > 0 and self.is_report_due:
            self.report("nodes")

    def count(self) -> int:
        return self.root.visits

    def findings(self) -> Findings:
        children: list[Tried | OpenNode] = [*self.root.children]
        ranked = sorted(children, key=lambda child: child.visits, reverse=True)
        moves = tuple(self._move(child) for child in ranked)
        return Findings(moves[0].value, "estimate", moves)

    def _move(self, child: Tried | OpenNode) -> MoveAnalysis:
        visits, paid = child.visits, child.paid or self.game.zeros
        means = tuple(sum_ / max(1, visits) for sum_ in paid)
        return MoveAnalysis(child.action, means, "estimate", visits=visits, actions=(child.action,))
