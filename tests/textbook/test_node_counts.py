"""Node-count signatures: how many positions each algorithm looks at in fixed positions.

A change here means that an algorithm, a game's order of moves or its evaluation has changed; change the numbers only on
purpose. Minimax's follow from the perft tables, and alpha-beta's 18,297 on tic-tac-toe is a number often found
in print; the others are our own.
"""

import pytest
from looks import looked_at

from zermelo.games import find
from zermelo.kernel import is_enabled
from zermelo.textbook import (
    UNLIMITED,
    alphabeta,
    expectiminimax,
    maxn,
    maxn_shallow,
    minimax,
    quiescent_alphabeta,
    star1,
    star2,
)

pytestmark = pytest.mark.plain

TOO_LONG = 20_000
"""Nodes, for the interpreter."""


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "position", "depth", "search", "nodes"),
    [
        ("tic-tac-toe", ".../.../... x", UNLIMITED, minimax, 549_946),
        ("tic-tac-toe", ".../.../... x", UNLIMITED, alphabeta, 18_297),
        ("hexapawn", "ppp/.../PPP w", UNLIMITED, minimax, 252),
        ("hexapawn", "ppp/.../PPP w", UNLIMITED, alphabeta, 67),
        ("hexapawn:rows=4,cols=4", "pppp/..../..../PPPP w", 8, minimax, 76_475),
        ("hexapawn:rows=4,cols=4", "pppp/..../..../PPPP w", 8, alphabeta, 965),
        ("connect-four", "", 6, minimax, 137_257),
        ("connect-four", "", 6, alphabeta, 1_249),
        ("connect-four", "", 6, quiescent_alphabeta, 1_782),
        ("connect-four", "4444", 6, minimax, 126_927),
        ("connect-four", "4444", 6, alphabeta, 2_641),
        ("pig:target=20", "0-0 0 1", 7, expectiminimax, 2_607),
        ("pig:target=20", "0-0 0 1", 7, star1, 1_467),
        ("pig:target=20", "0-0 0 1", 7, star2, 1_447),
        ("pig", "62-47 11 1", 7, expectiminimax, 2_607),
        ("pig", "62-47 11 1", 7, star1, 1_786),
        ("pig", "62-47 11 1", 7, star2, 1_691),
    ],
)
def test_visited_positions_have_known_counts(name, position, depth, search, nodes):
    if nodes > TOO_LONG and not is_enabled():
        pytest.skip("compiling is switched off")
    game = find(name)
    state = game.parse_state(position)
    assert looked_at(search.run, game, state, 0, depth)[1] == nodes


@pytest.mark.parametrize(
    ("position", "depth", "plain", "pruned"),
    [
        ("..../..../..../.... X", 5, 1_361, 1_361),
        ("..../...T/XO.O/TXOX T", UNLIMITED, 2_187, 754),
        ("..../O.../T.TO/XOXX T", UNLIMITED, 1_688, 231),
    ],
)
def test_visited_positions_of_three_players_have_known_counts(position, depth, plain, pruned):
    """Early in the game no player can have won, so shallow pruning finds nothing to prune."""
    game = find("trio")
    state = game.parse_state(position)
    (payoffs, looks), (same, fewer) = (
        looked_at(maxn, game, state, depth),
        looked_at(maxn_shallow, game, state, 3, depth),
    )
    assert (looks, fewer) == (plain, pruned)
    assert payoffs == same


@pytest.mark.both
@pytest.mark.parametrize("search", [minimax, alphabeta], ids=lambda search: search.__name__)
def test_the_compiled_search_looks_at_the_same_positions(search):
    game = find("hexapawn:rows=4,cols=4")
    assert looked_at(search, game, game.initial(), 0, 6) == looked_at(search.run, game, game.initial(), 0, 6)


def test_the_whole_of_tic_tac_toe_is_its_perft_table():
    assert 1 + sum(find("tic-tac-toe").perft_table[""]) == 549_946
