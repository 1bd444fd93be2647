"""Checks of hidden information: a view shows a player enough to move, and no more than they have seen."""

from __future__ import annotations

import random
from typing import Any, TypeAlias

from zermelo.core.game import View, knows
from zermelo.testing.position import Position
from zermelo.testing.sample import Sample

Memory: TypeAlias = tuple[tuple[View, Any], ...]
"""What a player saw at each of their turns, and what they did."""

OPEN = "nothing to look at: nothing is hidden"
DRAWS = 3
"""How many worlds are drawn for a view."""


def views_decide_the_moves(sample: Sample) -> str:
    """A view is hashable and stable, and shows the player to move which moves are legal."""
    game = sample.game
    start = sample.positions[0]
    if not game.hidden:
        if knows(game, "view"):
            raise start.violation("a game that hides nothing should keep the inherited view", "it has its own")
        return OPEN
    if not knows(game, "view"):
        raise start.violation(
            "a game with hidden = True should have the method view", "every player sees the whole state"
        )
    first: dict[tuple[int, View], Position] = {}
    for position in sample.decisions():
        for player in range(game.players):
            view = _view(position, player)
            if view != _view(position, player):
                raise position.violation("view should answer the same every time", f"that of player {player} changes")
        like = first.setdefault((position.player, _view(position, position.player)), position)
        if set(like.moves) != set(position.moves):
            raise position.violation(
                "positions that look the same to the player to move should offer the same moves",
                f"it is {_format_moves(like)} {like.where()}, and {_format_moves(position)}",
            )
    return sample.summary()


def worlds_fit_the_view(sample: Sample) -> str:
    """A world drawn for a view shows that view to the player, to move with the same moves; some worlds differ."""
    game = sample.game
    if not game.hidden:
        return OPEN
    if not knows(game, "worlds"):
        raise sample.positions[0].violation("a game with hidden = True should have the method worlds", "it is missing")
    rng = random.Random(sample.seed)
    is_secret = False
    for position in sample.decisions():
        view = _view(position, position.player)
        for _ in range(DRAWS):
            state = position.attempt("worlds", game.worlds, view, position.player, rng)
            is_secret = is_secret or state != position.state
            _must_fit(position, Position(game, state, position.before, position.action), view)
    if sample.looked and not is_secret:
        raise sample.positions[0].violation(
            "a game with hidden information should have views that leave something open",
            "every world that was drawn is the true state, so view gives all secrets away, from the first move",
        )
    return sample.summary()


def _must_fit(position: Position, world: Position, view: View) -> None:
    player = position.player
    world.observe()
    seen = _view(world, player)
    if seen != view:
        raise position.violation(
            "a world drawn for a view should show that view", f"{world.text()} shows {seen!r}, not {view!r} as"
        )
    if world.over or world.player != player or set(world.moves) != set(position.moves):
        raise position.violation(
            "a world drawn for a view should have the same player to move and the same moves",
            f"{world.text()} has {_format_moves(world)}, not {_format_moves(position)} as",
        )


def views_remember(sample: Sample) -> str:
    """Perfect recall: a player whose view is the same has seen and done the same at all their earlier turns."""
    game = sample.game
    if not game.hidden:
        return OPEN
    memories: dict[int, list[Memory]] = {}
    first: dict[tuple[int, View], Position] = {}
    for position in sample.all_visits():
        memories[id(position)] = _memories(position, memories)
        if not position.is_decision:
            continue
        player = position.player
        like = first.setdefault((player, _view(position, player)), position)
        if memories[id(like)][player] != memories[id(position)][player]:
            raise position.violation(
                "a player with the same view should have seen and done the same before",
                f"player {player} has the same view {like.where()} and",
            )
    return sample.summary()


def _memories(position: Position, memories: dict[int, list[Memory]]) -> list[Memory]:
    """One memory per player."""
    before = position.before
    if before is None:
        return [()] * position.game.players
    found = list(memories[id(before)])
    if before.is_decision:
        found[before.player] = (*found[before.player], (_view(before, before.player), position.action))
    return found


def _view(position: Position, player: int) -> View:
    view = position.ask("view", player)
    position.attempt("hash of a view", hash, view)
    found: View = view
    return found


def _format_moves(position: Position) -> str:
    return " ".join(position.move_text(move) for move in position.moves) or "nothing"
