"""64-bit words: masked integers when interpreted, `uint64` when compiled.

A word meets only words: `word + 1` is refused here because the compiler would make it signed.
Write `word + U64(1)`. Shifts take plain numbers: `word << 3`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NoReturn, SupportsInt

MASK = (1 << 64) - 1
_as_word = int.__new__
"""Construct a word from a number of 64 bits, without the mask and `U64.__new__`."""


class U64(int):
    """A 64-bit word: constant, cast and field annotation in one."""

    __slots__ = ()

    def __new__(cls, value: SupportsInt) -> U64:
        return int.__new__(cls, int(value) & MASK)

    def __and__(self, other: int) -> U64:
        return _as_word(U64, int.__and__(self, _word(other)))

    def __or__(self, other: int) -> U64:
        return _as_word(U64, int.__or__(self, _word(other)))

    def __xor__(self, other: int) -> U64:
        return _as_word(U64, int.__xor__(self, _word(other)))

    def __add__(self, other: int) -> U64:
        return _as_word(U64, int.__add__(self, _word(other)) & MASK)

    def __sub__(self, other: int) -> U64:
        return _as_word(U64, int.__sub__(self, _word(other)) & MASK)

    def __mul__(self, other: int) -> U64:
        return _as_word(U64, int.__mul__(self, _word(other)) & MASK)

    def __floordiv__(self, other: int) -> U64:
        return _as_word(U64, int.__floordiv__(self, _word(other)))

    def __mod__(self, other: int) -> U64:
        return _as_word(U64, int.__mod__(self, _word(other)))

    def __lshift__(self, other: int) -> U64:
        return _as_word(U64, int.__lshift__(self, _distance(other)) & MASK)

    def __rshift__(self, other: int) -> U64:
        return _as_word(U64, int.__rshift__(self, _distance(other)))

    def __invert__(self) -> U64:
        return _as_word(U64, MASK - int(self))

    def __neg__(self) -> U64:
        return U64(-int(self))

    def __pos__(self) -> U64:
        return self

    def __abs__(self) -> U64:
        return self

    def __repr__(self) -> str:
        return f"U64({int(self):#x})"

    def __str__(self) -> str:
        return int.__repr__(self)

    def _refuse_mixing(self, other: object) -> NoReturn:
        raise TypeError(f"a 64-bit word meets the plain number {other}; write U64({other})")

    __rand__ = __ror__ = __rxor__ = __radd__ = __rsub__ = __rmul__ = __rfloordiv__ = __rmod__ = _refuse_mixing


def _word(value: object) -> int:
    if isinstance(value, U64):
        return value
    raise TypeError(f"a 64-bit word meets the plain number {value}; write U64({value})")


def _distance(count: int) -> int:
    if 0 <= count < 64:
        return count
    raise ValueError(f"a 64-bit word shifted by {count}; the compiler leaves anything but 0 to 63 undefined")


GOLDEN = U64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: the step of SplitMix64, and a constant to start a hash with."""


def bit(index: int) -> U64:
    """The word with only bit `index` set, 0 <= index < 64."""
    return U64(1 << _distance(index))


def lsb(word: U64) -> int:
    """The index of the lowest set bit; 64 for the empty word."""
    number = int(word)
    return (number & -number).bit_length() - 1 if number else 64


def msb(word: U64) -> int:
    """The index of the highest set bit; -1 for the empty word."""
    return int(word).bit_length() - 1


def number(word: U64) -> int:
    """The word as a plain number, negative from 2^63 on."""
    return int(word) - ((int(word) >> 63) << 64)


def drop(word: U64) -> U64:
    """The word without its lowest set bit."""
    return U64(int(word) & (int(word) - 1))


def popcount(word: U64) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def bswap(word: U64) -> U64:
    """The word with its eight bytes in reverse order: a board of 8x8 upside down."""
    return U64(int.from_bytes(int(word).to_bytes(8, "little"), "big"))


def rotl(word: U64, count: int) -> U64:
    """The word rotated left by `count` bits, 0 <= count < 64."""
    number = int(word)
    return U64(number << _distance(count) | number >> (64 - count))


def bits(word: U64) -> Iterator[int]:
    """The indices of the set bits, lowest first."""
    while word:
        yield lsb(word)
        word = drop(word)


def nth_bit(word: U64, n: int) -> int:
    """The index of the set bit with n set bits below it; more than n bits must be set.

    Binary search: six popcounts, each halving the range.
    """
    place = 0
    for step in range(6):
        half = 32 >> step
        below = popcount(word & (bit(half) - U64(1)))
        if n >= below:
            n -= below
            word = word >> half
            place += half
    return place


def draw_below(luck: U64, count: int) -> int:
    """A random number from 0 to count - 1, drawn by a random word; count is at most 2^32.

    Multiply-shift on the upper 32 bits: monotone in `luck`, and biased by less than count / 2^32.
    """
    return number(((luck >> 32) * U64(count)) >> 32)


def draw_fraction(luck: U64) -> float:
    """A random number from 0 to below 1, drawn by a random word."""
    return number(luck >> 11) * 2.0**-53


def word_of(real: float) -> U64:
    """The 64 bits of a floating-point number."""
    return U64(int.from_bytes(struct.pack("<d", real), "little"))


def real_of(word: U64) -> float:
    """The floating-point number that has these 64 bits."""
    found: float = struct.unpack("<d", int(word).to_bytes(8, "little"))[0]
    return found


def mix(word: U64) -> U64:
    """A bijection of words under which every output bit depends on every input bit.

    The finaliser of SplitMix64 [Steele, Lea & Flood 2014].
    """
    word = (word ^ (word >> 30)) * U64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> 27)) * U64(0x94D049BB133111EB)
    return word ^ (word >> 31)
