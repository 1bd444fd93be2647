"""`analyse`: what an algorithm thinks of a position, as an `Analysis`.

Alpha-beta, expectiminimax and its kin, and Monte Carlo tree search are the strong ones. The others are the textbook's,
compiled and deepened ply by ply; there every root move is searched on its own, with a full window, so that each has a
value of its own.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import NamedTuple

from zermelo.core.analysis import Analysis, Kind
from zermelo.core.errors import Refused, UsageError
from zermelo.core.game import CHANCE, Action, Game, State, has_one_value, knows
from zermelo.core.guards import has_evaluation, require
from zermelo.core.limit import Limit, vet_threads
from zermelo.core.meter import Meter, Metered
from zermelo.core.random_games import random_game
from zermelo.core.referee import Referee
from zermelo.games.library.asked import game_of, position_of
from zermelo.kernel import Kernel, retry_interpreted
from zermelo.search.alphabeta import Engine
from zermelo.search.choices import must_choose
from zermelo.search.deepening import Deepening, Progress, RootMove
from zermelo.search.expectiminimax import (
    AT_RANDOM,
    Expectiminimax,
    Roles,
    against_all,
    amid,
    best_reply,
    each_alone,
    opposed,
)
from zermelo.search.mcts import Mcts, think_plainly
from zermelo.search.repetition import after, endings, forbidden_moves
from zermelo.search.runtime.watch import Watch
from zermelo.search.worlds import Worlds
from zermelo.textbook import (
    INFINITY,
    alphabeta,
    expectimax,
    expectiminimax,
    maxn,
    minimax,
    quiescent_alphabeta,
    star1,
    star2,
    uniform,
)
from zermelo.textbook import (
    best_reply as best_reply_search,
)

NO_LIMIT = Limit()

_WINDOWED: dict[str, Kernel[..., float]] = {
    "alphabeta": alphabeta,
    "quiescence": quiescent_alphabeta,
    "star1": star1,
    "star2": star2,
}
_PLAIN: dict[str, Kernel[..., float]] = {
    "minimax": minimax,
    "expectiminimax": expectiminimax,
    "paranoid": expectiminimax,
}
EXPECTIMINIMAX_FAMILY = ("expectiminimax", "maxn", "paranoid", "bestreply", "expectimax")
"""The algorithms that `Expectiminimax` runs, each with its own roles."""
SEARCHES = (*_PLAIN, *_WINDOWED, "maxn", "bestreply", "expectimax", "determinised", "mcts")
"""The algorithms that `analyse` can run."""
TRIALS, LONGEST_TRIAL = 5, 100
"""Random games that are played, and their plies, to see whether an evaluation tells positions apart."""


def analyse(
    game: Game | str,
    position: Referee | State | str | None = None,
    algorithm: str = "alphabeta",
    limit: Limit = NO_LIMIT,
    seed: int | None = None,
    progress: Progress | None = None,
    lines: int = 1,
    megabytes: float = 64,
    threads: int = 1,
    *,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
) -> Analysis:
    """What an algorithm thinks of a position within a limit.

    Game and position may be texts, as the command takes them: `analyse("chess", "moves: e4 e5", depth=6)`. The parts of
    a limit can be given by their names instead of a `Limit`.

    `megabytes` is for those that keep a table or a tree, `threads` for alpha-beta and Monte Carlo tree search: how many
    processors are used. `lines` is for alpha-beta and expectiminimax: how many of the best moves get a value of their
    own.

    Without a limit it goes on until the game is seen to its end, which for most games is never; Ctrl-C gives the
    answer of the last depth that was finished. For a game with hidden information only the mover's view is used. In a
    game with a rule for repetition, searches that see none beyond the first move are refused without a limit.
    """
    game = game_of(game)
    position = position_of(game, position)
    limit = _limit(limit, Limit(time, nodes, depth))
    vet_threads(threads)
    if not isinstance(lines, int) or lines < 1:
        raise UsageError(f"lines is the number of moves that get a value, 1 or more, and not {lines}")
    require(game, algorithm)
    if algorithm not in SEARCHES:
        raise Refused(f"{algorithm} is no search by depth; use {default_algorithm(game)[0]}")
    must_choose(position if isinstance(position, Referee) else Referee(game, position), algorithm)
    request = _Request(game, position, algorithm, limit, seed, progress, lines, megabytes, threads)
    return retry_interpreted(game, lambda: _answer(request))


class _Request(NamedTuple):
    """What `analyse` is asked, once it is known to make sense."""

    game: Game
    position: Referee | State | None
    algorithm: str
    limit: Limit
    seed: int | None
    progress: Progress | None
    lines: int
    megabytes: float
    threads: int


def _answer(request: _Request) -> Analysis:
    game, position, algorithm, limit, seed, progress, lines, megabytes, threads = request
    referee = position if isinstance(position, Referee) else Referee(game, position)
    state, player = referee.state, referee.to_move
    if algorithm == "determinised":
        forbidden = forbidden_moves(referee)
        return Worlds(game, game.view(state, player), player, limit, seed, progress, forbidden).deepen()
    if algorithm == "mcts":
        return _simulated(game, position, limit, seed, progress, megabytes, threads)
    if algorithm == "alphabeta" and Engine.fits(game, state):
        found = Engine(game, megabytes, threads).think(position, limit, lines=lines, progress=progress)
        return replace(found, seed=seed)
    if algorithm in EXPECTIMINIMAX_FAMILY:
        search = Expectiminimax(game, roles_for(game, algorithm, player), megabytes)
        if search.fits(state):
            found = search.think(position, limit, lines=lines, progress=progress, name=algorithm)
            return replace(found, seed=seed)
    return _Search(referee, algorithm, limit, seed, progress).deepen()


def _limit(whole: Limit, parts: Limit) -> Limit:
    """The limit, given in one of two ways."""
    if not isinstance(whole, Limit):
        raise UsageError(f"a limit is a Limit, as in Limit(time=2) or Limit(depth=6), and not {whole!r}")
    if whole != NO_LIMIT and parts != NO_LIMIT:
        raise UsageError("give a limit, or its time, nodes and depth, but not both")
    return parts if whole == NO_LIMIT else whole


def roles_for(game: Game, algorithm: str, player: int) -> Roles:
    """The roles that an algorithm assumes when it searches for a player."""
    if algorithm == "expectimax":
        return amid(game, player, AT_RANDOM)
    if algorithm == "expectiminimax":
        return opposed(game)
    if algorithm == "maxn":
        return each_alone(game)
    return best_reply(game, player) if algorithm == "bestreply" else against_all(game, player)


def _simulated(
    game: Game,
    position: Referee | State | None,
    limit: Limit,
    seed: int | None,
    progress: Progress | None,
    megabytes: float,
    threads: int,
) -> Analysis:
    """Monte Carlo tree search; the textbook's, where the moves do not fit into flat memory."""
    referee = position if isinstance(position, Referee) else Referee(game, position)
    if not Mcts.fits(game, referee.state):
        return think_plainly(referee, limit, seed, progress)
    return Mcts(game, megabytes, threads).think(referee, limit, seed=seed, progress=progress)


class _Search(Deepening):
    """A search of the textbook from a state without hidden information."""

    def __init__(
        self, referee: Referee, algorithm: str, limit: Limit, seed: int | None, progress: Progress | None
    ) -> None:
        self.referee, self.state = referee, referee.state
        self.proves = _proves(referee.game, algorithm)
        super().__init__(referee.game, algorithm, referee.to_move, limit, seed, progress)
        self.endings = endings(referee, self.listed)

    def actions(self) -> list[Action]:
        return self.referee.legal()

    def name(self, action: Action) -> str:
        return self.game.format_action(self.state, action)

    def position(self) -> str:
        return self.game.format_state(self.state)

    def prepare(self) -> bool:
        child = self.game.result(self.state, self.moves[0].action)
        if self.algorithm == "maxn":
            return maxn.prepare(self.metered, child, 0)
        if self.algorithm in _WINDOWED:
            return _WINDOWED[self.algorithm].prepare(self.metered, child, self.player, 0, -INFINITY, INFINITY)
        if self.algorithm in _PLAIN:
            return _PLAIN[self.algorithm].prepare(self.metered, child, self.player, 0)
        return False

    def deepen(self) -> Analysis:
        """The answer; for minimax, which the lecture runs once, a note reports the nodes of the last depth alone."""
        found = super().deepen()
        if self.algorithm != "minimax" or self.depth < 2:
            return found
        last = 1 + sum(move.nodes for move in self.moves)
        return replace(found, notes=(*found.notes, f"the tree of depth {self.depth} alone has {last:,} nodes"))

    def search(self, depth: int) -> list[RootMove] | None:
        found: list[RootMove] = []
        for move in self.moves:
            before = self.meter.nodes
            self.meter.saw_horizon = False
            is_over = move.action in self.endings
            if is_over:
                self.meter.enter_node()
                value = self._paid(self.endings[move.action])
            else:
                value = self._value(self.game.result(self.state, move.action), depth - 1)
            if self.meter.is_stopped():
                return None
            found.append(RootMove(move.action, value, not self.meter.saw_horizon, self.meter.nodes - before, is_over))
        return self.ranked(found)

    def _value(self, state: State, depth: int, alpha: float = -INFINITY, beta: float = INFINITY) -> tuple[float, ...]:
        """The payoffs at the end of a search, as far as the algorithm tells; a window where it has one."""
        if self.algorithm == "maxn":
            return maxn.run(self.metered, state, depth)
        if self.algorithm == "expectimax":
            own = float(expectimax(self.metered, state, self.player, uniform, depth))
        elif self.algorithm == "bestreply":
            own = best_reply_search(self.metered, state, self.player, depth)
        elif self.algorithm in _WINDOWED:
            own = _WINDOWED[self.algorithm].run(self.metered, state, self.player, depth, alpha, beta)
        else:
            own = _PLAIN[self.algorithm].run(self.metered, state, self.player, depth)
        return self.spread(own)

    def _paid(self, payoffs: tuple[float, ...]) -> tuple[float, ...]:
        """The payoffs of a game that is over, as far as the algorithm tells."""
        return payoffs if self.algorithm == "maxn" else self.spread(0.0 + payoffs[self.player])

    # -- the line ------------------------------------------------------------------------------------

    def line(self) -> tuple[str, ...]:
        """After each move, search again for the reply, with half the effort so far and in the time that is left."""
        self.meter = Meter.allocate(self.meter.nodes // 2 + 10_000)
        self.metered = Metered(self.game, self.meter)
        left = None if self.limit.time is None else self.limit.time - self.watch.seconds
        return Watch(self.meter.stop, left).run(self._line)

    def _line(self) -> tuple[str, ...]:
        best = self.moves[0]
        here = after(self.referee, best.action)
        line = [self.name(best.action)]
        for depth in range(self.depth - 1, 0, -1):
            if here.is_over or not self._chooses(here.to_move):
                break
            reply = self._reply(here, depth, best.value)
            if reply is None:
                break
            here = after(here, reply)
            line.append(here.turns[-1].text)
        return tuple(line)

    def _chooses(self, mover: int) -> bool:
        """Whether the algorithm thinks that this player looks for the best move."""
        return mover == self.player or (mover != CHANCE and self.algorithm != "expectimax")

    def _reply(self, here: Referee, depth: int, values: tuple[float, ...]) -> Action | None:
        """The first move that keeps the value; None if the effort is spent."""
        mover = here.to_move
        seat = mover if self.algorithm == "maxn" else self.player
        wanted = values[seat]
        slack = 1e-9 * max(1.0, abs(wanted)) if self.game.chance else 0.0  # a narrower window sums in another order
        window = math.nextafter(wanted - slack, -INFINITY), math.nextafter(wanted + slack, INFINITY)
        best, chosen, legal = -INFINITY, None, here.legal()
        ended = endings(here, legal)
        for action in legal:
            if action in ended:
                value = ended[action][seat]
            else:
                value = self._value(self.game.result(here.state, action), depth - 1, *window)[seat]
            if self.meter.is_stopped():
                return None
            if abs(value - wanted) <= slack:
                return action
            worth = value if mover == seat else -value
            if worth > best or chosen is None:
                best, chosen = worth, action
        return chosen


def _proves(game: Game, algorithm: str) -> Kind:
    """What an algorithm that met no horizon has found out about the value of the game."""
    if game.players == 1 or (has_one_value(game) and algorithm not in ("expectimax", "bestreply")):
        return "exact"  # best-reply search is something else than minimax if the opponent moves twice in a row
    return {"maxn": "exact", "paranoid": "lower"}.get(algorithm, "estimate")  # type: ignore[return-value]


def default_algorithm(game: Game) -> tuple[str, str]:
    """The algorithm to use on a game, and why, in a few words."""
    if game.hidden:
        return "mcts", "it has hidden information"
    if knows(game, "prior"):
        return "mcts", "it says which moves look good"
    if not is_telling(game):
        return "mcts", "it has no evaluation that tells positions apart"
    if game.players > 2 or not game.zero_sum:
        return "maxn", "everybody plays for themselves, and it can judge a position"
    if game.chance:
        return "expectiminimax", "it has dice, and it can judge a position"
    return "alphabeta", "two players, no dice, and it can judge a position"


def is_telling(game: Game) -> bool:
    """Whether the game's evaluation is not the same in all positions of a few random games."""
    if not has_evaluation(game):
        return False
    rng, seen = random.Random(0), set()
    for _ in range(TRIALS):
        for state, moves in random_game(game, game.initial(), rng, LONGEST_TRIAL):
            if moves:
                seen.add(float(game.evaluate(state, 0)))
            if len(seen) > 1:
                return True
    return False
