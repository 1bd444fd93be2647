"""Flat memory: cells of 64 bits that compiled and interpreted code share by address."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.kernel import (
    U64,
    Memory,
    Static,
    fetch,
    is_enabled,
    kernel,
    load,
    load_real,
    load_word,
    store,
    store_real,
    store_word,
)

whole = st.integers(-(1 << 63) + 1, (1 << 63) - 1)
words = st.integers(0, (1 << 64) - 1).map(U64)
reals = st.floats()


@kernel
def stored(static: Static, address: int, number: int, word: U64, real: float) -> None:
    store(address, 0, number)
    store_word(address, 1, word)
    store_real(address, 2, real)
    store(address, 3, load(address, 0) // 2)
    store_word(address, 4, load_word(address, 1) >> 1)
    store_real(address, 5, -load_real(address, 2))
    for index in range(6, 9):
        store(address, index, load(address, index - 1) ^ index)


def cells(memory):
    return [memory[index] for index in range(len(memory))]


@given(whole, words, reals)
def test_what_is_stored_is_loaded(number, word, real):
    memory = Memory(3)
    store(memory.address, 0, number)
    store_word(memory.address, 1, word)
    store_real(memory.address, 2, real)
    assert load(memory.address, 0) == number
    assert load_word(memory.address, 1) == word
    assert type(load_word(memory.address, 1)) is U64
    found = load_real(memory.address, 2)
    assert found == real or math.isnan(found)
    assert math.copysign(1, found) == math.copysign(1, real)


@pytest.mark.compiler
@pytest.mark.skipif(not is_enabled(), reason="the compiler is switched off")
@given(whole, words, reals)
def test_compiled_stores_write_the_same_bits(number, word, real):
    one, other = Memory(9), Memory(9)
    stored(Static(), one.address, number, word, real)
    stored.compiled(Static(), other.address, number, word, real)
    assert cells(one) == cells(other)


def test_memory_begins_and_can_be_made_zero():
    memory = Memory(4)
    assert cells(memory) == [0, 0, 0, 0]
    memory[2] = -5
    assert cells(memory) == [0, 0, -5, 0]
    memory.clear()
    assert cells(memory) == [0, 0, 0, 0]
    assert len(memory) == 4
    with pytest.raises(IndexError):
        memory[4]


def test_copying_takes_over_some_cells_and_no_others():
    source, target = Memory(8), Memory(8)
    for index in range(8):
        source[index] = index + 1
    target.copy(source, 2, 5)
    assert cells(target) == [0, 0, 3, 4, 5, 0, 0, 0]


@kernel
def fetched(static: Static, address: int) -> int:
    fetch(address, 1)
    return load(address, 1)


def test_fetching_changes_nothing():
    memory = Memory(2)
    memory[1] = 7
    assert fetched.run(Static(), memory.address) == fetched(Static(), memory.address) == 7
    assert cells(memory) == [0, 7]
