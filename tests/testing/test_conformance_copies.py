"""Copies share nothing that can change, and snapshots see every change, whatever a state is made of."""

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

import numpy as np
import pytest

from zermelo.kernel import U64
from zermelo.testing.copies import deep_copy, is_frozen, snapshot

pytestmark = pytest.mark.plain


@dataclass(frozen=True)
class Frozen:
    numbers: tuple[int, ...] = (1, 2)


@dataclass(frozen=True)
class HalfFrozen:
    numbers: list = field(default_factory=lambda: [1, 2])


@dataclass
class Board:
    cells: list = field(default_factory=lambda: [0, 0])


class Slotted:
    __slots__ = ("cells",)

    def __init__(self):
        self.cells = [0, 0]

    def __eq__(self, other):
        return self.cells == other.cells

    __hash__ = None


class Pair(NamedTuple):
    cells: list
    player: int


class Colour(Enum):
    RED = 1


@pytest.mark.parametrize("value", [1, 2.5, "x", None, True, U64(3), (1, (2, 3)), frozenset({1}), Frozen()], ids=repr)
def test_immutable_values_are_not_copied(value):
    assert is_frozen(value)
    assert deep_copy(value) is value
    assert snapshot(value) == snapshot(value)


def append(items):
    items.append(9)


CHANGES = [
    (lambda: [1, 2], append),
    (lambda: {1: [2]}, lambda value: append(value[1])),
    (lambda: {1, 2}, lambda value: value.add(3)),
    (lambda: ([1], 2), lambda value: append(value[0])),
    (lambda: Pair([1], 0), lambda value: append(value.cells)),
    (Board, lambda value: append(value.cells)),
    (HalfFrozen, lambda value: append(value.numbers)),
    (Slotted, lambda value: append(value.cells)),
    (lambda: bytearray(b"ab"), append),
    (lambda: np.zeros(3), lambda value: value.fill(1)),
]


@pytest.mark.parametrize(("make", "change"), CHANGES)
def test_a_change_is_seen_and_does_not_reach_the_original(make, change):
    original = make()
    was = snapshot(original)
    given = deep_copy(original)
    assert type(given) is type(original)
    assert snapshot(given) == was
    change(given)
    assert snapshot(given) != was
    assert snapshot(original) == was


def test_values_equal_only_to_themselves_are_not_copied():
    node = object()
    assert deep_copy((node, [1]))[0] is node
    assert deep_copy(Colour.RED) is Colour.RED


def test_values_that_cannot_be_copied_are_passed_on():
    class Stubborn(Board):
        def __deepcopy__(self, memo):
            raise TypeError

    value = Stubborn()
    assert deep_copy(value) is value


def test_a_state_that_contains_itself_has_a_snapshot():
    ring = [1]
    ring.append(ring)
    assert snapshot(ring) == snapshot(ring)


def test_addresses_are_not_part_of_a_snapshot():
    assert snapshot([object()]) == snapshot([object()])
