"""Matches: the same agents, every seat, many games; reproducible from one seed.

A round is one game for every seating: each agent has each seat once. All games of a round start from the same random
opening and see the same dice and the same deal (duplicate), so the difference is skill. Without random openings,
deterministic agents would play the same game again and again.

An agent that makes an illegal move, raises an error or takes too long loses that game, and the record says why. Its
first move is not timed: the game may be compiled during it. An agent may also resign. An agent that cannot play the
game at all raises an error for the whole match.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from zermelo.arena.agents import Agent, Resigned
from zermelo.arena.ratings import Rating, mean_error, rating
from zermelo.arena.records import Record
from zermelo.core.analysis import Analysis
from zermelo.core.checked import is_own
from zermelo.core.errors import IllegalMove, Refused, RulesError, UsageError, ZermeloError
from zermelo.core.game import CHANCE, Action, Game
from zermelo.core.naive import with_values
from zermelo.core.referee import Referee, table_for_agent

MOST_MOVES = 500
"""Maximum moves per player; a longer game is scored as a draw."""
MOST_MOVES_ALONE = 100_000
"""Maximum moves in a game with one player."""
LONGEST_OPENING = 100
"""Maximum plies of a random opening."""


@dataclass(frozen=True)
class MatchResult:
    """The games of a match and their totals. Wins, draws, losses and score are the first agent's."""

    game: str
    agents: tuple[str, ...]
    seed: int
    records: tuple[Record, ...] = ()
    speeds: tuple[float, ...] = ()
    """Moves per second of each agent; infinite if none was timed."""
    duplicate: bool = True
    """Whether the games of a round have the same opening, dice and deal."""

    @property
    def games(self) -> int:
        return len(self.records)

    def points(self, agent: int = 0) -> list[float]:
        """One entry per game: 1 for the best payoff, shared if several agents have it, else 0."""
        return [_points(record, agent) for record in self.records]

    def tally(self, agent: int = 0, seat: int | None = None) -> tuple[int, int, int]:
        """Wins, draws and losses of an agent, in all games or in those at one seat."""
        shares = [_points(one, agent) for one in self.records if seat is None or one.seats[seat] == agent]
        wins, losses = sum(share == 1 for share in shares), sum(share == 0 for share in shares)
        return wins, len(shares) - wins - losses, losses

    @property
    def wins(self) -> int:
        return self.tally()[0]

    @property
    def draws(self) -> int:
        return self.tally()[1]

    @property
    def losses(self) -> int:
        return self.tally()[2]

    def score(self, agent: int = 0) -> float:
        """The share of all points, from 0 to 1."""
        return sum(self.points(agent)) / max(self.games, 1)

    def payoffs(self, agent: int = 0) -> list[float]:
        """The payoff of an agent in each game, on the game's own scale."""
        return [one.result[one.seats.index(agent)] for one in self.records if one.result]

    def payoff(self, agent: int = 0) -> float:
        """The mean payoff."""
        return sum(self.payoffs(agent)) / max(self.games, 1)

    def payoff_error(self, agent: int = 0) -> float | None:
        """Half of the 95 % interval of the mean payoff; None before the second round.

        Games of a round share their opening and their dice, so only rounds are independent.
        """
        return mean_error(self.payoffs(agent), len(self.agents) if self.duplicate else 1)

    @property
    def is_graded(self) -> bool:
        """Whether some game ended with another payoff than a win, a draw or a loss."""
        ends = {abs(payoff) for one in self.records for payoff in one.result or ()} - {0}
        return len(ends) > 1

    @property
    def rating(self) -> Rating | None:
        """The first of two agents against the second; None for another number of agents, and before the first game."""
        return rating(self.points()) if len(self.agents) == 2 and self.records else None

    @property
    def different_games(self) -> int:
        """The number of games that differ in a move."""
        return len({(record.seats, record.moves) for record in self.records})

    def to_json(self) -> dict[str, Any]:
        """The match as JSON; `elo_error` is null if `elo` is only a bound, because one side won every game."""
        found = self.rating
        return {
            "game": self.game,
            "agents": list(self.agents),
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": round(self.score(), 6),
            "elo": round(found.elo, 1) if found else None,
            "elo_error": round(found.error, 1) if found and found.error is not None else None,
            "payoff": round(self.payoff(), 6),
            "payoff_error": None if (error := self.payoff_error()) is None else round(error, 6),
            "duplicate": self.duplicate,
        }


Progress = Callable[[MatchResult], None]


def play_match(
    game: Game,
    agents: Sequence[Agent],
    games: int = 20,
    seed: int = 0,
    progress: Progress | None = None,
    *,
    openings: int | None = None,
    most_moves: int | None = None,
    duplicate: bool | None = None,
) -> MatchResult:
    """Play the games one after the other; `progress` receives the result after each.

    `openings` is the number of random plies each round starts with: by default 2, and 0 in a game with dice.
    `most_moves` is the number of moves per player after which a game is scored as a draw. Without `duplicate`, every
    game has an opening, dice and a deal of its own; so it is by default if a bot from outside the package could
    remember dice or cards of the game before.
    """
    game = with_values(game)
    _vet(game, agents, games, openings)
    if duplicate is None:
        duplicate = not (game.chance or game.hidden) or all(is_own(type(agent)) for agent in agents)
    plies = openings if openings is not None else 0 if game.chance else 2
    clocks = [Clock() for _ in agents]
    most = most_moves or (MOST_MOVES_ALONE if game.players == 1 else MOST_MOVES)
    result = MatchResult(game.spec(), tuple(agent.name for agent in agents), seed, duplicate=duplicate)
    starts = _openings(game, plies, random.Random(f"{seed}/openings"))
    opening: tuple[Action, ...] = ()
    for number in range(games):
        round_number, turned = divmod(number, game.players)
        if turned == 0 or not duplicate:
            opening = next(starts)
        seats = tuple((seat + turned) % game.players for seat in range(game.players))
        game_seeds = [random.Random(f"{seed}/{number}/{index}").getrandbits(32) for index in range(len(agents))]
        players = [agent.for_game(game_seeds[index]) for index, agent in enumerate(agents)]
        table = _Table(game, [players[index] for index in seats], [clocks[index] for index in seats], most)
        dice = f"{seed}/{round_number}/dice" if duplicate else f"{seed}/{round_number}/dice/{turned}"
        end = table.play(opening, random.Random(dice))
        record = Record(
            game=result.game,
            agents=result.agents,
            seats=seats,
            seed=seed,
            number=number + 1,
            opening=len(opening),
            moves=tuple(turn.text for turn in table.referee.turns),
            result=end.payoffs,
            ending=end.ending,
            reason=end.reason,
        )
        speeds = tuple(clock.speed for clock in clocks)
        result = replace(result, records=(*result.records, record), speeds=speeds)
        if progress:
            progress(result)
    return result


@dataclass
class Clock:
    """The time that an agent has used; the first move is not counted."""

    moves: int = 0
    seconds: float = 0.0

    @property
    def speed(self) -> float:
        """Moves per second; infinite if they took no time."""
        return (self.moves - 1) / self.seconds if self.seconds > 0 else math.inf

    def is_over(self, seconds: float, allowed: float | None) -> bool:
        """Count a move; return whether it took too long: more than 1.5 times the limit plus half a second."""
        self.moves += 1
        self.seconds += seconds if self.moves > 1 else 0.0
        return self.moves > 1 and allowed is not None and seconds > 1.5 * allowed + 0.5


@dataclass
class _End:
    payoffs: tuple[float, ...]
    ending: Any = "played"
    reason: str = ""


class _Fault(Exception):
    """What an agent did wrong, as words that follow its name."""


@dataclass
class _Table:
    """One game between the agents at its seats."""

    game: Game
    agents: list[Agent]
    clocks: list[Clock]
    most_moves: int
    """Moves of each player after which the game is a draw."""
    referee: Referee = field(init=False)

    def play(self, opening: tuple[Action, ...], dice: random.Random) -> _End:
        self.referee = Referee(self.game)
        for action in opening:
            self.referee.play(action)
        moves = 0
        while not self.referee.is_over:
            if moves >= self.most_moves * self.game.players:
                reason = f"a draw by adjudication: {moves} moves were made and the game was not over"
                return _End(_middle(self.game), "adjudicated", reason)
            seat = self.referee.to_move
            if seat == CHANCE:
                self.referee.roll(dice)
                continue
            moves += 1
            try:
                self._move(seat)
            except Resigned:
                reason = f"{self.agents[seat].name} as {self.game.seat(seat)} resigned"
                return _End(_forfeit(self.game, seat), "resigned", reason)
            except _Fault as fault:
                reason = f"{self.agents[seat].name} as {self.game.seat(seat)} {fault}"
                return _End(_forfeit(self.game, seat), "forfeited", reason)
        return _End(self.referee.utilities())

    def _move(self, seat: int) -> None:
        agent = self.agents[seat]
        started = time.perf_counter()
        try:
            answer = agent.choose(table_for_agent(self.referee.copy()))  # a copy, since the agent may try moves
        except (RulesError, Resigned):
            raise
        except (Refused, UsageError) as error:  # not a fault in this game: it would occur in every game
            raise type(error)(f"{agent.name} cannot play {self.game.name}: {error}") from error
        except ZermeloError as error:
            raise _Fault(f"gave up: {error}") from error
        except Exception as error:
            raise _Fault(f"raised {type(error).__name__}: {error}") from error
        seconds = time.perf_counter() - started
        if isinstance(answer, Analysis) and answer.stopped == "user":
            raise KeyboardInterrupt  # the search has handled Ctrl-C, which was meant for the match
        if self.clocks[seat].is_over(seconds, agent.limit.time):
            raise _Fault(f"took {seconds:.2f} s for a move, with a limit of {agent.limit.time:g} s")
        if not isinstance(answer, Analysis) or answer.action is None:
            raise _Fault("gave no move")
        try:
            self.referee.play(answer.action)
        except IllegalMove as error:
            raise _Fault(f"made an illegal move: {error}") from error


def _vet(game: Game, agents: Sequence[Agent], games: int, openings: int | None) -> None:
    if len(agents) != game.players:
        raise UsageError(f"{game.name} needs {game.players} agents, one per seat, not {len(agents)}")
    if games < 1:
        raise UsageError(f"a match has at least one game, not {games}")
    if openings is not None and openings < 0:
        raise UsageError(f"an opening has at least zero plies, not {openings}")
    if openings is not None and openings > LONGEST_OPENING:
        raise UsageError(f"an opening has at most {LONGEST_OPENING} plies, not {openings}")
    for agent in agents:
        agent.require(game)


def _openings(game: Game, plies: int, rng: random.Random) -> Iterator[tuple[Action, ...]]:
    """Random openings that do not end the game; all different, as long as there are enough.

    If the game ends too soon, the openings are shorter.
    """
    seen: set[tuple[Action, ...]] = set()
    while True:
        found, longest = None, 0
        for _ in range(50):
            opening, moved = _opening(game, plies, rng)
            found, longest = opening or found, max(longest, moved)
            if found is not None and found not in seen:
                break
        if found is not None or plies == 0:
            seen.add(found or ())
            yield found or ()
        else:
            plies = max(0, min(plies, longest) - 1)


def _opening(game: Game, plies: int, rng: random.Random) -> tuple[tuple[Action, ...] | None, int]:
    """This many moves of players and the dice between them, or None if the game ended; and the moves played."""
    referee = Referee(game)
    moved = 0
    while moved < plies and not referee.is_over:
        if referee.to_move == CHANCE:
            referee.roll(rng)
        else:
            referee.play(rng.choice(referee.legal()))
            moved += 1
    return None if referee.is_over else tuple(turn.action for turn in referee.turns), moved


def _points(record: Record, agent: int) -> float:
    assert record.result is not None
    best = max(record.result)
    own = record.result[record.seats.index(agent)]
    return 1 / record.result.count(best) if own == best else 0.0


def _middle(game: Game) -> tuple[float, ...]:
    return (game.middle(),) * game.players


def _forfeit(game: Game, loser: int) -> tuple[float, ...]:
    """The loser gets the lowest payoff; the others share the rest in a zero-sum game, or get the highest payoff."""
    low, high = game.utility_range
    others = -low / (game.players - 1) if game.zero_sum and game.players > 1 else high
    return tuple(low if player == loser else others for player in range(game.players))
