"""Every check of what follows from views has a game that fails it; poker with three cards, broken in one place."""

import pytest
from little_games import HighCard, Take, failed

from zermelo.games.kuhn import Kuhn
from zermelo.games.matrix import Matrix
from zermelo.kernel import U64, mix
from zermelo.testing.secrets import _deviation

pytestmark = pytest.mark.plain


def only(name, game, *parts):
    """Exactly this check fails, in one sentence that has these parts."""
    found = failed(game, games=30)
    assert list(found) == [name], found
    for part in parts:
        assert part in found[name]


def test_a_view_is_not_written_like_another():
    class Short(HighCard):
        def format_view(self, view, player):
            return f"card {view[0]}"

    only("view notation", Short(), "different views of a player should be written differently, but 'card ")


def test_a_view_is_written_on_one_line():
    class Empty(HighCard):
        def format_view(self, view, player):
            return ""

    only("view notation", Empty(), "format_view should give a line of text, but it gives ''")


def test_worlds_are_drawn_by_the_given_luck():
    class Stubborn(HighCard):
        turn = U64(0)

        def worlds(self, view, player, luck):
            Stubborn.turn = mix(Stubborn.turn + U64(1))
            return super().worlds(view, player, luck ^ Stubborn.turn)

    only("odds of worlds", Stubborn(), "worlds should draw the same state for the same luck")


def test_worlds_are_not_weighted_by_anything_but_chance():
    class Timid(HighCard):
        """The highest card is too likely."""

        def worlds(self, view, player, luck):
            return max(HighCard.worlds(self, view, player, luck << shift) for shift in range(2))

    only("odds of worlds", Timid(), "worlds should draw states as likely as chance makes them, but for '", "of 500")


def test_worlds_never_leave_out_a_state():
    class Blind(HighCard):
        """The lowest card is never with the other, unless it has to be."""

        def worlds(self, view, player, luck):
            return max(HighCard.worlds(self, view, player, luck << shift) for shift in range(20))

    only("odds of worlds", Blind(), "as likely as chance makes them")


def test_what_is_public_is_in_every_view():
    class Cheat(HighCard):
        def public(self, state):
            return state.cards[0], state.line

    only("public", Cheat(), "public should be equal in positions that look the same to a player")

    class Fair(HighCard):
        def public(self, state):
            return state.line

    assert failed(Fair()) == {}


def test_views_in_one_bucket_have_the_same_moves():
    class Lumped(Kuhn):
        """Three players, of whom those with the lowest card may not bet."""

        def actions(self, state):
            for action in super().actions(state):
                if -1 in state.cards or action == 0 or state.cards[self.to_move(state)] > 0:
                    yield action

        def bucket(self, view, player):
            return player

    assert "views in one bucket should have the same moves" in failed(Lumped(), games=30)["buckets"]

    class ByCard(HighCard):
        def bucket(self, view, player):
            return view[0]

    assert failed(ByCard()) == {}


def test_a_pending_choice_is_a_secret():
    class Open(Matrix):
        def view(self, state, player):
            return state

    found = failed(Open("0 1; 1 0"))
    assert "a choice should stay hidden until all have chosen, but player 1 sees" in found["simultaneous"]


def test_partners_win_together():
    class Rivals(Take):
        teams = (0, 0)

    only("teams", Rivals(), "partners should have equal payoffs, but players 0 and 1 have")

    class Lonely(Take):
        teams = (0,)

    only("teams", Lonely(), "teams should have a number for each of 2 players, but it is (0,)")


def test_fair_draws_pass_and_unfair_ones_do_not():
    assert _deviation([(250, 250.0), (250, 250.0)]) < 0
    assert _deviation([(300, 250.0), (200, 250.0)]) < 4.75 < _deviation([(330, 250.0), (170, 250.0)])


def test_keys_of_views_that_are_equal_are_a_mistake(monkeypatch):
    monkeypatch.setattr("zermelo.testing.secrets.hash_numbers", lambda view: 7)
    only("view keys", HighCard(), "different views should have different keys")
