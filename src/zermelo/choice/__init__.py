"""Utility theory: lotteries, preferences and their axioms, risk, and where utilities come from."""

from zermelo.choice.axioms import (
    AXIOMS,
    Violation,
    continuity,
    monotonicity,
    orderability,
    substitutability,
    transitivity,
    violations,
)
from zermelo.choice.elicitation import Contradiction, ask_person, elicit, standard_gamble
from zermelo.choice.lottery import Lottery, mix
from zermelo.choice.preference import ByScore, ByUtility, Preference, Stated
from zermelo.choice.pump import Pump, Trade, money_pump
from zermelo.choice.risk import attitude_over, attitude_to, certainty_equivalent, risk_premium
from zermelo.choice.statement import Statement
from zermelo.choice.transformation import deciding_choice, disagreement
from zermelo.choice.utility import (
    Exponential,
    Linear,
    Log,
    Sqrt,
    Square,
    Table,
    Transformed,
    choose,
    expected_utility,
    expected_value,
)

__all__ = [
    "AXIOMS",
    "ByScore",
    "ByUtility",
    "Contradiction",
    "Exponential",
    "Linear",
    "Log",
    "Lottery",
    "Preference",
    "Pump",
    "Sqrt",
    "Square",
    "Stated",
    "Statement",
    "Table",
    "Trade",
    "Transformed",
    "Violation",
    "ask_person",
    "attitude_over",
    "attitude_to",
    "certainty_equivalent",
    "choose",
    "continuity",
    "deciding_choice",
    "disagreement",
    "elicit",
    "expected_utility",
    "expected_value",
    "mix",
    "money_pump",
    "monotonicity",
    "orderability",
    "risk_premium",
    "standard_gamble",
    "substitutability",
    "transitivity",
    "violations",
]
