"""An explicit game tree: every figure of a lecture, typed in.

              max                  a state is the number of a node, level by level: the root is 0;
         a/    |b   \\c             a move is the number of a branch, called a, b, c ... unless it has a name;
        min   min   min            a position is the path from the root: `a.b`, or `root`
       / | \\ / | \\ / | \\
       3 12 8 2 4 6 14 5 2         max(min(3 12 8) min(2 4 6) min(14 5 2))

`zermelo.games.tree.text` has the whole of the text form. The nodes lie in flat memory, so that one compiled search
serves all trees with as many players: first an interval per player that holds all its utilities and estimates, then the
nodes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from zermelo.core.errors import BadPosition, RulesError, UsageError
from zermelo.core.game import CHANCE, Game, legal_actions, suggest
from zermelo.core.numerals import exact_text
from zermelo.core.picture import Branches, TreeNode
from zermelo.games.tree.efg import read_efg, write_efg
from zermelo.games.tree.information import CHOSEN, NOBODY, NOTHING, first_nodes, views_of
from zermelo.games.tree.text import Node, Payoff, read_json, read_text, write_json, write_text
from zermelo.kernel import U64, Numbers, Reals, Record, array, draw_fraction
from zermelo.kernel.records import CELL

ROOM = 2.0**-20
"""Share of the scale: an estimate closer to its ends would look like a won game to a search."""


@dataclass(frozen=True)
class Source:
    """What a file of Gambit says besides the tree."""

    title: str = ""
    seats: tuple[str, ...] = ()
    path: str = ""
    """Where the file is, as in the name of the game."""


class NodeRecord(Record):
    """A node as the rules read it."""

    player: int
    """Who moves there, or CHANCE."""
    first_branch: int
    """The node that its first branch leads to; the others follow it."""
    branches: int
    """The number of its branches; 0 at a leaf."""
    probability: float
    """How likely chance leads to it from the node above."""
    reach: float
    """How likely chance leads to it from the root."""
    payoffs: Reals = array(Reals, 0)
    """The utility or the estimate of each player."""


class Tree(Game):
    """A game tree given node by node, with dice, estimates and utilities for any number of players."""

    name = "tree"
    title = "Game Tree"
    option_labels = {"text": "tree as text"}
    runtime = ("intervals", "views", "size", "utility_range")
    not_compiled = (
        *Game.not_compiled,
        "text",
        "source",
        "nodes",
        "paths",
        "figure",
        "seats",
        "chance",
        "zero_sum",
        "hidden",
        "max_payoff_sum",
    )
    perft_table = {"": (3, 9, 0)}

    def __init__(self, text: str = "max(min(3 12 8) min(2 4 6) min(14 5 2))") -> None:
        self._describe(read_text(text), Source())

    @classmethod
    def of(cls, root: Node, source: Source) -> Tree:
        """The tree of a root; `source` is what a file of Gambit says besides."""
        found = object.__new__(cls)
        found._describe(root, source)
        return found

    def _describe(self, root: Node, source: Source) -> None:
        """Set what follows from the nodes."""
        self.text, self.source = write_text(root), source
        self.nodes, self.paths, parents = _level_by_level(root)
        self.figure: tuple[TreeNode, ...] | None = None
        payoffs = [node.payoff for node in self.nodes if node.payoff is not None]
        movers = {_player_of(node) for node in self.nodes if node.kind != "leaf"}
        self.players = _count_players(payoffs, movers)
        self.chance = CHANCE in movers
        views = self._views([parent for parent, _ in parents])
        self.hidden = views is not None
        utilities = [self._payoffs(node) for node in self.nodes if node.kind == "leaf"]
        self.zero_sum = self.players > 1 and not any(map(sum, utilities))
        if len(source.seats) == self.players:
            self.seats = source.seats
        elif not isinstance(payoffs[0], tuple):
            self.seats = ("Max", "Min")
        columns = list(zip(*(self._payoffs(node) for node in self.nodes if node.payoff is not None), strict=True))
        intervals = [(float(min(column)), float(max(column))) for column in columns]
        self.utility_range = self._scale(intervals)
        self.interval_bytes, self.node_bytes = CELL * 2 * self.players, CELL * (NodeRecord.cells + self.players)
        self.intervals = Reals.allocate((self.interval_bytes + self.node_bytes * len(self.nodes)) // CELL)
        self.size = len(self.nodes)
        self.views = Numbers.allocate(self.players * len(self.nodes))
        for state in range(len(self.nodes)):
            for player in range(self.players):
                self.views[state * self.players + player] = views[state][player] if views else state
        self._fill(intervals, parents)
        if self.players > 2:
            self.max_payoff_sum = max(sum(self.evaluations(state)) for state in range(len(self.nodes)))

    @classmethod
    def from_text(cls, text: str) -> Tree:
        return cls(text)

    @classmethod
    def from_json(cls, data: Any) -> Tree:
        """Create a tree from the object that `to_json` returns, or from its text."""
        if isinstance(data, str):
            try:
                data = json.loads(data)
            except (json.JSONDecodeError, RecursionError) as error:
                raise UsageError(f"this is not JSON: {error}") from None
        return cls(write_text(read_json(data)))

    @classmethod
    def from_spec(cls, rest: str) -> Tree:
        """Create a tree from the text after `tree:` in a game's name: a tree, or a .tree, .json or .efg file."""
        if not rest.endswith((".tree", ".json", ".efg")):
            return cls(rest.removeprefix("text="))
        try:
            text = Path(rest).expanduser().read_text(encoding="utf-8-sig")
        except OSError as error:
            raise UsageError(f"{rest} cannot be read: {error.strerror}") from None
        except UnicodeDecodeError:
            raise UsageError(f"{rest} is not a text; a tree is written as text, JSON or .efg in UTF-8") from None
        try:
            if rest.endswith(".efg"):
                return cls.from_efg(text, rest)
            return cls.from_json(text) if rest.endswith(".json") else cls(text)
        except (UsageError, RulesError) as error:
            raise type(error)(f"{rest}: {error}") from None

    @classmethod
    def from_efg(cls, text: str, path: str = "") -> Tree:
        """Create a tree from the text of a file of Gambit; `path` becomes part of its name."""
        root, title, seats = read_efg(text)
        return cls.of(root, Source(title, seats, path))

    def to_efg(self) -> str:
        """The tree as a file of Gambit, without estimates."""
        seats = tuple(self.seat(player) for player in range(self.players))
        return write_efg(self.nodes[0], self.source.title, seats)

    def to_text(self) -> str:
        """The tree on one line, without comments; `from_text` gives the same tree back."""
        return self.text

    def to_json(self) -> dict[str, Any]:
        """The tree as nested objects; `from_json` gives the same tree back."""
        return write_json(self.nodes[0])

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.node(state).player

    def actions(self, state: int) -> Iterator[int]:
        for action in range(self.node(state).branches):  # noqa: UP028 - `yield from` does not compile
            yield action

    def outcomes(self, state: int) -> Iterator[tuple[int, float]]:
        for action in range(self.node(state).branches):
            yield action, self.node(self.result(state, action)).probability

    def result(self, state: int, action: int) -> int:
        return self.node(state).first_branch + action

    def is_terminal(self, state: int) -> bool:
        return self.node(state).branches == 0

    def utility(self, state: int, player: int) -> float:
        return self.node(state).payoffs[player]

    # -- who sees what -----------------------------------------------------------------------------

    def view(self, state: int, player: int) -> int:
        """The first node of the information set; elsewhere what `zermelo.games.tree.information` says."""
        return self.views[state * self.players + player]

    def worlds(self, view: int, player: int, luck: U64) -> int:
        """A node that looks like this, as likely as chance makes it."""
        total = 0.0
        for state in self.alike(view, player):
            total += self.node(state).reach
        left, found = draw_fraction(luck) * total, -1
        for state in self.alike(view, player):
            if found < 0 or left >= 0.0:
                found = state
            left -= self.node(state).reach
        return found

    def alike(self, view: int, player: int) -> Iterator[int]:
        """The nodes with this view; leaves only if no other node has it."""
        is_inner = False
        for state in range(self.size):
            if self.node(state).branches > 0 and self.view(state, player) == view:
                is_inner = True
                yield state
        for state in range(0 if is_inner else self.size):
            if self.view(state, player) == view:
                yield state

    def node(self, state: int) -> NodeRecord:
        """What memory holds of a node."""
        return NodeRecord(self.intervals.address + self.interval_bytes + state * self.node_bytes)

    # -- knowledge ---------------------------------------------------------------------------------

    def middle(self) -> float:
        """No node recurs, so no draw is paid; one compiled search serves trees that are zero-sum and others."""
        return self.middle_of_range()

    def evaluate(self, state: int, player: int) -> float:
        """The node's estimate; without one, the middle of what this player can get anywhere in the tree."""
        return self.node(state).payoffs[player]

    def bounds(self, state: int, player: int) -> tuple[float, float]:
        """The least and the most that this player can get anywhere in the tree."""
        return self.intervals[2 * player], self.intervals[2 * player + 1]

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: int, action: int) -> str:
        return _move_name(self.nodes[state], action)

    def format_state(self, state: int) -> str:
        """The moves from the root, joined by points."""
        return self.paths[state] or "root"

    def parse_state(self, text: str) -> int:
        wanted = text.strip()
        if wanted == "root":
            return 0
        if not wanted or wanted not in self.paths:
            raise BadPosition(f"{text!r} is not a node of this tree; {suggest(self._near(wanted), 'the root is root')}")
        return self.paths.index(wanted)

    def _near(self, wanted: str) -> list[str]:
        """The paths that continue the longest existing part of `wanted`."""
        state = 0
        for move in wanted.split("."):
            moves = {_move_name(self.nodes[state], action): action for action in self.actions(state)}
            if move not in moves:
                break
            state = self.result(state, moves[move])
        return [self.format_state(self.result(state, action)) for action in self.actions(state)]

    def spec(self) -> str:
        if self.source.path:
            return f"{self.name}:{self.source.path}"
        if self.text == Tree.__init__.__defaults__[0]:  # type: ignore[index]
            return self.name
        return f"{self.name}:text={self.text}" if self.text.startswith("text=") else f"{self.name}:{self.text}"

    def __repr__(self) -> str:
        return f"Tree.from_spec({self.source.path!r})" if self.source.path else f"Tree(text={self.text!r})"

    def full_title(self) -> str:
        return f"{self.title} ({self.source.title})" if self.source.title else super().full_title()

    def __reduce__(self) -> tuple[Callable[[Node, Source], Tree], tuple[Node, Source]]:
        """Copies get their own memory."""
        return type(self).of, (self.nodes[0], self.source)

    def format_view(self, view: int, player: int) -> str:
        """The name of the information set, or the path of its node; `left after h` once a branch is chosen."""
        if not self.hidden:
            return self.format_state(view)
        if view == NOTHING:
            return "nothing yet"
        if view >= 0:
            return self.set_name(view)
        child = CHOSEN - view
        parent = self.figure_of()[child].parent
        return f"{_move_name(self.nodes[parent], child - self.node(parent).first_branch)} after {self.set_name(parent)}"

    def set_name(self, state: int) -> str:
        return self.nodes[state].information or self.format_state(state)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: int) -> Branches:
        """The whole tree, and where in it the game is."""
        touches = {self.format_action(state, one): (self.result(state, one),) for one in legal_actions(self, state)}
        return Branches(self.figure_of(), state, touches, caption=self.paths[state])

    def view_picture(self, view: int, player: int) -> Branches:
        """The whole tree, and the last node that lies on the way to all nodes where the game may be."""
        fitting = list(self.alike(view, player))
        ways = [way_to(self.figure_of(), state) for state in fitting]
        at = max(state for state in ways[0] if all(state in way for way in ways))
        touches: dict[str, tuple[int, ...]] = {}
        state = fitting[0]
        if self.nodes[state].branches and self.to_move(state) == player and (view >= 0):
            known = len(fitting) == 1
            moves = {self.format_action(state, one): self.result(state, one) for one in self.actions(state)}
            touches = {move: (cell,) if known else () for move, cell in moves.items()}
        return Branches(self.figure_of(), at, touches, caption=self.format_view(view, player))

    def figure_of(self) -> tuple[TreeNode, ...]:
        """The nodes as a board shows them; made when they are first needed."""
        if self.figure is None:
            self.figure = self._figure()
        return self.figure

    def _figure(self) -> tuple[TreeNode, ...]:
        """The nodes as a board shows them; the same in every position."""
        found = [_make_tree_node(self.nodes[0], -1)]
        for state, node in enumerate(self.nodes):
            chances = dict(self.outcomes(state)) if node.kind == "chance" else {}
            for action, branch in enumerate(node.branches):
                found.append(_make_tree_node(branch.node, state, _move_name(node, action), chances.get(action)))
        return tuple(found)

    # -- memory ------------------------------------------------------------------------------------

    def _views(self, parents: list[int]) -> list[tuple[int, ...]] | None:
        """What each player has seen at each node; None if nothing is hidden."""
        movers = [_player_of(node) if node.branches else NOBODY for node in self.nodes]
        first = first_nodes(self.nodes, movers, self.paths)
        if first == list(range(len(first))):
            return None
        return views_of(first, movers, parents, self.players, self.paths)

    def _payoffs(self, node: Node) -> tuple[Fraction, ...]:
        assert node.payoff is not None
        return node.payoff if isinstance(node.payoff, tuple) else (node.payoff, -node.payoff)

    def _scale(self, intervals: list[tuple[float, float]]) -> tuple[float, float]:
        """The range of all payoffs; for two opponents without dice a little wider if an estimate needs it."""
        low, high = min(low for low, _ in intervals), max(high for _, high in intervals)
        if low == high:  # all payoffs are equal, but a scale needs two ends
            return low - max(1, abs(low)), high + max(1, abs(high))
        is_opposed = self.players == 2 and self.zero_sum and not self.chance and not self.hidden
        given = [self._payoffs(node) for node in self.nodes if node.payoff is not None and node.kind != "leaf"]
        most = max([*_middles(intervals), *map(float, chain.from_iterable(given))])  # the least is its opposite
        room = ROOM * (high - low)
        return (low - room, high + room) if is_opposed and most > high - room else (low, high)

    def _fill(self, intervals: list[tuple[float, float]], parents: list[tuple[int, float]]) -> None:
        for player, (low, high) in enumerate(intervals):
            self.intervals[2 * player], self.intervals[2 * player + 1] = low, high
        middles = _middles(intervals)
        for state, (node, (parent, probability)) in enumerate(zip(self.nodes, parents, strict=True)):
            record = self.node(state)
            record.player, record.branches, record.probability = _player_of(node), len(node.branches), probability
            record.reach = self.node(parent).reach * probability if state else 1.0
            if state and parents[state - 1][0] != parent:
                self.node(parent).first_branch = state
            payoffs = middles if node.payoff is None else map(float, self._payoffs(node))
            for player, payoff in enumerate(payoffs):
                record.payoffs[player] = payoff


def way_to(figure: tuple[TreeNode, ...], state: int) -> list[int]:
    """The nodes from the root to this one."""
    way = [state]
    while way[-1]:
        way.append(figure[way[-1]].parent)
    return way[::-1]


def _make_tree_node(node: Node, parent: int, move: str = "", probability: float | None = None) -> TreeNode:
    """A node as a board shows it: a player with individual payoffs maximises."""
    payoff = node.payoff
    value = tuple(map(float, payoff)) if isinstance(payoff, tuple) else None if payoff is None else float(payoff)
    if node.kind == "leaf":
        return TreeNode("end", parent, move, probability, value=value)
    kind: Literal["max", "min", "chance"] = (
        "min" if node.kind == "min" else "chance" if node.kind == "chance" else "max"
    )
    return TreeNode(kind, parent, move, probability, _player_of(node), value)


def _middles(intervals: list[tuple[float, float]]) -> list[float]:
    """The estimate of nodes without one of their own."""
    return [(low + high) / 2 for low, high in intervals]


def _level_by_level(root: Node) -> tuple[tuple[Node, ...], tuple[str, ...], list[tuple[int, float]]]:
    """The nodes, their paths, and for each its parent's number and the probability of getting there from it."""
    nodes, paths, parents = [root], [""], [(-1, 1.0)]
    for state, node in enumerate(nodes):
        _check_branches(node, paths[state])
        probabilities = _probabilities(node, paths[state])
        for action, branch in enumerate(node.branches):
            nodes.append(branch.node)
            paths.append(f"{paths[state]}.{_move_name(node, action)}".lstrip("."))
            parents.append((state, float(probabilities[action])))
    return tuple(nodes), tuple(paths), parents


def _check_branches(node: Node, path: str) -> None:
    if node.kind != "leaf" and not node.branches:
        raise RulesError(f"{_at(path)}: {node.kind}() is empty; a node has at least one branch, a leaf is a number")
    if node.kind == "chance" and node.information:
        raise RulesError(f"{_at(path)}: chance has no information set; it goes on nodes of players")
    moves = [_move_name(node, action) for action in range(len(node.branches))]
    for move in moves:
        if moves.count(move) > 1:
            raise RulesError(f"{_at(path)}: two moves are called {move}; unnamed ones are called a, b, c and so on")
    if not path and "root" in moves:
        raise RulesError("a move from the root cannot be called root, because that is the root's own name")


def _probabilities(node: Node, path: str) -> list[Fraction]:
    """One per branch; 1 for the moves of a player."""
    given = [branch.probability for branch in node.branches]
    if node.kind != "chance":
        if any(probability is not None for probability in given):
            raise RulesError(f"{_at(path)}: {node.kind} chooses; only the branches of chance have probabilities")
        return [Fraction(1)] * len(given)
    found = [probability for probability in given if probability is not None]
    if not found:
        return [Fraction(1, len(given))] * len(given)
    if len(found) != len(given):
        raise RulesError(f"{_at(path)}: give all branches of chance a probability, or none")
    if min(found) <= 0:
        raise RulesError(f"{_at(path)}: a probability is above 0, not {exact_text(min(found))}")
    if abs(float(sum(found)) - 1) > 1e-9:
        raise RulesError(f"{_at(path)}: the probabilities sum to {float(sum(found)):.10g}; they must sum to 1")
    return found


def _count_players(payoffs: list[Payoff], movers: set[int]) -> int:
    lengths = {len(payoff) if isinstance(payoff, tuple) else 0 for payoff in payoffs}
    if len(lengths) > 1:
        shown = " and ".join("plain numbers" if size == 0 else f"tuples of {size}" for size in sorted(lengths))
        raise RulesError(f"the tree mixes {shown}; all leaves and estimates must have the same form")
    players, last = lengths.pop() or 2, max(movers, default=CHANCE)
    if last >= players:
        raise RulesError(
            f"p{last + 1} moves, but the utilities are for {players} players; give every leaf {last + 1} as in <1,2,3>"
        )
    return players


def _player_of(node: Node) -> int:
    """The player's number from 0, or CHANCE; a leaf has the first player's, which is never used."""
    known = {"max": 0, "min": 1, "chance": CHANCE, "leaf": 0}
    return known[node.kind] if node.kind in known else int(node.kind[1:]) - 1


def _move_name(node: Node, action: int) -> str:
    """The branch's own name, or a, b, c ... z, aa, ab ..."""
    name, number = node.branches[action].name, action
    if name:
        return name
    while number >= 0:
        name, number = "abcdefghijklmnopqrstuvwxyz"[number % 26] + name, number // 26 - 1
    return name


def _at(path: str) -> str:
    return f"at node {path}" if path else "at the root"
