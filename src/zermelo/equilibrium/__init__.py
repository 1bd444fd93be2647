"""Equilibria in mixed strategies: what to play if the best play is random.

    solution = solve("kuhn")              the value, exactly if it can be proved, and a strategy for each player
    exploitability("kuhn", strategy)      what the best answers to a strategy gain
    best_response("kuhn", strategy, 0)    the best answer itself

Games with hidden information are walked once and become arrays (`flatten`); linear programmes (`programme`) and regret
minimisation (`regret`) never see the rules again. Games in normal form are in `zero_sum`, `bimatrix`, `correlated`,
`commitment` and `quantal`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zermelo.equilibrium.answers import Solution, best_response, exploitability, nash_conv, solve
    from zermelo.equilibrium.strategy import Recall, Strategy

_LATER = {
    "Recall": "strategy",
    "Solution": "answers",
    "Strategy": "strategy",
    "best_response": "answers",
    "exploitability": "answers",
    "nash_conv": "answers",
    "solve": "answers",
}
"""Loaded when they are first asked for: games in normal form need no numpy."""

__all__ = [
    "Recall",
    "Solution",
    "Strategy",
    "best_response",
    "exploitability",
    "nash_conv",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'zermelo.equilibrium' has no attribute {name!r}")
    return getattr(import_module(f"zermelo.equilibrium.{_LATER[name]}"), name)
