"""Generators inside kernels: moves one by one, nested, cut short, and built from helpers."""

import enum
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.kernel import U64, Static, bits, hash_numbers, kernel, mix, replace_item

pytestmark = pytest.mark.plain

words = st.integers(0, (1 << 64) - 1).map(U64)


def pairs(word):
    """A plain generator that nests another."""
    for high in bits(word):
        for low in bits(word):
            if low >= high:
                break
            yield high * 64 + low


class Board(Static):
    def __init__(self, mask):
        self.mask = U64(mask)

    def squares(self, word):
        for square in bits(word & self.mask):
            yield square, square / 2

    def handed_on(self, word):
        return self.squares(word)

    def nothing(self, word):
        if word:
            return
        yield 1


@kernel
def visited(board: Board, word: U64, most: int) -> U64:
    found = U64(most)
    seen = 0
    for pair in pairs(word):
        found = mix(found ^ U64(pair))
        seen += 1
        if seen == most:
            break
    for square, half in board.handed_on(word):
        found = mix(found + hash_numbers((square, half)))
    for _ in board.nothing(word):
        found = U64(0)
    return found


@pytest.mark.compiled
@given(words, st.integers(0, 40))
def test_compiled_generators_yield_the_same(word, most):
    board = Board(0x00FF_00FF_00FF_00FF)
    assert visited.run_compiled(board, word, most) == visited(board, word, most)


@kernel
def sown(static: Static, pits: tuple[int, ...], start: int) -> tuple[int, ...]:
    """Takes all seeds of a pit and sows them around."""
    hand = pits[start]
    pits = replace_item(pits, start, 0)
    index = start
    while hand > 0:
        index = (index + 1) % len(pits)
        pits = replace_item(pits, index, pits[index] + 1)
        hand -= 1
    return pits


@pytest.mark.compiled
@given(st.lists(st.integers(0, 20), min_size=6, max_size=6).map(tuple), st.integers(0, 5))
def test_compiled_sowing_agrees(pits, start):
    found = sown.run_compiled(Static(), pits, start)
    assert found == sown(Static(), pits, start)
    assert sum(found) == sum(pits)


@kernel
def hashed(static: Static, one: int, word: U64, real: float, truth: bool) -> U64:
    return hash_numbers((one, (word, (real, truth)), one, ()))


@pytest.mark.compiled
@given(st.integers(-(1 << 63) + 1, (1 << 63) - 1), words, st.floats(allow_nan=False), st.booleans())
def test_compiled_hashes_of_nested_tuples_agree(one, word, real, truth):
    assert hashed.run_compiled(Static(), one, word, real, truth) == hashed(Static(), one, word, real, truth)


def test_hashes_see_order_sign_and_nesting():
    values = ((1, 2), (2, 1), (1, -2), (1.5, 2), (0, 0), (0,), (), ((1,), 2), (1, (2,)), ((1, 2), ()), ((1,), (2,)))
    values += (0, 1, (1,), 1.5, (1.5,), "a", ("a",), None, (None,))
    assert len({int(hash_numbers(value)) for value in values}) == len(values)


@dataclass(frozen=True)
class Place:
    at: int


@dataclass(frozen=True)
class Remove:
    at: int


class Coin:
    """An object whose hash is one of Python's numbers, where -1 and -2 have the same."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return self.value == other.value

    def __hash__(self):
        return hash(self.value)


class Third(Fraction):
    """A fraction of another class."""


Suit = enum.Enum("Suit", "HEARTS SPADES")
Rights = enum.Flag("Rights", "SHORT LONG", boundary=enum.KEEP)


@pytest.mark.parametrize(
    "pair",
    [
        ((1, 2), (1.0, True + 1)),
        ((0, 0), (-0.0, False)),
        (("a",), ("a",)),
        ((1, 0.5, -2), (Fraction(1), Fraction(1, 2), Decimal(-2))),
        ((1, 0, 0.5, -1), (np.int64(1), np.bool_(False), np.float32(0.5), np.int8(-1))),
        ((2.0, 1 << 70), (2 + 0j, Decimal(1 << 70))),
        (Coin(-1), Coin(-1)),
        (Place(2), Place(2)),
        (Decimal("inf"), math.inf),
    ],
)
def test_equal_states_have_equal_hashes(pair):
    assert pair[0] == pair[1]
    assert hash_numbers(pair[0]) == hash_numbers(pair[1])


def test_different_states_have_different_hashes_although_python_hashes_them_alike():
    """A state that is taken for another one is a wrong answer that is called exact."""
    states = [
        *(Fraction(-1), Fraction(-2), Fraction(1, 3), Fraction(1, 10**400), Fraction(10**400, 3), Decimal("0.1")),
        *(complex(-1, 1), complex(-2, 1), complex(-2, 2), np.int64(-3), np.int64((1 << 61) - 4), (1 << 64) - 1),
        *(Coin(-1), Coin(-2), Coin(0), Coin((1 << 61) - 1), Place(1), Remove(1), Place(2), "text", b"text"),
        *(Suit.HEARTS, "Suit.HEARTS", Rights(0), Rights(8), Place, Remove, print, len),
    ]
    words = [int(hash_numbers((state, 1))) for state in states]
    assert len(set(words)) == len(states)
    assert [int(hash_numbers((state, 1))) for state in states] == words


def test_fractions_of_a_subclass_are_equal_to_others():
    assert hash_numbers(Third(1, 3)) == hash_numbers(Fraction(1, 3))


def test_numbers_beyond_64_bits_are_hashed_whole():
    numbers = [0, 1 << 64, 1 << 65, 1 << 128, -(1 << 64), -(1 << 63) - 1, (1 << 64) + 1, 1]
    assert len({int(hash_numbers((number, 7))) for number in numbers}) == len(numbers)


def test_hashes_of_states_that_are_not_numbers_are_the_same_in_every_process():
    script = (
        "import dataclasses, enum\n"
        "from zermelo.kernel import hash_numbers\n"
        "Colour = enum.Enum('Colour', 'RED GREEN')\n"
        "Point = dataclasses.make_dataclass('Point', ['x', 'y'], frozen=True)\n"
        "state = ('pawn', None, frozenset('abc'), Colour.RED, Point('x', 1), b'bytes')\n"
        "print(int(hash_numbers(state)))\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


@given(words)
def test_generators_nest_and_are_handed_on(word):
    squares = [square for square in range(64) if word & U64(1 << square)]
    wanted = [high * 64 + low for high in squares for low in squares if low < high]
    assert list(pairs(word)) == wanted
    assert list(Board(0xFF).handed_on(word)) == [(square, square / 2) for square in squares if square < 8]
    assert list(Board(0).nothing(word)) == ([] if word else [1])


def test_sowing():
    """Kalah's first pit, around a board of six."""
    assert sown(Static(), (4, 4, 4, 4, 4, 4), 0) == (0, 5, 5, 5, 5, 4)
    assert sown(Static(), (8, 0, 0, 0, 0, 0), 0) == (1, 2, 2, 1, 1, 1)
