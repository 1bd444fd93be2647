"""The registry: a game by its name, by a plug-in's name, or from the user's own file.

    find("hexapawn:rows=4,cols=4")     a name, and the options that differ from the defaults
    find("mygame.py:MyGame:rows=4")    a class in a file; the class may be left out if it is the only one
    find("tree:max(min(3 12) 8)")      a game with a `from_spec` reads all that follows its name itself

A built-in game is imported when it is asked for. Plug-ins join through the entry-point group `zermelo.games`; their
names are looked at only when no built-in game has the name.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.core.errors import RulesError, UsageError, ZermeloError
from zermelo.core.game import Game, parse_options, suggest
from zermelo.games.library.files import module_of, where

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN = {
    "tree": "zermelo.games.tree:Tree",
    "tic-tac-toe": "zermelo.games.tictactoe:TicTacToe",
    "hexapawn": "zermelo.games.hexapawn:Hexapawn",
    "connect-four": "zermelo.games.connectfour:ConnectFour",
    "nim": "zermelo.games.nim:Nim",
    "pig": "zermelo.games.pig:Pig",
    "trio": "zermelo.games.trio:Trio",
    "chess": "zermelo.games.chess:Chess",
    "othello": "zermelo.games.othello:Othello",
    "breakthrough": "zermelo.games.breakthrough:Breakthrough",
    "checkers": "zermelo.games.checkers:Checkers",
    "kalah": "zermelo.games.mancala.kalah:Kalah",
    "oware": "zermelo.games.mancala.oware:Oware",
    "go": "zermelo.games.go:Go",
    "2048": "zermelo.games.game2048:Game2048",
    "pacman": "zermelo.games.pacman:PacMan",
    "backgammon": "zermelo.games.backgammon:Backgammon",
    "chinese-checkers": "zermelo.games.chinesecheckers:ChineseCheckers",
    "kuhn": "zermelo.games.kuhn:Kuhn",
    "leduc": "zermelo.games.leduc:Leduc",
    "liars-dice": "zermelo.games.liarsdice:LiarsDice",
    "matrix": "zermelo.games.matrix:Matrix",
    "goofspiel": "zermelo.games.goofspiel:Goofspiel",
    "oshi-zumo": "zermelo.games.oshizumo:OshiZumo",
    "blotto": "zermelo.games.blotto:Blotto",
    "hex": "zermelo.games.hex:Hex",
    "phantom": "zermelo.games.library.phantom:Phantom",
}
GROUP = "zermelo.games"
RULES = ("initial", "to_move", "actions", "result", "utility")


def find(spec: str) -> Game:
    """The game that a text names; UsageError or RulesError with one sentence if it names none."""
    name, _, rest = spec.strip().partition(":")
    if name.endswith(".py"):
        class_name, _, options = rest.partition(":")
        if "=" in class_name:
            class_name, options = "", rest
        game_class = _class_in(name, class_name.strip())
        return _make(game_class, f"{name}:{game_class.__name__}", options)
    return _make(_class_named(name), name, rest)


def names() -> list[str]:
    """The registered names: the built-in games, then the plug-ins."""
    return [*BUILT_IN, *sorted({plug_in.name for plug_in in _plug_ins()} - set(BUILT_IN))]


def all_games() -> Iterator[Game]:
    """Every registered game with its default options."""
    return map(find, names())


def describe(spec: str) -> dict[str, Any]:
    """A game's declarations: its name, a one-line description, its kind and its options."""
    game = find(spec)
    return {
        "name": game.name,
        "summary": _summary(type(game)),
        "players": game.players,
        "zero_sum": game.zero_sum,
        "chance": game.chance,
        "hidden": game.hidden,
        "parameters": game.options(),
    }


def _summary(game_class: type[Game]) -> str:
    """The first line of its docstring; "" if neither it nor a class of the user's above it has one."""
    own = game_class.__mro__[: game_class.__mro__.index(Game)]
    text = next((one.__doc__ for one in own if one.__doc__), "")
    return inspect.cleandoc(text).partition("\n")[0]


# -- classes -------------------------------------------------------------------------------------------


def _class_named(name: str) -> type[Game]:
    if name in BUILT_IN:
        module, _, class_name = BUILT_IN[name].partition(":")
        found: type[Game] = getattr(importlib.import_module(module), class_name)
        return found
    for plug_in in _plug_ins():
        if plug_in.name == name:
            return _load_plug_in(plug_in)
    raise UsageError(f"there is no game {name!r}; {_hint(name)}")


def _plug_ins() -> Iterable[EntryPoint]:
    from importlib.metadata import entry_points  # here, because it is slow to import and mostly not needed

    return entry_points(group=GROUP)


def _load_plug_in(plug_in: EntryPoint) -> type[Game]:
    try:
        found = plug_in.load()
    except Exception as error:
        raise RulesError(
            f"the plug-in game {plug_in.name} ({plug_in.value}) cannot be imported: {type(error).__name__}: {error}"
        ) from None
    return _with_rules(found, f"the plug-in game {plug_in.name} ({plug_in.value})")


def _hint(name: str) -> str:
    known = names()
    with suppress(OSError, ValueError):  # a name too long for a file, a zero byte
        if name and Path(f"{name}.py").is_file():
            return f"the file beside you is called {name}.py"
    near = difflib.get_close_matches(name.lower().replace("_", "-").replace(" ", "-"), known, n=3, cutoff=0.5)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"{suggest(known, '')}, or a file of your own as path/mygame.py:MyGame"


def _class_in(path: str, class_name: str) -> type[Game]:
    module = module_of(path)
    if class_name:
        if not hasattr(module, class_name):
            raise UsageError(f"{path} has no class {class_name}; {suggest(_games_of(module), 'it has no Game class')}")
        return _with_rules(getattr(module, class_name), f"{path}:{class_name}")
    candidates = _games_of(module)
    if not candidates:
        raise RulesError(f"{path} has no game in it; derive a class from zermelo's Game")
    if len(candidates) > 1:
        raise UsageError(f"{path} has several games; say which: {' or '.join(f'{path}:{name}' for name in candidates)}")
    return _with_rules(getattr(module, candidates[0]), f"{path}:{candidates[0]}")


def _games_of(module: Any) -> list[str]:
    """The public Game classes that the module itself defines."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and isinstance(value, type)
        and issubclass(value, Game)
        and value.__module__ == module.__name__
    ]


def _with_rules(game_class: Any, shown: str) -> type[Game]:
    """The class itself, once it is known to be a Game with all five methods."""
    if not (isinstance(game_class, type) and issubclass(game_class, Game)):
        raise RulesError(f"{shown} is not a Game class; derive it from zermelo's Game")
    missing = [method for method in RULES if getattr(game_class, method) is getattr(Game, method)]
    if missing:
        raise RulesError(f"{shown} lacks {' and '.join(missing)}; a game has the five methods {', '.join(RULES)}")
    return game_class


# -- instances -----------------------------------------------------------------------------------------


def _make(game_class: type[Game], shown: str, rest: str) -> Game:
    from_spec = getattr(game_class, "from_spec", None)
    if rest and from_spec is not None:
        made: Game = from_spec(rest)
        return made
    options = parse_options(game_class, shown, _option_texts(shown, rest))
    needed = [
        name
        for name, parameter in inspect.signature(game_class).parameters.items()
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    ]
    if unset := [name for name in needed if name not in options]:
        raise UsageError(f"{shown} needs {' and '.join(unset)}; write {shown}:{','.join(f'{n}=...' for n in needed)}")
    try:
        return game_class(**options)
    except ZermeloError:
        raise
    except Exception as error:
        raise UsageError(f"{shown} cannot be made with {rest or 'its defaults'}: {where(error)}") from None


def _option_texts(shown: str, rest: str) -> dict[str, str]:
    texts: dict[str, str] = {}
    for part in rest.split(",") if rest else ():
        option, equals, value = (piece.strip() for piece in part.partition("="))
        if not (option and equals and value):
            raise UsageError(
                f"{shown}: {part.strip() or 'an empty option'!r} is not an option; write name=value,name=value"
            )
        if option in texts:
            raise UsageError(f"{shown}: {option} is given twice; once is enough")
        texts[option] = value
    return texts
