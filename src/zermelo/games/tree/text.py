"""Explicit game trees as text and as JSON: the two forms, and the nodes between them.

    max(min(3 12 8) min(2 4 6) min(14 5 2))         leaves are what max gets; min gets the opposite
    max(chance(1/2:8 1/3:24 1/6:-12) 7)             probabilities; without any, all branches are equally likely
    p1(p2(<1,2,6> <4,3,2>) p3(<6,1,2> <7,4,1>))     one utility per player
    A=max(left:min(3 12) right:B=min(2 4))          names for nodes and for moves
    chance(heads:1/2:1 tails:1/2:-1)                a named outcome with its probability
    max(min@2.5(3 12) min@4(2 4))                   an estimate for those who stop before the leaves
    max(min{h}(3 12) min{h}(2 4))                   an information set

A branch may also be set off by commas, and # begins a comment. Numbers are exact: `0.1`, `1/3` and `2e3` are kept
as fractions, so that reading what was written gives the same tree.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NoReturn, TypeAlias

from zermelo.core.errors import UsageError
from zermelo.core.numerals import NUMBER, exact_text, number_of

Payoff: TypeAlias = Fraction | tuple[Fraction, ...]
"""The utility of the first of two opponents, or of all players."""

MOST_LEVELS = 100

KIND = re.compile(r"max|min|chance|p[1-9]\d?")
NAME = r"[^\W\d][\w']*"
TOKEN = re.compile(
    rf"(?P<space>(?:[\s,]|#[^\n]*)+)|(?P<unbounded>[+-]?(?:nan|inf(?:inity)?)\b)"
    rf"|(?P<number>{NUMBER})(?![\w.])|(?P<name>{NAME})|(?P<mark>[()<>{{}}:=@])|(?P<end>$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Branch:
    """A move or an outcome: what it is called, how likely it is, where it leads."""

    node: Node
    name: str = ""
    probability: Fraction | None = None


@dataclass(frozen=True)
class Node:
    """A leaf with its payoff, or an inner node with its branches."""

    kind: str
    """`leaf`, `chance`, `max` (the first player), `min` (the second), or `p1`, `p2` and so on."""
    payoff: Payoff | None = None
    """At a leaf the utilities; at an inner node the estimate, if one was given."""
    branches: tuple[Branch, ...] = ()
    name: str = ""
    information: str = ""


# -- text ----------------------------------------------------------------------------------------------


def read_text(text: str) -> Node:
    """The tree that a text describes; UsageError with the place of the first mistake."""
    reader = _Reader(text)
    root = reader.node(level=0)
    if reader.kind != "end":
        reader.fail(
            "this bracket closes nothing" if reader.token == ")" else "the tree is complete here; the rest is too much"
        )
    return root


def write_text(node: Node) -> str:
    """The text of a tree; `read_text` gives the same tree back."""
    name = f"{node.name}=" if node.name else ""
    if node.kind == "leaf":
        return name + _payoff_text(node.payoff)
    information = f"{{{node.information}}}" if node.information else ""
    estimate = f"@{_payoff_text(node.payoff)}" if node.payoff is not None else ""
    return f"{name}{node.kind}{information}{estimate}({' '.join(map(_branch_text, node.branches))})"


def _payoff_text(payoff: Payoff | None) -> str:
    if isinstance(payoff, tuple):
        return f"<{','.join(map(exact_text, payoff))}>"
    assert payoff is not None
    return exact_text(payoff)


def _branch_text(branch: Branch) -> str:
    name = f"{branch.name}:" if branch.name else ""
    probability = f"{exact_text(branch.probability)}:" if branch.probability is not None else ""
    return name + probability + write_text(branch.node)


class _Reader:
    """Reads one token ahead: `kind`, `token` and `place` are those of the next one."""

    def __init__(self, text: str) -> None:
        self.text, self.token, self.next_place = text, "", 0
        self.take()

    def take(self) -> str:
        """The next token's text; the one after it becomes the next."""
        taken, self.place = self.token, self.next_place
        while True:
            match = TOKEN.match(self.text, self.place)
            if match is None:
                self.fail(f"{self.text[self.place]!r} has no meaning here")
            if match.lastgroup != "space":
                break
            self.place = match.end()
        self.kind, self.token, self.next_place = str(match.lastgroup), match[0], match.end()
        return taken

    def fail(self, sentence: str, place: int | None = None) -> NoReturn:
        raise UsageError(f"{self.position(self.place if place is None else place)}: {sentence}")

    def position(self, place: int) -> str:
        before = self.text[:place]
        return f"line {before.count(chr(10)) + 1}, column {place - before.rfind(chr(10))}"

    def node(self, level: int) -> Node:
        """A leaf or an inner node, after its name if it has one."""
        if level > MOST_LEVELS:
            self.fail(f"the tree is deeper than {MOST_LEVELS} levels")
        name = ""
        if self.kind == "name" and self.is_followed_by("="):
            name = self.take()
            self.take()
        if self.kind != "name":
            return Node("leaf", self.payoff(), name=name)
        if not KIND.fullmatch(self.token):
            self.fail(f"{self.token!r} is not a kind of node; write max, min, chance or p1, p2 and so on")
        kind = self.take()
        information, estimate = "", None
        if self.token == "{":
            self.take()
            if self.kind != "name":
                self.fail("an information set has a name, as in max{h1}(...)")
            information = self.take()
            self.expect("}", "an information set ends with }")
        if self.token == "@":
            self.take()
            estimate = self.payoff()
        return Node(kind, estimate, self.branches(kind, level), name, information)

    def branches(self, kind: str, level: int) -> tuple[Branch, ...]:
        opened = self.place
        self.expect("(", f"{kind} is followed by its branches in round brackets")
        found = []
        while self.token != ")":
            if self.kind == "end":
                self.fail("this bracket is never closed", opened)
            found.append(self.branch(level))
        self.take()
        return tuple(found)

    def branch(self, level: int) -> Branch:
        name, probability = "", None
        if self.kind == "name" and self.is_followed_by(":"):
            name = self.take()
            self.take()
        if self.kind == "number" and self.is_followed_by(":"):
            probability = self.number()
            self.take()
        return Branch(self.node(level + 1), name, probability)

    def payoff(self) -> Payoff:
        if self.token != "<":
            return self.number()
        opened = self.place
        self.take()
        found = []
        while self.token != ">":
            if self.kind == "end":
                self.fail("this < is never closed by >", opened)
            found.append(self.number())
        if not found:
            self.fail("a tuple has one utility per player, as in <1,2,3>", opened)
        self.take()
        return tuple(found)

    def number(self) -> Fraction:
        if self.kind == "unbounded":
            self.fail(f"{self.token} is not a utility; write a finite number")
        if self.kind != "number":
            self.fail(f"a number is missing here{f', not {self.token!r}' if self.token else ''}{self.tuple_hint()}")
        try:
            found = number_of(self.token)
        except UsageError as error:
            self.fail(str(error))
        self.take()
        return found

    def tuple_hint(self) -> str:
        return "; a tuple of utilities is written <1,2,3>" if self.token == "(" else ""

    def expect(self, mark: str, sentence: str) -> None:
        if self.token != mark:
            self.fail(sentence)
        self.take()

    def is_followed_by(self, mark: str) -> bool:
        """Whether the token after the next one is this mark."""
        return re.compile(rf"\s*{mark}").match(self.text, self.next_place) is not None


# -- JSON ----------------------------------------------------------------------------------------------

KEYS = {"kind", "name", "information", "estimate", "utilities", "children", "moves", "probabilities"}


def read_json(data: Any, level: int = 0) -> Node:
    """The tree that a JSON object describes; UsageError if it does not describe one."""
    if level > MOST_LEVELS:
        raise UsageError(f"the tree is deeper than {MOST_LEVELS} levels")
    if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
        raise UsageError(f'a node is an object with a kind, as in {{"kind": "leaf", "utilities": 3}}, not {data!r:.60}')
    if unknown := sorted(set(data) - KEYS):
        raise UsageError(f"a node has no {unknown[0]!r}; its keys are {', '.join(sorted(KEYS))}")
    kind, name, information = data["kind"], _json_name(data, "name"), _json_name(data, "information")
    if kind == "leaf":
        if "utilities" not in data:
            raise UsageError("a leaf has utilities: a number, or a list with one number per player")
        return Node("leaf", _json_payoff(data["utilities"]), name=name)
    if not KIND.fullmatch(kind):
        raise UsageError(f"{kind!r} is not a kind of node; write leaf, max, min, chance or p1, p2 and so on")
    estimate = _json_payoff(data["estimate"]) if data.get("estimate") is not None else None
    nodes = [read_json(child, level + 1) for child in _json_list(data, "children", None)]
    moves = _json_list(data, "moves", [""] * len(nodes))
    chances = _json_list(data, "probabilities", [None] * len(nodes))
    if not len(nodes) == len(moves) == len(chances):
        raise UsageError(f"a {kind} node has {len(nodes)} children; its moves and probabilities must be as many")
    if any(not isinstance(move, str) or (move and not re.fullmatch(NAME, move)) for move in moves):
        raise UsageError(f"moves are names, not {moves!r}; a name begins with a letter")
    branches = tuple(
        Branch(node, move, None if chance is None else _json_number(chance))
        for node, move, chance in zip(nodes, moves, chances, strict=True)
    )
    return Node(kind, estimate, branches, name, information)


def write_json(node: Node) -> dict[str, Any]:
    """The tree as a JSON object; `read_json` gives the same tree back."""
    found: dict[str, Any] = {"kind": node.kind}
    if node.name:
        found["name"] = node.name
    if node.kind == "leaf":
        return found | {"utilities": _payoff_json(node.payoff)}
    if node.information:
        found["information"] = node.information
    if node.payoff is not None:
        found["estimate"] = _payoff_json(node.payoff)
    if any(branch.name for branch in node.branches):
        found["moves"] = [branch.name for branch in node.branches]
    if any(branch.probability is not None for branch in node.branches):
        found["probabilities"] = [_number_json(branch.probability) for branch in node.branches]
    return found | {"children": [write_json(branch.node) for branch in node.branches]}


def _json_name(data: dict[str, Any], key: str) -> str:
    name = data.get(key, "")
    if not isinstance(name, str) or (name and not re.fullmatch(NAME, name)):
        raise UsageError(f"{key} {name!r} is not a name; a name begins with a letter")
    return name


def _json_list(data: dict[str, Any], key: str, default: list[Any] | None) -> list[Any]:
    found = data.get(key, default)
    if not isinstance(found, list):
        raise UsageError(f"the {key} of a {data['kind']} node are a list, not {found!r:.60}")
    return found


def _json_payoff(data: Any) -> Payoff:
    if data == []:
        raise UsageError("a list of utilities has one per player, as in [1, 2, 3]")
    return tuple(map(_json_number, data)) if isinstance(data, list) else _json_number(data)


def _json_number(data: Any) -> Fraction:
    if isinstance(data, str):
        return number_of(data)
    if isinstance(data, bool) or not isinstance(data, int | float):
        raise UsageError(f'{data!r:.60} is not a number; write 3, -0.5 or "1/3"')
    if not math.isfinite(data):
        raise UsageError(f"{data} is not a utility; write a finite number")
    return number_of(repr(data))


def _payoff_json(payoff: Payoff | None) -> Any:
    return list(map(_number_json, payoff)) if isinstance(payoff, tuple) else _number_json(payoff)


def _number_json(number: Fraction | None) -> int | float | str | None:
    if number is None:
        return None
    text = exact_text(number)
    return text if "/" in text else number.numerator if number.denominator == 1 else float(number)
