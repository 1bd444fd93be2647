"""The bear-off tables: against plain expectation, by the rules of the game itself, and on disk."""

import functools
import random

import numpy
import pytest

from zermelo.games.backgammon import Backgammon
from zermelo.games.backgammon.bearoff import (
    FEW_POSITIONS,
    POSITIONS,
    ROLLS,
    number_of,
    positions,
    rolls,
)
from zermelo.games.backgammon.board import CHECKERS, OFF, count_at, side_of
from zermelo.games.backgammon.position import NEITHER, PLAYING, WHITE, Position, stakes_of, turn_of
from zermelo.games.backgammon.race import Race
from zermelo.games.backgammon.tables import load_or_make, race_chances, rolls_needed

pytestmark = pytest.mark.plain

GAME = Backgammon()


def side(counts):
    """A side with these numbers of checkers on points 1, 2, 3 ... and the others borne off."""
    return side_of({OFF: CHECKERS - sum(counts), **dict(enumerate(counts, 1))})


def counts_of(one):
    return tuple(count_at(one, point) for point in range(1, 7))


@functools.cache
def ways(counts, high, low):
    """Where the rules of the game let a roll lead, far from the other side."""
    state = Position(side(counts), side((15,)), turn_of(WHITE, PLAYING, high, low), stakes_of(0, NEITHER))
    return {counts_of(GAME.result(state, action).theirs) for action in GAME.actions(state)}


@functools.cache
def expected(counts):
    """The mean number of rolls, if the fewest are aimed at."""
    if not any(counts):
        return 0.0
    return 1 + sum(chance * min(map(expected, ways(counts, high, low))) for high, low, chance in rolls())


@functools.cache
def wins(mine, theirs):
    """How likely the side on roll wins with best play."""
    total = 0.0
    for high, low, chance in rolls():
        total += chance * max(1.0 if not any(then) else 1 - wins(theirs, then) for then in ways(mine, high, low))
    return total


def number(counts):
    return int(number_of(numpy.array(counts)))


def padded(*counts):
    return counts + (0,) * (6 - len(counts))


def test_there_are_as_many_positions_as_known():
    assert (POSITIONS, FEW_POSITIONS) == (54_264, 924)
    rows = positions()
    assert (number_of(rows) == numpy.arange(POSITIONS)).all()
    assert rows[:FEW_POSITIONS].sum(axis=1).max() == 6
    assert rows[FEW_POSITIONS:].sum(axis=1).min() == 7


def test_the_tables_are_distributions_and_chances():
    needed, chances = rolls_needed(), race_chances()
    assert needed.shape == (POSITIONS, ROLLS)
    assert chances.shape == (FEW_POSITIONS, FEW_POSITIONS)
    assert (needed[1:, 0] == 1).all()
    assert not needed[0].any()
    assert (numpy.diff(needed, axis=1) <= 1e-12).all()
    assert needed[:, -1].max() < 1e-9
    assert ((chances[1:, 1:] > -1e-12) & (chances[1:, 1:] <= 1 + 1e-12)).all()


def test_known_chances_of_the_last_two_rolls():
    """One checker on the 6 point goes with 27 of 36 rolls, and two on 6 and 1 with 15."""
    chances, ace = race_chances(), number(padded(1))
    assert chances[number((0, 0, 0, 0, 0, 1)), ace] == pytest.approx(27 / 36)
    assert chances[number((1, 0, 0, 0, 0, 1)), ace] == pytest.approx(15 / 36)
    assert chances[number(padded(0, 0, 2)), ace] == pytest.approx(17 / 36)


SMALL = [padded(4), padded(1, 2), (0, 0, 0, 0, 0, 2), (1, 0, 1, 0, 1, 0), (0, 1, 0, 0, 1, 0)]


@pytest.mark.parametrize("counts", SMALL, ids=str)
def test_the_mean_number_of_rolls_is_the_plain_expectation(counts):
    assert rolls_needed()[number(counts)].sum() == pytest.approx(expected(counts), abs=1e-12)


def test_chances_are_the_plain_expectation_of_best_play():
    rng = random.Random(2)
    small = [tuple(map(int, row)) for row in positions()[1:FEW_POSITIONS] if row.sum() <= 2 and row @ range(1, 7) <= 7]
    for _ in range(12):
        mine, theirs = rng.choice(small), rng.choice(small)
        assert race_chances()[number(mine), number(theirs)] == pytest.approx(wins(mine, theirs), abs=1e-12)


def test_one_step_of_expectation_holds_for_large_positions_too():
    rng, needed = random.Random(3), rolls_needed()
    mean = needed.sum(axis=1)
    for _ in range(10):
        counts = tuple(map(int, positions()[rng.randrange(FEW_POSITIONS, POSITIONS)]))
        best = [min((mean[number(then)], then) for then in ways(counts, high, low))[1] for high, low, _ in rolls()]
        total = sum(chance * mean[number(then)] for (_, _, chance), then in zip(rolls(), best, strict=True))
        assert mean[number(counts)] == pytest.approx(1 + total)


# -- the race by the tables ----------------------------------------------------------------------------------


def test_races_use_the_tables_where_they_can():
    race = Race()
    mine, theirs = padded(1, 1, 1), padded(2, 2)
    assert race.number_of(side(mine)) == number(mine)
    win, gain, loss = race.outlook(side(mine), side(theirs))
    assert win == race_chances()[number(mine), number(theirs)]
    assert (gain, loss) == (0, 0)


def test_a_race_with_many_checkers_compares_the_numbers_of_rolls():
    mine, theirs = (2, 2, 2, 1, 1, 1), (3, 2, 2, 1, 1, 0)
    needed = rolls_needed()
    chances = -numpy.diff(needed[number(mine)])
    plain = sum(chances[n] * needed[number(theirs)][n] for n in range(ROLLS - 1))
    assert Race().outlook(side(mine), side(theirs))[0] == pytest.approx(plain)


def test_checkers_on_their_way_home_cost_their_pips():
    race = Race()
    home, away = side((2, 2, 2, 3, 3, 3)), side_of({1: 2, 2: 2, 3: 2, 4: 3, 5: 3, 8: 3})
    chances = [race.outlook(*sides)[0] for sides in ((home, away), (home, home), (away, away), (away, home))]
    assert chances == sorted(chances, reverse=True)
    assert 0.7 > chances[1] > chances[2] > 0.5 > chances[3]


def test_a_gammon_is_near_when_the_other_side_is_far_from_home():
    win, gain, loss = Race().outlook(side((2,)), side_of({12: 15}))
    assert (win, loss) == (pytest.approx(1, abs=1e-6), 0)
    assert gain == pytest.approx(1, abs=1e-3)
    assert Race().outlook(side((2,)), side_of({OFF: 1, 12: 14}))[1] == 0


# -- on disk ---------------------------------------------------------------------------------------------------


def test_a_table_is_made_once_and_again_if_its_file_is_damaged(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))
    made = []

    def make():
        made.append(1)
        return numpy.arange(6.0).reshape(2, 3)

    for _ in range(3):
        assert (load_or_make("small", (2, 3), make) == make()).all()
    assert len(made) == 1 + 3
    file = next((tmp_path / "tables").iterdir())
    assert numpy.load(file, allow_pickle=False).shape == (2, 3)
    for damage in (b"", file.read_bytes()[:-40], file.read_bytes().replace(b"\x08\x40", b"\x09\x40")):
        file.write_bytes(damage)
        assert (load_or_make("small", (2, 3), make) == make()).all()
    assert len(made) == 1 + 3 + 2 * 3
    assert load_or_make("small", (3, 2), lambda: numpy.zeros((3, 2))).shape == (3, 2)


def test_the_table_is_made_even_if_it_cannot_be_saved(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "file"))
    assert load_or_make("small", (1,), lambda: numpy.zeros(1)).tolist() == [0]
