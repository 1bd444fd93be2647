"""Games written without a thought of hashing: every kind of state and move, in every way to ask."""

import copy
import enum
import math
import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from naive_zoo import ZOO, AsDict, AsTupleOfWords, ChangesInPlace, Heap, WithListMoves, WithTupleMoves, WithWordMoves

import zermelo
from zermelo import Game, Referee
from zermelo.arena.agents import agent
from zermelo.arena.match import play_match
from zermelo.core.errors import BadPosition, IllegalMove, RulesError
from zermelo.core.frozen import Frozen, freeze, is_value, thaw
from zermelo.core.naive import with_values
from zermelo.core.typed_moves import read_move
from zermelo.equilibrium.flatten import flatten
from zermelo.games.kuhn import Kuhn
from zermelo.testing import check

pytestmark = [pytest.mark.plain, pytest.mark.filterwarnings("ignore:.*runs interpreted")]

every_kind = pytest.mark.parametrize("kind", ZOO, ids=lambda kind: kind.__name__)


# -- the zoo -------------------------------------------------------------------------------------------


@every_kind
def test_naive_games_keep_the_contract(kind):
    report = check(kind(), games=5)
    assert report.conformant, str(report)


@every_kind
def test_naive_games_are_solved(kind):
    found = zermelo.solve(kind())
    assert (found.value, found.kind, found.distance) == ((1.0, -1.0), "exact", 3)


@every_kind
def test_naive_games_are_searched_and_drawn(kind):
    game = kind()
    for algorithm in ("minimax", "alphabeta", "maxn"):
        found = zermelo.analyse(game, algorithm=algorithm)
        assert found.value == (1.0, -1.0), algorithm
    assert zermelo.analyse(game, algorithm="mcts", nodes=50, seed=1).best == found.best
    assert zermelo.trace("alphabeta", game).value == 1.0
    assert zermelo.perft(game, depth=3) == 7
    assert str(zermelo.show(game))


@every_kind
def test_naive_games_are_played(kind):
    referee = Referee(kind())
    start = referee.state
    while not referee.is_over:
        text = referee.game.format_action(referee.state, referee.legal()[0])
        assert not set(text) & set(" ,")
        referee.play_text(text)
        position = referee.game.format_state(referee.state)
        assert Referee.at(kind(), position).state == referee.state
    assert referee.utilities() == (1.0, -1.0)
    while referee.turns:
        referee.undo()
    assert referee.state == start


@every_kind
def test_naive_games_are_matched(kind):
    assert play_match(kind(), [agent("solve"), agent("random")], 2).games == 2


def test_values_stay_as_they_are():
    class Plain(Heap):
        def pack(self, left, player):
            return (left, player)

        def unpack(self, state):
            return state

    game = Plain()
    assert with_values(game) is game
    assert Referee(game).game is game
    assert Referee(game).state == (5, 0)


def test_buckets_of_any_kind_are_frozen():
    """A list was once called a bug in zermelo."""

    class Blurred(Kuhn):
        def bucket(self, view, player):
            return [min(view.card, 1), view.moves, view.staying]

    class Tuples(Kuhn):
        def bucket(self, view, player):
            return (min(view.card, 1), view.moves, view.staying)

    found, other = (flatten(with_values(kind())) for kind in (Blurred, Tuples))
    assert [len(set(own.tolist())) for own in found.buckets] == [len(set(own.tolist())) for own in other.buckets]
    assert sum(len(set(own.tolist())) for own in found.buckets) < found.sets


def test_the_rules_see_what_they_wrote():
    class Watching(AsDict):
        def result(self, state, action):
            assert type(state) is dict
            return super().result(copy.deepcopy(state), action)

    game = Watching()
    referee = Referee(game)
    referee.play(2)
    assert isinstance(referee.game, Watching)
    assert referee.state["left"] == 3
    assert referee.state == {"player": 1, "left": 3}
    assert type(game.initial()) is dict, "the game itself is as it was written"
    assert str(referee.game) == str(game)


def test_options_are_those_of_the_game_itself():
    class Sized(AsDict):
        def __init__(self, size: int = 5):
            self.size = size

        def initial(self):
            return self.pack(self.size, 0)

    game = with_values(Sized(7))
    assert (str(game), game.options(), game.chosen_options()) == ("sized:size=7", {"size": 7}, {"size": "7"})
    assert str(type(game)(size=4)) == "sized:size=4"
    assert type(game)(4).initial() == {"left": 4, "player": 0}
    assert zermelo.solve(Sized(6)).game == "sized:size=6"
    assert copy.copy(game).initial() == game.initial()


def test_a_state_from_outside_is_frozen_on_its_way_in():
    state = {"left": 4, "player": 1}
    referee = Referee(AsDict(), state)
    state["left"] = 2
    assert referee.state["left"] == 4
    assert zermelo.solve(AsDict(), {"left": 4, "player": 1}).best == "1"
    assert zermelo.solve(AsDict(), referee).best == "1"
    assert zermelo.solve(AsDict(), "{'left': 4, 'player': 1}").best == "1"


def test_a_result_that_changes_the_state_in_place_does_no_harm():
    game = ChangesInPlace()
    assert zermelo.solve(game).value == (1.0, -1.0)
    assert game.start == {"left": 5, "player": 0}


def test_a_result_that_returns_nothing_is_named():
    class Forgetful(ChangesInPlace):
        def result(self, state, action):
            super().result(state, action)

    with pytest.raises(RulesError, match="result returned None; let it return the state"):
        Referee(Forgetful()).play(1)


@pytest.mark.filterwarnings("default:.*runs interpreted")
def test_one_sentence_says_that_it_runs_interpreted(monkeypatch):
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)

    class Noted(AsDict):
        pass

    class NotedMoves(WithListMoves):
        pass

    with pytest.warns(match=r"the state .* is a dict, which does not compile, make states of numbers, .*Noted runs"):
        zermelo.analyse(Noted(), algorithm="minimax")
    with pytest.warns(match="is a tuple, and a move is a list, which does not compile"):
        zermelo.analyse(NotedMoves(), algorithm="minimax")


def test_a_late_unhashable_state_is_named():
    class Late(AsTupleOfWords):
        def result(self, state, action):
            after = super().result(state, action)
            return after if after[0] else list(after)

    (failure,) = check(Late(), games=5).failures
    assert "every state should be of the same kind as the first one, a tuple" in failure.detail


# -- equality ------------------------------------------------------------------------------------------


class Bag:
    def __init__(self, **attributes):
        vars(self).update(attributes)


@dataclass
class Record:
    first: object
    second: object = None


class Word(str):
    __slots__ = ()


class Sign(enum.IntEnum):
    ONE = 1


NAN = float("nan")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([0.0, 1], [-0.0, 1.0]),
        ([NAN], [math.nan * 2]),
        ([np.int64(3), np.float64(0.5), np.bool_(True), np.str_("x")], [3, 0.5, True, "x"]),
        ({"s": {frozenset({1, 2}), frozenset({3})}}, {"s": {frozenset({3}), frozenset({2, 1})}}),
        (np.array([[0.0]]), np.array([[-0.0]])),
        (Bag(x=[1]), Bag(x=[1])),
        (Bag(x=1, y={"b": 1, "a": 2}), Bag(x=1, y={"a": 2, "b": 1})),
        ([[0] * 3] * 3, [[0, 0, 0], [0, 0, 0], [0, 0, 0]]),
        (Record([1], {2}), Record([1], {2})),
    ],
    ids=lambda value: type(value).__name__,
)
def test_equal_states_are_equal(one, other):
    assert freeze(one) == freeze(other)
    assert hash(freeze(one)) == hash(freeze(other))
    assert zermelo.kernel.hash_numbers(freeze(one)) == zermelo.kernel.hash_numbers(freeze(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1], (1,)),
        ([[1]], [(1,)]),
        ([1], [True]),
        ([0, None], [False, None]),
        ([""], [None]),
        (["1"], [1]),
        ([Word("x")], ["x"]),
        ([Sign.ONE], [1]),
        ({1: [2]}, {2: [1]}),
        ([{1}], [frozenset({1})]),
        ([[1], [2, 3]], [[1, 2], [3]]),
        ([list, [1, 2]], [[1, 2], list]),
        (np.array([1, 2]), np.array([[1], [2]])),
        (np.array([1]), np.array([1.5])),
        (Bag(x=1), Bag(x=2)),
        ({"pieces": [Bag(x=1), Bag(x=1)]}, {"pieces": [Bag(x=1)] * 2}),
        ([b"x"], ["x"]),
        (Record(1), Bag(first=1, second=None)),
        ([zermelo.U64(1)], [1]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_different_states_are_different(one, other):
    assert freeze(one, "state") != freeze(other, "state")


def test_objects_in_a_set_count_as_often_as_they_are_there():
    three, other = [{Bag(x=1), Bag(x=1), Bag(x=2)}], [{Bag(x=1), Bag(x=2), Bag(x=2)}]
    assert freeze(three) != freeze(other)


@pytest.mark.parametrize(
    "value",
    [1, "x", None, (1, ("a", None)), frozenset({1}), Sign.ONE, zermelo.U64(3), range(3), np.int64(3), int, len],
)
def test_what_cannot_change_is_a_value(value):
    assert is_value(value)
    assert freeze(value) is value
    assert thaw(value) is value


def test_a_copy_shares_nothing_and_keeps_shared_parts_together():
    piece = Bag(place=[0])
    state = {"pieces": [piece], "moving": piece}
    frozen = freeze(state)
    piece.place[0] = 9
    one, other = thaw(frozen), thaw(frozen)
    assert one["moving"] is one["pieces"][0]
    assert one["moving"] is not other["moving"]
    assert one["moving"].place == [0]
    row = [0]
    assert (lambda copied: copied[0] is copied[1])(thaw(freeze([row, row])))


def test_a_frozen_state_survives_pickling_and_copying():
    frozen = freeze({"board": [[1, None]], "turn": 0})
    assert pickle.loads(pickle.dumps(frozen)) == frozen
    assert copy.deepcopy(frozen) == frozen
    assert type(frozen).__name__ == "dict"


def test_an_object_may_refer_to_itself():
    parent = Bag(name="a")
    parent.child = Bag(parent=parent)
    assert freeze(parent) == freeze(copy.deepcopy(parent))
    circle = [1]
    circle.append(circle)
    with pytest.raises(RulesError, match="contains itself"):
        freeze(circle)


def test_what_cannot_be_copied_is_named():
    with pytest.raises(RulesError, match=r"dict of the rules cannot be copied .*generator.*; make states and moves of"):
        freeze({"moves": (number for number in [1])})


def test_a_game_in_its_own_state_is_not_copied():
    game = AsDict()
    assert thaw(freeze({"game": game, "left": [1]}))["game"] is game


# -- notation ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (3, "3"),
        ((2, 0), "2-0"),
        ([2, 0], "2-0"),
        (((2, 0), (3, 1)), "2-0:3-1"),
        ((-1, 0), "-1:0"),
        ("pass", "pass"),
        ("take 2, please", "take_2-please"),
        (None, "None"),
        (True, "True"),
        ("", "''"),
        ((), "()"),
        (Sign.ONE, "ONE"),
        (Record((1, 2), "x"), "Record:1-2:x"),
        (Bag(row=1, col=2), "Bag-1-2"),
        (np.int64(4), "4"),
        (np.array([1, 2]), "1-2"),
        ({"from": 1, "to": 2}, "from=1-to=2"),
        (frozenset({2, 1}), "1-2"),
        (zermelo.U64(7), "7"),
    ],
)
def test_moves_of_any_kind_have_a_notation(move, text):
    assert Game().format_action(None, freeze(move)) == text


class Board(Game):
    def initial(self):
        return {"board": [["."] * 3 for _ in range(3)], "turn": 0}

    def to_move(self, state):
        return state["turn"]

    def actions(self, state):
        return [(row, col) for row in range(3) for col in range(3) if state["board"][row][col] == "."]

    def result(self, state, action):
        state["board"][action[0]][action[1]] = "XO"[state["turn"]]
        state["turn"] = 1 - state["turn"]
        return state

    def utility(self, state, player):
        return 0


@pytest.mark.parametrize("text", ["0-1", "0,1", "(0, 1)", "0 1", "[0,1]", " (0,1)"])
def test_typed_moves_are_understood_in_many_forms(text):
    assert read_move(Referee(Board()), text.strip()) == "0-1"


@pytest.mark.parametrize("text", ["0,3", "-0,1", "0,-1", "(-1, 0)", "x", "0-1-2"])
def test_typed_moves_that_are_not_legal_are_refused(text):
    with pytest.raises(IllegalMove):
        read_move(Referee(Board()), text)


def test_typed_words_are_understood():
    referee = Referee(WithWordMoves())
    assert read_move(referee, "take 2 please") == read_move(referee, "take 2, please") == "take_2-please"


def test_two_moves_with_one_notation_are_never_confused():
    class Twice(WithTupleMoves):
        def actions(self, state):
            return [(0, "1"), (0, 1)]

    with pytest.raises(IllegalMove, match=r"0-1 can be \(0, '1'\) or \(0, 1\); the game needs a format_action"):
        Referee(Twice()).play_text("0-1")


class Stated(Board):
    def __init__(self, state):
        self.state = state

    def initial(self):
        return self.state

    def is_terminal(self, state):
        return True


@pytest.mark.parametrize(
    "state",
    [
        {"board": [["X", None]], "turn": 0},
        [[0, 1], [True, None]],
        ("x y", None, -1, 0.5, (1,)),
        {"cells": {(0, 1): "X"}, "seen": set(), "more": frozenset({1, 2})},
        Record([1, (2,)], Record(None)),
        Bag(x=1, y={"a": [Bag(z=Sign.ONE)]}),
        [math.inf, -math.inf, NAN, 1e300, 1 + 2j, b"x"],
        {"array": np.array([[1, 2], [3, 4]]), "reals": np.array([0.5, NAN]), "number": np.int64(3)},
        [Word("it's"), 'say "x"', "moves:"],
        [()],
        [zermelo.U64(5), range(3)],
    ],
)
def test_positions_of_any_kind_are_written_and_read_back(state):
    game = with_values(Stated(state))
    text = game.format_state(game.initial())
    back = game.parse_state(text)
    assert type(back) is type(game.initial())
    assert back == game.initial()


@pytest.mark.parametrize(
    "text", ["", "{", "x", "print(1)", "Board()", "Stated(state=1).x", "().__class__", "[1 for x in y]", "{'a': f()}"]
)
def test_texts_that_are_no_positions_are_refused(text):
    with pytest.raises(BadPosition, match="the start is written"):
        with_values(Stated({"a": [1]})).parse_state(text)


# -- pictures ------------------------------------------------------------------------------------------


def test_a_board_among_the_fields_is_drawn_and_can_be_clicked():
    referee = Referee(Board())
    referee.play((1, 2))
    picture = referee.game.picture(referee.state)
    assert (picture.rows, picture.cols, picture.caption) == (3, 3, "turn: 1")
    assert [piece and (piece.symbol, piece.owner) for piece in picture.cells] == [None] * 5 + [("X", 0)] + [None] * 3
    assert picture.touches == {
        f"{row}-{col}": (3 * row + col,) for row in range(3) for col in range(3) if (row, col) != (1, 2)
    }


def test_numbers_that_count_cells_can_be_clicked_and_columns_cannot():
    class Numbered(Board):
        def actions(self, state):
            return [3 * row + col for row, col in super().actions(state)]

        def result(self, state, action):
            return super().result(state, divmod(action, 3))

    class Falling(Numbered):
        def actions(self, state):
            return [col for col in range(3) if state["board"][0][col] == "."]

        def result(self, state, col):
            row = max(row for row in range(3) if state["board"][row][col] == ".")
            return Board.result(self, state, (row, col))

    assert zermelo.Referee(Numbered()).game.picture(with_values(Numbered()).initial()).touches["4"] == (4,)
    assert with_values(Falling()).picture(with_values(Falling()).initial()).touches == {}


@pytest.mark.parametrize(
    "state",
    [
        ((1, 2), (3, 4)),
        [(0, 0), (2, 2), (1, 1)],
        [[1, 2, 3], [1, 2]],
        {"ours": [[1] * 3] * 3, "theirs": [[1] * 3] * 3},
        [["a long word"] * 3] * 3,
        (5, 0),
    ],
)
def test_no_board_is_guessed_where_there_may_be_none(state):
    assert isinstance(with_values(Stated(state)).picture(state), zermelo.Text)


@pytest.mark.parametrize(
    "state",
    [
        [["."] * 3] * 3,
        ("...", ".x.", "..."),
        np.zeros((3, 3)),
        {"grid": ((1, 2), (3, 4)), "score": 3},
        {(row, col): None for row in range(3) for col in range(3)},
        (((0,) * 3,) * 3, 1),
        Record([["wK", None, None]] * 3, 1),
    ],
)
def test_boards_are_found(state):
    assert isinstance(with_values(Stated(state)).picture(state), zermelo.Grid)


def test_fields_without_a_board_are_listed():
    picture = with_values(AsDict()).picture({"left": 5, "player": 0})
    assert picture == zermelo.Text("left: 5\nplayer: 0")


def test_a_frozen_thing_says_what_it_is():
    assert isinstance(freeze([1]), Frozen)
    assert repr(freeze([1])) == "[1]"
    assert list(freeze([1, 2])) == [1, 2]
    assert 1 in freeze([1])
    assert len(freeze([1])) == 1
