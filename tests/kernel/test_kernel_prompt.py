"""Your own game works in a script, at a prompt and in a notebook, also when it is defined again with other rules."""

import code
import linecache
import subprocess
import sys
import textwrap
import warnings

import pytest
from processes import environment

from zermelo.kernel import CompileWarning

RULES = """
from typing import NamedTuple
from zermelo.core.game import Game
from zermelo.kernel import U64, kernel, state

STEP = 1

def taken(state, stones):
    return Heap(state.left - STEP * stones, state.word << 1)

@state
class Heap(NamedTuple):
    left: int
    word: U64

class Mine(Game):
    def initial(self):
        return Heap(6, U64(1))

    def to_move(self, state):
        return state.left % 2

    def actions(self, state):
        for stones in range(1, 3):
            if stones <= state.left:
                yield stones

    def result(self, state, action):
        return taken(state, action)

    def utility(self, state, player):
        return state.left

@kernel
def last(game: Game, state: Heap, depth: int) -> Heap:
    if depth == 0 or game.is_terminal(state):
        return state
    found = state
    for action in game.actions(state):
        found = last(game, game.result(state, action), depth - 1)
    return found

"""
ASK = "print(type(last.run(Mine(), Mine().initial(), 2)) is Heap, last.run(Mine(), Mine().initial(), 2).left)\n"


@pytest.mark.parametrize("arguments", [["-i", "-q"], ["-c", RULES + ASK]], ids=["prompt", "command"])
def test_a_game_without_a_file(arguments, tmp_path):
    typed = RULES.replace("\n    \n", "\n").replace("\n\n    ", "\n    ") if arguments[0] == "-i" else RULES
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        input=typed + "\n" + ASK,
        env=environment(tmp_path / "cache"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.stdout == "True 2\n", done.stderr
    assert "Error" not in done.stderr


def test_a_console_inside_a_program(capsys):
    """Its names belong to no module at all."""
    console = code.InteractiveConsole({"__name__": "__console__"})
    for future in ("", "from __future__ import annotations\n"):
        typed = future + RULES.replace("\n\n    ", "\n    ") + "\n" + ASK
        for line in typed.splitlines():
            console.push(line)
        said = capsys.readouterr()
        assert said.out.replace(">>> ", "").replace("... ", "") == "True 2\n", said.err


class Notebook:
    """Cells that run one after the other in the same names, as in Jupyter."""

    def __init__(self):
        self.names = {"__name__": "__main__"}
        self.cells = 0

    def run(self, source):
        self.cells += 1
        file = f"<ipython-input-{self.cells}>"
        linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
        exec(compile(source, file, "exec"), self.names)

    def left(self, depth=2):
        names = self.names
        found = names["last"].run_compiled(names["game"], names["game"].initial(), depth)
        assert type(found) is names["Heap"]
        assert found == names["last"](names["game"], names["game"].initial(), depth)
        return found.left


@pytest.fixture
def notebook(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path))  # what comes from disk is not compiled here
    notebook = Notebook()
    notebook.run(RULES + "game = Mine()\n")
    return notebook


def test_a_cell_that_is_run_again_without_a_change(notebook):
    first = notebook.names["game"], notebook.names["Heap"]
    assert notebook.left() == 2
    notebook.run(RULES + "game = Mine()\n")
    assert notebook.left() == 2
    game, heap = first
    assert notebook.names["last"].run_compiled(game, heap(6, 1), 2) == (2, 4)  # what was made before still works
    assert notebook.names["last"].run_compiled(notebook.names["game"], heap(6, 1), 2) == (2, 4)


def test_the_same_file_run_twice_in_one_program(notebook):
    """Each run has names of its own; a state that is only a named tuple is another class each time."""
    for _ in range(2):
        other = Notebook()
        other.run(RULES.replace("@state\n", "") + "game = Mine()\n")
        assert other.left() == 2


def test_a_cell_with_other_rules_gives_the_other_rules(notebook):
    assert notebook.left() == 2
    notebook.run(RULES.replace("range(1, 3)", "range(1, 4)") + "game = Mine()\n")
    assert notebook.left() == 0
    notebook.run(RULES.replace("return taken(state, action)", "return taken(state, 1)") + "game = Mine()\n")
    assert notebook.left() == 4
    notebook.run(RULES + "game = Mine()\n")
    assert notebook.left() == 2


def test_a_cell_with_another_constant_or_another_helper(notebook):
    """The constant is named by a helper only, which was compiled with the old one."""
    assert notebook.left() == 2
    notebook.run("STEP = 3\ngame = Mine()\n")
    assert notebook.left(1) == 0
    notebook.run("STEP = 1\ngame = Mine()\n")
    assert notebook.left() == 2
    notebook.run("def taken(state, stones):\n    return Heap(state.left - 1, state.word)\ngame = Mine()\n")
    assert notebook.left() == 4


def test_a_cell_with_another_state(notebook):
    assert notebook.left() == 2
    notebook.run(
        RULES.replace("word: U64", "word: U64\n    half: float = 0.5").replace(
            "state.left - STEP", "state.left - 2 * STEP"
        )
        + "game = Mine()\n"
    )
    assert notebook.left(1) == 2


def test_a_subclass_in_another_cell(notebook):
    notebook.run(
        textwrap.dedent("""
        class Other(Mine):
            def __init__(self, first):
                self.first = first

            def initial(self):
                return Heap(self.first, U64(1))

        game = Other(9)
        """)
    )
    assert notebook.left() == 5


def test_a_mistake_in_a_cell_is_named_and_the_mended_cell_compiles(notebook):
    notebook.run(RULES.replace("if stones <=", "if any(stones == number for number in (1, 2)) and stones <="))
    names = notebook.names
    game = names["Mine"]()
    with pytest.warns(CompileWarning, match=r"<ipython-input-2>, line \d+: "):
        assert names["last"].run(game, game.initial(), 2).left == 2
    notebook.run(RULES + "game = Mine()\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert notebook.left() == 2
