"""`zermelo solve` and `zermelo best` of games with hidden information."""

import math
import os
import signal
import threading
import time
from fractions import Fraction

import pytest

import zermelo as library
from zermelo.cli.equilibrium import EquilibriumOptions
from zermelo.core.errors import Refused, UsageError
from zermelo.equilibrium.answers import Solution
from zermelo.equilibrium.strategy import Strategy

KUHN_BLUFF = "J check      check 2/3, bet 1/3 (bluff)"


def test_kuhn_is_solved_in_fractions_with_its_bluff(zermelo):
    out = zermelo("solve", "kuhn").out
    assert out.startswith("kuhn: worth -1/18 to player 1 (-0.055556), proved\n")
    assert "Linear programme · 12 information sets · exploitability 0" in out
    assert KUHN_BLUFF in out
    assert out.count("met in") + out.count("never met") == 12


def test_regret_minimisation_gives_an_estimate(zermelo):
    out = zermelo("solve", "kuhn", "--method", "cfr", "--iterations", "500").out
    assert out.startswith("kuhn: worth ~ -0.05")
    assert "an estimate\nCFR · 500 iterations" in out
    assert "stopped by iterations" in out
    assert "proved" not in out
    assert "/" not in out.partition("Player 1")[2]


def test_the_goal_and_the_rows_can_be_chosen(zermelo):
    answer = zermelo("solve", "kuhn", "--method", "cfr+", "--to", "1e-3", "--most", "4", "--json").json
    assert answer["exploitability"] <= 1e-3
    assert answer["stopped"] == "done"
    assert len(answer["strategy"]) == 4
    assert answer["fraction"] is None
    assert all(math.isclose(sum(move["probability"] for move in row["moves"]), 1) for row in answer["strategy"])


def test_the_json_has_all_sets_and_the_fractions(zermelo):
    answer = zermelo("solve", "kuhn", "--json").json
    assert (answer["fraction"], answer["value"], answer["kind"]) == ("-1/18", [-1 / 18, 1 / 18], "exact")
    assert len(answer["strategy"]) == answer["sets"] == 12
    bluffs = [
        (row["view"], move["fraction"]) for row in answer["strategy"] for move in row["moves"] if move["is_bluff"]
    ]
    assert bluffs == [("J check", "1/3")]


def test_more_than_two_players_get_nash_conv_and_a_reason(zermelo):
    said = zermelo("solve", "kuhn:players=3", "--iterations", "50")
    assert "NashConv" in said.out
    assert "exploitability" not in said.out
    assert "proved" not in said.out
    assert "note: kuhn has 3 players, so regret minimisation need not find an equilibrium" in said.err
    said = zermelo("solve", "matrix:chicken", "--iterations", "50")
    assert "payoffs whose sum is not always the same" in said.err
    assert "or ask `zermelo nash`" in said.err


def test_a_saved_strategy_is_played(zermelo, tmp_path):
    file = tmp_path / "kuhn.strategy"
    assert zermelo("solve", "kuhn", "--save", file).out.endswith(f"strategy: {file}\n")
    assert Strategy.load(file).notes["value"] == "-1/18"
    answer = zermelo("best", "kuhn", "moves: Q J check bet", "--agent", f"equilibrium:{file}", "--json").json
    assert {move["move"]: move["probability"] for move in answer["moves"]} == pytest.approx(
        {"fold": 2 / 3, "call": 1 / 3}
    )
    said = zermelo("best", "leduc", "moves: Js Kh", "--agent", f"equilibrium:{file}")
    assert said.sentence == "this is a strategy for kuhn, not for leduc"


def test_a_strategy_that_forgets_is_printed_and_played(zermelo, tmp_path):
    """Oshi-Zumo is too large to keep all that was bid; what is seen now is enough."""
    out = zermelo("solve", "oshi-zumo", "--most", "3", "--save", str(tmp_path / "zumo.json")).out
    assert out.startswith("oshi-zumo: worth 0 to player 1, proved\nBackward induction over matrices")
    assert "10-10 +0" in out
    said = zermelo("best", "oshi-zumo", "moves: 3 2", "--agent", f"equilibrium:{tmp_path / 'zumo.json'}", "--json").json
    assert math.isclose(sum(move["probability"] for move in said["moves"]), 1)


def test_best_prints_the_mixture_and_what_moves_are_worth(zermelo):
    out = zermelo("best", "kuhn", "moves: Q J check bet").out
    assert out.startswith("kuhn · Q check bet · player 1 to move\nauto: fold 66.7 %, call 33.3 %; drawn: ")
    assert "exploitability 0" in out
    assert out.count("~ −1") == 2  # between moves of a mixture, the player does not care
    assert zermelo("best", "kuhn", "QJ check bet").out.startswith("kuhn · Q check bet · player 1")


@pytest.mark.plain
@pytest.mark.parametrize("agent", ["auto", "equilibrium", "random", "determinised:depth=3", "mcts:sims=200"])
def test_nothing_that_best_prints_depends_on_the_others_card(zermelo, agent):
    def said(moves):
        answer = zermelo("best", "kuhn", f"moves: {moves}", "--agent", agent, "--seed", "5", "--json").json
        for name in [name for name in answer["stats"] if "second" in name]:
            del answer["stats"][name]
        return answer

    for own, others in (("J", "QK"), ("Q", "JK"), ("K", "JQ")):
        assert said(f"{own} {others[0]} check bet") == said(f"{own} {others[1]} check bet")
        assert said(f"{others[0]} {own} bet") == said(f"{others[1]} {own} bet")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("kuhn moves:K,J", "kuhn has hidden information, so it is solved from the start"),
        ("kuhn --method simplex", "there is no method 'simplex'; try auto, lp, stacked, cfr"),
        ("kuhn --nodes 10", "a limit in nodes is for proofs"),
        ("kuhn --to 0", "--to 0 is too small; it is an exploitability above 0"),
        ("kuhn --iterations 0", "--iterations 0 is too small"),
        ("kuhn --most 0", "--most 0 is too small"),
        ("kuhn --save /dev", "/dev cannot be written: it is not a file"),
        ("kuhn --save nowhere/kuhn.strategy", "nowhere/kuhn.strategy cannot be written: there is no folder nowhere"),
        ("kuhn:players=3 --method lp", "a linear programme needs two players whose payoffs always sum"),
        ("hexapawn --to 1e-3 --method lp", "--method and --to are for games with hidden information; hexapawn hides"),
        ("hexapawn --save x", "--save is for games with hidden information"),
    ],
)
@pytest.mark.plain
def test_what_does_not_fit_gets_one_sentence(zermelo, words, sentence):
    said = zermelo("solve", *words.split(" "))
    assert said.code in (1, 2)
    assert said.sentence.startswith(sentence)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "best hexapawn --agent equilibrium",
            "an equilibrium needs hidden information; hexapawn has nothing that",
        ),
        (
            "best kuhn moves:J,Q --agent solve",
            "solve needs no hidden information; kuhn has hidden information: use",
        ),
        ("best kuhn moves:J,Q --agent equilibrium:nowhere", "nowhere cannot be read: No such file"),
        ("best kuhn moves:J,Q --agent equilibrium:level=3", "equilibrium has no option 'level'; try seed"),
        ("play kuhn --vs equilibrium --level 3", "equilibrium has no levels; leave out --level"),
        ("tree kuhn --algorithm determinised", "kuhn has hidden information, so no search has a tree"),
    ],
)
def test_dead_ends_name_a_way_out(zermelo, words, sentence):
    said = zermelo(*words.split(" "))
    assert said.code in (1, 2)
    assert said.sentence.startswith(sentence)


def test_the_tree_of_a_hidden_game_has_its_information_sets(zermelo, tmp_path):
    said = zermelo("tree", "kuhn", "--svg", str(tmp_path / "kuhn.svg"))
    assert "58 nodes, 12 information sets" in said.out
    assert "information set: Q check" in (tmp_path / "kuhn.svg").read_text()
    tree = zermelo("tree", "kuhn", "--json").json["tree"]
    assert tree["children"][0]["children"][0]["view"] == "J -"


def test_the_library_has_one_solve():
    found = library.solve("kuhn")
    assert isinstance(found, Solution)
    assert found.value == Fraction(-1, 18)
    assert library.solve("hexapawn").value == (-1, 1)
    assert library.solve("kuhn", method="cfr+", to=1e-2).exploitability <= 1e-2
    with pytest.raises(Refused, match="solved from the start"):
        library.solve("kuhn", "moves: K J")
    with pytest.raises(UsageError, match="hexapawn hides nothing, so solve proves its value"):
        library.solve("hexapawn", method="lp")


def test_a_stop_event_keeps_what_was_found():
    stop = threading.Event()

    def note(iterations, gain):
        if iterations > 100:
            stop.set()

    found = library.solve("kuhn", method="cfr", to=1e-12, stop=stop, on_iterations=note)
    assert found.stopped == "user"
    assert found.iterations > 100
    assert 0 < found.exploitability < 0.1


def test_a_limit_of_time_is_kept():
    found = library.solve("kuhn", limit=library.Limit(time=0.2), method="cfr", to=1e-15)
    assert found.stopped == "time"


@pytest.mark.ctrl_c
def test_ctrl_c_prints_what_was_found(zermelo):
    def press():
        time.sleep(1.5)
        os.kill(os.getpid(), signal.SIGINT)

    zermelo("solve", "kuhn", "--method", "cfr", "--iterations", "10")  # compiled
    threading.Thread(target=press).start()
    said = zermelo("solve", "kuhn", "--method", "cfr", "--to", "1e-15")
    assert said.code == 130
    assert "stopped by user" in said.out
    assert "Player 1" in said.out


@pytest.mark.plain
def test_an_open_game_refuses_options_only_if_there_are_any():
    EquilibriumOptions().refuse_for(library.find("nim"))
