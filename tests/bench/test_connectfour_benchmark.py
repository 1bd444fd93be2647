"""The positions that Connect Four is measured on, and that the C++ twin gives them the same scores."""

import dataclasses
import random

import pytest

from zermelo.bench import connectfour
from zermelo.bench.connectfour import CLASSES, GAME, compare, draw_positions, ends_within, play_at_random
from zermelo.bench.connectfour_hard import BEGIN_HARD
from zermelo.core.errors import UsageError
from zermelo.kernel import popcount
from zermelo.solve.proof import Proof

pytestmark = pytest.mark.plain

EASY = [dataclasses.replace(kind, positions=4) for kind in CLASSES if kind.name in ("end-easy", "middle-easy")]


@pytest.fixture(scope="module")
def proof():
    return Proof(GAME, 1)


def plies_left(state, score):
    """Both sides play perfectly, and the score is what the winner's stones left tell."""
    left = GAME.cells - popcount(state.filled)
    if score == 0:
        return left
    return next(
        plies
        for plies in range(1, left + 1)
        if plies % 2 == (score > 0) and GAME.win_value(GAME.cells - left + plies) == abs(score)
    )


def test_the_classes_share_no_position():
    kinds = [*CLASSES, BEGIN_HARD]
    for one in kinds:
        for other in kinds:
            assert one is other or not set(one.stones) & set(other.stones) or not set(one.plies) & set(other.plies)


def test_no_game_is_over_and_none_is_won_at_once():
    rng = random.Random(1)
    for stones in (1, 7, 20, 30):
        texts = [play_at_random(rng, stones) for _ in range(80)]
        assert any(texts)
        for text in filter(None, texts):
            state = GAME.position_after(text)
            assert len(text) == stones
            assert not any(GAME.is_terminal(GAME.result(state, action)) for action in GAME.actions(state))


@pytest.mark.compiled
@pytest.mark.parametrize("kind", EASY, ids=lambda kind: kind.name)
def test_positions_are_of_their_class_and_always_the_same(kind, proof):
    texts = draw_positions(kind, proof)
    assert texts == draw_positions(kind, proof)
    for text in texts:
        state = GAME.position_after(text)
        score = connectfour.prove(proof, state)[0]
        assert popcount(state.filled) in kind.stones
        assert plies_left(state, score) in kind.plies


@pytest.mark.compiled
@pytest.mark.parametrize("stones", [24, 31])
def test_the_end_is_as_far_as_the_exact_score_says(stones, proof):
    rng = random.Random(stones)
    for text in filter(None, (play_at_random(rng, stones) for _ in range(20))):
        state = GAME.position_after(text)
        left = plies_left(state, connectfour.prove(proof, state)[0])
        assert [plies for plies in range(19) if ends_within(proof, state, plies)] == list(range(left, 19))


@pytest.mark.compiled
@pytest.mark.needs("g++")
def test_the_twin_gives_the_same_scores():
    """`compare` raises an error if it does not."""
    found = list(compare(tuple(EASY)))
    assert [measurement.name.split(",")[0] for measurement in found] == [f"connect-four {kind.name}" for kind in EASY]
    assert all(measurement.ours > 0 and measurement.peer > 0 for measurement in found)


def test_without_a_compiler_there_is_a_sentence(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(UsageError, match=r"the C\+\+ twin needs g\+\+ to be installed"):
        next(compare(CLASSES))
