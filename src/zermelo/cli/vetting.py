"""A first look at a game from outside: rules that would make every answer wrong are refused with a sentence."""

from __future__ import annotations

import time

from zermelo.core.errors import RulesError
from zermelo.core.game import Game
from zermelo.testing import foundation, rules
from zermelo.testing.sample import Sample
from zermelo.testing.unmet import Unmet, attempt

CLAIMS = (
    foundation.methods_are_given,
    foundation.declarations_make_sense,
    foundation.random_games_can_be_played,
    foundation.states_are_values,
    rules.a_player_is_to_move,
    rules.play_goes_on_until_it_is_over,
    rules.chances_sum_to_one,
    rules.utilities_are_numbers,
    rules.utilities_sum_to_zero,
    rules.utilities_stay_in_range,
)
GAMES, PLIES, SECONDS = 5, 200, 0.3


def vet(game: Game) -> None:
    """Play a few random games; RulesError says what is wrong with the rules, where it shows."""
    sample = Sample(game, plies=PLIES)
    for claim in CLAIMS:
        sample.deadline = time.monotonic() + SECONDS
        try:
            if claim is foundation.random_games_can_be_played:
                sample.draw(GAMES)
            attempt(game, "a method", claim, sample)
        except Unmet as unmet:
            raise RulesError(f"{type(game).__name__}: {unmet}") from None
