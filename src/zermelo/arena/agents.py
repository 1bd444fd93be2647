"""Agents choose the moves of a seat. They are created from texts such as `alphabeta:depth=6` or `random:seed=3`.

auto         solves small games, searches the others, and reports what it did
solve        plays perfectly, if the game can be solved
random       plays any legal move
alphabeta    the engine: `alphabeta:time=2s,threads=2,memory=256,lines=3`
mcts         Monte Carlo tree search: `mcts:sims=10k,threads=2,memory=256`
expectimax   against modelled opponents, by default random ones: `expectimax:depth=6,seat2=random,seat3=min`; also
             expectiminimax, maxn, paranoid and bestreply; `moves=5,improbable=0.05` searches fewer moves and rolls
minimax …    one of the textbook's searches, by the name of its algorithm
uci:…        another program: `uci:stockfish,UCI_Elo=2200`
gtp:…        another program: `gtp:gnugo --mode gtp --chinese-rules --level 10`
"""

from __future__ import annotations

import dataclasses
import difflib
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from zermelo.core.analysis import Analysis
from zermelo.core.errors import RulesError, UsageError, ZermeloError
from zermelo.core.game import Game, suggest
from zermelo.core.guards import ALGORITHMS, require
from zermelo.core.limit import Limit, most_threads, parse_count, parse_duration
from zermelo.core.referee import Referee

if TYPE_CHECKING:
    import threading

Progress: TypeAlias = Callable[[Analysis], None]

DEFAULT_LIMIT = Limit(time=1.0)
"""For a search without a limit of its own."""
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
    def choose(self, referee: Referee) -> Analysis:
        """Return the analysis whose `best` is the move to play, or raise Resigned; a player is to move, not chance."""

    def require(self, game: Game) -> None:  # noqa: B027 - most bots play anything
        """Raise Refused, with a sentence, for a game this agent cannot play."""

    def prepare(self, referee: Referee) -> None:  # noqa: B027 - most bots are always ready
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

    def choose(self, referee: Referee) -> Analysis:
        rng = random.Random(f"{self.seed}/{self.game_seed}/{len(referee.turns)}")
        move = referee.game.format_action(referee.state, rng.choice(referee.legal()))
        return Analysis(
            game=referee.game.spec(),
            position=referee.game.format_state(referee.state),
            to_move=referee.to_move,
            agent=self.name,
            seed=self.seed,
            value=(float("nan"),) * referee.game.players,
            kind="estimate",
            best=move,
            line=(move,),
        )

    def for_game(self, seed: int) -> Agent:
        return dataclasses.replace(self, game_seed=seed)


@dataclasses.dataclass
class SearchAgent(Agent):
    """Plays the best move that one of the searches finds within the limit."""

    name: str
    algorithm: str
    limit: Limit = DEFAULT_LIMIT
    seed: int | None = None
    progress: Progress | None = None
    lines: int = 1

    def choose(self, referee: Referee) -> Analysis:
        from zermelo.search import analyse

        found = analyse(referee.game, referee, self.algorithm, self.limit, self.seed, self.progress, self.lines)
        return dataclasses.replace(found, agent=self.name)

    def prepare(self, referee: Referee) -> None:
        dataclasses.replace(self, limit=GLANCE, progress=None).choose(referee)

    def require(self, game: Game) -> None:
        require(game, self.algorithm)
        require_worlds(game)

    def for_game(self, seed: int) -> Agent:
        return self if self.seed is not None else dataclasses.replace(self, seed=seed)


@dataclasses.dataclass(frozen=True)
class SolveAgent(Agent):
    """Plays perfectly: proves the value of every position it meets, and raises NotProved if it cannot."""

    name: str = "solve"
    limit: Limit = Limit()
    memory_mb: int = 64
    """Size of the table; every move gets a fresh one."""

    def choose(self, referee: Referee) -> Analysis:
        from zermelo.solve import solve

        found = solve(referee.game, referee, self.limit, self.memory_mb)
        return dataclasses.replace(found, agent=self.name)

    def require(self, game: Game) -> None:
        require(game, "solve")


def require_worlds(game: Game) -> None:
    """RulesError for a game with hidden information and without the method `worlds`, which searches need."""
    if game.hidden and type(game).worlds is Game.worlds:
        raise RulesError(f"{type(game).__name__}: a game with hidden = True should have the method worlds")


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
    if name not in agent_names():
        raise UsageError(f"there is no agent {name!r}; {_hint(name)}")
    options = _options(name, rest.split(",") if rest else (), _KNOWN.get(name, ["time", "nodes", "depth", "seed"]))
    own_limit, own_seed = _limit(options, limit or Limit()), _seed(name, options, seed)
    if name == "random":
        return RandomAgent(spec, own_seed or 0)
    if name == "solve":
        return SolveAgent(spec, own_limit)
    if own_limit == Limit() and "sims" not in options:
        own_limit = default
    if name == "auto":
        from zermelo.arena.auto import AutoAgent

        return AutoAgent(spec, own_limit, own_seed, progress)
    counts = {option: _count(name, option, options[option]) for option in _SIZES if option in options}
    if name == "mcts" and "sims" in counts:
        own_limit = dataclasses.replace(own_limit, nodes=counts["sims"])
    from zermelo.arena.search_agents import KINDS, LayeredAgent

    if name not in KINDS:
        return SearchAgent(spec, name, own_limit, own_seed, progress)
    found = KINDS[name](
        spec,
        name,
        own_limit,
        lines=counts.get("lines", 1),
        memory_mb=counts.get("memory", 64),
        threads=counts.get("threads", 1),
        seed=own_seed,
        progress=progress,
    )
    if isinstance(found, LayeredAgent):
        found.others = {option: text for option, text in options.items() if _SEAT.fullmatch(option)}
        found.moves, found.improbable = counts.get("moves", 0), _probability(name, options.get("improbable", "0"))
    return found


def agent_names() -> list[str]:
    """The names of the agents."""
    return ["auto", "random", *(name for name in ALGORITHMS if name != "random")]


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
_LAYERS = ["time", "nodes", "depth", "seed", "lines", "memory", "moves", "improbable"]
_SIZES = ["lines", "threads", "memory", "sims", "moves"]
_KNOWN = {
    "expectiminimax": _LAYERS,
    "paranoid": _LAYERS,
    "bestreply": _LAYERS,
    "maxn": [*_LAYERS, "others", "seat1", "seat2"],
    "expectimax": [*_LAYERS, "others", "seat1", "seat2"],
    "alphabeta": ["time", "nodes", "depth", "seed", "lines", "threads", "memory"],
    "mcts": ["time", "sims", "seed", "threads", "memory"],
    "random": ["seed"],
    "gtp": ["time"],
    "solve": ["time", "nodes", "depth"],
}
_EXAMPLES = {
    "time": "500ms",
    "nodes": "10k",
    "depth": "6",
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
