"""The server, line by line: what it offers, what it searches, what it says, what it shrugs off."""

import random
import re
import threading

import pytest
from uci_talk import Puppet, Talk

from zermelo.core.game import Game
from zermelo.core.guards import suitable_algorithms
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games import all_games, find
from zermelo.games.chess import Chess
from zermelo.protocols import serial_executor
from zermelo.protocols.uci import searches
from zermelo.protocols.uci.dialect import dialect_of
from zermelo.solve import solve

pytestmark = pytest.mark.plain


@pytest.fixture
def talk():
    with Talk("hexapawn") as found:
        yield found


def talk_with(mode, game="tic-tac-toe"):
    puppet = Puppet(mode)
    return Talk(game, puppet), puppet


# -- introductions -------------------------------------------------------------------------------------


def test_it_introduces_itself_with_its_options(talk):
    talk.say("uci")
    lines = talk.until("uciok")
    assert lines[0] == "id name Zermelo (hexapawn)"
    names = {re.match(r"option name (.+?) type", line)[1] for line in lines if line.startswith("option")}
    assert names == {
        "Hash",
        "Threads",
        "MultiPV",
        "Ponder",
        "Clear Hash",
        "UCI_AnalyseMode",
        "Move Overhead",
        "UCI_Variant",
    }
    assert "option name UCI_Variant type combo default hexapawn var hexapawn" in lines


def test_options_of_the_game_are_part_of_the_variant():
    with Talk("hexapawn:rows=4,cols=4") as talk:
        talk.say("uci")
        assert "option name UCI_Variant type combo default hexapawn:rows=4,cols=4 var hexapawn:rows=4,cols=4" in (
            talk.until("uciok")
        )


@pytest.mark.compiled
def test_it_gets_ready(talk):
    talk.say("isready")
    assert talk.until("readyok") == ["readyok"]


def test_it_is_ready_only_when_it_is_compiled():
    talk, puppet = talk_with("at once")
    puppet.compiled.clear()
    with talk:
        talk.say("isready")
        assert talk.silence()
        puppet.compiled.set()
        assert talk.until("readyok") == ["readyok"]


@pytest.mark.parametrize("position", ["position startpos", "position startpos moves a1 a2 b1 b2 c1"])
def test_a_search_that_waits_for_the_compiler_is_not_ready(position):
    """Also where the game is over, and there will be nothing to search."""
    talk, puppet = talk_with("patient")
    puppet.compiled.clear()
    with talk:
        talk.say(position, "go infinite", "isready", "isready")
        assert talk.silence()
        puppet.compiled.set()
        assert [talk.until("readyok")[-1] for _ in range(2)] == ["readyok"] * 2
        talk.say("isready")
        talk.until("readyok")
        assert talk.count("bestmove") == 0
        talk.answer("stop")


def test_it_is_ready_during_a_search():
    talk, puppet = talk_with("patient")
    with talk:
        talk.say("go infinite")
        puppet.begun.acquire()
        talk.say("isready")
        assert talk.until("readyok") == ["readyok"]
        assert talk.answer("stop") == "bestmove a1"


# -- searches ------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_it_finds_the_win_in_one_and_says_so(talk):
    talk.say("position startpos moves a1a2 b3b2", "go depth 5")
    lines = talk.until("bestmove")
    assert re.fullmatch(
        r"info depth 1 seldepth 1 multipv 1 score mate 1 nodes \d+ nps \d+ hashfull \d+ time \d+ pv (c1c2|a2b3)",
        lines[-2],
    )
    assert lines[-1] in ("bestmove c1c2", "bestmove a2b3")


@pytest.mark.compiled
def test_a_lost_game_is_a_mate_against_the_mover(talk):
    """Hexapawn is lost for the first player, and `solve` proves in how many plies."""
    plies = solve(find("hexapawn")).distance
    talk.say("position startpos", "go depth 20")
    assert f"score mate {-plies // 2} " in talk.until("bestmove")[-2]


@pytest.mark.compiled
def test_the_reply_to_ponder_on_is_legal(talk):
    words = talk.answer("position startpos", "go depth 4").split()
    assert words[2] == "ponder"
    assert talk.complaints(f"position startpos moves {words[1]} {words[3]}") == []


@pytest.mark.compiled
def test_a_position_is_the_text_of_the_game(talk):
    assert talk.answer("position fen p.p/Pp./.PP w", "go depth 3") in ("bestmove c1c2", "bestmove a2b3")
    assert talk.answer("position fen ppp/.../PPP w moves a1a2 b3b2", "go depth 3").split()[1] in ("c1c2", "a2b3")


@pytest.mark.compiled
def test_several_lines_are_reported_best_first(talk):
    talk.say("setoption name MultiPV value 3", "position startpos moves a1a2", "go depth 4")
    last = talk.until("bestmove")[-4:-1]
    assert [line.split("multipv ")[1][0] for line in last] == ["1", "2", "3"]
    assert len({line.split(" pv ")[1].split()[0] for line in last}) == 3
    assert "score mate -" in last[2]
    assert "score mate 2" in last[0]


@pytest.mark.compiled
def test_only_the_requested_moves_are_searched(talk):
    for move in ("a1a2", "b1b2", "c1c2"):
        assert talk.answer("position startpos", f"go searchmoves {move} depth 3").split()[1] == move


def test_limits_and_clocks_reach_the_engine():
    talk, puppet = talk_with("at once")
    with talk:
        talk.answer("setoption name Hash value 5", "setoption name Threads value 2", "go depth 3 nodes 70")
        talk.answer("position startpos moves a1", "go wtime 7000 btime 9000 binc 500 movestogo 4")
        talk.answer("setoption name Move Overhead value 100", "go movetime 1000")
    assert puppet.made == [(5, 2)]
    limits, clocks, lines, only = zip(*puppet.searches, strict=True)
    assert limits == (Limit(nodes=70, depth=3), Limit(), Limit(time=0.9))
    assert (clocks[1].left, clocks[1].increment, clocks[1].moves_to_go, clocks[1].overhead) == (9.0, 0.5, 4, 0.03)
    assert clocks[0] is clocks[2] is None
    assert lines == (1, 1, 1)
    assert only == ((), (), ())


def test_reports_come_with_every_depth(monkeypatch):
    monkeypatch.setattr(searches, "PAUSE", 0)
    talk, _ = talk_with("deep")
    with talk:
        talk.say("go depth 5")
        lines = talk.until("bestmove")
    assert [line.split(" nodes")[0] for line in lines[:-1]] == [
        "info depth 1 seldepth 1 multipv 1 score cp 25",
        "info depth 2 seldepth 2 multipv 1 score cp 25",
        "info depth 3 seldepth 3 multipv 1 score mate 4",
        "info depth 4 seldepth 4 multipv 1 score mate 4",
        "info depth 5 seldepth 5 multipv 1 score mate 4",
    ]


def test_of_many_reports_at_once_the_first_and_the_last_are_sent(monkeypatch):
    monkeypatch.setattr(searches, "PAUSE", 1000)
    talk, _ = talk_with("deep")
    with talk:
        talk.say("go depth 5")
        assert [line[:12] for line in talk.until("bestmove")] == ["info depth 1", "info depth 5", "bestmove a1"]


@pytest.mark.parametrize(("mate", "depth"), [(3, 5), (4, 3)])
def test_a_search_for_a_mate_ends_when_it_is_there(mate, depth):
    talk, puppet = talk_with("deep")
    with talk:
        talk.say(f"go mate {mate}")
        assert f"info depth {depth} " in talk.until("bestmove")[-2]
    assert puppet.searches[0][0] == Limit(depth=2 * mate + 2)


@pytest.mark.compiled
@pytest.mark.parametrize("go", ["go infinite", "go depth 2", "go ponder", "go"])
def test_a_game_that_is_over_has_no_best_move(go):
    with Talk("tic-tac-toe") as talk:
        talk.say("position startpos moves a1 a2 b1 b2 c1", go, "stop")
        assert talk.until("bestmove") == ["info depth 0 score mate 0", "bestmove (none)"]
        talk.say("position startpos moves a1 b1 c1 a2 c2 b2 b3 c3 a3", go, "stop")
        assert talk.until("bestmove") == ["info depth 0 score cp 0", "bestmove (none)"]


def test_a_new_game_and_a_button_clear_the_table():
    talk, puppet = talk_with("at once")
    with talk:
        talk.answer("go depth 1")
        assert talk.complaints("ucinewgame", "setoption name Clear Hash") == []
    assert puppet.cleared == 2


# -- patience ------------------------------------------------------------------------------------------


def test_infinite_thinking_says_nothing_before_stop():
    for mode in ("at once", "patient"):
        talk, puppet = talk_with(mode)
        with talk:
            talk.say("go infinite")
            puppet.begun.acquire()
            assert talk.silence() or mode == "at once"
            assert talk.count("bestmove") == 0
            assert talk.answer("stop") == "bestmove a1"


def test_pondering_waits_for_the_hit_and_then_uses_the_clock():
    talk, puppet = talk_with("patient")
    with talk:
        talk.say("go ponder wtime 9000 btime 9000")
        puppet.begun.acquire()
        assert talk.count("bestmove") == 0
        talk.say("ponderhit")
        puppet.begun.acquire()
        assert talk.count("bestmove") == 0
        assert talk.answer("stop") == "bestmove a1"
    (first, no_clock, *_), (second, clock, *_) = puppet.searches
    assert first == second == Limit()
    assert no_clock is None
    assert clock.left == 9.0


def test_pondering_that_is_done_answers_at_the_hit():
    talk, puppet = talk_with("at once")
    with talk:
        talk.say("go ponder depth 3")
        puppet.begun.acquire()
        talk.say("isready")
        talk.until("readyok")
        assert talk.count("bestmove") == 0
        assert talk.answer("ponderhit") == "bestmove a1"
    assert len(puppet.searches) == 1


def test_a_missed_guess_ends_pondering_with_a_best_move():
    talk, puppet = talk_with("patient")
    with talk:
        talk.say("go ponder movetime 50")
        puppet.begun.acquire()
        assert talk.answer("stop") == "bestmove a1"
        assert talk.silence()
    assert puppet.searches == [(Limit(), None, 1, ())]


def test_a_second_go_ends_the_first_search():
    talk, _ = talk_with("patient")
    with talk:
        talk.say("go infinite", "go infinite", "go infinite", "stop")
        assert [talk.until("bestmove")[-1] for _ in range(3)] == ["bestmove a1"] * 3
        assert talk.silence()


def test_words_out_of_place_do_nothing():
    talk, _ = talk_with("at once")
    with talk:
        assert talk.complaints("stop", "ponderhit", "stop", "", "   ", "\t") == []
        assert talk.answer("go depth 1") == "bestmove a1"
        assert talk.silence()


def test_a_position_during_a_search_is_for_the_next_one():
    talk, puppet = talk_with("patient")
    with talk:
        talk.say("go infinite")
        puppet.begun.acquire()
        talk.say("position startpos moves a1", "setoption name MultiPV value 2")
        assert talk.answer("stop") == "bestmove a1"
        assert talk.answer("go infinite", "stop") == "bestmove b1"
    assert [lines for _, _, lines, _ in puppet.searches] == [1, 2]


@pytest.mark.parametrize(
    ("go", "end"),
    [
        ("go", []),
        ("go infinite", []),
        ("go infinite depth 5", []),
        ("go ponder wtime 1 btime 1", []),
        ("go", ["quit"]),
        ("go depth 99", ["quit"]),
        ("go movetime 1000", ["quit", "isready"]),
    ],
)
def test_quit_stops_every_search_and_the_end_of_the_input_those_without_end(go, end):
    talk, puppet = talk_with("patient")
    talk.say(go)
    puppet.begun.acquire()
    talk.server.serve(end)
    assert talk.count("bestmove") == 1
    assert talk.count("readyok") == 0


@pytest.mark.parametrize("go", ["go depth 5", "go nodes 500", "go movetime 5", "go wtime 5 btime 5", "go mate 2"])
def test_a_search_with_an_end_may_finish_after_the_end_of_the_input(go):
    talk, _ = talk_with("deep")
    talk.server.serve([go])
    assert [line.split()[2] for line in talk.heard if line.startswith("info depth")][-1] == "5"
    assert talk.heard[-1] == "bestmove a1"


@pytest.mark.parametrize("end", [[], ["quit"]], ids=["the end", "quit"])
def test_an_end_while_the_engine_compiles_waits_for_it(monkeypatch, end):
    """Every `go` gets its best move, however long compiling takes."""
    monkeypatch.setattr(serial_executor, "PATIENCE", 0.05)
    talk, puppet = talk_with("deep")
    puppet.compiled.clear()
    threading.Timer(0.3, puppet.compiled.set).start()
    talk.server.serve(["go depth 5", "go depth 5", *end])
    assert talk.count("bestmove") == 2


def test_a_search_that_cannot_be_stopped_does_not_keep_the_server(monkeypatch):
    monkeypatch.setattr(serial_executor, "PATIENCE", 0.05)
    talk, puppet = talk_with("deaf")
    talk.say("go depth 5")
    puppet.begun.acquire()
    talk.server.serve(["quit"])
    assert talk.heard == []


def test_a_closed_output_stops_a_search_after_the_end_of_the_input():
    from zermelo.protocols.uci.server import Server

    def leave(text):
        raise BrokenPipeError

    puppet = Puppet("patient")
    server = Server(find("tic-tac-toe"), puppet, leave)
    server.handle("go depth 99")
    puppet.begun.acquire()
    server.write("info string is anybody there?")
    server.serve([])
    assert len(puppet.searches) == 1


def test_nothing_after_quit_is_read():
    talk, _ = talk_with("at once")
    talk.server.serve(iter(["go depth 1", "quit", "go depth 1", "uci"]))
    assert talk.count("bestmove") == 1
    assert talk.count("uciok") == 0


# -- what is shrugged off ------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("hello", "'hello' is not a command of this engine; the commands are uci, debug"),
        ("position", "position needs 'startpos' or 'fen' and a position"),
        ("position fen", "position needs 'startpos' or 'fen'"),
        ("position fen moves a1a2", "position needs 'startpos' or 'fen'"),
        ("position startpos b1b2", "position needs 'startpos' or 'fen'"),
        ("position fen rnbq w", "'rnbq w' is not a position of hexapawn"),
        ("position fen ppp/.../PPP x", "is not a position of hexapawn"),
        ("position startpos moves a1a2 a1a2", "position: move 2: a1a2 is not legal here; try"),
        ("position startpos moves e2e4", "position: move 1: e2e4 is not legal here; try"),
        ("setoption", "setoption needs 'name', a name"),
        ("setoption name", "setoption needs 'name', a name"),
        ("setoption name Hash", "Hash must be a whole number, not ''"),
        ("setoption name Hash value many", "Hash must be a whole number, not 'many'"),
        ("setoption name Hash value 0", "Hash must be between 1 and 65536, not 0"),
        ("setoption name hash value 99999999", "hash must be between 1 and 65536"),
        ("setoption name Ponder value maybe", "Ponder must be true or false, not 'maybe'"),
        ("setoption name UCI_Variant value chess", "this engine plays hexapawn, not 'chess'"),
        ("setoption name Contempt value 3", "there is no option 'Contempt'; the options are Hash, Threads"),
        ("debug", "debug must be on or off, not ''"),
    ],
)
def test_invalid_commands_get_a_sentence_and_change_nothing(talk, line, sentence):
    talk.say("position startpos moves b1b2 a3b2")
    before = talk.server.options
    (complaint,) = talk.complaints(line)
    assert complaint.startswith(sentence) or sentence in complaint
    talk.say("d")
    assert talk.until("Fen:")[-1] == "Fen: .pp/.p./P.P w"
    assert talk.server.options == before


def test_the_wish_for_a_table_without_room_keeps_the_old_one():
    talk, puppet = talk_with("at once")
    with talk:
        talk.answer("go depth 1")
        assert talk.complaints("setoption name Hash value 666") == [
            "there is no room for a table of 666 megabytes; give it less"
        ]
        assert talk.answer("go depth 1") == "bestmove a1"
    assert puppet.made == [(64, 1)]


def test_an_engine_that_fails_still_moves_and_says_why():
    talk, _ = talk_with("broken")
    with talk:
        talk.say("position startpos moves a1", "go depth 2")
        assert talk.until("bestmove") == ["info string RuntimeError: the engine is on fire", "bestmove b1"]
        assert talk.answer("go searchmoves c3") == "bestmove c3"


@pytest.mark.parametrize(
    ("go", "sentence"),
    [
        ("go depth", "go: depth needs a whole number after it"),
        ("go depth x nodes 5", "go: depth needs a whole number after it"),
        ("go movetime nodes 5", "go: movetime needs a whole number after it"),
        ("go fast", "go: 'fast' is not understood"),
        ("go searchmoves z9 a1 depth 2", "go searchmoves: z9 is not legal here; try"),
        ("go nodes " + "9" * 5000, "go: nodes needs a whole number after it"),
    ],
)
def test_a_go_with_mistakes_is_still_a_go(go, sentence):
    talk, _ = talk_with("at once")
    with talk:
        talk.say(go)
        lines = talk.until("bestmove")
        assert lines[0].startswith(f"info string {sentence}")
        assert talk.count("bestmove") == 1


def test_debug_mode_shows_how_an_order_was_understood():
    talk, _ = talk_with("at once")
    with talk:
        talk.say("debug on", "go depth 4", "stop")
        assert talk.until("bestmove")[0] == "info string go: Limit(time=None, nodes=None, depth=4), no clock"
        talk.say("debug off", "go depth 4")
        assert not talk.until("bestmove")[0].startswith("info string")


def test_a_listener_who_left_is_not_an_error():
    def deaf(text):
        raise BrokenPipeError

    from zermelo.protocols.uci.server import Server

    server = Server(find("tic-tac-toe"), Puppet(), deaf)
    server.serve(iter(["uci", "go depth 1"]))


# -- positions -----------------------------------------------------------------------------------------


class Counted(Game):
    """Up or down by one; counts how often a rule is asked."""

    def __init__(self):
        self.asked = 0

    def initial(self):
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        return (1, 3)

    def result(self, state, action):
        self.asked += 1
        return state + action

    def is_terminal(self, state):
        return False

    def utility(self, state, player):
        return 0


def test_a_continued_game_is_not_replayed_from_the_start():
    game = Counted()
    with Talk(game, Puppet()) as talk:
        game.asked = 0  # at the start the first plies were looked at, whether their states can change
        talk.say("position startpos moves " + "1 " * 50)
        assert game.asked == 50
        talk.say("position startpos moves " + "1 " * 50 + "3 1")
        assert game.asked == 52
        talk.say("position startpos moves " + "1 " * 50 + "3 5")
        talk.say("position startpos moves " + "1 " * 50 + "3 1")
        assert (game.asked, talk.server.referee.state) == (103, 54)
        talk.say("position startpos moves 3")
        assert (game.asked, talk.server.referee.state) == (104, 3)
        assert len(talk.server.referee.turns) == 1


def test_chess_is_spoken_as_the_protocol_has_it():
    with Talk(Chess(), Puppet()) as talk:
        talk.say("uci")
        assert "option name UCI_Variant type combo default chess var chess" in talk.until("uciok")
        talk.say("position startpos moves e2e4 e7e5 g1f3", "d")
        assert talk.until("Fen:")[-1] == "Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 1"
        (complaint,) = talk.complaints("position startpos moves Nf3")
        assert "Nf3 is not legal here" in complaint
        assert talk.answer("go searchmoves b8c6 depth 1") == "bestmove b8c6"
        (complaint,) = talk.complaints("position fen 8/8/8/8/8/8/8/K w - - 0 1")
        assert "rank 1 of" in complaint


def test_a_draw_in_chess_is_the_other_program_s_to_call():
    """Threefold repetition and fifty moves end our game; programs that play on must be able to."""
    there_and_back = " g1f3 g8f6 f3g1 f6g8"
    with Talk(Chess(), Puppet()) as talk:
        assert talk.complaints("position startpos moves" + 3 * there_and_back) == []
        assert talk.answer("go searchmoves e2e4 depth 1") == "bestmove e2e4"
        assert talk.complaints("position startpos moves" + 3 * there_and_back + " e2e4") == []
        assert talk.complaints("position fen 7k/8/8/8/8/8/R7/K7 w - - 99 80 moves a2a3 h8g8 a3a4") == []
        assert talk.answer("go searchmoves g8h8 depth 1") == "bestmove g8h8"
        assert talk.answer("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "go depth 1") == "bestmove (none)"


@pytest.mark.parametrize("name", [game.name for game in all_games() if "alphabeta" in suitable_algorithms(game)])
def test_every_game_can_be_spoken(name):
    """Moves are single words, and positions come through as texts."""
    game, rng = find(name), random.Random(name)
    dialect, referee = dialect_of(game), Referee(game)
    for _ in range(8):
        if not referee.is_over:
            referee.play(rng.choice(referee.legal()))
    moves = " ".join(dialect.write(turn.state, turn.action) for turn in referee.turns)
    with Talk(game, Puppet()) as talk:
        assert talk.complaints(f"position startpos moves {moves}") == []
        assert talk.server.referee.state == referee.state
        assert len(talk.server.referee.turns) == len(referee.turns)
        assert talk.complaints(f"position fen {game.format_state(referee.state)}") == []
        assert talk.server.referee.state == referee.state
        word = talk.answer("go depth 1").split()[1]
        assert word in {dialect.write(referee.state, action) for action in referee.legal()} | {"(none)"}
