"""64-bit words: masked integers when interpreted, machine words when compiled, and never a difference."""

import math
import operator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zermelo.kernel import (
    U64,
    Static,
    bit,
    bits,
    bswap,
    draw_below,
    drop,
    kernel,
    lsb,
    mix,
    msb,
    nth_bit,
    number,
    popcount,
    real_of,
    rotl,
    word_of,
)

pytestmark = pytest.mark.plain

MASK = (1 << 64) - 1
EDGES = [0, 1, 2, (1 << 63) - 1, 1 << 63, MASK - 1, MASK, 0x5555_5555_5555_5555]
words = st.one_of(st.sampled_from(EDGES), st.integers(0, MASK), st.integers(0, 63).map(lambda i: 1 << i)).map(U64)
counts = st.integers(0, 63)
numbers = st.integers(-(1 << 63) + 1, (1 << 63) - 1)

BINARY = [
    operator.and_,
    operator.or_,
    operator.xor,
    operator.add,
    operator.sub,
    operator.mul,
    operator.floordiv,
    operator.mod,
]
UNARY = [operator.invert, operator.neg, operator.pos, abs]


@kernel
def binary(static: Static, which: int, a: U64, b: U64) -> U64:
    if which == 0:
        return a & b
    if which == 1:
        return a | b
    if which == 2:
        return a ^ b
    if which == 3:
        return a + b
    if which == 4:
        return a - b
    if which == 5:
        return a * b
    if which == 6:
        return a // b
    return a % b


@kernel
def unary(static: Static, which: int, a: U64) -> U64:
    if which == 0:
        return ~a
    if which == 1:
        return -a
    if which == 2:
        return +a
    return abs(a)


@kernel
def helper(static: Static, which: int, a: U64, count: int) -> U64:
    if which == 0:
        return a << count
    if which == 1:
        return a >> count
    if which == 2:
        return bit(count)
    if which == 3:
        return drop(a)
    if which == 4:
        return bswap(a)
    if which == 5:
        return rotl(a, count)
    if which == 6:
        return mix(a)
    return U64(count - 32)


@kernel
def count(static: Static, which: int, a: U64, b: U64, n: int) -> int:
    if which == 0:
        return popcount(a)
    if which == 1:
        return lsb(a)
    if which == 2:
        return msb(a)
    if which == 3:
        return number(a)
    if which == 4:
        return 1 if a else 0
    if which == 5:
        return (1 if a < b else 0) + (2 if a == b else 0) + (4 if a <= b else 0) + (8 if a != b else 0)
    if which == 6:
        return (1 if a < n else 0) + (2 if a == n else 0) + (4 if n < a else 0)
    total = 0
    for index in bits(a):
        total = (total * 3 + index) & 0xFFFF_FFFF
    return total


@kernel
def chosen(static: Static, word: U64, luck: U64) -> int:
    many = popcount(word)
    return 64 * many if many == 0 else 64 * draw_below(luck, many) + nth_bit(word, draw_below(luck, many))


# -- interpreted: arithmetic modulo 2^64 ---------------------------------------------------------------


@pytest.mark.parametrize("operation", BINARY)
@given(words, words)
def test_operators_of_words_are_arithmetic_modulo_2_to_the_64(operation, a, b):
    if b or operation not in (operator.floordiv, operator.mod):
        found = operation(a, b)
        assert type(found) is U64
        assert found == operation(int(a), int(b)) & MASK


@pytest.mark.parametrize("operation", UNARY)
@given(words)
def test_signs_of_words_are_arithmetic_modulo_2_to_the_64(operation, a):
    found = operation(a)
    assert type(found) is U64
    assert found == operation(int(a)) & MASK


@given(words, counts)
def test_helpers_mean_what_they_say(a, count):
    text = f"{int(a):064b}"
    assert popcount(a) == text.count("1")
    assert lsb(a) == len(text) - len(text.rstrip("0"))
    assert msb(a) == 63 - (len(text) - len(text.lstrip("0")))
    assert int(rotl(a, count)) == int(text[count:] + text[:count], 2)
    assert int(bswap(a)) == int("".join(reversed([text[i : i + 8] for i in range(0, 64, 8)])), 2)
    assert list(bits(a)) == [index for index in range(64) if text[63 - index] == "1"]
    assert [nth_bit(a, n) for n in range(popcount(a))] == list(bits(a))
    assert drop(a) | (bit(lsb(a)) if a else U64(0)) == a
    assert number(a) & MASK == a
    assert int(bit(count)) == 2**count


@given(st.integers(1, 1 << 32), st.integers(0, 1 << 32))
def test_words_are_shared_out_evenly_and_in_order(count, part):
    """Each number gets as many of the 2^32 upper halves of a word as any other, or one more."""
    n = min(part, count - 1)
    first, after = -(-n * 2**32 // count), -(-(n + 1) * 2**32 // count)
    assert after - first in (2**32 // count, -(-(2**32) // count))
    assert draw_below(U64(first << 32), count) == n
    assert draw_below(U64((after << 32) - 1), count) == n


def test_mix_is_splitmix64():
    """The first outputs for the seed 1234567, as in the reference implementation of Steele, Lea and Flood."""
    golden = U64(0x9E3779B97F4A7C15)
    state, found = U64(1234567), []
    for _ in range(3):
        state += golden
        found.append(int(mix(state)))
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize(
    ("real", "word"),
    [
        (0.0, 0),
        (-0.0, 1 << 63),
        (1.0, 0x3FF0_0000_0000_0000),
        (-2.5, 0xC004_0000_0000_0000),
        (float("inf"), 0x7FF0_0000_0000_0000),
        (5e-324, 1),
    ],
)
def test_the_bits_of_a_real_are_those_of_ieee_754(real, word):
    assert word_of(real) == U64(word)
    assert type(word_of(real)) is U64
    assert real_of(U64(word)) == real


@given(st.floats(allow_nan=False))
def test_a_real_comes_back_from_its_bits(real):
    assert word_of(real_of(word_of(real))) == word_of(real)
    assert real_of(word_of(real)) == real


@kernel
def there_and_back(static: Static, real: float, word: U64) -> float:
    return real_of(word_of(real) ^ word)


@pytest.mark.compiled
@given(st.floats(allow_nan=False, width=32), st.integers(0, 51).map(lambda place: U64(1 << place)))
def test_compiled_bits_of_a_real_are_the_interpreted_ones(real, word):
    """A bit of the mantissa is turned over in between."""
    if math.isfinite(real):
        assert there_and_back.run(Static(), real, word) == there_and_back(Static(), real, word)


@pytest.mark.parametrize("operation", BINARY, ids=lambda operation: operation.__name__)
def test_a_word_that_meets_a_plain_number_is_refused(operation):
    with pytest.raises(TypeError, match=r"write U64\(3\)"):
        operation(U64(5), 3)
    with pytest.raises(TypeError, match=r"write U64\(3\)"):
        operation(3, U64(5))
    with pytest.raises(TypeError, match=r"write U64\(True\)"):
        operation(U64(5), True)


@pytest.mark.parametrize("count", [-1, 64, 1000])
def test_a_shift_that_the_machine_leaves_undefined_is_refused(count):
    for shift in (lambda: U64(1) << count, lambda: U64(1) >> count, lambda: bit(count), lambda: rotl(U64(1), count)):
        with pytest.raises(ValueError, match="0 to 63"):
            shift()


def test_a_word_is_shown_as_the_code_that_makes_it():
    assert repr(U64(255)) == "U64(0xff)"
    assert str(U64(255)) == "255"
    assert eval(repr(U64(-1))) == U64(-1) == MASK


# -- compiled: the same --------------------------------------------------------------------------------


@pytest.mark.compiled
@given(st.integers(0, len(BINARY) - 1), words, words)
@example(4, U64(0), U64(1))
@example(5, U64(MASK), U64(MASK))
@example(6, U64(MASK), U64(2))
def test_compiled_operators_agree(which, a, b):
    if b or which < 6:
        assert binary.run_compiled(Static(), which, a, b) == binary(Static(), which, a, b) == BINARY[which](a, b)
        assert type(binary.run_compiled(Static(), which, a, b)) is U64


@pytest.mark.compiled
@given(st.integers(0, len(UNARY) - 1), words)
def test_compiled_signs_agree(which, a):
    assert unary.run_compiled(Static(), which, a) == unary(Static(), which, a) == UNARY[which](a)


@pytest.mark.compiled
@given(st.integers(0, 7), words, counts)
@example(5, U64(MASK - 5), 0)
@example(0, U64(MASK), 63)
def test_compiled_helpers_agree(which, a, count):
    assert helper.run_compiled(Static(), which, a, count) == helper(Static(), which, a, count)


@pytest.mark.compiled
@given(st.integers(0, 7), words, words, numbers)
@example(1, U64(0), U64(0), 0)
@example(2, U64(0), U64(0), 0)
@example(6, U64(MASK), U64(0), -1)
@example(6, U64(1 << 63), U64(0), -(1 << 63) + 1)
def test_compiled_counts_and_comparisons_agree(which, a, b, n):
    assert count.run_compiled(Static(), which, a, b, n) == count(Static(), which, a, b, n)


@pytest.mark.compiled
@given(words, words)
@example(U64(MASK), U64(MASK))
def test_a_compiled_choice_of_a_bit_agrees(word, luck):
    assert chosen.run_compiled(Static(), word, luck) == chosen(Static(), word, luck)
