"""Every check of notation and picture has a game that fails it, and no other check."""

import pytest
from little_games import Heap, KnowingTake, PlainNotation, Take, failed

from zermelo.core.picture import Grid, Panel, Piece, Piles, Table, Text

pytestmark = pytest.mark.plain

STONE = Piece("o", 0)


def only(name, game, *parts):
    """Exactly this check fails, in one sentence that has these parts."""
    found = failed(game)
    assert list(found) == [name], found
    for part in parts:
        assert part in found[name]


@pytest.mark.parametrize("text", ["", "take one", "1,2", None, 1])
def test_moves_must_be_words(text):
    class Speechless(Take):
        def format_action(self, state, action):
            return text

    only("move notation", Speechless(), f"without blanks and commas, but that of 1 is {text!r} at the start, '5,0'")


def test_two_moves_must_have_two_notations():
    class Same(Take):
        def format_action(self, state, action):
            return "x"

    only("move notation", Same(), "two moves should have two notations, but 1 and 2 are both 'x' at the start, '5,0'")


def test_reading_must_undo_writing_for_moves():
    class Swapped(PlainNotation):
        def parse_action(self, state, text):
            return {"a": 2, "b": 1}[text]

    only(
        "move notation",
        Swapped(),
        "parse_action should undo format_action, but 1 is written 'a' and read as 2 at the start, '5 a'",
    )


@pytest.mark.parametrize("text", [" 5", None, "moves:5"])
def test_positions_must_be_texts(text):
    class Shapeless(Take):
        def format_state(self, state):
            return text

    only("position notation", Shapeless(), f"it is {text!r} at the start, ")


def test_only_the_start_may_be_an_empty_text():
    class Silent(Take):
        def format_state(self, state):
            return "" if state.left > 2 else super().format_state(state)

        def parse_state(self, text):
            return super().parse_state(text) if text else self.initial()

    only("position notation", Silent(), "empty only at the start, but it is empty in Heap(left=", " after ")

    class SilentStart(Silent):
        def format_state(self, state):
            return "" if state == self.initial() else Take.format_state(self, state)

    assert failed(SilentStart()) == {}


def test_reading_must_undo_writing_for_positions():
    class Partial(Take):
        def format_state(self, state):
            return str(state.left)

        def parse_state(self, text):
            return Heap(int(text), 0) if text.isdigit() else super().parse_state(text)

    only(
        "position notation",
        Partial(),
        "parse_state should undo format_state, but '",
        "' is read as Heap(left=",
        " after ",
    )


def test_bad_positions_must_be_refused_with_a_sentence():
    class Abrupt(PlainNotation):
        def parse_state(self, text):
            left, side = text.split(" ")
            return Heap(int(left), "ab".index(side))

    only(
        "bad input",
        Abrupt(),
        "parse_state should raise BadPosition for text like 'no-such-thing-?!', but parse_state raised ValueError",
        "test_conformance_notation.py:",
    )


def test_bad_moves_must_be_refused_with_a_sentence():
    class Abrupt(Take):
        def parse_action(self, state, text):
            return int(text)

    only("bad input", Abrupt(), "parse_action should raise IllegalMove for text like", "at the start, '5,0'")


def test_illegal_moves_must_be_refused():
    class Lenient(Take):
        def parse_action(self, state, text):
            return int(text) if text.isdigit() else 7

    only("bad input", Lenient(), "parse_action should refuse what is not legal, but it reads 'no-such-thing-?!' as 7")


TOUCHES = {"1": (0,), "2": (0,)}


@pytest.mark.parametrize(
    ("picture", "found"),
    [
        (
            "oo",
            "picture should give a Grid, Points, Piles, Panel, Tables, Table, Hands, Branches or Text, but it gives",
        ),
        (Grid(1, 2, (STONE,), touches=TOUCHES), "but a grid of 1 x 2 has 1 cells"),
        (Grid(1, 1, (STONE,), ("1", "2"), touches=TOUCHES), "but 1 lines of the grid have 2 labels"),
        (Grid(1, 1, (STONE,), touches=TOUCHES, names=("1", "2")), "but 1 cells have 2 names"),
        (Grid(1, 1, ("o",), touches=TOUCHES), "but a cell holds 'o', not a Piece"),
        (Grid(1, 1, (Piece("oo", 0),), touches=TOUCHES), " is neither one character nor a number"),
        (Grid(1, 1, (Piece("o", 2),), touches=TOUCHES), " belongs to none of the players"),
        (Grid(1, 1, (STONE,), touches=TOUCHES, marked=(1,)), "but marked cells (1,) are not all on the grid"),
        (Grid(1, 1, (STONE,), touches={"1": (0,), "2": (1,)}), "a move should touch cells 0 to 0, but 2 touches (1,)"),
        (Piles((5,), (), TOUCHES), "but 1 piles have 0 labels"),
        (Piles((5,), ("heap",), {}), "touches should have exactly the legal moves, but it lacks 1 2"),
        (Piles((5,), ("heap",), {"1": (0,)}), "touches should have exactly the legal moves, but it lacks 2"),
        (
            Piles((5,), ("heap",), {**TOUCHES, "3": (0,)}),
            "touches should have exactly the legal moves, but it has 3 too",
        ),
        (
            Panel((("left", 5.0),), touches={"1": (0,), "2": (1,)}),
            "a move should touch cells 0 to 0, but 2 touches (1,)",
        ),
        (
            Table(("a",), ("b", "c"), (("1",),)),
            "a table of 1 rows and 2 columns should have an entry for each row and column",
        ),
        (Piles(None, None), "picture raised TypeError"),
    ],
)
def test_the_picture_must_show_the_moves(picture, found):
    class Painted(KnowingTake):
        def picture(self, state):
            return picture

    only("picture", Painted(), found, " at the start, '5,0'")


def test_a_number_is_a_symbol():
    class Counted(Take):
        def picture(self, state):
            touches = {str(count): (0,) for count in self.actions(state)}
            return Grid(1, 1, (Piece(str(9 + state.left), 0),), touches=touches)

    assert failed(Counted()) == {}


@pytest.mark.parametrize("picture", [Text("five counters"), Panel((("left", 5.0),))])
def test_a_text_or_panel_need_not_be_touched(picture):
    class Told(Take):
        def picture(self, state):
            return picture

    assert failed(Told()) == {}
