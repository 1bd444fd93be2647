"""Checks of the rules: the player to move, the legal moves, the end, the payoffs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from zermelo.core.checked import SLACK
from zermelo.core.game import Action, knows
from zermelo.core.repetition import Repetition
from zermelo.testing.position import Position
from zermelo.testing.sample import INHERITED, Sample, count_noun, is_number, is_yes_or_no


def a_player_is_to_move(sample: Sample) -> str:
    """`to_move` is a player's number, or CHANCE in games with dice."""
    game = sample.game
    for position in sample.all():
        player = position.player
        if not isinstance(player, int) or isinstance(player, bool) or not -1 <= player < game.players:
            wanted = "0 to " + str(game.players - 1) if game.players > 1 else "0"
            raise position.violation(f"to_move should be {wanted} (or CHANCE, -1)", f"it is {player!r}")
        if position.is_chance and not position.over and not game.chance:
            raise position.violation(
                "a game without dice should have a player to move", "it is CHANCE: declare chance = True,"
            )
    return sample.summary()


def moves_are_distinct_and_playable(sample: Sample) -> str:
    """Every legal move is hashable, not None, given once, and leads to a position that answers; `count` counts them."""
    for position in sample.all():
        if knows(sample.game, "count") and (count := position.ask("count")) != len(position.moves):
            raise position.violation(
                "count should be the number of moves", f"it is {count!r}, not {len(position.moves)}"
            )
        times: Counter[Action] = position.attempt("hash of a move", Counter, position.moves)
        if None in times:
            raise position.violation("a move should not be None, which stands for no move", "None is one of them")
        for move, number in times.items():
            if number > 1 and not position.is_chance:
                raise position.violation(
                    "a move should be given once", f"{position.move_text(move)} comes {number} times"
                )
        for move in times:
            position.after(move)
            if sample.is_late():
                break
    return sample.summary()


def play_goes_on_until_it_is_over(sample: Sample) -> str:
    """There is a move, or an outcome, exactly while `is_terminal` is False."""
    for position in sample.all():
        if not is_yes_or_no(position.over):
            raise position.violation("is_terminal should be True or False", f"it is {position.over!r}")
        if not position.over and not position.moves:
            method = "outcomes" if position.is_chance else "actions"
            raise position.violation(
                "a position that is not over should have a move", f"is_terminal is False and {method} gives none"
            )
        if position.over and position.is_chance and not knows(sample.game, "is_terminal"):
            _must_have_no_outcomes(position)
    return sample.summary()


def _must_have_no_outcomes(position: Position) -> None:
    """A position with dice to roll is not terminal; the inherited `is_terminal` ignores dice."""
    outcomes = position.ask_all("outcomes") if knows(position.game, "outcomes") else ()
    if outcomes:
        raise position.violation(
            "a position with dice to roll should not be over",
            f"actions gives nothing and so the inherited is_terminal is True, while outcomes gives {len(outcomes)}: "
            "give the game its own is_terminal",
        )


def only_clocks_are_left_out(sample: Sample) -> str:
    """`repetition_key` is idempotent, and keeps the player to move and the moves.

    Superko may forbid repeating the board for both sides, so there the key may leave out more than clocks.
    """
    if not knows(sample.game, "repetition_key"):
        return INHERITED
    for position in sample.all():
        still = Position(sample.game, position.ask("repetition_key"), position.before, position.action)
        if still.ask("repetition_key") != still.state:
            raise position.violation(
                "repetition_key should leave no clock running", f"of {still.text()} it is yet another state"
            )
        if position.over or sample.game.repetition is Repetition.FORBIDDEN:  # over, perhaps by its clock
            continue
        still.observe()
        if still.player != position.player:
            raise position.violation(
                "repetition_key should keep the player to move", f"it is {still.player!r}, not {position.player!r},"
            )
        if set(still.moves) != set(position.moves):
            raise position.violation("repetition_key should keep the moves", f"{still.text()} has other ones")
    return sample.summary()


def games_come_to_an_end(sample: Sample) -> str:
    """Random games end within the stated number of plies."""
    if sample.endless:
        raise sample.endless.violation(
            f"a random game should end within {count_noun(sample.plies, 'move')}",
            "it goes on (count the moves in the state, or declare `repetition`)",
        )
    longest = max(position.ply for position in sample.positions)
    return f"the longest of {count_noun(sample.games, 'random game')} had {count_noun(longest, 'move')}"


def chances_sum_to_one(sample: Sample) -> str:
    """Outcomes are distinct, their probabilities are finite, not negative, and sum to 1."""
    if not sample.game.chance:
        return "nothing to check: the game has no dice"
    for position in sample.rolls():
        for move, chance in zip(position.moves, position.chances, strict=True):
            if not is_number(chance) or chance < 0:
                raise position.violation(
                    "a probability should be a number from 0 to 1", f"that of {position.move_text(move)} is {chance!r}"
                )
        for move, number in Counter(position.moves).items():
            if number > 1:
                raise position.violation(
                    "an outcome should be given once", f"{position.move_text(move)} comes {number} times"
                )
        total = math.fsum(position.chances)
        if abs(total - 1) > SLACK:
            raise position.violation("probabilities should sum to 1", f"they sum to {total:.12g}")
    return sample.summary("roll")


def utilities_are_numbers(sample: Sample) -> str:
    """At the end every player has a finite payoff."""
    for position in sample.ends():
        for player, payoff in enumerate(position.payoffs):
            if not is_number(payoff):
                raise position.violation("utility should be a finite number", f"that of player {player} is {payoff!r}")
    return sample.summary("end")


def sum_of(payoffs: Iterable[float]) -> float:
    """The sum without rounding errors; infinite if it is too large for a number."""
    try:
        return math.fsum(payoffs)
    except OverflowError:
        return sum(payoffs)


def utilities_sum_to_zero(sample: Sample) -> str:
    """The payoffs of a zero-sum game sum to 0."""
    if not sample.game.zero_sum:
        return "nothing to check: the game is not zero-sum"
    for position in sample.ends():
        total = sum_of(position.payoffs)
        if abs(total) > SLACK:
            raise position.violation(
                "the utilities of a zero-sum game should sum to 0 (or declare zero_sum = False)",
                f"{_join(position.payoffs)} sum to {total:.12g}",
            )
    return sample.summary("end")


def utilities_stay_in_range(sample: Sample) -> str:
    """Every payoff lies on the declared scale, and their sum is within the declared limit."""
    low, high = sample.game.utility_range
    for position in sample.ends():
        if sum_of(position.payoffs) > sample.game.max_payoff_sum + SLACK:
            raise position.violation(
                f"utilities should sum to max_payoff_sum, {sample.game.max_payoff_sum}, at most",
                f"{_join(position.payoffs)} sum to {sum_of(position.payoffs):.12g}",
            )
        for player, payoff in enumerate(position.payoffs):
            if not low - SLACK <= payoff <= high + SLACK:
                raise position.violation(
                    f"utility should stay within utility_range, {low} to {high}", f"that of player {player} is {payoff}"
                )
    return sample.summary("end")


def _join(numbers: tuple[float, ...]) -> str:
    return " and ".join(map(str, numbers))
