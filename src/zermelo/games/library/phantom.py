"""Phantom games: any game of placing stones, played without seeing the opponent's stones.

    X . .      X has found a stone of O on c2 by trying to go there. In the classical game one may then try another
    . x o      cell; in the abrupt game the turn is over. Both learn nothing else, not even the number of the
    . . .      opponent's tries, unless `tries` is set.

`phantom:game=tic-tac-toe` is blind tic-tac-toe, `phantom:game=hex:rows=3,cols=3` is dark Hex. A state is the state of
the other game, and the tries of both players.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate
from math import perm
from typing import Any, NamedTuple, TypeAlias

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import Action, Game, State, knows, legal_actions, parse_options
from zermelo.core.picture import Grid, Picture, Piece, Text, Touches
from zermelo.core.picture import Points as Places
from zermelo.core.point_sets import Points, draw_from, has_point, places_of, points_of, size_of, with_point, without
from zermelo.games.library.registry import find
from zermelo.kernel import U64, hash_numbers, lsb, replace_item, state

MOST_CELLS = 400
FOUND = "!"
"""After a try that has met a stone of the opponent."""
Try: TypeAlias = tuple[int, bool]
"""A cell, and whether it was free."""


@state
class Tries(NamedTuple):
    """What both players have tried."""

    first: tuple[U64, ...]
    """The cells that the first player has tried."""
    second: tuple[U64, ...]
    first_story: tuple[U64, ...]
    """The first player's tries in their order, each 2 * cell + 1, and 1 more if the cell was free."""
    second_story: tuple[U64, ...]


@state
class View(NamedTuple):
    """What a player sees: their own tries."""

    story: tuple[U64, ...]
    others: int
    """The number of the opponent's tries if it is announced, otherwise 0."""


class Phantom(Game):
    """Place stones without seeing the opponent's."""

    name = "phantom"
    title = "Phantom Game"
    option_labels = {"abrupt": "a stone found ends the turn", "tries": "the number of tries is announced"}
    hidden = True
    file_options = ("game",)
    not_compiled = (*Game.not_compiled, "full_title", "spec", "names", "known")
    perft_table = {"": (9, 81, 648, 5112, 36288)}

    def __init__(self, game: str = "tic-tac-toe", abrupt: bool = False, tries: bool = False) -> None:
        inner = find(game)
        self.game, self.inner, self.abrupt, self.tries = inner.spec(), inner, abrupt, tries
        self.forgets = tries
        self.cells = count_cells(inner, abrupt)
        self.words = (self.cells + 63) // 64
        self.all, self.none = points_of(range(self.cells), self.words), points_of((), self.words)
        self.try_bits = (2 * self.cells).bit_length()
        self.tries_per_word = 64 // self.try_bits
        self.untold = (U64(0),) * -(-self.cells // self.tries_per_word)
        self.zero_sum, self.utility_range, self.seats = inner.zero_sum, inner.utility_range, inner.seats
        self.unit, self.margins, self.max_payoff_sum = inner.unit, inner.margins, inner.max_payoff_sum
        start = inner.initial()
        self.names = tuple(inner.format_action(start, cell) for cell in range(self.cells))

    @classmethod
    def from_spec(cls, rest: str) -> Phantom:
        """The game of the text after `phantom:`: `abrupt` and `tries` are options here, all others of the game."""
        own: dict[str, str] = {}
        parts = []
        for part in rest.split(","):
            name, equals, value = (piece.strip() for piece in part.partition("="))
            if equals and name in ("abrupt", "tries"):
                if name in own:
                    raise UsageError(f"phantom: {name} is given twice; once is enough")
                own[name] = value
            else:
                parts.append(part.strip())
        text = ",".join(parts)
        options = parse_options(cls, cls.name, own)
        return cls(text.removeprefix("game="), **options) if text else cls(**options)

    def spec(self) -> str:
        options = self.chosen_options()
        order = [f"{name}={options[name]}" for name in ("abrupt", "tries", "game") if name in options]
        return self.name + (":" + ",".join(order) if order else "")

    def full_title(self) -> str:
        kind = ["abrupt"] * self.abrupt + ["tries announced"] * self.tries
        return f"Phantom {self.inner.full_title()}" + (f" ({', '.join(kind)})" if kind else "")

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> State:
        return self.inner.initial(), Tries(self.none, self.none, self.untold, self.untold)

    def to_move(self, state: State) -> int:
        return self.inner.to_move(state[0])

    def actions(self, state: State) -> Iterator[int]:
        """Any cell that the player has not tried."""
        if not self.inner.is_terminal(state[0]):
            left = without(self.all, self.tried(state, self.to_move(state)))
            for word in range(self.words):
                cells = left[word]
                while cells != U64(0):
                    yield 64 * word + lsb(cells)
                    cells &= cells - U64(1)

    def result(self, state: State, action: int) -> State:
        """A free cell is taken; a stone of the opponent's is found. Whoever has tried a cell knows who holds it."""
        mover, before = self.to_move(state), state[1]
        is_free = not has_point(self.tried(state, 1 - mover), action)
        own = self.tried(state, mover)
        count, story = size_of(own), before.first_story if mover == 0 else before.second_story
        word, shift = count // self.tries_per_word, count % self.tries_per_word * self.try_bits
        story = replace_item(story, word, story[word] | U64(2 * action + (2 if is_free else 1)) << shift)
        own = with_point(own, action)
        if mover == 0:
            tries = Tries(own, before.second, story, before.second_story)
        else:
            tries = Tries(before.first, own, before.first_story, story)
        if is_free:
            return self.inner.result(state[0], action), tries
        return self.inner.after_pass(state[0]) if self.abrupt else state[0], tries

    def tried(self, state: State, player: int) -> Points:
        found: Points = state[1].first if player == 0 else state[1].second
        return found

    def is_terminal(self, state: State) -> bool:
        return self.inner.is_terminal(state[0])

    def utility(self, state: State, player: int) -> float:
        return self.inner.utility(state[0], player)

    def count(self, state: State) -> int:
        if self.inner.is_terminal(state[0]):
            return 0
        return size_of(without(self.all, self.tried(state, self.to_move(state))))

    # -- who sees what -----------------------------------------------------------------------------

    def view(self, state: State, player: int) -> View:
        others = size_of(self.tried(state, 1 - player)) if self.tries else 0
        return View(state[1].first_story if player == 0 else state[1].second_story, others)

    def worlds(self, view: View, player: int, rng: random.Random) -> State:
        """One of the games that lead to this view; all are equally likely."""
        own = self.tries_of(view.story)
        while True:
            found = self.world(own, player, view.others, rng)
            if found is not None:
                return found

    def world(self, own: list[Try], player: int, others: int, rng: random.Random) -> State | None:
        """A random game with these tries of the player; None if the draw did not fit."""
        turns = turns_of(own, self.abrupt)
        their_turns = len(turns) - 1 + (player == 1)
        lasts = draw_tries(turns, their_turns, player, self.cells, self.abrupt, rng)
        if lasts is None:
            return None
        stones = [number + (player == 0) for number in range(their_turns)]  # of the player, before each turn
        found = others - their_turns if self.tries else None
        met = [0] * their_turns if self.abrupt else draw_met(stones, found, rng)
        state = self.initial()
        for turn in range(2 * len(turns)):
            number, mover = turn // 2, turn % 2
            if mover == player:
                moves = [cell for cell, _ in turns[number]]
            elif number < their_turns:
                moves = [*self.draw_found(state, met[number], rng), lasts[number]]
            else:
                break
            for move in moves:
                if self.is_terminal(state) or self.to_move(state) != mover:
                    return None
                state = self.result(state, move)
        fits = not self.is_terminal(state) and self.view(state, player) == View(self.story_of(own), others)
        return state if fits and self.to_move(state) == player else None

    def draw_found(self, state: State, count: int, rng: random.Random) -> list[int]:
        """Some of the opponent's stones that the player to move has not found, in a random order."""
        mover = self.to_move(state)
        tried, theirs = self.tried(state, mover), self.tried(state, 1 - mover)
        return rng.sample([cell for cell in places_of(theirs) if not has_point(tried, cell)], count)

    # -- knowledge ---------------------------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        return self.inner.evaluate(state[0], player)

    def sample(self, state: State, last: Action, luck: U64) -> int:
        """Any cell that was not tried, all equally likely."""
        left = without(self.all, self.tried(state, self.to_move(state)))
        return draw_from(left, size_of(left), luck)

    def key(self, state: State) -> U64:
        """The stories; all else follows from them."""
        return hash_numbers((state[1].first_story, state[1].second_story))

    def middle(self) -> float:
        return self.inner.middle()

    # -- notation ----------------------------------------------------------------------------------

    def tries_of(self, story: tuple[U64, ...]) -> list[Try]:
        mask, shifts = (1 << self.try_bits) - 1, [self.try_bits * number for number in range(self.tries_per_word)]
        digits = [int(word) >> shift & mask for word in story for shift in shifts]
        return [((digit - 1) // 2, digit % 2 == 0) for digit in digits if digit]

    def story_of(self, tries: Sequence[Try]) -> tuple[U64, ...]:
        """The inverse of `tries_of`."""
        words = [0] * len(self.untold)
        for number, (cell, is_free) in enumerate(tries):
            words[number // self.tries_per_word] |= (2 * cell + 1 + is_free) << (
                number % self.tries_per_word * self.try_bits
            )
        return tuple(map(U64, words))

    def format_action(self, state: State, action: int) -> str:
        """The cell."""
        return self.names[action]

    def format_state(self, state: State) -> str:
        """The tries of both in the order of play, `!` after one that met a stone: `b2 b2! a1`; or `start`."""
        stories = [self.tries_of(story) for story in (state[1].first_story, state[1].second_story)]
        turns = [turns_of(story, self.abrupt) for story in stories]
        found = []
        for number in range(max(map(len, turns))):
            for own in turns:
                found += own[number] if number < len(own) else []
        return self.tries_text(found) or "start"

    def tries_text(self, tries: Sequence[Try]) -> str:
        return " ".join(self.names[cell] + FOUND * (not is_free) for cell, is_free in tries)

    def format_view(self, view: View, player: int) -> str:
        """The player's own tries, `b2 a1!`, and the number of the opponent's if announced: `b2 a1! (3)`; or `-`."""
        others = f" ({view.others})" if self.tries else ""
        return (self.tries_text(self.tries_of(view.story)) or "-") + others

    def parse_state(self, text: str) -> State:
        found = self.initial()
        for word in text.split() if text.strip() != "start" else ():
            known = {self.names[action]: action for action in legal_actions(self, found)}
            name = word.removesuffix(FOUND)
            if name not in known:
                raise BadPosition(
                    f"{text!r} is not a position of {self}; {word!r} is not a cell that can be tried then; "
                    "write start, or all tries in order"
                )
            found = self.result(found, known[name])
        if (self.format_state(found) != " ".join(text.split())) or not text.strip():
            raise BadPosition(f"{text!r} is not a position of {self}; those tries are {self.format_state(found)!r}")
        return found

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: State) -> Picture:
        """The stones of both."""
        moves = [self.format_action(state, action) for action in legal_actions(self, state)]
        return with_moves(self.inner.picture(state[0]), self.inner.picture(self.inner.initial()).touches, moves)

    def view_picture(self, view: View, player: int) -> Picture:
        """The player's own stones, and those of the opponent that they have found."""
        inner, start = self.inner, self.inner.initial()
        board = inner.picture(start)
        tries = self.tries_of(view.story)
        tried = {cell for cell, _ in tries}
        moves = [name for cell, name in enumerate(self.names) if cell not in tried]
        if not isinstance(board, Grid | Places):
            return Text(self.format_view(view, player), dict.fromkeys(moves, ()))
        pieces: list[Piece | None] = list(board.cells)
        for cell, is_free in tries:
            owner = player if is_free else 1 - player
            other = 0 if cell else 1
            placed = inner.result(start, cell) if owner == 0 else inner.result(inner.result(start, other), cell)
            [place] = board.touches[self.names[cell]]
            shown = inner.picture(placed)
            assert isinstance(shown, Grid | Places)
            pieces[place] = shown.cells[place]
        caption = f"tries of {self.seat(1 - player)}: {view.others}" if self.tries else ""
        return with_moves(replace(board, cells=tuple(pieces), caption=caption), board.touches, moves)


def with_moves(picture: Any, touches: Touches, moves: Sequence[str]) -> Picture:
    """The picture with these moves, which touch the cells that they touch at the start."""
    found: Picture = replace(picture, touches={name: touches.get(name, ()) for name in moves})
    return found


def count_cells(game: Game, abrupt: bool) -> int:
    """The number of cells of a game of placing stones; UsageError if the game is another one."""
    wanted = "phantom needs a game for two without dice or secrets, in which each move fills one free cell"
    if game.players != 2 or game.chance or game.hidden:
        raise UsageError(f"{wanted}, such as tic-tac-toe or hex; {game.name} is not such a game")
    state = game.initial()
    cells = list(game.actions(state))
    if cells != list(range(len(cells))) or not cells or len(cells) > MOST_CELLS:
        raise UsageError(f"{wanted}; the moves of {game.name} are not the cells 0, 1, 2 ... of a board")
    rng, left = random.Random(0), set(cells)
    while not game.is_terminal(state):
        mover = game.to_move(state)
        if set(game.actions(state)) != left:
            raise UsageError(f"{wanted}; in {game.name} the moves are not all free cells")
        move = rng.choice(sorted(left))
        left.remove(move)
        state = game.result(state, move)
        if not game.is_terminal(state) and game.to_move(state) == mover:
            raise UsageError(f"{wanted}; in {game.name} a player moves twice")
    if abrupt and not knows(game, "after_pass"):
        raise UsageError(f"the abrupt game needs the method after_pass, which {game.name} does not have")
    return len(cells)


def turns_of(tries: Sequence[Try], abrupt: bool) -> list[list[Try]]:
    """The tries turn by turn; the last turn is the one that is not over, empty if it has not begun."""
    found: list[list[Try]] = [[]]
    for one in tries:
        found[-1].append(one)
        if one[1] or abrupt:
            found.append([])
    return found


def draw_tries(
    turns: Sequence[Sequence[Try]], count: int, player: int, cells: int, abrupt: bool, rng: random.Random
) -> list[int] | None:
    """The last cell that the opponent tries at each of their turns, so that the player finds what they have found.

    All that fit are equally likely; None if the draw has to be repeated.
    """
    chosen: list[int | None] = [None] * count
    taken = {cell: number for number, turn in enumerate(turns) for cell, is_free in turn if is_free}
    for number, turn in enumerate(turns):
        for cell in (cell for cell, is_free in turn if not is_free):
            open_turns = [one for one in range(min(count, number + (player == 1))) if chosen[one] is None]
            if not open_turns:
                return None
            chosen[rng.choice(open_turns)] = cell
    tried = {cell for turn in turns for cell, _ in turn}
    never = [cell for cell in range(cells) if cell not in tried]
    for one in range(count):
        if chosen[one] is None:
            met = [cell for cell, number in taken.items() if number < one + (player == 0)] if abrupt else []
            free = [cell for cell in (*never, *met) if cell not in chosen]
            if not free or (abrupt and rng.random() * (len(never) + len(taken)) >= len(free)):
                return None
            chosen[one] = rng.choice(free)
    return [cell for cell in chosen if cell is not None]


def draw_met(stones: Sequence[int], total: int | None, rng: random.Random) -> list[int]:
    """How many stones the opponent finds at each turn; all orders of tries are equally likely.

    `stones` are the numbers of the player's stones before each turn, and `total` is what they find, if it is known.
    """

    @cache
    def orders(turn: int, before: int) -> int:
        """The number of orders in which the opponent can find stones from a turn on, with so many found before it."""
        if turn == len(stones):
            return int(total in (None, before))
        left = stones[turn] - before
        return sum(perm(left, count) * orders(turn + 1, before + count) for count in range(left + 1))

    met: list[int] = []
    for turn in range(len(stones)):
        before = sum(met)
        left = stones[turn] - before
        weights = [perm(left, count) * orders(turn + 1, before + count) for count in range(left + 1)]
        if not any(weights):
            return [0] * len(stones)
        met.append(draw_weighted(weights, rng))
    return met


def draw_weighted(weights: Sequence[int], rng: random.Random) -> int:
    """The index of one of the weights, each as likely as it is large; they may be larger than a float."""
    drawn, ends = rng.randrange(sum(weights)), accumulate(weights)
    return next(number for number, end in enumerate(ends) if drawn < end)
