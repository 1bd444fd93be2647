"""Static objects: attributes are folded into machine code, except those that travel with the call."""

import copy
import enum
import re

import pytest
from little_rules import Heap, Take, lines, lines_of_take

from zermelo.core.game import Game, State
from zermelo.core.wrapped import Wrapped
from zermelo.games.connectfour import ConnectFour
from zermelo.kernel import Memory, Static, kernel, load, store
from zermelo.kernel.compiler import CannotCompile
from zermelo.kernel.digest import digest


def signatures(kernel):
    """How many types of arguments a kernel was compiled for."""
    from zermelo.kernel.bridge import dispatcher

    return len(dispatcher(kernel).overloads)


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Scale(Static):
    def __init__(self, factor, colour=Colour.RED):
        self.factor, self.colour = factor, colour

    def of(self, number):
        return self.factor * number

    def is_red(self):
        return self.colour == Colour.RED


@kernel
def scaled(scale: Scale, number: int) -> float:
    return scale.of(number) + (0.25 if scale.is_red() else 0.0)


def test_instances_with_other_attributes_are_other_code():
    assert [scaled.run_compiled(Scale(factor), 10) for factor in (2, 3, 2.5)] == [20.25, 30.25, 25.25]
    assert scaled.run_compiled(Scale(2, Colour.GREEN), 10) == 20.0


def test_attributes_are_constants_of_the_machine_code():
    from zermelo.kernel.bridge import dispatcher, typeof

    scale = Scale(987_654_321)
    assert scaled.run_compiled(scale, 2) == 2 * 987_654_321 + 0.25
    fresh = type(scaled)(scaled.function)  # code that comes from disk cannot be looked at
    dispatcher(fresh)._cache.disable()
    assert fresh.run_compiled(scale, 2) == scaled(scale, 2)
    [code] = [text for kinds, text in dispatcher(fresh).inspect_llvm().items() if kinds[0] == typeof(scale)]
    assert "987654321" in code


@kernel
def fill_twice(game: Game, state: State, memory: int) -> int:
    return game.fill_candidates(state, memory, game.fill_candidates(state, memory, 0))


class Calling(ConnectFour):
    not_inlined = (*ConnectFour.not_inlined, "fill_candidates")


@pytest.mark.parametrize(("game", "is_called"), [(ConnectFour(), False), (Calling(), True)])
def test_large_methods_are_inlined_unless_the_class_names_them(game, is_called):
    from zermelo.kernel.bridge import dispatcher

    fresh, memory = type(fill_twice)(fill_twice.function), Memory(16)
    dispatcher(fresh)._cache.disable()
    assert fresh.run_compiled(game, game.initial(), memory.address) == 14
    [code] = dispatcher(fresh).inspect_llvm().values()
    assert bool(re.search(r"\bcall .*candidates4fill", code)) == is_called


def test_equal_attributes_are_equal_types():
    assert digest(Scale(2)) == digest(Scale(2)) != digest(Scale(2.0)) != digest(Scale(True))
    assert digest(Scale((1, 2))) != digest(Scale((1, 3))) != digest(Scale([1, 3]))


# -- numbers that travel with the call -----------------------------------------------------------------


class Counter(Wrapped):
    """A game whose ends are counted in memory."""

    runtime = ("memory", "shift")
    not_compiled = ("cells",)

    def __init__(self, game, cells, shift=0):
        super().__init__(game)
        self.cells, self.memory, self.shift = cells, cells.address, shift

    def is_terminal(self, state):
        found = self.game.is_terminal(state)
        if found:
            store(self.memory, 0, load(self.memory, 0) + 1 + self.shift)
        return found


def test_runtime_numbers_travel_with_the_call_and_share_one_signature():
    before = signatures(lines)
    for shift in (0, 0, 5):
        cells = Memory(1)
        game = Counter(Take(6, 3), cells, shift)
        assert lines.run_compiled(game, game.initial(), 99) == lines_of_take(6, 3) == 24
        assert cells[0] == 24 * (1 + shift)
    assert signatures(lines) == before + 1


def test_runtime_numbers_may_change_after_compiling():
    game = Counter(Take(4, 3), Memory(1))
    lines.run_compiled(game, game.initial(), 99)
    game.cells = Memory(1)
    game.memory = game.cells.address
    lines.run_compiled(game, game.initial(), 99)
    assert game.cells[0] == lines_of_take(4, 3)


def test_a_wrapper_with_runtime_numbers_around_another():
    inner, outer = Memory(1), Memory(1)
    game = Counter(Wrapped(Counter(Take(5, 2), inner)), outer)
    assert lines.run_compiled(game, game.initial(), 99) == lines_of_take(5, 2)
    assert inner[0] == outer[0] == lines_of_take(5, 2)


class Reader(Static):
    runtime = ("value",)

    def __init__(self, value):
        self.value = value

    def read(self):
        return self.value


class Holder(Static):
    readers = (Reader(3), Reader(4))


@kernel
def read(reader: Reader) -> float:
    return reader.read() + 0.5


@kernel
def read_held(holder: Holder) -> float:
    return holder.readers[0].read() + 0.5


def test_runtime_numbers_keep_their_own_types():
    assert [read.run_compiled(Reader(value)) for value in (1, 2.25, 7, -0.5)] == [1.5, 2.75, 7.5, 0.0]


def test_runtime_numbers_where_no_call_can_carry_them_are_refused():
    """They would be zero, and an address of zero crashes."""
    with pytest.raises(CannotCompile, match="must be an attribute"):
        read_held.run_compiled(Holder())


# -- not compiled and frozen ---------------------------------------------------------------------------


class Noted(Scale):
    not_compiled = ("note",)

    def __init__(self, factor, note):
        super().__init__(factor)
        self.note = note


class Loud(Noted):
    def of(self, number):
        return self.note * number


def test_attributes_that_are_not_compiled_take_no_part():
    before = signatures(scaled)
    assert scaled.run_compiled(Noted(7, {"any": "thing"}), 3) == scaled.run_compiled(Noted(7, print), 3) == 21.25
    assert signatures(scaled) == before + 1
    with pytest.raises(CannotCompile, match=r"test_kernel_static\.py, line \d+: Loud\.note is listed in not_compiled"):
        scaled.run_compiled(Loud(7, 3), 3)


def test_attributes_are_frozen_once_they_are_compiled_in():
    scale = Scale(3)
    scale.factor = 4
    assert scaled.run_compiled(scale, 1) == 4.25
    with pytest.raises(AttributeError, match=re.escape("Scale.factor cannot change once the game is compiled")):
        scale.factor = 5
    assert scaled(scale, 1) == 4.25


def test_a_change_before_compiling_counts_even_if_the_digest_was_known():
    scale = Scale(3)
    digest(scale)
    scale.factor = 6
    assert scaled.run_compiled(scale, 1) == 6.25


def test_nested_objects_are_frozen_too():
    inner = Take(3, 3)
    game = Wrapped(inner)
    lines.run_compiled(game, game.initial(), 1)
    with pytest.raises(AttributeError):
        inner.stones = 4


def test_a_game_that_does_not_compile_is_not_frozen():
    scale = Scale({1: 2})
    with pytest.raises(CannotCompile):
        scaled.run_compiled(scale, 1)
    scale.factor = 2
    assert scaled.run_compiled(scale, 1) == 2.25


def test_a_copy_can_be_changed():
    scale = Scale(3)
    scaled.run_compiled(scale, 1)
    for other in (copy.copy(scale), copy.deepcopy(scale)):
        other.factor = 8
        assert scaled.run_compiled(other, 1) == 8.25


# -- classes -------------------------------------------------------------------------------------------


class Doubled(Take):
    """Overrides one rule, and calls the parent's by a second name."""

    parent_result = Take.result

    def result(self, state, action):
        return self.parent_result(self.parent_result(self.taken(state, stones=action - 1), 1), 0)

    @staticmethod
    def one():
        return 1

    @property
    def none(self):
        return self.one() - 1

    def taken(self, state, stones=5):
        return Heap(state.left - stones - self.none, state.player)


def test_a_subclass_overrides_what_it_wants():
    state = Heap(7, 1)
    assert after.run_compiled(Doubled(), state, 3) == after(Doubled(), state, 3) == Heap(4, 1)
    assert after.run_compiled(Take(), state, 3) == after(Take(), state, 3) == Heap(4, 0)


@kernel
def after(game: Take, state: Heap, action: int) -> Heap:
    return game.result(state, action)


class Material(Static):
    def __init__(self, weight):
        self.weight = weight

    def evaluate(self, game, state):
        return self.weight * state.left / game.stones


@kernel
def judged(game: Take, evaluation: Material, state: Heap) -> float:
    return evaluation.evaluate(game, state)


def test_an_evaluation_is_a_static_argument():
    state = Heap(5, 0)
    for weight in (1, 0.5):
        assert judged.run_compiled(Take(10), Material(weight), state) == judged(Take(10), Material(weight), state)


class Team(Static):
    def __init__(self, *scales):
        self.scales = scales


@kernel
def together(team: Team, number: int) -> int:
    return team.scales[0].of(number) + 1000 * team.scales[1].of(number)


def test_a_tuple_of_static_objects():
    assert together.run_compiled(Team(Scale(2), Scale(3)), 5) == 15010


def test_a_class_made_in_a_function_knows_what_is_around_it():
    def make(bonus):
        class Bonus(Scale):
            def of(self, number):
                return number + bonus

        return Bonus(1)

    assert [scaled.run_compiled(make(bonus), 1) for bonus in (10, 20)] == [11.25, 21.25]
