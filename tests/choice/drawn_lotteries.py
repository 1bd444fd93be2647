"""Lotteries for hypothesis to draw."""

from fractions import Fraction
from types import FunctionType

from hypothesis import strategies as st

from zermelo.choice import Lottery


@st.composite
def lotteries(draw, outcomes, depth=2):
    """Any lottery over these outcomes, nested up to `depth` levels."""
    inner = st.sampled_from(outcomes) if depth == 0 else st.sampled_from(outcomes) | lotteries(outcomes, depth - 1)
    weights = draw(st.lists(st.integers(0, 9), min_size=1, max_size=4).filter(any))
    return Lottery(*((Fraction(weight, sum(weights)), draw(inner)) for weight in weights))


def spoken(value):
    """A test's name for a value: plain functions have no telling one, and it must not change from run to run."""
    return "a function" if isinstance(value, FunctionType) else str(value)
