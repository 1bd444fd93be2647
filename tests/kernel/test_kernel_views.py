"""`view` in compiled code: numba refuses methods of that name, except those of arrays."""

import inspect
import random

import pytest
from numba.core import typed_passes
from numba.core.ir_utils import raise_on_unsupported_feature

from zermelo.core.game import Game, State
from zermelo.core.random_games import random_game
from zermelo.games import find
from zermelo.kernel import U64, Static, bridge, hash_numbers, kernel


@kernel
def key_of_view(game: Game, state: State, player: int) -> U64:
    return hash_numbers(game.view(state, player))


class Window(Static):
    def view(self, number):
        return number + 1


@kernel
def look(window: Window, number: int) -> int:
    return window.view(number)


def test_a_method_called_view_compiles():
    assert look.run_compiled(Window(), 41) == 42


def test_numba_still_has_the_check_that_the_kernel_replaces():
    """When this fails, numba has changed: look at `_refuse_unsupported_except_views` in `kernel/bridge.py`."""
    assert typed_passes.raise_on_unsupported_feature is bridge._refuse_unsupported_except_views
    assert bridge._refuse_unsupported is raise_on_unsupported_feature
    assert list(inspect.signature(raise_on_unsupported_feature).parameters) == ["func_ir", "typemap"]
    assert "attr == 'view'" in inspect.getsource(raise_on_unsupported_feature)


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "liars-dice"])
def test_compiled_and_interpreted_views_have_the_same_hash(spec):
    game, rng = find(spec), random.Random(0)
    for _ in range(5):
        for state, _ in random_game(game, game.initial(), rng, 30):
            for player in range(game.players):
                assert key_of_view.run_compiled(game, state, player) == key_of_view(game, state, player)
