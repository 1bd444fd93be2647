"""The game of a GTP server: its rules, its moves, and how to take them back.

A session is immutable: every command returns a new one, and a command that fails returns none.

In Go the same colour may play twice in a row. Then the other side passes in between, and `undo` takes both moves back.
Play may continue after two passes; superko then ignores the positions before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from zermelo.core.errors import IllegalMove, UsageError, ZermeloError
from zermelo.core.game import Action, Game, State
from zermelo.core.picture import Grid
from zermelo.core.referee import Referee, Turn
from zermelo.games.go import Go
from zermelo.games.go.notation import PASS, handicap_points, point_name, point_named
from zermelo.games.go.position import NOWHERE, WHITE, Position
from zermelo.protocols.gtp.commands import Failure
from zermelo.protocols.referees import is_decided, play_only, reopen

LEAST_HANDICAP = 2
LARGEST_KOMI = 1000.0
Moves = tuple[tuple[int, str], ...]
"""The player and the text of each move, from the start."""


class Step(NamedTuple):
    """A point of the game."""

    state: State
    turns: tuple[Turn, ...] = ()
    moves: Moves = ()


@dataclass(frozen=True)
class Session:
    """The rules, the current step, and the steps before."""

    game: Game
    komi: float
    handicap: int
    start: State
    now: Step
    past: tuple[Step, ...] = ()

    @classmethod
    def of(cls, game: Game) -> Session:
        komi, handicap = (game.komi, game.handicap) if isinstance(game, Go) else (0.0, 0)
        start = game.initial()
        return cls(game, komi, handicap, start, Step(start))

    @property
    def referee(self) -> Referee:
        """A referee for the game so far; moves on it do not change the session."""
        return _referee(self.game, self.now)

    @property
    def to_move(self) -> int:
        return self.game.to_move(self.now.state)

    @property
    def go(self) -> Go:
        """The game, if it is Go; Failure otherwise."""
        if not isinstance(self.game, Go):
            raise Failure(f"{self.game.name} does not have this; only go does")
        return self.game

    # -- the board ------------------------------------------------------------------------------------

    def resize(self, size: int) -> Session:
        """An empty board of this size."""
        if size == self.size > 0:
            return self.clear()
        if "size" not in self.game.options():
            only = f"is played on a board of size {self.size} only" if self.size else "has no size"
            raise Failure(f"unacceptable size: {self.game} {only}")
        rest = {"komi": self.komi, "handicap": 0} if isinstance(self.game, Go) else {}
        try:
            return Session.of(_with(self.game, size=size, **rest))
        except UsageError as error:
            raise Failure(f"unacceptable size: {error}") from None

    @property
    def size(self) -> int:
        """Of a square board; 0 for others."""
        picture = self.game.picture(self.game.initial())
        return picture.rows if isinstance(picture, Grid) and picture.rows == picture.cols else 0

    def clear(self) -> Session:
        """An empty board, without a handicap; komi stays."""
        if isinstance(self.game, Go) and self.handicap:
            return Session.of(_with(self.game, komi=self.komi, handicap=0))
        return Session.of(self.game)

    def with_komi(self, komi: float) -> Session:
        """Return the same position with another komi."""
        if not abs(komi) <= LARGEST_KOMI:
            raise Failure(f"komi {komi:g} is out of range; it is between -{LARGEST_KOMI:g} and {LARGEST_KOMI:g}")
        if komi == self.komi:
            return self
        return replace(self, game=_go_with(self.go, komi, self.handicap), komi=komi)

    def with_handicap(self, points: Sequence[int]) -> Session:
        """Place Black's stones on an empty board; White moves first and gets a point for every stone."""
        game = self.go
        if self.now.moves or self.now.state != Position(game.board.none, game.board.none, NOWHERE, 0, 0):
            raise Failure("board not empty")
        game = _go_with(game, self.komi, len(points))
        start = Position(game.board.none, game.board.points(points), NOWHERE, WHITE, 0)
        return Session(game, self.komi, len(points), start, Step(start))

    def fixed_points(self, stones: int, at_most: bool = False) -> list[int]:
        """The protocol's fixed points for handicap stones; with `at_most`, fewer if the board has no room."""
        if stones < LEAST_HANDICAP:
            raise Failure(f"invalid handicap: at least {LEAST_HANDICAP} stones are expected, not {stones}")
        wanted = min(stones, 9) if at_most else stones
        while True:
            try:
                return handicap_points(self.go.size, wanted)
            except UsageError as error:
                if not at_most or wanted <= LEAST_HANDICAP:
                    raise Failure(f"invalid handicap: {error}") from None
            wanted -= 1

    # -- moves ----------------------------------------------------------------------------------------

    def play_text(self, player: int, text: str) -> Session:
        """Play a move in notation; Failure if it cannot be read or is not legal."""
        if isinstance(self.game, Go) and text.lower() != PASS:
            try:
                point_named(self.game.size, text)
            except ZermeloError as error:
                raise Failure(f"invalid color or coordinate: {error}") from None
        referee, _ = self.turn_to(player)
        try:
            return self.play(player, _action(referee, text))
        except IllegalMove as error:
            raise Failure(f"illegal move: {error}") from None

    def play(self, player: int, action: Action) -> Session:
        """Play a move; IllegalMove if it is not legal."""
        referee, moves = self.turn_to(player)
        play_only(referee, action)
        moves = (*moves, (player, referee.turns[-1].text))
        return replace(self, now=Step(referee.state, tuple(referee.turns), moves), past=(*self.past, self.now))

    def turn_to(self, player: int) -> tuple[Referee, Moves]:
        """The game with this player to move, and its moves: in Go the other side may have to pass first."""
        referee, moves = _reopen(self.referee), self.now.moves
        if is_decided(referee):
            raise Failure("illegal move: the game is over")
        if referee.to_move != player:
            if not isinstance(self.game, Go):
                raise Failure(f"illegal move: it is the turn of {self.game.seat(referee.to_move)}")
            play_only(referee, self.game.squares)
            referee, moves = _reopen(referee), (*moves, (1 - player, PASS))
        return referee, moves

    def undo(self, steps: int = 1) -> Session:
        """Take back some moves."""
        if steps > len(self.past):
            raise Failure("cannot undo" if steps == 1 else f"cannot undo {steps} moves: there are {len(self.past)}")
        return replace(self, now=self.past[-steps], past=self.past[:-steps]) if steps else self

    @property
    def is_over(self) -> bool:
        return is_decided(self.referee)


def name_of(game: Go, place: int) -> str:
    return point_name(game.size, place)


def _referee(game: Game, step: Step) -> Referee:
    referee = Referee(game, step.state)
    referee.turns = list(step.turns)
    return referee


def _action(referee: Referee, text: str) -> Action:
    """Read the move; in Go it may be illegal, since listing all legal moves would take long."""
    game = referee.game
    if isinstance(game, Go):
        return game.squares if text.lower() == PASS else game.action_at(point_named(game.size, text))
    return game.parse_action(referee.state, text)


def _reopen(referee: Referee) -> Referee:
    """The game without what ended it: two passes, or a draw by repetition or by a move counter."""
    if not is_decided(referee):
        return referee
    state = referee.state
    if isinstance(state, Position):
        return Referee(referee.game, Position(state.mine, state.theirs, NOWHERE, state.player, 0))
    return reopen(referee)


def _with(game: Game, **options: object) -> Game:
    return type(game)(**{**game.options(), **options})


def _go_with(game: Go, komi: float, handicap: int) -> Go:
    """The game with these options; for a handicap without fixed points, White's compensation is part of the komi."""
    try:
        handicap_points(game.size, handicap)
    except UsageError:
        return Go(**{**game.options(), "komi": komi + handicap, "handicap": 0})
    return Go(**{**game.options(), "komi": komi, "handicap": handicap})
