"""The session service: whose turn it is, and what all pages of a session are told."""

import asyncio
import json
import threading

import pytest
from serving import run_async
from talking import found, quiet, talk

from zermelo.web import open_session
from zermelo.web import service as service_module
from zermelo.web.catalogue import Catalogue
from zermelo.web.open_session import Client, OpenSession
from zermelo.web.pool import Busy
from zermelo.web.sessions import Sessions
from zermelo.web.store import Store

pytestmark = pytest.mark.plain

AGENTS = [{"agent": "alphabeta", "level": 1}] * 2


@pytest.fixture
def store(tmp_path):
    return tmp_path / "sessions.sqlite"


def done(best, **more):
    return {"done": found(best, **more)}


# -- agents ----------------------------------------------------------------------------------------


def test_the_agent_moves_by_itself_after_a_person(store):
    async def work(talk):
        name = talk.begin()
        tab = await talk.visit(name)
        tab.order("play", move="b1b2")
        await tab.at(1)
        (await talk.pool.job(0)).settle(done("a3b2"))
        assert (await tab.at(2))["node"]["player"] == 1
        assert talk.pool.jobs[0].is_urgent
        await quiet()
        assert len(talk.pool.jobs) == 1

    talk(work, store)


def test_the_agent_begins_if_it_has_the_first_move(store):
    async def work(talk):
        tab = await talk.visit(talk.begin(players=[AGENTS[0], {}]))
        (await talk.pool.job(0)).settle(done("b1b2"))
        await tab.at(1)

    talk(work, store)


def test_without_an_open_page_an_agent_moves_only_if_it_is_asked(store):
    async def work(talk):
        name = talk.begin()
        await talk.service.change(name, lambda session: session.play("b1b2"))
        await quiet()
        assert talk.pool.jobs == []
        answering = asyncio.create_task(talk.service.answer(name, 1))
        (await talk.pool.job(0)).settle(done("a3b2"))
        await answering
        assert await talk.moves(name) == ["b1b2", "a3b2"]
        await talk.service.answer(name, 2)  # it is a person's turn
        assert len(talk.pool.jobs) == 1

    talk(work, store)


def test_when_the_last_page_is_closed_the_agents_stop_playing(store):
    async def work(talk):
        name = talk.begin(players=AGENTS)
        tab = await talk.visit(name)
        tab.order("set_pace", milliseconds=0)
        job = await talk.pool.job(0)
        tab.leave()
        await quiet()
        job.settle(done("b1b2"))
        await quiet()
        assert await talk.moves(name) == ["b1b2"]
        assert len(talk.pool.jobs) == 1
        await talk.visit(name)
        await talk.pool.job(1)

    talk(work, store)


def test_an_agent_goes_on_after_too_many_calls_of_rules(store, monkeypatch):
    monkeypatch.setattr("zermelo.web.turn_taking.AGAIN", 0.01)
    left = [Busy(), Busy()]

    async def work(talk):
        tab = await talk.visit(talk.begin())
        look = talk.service._publisher.look

        async def sometimes(name, question):
            if left and question.__name__ == "<lambda>":
                raise left.pop()
            return await look(name, question)

        monkeypatch.setattr(talk.service._publisher, "look", sometimes)
        tab.order("play", move="b1b2")
        (await talk.pool.job(0)).settle(done("a3b2"))
        await tab.at(2)
        assert left == []
        assert "refused" not in [news["event"] for news in tab.heard]

    talk(work, store)


def test_two_tabs_get_one_answer(store):
    async def work(talk):
        name = talk.begin()
        tabs = [await talk.visit(name) for _ in range(2)]
        for tab in tabs:
            tab.order("play", move="b1b2", node=0)
        for tab in tabs:
            await tab.at(1)
            tab.order("resume", node=1)
        (await talk.pool.job(0)).settle(done("a3b2"))
        for tab in tabs:
            await tab.at(2)
        await quiet()
        assert await talk.moves(name) == ["b1b2", "a3b2"]
        assert len(talk.pool.jobs) == 1

    talk(work, store)


def test_an_answer_to_a_move_that_was_taken_back_is_not_played(store):
    async def work(talk):
        name = talk.begin()
        tab = await talk.visit(name)
        tab.order("play", move="b1b2")
        late = await talk.pool.job(0)
        late.receive({"analysis": found("a3b2")})
        tab.order("undo")
        await tab.at(0)
        assert late in talk.pool.stopped
        tab.order("play", move="a1a2")
        await tab.at(2)
        assert (await talk.pool.job(1)).order["moves"] == ["a1a2"]
        assert await talk.moves(name) == ["b1b2", "a1a2"]

    talk(work, store)


def test_an_agent_that_is_replaced_while_it_searches_does_not_move(store):
    async def work(talk):
        name = talk.begin()
        tab = await talk.visit(name)
        tab.order("play", move="b1b2")
        job = await talk.pool.job(0)
        tab.order("sit", players=[{}, {"agent": "mcts", "level": 5}])
        other = await talk.pool.job(1)
        assert (other.order["agent"], job in talk.pool.stopped) == ("mcts", True)
        other.settle(done("c3b2"))
        await tab.at(2)
        assert await talk.moves(name) == ["b1b2", "c3b2"]

    talk(work, store)


def test_an_agent_that_fails_is_not_asked_again_until_a_person_wishes(store):
    async def work(talk):
        name = talk.begin()
        tab = await talk.visit(name)
        tab.order("play", move="b1b2")
        (await talk.pool.job(0)).settle({"error": "the search crashed"})
        assert (await tab.of("refused"))["error"] == "the search crashed"
        assert (await tab.of("running"))["is_paused"]
        await quiet()
        assert len(talk.pool.jobs) == 1
        tab.order("resume", node=1)
        (await talk.pool.job(1)).settle(done("a3b2"))
        await tab.at(2)

    talk(work, store)


def test_who_moves_after_a_failed_agent_expects_an_answer(store):
    async def work(talk):
        tab = await talk.visit(talk.begin())
        tab.order("play", move="b1b2")
        (await talk.pool.job(0)).settle({"error": "the search crashed"})
        await tab.of("running", is_paused=True)
        tab.order("undo")
        tab.order("play", move="a1a2")
        assert (await talk.pool.job(1)).order["moves"] == ["a1a2"]

    talk(work, store)


def test_an_agent_waits_for_a_worker_while_too_many_searches_wait(store, monkeypatch):
    monkeypatch.setattr("zermelo.web.turn_taking.AGAIN", 0.05)

    async def work(talk):
        name = talk.begin()
        tab = await talk.visit(name)
        talk.pool.is_busy = True
        tab.order("play", move="b1b2")
        await tab.of("answering", state="waiting")
        tab.order("stop")
        await tab.of("running", is_paused=True)
        assert (await talk.visit(name)).heard[0]["content"]["answering"] is None
        tab.order("resume", node=1)
        await tab.of("answering", state="waiting")
        talk.pool.is_busy = False
        (await talk.pool.job(0)).settle(done("a3b2"))
        await tab.at(2)

    talk(work, store)


@pytest.mark.parametrize("best", [None, "a3b2"])
def test_an_agent_that_is_stopped_plays_what_it_has_found_or_waits(store, best):
    async def work(talk):
        name = talk.begin()
        tab = await talk.visit(name)
        tab.order("play", move="b1b2")
        job = await talk.pool.job(0)
        if best is not None:
            job.receive({"analysis": found(best)})
        tab.order("stop")
        if best is not None:
            await tab.at(2)
        else:
            await tab.of("running", is_paused=True)
            await quiet()
            assert len(talk.pool.jobs) == 1
            tab.order("resume", node=1)
            (await talk.pool.job(1)).settle(done("a3b2"))
            await tab.at(2)

    talk(work, store)


def test_in_an_earlier_position_an_agent_moves_only_if_it_is_asked(store):
    async def work(talk):
        tab = await talk.visit(talk.begin(moves=["b1b2", "a3b2"]))
        tab.order("go", node=1)
        await tab.at(1)
        await quiet()
        assert talk.pool.jobs == []
        tab.order("resume", node=1)
        (await talk.pool.job(0)).settle(done("c3b2"))
        assert (await tab.at(3))["node"]["parent"] == 1

    talk(work, store)


# -- pause and pace --------------------------------------------------------------------------------


def test_agents_play_each_other_at_a_pace_and_can_be_paused(store):
    async def work(talk):
        name = talk.begin(players=AGENTS)
        tab = await talk.visit(name)
        tab.order("set_pace", milliseconds=60_000)
        await tab.of("running", pace=60_000)
        (await talk.pool.job(0)).settle(done("b1b2"))  # it searches at once, and plays when it is time
        await quiet()
        assert await talk.moves(name) == []
        tab.order("set_pace", milliseconds=0)
        await tab.at(1)
        job = await talk.pool.job(1)
        tab.order("pause")
        await tab.of("running", is_paused=True)
        job.settle(done("a3b2"))
        await quiet()
        assert await talk.moves(name) == ["b1b2"]
        assert len(talk.pool.jobs) == 2
        tab.order("resume")
        (await talk.pool.job(2)).settle(done("c3b2"))
        await tab.at(2)

    talk(work, store)


def test_a_pause_outlives_its_page_and_every_tab_sees_it(store):
    async def work(talk):
        name = talk.begin(players=AGENTS)
        tab, other = await talk.visit(name), await talk.visit(name)
        tab.order("pause")
        for one in (tab, other):
            await one.of("running", is_paused=True)
            one.leave()
        again = await talk.visit(name)
        assert again.heard[0]["content"]["is_paused"]
        await quiet(1)
        assert talk.pool.jobs == []

    talk(work, store)


def test_a_person_who_takes_a_seat_ends_the_pause(store):
    async def work(talk):
        tab = await talk.visit(talk.begin(players=AGENTS))
        tab.order("pause")
        tab.order("sit", players=[AGENTS[0], {}])
        await tab.of("running", is_paused=False)
        await talk.pool.job(0)

    talk(work, store)


# -- dice ------------------------------------------------------------------------------------------

TWO_DICE = """
from zermelo import CHANCE, Game
class TwoDice(Game):
    "Two dice are rolled one after the other, then the player names their sum."
    players = 1
    chance = True
    utility_range = (0, 1)
    def initial(self): return ()
    def to_move(self, state): return CHANCE if len(state) < 2 else 0
    def actions(self, state):
        for action in range(1, 7) if len(state) < 2 else range(2, 13): yield action
    def outcomes(self, state): return [(face, 1 / 6) for face in range(1, 7)]
    def result(self, state, action): return (*state, action)
    def is_terminal(self, state): return len(state) == 3
    def utility(self, state, player): return float(state[2] == state[0] + state[1])
"""


@pytest.fixture
def two_dice(tmp_path):
    file = tmp_path / "two_dice.py"
    file.write_text(TWO_DICE)
    return str(file)


def test_two_dice_in_a_row_roll_by_themselves_once_in_two_tabs(store, two_dice):
    async def work(talk):
        name = talk.begin(two_dice, players=[{}])
        tabs = [await talk.visit(name) for _ in range(2)]
        for tab in tabs:
            tab.order("resume", node=0)
            await tab.at(2)
        await quiet(1)
        assert len(await talk.moves(name)) == 2
        assert talk.pool.jobs == []

    talk(work, store, [two_dice])


def test_an_agent_searches_while_a_roll_is_shown_and_plays_after_that(store, tmp_path, monkeypatch):
    monkeypatch.setattr(open_session, "ROLL_PAUSE", 3600.0)
    file = tmp_path / "one_die.py"
    rules = TWO_DICE.replace("CHANCE if len(state) < 2 else 0", "(0, CHANCE, 1)[len(state)]")
    file.write_text(rules.replace("players = 1", "players = 2\n    zero_sum = False"))

    async def work(talk):
        tab = await talk.visit(talk.begin(str(file), players=[{}, {"agent": "maxn", "level": 1}]))
        tab.order("play", move="6")
        job = await talk.pool.job(0)  # although the roll is shown for an hour
        await tab.at(2)
        job.settle({"done": found("8")})
        await quiet()
        assert len(await talk.moves(tab.heard[0]["content"]["session"]["id"])) == 2
        tab.order("resume", node=2)
        await tab.at(3)

    talk(work, store, [str(file)])


def test_dice_that_are_chosen_do_not_roll(store, two_dice):
    async def work(talk):
        name = talk.begin(two_dice, players=[{}], dice="chosen")
        tab = await talk.visit(name)
        await quiet(1)
        assert await talk.moves(name) == []
        tab.order("play", move="6")
        await tab.at(1)
        tab.order("sit", players=[{}], dice="rolled")
        await tab.at(2)

    talk(work, store, [two_dice])


def test_undo_and_redo_go_from_one_turn_of_a_person_to_the_next(store):
    async def work(talk):
        tab = await talk.visit(talk.begin(moves=["b1b2", "a3b2", "a1b2", "c3b2"]))
        for order, node in [("undo", 2), ("undo", 0), ("redo", 2), ("redo", 4)]:
            tab.order(order)
            await tab.at(node)

    talk(work, store)


# -- analyses --------------------------------------------------------------------------------------


def test_who_follows_the_game_gets_an_analysis_of_every_position(store):
    async def work(talk):
        name = talk.begin(players=[{}, {}])
        tab, other = await talk.visit(name), await talk.visit(name)
        tab.order("follow", is_on=True)
        first = await talk.pool.job(0)
        assert (first.order["level"], first.order["moves"]) == (None, [])
        tab.order("play", move="b1b2")
        second = await talk.pool.job(1)
        assert first in talk.pool.stopped
        assert second.order["moves"] == ["b1b2"]
        second.receive({"analysis": found("a3b2")})
        second.receive(done("a3b2"))
        assert (await tab.of("analysis"))["node"] == 1
        assert (await other.of("judged"))["judgement"]["best"] == "a3b2"
        assert not any(news["event"] == "analysis" for news in other.heard)
        tab.order("follow", is_on=False)
        tab.order("undo")
        await tab.at(0)
        await quiet()
        assert len(talk.pool.jobs) == 2

    talk(work, store)


def test_an_analysis_that_was_ordered_for_one_node_goes_on_when_the_game_does(store):
    async def work(talk):
        tab = await talk.visit(talk.begin(players=[{}, {}]))
        tab.order("analyse", node=0, seconds=9)
        job = await talk.pool.job(0)
        assert job.order["time"] == 9
        tab.order("play", move="b1b2")
        await tab.at(1)
        await quiet()
        assert job not in talk.pool.stopped
        job.settle(done("b1b2"))
        assert (await tab.of("judged"))["node"] == 0

    talk(work, store)


# -- the review ------------------------------------------------------------------------------------


def is_reviewed(news):
    return news["event"] == "review" and news["content"] is None


def test_a_review_analyses_the_line_for_all_tabs_and_outlives_its_page(store):
    async def work(talk):
        name = talk.begin(players=[{}, {}], moves=["b1b2", "a3b2"])
        tab = await talk.visit(name)
        tab.order("review")
        (await talk.pool.job(0)).settle(done("b1b2"))
        await talk.pool.job(1)
        tab.leave()
        await quiet()
        again = await talk.visit(name)
        assert again.heard[0]["content"]["review"] == {"done": 1, "total": 3}
        (await talk.pool.job(1)).settle({"done": None})  # nothing was found, and it goes on
        (await talk.pool.job(2)).settle(done("a1b2"))
        await again.until(is_reviewed)
        again.order("review")  # what has no judgement is tried again
        assert (await talk.pool.job(3)).order["moves"] == ["b1b2"]

    talk(work, store)


def test_a_review_waits_while_no_page_is_open(store):
    async def work(talk):
        name = talk.begin(players=[{}, {}], moves=["b1b2", "a3b2"])
        tab = await talk.visit(name)
        tab.order("review")
        job = await talk.pool.job(0)
        tab.leave()
        await quiet()
        job.settle(done("b1b2"))
        await quiet()
        assert len(talk.pool.jobs) == 1
        await talk.visit(name)
        await talk.pool.job(1)

    talk(work, store)


def test_a_review_can_be_stopped_and_what_is_followed_goes_on(store):
    async def work(talk):
        tab = await talk.visit(talk.begin(players=[{}, {}], moves=["b1b2", "a3b2"]))
        tab.order("follow", is_on=True)
        followed = await talk.pool.job(0)
        tab.order("review")
        job = await talk.pool.job(1)
        assert followed in talk.pool.stopped
        tab.order("stop")
        await tab.until(is_reviewed)
        assert job in talk.pool.stopped
        assert (await talk.pool.job(2)).order["moves"] == ["b1b2", "a3b2"]

    talk(work, store)


def test_a_review_of_hidden_cards_is_refused(store, tmp_path):
    async def work(talk):
        tab = await talk.visit(talk.begin("examples/kuhn.py", players=[{}, {"agent": "random"}]))
        tab.order("review")
        assert "hidden" in (await tab.of("refused"))["error"]

    talk(work, store, ["examples/kuhn.py"])


# -- rules that hang -------------------------------------------------------------------------------


def test_rules_that_hang_delay_neither_other_orders_nor_other_games(store, monkeypatch):
    let, is_inside = threading.Event(), threading.Event()

    async def work(talk):
        slow, other = talk.begin(players=[{}, {}], moves=["b1b2"]), talk.begin(players=[{}, {}])
        session = talk.sessions.get(slow)

        def hang(*_values):
            is_inside.set()
            assert let.wait(20)

        monkeypatch.setattr(session, "play", hang)
        tab, another = await talk.visit(slow), await talk.visit(other)
        tab.order("play", move="b1b2")
        tab.order("undo")
        while not is_inside.is_set():
            await asyncio.sleep(0.01)
        tab.order("pause")
        await tab.of("running", is_paused=True)
        another.order("play", move="b1b2")
        await another.at(1)
        let.set()
        await tab.at(0)

    talk(work, store)


def test_more_orders_than_the_rules_can_follow_are_refused(store, monkeypatch):
    let = threading.Event()
    monkeypatch.setattr(service_module, "BURST", 1000.0)

    async def work(talk):
        name = talk.begin(players=[{}, {}])
        session = talk.sessions.get(name)
        monkeypatch.setattr(session, "undo", lambda: let.wait(20))
        tab = await talk.visit(name)
        for _ in range(60):
            tab.order("undo")
        assert "too many orders" in (await tab.of("refused"))["error"]
        let.set()

    talk(work, store)


# -- events ----------------------------------------------------------------------------------------


def test_changes_are_numbered_and_progress_has_the_number_of_the_latest_change(store):
    async def work(talk):
        tab = await talk.visit(talk.begin(players=[{}, {}]))
        first = tab.heard[0]["seq"]
        tab.order("play", move="b1b2", id=5)
        assert await tab.of("accepted") == {"id": 5}
        tab.order("set_pace", milliseconds=100)
        await tab.of("running")
        tab.order("undo")
        await tab.at(0)
        told = [(news["seq"] - first, news["event"]) for news in tab.heard]
        assert told[:5] == [(0, "snapshot"), (1, "moved"), (1, "accepted"), (1, "running"), (2, "went")]

    talk(work, store)


def test_a_refusal_names_the_order(store):
    async def work(talk):
        tab = await talk.visit(talk.begin(players=[{}, {}]))
        tab.order("play", move="z9", id=7)
        refusal = await tab.of("refused")
        assert refusal["id"] == 7
        assert "z9 is not a move here" in refusal["error"]
        tab.order("analyse", node=999, id=8)
        assert (await tab.of("refused"))["id"] == 8

    talk(work, store)


def test_an_illegal_move_elsewhere_is_refused_and_all_pages_know_where_the_game_is(store):
    async def work(talk):
        name = talk.begin(players=[{}, {}], moves=["b1b2", "a3b2"])
        tab, other = await talk.visit(name), await talk.visit(name)
        tab.order("play", move="z9", node=0)
        await tab.of("refused")
        assert (await other.at(0))["visited"] == [0]
        assert await talk.current(name) == 0

    talk(work, store)


def test_a_page_that_missed_something_gets_the_whole_state(store):
    async def work(talk):
        tab = await talk.visit(talk.begin(players=[{}, {}]))
        tab.order("play", move="b1b2")
        await tab.at(1)
        tab.order("snapshot")
        again = await tab.of("snapshot")
        assert (tab.heard[-1]["seq"], again["session"]["current"]) == (tab.heard[0]["seq"] + 1, 1)

    talk(work, store)


def test_a_session_without_a_page_is_not_kept_in_memory(store):
    async def work(talk):
        name = talk.begin(players=[{}, {}])
        tab = await talk.visit(name)
        opened = talk.service._publisher.opened(name)
        assert opened.source is talk.sessions.get(name)
        tab.leave()
        await quiet()
        assert opened.source is None
        await talk.service.change(name, lambda session: session.play("b1b2"))
        again = await talk.visit(name)
        assert again.heard[0]["content"]["session"]["current"] == 1
        again.order("play", move="a3b2")
        await again.at(2)
        assert not any(news["event"] == "snapshot" for news in again.heard[1:])

    talk(work, store)


def test_a_change_by_another_server_brings_a_snapshot(store):
    async def work(talk):
        name = talk.begin(players=[{}, {}])
        tab = await talk.visit(name)
        other = Sessions(Catalogue(), Store(store))
        other.change(name, lambda session: session.play("b1b2"))
        tab.order("play", move="a1a2", node=0)
        await tab.of("accepted")
        tab.order("snapshot")
        nodes = (await tab.of("snapshot"))["session"]["nodes"]
        assert [node["move"] for node in nodes] == ["", "b1b2", "a1a2"]

    talk(work, store)


def test_in_a_hidden_game_another_view_brings_a_snapshot_and_no_move_of_the_other(store):
    async def work(talk):
        tab = await talk.visit(talk.begin("examples/kuhn.py", players=[{}, {}]))
        await tab.until(lambda news: news["event"] == "snapshot" and news["content"]["session"]["curtain"] == 0)
        tab.order("lift", seat=0)
        await tab.of("snapshot")
        tab.order("play", move="check")
        nodes = (await tab.of("snapshot"))["session"]["nodes"]
        assert [node["move"] for node in nodes if node["player"] == 0] == ["…"]

    talk(work, store, ["examples/kuhn.py"])


TO_AND_FRO = """
from zermelo import Game
class ToAndFro(Game):
    "A walk that ends after a thousand steps."
    def initial(self): return (0, 0)
    def to_move(self, state): return state[0] % 2
    def actions(self, state):
        if state[0] < 1000: yield 1 - state[1]
    def result(self, state, action): return (state[0] + 1, action)
    def is_terminal(self, state): return state[0] == 1000
    def utility(self, state, player): return 0
"""


def test_an_event_does_not_grow_with_the_game(store, tmp_path):
    file = tmp_path / "to_and_fro.py"
    file.write_text(TO_AND_FRO)

    async def work(talk):
        name = talk.begin(str(file), players=[{}, {}])
        tab = await talk.visit(name)
        sizes = {}
        for ply in range(1, 501):
            await talk.service.change(name, lambda session, move=str(ply % 2): session.play(move))
            if ply in (10, 500):
                sizes[ply] = len(json.dumps(await tab.at(ply)))
        assert sizes[500] - sizes[10] < 20  # the numbers have more digits

    talk(work, store, [str(file)])


def test_a_slow_page_misses_progress_and_no_change():
    async def work():
        opened = OpenSession("")
        client = Client(socket=None, opened=opened)
        opened.clients.add(client)
        for number in range(100):
            opened.publish("judged", number)
            opened.broadcast("review", number)
        told = [json.loads(text) for text in client._waiting.values()]
        assert [one["content"] for one in told if one["event"] == "judged"] == list(range(100))
        assert [one["content"] for one in told if one["event"] == "review"] == [99]

    run_async(work())


def test_a_page_that_is_much_too_slow_connects_again():
    closed = []

    class Socket:
        async def close(self, code, _reason):
            closed.append(code)

    async def work():
        client = Client(Socket(), OpenSession(""))
        for number in range(1001):
            client.tell("judged", number)
        await asyncio.wait_for(client.send_news(), 10)

    run_async(work())
    assert closed == [1013]
