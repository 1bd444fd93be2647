"""The Game contract: five methods make a game; the others are optional and make searches stronger.

    initial()               the first state
    to_move(state)          the player to move, 0 ... players-1, or CHANCE
    actions(state)          the legal moves
    result(state, action)   the state after it; states are immutable
    utility(state, player)  the payoff at the end

The names are those of Russell & Norvig, "Artificial Intelligence: A Modern Approach". The same source runs
interpreted and compiled; compiled games have int actions and states made of numbers (see `zermelo.kernel.state`).
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, ClassVar, TypeAlias

from zermelo.core.checked import CHANCE as CHANCE
from zermelo.core.checked import check_answers, is_own
from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.frozen import thaw
from zermelo.core.move_text import move_text
from zermelo.core.picture import Picture, Text
from zermelo.core.repetition import Repetition
from zermelo.kernel import FILL_MASK, U64, Numbers, Static, draw_below, hash_numbers, replace_item

State: TypeAlias = Any
Action: TypeAlias = Any
View: TypeAlias = Any
"""Hashable, and in compiled games made of numbers."""

NO_ACTION = -(1 << 62)
"""No move."""
LONGEST_OPTION = 30
"""Letters of an option in a title."""


class Game(Static):
    """The rules of a game; instances are constants of the compiled searches.

    Constructor arguments are the game's options and are kept as attributes of the same name.
    """

    name: ClassVar[str] = ""
    """The registered name; by default the class name in lower case with hyphens."""
    title: ClassVar[str] = ""
    """The proper name that people read; by default the class name in words: `Connect Four`."""
    option_labels: ClassVar[Mapping[str, str]] = {}
    """Options of the constructor in words, where their names are too short to be read."""

    players: int = 2
    zero_sum: bool = True
    chance: bool = False
    hidden: bool = False
    forgets: bool = False
    """Whether a view leaves out what the player has seen before, which the library remembers instead."""
    utility_range: tuple[float, float] = (-1, 1)
    max_payoff_sum: float = math.inf
    """Upper limit of the sum of all payoffs, and of the sum of all estimates; 0 in a zero-sum game."""
    repetition: Repetition = Repetition.NOTHING
    unit: float = 1
    """The unit that players count in, on the scale of `utility`: a pawn, a disc."""
    unit_name: ClassVar[str] = ""
    """The name of the unit, in the plural: pawns, discs."""
    margins: bool = False
    """Whether payoffs are margins of victory; otherwise, of two wins the sooner is better."""
    swing: float = math.inf
    """Upper limit, in practice, of how much one quiet move changes `evaluate`; infinite if unknown.

    Used by futility pruning."""
    teams: tuple[int, ...] = ()
    """The team of each player, as in (0, 1, 0, 1); partners have equal payoffs. By default each plays alone."""
    seats: tuple[str, ...] = ()
    """The names of the players, in the order of their numbers; by default "player 1" and so on."""

    file_options: ClassVar[tuple[str, ...]] = ()
    """Options of the constructor that may name a file; the page never opens files."""
    perft_table: ClassVar[Mapping[str, tuple[int, ...]]] = {}
    """Known leaf counts for the default options: position text ("" is the start) to counts at depth 1, 2, 3 ..."""

    keeps_type: ClassVar[tuple[str, ...]] = ("result", "canonical", "after_pass", "without_bank", "other_world")
    generators: ClassVar[tuple[str, ...]] = ("actions", "candidates", "noisy_actions")
    not_inlined: ClassVar[tuple[str, ...]] = ("evaluate", "exchange")
    not_compiled: ClassVar[tuple[str, ...]] = (
        *(
            "format_action",
            "parse_action",
            "format_state",
            "parse_state",
            "picture",
            "view_picture",
            "format_view",
            "seat",
        ),
        *("options", "chosen_options", "spec", "file_options", "perft_table", "unit_name"),
        *("title", "option_labels", "option_label", "full_title"),
    )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not is_own(cls):
            check_answers(cls)
        if "name" not in cls.__dict__:
            cls.name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower()
        if "title" not in cls.__dict__:
            cls.title = title_of(cls.__name__)

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> State:
        raise NotImplementedError

    def to_move(self, state: State) -> int:
        raise NotImplementedError

    def actions(self, state: State) -> Iterable[Action]:
        raise NotImplementedError

    def result(self, state: State, action: Action) -> State:
        raise NotImplementedError

    def utility(self, state: State, player: int) -> float:
        raise NotImplementedError

    def is_terminal(self, state: State) -> bool:
        """Whether the game is over; by default when there are no actions."""
        for _ in self.actions(state):
            return False
        return True

    def outcomes(self, state: State) -> Iterable[tuple[Action, float]]:
        """At CHANCE: pairs (action, probability), summing to 1; by default the actions, all equally likely."""
        count = 0
        for _ in self.actions(state):
            count += 1
        for action in self.actions(state):
            yield action, 1 / count

    def count(self, state: State) -> int:
        """The number of moves (at CHANCE: of outcomes); 0 at the end. Override it if counting needs no list."""
        if self.is_terminal(state):
            return 0
        total = 0
        if self.to_move(state) == CHANCE:
            for _ in self.outcomes(state):
                total += 1
        else:
            for _ in self.actions(state):
                total += 1
        return total

    def repetition_key(self, state: State) -> State:
        """The state without its clocks; a position is repeated if this is equal. By default the whole state."""
        return state

    # -- hidden information ------------------------------------------------------------------------

    def view(self, state: State, player: int) -> View:
        """The information set: everything this player has seen, with perfect recall; hashable. By default the state."""
        found: View = state
        return found

    def worlds(self, view: View, player: int, luck: U64) -> State:
        """A random state that fits the view, drawn by the word `luck`: the same word gives the same state.

        Each way to the view is as likely as chance makes it, whatever the players have chosen on it. For more random
        numbers, mix the word: `luck = mix(luck)`.
        """
        if self.hidden:
            raise NotImplementedError
        return view

    def other_world(self, state: State, player: int, luck: U64) -> State:
        """A random state that looks the same to the player; for compiled searches, which know the type of a state."""
        return self.worlds(self.view(state, player), player, luck)

    def public(self, state: State) -> View:
        """What everybody has seen, as far as the game says so: equal for states with the same view of any player."""
        return 0

    def bucket(self, view: View, player: int) -> View:
        """A lossy abstraction: views with one bucket are to be played alike, and have the same moves."""
        return view

    def format_view(self, view: View, player: int) -> str:
        """The view as text, for tables of strategies: `K after check bet`; by default its numbers."""
        from zermelo.core import state_text  # here, because the import of Zermelo should be quick

        return state_text.write(thaw(view))

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """An estimate of `utility` on the same scale; by default the middle of the scale."""
        return self.middle()

    def is_noisy(self, state: State, action: Action) -> bool:
        """Whether quiescence search must search the move."""
        return False

    def noisy_actions(self, state: State) -> Iterable[Action]:
        """The noisy moves; override it if they can be found without the quiet ones."""
        for action in self.actions(state):
            if self.is_noisy(state, action):
                yield action

    def gain(self, state: State, action: Action) -> float:
        """What a noisy move wins at once, on the scale of `evaluate`; infinite if unknown."""
        return math.inf

    def exchange(self, state: State, action: Action) -> float:
        """Static exchange evaluation: what a noisy move wins or loses if both sides go on capturing on its square."""
        return 0.0

    def is_threatened(self, state: State) -> bool:
        """Whether the mover must answer a threat, such as a check; searches go deeper instead of evaluating."""
        return False

    def may_pass(self, state: State) -> bool:
        """Whether there is almost always a better move than passing; null-move pruning relies on it."""
        return False

    def after_pass(self, state: State) -> State:
        """The state after a pass, even if the rules do not allow one; called only if `may_pass` returns True."""
        return state

    def candidates(self, state: State) -> Iterable[Action]:
        """Moves that include at least one best move; by default all."""
        return self.actions(state)

    def bank(self, state: State, player: int) -> float:
        """The part of the payoff that is final and does not affect the rest of the game."""
        return 0

    def without_bank(self, state: State) -> State:
        """The state with an empty bank; its value is lower by `bank`."""
        return state

    def is_nearly_over(self, state: State) -> bool:
        """Whether so few plies are left that a proof is faster without a table; once True, it stays True."""
        return False

    def order(self, state: State, action: Action) -> float:
        """The move's ordering score for the mover; moves with higher scores are tried first."""
        return 0

    def prior(self, state: State, last: Action, action: Action) -> float:
        """The prior weight of a move after the last one (or NO_ACTION): above 0; 1 for an ordinary move."""
        return 1.0

    def sample(self, state: State, last: Action, luck: U64) -> Action:
        """A random move for a playout, drawn by the word `luck`; by default all moves are equally likely.

        `last` is the move that led here, or NO_ACTION. Override it if a move can be drawn without listing all moves, if
        bad moves should be left out, or if some answers to the last move are better than others.
        """
        wanted = draw_below(luck, self.count(state))
        found = 0
        for action in self.actions(state):
            found = action
            if wanted == 0:
                break
            wanted -= 1
        return found

    def key(self, state: State) -> U64:
        """A 64-bit hash of the state; the default mixes all its numbers."""
        return hash_numbers(state)

    def canonical(self, state: State) -> State:
        """The representative of the state under the game's symmetries; it has the same value."""
        return state

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        """A proved interval for the value of the state; by default the whole scale."""
        return self.utility_range

    # -- moves written into memory, for searches: made from the methods above when they are compiled ---------------

    def fill_actions(self, state: State, memory: int, cell: int) -> int:
        """Write `actions` into flat memory from a cell on; the cell after the last."""
        return _fill(self.actions(state), memory, cell)

    def fill_candidates(self, state: State, memory: int, cell: int) -> int:
        """The same for `candidates`."""
        return _fill(self.candidates(state), memory, cell)

    def fill_noisy_actions(self, state: State, memory: int, cell: int) -> int:
        """The same for `noisy_actions`."""
        return _fill(self.noisy_actions(state), memory, cell)

    # -- notation: exact inverses ------------------------------------------------------------------

    def format_action(self, state: State, action: Action) -> str:
        """The move as text without blanks and commas; by default `2-0` for (2, 0), see `move_text`."""
        return move_text(thaw(action))

    def parse_action(self, state: State, text: str) -> Action:
        """The legal action (or outcome) with this notation; letter case matters only where two moves differ by it."""
        moves: dict[str, Action] = {}
        wanted = text.strip()
        for action in legal_actions(self, state):
            name = self.format_action(state, action)
            if moves.setdefault(name, action) != action and name == wanted:
                raise IllegalMove(f"{wanted} can be {moves[name]!r} or {action!r}; the game needs a format_action")
        if wanted in moves:
            return moves[wanted]
        folded = [action for name, action in moves.items() if name.lower() == wanted.lower()]
        if len(folded) == 1:
            return folded[0]
        raise IllegalMove(f"{wanted or 'an empty move'} is not legal here; {suggest(moves, 'the game is over')}")

    def format_state(self, state: State) -> str:
        """The state as text; by default its numbers, or as Python writes it, see `state_text`."""
        from zermelo.core import state_text  # here, because the import of Zermelo should be quick

        return state_text.write(thaw(state))

    def parse_state(self, text: str) -> State:
        """The inverse of `format_state`."""
        from zermelo.core import state_text

        example = thaw(self.initial())
        try:
            return state_text.read(text, example, state_text.scope_of(type(self), example))
        except state_text.UNREADABLE:
            raise BadPosition(
                f"{text!r} is not a position of {self}; the start is written {self.format_state(example)!r}"
            ) from None

    # -- the scale of payoffs -------------------------------------------------------------------------

    def middle(self) -> float:
        """The payoff of a draw by repetition: the middle of `utility_range`; if infinite, its number nearest to 0.

        In a zero-sum game it is 0, because all players get it, even if the range is wider on one side."""
        return 0.0 if self.zero_sum and self.players > 1 else self.middle_of_range()

    def middle_of_range(self) -> float:
        """The middle of `utility_range`; if infinite, its number nearest to 0."""
        low, high = float(self.utility_range[0]), float(self.utility_range[1])
        if math.isinf(low) or math.isinf(high):
            return min(max(0.0, low), high)
        return low / 2 + high / 2

    # -- payoffs as tuples ---------------------------------------------------------------------------

    @property
    def zeros(self) -> tuple[float, ...]:
        """A payoff of 0 for every player."""
        return (0.0,) * self.players

    def utilities(self, state: State) -> tuple[float, ...]:
        """The payoffs of all players at the end."""
        found = self.zeros
        for player in range(self.players):
            found = replace_item(found, player, float(self.utility(state, player)))
        return found

    def evaluations(self, state: State) -> tuple[float, ...]:
        """The estimates for all players."""
        found = self.zeros
        for player in range(self.players):
            found = replace_item(found, player, float(self.evaluate(state, player)))
        return found

    # -- pictures and names ------------------------------------------------------------------------

    def picture(self, state: State) -> Picture:
        """The position as a neutral board that the terminal and the page both draw; by default a guess."""
        from zermelo.core.guessed_picture import guess  # here, because few games need it

        return guess(self, state) or Text(self.format_state(state))

    def view_picture(self, view: View, player: int) -> Picture:
        """The picture of a player's view in a game with hidden information, made from the view alone.

        At the player's turn `touches` has their moves, as in `picture`, which is shown when the game is over.
        """
        return Text(str(view), caption=f"what {self.seat(player)} knows")

    def seat(self, player: int) -> str:
        """The name of the player."""
        if player == CHANCE:
            return "chance"
        return self.seats[player] if player < len(self.seats) else f"player {player + 1}"

    def options(self) -> dict[str, Any]:
        """The constructor's arguments, as this instance has them."""
        names = inspect.signature(type(self).__init__).parameters if type(self).__init__ is not object.__init__ else {}
        return {name: getattr(self, name) for name in names if name != "self" and hasattr(self, name)}

    def chosen_options(self) -> dict[str, str]:
        """The options that differ from the defaults, as text."""
        defaults = inspect.signature(type(self)).parameters
        return {name: option_text(value) for name, value in self.options().items() if value != defaults[name].default}

    def spec(self) -> str:
        """The name with the options that differ from the defaults: `hexapawn:rows=4,cols=4`."""
        options = [f"{name}={text}" for name, text in self.chosen_options().items()]
        return self.name + (":" + ",".join(options) if options else "")

    def option_label(self, name: str) -> str:
        """An option in words."""
        return self.option_labels.get(name, name.replace("_", " "))

    def full_title(self) -> str:
        """The title with the options that differ from the defaults, in words: `Hexapawn (rows 4, columns 4)`."""
        options = [_option_words(self.option_label(name), text) for name, text in self.chosen_options().items()]
        return self.title + (f" ({', '.join(options)})" if options else "")

    def __str__(self) -> str:
        return self.spec()

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options().items())
        return f"{type(self).__name__}({options})"


def _fill(actions: Iterable[Action], memory: int, cell: int) -> int:
    buffer = Numbers(memory)
    for action in actions:
        buffer[cell & FILL_MASK] = action
        cell += 1
    return cell


def title_of(class_name: str) -> str:
    """A class name in words: `MiniCoup` is `Mini Coup`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", class_name.replace("_", " ")).strip()
    return words[:1].upper() + words[1:] or class_name


def has_one_value(game: Game) -> bool:
    """Whether the first player's payoff determines all: one player, or two whose payoffs cancel."""
    return game.players == 1 or (game.players == 2 and game.zero_sum)


def legal_actions(game: Game, state: State) -> Iterator[Action]:
    """The moves of a player, or at CHANCE the outcomes; none at the end."""
    if game.is_terminal(state):
        return
    if game.to_move(state) == CHANCE:
        for action, _ in game.outcomes(state):
            yield action
    else:
        yield from game.actions(state)


def knows(game: Game, method: str) -> bool:
    """Whether the game defines this optional method."""
    return getattr(type(game), method) is not getattr(Game, method)


def suggest(names: Iterable[str], empty: str, most: int = 12) -> str:
    """ "try a, b or c" for an error message; the rest is counted."""
    shown = list(names)
    if not shown:
        return empty
    if len(shown) > most:
        return f"try {', '.join(shown[:most])} or one of {len(shown) - most} more"
    return "try " + " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))


def _option_words(label: str, text: str) -> str:
    """The value of an option in words."""
    if text in ("true", "false"):
        return label if text == "true" else f"not: {label}"
    return f"{label} {text if len(text) <= LONGEST_OPTION else text[: LONGEST_OPTION - 1] + '…'}"


def option_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return "-".join(map(str, value))
    return str(value)


def parse_options(game_class: Callable[..., Game], name: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Constructor arguments from `name=value` texts, typed as the constructor's defaults are."""
    parameters = inspect.signature(game_class).parameters
    found: dict[str, Any] = {}
    for option, text in texts.items():
        if option not in parameters:
            raise UsageError(f"{name} has no option {option!r}; {suggest(parameters, 'it has none at all')}")
        found[option] = _option_value(name, option, text, parameters[option].default)
    return found


def _option_value(name: str, option: str, text: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]
        if isinstance(default, tuple):
            return tuple(type(default[0])(item) for item in text.split("-"))
        if isinstance(default, int | float):
            return type(default)(text)
    except (KeyError, ValueError):
        raise UsageError(
            f"{name}: {option}={text} is not understood; the default is {option}={option_text(default)}"
        ) from None
    return text
