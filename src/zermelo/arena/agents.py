"""Agents choose the moves of a seat. They are created from texts such as `alphabeta:depth=6` or `random:seed=3`.

auto         solves small games, searches the others, and reports what it did
solve        plays perfectly, if the game can be solved
random       plays any legal move
alphabeta    the engine: `alphabeta:time=2s,threads=2,memory=256,lines=3`
mcts         Monte Carlo tree search: `mcts:sims=10k,threads=2,memory=256`
expectimax   against modelled opponents, by default random ones: `expectimax:depth=6,seat2=random,seat3=min`; also
             expectiminimax, maxn, paranoid and bestreply; `moves=5,improbable=0.05` searches fewer moves and rolls
minimax …    one of the textbook's searches, by the name of its algorithm
             each of these and `auto` also plays at a level from 1 to 10: `auto:level=4`
equilibrium  plays a small game with hidden information as its equilibrium does, or as a file says:
             `equilibrium:kuhn.strategy`
uci:…        another program: `uci:stockfish,UCI_Elo=2200`
gtp:…        another program: `gtp:gnugo --mode gtp --chinese-rules --level 10`
"""

from __future__ import annotations

import dataclasses
import difflib
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.arena.levels import parse_level
from zermelo.core.analysis import Analysis, Progress
from zermelo.core.errors import UsageError, ZermeloError
from zermelo.core.game import Game, suggest
from zermelo.core.guards import ALGORITHMS, require
from zermelo.core.limit import Limit, most_threads, parse_count, parse_duration
from zermelo.core.referee import Table, open_table, table_for_agent
from zermelo.core.seat import Seat

if TYPE_CHECKING:
    import threading

DEFAULT_LIMIT = Limit(time=1.0)
"""The limit of a search that has none of its own."""
GLANCE = Limit(depth=1)
"""A search that compiles everything and does little else."""


class Resigned(ZermeloError):
    """An agent resigns instead of moving."""


class Agent(ABC):
    """Chooses moves. Your own bot needs `name` and `choose`."""

    name: str
    limit: Limit = Limit()
    """The limit that the agent keeps; a match enforces the time."""
    lines: int = 1
    """How many of the best moves get a value, if the agent supports it."""
    progress: Progress | None = None
    """Called with the analysis so far, if the agent supports it."""
    stop: threading.Event | None = None
    """Once it is set, an agent that supports it answers at once."""

    @abstractmethod
    def choose(self, referee: Table) -> Analysis:
        """Return the analysis whose `best` is the move to play, or raise Resigned; a player is to move, not chance.

        In a game with hidden information you get a `Seat` instead of the referee: what the player has seen.
        """

    def policy(self, table: Table) -> tuple[float, ...] | None:
        """The probability of each legal move, if the agent knows it; None if it has to be asked many times."""
        return None

    def require(self, game: Game) -> None:  # noqa: B027 - most bots play anything
        """Raise Refused, with a sentence, for a game this agent cannot play."""

    def prepare(self, referee: Table) -> None:  # noqa: B027 - most bots are always ready
        """Do the slow work before the first choice, such as compiling; a player is to move."""

    def for_game(self, seed: int) -> Agent:
        """Return the agent for another game of a match; a randomised agent gets this seed."""
        return self


@dataclasses.dataclass(frozen=True)
class RandomAgent(Agent):
    """Plays any legal move, each equally likely. The choice depends on seed and ply, so undo changes nothing."""

    name: str = "random"
    seed: int = 0
    game_seed: int = 0

    def choose(self, referee: Table) -> Analysis:
        table = table_for_agent(referee)
        rng = random.Random(f"{self.seed}/{self.game_seed}/{place_in_time(table)}")
        return Analysis.of(table, self.name, rng.choice(table.legal()), seed=self.seed)

    def policy(self, table: Table) -> tuple[float, ...]:
        legal = table.legal()
        return (1 / len(legal),) * len(legal)

    def for_game(self, seed: int) -> Agent:
        return dataclasses.replace(self, game_seed=seed)


@dataclasses.dataclass
class SolveAgent(Agent):
    """Plays perfectly: proves the value of every position it meets, and raises NotProved if it cannot."""

    name: str = "solve"
    limit: Limit = Limit()
    memory_mb: int = 64
    """Size of the table; every move gets a fresh one."""

    def choose(self, referee: Table) -> Analysis:
        from zermelo.solve import prove

        found = prove(referee.game, open_table(referee), self.limit, self.memory_mb, self.progress, self.stop)
        return dataclasses.replace(found, agent=self.name)

    def require(self, game: Game) -> None:
        require(game, "solve")


def agent(
    spec: str,
    limit: Limit | None = None,
    seed: int | None = None,
    *,
    default: Limit = DEFAULT_LIMIT,
    progress: Progress | None = None,
) -> Agent:
    """Create the agent that a text names. Limits in the text override `limit`; without either, `default` applies."""
    name, _, rest = spec.strip().partition(":")
    name = name.strip().lower()
    if name == "uci":
        return _other_program(spec, rest, limit or Limit(), default)
    if name == "gtp":
        return _go_program(spec, rest, limit or Limit())
    if name == "equilibrium":
        return _equilibrium(spec, rest, limit or Limit(), seed)
    if name not in agent_names():
        raise UsageError(f"there is no agent {name!r}; {_hint(name)}")
    options = _options(name, rest.split(",") if rest else (), _KNOWN.get(name, _TEXTBOOK))
    own_limit, own_seed = _limit(options, limit or Limit()), _seed(name, options, seed)
    if name == "random":
        return RandomAgent(spec, own_seed or 0)
    if name == "solve":
        return SolveAgent(spec, own_limit)
    if "level" in options:
        return _at_level(spec, name, options, own_limit, own_seed)
    if own_limit == Limit() and "sims" not in options:
        own_limit = default
    if name == "auto":
        from zermelo.arena.auto import AutoAgent

        return AutoAgent(spec, own_limit, own_seed, progress)
    counts = {option: _count(name, option, options[option]) for option in _SIZES if option in options}
    if name == "mcts" and "sims" in counts:
        own_limit = dataclasses.replace(own_limit, nodes=counts["sims"])
    from zermelo.arena.search_agent import SearchAgent

    return SearchAgent(
        spec,
        name,
        own_limit,
        lines=counts.get("lines", 1),
        memory_mb=counts.get("memory", 64),
        threads=counts.get("threads", 1),
        seed=own_seed,
        progress=progress,
        others={option: text for option, text in options.items() if _SEAT.fullmatch(option)},
        moves=counts.get("moves", 0),
        improbable=_probability(name, options.get("improbable", "0")),
    )


def agent_names() -> list[str]:
    """The names of the agents."""
    return ["auto", "random", *(name for name in ALGORITHMS if name != "random")]


def place_in_time(table: Table) -> str:
    """What the random choices of a turn depend on besides the seed; at a seat nothing that is hidden."""
    return f"{table.ply}/{table.player}" if isinstance(table, Seat) else str(table.ply)


# -- texts ---------------------------------------------------------------------------------------------


def _hint(name: str) -> str:
    if name == "human":
        return "people play with `zermelo play`, against each other with --vs human"
    near = difflib.get_close_matches(name.replace("-", ""), agent_names(), n=2, cutoff=0.6)
    return (
        f"did you mean {' or '.join(near)}?"
        if near
        else suggest([*agent_names(), "uci:stockfish", "gtp:gnugo"], "", most=20)
    )


def _at_level(spec: str, name: str, options: dict[str, str], limit: Limit, seed: int | None) -> Agent:
    """An agent at a level, which decides everything but the seed."""
    from zermelo.arena.level_agent import LevelAgent

    if others := sorted({*options} - {"level", "seed"}):
        raise UsageError(f"{name}: a level already says how hard to search; leave out {' and '.join(others)}")
    return LevelAgent(parse_level(options["level"]), name, spec, seed, limit)


def _other_program(spec: str, rest: str, given: Limit, default: Limit) -> Agent:
    """Read the program with its arguments, then the options; those that are not ours go to the program."""
    from zermelo.arena.uci_agent import UciAgent
    from zermelo.protocols.program import find_program

    command, *parts = _parts(rest)
    options = _options("uci", parts)
    own_limit = _limit(options, given)
    theirs = {option: text for option, text in options.items() if option not in _KNOWN["solve"]}
    program = find_program(command, "uci", "stockfish")
    return UciAgent(spec, program, theirs, default if own_limit == Limit() else own_limit)


def _go_program(spec: str, rest: str, given: Limit) -> Agent:
    """Read the program with its arguments, then the time; without a time, the program decides how long it takes."""
    from zermelo.arena.gtp_agent import GtpAgent
    from zermelo.protocols.program import find_program

    command, *parts = _parts(rest)
    own_limit = _limit(_options("gtp", parts, _KNOWN["gtp"]), given)
    if own_limit.nodes is not None or own_limit.depth is not None:
        raise UsageError("GTP supports only a time limit; give other limits to the other agent, as in mcts:sims=10k")
    return GtpAgent(spec, find_program(command, "gtp", "'gnugo --mode gtp'"), own_limit)


def _equilibrium(spec: str, rest: str, given: Limit, seed: int | None) -> Agent:
    """Read the file of the strategy, if there is one, then the seed; a limit means nothing to a solved game."""
    from zermelo.arena.equilibrium_agent import EquilibriumAgent

    first, *parts = _parts(rest) or [""]
    if "=" in first:
        first, parts = "", [first, *parts]
    own_seed = _seed("equilibrium", _options("equilibrium", parts, _KNOWN["equilibrium"]), seed)
    return EquilibriumAgent(spec, Path(first.strip()) if first.strip() else None, own_seed, given)


def _parts(text: str) -> list[str]:
    """Split at commas, except for those within quotation marks."""
    return re.findall(r"(?:^|,)((?:'[^']*'|\"[^\"]*\"|[^,])*)", text)


def _options(name: str, parts: Iterable[str], known: list[str] | None = None) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in parts:
        option, equals, text = (piece.strip() for piece in part.partition("="))
        is_seat = name in ("expectimax", "maxn") and _SEAT.fullmatch(option)
        if known is not None and option not in known and not is_seat:
            raise UsageError(f"{name} has no option {option!r}; {suggest(known, '')}")
        if not (option and equals and text):
            example = f"{option}={_EXAMPLES[option]}" if option in _EXAMPLES else f"stockfish,{option or 'Hash'}=16"
            raise UsageError(f"{name}: {option or 'an option'} needs a value, as in {name}:{example}")
        found[option] = text
    return found


def _count(name: str, option: str, text: str) -> int:
    found = parse_count(text)
    if found < 1:
        raise UsageError(f"{name}: {option}={text} is too small; it must be 1 or more")
    if option == "threads" and found > most_threads():
        raise UsageError(f"{name}: threads={text} is too much; this machine allows at most {most_threads()}")
    return found


def _probability(name: str, text: str) -> float:
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise UsageError(f"{name}: {text!r} is not a probability; write 0.05 or 5%") from None


_SEAT = re.compile(r"others|seat[1-9]\d*")
_TEXTBOOK = ["time", "nodes", "depth", "level", "seed"]
_LAYERS = [*_TEXTBOOK, "lines", "memory", "moves", "improbable"]
_SIZES = ["lines", "threads", "memory", "sims", "moves"]
_KNOWN = {
    "expectiminimax": _LAYERS,
    "paranoid": _LAYERS,
    "bestreply": _LAYERS,
    "maxn": [*_LAYERS, "others", "seat1", "seat2"],
    "expectimax": [*_LAYERS, "others", "seat1", "seat2"],
    "alphabeta": [*_TEXTBOOK, "lines", "threads", "memory"],
    "mcts": ["time", "sims", "level", "seed", "threads", "memory"],
    "random": ["seed"],
    "equilibrium": ["seed"],
    "gtp": ["time"],
    "solve": ["time", "nodes", "depth"],
}
_EXAMPLES = {
    "time": "500ms",
    "nodes": "10k",
    "depth": "6",
    "level": "4",
    "seed": "3",
    "lines": "3",
    "threads": "2",
    "memory": "256",
    "sims": "10k",
    "moves": "5",
    "improbable": "0.05",
    "others": "random",
    "seat2": "minimax(2)@0.8",
}


def _limit(options: dict[str, str], given: Limit) -> Limit:
    return Limit(
        time=parse_duration(options["time"]) if "time" in options else given.time,
        nodes=parse_count(options["nodes"]) if "nodes" in options else given.nodes,
        depth=parse_count(options["depth"]) if "depth" in options else given.depth,
    )


def _seed(name: str, options: dict[str, str], given: int | None) -> int | None:
    if "seed" not in options:
        return given
    try:
        return int(options["seed"])
    except ValueError:
        raise UsageError(f"{name}: the seed must be a whole number, not {options['seed']!r}") from None
