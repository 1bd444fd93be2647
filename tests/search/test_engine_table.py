"""The engine's table: lookups, distinct keys, torn entries, replacement."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.kernel import U64, word_of
from zermelo.search.runtime.table import (
    AGES,
    CLUSTER,
    EXACT,
    LOWER,
    NO_MOVE,
    NOTHING,
    PROVED,
    UPPER,
    Table,
    age_in,
    depth_in,
    kind_in,
    move_in,
)
from zermelo.search.runtime.workspace import Workspace

pytestmark = pytest.mark.plain

KEYS = (U64(0), U64(1), U64((1 << 64) - 1), U64(0xFEDC_BA98_7654_3210))


class Kept:
    """A table and a workspace that knows where it is."""

    def __init__(self, megabytes=1.0):
        self.table = Table(megabytes)
        self.workspace = Workspace.create(self.table)

    def keep(self, key, value=1.0, kind=EXACT, move=3, depth=5, age=0):
        self.workspace.table.age = age
        self.workspace.table.store(key, value, kind, move, depth)

    def find(self, key):
        """Value, kind, move and depth of a key; None if there is nothing."""
        word, value = self.workspace.table.probe(key)
        return None if kind_in(word) == NOTHING else (value, kind_in(word), move_in(word), depth_in(word))

    def cells_of(self, key):
        first = self.workspace.table.place_of(key)
        return range(first, first + CLUSTER)


def neighbours(count):
    """Keys of one cluster."""
    return [U64((7 << 40) + 1 + number) for number in range(count)]


@pytest.mark.parametrize("kind", [EXACT, LOWER, UPPER])
@pytest.mark.parametrize(("move", "known"), [(0, 0), (254, 254), (255, NO_MOVE), (1999, NO_MOVE)])
@pytest.mark.parametrize("depth", [0, 1, 126, PROVED])
def test_an_entry_is_found_again(kind, move, known, depth):
    """A move number is kept if it is below 255; all the rest is kept in any case."""
    kept = Kept()
    for key in KEYS:
        assert kept.find(key) is None
        kept.keep(key, -2.5, kind, move, depth)
        assert kept.find(key) == (-2.5, kind, known, depth)


@settings(max_examples=30)
@given(st.floats(allow_nan=False), st.integers(0, (1 << 64) - 1), st.integers(0, AGES - 1))
def test_any_value_is_kept_to_the_bit(value, key, age):
    kept = Kept(0.01)
    kept.keep(U64(key), value, age=age)
    word, found = kept.workspace.table.probe(U64(key))
    assert word_of(found) == word_of(value)
    assert age_in(word) == age


def test_keys_that_differ_in_any_bit_are_distinguished():
    """The lower 44 bits are compared, and in a table of 64 megabytes the others choose the cluster."""
    kept, key = Kept(64), U64(0x0123_4567_89AB_CDEF)
    kept.keep(key)
    assert all(kept.find(key ^ U64(1 << number)) is None for number in range(64))


def test_a_small_table_distinguishes_the_lower_bits_too():
    kept, key = Kept(0.0001), U64(0x0123_4567_89AB_CDEF)
    assert kept.table.clusters == 1
    kept.keep(key)
    assert all(kept.find(key ^ U64(1 << number)) is None for number in range(44))


PLY_COST = 2.0**-41


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1.0, -1.0),
        (0.25, 0.75),
        (1 - 5 * PLY_COST, 1 - 7 * PLY_COST),
        (1.0, 1.0 + 2**-52),
        (-1 + PLY_COST, -1 + 200 * PLY_COST),
    ],
)
@pytest.mark.parametrize("word", [0, 1])
def test_a_torn_entry_is_not_used(one, other, word):
    """Two threads write about one position at the same time, and one word of each stays; values may be very close."""
    kept, key = Kept(), U64(0x0123_4567_89AB_CDEF)
    kept.keep(key, one, LOWER, 1, 3)
    cell = next(cell for cell in kept.cells_of(key) if kept.table.memory[cell]) & ~1
    half = kept.table.memory[cell + word]
    kept.keep(key, other, EXACT, 2, 9)
    kept.table.memory[cell + word] = half
    assert kept.find(key) is None


def test_the_same_position_has_one_entry():
    kept = Kept()
    for depth in range(1, 9):
        kept.keep(KEYS[3], float(depth), LOWER, depth, depth)
    assert sum(kept.table.memory[cell] != 0 for cell in kept.cells_of(KEYS[3])) == 2
    kept.keep(KEYS[3], 2.5, EXACT, 4, 1)
    assert kept.find(KEYS[3]) == (2.5, EXACT, 4, 1)


def test_a_move_is_remembered_where_none_is_known_now():
    kept = Kept()
    kept.keep(KEYS[3], 1.0, LOWER, 17, 4)
    kept.keep(KEYS[3], 0.5, UPPER, NO_MOVE, 5)
    assert kept.find(KEYS[3]) == (0.5, UPPER, 17, 5)


def test_a_cluster_holds_four_and_the_shallowest_goes():
    kept, keys = Kept(), neighbours(5)
    for key, depth in zip(keys, (9, 2, 7, 4, 1), strict=True):
        kept.keep(key, depth=depth)
    assert [kept.find(key) is not None for key in keys] == [True, False, True, True, True]


def test_entries_of_earlier_moves_are_replaced_first():
    """One move of age is worth eight plies of depth; ages are counted on a ring."""
    for now in range(AGES):
        kept, keys = Kept(), neighbours(5)
        ages = [now, (now - 1) % AGES, now, now]
        for key, depth, age in zip(keys, (3, 10, 4, 5), ages, strict=False):
            kept.keep(key, depth=depth, age=age)
        kept.keep(keys[4], depth=1, age=now)
        assert [kept.find(key) is not None for key in keys] == [True, False, True, True, True]


def test_a_deep_entry_of_the_last_move_outlives_a_shallow_new_one():
    kept, keys = Kept(), neighbours(5)
    for key, depth, age in zip(keys, (20, 3, 14, 15), (0, 1, 1, 1), strict=False):
        kept.keep(key, depth=depth, age=age)
    kept.keep(keys[4], depth=1, age=1)
    assert [kept.find(key) is not None for key in keys] == [True, False, True, True, True]


# -- size --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("megabytes", [1, 3, 16, 100])
def test_the_table_is_as_large_as_was_asked(megabytes):
    size = 8 * len(Table(megabytes).memory)
    assert abs(size - megabytes * 1024 * 1024) <= 0.05 * megabytes * 1024 * 1024


def test_every_key_lies_within_the_table():
    kept = Kept(0.37)
    for key in (*KEYS, U64(0xFFFF_FFFF_0000_0000), U64(0x8000_0000_0000_0000)):
        assert 0 <= kept.workspace.table.place_of(key) <= len(kept.table.memory) - CLUSTER
        assert kept.workspace.table.place_of(key) % CLUSTER == 0


def test_clusters_are_used_evenly():
    kept = Kept(0.01)
    places = [kept.workspace.table.place_of(U64(number << 52)) for number in range(1 << 12)]
    assert len(set(places)) == kept.table.clusters


def test_a_workspace_keeps_its_table_alive():
    """In a separate process: kernels know an address, and reading freed memory ends the process."""
    script = """
from zermelo.kernel import U64
from zermelo.search.runtime.table import EXACT, Table, kind_in
from zermelo.search.runtime.workspace import Workspace
from zermelo.games import find
from zermelo.search.expectiminimax.maxn_table import PayoffTable
from zermelo.search.expectiminimax.workspace import ExpectiminimaxWorkspace
from zermelo.search.runtime.path import Ply

table = Table(64)
workspace = Workspace.create(table)
view = workspace.table
view.store(U64(7), 1.0, EXACT, 3, 5)
table.clear()
assert kind_in(view.probe(U64(7))[0]) == 0, "it is forgotten"
view.store(U64(7), 1.0, EXACT, 3, 5)
assert table.fullness() > 0 or kind_in(view.probe(U64(7))[0]) == EXACT
del table
view.store(U64(7), 1.0, EXACT, 3, 5)
del workspace
view.store(U64(7), 1.0, EXACT, 3, 5)
game, payoffs = find("trio"), PayoffTable(64, 3)
workspace = ExpectiminimaxWorkspace.create(payoffs)
view, row = workspace.payoff_table, workspace.payoffs(Ply(0))
row[0], row[1], row[2] = 1.0, 2.0, 3.0
view.store(game, U64(7), row, 3, 5, True)
assert payoffs.fullness() > 0
payoffs.clear()
assert (view.probe(game, U64(7)).address, payoffs.fullness()) == (0, 0), "it is forgotten"
del payoffs, workspace
view.store(game, U64(7), row, 3, 5, True)
entry = view.probe(game, U64(7))
assert (entry.depth(), entry.move(), entry.is_proved(), entry.payoffs[2]) == (5, 3, True, 3.0)
print("done")
"""
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (found.returncode, found.stdout) == (0, "done\n"), found.stderr


def test_fullness_counts_what_this_search_wrote():
    kept = Kept(0.0002)
    assert kept.table.fullness() == 0
    for number in range(600):
        kept.keep(U64(number * 0x9E37_79B9_7F4A_7C15), age=1)
    kept.table.age = 1
    assert kept.table.fullness() == 1000
    kept.table.age = 2
    assert kept.table.fullness() == 0
    kept.table.clear()
    assert (kept.table.fullness(), kept.table.age) == (0, 0)
