"""Records: named fields in flat memory mean the same interpreted and compiled, and are part of the key of a kernel."""

import copy
import gc
from typing import NewType

import pytest

from zermelo.kernel import (
    U64,
    Memory,
    Numbers,
    Outgrown,
    Reals,
    Record,
    Static,
    Switches,
    Words,
    array,
    inline,
    kernel,
    pointer,
)
from zermelo.kernel.digest import digest

pytestmark = pytest.mark.plain

Ply = NewType("Ply", int)


class Inner(Record):
    count: int
    keys: Words = array(Words, 4)

    def bump(self, by: int) -> int:
        self.count += by
        return self.count


class Counted(Record):
    nodes: int
    limit: int


class Work(Counted):
    cost: float
    salt: U64
    is_proved: bool
    ply: Ply
    killers: Numbers = array(Numbers, 8)
    scores: Reals = array(Reals, 3)
    inner: Inner = inline(Inner)
    far: Inner = pointer(Inner)


class Nothing(Static):
    pass


class Parity(Switches):
    def __init__(self, halves):
        self.halves = halves


@kernel
def work_on(game: Nothing, depth: int, work: Work) -> float:
    work.nodes += 1
    if work.nodes >= work.limit or depth == 0:
        return work.cost
    work.killers[depth & 7] = depth
    work.scores[depth % 3] = work.scores[depth % 3] + 0.5
    work.killers.add(0, 3)
    work.salt = work.salt ^ U64(5)
    work.is_proved = depth > 1
    work.inner.bump(2)
    work.inner.keys[depth & 3] = work.salt
    work.far.count = 7 + work.inner.count
    other = Inner(work.far.address)
    other.count += 1
    work.ply = Ply(depth)
    return work_on(game, depth - 1, work) + work_on(game, depth - 1, work)


def new_work(limit=1000):
    work, far = Work.allocate(), Inner.allocate()
    work.limit, work.cost, work.far = limit, 1.5, far
    work.keeps_alive.append(far)
    return work


def seen_in(work):
    arrays = (
        [work.killers[i] for i in range(8)],
        [work.scores[i] for i in range(3)],
        [work.inner.keys[i] for i in range(4)],
    )
    return work.nodes, work.salt, work.is_proved, work.ply, *arrays, work.inner.count, work.far.count


@pytest.mark.compiled
@pytest.mark.parametrize("limit", [5, 1000])
def test_a_record_is_the_same_interpreted_and_compiled(limit):
    plain, compiled = new_work(limit), new_work(limit)
    assert work_on(Nothing(), 5, plain) == work_on.run_compiled(Nothing(), 5, compiled)
    assert seen_in(plain) == seen_in(compiled)
    assert plain.nodes > 1


def test_fields_follow_one_another_those_of_the_base_first():
    assert [(name, field.offset, field.cells) for name, field in Work.fields.items()] == [
        ("nodes", 0, 1),
        ("limit", 1, 1),
        ("cost", 2, 1),
        ("salt", 3, 1),
        ("is_proved", 4, 1),
        ("ply", 5, 1),
        ("killers", 6, 8),
        ("scores", 14, 3),
        ("inner", 17, 5),
        ("far", 22, 1),
    ]
    assert (Counted.cells, Inner.cells, Work.cells) == (2, 5, 23)


def test_new_memory_is_zero_and_fields_do_not_touch():
    work = Work.allocate()
    assert (work.nodes, work.cost, work.salt, work.is_proved, work.inner.count) == (0, 0.0, 0, False, 0)
    work.killers[7] = 9
    assert (work.scores[0], work.killers[6]) == (0.0, 0)
    assert work.inner.address == work.address + 8 * 17


def test_a_number_that_does_not_fit_a_field_is_refused():
    work = Work.allocate()
    with pytest.raises(Outgrown):
        work.nodes = 1 << 63
    with pytest.raises(Outgrown):
        work.killers[0] = 1.5
    with pytest.raises(AttributeError, match="set its items"):
        work.killers = Numbers(0)


def test_a_record_without_memory_cannot_be_read():
    with pytest.raises(AttributeError, match="no memory"):
        _ = Work(0).nodes


def test_a_part_keeps_the_memory_of_its_record_alive():
    freed = []

    class Watched(Memory):
        def __del__(self):
            freed.append(True)

    memory = Watched(Work.cells)
    work = Work(memory.address, [memory])
    inner = work.inner
    del memory, work
    gc.collect()
    assert not freed
    inner.count = 3
    assert inner.count == 3
    del inner
    gc.collect()
    assert freed


def test_a_record_is_not_copied():
    with pytest.raises(TypeError, match="cannot be copied"):
        copy.copy(Work.allocate())


def test_a_field_of_another_type_is_refused_at_once():
    with pytest.raises(TypeError, match=r"Wrong\.name is"):
        type("Wrong", (Record,), {"__annotations__": {"name": str}, "__module__": __name__})


def layout(**fields):
    return type("Layout", (Record,), {"__annotations__": fields, "__module__": __name__})


def test_the_layout_is_part_of_the_key():
    def key(kind):
        return digest(kind(0))

    one, same, swapped = layout(a=int, b=float), layout(a=int, b=float), layout(b=float, a=int)
    assert key(one) == key(same) != key(swapped)

    def outer(kind):
        return type("Outer", (Record,), {"__annotations__": {"x": kind}, "x": inline(kind), "__module__": __name__})

    assert key(outer(one)) == key(outer(same)) != key(outer(swapped))


def test_the_use_of_a_record_does_not_change_the_keys_of_those_who_name_it():
    """A record caches its key in its class, which does not change the class's digest."""
    inner = layout(a=int)

    def outer():
        return type("Outer", (Record,), {"__annotations__": {"x": inner}, "x": inline(inner), "__module__": __name__})

    before = digest(outer()(0))
    assert digest(inner(0))
    assert digest(outer()(0)) == before


class Weighted(Static):
    """A game whose run-time members are a record and an array."""

    runtime = ("work", "weights")

    def __init__(self, cost, weights):
        self.work, self.weights = Work.allocate(), Reals.allocate(len(weights))
        self.work.cost = cost
        for index, weight in enumerate(weights):
            self.weights[index] = weight

    def worth(self, index):
        return self.work.cost * self.weights[index]


class Around(Static):
    def __init__(self, inner):
        self.inner = inner

    def worth(self, index):
        return self.inner.worth(index)


@kernel
def worth_of(game: Weighted, index: int) -> float:
    return game.worth(index)


@pytest.mark.compiled
@pytest.mark.parametrize("wrap", [lambda game: game, Around, lambda game: Around(Around(game))])
def test_games_that_differ_only_in_their_records_share_one_signature(wrap):
    from zermelo.kernel import bridge

    one, other = wrap(Weighted(2.0, [1.5, 2.5])), wrap(Weighted(3.0, [0.5, 4.0, 5.0]))
    assert digest(one) == digest(other)
    assert worth_of.run_compiled(one, 1) == worth_of(one, 1) == 5
    before = len(bridge.dispatcher(worth_of).overloads)
    assert worth_of.run_compiled(other, 2) == worth_of(other, 2) == 15
    assert len(bridge.dispatcher(worth_of).overloads) == before


def test_a_pointer_that_changes_leads_elsewhere():
    work, other = new_work(), Inner.allocate()
    work.far.count, other.count = 3, 4
    work.keeps_alive.append(other)
    work.far = other
    assert work.far.count == 4


# -- steps that call their kernel back ---------------------------------------------------------------------------------


def half_step(game: Nothing, how: Parity, depth: int, work: Counted) -> int:
    """A step of a recursive kernel."""
    if how.halves and depth % 2 == 0:
        return count_steps(game, how, depth - 2, work)
    return count_steps(game, how, depth - 1, work)


@kernel
def count_steps(game: Nothing, how: Parity, depth: int, work: Counted) -> int:
    work.nodes += 1
    if depth <= 1:
        return 1
    return half_step(game, how, depth, work) + count_steps(game, how, depth - 2, work)


@pytest.mark.compiled
@pytest.mark.parametrize("halves", [False, True])
def test_a_step_may_call_its_kernel_back(halves):
    plain, compiled = Counted.allocate(), Counted.allocate()
    how = Parity(halves)
    assert count_steps(Nothing(), how, 12, plain) == count_steps.run_compiled(Nothing(), how, 12, compiled)
    assert plain.nodes == compiled.nodes > 50
