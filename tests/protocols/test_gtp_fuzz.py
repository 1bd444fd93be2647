"""Malformed input: whatever comes in, every command gets exactly one answer, and a failure changes nothing."""

import os
import random
import subprocess
import sys
import time

import pytest
from gtp_talk import Puppet, Talk
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.protocols.gtp.commands import plain, read_command

pytestmark = pytest.mark.plain

FRAGMENTS = [
    "protocol_version",
    "3 name",
    "list_commands",
    "known_command play",
    "boardsize 3",
    "boardsize 25",
    "clear_board",
    "komi 0.5",
    "komi -1e400",
    "play b A1",
    "play b B2",
    "play w b2",
    "play w C3",
    "play w pass",
    "play b pass",
    "play b A99999999999999999999999",
    "gogui-play_sequence b A1 w B2 b A1",
    "genmove b",
    "genmove w",
    "reg_genmove b",
    "undo",
    "gg-undo 2",
    "showboard",
    "time_settings 10 1 3",
    "time_left w 0 0",
    "kgs-time_settings byoyomi 1 2 3",
    "fixed_handicap 2",
    "place_free_handicap 5",
    "set_free_handicap A1 B2",
    "set_free_handicap A1 A1",
    "final_score",
    "final_status_list alive",
    "loadsgf no such file 7",
    "printsgf",
    "12 lz-analyze b 1",
    "kata-analyze",
    "kata-genmove_analyze w 0",
    "# interrupt",
    "\x00\x07",
    "42",
    "play \ufffd A1",
    "= A1",
]
lines = st.one_of(
    st.sampled_from(FRAGMENTS), st.text(max_size=40), st.text("play bwgenmov ABC123\t#-", max_size=30)
).filter(lambda line: plain(line).split()[-1:] != ["quit"] and "quit" not in line)


@settings(max_examples=60)
@given(st.lists(lines, max_size=20), st.sampled_from(["at once", "deep", "broken"]))
def test_every_command_gets_one_answer_and_a_failure_changes_nothing(found, mode):
    with Talk("go:size=5", Puppet(mode)) as talk:
        for line in found:
            before = talk.ask("showboard")
            talk.server.handle(line)
            command = read_command(line)
            if command is not None and command.name.endswith("-analyze"):
                talk.server.handle("protocol_version")
                answer, other = talk.answer(), talk.answer()
                assert other == "= 2"
            elif command is not None:
                answer = talk.answer()
            if command is not None:
                assert answer.startswith((f"={command.id}", f"?{command.id}"))
            if command is None or answer.startswith("?"):
                assert talk.ask("showboard") == before
        assert talk.said.empty()


@settings(max_examples=30)
@given(st.lists(lines, max_size=30), st.sampled_from(["at once", "deep"]))
def test_commands_that_come_all_at_once_are_answered_in_their_order(found, mode):
    talk = Talk("go:size=5", Puppet(mode))
    talk.server.serve([*(f"{number} {line}" for number, line in enumerate(found)), "quit"])
    answers = []
    while not talk.said.empty():
        answers.append(talk.answer())
    commands = [read_command(f"{number} {line}") for number, line in enumerate(found)]
    numbers = [command.id for command in commands if command is not None]
    assert [answer[1:].split()[0] for answer in answers[:-1]] == numbers
    assert answers[-1] == "= "


def junk(seed, count):
    """Lines for a pipe: sense, sense with a flaw, and bytes that are no text; each with a number."""
    rng = random.Random(seed)
    for number in range(count):
        line = rng.choice(FRAGMENTS).lstrip("0123456789 ").encode()
        kind = rng.randrange(5)
        if kind == 0:
            line = rng.randbytes(rng.randrange(60)).replace(b"\n", b"")
        elif kind == 1 and line:
            place = rng.randrange(len(line))
            line = line[:place] + rng.randbytes(2).replace(b"\n", b"") + line[place:]
        elif kind == 2:
            line = line * rng.randrange(1, 40)
        yield b"%d x%s" % (number, line) if line[:1] in b"#" else b"%d %s" % (number, line)


@pytest.fixture
def server(tmp_path):
    """Interpreted, because the protocol is tested and not the compiler."""
    started = []
    with (tmp_path / "errors").open("wb") as errors:

        def start(*arguments):
            process = subprocess.Popen(
                [sys.executable, "-m", "zermelo.cli", "gtp", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
            )
            started.append(process)
            return process

        yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
    assert b"Traceback" not in (tmp_path / "errors").read_bytes()


def test_junk_over_a_pipe(server, tmp_path):
    said = [*junk(1, 200), b"200 play b " + b"x" * 100_000, b"201 name", b"202 quit"]
    process = server("go:size=3", "--agent", "random")
    heard, _ = process.communicate(b"\n".join(said) + b"\n", timeout=100)
    answers = [answer for answer in heard.decode(errors="replace").split("\n\n") if answer]
    assert answers[-2:] == ["=201 Zermelo", "=202 "]
    assert [int(answer[1:].split()[0]) for answer in answers] == list(range(203))
    assert process.returncode == 0
    assert (tmp_path / "errors").read_bytes() == b""


@pytest.mark.parametrize("end", [b"", b"quit\n"], ids=["the end of the input", "quit"])
@pytest.mark.parametrize("order", [b"genmove b\n", b"kata-analyze b 10\n"])
def test_the_end_of_input_during_a_search_ends_the_process(server, end, order):
    process = server("go:size=5", "--agent", "mcts:time=1h,memory=1")
    process.stdin.write(b"name\n" + order)
    process.stdin.flush()
    assert process.stdout.readline() == b"= Zermelo\n"
    time.sleep(0.3)
    heard, _ = process.communicate(end, timeout=60)
    assert process.returncode == 0
    assert heard.count(b"\n\n") == (2 if end else 1)


def test_a_script_is_worked_through_before_its_end(server):
    process = server("go:size=5", "--agent", "mcts:sims=40,seed=1,memory=1")
    heard, _ = process.communicate(b"genmove b\ngenmove w\nreg_genmove b\nquit\n", timeout=100)
    moves = heard.decode().split("\n\n")
    assert len(set(moves[:3])) == 3
    assert moves[3:] == ["= ", ""]
