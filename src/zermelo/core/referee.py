"""The referee: one game in progress, with its history; checked moves, undo, repetition, the result."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zermelo.core.errors import IllegalMove, RulesError, UsageError
from zermelo.core.game import CHANCE, Action, Game, State, legal_actions, suggest
from zermelo.core.notebook import HasFigure
from zermelo.core.repetition import Repetition


@dataclass(frozen=True)
class Turn:
    """One move that was played: who, what, and from where."""

    state: State
    player: int
    action: Action
    text: str
    place: State
    """The state without its clocks: what repetition compares."""


class Referee(HasFigure):
    """Keeps the history of one game and lets only legal moves pass."""

    def __init__(self, game: Game, state: State | None = None) -> None:
        if not isinstance(game, Game):
            raise UsageError(f"a referee is for a Game, as find('chess') or MyGame() gives one, and not {game!r}")
        self.game = game
        self.state: State = game.initial() if state is None else state
        self.turns: list[Turn] = []
        self._listed: tuple[State, int, list[Action]] | None = None
        """The legal moves, with the place they belong to: superko makes finding them slow."""

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
        """Where the game began."""
        return self.turns[0].state if self.turns else self.state

    @property
    def to_move(self) -> int:
        return self.game.to_move(self.state)

    @property
    def is_over(self) -> bool:
        return self.game.is_terminal(self.state) or self._is_drawn_by_repetition() or self._is_stuck()

    def legal(self) -> list[Action]:
        """The moves that may be played now; at CHANCE, the outcomes."""
        if self.game.is_terminal(self.state) or self._is_drawn_by_repetition():
            return []
        if self._listed is None or self._listed[0] is not self.state or self._listed[1] != len(self.turns):
            self._listed = self.state, len(self.turns), list(self._playable())
        return list(self._listed[2])

    def utilities(self) -> tuple[float, ...]:
        """One payoff per player at the end; a game ended by repetition is in the middle of the scale for all."""
        if self.game.is_terminal(self.state):
            return self.game.utilities(self.state)
        if self._is_drawn_by_repetition() or self._is_stuck():
            return (self.game.middle(),) * self.game.players
        raise RulesError(f"{self.game} is not over yet, so there are no payoffs")

    def play(self, action: Action) -> None:
        """Play a legal action; IllegalMove otherwise, and nothing changes."""
        legal = self.legal()
        if action not in legal:
            names = (self.game.format_action(self.state, one) for one in legal)
            raise IllegalMove(f"{action!r} is not legal here; {suggest(names, 'the game is over')}")
        text, place = self.game.format_action(self.state, action), self.game.repetition_key(self.state)
        turn, after = Turn(self.state, self.to_move, action, text, place), self.game.result(self.state, action)
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
        """At CHANCE: draw an outcome, play it and return it."""
        actions, weights = zip(*self.game.outcomes(self.state), strict=True)
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
        """The same game, to be played on by itself."""
        copy = Referee(self.game, self.state)
        copy.turns = list(self.turns)
        return copy

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
        return self.to_move != CHANCE and not any(True for _ in self._playable())
