"""Other GTP programs as agents: those that behave, and those that do not."""

import gc
import os
import re
import shlex
import subprocess
import sys
import textwrap

import pytest

from zermelo.arena.agents import Agent, Resigned, agent
from zermelo.arena.match import play_match
from zermelo.core.errors import IllegalMove, Refused, UsageError
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games import find
from zermelo.games.go import Go
from zermelo.protocols import program
from zermelo.protocols.gtp import client
from zermelo.protocols.gtp import program as gtp_program
from zermelo.protocols.gtp.program import Refusal
from zermelo.protocols.program import ProgramFault

pytestmark = pytest.mark.plain

LITTLE_GO = "go:size=3,komi=0.5"

POLITE = """
    import sys
    log = open(sys.argv[1], "a") if len(sys.argv) > 1 else None
    known = "list_commands boardsize clear_board komi play genmove undo time_settings time_left set_free_handicap"
    moves = iter("B2 a1 PASS".split())
    for line in sys.stdin:
        number, name, *words = line.split() if line.split()[0].isdigit() else ["", *line.split()]
        if log:
            print(" ".join([name, *words]), file=log, flush=True)
        answer = f"={number}"
        if name == "list_commands":
            answer += " " + known.replace(" ", "\\n")
        elif name == "genmove":
            GENMOVE
        ELSE
        print(answer + "\\n", flush=True)
        if name == "quit":
            break
"""


@pytest.fixture
def engine(tmp_path):
    """The text of an agent for a little program that does this to make a move; it writes down what it hears."""

    def make(genmove="answer += ' ' + next(moves, 'resign')", other="", source=POLITE):
        path = tmp_path / "engine.py"
        path.write_text(textwrap.dedent(source).replace("GENMOVE", genmove).replace("ELSE", other))
        return f"gtp:{shlex.join([sys.executable, str(path), str(tmp_path / 'log')])}"

    def log():
        found = (tmp_path / "log").read_text().splitlines()
        (tmp_path / "log").write_text("")
        return found

    make.log = log
    return make


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(client, "READY", 0.2)
    monkeypatch.setattr(client, "LATE", 0.2)
    monkeypatch.setattr(program, "EXIT_TIMEOUT", 0.3)


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def pid_of(one):
    return one._program._process.pid


# -- texts ---------------------------------------------------------------------------------------------


def test_a_text_names_the_program_and_perhaps_a_time(engine):
    assert agent(engine()).limit == Limit()
    assert agent(engine() + ",time=5s").limit == Limit(time=5)
    assert agent(engine(), Limit(time=2)).limit == Limit(time=2)
    assert agent(engine()).command[0] == sys.executable


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("gtp", "gtp needs a program, as in gtp:'gnugo --mode gtp'"),
        (
            "gtp:no-such-engine",
            "the program 'no-such-engine' is not installed; install it, or write its full path after",
        ),
        ("gtp:cat,level=3", "gtp has no option 'level'; try time"),
        ("gtp:cat,time", "gtp: time needs a value, as in gtp:time=500ms"),
    ],
)
def test_mistakes_in_a_text_are_reported(text, sentence):
    with pytest.raises(UsageError, match=re.escape(sentence)):
        agent(text)


def test_limits_that_the_protocol_does_not_know_are_refused():
    with pytest.raises(UsageError, match="GTP supports only a time limit"):
        agent("gtp:cat", Limit(nodes=100))


# -- conversation --------------------------------------------------------------------------------------


def test_it_is_sent_the_board_and_then_what_is_new(engine):
    one = agent(engine())
    referee = Referee(find(LITTLE_GO))
    assert one.choose(referee).best == "B2"
    assert engine.log() == ["list_commands", "boardsize 3", "clear_board", "komi 0.5", "genmove b"]
    referee.play_line(["B2", "C3"])
    assert one.choose(referee).best == "A1"
    assert engine.log() == ["play w C3", "genmove b"]
    referee.undo()
    referee.play_line(["pass"])
    assert one.choose(referee).best == "pass"
    assert engine.log() == ["undo", "undo", "play w pass", "genmove b"]
    one.for_game(7)
    with pytest.raises(Resigned):
        one.choose(Referee(referee.game))
    assert engine.log() == ["boardsize 3", "clear_board", "komi 0.5", "genmove b"]
    one.close()
    assert engine.log() == ["quit"]


def test_a_program_without_undo_is_sent_everything_again(engine):
    one = agent(engine(source=POLITE.replace(" undo", "")))
    one.choose(Referee.at(find(LITTLE_GO), "moves: C1 C2"))
    engine.log()
    one.choose(Referee.at(find(LITTLE_GO), "moves: C1 C3"))
    assert engine.log() == ["boardsize 3", "clear_board", "komi 0.5", "play b C1", "play w C3", "genmove b"]
    one.close()


def test_a_time_is_byo_yomi_of_one_stone_in_whole_seconds(engine):
    one = agent(engine() + ",time=2500ms")
    one.choose(Referee(find(LITTLE_GO)))
    assert engine.log()[4:] == ["time_settings 0 2 1", "time_left b 2 1", "genmove b"]
    one.close()


def test_handicap_stones_and_other_starts_are_placed(engine):
    one = agent(engine())
    one.choose(Referee(Go(size=9, komi=0.5, handicap=2)))
    assert engine.log()[3:] == ["komi 0.5", "set_free_handicap G7 C3", "genmove w"]
    one.choose(Referee.at(find(LITTLE_GO), "X../.O./... B"))
    assert engine.log()[2:] == ["komi 0.5", "play b A3", "play w B2", "genmove b"]
    one.close()


def test_a_program_says_what_it_likes_before_its_answers(engine):
    one = agent(engine("print('thinking ...\\n\\n= 99\\n'.replace('= 99', '=99'), flush=True); answer += ' b2\\nwell'"))
    with pytest.raises(IllegalMove, match="answered b2\nwell, which is not legal here"):
        one.choose(Referee(find(LITTLE_GO)))
    one.close()
    one = agent(engine("print('hm\\n\\n=99 A1\\n', flush=True); answer = '= b2'"))
    assert one.choose(Referee(find(LITTLE_GO))).best == "B2"
    one.close()


# -- programs that fail --------------------------------------------------------------------------------


def test_a_refusal_is_a_sentence_and_the_board_is_set_up_again(engine):
    one = agent(engine(other="if name == 'play': answer = '? illegal move'"))
    referee = Referee.at(find(LITTLE_GO), "moves: B2")
    sentence = "refuses 'play b B2': illegal move; the move is legal here, so the program plays by other rules"
    with pytest.raises(Refusal, match=sentence):
        one.choose(referee)
    engine.log()
    assert one.choose(Referee(referee.game)).best == "B2"
    assert engine.log()[0] == "boardsize 3"
    one.close()


def test_a_board_that_it_does_not_have_is_reported_before_a_match(engine):
    one = agent(engine(other="if name == 'boardsize': answer = '? unacceptable size'"))
    with pytest.raises(Refused, match=r"does not play go:.*: python[\d.]* refuses 'boardsize 3': unacceptable size"):
        one.require(find(LITTLE_GO))
    one.close()


@pytest.mark.parametrize("game", ["pig", "trio"])
def test_games_with_dice_or_more_players_are_refused(engine, game):
    with pytest.raises(Refused, match="GTP supports two players without dice and hidden information"):
        agent(engine()).require(find(game))


@pytest.mark.parametrize("word", ["K10", "C9 now", "", "?!", "b2b3"])
def test_a_move_that_is_none_is_illegal(engine, word):
    one = agent(engine(f"answer += ' ' + {word!r}"))
    with pytest.raises(IllegalMove, match=r"python[\d.]* answered .*, which is not legal here"):
        one.choose(Referee(find(LITTLE_GO)))
    one.close()


def test_a_crash_is_one_sentence_with_the_programs_last_words(engine):
    one = agent(engine("print('out of\\ncheese', file=sys.stderr); sys.exit(3)"))
    with pytest.raises(ProgramFault, match=r"python[\d.]* ended with exit code 3 while it was in use: cheese"):
        one.choose(Referee(find(LITTLE_GO)))


@pytest.mark.usefixtures("impatient")
def test_a_program_that_hangs_is_ended_and_started_again_for_the_next_game(engine):
    one = agent(
        engine("import time, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)") + ",time=0.1"
    )
    one.require(find(LITTLE_GO))
    first = pid_of(one)
    with pytest.raises(ProgramFault, match=r"did not answer 'genmove b' within 0\.3\d* s and was ended"):
        one.choose(Referee(find(LITTLE_GO)))
    assert not is_running(first)
    one.require(find(LITTLE_GO))
    assert pid_of(one) != first
    one.close()


@pytest.mark.usefixtures("impatient")
def test_a_program_that_is_not_an_engine_is_ended(engine, monkeypatch):
    monkeypatch.setattr(gtp_program, "START", 0.5)
    one = agent(engine(source="import time\nwhile True: print('hello', flush=True); time.sleep(0.01)"))
    with pytest.raises(ProgramFault, match=r"did not answer 'list_commands' within 0\.5 s and was ended"):
        one.require(find(LITTLE_GO))


def test_ctrl_c_ends_the_program(engine, monkeypatch):
    one = agent(engine("import time; time.sleep(60)"))
    one.require(find(LITTLE_GO))
    pid, listen = pid_of(one), gtp_program.GtpProgram.next_line

    def pressed(self, seconds):
        if seconds > gtp_program.READY:
            raise KeyboardInterrupt
        return listen(self, seconds)

    monkeypatch.setattr(gtp_program.GtpProgram, "next_line", pressed)
    with pytest.raises(KeyboardInterrupt):
        one.choose(Referee(find(LITTLE_GO)))
    assert not is_running(pid)


def test_the_process_ends_with_its_agent(engine):
    one = agent(engine())
    one.require(find(LITTLE_GO))
    pid = pid_of(one)
    assert is_running(pid)
    del one
    gc.collect()
    assert not is_running(pid)


# -- matches -------------------------------------------------------------------------------------------


def test_a_resignation_loses_the_game(engine):
    one = agent(engine("answer += ' resign'"))
    result = play_match(find(LITTLE_GO), [agent("random"), one], games=2)
    assert [(record.ending, record.result) for record in result.records] == [
        ("resigned", (1.0, -1.0)),
        ("resigned", (-1.0, 1.0)),
    ]
    assert result.records[0].reason == f"{one.name} as White resigned"
    one.close()


def test_your_own_bot_may_resign():
    class Sad(Agent):
        name = "sad"

        def choose(self, referee):
            raise Resigned("what is the use")

    result = play_match(find("tic-tac-toe"), [Sad(), agent("random")], games=2)
    assert result.losses == 2
    assert {record.ending for record in result.records} == {"resigned"}


def test_a_match_continues_after_a_crash_and_an_illegal_move_is_a_fault(engine):
    one = agent(engine("sys.exit(7)"))
    result = play_match(find(LITTLE_GO), [one, agent("random")], games=2)
    assert all("ended with exit code 7" in record.reason for record in result.records)
    one = agent(engine("answer += ' T19'"))
    result = play_match(find(LITTLE_GO), [one, agent("random")], games=2)
    assert {record.ending for record in result.records} == {"forfeited"}
    assert all("answered t19, which is not legal here" in record.reason for record in result.records)
    one.close()


# -- real ones -----------------------------------------------------------------------------------------


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("game", ["go:size=4,komi=0.5", "othello:size=4", "hexapawn"])
def test_our_own_server_plays_for_us_in_a_process_of_its_own(game):
    one = agent(f"gtp:{shlex.quote(sys.executable)} -m zermelo.cli gtp '{game}' --agent random")
    result = play_match(find(game), [one, agent("random:seed=2")], games=2, seed=3)
    assert [record.ending for record in result.records] == ["played", "played"]
    one.close()


@pytest.mark.needs("gnugo")
@pytest.mark.parametrize("game", ["go:size=5,komi=3", "go:size=7,komi=0.5,handicap=3"])
def test_gnu_go_plays_whole_games(game):
    one = agent("gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko --never-resign --seed 1")
    result = play_match(find(game), [one, agent("random:seed=1")], games=2, seed=1)
    assert [record.ending for record in result.records] == ["played", "played"]
    one.close()


@pytest.mark.needs("gnugo")
def test_gnu_go_counts_as_we_do():
    """Games to the last point, with all dead stones taken, so that there is nothing to argue about."""
    one = agent(
        "gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead --never-resign --seed 1"
    )
    game = find("go:size=7,komi=4.5")
    record = play_match(game, [one, one], games=1, seed=5).records[0]
    assert record.ending == "played"
    theirs = one._program.ask("final_score")
    lead = game.score(record.replay(game).state)
    assert theirs == f"{'B' if lead > 0 else 'W'}+{abs(lead):.1f}"
    one.close()


@pytest.mark.compiled
@pytest.mark.needs("gnugo")
def test_the_command_plays_a_match_against_gnu_go():
    """Our server, too, through our client."""
    server = f"{shlex.quote(sys.executable)} -m zermelo.cli gtp go --agent 'mcts:sims=500,seed=1'"
    agents = [f"gtp:{server}", "gtp:gnugo --mode gtp --level 1 --chinese-rules --seed 1"]
    found = subprocess.run(
        [
            sys.executable,
            "-m",
            "zermelo.cli",
            "match",
            *agents,
            "--game",
            "go:size=5,komi=0.5",
            "--games",
            "2",
            "--json",
        ],
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
    )
    assert '"games": 2' in found.stdout
    assert "fault" not in found.stderr
