"""A game as its scoresheet has it: the moves with comments, marks and variations, the headers, the result.

    1. e4 {best by test} e5 2. Nf3 $1 (2. f4 exf4) 2... Nc6 1-0

All notations of whole games (PGN, PDN, SGF, GGF, .mat and the plain one) are read into a `Scoresheet` and written from
one, so nothing is lost between reading and writing that the notation can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from zermelo.core.errors import BadPosition, IllegalMove
from zermelo.core.game import Game, State
from zermelo.core.referee import Referee

GOOD, MISTAKE, BRILLIANT, BLUNDER, INTERESTING, INACCURACY = 1, 2, 3, 4, 5, 6
"""Marks by their numbers in PGN, the Numeric Annotation Glyphs."""
GLYPHS = {GOOD: "!", MISTAKE: "?", BRILLIANT: "!!", BLUNDER: "??", INTERESTING: "!?", INACCURACY: "?!"}
"""Marks that say how good a move is."""
MOST_NESTED = 100
"""Variations within variations."""

MoveLabel = Callable[[int], str]
"""What people call the move at a ply, counted from 0: `12...`."""


@dataclass(frozen=True)
class Move:
    """A move with what is written about it."""

    text: str
    """In the notation of the game; just read, as the file has it."""
    comments: tuple[str, ...] = ()
    marks: tuple[int, ...] = ()
    variations: tuple[Line, ...] = ()
    """Other lines from the position before this move."""
    extras: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What only one notation knows, such as marks on the board of an SGF; kept as it is."""
    row: int = field(default=0, compare=False, repr=False)
    """The line of the file, from 1; 0 if unknown."""


@dataclass(frozen=True)
class Line:
    """Moves one after the other."""

    moves: tuple[Move, ...] = ()
    comments: tuple[str, ...] = ()
    """Before the first move."""

    @classmethod
    def of(cls, texts: Sequence[str]) -> Line:
        """A line without annotations."""
        return cls(tuple(map(Move, texts)))

    @property
    def is_commented(self) -> bool:
        """Whether there are comments or marks, in variations too."""
        return bool(self.comments) or any(
            move.comments or move.marks or any(line.is_commented for line in move.variations) for move in self.moves
        )

    @property
    def is_annotated(self) -> bool:
        """Whether there is anything besides the moves."""
        return self.is_commented or any(move.variations for move in self.moves)


@dataclass(frozen=True)
class Scoresheet:
    """One game."""

    game: Game
    line: Line = Line()
    headers: Mapping[str, str] = field(default_factory=dict)
    """Who, when and where, by the names of the notation; what follows from the moves is not among them."""
    result: str = ""
    """In the words of the notation: resignations and lost time are not in the moves. Empty if unknown."""
    start: State | None = None
    """None for the usual one."""
    extras: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What only one notation knows, as in a move."""
    notes: tuple[str, ...] = ()
    """Sentences about what could not be read."""
    row: int = field(default=0, compare=False, repr=False)
    """The line of the file where the game begins."""

    @classmethod
    def of(cls, referee: Referee, headers: Mapping[str, str] | None = None, result: str = "") -> Scoresheet:
        """What a referee has seen."""
        start = None if referee.start == referee.game.initial() else referee.start
        return cls(referee.game, Line.of([turn.text for turn in referee.turns]), headers or {}, result, start)

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves that were played."""
        return tuple(move.text for move in self.line.moves)

    def replay(self) -> Referee:
        """The game at its end; IllegalMove if it is not one.

        Moves after a draw by repetition, which players need not claim, are left out.
        """
        referee = Referee(self.game, self.start)
        for _ in _played(referee, self.line, _by_ply, 0):
            pass
        return referee

    def checked(self, label: MoveLabel | None = None) -> Scoresheet:
        """The same with every move, those of variations too, in the notation of the game.

        IllegalMove, with the place, if one is not legal. A variation that makes a player pass where the rules do not
        allow it, written `--`, is kept as it is.
        """
        referee, label = Referee(self.game, self.start), label or _by_ply
        line, notes = _checked(referee, self.line, label, 0), self.notes
        if (played := len(referee.turns)) < len(line.moves):
            notes += (f"the moves from {label(played)} on are only kept, because the position was drawn by repetition",)
        return replace(self, line=line, notes=notes)


NULL_MOVES = ("--", "Z0", "@@@@", "null")
"""How annotators write a move left out, to show a threat."""


def _by_ply(ply: int) -> str:
    return str(ply + 1)


def _checked(referee: Referee, line: Line, label: MoveLabel, depth: int) -> Line:
    first, moves = len(referee.turns), []
    for move in _played(referee, line, label, depth):
        text, variations = referee.turns[-1].text, move.variations
        if variations:
            action = referee.undo().action
            variations = tuple(_checked(referee, one, label, depth + 1) for one in variations)
            referee.play(action)
        moves.append(replace(move, text=text, variations=variations))
    while depth and len(referee.turns) > first:
        referee.undo()
    return replace(line, moves=(*moves, *line.moves[len(moves) :]))


def _played(referee: Referee, line: Line, label: MoveLabel, depth: int) -> Iterator[Move]:
    """The moves, each after it was played: up to a null move in a variation, or a draw that was not claimed."""
    for move in line.moves:
        if depth and move.text in NULL_MOVES:
            return
        if referee.is_over and not referee.game.is_terminal(referee.state):
            return
        try:
            referee.play_text(move.text)
        except (IllegalMove, BadPosition) as error:
            where = f"line {move.row}, " if move.row else ""
            raise IllegalMove(f"{where}move {label(len(referee.turns))}: {error}") from None
        yield move
