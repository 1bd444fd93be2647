"""Games written as PGN writes them: headers in brackets, moves with comments, marks and variations between them.

    [White "Anna"]

    1. e4 {a comment} e5 $1 (1... c5 {another one} 2. Nf3) 2. Nf3 ; a comment to the end of the line
    1-0

PGN, PDN and the plain notation of all other games share this form and differ in what a move and a result look like.
The form is that of Steven J. Edwards, "Portable Game Notation Specification and Implementation Guide" (1994). White
space in comments is not kept, and lines that begin with % are skipped.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from zermelo.core.errors import UsageError
from zermelo.core.scoresheet import GLYPHS, MOST_NESTED, Line, Move

WIDTH = 79
"""Of a line; PGN wants fewer than 80 characters."""
UNFINISHED = "*"
FORCED = 7
MARKS = {glyph: mark for mark, glyph in GLYPHS.items()} | {"*": FORCED, "□": FORCED}

_COMMON = r"""
      (?P<space> \s+ | ^%[^\n]* )
    | \{ (?P<comment> [^}]* ) \}
    | ; (?P<rest> [^\n]* )
    | \$ (?P<nag> \d+ )
    | \[ \s* (?P<tag> [\w+\#=:-]+ ) \s* " (?P<value> (?: [^"\\] | \\. )* ) " \s* \]
    | \[ \s* (?P<loose_tag> [\w+\#=:-]+ ) \s* " (?P<loose_value> [^\n]* ) " \s* \] [^\S\n]* $
    | (?P<open> \( ) | (?P<close> \) )
    | (?P<glyph> (?<!\S) [!?]{1,2} (?!\S) )
"""


@dataclass(frozen=True)
class Dialect:
    """What moves look like."""

    name: str
    """Of the notation: PGN."""
    move: str
    """A verbose regular expression of what is skipped, such as move numbers, or a last group `move`.

    A group `begin` begins another game if there was a move."""
    results: tuple[str, ...] = ()
    suffixes: str = ""
    """A regular expression for marks that are attached to a move."""

    @functools.cached_property
    def tokens(self) -> re.Pattern[str]:
        results = "|".join(map(re.escape, self.results)) or r"(?!)"
        result = rf"(?P<result> (?<![^\s()]) (?:{results}) (?![^\s();]) )"
        suffix = f"(?P<suffix> {self.suffixes or '(?!)'} )?"
        return re.compile(f"{_COMMON} | {result} | {self.move} {suffix}", re.MULTILINE | re.VERBOSE)


@dataclass(frozen=True)
class Section:
    """One game of a file."""

    headers: Mapping[str, str]
    line: Line
    result: str
    row: int
    """The line of the file where it begins."""


# -- reading ---------------------------------------------------------------------------------------------


def read_sections(text: str, dialect: Dialect) -> list[Section]:
    """The games of a file; UsageError, with the line, if it cannot be understood. Moves are not checked."""
    reader = _Reader(dialect)
    place = 0
    while place < len(text):
        token = dialect.tokens.match(text, place)
        if token is None:
            raise UsageError(reader.complaint(text[place:]))
        reader.take(token)
        reader.row += token[0].count("\n")
        place = token.end()
    reader.end_file()
    return reader.sections


@dataclass
class _OpenLine:
    """A line that is being read."""

    row: int
    moves: list[Move] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)

    def close(self) -> Line:
        return Line(tuple(self.moves), tuple(self.comments))

    def comment(self, text: str) -> None:
        words = " ".join(text.split())
        if words and self.moves:
            self.moves[-1] = replace(self.moves[-1], comments=(*self.moves[-1].comments, words))
        elif words:
            self.comments.append(words)


class _Reader:
    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.sections: list[Section] = []
        self.row = 1
        self._begin()

    def _begin(self) -> None:
        self._headers: dict[str, str] = {}
        self._lines = [_OpenLine(self.row)]
        self._first_row = 0

    def take(self, token: re.Match[str]) -> None:
        kind = token.lastgroup
        if kind == "space" or kind is None:
            return
        here = self._lines[-1]
        if not self._first_row and kind not in ("comment", "rest"):
            self._first_row = self.row
        if kind in ("comment", "rest"):
            here.comment(token[kind])
        elif kind in ("value", "loose_value"):
            self._header(token["tag"] or token["loose_tag"], token[kind])
        elif kind == "open":
            self._open()
        elif kind == "close":
            self._close()
        elif kind == "begin":
            if len(self._lines) == 1 and here.moves:
                self._end_game("")
        elif kind == "result":
            if len(self._lines) == 1:
                self._end_game(token["result"])
        elif kind in ("move", "suffix"):
            marks = (MARKS[token["suffix"]],) if token["suffix"] else ()
            here.moves.append(Move(token["move"], marks=marks, row=self.row))
        else:
            self._mark(int(token["nag"]) if kind == "nag" else MARKS[token["glyph"]])

    def _header(self, name: str, value: str) -> None:
        if len(self._lines) > 1:
            raise UsageError(self._never_closed())
        if self._lines[0].moves or (name == "Event" and name in self._headers):  # the game before has no result
            self._end_game("")
            self._first_row = self.row
        self._headers[name] = " ".join(re.sub(r"\\(.)", r"\1", value).split())

    def _open(self) -> None:
        if not self._lines[-1].moves:
            raise UsageError(f"line {self.row} of this {self.dialect.name} has a variation before the first move")
        if len(self._lines) > MOST_NESTED:
            raise UsageError(f"line {self.row}: the variations are nested more than {MOST_NESTED} deep")
        self._lines.append(_OpenLine(self.row))

    def _close(self) -> None:
        if len(self._lines) == 1:
            raise UsageError(f"line {self.row} of this {self.dialect.name} has a ) without its (")
        line, outer = self._lines.pop().close(), self._lines[-1]
        if line.moves:
            outer.moves[-1] = replace(outer.moves[-1], variations=(*outer.moves[-1].variations, line))
        for comment in () if line.moves else line.comments:
            outer.comment(comment)

    def _mark(self, mark: int) -> None:
        moves = self._lines[-1].moves
        if not moves:
            raise UsageError(f"line {self.row} of this {self.dialect.name} has a mark before the first move")
        moves[-1] = replace(moves[-1], marks=(*moves[-1].marks, mark))

    def _end_game(self, result: str) -> None:
        if len(self._lines) > 1:
            raise UsageError(self._never_closed())
        said = self._headers.pop("Result", "")
        result = said if result in ("", UNFINISHED) and said else result or UNFINISHED
        self.sections.append(Section(self._headers, self._lines[0].close(), result, self._first_row))
        self._begin()

    def end_file(self) -> None:
        here = self._lines[0]
        if self._headers or here.moves or len(self._lines) > 1:
            self._end_game("")
        elif here.comments and self.sections:  # behind the last game
            last = self.sections[-1]
            line = _OpenLine(self.row, list(last.line.moves), list(last.line.comments))
            for comment in here.comments:
                line.comment(comment)
            self.sections[-1] = replace(last, line=line.close())

    def _never_closed(self) -> str:
        row = self._lines[-1].row
        return f"line {row} of this {self.dialect.name} has a variation that is never closed; every ( needs its )"

    def complaint(self, rest: str) -> str:
        place = f"line {self.row} of this {self.dialect.name}"
        if rest.startswith("{"):
            return f"{place} has a comment that is never closed; every {{ needs its }}"
        return f"{place} has {rest.split(None, 1)[0][:20]!r}, which is not a header, a move or a comment"


# -- writing ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Numbering:
    """Numbers for two moves each."""

    first: int = 1
    """The number of the first move."""
    is_second: bool = False
    """Whether the first move is the second one of its number."""

    def at(self, ply: int) -> tuple[int, bool]:
        """The number, and whether it is the second move of the number."""
        half = ply + self.is_second
        return self.first + half // 2, half % 2 == 1

    def number(self, ply: int, is_fresh: bool) -> str:
        """What is written before the move: `12. `, `12... ` if the line begins or goes on here, else nothing."""
        number, is_second = self.at(ply)
        return f"{number}... " if is_second and is_fresh else "" if is_second else f"{number}. "

    def label(self, ply: int) -> str:
        """`12` or `12...`."""
        number, is_second = self.at(ply)
        return f"{number}..." if is_second else str(number)


def write_section(
    headers: Mapping[str, str], line: Line, result: str, numbering: Numbering | None, prefix: str = ""
) -> str:
    """The game as text, which ends with a line break."""
    tags = "".join(f'[{name} "{_escape(value)}"]\n' for name, value in headers.items())
    page = _Page(prefix)
    for word, ends_line in _words(line, 0, numbering):
        page.add(word, ends_line)
    page.add(result)
    gap = "\n" if tags else ""
    return f"{tags}{gap}{page.text()}\n"


def _escape(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _words(line: Line, ply: int, numbering: Numbering | None) -> Iterator[tuple[str, bool]]:
    """What must not be torn apart, and whether the line must end behind it."""
    yield from _comment_words(line.comments)
    is_fresh = True
    for move in line.moves:
        number = numbering.number(ply, is_fresh) if numbering else ""
        yield number + " ".join([move.text, *(f"${mark}" for mark in move.marks)]), False
        yield from _comment_words(move.comments)
        for variation in move.variations:
            if words := list(_words(variation, ply, numbering)):
                yield from _bracketed(words)
        is_fresh = bool(move.comments or move.variations)
        ply += 1


def _bracketed(words: list[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """The words in brackets, which are attached where no comment to the end of the line is in the way."""
    if words[0][1]:
        words.insert(0, ("", False))
    if words[-1][1]:
        words.append(("", False))
    words[0] = f"({words[0][0]}", False
    words[-1] = f"{words[-1][0]})", False
    yield from words


def _comment_words(comments: Sequence[str]) -> Iterator[tuple[str, bool]]:
    for comment in comments:
        if "}" in comment:  # which braces cannot hold
            yield f"; {comment}", True
        else:
            yield from ((word, False) for word in f"{{{comment}}}".split())


class _Page:
    """Words in lines."""

    def __init__(self, prefix: str) -> None:
        self._lines: list[str] = []
        self._line = prefix

    def add(self, word: str, ends_line: bool = False) -> None:
        if not word:
            return
        if self._line and len(self._line) + 1 + len(word) > WIDTH:
            self._end_line()
        self._line = f"{self._line} {word}" if self._line else word
        if ends_line:
            self._end_line()

    def _end_line(self) -> None:
        self._lines.append(self._line)
        self._line = ""

    def text(self) -> str:
        return "\n".join([*self._lines, *[self._line] * bool(self._line)])
