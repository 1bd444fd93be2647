"""The Game contract's defaults: what five methods get for nothing."""

import math
from typing import NamedTuple

import pytest

from zermelo.core.errors import BadPosition, IllegalMove, Refused, UsageError
from zermelo.core.game import CHANCE, Game, legal_actions, parse_options, suggest
from zermelo.core.guards import ALGORITHMS, preferred_algorithm, require, suitable_algorithms
from zermelo.core.limit import Limit, parse_count, parse_duration
from zermelo.core.picture import Text
from zermelo.kernel import U64, state

pytestmark = pytest.mark.plain


@state
class Mixed(NamedTuple):
    word: U64
    heaps: tuple[int, ...]
    flag: bool


class Countdown(Game):
    """Take one or two; who takes the last one wins."""

    def __init__(self, start: int = 5, names: tuple[str, ...] = ("one", "two"), quick: bool = False) -> None:
        self.start, self.names, self.quick = start, names, quick

    def initial(self):
        return (self.start, 0)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        for count in (1, 2):
            if count <= state[0]:
                yield count

    def result(self, state, action):
        return (state[0] - action, 1 - state[1])

    def utility(self, state, player):
        return -1 if player == state[1] else 1


class AnyState(Countdown):
    def __init__(self, first):
        self.first = first

    def initial(self):
        return self.first


class Dice(Countdown):
    chance = True

    def to_move(self, state):
        return CHANCE

    outcomes = Game.outcomes


def test_a_game_without_a_name_is_called_after_its_class():
    assert Countdown.name == "countdown"
    assert AnyState.name == "any-state"


def test_by_default_a_game_is_over_when_there_are_no_moves():
    game = Countdown()
    assert not game.is_terminal((1, 0))
    assert game.is_terminal((0, 0))
    assert list(legal_actions(game, (0, 0))) == []


def test_by_default_dice_are_fair():
    assert list(Dice().outcomes((5, 0))) == [(1, 0.5), (2, 0.5)]


@pytest.mark.parametrize(
    "found",
    [(1, 2, 3), 5, 1.5, (7,), ((1, 2),), ((-1, -1), (3,)), Mixed(3, (4, 5), True), "a b", ((1,), "x, y")],
    ids=repr,
)
def test_states_of_numbers_are_written_and_read_back(found):
    game = AnyState(found)
    assert game.parse_state(game.format_state(found)) == found
    assert type(game.parse_state(game.format_state(found))) is type(found)


@pytest.mark.parametrize("text", ["", "(", "1,2", "1;2", "__import__('os')", "9" * 5000, "(" * 500])
def test_a_text_that_is_not_a_state_is_refused(text):
    with pytest.raises(BadPosition, match="the start is written"):
        AnyState(Mixed(3, (4, 5), True)).parse_state(text)


def test_moves_are_read_without_regard_to_case():
    class Letters(Countdown):
        def format_action(self, state, action):
            return "ab"[action - 1]

    assert Letters().parse_action((5, 0), " B ") == 2
    with pytest.raises(IllegalMove, match="c is not legal here; try a or b"):
        Letters().parse_action((5, 0), "c")


def test_options_rebuild_the_game():
    game = Countdown(start=9, quick=True)
    assert repr(game) == "Countdown(start=9, names=('one', 'two'), quick=True)"
    assert game.spec() == "countdown:start=9,quick=true"
    assert parse_options(Countdown, "countdown", {"start": "9", "quick": "true", "names": "a-b"}) == {
        "start": 9,
        "quick": True,
        "names": ("a", "b"),
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": "3"}, "countdown has no option 'size'; try start, names or quick"),
        ({"start": "many"}, "countdown: start=many is not understood; the default is start=5"),
        ({"quick": "maybe"}, "countdown: quick=maybe is not understood; the default is quick=false"),
    ],
)
def test_wrong_options_get_one_sentence(options, message):
    with pytest.raises(UsageError, match=message):
        parse_options(Countdown, "countdown", options)


def test_a_game_without_a_picture_is_drawn_as_words():
    assert Countdown().picture((5, 0)) == Text("5,0")


def test_long_lists_are_counted():
    assert suggest("abcdefghijklmnop", "nothing", most=3) == "try a, b, c or one of 13 more"
    assert suggest([], "nothing") == "nothing"


def test_alphabeta_refuses_dice_and_names_what_fits():
    class Pig(Dice):
        pass

    with pytest.raises(Refused) as caught:
        require(Pig(), "alphabeta")
    assert str(caught.value) == "alpha-beta needs two players and no dice; pig has dice: use expectiminimax"


def test_guards_name_every_obstacle():
    class Bridge(Countdown):
        players, zero_sum, hidden = 4, False, True

    with pytest.raises(Refused) as caught:
        require(Bridge(), "minimax")
    assert str(caught.value) == (
        "minimax needs at most two players, payoffs that sum to zero and no hidden information; "
        "bridge has four players and payoffs that do not sum to zero and hidden information: use random"
    )


def test_every_algorithm_that_is_preferred_fits():
    for flags in ({}, {"chance": True}, {"players": 3, "zero_sum": False}, {"hidden": True}, {"players": 65}):
        for payoffs in ((-1, 1), (0, math.inf), (-1e308, 1e308)):
            game = type("Some", (Countdown,), {**flags, "utility_range": payoffs})()
            assert preferred_algorithm(game) in suitable_algorithms(game)


@pytest.mark.parametrize(
    ("flags", "algorithm", "sentence"),
    [
        ({"players": 65}, "solve", "solve needs at most 64 players; crowd has 65 players: use random"),
        ({"players": 0}, "random", "random play needs at least one player; crowd has 0 players"),
        (
            {"chance": True, "utility_range": (-math.inf, 1)},
            "star1",
            "Star1 needs two players and a utility_range of finite width; "
            "crowd has payoffs without such limits: use expectiminimax",
        ),
    ],
)
def test_a_refusal_is_a_sentence_that_names_what_fits(flags, algorithm, sentence):
    with pytest.raises(Refused) as caught:
        require(type("Crowd", (Countdown,), flags)(), algorithm)
    assert str(caught.value) == sentence


def test_algorithms_for_bounded_payoffs_are_not_offered_without_bounds():
    class Endless(Dice):
        utility_range = (0, math.inf)

    assert {"star1", "star2"} <= {*suitable_algorithms(Dice())}
    assert not {"star1", "star2"} & {*suitable_algorithms(Endless())}


def test_an_unknown_algorithm_lists_the_known_ones():
    with pytest.raises(UsageError, match=f"there is no algorithm 'magic'; try {next(iter(ALGORITHMS))}"):
        require(Countdown(), "magic")


@pytest.mark.parametrize(
    ("text", "seconds"), [("2s", 2), ("500ms", 0.5), ("1.5", 1.5), ("3min", 180), ("2m", 120), ("1h", 3600)]
)
def test_durations(text, seconds):
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(("text", "count"), [("100", 100), ("10k", 10_000), ("2M", 2_000_000), ("1e6", 1_000_000)])
def test_counts(text, count):
    assert parse_count(text) == count


@pytest.mark.parametrize("text", ["", "soon", "-2s", "2 weeks", "nan"])
def test_a_text_that_is_not_a_duration_gets_one_sentence(text):
    with pytest.raises(UsageError, match="is not a duration; write 2s, 500ms, 3min or 1h"):
        parse_duration(text)


@pytest.mark.parametrize("text", ["1e19", "1e300", "1e400", "9" * 30, "2e9g"])
def test_a_count_that_does_not_fit_into_64_bits_gets_one_sentence(text):
    with pytest.raises(UsageError, match=f"'{text}' is too large; a count is at most 1e18"):
        parse_count(text)


@pytest.mark.parametrize(
    "limit", [{"nodes": 10**19}, {"nodes": 10**400}, {"nodes": 1e300}, {"depth": 10**12}, {"time": float("inf")}]
)
def test_limits_can_be_counted_with(limit):
    with pytest.raises(UsageError, match=r"it must be at most 1e\d+, or left out"):
        Limit(**limit)
    assert Limit(nodes=1e6) == Limit(nodes=1_000_000)
    assert isinstance(Limit(nodes=1e6).nodes, int)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [({"time": "2s"}, "the time limit is '2s'; it must be a number"), ({"depth": 2.5}, "it must be a whole number")],
)
def test_limits_are_numbers(limit, sentence):
    with pytest.raises(UsageError, match=sentence):
        Limit(**limit)


@pytest.mark.parametrize("limit", [{"time": 0}, {"nodes": -1}, {"depth": 0}, {"time": float("nan")}])
def test_limits_are_above_zero(limit):
    with pytest.raises(UsageError, match="it must be a number above zero"):
        Limit(**limit)
