"""The command at a real terminal: a pseudo-terminal that a script types into."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.plain

COMMAND = [sys.executable, "-m", "zermelo.cli"]
NO_BROWSER = [
    sys.executable,
    "-c",
    "import sys; from zermelo.cli import main, serve; serve.has_browser = lambda: False; sys.exit(main())",
]
"""The command without a browser, also on a machine that has one; without arguments it would open the page."""


class Terminal:
    """A process at a pseudo-terminal; everything it writes is kept."""

    def __init__(self, *arguments, **environment):
        self.screen, slave = pty.openpty()
        self.shown, self.seen = "", 0
        clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(
            [*(COMMAND if arguments else NO_BROWSER), *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**clean, "TERM": "xterm-256color", **environment},
            close_fds=True,
            start_new_session=True,
        )
        os.close(slave)

    def wait_for(self, texts, seconds=60):
        """Read until one of the texts is there; what was read since the last wait."""
        wanted = (texts,) if isinstance(texts, str) else texts
        start, finish = self.seen, time.monotonic() + seconds
        while not any(text in self.shown[start:] for text in wanted):
            assert time.monotonic() < finish, f"{wanted} did not come:\n{self.shown[start:]}"
            assert self._read(0.2) or self.process.poll() is None, f"it ended without {wanted}:\n{self.shown[start:]}"
        self.seen = len(self.shown)
        return self.shown[start:]

    def type(self, text):
        os.write(self.screen, text.encode())

    def finish(self):
        """Everything until the end, and the exit code."""
        finish = time.monotonic() + 60
        while self.process.poll() is None and time.monotonic() < finish:
            self._read(0.1)
        while self._read(0.1):
            pass
        os.close(self.screen)
        return self.process.wait(1)

    def _read(self, seconds):
        if not select.select([self.screen], [], [], seconds)[0]:
            return False
        try:
            text = os.read(self.screen, 65536).decode(errors="replace")
        except OSError:  # the other side has gone
            return False
        self.shown += text.replace("\r\n", "\n")
        return bool(text)


@pytest.fixture
def terminal():
    opened = []

    def open_terminal(*arguments, **environment):
        opened.append(Terminal(*arguments, **environment))
        return opened[-1]

    yield open_terminal
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


def plain(text):
    """Without colours and cursor movements."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


@pytest.mark.compiled
def test_a_full_game_against_the_engine(terminal):
    """Whatever White does in hexapawn, Black wins; the person plays the first move of the list each time."""
    table = terminal("play", "hexapawn", "--vs", "auto")
    while "Black wins" not in table.wait_for(("Your move:", "Black wins")):
        table.type("1\n")
    assert table.finish() == 0
    assert "Black plays" in plain(table.shown)
    assert "Black wins." in plain(table.shown)
    assert "\x1b[36m" in table.shown  # White's pawns have a colour


def test_without_arguments_the_games_are_offered(terminal):
    door = terminal()
    shown = plain(door.wait_for("Which game do you want to play?"))
    assert "Welcome to Zermelo!" in shown
    assert "Connect Four" in shown
    door.type("golf\n")
    assert "There is no game 'golf'" in door.wait_for("Which game do you want to play?")
    door.type("tic\n")
    door.wait_for("Enter for 4, casual")
    door.type("\n")
    assert "You are X." in plain(door.wait_for("Your move:"))
    door.type("quit\n")
    assert door.finish() == 0
    assert "Good-bye." in door.shown


@pytest.mark.parametrize("keys", ["q\n", "\x04"])
def test_one_can_leave_at_the_door(terminal, keys):
    door = terminal()
    door.wait_for("Which game do you want to play?")
    time.sleep(0.2)
    door.type(keys)
    assert door.finish() == 0


def test_no_color_is_respected(terminal):
    table = terminal("games", NO_COLOR="1")
    assert table.finish() == 0
    assert "hexapawn" in table.shown
    assert "\x1b" not in table.shown


def test_a_terminal_gets_colour_and_a_pipe_does_not(terminal):
    table = terminal("games")
    assert table.finish() == 0
    assert "\x1b[1m" in table.shown
    piped = subprocess.run([*COMMAND, "games"], capture_output=True, text=True, timeout=60, check=True)
    assert "\x1b" not in piped.stdout


def test_long_work_shows_how_far_it_is_and_clears_the_line(terminal):
    table = terminal("match", "random", "random", "--game", "hexapawn", "--games", "300")
    assert table.finish() == 0
    assert re.search(r"game \d+ of 300: \+\d+ =0 -\d+", table.shown)
    answer = table.shown[table.shown.rindex("\r\x1b[K") :]
    assert "300 games" in answer


def test_no_color_leaves_the_line_that_shows_how_far_it_is(terminal):
    table = terminal("match", "random", "random", "--game", "hexapawn", "--games", "300", NO_COLOR="1")
    assert table.finish() == 0
    assert re.search(r"\r\x1b\[Kgame \d+ of 300: \+\d+ =0 -\d+", table.shown)
    assert not re.search(r"\x1b\[[\d;]*m", table.shown)


def test_a_dumb_terminal_gets_plain_lines_only(terminal):
    table = terminal("match", "random", "random", "--game", "hexapawn", "--games", "300", TERM="dumb")
    assert table.finish() == 0
    assert "\x1b" not in table.shown
    assert "\r" not in table.shown


@pytest.mark.compiled
def test_control_c_during_a_search_gets_the_answer_so_far(terminal):
    """A search that is interrupted answers with what it has."""
    table = terminal("best", "connect-four", "--agent", "alphabeta", "--time", "50s")
    table.wait_for("depth ", 90)
    time.sleep(0.3)
    started = time.monotonic()
    os.killpg(table.process.pid, signal.SIGINT)
    assert table.finish() == 0
    assert time.monotonic() - started < 40
    assert "stopped by user" in table.shown
    assert "Traceback" not in table.shown


@pytest.mark.compiled
def test_a_first_start_compiles_while_the_person_thinks(terminal, tmp_path):
    """The prompt answers meanwhile, one line says what goes on, and the engine's move comes when it is ready."""
    table = terminal("play", "hexapawn", ZERMELO_CACHE_DIR=str(tmp_path))
    table.wait_for("Your move:")
    assert "compiling" not in table.shown
    while "compiling" not in table.shown:
        time.sleep(0.2)
        table.type("moves\n")
        table.wait_for("Your move:")
    table.type("1\n")
    assert "Black plays" in plain(table.wait_for("Your move:", 120))
    assert plain(table.shown).count("\rcompiling hexapawn; the next start is instant …\n") == 1
    table.type("quit\n")
    assert table.finish() == 0


@pytest.mark.compiled
def test_control_c_while_the_engine_compiles_ends_its_thinking_and_not_the_game(terminal, tmp_path):
    table = terminal("play", "hexapawn", "--as", "2", ZERMELO_CACHE_DIR=str(tmp_path))
    table.wait_for("compiling", 120)
    os.killpg(table.process.pid, signal.SIGINT)
    assert "plays a1a2 without a search: it is not ready yet" in plain(table.wait_for("Your move:"))
    table.type("hint\n")
    table.wait_for("getting ready")
    os.killpg(table.process.pid, signal.SIGINT)
    assert "Not ready yet; try again in a moment." in table.wait_for("Your move:")
    table.type("quit\n")
    assert table.finish() == 0
    assert "moves: a1a2\n" in table.shown
    assert "Traceback" not in table.shown


def test_control_c_at_the_prompt_says_good_bye(terminal):
    table = terminal("play", "hexapawn", "--vs", "human")
    table.wait_for("your move:")
    time.sleep(0.2)
    os.killpg(table.process.pid, signal.SIGINT)
    assert table.finish() == 0
    assert "Good-bye." in table.shown


def test_a_reader_that_leaves_early_is_not_an_error():
    found = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m zermelo.cli games --json | head -1"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert found.stdout == "{\n"
    assert found.stderr == ""
