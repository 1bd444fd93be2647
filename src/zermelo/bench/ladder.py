"""The ladder: what each technique of a search saves, one after the other, on the same position to the same depth.

For a game without dice the search is alpha-beta. For a game with dice it is expectiminimax from the first position
where a player has a choice; there every technique is sound.

The first rows are sound: they find the value of minimax, which is checked. The following rows use bounds that the game
proves beyond the horizon, or prune heuristically; from there on the value may differ. Techniques that change the leaves
or the depth of a line (quiescence, extensions) are left out, since their trees are not comparable.

Null windows come before the table, because the table cuts off only in null-window searches. Draws by repetition are
left out: they depend on the path to a position, and so would the table's entries.
[after Pascal Pons' tutorial on Connect Four, which measures every chapter on the same positions]
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.bench.measurement import Measurement
from zermelo.core.errors import Refused, RulesError, UsageError
from zermelo.core.game import CHANCE, Action, Game, State, knows
from zermelo.core.guards import require
from zermelo.core.wrapped import Wrapped
from zermelo.search.alphabeta.negamax import FAR, negamax
from zermelo.search.alphabeta.scale import Scale
from zermelo.search.alphabeta.techniques import MEANING, Techniques, useful
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace
from zermelo.search.expectiminimax import Expectiminimax
from zermelo.search.expectiminimax import techniques as expectiminimax_techniques
from zermelo.search.expectiminimax.expectiminimax import expectiminimax_kernel
from zermelo.search.runtime.path import Ply
from zermelo.search.runtime.table import Table
from zermelo.search.runtime.watch import Watch
from zermelo.search.runtime.workspace import Workspace

SOUND = ("cutoffs", "order", "pvs", "table", "deepening", "killers", "history", "symmetry", "etc")
BEYOND = ("bounds", "candidates")
BETS = ("lmr", "null_move", "futility", "late_move_pruning")
MEANINGS = {
    **expectiminimax_techniques.MEANING,
    **MEANING,
    "minimax": "look at everything",
    "expectiminimax": "look at everything",
    "deepening": "search every smaller depth first, and try what was best there",
    "candidates": "leave out moves that the game proves to be needless",
}
TITLES = {
    "minimax": "minimax",
    "expectiminimax": "expectiminimax",
    "cutoffs": "alpha-beta",
    "stars": "Star1",
    "probes": "Star2",
}
MEGABYTES = 64
PATIENCE = 2.0
"""Seconds that minimax may take if no depth is given."""


class AllMoves(Wrapped):
    """The game without its `candidates`."""

    def candidates(self, state: State) -> Any:
        return self.game.actions(state)


@dataclass(frozen=True)
class Rung:
    """A search with one technique more than the one before."""

    name: str
    game: Game
    how: Techniques | expectiminimax_techniques.Techniques
    is_deepening: bool
    is_sound: bool
    """Whether the value is that of minimax."""

    @property
    def title(self) -> str:
        return TITLES.get(self.name, "+ " + self.name.replace("_", " "))


@dataclass(frozen=True)
class Row:
    """The result of a rung of the ladder."""

    rung: Rung
    depth: int
    nodes: int
    seconds: float
    value: float
    before: Row | None = None

    @property
    def share(self) -> float:
        """Nodes, as a share of the row before."""
        return self.nodes / self.before.nodes if self.before else 1.0

    def to_json(self) -> dict[str, Any]:
        """A measurement against the row before, with the result of the search."""
        before = self.before or self
        compared = Measurement(
            self.rung.name, self.nodes, before.nodes, before.rung.name, before.nodes / self.nodes, "nodes"
        )
        return {
            **compared.to_json(),
            "game": self.rung.game.spec(),
            "depth": self.depth,
            "seconds": round(self.seconds, 6),
            "value": self.value if math.isfinite(self.value) else None,
            "sound": self.rung.is_sound,
        }


def rungs(game: Game) -> list[Rung]:
    """The ladder of a game, with the techniques that its declared knowledge supports."""
    if game.chance:
        return _rungs_with_dice(game)
    require(game, "alphabeta")
    fitting = {*useful(game), "deepening"} | ({"candidates"} if knows(game, "candidates") else set())
    names = [name for name in (*SOUND, *BEYOND, *BETS) if name in fitting]
    plain = AllMoves(game) if "candidates" in fitting else game
    found = [Rung("minimax", plain, _techniques(game, []), False, True)]
    for index, name in enumerate(names):
        used = names[: index + 1]
        is_path_kept = game.repetition < 0 and "table" in used
        seen = game if "candidates" in used else plain
        is_sound = name in SOUND and not is_path_kept
        found.append(Rung(name, seen, _techniques(game, used), "deepening" in used, is_sound))
    return found


def _rungs_with_dice(game: Game) -> list[Rung]:
    """The table brings iterative deepening with it: the best move of the last depth is tried first."""
    require(game, "expectiminimax")
    names = expectiminimax_techniques.useful(game)
    found = [Rung("expectiminimax", game, expectiminimax_techniques.Techniques(), False, True)]
    for index, name in enumerate(names):
        used = names[: index + 1]
        found.append(Rung(name, game, expectiminimax_techniques.Techniques(*used), "table" in used, True))
    return found


def climb(game: Game, depth: int | None = None) -> Iterator[Row]:
    """Search the start of the game with one technique after the other; RulesError if sound ones disagree."""
    ladder = rungs(game)
    start = first_choice(game)
    if game.is_terminal(start):
        raise Refused(f"{game} is over before it begins, so there is nothing to search")
    actions: list[Action] = list(game.actions(start))
    if not all(isinstance(action, int) for action in actions):
        raise Refused(f"the moves of {game} are not whole numbers, so the engine cannot keep them in its memory")
    if depth is not None and not 1 <= depth < FAR:
        raise UsageError(f"the depth is {depth}; it must be between 1 and {FAR - 1}")
    first = _search_within_patience(ladder[0], start) if depth is None else _search(ladder[0], start, depth)
    yield first
    before = first
    for rung in ladder[1:]:
        row = _search(rung, start, first.depth, before)
        if rung.is_sound and not math.isclose(row.value, first.value, rel_tol=1e-9, abs_tol=1e-9):
            raise RulesError(
                f"{rung.title} finds {row.value:g} where {first.rung.name} finds {first.value:g}; "
                f"check what {game} declares about its positions"
            )
        yield row
        before = row


def first_choice(game: Game) -> State:
    """The first position where a player has a choice, after the first of all rolls."""
    state = game.initial()
    while not game.is_terminal(state) and game.to_move(state) == CHANCE:
        state = game.result(state, next(iter(game.outcomes(state)))[0])
    return state


def _techniques(game: Game, names: list[str]) -> Techniques:
    """Strict as long as nothing beyond the horizon is used."""
    switches = [name for name in names if name in MEANING]
    return Techniques(
        *switches, strict=not any(name in names for name in (*BEYOND, *BETS)), repeats=game.repetition < 0
    )


def _search_within_patience(rung: Rung, start: State) -> Row:
    """The deepest search that fits into `PATIENCE`, judging by how fast the tree grows."""
    row = _search(rung, start, 1)
    while row.depth < FAR - 1:
        deeper = _search(rung, start, row.depth + 1)
        if deeper.nodes == row.nodes:  # all lines end before
            return row
        growth = deeper.nodes / row.nodes
        row = deeper
        if row.seconds * growth > PATIENCE:
            break
    return row


def _search(rung: Rung, start: State, depth: int, before: Row | None = None) -> Row:
    """One search with a fresh memory; processor time without compiling."""
    if isinstance(rung.how, expectiminimax_techniques.Techniques):
        search, workspace = _with_dice(rung, start, depth)
    else:
        search, workspace = _without(rung, rung.how, start, depth)
    watch = Watch(workspace.stop)
    began = time.process_time()
    value = watch.run(search)
    seconds = time.process_time() - began
    if watch.interrupted:
        raise KeyboardInterrupt
    if workspace.trouble:
        game = rung.game
        raise RulesError(f"{game} stopped the search of {rung.title}; `zermelo check {game}` finds what is wrong")
    return Row(rung, depth, workspace.nodes, seconds, 0.0 + value, before)


def _without(rung: Rung, how: Techniques, start: State, depth: int) -> tuple[Callable[[], float], Workspace]:
    """A search without dice, ready to begin, and its memory."""
    game, table = rung.game, Table(MEGABYTES)
    workspace = AlphaBetaWorkspace.create(table)
    scale = Scale.of(game, has_ply_cost=False)
    workspace.null_window = scale.null_window
    workspace.win_threshold = scale.win_threshold
    negamax.prepare(game, how, start, 0.0, 0.0, 0, Ply(0), 0, workspace)

    def search() -> float:
        workspace.table.age = table.age  # which also keeps the table
        value = 0.0
        for nearer in range(1 if rung.is_deepening else depth, depth + 1):
            value = negamax.run(game, how, start, -math.inf, math.inf, nearer, Ply(0), 0, workspace)
        return value

    return search, workspace


def _with_dice(rung: Rung, start: State, depth: int) -> tuple[Callable[[], float], Workspace]:
    """A search with dice, ready to begin, and its memory."""
    expecting = Expectiminimax(rung.game, megabytes=MEGABYTES, techniques=rung.how.names())
    workspace = expecting.workspace()
    expecting.prepare(start)

    def search() -> float:
        value = 0.0
        for nearer in range(1 if rung.is_deepening else depth, depth + 1):
            value = expectiminimax_kernel.run(
                rung.game, expecting.how, start, -math.inf, math.inf, nearer, Ply(0), 0, workspace
            )
        return value

    return search, workspace
