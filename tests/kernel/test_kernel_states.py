"""States: their compiled type follows the annotations, and construction casts, interpreted and compiled alike."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.kernel import U64, Static, hash_numbers, kernel, replace_item, state
from zermelo.kernel.states import identity


@state
class Corner(NamedTuple):
    row: int
    col: int


@state
class Everything(NamedTuple):
    word: U64
    whole: int
    real: float
    truth: bool
    reals: tuple[float, ...]
    words: tuple[U64, U64]
    corner: Corner


@state
class WithDefaults(NamedTuple):
    word: U64
    real: float = 2
    heaps: tuple[int, ...] = (1, 2)


MIXED_UP = Everything(True, 2.0, 3, 1, (1, 2), (-1, 4), Corner(1.0, True))  # type: ignore[arg-type]
IN_ORDER = (U64(1), 2, 3.0, True, (1.0, 2.0), (U64(-1), U64(4)), (1, 1))


def kinds(value):
    """A state with types in the place of numbers."""
    return tuple(map(kinds, value)) if isinstance(value, tuple) else type(value)


@pytest.mark.plain
def test_construction_casts_every_field():
    assert MIXED_UP == IN_ORDER
    assert kinds(MIXED_UP) == kinds(IN_ORDER)


@pytest.mark.plain
def test_defaults_are_cast_too():
    assert WithDefaults(3) == (U64(3), 2.0, (1, 2))
    assert kinds(WithDefaults(3)) == (U64, float, (int, int))


@pytest.mark.plain
@pytest.mark.parametrize("annotation", [str, list, tuple, tuple[int, str], tuple[()], tuple[Corner, ...], dict, None])
def test_a_field_that_is_not_made_of_numbers_is_refused(annotation):
    plain = NamedTuple("Plain", [("fine", int), ("wrong", annotation)])  # noqa: UP014
    with pytest.raises(TypeError, match=r"Plain\.wrong .* U64, int, float, bool, another state"):
        state(plain)


@pytest.mark.plain
@pytest.mark.parametrize("cls", [int, type("Point", (), {}), type("Pair", (tuple,), {})])
def test_only_named_tuples_are_states(cls):
    with pytest.raises(TypeError, match="NamedTuple"):
        state(cls)


@pytest.mark.plain
def test_annotations_may_name_what_is_local():
    @state
    class Inner(NamedTuple):
        number: int

    @state
    class Outer(NamedTuple):
        inner: Inner
        word: U64

    assert Outer(Inner(1.0), 2).inner == (1,)


@pytest.mark.plain
def test_replaced_keeps_the_kind_of_tuple():
    assert replace_item((1, 2, 3), 1, 7) == (1, 7, 3)
    assert type(replace_item(Corner(1, 2), 0, 5)) is Corner
    for index in (-1, 3):
        with pytest.raises(IndexError):
            replace_item((1, 2, 3), index, 7)


@pytest.mark.plain
def test_states_of_the_same_name_and_fields_are_the_same_to_the_compiler():
    """A cell of a notebook may be run twice."""

    def define(annotation):
        return state(NamedTuple("Twin", [("one", annotation)]))

    assert identity(define(int)) == identity(define(int)) != identity(define(float))
    assert identity(Corner) != identity(Everything)


# -- compiled ------------------------------------------------------------------------------------------


@kernel
def mixed_up(static: Static, one: int, half: float, yes: bool) -> Everything:
    """Every field gets a number of another type than its own."""
    return Everything(yes, half, one, one, (one, half), (one, U64(one)), corner=Corner(col=half, row=yes))


@kernel
def by_name(static: Static, one: int) -> WithDefaults:
    return WithDefaults(heaps=(one, one, one), word=one)


@kernel
def by_default(static: Static, one: int) -> WithDefaults:
    return WithDefaults(U64(one))


@kernel
def changed(static: Static, found: Everything, index: int, real: float) -> Everything:
    """Reads every field, indexes tuples by a variable, compares and rebuilds."""
    reals = replace_item(found.reals, index, real)
    word = found.word ^ found.words[index]
    corner = replace_item(found.corner, index, found.whole)
    truth = found.truth and corner == found.corner
    return Everything(word, len(found.reals) + found[1], real + found.reals[index], truth, reals, found.words, corner)


@kernel
def hashed(static: Static, found: Everything) -> U64:
    return hash_numbers(found)


@kernel
def unpacked(static: Static, corner: Corner) -> int:
    row, col = corner
    total = 0
    for number in corner:
        total = 10 * total + number
    return 100 * total + 10 * row + col


everything = st.builds(
    Everything,
    st.integers(0, 2**64 - 1),
    st.integers(-(2**62), 2**62),
    st.floats(allow_nan=False),
    st.booleans(),
    st.tuples(st.floats(allow_nan=False), st.floats(allow_nan=False)),
    st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)),
    st.builds(Corner, st.integers(-9, 9), st.integers(-9, 9)),
)


def test_the_compiled_type_follows_the_annotations():
    from numba import types

    from zermelo.kernel.bridge import typeof

    corner = typeof(Corner(1, 2))
    assert list(typeof(MIXED_UP).types) == [
        types.uint64,
        types.int64,
        types.float64,
        types.boolean,
        types.UniTuple(types.float64, 2),
        types.UniTuple(types.uint64, 2),
        corner,
    ]
    assert list(corner.types) == [types.int64, types.int64]


def test_compiled_construction_casts_as_interpreted_construction_does():
    found = mixed_up.run_compiled(Static(), 1, 2.5, True)
    assert found == mixed_up(Static(), 1, 2.5, True)
    assert kinds(found) == kinds(IN_ORDER)
    assert (type(found), type(found.corner)) == (Everything, Corner)


def test_compiled_construction_by_name_and_by_default():
    for made in (by_name, by_default):
        assert made.run_compiled(Static(), 7) == made(Static(), 7)
        assert kinds(made.run_compiled(Static(), 7)) == kinds(made(Static(), 7))


@given(everything, st.integers(0, 1), st.floats(allow_nan=False, allow_infinity=False))
def test_compiled_states_are_read_and_rebuilt_alike(found, index, real):
    assert changed.run_compiled(Static(), found, index, real) == changed(Static(), found, index, real)


@given(everything)
def test_compiled_hashes_agree(found):
    assert hashed.run_compiled(Static(), found) == hashed(Static(), found)


def test_states_unpack_and_iterate():
    assert unpacked.run_compiled(Static(), Corner(3, 4)) == unpacked(Static(), Corner(3, 4)) == 3434


def test_tuples_of_another_length_are_another_type():
    from zermelo.kernel.bridge import dispatcher

    for length in (1, 2, 5):
        found = WithDefaults(1, 2, tuple(range(length)))
        assert total.run_compiled(Static(), found) == sum(range(length))
    assert len(dispatcher(total).overloads) == 3


@kernel
def total(static: Static, found: WithDefaults) -> int:
    result = 0
    for heap in found.heaps:
        result += heap
    return result


def test_a_missing_item_is_an_error_when_compiled_too():
    with pytest.raises(IndexError):
        changed.run_compiled(Static(), MIXED_UP, 2, 0.0)
    with pytest.raises(IndexError):
        exchanged.run_compiled(Static(), (1, 2), 2)


@kernel
def exchanged(static: Static, items: tuple[int, ...], index: int) -> tuple[int, ...]:
    return replace_item(items, index, 0)
