"""The referee: one game in progress, with its history; checked moves, undo, repetition, the result."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from zermelo.core.errors import IllegalMove, RulesError, UsageError
from zermelo.core.frozen import freeze
from zermelo.core.game import CHANCE, Action, Game, State, knows, legal_actions
from zermelo.core.naive import frozen_state, with_values
from zermelo.core.notebook import HasFigure
from zermelo.core.repetition import Repetition
from zermelo.core.seat import Memory, Seat, find_equal
from zermelo.kernel import GOLDEN


@dataclass(frozen=True)
class Turn:
    """A played move: the player, the action and the state before it."""

    state: State
    player: int
    action: Action
    text: str
    place: State
    """The state without its clocks, which defines repetition."""
    index: int = -1
    """The place of the action among the legal ones; -1 if unknown."""


class Referee(HasFigure):
    """Keeps the history of one game and accepts only legal moves."""

    def __init__(self, game: Game, state: State | None = None) -> None:
        if not isinstance(game, Game):
            raise UsageError(f"a referee is for a Game, as find('chess') or MyGame() gives one, and not {game!r}")
        self.game = game = with_values(game)
        self.state: State = game.initial() if state is None else frozen_state(game, state)
        self.turns: list[Turn] = []
        self._is_whole = state is None
        """Whether the turns go back to the start of the game."""
        self._listed: tuple[State, int, list[Action]] | None = None
        """The legal moves and the position they belong to, cached because superko makes them slow to find."""

    @classmethod
    def at(cls, game: Game, position: str = "") -> Referee:
        """A game at a position given as text: the game's own form, `moves:` and moves from the start, or "" for it."""
        text = position.strip()
        if not text.startswith("moves:"):
            return cls(game, game.parse_state(text) if text else None)
        referee = cls(game)
        referee.play_line(text.removeprefix("moves:").replace(",", " ").split())
        return referee

    @property
    def start(self) -> State:
        """The first state of the game."""
        return self.turns[0].state if self.turns else self.state

    @property
    def to_move(self) -> int:
        return self.game.to_move(self.state)

    @property
    def ply(self) -> int:
        """The number of turns so far, dice included."""
        return len(self.turns)

    @property
    def known_state(self) -> State:
        """The state; the seat of a hidden game has one that fits what the player has seen."""
        return self.state

    @property
    def is_over(self) -> bool:
        return self.game.is_terminal(self.state) or self._is_drawn_by_repetition() or self._is_stuck()

    def legal(self) -> list[Action]:
        """The moves that may be played now; at CHANCE, the outcomes."""
        if self.game.is_terminal(self.state) or self._is_drawn_by_repetition():
            return []
        if self._listed is None or self._listed[0] is not self.state or self._listed[1] != len(self.turns):
            found = list(self._playable())
            if any(action is None for action in found):
                raise RulesError(f"{self.game} offers None as a move; use another value, such as the text 'pass'")
            self._listed = self.state, len(self.turns), found
        return list(self._listed[2])

    def utilities(self) -> tuple[float, ...]:
        """The payoffs of all players at the end; after a draw by repetition, the middle of the scale."""
        if self.game.is_terminal(self.state):
            return self.game.utilities(self.state)
        if self._is_drawn_by_repetition() or self._is_stuck():
            return (self.game.middle(),) * self.game.players
        raise RulesError(f"{self.game} is not over yet, so there are no payoffs")

    def find_legal(self, action: Action) -> Action:
        """The legal action that equals this one, in the game's own type: a bot may return 3.0 or a number of numpy."""
        return find_equal(self.legal(), action, (self.game.format_action(self.state, one) for one in self.legal()))

    def play(self, action: Action) -> None:
        """Play a legal action; IllegalMove otherwise, and nothing changes."""
        action = self.find_legal(freeze(action))
        text, place = self.game.format_action(self.state, action), self.game.repetition_key(self.state)
        index = self.legal().index(action)
        turn, after = Turn(self.state, self.to_move, action, text, place, index), self.game.result(self.state, action)
        self.turns.append(turn)
        self.state, self._listed = after, None

    def play_text(self, text: str) -> None:
        """Play a move given in the game's notation."""
        self.play(self.game.parse_action(self.state, text))

    def play_line(self, moves: Iterable[str]) -> None:
        """Play moves in notation, one after the other."""
        for number, text in enumerate(moves, 1):
            try:
                self.play_text(text)
            except IllegalMove as error:
                raise IllegalMove(f"move {number}: {error}") from None

    def roll(self, rng: random.Random) -> Action:
        """At CHANCE: draw an outcome that is legal, play it and return it."""
        legal = self.legal()
        actions, weights = zip(
            *((one, share) for one, share in self.game.outcomes(self.state) if one in legal), strict=True
        )
        action = rng.choices(actions, weights)[0]
        self.play(action)
        return action

    def undo(self) -> Turn:
        """Take the last move back and return it."""
        if not self.turns:
            raise IllegalMove("there is no move to take back; this is the start")
        turn = self.turns.pop()
        self.state, self._listed = turn.state, None
        return turn

    def copy(self) -> Referee:
        """An independent copy of the game in progress."""
        copy = Referee(self.game, self.state)
        copy.turns, copy._is_whole = list(self.turns), self._is_whole
        return copy

    def seat(self, player: int | None = None) -> Seat:
        """What a player sees now, by default the player to move; nothing else can be reached from it."""
        game, state = self.game, self.state
        is_over, mover = self.is_over, game.to_move(state)
        if player is None and (is_over or mover == CHANCE):
            raise UsageError("no player is to move now; say whose seat it is")
        player = mover if player is None else player
        if not 0 <= player < game.players:
            raise UsageError(f"{game} has players 0 to {game.players - 1}, not {player}")
        memories = tuple(
            Memory(game.view(turn.state, player), turn.action, turn.index, turn.text)
            for turn in self.turns
            if turn.player == player
        )
        view, moves = game.view(state, player), [] if is_over or mover != player else self.legal()
        if moves and knows(game, "worlds"):  # so that not even the notation can depend on what is hidden
            state = game.worlds(view, player, GOLDEN)
        texts = tuple((action, game.format_action(state, action)) for action in moves)
        return Seat(game, player, view, memories, texts, is_over, self._is_whole)

    def _playable(self) -> Iterator[Action]:
        actions = legal_actions(self.game, self.state)
        if self.game.repetition is not Repetition.FORBIDDEN:
            yield from actions
            return
        seen = {turn.place for turn in self.turns} | {self.game.repetition_key(self.state)}
        for action in actions:
            if self.game.repetition_key(self.game.result(self.state, action)) not in seen:
                yield action

    def _is_drawn_by_repetition(self) -> bool:
        times = int(self.game.repetition)
        if times <= 0:
            return False
        here = self.game.repetition_key(self.state)
        return 1 + sum(1 for turn in self.turns if turn.place == here) >= times

    def _is_stuck(self) -> bool:
        """Superko can leave no move in a position that is not over."""
        if self.game.repetition is not Repetition.FORBIDDEN or self.game.is_terminal(self.state):
            return False
        return not any(True for _ in self._playable())


Table: TypeAlias = Referee | Seat
"""What an agent gets: the referee of a game, or in a game with hidden information the seat of the player to move."""


def table_for_agent(table: Table) -> Table:
    """The table as an agent may see it: a seat if the game hides something from the player to move."""
    if isinstance(table, Seat) or not table.game.hidden or table.is_over or table.to_move == CHANCE:
        return table
    return table.seat()


def open_table(table: Table) -> Referee:
    """The referee, for searches of games in which nothing is hidden; a seat refuses."""
    if isinstance(table, Seat):
        return table.state
    return table
