"""Checks of what follows from views: their keys and texts, what is public, how likely worlds are, teams."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import Any, TypeAlias

from zermelo.core.frozen import is_value
from zermelo.core.game import CHANCE, Game, State, View, knows
from zermelo.core.simultaneous import Simultaneous
from zermelo.kernel import U64, hash_numbers
from zermelo.testing.hidden import OPEN, draw_world, view_of
from zermelo.testing.position import Position
from zermelo.testing.sample import INHERITED, Sample, count_noun

Odds: TypeAlias = dict[tuple[int, View], dict[State, float]]
"""How likely each state is that looks like a view to a player."""
MOST_HISTORIES = 12_000
"""Games with more histories are too large to count the ways to each view."""
MOST_VIEWS = 8
DRAWS = 500
LEAST_EXPECTED = 5.0
"""States that are expected less often than this are counted together."""
UNLIKELY = 4.75
"""A chi-square value so many deviations from the usual has a probability of one in a million."""


def keys_distinguish_views(sample: Sample) -> str:
    """Different views of a player have different 64-bit keys, by which strategies are looked up."""
    game = sample.game
    if not game.hidden:
        return OPEN
    first: dict[tuple[int, int], tuple[View, Position]] = {}
    for position in sample.decisions():
        view = view_of(position, position.player)
        key = int(position.attempt("the key of a view", hash_numbers, view))
        like, where = first.setdefault((position.player, key), (view, position))
        if like != view:
            raise position.violation(
                "different views should have different keys", f"{like!r} {where.where()} has the same key as {view!r}"
            )
    return sample.summary()


def views_survive_as_text(sample: Sample) -> str:
    """`format_view` writes a view the same every time, and different views of a player differently."""
    game = sample.game
    if not game.hidden:
        return OPEN
    first: dict[tuple[int, str], tuple[View, Position]] = {}
    for position in sample.decisions():
        view = view_of(position, position.player)
        text = position.attempt("format_view", game.format_view, view, position.player)
        if not isinstance(text, str) or not text.strip() or "\n" in text:
            raise position.violation("format_view should give a line of text", f"it gives {text!r}")
        if text != position.attempt("format_view", game.format_view, view, position.player):
            raise position.violation("format_view should give the same text every time", f"it does not for {view!r}")
        like, where = first.setdefault((position.player, text), (view, position))
        if like != view:
            raise position.violation(
                "different views of a player should be written differently",
                f"{text!r} is both {like!r} {where.where()} and {view!r}",
            )
    return sample.summary()


def what_is_public_is_known_to_all(sample: Sample) -> str:
    """`public` is equal in all states that look alike to anybody, at any of their turns."""
    game = sample.game
    if not game.hidden:
        return OPEN
    if not knows(game, "public"):
        return INHERITED
    rng = random.Random(sample.seed)
    first: dict[tuple[int, View], tuple[Any, Position]] = {}
    for position in sample.decisions():
        view, public = view_of(position, position.player), position.ask("public")
        like, where = first.setdefault((position.player, view), (public, position))
        world = draw_world(position, view, rng)
        imagined = position.attempt("public", game.public, world)
        if not like == public == imagined:
            other = f"{like!r} {where.where()}" if like != public else f"{imagined!r} in another world"
            raise position.violation(
                "public should be equal in positions that look the same to a player", f"it is {other}, and {public!r}"
            )
    return sample.summary()


def buckets_share_the_moves(sample: Sample) -> str:
    """Views in one bucket offer the same moves."""
    game = sample.game
    if not game.hidden:
        return OPEN
    if not knows(game, "bucket"):
        return INHERITED
    first: dict[tuple[int, Any], Position] = {}
    for position in sample.decisions():
        bucket = position.attempt("bucket", game.bucket, view_of(position, position.player), position.player)
        like = first.setdefault((position.player, bucket), position)
        if list(like.moves) != list(position.moves):
            raise position.violation(
                "views in one bucket should have the same moves", f"{bucket!r} has others {like.where()}"
            )
    return sample.summary()


def choices_stay_hidden_until_all_have_chosen(sample: Sample) -> str:
    """In a game with simultaneous moves, a player's view does not depend on what the others have chosen."""
    game = sample.game
    if not isinstance(game, Simultaneous):
        return "nothing to check: moves are not simultaneous"
    for position in sample.decisions():
        if position.player == game.players - 1:
            continue
        seen: dict[int, View] = {}
        for move in position.moves:
            state = position.attempt("result", game.result, position.state, move)
            for other in range(game.players):
                view = position.attempt("view", game.view, state, other)
                if other != position.player and view != seen.setdefault(other, view):
                    raise position.violation(
                        "a choice should stay hidden until all have chosen", f"player {other} sees {view!r}"
                    )
    return sample.summary()


def partners_have_equal_payoffs(sample: Sample) -> str:
    """`teams` has a team for each player, and partners have equal payoffs."""
    game = sample.game
    if not game.teams:
        return "nothing to check: there are no teams"
    if len(game.teams) != game.players:
        raise sample.positions[0].violation(
            f"teams should have a number for each of {count_noun(game.players, 'player')}", f"it is {game.teams!r}"
        )
    for position in sample.ends():
        payoffs = [position.ask("utility", player) for player in range(game.players)]
        for player, team in enumerate(game.teams):
            partner = game.teams.index(team)
            if payoffs[player] != payoffs[partner]:
                raise position.violation(
                    "partners should have equal payoffs", f"players {partner} and {player} have {payoffs!r}"
                )
    return sample.summary("end")


# -- how likely worlds are -------------------------------------------------------------------------------


def worlds_are_as_likely_as_chance_makes_them(sample: Sample) -> str:
    """The same luck draws the same world; in a small game all worlds are drawn, as often as chance makes them."""
    game = sample.game
    if not game.hidden:
        return OPEN
    for position in sample.decisions():
        view = view_of(position, position.player)
        one, two = (draw_world(position, view, random.Random(sample.seed)) for _ in range(2))
        if one != two:
            raise position.violation(
                "worlds should draw the same state for the same luck", f"it draws {one!r} and {two!r}"
            )
    odds: Odds = {}
    if not is_value(sample.positions[0].state) or not _count_ways(game, odds, sample):
        return f"{sample.summary()}; too many histories to count how likely worlds are"
    rng = random.Random(sample.seed)
    several = [(seat, chances) for seat, chances in odds.items() if len(chances) > 1]
    for (player, view), chances in rng.sample(several, min(MOST_VIEWS, len(several))):
        _must_be_drawn_fairly(sample, player, view, chances, rng)
    return f"{sample.summary()}; worlds drawn for {count_noun(min(MOST_VIEWS, len(several)), 'view')}"


def _count_ways(game: Game, odds: Odds, sample: Sample) -> bool:
    """Walk through all histories, whose weight is the probability of chance; False if there are too many."""
    waiting: list[tuple[State, float]] = [(game.initial(), 1.0)]
    for _ in range(MOST_HISTORIES):
        if not waiting:
            return True
        if sample.is_late():
            return False
        state, weight = waiting.pop()
        if game.is_terminal(state):
            continue
        mover = game.to_move(state)
        if mover == CHANCE:
            waiting += [(game.result(state, event), weight * p) for event, p in game.outcomes(state) if p > 0]
        else:
            ways = odds.setdefault((mover, game.view(state, mover)), {})
            ways[state] = ways.get(state, 0.0) + weight
            waiting += [(game.result(state, action), weight) for action in game.actions(state)]
    return not waiting


def _must_be_drawn_fairly(
    sample: Sample, player: int, view: View, chances: dict[State, float], rng: random.Random
) -> None:
    start, game = sample.positions[0], sample.game
    drawn: Counter[State] = Counter()
    for _ in range(DRAWS):
        drawn[start.attempt("worlds", game.worlds, view, player, U64(rng.getrandbits(64)))] += 1
    shown = start.attempt("format_view", game.format_view, view, player)
    if extra := set(drawn) - set(chances):
        raise start.violation(
            "worlds should draw states that look like the view and can come about",
            f"for {shown!r} of player {player} it draws {next(iter(extra))!r}",
        )
    total = sum(chances.values())
    expected = {state: DRAWS * chance / total for state, chance in chances.items()}
    common = {state: count for state, count in expected.items() if count >= LEAST_EXPECTED}
    bins = [(drawn[state], count) for state, count in common.items()]
    if rest := DRAWS - sum(common.values()):
        bins.append((DRAWS - sum(drawn[state] for state in common), rest))
    if len(bins) > 1 and _deviation(bins) > UNLIKELY:
        worst = max(common, key=lambda state: abs(drawn[state] - expected[state]))
        raise start.violation(
            "worlds should draw states as likely as chance makes them",
            f"for {shown!r} of player {player} it draws {worst!r} {drawn[worst]} times of {DRAWS}, "
            f"not about {expected[worst]:.0f}",
        )


def _deviation(bins: list[tuple[int, float]]) -> float:
    """How many deviations the chi-square value is from the usual.   [Wilson & Hilferty 1931]"""
    value = sum((count - expected) ** 2 / max(expected, 1e-9) for count, expected in bins)
    share = 2 / (9 * (len(bins) - 1))
    return float(((value / (len(bins) - 1)) ** (1 / 3) - (1 - share)) / math.sqrt(share))
