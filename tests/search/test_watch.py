"""Whatever runs under a watch can be stopped, and nothing that goes wrong there is lost."""

import _thread
import functools
import sys
import threading
import time
import types

import pytest
from search_games import Merry

from zermelo.core.errors import RulesError
from zermelo.search.runtime.watch import Watch
from zermelo.textbook import minimax

pytestmark = pytest.mark.plain

SECONDS = 20


class Patient:
    """A search that goes on until it is stopped."""

    def __init__(self, seconds=None):
        self.stops = 0
        self.watch = Watch(self.stop, seconds)

    def stop(self):
        self.stops += 1

    def search(self):
        while not self.stops:
            time.sleep(0.001)
        return "stopped"


def test_the_clock_starts_with_the_search_not_with_the_compiler_before_it():
    watch = Watch(pytest.fail, 5.0)
    watch.started -= 60  # compiling took a minute
    watch.run(lambda: time.sleep(0.05))
    assert not watch.out_of_time
    assert watch.seconds < SECONDS


def test_a_result_comes_back_and_the_clock_has_run():
    watch = Watch(pytest.fail)
    assert watch.run(lambda: 42) == 42
    assert (watch.out_of_time, watch.interrupted, watch.is_over) == (False, False, False)
    assert 0 < watch.seconds < SECONDS


def test_an_error_of_the_search_is_the_callers():
    with pytest.raises(ZeroDivisionError):
        Watch(pytest.fail).run(lambda: 1 // 0)


def test_a_search_is_stopped_when_its_time_is_over():
    patient = Patient(0.05)
    assert patient.watch.run(patient.search) == "stopped"
    assert (patient.watch.out_of_time, patient.watch.interrupted) == (True, False)


def test_a_watch_whose_time_is_over_stops_every_later_search():
    patient = Patient(0.05)
    patient.watch.run(patient.search)
    patient.stops = 0
    assert patient.watch.run(patient.search) == "stopped"


@pytest.mark.compiled
@pytest.mark.ctrl_c
def test_control_c_stops_a_search():
    patient = Patient()
    timer = threading.Timer(0.1, _thread.interrupt_main)
    timer.start()
    assert patient.watch.run(patient.search) == "stopped"
    timer.join()
    assert (patient.watch.interrupted, patient.watch.is_over) == (True, True)


@pytest.mark.compiled
@pytest.mark.ctrl_c
def test_a_second_control_c_does_not_wait():
    """For rules that loop for ever."""
    release = threading.Event()
    watch = Watch(lambda: None)
    timers = [threading.Timer(delay, _thread.interrupt_main) for delay in (0.1, 0.4)]
    for timer in timers:
        timer.start()
    with pytest.raises(KeyboardInterrupt):
        watch.run(lambda: release.wait(SECONDS))
    release.set()
    for timer in timers:
        timer.join()
    assert watch.interrupted


def test_an_error_of_the_tick_stops_the_search():
    patient = Patient()

    def tick():
        raise RuntimeError("no more paper")

    with pytest.raises(RuntimeError, match="no more paper"):
        patient.watch.run(patient.search, tick)
    assert patient.stops == 1


def test_ticks_come_now_and_then():
    patient, ticks = Patient(0.2), []
    patient.watch.run(patient.search, lambda: ticks.append(patient.watch.seconds))
    assert len(ticks) >= 2
    assert ticks == sorted(ticks)


def test_the_stack_is_deep():
    def down(plies):
        return plies and 1 + max(down(left) for left in [plies - 1])

    assert Watch(pytest.fail).run(lambda: down(9000)) == 9000


def test_after_a_search_an_endless_recursion_still_ends_in_an_error():
    """The deep recursion is for the search's own thread: elsewhere it would overrun the stack and crash."""
    before = sys.getrecursionlimit()
    inside = Watch(stop=lambda: None).run(sys.getrecursionlimit)
    assert inside > before
    assert sys.getrecursionlimit() == before


def test_two_searches_at_once_leave_the_recursion_limit_as_it_was():
    before = sys.getrecursionlimit()
    first, second = threading.Event(), threading.Event()

    def long_search():
        Watch(stop=lambda: None).run(lambda: first.wait(10))
        second.set()

    thread = threading.Thread(target=long_search)
    thread.start()
    assert Watch(stop=lambda: None).run(lambda: 7) == 7
    first.set()
    thread.join()
    assert second.is_set()
    assert sys.getrecursionlimit() == before


# -- rules that never return -------------------------------------------------------------------------------------------


class Stuck(Merry):
    """The rules of a game that do not return; another thread lets them go."""

    def __init__(self):
        self.release = threading.Event()

    def result(self, state, action):
        while not self.release.is_set():
            time.sleep(0.001)
        return state


@pytest.fixture
def _impatient(monkeypatch):
    monkeypatch.setattr("zermelo.search.runtime.watch.PATIENCE", 0.2)


@pytest.mark.usefixtures("_impatient")
def test_rules_that_do_not_return_are_abandoned_and_named():
    game, watch = Stuck(), Watch(lambda: None, 0.05)
    began = time.monotonic()
    with pytest.raises(RulesError, match=r"result \(test_watch.py:\d+\) has not returned .* that never ends"):
        watch.run(lambda: minimax(game, 0, 0, 3))
    assert time.monotonic() - began < SECONDS
    game.release.set()


@pytest.mark.usefixtures("_impatient")
def test_rules_from_a_file_are_named_too():
    """Their module has a name that looks like one of the package's."""
    release = threading.Event()
    names = {"__name__": "zermelo_file_mine_1234", "release": release, "time": time}
    rules = types.FunctionType(Stuck.result.__code__, names, "result")
    game = types.SimpleNamespace(release=release)
    with pytest.raises(RulesError, match=r"result \(test_watch.py:\d+\) has not returned"):
        Watch(lambda: None, 0.05).run(functools.partial(rules, game, 0, 1))
    release.set()


def test_a_search_that_stops_when_asked_is_not_abandoned():
    patient = Patient()
    assert patient.watch.run(patient.search, patient.watch.request_stop) == "stopped"
    assert (patient.watch.is_stop_requested, patient.watch.out_of_time) == (True, False)


@pytest.mark.usefixtures("_impatient")
def test_a_slow_progress_callback_is_not_abandoned():
    """A pipe without a reader blocks the search, but its rules are not to blame."""
    report = types.FunctionType((lambda: time.sleep(1)).__code__, {"__name__": "zermelo.cli.report", "time": time})
    assert Watch(lambda: None, 0.05).run(lambda: report() or "told") == "told"
