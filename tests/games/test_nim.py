import functools
import operator
import random
from collections import Counter

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.core.errors import BadPosition, IllegalMove, UsageError
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.nim import Nim, Position

pytestmark = pytest.mark.plain


def plain_moves(heaps):
    """All that can be left by taking from one heap; the twin knows no move numbers."""
    return [(*heaps[:i], left, *heaps[i + 1 :]) for i, heap in enumerate(heaps) for left in range(heap)]


def solved(game, state, known):
    """The value for the player to move, by the rules alone."""
    if game.is_terminal(state):
        return game.utility(state, state.player)
    if state not in known:
        known[state] = max(-solved(game, game.result(state, action), known) for action in game.actions(state))
    return known[state]


def test_perft_agrees_with_a_plain_twin():
    layer, counts = Counter([(3, 4, 5)]), []
    for _ in Nim.perft_table[""]:
        after = Counter()
        for heaps, ways in layer.items():
            for left in plain_moves(heaps):
                after[left] += ways
        layer = after
        counts.append(sum(layer.values()))
    assert tuple(counts) == Nim.perft_table[""]


@pytest.mark.parametrize("heaps", [(3, 4, 5), (1, 2, 3), (2, 2), (7,), (1, 1, 1, 2), (5, 4, 1)])
def test_the_mover_wins_if_the_exclusive_or_is_not_zero(heaps):  # Bouton 1901
    game, known = Nim(heaps), {}
    solved(game, game.initial(), known)
    for state, value in known.items():
        assert value == (1 if functools.reduce(operator.xor, state.heaps) else -1)


@pytest.mark.parametrize("heaps", [(3, 4, 5), (1, 2, 3), (2, 2), (7,), (1, 1, 1, 2), (1, 1)])
def test_misere_differs_only_when_all_heaps_are_single(heaps):  # Bouton 1901
    game, known = Nim(heaps, misere=True), {}
    solved(game, game.initial(), known)
    for state, value in known.items():
        if max(state.heaps) <= 1:
            wins = sum(state.heaps) % 2 == 0
        else:
            wins = functools.reduce(operator.xor, state.heaps) != 0
        assert value == (1 if wins else -1)


@pytest.mark.parametrize(("heaps", "misere"), [((3, 4, 5), False), ((1, 3, 5, 7), True)])
def test_openspiel_agrees_move_by_move(heaps, misere):
    ours = Nim(heaps, misere)
    theirs = pyspiel.load_game(f"nim(pile_sizes={';'.join(map(str, heaps))},is_misere={str(misere).lower()})")
    rng = random.Random(5)
    for _ in range(500):
        state, their_state = ours.initial(), theirs.new_initial_state()
        while not their_state.is_terminal():
            assert not ours.is_terminal(state)
            assert ours.to_move(state) == their_state.current_player()
            moves = {
                f"pile:{action // ours.base + 1}, take:{action % ours.base};": action for action in ours.actions(state)
            }
            their_moves = {their_state.action_to_string(action): action for action in their_state.legal_actions()}
            assert moves.keys() == their_moves.keys()
            text = rng.choice(sorted(moves))
            state = ours.result(state, moves[text])
            their_state.apply_action(their_moves[text])
        assert ours.is_terminal(state)
        assert [ours.utility(state, player) for player in (0, 1)] == their_state.returns()


heaps_of_any_order = st.lists(st.integers(0, 5), min_size=1, max_size=4).filter(any)


@given(heaps_of_any_order, st.integers(0, 1))
def test_canonical_sorts_the_heaps(heaps, player):
    game = Nim((5,) * len(heaps))
    assert game.canonical(Position(tuple(heaps), player)) == Position(tuple(sorted(heaps)), player)


def test_moves_and_positions_are_written_as_on_paper():
    game = Referee.at(Nim(), "moves: b4 c2")
    assert Nim().format_state(game.state) == "3-0-3 1"
    assert Nim().parse_state("3-0-3 1") == game.state
    with pytest.raises(IllegalMove, match="b1 is not legal here; try a1, a2, a3, c1, c2 or c3"):
        game.play_text("b1")


def test_the_picture_shows_the_heaps_and_what_each_move_touches():
    picture = Nim((1, 2)).picture(Position((0, 2), 1))
    assert (picture.sizes, picture.labels) == ((0, 2), ("a", "b"))
    assert picture.touches == {"b1": (1,), "b2": (1,)}


@pytest.mark.parametrize("text", ["", "3-4-5", "3-4 1", "3-4-5 3", "3-4--5 1", "3-4-x 1", "3-4-5 1 1", "3-4-² 1"])
def test_a_text_that_is_not_a_position_is_refused(text):
    with pytest.raises(BadPosition, match="the start is '3-4-5 1'"):
        Nim().parse_state(text)


def test_a_heap_larger_than_any_at_the_start_cannot_be():
    with pytest.raises(BadPosition, match="is impossible: the largest heap of nim has 5 counters"):
        Nim().parse_state("3-4-6 1")


@pytest.mark.parametrize("spec", ["nim:heaps=0-1", "nim:heaps=1001", "nim:heaps=" + "-".join("1" * 27)])
def test_heaps_that_make_no_game_are_refused(spec):
    with pytest.raises(UsageError, match="nim has 1 to 26 heaps of 1 to 1000 counters"):
        find(spec)
