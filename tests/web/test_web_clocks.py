"""Clocks: the server owns them. They run for the side to move, survive restarts, and a flag falls by itself."""

from types import SimpleNamespace

import pytest
from talking import found, quiet, talk

from zermelo.core.errors import Refused, UsageError
from zermelo.web import game_clock
from zermelo.web.catalogue import Catalogue
from zermelo.web.messages import NewSession
from zermelo.web.sessions import Sessions
from zermelo.web.store import Store

pytestmark = pytest.mark.plain

CLOCK = {"seconds": 60, "increment": 2}
PEOPLE = [{}, {}]


@pytest.fixture
def hours(monkeypatch):
    """A time that passes when the test says so."""
    now = SimpleNamespace(seconds=0.0)
    monkeypatch.setattr(game_clock, "time", SimpleNamespace(monotonic=lambda: now.seconds))

    def wait(seconds):
        now.seconds += seconds

    return wait


@pytest.fixture
def begun(store):
    """A new game with a clock that may run."""
    sessions = Sessions(Catalogue(), Store(store))

    def begin(game="hexapawn", **wanted):
        wanted.setdefault("players", PEOPLE)
        session = sessions.create(NewSession.model_validate({"game": game, "clock": CLOCK, **wanted}))
        session.let_clock_run(True)
        return session

    return begin


def clock_of(session):
    state = session.state().clock
    return [milliseconds / 1000 for milliseconds in state.left], state.running


def test_the_time_of_the_side_to_move_runs_and_each_move_adds_the_increment(begun, hours):
    session = begun()
    hours(10)
    assert clock_of(session) == ([50, 60], 0)
    session.play("b1b2")
    assert clock_of(session) == ([52, 60], 1)
    hours(5)
    session.play("a3b2")
    assert clock_of(session) == ([52, 57], 0)


def test_no_clock_runs_before_a_page_is_open_in_a_pause_or_away_from_the_end_of_the_line(begun, hours):
    session = begun()
    session.let_clock_run(False)
    hours(10)
    session.play("b1b2")
    assert clock_of(session) == ([60, 60], None)
    session.let_clock_run(True)
    hours(1)
    session.go(0)
    hours(10)
    assert clock_of(session) == ([60, 59], None)
    session.go(1)
    assert clock_of(session) == ([60, 59], 1)


def test_no_clock_runs_while_dice_roll(begun, hours):
    session = begun("backgammon")
    hours(10)
    assert clock_of(session) == ([60, 60], None)
    while session.roll(session.current):
        pass
    hours(1)
    left, running = clock_of(session)
    assert sum(left) == 119
    assert left[running] == 59


def test_whoever_has_no_time_left_has_lost_and_no_move_comes_too_late(begun, hours):
    session = begun()
    session.play("b1b2")
    session.take_events()
    hours(59.9)
    assert not session.lose_on_time()
    hours(0.2)
    with pytest.raises(Refused) as refused:
        session.play("a3b2")
    assert str(refused.value) == "the game is over: White wins on time; go back to play on without a clock"
    position = session.position()
    assert (position.is_over, position.outcome, position.moves, position.board.touches) == (
        True,
        "White wins on time",
        [],
        {},
    )
    assert session.standing().turn is None
    assert clock_of(session) == ([62, 0], None)
    assert session.state().clock.loser == 1
    ((kind, event),) = session.take_events()
    assert (kind, event.visited, event.position) == ("went", [], position)
    session.undo()
    session.play("c1c2")
    hours(100)
    session.play("b3c2")
    assert clock_of(session) == ([62, 0], None)


def test_the_clock_is_on_disk_with_each_move_and_goes_on_after_a_restart(begun, hours, store):
    session = begun()
    hours(3)
    session.play("b1b2")
    hours(4)
    session.let_clock_run(False)
    again = Sessions(Catalogue(), Store(store)).get(session.id)
    assert clock_of(again) == ([59, 56], None)
    again.let_clock_run(True)
    hours(57)
    assert again.lose_on_time()
    at_last = Sessions(Catalogue(), Store(store)).get(session.id)
    assert at_last.position().outcome == "White wins on time"
    assert at_last.state().clock.loser == 1


def test_a_clock_is_for_two(begun):
    with pytest.raises(UsageError, match="a clock is for two players, and trio has 3; leave it out"):
        begun("trio", players=[{}] * 3)
    for wrong in ({"seconds": 9}, {"seconds": 60.5}, {"seconds": 60, "increment": -1}, {"seconds": 90_000}):
        with pytest.raises(ValueError, match="clock"):
            NewSession.model_validate({"game": "nim", "clock": wrong})


# -- the service -----------------------------------------------------------------------------------


def test_a_flag_falls_by_itself_and_all_pages_see_it(store):
    async def work(talk):
        name = talk.begin(clock=CLOCK, players=PEOPLE)
        talk.sessions.get(name).clock.left[0] = 0.3
        tab, other = await talk.visit(name), await talk.visit(name)
        for page in (tab, other):
            over = await page.of("went", visited=[])
            assert over["position"]["outcome"] == "Black wins on time"
            assert (await page.of("clock", loser=0))["left"] == [0, 60_000]

    talk(work, store)


def test_a_pause_and_closing_the_page_stop_the_clock(store):
    async def work(talk):
        name = talk.begin(clock=CLOCK, players=PEOPLE)
        tab = await talk.visit(name)
        await tab.of("clock", running=0)
        tab.order("pause")
        await tab.of("clock", running=None)
        tab.order("resume")
        await tab.of("clock", running=0)
        session = talk.sessions.get(name)
        tab.leave()
        for _ in range(100):
            if session.clock.running is None:
                return
            await quiet(0.05)
        raise AssertionError("the clock runs without a page")

    talk(work, store)


def test_an_agent_gets_its_clock_and_loses_if_it_is_too_slow(store):
    async def work(talk):
        name = talk.begin(clock=CLOCK)
        tab = await talk.visit(name)
        await tab.of("clock", running=0)
        tab.order("play", move="b1b2")
        job = await talk.pool.job(0)
        assert 2 < job.order["time"] < 4  # a share of its minute, and most of the increment
        job.settle({"done": found("a3b2")})
        await tab.at(2)
        talk.sessions.get(name).clock.left[1] = 1.5
        tab.order("play", move="a1b2")
        slow = await talk.pool.job(1)
        assert slow.order["time"] < 2
        over = await tab.of("went", visited=[])
        assert over["position"]["outcome"] == "White wins on time"
        assert slow in talk.pool.stopped

    talk(work, store)


def test_without_a_clock_nothing_of_it_is_sent(store):
    async def work(talk):
        tab = await talk.visit(talk.begin())
        tab.order("play", move="b1b2")
        (await talk.pool.job(0)).settle({"done": found("a3b2")})
        await tab.at(2)
        assert "clock" not in [news["event"] for news in tab.heard]
        assert tab.heard[0]["content"]["session"]["clock"] is None

    talk(work, store)
