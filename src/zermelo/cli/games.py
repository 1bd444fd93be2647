"""`zermelo games`: the games with their kinds, options and algorithms."""

from __future__ import annotations

import inspect
import shutil
import sys
import textwrap
from operator import itemgetter
from typing import Any

from zermelo.cli.precheck import precheck
from zermelo.cli.request import print_json
from zermelo.cli.terminal import has_colour, style
from zermelo.core import guards
from zermelo.core.checked import is_own
from zermelo.core.game import Game
from zermelo.core.guards import preferred_algorithm
from zermelo.games import all_games, find


def show_games(as_json: bool) -> None:
    found = list(all_games())
    if as_json:
        print_json({"games": [facts(game) for game in found]})
        return
    rows = [(game.name, game.title, str(game.players), _traits(game), options(game)) for game in found]
    header = ("name", "title", "players", "kind", "options")
    wide = [max(len(row[column]) for row in (header, *rows)) for column in range(4)]
    for row in (header, *rows):
        name, *rest = (cell.ljust(width) for cell, width in zip(row, wide, strict=False))
        print("  ".join([style(name, "1"), *rest, _shorten(row[4], _width() - sum(wide) - 8)]).rstrip())
    print()
    for algorithms, names in _by_algorithms(found).items():
        heading = f"{', '.join(names)}: "
        print(textwrap.fill(heading + " ".join(algorithms), _width(), subsequent_indent="  "))
    print("\nzermelo games NAME describes a game, zermelo play NAME starts it.")


def show_game(spec: str, as_json: bool) -> None:
    game = find(spec)
    if not is_own(type(game)):
        game = precheck(game)
    if as_json:
        print_json({"games": [facts(game)]})
        return
    from zermelo.draw import board_text

    players = f"{game.players} player{'s' * (game.players > 1)}"
    seats = f": {', '.join(map(game.seat, range(game.players)))}" if game.seats else ""
    print(f"{style(game.full_title(), '1')}, {game.spec()}")
    print(manual(game))
    print(f"\n{board_text(game.picture(game.initial()), color=has_colour(sys.stdout))}\n")
    lines = {
        "players": players + seats,
        "kind": kind(game),
        "options": options(game) or "none",
        "in words": ", ".join(f"{name}: {label}" for name, label in game.option_labels.items()),
        "algorithms": " ".join(runnable_algorithms(game)),
        "start with": preferred_algorithm(game),
        "position": game.format_state(game.initial()),
    }
    for name, text in filter(itemgetter(1), lines.items()):
        print(textwrap.fill(f"{name:<12}{text}", max(_width(), 40), subsequent_indent=" " * 12))


def facts(game: Game) -> dict[str, Any]:
    """What the game declares, for programs."""
    return {
        "name": game.name,
        "title": game.title,
        "players": game.players,
        "zero_sum": game.zero_sum,
        "chance": game.chance,
        "hidden": game.hidden,
        "parameters": game.options(),
        "algorithms": runnable_algorithms(game),
    }


def kind(game: Game) -> str:
    """The class of the game in words: `zero-sum, dice`."""
    traits = ["zero-sum" if game.zero_sum else "not zero-sum", "dice" if game.chance else "no dice"]
    return ", ".join(traits + ["hidden information"] * game.hidden)


def _traits(game: Game) -> str:
    """What is special about the game, in the width of a column; empty for zero-sum games without dice."""
    traits = {"not zero-sum": not game.zero_sum, "dice": game.chance, "hidden": game.hidden}
    return ", ".join(trait for trait, applies in traits.items() if applies)


def options(game: Game) -> str:
    """The options with their values, as they are written after the name."""
    texts = {
        name: "-".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in game.options().items()
    }
    return ",".join(f"{name}={text.lower() if text in ('True', 'False') else text}" for name, text in texts.items())


def rules(game: Game) -> list[str]:
    """The first lines of the docstrings of the game's file and class: at most two."""
    module = inspect.getmodule(type(game))
    texts = [getattr(module, "__doc__", None), type(game).__doc__]
    return [inspect.cleandoc(text).partition("\n")[0] for text in texts if text]


def manual(game: Game) -> str:
    """The docstrings of the game's file and class."""
    module = inspect.getmodule(type(game))
    texts = [getattr(module, "__doc__", None), type(game).__doc__]
    return "\n\n".join(inspect.cleandoc(text) for text in texts if text)


def runnable_algorithms(game: Game) -> list[str]:
    """The algorithms that can play the game."""
    from zermelo.arena.search_agent import has_whole_moves

    can_run_mcts = not game.hidden or has_whole_moves(game)
    return [name for name in guards.suitable_algorithms(game) if name != "mcts" or can_run_mcts]


def _by_algorithms(games: list[Game]) -> dict[tuple[str, ...], list[str]]:
    """Group the games by the algorithms that fit."""
    found: dict[tuple[str, ...], list[str]] = {}
    for game in games:
        found.setdefault(tuple(runnable_algorithms(game)), []).append(game.name)
    return found


def _shorten(text: str, room: int) -> str:
    return text if len(text) <= max(room, 12) else text[: max(room, 12) - 1] + "…"


def _width() -> int:
    return min(shutil.get_terminal_size().columns, 100)
