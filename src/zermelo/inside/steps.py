"""Which lines of the pseudocode a search is at when it enters a node, leaves it, and waits for a child of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from zermelo.textbook.pseudocode import Step
from zermelo.textbook.trace import Node

Json = dict[str, Any]


def node_steps(kind: str, left: Step) -> Json:
    """The steps of a node, which is left by this one; a leaf has no others."""
    if kind in ("terminal", "horizon"):
        return {"leave": left}
    return {"enter": f"enter {kind}", "call": f"call {kind}", "leave": left}


def leave_step(kind: str, value: float | Sequence[float] | None, window: tuple[float, float] | None) -> Step:
    """How a node is left: its value is outside the window, or all its branches are searched."""
    if kind in ("terminal", "horizon"):
        return cast(Step, kind)
    if window is not None and isinstance(value, int | float):
        if value >= window[1] and kind != "min":
            return "cut high" if kind == "chance" else "cut max"
        if value <= window[0] and kind != "max":
            return "cut low" if kind == "chance" else "cut min"
    return "return chance" if kind == "chance" else "return"


def traced_leave_step(algorithm: str, node: Node, parent: Node | None) -> Step:
    """The same for a traced node, in which standing pat, probes and shared payoffs can be told apart."""
    if node.stand_pat is not None and not node.children:
        left = leave_step("max" if node.player == 0 else "min", node.stand_pat.value, node.window)
        return "stand pat" if left == "return" else left
    left = leave_step(node.kind, node.value, node.window)
    if algorithm == "star2" and left == "terminal" and parent is not None and _looks_ahead(parent):
        return "known outcome"
    if algorithm == "star2" and left in ("cut low", "cut high") and not any(map(_is_searched, node.children)):
        return "probe low" if left == "cut low" else "probe high"
    if any(child.cut is not None and child.cut.kind == "left" for child in node.children):
        return "cut max"
    return left


def _looks_ahead(dice: Node) -> bool:
    """Whether Star2 bounds the outcomes of a chance node before it searches them: not at its last ply."""
    return dice.kind == "chance" and not any(child.kind == "horizon" for child in dice.children)


def _is_searched(outcome: Node) -> bool:
    """Whether an outcome was searched in full, not only probed or found to be the end of the game."""
    is_only_probed = outcome.probe is not None and outcome.probe.entered == outcome.entered
    return outcome.kind not in ("terminal", "cut") and not is_only_probed


def probe_steps(outcome: Node) -> Json:
    """The steps of a probe, which is over when its reply is: the mean of the dice is then compared with the window."""
    return {"enter": f"probe {outcome.kind}", "leave": f"probe {outcome.kind}"}
