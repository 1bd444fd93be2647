"""What a proof does when it may not go on, cannot go on, or should never have begun."""

import _thread
import threading
import time

import pytest
from solve_games import (
    CHAIN,
    STUCK,
    SUBTRACT,
    WIDE,
    DiceZoo,
    Letters,
    Spot,
    Zoo,
    judged,
)

import zermelo
from trees import Inner, text_of
from zermelo.core.errors import NotProved, Refused, RulesError, UsageError
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.games.connectfour import ConnectFour
from zermelo.games.hexapawn import Hexapawn
from zermelo.games.tictactoe import TicTacToe
from zermelo.games.tree import Tree
from zermelo.games.trio import Trio
from zermelo.kernel import CompileWarning
from zermelo.search.runtime import Request
from zermelo.solve import prove, solve
from zermelo.solve.by_proof import ByProof
from zermelo.solve.solver import _choose

SECONDS = 20
"""Far more than any of this takes, on any machine."""


# -- limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [ConnectFour(), Trio(5, 5)], ids=str)
def test_a_proof_gives_up_when_its_time_is_over(game):
    solve_nothing(game)
    began = time.monotonic()
    with pytest.raises(NotProved) as caught:
        solve(game, limit=Limit(time=0.2))
    assert time.monotonic() - began < SECONDS
    assert str(caught.value).startswith(f"{game} is not proved after ")
    assert " s; its value lies somewhere in [" in str(caught.value)
    assert str(caught.value).endswith("give more time or nodes, or ask `best` for an estimate")


def solve_nothing(game):
    """Compile, so that the clock measures the proof only."""
    with pytest.raises(NotProved):
        solve(game, limit=Limit(nodes=1))


@pytest.mark.both
@pytest.mark.parametrize("game", [TicTacToe(), Trio(3, 3), DiceZoo()], ids=str)
def test_a_proof_stops_at_its_node_limit(game):
    with pytest.raises(NotProved, match=f"^{game} is not proved after 7 nodes; its value lies somewhere in "):
        solve(game, limit=Limit(nodes=7))


@pytest.mark.both
@pytest.mark.parametrize("game", [TicTacToe(), Trio(3, 3)], ids=str)
def test_node_limits_are_exact(game):
    """What took n nodes is proved with a limit of n + 1, and not with n; a proof always takes the same number."""
    nodes = solve(game).stats["nodes"]
    answer = solve(game, limit=Limit(nodes=nodes + 1))
    assert (answer.stats["nodes"], answer.stopped) == (nodes, "done")
    with pytest.raises(NotProved):
        solve(game, limit=Limit(nodes=nodes))


@pytest.mark.both
@pytest.mark.parametrize("game", [TicTacToe(), Hexapawn(), Trio(3, 3), DiceZoo()], ids=str)
def test_two_proofs_are_the_same(game):
    one, other = (without_times(solve(game).to_json()) for _ in range(2))
    assert one == other


def without_times(found):
    found["stats"].pop("seconds")
    found["stats"].pop("nodes_per_second")
    return found


def test_a_node_limit_for_the_value_does_not_cut_the_line():
    game = Hexapawn(4, 4)
    free = solve(game)
    limited = solve(game, limit=Limit(nodes=free.stats["nodes"] + 1))
    assert (limited.line, limited.distance, limited.moves) == (free.line, free.distance, free.moves)


def test_a_value_that_is_proved_stands_when_the_time_is_over_later():
    """The value and a best move; the rest as far as it was known."""
    game = Hexapawn(4, 4)

    class Late(ByProof):
        def allow_more(self):
            self.watch.out_of_time = True
            super().allow_more()
            self.halt()

    whole = solve(game)
    method = _choose(Request(Referee(game)), 1)
    method.__class__ = Late
    answer = method.answer()
    assert (answer.value, answer.kind, answer.stopped) == (whole.value, "exact", "time")
    assert answer.line[0] == answer.best
    assert {move.move: move.value for move in whole.moves}[answer.best] == answer.value
    assert answer.distance is None
    assert answer.moves[0].kind == "exact"
    assert {move.kind for move in answer.moves[1:]} == {"upper"}
    assert {move.value for move in answer.moves[1:]} == {answer.value}
    assert answer.notes == ("the value is proved; the line and the other moves were cut short",)


@pytest.mark.both
def test_a_depth_limit_means_nothing_to_a_proof():
    assert solve(TicTacToe(), limit=Limit(depth=1)).value == (0, 0)


# -- Ctrl-C -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [ConnectFour(), Trio(5, 5)], ids=str)
def test_control_c_ends_a_proof(game):
    solve_nothing(game)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solve(game)
    timer.join()
    assert time.monotonic() - began < SECONDS


@pytest.mark.ctrl_c
@pytest.mark.filterwarnings("ignore::zermelo.kernel.CompileWarning")
def test_control_c_ends_a_proof_in_plain_python():
    class Spelling(Letters):
        """More words than the memory holds."""

        def initial(self):
            return "", 0

        def actions(self, state):
            return range(10)

        def result(self, state, action):
            return state[0] + "abcdefghij"[action], 1 - state[1]

        def is_terminal(self, state):
            return len(state[0]) == 30

    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        solve(Spelling(), limit=Limit(time=SECONDS))
    timer.join()


def test_progress_is_reported_while_it_works_and_its_error_ends_the_proof():
    reports = []

    def progress(found):
        reports.append(found)
        if len(reports) == 2:
            raise RuntimeError("the window was closed")

    with pytest.raises(RuntimeError, match="the window was closed"):
        solve(ConnectFour(), limit=Limit(time=SECONDS), progress=progress)
    assert 0 < reports[0].stats["nodes"] < reports[1].stats["nodes"]
    assert [(report.kind, report.notes) for report in reports] == [("estimate", ("proving the value",))] * 2


def test_reports_name_the_question_that_is_being_proved():
    reports = []

    class Reporting(ByProof):
        def _turn_to(self, question):
            super()._turn_to(question)
            self.report("nodes")

    method = _choose(Request(Referee(Hexapawn(4, 4)), progress=reports.append), 1)
    method.__class__ = Reporting
    answer = method.answer()
    questions = ["the distance", "the line", "the other moves"]
    assert [report.notes for report in reports] == [(f"proving {question}",) for question in questions]
    assert [(report.value, report.kind) for report in reports] == [(answer.value, "exact")] * 3
    assert reports[0].stats["nodes"] == answer.stats["nodes"] < reports[1].stats["nodes"]


# -- games without a value --------------------------------------------------------------------------------------------


@pytest.mark.both
@pytest.mark.parametrize("game", [Zoo(), DiceZoo()], ids=str)
def test_a_position_without_moves_that_is_not_over_breaks_the_contract(game):
    with pytest.raises(RulesError, match="not over"):
        solve(game, Spot(STUCK, 6, 0))


@pytest.mark.both
def test_a_rule_for_repetition_changes_nothing_where_nothing_repeats():
    class Cautious(Hexapawn):
        repetition = Repetition.DRAW_AT_THREE

    assert solve(Cautious(), memory_mb=1).value == solve(Hexapawn(), memory_mb=1).value


@pytest.mark.plain
def test_hidden_information_is_refused_with_advice():
    with pytest.raises(
        Refused, match="solve needs no hidden information; tree has hidden information: use equilibrium"
    ):
        prove(Tree("max(min{h}(3 12) min{h}(2 4))"))


# -- long, wide, crowded ----------------------------------------------------------------------------------------------


@pytest.mark.both
@pytest.mark.parametrize("game", [Zoo(), DiceZoo()], ids=str)
def test_three_thousand_plies_are_solved(game):
    answer = solve(game, Spot(CHAIN, 3000, 0), memory_mb=1)
    assert answer.value == (-1, 1)
    assert answer.distance == (3000 if game.name == "zoo" else None)
    assert len(answer.line) == (500 if game.name == "zoo" else 1)  # a line stops at the dice


@pytest.mark.parametrize(("game", "plies"), [(Zoo(), 10_000), (DiceZoo(), 40_000)], ids=str)
def test_games_of_any_length_are_solved(game, plies):
    """Alpha-beta gives up after 5,000 plies; induction only needs room for the positions."""
    answer = solve(game, Spot(CHAIN, plies, 0))
    assert (answer.value, answer.error, answer.distance) == ((-1, 1), 0, None)


def test_a_game_of_fifteen_hundred_plies_is_measured():
    answer = solve(Zoo(), Spot(SUBTRACT, 3000, 0), memory_mb=1)
    assert (answer.value, answer.distance) == ((-1, 1), 1500)


def test_two_thousand_moves_at_every_turn():
    answer = solve(Zoo(), Spot(WIDE, 41, 0), memory_mb=1)
    assert (answer.value, answer.best) == ((1, -1), "1999")


def test_more_moves_than_the_stack_holds_stop_the_proof():
    """A hundred turns of 2,000 moves; the table behind the stack is not written to."""
    with pytest.raises(NotProved, match="zoo is not proved: one line of play has more than the 174,080 moves"):
        solve(Zoo(), Spot(WIDE, 101, 0), memory_mb=1)


def test_a_table_that_is_far_too_small_costs_time_and_nothing_else():
    """Half a million positions in a table for a quarter of them."""
    game = Hexapawn(6, 5)
    answer = solve(game, memory_mb=1)
    assert (answer.value, answer.distance) == ((1, -1), 29)
    assert answer.stats["nodes"] > 1.1 * solve(game).stats["nodes"]


def test_a_table_of_all_positions_that_is_full_says_so():
    with pytest.raises(NotProved, match="trio:cols=5,rows=5 has more positions than the table"):
        solve(Trio(5, 5), memory_mb=1)


@pytest.mark.plain
@pytest.mark.parametrize("megabytes", [0, -3])
def test_a_table_needs_a_megabyte(megabytes):
    with pytest.raises(UsageError, match=f"a megabyte or more, not {megabytes}"):
        solve(TicTacToe(), memory_mb=megabytes)


@pytest.mark.plain
@pytest.mark.parametrize("megabytes", [10**11, 10**30])
def test_a_table_that_does_not_fit_is_refused(megabytes):
    with pytest.raises(UsageError, match=f"there is no room for a table of {megabytes:,} megabytes; give it less"):
        solve(TicTacToe(), memory_mb=megabytes)


# -- games that do not compile ----------------------------------------------------------------------------------------


def test_a_game_that_does_not_compile_is_solved_in_plain_python():
    with pytest.warns(CompileWarning):
        answer = solve(Letters())
    assert (answer.value, answer.distance, answer.line) == ((1, -1), 3, ("2", "1", "2"))
    assert answer.notes == ("it ran interpreted",)
    assert answer.stats["compiled"] is False
    assert [move.value for move in answer.moves] == [(1, -1), (-1, 1)]


def test_a_rule_that_does_not_compile_is_solved_in_plain_python():
    class Pythonic(Zoo):
        def utility(self, state, player):
            return -1 if any(player == loser for loser in [state.player]) else 1

    with pytest.warns(CompileWarning, match="runs interpreted"):
        answer = solve(Pythonic(), Spot(SUBTRACT, 9, 0))
    assert (answer.value, answer.distance, answer.best) == ((1, -1), 5, "1")


@pytest.mark.plain
@pytest.mark.filterwarnings("ignore::zermelo.kernel.CompileWarning")
def test_endless_play_in_plain_python_is_noticed():
    class Counting(Letters):
        """The turns are numbered, so no position comes twice."""

        def to_move(self, state):
            return state[1] % 2

        def result(self, state, action):
            return state[0], state[1] + 1

    with pytest.raises(RulesError, match="goes on for too many plies, so it need not end"):
        solve(Counting(), limit=Limit(time=SECONDS))


# -- games that lie ---------------------------------------------------------------------------------------------------


@pytest.mark.both
def test_payoffs_outside_the_declared_range_crash_nothing():
    tree = Inner("max", (Inner("min", (7, -9, Inner("max", (2, 11)))), Inner("min", (-20, 3)), 5))
    game = Tree(text_of(tree))
    game.utility_range = (-1, 1)
    for player in range(2):  # where the tree keeps what it tells as bounds
        game.intervals[2 * player], game.intervals[2 * player + 1] = -1.0, 1.0
    answer = solve(game)
    assert answer.kind == "exact"
    assert judged(tree)[0] == 5


@pytest.mark.both
def test_command_package_and_function_are_one_word():
    assert zermelo.solve("nim").value == zermelo.solve.solve("nim").value == (1.0, -1.0)
