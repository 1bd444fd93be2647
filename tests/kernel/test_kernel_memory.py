"""Flat memory: cells of 64 bits that compiled and interpreted code share by address."""

import math
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.kernel import (
    U64,
    Memory,
    Outgrown,
    Static,
    add,
    claim,
    fits_cell,
    kernel,
    load,
    load_acquire,
    load_real,
    load_word,
    prefetch,
    store,
    store_real,
    store_release,
    store_word,
)

pytestmark = pytest.mark.plain

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
def test_load_is_the_inverse_of_store(number, word, real):
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


@pytest.mark.compiled
@given(whole, words, reals)
def test_compiled_stores_write_the_same_bits(number, word, real):
    one, other = Memory(9), Memory(9)
    stored(Static(), one.address, number, word, real)
    stored.run_compiled(Static(), other.address, number, word, real)
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
    prefetch(address, 1)
    return load(address, 1)


@pytest.mark.both
def test_fetching_changes_nothing():
    memory = Memory(2)
    memory[1] = 7
    assert fetched.run(Static(), memory.address) == fetched(Static(), memory.address) == 7
    assert cells(memory) == [0, 7]


@kernel
def published(static: Static, address: int, number: int) -> int:
    store(address, 0, number)
    store_release(address, 1, number + 1)
    return load_acquire(address, 1)


@pytest.mark.compiled
def test_published_memory_is_ordered_by_the_processor():
    from zermelo.kernel.bridge import dispatcher

    dispatcher(published)._cache.disable()
    memory = Memory(2)
    assert published.run_compiled(Static(), memory.address, 41) == published(Static(), memory.address, 41) == 42
    assert cells(memory) == [41, 42]
    [code] = dispatcher(published).inspect_llvm().values()
    assert "store atomic i64" in code
    assert "release" in code
    assert "acquire" in code


@pytest.mark.parametrize("value", [1 << 63, -(1 << 63) - 1, 1 << 70, "word", 0.5, None])
def test_numbers_that_do_not_fit_a_cell_are_refused(value):
    """It was cut off without a word, or a TypeError of another library."""
    memory = Memory(1)
    assert not fits_cell(value)
    with pytest.raises(Outgrown, match="whole number of 64 bits"):
        store(memory.address, 0, value)
    with pytest.raises(Outgrown):
        memory[0] = value
    assert memory[0] == 0


def test_interpreted_threads_lose_nothing():
    """Adding and claiming are one step, as they are in compiled code."""
    memory, before = Memory(2), sys.getswitchinterval()

    def work():
        for _ in range(2000):
            add(memory.address, 0, 1)
            while True:
                found = load(memory.address, 1)
                if claim(memory.address, 1, found, found + 1):
                    break

    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert cells(memory) == [8000, 8000]
