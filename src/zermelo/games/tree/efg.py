"""Gambit's files of games as trees, `.efg`: chance, information sets, outcomes, any number of players.

    EFG 2 R "Pennies" { "Ann" "Bob" } ""
    p "" 1 1 "" { "H" "T" } 0                     a player's node: player, information set, moves, outcome
    p "" 2 1 "" { "H" "T" } 0
    t "" 1 "same" { 1, -1 }                       an end with its outcome
    t "" 2 "other" { -1, 1 }
    p "" 2 1 0                                    moves and payoffs are given where a number appears first
    t "" 2
    t "" 1
    c "" 1 "" { "heads" 1/2 "tails" 1/2 } 0       chance: moves with probabilities

Nodes come in the order of a walk, each before its branches. An outcome at an inner node is paid, too.
[Gambit, "Format of the .efg file"]
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from zermelo.core.errors import UsageError
from zermelo.core.gambit import GambitReader, quoted
from zermelo.core.numerals import exact_text, number_of
from zermelo.games.tree.text import MOST_LEVELS, NAME, Branch, Node

Payoffs: TypeAlias = tuple[Fraction, ...]
MOST_PLAYERS = 99


def read_efg(text: str) -> tuple[Node, str, tuple[str, ...]]:
    """The root, the title and the names of the players; UsageError says what is wrong with the file."""
    return _Reader(text).game()


@dataclass
class _Set:
    """An information set, or the branches of chance with one number."""

    name: str
    moves: tuple[str, ...]
    probabilities: tuple[Fraction | None, ...]
    nodes: int = 0


@dataclass
class _Draft:
    """A node as it is read, before its information set is known to have others."""

    kind: str
    name: str
    number: int = 0
    payoffs: Payoffs = ()
    below: list[_Draft] = field(default_factory=list)


class _Reader(GambitReader):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.sets: dict[tuple[int, int], _Set] = {}
        """By player from 1, or 0 for chance, and number."""
        self.outcomes: dict[int, Payoffs] = {}

    def game(self) -> tuple[Node, str, tuple[str, ...]]:
        head = [self.take() for _ in range(3)]
        if head[0].upper() != "EFG" or head[1] != "2" or head[2] not in ("R", "D"):
            self.fail('a file of a game as a tree begins with EFG 2 R "title"')
        title = self.text()
        seats = self.texts()
        if not 1 <= len(seats) <= MOST_PLAYERS:
            self.fail(f"a game has 1 to {MOST_PLAYERS} players, not {len(seats)}")
        if (self.next() or "").startswith('"'):
            self.take()  # a comment
        self.players = len(seats)
        root = self.draft(0)
        if self.next() is not None:
            self.fail(f"the tree is complete before {self.next()}")
        names = self.set_names()
        is_opposed = self.players == 2 and all(not sum(paid) for paid in _paid(root, (Fraction(0),) * 2))
        found = self.node(root, (Fraction(0),) * self.players, names, is_opposed)
        is_named = all(seats) and len(set(seats)) == len(seats)
        return found, title, seats if is_named else ()

    # -- the nodes as they are written ---------------------------------------------------------------

    def draft(self, level: int) -> _Draft:
        if level > MOST_LEVELS:
            self.fail(f"the tree is deeper than {MOST_LEVELS} levels")
        kind = self.take()
        name = self.text() if kind in ("c", "p", "t") else self.fail(f"{kind} is not a node; a node is c, p or t")
        found = _Draft(kind, name)
        if kind != "t":
            player = 0 if kind == "c" else self.count()
            if not (kind == "c" or 1 <= player <= self.players):
                self.fail(f"there is no player {player}; the file names {self.players}")
            found.kind, found.number = f"p{player}" if player else "c", self.count()
            self.set(player, found.number)
        found.payoffs = self.outcome()
        if kind != "t":
            found.below = [self.draft(level + 1) for _ in self.sets[player, found.number].moves]
        return found

    def set(self, player: int, number: int) -> None:
        """Read name and moves of an information set; both may be left out where the number is known."""
        name = self.text() if (self.next() or "").startswith('"') else ""
        known = self.sets.get((player, number))
        if self.next() == "{":
            moves, chances = self.moves(with_chances=player == 0)
            if known is not None and (known.moves, known.probabilities) != (moves, chances):
                self.fail(f"information set {number} has other moves than before")
            known = known or _Set(name, moves, chances)
        if known is None:
            self.fail(f"information set {number} has no moves")
        known.nodes += 1
        self.sets[player, number] = known

    def moves(self, with_chances: bool) -> tuple[tuple[str, ...], tuple[Fraction | None, ...]]:
        self.expect("{")
        moves: list[str] = []
        chances: list[Fraction | None] = []
        while self.next() != "}":
            moves.append(self.text())
            chances.append(self.number() if with_chances else None)
        self.take()
        if not moves:
            self.fail("an information set without moves")
        return tuple(moves), tuple(chances)

    def outcome(self) -> Payoffs:
        """The payoffs of an outcome; 0 is none, and they are given where its number appears first."""
        number = self.count()
        if (self.next() or "").startswith('"'):
            self.take()
        if self.next() == "{":
            self.take()
            payoffs = []
            while self.next() != "}":
                if self.next() == ",":
                    self.take()
                else:
                    payoffs.append(self.number())
            self.take()
            if len(payoffs) != self.players:
                self.fail(f"an outcome has {self.players} payoffs, not {len(payoffs)}")
            if number == 0 or self.outcomes.setdefault(number, tuple(payoffs)) != tuple(payoffs):
                self.fail(f"outcome {number} cannot have these payoffs, because it is known already")
        if number and number not in self.outcomes:
            self.fail(f"outcome {number} has no payoffs")
        return self.outcomes.get(number, (Fraction(0),) * self.players)

    # -- the nodes as the tree has them ----------------------------------------------------------------

    def set_names(self) -> dict[tuple[int, int], str]:
        """A name for each information set that has one or has several nodes, each once for each player."""
        found: dict[tuple[int, int], str] = {}
        for (player, number), each in self.sets.items():
            if player and (each.name or each.nodes > 1):
                taken = {name for (other, _), name in found.items() if other == player}
                found[player, number] = unused(name_of(each.name) or f"h{number}", taken.__contains__)
        return found

    def node(self, draft: _Draft, paid: Payoffs, names: dict[tuple[int, int], str], is_opposed: bool) -> Node:
        paid = tuple(before + more for before, more in zip(paid, draft.payoffs, strict=True))
        name = name_of(draft.name)
        if draft.kind == "t":
            return Node("leaf", paid[0] if is_opposed else paid, name=name)
        player = 0 if draft.kind == "c" else int(draft.kind[1:])
        own = self.sets[player, draft.number]
        branches: list[Branch] = []
        for move, chance, below in zip(own.moves, own.probabilities, draft.below, strict=True):
            if chance != 0:
                used = {branch.name for branch in branches}
                label = unused(name_of(move), used.__contains__) if move else ""
                branches.append(Branch(self.node(below, paid, names, is_opposed), label, chance))
        kinds = ("chance", "max", "min") if is_opposed else ("chance",)
        kind = kinds[player] if player < len(kinds) else draft.kind
        return Node(kind, None, tuple(branches), name, names.get((player, draft.number), ""))

    # -- words -----------------------------------------------------------------------------------------

    def number(self) -> Fraction:
        token = self.take()
        try:
            return number_of(token)
        except UsageError as error:
            self.fail(str(error))


def _paid(draft: _Draft, before: Payoffs) -> list[Payoffs]:
    """The payoffs of all ends."""
    paid = tuple(sum(pair) for pair in zip(before, draft.payoffs, strict=True))
    if draft.kind == "t":
        return [tuple(map(Fraction, paid))]
    return [found for below in draft.below for found in _paid(below, tuple(map(Fraction, paid)))]


def name_of(label: str) -> str:
    """A label as a name that the text form can write: letters, digits and underscores, a letter first."""
    found = re.sub(r"\W+", "_", label).strip("_")
    return found if not found or re.fullmatch(NAME, found) else f"m{found}"


def unused(name: str, is_taken: Callable[[str], bool]) -> str:
    """The name, or with a number behind it if it is taken."""
    name, number = name or "m", 2
    found = name
    while is_taken(found):
        found, number = f"{name}_{number}", number + 1
    return found


# -- writing -------------------------------------------------------------------------------------------


def write_efg(root: Node, title: str, seats: tuple[str, ...]) -> str:
    """The file of a tree; `read_efg` gives the same tree back, apart from estimates and the default names of moves."""
    head = f"EFG 2 R {quoted(title)} {{ {' '.join(map(quoted, seats))} }}"
    return "\n".join([head, '""', "", *_Writer().lines(root), ""])


class _Writer:
    def __init__(self) -> None:
        self.sets: dict[tuple[int, str], int] = {}
        """The number of each named information set."""
        self.used: dict[int, int] = {}
        """How many information sets each player has, 0 for chance."""
        self.outcomes: dict[Payoffs, int] = {}

    def lines(self, node: Node) -> list[str]:
        """A node and all below it."""
        name = quoted(node.name)
        if node.kind == "leaf":
            return [f"t {name} {self.outcome(node)}"]
        player = {"chance": 0, "max": 1, "min": 2}.get(node.kind) if node.kind[0] != "p" else int(node.kind[1:])
        assert player is not None
        number = self.number(player, node.information)
        moves = " ".join(self.move(branch, node) for branch in node.branches)
        owner = f"p {name} {player}" if player else f"c {name}"
        found = [f"{owner} {number} {quoted(node.information)} {{ {moves} }} 0"]
        for branch in node.branches:
            found += self.lines(branch.node)
        return found

    def move(self, branch: Branch, node: Node) -> str:
        if node.kind != "chance":
            return quoted(branch.name)
        chance = branch.probability if branch.probability is not None else Fraction(1, len(node.branches))
        return f"{quoted(branch.name)} {exact_text(chance)}"

    def number(self, player: int, name: str) -> int:
        """The number of an information set; a node without a name is a set of its own."""
        if name and (player, name) in self.sets:
            return self.sets[player, name]
        self.used[player] = self.used.get(player, 0) + 1
        if name:
            self.sets[player, name] = self.used[player]
        return self.used[player]

    def outcome(self, leaf: Node) -> str:
        assert leaf.payoff is not None
        payoffs = leaf.payoff if isinstance(leaf.payoff, tuple) else (leaf.payoff, -leaf.payoff)
        if payoffs in self.outcomes:
            return str(self.outcomes[payoffs])
        number = self.outcomes.setdefault(payoffs, len(self.outcomes) + 1)
        return f'{number} "" {{ {", ".join(map(exact_text, payoffs))} }}'
