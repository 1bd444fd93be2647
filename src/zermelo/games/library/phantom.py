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
from typing import Any, NamedTuple, TypeAlias

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.game import Action, Game, State, knows, legal_actions, parse_options
from zermelo.core.picture import Grid, Picture, Piece, Text, Touches
from zermelo.core.picture import Points as Places
from zermelo.core.point_sets import Points, draw_from, has_point, points_of, size_of, with_point, without
from zermelo.games.library.registry import find
from zermelo.kernel import (
    GOLDEN,
    U64,
    bit,
    draw_below,
    draw_fraction,
    hash_numbers,
    lsb,
    mix,
    number,
    replace_item,
    state,
)

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
        is_empty = not has_point(self.tried(state, 1 - mover), action)
        own = self.tried(state, mover)
        story = before.first_story if mover == 0 else before.second_story
        story = self.with_more(story, size_of(own), 2 * action + (2 if is_empty else 1))
        own = with_point(own, action)
        if mover == 0:
            tries = Tries(own, before.second, story, before.second_story)
        else:
            tries = Tries(before.first, own, before.first_story, story)
        if is_empty:
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

    def worlds(self, view: View, player: int, luck: U64) -> State:
        """One of the games that lead to this view; all are equally likely."""
        found, fits = self.draw_world(view, player, luck)
        while not fits:
            luck = mix(luck + GOLDEN)
            found, fits = self.draw_world(view, player, luck)
        return found

    def draw_world(self, view: View, player: int, luck: U64) -> tuple[State, bool]:
        """A random game with these tries of the player, and whether it leads to the view."""
        state, story = self.initial(), view.story
        tries, turns = self.count_tries(story), 0
        for one in range(tries):
            turns += self.ends_turn(self.digit(story, one))
        their_turns = turns + player
        lasts, fits = self.draw_lasts(story, their_turns, player, mix(luck + U64(1)))
        found = self.untold if self.abrupt else self.draw_found(their_turns, player, view.others, mix(luck + U64(2)))
        luck, one = mix(luck + U64(3)), 0
        for turn in range(2 * turns + 2):
            if turn & 1 == player:
                is_open = one < tries
                while fits and is_open:
                    tried = self.digit(story, one)
                    state, fits = self.after(state, player, cell_of(tried))
                    one += 1
                    is_open = one < tries and not self.ends_turn(tried)
            elif turn >> 1 < their_turns:
                for _ in range(self.digit(found, turn >> 1)):
                    if fits:
                        luck = mix(luck)
                        unfound = without(self.tried(state, player), self.tried(state, 1 - player))
                        state, fits = self.after(state, 1 - player, draw_from(unfound, size_of(unfound), luck))
                if fits:
                    state, fits = self.after(state, 1 - player, self.digit(lasts, turn >> 1) - 1)
        if not fits or self.is_terminal(state) or self.to_move(state) != player:
            return state, False
        seen = self.view(state, player)
        return state, seen.story == story and seen.others == view.others

    def after(self, state: State, mover: int, cell: int) -> tuple[State, bool]:
        """The state after a try, and whether it can be made."""
        if self.is_terminal(state) or self.to_move(state) != mover:
            return state, False
        return self.result(state, cell), True

    def draw_lasts(self, story: tuple[U64, ...], turns: int, player: int, luck: U64) -> tuple[tuple[U64, ...], bool]:
        """The last cell + 1 that the opponent tries at each turn, so that the player finds what they have found.

        All that fit are equally likely; False if the draw has to be repeated.
        """
        lasts, chosen, known, turn, taken = self.untold, self.none, self.none, 0, 0
        for one in range(self.count_tries(story)):
            tried = self.digit(story, one)
            cell = cell_of(tried)
            known = with_point(known, cell)
            if is_free(tried):
                taken += 1
            else:
                luck = mix(luck)
                slot = self.draw_empty(lasts, min(turns, turn + player), luck)
                if slot < 0:
                    return lasts, False
                lasts, chosen = self.with_more(lasts, slot, cell + 1), with_point(chosen, cell)
            turn += self.ends_turn(tried)
        never = without(self.all, known)
        most = size_of(never) + taken
        for place in range(turns):
            if self.digit(lasts, place) == 0:
                left = never
                for one in range(min(turn, place + 1 - player) if self.abrupt else 0):
                    if is_free(self.digit(story, one)):
                        left = with_point(left, cell_of(self.digit(story, one)))
                left = without(left, chosen)
                count = size_of(left)
                luck = mix(luck)
                if count == 0 or (self.abrupt and draw_below(luck, most) >= count):
                    return lasts, False
                luck = mix(luck)
                cell = draw_from(left, count, luck)
                lasts, chosen = self.with_more(lasts, place, cell + 1), with_point(chosen, cell)
        return lasts, True

    def draw_empty(self, lasts: tuple[U64, ...], turns: int, luck: U64) -> int:
        """One of the first turns without a cell; -1 if there is none."""
        count = 0
        for place in range(turns):
            count += self.digit(lasts, place) == 0
        wanted, found = draw_below(luck, count), -1
        for place in range(turns):
            if self.digit(lasts, place) == 0:
                if wanted == 0:
                    found = place
                wanted -= 1
        return found

    def draw_found(self, turns: int, player: int, tries: int, luck: U64) -> tuple[U64, ...]:
        """How many of the player's stones the opponent finds at each turn; all orders of tries are equally likely.

        A stone that is found is a place in the list of later finds and ends of turns. So the number of ways to find m
        of n stones is that of matchings with m edges of n + m points, (n + m)! / (2^m m! (n - m)!). The last point is
        in an edge with probability 2m / (n + m), and each of the other points is equally likely to be its partner.
        """
        stones = turns - player
        left = tries - turns if self.tries else draw_matching(stones, luck)
        places, found = self.untold, self.untold
        for stone in range(stones):
            points = stones - stone + left
            luck = mix(luck + GOLDEN)
            if draw_below(luck, points) < 2 * left:
                left -= 1
                luck = mix(luck + GOLDEN)
                places = self.with_more(places, stone, 1 + draw_below(luck, points - 1))
        for stone in range(stones - 1, -1, -1):
            place, turn = self.digit(places, stone) - 1, stone + player
            if place >= 0:
                while place > self.digit(found, turn):
                    place -= self.digit(found, turn) + 1
                    turn += 1
                found = self.with_more(found, turn, 1)
        return found

    def digit(self, story: tuple[U64, ...], index: int) -> int:
        """A number in a story: of a try it is 2 * cell + 1, and 1 more if the cell was free."""
        word, shift = story[index // self.tries_per_word], index % self.tries_per_word * self.try_bits
        return number(word >> shift & (bit(self.try_bits) - U64(1)))

    def with_more(self, story: tuple[U64, ...], index: int, more: int) -> tuple[U64, ...]:
        """A story with something added to one of its numbers."""
        at, shift = index // self.tries_per_word, index % self.tries_per_word * self.try_bits
        return replace_item(story, at, story[at] + (U64(more) << shift))

    def count_tries(self, story: tuple[U64, ...]) -> int:
        found = 0
        while found < self.cells and self.digit(story, found) != 0:
            found += 1
        return found

    def ends_turn(self, tried: int) -> bool:
        return self.abrupt or is_free(tried)

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
        digits = [self.digit(story, one) for one in range(self.count_tries(story))]
        return [(cell_of(tried), is_free(tried)) for tried in digits]

    def format_action(self, state: State, action: int) -> str:
        """The cell."""
        return self.names[action]

    def format_state(self, state: State) -> str:
        """The tries of both in the order of play, `!` after one that met a stone: `b2 b2! a1`; or `start`."""
        stories = [self.tries_of(story) for story in (state[1].first_story, state[1].second_story)]
        turns = [turns_of(story, self.abrupt) for story in stories]
        found = []
        for turn in range(max(map(len, turns))):
            for own in turns:
                found += own[turn] if turn < len(own) else []
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


def cell_of(tried: int) -> int:
    """The cell of a try, as it stands in a story."""
    return (tried - 1) // 2


def is_free(tried: int) -> bool:
    """Whether the cell of a try was free."""
    return tried & 1 == 0


def draw_matching(points: int, luck: U64) -> int:
    """A number of edges m, as likely as there are matchings with m edges of so many points and m more."""
    total, weight = 0.0, 1.0
    for edges in range(points, -1, -1):
        total += weight
        weight *= 2 * edges / ((points + edges) * (points - edges + 1)) if edges > 0 else 0.0
    left, weight = draw_fraction(luck) * total, 1.0
    for edges in range(points, 0, -1):
        left -= weight
        if left < 0.0:
            return edges
        weight *= 2 * edges / ((points + edges) * (points - edges + 1))
    return 0
