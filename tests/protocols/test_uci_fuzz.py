"""Malformed input: whatever comes in, every `go` gets one `bestmove`, and the server goes on."""

import os
import random
import subprocess
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uci_talk import Puppet, Talk

pytestmark = pytest.mark.plain

FRAGMENTS = [
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "debug on",
    "register later",
    "d",
    "go",
    "go infinite",
    "go ponder",
    "go depth 3",
    "go mate 2",
    "go wtime 100 btime -7 winc 99999999999999999999999 movestogo -1",
    "go searchmoves a1 b2 zz depth",
    "position startpos",
    "position startpos moves a1 b2 c3",
    "position startpos moves a1 a1",
    "position fen ../../.. x",
    "position fen .../.../... x moves b2",
    "position fen .../.../... o",
    "position moves",
    "setoption name MultiPV value 3",
    "setoption name Hash value -1",
    "setoption name value name value",
    "setoption name Clear Hash",
    "perft 6",
    "\x00\x07",
    "go \ufffd depth 1",
    "bestmove a1",
    "info string hello",
]
lines = st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=40), st.text("go deptnirf 0189-\t", max_size=30))


@settings(max_examples=60)
@given(st.lists(lines, max_size=20), st.sampled_from(["at once", "patient", "deep", "broken"]))
def test_every_go_gets_one_best_move_whatever_else_is_sent(found, mode):
    talk = Talk("tic-tac-toe", Puppet(mode))
    for line in found:
        if line.split()[:1] != ["quit"]:
            talk.say(line)
    talk.say("isready")
    talk.until("readyok")
    talk.close()
    commands = [line.split()[0] for line in found if line.split()]
    assert talk.count("bestmove") == commands.count("go")
    if "d" not in commands:
        assert {line.split(" ")[0] for line in talk.heard} <= {"id", "option", "uciok", "readyok", "info", "bestmove"}


def junk(seed, count):
    """Lines for a pipe: sense, sense with a flaw, and bytes that are no text."""
    rng = random.Random(seed)
    for _ in range(count):
        line = rng.choice(FRAGMENTS).replace("infinite", "depth 2").encode()
        kind = rng.randrange(5)
        if kind == 0:
            line = rng.randbytes(rng.randrange(60)).replace(b"\n", b"")
        elif kind == 1 and line:
            place = rng.randrange(len(line))
            line = line[:place] + rng.randbytes(2).replace(b"\n", b"") + line[place:]
        elif kind == 2:
            line = line * rng.randrange(1, 40)
        yield line


def test_junk_over_a_pipe(tmp_path):
    """Interpreted, because the protocol is tested and not the compiler."""
    said = [*junk(1, 250), b"x" * 100_000, b"position startpos moves b2", b"go depth 1"]
    orders = sum(line.decode(errors="replace").split()[:1] == ["go"] for line in said)
    assert orders > 20
    with (
        (tmp_path / "errors").open("wb") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "zermelo.cli", "uci", "tic-tac-toe"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        ) as server,
    ):
        threading.Thread(target=lambda: (server.stdin.write(b"\n".join(said) + b"\n"), server.stdin.flush())).start()
        heard = []
        while sum(line.startswith(b"bestmove ") for line in heard) < orders:
            heard.append(server.stdout.readline())
            assert heard[-1], "it ended too early"
        rest, _ = server.communicate(b"isready\nquit\n", timeout=60)
    assert rest.endswith(b"readyok\n")
    assert b"bestmove" not in rest
    assert server.returncode == 0
    assert (tmp_path / "errors").read_bytes() == b""
    assert not any(b"Traceback" in line for line in heard)


@pytest.mark.compiled
@pytest.mark.parametrize(("end", "best"), [("", "bestmove b1b2 ponder c3b2"), ("quit\n", "bestmove ")])
def test_orders_from_a_pipe_are_answered_before_the_end(end, best):
    found = subprocess.run(
        [sys.executable, "-m", "zermelo.cli", "uci", "hexapawn"],
        input=f"uci\nposition startpos\ngo depth 4\n{end}",
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    lines = found.stdout.splitlines()
    assert lines[-1].startswith(best)
    assert sum(line.startswith("bestmove") for line in lines) == 1
    assert "Traceback" not in found.stderr
