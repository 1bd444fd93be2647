"""The proper names of games and of their options."""

import pytest

from zermelo import Game
from zermelo.core.game import title_of
from zermelo.core.guards import ALGORITHMS, agent_title
from zermelo.core.naive import with_values
from zermelo.games import all_games, find


@pytest.mark.parametrize(
    ("class_name", "title"),
    [("Hexapawn", "Hexapawn"), ("MiniCoup", "Mini Coup"), ("XOGame", "XO Game"), ("nine_holes", "Nine holes")],
)
def test_a_class_name_becomes_a_title(class_name, title):
    assert title_of(class_name) == title


def test_a_game_of_one_s_own_has_a_title():
    class RiverCrossing(Game):
        def initial(self):
            return {"left": 3}

    assert RiverCrossing.title == "River Crossing"
    assert with_values(RiverCrossing()).title == "River Crossing"


def test_titles_are_the_proper_names():
    titles = [game.title for game in all_games()]
    assert {"Connect Four", "Tic-Tac-Toe", "Pac-Man", "2048", "Chinese Checkers"} <= set(titles)
    assert len(set(titles)) == len(titles)


def test_the_full_title_has_the_options_in_words():
    assert find("hexapawn").full_title() == "Hexapawn"
    assert find("hexapawn:rows=4,cols=5").full_title() == "Hexapawn (rows 4, columns 5)"
    assert find("nim:misere=true").full_title() == "Nim (the last counter loses)"
    assert find("othello:margin=false").full_title() == "Othello (not: the margin counts)"
    tree = find("tree:max(min(3 12 8) min(2 4 6) min(14 5 20))")
    assert tree.full_title().endswith("(tree as text max(min(3 12 8) min(2 4 6) mi…)")


@pytest.mark.parametrize("game", list(all_games()), ids=lambda game: game.name)
def test_labels_belong_to_options(game):
    assert set(game.option_labels) <= set(game.options())


def test_agents_have_names_that_people_read():
    assert agent_title("alphabeta") == "alpha-beta"
    assert agent_title("./stockfish") == "./stockfish"
    assert all(agent_title(name) for name in ALGORITHMS)
