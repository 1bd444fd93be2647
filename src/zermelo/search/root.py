"""`analyse`: search a position with an algorithm, and return an `Analysis`; also the default algorithm of a game."""

from __future__ import annotations

import random

from zermelo.core.analysis import Analysis, Progress
from zermelo.core.errors import UsageError
from zermelo.core.game import Game, State, knows
from zermelo.core.guards import has_evaluation
from zermelo.core.limit import Limit
from zermelo.core.random_games import random_game
from zermelo.core.referee import Referee
from zermelo.games.library.resolve import game_of, position_of
from zermelo.search.dispatcher import Dispatcher
from zermelo.search.runtime.root_search import NO_LIMIT, Request

TRIALS, LONGEST_TRIAL = 5, 100
"""Number and plies of the random games that test whether an evaluation distinguishes positions."""


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
    """Search a position with an algorithm, within a limit.

    Game and position may be texts, as the command takes them: `analyse("chess", "moves: e4 e5", depth=6)`. The parts of
    a limit can be given by their names instead of a `Limit`.

    `megabytes` is the size of the table or tree. `threads` is the number of threads of alpha-beta and Monte Carlo tree
    search. `lines` is the number of best moves that get a value, in alpha-beta and expectiminimax.

    Without a limit, the search ends only when it has proved the value, which for most games is never; after Ctrl-C you
    get the last finished depth. In a game with hidden information only the mover's view is used. In a game with a rule
    for repetition, searches that ignore repetitions beyond the first move are refused without a limit.
    """
    game = game_of(game)
    position = position_of(game, position)
    limit = _limit(limit, Limit(time, nodes, depth))
    if not isinstance(lines, int) or lines < 1:
        raise UsageError(f"lines is the number of moves that get a value, 1 or more, and not {lines}")
    referee = position if isinstance(position, Referee) else Referee(game, position)
    request = Request(referee, limit, algorithm, lines=lines, seed=seed, progress=progress)
    return Dispatcher(algorithm, megabytes, threads).answer(request)


def _limit(whole: Limit, parts: Limit) -> Limit:
    """The limit, given as a `Limit` or by its parts."""
    if not isinstance(whole, Limit):
        raise UsageError(f"a limit is a Limit, as in Limit(time=2) or Limit(depth=6), and not {whole!r}")
    if whole != NO_LIMIT and parts != NO_LIMIT:
        raise UsageError("give a limit, or its time, nodes and depth, but not both")
    return parts if whole == NO_LIMIT else whole


def default_algorithm(game: Game) -> tuple[str, str]:
    """The default algorithm for a game, and the reason in a few words."""
    if game.hidden:
        return "mcts", "it has hidden information"
    if knows(game, "prior"):
        return "mcts", "it has a prior for its moves"
    if not has_informative_evaluation(game):
        return "mcts", "it has no evaluation that distinguishes positions"
    if game.players > 2 or not game.zero_sum:
        return "maxn", "all players maximise their own payoffs, and it has an evaluation"
    if game.chance:
        return "expectiminimax", "it has dice and an evaluation"
    return "alphabeta", "two players, no dice, and an evaluation"


def has_informative_evaluation(game: Game) -> bool:
    """Whether the evaluation differs between positions of a few random games."""
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
