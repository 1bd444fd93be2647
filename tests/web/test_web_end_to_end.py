"""The server with the compiler on, as people use it: all games and levels, two tabs, a lost connection, a full room."""

import asyncio
import os
from contextlib import AsyncExitStack

import pytest
from serving import address_of, run_async, start_server
from whole import PATIENCE, call, visiting

from zermelo.arena.levels import levels
from zermelo.core.game import CHANCE
from zermelo.games import find, names

ROOM = 300
"""Sessions with an open socket."""
LINE = ["b1b2", "a3b2", "a1b2", "c3b2"]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    data = str(tmp_path_factory.mktemp("served"))
    with start_server({**os.environ, "ZERMELO_DATA_DIR": data, "PYTHONUNBUFFERED": "1"}) as process:
        yield address_of(process)
        process.terminate()


def begin(address, game="hexapawn", **wanted):
    return call(address, "sessions", {"game": game, "players": [{}, {"agent": "auto", "level": 1}], **wanted})["id"]


def changes(page):
    """The numbered events that a page has heard."""
    found = [(news["seq"], news["event"]) for news in page.heard]
    return [pair for pair in found if pair[1] in ("moved", "went", "seated", "judged")]


def test_two_tabs_hear_the_same_changes_one_answer_and_an_analysis_each(address):
    async def work():
        name = begin(address)
        async with visiting(address, name) as one, visiting(address, name) as other:
            await one.order("follow", is_on=True)
            await one.order("play", move="b1b2", node=0)
            await other.order("play", move="b1b2", node=0)
            for page in (one, other):
                await page.until("moved", current=2)
            assert (await one.until("analysis", node=2))["best"]
            await other.order("analyse", node=1, seconds=0.5)
            await other.until("analysis", node=1)
            await other.order("undo")
            for page in (one, other):
                await page.until("went", current=0)
        moves = [[pair for pair in changes(page) if pair[1] != "judged"] for page in (one, other)]
        assert moves[0][:3] == moves[1][:3]
        assert len(call(address, f"sessions/{name}")["nodes"]) == 3

    run_async(work())


def test_a_review_goes_on_over_a_lost_connection_and_every_position_is_judged(address):
    async def work():
        name = begin(address, moves=LINE, players=[{}, {}])
        async with visiting(address, name) as page:
            await page.order("review")
            assert (await page.until("review"))["total"] == len(LINE) + 1
        async with visiting(address, name) as page:
            review = page.heard[0]["content"]["review"]
            assert review is None or review["total"] == len(LINE) + 1
            while review is not None:
                review = await page.until("review")
        nodes = call(address, f"sessions/{name}")["nodes"]
        assert all(node["judgement"]["kind"] == "exact" for node in nodes)

    run_async(work())


@pytest.mark.long
def test_three_hundred_sessions_with_open_pages_all_get_their_answers(address):
    async def answer(page):
        await page.order("play", move="b1b2")
        await page.until("moved", current=2)

    async def work():
        async with AsyncExitStack() as room:
            pages = [await room.enter_async_context(visiting(address, begin(address))) for _ in range(ROOM)]
            await asyncio.gather(*map(answer, pages))

    run_async(work())


@pytest.mark.long
@pytest.mark.parametrize("game", [name for name in names() if not find(name).hidden])
def test_the_computer_answers_in_every_game_at_every_level_whatever_was_analysed_before(address, game):
    rules = find(game)

    async def answer(level, is_analysed):
        name = begin(address, game, players=[{}] * rules.players)
        async with visiting(address, name) as page:
            position, node = page.heard[0]["content"]["session"]["position"], 0
            while position["to_move"] == CHANCE:
                moved = await page.until("moved")
                position, node = moved["position"], moved["current"]
            if is_analysed:
                await page.order("analyse", node=node, seconds=0.3)
                await page.until("thinking", state="done")
            mover = position["to_move"]
            await page.order("sit", players=computer_at(mover, rules, level))
            moved = await page.until("moved")
            assert moved["node"]["player"] == mover, (level, moved["node"])

    async def work():
        for level in levels(rules):
            for is_analysed in (True, False):
                await answer(level.number, is_analysed)

    run_async(work())


@pytest.mark.long
@pytest.mark.parametrize("game", [name for name in names() if find(name).hidden])
def test_the_computer_answers_in_every_hidden_game_at_every_level_after_a_hint(address, game):
    rules = find(game)

    async def answer(level, is_analysed):
        name = begin(address, game, players=computer_at(1, rules, level))
        async with visiting(address, name) as page, asyncio.timeout(PATIENCE):
            while True:
                session = call(address, f"sessions/{name}")
                if any(node["player"] == 1 for node in session["nodes"]):
                    return
                assert not session["position"]["is_over"], "it was over before the computer moved"
                if not session["position"]["moves"]:
                    await asyncio.sleep(0.05)
                    continue
                if is_analysed:
                    await page.order("analyse", node=session["current"], seconds=0.3)
                    await page.until("thinking", state="done")
                await page.order("play", move=session["position"]["moves"][0], node=session["current"])

    async def work():
        for level in levels(rules):
            for is_analysed in (True, False):
                await answer(level.number, is_analysed)

    run_async(work())


def computer_at(seat, rules, level):
    """The computer at one seat, people at the others."""
    return [{"agent": "auto", "level": level} if one == seat else {} for one in range(rules.players)]
