"""What a seat is shown of a position: boards to be touched, and never another's cards."""

import re
from pathlib import Path

import pytest

from zermelo.core.game import Game
from zermelo.core.picture import Card, Hand, Hands, Text
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.web.boards import position_of
from zermelo.web.catalogue import Catalogue
from zermelo.web.messages import NewSession
from zermelo.web.sessions import Sessions
from zermelo.web.store import Store
from zermelo.web.thumbnails import draw_thumbnail

pytestmark = pytest.mark.plain

KUHN = str(Path(__file__).parents[2] / "examples" / "kuhn.py")
BACK = "a card face down"


def told(spec, moves, viewer=None):
    referee = Referee.at(find(spec), f"moves: {moves}" if moves else "")
    return position_of(referee, len(referee.turns), viewer)


# -- cards -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", ["J K", "J K bet", "Q J check", "K Q check bet"])
def test_a_seat_s_page_never_has_the_other_s_card(moves):
    """Whatever the other holds, the page is the same to the letter."""
    own, other, *line = moves.split()
    third = next(card for card in "JQK" if card not in (own, other))
    for seat in (0, 1):
        deals = [(own, hidden) if seat == 0 else (hidden, own) for hidden in (other, third)]
        pages = [told(KUHN, " ".join([*deal, *line]), seat).model_dump_json() for deal in deals]
        assert pages[0] == pages[1]


def test_a_view_is_drawn_as_cards_with_the_other_s_face_down_and_can_be_played_on():
    position = told(KUHN, "J K check", 1)
    assert position.board.cells == [f"player 1, {BACK}", "player 2, K"]
    assert position.board.touches == {"check": [], "bet": []}
    assert "player 1 checks" in position.board.svg
    assert position.moves == ["check", "bet"]
    assert told(KUHN, "J K check", 0).moves == []


def test_at_the_end_everything_is_shown():
    position = told(KUHN, "J K bet call", 0)
    assert position.board.cells == ["player 1, J", "player 2, K"]
    assert BACK not in position.board.svg


def test_spectators_see_nothing_before_the_end():
    assert told(KUHN, "J K").board.cells == []
    assert "hidden" in told(KUHN, "J K").board.svg


def test_a_game_without_pictures_of_views_shows_them_in_words():
    class Plain(Game):
        hidden = True

    assert Plain().view_picture(("a king", 3), 1) == Text("('a king', 3)", caption="what player 2 knows")


class Discards(Game):
    """Each in turn lays down one of two cards, unseen; the higher one wins. A seat sees its own hand on the left."""

    hidden = True
    utility_range = (-1, 1)

    def initial(self):
        return ()

    def to_move(self, state):
        return len(state)

    def actions(self, state):
        return ("low", "high") if len(state) < 2 else ()

    def result(self, state, action):
        return (*state, action)

    def utility(self, state, player):
        first = (state[0] == "high") - (state[1] == "high")
        return first if player == 0 else -first

    def view(self, state, player):
        return tuple(card if seat == player else "?" for seat, card in enumerate(state))

    def picture(self, state):
        touches = {"low": (2 * len(state),), "high": (2 * len(state) + 1,)} if len(state) < 2 else {}
        both = (Card("low"), Card("high"))
        return Hands((Hand("player 1", both, 0), Hand("player 2", both, 1)), touches=touches)

    def view_picture(self, view, player):
        return Hands((Hand("you", (Card("low"), Card("high")), player),), touches={"low": (0,), "high": (1,)})


def test_a_move_is_made_by_touching_a_card_and_marked_where_the_picture_of_everything_has_it(tmp_path, monkeypatch):
    catalogue = Catalogue()
    facts = catalogue.facts("nim").model_copy(update={"hidden": True})
    monkeypatch.setattr(catalogue, "game", lambda key, options=None: Discards())
    monkeypatch.setattr(catalogue, "facts", lambda key, options=None: facts)
    sessions = Sessions(catalogue, Store(tmp_path / "store.sqlite"))
    session = sessions.create(NewSession.model_validate({"game": "nim", "moves": ["low"], "players": [{}, {}]}))
    assert session.position(lifted=1).board.touches == {"low": [0], "high": [1]}
    session.play("high")
    assert session.position().is_over
    assert session.position().board.last == [3]


# -- racks -----------------------------------------------------------------------------------------


def test_a_whole_column_stands_for_the_place_where_a_stone_lands():
    board = told("connect-four:cols=4,rows=4", "1 1 1 1 2").board
    assert board.touches == {"2": [9], "3": [14], "4": [15]}
    assert board.aliases == {1: 9, 5: 9, 13: 9, 2: 14, 6: 14, 10: 14, 3: 15, 7: 15, 11: 15}


def test_a_full_column_stands_for_nothing_and_neither_does_a_finished_game():
    assert not {0, 4, 8, 12} & set(told("connect-four:cols=4,rows=4", "1 1 1 1 2").board.aliases)
    assert told("connect-four", "4 4 3 3 5 5 2").board.aliases == {}


@pytest.mark.parametrize("spec", ["tic-tac-toe", "chess", "tree", "nim"])
def test_elsewhere_every_cell_stands_for_itself(spec):
    assert told(spec, "").board.aliases == {}


# -- thumbnails ------------------------------------------------------------------------------------


def test_a_game_that_begins_empty_is_shown_a_few_moves_later():
    assert "peg" in draw_thumbnail(find("hex")).svg
    numbers = re.findall(r'class="end strong">(\d+)<', draw_thumbnail(find("pig")).svg)
    assert len(numbers) == 3
    assert any(number != "0" for number in numbers)


# -- turning -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "turning"), [("chess", "usual"), ("tic-tac-toe", "possible"), ("connect-four", "never"), ("2048", "never")]
)
def test_a_board_is_turned_only_if_somebody_sits_on_its_other_side(spec, turning):
    assert told(spec, "").board.turning == turning


# -- trees -----------------------------------------------------------------------------------------


def test_the_nodes_of_a_tree_have_names_and_are_touched_by_the_moves_to_them():
    board = told("tree", "b").board
    assert board.cells[:3] == ["the root, max moves", "a, min moves", "b, min moves"]
    assert board.cells[8] == "b.b, the end, 4"
    assert board.touches == {"a": [7], "b": [8], "c": [9]}
    assert board.last == [2]


def test_only_drawn_nodes_of_a_large_tree_are_named():
    spec = f"tree:max({' '.join(['min(' + ' '.join(map(str, range(9))) + ')'] * 9)})"
    board = told(spec, "").board
    assert len(board.cells) == 10
    assert 'data-cell="9"' in board.svg
    assert 'data-cell="10"' not in board.svg
