"""What is stopped before it has found anything ends soon, with one sentence; what has found something keeps it."""

import time

import pytest

from zermelo.equilibrium import programme, solve
from zermelo.equilibrium.flatten import MOST_ENDS, MOST_PLIES, flatten, make_harvest, walk
from zermelo.equilibrium.programme import solve_form
from zermelo.equilibrium.stacked import solve_stacked
from zermelo.equilibrium.stopping import STOPPED, TICK, Halted, stopping
from zermelo.games import find

SENTENCE = "was stopped before anything was found"


def always():
    return True


def test_a_walk_through_the_rules_can_be_stopped():
    with pytest.raises(Halted, match=SENTENCE):
        flatten(find("leduc"), is_stopped=always)


def test_the_walk_itself_ends_early():
    """Chance first deals 52 * 51 pairs of cards, so the whole walk takes seconds."""
    game = find("leduc:ranks=13,suits=4")
    harvest = make_harvest(2, 1, MOST_ENDS, has_buckets=False)
    with stopping(harvest, always):
        time.sleep(3 * TICK)  # the looker has set the trouble before the walk begins
        histories = walk.run(game, game.initial(), (0, 1), 1.0, MOST_PLIES, harvest)
    assert harvest.trouble == STOPPED
    assert histories < 100


def test_a_linear_programme_can_be_stopped():
    with pytest.raises(Halted, match=SENTENCE):
        solve_form(flatten(find("leduc")), is_stopped=always)
    assert not programme.in_solver.is_set()


def test_the_solver_is_stopped_between_two_pivots():
    """It is asked once before it begins, then at its pivots."""
    asked = []

    def is_stopped():
        asked.append(programme.in_solver.is_set())
        return len(asked) > 5

    with pytest.raises(Halted):
        solve_form(flatten(find("leduc")), is_stopped=is_stopped)
    assert any(asked)
    assert len(asked) < 100


def test_the_interior_point_method_can_be_stopped(monkeypatch):
    """It begins when the simplex method has made as many pivots as it may."""
    monkeypatch.setattr(programme, "PATIENCE", 0)
    outside, inside = [], []

    def is_stopped():
        if not programme.in_solver.is_set():
            outside.append(len(inside))  # before and after each method
        elif len(outside) == 3:
            inside.append(True)
        return bool(inside)

    with pytest.raises(Halted):
        solve_form(flatten(find("leduc")), is_stopped=is_stopped)
    assert len(outside) == 4
    assert len(inside) < 20


def test_backward_induction_can_be_stopped():
    with pytest.raises(Halted, match=SENTENCE):
        solve_stacked(find("oshi-zumo"), always)


def test_regret_minimisation_keeps_what_it_has():
    seen = []
    found = solve(
        "kuhn", "cfr+", to=1e-12, on_progress=lambda done, gain: seen.append(done), is_stopped=lambda: bool(seen)
    )
    assert (found.stopped, found.iterations) == ("user", seen[0])


def test_solving_that_is_not_stopped_is_not_changed():
    assert solve("kuhn", "lp", is_stopped=lambda: False).value == solve("kuhn", "lp").value
