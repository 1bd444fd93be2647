"""Games of Go in SGF, the Smart Game Format; the package sgfmill does the reading and writing.

    (;FF[4]CA[UTF-8]GM[1]SZ[9]KM[7.5]PB[Black's name]PW[White's name]RE[B+3.5];B[ee];W[cc] ... ;B[tt];W[tt])

Only the main line is read. Stones placed before the first move (AB, AW: a handicap, a problem) are the start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.errors import IllegalMove, UsageError
from zermelo.core.extras import require_extra
from zermelo.core.referee import Referee
from zermelo.games.go.board import Points
from zermelo.games.go.notation import PASS, point_name, point_named, rows_from_top
from zermelo.games.go.position import BLACK, WHITE, Position, stones_of
from zermelo.games.go.rules import Go

PURPOSE = "a game of go in SGF"
COLOURS = "bw"
TEXTS = ("PB", "PW", "BR", "WR", "DT", "EV", "GN", "PC", "RE", "RU", "C")
"""Properties of a game that are plain text."""


@dataclass(frozen=True)
class SgfGame:
    """A game and its moves: `D4` or `pass`; the start if it is not the game's own; properties such as `PB` and `RE`."""

    game: Go
    moves: tuple[str, ...] = ()
    start: Position | None = None
    tags: Mapping[str, str] = field(default_factory=dict)

    def replay(self) -> Referee:
        """The game at its end; IllegalMove if a move is not legal."""
        referee = Referee(self.game, self.start)
        referee.play_line(self.moves)
        return referee


def game_of(referee: Referee, tags: Mapping[str, str] | None = None) -> SgfGame:
    """What a referee has seen, and the result."""
    game = referee.game
    if not isinstance(game, Go):
        raise UsageError(f"SGF is written for go here, not for {game}")
    start = referee.start
    result = {"RE": result_text(game, referee.state)} if referee.is_over else {}
    moves = tuple(turn.text for turn in referee.turns)
    return SgfGame(game, moves, None if start == game.initial() else start, {**result, **(tags or {})})


def result_text(game: Go, state: Position) -> str:
    """The result at the end: `B+3.5`, `W+0.5`, or 0 for a draw."""
    lead = game.score(state)
    return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"


def write_sgf(found: SgfGame) -> str:
    """The game as an SGF file."""
    require_extra("go", PURPOSE)
    from sgfmill import sgf

    game, start = found.game, found.game.initial() if found.start is None else found.start
    written = sgf.Sgf_game(size=game.size)
    root = written.get_root()
    root.set("KM", game.komi)
    if game.handicap:
        root.set("HA", game.handicap)
    black, white = (_coordinates(game, stones) for stones in stones_of(start))
    if black or white:
        root.set_setup_stones(black, white)
        root.set("PL", COLOURS[start.player])
    for name, text in found.tags.items():
        if name not in TEXTS:
            raise UsageError(f"{name} is not a property that can be set here; use {', '.join(TEXTS)}")
        root.set(name, text)
    for ply, move in enumerate(found.moves):
        where = None if move == PASS else divmod(point_named(game.size, move), game.board.step)
        written.extend_main_sequence().set_move(COLOURS[(start.player + ply) % 2], where)
    return str(written.serialise(wrap=None).decode())


def read_sgf(text: str, **options: Any) -> SgfGame:
    """The game of an SGF file, with size, komi and handicap of the file and other options as given."""
    require_extra("go", PURPOSE)
    from sgfmill import sgf, sgf_moves

    try:
        read = sgf.Sgf_game.from_string(text)
        board, plays = sgf_moves.get_setup_and_moves(read)
        komi, handicap, size = read.get_komi(), read.get_handicap() or 0, read.get_size()
    except ValueError as error:
        raise UsageError(
            f"this is not an SGF of a game of go: {str(error) or 'a value in it cannot be read'}"
        ) from None
    root = read.get_root()
    game = Go(**{"size": size, "komi": komi, "handicap": handicap} | options)
    stones = [
        game.board.points(
            row * game.board.step + col for owner, (row, col) in board.list_occupied_points() if owner == one
        )
        for one in COLOURS
    ]
    first = root.get("PL") if root.has_property("PL") else plays[0][0] if plays else "w" if handicap else "b"
    start = _start(game, stones[BLACK], stones[WHITE], COLOURS.index(first))
    moves = []
    for ply, (colour, where) in enumerate(plays):
        if COLOURS.index(colour) != (start.player + ply) % 2:
            raise IllegalMove(f"move {ply + 1} of the SGF is by {game.seat(COLOURS.index(colour))}, who is not to move")
        moves.append(PASS if where is None else point_name(game.size, where[0] * game.board.step + where[1]))
    tags = {name: str(root.get(name)) for name in TEXTS if root.has_property(name)}
    return SgfGame(game, tuple(moves), None if start == game.initial() else start, tags)


def _start(game: Go, black: Points, white: Points, player: int) -> Position:
    """The position with these stones, if there can be such a one."""
    return game.parse_state("/".join(rows_from_top(game.board, black, white)) + " " + "BW"[player])


def _coordinates(game: Go, stones: Points) -> list[tuple[int, int]]:
    """The stones as sgfmill wants them: (row, column) from below."""
    rows = reversed(rows_from_top(game.board, stones, game.board.none))
    return [(row, col) for row, line in enumerate(rows) for col, symbol in enumerate(line) if symbol == "X"]
