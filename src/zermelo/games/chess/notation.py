"""Chess as people and programs write it: FEN, EPD, moves as `Nf3` and `g1f3`, and whole games as PGN.

    fen   r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3
    epd   r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - hmvc 3; id "Italian";
    san   Nf6  Bxf7+  O-O  exd6  e8=Q#
    uci   g8f6 c4f7   e1g1 e5d6  e7e8q

A position knows no move number: `write_fen` takes it, and reading drops it. The en passant square is kept only if
a pawn may capture there, so that equal positions are equal texts.

The forms are those of Steven J. Edwards, "Portable Game Notation Specification and Implementation Guide" (1994).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from zermelo.core.errors import BadPosition, IllegalMove
from zermelo.core.game import legal_actions, suggest
from zermelo.core.movetext import UNFINISHED, Dialect, Numbering, Section, read_sections, write_section
from zermelo.core.referee import Referee
from zermelo.core.scoresheet import Scoresheet
from zermelo.games.chess.attacks import BOTH_ENDS
from zermelo.games.chess.moves import en_passant_takers, has_move
from zermelo.games.chess.position import (
    BLACK,
    BLACK_TO_MOVE,
    CLOCK,
    EN_PASSANT,
    KING,
    PAWN,
    WHITE,
    Position,
    attackers_of,
    clock_of,
    is_check,
    kind_on,
    occupied_by,
    own_pieces,
    side_to_move,
)
from zermelo.kernel import U64, bit, bits, lsb, popcount

if TYPE_CHECKING:
    from zermelo.games.chess.rules import Chess

LETTERS = "PNBRQK"
NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LAST_CLOCK = 100

_RIGHTS = {"K": 7, "Q": 0, "k": 63, "q": 56}
_MOVE = re.compile(
    r"(?P<kind>[KQRBN])?(?P<file>[a-h])?(?P<rank>[1-8])?[x:-]?(?P<to>[a-h][1-8])"
    r"(?:=?\(?(?P<promotion>[QRBNqrbn])\)?)?[+#]{0,2}[!?]{0,2}"
)
_CASTLING = re.compile(r"([O0o])-\1(?P<long>-\1)?[+#]?[!?]{0,2}")


def square_name(square: int) -> str:
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)


def square_named(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def letter_on(state: Position, square: int) -> str:
    """A capital for White's piece, a small letter for Black's, nothing for an empty square."""
    if not occupied_by(state) & bit(square):
        return ""
    letter = LETTERS[kind_on(state, square)]
    return letter if state.white & bit(square) else letter.lower()


# -- positions -----------------------------------------------------------------------------------------


def write_fen(state: Position, number: int = 1) -> str:
    """The position in six fields; the number of the next full move is the caller's to know."""
    return f"{_four_fields(state)} {clock_of(state)} {number}"


def read_fen(game: Chess, text: str) -> Position:
    """A position in four to six fields; BadPosition if it is not a FEN or the position is impossible."""
    fields = text.split()
    if not 4 <= len(fields) <= 6 or fields[0].count("/") != 7:
        raise BadPosition(
            f"{text.strip()!r} is not a FEN: it needs eight ranks with slashes between them, w or b, castling rights, "
            f"the en passant square and perhaps two numbers, as in {START!r}"
        )
    white, pawns, knights, diagonal, straight, kings = _read_board(fields[0])
    rest = _read_turn(fields[1]) | _read_rights(fields[2]) | _read_en_passant(fields[3])
    rest |= U64(_read_number(fields[4], "clock", 0, LAST_CLOCK) if len(fields) > 4 else 0) << CLOCK
    if len(fields) > 5:
        _read_number(fields[5], "move number", 0, 10_000)
    return _possible(game, Position(white, pawns, knights, diagonal, straight, kings, rest))


def _four_fields(state: Position) -> str:
    ranks = []
    for rank in reversed(range(8)):
        symbols = "".join(letter_on(state, 8 * rank + file) or "." for file in range(8))
        ranks.append(re.sub(r"\.+", lambda gap: str(len(gap[0])), symbols))
    rights = "".join(letter for letter, corner in _RIGHTS.items() if state.rest & bit(corner)) or "-"
    en_passant = state.rest & EN_PASSANT
    en_passant_name = square_name(lsb(en_passant)) if en_passant else "-"
    return f"{'/'.join(ranks)} {'wb'[side_to_move(state)]} {rights} {en_passant_name}"


def _read_board(text: str) -> list[U64]:
    """The first six boards of a position."""
    found: dict[str, int] = dict.fromkeys(LETTERS + LETTERS.lower(), 0)
    for rank, symbols in zip(reversed(range(8)), text.split("/"), strict=True):
        file = 0
        for symbol in symbols:
            if symbol in found:
                found[symbol] |= 1 << min(8 * rank + file, 63)
            elif symbol not in "12345678":
                raise BadPosition(f"{symbol!r} in {text!r} is not a piece; they are PNBRQK, pnbrqk and 1 to 8 for gaps")
            file += 1 if symbol in found else int(symbol)
        if file != 8:
            raise BadPosition(f"rank {rank + 1} of {text!r} has {file} squares; it must have 8")
    white = sum(found[letter] for letter in LETTERS)
    pawns, knights, bishops, rooks, queens, kings = (found[letter] | found[letter.lower()] for letter in LETTERS)
    return [U64(board) for board in (white, pawns, knights, bishops | queens, rooks | queens, kings)]


def _read_turn(text: str) -> U64:
    if text not in ("w", "b"):
        raise BadPosition(f"{text!r} is not a side to move; it is w or b")
    return BLACK_TO_MOVE if text == "b" else U64(0)


def _read_rights(text: str) -> U64:
    if text != "-" and (set(text) - set(_RIGHTS) or len(set(text)) != len(text)):
        raise BadPosition(f"{text!r} are not castling rights; they are some of KQkq, or - for none")
    return U64(sum(1 << corner for letter, corner in _RIGHTS.items() if letter in text))


def _read_en_passant(text: str) -> U64:
    if text == "-":
        return U64(0)
    if not re.fullmatch("[a-h][36]", text):
        raise BadPosition(f"{text!r} is not an en passant square; those are on ranks 3 and 6, or - for none")
    return bit(square_named(text))


def _read_number(text: str, noun: str, low: int, high: int) -> int:
    if not text.isdecimal() or not low <= int(text) <= high:
        raise BadPosition(f"the {noun} {text!r} must be a number from {low} to {high}")
    return int(text)


def _possible(game: Chess, state: Position) -> Position:
    """The position, without an en passant square if no pawn can capture there; BadPosition if it is impossible.

    Whether a game leads there is not examined beyond these checks of the board.
    """
    for player, name in ((WHITE, "White"), (BLACK, "Black")):
        pieces = state.white if player == WHITE else occupied_by(state) & ~state.white
        if popcount(state.kings & pieces) != 1:
            raise BadPosition(f"{name} has {popcount(state.kings & pieces)} kings; it must be one")
        if popcount(pieces) > 16 or popcount(state.pawns & pieces) > 8:
            raise BadPosition(f"{name} has more than 16 pieces or more than 8 pawns")
    if state.pawns & BOTH_ENDS:
        raise BadPosition(f"there is a pawn on {square_name(lsb(state.pawns & BOTH_ENDS))}, where no pawn can stand")
    for letter, corner in _RIGHTS.items():
        king = 4 if letter.isupper() else 60
        at_home = letter_on(state, corner) == ("R" if letter.isupper() else "r")
        if state.rest & bit(corner) and not (at_home and letter_on(state, king) == ("K" if king == 4 else "k")):
            raise BadPosition(
                f"the castling right {letter} needs a king on {square_name(king)} and a rook on {square_name(corner)}"
            )
    others_turn = state._replace(rest=(state.rest ^ BLACK_TO_MOVE) & ~EN_PASSANT)
    if is_check(others_turn):
        raise BadPosition(f"{game.seat(side_to_move(others_turn))} is in check, but it is the other side's turn")
    if state.rest & EN_PASSANT:
        _refuse_impossible_en_passant(state)
        if not en_passant_takers(state):
            return state._replace(rest=state.rest & ~EN_PASSANT)
    return state


def _refuse_impossible_en_passant(state: Position) -> None:
    en_passant = state.rest & EN_PASSANT
    is_white = side_to_move(state) == WHITE
    pawn, origin = (en_passant >> 8, en_passant << 8) if is_white else (en_passant << 8, en_passant >> 8)
    name, rank = square_name(lsb(en_passant)), 6 if is_white else 3
    if not name.endswith(str(rank)):
        raise BadPosition(f"no pawn has just passed over {name}; with this side to move it would be on rank {rank}")
    if (en_passant | origin) & occupied_by(state) or not pawn & state.pawns & ~own_pieces(state):
        raise BadPosition(
            f"no pawn has just passed over {name}: there must be one on {square_name(lsb(pawn))}, "
            f"with {name} and {square_name(lsb(origin))} empty"
        )


def write_epd(state: Position, operations: Mapping[str, Iterable[str]] | None = None) -> str:
    """The position in four fields, its clock if it runs, and operations such as `{"bm": ["Nf3"], "id": ["fine"]}`."""
    found = {**({"hmvc": [str(clock_of(state))]} if clock_of(state) else {}), **(operations or {})}
    parts = [" ".join([code, *(_operand(code, word) for word in words)]) + ";" for code, words in found.items()]
    return " ".join([_four_fields(state), *parts])


def read_epd(game: Chess, line: str) -> tuple[Position, dict[str, tuple[str, ...]]]:
    """The position and its operations, each a code with its operands; `hmvc` sets the clock and is not among them."""
    fields = line.split(None, 4)
    operations = _operations(fields[4] if len(fields) > 4 else "")
    clock = operations.pop("hmvc", ("0",))
    operations.pop("fmvn", None)
    return read_fen(game, " ".join([*fields[:4], *clock])), operations


def _operand(code: str, word: str) -> str:
    is_text = code == "id" or re.fullmatch(r"c\d", code) or not re.fullmatch(r'[^\s;"]+', word)
    return f'"{word}"' if is_text else word


def _operations(text: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    words: list[str] = []
    for quoted, semicolon, word in re.findall(r'"([^"]*)"|(;)|([^\s;"]+|")', text):
        if word == '"':
            raise BadPosition(f'a quotation mark is open in {text!r}; operations look like bm Nf3; id "first";')
        if not semicolon:
            words.append(word or quoted)
        elif words:
            found[words[0]] = tuple(words[1:])
            words = []
    if words:
        raise BadPosition(f'{" ".join(words)!r} lacks its semicolon; operations look like bm Nf3; id "first";')
    return found


# -- moves ---------------------------------------------------------------------------------------------


def write_uci(action: int) -> str:
    """UCI notation, the squares from and to and the promotion: `e7e8q`."""
    promotion = LETTERS[action >> 12].lower() if action >> 12 else ""
    return square_name(action & 63) + square_name((action >> 6) & 63) + promotion


def write_san(game: Chess, state: Position, action: int, legal: Iterable[int] | None = None) -> str:
    """The move as a scoresheet has it; `legal` may give the legal moves to a caller who has them."""
    source, target = action & 63, (action >> 6) & 63
    kind = kind_on(state, source)
    if kind == KING and abs(target - source) == 2:
        text = "O-O" if target > source else "O-O-O"
    elif kind == PAWN:
        text = square_name(source)[0] + "x" if (target - source) % 8 else ""
        text += square_name(target) + (f"={LETTERS[action >> 12]}" if action >> 12 else "")
    else:
        takes = "x" if occupied_by(state) & bit(target) else ""
        text = LETTERS[kind] + _which(game, state, action, legal) + takes + square_name(target)
    if _could_check(state, action) and is_check(after := game.result(state, action)):
        text += "+" if has_move(after) else "#"
    return text


def _which(game: Chess, state: Position, action: int, legal: Iterable[int] | None) -> str:
    """The disambiguation from other pieces of the kind that can go there: the file, else the rank, else both."""
    source, target = action & 63, (action >> 6) & 63
    kind = kind_on(state, source)
    if legal is None:
        others = attackers_of(state, target, occupied_by(state)) & own_pieces(state) & ~bit(source)
        legal = game.actions(state) if any(kind_on(state, square) == kind for square in bits(others)) else ()
    rivals = [
        one & 63
        for one in legal
        if (one >> 6) & 63 == target and one & 63 != source and kind_on(state, one & 63) == kind
    ]
    if not rivals:
        return ""
    if all(rival & 7 != source & 7 for rival in rivals):
        return square_name(source)[0]
    if all(rival >> 3 != source >> 3 for rival in rivals):
        return square_name(source)[1]
    return square_name(source)


def _could_check(state: Position, action: int) -> bool:
    """Whether the move may give check, by a quick test: most moves are nowhere near a line to the other king."""
    source, target = action & 63, (action >> 6) & 63
    king = lsb(state.kings & ~own_pieces(state))
    if _is_in_reach(king, source) or _is_in_reach(king, target):
        return True
    # castling moves a second piece, en passant empties a second square
    return kind_on(state, source) == KING or bool(state.rest & EN_PASSANT & bit(target))


def _is_in_reach(square: int, other: int) -> bool:
    """Whether a queen or a knight could go from one to the other if nothing stood between."""
    files, ranks = abs((square & 7) - (other & 7)), abs((square >> 3) - (other >> 3))
    return not files or not ranks or files == ranks or files + ranks == 3


def read_move(game: Chess, state: Position, text: str) -> int:
    """The legal move for a text in SAN or UCI; signs such as + # ! ? are ignored."""
    wanted = text.strip()
    legal = list(legal_actions(game, state))
    for spelled in (wanted, wanted[:1].upper() + wanted[1:], wanted.lower()):
        found = _matching_moves(state, spelled, legal)
        if len(found) == 1:
            return found[0]
        if found:
            names = [write_san(game, state, action, legal) for action in found]
            raise IllegalMove(f"{wanted} could be {' or '.join(names)}; say which")
    names = [write_san(game, state, action, legal) for action in legal]
    raise IllegalMove(f"{wanted or 'an empty move'} is not legal here; {suggest(names, 'the game is over')}")


def _matching_moves(state: Position, text: str, legal: list[int]) -> list[int]:
    """The legal moves that a text fits."""
    if castling := _CASTLING.fullmatch(text):
        step = -2 if castling["long"] else 2
        return [a for a in legal if kind_on(state, a & 63) == KING and ((a >> 6) & 63) - (a & 63) == step]
    move = _MOVE.fullmatch(text)
    if not move:
        return []
    # A move without a letter is a pawn's, unless both squares are written out.
    kinds = LETTERS[1:] + "P" if move["file"] and move["rank"] else "P"
    return [
        action
        for action in legal
        if LETTERS[kind_on(state, action & 63)] in (move["kind"] or kinds)
        and square_name((action >> 6) & 63) == move["to"]
        and square_name(action & 63)[0] in (move["file"] or "abcdefgh")
        and square_name(action & 63)[1] in (move["rank"] or "12345678")
        and (not move["promotion"] or (action >> 12 and LETTERS[action >> 12] == move["promotion"].upper()))
    ]


# -- games ---------------------------------------------------------------------------------------------

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
"""The headers that every game has, besides the result."""
RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "1/2": "1/2-1/2", "½-½": "1/2-1/2", "*": "*"}
PGN = Dialect(
    "PGN",
    r"""  \d+ \s* [.…]+ | [.…]+ | \d+ (?=\s) | e\.p\.
        | (?P<move> [^\s{}()\[\];$!?,]+ )""",
    tuple(RESULTS),
    r"[!?]{1,2}",
)


def read_pgn(game: Chess, text: str) -> list[Scoresheet]:
    """The games of a PGN file, with everything that is written about them; their moves are not checked.

    UsageError if it is not a PGN, BadPosition if a start is not possible, with the line.
    """
    return [_sheet(game, section) for section in read_sections(text, PGN)]


def _sheet(game: Chess, section: Section) -> Scoresheet:
    start = None
    if "FEN" in section.headers:
        try:
            start = read_fen(game, section.headers["FEN"])
        except BadPosition as error:
            raise BadPosition(f"the game in line {section.row}: {error}") from None
    result = RESULTS.get(section.result, UNFINISHED)
    return Scoresheet(game, section.line, section.headers, result, start, row=section.row)


def write_pgn(*sheets: Scoresheet) -> str:
    """The games: the seven headers that every game has, then the others, then the moves in lines below 80 letters."""
    return "\n".join(map(_write_game, sheets))


def _write_game(sheet: Scoresheet) -> str:
    result = sheet.result or UNFINISHED
    tags = {**ROSTER, **sheet.headers, "Result": result}
    if sheet.start is None:
        tags.pop("FEN", None)
        tags.pop("SetUp", None)
    else:
        tags |= {"SetUp": "1", "FEN": _fen(sheet)}
    names = [*ROSTER, "Result", *sorted(set(tags) - {*ROSTER, "Result"})]
    return write_section({name: tags[name] for name in names}, sheet.line, result, numbering(sheet))


def numbering(sheet: Scoresheet) -> Numbering:
    """The numbers of the moves."""
    if sheet.start is None:
        return Numbering()
    return Numbering(int(_fen(sheet).split()[5]), side_to_move(sheet.start) == BLACK)


def _fen(sheet: Scoresheet) -> str:
    """The start in six fields, with the number of the move if the headers have it."""
    assert sheet.start is not None
    fields = sheet.headers.get("FEN", "").split()
    return write_fen(sheet.start, max(1, int(fields[5])) if len(fields) == 6 else 1)


def result_of(referee: Referee) -> str:
    """`1-0`, or * if the game is not over."""
    if not referee.is_over:
        return UNFINISHED
    white, black = referee.utilities()
    return "1-0" if white > black else "0-1" if black > white else "1/2-1/2"
