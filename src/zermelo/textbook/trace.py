"""What a search looked at: the tree an observer records."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from zermelo.core.analysis import Kind
from zermelo.core.errors import Refused, RulesError, UsageError
from zermelo.core.game import CHANCE, Action, Game, State, listed
from zermelo.core.guards import require
from zermelo.kernel import Kernel, observed_by
from zermelo.textbook.alphabeta import alphabeta
from zermelo.textbook.expectiminimax import expectiminimax
from zermelo.textbook.maxn import maxn
from zermelo.textbook.minimax import UNLIMITED, minimax
from zermelo.textbook.opponents import expectimax, uniform
from zermelo.textbook.quiescence import quiescent_alphabeta
from zermelo.textbook.star import star1, star2

NodeKind: TypeAlias = Literal["max", "min", "chance", "terminal", "horizon", "cut"]
"""`horizon` is a position that was evaluated instead of searched, `cut` one that was never looked at.
In games for many players every player's node is `max`: each maximises their own entry of the tuple."""


@dataclass
class Node:
    """One call of the algorithm, or one branch it cut off."""

    state: State
    kind: NodeKind
    player: int | None = None
    """Who moves here; CHANCE (-1) for dice, None at the end of the game."""
    move: str = ""
    """The move that led here, in notation; empty at the root."""
    probability: float | None = None
    """Of the outcome that led here, if dice did."""
    window: tuple[float, float] | None = None
    """Alpha and beta on entry, for algorithms that have them."""
    value: float | tuple[float, ...] | None = None
    """What the call returned; None for a branch that was cut."""
    value_kind: Kind = "exact"
    """What the value proves: inside the window it is exact, outside a bound; `estimate` where a horizon had a say."""
    reason: str = ""
    """For a cut branch, the inequality that cut it: `2 ≤ α = 3`."""
    entered: int = -1
    """Steps are numbered in the order in which the search enters and leaves nodes, from 0."""
    left: int = -1
    children: list[Node] = field(default_factory=list)
    """In the order of the actions; cut branches among them."""

    def nodes(self) -> Iterator[Node]:
        """This node and all below, in the order they were entered; cut branches where they stand."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def count(self) -> int:
        """How many nodes were looked at; cut branches do not count."""
        return sum(node.kind != "cut" for node in self.nodes())

    def leaves(self) -> list[Node]:
        """The ends and horizons that were looked at, in order."""
        return [node for node in self.nodes() if node.kind in ("terminal", "horizon")]

    def cuts(self) -> list[Node]:
        """The branches that were cut, in order."""
        return [node for node in self.nodes() if node.kind == "cut"]


class TreeObserver:
    """Records the tree of one search; the algorithm knows nothing of it."""

    def __init__(self, most: int = 100_000) -> None:
        self.root: Node | None = None
        self._most = most
        self._clock = 0
        self._stack: list[tuple[Node, dict[str, Any], bool]] = []

    def enter(self, name: str, arguments: dict[str, Any]) -> None:
        """A call of the algorithm; a call on the same state as the one around it is the same node."""
        game, state = arguments["game"], arguments["state"]
        if self._stack and self._stack[-1][0].state == state:
            self._stack.append((self._stack[-1][0], arguments, False))
            return
        node = Node(state, _kind(game, state, arguments), None, entered=self._tick())
        if node.kind != "terminal":
            node.player = game.to_move(state)
        if "alpha" in arguments:
            node.window = arguments["alpha"], arguments["beta"]
        if self._stack:
            parent = self._stack[-1][0]
            node.move, node.probability = _edge(game, parent, state)
            parent.children.append(node)
        elif self.root is None:
            self.root = node
        self._stack.append((node, arguments, True))

    def leave(self, result: Any) -> None:
        node, arguments, is_outer = self._stack.pop()
        node.value = result
        if not is_outer:
            return
        node.left = self._tick()
        node.value_kind = _value_kind(node)
        if node.kind in ("max", "min", "chance"):
            _insert_cuts(arguments["game"], node)

    def _tick(self) -> int:
        self._clock += 1
        if self._clock > 2 * self._most:
            raise Refused(f"the tree has more than {self._most:,} nodes; give a smaller depth")
        return self._clock - 1


def trace(
    algorithm: str,
    game: Game,
    state: State | None = None,
    *,
    depth: int | None = None,
    window: tuple[float, float] | None = None,
    most: int = 100_000,
) -> Node:
    """The tree that an algorithm looks at from a state, for the player to move there."""
    start = game.initial() if state is None else state
    observer = TreeObserver(most)
    run, takes_window = _runner(algorithm, game, start, depth)
    if window is not None and not takes_window:
        raise UsageError(f"{algorithm} has no window; alphabeta, star1, star2 and quiescence do")
    try:
        with observed_by(observer):
            run(*(window or ()))
    except RecursionError:
        raise RulesError(f"{game} did not end within {sys.getrecursionlimit() // 3} plies; give a depth") from None
    assert observer.root is not None
    return observer.root


def _runner(algorithm: str, game: Game, state: State, depth: int | None) -> tuple[Callable[..., Any], bool]:
    """The algorithm as a function of its window, if it has one."""
    require(game, algorithm)
    plies = UNLIMITED if depth is None else depth
    mover = game.to_move(state) if not game.is_terminal(state) else 0
    player = mover if mover != CHANCE else 0
    windowed: dict[str, Kernel[..., float]] = {
        "alphabeta": alphabeta,
        "star1": star1,
        "star2": star2,
        "quiescence": quiescent_alphabeta,
    }
    plain: dict[str, Kernel[..., float]] = {
        "minimax": minimax,
        "expectiminimax": expectiminimax,
        "paranoid": expectiminimax,
    }
    if algorithm in windowed:
        return lambda *window: windowed[algorithm](game, state, player, plies, *window), True
    if algorithm in plain:
        return lambda: plain[algorithm](game, state, player, plies), False
    if algorithm == "maxn":
        return lambda: maxn(game, state, plies), False
    if algorithm == "expectimax":
        return lambda: expectimax(game, state, player, uniform, plies), False
    raise UsageError(f"there is no tree of {algorithm}; {listed([*plain, *windowed, 'maxn', 'expectimax'], '')}")


def _kind(game: Game, state: State, arguments: dict[str, Any]) -> NodeKind:
    if game.is_terminal(state):
        return "terminal"
    if arguments.get("depth") == 0 and "plies" not in arguments:
        return "horizon"
    mover = game.to_move(state)
    if mover == CHANCE:
        return "chance"
    return "max" if arguments.get("player", mover) == mover else "min"


def _edge(game: Game, parent: Node, state: State) -> tuple[str, float | None]:
    """The move from the parent to this state, and its probability; for a probe, two moves."""
    branches = _branches(game, parent.state)
    visited = {child.move for child in parent.children}
    found = [(text, chance) for text, chance, child in branches if child == state]
    if found:
        return next((branch for branch in found if branch[0] not in visited), found[0])
    for text, _, child in branches:
        if not game.is_terminal(child):
            for reply, _, grandchild in _branches(game, child):
                if grandchild == state:
                    return f"{text} {reply}?", None
    return "?", None


def _branches(game: Game, state: State) -> list[tuple[str, float | None, State]]:
    if game.to_move(state) == CHANCE:
        pairs: Iterable[tuple[Action, float | None]] = game.outcomes(state)
    else:
        pairs = ((action, None) for action in game.actions(state))
    return [(game.format_action(state, a), chance, game.result(state, a)) for a, chance in pairs]


def _value_kind(node: Node) -> Kind:
    if node.window is not None and not isinstance(node.value, tuple) and node.value is not None:
        alpha, beta = node.window
        if node.kind not in ("terminal", "horizon") and node.value <= alpha:
            return "upper"
        if node.kind not in ("terminal", "horizon") and node.value >= beta:
            return "lower"
    if node.kind == "horizon" or any(child.value_kind == "estimate" for child in node.children):
        return "estimate"
    return "exact"


def _insert_cuts(game: Game, node: Node) -> None:
    """Put the branches that were not looked at where they stand among the others."""
    visited = [child.move for child in node.children]
    children = list(node.children)
    position = 0
    for text, chance, state in _branches(game, node.state):
        if text in visited:
            position = max(position, 1 + max(i for i, child in enumerate(children) if child.move == text))
            continue
        cut = Node(state, "cut", None, text, chance, reason=_reason(node))
        children.insert(position, cut)
        position += 1
    node.children = children


def _reason(node: Node) -> str:
    """The inequality that made the search turn away from the rest of a node."""
    if node.window is None or node.value is None or isinstance(node.value, tuple):
        return "not looked at"
    alpha, beta = node.window
    if node.value >= beta:
        return f"{node.value:g} ≥ β = {beta:g}"
    if node.value <= alpha:
        return f"{node.value:g} ≤ α = {alpha:g}"
    return "quiet"
