"""Go: surround more than your opponent; stones without a liberty are taken.

    9 . . . . . . . . .        a move is row * size + col, from the lower left: A1 is 0, B1 is 1, J9 is 80;
    8 . . . . . . . . .        a pass is the number of points;
    7 . . + . . . + . .        there is no column I;
    6 . . . . . . . . .        Black (X) starts, White (O) gets komi;
    5 . . . . + . . . .        states are seen by the side to move
    4 . . . . . . . . .
    3 . . + . . . + . .
    2 . . . . . . . . .
    1 . . . . . . . . .
      A B C D E F G H J

Area scoring and positional superko are those of John Tromp and Bill Taylor ("The game of Go", 1995), who allow suicide.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.core.errors import UsageError
from zermelo.core.game import Game, legal_actions
from zermelo.core.picture import Grid, Piece
from zermelo.core.point_sets import Points, common, draw_from, first_of, is_any, nth_of, size_of, union, without
from zermelo.core.repetition import Repetition
from zermelo.games.go.board import Board
from zermelo.games.go.life import sure_lead
from zermelo.games.go.notation import (
    PASS,
    column_names,
    handicap_points,
    point_name,
    read_position,
    rows_from_top,
    star_points,
    write_position,
)
from zermelo.games.go.position import BLACK, NOWHERE, WHITE, Position, stones_of
from zermelo.games.go.replies import PASSING, Replies
from zermelo.kernel import GOLDEN, U64, bits, draw_below, mix

STONES = {"X": Piece("X", BLACK), "O": Piece("O", WHITE)}
KO_RULES = {"positional": Repetition.FORBIDDEN, "simple": Repetition.DRAW_AT_TWO}
MOST_KOMI = 10_000
ALIKE = 8
"""With more stones than this, symmetric positions are too rare to look for."""
TAKEN, CONTACT, EDGE, EYE = 4.0, 1.0, 2.0, 20.0
REFUSALS = 4
"""A playout refuses at most this many moves that put themselves into atari."""
SMALL = 5
"""On boards up to this size it pays to look early for chains that live for certain."""


class Go(Game):
    """Chains of stones without an empty point beside them are taken; who surrounds more points wins.

    A win is 1, a draw (jigo) 0; with `margin` the payoff is the lead in points.
    """

    name = "go"
    option_labels = {
        "size": "board size",
        "handicap": "handicap stones",
        "ko": "ko rule",
        "suicide": "suicide is allowed",
        "margin": "the margin counts",
    }
    seats = ("Black", "White")
    runtime = ("handicap", "stones", "compensation", "most", "unit", "utility_range")
    """A board with another komi or handicap need not be compiled again."""
    not_compiled = ("komi",)
    unit_name = "points"
    perft_table = {"": (82, 6643, 531522, 42002809, 3277745256)}

    def __init__(
        self,
        size: int = 9,
        komi: float = 7.5,
        handicap: int = 0,
        ko: str = "positional",
        suicide: bool = False,
        margin: bool = False,
    ) -> None:
        if not 2 <= size <= 19:
            raise UsageError(f"go is played on boards of size 2 to 19, not {size}")
        if not abs(komi) <= MOST_KOMI:
            raise UsageError(f"the komi of go is from {-MOST_KOMI} to {MOST_KOMI} points, not {komi}")
        if ko not in KO_RULES:
            raise UsageError(f"go has no ko rule {ko!r}; use {' or '.join(KO_RULES)}")
        self.size, self.komi, self.handicap, self.ko = size, komi, handicap, ko
        self.suicide, self.margin = suicide, margin
        self.repetition = KO_RULES[ko]
        self.squares = size * size
        self.board = Board(size)
        self.replies = Replies(self.board)
        self.stones = self.board.points(handicap_points(size, handicap))
        self.compensation = float(komi + handicap)
        self.crowd = self.squares * (1 if size <= SMALL else 2) // 3
        self.most = self.squares + abs(self.compensation)
        self.utility_range = (-self.most, self.most) if margin else (-1.0, 1.0)
        self.margins = margin
        self.unit = 1.0 if margin else 1 / self.most

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        """An empty board and Black to move, or Black's handicap stones and White to move."""
        if self.handicap:
            return Position(self.board.none, self.stones, NOWHERE, WHITE, 0)
        return Position(self.board.none, self.board.none, NOWHERE, BLACK, 0)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """Every point where a stone may be placed, and a pass."""
        points = self.playable(state)
        for i in range(self.board.words):
            for place in bits(points[i]):
                yield self.action_at(64 * i + place)
        yield self.squares

    def count(self, state: Position) -> int:
        return 0 if state.passes == 2 else size_of(self.playable(state)) + 1

    def playable(self, state: Position) -> Points:
        """The points where a stone may be placed; those with an empty neighbour need no closer look."""
        empty = self.board.empty(state.mine, state.theirs)
        found = common(empty, self.board.beside(empty))
        tight = without(empty, found)
        for i in range(self.board.words):
            for place in bits(tight[i]):
                if 64 * i + place != state.ko and self.may_fill(state, empty, self.board.point(64 * i + place)):
                    found = union(found, self.board.point(64 * i + place))
        return found

    def may_fill(self, state: Position, empty: Points, point: Points) -> bool:
        """Whether a stone on this point, which has no empty neighbour, joins a chain with a liberty or captures one.

        Where suicide is allowed, it joins any chain: a single stone cannot take itself, for nothing would change.
        """
        near, rest = self.board.beside(point), without(empty, point)
        friends, foes = common(near, state.mine), common(near, state.theirs)
        if is_any(friends) and (self.suicide or self.board.has_liberty(state.mine, rest, friends)):
            return True
        return is_any(foes) and is_any(self.board.captured(state.theirs, rest, foes))

    def result(self, state: Position, action: int) -> Position:
        """Place a stone, take the other side's chains that have no liberty left, or pass."""
        if action == self.squares:
            return Position(state.theirs, state.mine, NOWHERE, 1 - state.player, state.passes + 1)
        point = self.board.point(self.place_of(action))
        near = self.board.beside(point)
        mine, theirs, ko = union(state.mine, point), state.theirs, NOWHERE
        foes = common(near, theirs)
        if is_any(foes):
            empty = self.board.empty(mine, theirs)
            taken = self.board.captured(theirs, empty, foes)
            if is_any(taken):
                theirs = without(theirs, taken)
                # Ko: a stone in the midst of theirs took one stone, and would be the only one to be taken back.
                if not is_any(common(near, union(mine, empty))) and size_of(taken) == 1:
                    ko = first_of(taken)
        if self.suicide:
            mine = without(mine, self.board.captured(mine, self.board.empty(mine, theirs), point))
        return Position(theirs, mine, ko, 1 - state.player, 0)

    def is_terminal(self, state: Position) -> bool:
        return state.passes == 2

    def repetition_key(self, state: Position) -> Position:
        """Under superko the board alone: no stone may bring it back. A pass keeps the board, so passes count."""
        if self.repetition != Repetition.FORBIDDEN:
            return state
        if state.player == BLACK:
            return Position(state.mine, state.theirs, NOWHERE, BLACK, state.passes)
        return Position(state.theirs, state.mine, NOWHERE, BLACK, state.passes)

    def utility(self, state: Position, player: int) -> float:
        return self.payoff(self.score(state) if player == BLACK else -self.score(state))

    def payoff(self, lead: float) -> float:
        return lead if self.margin else float((lead > 0) - (lead < 0))

    def score(self, state: Position) -> float:
        """Black's lead by area: stones, and empty points that lead to stones of one side only.

        White gets komi, and a point for every handicap stone.
        """
        lead = float(self.board.lead(state.mine, state.theirs))
        return (lead if state.player == BLACK else -lead) - self.compensation

    def place_of(self, action: int) -> int:
        """The point of the board that a move fills."""
        return action + action // self.size

    def action_at(self, place: int) -> int:
        return place - place // self.board.step

    # -- knowledge ---------------------------------------------------------------------------------

    def sample(self, state: Position, last: int, luck: U64) -> int:
        """A move for a playout, drawn by a random word: an answer to the last move if there is one, or any.

        An own eye is filled only if the chain around it would be taken there; of other moves, those that put
        themselves into atari are mostly refused.
        """
        if 0 <= last < self.squares:
            answers = self.replies.answers(state, self.place_of(last))
            if is_any(answers):
                return self.action_at(draw_from(answers, size_of(answers), luck))
        return self.draw_move(state, luck, REFUSALS)

    def draw_move(self, state: Position, luck: U64, refusals: int) -> int:
        """A random move that does not fill an own eye; a pass if there is no other.

        At most `refusals` moves that put themselves into atari are refused.
        """
        empty = self.board.empty(state.mine, state.theirs)
        wide = self.board.beside(empty)
        tight = without(empty, wide)
        some = empty
        if is_any(tight):
            some = without(some, self.board.eyes(tight, state.theirs))
            if state.ko != NOWHERE:
                some = without(some, self.board.point(state.ko))
        many = size_of(some)
        while many > 0:
            place = draw_from(some, many, luck)
            point = self.board.point(place)
            if refusals > 0 and self.replies.is_self_atari(state, empty, point):
                refusals -= 1
            elif is_any(common(point, wide)) or self.may_fill(state, empty, point):
                return self.action_at(place)
            some = without(some, point)
            many -= 1
            luck = mix(luck + GOLDEN)
        return self.squares

    def draw_legal_move(self, state: Position, luck: U64) -> int:
        """A random legal move, also a pass or into an eye, each equally likely, without a list of them."""
        empty = self.board.empty(state.mine, state.theirs)
        wide = self.board.beside(empty)
        some = empty if state.ko == NOWHERE else without(empty, self.board.point(state.ko))
        many = size_of(some)
        chosen = draw_below(luck, many + 1)
        while chosen < many:
            place = nth_of(some, chosen)
            point = self.board.point(place)
            if is_any(common(point, wide)) or self.may_fill(state, empty, point):
                return self.action_at(place)
            some = without(some, point)
            many -= 1
            luck = mix(luck + GOLDEN)
            chosen = draw_below(luck, many + 1)
        return self.squares

    def prior(self, state: Position, last: int, action: int) -> float:
        """The prior of a move: its immediate effects, its place, and its distance from the last stone.

        Filling an own eye is less likely than a pass.
        """
        if action == self.squares:
            return PASSING
        weight = self.replies.weight(state, self.place_of(action))
        if 0 <= last < self.squares:
            weight *= self.replies.nearness(self.place_of(last), self.place_of(action))
        return weight

    def evaluate(self, state: Position, player: int) -> float:
        """The points that are nearer to the own stones, less those nearer to the other side's, and komi."""
        lead, most = float(self.board.nearer(state.mine, state.theirs)), self.most - 1
        lead = (lead if state.player == BLACK else -lead) - self.compensation
        lead = self.unit * max(-most, min(lead, most))
        return lead if player == BLACK else -lead

    def order(self, state: Position, action: int) -> float:
        """Stones taken, contact with other stones, and not the edge, a pass or an own eye."""
        if action == self.squares:
            return -EDGE
        point = self.board.point(self.place_of(action))
        near = self.board.beside(point)
        friends, foes = common(near, state.mine), common(near, state.theirs)
        worth = -EDGE if is_any(common(point, self.board.edge)) else 0.0
        if is_any(foes):
            rest = without(self.board.empty(state.mine, state.theirs), point)
            worth += CONTACT + TAKEN * size_of(self.board.captured(state.theirs, rest, foes))
        elif not is_any(without(near, friends)):
            worth -= EYE
        return worth + CONTACT if is_any(friends) else worth

    def bounds(self, state: Position, player: int) -> tuple[float, float]:
        """Bounds from unconditionally alive chains (Benson), computed only if there are many stones.

        Under superko only: there nothing goes round for ever while one side passes.
        """
        many = size_of(state.mine) + size_of(state.theirs)
        if self.repetition != Repetition.FORBIDDEN or many < self.crowd or state.passes == 2:
            return float(self.utility_range[0]), float(self.utility_range[1])
        low = float(sure_lead(self.board, state.mine, state.theirs))
        high = -float(sure_lead(self.board, state.theirs, state.mine))
        if state.player != BLACK:
            low, high = -high, -low
        low, high = self.payoff(low - self.compensation), self.payoff(high - self.compensation)
        return (low, high) if player == BLACK else (-high, -low)

    def key(self, state: Position) -> U64:
        word = mix(U64(((state.ko + 1) * 3 + state.passes) * 2 + state.player) + GOLDEN)
        for i in range(self.board.words):
            word = mix(word ^ state.mine[i]) + GOLDEN
            word = mix(word ^ state.theirs[i])
        return word

    def canonical(self, state: Position) -> Position:
        """The least of the eight rotations and reflections, used while there are few stones."""
        mine, theirs = state.mine, state.theirs
        if state.ko != NOWHERE or size_of(mine) + size_of(theirs) > ALIKE:
            return state
        best_mine, best_theirs = mine, theirs
        for step in range(7):
            mine, theirs = self.board.reflect(mine, step), self.board.reflect(theirs, step)
            if mine < best_mine or (mine == best_mine and theirs < best_theirs):
                best_mine, best_theirs = mine, theirs
        return Position(best_mine, best_theirs, state.ko, state.player, state.passes)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """The point, `D4`, or `pass`."""
        return PASS if action == self.squares else point_name(self.size, self.place_of(action))

    def format_state(self, state: Position) -> str:
        """The rows from the top, the side to move, a point forbidden by ko, passes: `.../.X./... O`."""
        return write_position(self.board, state)

    def parse_state(self, text: str) -> Position:
        return read_position(self.board, text)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        return Grid(
            self.size,
            self.size,
            tuple(STONES.get(symbol) for row in rows_from_top(self.board, *stones_of(state)) for symbol in row),
            row_labels=tuple(str(row) for row in range(self.size, 0, -1)),
            col_labels=tuple(column_names(self.size)),
            touches={
                self.format_action(state, action): (self.cell_of(action),) if action < self.squares else ()
                for action in legal_actions(self, state)
            },
            on_lines=True,
            stars=tuple(self.cell_of(self.action_at(place)) for place in star_points(self.size)),
            colours=("black", "white"),
            material="wood",
        )

    def cell_of(self, action: int) -> int:
        """The cell of the picture, which counts from the top."""
        row, col = divmod(action, self.size)
        return (self.size - 1 - row) * self.size + col
