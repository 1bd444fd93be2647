"""A wrapper around a game: the same rules, with some methods replaced."""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.core.game import Action, Game, State, View
from zermelo.core.picture import Picture
from zermelo.kernel import U64


class Wrapped(Game):
    """Delegates all methods to `game`; subclasses override some."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.players, self.zero_sum, self.chance, self.hidden = game.players, game.zero_sum, game.chance, game.hidden
        self.utility_range, self.repetition, self.seats = game.utility_range, game.repetition, game.seats
        self.max_payoff_sum, self.forgets, self.teams = game.max_payoff_sum, game.forgets, game.teams
        self.unit, self.margins, self.swing = game.unit, game.margins, game.swing
        if "utility_range" in game.runtime:
            self.runtime = (*self.runtime, "utility_range")

    def initial(self) -> State:
        return self.game.initial()

    def to_move(self, state: State) -> int:
        return self.game.to_move(state)

    def actions(self, state: State) -> Iterable[Action]:
        return self.game.actions(state)

    def result(self, state: State, action: Action) -> State:
        return self.game.result(state, action)

    def utility(self, state: State, player: int) -> float:
        return self.game.utility(state, player)

    def is_terminal(self, state: State) -> bool:
        return self.game.is_terminal(state)

    def outcomes(self, state: State) -> Iterable[tuple[Action, float]]:
        return self.game.outcomes(state)

    def count(self, state: State) -> int:
        return self.game.count(state)

    def repetition_key(self, state: State) -> State:
        return self.game.repetition_key(state)

    def view(self, state: State, player: int) -> View:
        return self.game.view(state, player)

    def worlds(self, view: View, player: int, luck: U64) -> State:
        return self.game.worlds(view, player, luck)

    def format_view(self, view: View, player: int) -> str:
        return self.game.format_view(view, player)

    def public(self, state: State) -> View:
        return self.game.public(state)

    def bucket(self, view: View, player: int) -> View:
        return self.game.bucket(view, player)

    def evaluate(self, state: State, player: int) -> float:
        return self.game.evaluate(state, player)

    def is_noisy(self, state: State, action: Action) -> bool:
        return self.game.is_noisy(state, action)

    def noisy_actions(self, state: State) -> Iterable[Action]:
        return self.game.noisy_actions(state)

    def gain(self, state: State, action: Action) -> float:
        return self.game.gain(state, action)

    def exchange(self, state: State, action: Action) -> float:
        return self.game.exchange(state, action)

    def is_threatened(self, state: State) -> bool:
        return self.game.is_threatened(state)

    def may_pass(self, state: State) -> bool:
        return self.game.may_pass(state)

    def after_pass(self, state: State) -> State:
        return self.game.after_pass(state)

    def bank(self, state: State, player: int) -> float:
        return self.game.bank(state, player)

    def without_bank(self, state: State) -> State:
        return self.game.without_bank(state)

    def is_nearly_over(self, state: State) -> bool:
        return self.game.is_nearly_over(state)

    def candidates(self, state: State) -> Iterable[Action]:
        return self.game.candidates(state)

    def order(self, state: State, action: Action) -> float:
        return self.game.order(state, action)

    def prior(self, state: State, last: Action, action: Action) -> float:
        return self.game.prior(state, last, action)

    def sample(self, state: State, last: Action, luck: U64) -> Action:
        return self.game.sample(state, last, luck)

    def key(self, state: State) -> U64:
        return self.game.key(state)

    def canonical(self, state: State) -> State:
        return self.game.canonical(state)

    def middle(self) -> float:
        return self.game.middle()

    def middle_of_range(self) -> float:
        return self.game.middle_of_range()

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        return self.game.bounds(state, player)

    def format_action(self, state: State, action: Action) -> str:
        return self.game.format_action(state, action)

    def parse_action(self, state: State, text: str) -> Action:
        return self.game.parse_action(state, text)

    def format_state(self, state: State) -> str:
        return self.game.format_state(state)

    def parse_state(self, text: str) -> State:
        return self.game.parse_state(text)

    def picture(self, state: State) -> Picture:
        return self.game.picture(state)

    def view_picture(self, view: View, player: int) -> Picture:
        return self.game.view_picture(view, player)

    def seat(self, player: int) -> str:
        return self.game.seat(player)

    def spec(self) -> str:
        return self.game.spec()

    def option_label(self, name: str) -> str:
        return self.game.option_label(name)

    def full_title(self) -> str:
        return self.game.full_title()
