"""Answers about a board of Go: its stones, its chains, its score, its record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from zermelo.core.errors import ZermeloError
from zermelo.core.scoresheet import Line, Scoresheet
from zermelo.games.go import Go
from zermelo.games.go.notation import COLUMNS, point_named, rows_from_top, star_points
from zermelo.games.go.position import Position, stones_of
from zermelo.games.go.sgf import read_sgf, result_text, write_sgf
from zermelo.protocols.gtp.colours import letter_of
from zermelo.protocols.gtp.commands import Failure
from zermelo.protocols.gtp.session import LEAST_HANDICAP, Session, Step

LARGEST_FILE = 10_000_000


def board_lines(session: Session) -> list[str]:
    """The board as text, and the facts that it does not show."""
    game, state = session.go, session.now.state
    columns = "   " + " ".join(COLUMNS[: game.size])
    stars = set(star_points(game.size))
    found = [columns]
    for below, row in enumerate(rows_from_top(game.board, *stones_of(state))):
        number = game.size - below
        cells = [
            "+" if cell == "." and (number - 1) * game.board.step + col in stars else cell
            for col, cell in enumerate(row)
        ]
        found.append(f"{number:2} {' '.join(cells)} {number}")
    played = f"moves played: {len(session.now.moves)}"
    return [*found, columns, f"{'XO'[state.player]} to move; {played}; komi {session.komi:g}"]


def chains(game: Go, state: Position) -> Iterator[list[str]]:
    """The names of the stones of every chain."""
    rows = rows_from_top(game.board, *stones_of(state))
    left = {(row, col) for row in range(game.size) for col in range(game.size) if rows[row][col] != "."}
    while left:
        first = min(left)
        chain, waiting = [], [first]
        left.remove(first)
        while waiting:
            row, col = waiting.pop()
            chain.append(f"{COLUMNS[col]}{game.size - row}")
            for near in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
                if near in left and rows[near[0]][near[1]] == rows[row][col]:
                    left.remove(near)
                    waiting.append(near)
        yield chain


def status_list(session: Session, status: str) -> str:
    """Stones by status; area scoring counts every stone on the board as alive."""
    if status not in ("alive", "dead", "seki"):
        raise Failure(f"invalid status: {status!r} is not alive, dead or seki")
    if status != "alive":
        return ""
    return "\n".join(" ".join(chain) for chain in chains(session.go, session.now.state))


def score_text(session: Session) -> str:
    """The score of the board as it is: `B+3.5`, `W+0.5` or 0."""
    return result_text(session.go, session.now.state)


def with_free_handicap(session: Session, names: tuple[str, ...]) -> Session:
    """Place Black's handicap stones on the given points."""
    game = session.go
    try:
        points = [point_named(game.size, name) for name in names]
    except ZermeloError as error:
        raise Failure(f"bad vertex list: {error}") from None
    if len(points) < LEAST_HANDICAP or len(set(points)) < len(points) or len(points) == game.squares:
        raise Failure(
            f"bad vertex list: {LEAST_HANDICAP} different points or more are expected, and not the whole board"
        )
    return session.with_handicap(points)


def sgf_text(session: Session) -> str:
    """The game from its start as SGF, in one line."""
    start = None if session.start == session.game.initial() else session.start
    result = score_text(session) if session.is_over else ""
    line = Line.of([text for _, text in session.now.moves])
    return " ".join(write_sgf(Scoresheet(session.go, line, result=result, start=start)).split())


def load_sgf(session: Session, name: str, before: int | None) -> Session:
    """Load the game of a file, up to the move before this number; the ko rule and similar options stay."""
    try:
        with Path(name).open("rb") as file:
            text = file.read(LARGEST_FILE).decode(errors="replace")
        options = {key: value for key, value in session.go.options().items() if key in ("ko", "suicide", "margin")}
        found = read_sgf(text, **options)[0]
    except (OSError, ValueError, ZermeloError) as error:
        raise Failure(f"cannot load file: {error}") from None
    go = found.game
    assert isinstance(go, Go)
    game = session.game if go.options() == session.game.options() else go
    start = game.initial() if found.start is None else found.start
    session = Session(game, go.komi, go.handicap, start, Step(start))
    moves = found.moves if before is None else found.moves[: max(0, before - 1)]
    for number, move in enumerate(moves, 1):
        try:
            session = session.play_text(session.to_move, move)
        except Failure as error:
            raise Failure(f"cannot load file: move {number}: {error}") from None
    return session


def result_of(session: Session) -> str:
    """The winner of a game other than Go, and the margin on the game's own scale."""
    if not session.is_over:
        raise Failure("cannot score: the game is not over")
    payoffs = session.referee.utilities()
    best = max(payoffs)
    winner = letter_of(session.game, payoffs.index(best)).upper()
    return "0" if min(payoffs) == best else f"{winner}+{(best - min(payoffs)) / 2:g}"
