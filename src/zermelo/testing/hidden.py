"""Checks of hidden information: a view shows a player enough to move, and only what the player has seen."""

from __future__ import annotations

import random
from typing import Any, TypeAlias

from zermelo.core.game import State, View, knows
from zermelo.kernel import U64
from zermelo.testing.position import Position
from zermelo.testing.sample import Sample

Memory: TypeAlias = tuple[tuple[View, Any], ...]
"""The views and actions of a player at each of their turns."""

OPEN = "nothing to check: nothing is hidden"
DRAWS = 3
"""Number of worlds drawn for each view."""
MORE_DRAWS = 50
"""Number of worlds drawn for each view if all before were the true state."""
FEW_GAMES, FEW_VIEWS = 20, 10
"""With fewer random games and fewer views, it can be an accident that nothing hidden was met."""


def views_decide_the_moves(sample: Sample) -> str:
    """A view is hashable and stable, and determines the legal moves of the player to move."""
    game = sample.game
    start = sample.positions[0]
    if not game.hidden:
        for position in sample.all() if knows(game, "view") else ():
            for player in range(game.players):
                if view_of(position, player) != position.state:
                    raise position.violation(
                        "a game that hides nothing should show all of the state",
                        f"the view of player {player} is {view_of(position, player)!r}",
                    )
        return OPEN
    if not knows(game, "view"):
        raise start.violation(
            "a game with hidden = True should have the method view", "every player sees the whole state"
        )
    first: dict[tuple[int, View], Position] = {}
    for position in sample.decisions():
        for player in range(game.players):
            view = view_of(position, player)
            if view != view_of(position, player):
                raise position.violation("view should answer the same every time", f"that of player {player} changes")
        like = first.setdefault((position.player, view_of(position, position.player)), position)
        if list(like.moves) != list(position.moves):
            raise position.violation(
                "positions that look the same to the player to move should offer the same moves in the same order",
                f"it is {_format_moves(like)} {like.where()}, and {_format_moves(position)}",
            )
        _must_be_written_alike(position, like)
    return sample.summary()


def worlds_fit_the_view(sample: Sample) -> str:
    """A world drawn for a view has that view, player to move and moves; some worlds differ."""
    game = sample.game
    if not game.hidden:
        return OPEN
    if not knows(game, "worlds"):
        raise sample.positions[0].violation("a game with hidden = True should have the method worlds", "it is missing")
    rng = random.Random(sample.seed)
    is_secret = False
    for position in sample.decisions():
        view = view_of(position, position.player)
        for _ in range(DRAWS):
            state = draw_world(position, view, rng)
            is_secret = is_secret or state != position.state
            _must_fit(position, Position(game, state, position.before, position.action), view)
    if not is_secret:
        is_secret = any(_is_open(position, rng) for position in sample.decisions())
    if not is_secret and sample.looked and (sample.games >= FEW_GAMES or sample.looked >= FEW_VIEWS):
        raise sample.positions[0].violation(
            "a game with hidden information should have views that leave something open",
            "every world that was drawn is the true state, so view gives all secrets away, from the first move",
        )
    return sample.summary()


def _is_open(position: Position, rng: random.Random) -> bool:
    """Whether one of many worlds drawn for the mover's view is not the true state."""
    view = view_of(position, position.player)
    return any(draw_world(position, view, rng) != position.state for _ in range(MORE_DRAWS))


def draw_world(position: Position, view: View, rng: random.Random) -> State:
    """A world for a view of the player to move."""
    luck = U64(rng.getrandbits(64))
    return position.attempt("worlds", position.game.worlds, view, position.player, luck)


def _must_fit(position: Position, world: Position, view: View) -> None:
    player = position.player
    world.observe()
    seen = view_of(world, player)
    if seen != view:
        raise position.violation(
            "a world drawn for a view should show that view", f"{world.text()} shows {seen!r}, not {view!r} as"
        )
    if world.over or world.player != player or set(world.moves) != set(position.moves):
        raise position.violation(
            "a world drawn for a view should have the same player to move and the same moves",
            f"{world.text()} has {_format_moves(world)}, not {_format_moves(position)} as",
        )
    _must_be_written_alike(position, world)


def _must_be_written_alike(position: Position, other: Position) -> None:
    """The notation of a move must not show what is hidden from the player who makes it."""
    for move in position.moves:
        here, there = position.ask("format_action", move), other.ask("format_action", move)
        if here != there:
            raise position.violation(
                "a move should be written the same in all positions that look the same to the player to move",
                f"{move!r} is {there!r} in {other.text()} and {here!r}",
            )


def views_remember(sample: Sample) -> str:
    """Perfect recall: equal views imply equal views and actions at all earlier turns, unless the game `forgets`."""
    game = sample.game
    if not game.hidden:
        return OPEN
    if game.forgets:
        return "nothing to check: views forget, and the library remembers"
    memories: dict[int, list[Memory]] = {}
    first: dict[tuple[int, View], Position] = {}
    for position in sample.all_visits():
        memories[id(position)] = _memories(position, memories)
        if not position.is_decision:
            continue
        player = position.player
        like = first.setdefault((player, view_of(position, player)), position)
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
        found[before.player] = (*found[before.player], (view_of(before, before.player), position.action))
    return found


def view_of(position: Position, player: int) -> View:
    view = position.ask("view", player)
    position.attempt("hash of a view", hash, view)
    found: View = view
    return found


def _format_moves(position: Position) -> str:
    return " ".join(position.move_text(move) for move in position.moves) or "nothing"
