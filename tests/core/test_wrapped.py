"""A game seen through another: the wrapper hands every question on."""

import inspect

import pytest

from zermelo.core.game import Game
from zermelo.core.wrapped import Wrapped
from zermelo.games import find

pytestmark = pytest.mark.plain

OWN_ANSWERS = {
    "utilities": "made of `utility`, which a subclass may replace",
    "evaluations": "made of `evaluate`, which a subclass may replace",
    "other_world": "made of `view` and `worlds`, which a subclass may replace",
    "options": "describes the constructor of the wrapper itself",
    "chosen_options": "describes the constructor of the wrapper itself",
    **{f"fill_{name}": "made of the generator when compiled" for name in Game.generators},
}
"""The methods that the wrapper rightly does not hand on, and why."""


def methods():
    return {name for name, value in vars(Game).items() if inspect.isfunction(value) and not name.startswith("_")}


def attributes():
    return [name for name, kind in inspect.get_annotations(Game).items() if not kind.startswith("ClassVar")]


@pytest.mark.parametrize("name", sorted(methods() - set(OWN_ANSWERS)))
def test_every_method_of_a_game_is_handed_on(name):
    assert name in vars(Wrapped), f"Wrapped.{name} is missing: the default of Game would answer for the inner game"
    own, inner = inspect.signature(vars(Wrapped)[name]), inspect.signature(vars(Game)[name])
    assert list(own.parameters) == list(inner.parameters)


def test_no_exception_is_out_of_date():
    assert set(OWN_ANSWERS) <= methods()
    assert not set(OWN_ANSWERS) & set(vars(Wrapped))


def test_methods_ask_the_inner_game_the_same_question():
    """Each method calls the inner game's method of the same name with its own arguments, in their order."""

    class Recorder:
        def __getattr__(self, name):
            return lambda *args: (name, args)

    wrapper = Wrapped(find("nim"))
    object.__setattr__(wrapper, "game", Recorder())
    for name in sorted(methods() - set(OWN_ANSWERS)):
        arguments = list(inspect.signature(vars(Wrapped)[name]).parameters)[1:]
        assert vars(Wrapped)[name](wrapper, *arguments) == (name, tuple(arguments))


@pytest.mark.parametrize("name", attributes())
def test_every_attribute_of_a_game_is_taken_over(name):
    inner = find("nim")
    mark = object()
    object.__setattr__(inner, name, mark)
    assert getattr(Wrapped(inner), name) is mark
