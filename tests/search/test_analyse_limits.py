"""Limits, Ctrl-C and refusals; the answer as data."""

import _thread
import json
import random
import threading
import time

import pytest
from search_games import Letters, Merry, Secret, Showdown

import zermelo
from zermelo.core.errors import Refused, RulesError, UsageError, ZermeloError
from zermelo.core.game import CHANCE
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.kernel import CompileWarning
from zermelo.search import analyse
from zermelo.search.dispatcher import Dispatcher
from zermelo.search.runtime import Request
from zermelo.textbook import determinised

SECONDS = 20
"""Far more than any of this takes, on any machine."""
quiet = pytest.mark.filterwarnings("ignore::zermelo.kernel.CompileWarning")


# -- limits -----------------------------------------------------------------------------------------------------------


def without_times(found):
    found["stats"].pop("seconds")
    found["stats"].pop("nodes_per_second")
    return json.dumps(found)


@pytest.mark.parametrize(
    ("spec", "algorithm"),
    [("connect-four", "alphabeta"), ("trio", "maxn"), ("pig", "star1"), ("pig", "expectimax")],
)
def test_a_node_limit_is_kept_and_repeats_to_the_bit(spec, algorithm):
    game, limit = find(spec), Limit(nodes=3000)
    one, other = (analyse(game, None, algorithm, limit, seed=1) for _ in range(2))
    assert without_times(one.to_json()) == without_times(other.to_json())
    assert one.stats["nodes"] <= 3000
    assert one.stopped in ("nodes", "done")
    deeper = analyse(game, None, algorithm, Limit(nodes=6000))
    assert deeper.stats["depth"] >= one.stats["depth"] >= 1


@pytest.mark.both
def test_a_node_limit_gives_the_answer_of_the_last_finished_depth():
    game = find("tic-tac-toe")
    stopped = analyse(game, None, "minimax", Limit(nodes=3000))
    whole = analyse(game, None, "minimax", Limit(depth=stopped.stats["depth"]))
    assert (stopped.stopped, whole.stopped) == ("nodes", "depth")
    assert (stopped.value, stopped.best, stopped.moves) == (whole.value, whole.best, whole.moves)


@pytest.mark.both
def test_before_depth_one_the_answer_is_the_first_legal_move():
    answer = analyse(find("hexapawn"), limit=Limit(nodes=1))
    assert (answer.best, answer.line, answer.kind, answer.stopped) == ("a1a2", ("a1a2",), "estimate", "nodes")
    assert answer.to_json()["value"] == [None, None]
    assert answer.stats["depth"] == 0


@pytest.mark.both
@pytest.mark.parametrize(
    ("spec", "algorithm"),
    [
        pytest.param("connect-four", "alphabeta", marks=pytest.mark.compiled),
        ("pig", "expectimax"),
        ("pig", "star1"),
    ],
)
def test_a_time_limit_is_kept(spec, algorithm):
    game = find(spec)
    analyse(game, None, algorithm, Limit(depth=1))  # compiled before the clock starts
    began = time.monotonic()
    answer = analyse(game, None, algorithm, Limit(time=0.3))
    assert time.monotonic() - began < SECONDS
    assert answer.stopped == "time"
    assert answer.stats["depth"] >= 1
    assert answer.stats["seconds"] >= 0.2


@pytest.mark.both
def test_progress_reports_every_depth():
    told = []
    answer = analyse(find("connect-four"), limit=Limit(depth=4), progress=told.append)
    assert [found.stats["depth"] for found in told] == [1, 2, 3, 4]
    assert told[-1].moves == answer.moves
    assert [found.best for found in told] == [found.moves[0].move for found in told]


@pytest.mark.plain
def test_the_depth_limit_of_an_endless_game_is_kept():
    answer = analyse(Merry(), limit=Limit(depth=6))
    assert (answer.stopped, answer.stats["depth"], answer.kind) == ("depth", 6, "estimate")


@pytest.mark.plain
@pytest.mark.parametrize("algorithm", ["minimax", "expectimax"])
def test_a_game_that_does_not_end_needs_a_limit(monkeypatch, algorithm):
    class Straight(Merry):
        def actions(self, state):
            yield 1

    monkeypatch.setattr("zermelo.search.deepening.MeteredSearch.deepest", 60)
    monkeypatch.setattr("zermelo.search.expectiminimax.searcher.ExpectiminimaxSearch.deepest", 60)
    with pytest.raises(RulesError, match="straight did not end within 60 plies; give a depth, a time or a node limit"):
        analyse(Straight(), algorithm=algorithm)


@pytest.mark.both
def test_a_caller_s_stop_ends_the_search_for_the_line_too(monkeypatch):
    stop = threading.Event()

    def search_until_stopped(search):
        stop.set()
        while not search.meter.is_stopped():
            time.sleep(0.001)
        return (search.moves[0].action,)

    monkeypatch.setattr("zermelo.search.textbook_search.TextbookSearch._line", search_until_stopped)
    request = Request(Referee(find("nim")), Limit(depth=1), "minimax", stop=stop)
    assert Dispatcher("minimax").answer(request).line


# -- Ctrl-C -----------------------------------------------------------------------------------------------------------


@pytest.mark.ctrl_c
@pytest.mark.parametrize(
    ("game", "algorithm"),
    [
        pytest.param(find("connect-four"), "alphabeta", marks=pytest.mark.compiled),
        (find("pig"), "expectimax"),
    ],
    ids=str,
)
def test_control_c_gets_the_answer_of_the_last_finished_depth(game, algorithm):
    first = analyse(game, None, algorithm, Limit(depth=1))
    timer = threading.Timer(0.5, _thread.interrupt_main)
    began = time.monotonic()
    timer.start()
    answer = analyse(game, None, algorithm)
    timer.join()
    assert time.monotonic() - began < SECONDS
    assert answer.stopped == "user"
    assert answer.stats["depth"] > first.stats["depth"]
    referee = Referee(game)
    referee.play_line(answer.line)
    assert answer.line[0] == answer.best


@pytest.mark.ctrl_c
def test_control_c_ends_the_search_of_an_endless_game():
    analyse(find("pig"), None, "expectiminimax", Limit(depth=1))  # it is compiled now
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    answer = analyse(find("pig"), algorithm="expectiminimax")
    timer.join()
    assert (answer.stopped, answer.kind) == ("user", "estimate")


# -- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("spec", "position", "algorithm", "sentence"),
    [
        ("tic-tac-toe", "XXX/OO./... o", "alphabeta", "X wins; give a position in which a player can move"),
        ("pig", "0-0 0 1 rolling", "star1", "the dice are to be rolled here, so star1 has nothing to choose"),
        ("pig", "", "alphabeta", "alpha-beta needs two players and no dice; pig has dice: use expectiminimax"),
        ("trio", "", "minimax", "trio has three players and payoffs that do not sum to zero: use maxn"),
        ("tree:max(min{h}(3 12) min{h}(2 4))", "", "alphabeta", "tree has hidden information: use determinised"),
        ("hexapawn", "", "solve", "solve is not a search by depth; use alphabeta"),
        ("pig", "", "random", "random is not a search by depth; use expectiminimax"),
    ],
)
def test_positions_without_a_choice_are_refused_in_one_sentence(spec, position, algorithm, sentence):
    game = find(spec)
    with pytest.raises(Refused) as caught:
        analyse(game, Referee.at(game, position), algorithm)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.plain
def test_an_unknown_algorithm_is_a_wrong_request():
    with pytest.raises(UsageError, match="there is no algorithm 'alphabet'"):
        analyse(find("nim"), algorithm="alphabet")


@pytest.mark.both
def test_no_move_in_a_game_that_is_not_over_breaks_the_contract():
    """At the start, or seven plies later."""

    class Stuck(Merry):
        runtime = ("free",)

        def __init__(self, free=0):
            self.free = free

        def actions(self, state):
            if state < self.free:
                yield 1

    with pytest.raises(RulesError, match="stuck is not over in '0', yet there is no move"):
        analyse(Stuck(), algorithm="minimax")
    for free in (0, 7):
        with pytest.raises(RulesError, match=r"stuck.* is not over.*, yet there is no move"):
            analyse(Stuck(free))


# -- the answer as data -----------------------------------------------------------------------------------------------


@pytest.mark.both
def test_the_keys_of_an_answer_are_a_contract():
    found = analyse(find("hexapawn"), limit=Limit(depth=2), seed=7).to_json()
    assert list(found) == [
        "game",
        "position",
        "to_move",
        "agent",
        "seed",
        "value",
        "kind",
        "best",
        "line",
        "distance",
        "moves",
        "stats",
        "limit",
        "stopped",
        "notes",
    ]
    assert [list(move) for move in found["moves"]] == [["move", "value", "kind", "depth", "nodes", "line"]]
    assert list(found["stats"]) == [
        "nodes",
        "seconds",
        "nodes_per_second",
        "depth",
        "deepest_ply",
        "table_hits",
        "table_fullness",
        "cutoffs",
        "first_move_cutoff_rate",
        "compiled",
    ]
    assert found["limit"] == {"time": None, "nodes": None, "depth": 2}
    assert (found["game"], found["to_move"], found["agent"], found["seed"]) == ("hexapawn", 0, "alphabeta", 7)
    assert sum(move["nodes"] for move in found["moves"]) < found["stats"]["nodes"]
    json.dumps(found, allow_nan=False)


@pytest.mark.both
def test_the_keys_of_a_proven_answer_and_of_a_textbook_answer():
    keys = ["move", "value", "kind", "depth", "nodes", "line"]
    proven = analyse(find("hexapawn"), megabytes=1).to_json()
    assert [list(move) for move in proven["moves"]] == [[*keys, "distance", "distance_kind"]]
    assert proven["moves"][0]["distance"] == proven["distance"] == 6
    assert proven["moves"][0]["distance_kind"] == proven["distance_kind"] == "upper"
    textbook = analyse(find("hexapawn"), None, "minimax", Limit(depth=2)).to_json()
    assert [list(move) for move in textbook["moves"]] == [keys] * 3
    assert {"nodes", "seconds", "nodes_per_second", "depth"} <= set(textbook["stats"])


@pytest.mark.plain
@quiet
def test_a_game_that_does_not_compile_is_searched_all_the_same():
    answer = analyse(Letters())
    assert (answer.value, answer.kind, answer.best) == ((1, -1), "exact", "2")
    assert answer.notes == ("it ran interpreted",)
    assert answer.stats["compiled"] is False


def test_a_game_that_does_not_compile_says_so_once():
    class Words(Letters):
        pass

    with pytest.warns(CompileWarning):
        analyse(Words())
    analyse(Words())


# -- hidden information -----------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_determinised_search_sees_the_view_and_nothing_else():
    """States that look the same to the mover give the same answer, even if the rest cannot be looked at."""
    game = Showdown()
    answers = [analyse(game, (3, other, None), "determinised", seed=5).to_json() for other in (1, 2, 4, 5, Secret())]
    assert len({without_times(answer) for answer in answers}) == 1
    assert answers[0]["position"] == game.format_view((3, None), 0)


@pytest.mark.plain
@pytest.mark.parametrize(("card", "best"), [(1, "fold"), (4, "play"), (5, "play")])
def test_a_determinised_search_is_the_textbook_one(card, best):
    game = Showdown()
    answer = analyse(game, (card, 3, None), "determinised", seed=11)
    means = determinised(game, game.view((card, 3, None), 0), 0, random.Random(11))
    assert {move.move: move.value[0] for move in answer.moves} == pytest.approx(
        {"fold": means[game.FOLD], "play": means[game.PLAY]}
    )
    assert (answer.best, answer.kind, answer.stopped) == (best, "estimate", "done")
    assert answer.value[1] == -answer.value[0]


@pytest.mark.ctrl_c
def test_a_determinised_search_keeps_its_limits_and_hears_control_c():
    class Long(Showdown):
        """The first player never comes to a decision."""

        def is_terminal(self, state):
            return False

        def actions(self, state):
            return [self.FOLD, self.PLAY]

    stopped = [
        analyse(Long(), None, "determinised", Limit(nodes=500), seed=1),
        analyse(Long(), None, "determinised", Limit(time=0.2), seed=1),
        analyse(Long(), None, "determinised", Limit(depth=3), seed=1),
    ]
    assert [answer.stopped for answer in stopped] == ["nodes", "time", "depth"]
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    assert analyse(Long(), None, "determinised", seed=1).stopped == "user"
    timer.join()


@pytest.mark.plain
def test_without_a_seed_worlds_are_drawn_anew():
    game = Showdown()
    values = {analyse(game, None, "determinised").value for _ in range(12)}
    assert len(values) > 1


# -- a node-count signature, changed only on purpose ------------------------------------------------------------------


@pytest.mark.both
@pytest.mark.parametrize(("algorithm", "nodes"), [("minimax", 321), ("alphabeta", 92), ("quiescence", 189)])
def test_how_much_a_search_looks_at(algorithm, nodes):
    """Hexapawn has 3, 10, 28, 56 and 70 lines of 1 to 5 plies; depths 1 to 5 look at 3 + 13 + 41 + 97 + 167 = 321."""
    answer = analyse(find("hexapawn"), None, algorithm, Limit(depth=5))
    assert answer.stats["nodes"] == nodes


# -- what the command takes -------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_games_positions_and_limits_may_be_given_as_the_command_takes_them():
    game = find("tic-tac-toe")
    referee = Referee.at(game, "moves: a1 b2")
    wanted = analyse(game, referee, limit=Limit(depth=3))
    for found in (
        analyse(game, "moves: a1 b2", depth=3),
        analyse("tic-tac-toe", "moves: a1 b2", depth=3),
        analyse(game, game.format_state(referee.state), depth=3),
    ):
        assert found.moves == wanted.moves
    assert analyse(game, time=60, depth=2).limit == Limit(time=60, depth=2)
    assert analyse("tic-tac-toe", nodes=100).stats["nodes"] <= 100


@pytest.mark.plain
def test_a_text_is_a_state_where_states_are_texts():
    class Words(Merry):
        def initial(self):
            return ""

        def to_move(self, state):
            return len(state) % 2

        def actions(self, state):
            return () if len(state) > 2 else (1, 2)

        def is_terminal(self, state):
            return len(state) > 2

        def result(self, state, action):
            return state + str(action)

        def utility(self, state, player):
            return 1 if (state[-1] == "1") == (player == 0) else -1

        def format_state(self, state):
            return f"<{state}>"

    assert analyse(Words(), "12", "minimax").position == "<12>"


@pytest.mark.plain
def test_every_public_function_takes_the_texts_of_the_command():
    game = find("tic-tac-toe:m=3,n=2,k=2")
    referee = Referee.at(game, "moves: a1")
    spec, position = "tic-tac-toe:m=3,n=2,k=2", "moves: a1"
    assert zermelo.solve(spec, position).value == zermelo.solve(game, referee).value
    assert zermelo.perft(spec, position, 2) == zermelo.perft(game, referee.state, 2)
    assert zermelo.trace("minimax", spec, position).value == zermelo.trace("minimax", game, referee).value
    assert zermelo.check("nim", games=1).conformant
    for function in (zermelo.solve, zermelo.perft, lambda *given: zermelo.trace("minimax", *given)):
        with pytest.raises(UsageError, match="7 is not a position of tic-tac-toe"):
            function("tic-tac-toe", 7)
    with pytest.raises(UsageError, match=r"a referee is for a Game, .* and not 'chess'"):
        Referee("chess")


@pytest.mark.plain
@pytest.mark.parametrize(
    ("arguments", "options", "sentence"),
    [
        (("chequers",), {}, "there is no game 'chequers'"),
        ((7,), {}, "a game is a Game, or the name of one such as 'chess', and not 7"),
        ((Merry,), {}, r"Merry is a class; make a game of it, as in Merry\(\)"),
        (("nim", find("nim")), {}, "the game comes first, and then the position"),
        (("nim", Referee(find("hexapawn"))), {}, "this is a position of hexapawn, not of nim"),
        (("nim", "nonsense"), {}, "'nonsense' is no"),
        (("nim",), {"limit": 3}, r"a limit is a Limit, as in Limit\(time=2\)"),
        (("nim",), {"limit": Limit(depth=3), "depth": 3}, "give a limit, or its time, nodes and depth, but not both"),
        (("nim",), {"time": "2s"}, "the time limit is '2s'"),
        (("nim",), {"threads": 100_000}, r"a search has 1 to \d+ threads on this machine, not 100000"),
        (("nim",), {"lines": 0}, "lines is the number of moves that get a value, 1 or more, and not 0"),
        (("nim",), {"lines": 2.5}, "lines is the number of moves that get a value, 1 or more, and not 2.5"),
        (("nim", 7), {}, r"7 is not a position of nim; its first state is "),
    ],
)
def test_invalid_arguments_get_one_sentence(arguments, options, sentence):
    with pytest.raises(ZermeloError, match=sentence) as caught:
        analyse(*arguments, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("spec", "position", "algorithm", "remedy"),
    [
        ("backgammon", "", "expectiminimax", 'give the roll: "moves: 12"'),
        ("2048", "", "maxn", 'give the roll: "moves: 2@a4 2@b4"'),
        ("pig", "moves: roll", "star1", 'give the roll: "moves: roll 1"'),
        ("pig", "0-0 0 1 rolling", "mcts", 'give the roll: "0-0 0 2"'),
        ("tic-tac-toe", "XXX/OO./... o", "mcts", "give a position in which a player can move"),
    ],
)
def test_a_refusal_to_choose_ends_with_a_remedy_that_works(spec, position, algorithm, remedy):
    with pytest.raises(Refused, match=f"(has nothing to choose|X wins); {remedy}$"):
        analyse(spec, position, algorithm, nodes=1)
    if "roll" in remedy:
        referee = Referee.at(find(spec), remedy.split('"')[1])
        assert referee.to_move != CHANCE


@pytest.mark.both
def test_minimax_reports_the_tree_size_of_its_last_depth():
    """A tree of 5 plies has 3, 10, 28, 56 and 70 nodes below its root; the nodes are those of all depths."""
    answer = analyse("hexapawn", algorithm="minimax", depth=5)
    assert answer.stats["nodes"] == 321
    assert answer.notes[-1] == "the tree of depth 5 alone has 168 nodes"
