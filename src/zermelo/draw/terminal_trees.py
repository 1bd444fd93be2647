"""Search trees for the terminal.

▲ 3  [−∞, ∞]
┝━ L ▼ 3  [−∞, ∞]          ▲ max, ▼ min, ● chance, □ the end, ◇ a horizon (an estimate);
│  ├─ a □ 12  [−∞, ∞]      a value, or the bound it proves, and the window on entry;
│  ┕━ b □ 3  [−∞, 12]      heavy lines are the principal line
└─ R ▼ ≤ 2  [3, ∞]
   ├─ a □ 2  [3, ∞]
   └╌ b ✂ 2 ≤ α = 3        a branch that was cut, and why

In the tree of a game with hidden information, `{K check}` is what the player sees: nodes with the same braces are one
information set.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap

from zermelo.core.picture import Branches
from zermelo.draw.markup import clean
from zermelo.draw.numerals import chance_text, count_text, window_text
from zermelo.draw.selection import MOST_ON_A_BOARD, Branch, around, branch_value_text, select, summary
from zermelo.textbook.trace import Node, NodeKind

SIGNS: dict[NodeKind, str] = {"max": "▲", "min": "▼", "chance": "●", "terminal": "□", "horizon": "◇", "cut": "✂"}
WIDTH = 80
LEAST = 32
"""The minimum width for a line's text, at any depth."""

Paint = Callable[[str, str], str]


def tree_text(node: Node, most: int = 200) -> str:
    """The tree by indentation, with at most `most` nodes; hidden nodes are counted in their places."""
    branches = select(node, most)
    return "\n".join([*_rows(branches[0], _bare), "", *wrap(summary(branches), WIDTH)])


def branches_text(picture: Branches, paint: Paint, most: int = MOST_ON_A_BOARD) -> list[str]:
    """A game tree row by row, with the path to the current node in heavy lines."""
    return _rows(around(picture, most)[0], paint)


def _rows(root: Branch, paint: Paint) -> list[str]:
    rows = []
    waiting: list[tuple[Branch | int, str, str]] = [(root, "", "")]
    while waiting:
        branch, arm, prefix = waiting.pop()
        if isinstance(branch, int):
            rows.append(f"{arm}+{count_text(branch)} more")
            continue
        words = _clip(arm, _words(branch))
        rows.append(arm + (paint(f"{words}  ◂ here", "1") if branch.is_here else words))
        waiting.extend(_below(branch, prefix))
    return rows


def _below(branch: Branch, prefix: str) -> list[tuple[Branch | int, str, str]]:
    """The entries below a branch, last first: a child or a hidden count, its arm, and its children's prefix."""
    found: list[tuple[Branch | int, str, str]] = []
    items: list[Branch | int] = [*branch.children, *([branch.hidden] if branch.hidden else [])]
    for number, item in enumerate(items, 1):
        is_last = number == len(items)
        found.append((item, f"{prefix}{_arm(item, is_last)} ", prefix + ("   " if is_last else "│  ")))
    return found[::-1]


def _arm(item: Branch | int, is_last: bool) -> str:
    if isinstance(item, int):
        return "└┄"
    if item.on_line:
        return "┕━" if is_last else "┝━"
    return ("└" if is_last else "├") + ("╌" if item.node.kind == "cut" else "─")


def _words(branch: Branch) -> str:
    """Move, chance, kind, player, value and window in this order; for a cut branch the reason."""
    node = branch.node
    chance = f"({chance_text(node.probability)})" if node.probability is not None else ""
    words = [clean(node.move), chance, SIGNS[node.kind]]
    if node.kind == "cut":
        words.append(clean(node.reason))
    else:
        words += [branch.seat, branch_value_text(branch)]
        words.append(f" {window_text(node.window)}" if node.window else "")
        words.append(f" {{{clean(node.view)}}}" if node.view else "")
    return " ".join(filter(None, words))


def _clip(arm: str, words: str) -> str:
    """The text, cut to the room after the arm."""
    room = max(WIDTH - len(arm), LEAST)
    return words if len(words) <= room else words[: room - 1] + "…"


def _bare(text: str, _codes: str) -> str:
    return text
