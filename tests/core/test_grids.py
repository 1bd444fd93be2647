"""Boards of squares as text: what is written is read again, and what is not a board is refused with a sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition
from zermelo.core.grids import (
    pieces_on,
    read_boards,
    read_rows,
    row_numbers,
    square_name,
    squares_from_top,
    write_rows,
)
from zermelo.core.picture import Piece
from zermelo.games import find
from zermelo.kernel import U64

pytestmark = pytest.mark.plain

PIECES = (Piece("P", 0), Piece("p", 1))


def test_squares_are_listed_as_they_are_read():
    assert squares_from_top(2, 3) == [3, 4, 5, 0, 1, 2]
    assert [square_name(square, 3) for square in squares_from_top(2, 3)] == ["a2", "b2", "c2", "a1", "b1", "c1"]
    assert row_numbers(3) == ("3", "2", "1")


@given(st.integers(1, 8), st.integers(1, 8), st.data())
def test_reading_is_the_inverse_of_writing(rows, cols, data):
    letters = data.draw(st.text("Pp.", min_size=rows * cols, max_size=rows * cols))
    squares = squares_from_top(rows, cols)
    boards = read_boards(letters, letters, squares, "Pp", "a pawn")
    text = write_rows(pieces_on(squares, boards, PIECES), cols)
    assert text.replace("/", "") == letters
    assert [len(row) for row in text.split("/")] == [cols] * rows


def test_bits_are_those_of_the_squares():
    assert read_boards("", "Pp.P", squares_from_top(2, 2), "Pp", "") == (U64(0b0110), U64(0b1000))


@pytest.mark.parametrize(
    "text", ["", "ppp", "ppp/.../PPP", "ppp/.../PPP ", "ppp/.../PPP wb", "ppp/.../PP w", "ppp/PPP w"]
)
def test_another_shape_is_refused_with_the_start_and_a_hint(text):
    with pytest.raises(BadPosition) as refused:
        read_rows(find("hexapawn"), text, 3, 3, "wb", ", or so")
    assert str(refused.value) == f"{text!r} is not a position of hexapawn; the start is 'ppp/.../PPP w', or so"


def test_a_strange_letter_is_refused_with_the_legend():
    assert read_rows(find("hexapawn"), " ppp/.x./PPP b ", 3, 3, "wb") == ("ppp.x.PPP", 1)
    with pytest.raises(BadPosition, match="'the text' has a letter that is not a pawn; use P and p"):
        read_boards("the text", "ppp.x.PPP", squares_from_top(3, 3), "Pp", "a pawn; use P and p")
