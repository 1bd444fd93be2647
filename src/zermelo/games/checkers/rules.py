"""Checkers (English draughts): men move forward, kings both ways, and who can capture must.

     .  1  .  2  .  3  .  4       Black (b, kings B) starts on 1 to 12 and moves down,
     5  .  6  .  7  .  8  .       White (w, kings W) on 21 to 32 and moves up.
     .  9  . 10  . 11  . 12
    13  . 14  . 15  . 16  .       A move is `from | jumps << 6 | ways << 10`: a bit of the board,
     . 17  . 18  . 19  . 20       how many pieces are jumped (0 for a step), and the ways that are
    21  . 22  . 23  . 24  .       gone, two bits each, the first lowest: 0 and 1 are down to the
     . 25  . 26  . 27  . 28       left and right, 2 and 3 up to the right and left.
    29  . 30  . 31  . 32  .

Arthur Samuel's program learned this game on the IBM 704 with this layout of 36 bits [Samuel 1959]; Chinook beat the
world's best and solved it [Schaeffer et al. 2007].
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.game import NO_ACTION, Game, legal_actions, suggest
from zermelo.core.picture import Grid, Piece
from zermelo.core.repetition import Repetition
from zermelo.games.checkers.board import (
    BLACK,
    BOARD,
    BOTTOM,
    TOP,
    WHITE,
    Position,
    able_to_jump,
    able_to_step,
    beside,
    number_of,
    squares,
)
from zermelo.games.checkers.evaluation import Features, Material
from zermelo.games.checkers.notation import Fen, read_fen, write_fen
from zermelo.kernel import U64, bit, bits, draw_below, drop, lsb, mix, nth_bit, popcount

PIECES = {piece.symbol: piece for piece in (Piece("b", BLACK, "man"), Piece("w", WHITE, "man"))}
PIECES |= {piece.symbol: piece for piece in (Piece("B", BLACK, "king"), Piece("W", WHITE, "king"))}
EVALUATIONS: dict[str, type[Material | Features]] = {"features": Features, "material": Material}
JUMPS, WAYS = 6, 10
QUIET_PLIES = 80
"""Forty moves of each side without a capture and without a man's move are a draw."""
CLOCK_MATTERS = 56
MEN_FOR_A_WIN = 32.0
CERTAIN = 0.999


class Checkers(Game):
    """Steps and jumps are diagonal, one move may jump many; men become kings on the far row; no move left loses."""

    name = "checkers"
    option_labels = {"evaluation": "the computer's evaluation"}
    seats = ("Black", "White")
    repetition = Repetition.DRAW_AT_THREE
    unit, unit_name = 1 / MEN_FOR_A_WIN, "men"
    swing = 0.5 / MEN_FOR_A_WIN
    perft_table = {"": (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564)}

    def __init__(self, evaluation: str = "features") -> None:
        if evaluation not in EVALUATIONS:
            raise UsageError(f"checkers has no evaluation {evaluation!r}; {suggest(EVALUATIONS, '')}")
        self.evaluation = evaluation
        self.judge = EVALUATIONS[evaluation]()
        self.black_men, self.white_men = squares(*range(1, 13)), squares(*range(21, 33))

    # -- the rules ---------------------------------------------------------------------------------

    def initial(self) -> Position:
        return Position(self.black_men, self.white_men, U64(0), BLACK, 0)

    def to_move(self, state: Position) -> int:
        return state.player

    def actions(self, state: Position) -> Iterator[int]:
        """Every capture, to its end; without a capture, a step onto a free square beside."""
        return self.moves(state, True)

    def moves(self, state: Position, with_steps: bool) -> Iterator[int]:
        down, up, theirs, free = self.movers(state)
        jumpers = able_to_jump(down, up, theirs, free)
        if with_steps and not jumpers:
            for way in range(4):
                steppers = (down if way < 2 else up) & beside(free, way ^ 2)
                while steppers:
                    yield lsb(steppers) | way << WAYS
                    steppers = drop(steppers)
        while jumpers:
            start = lsb(jumpers)
            jumpers = drop(jumpers)
            first, last = 0 if down & bit(start) else 2, 4 if up & bit(start) else 2
            # Depth first through all jumps of this piece. `way` is the next one to try from `here`; `path` holds
            # those that led here; `is_new` says that no jump from here has been tried yet.
            here, taken, path, jumps, way, is_new = bit(start), U64(0), 0, 0, first, False
            while way < last or jumps > 0:
                if way < last:
                    over = beside(here, way)
                    landing = beside(over, way)
                    if over & theirs & ~taken and landing & (free | bit(start)):
                        here, taken, path = landing, taken | over, path | way << (2 * jumps)
                        jumps, way, is_new = jumps + 1, first, True
                    else:
                        way += 1
                else:
                    if is_new:
                        yield start | jumps << JUMPS | path << WAYS
                        is_new = False
                    jumps -= 1
                    way = (path >> (2 * jumps)) & 3
                    over = beside(here, way ^ 2)
                    here, taken, path = beside(over, way ^ 2), taken ^ over, path ^ way << (2 * jumps)
                    way += 1

    def result(self, state: Position, action: int) -> Position:
        """Jumped pieces leave the board; a man on the far row becomes a king."""
        start, landing, taken = self.travel(action)
        is_king = bool(state.kings & start)
        kings = state.kings & ~(start | taken)
        if is_king or landing & (TOP | BOTTOM):
            kings |= landing
        quiet = state.quiet + 1 if is_king and not taken else 0
        if state.player == BLACK:
            return Position((state.black ^ start) | landing, state.white & ~taken, kings, WHITE, quiet)
        return Position(state.black & ~taken, (state.white ^ start) | landing, kings, BLACK, quiet)

    def is_terminal(self, state: Position) -> bool:
        return state.quiet >= QUIET_PLIES or not self.can_move(state)

    def utility(self, state: Position, player: int) -> int:
        """The game is over if the side to move cannot move, or after forty quiet moves of each side, a draw."""
        if self.can_move(state):
            return 0
        return -1 if player == state.player else 1

    def count(self, state: Position) -> int:
        """Steps are counted without a look at each."""
        if state.quiet >= QUIET_PLIES:
            return 0
        down, up, theirs, free = self.movers(state)
        total = 0
        if able_to_jump(down, up, theirs, free):
            for _ in self.moves(state, False):
                total += 1
        else:
            for way in range(4):
                total += popcount((down if way < 2 else up) & beside(free, way ^ 2))
        return total

    def repetition_key(self, state: Position) -> Position:
        """Without the clock of the quiet plies."""
        return Position(state.black, state.white, state.kings, state.player, 0)

    # -- what the rules are made of ----------------------------------------------------------------

    def movers(self, state: Position) -> tuple[U64, U64, U64, U64]:
        """My pieces that may move down, those that may move up, the enemy, and the free squares."""
        free = BOARD & ~(state.black | state.white)
        if state.player == BLACK:
            return state.black, state.black & state.kings, state.white, free
        return state.white & state.kings, state.white, state.black, free

    def can_move(self, state: Position) -> bool:
        down, up, theirs, free = self.movers(state)
        return bool(able_to_step(down, up, free) | able_to_jump(down, up, theirs, free))

    def travel(self, action: int) -> tuple[U64, U64, U64]:
        """The move's first square, its last square, and the captured pieces."""
        start, jumps, path = bit(action & 63), count_jumps(action), action >> WAYS
        if jumps == 0:
            return start, beside(start, path), U64(0)
        here, taken = start, U64(0)
        for _ in range(jumps):
            over = beside(here, path & 3)
            here, taken, path = beside(over, path & 3), taken | over, path >> 2
        return start, here, taken

    # -- knowledge ---------------------------------------------------------------------------------

    def sample(self, state: Position, last: int, luck: U64) -> int:
        """Any move, all equally likely; only captures have to be gone through."""
        n = draw_below(luck, self.count(state))
        down, up, theirs, free = self.movers(state)
        if able_to_jump(down, up, theirs, free):
            for action in self.moves(state, False):
                if n == 0:
                    return action
                n -= 1
        for way in range(4):
            steppers = (down if way < 2 else up) & beside(free, way ^ 2)
            if n < popcount(steppers):
                return nth_bit(steppers, n) | way << WAYS
            n -= popcount(steppers)
        return NO_ACTION

    def evaluate(self, state: Position, player: int) -> float:
        """Men ahead, 32 of them for a win."""
        lead: float = max(-CERTAIN, min(CERTAIN, self.judge.lead(state) / MEN_FOR_A_WIN))
        return lead if player == BLACK else -lead

    def is_noisy(self, state: Position, action: int) -> bool:
        """A capture."""
        return count_jumps(action) > 0

    def noisy_actions(self, state: Position) -> Iterator[int]:
        return self.moves(state, False)

    def gain(self, state: Position, action: int) -> float:
        """A king counts as a man and a half."""
        _, _, taken = self.travel(action)
        return (popcount(taken) + 0.5 * popcount(taken & state.kings)) / MEN_FOR_A_WIN

    def is_threatened(self, state: Position) -> bool:
        """Captures are forced, and a position is evaluated only without them."""
        down, up, theirs, free = self.movers(state)
        return bool(able_to_jump(down, up, theirs, free))

    def order(self, state: Position, action: int) -> float:
        """Long captures, then new kings."""
        start, landing, taken = self.travel(action)
        guess: int = 4 * popcount(taken)
        if landing & (TOP | BOTTOM) and not state.kings & start:
            guess += 2
        return guess

    def key(self, state: Position) -> U64:
        """A sum of products with odd factors, mixed; without the clock, as long as forty moves are far away."""
        clock = state.quiet if state.quiet >= CLOCK_MATTERS else 0
        word = state.black * U64(0x9E3779B97F4A7C15) + state.white * U64(0xD1B54A32D192ED03)
        word += state.kings * U64(0x8CB92BA72F3D8DD7) + U64(2 * clock + state.player) * U64(0xAEF17502108EF2D9)
        return mix(word)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Position, action: int) -> str:
        """`11-15` for a step, `22x15` for a capture; with all squares, `22x15x8`, where the ends leave a doubt."""
        short = self.short_text(action)
        if any(self.short_text(other) == short for other in self.actions(state) if other != action):
            return self.full_text(action)
        return short

    def parse_action(self, state: Position, text: str) -> int:
        """A move by its ends or by all its squares, as in PDN."""
        wanted = text.strip().lower()
        legal: list[int] = list(legal_actions(self, state))
        found = [action for action in legal if wanted in (self.short_text(action), self.full_text(action))]
        if len(found) > 1:
            raise IllegalMove(f"{wanted} can be several moves here; {suggest(map(self.full_text, found), '')}")
        if not found:
            raise IllegalMove(f"{wanted or 'an empty move'} is not legal here; {self.suggest_moves(state, legal)}")
        return found[0]

    def suggest_moves(self, state: Position, legal: list[int]) -> str:
        return suggest((self.format_action(state, action) for action in legal), "the game is over")

    def short_text(self, action: int) -> str:
        path = self.path(action)
        return f"{path[0]}{'x' if count_jumps(action) else '-'}{path[-1]}"

    def full_text(self, action: int) -> str:
        return ("x" if count_jumps(action) else "-").join(map(str, self.path(action)))

    def path(self, action: int) -> list[int]:
        """The numbers of the squares that the piece comes to, from the first to the last."""
        jumps, ways = count_jumps(action), action >> WAYS
        found = [bit(action & 63)]
        for leg in range(max(jumps, 1)):
            way = (ways >> (2 * leg)) & 3
            over = beside(found[-1], way)
            found.append(beside(over, way) if jumps else over)
        return [number_of(lsb(square)) for square in found]

    def format_state(self, state: Position) -> str:
        """PDN-FEN: `B:W21,22:B1,K2`, with the quiet plies at its end, `:H6`, if there are any."""
        pieces = {number_of(square): piece.symbol for square in bits(BOARD) if (piece := self.piece_on(state, square))}
        return write_fen(Fen(pieces, state.player, state.quiet))

    def parse_state(self, text: str) -> Position:
        fen = read_fen(text)
        placed = {piece: squares(*(n for n, other in fen.pieces.items() if other == piece)) for piece in PIECES}
        black, white, kings = placed["b"] | placed["B"], placed["w"] | placed["W"], placed["B"] | placed["W"]
        if placed["b"] & BOTTOM or placed["w"] & TOP:
            raise BadPosition(f"{text!r} is impossible: a man on the far row is a king; write K before its number")
        if max(popcount(black), popcount(white)) > 12:
            raise BadPosition(f"{text!r} is impossible: a side has at most twelve pieces")
        if not (white if fen.player == BLACK else black):
            raise BadPosition(f"{text!r} is impossible: the side without a piece would have to move, and has lost")
        if fen.quiet > QUIET_PLIES or (fen.quiet and not kings):
            raise BadPosition(f"{text!r} is impossible: H counts plies of kings since a capture, {QUIET_PLIES} at most")
        return Position(black, white, kings, fen.player, fen.quiet)

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Position) -> Grid:
        cells: list[Piece | None] = [None] * 64
        names = [""] * 64
        for square in bits(BOARD):
            cells[cell_of(number_of(square))] = self.piece_on(state, square)
            names[cell_of(number_of(square))] = str(number_of(square))
        return Grid(
            8,
            8,
            tuple(cells),
            row_labels=tuple(f"{first}-{first + 3}" for first in range(1, 33, 4)),
            touches={
                self.format_action(state, action): tuple(map(cell_of, self.path(action)))
                for action in legal_actions(self, state)
            },
            chequered=True,
            names=tuple(names),
            colours=("black", "white"),
            material="wood",
            facing=True,
        )

    def piece_on(self, state: Position, square: int) -> Piece | None:
        place = bit(square)
        if not (state.black | state.white) & place:
            return None
        letter = "b" if state.black & place else "w"
        return PIECES[letter.upper() if state.kings & place else letter]


def count_jumps(action: int) -> int:
    return (action >> JUMPS) & 15


def cell_of(number: int) -> int:
    """The cell of the picture: dark squares start in the second column of the first row."""
    row, place = divmod(number - 1, 4)
    return 8 * row + 2 * place + 1 - row % 2
