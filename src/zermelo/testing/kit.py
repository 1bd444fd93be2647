"""The conformance kit: seeded random games, then a sequence of claims about their positions.

A claim is a function of the sample: it returns a summary of what it checked, or raises `ContractViolation` with a
sentence. No exception of the user's code escapes. Each claim may take its share of the time that earlier ones left.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from zermelo.core.errors import UsageError
from zermelo.core.game import Game
from zermelo.core.naive import with_values
from zermelo.games.library.registry import find
from zermelo.testing import compiled, counts, foundation, hidden, knowledge, notation, playouts, rules, secrets, tactics
from zermelo.testing.report import NOT_CHECKED, Check, Report
from zermelo.testing.sample import Sample
from zermelo.testing.violation import ContractViolation, attempt

FOUNDATION = ("methods", "declarations", "play", "purity", "stability", "states")
"""If one of these fails, the later claims cannot be checked."""


@dataclass(frozen=True)
class Claim:
    """A check by name; `needs` are the earlier checks that it depends on."""

    name: str
    test: Callable[[Sample], str]
    needs: tuple[str, ...] = ()


VALUE = ("turns", "moves", "ends", "chances", "zero sum", "utility range")
"""The checks that the value of a position depends on."""

CLAIMS = [
    Claim("methods", foundation.methods_are_given),
    Claim("declarations", foundation.declarations_make_sense),
    Claim("play", foundation.random_games_can_be_played),
    Claim("purity", foundation.no_method_changes_the_state),
    Claim("stability", foundation.answers_are_stable),
    Claim("states", foundation.states_are_values),
    Claim("turns", rules.a_player_is_to_move),
    Claim("moves", rules.moves_are_distinct_and_playable),
    Claim("ends", rules.play_goes_on_until_it_is_over),
    Claim("clocks", rules.only_clocks_are_left_out, ("turns", "moves", "ends")),
    Claim("length", rules.games_come_to_an_end),
    Claim("chances", rules.chances_sum_to_one),
    Claim("utility", rules.utilities_are_numbers),
    Claim("zero sum", rules.utilities_sum_to_zero, ("utility",)),
    Claim("utility range", rules.utilities_stay_in_range, ("utility",)),
    Claim("evaluation", knowledge.estimates_are_on_the_scale),
    Claim("ordering", tactics.guesses_are_numbers),
    Claim("noise", tactics.noise_is_yes_or_no),
    Claim("noisy moves", tactics.noisy_moves_are_found, ("moves", "noise")),
    Claim("gains", tactics.gains_are_numbers, ("noise",)),
    Claim("exchanges", tactics.exchanges_are_numbers, ("noise",)),
    Claim("threats", tactics.threats_are_yes_or_no),
    Claim("passing", tactics.a_pass_gives_the_turn_away, ("turns",)),
    Claim("candidates", tactics.a_best_move_is_a_candidate, VALUE),
    Claim("endings", tactics.the_end_stays_near, ("ends",)),
    Claim("priors", playouts.priors_are_weights),
    Claim("drawn moves", playouts.drawn_moves_are_legal, ("moves",)),
    Claim("bank", knowledge.the_bank_is_only_added, ("turns", "moves", "ends", "utility")),
    Claim("keys", knowledge.keys_distinguish_states),
    Claim("symmetry", knowledge.symmetry_keeps_the_value, ("turns", "moves", "ends", "chances", "utility range")),
    Claim("bounds", knowledge.bounds_hold_the_value, VALUE),
    Claim("move notation", notation.moves_survive_notation, ("turns", "moves", "chances")),
    Claim("position notation", notation.positions_survive_notation),
    Claim("bad input", notation.bad_input_is_refused, ("move notation", "position notation")),
    Claim("picture", notation.the_picture_shows_the_moves, ("move notation",)),
    Claim("views", hidden.views_decide_the_moves, ("turns", "moves")),
    Claim("worlds", hidden.worlds_fit_the_view, ("turns", "moves", "views")),
    Claim("recall", hidden.views_remember, ("turns", "moves", "views")),
    Claim("view keys", secrets.keys_distinguish_views, ("views",)),
    Claim("view notation", secrets.views_survive_as_text, ("views",)),
    Claim("odds of worlds", secrets.worlds_are_as_likely_as_chance_makes_them, ("worlds", "chances")),
    Claim("compiled worlds", compiled.compiled_worlds_agree, ("worlds",)),
    Claim("public", secrets.what_is_public_is_known_to_all, ("worlds",)),
    Claim("buckets", secrets.buckets_share_the_moves, ("views",)),
    Claim("simultaneous", secrets.choices_stay_hidden_until_all_have_chosen, ("views",)),
    Claim("teams", secrets.partners_have_equal_payoffs, ("utility",)),
    Claim("view picture", notation.the_view_s_picture_shows_the_moves, ("move notation", "views")),
    Claim("perft", counts.perft_agrees_with_the_table, ("moves", "ends")),
    Claim("compiled", compiled.compiled_rules_agree, ("turns", "moves", "ends", "chances", "utility")),
]


def check(game: Game | str, games: int = 30, seed: int = 0, *, plies: int = 2000, seconds: float = 20.0) -> Report:
    """Check that the game fulfils its contract, on `games` random games, in about `seconds`.

    A random game of more than `plies` moves counts as endless. An endless loop inside a method of the game is not
    interrupted.
    """
    if games < 1 or plies < 1 or not seconds > 0:
        raise UsageError(
            f"the kit needs a game, a ply and some time, not games={games}, plies={plies}, seconds={seconds}"
        )
    game = find(game) if isinstance(game, str) else game
    game = with_values(game) if isinstance(game, Game) else game
    sample = Sample(game, seed, plies)
    finish = time.monotonic() + seconds
    checks: dict[str, Check] = {}
    for number, claim in enumerate(CLAIMS):
        left = max(0.0, finish - time.monotonic())
        sample.deadline = time.monotonic() + min(left / (len(CLAIMS) - number), seconds / 10)
        obstacle = _obstacle(claim, checks)
        if obstacle:
            checks[claim.name] = Check(claim.name, False, NOT_CHECKED + obstacle)
            continue
        if claim.name == "play":
            sample.deadline = time.monotonic() + left / 4
            sample.draw(games)
        checks[claim.name] = _check_claim(claim, sample)
    return Report(_name(game), list(checks.values()))


def assert_conformant(game: Game, games: int = 30, seed: int = 0, *, plies: int = 2000, seconds: float = 20.0) -> None:
    """Raise AssertionError, with a sentence for every failed claim; for tests of a game."""
    report = check(game, games, seed, plies=plies, seconds=seconds)
    if not report.conformant:
        sentences = "\n".join(f"  {failed.name}: {failed.detail}" for failed in report.failures)
        raise AssertionError(f"{report.game} is not conformant\n{sentences}")


def _obstacle(claim: Claim, checks: dict[str, Check]) -> str:
    """The reason why the claim cannot be checked; empty if it can."""
    for name in (*FOUNDATION, *claim.needs):
        if name == claim.name:
            break
        earlier = checks[name]
        if not earlier.passed:
            is_chain = earlier.detail.startswith(NOT_CHECKED)
            return earlier.detail.removeprefix(NOT_CHECKED) if is_chain else f"{name!r} failed"
    return ""


def _check_claim(claim: Claim, sample: Sample) -> Check:
    try:
        return Check(claim.name, True, attempt(sample.game, "a method", claim.test, sample))
    except ContractViolation as violation:
        return Check(claim.name, False, str(violation))


def _name(game: Game) -> str:
    try:
        return attempt(game, "__str__", str, game)
    except ContractViolation:
        return type(game).__name__
