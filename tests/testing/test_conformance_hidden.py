"""Views may neither leak nor forget; poker with three cards, correct and broken."""

import pytest
from little_games import NONE, Absent, Deal, HighCard, ShownCard, Take, failed

from zermelo.core.game import Game
from zermelo.core.picture import Branches, Card, Hand, Hands, TreeNode

pytestmark = pytest.mark.plain


def only(name, game, *parts):
    """Exactly this check fails, in one sentence that has these parts."""
    found = failed(game, games=30)
    assert list(found) == [name], found
    for part in parts:
        assert part in found[name]


def test_poker_hides_the_other_card():
    assert failed(HighCard()) == {}


def test_a_game_that_hides_nothing_must_show_all():
    class Winking(Take):
        def view(self, state, player):
            return state.left

    only("views", Winking(), "a game that hides nothing should show all of the state, but the view of player 0 is 5")


def test_a_game_that_hides_something_must_have_views():
    class Open(Take):
        hidden = True

    only(
        "views", Open(), "a game with hidden = True should have the method view, but every player sees the whole state"
    )


def test_a_game_that_hides_something_must_have_worlds():
    class Worldless(HighCard):
        worlds = Game.worlds

    only("worlds", Worldless(), "a game with hidden = True should have the method worlds, but it is missing")


def test_views_may_be_lists():
    class Listed(HighCard):
        def view(self, state, player):
            return [state.cards[player], state.line]

    assert not failed(Listed())


def test_moves_must_not_be_written_with_what_is_hidden():
    class Marked(HighCard):
        def format_action(self, state, action):
            mark = "!" if self.to_move(state) == 0 and state.cards[1] == 0 else ""
            return super().format_action(state, action) + mark

    only("views", Marked(), "a move should be written the same in all positions that look the same")


def test_views_must_be_stable():
    class Restless(HighCard):
        looks = 0

        def view(self, state, player):
            self.looks += 1
            return self.looks

    only("views", Restless(), "view should answer the same every time, but that of player 0 changes in '")


def test_moves_must_not_depend_on_what_the_player_cannot_see():
    class Tell(HighCard):
        """Who holds the lowest card against the highest may not bet: the legal moves give the other card away."""

        def actions(self, state):
            for action in super().actions(state):
                if not (action == 1 and set(state.cards) == {0, 2} and state.cards[self.to_move(state)] == 0):
                    yield action

    only(
        "views",
        Tell(),
        "positions that look the same to the player to move should offer the same moves in the same order, but it is ",
        " after ",
    )


def test_a_leaking_view_does_not_fit_the_worlds():
    class Leaking(HighCard):
        """The view shows both cards; the worlds are those of the honest game."""

        def view(self, state, player):
            return state.cards[player], state.line, state.cards[1 - player]

        def worlds(self, view, player, luck):
            return super().worlds(view[:2], player, luck)

    only("worlds", Leaking(), "a world drawn for a view should show that view, but '", "' shows (")


def test_a_view_that_gives_all_away_is_a_leak():
    class Glass(HighCard):
        def view(self, state, player):
            return state

        def worlds(self, view, player, luck):
            return view

    only("worlds", Glass(), "views that leave something open, but every world that was drawn is the true state")


def test_a_world_must_have_the_same_player_to_move():
    class Undealt(HighCard):
        """The worlds forget to deal the other card."""

        def worlds(self, view, player, luck):
            mine, line = view
            return Deal((mine, NONE) if player == 0 else (NONE, mine), line)

    only("worlds", Undealt(), "should have the same player to move and the same moves, but '", "not 0 1 as in '")


def test_an_error_in_worlds_is_reported():
    class Broken(HighCard):
        def worlds(self, view, player, luck):
            return [][0]

    only("worlds", Broken(), "worlds raised IndexError", "test_conformance_hidden.py:", " in '")


def test_views_must_remember():
    only(
        "recall",
        Absent(),
        "a player with the same view should have seen and done the same before, but player 0 has the same",
    )

    class Present(Absent):
        """The same game with its history in the view, so that nothing is hidden."""

        hidden = False
        view, worlds = Take.view, Take.worlds

    assert failed(Present()) == {}


MOVES = {"0": (), "1": ()}
END = TreeNode("end", 5)


@pytest.mark.parametrize(
    ("picture", "found"),
    [
        ("a card", "view_picture should give a Grid, "),
        (Hands((Hand("mine", (Card("K"),), 2),), touches=MOVES), "the hand of 'mine' belongs to none of the players"),
        (Hands((Hand("mine", ("K",), 0),), touches=MOVES), "a hand holds 'K', not a Card"),
        (Hands((Hand("mine", (None,), 0),), touches=MOVES, marked=(1,)), "marked cells (1,) are not all cards"),
        (Hands((Hand("mine", (None,), 0),)), "touches should have exactly the legal moves, but it lacks 0 1"),
        (Hands((Hand("mine", (None,), 0),), touches={"0": (0,), "1": (1,)}), "a move should touch cells 0 to 0"),
        (Branches((), touches=MOVES), "the game is at node 0 of 0"),
        (Branches((TreeNode("max"), END), touches=MOVES), "node 1 hangs below node 5"),
    ],
)
def test_the_picture_of_a_view_must_hold_together_and_show_the_moves(picture, found):
    class Painted(ShownCard):
        def view_picture(self, view, player):
            return picture

    only("view picture", Painted(), found)


def test_the_picture_of_a_view_is_made_from_the_view_alone():
    class Peeking(ShownCard):
        def view_picture(self, view, player):
            return self.picture(view)  # which is made for states

        def picture(self, state):
            return Hands(tuple(Hand(str(seat), (Card(str(card)),), seat) for seat, card in enumerate(state.cards)))

    found = failed(Peeking(), games=30)
    assert "view_picture raised AttributeError" in found["view picture"]
