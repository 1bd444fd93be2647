"""Rules from outside are compiled with checks: where Python would refuse or grow a number, compiled code says so."""

import math
import operator
import traceback

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zermelo.kernel import U64, EndlessRecursion, Outgrown, Static, kernel

MOST = (1 << 63) - 1
edges = st.sampled_from(
    [0, 1, -1, 2, 3, -7, 62, 63, 64, 65, 1 << 31, 1 << 32, 1 << 62, MOST, -MOST, -MOST - 1, MOST - 1]
)
numbers = edges | st.integers(-MOST - 1, MOST)
OPERATORS = (
    operator.add,
    operator.sub,
    operator.mul,
    operator.floordiv,
    operator.mod,
    operator.lshift,
    operator.rshift,
    operator.pow,
    operator.truediv,
)


class Table(Static):
    def __init__(self):
        self.numbers = np.arange(8)


@kernel
def computed(static: Static, which: int, a: int, b: int) -> int:
    if which == 0:
        return a + b
    if which == 1:
        return a - b
    if which == 2:
        return a * b
    if which == 3:
        return a // b
    if which == 4:
        return a % b
    if which == 5:
        return a << b
    if which == 6:
        return a >> b
    if which == 7:
        return a**b
    if which == 8:
        return int(a / b)
    if which == 9:
        return -a
    if which == 10:
        return abs(a)
    if which == 12:
        return sum((a, b, a))
    if which == 13:
        return sum([a, b], 3)
    if which == 14:
        return pow(a, b)
    if which == 15:
        return divmod(a, b)[0]
    total = a
    for _ in range(3):
        total += b
    return total


@kernel
def rounded(static: Static, real: float) -> int:
    return int(real)


@kernel
def looked_up(static: Table, index: int) -> int:
    return static.numbers[index]


@kernel
def shifted(static: Static, word: U64, count: int) -> U64:
    return word << count


def plain(which, a, b):
    """What Python says, or the error that it raises."""
    try:
        if which < 8:
            return OPERATORS[which](a, b)
        if which == 8:
            return int(a / b)
        if which > 13:
            return pow(a, b) if which == 14 else divmod(a, b)[0]
        return {9: -a, 10: abs(a), 11: a + 3 * b, 12: a + b + a, 13: a + b + 3}[which]
    except (ZeroDivisionError, ValueError) as error:
        return type(error)


@given(st.integers(0, 15), numbers, numbers)
@example(7, 0, -1)
@example(15, -MOST - 1, -1)
def test_compiled_arithmetic_is_pythons_or_refused(which, a, b):
    if which in (5, 7, 14) and abs(b) > 200:
        b %= 200  # Python would need all the memory there is
    wanted = plain(which, a, b)
    try:
        found = computed.run_compiled(Table(), which, a, b)
    except Outgrown:
        steps = {11: (a + b, a + 2 * b), 12: (a + b,), 13: (a + 3,)}.get(which, ())
        is_large = not isinstance(wanted, type) and any(abs(step) > 1 << 62 for step in (wanted, *steps))
        is_large |= which == 8 and max(abs(a), abs(b)) > 1 << 53  # a real number may not hold them
        assert isinstance(wanted, type | float) or is_large, "refused without need"
    except ZeroDivisionError:
        assert wanted is ZeroDivisionError
    else:
        assert found == wanted
        assert -MOST - 1 <= found <= MOST


@pytest.mark.parametrize("real", [1e30, -1e19, 2.0**63, math.inf, math.nan])
def test_reals_that_are_not_64_bit_numbers_are_refused(real):
    with pytest.raises(Outgrown):
        rounded.run_compiled(Table(), real)


@pytest.mark.parametrize("real", [0.0, -0.5, 1.9, 2.0**62, -(2.0**62)])
def test_other_reals_are_rounded_as_python_does(real):
    assert rounded.run_compiled(Table(), real) == int(real)


@pytest.mark.parametrize("index", [8, -9, 1 << 40, -(1 << 40)])
def test_an_index_beyond_an_array_is_an_index_error(index):
    with pytest.raises(IndexError):
        looked_up.run_compiled(Table(), index)
    assert looked_up.run_compiled(Table(), -1) == 7


@pytest.mark.parametrize("count", [-1, 64, 1 << 40])
def test_a_word_is_shifted_by_0_to_63(count):
    for run in (shifted, shifted.run_compiled):
        with pytest.raises(ValueError, match="shifted"):
            run(Table(), U64(1), count)


def test_errors_name_the_line_of_the_rules():
    with pytest.raises(ZeroDivisionError) as raised:
        computed.run_compiled(Table(), 3, 1, 0)
    assert traceback.extract_tb(raised.tb)[-1].line == "return a // b"
    with pytest.raises(Outgrown) as raised:
        computed.run_compiled(Table(), 12, MOST, 1)
    assert traceback.extract_tb(raised.tb)[-1].line == "return sum((a, b, a))"


def test_an_array_cannot_change_once_it_is_compiled_in():
    table = Table()
    looked_up.run_compiled(table, 0)
    with pytest.raises(ValueError, match="read-only"):
        table.numbers[0] = 7


@kernel
def depth_of(static: Static, number: int) -> int:
    if number == 0:
        return 0
    return depth_of(static, number - 1) + 1


@kernel
def is_even(static: Static, number: int) -> bool:
    if number == 0:
        return True
    return not is_odd(static, number - 1)


@kernel
def is_odd(static: Static, number: int) -> bool:
    if number == 0:
        return False
    return not is_even(static, number - 1)


@pytest.mark.parametrize("recursive", [depth_of, is_even])
def test_a_kernel_that_calls_itself_without_end_is_an_error(recursive):
    """It used to overflow the stack, which ends the process. Calls that an error ended are not counted for ever."""
    for _ in range(3):
        with pytest.raises(EndlessRecursion, match="more than 4000 levels"):
            recursive.run_compiled(Table(), -1)
        assert recursive.run_compiled(Table(), 3000) == recursive(Table(), 0) + (3000 if recursive is depth_of else 0)
