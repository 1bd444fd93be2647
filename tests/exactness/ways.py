"""Every public way to get an answer, as a function from a position and options to answers that can be checked.

Options are plain data, so that a failing run can be printed and repeated. A way yields an `Answer` for each thing that
it was told; in a session several, about one position after the other.
"""

import contextlib
import io
import json
import math
import random
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from unittest import mock

from exactness.claims import Contradiction, Judge
from exactness.description import Description
from exactness.graph import Graph
from zermelo import textbook
from zermelo.arena.agents import agent
from zermelo.arena.review import review_moves
from zermelo.core.analysis import Analysis
from zermelo.core.errors import NotProved, Refused, RulesError, UsageError
from zermelo.core.game import CHANCE
from zermelo.core.guards import ALGORITHMS
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Scoresheet
from zermelo.kernel import is_enabled
from zermelo.search import Engine, Expectiminimax, Mcts, analyse
from zermelo.search.alphabeta import techniques as alphabeta_techniques
from zermelo.search.expectiminimax import Narrowing, against_all, each_alone, opposed
from zermelo.search.expectiminimax import techniques as expectiminimax_techniques
from zermelo.search.mcts import techniques as mcts_techniques
from zermelo.search.mcts.techniques import Tuning
from zermelo.solve import solve
from zermelo.solve.proof import Proof
from zermelo.textbook.trace import payoff_limit

MEGABYTES = 0.05
MCTS_TOLERANCE = 1e-8
"""Monte Carlo search counts in whole numbers of 30 bits."""
STOPS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 610, 1597)
MOST_NODES = 1500
"""Of searches that have no other end."""
COMPILED_ALGORITHMS = ("alphabeta", "expectiminimax", "paranoid", "maxn", "mcts", "minimax")
"""With the compiler, only what shares a few kernels."""


@dataclass(frozen=True)
class Answer:
    """What was said about a position."""

    referee: Referee
    analysis: Analysis
    tolerance: float = 1e-9
    is_sound: bool = False
    """Estimates are those of minimax to a depth."""
    must_be_exact: bool = False


@dataclass(frozen=True)
class Claim:
    """A value of a position, and nothing about its moves."""

    referee: Referee
    what: str
    kind: str
    values: tuple[float, ...]
    player: int
    """For whom a bound is one."""


@dataclass(frozen=True)
class Checked:
    """A claim of a kind that its way checks itself."""

    kind: str


@dataclass(frozen=True)
class Way:
    """One way to ask; `options` draws how."""

    name: str
    fits: Callable[[Description], bool]
    options: Callable[[random.Random, Description], dict]
    run: Callable[[Graph, Referee, dict], Iterator[Answer | Claim | Checked]]
    is_for_secrets: bool = False
    """Asks about games with hidden information; the others do not."""

    def suits(self, described: Description) -> bool:
        return self.is_for_secrets == described.is_hidden and self.fits(described)


WAYS: dict[str, Way] = {}


def way(
    fits: Callable[[Description], bool],
    options: Callable[[random.Random, Description], dict],
    is_for_secrets: bool = False,
):
    def register(run):
        name = run.__name__.replace("_", "-")
        WAYS[name] = Way(name, fits, options, run, is_for_secrets)
        return run

    return register


def any_game(described: Description) -> bool:
    return True


def opposed_without_dice(described: Description) -> bool:
    return described.has_one_value and not described.chance


def is_endless(described: Description) -> bool:
    """A search without a limit would not come to its end, or not soon."""
    return described.rule != 0 or not described.is_finite or "passing" in described.knows  # a pass may lead back


def _limit(rng: random.Random, described: Description, by_depth: bool = True) -> dict:
    luck = rng.random()
    if luck < 0.25 and not is_endless(described):
        return {}
    if luck < 0.5 and by_depth:
        return {"depth": rng.randint(1, 7), "nodes": MOST_NODES}
    return {"nodes": rng.choice(STOPS)}


def limit_of(options: dict) -> Limit:
    return Limit(**options.get("limit", {}))


def _asked(referee: Referee, options: dict) -> tuple[Referee | object, Referee]:
    """What is handed to a search, and the position that its answer is about."""
    if options.get("position") == "state":
        return referee.state, Referee(referee.game, referee.state)
    return referee, referee


def _is_unlimited(options: dict) -> bool:
    return not options.get("limit")


# -- analyse -----------------------------------------------------------------------------------------------------------


def _analyse_options(rng, described):
    names = COMPILED_ALGORITHMS if is_enabled() else [name for name in ALGORITHMS if name not in ("random", "solve")]
    algorithm = rng.choice([name for name in names if _suits(ALGORITHMS[name], described)])
    return {
        "algorithm": algorithm,
        "limit": {"nodes": rng.choice((1, 5, 20, 60, 200))} if algorithm == "mcts" else _limit(rng, described),
        "lines": rng.choice((1, 1, 2, 3)),
        "threads": 2 if algorithm in ("alphabeta", "mcts") and rng.random() < 0.15 else 1,
        "seed": rng.randrange(100),
        "position": rng.choice(("referee", "referee", "state")),
    }


def _suits(needs, described: Description) -> bool:
    low, high = needs.players
    return (
        low <= described.players <= high
        and (not needs.zero_sum or described.players == 1 or described.zero_sum)
        and (needs.dice or not described.chance)
        and not needs.secret
    )


@way(any_game, _analyse_options)
def the_function_analyse(game, referee, options):
    position, about = _asked(referee, options)
    found = analyse(
        game,
        position,
        options["algorithm"],
        limit_of(options),
        options["seed"],
        None,
        options["lines"],
        MEGABYTES * (20 if options["algorithm"] == "mcts" else 1),
        options["threads"],
    )
    described, algorithm = game.described, options["algorithm"]
    proves = ALGORITHMS[algorithm].title in PROVERS or (described.has_one_value and algorithm in PROVERS_OF_ONE)
    must = proves and _is_unlimited(options) and algorithm != "mcts" and not is_endless(described)
    yield Answer(about, found, _tolerance(algorithm), must_be_exact=must and described.is_bounded)


PROVERS = ("max^n",)
PROVERS_OF_ONE = ("minimax", "alphabeta", "quiescence", "expectiminimax", "star1", "star2")


def _tolerance(algorithm: str) -> float:
    return MCTS_TOLERANCE if algorithm.startswith("mcts") else 1e-9


# -- the engine --------------------------------------------------------------------------------------------------------


def _engine_options(rng, described):
    names = list(alphabeta_techniques.SOUND)
    draw = rng.random()
    if is_enabled():
        techniques = "strong"
    elif draw < 0.3:
        techniques = "sound"
    elif draw < 0.6:
        techniques = "strong"
    else:
        chosen = rng.sample(names, rng.randint(0, len(names)))
        techniques = sorted(chosen + rng.sample(alphabeta_techniques.BETS, rng.randint(0, 4)))
    return {
        "techniques": techniques,
        "strict": rng.random() < 0.3,
        "limits": [_limit(rng, described) for _ in range(rng.choice((1, 1, 2, 3)))],
        "lines": rng.choice((1, 2, 3)),
        "threads": 2 if rng.random() < 0.1 else 1,
        "megabytes": rng.choice((0.001, 0.05)),
        "seed": rng.randrange(1000),
    }


def _usable(game: Graph, names: list[str]) -> list[str]:
    """Of the techniques those that the game knows enough for."""
    return [name for name in names if name in alphabeta_techniques.useful(game)]


def _engine_techniques(game: Graph, options: dict):
    if options["techniques"] == "sound":
        return alphabeta_techniques.sound(game)
    if options["techniques"] == "strong":
        return alphabeta_techniques.strong(game)
    names = [name for name in _usable(game, options["techniques"]) if name not in ("shallow_tail", "bank")]
    return alphabeta_techniques.Techniques(*names, strict=options["strict"], repeats=bool(game.repetition))


@way(opposed_without_dice, _engine_options)
def the_engine_through_a_game(game, referee, options):
    """One engine searches, a move is played, and it searches again with its table."""
    engine = Engine(game, options["megabytes"], options["threads"], _engine_techniques(game, options))
    yield from _session(
        referee,
        options,
        lambda referee, limit: engine.think(referee, limit, lines=options["lines"]),
        is_sound=options["techniques"] == "sound" and options["threads"] == 1 and game.repetition == 0,
    )


def _roll(referee: Referee, rng: random.Random) -> bool:
    """Roll the dice until a player has a choice; False if that does not happen."""
    for _ in range(100):
        if referee.is_over or referee.to_move != CHANCE:
            return not referee.is_over
        legal = referee.legal()
        rolls = [action for action, chance in referee.game.outcomes(referee.state) if chance > 0 and action in legal]
        if not rolls:
            return False
        referee.play(rng.choice(rolls))
    return False


def _stopped_options(rng, described):
    return {
        "stops": sorted(rng.sample(range(1, 120), 6)),
        "lines": rng.choice((1, 2, 3)),
        "search": "layers" if described.chance or rng.random() < 0.3 else "engine",
    }


@way(lambda described: described.has_one_value and not is_enabled(), _stopped_options)
def a_search_that_is_stopped(game, referee, options):
    """Sound techniques only, stopped at some node: what was not finished is not shown as if it were."""
    for stop in options["stops"]:
        limit, lines = Limit(nodes=stop), options["lines"]
        if options["search"] == "engine":
            search = Engine(game, MEGABYTES, 1, alphabeta_techniques.sound(game))
        else:
            search = Expectiminimax(game, opposed(game), MEGABYTES)
        is_sound = game.repetition == 0  # an estimate depends on the path to a position that may repeat
        yield Answer(referee, search.think(referee, limit, lines=lines), is_sound=is_sound)


def _session(referee, options, think, tolerance=1e-9, is_sound=False):
    """Think, play a move, think again; now and then a move is taken back, or another game is begun."""
    rng, referee = random.Random(options["seed"]), referee.copy()
    for limit in options["limits"]:
        if not _roll(referee, rng):
            return
        yield Answer(referee.copy(), think(referee, Limit(**limit)), tolerance, is_sound)
        if referee.turns and rng.random() < 0.2:
            referee.undo()
        else:
            referee.play(rng.choice(referee.legal()))


# -- expectiminimax and its kin ----------------------------------------------------------------------------------------


def _layers_options(rng, described):
    all_roles = ["each alone", *(["opposed"] if described.has_one_value else []), "against all"]
    names = list(expectiminimax_techniques.SOUND)
    limits = [_limit(rng, described) for _ in range(rng.choice((1, 1, 2, 3)))]
    is_narrow = rng.random() < 0.2 and not is_enabled()
    return {
        "roles": rng.choice(all_roles),
        "techniques": "useful"
        if rng.random() < 0.5 or is_enabled()
        else sorted(rng.sample(names, rng.randint(0, len(names)))),
        "moves": 2 * is_narrow,
        "improbable": 0.3 * is_narrow,
        "limits": [limit or {"nodes": MOST_NODES} for limit in limits] if is_narrow else limits,
        "lines": rng.choice((1, 2, 3)),
        "megabytes": rng.choice((0.001, 0.05)),
        "seed": rng.randrange(1000),
    }


@way(any_game, _layers_options)
def layers_through_a_game(game, referee, options):
    """One expectiminimax search analyses one position after another."""
    names = expectiminimax_techniques.useful(game)
    if options["techniques"] != "useful":
        names = [name for name in options["techniques"] if name in names]
    narrowing = Narrowing(options["moves"], options["improbable"])
    searches: dict[int, Expectiminimax] = {}

    def think(referee, limit):
        player = referee.to_move if options["roles"] == "against all" else 0
        if player not in searches:
            roles = {"opposed": opposed, "each alone": each_alone}.get(
                options["roles"], lambda game: against_all(game, player)
            )
            searches[player] = Expectiminimax(game, roles(game), options["megabytes"], names, narrowing)
        return searches[player].think(referee, limit, lines=options["lines"])

    is_plain = (
        game.described.has_one_value and not narrowing and game.repetition == 0 and options["roles"] != "each alone"
    )
    yield from _session(referee, options, think, is_sound=is_plain)


# -- Monte Carlo -------------------------------------------------------------------------------------------------------


def _mcts_options(rng, described):
    names = [name for name in mcts_techniques.MEANING if name not in ("open",)]
    chosen = sorted({"solver", *rng.sample(names, rng.randint(0, 4))})
    if rng.random() < 0.05:
        chosen = ["open"]
    threads = 2 if rng.random() < 0.15 else 1
    return {
        "techniques": "strong" if rng.random() < 0.3 or is_enabled() else chosen,
        "limits": [{"nodes": rng.choice((1, 5, 20, 60, 150))} for _ in range(rng.choice((1, 1, 2, 3)))],
        "threads": threads,
        "trees": threads if is_enabled() else rng.randint(1, threads),
        "expansion": rng.choice((1, 1, 4)),
        "megabytes": rng.choice((0.02, 1)),
        "seed": rng.randrange(1000),
    }


@way(any_game, _mcts_options)
def mcts_through_a_game(game, referee, options):
    """One tree from position to position."""
    names = mcts_techniques.strong(game)
    if options["techniques"] != "strong":
        names = [name for name in options["techniques"] if _mcts_knows(game, name)]
    plies = 200 if "evaluate" in game.described.knows else 500
    tuning = Tuning(expansion=options["expansion"], playout_plies=plies)
    search = Mcts(game, options["megabytes"], options["threads"], names, tuning=tuning, trees=options["trees"])
    yield from _session(
        referee,
        options,
        lambda referee, limit: search.think(referee, limit, seed=options["seed"]),
        tolerance=MCTS_TOLERANCE,
    )


def _mcts_knows(game, name: str) -> bool:
    try:
        mcts_techniques.check_names(game, [name])
    except UsageError:
        return False
    return True


# -- proofs ------------------------------------------------------------------------------------------------------------


def _solve_options(rng, described):
    limit = {} if rng.random() < 0.5 and not described.rule else {"nodes": rng.choice((3, 50, 1000, 1000, 3000))}
    return {
        "limit": limit,
        "position": rng.choice(("referee", "referee", "state")),
        "method": rng.choice(
            ("as it chooses", *(() if described.shape.startswith("naive") else ("proof", "induction")))
        ),
    }


def _solved(game, position, options, limit):
    with _preferring(options.get("method", "")):
        return solve(game, position, limit, 1)


@contextlib.contextmanager
def _preferring(method: str):
    """The methods for machine code, run interpreted: without the compiler `solve` would not choose them."""
    with contextlib.ExitStack() as stack:
        if not is_enabled() and method in ("proof", "induction"):
            stack.enter_context(mock.patch.object(Proof, "prepare", return_value=method == "proof"))
            ready = types.SimpleNamespace(prepare=lambda *_: True)
            stack.enter_context(mock.patch("zermelo.solve.solver.induce", ready))
        yield


@way(any_game, _solve_options)
def the_function_solve(game, referee, options):
    position, about = _asked(referee, options)
    must = _is_unlimited(options) and game.described.is_finite and game.described.rule == 0
    yield Answer(about, _solved(game, position, options, limit_of(options)), must_be_exact=must)


@way(any_game, _solve_options)
def solve_through_a_game(game, referee, options):
    """Whoever always plays what `solve` says gets what it said."""
    referee = referee.copy()
    for _ in range(4):
        if referee.is_over:
            return
        found = _solved(game, referee, options, limit_of(options))
        yield Answer(referee.copy(), found)
        if found.best is None:
            return
        referee.play_text(found.best)


# -- agents ------------------------------------------------------------------------------------------------------------

SPECS = (
    "solve",
    "auto:nodes=200",
    "alphabeta:nodes=300",
    "alphabeta:depth=4,lines=2",
    "mcts:sims=80",
    "expectiminimax:depth=5",
    "maxn:nodes=300",
    "paranoid:nodes=200",
    "minimax:depth=5",
    "star2:depth=6",
    "quiescence:depth=3",
)
COMPILED_SPECS = 9
"""So many of them share the kernels of the other ways."""


def _agent_options(rng, described):
    return {
        "agent": rng.choice(SPECS[:COMPILED_SPECS] if is_enabled() else SPECS),
        "moves": rng.randint(1, 3),
        "seed": rng.randrange(100),
    }


@way(any_game, _agent_options)
def an_agent_through_a_game(game, referee, options):
    """An agent plays against moves at random; it keeps what it knows."""
    rng, referee = random.Random(options["seed"]), referee.copy()
    player = agent(options["agent"], Limit(), options["seed"], default=Limit(nodes=200))
    player.require(game)
    for _ in range(options["moves"]):
        if not _roll(referee, rng):
            return
        found = player.choose(referee)
        yield Answer(referee.copy(), found, _tolerance("mcts"))
        names = {game.format_action(referee.state, action): action for action in referee.legal()}
        if found.best not in names:
            raise Contradiction(f"agent: {found.best} is not legal; {sorted(names)} are")
        referee.play(names[found.best] if rng.random() < 0.6 else rng.choice(referee.legal()))


# -- the command -------------------------------------------------------------------------------------------------------


def _command_options(rng, described):
    command = rng.choice(("solve", "best"))
    if command == "solve":
        return {"command": ["solve", "--nodes", str(rng.choice((300, 3000)))]}
    return {
        "command": ["best", "--agent", rng.choice(("auto", "alphabeta", "solve", "expectiminimax")), "--nodes", "300"]
    }


@way(any_game, _command_options)
def the_command(game, referee, options):
    """`zermelo solve` and `zermelo best`, given the moves so far."""
    from zermelo.cli import main

    name, *flags = options["command"]
    moves = " ".join(turn.text for turn in referee.turns)
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch("zermelo.games.find", return_value=game),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = main([name, "graph", *([f"moves: {moves}"] if moves else []), *flags, "--json"])
    if code != 0:
        if "Traceback" in err.getvalue() or "mistake in zermelo" in err.getvalue():
            raise Contradiction(f"crash: {err.getvalue().strip()}")
        raise Refused(err.getvalue().strip())
    yield Answer(referee, Analysis.from_json(json.loads(out.getvalue())), _tolerance("mcts"))


# -- reviews -----------------------------------------------------------------------------------------------------------


def _review_options(rng, described):
    spec = rng.choice(SPECS[:COMPILED_SPECS] if is_enabled() else SPECS)
    if spec.startswith("quiescence") and is_endless(described):  # noisy moves in circles
        spec += f",nodes={MOST_NODES}"
    return {"agent": spec, "seed": rng.randrange(100)}


@way(any_game, _review_options)
def a_review(game, referee, options):
    """What a game's moves were worth, before and after; a few more moves are played at random."""
    rng, referee = random.Random(options["seed"]), referee.copy()
    for _ in range(4):
        if not _roll(referee, rng):
            break
        referee.play(rng.choice(referee.legal()))
    reviewer = agent(options["agent"], Limit(), options["seed"], default=Limit(nodes=200))
    reviewer.require(game)
    here, turns = Referee(game, referee.start), referee.turns
    for found in filter(None, review_moves(Scoresheet.of(referee), reviewer)):
        while len(here.turns) < found.ply:
            here.play(turns[len(here.turns)].action)
        yield Claim(here.copy(), "before", found.before.kind, found.before.value, found.player)
        after = here.copy()
        after.play(turns[found.ply].action)
        yield Claim(after, "after", found.after.kind, found.after.value, found.player)


# -- trees -------------------------------------------------------------------------------------------------------------


def _tree_options(rng, described):
    names = ["maxn", "maxn-shallow"]
    if described.has_one_value:
        names += ["expectiminimax", *(["star1", "star2"] if described.is_bounded else [])]
        names += [] if described.chance else ["minimax", "alphabeta", "quiescence"]
    endless = is_endless(described)
    return {"algorithm": rng.choice(names), "depth": rng.randint(1, 4) if endless or rng.random() < 0.4 else None}


@way(lambda described: not is_enabled(), _tree_options)
def a_recorded_tree(game, referee, options):
    """Every node of the tree that a search visits, as `zermelo tree` and the page show it."""
    if options["algorithm"] == "maxn-shallow" and not math.isfinite(payoff_limit(game)):
        return
    root = textbook.trace(options["algorithm"], game, referee, depth=options["depth"], most=3000)
    for node in root.nodes():
        if node.kind == "cut" or node.value is None:
            continue
        is_root = node is root
        values, player = node.value, max(node.player or 0, 0)
        if not isinstance(values, tuple):
            values, player = (values, -values)[: game.players], 0
        here = referee if is_root else Referee(game, node.state)
        yield Claim(here, f"{options['algorithm']}, node {node.move}", node.value_kind, values, player)


# -- the textbook ------------------------------------------------------------------------------------------------------


def _textbook_fits(described: Description) -> bool:
    return described.rule == 0 and described.is_finite


def _textbook_options(rng, described):
    names = ["maxn", "expectiminimax", "maxn_shallow"]
    if is_enabled():
        return {"function": "minimax" if opposed_without_dice(described) else "maxn", "compiled": True}
    if described.has_one_value:
        names += ["star1", "star2"] if described.is_bounded else []
        names += [] if described.chance else ["minimax", "alphabeta", "alphabeta_with_ties"]
    else:
        names.remove("expectiminimax")
    return {"function": rng.choice(names), "compiled": rng.random() < 0.5}


@way(_textbook_fits, _textbook_options)
def the_textbook(game, referee, options):
    """The lectures' functions without a horizon; they know no history."""
    function, state = getattr(textbook, options["function"]), referee.state
    call = function.run if options["compiled"] else function
    if options["function"].startswith("maxn"):
        total = (game.max_payoff_sum,) if options["function"] == "maxn_shallow" else ()
        if total and not math.isfinite(total[0]):
            total = (game.players * float(game.utility_range[1]),)
        if total and not game.described.is_bounded:
            raise Refused("shallow pruning needs payoffs with a limit")
        payoffs = tuple(call(game, state, *total))
    else:
        value = float(call(game, state, 0))
        payoffs = (value, -value)[: game.players]
    yield Answer(referee, Analysis("graph", "", referee.to_move, "textbook", payoffs, "exact", ""))


# -- running one -------------------------------------------------------------------------------------------------------

WITHOUT_MOVES = ("the-textbook",)


def run(name: str, game: Graph, referee: Referee, options: dict, judge: Judge) -> None:
    """Ask, and check every answer. Contradiction if something is wrong, an error of the package included."""
    for _ in range(3 if options.get("threads", 1) > 1 else 1):
        try:
            for answer in WAYS[name].run(game, referee.copy(), options):
                _check(name, answer, judge)
        except (Refused, NotProved, RulesError, UsageError) as error:
            if not judge.is_poisoned:
                _check_refusal(name, game, options, error)
        except Contradiction:
            raise
        except Exception as error:
            if judge.is_poisoned:
                return
            raise Contradiction(f"crash: {type(error).__name__}: {error}") from error


def _check(name: str, answer: Answer | Claim | Checked, judge: Judge) -> None:
    if isinstance(answer, Checked):
        judge.seen.note(answer.kind)
        return
    if isinstance(answer, Claim):
        judge.check_claim(answer.referee, answer.what, answer.kind, answer.values, answer.player)
        return
    if name in WITHOUT_MOVES:
        for player, value in enumerate(answer.analysis.value):
            judge.check_value(answer.referee, value, player, name)
        return
    if answer.must_be_exact and answer.analysis.kind not in ("exact", "lower"):
        raise Contradiction(f"kind: without a limit it says only {answer.analysis.kind} {answer.analysis.value}")
    judge.check(answer.referee, answer.analysis, answer.tolerance)
    if answer.is_sound:
        judge.check_estimates(answer.referee, answer.analysis)


def _check_refusal(name: str, game: Graph, options: dict, error: Exception) -> None:
    """Whoever can answer should."""
    described = game.described
    if name == "layers-through-a-game" and options["moves"]:
        return  # what is left out is never seen to its end
    if any(math.isnan(payoff) for node in described.nodes for payoff in node.payoffs):
        return  # a search may meet it after an outcome that never happens
    if (
        isinstance(error, RulesError)
        and described.is_finite
        and described.rule == 0
        and described.shape in SOUND_SHAPES
    ):
        raise Contradiction(f"refused: {error}") from error


SOUND_SHAPES = ("number", "tuple", "spot", "hidden")
