"""Statements of preference, and chains of them.

A > B    A is better        A ~ B    they are equally good        A < B    B is better
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from zermelo.choice.lottery import Prospect, parse_prospect
from zermelo.core.errors import UsageError

Sign: TypeAlias = Literal[">", "~", "<"]
MIRRORED: dict[Sign, Sign] = {">": "<", "~": "~", "<": ">"}
_SIGNS: dict[str, Sign] = {">": ">", "≻": ">", "~": "~", "∼": "~", "<": "<", "≺": "<"}


class Statement(NamedTuple):
    """`left > right`, `left ~ right` or `left < right`."""

    left: Prospect
    sign: Sign
    right: Prospect

    def mirrored(self) -> Statement:
        """The same statement with its sides exchanged."""
        return Statement(self.right, MIRRORED[self.sign], self.left)

    def downward(self) -> Statement:
        """The same statement with the better side on the left."""
        return self.mirrored() if self.sign == "<" else self

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


Chain: TypeAlias = tuple[Statement, ...]
"""A chain of statements `>` and `~`, each beginning where the one before ends."""


def parse_statements(text: str) -> list[Statement]:
    """The statements of `A > B ~ [1/2, C; 1/2, D]`, one for each sign."""
    parts = re.split(f"([{''.join(_SIGNS)}])", text)
    if len(parts) < 3 or not all(part.strip() for part in parts) or "=" in text:
        raise UsageError(f"{text!r} states no preference; write A > B, A ~ B or A < B")
    prospects = [parse_prospect(part) for part in parts[::2]]
    signs = [_SIGNS[sign] for sign in parts[1::2]]
    return [Statement(*statement) for statement in zip(prospects, signs, prospects[1:], strict=False)]


def descent(steps: Mapping[Prospect, Sequence[Statement]], start: Prospect, goal: Prospect) -> Chain:
    """The shortest chain from `start` down to `goal` with at least one `>` in it; () if there is none.

    `steps` has, for every prospect, the statements that lead down from it.
    """
    reached: dict[tuple[Prospect, bool], Chain] = {(start, False): ()}
    queue = deque(reached)
    while queue:
        here, is_lower = queue.popleft()
        for step in steps.get(here, ()):
            there = (step.right, is_lower or step.sign == ">")
            if there not in reached:
                reached[there] = (*reached[here, is_lower], step)
                queue.append(there)
            if there == (goal, True):
                return reached[there]
    return ()


def chain_text(chain: Chain) -> str:
    """The chain in one line: `A > B ~ C`."""
    return str(chain[0].left) + "".join(f" {step.sign} {step.right}" for step in chain)
