"""Other programs as agents: those that behave, and those that do not."""

import gc
import os
import re
import shlex
import subprocess
import sys
import textwrap
import time
import tracemalloc

import pytest

from zermelo.arena.agents import DEFAULT_LIMIT, agent
from zermelo.arena.match import play_match
from zermelo.core.errors import IllegalMove, Refused, UsageError
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.chess import Chess
from zermelo.protocols import program
from zermelo.protocols.program import Program, ProgramFault, find_program
from zermelo.protocols.uci import client
from zermelo.protocols.uci import program as uci_program
from zermelo.protocols.uci.client import EngineInfo, go_command, position_command
from zermelo.protocols.uci.dialect import dialect_of
from zermelo.protocols.uci.program import OfferedOption, read_option

pytestmark = pytest.mark.plain

POLITE = """
    import sys
    log = open(sys.argv[1], "a") if len(sys.argv) > 1 else None
    for line in sys.stdin:
        words = line.split()
        if log:
            print(line.strip(), file=log, flush=True)
        if words[0] == "uci":
            print("id name Polite")
            print("option name Skill Level type spin default 20 min 0 max 20")
            print("option name UCI_LimitStrength type check default false")
            print("option name Style type combo default Solid var Solid var Risky Business")
            print("option name UCI_Variant type combo default tic-tac-toe var tic-tac-toe")
            print("uciok", flush=True)
        elif words[0] == "isready":
            print("readyok", flush=True)
        elif words[0] == "go":
            GO
        elif words[0] == "quit":
            break
"""


@pytest.fixture
def engine(tmp_path):
    """The text of an agent for a little program that does this after `go`; it writes down what it hears."""

    def make(go="print('bestmove b2', flush=True)", source=POLITE):
        path = tmp_path / "engine.py"
        path.write_text(textwrap.dedent(source).replace("GO", go))
        return f"uci:{shlex.join([sys.executable, str(path), str(tmp_path / 'log')])}"

    make.log = lambda: (tmp_path / "log").read_text().splitlines()
    return make


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(client, "LATE", 0.2)
    monkeypatch.setattr(program, "EXIT_TIMEOUT", 0.3)


def pid_of(one):
    return one._program._process.pid


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# -- texts ---------------------------------------------------------------------------------------------


def test_a_text_names_the_program_its_options_and_our_limits(engine):
    found = agent(engine() + ",Skill Level=5,depth=3,UCI_LimitStrength=true", Limit(depth=9, nodes=7))
    assert found.options == {"Skill Level": "5", "UCI_LimitStrength": "true"}
    assert found.limit == Limit(depth=3, nodes=7)
    assert found.command[0] == sys.executable
    assert agent(engine()).limit == DEFAULT_LIMIT


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("uci", "uci needs a program, as in uci:stockfish"),
        ("uci:", "uci needs a program, as in uci:stockfish"),
        (
            "uci:no-such-engine",
            "the program 'no-such-engine' is not installed; install it, or write its full path after uci:",
        ),
        ("uci:'open", "'open has an unclosed quotation mark"),
        ("uci:cat,Hash", "uci: Hash needs a value, as in uci:stockfish,Hash=16"),
        ("uci:cat,time=soon", "'soon' is not a duration"),
    ],
)
def test_mistakes_in_a_text_are_reported(text, sentence):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        agent(text)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("Skill=3", "has no option 'Skill'; try Skill Level, UCI_LimitStrength, Style or UCI_Variant"),
        ("Skill Level=21", "Skill Level=21 is not valid; it must be between 0 and 20"),
        ("skill level=best", "Skill Level=best is not valid; it must be a whole number"),
        ("UCI_LimitStrength=yes", "UCI_LimitStrength=yes is not valid; it must be true or false"),
        ("Style=Wild", "Style=Wild is not valid; try Solid or Risky Business"),
    ],
)
def test_options_the_program_does_not_have_are_reported_before_a_match(engine, options, sentence):
    one = agent(f"{engine()},{options}")
    with pytest.raises(UsageError, match=re.escape(sentence)):
        one.require(find("tic-tac-toe"))
    assert one._program is None


def test_option_lines():
    assert read_option("option name Skill Level type spin default 20 min -5 max 20") == OfferedOption(
        "Skill Level", "spin", -5, 20
    )
    assert read_option("option name Style type combo default A var A var B C").choices == ("A", "B C")
    assert read_option("option name Debug Log File type string default") == OfferedOption("Debug Log File", "string")
    assert read_option("id name option") is None


# -- conversation --------------------------------------------------------------------------------------


def test_it_is_sent_the_options_the_game_the_moves_and_the_limit(engine):
    one = agent(engine() + ",Style=risky business,nodes=500")
    referee = Referee.at(find("tic-tac-toe"), "moves: a1 c3")
    assert one.choose(referee).best == "b2"
    referee.play_text("b2")
    referee.play_text("b1")
    one.for_game(3)
    with pytest.raises(IllegalMove, match=r"python[\d.]* answered b2, which is not legal here"):
        one.choose(referee)
    one.close()
    assert engine.log() == [
        "uci",
        "setoption name Style value risky business",
        "setoption name UCI_Variant value tic-tac-toe",
        "ucinewgame",
        "isready",
        "position startpos moves a1 c3",
        "isready",
        "go nodes 500",
        "ucinewgame",
        "isready",
        "position startpos moves a1 c3 b2 b1",
        "isready",
        "go nodes 500",
        "stop",
        "quit",
    ]


def test_its_answers_become_an_analysis(engine):
    info = (
        "print('info depth 1 score cp 3 pv a1');"
        "print('info depth 7 seldepth 9 multipv 1 score mate 2 nodes 1234 nps 99 time 250 pv b2 a1 c3');"
        "print('info depth 7 multipv 2 score cp 5 nodes 2000 pv a2');"
        "print('info depth 8 score cp -30 upperbound nodes 3000 pv c1');"
        "print('info string depth 99 score cp 99');"
        "print('bestmove b2 ponder a1', flush=True)"
    )
    one = agent(engine(info))
    found = one.choose(Referee(find("tic-tac-toe")))
    assert found.best == "b2"
    assert found.line == ("b2", "a1", "c3")
    assert found.value == (1, -1)
    assert found.kind == "estimate"
    assert found.distance == 3
    assert (found.stats["depth"], found.stats["nodes"], found.stats["seconds"]) == (7, 1234, 0.25)
    assert found.agent == one.name
    one.close()


def test_scores_that_are_bounds_or_nonsense_are_passed_over():
    info = EngineInfo()
    for line in (
        "info score cp lots",
        "info score",
        "info",
        "",
        "info score mate -3 pv e2e4",
        "info score cp 9 lowerbound",
    ):
        info.read(line)
    assert info.score == ("mate", -3)
    assert info.plies_to_mate == 6


def test_positions_and_limits_as_commands():
    chess = Chess()
    referee = Referee.at(chess, "moves: e4 e5 Nf3")
    assert position_command(dialect_of(chess), referee) == "position startpos moves e2e4 e7e5 g1f3"
    fen = "4k3/P7/8/8/8/8/8/4K2R w K - 3 1"
    referee = Referee.at(chess, fen)
    assert position_command(dialect_of(chess), referee) == f"position fen {fen}"
    referee.play_text("O-O")
    assert position_command(dialect_of(chess), referee) == f"position fen {fen} moves e1g1"
    assert go_command(Limit(time=0.5, nodes=10, depth=3)) == "go movetime 500 nodes 10 depth 3"


def test_a_program_for_another_game_is_refused(engine):
    one = agent(engine())
    with pytest.raises(Refused, match="plays tic-tac-toe, not hexapawn"):
        one.require(find("hexapawn"))
    one.close()


def test_ctrl_c_makes_it_answer_at_once(engine, monkeypatch):
    one = agent(engine("sys.stdin.readline(); print('bestmove c3', flush=True)"), Limit(time=50))
    one.require(find("tic-tac-toe"))
    listen, said = Program.next_line, []

    def pressed(self, seconds):
        said.append(seconds)
        if len(said) == 3:  # after two answers to `isready`
            raise KeyboardInterrupt
        return listen(self, seconds)

    monkeypatch.setattr(Program, "next_line", pressed)
    found = one.choose(Referee(find("tic-tac-toe")))
    assert (found.best, found.stopped) == ("c3", "user")
    assert engine.log()[-1] == "go movetime 50000"
    one.close()


# -- programs that fail --------------------------------------------------------------------------------


def test_a_crash_is_one_sentence_with_the_programs_last_words(engine):
    one = agent(engine("print('out of\\ncheese', file=sys.stderr); sys.exit(3)"))
    with pytest.raises(ProgramFault) as caught:
        one.choose(Referee(find("tic-tac-toe")))
    assert re.fullmatch(r"python[\d.]* ended with exit code 3 while it was in use: cheese", str(caught.value))


def test_a_crash_at_the_start_is_reported(engine):
    one = agent(engine(source="raise SystemExit('no licence found')"))
    with pytest.raises(ProgramFault, match="ended with exit code 1 while it was in use: no licence found"):
        one.require(find("tic-tac-toe"))


@pytest.mark.usefixtures("impatient")
def test_a_program_that_is_not_an_engine_is_ended(engine, monkeypatch):
    monkeypatch.setattr(uci_program, "START", 0.5)
    one = agent(engine(source="import time; time.sleep(60)"))
    with pytest.raises(ProgramFault, match=r"did not send uciok within 0\.5 s and was ended"):
        one.require(find("tic-tac-toe"))


@pytest.mark.usefixtures("impatient")
def test_a_program_that_hangs_is_ended_and_started_again_for_the_next_game(engine):
    one = agent(
        engine("import time, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)") + ",time=0.1"
    )
    one.require(find("tic-tac-toe"))
    first = pid_of(one)
    with pytest.raises(ProgramFault, match=r"did not move within 0\.3 s, nor after `stop`, and was ended"):
        one.choose(Referee(find("tic-tac-toe")))
    assert not is_running(first)
    one.require(find("tic-tac-toe"))
    assert pid_of(one) != first
    one.close()


def test_a_late_program_is_asked_to_stop_and_may_still_answer(engine, monkeypatch):
    monkeypatch.setattr(client, "LATE", 1.0)
    one = agent(engine("sys.stdin.readline(); print('bestmove c3', flush=True)") + ",time=0.1")
    assert one.choose(Referee(find("tic-tac-toe"))).best == "c3"
    one.close()


@pytest.mark.parametrize("go", ["print('bestmove', flush=True)", "print('bestmove (none)', flush=True)"])
def test_no_move_is_an_illegal_move(engine, go):
    one = agent(engine(go))
    with pytest.raises(IllegalMove, match="which is not legal here"):
        one.choose(Referee(find("tic-tac-toe")))
    one.close()


@pytest.fixture
def script(tmp_path):
    """The text of an agent for a shell script."""

    def make(name, text):
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{textwrap.dedent(text)}\n")
        path.chmod(0o755)
        return f"uci:{path}"

    return make


STUCK = """
    while read line; do case "$line" in
        uci) echo uciok;; isready) echo readyok;; go*) sleep 300;;
    esac; done
"""


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("trap", ["", "trap '' TERM INT"], ids=["stuck", "deaf"])
def test_an_engine_behind_a_shell_script_is_ended_with_all_it_started(script, tmp_path, trap):
    script("stuck.sh", trap + STUCK)
    one = agent(script("wrapper.sh", f"{tmp_path}/stuck.sh") + ",time=0.1")
    one.require(find("chess"))
    group = pid_of(one)
    started = time.monotonic()
    with pytest.raises(ProgramFault, match=r"wrapper\.sh did not move within 0\.3 s, nor after `stop`"):
        one.choose(Referee(find("chess")))
    assert time.monotonic() - started < 10
    assert_nothing_left_of(group)


def test_a_script_that_leaves_before_its_engine_leaves_nothing_behind(script):
    one = agent(script("hasty.sh", "echo uciok; sleep 300 <&- >&- 2>&- & read line; read line"))
    one.require(find("chess"))
    group = pid_of(one)
    one.close()
    assert_nothing_left_of(group)


def assert_nothing_left_of(group):
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)  # killed, and not yet buried by the first process of the machine
    raise AssertionError(f"a process of the group {group} is still there")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("exec yes 'info string flood'", "sent more than 8 MB at once"),
        ("exec yes ''", "sent more than 8 MB at once"),
        ("exec cat /dev/zero", "sent a line of more than 1 MB"),
        ("cat /dev/zero >&2", "did not send readyok within 0.5 s"),
    ],
    ids=["lines", "empty lines", "one line", "errors"],
)
def test_a_program_that_floods_us_is_ended_before_it_fills_the_memory(script, monkeypatch, text, words):
    monkeypatch.setattr(uci_program, "READY", 0.5 if "0.5" in words else 30)
    one = agent(script("flood.sh", f"echo uciok; echo readyok; {text}"))
    tracemalloc.start()
    try:
        with pytest.raises(ProgramFault, match=rf"flood\.sh {words} and was ended"):
            one.choose(Referee(find("chess")))
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()


def test_a_program_that_talks_on_and_on_is_ended_even_if_we_keep_up(script, monkeypatch):
    monkeypatch.setattr(program, "MOST_SENT", 10_000)
    one = agent(script("chatty.sh", "echo uciok; echo readyok; while :; do echo info string blah; done"))
    with pytest.raises(ProgramFault, match=r"chatty\.sh sent more than 0 MB without an answer and was ended"):
        one.choose(Referee(find("chess")))


def test_a_program_that_does_not_read_is_ended(script, monkeypatch):
    monkeypatch.setattr(program, "READ_TIMEOUT", 0.3)
    one = agent(script("silent.sh", "echo uciok; sleep 300"))
    one.require(find("chess"))
    group = pid_of(one)
    with pytest.raises(ProgramFault, match=r"silent\.sh did not read its input within 0\.3 s and was ended"):
        one._program.send("x" * 1_000_000)
    assert_nothing_left_of(group)


def test_a_match_continues_after_a_crash(engine):
    one = agent(engine("sys.exit(7)"))
    result = play_match(find("tic-tac-toe"), [one, agent("random")], games=2)
    assert result.losses == 2
    assert all("ended with exit code 7" in record.reason for record in result.records)


def test_the_process_ends_with_its_agent(engine):
    one = agent(engine())
    one.require(find("tic-tac-toe"))
    pid = pid_of(one)
    assert is_running(pid)
    del one
    gc.collect()
    assert not is_running(pid)


def test_the_process_ends_with_ours(engine):
    code = f"""
from zermelo.arena.agents import agent
from zermelo.games import find
one = agent({engine()!r})
one.require(find("tic-tac-toe"))
print(one._program._process.pid, flush=True)
raise SystemExit(5)
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 5, found.stderr
    assert not is_running(int(found.stdout))


def test_a_file_that_is_not_a_program_is_reported(tmp_path):
    path = tmp_path / "engine"
    path.write_bytes(b"\x00\x01")
    path.chmod(0o755)
    with pytest.raises(ProgramFault, match="engine cannot be started: "):
        agent(f"uci:{path}").require(find("tic-tac-toe"))


def test_programs_are_found_where_debian_keeps_games(tmp_path, monkeypatch):
    path = tmp_path / "deep-thought"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.setattr(program, "GAMES_DIRECTORIES", str(tmp_path))
    assert find_program("deep-thought --fast 'two words'", "uci", "stockfish") == [str(path), "--fast", "two words"]


# -- real ones -----------------------------------------------------------------------------------------


def test_our_own_server_plays_for_us_in_a_process_of_its_own(monkeypatch):
    """Interpreted, because the protocol is tested. Whoever plays hexapawn perfectly wins it as Black."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    server = agent(f"uci:{sys.executable} -m zermelo.cli uci hexapawn,Hash=1,depth=9")
    result = play_match(find("hexapawn"), [server, agent("solve")], games=2, openings=0)
    assert [record.reason for record in result.records] == ["", ""]
    assert result.tally(0, seat=1) == (1, 0, 0)
    assert result.tally(0, seat=0) == (0, 0, 1)
    server.close()


def test_our_own_server_refuses_another_game(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    one = agent(f"uci:{sys.executable} -m zermelo.cli uci hexapawn")
    with pytest.raises(Refused, match="plays hexapawn, not hexapawn:rows=4"):
        one.require(find("hexapawn:rows=4"))
    one.close()
    with pytest.raises(ProgramFault, match=r"ended with exit code 2 .*there is no game 'hexapwan'; did you mean"):
        agent(f"uci:{sys.executable} -m zermelo.cli uci hexapwan").require(find("hexapawn"))


@pytest.mark.needs("stockfish")
def test_stockfish_mates_in_one():
    one = agent("uci:stockfish,Hash=16,depth=5")
    referee = Referee.at(Chess(), "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
    found = one.choose(referee)
    assert found.best == "Ra8#"
    assert found.value == (1, -1)
    assert found.distance == 1
    one.close()


@pytest.mark.needs("stockfish")
def test_stockfish_plays_random_moves_off_the_board():
    """It gets limits in nodes, knows the history, and wins."""
    one = agent("uci:stockfish,Skill Level=20", Limit(nodes=2000))
    result = play_match(Chess(), [one, agent("random")], games=2)
    assert [record.reason for record in result.records] == ["", ""]
    assert result.wins == 2
    one.close()


@pytest.mark.needs("stockfish")
def test_stockfish_plays_chess_only():
    one = agent("uci:stockfish")
    with pytest.raises(Refused, match="stockfish plays chess, not hexapawn"):
        one.require(find("hexapawn"))
    one.close()


@pytest.mark.needs("stockfish")
def test_stockfish_can_be_weakened_within_its_limits():
    one = agent("uci:stockfish,UCI_LimitStrength=true,UCI_Elo=2200,time=50ms")
    assert one.choose(Referee(Chess())).best is not None
    one.close()
    with pytest.raises(UsageError, match=r"UCI_Elo=99 is not valid; it must be between \d+ and \d+"):
        agent("uci:stockfish,UCI_Elo=99").require(Chess())
