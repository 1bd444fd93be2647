"""Switches are folded in the source: a kernel's twin has no dead branches, and does what the kernel does."""

import dis
import itertools
import traceback

import pytest

from zermelo.kernel import Kernel, Switches, kernel
from zermelo.kernel.specialisation import specialise

pytestmark = pytest.mark.plain


class Ways(Switches):
    def __init__(self, doubles=False, negates=False, climbs=False):
        self.doubles, self.negates, self.climbs = doubles, negates, climbs
        self.size = 5


WAYS = [Ways(*values) for values in itertools.product((False, True), repeat=3)]


def dead_end(number: int) -> int:
    return number + 1000


def changed(how: Ways, number: int) -> int:
    """A plain function that the switches are handed on to."""
    if how.doubles and number > 0:
        return 2 * number
    return number


@kernel
def descent(how: Ways, number: int, most: int = 3) -> int:
    """Calls itself, another kernel and a function."""
    if number <= 0:
        return finish(how, number)
    step = 2 if how.climbs else 1
    if how.negates:
        number = -number + 2 * number
    elif how.doubles:
        number = number + 0
    else:
        number = number + how.size - 5
    if not how.climbs or number > most:
        return changed(how, number) + descent(how, number - step, most)
    return changed(how, number)


@kernel
def finish(how: Ways, number: int) -> int:
    return dead_end(number) if how.negates and not how.doubles else number


@kernel
def dividing(how: Ways, number: int) -> int:
    if how.doubles:
        number = dead_end(number)
    if how.negates:
        return 1

    return 1 // number


def names_in(twin):
    function = twin.function if isinstance(twin, Kernel) else twin
    return set(function.__code__.co_names)


def jumps(twin):
    function = twin.function if isinstance(twin, Kernel) else twin
    return sum("JUMP" in step.opname and "BACKWARD" not in step.opname for step in dis.get_instructions(function))


@pytest.mark.parametrize("how", WAYS, ids=lambda how: str(how.constants()))
def test_a_twin_says_what_the_kernel_says(how):
    twin = specialise(descent, {"how": how})
    for number, most in itertools.product(range(-2, 9), (0, 3)):
        assert twin(how, number, most) == descent(how, number, most)
        assert twin(how, number) == descent(how, number)


def test_a_twin_has_no_dead_branches():
    """What a switch leaves out is not even named."""
    assert "dead_end" in names_in(finish)
    assert "dead_end" in names_in(specialise(finish, {"how": Ways(negates=True)}))
    assert "dead_end" not in names_in(specialise(finish, {"how": Ways()}))
    assert "dead_end" not in names_in(specialise(finish, {"how": Ways(doubles=True, negates=True)}))
    assert not {"doubles", "negates", "climbs"} & names_in(specialise(descent, {"how": Ways()}))
    assert jumps(specialise(finish, {"how": Ways()})) == 0
    assert jumps(specialise(descent, {"how": Ways()})) < jumps(descent)


def test_arguments_that_are_not_switches_stay():
    assert "size" in names_in(specialise(descent, {"how": Ways()}))


def test_functions_and_kernels_that_get_the_switches_are_folded_too():
    twin = specialise(descent, {"how": Ways()})
    inner = twin.function.__globals__
    assert inner["descent"] is twin  # it calls itself, not the original
    assert inner["finish"] is specialise(finish, {"how": Ways()})
    assert inner["finish"] is not finish
    assert inner["changed"] is specialise(changed, {"how": Ways()})
    assert jumps(inner["changed"]) == 0
    assert inner["dead_end"] is dead_end  # it takes no switches


def test_equal_switches_share_a_twin_and_others_do_not():
    assert specialise(descent, {"how": Ways()}) is specialise(descent, {"how": Ways()})
    assert specialise(descent, {"how": Ways()}) is not specialise(descent, {"how": Ways(climbs=True)})
    assert descent.function.__globals__["finish"] is finish  # the original is as it was


def test_a_twin_keeps_names_defaults_and_annotations():
    twin = specialise(descent, {"how": Ways()}).function
    original = descent.function
    assert (twin.__name__, twin.__qualname__, twin.__module__) == ("descent", "descent", __name__)
    assert twin.__defaults__ == original.__defaults__ == (3,)
    assert twin.__annotations__ == original.__annotations__


@pytest.mark.parametrize("how", [Ways(), Ways(doubles=True)], ids=["left out", "kept"])
def test_errors_name_their_line(how):
    lines = []
    for function in (dividing, specialise(dividing, {"how": how})):
        with pytest.raises(ZeroDivisionError) as caught:
            function(how, -1000 if how.doubles else 0)
        last = traceback.extract_tb(caught.value.__traceback__)[-1]
        lines.append((last.filename, last.lineno, last.line))
    assert lines[0] == lines[1]
    assert lines[0][2] == "return 1 // number"


@pytest.mark.compiled
@pytest.mark.parametrize("how", [WAYS[0], WAYS[3], WAYS[6]])
def test_compiled_twins_say_what_the_kernel_says(how):
    for number in (-1, 0, 1, 4, 8):
        assert descent.run_compiled(how, number) == descent(how, number)
        assert descent.run(how, number, 0) == descent(how, number, 0)
