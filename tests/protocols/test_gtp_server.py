"""The GTP server, command by command: what it sets up, plays, counts, says, and shrugs off."""

import re
import threading
import time
from dataclasses import replace

import pytest
from gtp_talk import OWN_LIMIT, SECONDS, Puppet, Talk

from zermelo.core.errors import Refused
from zermelo.core.limit import Limit
from zermelo.games import all_games, find
from zermelo.games.go.sgf import read_sgf
from zermelo.protocols import serial_executor
from zermelo.protocols.gtp import search_control
from zermelo.protocols.gtp.colours import letter_of
from zermelo.protocols.gtp.commands import Command, read_command

pytestmark = pytest.mark.plain


@pytest.fixture
def talk():
    with Talk("go:size=9") as found:
        yield found


def rows(talk):
    """The rows of the board, without coordinates and star points."""
    lines = talk.ask("showboard").split("\n")[2:-2]
    return [line[3:-2].replace(" ", "").replace("+", ".") for line in lines]


# -- lines ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("12 genmove b", Command("12", "genmove", ("b",))),
        ("\tplay\tB  D4 # why not\r\n", Command("", "play", ("B", "D4"))),
        ("pl\x07ay b\x00 D4\x7f", Command("", "play", ("b", "D4"))),
        ("# only a comment", None),
        ("", None),
        (" \t\r\n", None),
        ("7", Command("7", "")),
    ],
)
def test_lines_are_read_as_the_protocol_says(line, command):
    assert read_command(line) == command


def test_answers_carry_the_number_of_their_command(talk):
    assert talk.asked("1 protocol_version", "0023 name", "version", "99 nonsense", "7") == [
        "=1 2",
        "=0023 Zermelo",
        "= 1.0",
        "?99 unknown command",
        "?7 unknown command",
    ]


def test_every_command_that_is_listed_is_known(talk):
    names = talk.ask("list_commands")[2:].split("\n")
    required = """protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove
    undo reg_genmove showboard time_settings time_left kgs-time_settings fixed_handicap place_free_handicap
    set_free_handicap final_score final_status_list loadsgf printsgf gogui-analyze_commands lz-analyze kata-analyze
    lz-genmove_analyze kata-genmove_analyze gogui-interrupt gogui-play_sequence gg-undo"""
    assert set(required.split()) <= set(names)
    assert {talk.ask(f"known_command {name}") for name in names} == {"= true"}
    assert talk.ask("known_command knit") == "= false"


def test_the_level_can_be_changed(talk):
    assert talk.asked("zermelo-level 3", "zermelo-level 30", "zermelo-level", "zermelo-level high") == [
        "= ",
        "? there is no level 30; the levels are 1 to 10, the strongest",
        "? syntax error: one word is expected",
        "? a level is a whole number from 1 to 10, not 'high'",
    ]
    assert talk.levels == [3]


# -- the board -----------------------------------------------------------------------------------------


def test_the_first_words_of_gogui(talk):
    """As GoGui 1.5 begins a game: who are you, what can you do, then the game."""
    answers = talk.asked(
        "1 protocol_version",
        "2 list_commands",
        "3 version",
        "4 gogui-analyze_commands",
        "5 boardsize 13",
        "6 clear_board",
        "7 komi 6.5",
        "8 time_settings 1800 60 25",
        "9 time_left b 1800 0",
        "10 genmove b",
        "11 play w G7",
        "12 gg-undo 2",
        "13 gogui-play_sequence b D4 w K10",
    )
    assert [answer.split()[0] for answer in answers] == [f"={number}" for number in range(1, 14)]
    assert answers[9] == "=10 A1"
    assert [row.count("X") - row.count("O") for row in rows(talk)] == [0, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    assert talk.puppet.games[0].options() == find("go:size=13,komi=6.5").options()


def test_the_first_words_of_sabaki(talk):
    """As Sabaki attaches an engine to a position, asks for a move, and for an analysis."""
    answers = talk.asked(
        "name", "version", "protocol_version", "list_commands", "komi 7.5", "boardsize 9", "clear_board",
        "play B E5", "play W C3", "genmove B",
    )  # fmt: skip
    assert all(answer.startswith("=") for answer in answers)
    talk.server.handle("kata-analyze W 50")
    assert talk.ask("play W D9").startswith("=\ninfo move B1 visits 4000 winrate 0.600000 ")
    assert talk.answer() == "= "


def test_moves_are_played_in_either_case_and_drawn(talk):
    talk.asked("boardsize 3", "play b a1", "PLAY W B2", "play WHITE B2", "play Black pass")
    assert rows(talk) == ["...", ".O.", "X.."]
    assert talk.ask("showboard").endswith("O to move; moves played: 3; komi 7.5")


def test_a_colour_may_play_twice_and_undo_takes_the_pass_between_back_too(talk):
    talk.asked("boardsize 3", "play b A1", "play b A3", "play w B2", "play w C1")
    assert rows(talk) == ["X..", ".O.", "X.O"]
    assert "moves played: 6" in talk.ask("showboard")
    talk.asked("undo", "undo")
    assert rows(talk) == ["X..", "...", "X.."]
    assert talk.asked("undo", "undo", "undo") == ["= ", "= ", "? cannot undo"]
    assert rows(talk) == ["...", "...", "..."]


def test_stones_are_taken_and_come_back(talk):
    talk.asked("boardsize 3", "play w A1", "play b A2", "play b B1")
    assert rows(talk) == ["...", "X..", ".X."]
    talk.ask("undo")
    assert rows(talk) == ["...", "X..", "O.."]


def test_play_continues_after_two_passes(talk):
    talk.asked("boardsize 3", "play b B2", "play w pass", "play b pass")
    assert talk.ask("genmove w") == "= pass"
    assert talk.asked("play b pass", "play b A1", "genmove w")[:2] == ["= ", "= "]
    assert talk.puppet.positions == [".../.X./X.. W"]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("play w C2", "illegal move: C2 is not legal here"),
        ("play w C3", "illegal move: C3 would repeat an earlier board"),
        ("play w K10", "invalid color or coordinate: 'K10' is not a point of this board"),
        ("play w I5", "invalid color or coordinate: "),
        ("play green A1", "invalid color or coordinate: 'green' is not black, white, b or w"),
        ("play w", "invalid color or coordinate: a colour and a move are expected"),
        ("play w resign", "invalid color or coordinate: "),
        ("boardsize 20", "unacceptable size: go is played on boards of size 2 to 19, not 20"),
        ("boardsize -9", "syntax error: '-9' is not a whole number"),
        ("boardsize", "syntax error: one word is expected"),
        ("komi much", "komi not a float"),
        ("komi nan", "komi nan is out of range"),
        ("komi 1e9", "komi 1e+09 is out of range"),
        ("set_free_handicap A1 B1", "board not empty"),
        ("gg-undo 99", "cannot undo 99 moves: there are 7"),
        ("gogui-play_sequence w A1 b A1", "illegal move: A1 is not legal here"),
        ("gogui-play_sequence b A1 w", "syntax error: pairs of a colour and a move are expected"),
        ("genmove", "syntax error: a colour is expected"),
        ("genmove pink", "invalid color or coordinate: "),
        ("time_settings 1 2", "syntax error: 3 numbers from 0 are expected, not '1 2'"),
        ("time_left b soon 1", "syntax error: 2 numbers from 0 are expected"),
        ("kgs-time_settings weird 1", "syntax error: write none, absolute, byoyomi or canadian"),
        ("printsgf file.sgf", "printsgf does not write files"),
        ("loadsgf nowhere.sgf", "cannot load file: "),
        ("final_status_list asleep", "invalid status: 'asleep' is not alive, dead or seki"),
        ("kata-analyze b 10 avoid", "syntax error: "),
        ("kata-analyze avoid b,D4,1", "avoid is not supported"),
    ],
)
def test_impossible_orders_are_refused_and_change_nothing(talk, line, answer):
    """White's C3 would bring back the board of two moves before, which only superko forbids."""
    talk.asked("boardsize 3", "komi 2", "gogui-play_sequence b C2 w C3 b B2 w A2 b A3 w B3 b A3")
    seen = ("showboard", "printsgf", "get_komi", "query_boardsize", "time_settings 0 0 0")
    before = talk.asked(*seen)
    assert rows(talk) == ["X..", "OXX", "..."]
    assert talk.ask(line).startswith(f"? {answer}")
    assert talk.asked(*seen) == before


# -- komi and handicap ---------------------------------------------------------------------------------


def test_komi_changes_the_score_and_not_the_board(talk):
    talk.asked("boardsize 3", "play b B2")
    assert talk.asked("komi 2.5", "final_score", "komi 9", "final_score", "komi 9.5", "final_score") == [
        "= ", "= B+6.5", "= ", "= 0", "= ", "= W+0.5",
    ]  # fmt: skip
    assert rows(talk) == ["...", ".X.", "..."]
    assert talk.asked("undo", "get_komi", "clear_board", "get_komi") == ["= ", "= 9.5", "= ", "= 9.5"]


def test_fixed_handicaps_are_those_of_the_protocol(talk):
    assert talk.ask("fixed_handicap 2") == "= C3 G7"
    assert talk.ask("fixed_handicap 3") == "? board not empty"
    assert talk.ask("showboard").endswith("O to move; moves played: 0; komi 7.5")
    talk.ask("clear_board")
    assert talk.ask("fixed_handicap 5") == "= C3 G7 C7 G3 E5"
    assert talk.asked("clear_board", "fixed_handicap 10", "fixed_handicap 1")[1:] == [
        "? invalid handicap: a handicap of 10 cannot be given on a board of size 9; it allows 2 to 9 stones",
        "? invalid handicap: at least 2 stones are expected, not 1",
    ]


def test_a_free_handicap_that_we_place_is_as_large_as_the_board_allows(talk):
    assert len(talk.ask("place_free_handicap 30").split()) == 1 + 9
    talk.ask("boardsize 8")
    assert len(talk.ask("place_free_handicap 9").split()) == 1 + 4
    talk.ask("boardsize 5")
    assert talk.ask("place_free_handicap 2").startswith("? invalid handicap")


def test_white_gets_a_point_for_every_handicap_stone(talk):
    """As GNU Go counts with --chinese-rules: 81 - 7 - 4 with four stones alone on the board."""
    assert talk.asked("komi 7", "fixed_handicap 4", "final_score")[-1] == "= B+70"
    assert talk.asked("clear_board", "set_free_handicap A1 B2 C3 D4", "final_score")[-1] == "= B+70"
    many = "A1 B2 C3 D4 E5 F6 G7 H8 J9 A9 B8"
    assert talk.asked("clear_board", f"set_free_handicap {many}", "final_score")[-1] == "= B+63"
    assert talk.asked("komi 8", "final_score")[-1] == "= B+62"
    assert talk.asked("clear_board", "final_score", "boardsize 7", "final_score")[1::2] == ["= W+8", "= W+8"]


@pytest.mark.parametrize("points", ["", "D4", "D4 D4", "D4 Z1", "D4 pass"])
def test_a_bad_list_of_handicap_stones_is_refused(talk, points):
    assert talk.ask(f"set_free_handicap {points}").startswith("? bad vertex list")
    assert set("".join(rows(talk))) == {"."}


# -- the end -------------------------------------------------------------------------------------------


def test_all_that_is_on_the_board_is_alive_by_area(talk):
    talk.asked("boardsize 4", "gogui-play_sequence b A2 b B2 b C2 b D2 w A4 w C4 w D4")
    chains = talk.ask("final_status_list alive")[2:].split("\n")
    assert sorted(sorted(chain.split()) for chain in chains) == [["A2", "B2", "C2", "D2"], ["A4"], ["C4", "D4"]]
    assert talk.asked("final_status_list dead", "final_status_list seki") == ["= ", "= "]


def test_a_game_is_written_and_read_again(talk, tmp_path):
    path = tmp_path / "two words.sgf"
    talk.asked("komi 0.5", "set_free_handicap A1 E5 J9", "play w C3", "play w C4", "play b pass", "play w pass")
    talk.asked("play b D4", "play w pass", "play b pass")
    board, score, sgf = talk.asked("showboard", "final_score", "printsgf")
    assert read_sgf(sgf[2:])[0].moves == ("C3", "pass", "C4", "pass", "pass", "D4", "pass", "pass")
    path.write_text(sgf[2:])
    assert talk.asked("boardsize 13", f"loadsgf {path}", "showboard", "final_score")[1:] == ["= ", board, score]
    assert talk.ask(f"loadsgf {path} 3") == "= "
    assert "moves played: 2;" in talk.ask("showboard")
    talk.asked("undo", "undo")
    assert talk.ask("undo") == "? cannot undo"


@pytest.mark.parametrize("text", ["", "(;GM[1]SZ[9];B[ee];W[ee])", "(;SZ[25])", "\x00\xff", "(;SZ[9];B[zz])"])
def test_a_file_that_is_not_a_game_changes_nothing(talk, tmp_path, text):
    path = tmp_path / "broken.sgf"
    path.write_text(text)
    talk.ask("play b E5")
    before = talk.ask("showboard")
    assert talk.ask(f"loadsgf {path}").startswith("? cannot load file: ")
    assert talk.ask("showboard") == before


# -- moves ---------------------------------------------------------------------------------------------


def test_a_move_is_found_and_played(talk):
    assert talk.asked("boardsize 3", "genmove b", "reg_genmove w", "genmove w") == ["= ", "= A1", "= B1", "= B1"]
    assert rows(talk) == ["...", "...", "XO."]


def test_genmove_works_for_either_colour(talk):
    talk.asked("boardsize 3", "genmove w", "genmove w")
    assert rows(talk) == ["...", "...", "OO."]
    assert talk.puppet.positions == [".../.../... W - 1", ".../.../O.. W - 1"]
    talk.ask("undo")
    assert rows(talk) == ["...", "...", "O.."]


@pytest.mark.parametrize(("chances", "answer"), [(0.049, "= resign"), (0.051, "= A1")])
def test_a_hopeless_game_is_resigned(chances, answer):
    with Talk("go:size=5", Puppet(winrate=chances)) as talk:
        assert talk.asked("genmove b", "reg_genmove b")[0] == answer
        assert ("moves played: 0" in talk.ask("showboard")) == (answer == "= resign")


def test_an_engine_without_a_move_resigns(talk):
    talk.puppet.analysis = lambda referee, visits: replace(
        Puppet().analysis(referee, visits), action=None, actions=(), moves=()
    )
    assert talk.asked("genmove b", "kata-genmove_analyze b 10") == ["= resign", "=\nplay resign"]
    assert "moves played: 0" in talk.ask("showboard")


def test_another_board_gets_another_engine(talk):
    talk.asked("genmove b", "clear_board", "genmove b", "komi 7.5", "boardsize 9", "genmove b", "komi 3", "genmove b")
    talk.asked("boardsize 5", "genmove b")
    assert [(game.size, game.komi) for game in talk.puppet.games] == [(9, 7.5), (9, 3.0), (5, 3.0)]


def test_an_error_in_a_search_is_one_failure():
    with Talk("go:size=5", Puppet("broken")) as talk:
        assert talk.ask("3 genmove b") == "?3 RuntimeError: the board is on fire"
        assert talk.ask("4 kata-analyze 10") == "?4 RuntimeError: the board is on fire"
        assert "moves played: 0" in talk.ask("showboard")


# -- clocks --------------------------------------------------------------------------------------------


def limit_after(*lines):
    with Talk("go:size=9") as talk:
        assert all(answer == "= " for answer in talk.asked(*lines))
        talk.ask("genmove b")
        return talk.puppet.limits[-1].time


def test_without_a_clock_the_engine_keeps_its_own_limit(talk):
    talk.asked("genmove b", "time_settings 0 0 0", "genmove w", "time_settings 60 5 0", "genmove b")
    talk.asked("time_settings 60 0 0", "kgs-time_settings none", "genmove w")
    assert talk.puppet.limits == [OWN_LIMIT] * 4


@pytest.mark.parametrize(
    ("lines", "low", "high"),
    [
        (["time_settings 280 0 0"], 5, 10),
        (["time_settings 0 10 1"], 8, 9.5),
        (["time_settings 0 50 10"], 4, 5),
        (["time_settings 300 10 1"], 10, 20),
        (["time_settings 300 10 1", "time_left b 1 0"], 5, 9),
        (["time_settings 300 10 1", "time_left b 3 1"], 2, 3),
        (["time_settings 300 60 20", "time_left b 30 3"], 8, 10),
        (["time_settings 300 0 0", "time_left b 0 0"], 0.01, 0.05),
        (["time_left b 28 0"], 0.5, 1.5),
        (["kgs-time_settings absolute 280"], 5, 10),
        (["kgs-time_settings byoyomi 0 20 5", "time_left b 20 5"], 15, 20),
        (["kgs-time_settings canadian 0 50 10"], 4, 5),
    ],
    ids=str,
)
def test_a_move_takes_its_share_of_the_clock(lines, low, high):
    assert low < limit_after(*lines) < high


def test_a_large_board_spreads_its_time_over_more_moves():
    small, large = limit_after("time_settings 600 0 0"), limit_after("boardsize 19", "time_settings 600 0 0")
    assert small > 3 * large


def test_without_a_report_our_time_is_subtracted(talk):
    talk.puppet.mode = "patient"
    talk.ask("time_settings 28 0 0")
    asked = time.monotonic()
    talk.server.handle("genmove b")
    talk.puppet.begun.acquire()
    time.sleep(0.3)
    talk.server.handle("# interrupt")
    assert talk.answer() == "= A1"
    used = 28 - talk.server.clocks.left[0].seconds
    assert 0.3 <= used <= time.monotonic() - asked
    assert talk.server.clocks.left[1].seconds == 28


# -- analysis ------------------------------------------------------------------------------------------


def test_an_analysis_continues_until_the_next_command():
    with Talk("go:size=5", Puppet("patient")) as talk:
        talk.server.handle("5 kata-analyze b 1")
        talk.puppet.begun.acquire()
        assert talk.said.empty()
        assert talk.ask("6 name").split("\n") == [
            "=5",
            "info move A1 visits 4000 winrate 0.600000 lcb 0.584818 order 0 pv A1 "
            "info move B1 visits 4000 winrate 0.600000 lcb 0.584818 order 1 pv B1 "
            "info move C1 visits 4000 winrate 0.600000 lcb 0.584818 order 2 pv C1",
        ]
        assert talk.answer() == "=6 Zermelo"
        assert talk.puppet.limits == [Limit()]


def test_an_analysis_that_is_done_waits_for_the_next_command_all_the_same():
    with Talk("go:size=5", Puppet("deep")) as talk:
        talk.server.handle("lz-analyze 0 maxmoves 1")
        talk.puppet.begun.acquire()
        time.sleep(0.1)
        assert talk.said.empty()
        lines = talk.ask("name").split("\n")
        assert lines[0] == "="
        told = [re.fullmatch(r"info move A1 visits (\d+) winrate 6000 lcb \d+ order 0 pv A1", one) for one in lines[1:]]
        assert [one[1] for one in told] == ["1000", "2000", "3000", "4000"]


def test_reports_keep_their_interval():
    with Talk("go:size=5", Puppet("deep")) as talk:
        talk.server.handle("lz-analyze 9999")
        assert len(talk.ask("name").split("\n")) == 1 + 2  # the first, and the last


def test_an_empty_line_ends_an_analysis_too():
    with Talk("go:size=5", Puppet("patient")) as talk:
        talk.server.handle("kata-analyze 10")
        talk.puppet.begun.acquire()
        talk.server.handle("\n")
        assert talk.answer().startswith("=\ninfo move A1 ")
        assert talk.said.empty()


def test_an_analysis_that_is_already_overtaken_ends_at_once():
    with Talk("go:size=5", Puppet("patient")) as talk:
        for line in ("genmove b", "kata-analyze 10", "kata-analyze 10", "2 name"):
            talk.server.handle(line)
        talk.puppet.begun.acquire()
        talk.server.handle("# interrupt")
        assert talk.answer() == "= A1"
        assert [talk.answer().split("\n")[0] for _ in range(3)] == ["=", "=", "=2 Zermelo"]


def test_a_move_can_be_found_aloud():
    with Talk("go:size=5", Puppet("deep")) as talk:
        lines = talk.ask("8 kata-genmove_analyze b 0").split("\n")
        assert lines[0] == "=8"
        assert all(line.startswith("info move A1 visits ") for line in lines[1:-1])
        assert lines[-1] == "play A1"
        assert rows(talk)[-1] == "X...."


def test_the_comment_interrupt_ends_a_search(talk):
    talk.puppet.mode = "patient"
    talk.server.handle("genmove b")
    talk.puppet.begun.acquire()
    talk.server.handle("# interrupt")
    assert talk.answer() == "= A1"


# -- the end -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", [[], ["9 quit"]], ids=["the end of the input", "quit"])
@pytest.mark.parametrize("order", ["1 genmove b", "1 kata-analyze 10"])
def test_the_end_of_input_ends_a_search_which_still_answers(end, order):
    talk = Talk("go:size=5", Puppet("patient"))
    talk.server.handle(order)
    talk.puppet.begun.acquire()
    time.sleep(search_control.SETTLED + 0.05)
    began = time.monotonic()
    talk.server.serve(end)
    assert time.monotonic() - began < SECONDS / 2
    assert talk.answer().startswith("=1")
    assert talk.said.empty() if not end else talk.answer() == "=9 "


def test_orders_that_arrive_together_are_all_searched():
    puppet = Puppet("deep")
    talk = Talk("go:size=5", puppet)
    talk.server.serve(["genmove b", "genmove w", "quit", "genmove b"])
    assert [talk.answer() for _ in range(3)] == ["= A1", "= B1", "= "]
    assert talk.said.empty()


def test_a_compilation_under_way_is_finished(monkeypatch):
    monkeypatch.setattr(serial_executor, "PATIENCE", 0.05)
    talk = Talk("go:size=5", Puppet("patient"))
    talk.puppet.compiled.clear()
    talk.server.handle("genmove b")
    time.sleep(search_control.SETTLED + 0.05)
    threading.Timer(0.2, talk.puppet.compiled.set).start()
    talk.server.serve([])
    assert talk.answer() == "= A1"


def test_a_search_that_cannot_be_stopped_does_not_keep_the_server(monkeypatch):
    monkeypatch.setattr(serial_executor, "PATIENCE", 0.05)
    talk = Talk("go:size=5", Puppet("deaf"))
    talk.server.handle("genmove b")
    talk.puppet.begun.acquire()
    time.sleep(search_control.SETTLED + 0.05)
    talk.server.serve(["quit"])
    assert talk.said.empty()


def test_a_reader_who_left_is_not_an_error_and_stops_the_search():
    def leave(text):
        raise BrokenPipeError

    puppet = Puppet("patient")
    talk = Talk("go:size=5", puppet)
    talk.server._output._write = leave
    talk.server.serve(["name", "genmove b", "genmove w"])
    assert len(puppet.limits) <= 1


# -- other games ---------------------------------------------------------------------------------------


def test_othello_has_its_own_moves_sizes_and_score():
    with Talk("othello") as talk:
        assert talk.asked("name", "boardsize 4", "play b a1") == [
            "= Zermelo (othello)",
            "= ",
            "? illegal move: a1 is not legal here; try b1, a2, d3 or c4",
        ]
        assert talk.ask("boardsize 5").startswith("? unacceptable size: othello is played on boards of size 4, 6 or 8")
        assert talk.asked("komi 0", "komi 6.5") == ["= ", "? othello has no komi"]
        assert "fixed_handicap" not in talk.ask("list_commands").split()
        assert talk.ask("final_score") == "? cannot score: the game is not over"


def test_a_game_of_othello_is_played_to_its_end_and_scored():
    with Talk("othello:size=4") as talk:
        for _ in range(40):
            session = talk.server.session
            if session.is_over:
                break
            assert talk.ask(f"genmove {'bw'[session.to_move]}").startswith("= ")
        payoff = talk.server.session.referee.utilities()[0]
        assert payoff != 0
        assert talk.ask("final_score") == f"= {'B' if payoff > 0 else 'W'}+{abs(payoff):g}"
        assert talk.ask("genmove b").startswith("? illegal move: the game is over")


def test_in_chess_white_is_white_and_moves_first():
    with Talk("chess") as talk:
        assert talk.ask("name") == "= Zermelo (chess)"
        assert talk.ask("play b e5") == "? illegal move: it is the turn of White"
        assert talk.asked("play w e4", "play b e7e5", "play w Ke2") == ["= ", "= ", "= "]
        assert talk.ask("boardsize 8") == "= "
        assert talk.ask("boardsize 9") == "? unacceptable size: chess is played on a board of size 8 only"


def test_a_game_without_a_board_has_no_size():
    with Talk("nim") as talk:
        assert talk.ask("boardsize 0") == "? unacceptable size: nim has no size"


def test_in_games_without_colours_black_starts():
    with Talk("tic-tac-toe") as talk:
        assert talk.asked("play b b2", "play w a1", "undo", "play white c3") == ["= "] * 4
        assert talk.ask("play white a1").startswith("? illegal move: it is the turn of ")


@pytest.mark.parametrize(
    "game", [game.name for game in all_games() if game.players == 2 and not game.chance and not game.hidden]
)
def test_every_game_for_two_can_be_set_up_played_and_shown(game):
    with Talk(game) as talk:
        for _ in range(3):
            session = talk.server.session
            if session.is_over:
                break
            colour = letter_of(session.game, session.to_move)
            assert talk.ask(f"genmove {colour}").startswith("= ")
        assert re.fullmatch(r"= \n(?s:.+)moves played: [1-3](; komi 7.5)?", talk.ask("showboard"))
        assert talk.asked("undo", "clear_board", "undo") == ["= ", "= ", "? cannot undo"]


@pytest.mark.parametrize("game", ["pig", "trio"])
def test_games_with_dice_or_more_players_are_refused(game):
    with pytest.raises(Refused, match="GTP supports two players without dice and hidden information"):
        Talk(game)
