"""The lists of games and pictures, although the rules of a file are wrong or never end."""

import asyncio
import threading

import pytest
from fastapi.testclient import TestClient
from serving import run_async

from zermelo.games import find
from zermelo.web import every_game
from zermelo.web.app import application
from zermelo.web.catalogue import Catalogue
from zermelo.web.pool import Pool
from zermelo.web.store import Store
from zermelo.web.threads import RuleThreads
from zermelo.web.thumbnails import draw_thumbnail

pytestmark = pytest.mark.plain

RULES = """
from zermelo import Game, Grid
class Lights(Game):
    def initial(self): return 3
    def to_move(self, state): return state % 2
    def actions(self, state): return range(1, state + 1)
    def result(self, state, action): return state - action
    def utility(self, state, player): return -1 if player == state % 2 else 1
    def picture(self, state): {}
"""
PICTURE = "return Grid(1, 3, (None,) * 3)"


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Serve a file whose pictures are made by a statement; the answers to both lists.

    The pictures wait for the file only briefly; its facts may take long on a busy machine.
    """
    monkeypatch.setattr("zermelo.web.threads.LONGEST", 20)
    file = tmp_path / "lights.py"

    def answer(api, name, seconds):
        monkeypatch.setattr(every_game, "FILE_SECONDS", seconds)
        return api.get(f"/api/{name}").json()

    def lists(statement, seconds=0.5):
        file.write_text(RULES.format(statement))
        app = application(Catalogue([str(file)]), Store(tmp_path / "games.sqlite"), Pool(1, [str(file)]))
        with TestClient(app) as api:
            return str(file), answer(api, "games", 20), answer(api, "pictures", seconds)

    return lists


@pytest.mark.parametrize("statement", ["1 / 0", "exit()", "\n        while True: pass"])
def test_a_picture_that_fails_or_never_ends_leaves_those_of_other_games(served, statement):
    file, games, pictures = served(statement)
    assert games[0]["key"] == file
    assert set(pictures) == {game["key"] for game in games[1:] if draw_thumbnail(find(game["key"]))}
    assert "chess" in pictures


def test_the_picture_of_a_file_is_the_first(served):
    file, _, pictures = served(PICTURE, seconds=20)
    assert next(iter(pictures)) == file


def test_a_file_that_cannot_be_listed_leaves_the_other_games(tmp_path):
    file = tmp_path / "lights.py"
    file.write_text(
        RULES.format(PICTURE).replace("    def to_move", "    def seat(self, player): 1 / 0\n    def to_move")
    )
    with TestClient(application(Catalogue([str(file)]), Store(tmp_path / "games.sqlite"), Pool(1, [str(file)]))) as api:
        keys = [game["key"] for game in api.get("/api/games").json()]
    assert str(file) not in keys
    assert "chess" in keys


def test_a_page_that_asks_while_the_list_is_prepared_waits_for_the_same_one():
    asked, goes_on = [], threading.Event()

    def ask(key):
        goes_on.wait()
        asked.append(key)
        return key

    async def ask_twice():
        games = every_game.EveryGame(Catalogue(), RuleThreads(), ask)
        both = [asyncio.create_task(games.answers()) for _ in range(2)]
        await asyncio.sleep(0)
        goes_on.set()
        return await asyncio.gather(*both)

    assert run_async(ask_twice()) == [{key: key for key in Catalogue().keys}] * 2
    assert asked == Catalogue().keys


def test_a_page_that_leaves_does_not_end_the_list_for_the_others():
    goes_on = threading.Event()

    async def ask_and_leave():
        games = every_game.EveryGame(Catalogue(), RuleThreads(), lambda key: goes_on.wait() and key)
        leaving, staying = (asyncio.create_task(games.answers()) for _ in range(2))
        await asyncio.sleep(0)
        leaving.cancel()
        goes_on.set()
        return await staying

    assert list(run_async(ask_and_leave())) == Catalogue().keys
