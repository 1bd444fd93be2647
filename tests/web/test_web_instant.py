"""The first answers come from a small search, until the kernels of the full one are ready."""

import asyncio

import pytest
from serving import run_async
from talking import PATIENCE, found, talk

from zermelo.web.instant import SMALL, InstantPool
from zermelo.web.messages import Player
from zermelo.web.pool import Job, Pool, game_key
from zermelo.web.search_orders import warmups

pytestmark = pytest.mark.plain

ORDER = {"game": "chess", "options": {}, "start": "", "moves": [], "agent": "auto", "time": 10.0}
CHESS = game_key("chess", {})


class Workers(Pool):
    """A pool whose workers a test plays itself."""

    def __init__(self, compiles=True):
        super().__init__(1, compiles=compiles)
        self.jobs, self.games = [], frozenset()

    def submit(self, order, on_message, is_urgent=False):
        self.jobs.append(Job(len(self.jobs), order, on_message, is_urgent))
        return self.jobs[-1]

    def stop(self, job):
        if job in self.jobs and not job.result.done():
            job.is_stopping = True
            job.settle({"done": job.last})

    def compiling(self):
        return self.games

    def compile(self, job):
        self.games = frozenset([job.game])
        job.receive({"preparing": "compiling"})
        self.on_compiling()


@pytest.fixture
def searched():
    """Run a coroutine with an instant pool, the pool that compiles, and the one that does not."""

    def run(work):
        async def inside():
            full, small = Workers(), Workers(compiles=False)
            return await asyncio.wait_for(work(InstantPool(full, small), full, small), PATIENCE)

        return run_async(inside())

    return run


def silent(_message):
    pass


def result(best, **more):
    return found(best, **more) | {"notes": ["auto chose"]}


def test_the_move_of_the_small_search_is_played_while_the_full_one_is_compiled(searched):
    async def work(searches, full, small):
        job = searches.submit(ORDER, silent, is_urgent=True)
        assert small.jobs[0].order["time"] < 1
        full.compile(full.jobs[0])
        small.jobs[0].settle({"done": result("e4")})
        return await job.result, full.jobs[0].is_stopping

    message, is_stopped = searched(work)
    assert (message["done"]["best"], message["done"]["notes"][0]) == ("e4", SMALL)
    assert is_stopped  # nobody waits for it any more; that its kernels are compiled to the end is the pool's promise


def test_a_small_move_waits_a_moment_for_kernels_that_are_only_loaded(searched, monkeypatch):
    monkeypatch.setattr("zermelo.web.instant.LOADING", 60)

    async def work(searches, full, small):
        job = searches.submit(ORDER, silent, is_urgent=True)
        small.jobs[0].settle({"done": result("e4")})
        assert not job.result.done()
        full.jobs[0].receive({"done": result("d4")})
        return await job.result

    assert searched(work)["done"]["best"] == "d4"


def test_a_small_move_does_not_wait_for_long(searched, monkeypatch):
    monkeypatch.setattr("zermelo.web.instant.LOADING", 0.01)

    async def work(searches, _full, small):
        job = searches.submit(ORDER, silent, is_urgent=True)
        small.jobs[0].settle({"done": result("e4")})
        return await job.result

    assert searched(work)["done"]["best"] == "e4"


def test_a_compilation_that_begins_late_is_bridged_too(searched):
    async def work(searches, full, small):
        full._ready.add(f"auto {CHESS}")  # the rules have changed since
        job = searches.submit(ORDER, silent, is_urgent=True)
        assert not small.jobs
        full.compile(full.jobs[0])
        small.jobs[0].settle({"done": result("e4")})
        return await job.result

    assert searched(work)["done"]["best"] == "e4"


def test_a_search_that_is_ready_needs_no_small_one(searched):
    async def work(searches, full, small):
        full._ready.add(f"auto {CHESS}")
        job = searches.submit(ORDER, silent, is_urgent=True)
        full.jobs[0].receive({"done": result("d4")})
        return await job.result, small.jobs

    message, small = searched(work)
    assert (message["done"]["best"], small) == ("d4", [])


def test_an_analysis_shows_the_small_search_until_the_full_one_has_a_result(searched):
    async def work(searches, full, small):
        heard = []
        job = searches.submit(ORDER, heard.append)
        small.jobs[0].settle({"analysis": result("e4")})
        small.jobs[0].settle({"done": result("e4")})
        assert not job.result.done()
        full.jobs[0].receive({"analysis": result("d4")})
        full.jobs[0].receive({"done": result("c4")})
        await job.result
        return [(one.get("analysis") or one["done"])["best"] for one in heard], job.result.result()

    shown, message = searched(work)
    assert shown == ["e4", "e4", "d4", "c4"]
    assert "small" not in message


def test_what_the_small_search_says_late_is_ignored(searched):
    async def work(searches, full, small):
        heard = []
        searches.submit(ORDER, heard.append)
        full.jobs[0].receive({"analysis": result("d4")})
        small.jobs[0].settle({"analysis": result("e4")})
        return [one["analysis"]["best"] for one in heard]

    assert searched(work) == ["d4"]


def test_a_search_that_is_stopped_while_it_is_compiled_ends_with_the_small_result(searched):
    async def work(searches, full, small):
        job = searches.submit(ORDER, silent)
        full.compile(full.jobs[0])
        small.jobs[0].settle({"analysis": result("e4")})
        searches.stop(job)
        return await job.result

    message = searched(work)
    assert (message["done"]["best"], message["small"]) == ("e4", True)


def test_an_error_of_the_full_search_is_reported(searched):
    async def work(searches, full, _small):
        job = searches.submit(ORDER, silent)
        full.jobs[0].receive({"error": "a sentence"})
        return await job.result

    assert searched(work) == {"error": "a sentence"}


def test_random_moves_need_no_kernels(searched):
    async def work(searches, full, small):
        job = searches.submit({**ORDER, "agent": "random"}, silent, is_urgent=True)
        small.jobs[0].settle({"done": result("a3")})
        return await job.result, full.jobs

    message, full = searched(work)
    assert (message["done"]["best"], full) == ("a3", [])


# -- the service ---------------------------------------------------------------------------------------


def test_opening_a_game_prepares_its_analysis_and_its_agents(tmp_path):
    async def work(one):
        players = [{}, {"agent": "minimax", "level": 2}]
        await one.visit(one.begin(players=players))
        return [(order["agent"], order["game"], order["depth"]) for order in one.pool.warmups]

    seen = []

    async def noted(one):
        seen.extend(await work(one))

    talk(noted, tmp_path / "games.sqlite")
    assert [agent for agent, *_ in seen] == ["auto", "minimax"]


def test_people_and_random_players_need_only_the_analysis(tmp_path):
    async def work(one):
        session = one.sessions.get(one.begin(players=[{}, {"agent": "random"}]))
        assert [order["agent"] for order in warmups(session)] == ["auto"]
        session.players[0] = Player(agent="auto")
        assert len(warmups(session)) == 1

    talk(work, tmp_path / "games.sqlite")


def test_all_pages_of_a_game_see_that_it_is_being_compiled_and_others_do_not(tmp_path):
    async def work(one):
        name = one.begin()
        tabs = [await one.visit(name), await one.visit(name)]
        other = await one.visit(one.begin("nim"))
        one.pool.compile("hexapawn")
        for tab in tabs:
            news = await tab.until(lambda news: news["event"] == "compiling")
            assert news["content"] == "Hexapawn is being compiled; until then the answers are from a small search."
        late = await one.visit(name)
        assert late.heard[0]["content"]["compiling"].startswith("Hexapawn")
        one.pool.compile()
        for tab in (*tabs, late):
            await tab.until(lambda news: news["event"] == "compiling" and news["content"] is None)
        assert all(news["event"] != "compiling" for news in other.heard)

    talk(work, tmp_path / "games.sqlite")


def test_an_estimate_of_the_small_search_is_not_stored(tmp_path):
    async def work(one):
        name = one.begin(players=[{}, {}])
        tab = await one.visit(name)
        for number, mark in enumerate(({"small": True}, {})):
            tab.order("analyse", node=0)
            job = await one.pool.job(number)
            job.settle({"done": result("a1a2"), **mark})
            await tab.of("thinking", state="done")
        await tab.of("judged", node=0)
        assert sum(news["event"] == "judged" for news in tab.heard) == 1

    talk(work, tmp_path / "games.sqlite")
