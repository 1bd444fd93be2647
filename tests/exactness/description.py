"""A game as plain data: nodes, moves, payoffs, what the game knows, and the moves already played."""

import json
import math
from dataclasses import dataclass, fields, replace
from fractions import Fraction

CHANCE = -1
RULES = {0: "nothing", 2: "draw at two", 3: "draw at three", -1: "forbidden"}


@dataclass(frozen=True)
class Move:
    """An edge of the graph. The later fields matter only if the game knows what they are for."""

    to: int
    weight: int = 1
    """Of an outcome of the dice, beside the other weights; 0 is impossible."""
    order: float = 0.0
    noisy: bool = False
    gain: float = 0.0
    exchange: float = 0.0
    prior: float = 1.0
    flips: bool = False
    """Leads to the mirror image of the node."""
    score: int = 0
    """Half points that go into the bank of the first player, at the cost of the others."""
    factor: int = 1
    """Of the state's number, in games with numbers."""
    extra: bool = False
    """A candidate although it is not a best move."""


@dataclass(frozen=True)
class Node:
    """A position; it is the end of the game if there are no moves."""

    owner: int = 0
    """A player, or CHANCE."""
    moves: tuple[Move, ...] = ()
    payoffs: tuple[float, ...] = ()
    """At the end; of other nodes, when the clock has run out."""
    estimate: tuple[float, ...] = ()
    threatened: bool = False
    passed: int = -1
    """The node after a null move; -1 where the mover may not pass."""
    divisor: int = 1
    """Of the payoffs, in games that divide; 0 is the mistake that is looked for."""
    seen: int = 0
    """All that the player to move sees, if something is hidden."""


@dataclass(frozen=True)
class Description:
    """A whole game and a position in it. The first node is where it starts."""

    nodes: tuple[Node, ...]
    players: int = 2
    zero_sum: bool = True
    rule: int = 0
    """Of repetition."""
    low: float = -1.0
    high: float = 1.0
    margins: bool = False
    swing: float = math.inf
    clock: int = 0
    """The game is over after this number of plies; 0 means no clock."""
    shape: str = "number"
    """What states are: a number, a tuple whose types change after the first move, a named tuple, a dict.

    In a `hidden` game they are numbers, and a player sees something else.
    """
    knows: tuple[str, ...] = ()
    """The optional methods that the game has."""
    tightness: int = 0
    """How much `bounds` knows: 0 the payoffs that can be reached, 2 the value itself."""
    history: tuple[int, ...] = ()
    """Moves that were played already."""

    @property
    def chance(self) -> bool:
        return any(node.owner == CHANCE and node.moves for node in self.nodes)

    @property
    def is_hidden(self) -> bool:
        return self.shape == "hidden"

    @property
    def is_opposed(self) -> bool:
        return self.players == 2 and self.zero_sum

    @property
    def total(self) -> Fraction | None:
        """What the payoffs of two players sum to, if it is the same at all ends."""
        totals, waiting = set(), [0]
        while waiting:
            node = self.nodes[waiting.pop()]
            if not node.moves:
                totals.add(sum(map(Fraction, node.payoffs)))
            waiting += [move.to for move in node.moves if node.owner != CHANCE or move.weight]
        return totals.pop() if self.players == 2 and len(totals) == 1 else None

    @property
    def has_one_value(self) -> bool:
        return self.players == 1 or self.is_opposed

    @property
    def is_bounded(self) -> bool:
        return math.isfinite(self.low) and math.isfinite(self.high)

    @property
    def is_acyclic(self) -> bool:
        """No node leads back to itself."""
        return order_of(self.nodes) is not None

    @property
    def is_finite(self) -> bool:
        """Every game comes to an end."""
        return self.clock > 0 or self.rule != 0 or self.is_acyclic

    def changed(self, **changes) -> "Description":
        return replace(self, **changes)

    def to_json(self) -> str:
        return json.dumps(_without_defaults(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Description":
        data = json.loads(text)
        nodes = tuple(
            Node(
                **{
                    **node,
                    "moves": tuple(Move(**move) for move in node.get("moves", ())),
                    "payoffs": tuple(node.get("payoffs", ())),
                    "estimate": tuple(node.get("estimate", ())),
                }
            )
            for node in data.pop("nodes")
        )
        for name in ("knows", "history"):
            data[name] = tuple(data.get(name, ()))
        return cls(nodes, **data)

    def __str__(self) -> str:
        """The game for a person to read."""
        sums = "zero-sum" if self.zero_sum else "not zero-sum"
        parts = [
            f"{self.players} player{'s' if self.players > 1 else ''}",
            sums,
            f"payoffs {self.low:g} to {self.high:g}",
        ]
        parts += [f"repetition {RULES[self.rule]}"] if self.rule else []
        parts += [f"over after {self.clock} plies"] if self.clock else []
        parts += ["margins"] if self.margins else []
        parts += [f"swing {self.swing:g}"] if math.isfinite(self.swing) else []
        parts += [f"states: {self.shape}"] if self.shape != "number" else []
        parts += [f"knows {', '.join(self.knows)}"] if self.knows else []
        parts += [f"bounds of tightness {self.tightness}"] if "bounds" in self.knows and self.tightness else []
        lines = ["; ".join(parts)]
        lines += [f"  {number}: {_node_text(self, node)}" for number, node in enumerate(self.nodes)]
        if self.history:
            lines.append(f"  already played: {' '.join(map(str, self.history))}")
        return "\n".join(lines)


def order_of(nodes: tuple[Node, ...]) -> list[int] | None:
    """The numbers of the nodes, each after all it leads to; None if there is a circle."""
    found: list[int] = []
    state = [0] * len(nodes)

    def visit(number: int) -> bool:
        if state[number]:
            return state[number] == 2
        state[number] = 1
        if not all(visit(move.to) for move in nodes[number].moves):
            return False
        state[number] = 2
        found.append(number)
        return True

    return found if all(visit(number) for number in range(len(nodes))) else None


def _node_text(described: Description, node: Node) -> str:
    def told(numbers):
        return " ".join(f"{number:g}" for number in numbers)

    payoffs = f"pays {told(node.payoffs)}" if not node.moves or described.clock else ""
    if node.divisor != 1:
        payoffs += f" divided by {node.divisor}"
    if not node.moves:
        return payoffs
    owner = "chance" if node.owner == CHANCE else f"player {node.owner}"
    moves = ", ".join(_move_text(described, node, move) for move in node.moves)
    parts = [f"{owner} -> {moves}", payoffs]
    parts += [f"estimate {told(node.estimate)}"] if "evaluate" in described.knows else []
    parts += [f"seen as {node.seen}"] if described.is_hidden and node.owner != CHANCE else []
    parts += ["threatened"] if node.threatened and "threats" in described.knows else []
    parts += [f"passing leads to {node.passed}"] if node.passed >= 0 and "passing" in described.knows else []
    return "; ".join(filter(None, parts))


def _move_text(described: Description, node: Node, move: Move) -> str:
    text = str(move.to)
    if node.owner == CHANCE:
        text += f" (weight {move.weight})"
    plain, shown = (
        Move(0),
        {"order": "order", "noisy": "noisy", "prior": "prior", "canonical": "flips", "bank": "score"},
    )
    shown |= {"gain": "gain", "exchange": "exchange", "candidates": "extra", "factors": "factor"}
    for knowledge, name in shown.items():
        if knowledge in described.knows and getattr(move, name) != getattr(plain, name):
            value = getattr(move, name)
            text += f" [{name}]" if value is True else f" [{name} {value:g}]"
    return text


def _without_defaults(item):
    found = {}
    for field in fields(item):
        value = getattr(item, field.name)
        if field.name in ("nodes", "moves"):
            value = [_without_defaults(one) for one in value]
        if field.name == "nodes" or value not in (field.default, [], ()):
            found[field.name] = value
    return found
