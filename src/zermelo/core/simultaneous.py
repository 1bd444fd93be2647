"""Simultaneous moves: all players choose at once, and none sees the others' choices before all have chosen.

    start()                       the first situation
    choices(situation, player)    what a player may choose, at least one
    outcome(situation, chosen)    the situation after all have chosen
    is_decided(situation)         whether the game is over
    payoff(situation, player)     the payoff at the end

A subclass needs these five methods. `Simultaneous` makes the usual ones of them: a state is a situation and the choices
that are made already, one player chooses after the other, and views leave out the others' pending choices.

With `chance = True`, chance decides between the choices:

    is_drawing(situation)         whether it does so now
    draws(situation)              pairs (event, probability)
    drawn(situation, event)       the situation after the event

`seen(situation, player)` is what a player sees of a situation; by default all of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from zermelo.core.errors import BadPosition
from zermelo.core.game import CHANCE, Action, Game, State, View, legal_actions
from zermelo.core.picture import Picture, Text, Touches
from zermelo.kernel import GOLDEN, U64, draw_below, mix, replace_item

Situation: TypeAlias = Any
PENDING = -1
"""No choice yet; choices are 0 or more."""
UNSEEN = -2
"""In a view, a choice that another player has made."""


class Simultaneous(Game):
    """A game whose players choose all at once; a state is (situation, choices)."""

    hidden = True
    generators = (*Game.generators, "choices")
    keeps_type = (*Game.keeps_type, "outcome", "drawn")
    not_compiled = (
        *(*Game.not_compiled, "format_choice", "format_draw", "format_situation", "parse_situation"),
        *("format_seen", "scene"),
    )

    # -- the rules, written by subclasses ----------------------------------------------------------

    def start(self) -> Situation:
        raise NotImplementedError

    def choices(self, situation: Situation, player: int) -> Iterable[Action]:
        raise NotImplementedError

    def outcome(self, situation: Situation, chosen: tuple[Action, ...]) -> Situation:
        raise NotImplementedError

    def is_decided(self, situation: Situation) -> bool:
        raise NotImplementedError

    def payoff(self, situation: Situation, player: int) -> float:
        raise NotImplementedError

    def is_drawing(self, situation: Situation) -> bool:
        return False

    def draws(self, situation: Situation) -> Iterable[tuple[Action, float]]:
        yield 0, 1.0

    def drawn(self, situation: Situation, event: Action) -> Situation:
        return situation

    def seen(self, situation: Situation, player: int) -> Any:
        return situation

    def situations(self, seen: Any, player: int, luck: U64) -> Situation:
        """A random situation of which the player sees this, drawn without bias by the word `luck`."""
        return seen

    # -- the usual methods, made of them -----------------------------------------------------------

    @property
    def nothing_chosen(self) -> tuple[int, ...]:
        """A pending choice for every player."""
        return (PENDING,) * self.players

    def initial(self) -> State:
        return self.start(), self.nothing_chosen

    def to_move(self, state: State) -> int:
        """The first player without a choice."""
        if self.chance and self.is_drawing(state[0]):
            return CHANCE
        found = 0
        for choice in state[1]:
            found += choice != PENDING
        return found

    def actions(self, state: State) -> Iterable[Action]:
        if self.chance and self.is_drawing(state[0]):
            for event, _ in self.draws(state[0]):
                yield event
        elif not self.is_decided(state[0]):
            for choice in self.choices(state[0], self.to_move(state)):  # noqa: UP028, a kernel has no yield from
                yield choice

    def outcomes(self, state: State) -> Iterable[tuple[Action, float]]:
        for event, probability in self.draws(state[0]):  # noqa: UP028
            yield event, probability

    def result(self, state: State, action: Action) -> State:
        player = self.to_move(state)
        if player == CHANCE:
            return self.drawn(state[0], action), self.nothing_chosen
        chosen = replace_item(state[1], player, action)
        if player < self.players - 1:
            return state[0], chosen
        return self.outcome(state[0], chosen), self.nothing_chosen

    def is_terminal(self, state: State) -> bool:
        return self.is_decided(state[0])

    def utility(self, state: State, player: int) -> float:
        return self.payoff(state[0], player)

    def view(self, state: State, player: int) -> View:
        """What is seen of the situation, and the player's own choice; that others have chosen is seen, but not what."""
        found = self.nothing_chosen
        for other in range(self.players):
            if state[1][other] != PENDING:
                found = replace_item(found, other, state[1][other] if other == player else UNSEEN)
        return self.seen(state[0], player), found

    def worlds(self, view: View, player: int, luck: U64) -> State:
        """The others' pending choices are equally likely."""
        situation, chosen = self.situations(view[0], player, luck), view[1]
        luck = ~luck  # what `situations` has drawn comes from this word and from mixtures of it
        for other in range(self.players):
            if chosen[other] == UNSEEN:
                luck = mix(luck)
                chosen = replace_item(chosen, other, self.draw_choice(situation, other, luck))
        return situation, chosen

    def draw_choice(self, situation: Situation, player: int, luck: U64) -> Action:
        """One of the choices, all equally likely."""
        count = 0
        for _ in self.choices(situation, player):
            count += 1
        wanted, found = draw_below(luck, count), PENDING
        for choice in self.choices(situation, player):
            found = choice
            if wanted == 0:
                break
            wanted -= 1
        return found

    # -- notation ----------------------------------------------------------------------------------

    def format_choice(self, situation: Situation, player: int, choice: Action) -> str:
        """A choice as text; by default its number."""
        return str(choice)

    def format_draw(self, situation: Situation, event: Action) -> str:
        """An event of chance as text; by default its number."""
        return str(event)

    def format_situation(self, situation: Situation) -> str:
        """A situation as text without semicolons; `parse_situation` is its inverse."""
        raise NotImplementedError

    def parse_situation(self, text: str) -> Situation:
        raise NotImplementedError

    def format_action(self, state: State, action: Action) -> str:
        mover = self.to_move(state)
        if mover == CHANCE:
            return self.format_draw(state[0], action)
        return self.format_choice(state[0], mover, action)

    def format_seen(self, seen: Any, player: int) -> str:
        """What a player sees of a situation, as text; by default that of the situation."""
        return self.format_situation(seen)

    def format_state(self, state: State) -> str:
        """The situation, then the choices that are made: `start; rock`."""
        situation, chosen = state
        words = [self.format_choice(situation, player, choice) for player, choice in enumerate(chosen) if choice >= 0]
        return "; ".join([self.format_situation(situation), *words])

    def format_view(self, view: View, player: int) -> str:
        """The situation, and the player's own choice if it is made."""
        seen, chosen = view
        own = chosen[player]
        words = [] if own == PENDING else [self.format_choice(seen, player, own)]
        return "; ".join([self.format_seen(seen, player), *words])

    def parse_state(self, text: str) -> State:
        first, *words = (part.strip() for part in text.split(";"))
        situation = self.parse_situation(first)
        is_open = not (self.is_decided(situation) or self.is_drawing(situation))
        if len(words) >= self.players or (words and not is_open):
            raise BadPosition(f"{text!r} is impossible: {self.players} choices at once lead to the next situation")
        chosen = self.nothing_chosen
        for player, word in enumerate(words):
            named = {self.format_choice(situation, player, one): one for one in self.choices(situation, player)}
            if word not in named:
                raise BadPosition(f"{text!r} is impossible: {word!r} is not one of {', '.join(named)}")
            chosen = replace_item(chosen, player, named[word])
        return situation, chosen

    # -- picture -----------------------------------------------------------------------------------

    def scene(self, seen: Any, player: int, moves: Touches) -> Picture:
        """The picture of what a player sees of a situation (of all of it for CHANCE); by default its text."""
        text = self.format_situation(seen) if player == CHANCE else self.format_seen(seen, player)
        return Text(text, touches=moves)

    def picture(self, state: State) -> Picture:
        moves = [self.format_action(state, action) for action in legal_actions(self, state)]
        return self.scene(state[0], CHANCE, dict.fromkeys(moves, ()))

    def view_picture(self, view: View, player: int) -> Picture:
        """The scene; a player whose turn it is can choose."""
        seen, chosen = view
        moves: list[str] = []
        if player == sum(choice != PENDING for choice in chosen):
            state = self.worlds(view, player, GOLDEN)
            if not self.is_terminal(state) and self.to_move(state) == player:
                moves = [self.format_action(state, action) for action in self.actions(state)]
        return self.scene(seen, player, dict.fromkeys(moves, ()))
