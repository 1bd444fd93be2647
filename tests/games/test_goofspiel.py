"""Goofspiel: the rules of OpenSpiel's, prizes and payoffs, the notation."""

import random
import re
from collections import Counter
from itertools import permutations

import pytest
from poker_peers import play_along

from zermelo.core.errors import BadPosition, UsageError
from zermelo.core.referee import Referee
from zermelo.equilibrium import solve
from zermelo.games import find
from zermelo.games.goofspiel import Goofspiel
from zermelo.kernel import U64

pytestmark = pytest.mark.plain
GAMES = [50, pytest.param(1000, marks=pytest.mark.long)]
THEIRS = {"win": "win_loss", "difference": "point_difference", "points": "total_points"}


def shown(state, player):
    """An information state string without hidden bids lists what was bid, but not in which order."""
    return state.information_state_string(player)


@pytest.mark.parametrize("games", GAMES)
@pytest.mark.parametrize(
    "options",
    [
        {"cards": 4},
        {"cards": 13, "prizes": "descending", "returns": "points"},
        {"cards": 5, "prizes": "ascending", "hidden_bids": True, "returns": "difference"},
        {"cards": 4, "hidden_bids": True},
        {"cards": 4, "players": 3},
        {"cards": 5, "players": 4, "returns": "difference"},
    ],
)
def test_rules_and_information_are_those_of_openspiel(options, games):
    game = Goofspiel(**options)
    parts = [f"num_cards={game.cards}", f"points_order={game.prizes}", f"players={game.players}"]
    parts += [f"imp_info={game.hidden_bids}", f"returns_type={THEIRS[game.returns]}"]
    spec = f"turn_based_simultaneous_game(game=goofspiel({','.join(parts)}))"
    play_along(game, spec, games, their_view=None if game.hidden_bids else shown)


@pytest.mark.parametrize("spec", ["goofspiel:cards=3", "goofspiel:prizes=descending,hidden_bids=true"])
def test_equal_hands_are_worth_nothing_by_symmetry(spec):
    found = solve(spec)
    assert (found.value, found.kind) == (0, "exact")


def test_the_highest_bid_takes_the_prize_and_a_tie_nothing():
    game = Referee.at(Goofspiel(5, "descending", returns="points"), "moves: 3 5 4 4")
    assert game.game.format_state(game.state) == "3 A2 A25:0 A23:5"


def test_the_last_cards_are_bid_at_once():
    game = Referee.at(Goofspiel(3, "descending", returns="points"), "moves: A 3 2 A")
    assert game.is_over
    assert game.utilities() == (3.0, 3.0)


@pytest.mark.parametrize("hidden", [False, True])
def test_a_view_shows_the_other_s_bids_only_if_they_are_open(hidden):
    game = Goofspiel(4, "descending", hidden_bids=hidden)
    states = [Referee.at(game, f"moves: 2 {bid}").state for bid in ("3", "4")]
    views = [game.view(state, 0) for state in states]
    assert (views[0] == views[1]) is hidden
    assert game.format_view(views[0], 0) == ("4:2-2 3" if hidden else "3 A2 A34:0 A24:4")


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("bids", ["21", "5", "62", "3614", "16253"])
def test_worlds_are_all_sequences_that_fit_equally_likely(player, bids):
    """Bids of 6 cards against all sequences of the other's bids that have the same winners as one of them."""
    game = Goofspiel(6, "descending", hidden_bids=True)
    own = [int(bid) - 1 for bid in bids]
    rounds = len(own)
    ways = {}
    for others in permutations(range(6), rounds):
        situation = game.start()
        for pair in zip(own, others, strict=True):
            situation = game.awarded(game.drawn(situation, 5), pair[:: 1 - 2 * player])
        ways.setdefault(situation.winners, []).append(situation)
    rng = random.Random(1)
    for situations in rng.sample(sorted(ways.values()), min(len(ways), 5)):
        seen = game.seen(situations[0], player)
        draws = Counter(game.draw_bids(seen.bids[player], seen.winners, player, word(rng)) for _ in range(400))
        assert set(draws) <= {one.bids[1 - player] for one in situations}
        share = 400 / len(situations)
        assert all(abs(draws[one.bids[1 - player]] - share) < 6 * share**0.5 + 1 for one in situations)


def word(rng):
    return U64(rng.getrandbits(64))


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("goofspiel", "3 A2 A24:0 A34"),
        ("goofspiel", "3 A2 A24:0 A34:9"),
        ("goofspiel", "- A2 A2:0 A3:2"),
        ("goofspiel:prizes=descending", "- 234A A234:0 A234:0"),
        ("goofspiel:prizes=descending", "2 A3 A24:0 A34:4"),
        ("goofspiel:hidden_bids=true", "4:2-9 3"),
        ("goofspiel:hidden_bids=true", "4:2-2 4"),
        ("goofspiel", "3 A2 A24:0 A34:4; 3"),
    ],
)
def test_a_position_that_cannot_be_is_refused(spec, text):
    with pytest.raises(BadPosition, match=r"is not a position of|is impossible"):
        find(spec).parse_state(text)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("goofspiel:cards=14", "2 to 13 cards and 2 to 6 players, not 14 and 2"),
        ("goofspiel:prizes=odd", "in random, descending, ascending order, not 'odd'"),
        ("goofspiel:returns=chips", "pays win, difference, points, not 'chips'"),
        ("goofspiel:hidden_bids=true,players=3", "with hidden bids is for 2 players, not 3"),
    ],
)
def test_options_that_cannot_be_are_refused(spec, sentence):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        find(spec)
