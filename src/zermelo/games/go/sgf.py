"""Games of Go in SGF, the Smart Game Format; the package sgfmill does the reading and writing.

    (;FF[4]CA[UTF-8]GM[1]SZ[9]KM[7.5]PB[Black's name]PW[White's name]RE[B+3.5];B[ee]C[a comment];W[cc] ... ;B[tt];W[tt])

Stones placed before the first move (AB, AW: a handicap, a problem) are the start. Properties that mean nothing here,
such as labels on the board, are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from zermelo.core.errors import IllegalMove, UsageError
from zermelo.core.extras import require_extra
from zermelo.core.point_sets import Points
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import (
    BLUNDER,
    BRILLIANT,
    GOOD,
    INACCURACY,
    INTERESTING,
    MISTAKE,
    MOST_NESTED,
    Line,
    Move,
    Scoresheet,
)
from zermelo.games.go.notation import PASS, point_name, point_named, rows_from_top
from zermelo.games.go.position import BLACK, WHITE, Position, stones_of
from zermelo.games.go.rules import Go

PURPOSE = "a game of go in SGF"
COLOURS = "bw"
OF_GAME = ("FF", "CA", "GM", "SZ", "KM", "HA", "AB", "AW", "AE", "PL", "RE", "C")
"""Properties of the root that are not headers."""
MARKS = {
    ("TE", "1"): GOOD,
    ("TE", "2"): BRILLIANT,
    ("BM", "1"): MISTAKE,
    ("BM", "2"): BLUNDER,
    ("IT", ""): INTERESTING,
    ("DO", ""): INACCURACY,
}
"""Properties of a move that say how good it is."""
Node = Any
"""Of sgfmill, which has no types."""


def result_of(referee: Referee) -> str:
    """The result at the end: `B+3.5`, `W+0.5`, or 0 for a draw; nothing before."""
    assert isinstance(referee.game, Go)
    return result_text(referee.game, referee.state) if referee.is_over else ""


def result_text(game: Go, state: Position) -> str:
    """The lead on the board as it is, written as a result."""
    lead = game.score(state)
    return f"{'B' if lead > 0 else 'W'}+{abs(lead):g}" if lead else "0"


# -- writing ---------------------------------------------------------------------------------------------


def write_sgf(*sheets: Scoresheet) -> str:
    """The games as an SGF file."""
    require_extra("go", PURPOSE)
    return "".join(map(_write_game, sheets))


def _write_game(sheet: Scoresheet) -> str:
    from sgfmill import sgf

    game = sheet.game
    if not isinstance(game, Go):
        raise UsageError(f"SGF is written for go here, not for {game}")
    start = game.initial() if sheet.start is None else sheet.start
    written = sgf.Sgf_game(size=game.size)
    root = written.get_root()
    root.set("KM", game.komi)
    if game.handicap:
        root.set("HA", game.handicap)
    black, white = (_coordinates(game, stones) for stones in stones_of(start))
    if black or white:
        root.set_setup_stones(black, white)
        root.set("PL", COLOURS[start.player])
    for name, text in {**sheet.headers, **({"RE": sheet.result} if sheet.result else {})}.items():
        if not re.fullmatch("[A-Z]{1,8}", name) or name in set(OF_GAME) - {"RE"}:
            raise UsageError(f"{name} is not a property that can be set here; use PB, PW, BR, WR, DT, EV, GN, PC or RU")
        root.set(name, text)
    _set_extras(root, sheet.extras)
    _set_comments(root, sheet.line.comments)
    _write_line(root, replace(sheet.line, comments=()), game, start.player)
    return str(written.serialise(wrap=None).decode())


def _write_line(node: Node, line: Line, game: Go, player: int) -> None:
    """Put the line behind the node; comments before its first move, for which there is no place, go to that move."""
    comments = line.comments
    for move in line.moves:
        following = node.new_child()
        where = None if move.text == PASS else divmod(point_named(game.size, move.text), game.board.step)
        following.set_move(COLOURS[player], where)
        _set_comments(following, (*comments, *move.comments))
        for mark in move.marks:
            _set_mark(following, mark)
        _set_extras(following, move.extras)
        for variation in move.variations:
            _write_line(node, variation, game, player)
        node, player, comments = following, 1 - player, ()


def _set_comments(node: Node, comments: tuple[str, ...]) -> None:
    if comments:
        node.set("C", "\n\n".join(comments))


def _set_mark(node: Node, mark: int) -> None:
    for (name, value), number in MARKS.items():
        if mark == number and not any(node.has_property(other) for other, _ in MARKS):
            node.set_raw(name, value.encode())


def _set_extras(node: Node, extras: Mapping[str, tuple[str, ...]]) -> None:
    for name, values in extras.items():
        node.set_raw_list(name, [value.encode() for value in values])


def _coordinates(game: Go, stones: Points) -> list[tuple[int, int]]:
    """The stones as sgfmill wants them: (row, column) from below."""
    rows = reversed(rows_from_top(game.board, stones, game.board.none))
    return [(row, col) for row, line in enumerate(rows) for col, symbol in enumerate(line) if symbol == "X"]


# -- reading ---------------------------------------------------------------------------------------------


def read_sgf(text: str, **options: Any) -> list[Scoresheet]:
    """The games of an SGF file, with size, komi and handicap of the file and other options as given."""
    require_extra("go", PURPOSE)
    from sgfmill import sgf, sgf_grammar

    try:
        trees = sgf_grammar.parse_sgf_collection(text.encode())
        games = [sgf.Sgf_game.from_coarse_game_tree(tree, "UTF-8") for tree in trees]
        return [_read_game(game, options) for game in games]
    except ValueError as error:
        if isinstance(error, IllegalMove):
            raise
        raise UsageError(
            f"this is not an SGF of a game of go: {str(error) or 'a value in it cannot be read'}"
        ) from None


def _read_game(read: Any, options: Mapping[str, Any]) -> Scoresheet:
    from sgfmill import sgf_moves

    root = read.get_root()
    if (kind := root.get("GM") if root.has_property("GM") else 1) != 1:
        raise UsageError(f"this SGF is of another game than go: it has GM[{kind}], and go is GM[1]")
    komi, handicap, size = read.get_komi(), read.get_handicap() or 0, read.get_size()
    game = Go(**{"size": size, "komi": komi, "handicap": handicap, **options})
    board, plays = sgf_moves.get_setup_and_moves(read)
    stones = [
        game.board.points(
            row * game.board.step + col for owner, (row, col) in board.list_occupied_points() if owner == one
        )
        for one in COLOURS
    ]
    first = root.get("PL") if root.has_property("PL") else plays[0][0] if plays else "w" if handicap else "b"
    start = _start(game, stones[BLACK], stones[WHITE], COLOURS.index(first))
    headers = {name: text for name in root.properties() if name not in OF_GAME and (text := _text(root, name))}
    result = _text(root, "RE") if root.has_property("RE") else ""
    reader = _LineReader(game, start.player)
    nodes, comments = reader.following(root, 0) if root.get_move()[0] is None else ([root], [])
    line = Line(reader.moves(nodes, 0, 0), (*_comments(root), *comments))
    usual = None if start == game.initial() else start
    extras = _extras(root, {*headers, *OF_GAME, "B", "W"})
    return Scoresheet(game, line, headers, result, usual, extras, notes=tuple(dict.fromkeys(reader.notes)))


def _start(game: Go, black: Points, white: Points, player: int) -> Position:
    """The position with these stones, if there can be such a one."""
    return game.parse_state("/".join(rows_from_top(game.board, black, white)) + " " + "BW"[player])


class _LineReader:
    """Reads the lines of one game; what cannot be read of a variation is left out, and noted."""

    def __init__(self, game: Go, player: int) -> None:
        self.game, self.player = game, player
        self.notes: list[str] = []

    def moves(self, nodes: list[Node], ply: int, depth: int) -> tuple[Move, ...]:
        """The moves of a line that begins with the first of these nodes; the others are its variations."""
        if depth > MOST_NESTED:
            raise UsageError(f"the variations of the SGF are nested more than {MOST_NESTED} deep")
        found: list[Move] = []
        while nodes:
            try:
                move = self._move(nodes[0], ply)
                following, loose = self.following(nodes[0], ply + 1)
            except _Unreadable as error:
                if depth == 0:
                    raise IllegalMove(str(error)) from None
                self.notes.append(f"of a variation the rest is left out: {error}")
                return tuple(found)
            lines = (Line(self.moves([one], ply, depth + 1)) for one in nodes[1:])
            variations = tuple(line for line in lines if line.moves)
            found.append(replace(move, comments=(*move.comments, *loose), variations=variations))
            nodes, ply = following, ply + 1
        return tuple(found)

    def _move(self, node: Node, ply: int) -> Move:
        colour, where = node.get_move()
        if COLOURS.index(colour) != (self.player + ply) % 2:
            seat = self.game.seat(COLOURS.index(colour))
            raise _Unreadable(f"move {ply + 1} of the SGF is by {seat}, who is not to move")
        text = PASS if where is None else point_name(self.game.size, where[0] * self.game.board.step + where[1])
        known = [one for one in MARKS if node.has_property(one[0]) and _raw(node, one[0]) == one[1]]
        extras = {} if node.parent is None else _extras(node, {"B", "W", "C", *(name for name, _ in known)})
        comments = () if node.parent is None else _comments(node)
        return Move(text, tuple(comments), tuple(MARKS[one] for one in known), extras=extras)

    def following(self, node: Node, ply: int) -> tuple[list[Node], list[str]]:
        """The nodes of the next moves, also those behind nodes that only have a comment; and these comments."""
        nodes: list[Node] = []
        comments: list[str] = []
        waiting = list(node)
        while waiting:
            one = waiting.pop(0)
            if one.get_move()[0] is not None:
                nodes.append(one)
                continue
            if one.has_setup_stones():
                self.notes.append(f"stones that are set up before move {ply + 1} are left out")
                continue
            comments += _comments(one)
            waiting[:0] = list(one)
        return nodes, comments


class _Unreadable(Exception):
    """A move that go does not allow, in words."""


def _comments(node: Node) -> Iterator[str]:
    """Paragraphs."""
    if node.has_property("C"):
        yield from filter(None, (part.strip() for part in re.split(r"\n\s*\n", node.get("C"))))


def _text(node: Node, name: str) -> str:
    """The property if it is a text that can be read; else nothing."""
    with suppress(ValueError):
        return value if isinstance(value := node.get(name), str) else ""
    return ""


def _raw(node: Node, name: str) -> str:
    return str(node.get_raw(name).decode(errors="replace"))


def _extras(node: Node, known: set[str]) -> dict[str, tuple[str, ...]]:
    """The other properties, as they are."""
    return {
        name: tuple(value.decode(errors="replace") for value in node.get_raw_list(name))
        for name in node.properties()
        if name not in known
    }
