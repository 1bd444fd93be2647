"""Games in normal form that every course knows, by name."""

from __future__ import annotations

from zermelo.games.matrix.normal_form import NormalForm, read_normal_form

EXAMPLES: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "rock-paper-scissors": ("0 -1 1; 1 0 -1; -1 1 0", *(("rock", "paper", "scissors"),) * 2),
    "matching-pennies": ("1 -1; -1 1", *(("heads", "tails"),) * 2),
    "prisoners-dilemma": ("3,3 0,5; 5,0 1,1", *(("cooperate", "defect"),) * 2),
    "chicken": ("0,0 7,2; 2,7 6,6", *(("dare", "swerve"),) * 2),
    "battle-of-the-sexes": ("3,2 0,0; 0,0 2,3", *(("opera", "football"),) * 2),
    "stag-hunt": ("4,4 0,3; 3,0 2,2", *(("stag", "hare"),) * 2),
}


def example(name: str) -> NormalForm:
    """The example of this name."""
    text, rows, cols = EXAMPLES[name]
    return NormalForm((rows, cols), read_normal_form(text).cells, title=name.replace("-", " "))
