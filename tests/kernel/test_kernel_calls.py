"""Kernels as functions: interpreted when called, compiled when run, and watched without a line in them."""

import pytest
from little_rules import Take, lines

from zermelo.kernel import U64, Static, kernel, observe
from zermelo.kernel.compiler import CannotCompile, is_plain, why_interpreted


@kernel
def power(static: Static, base: int, exponent: int = 2) -> int:
    """A number times itself."""
    return 1 if exponent == 0 else base * power(static, base, exponent - 1)


@kernel
def typed(static: Static, whole: int, real: float, truth: bool, word: U64) -> tuple[float, ...]:
    return whole, real, truth, word


@pytest.mark.plain
def test_a_kernel_looks_like_the_function_it_is():
    assert power.__name__ == "power"
    assert power.__doc__ == "A number times itself."
    assert repr(power) == "<kernel test_kernel_calls.power>"
    assert power(Static(), 3) == 9
    assert power(Static(), exponent=3, base=2) == 8


@pytest.mark.both
@pytest.mark.parametrize("way", ["run", pytest.param("run_compiled", marks=pytest.mark.compiled)])
def test_arguments_may_be_named_and_left_out(way):
    run = getattr(power, way)
    assert [run(Static(), 3), run(Static(), exponent=3, base=2), run(Static(), 2, exponent=5)] == [9, 8, 32]
    with pytest.raises(TypeError, match="missing a required argument: 'base'"):
        run(Static())
    with pytest.raises(TypeError, match="too many positional arguments"):
        run(Static(), 1, 2, 3)


@pytest.mark.both
def test_run_casts_arguments_to_their_annotations():
    whole, real, truth, word = typed.run(Static(), 3.7, 2, 1, -1)
    assert (whole, real, truth, word) == (3, 2.0, True, (1 << 64) - 1)
    assert [type(whole), type(real), type(truth)] == [int, float, bool]


@kernel
def turned_word(static: Static, word: U64) -> U64:
    return ~word


@pytest.mark.both
def test_a_runner_is_run_for_arguments_of_the_same_types():
    cube = power.runner(Static(), 1, 3)
    assert [cube(Static(), base, 3) for base in range(4)] == [0, 1, 8, 27]
    found = turned_word.runner(Static(), U64(0))(Static(), U64(1))
    assert found == (1 << 64) - 2
    assert type(found) is U64


@pytest.mark.plain
def test_values_made_of_numbers_are_plain():
    numbers = (1, 2.5, True, U64(3), (), (1, (2, U64(1 << 63))), Take().initial(), Take(), (1 << 63) - 1)
    others = ("text", None, [1], {1: 2}, (1, "text"), 1 << 63, -(1 << 63), print, object(), frozenset())
    assert all(map(is_plain, numbers))
    assert not any(map(is_plain, others))


class Diary:
    def __init__(self):
        self.lines = []

    def enter(self, name, arguments):
        self.lines.append(f"{name}({arguments['base']}, {arguments['exponent']})")

    def leave(self, result):
        self.lines.append(f"= {result}")


@pytest.mark.plain
def test_an_observer_sees_every_call():
    diary = Diary()
    with observe(diary):
        power(Static(), 5)
    power(Static(), 7)
    assert diary.lines == ["power(5, 2)", "power(5, 1)", "power(5, 0)", "= 1", "= 5", "= 25"]


@pytest.mark.plain
def test_switched_off_there_is_no_warning_and_the_answer_is_the_same(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    game = Take()
    assert lines.run(game, game.initial(), 3) == lines(game, game.initial(), 3)
    assert not lines.prepare(game, game.initial(), 3)
    assert why_interpreted(lines, [game, game.initial(), 3]) == "compiling is switched off"
    assert not game._is_compiled


def test_prepare_compiles_and_does_not_run():
    from zermelo.kernel.bridge import dispatcher

    game = Take(11, 1)
    before = len(dispatcher(lines).overloads)
    assert lines.prepare(game, game.initial(), 1 << 40)
    assert len(dispatcher(lines).overloads) == before + 1
    assert lines.run(game, game.initial(), 99) == 1
    assert len(dispatcher(lines).overloads) == before + 1


@kernel
def fails(static: Static, number: int) -> int:
    if number > 3:
        raise ValueError("too much")
    return (1, 2, 3)[number]


def test_an_error_of_the_rules_is_the_same_error_compiled():
    for way in (fails, fails.run_compiled, fails.run):
        assert way(Static(), 2) == 3
        with pytest.raises(ValueError, match="too much"):
            way(Static(), 4)
        with pytest.raises(IndexError):
            way(Static(), 3)


def test_compiled_refuses_what_run_forgives():
    with pytest.raises(CannotCompile):
        lines.run_compiled(Take(), "text", 1)
