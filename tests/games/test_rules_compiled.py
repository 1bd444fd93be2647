"""Interpreted equals compiled: every answer of every registered game along random lines of play, in one number."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.core.game import CHANCE, Game
from zermelo.games import all_games
from zermelo.kernel import U64, hash_numbers, kernel, mix


@kernel
def playthrough(game: Game, seed: int, plies: int) -> U64:
    """A hash of all that the rules say along one line; `seed` chooses the moves."""
    state = game.initial()
    luck, found = mix(U64(seed)), U64(0)
    for _ in range(plies):
        found = mix(found ^ hash_numbers(state)) + hash_numbers(game.canonical(state)) + game.key(state)
        for player in range(game.players):
            low, high = game.bounds(state, player)
            found = mix(found ^ hash_numbers((float(low), float(high))))
        if game.is_terminal(state):
            for player in range(game.players):
                found = mix(found ^ hash_numbers(float(game.utility(state, player))))
            return found
        mover = game.to_move(state)
        found = mix(found + U64(mover))
        count = 0
        if mover == CHANCE:
            for action, probability in game.outcomes(state):
                found = mix(found ^ hash_numbers((action, probability)))
                count += 1
        else:
            for player in range(game.players):
                found = mix(found ^ hash_numbers(float(game.evaluate(state, player))))
            for action in game.actions(state):
                rank, is_noisy = game.order(state, action), game.is_noisy(state, action)
                found = mix(found ^ hash_numbers((action, float(rank), is_noisy)))
                count += 1
        luck = mix(luck + U64(0x9E3779B97F4A7C15))
        chosen, index = int((luck >> 33) % U64(count)), 0
        following = state
        if mover == CHANCE:
            for action, _ in game.outcomes(state):
                if index == chosen:
                    following = game.result(state, action)
                index += 1
        else:
            for action in game.actions(state):
                if index == chosen:
                    following = game.result(state, action)
                index += 1
        state = following
    return found


SLOW = {"go": 25, "chess": 50, "backgammon": 60, "chinese-checkers": 60}
"""Plies that are enough for games whose rules take long without the compiler."""


@pytest.mark.parametrize("game", list(all_games()), ids=str)
@settings(max_examples=10)
@given(seed=st.integers(0, 2**62), plies=st.integers(1, 120))
def test_compiled_rules_say_what_interpreted_rules_say(game, seed, plies):
    plies = min(plies, SLOW.get(game.name, plies))
    assert playthrough.run_compiled(game, seed, plies) == playthrough(game, seed, plies)


def test_the_hash_sees_a_difference_in_any_rule():
    """Otherwise the agreement above would say nothing."""
    from zermelo.games.pig import Pig
    from zermelo.games.tictactoe import TicTacToe

    def changed(cls, method, change):
        plain = getattr(cls, method)
        return type(cls.__name__, (cls,), {method: lambda self, *args: change(plain(self, *args))})()

    for cls, method, change in (
        (TicTacToe, "evaluate", lambda value: value + 1e-9),
        (TicTacToe, "order", lambda value: value + 1),
        (TicTacToe, "is_noisy", lambda value: not value),
        (TicTacToe, "utility", lambda value: -value / 2 - 0.25),
        (TicTacToe, "canonical", lambda state: type(state)(*state[::-1])),
        (TicTacToe, "actions", lambda actions: reversed(list(actions))),
        (TicTacToe, "bounds", lambda bounds: (bounds[0] - 1, bounds[1])),
        (Pig, "outcomes", lambda outcomes: [(action, chance) for action, chance in outcomes][::-1]),
    ):
        assert playthrough(changed(cls, method, change), 1, 30) != playthrough(cls(), 1, 30), method
