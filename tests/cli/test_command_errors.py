"""Bad input gets one sentence that says what is wrong and what would be right; never a traceback, never a hang."""

import os
import subprocess
import sys

import pytest

import zermelo as package
from zermelo.cli import errors, precheck, request

pytestmark = pytest.mark.plain

GAME = """
from zermelo.core.game import CHANCE, Game


class Countdown(Game):
    '''Take one or two; who takes the last one wins.'''

    def initial(self):
        return (5, 0)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return range(1, min(state[0], 2) + 1)

    def result(self, state, action):
        return (state[0] - action, 1 - state[1])

    def utility(self, state, player):
        return -1 if player == state[1] else 1
"""

DICE = """
from zermelo.core.game import CHANCE, Game


class Toss(Game):
    chance = True

    def initial(self):
        return 0

    def to_move(self, state):
        return CHANCE

    def actions(self, state):
        return ()

    def is_terminal(self, state):
        return state > 0

    def outcomes(self, state):
        return [(1, 0.5), (2, 0.4)]

    def result(self, state, action):
        return action

    def utility(self, state, player):
        return 1 if (state == 1) == (player == 0) else -1
"""

COMMANDS = (["best"], ["solve"], ["tree"], ["perft"], ["play"])


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "mygame.py"
        path.write_text(text)
        return path

    return write


@pytest.mark.compiled
def test_your_own_game_works(zermelo, file):
    path = file(GAME)
    said = zermelo("best", f"{path}:Countdown", "--agent", "minimax", "--json")
    assert said.json["best"] == "2"  # leaves a multiple of three
    assert zermelo("perft", path, "--depth", "2", "--json").json["leaves"] == 4


# -- games, options, limits ------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [*COMMANDS, ["check"], ["games"], ["match", "random", "random", "--game"]])
def test_an_unknown_game_is_answered_with_a_near_one(zermelo, command):
    said = zermelo(*command, "hexpawn")
    assert said.code == 2
    assert said.sentence == "there is no game 'hexpawn'; did you mean hexapawn or hex?"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["best", "hexapawn:rings=3"], "has no option 'rings'; try rows or cols"),
        (["best", "hexapawn:rows=x"], "rows=x is not understood"),
        (["best", "hexapawn:rows=2"], "hexapawn has 3 rows or more"),
        (["best", "nowhere/mygame.py:MyGame"], "there is no file nowhere/mygame.py"),
        (["best", "hexapawn", "--agent", "alphabeat"], "did you mean alphabeta"),
        (["best", "hexapawn", "--agent", "alphabeta:width=3"], "has no option 'width'"),
        (["best", "hexapawn", "--time", "soon"], "'soon' is not a duration; write 2s"),
        (["best", "hexapawn", "--nodes", "many"], "'many' is not a count; write 10000"),
        (["best", "hexapawn", "--depth", "deep"], "'deep' is not a count"),
        (["best", "hexapawn", "--depth", "0"], "the depth limit is 0; it must be a number above zero"),
        (["best", "hexapawn", "--depth", "-3"], "'-3' is not a count"),
        (["best", "hexapawn", "--nodes", "1e19"], "'1e19' is too large; a count is at most 1e18"),
        (["best", "hexapawn", "--nodes", "1e300"], "'1e300' is too large; a count is at most 1e18"),
        (["solve", "hexapawn", "--nodes", "1e400"], "'1e400' is too large; a count is at most 1e18"),
        (["best", "hexapawn", "--depth", "1e18"], "the depth limit is 1e18; it must be at most 1e9, or left out"),
        (["best", "hexapawn", "--time", "9" * 400], "the time limit is inf; it must be at most 1e9, or left out"),
        (["best", "hexapawn", "--nodes", "x" * 1000], "'" + "x" * 40 + "…' is not a count"),
        (["best", "hexapawn", "--agent", "mcts:threads=100000"], "threads=100000 is too much; this machine allows"),
        (["match", "random", "random", "--game", "hexapawn", "--openings", "99999999"], "at most 100 plies"),
        (["best", "hexapawn", "--agent", "human"], "zermelo play"),
        (["solve", "hexapawn", "--memory", "0"], "the table needs at least 1 megabyte"),
        (["tree", "hexapawn", "--algorithm", "magic"], "there is no algorithm 'magic'"),
        (["tree", "hexapawn", "--most", "0"], "a drawing has at least one node"),
        (["perft", "hexapawn", "--depth", "0"], "it must be 1 or more"),
        (["check", "hexapawn", "--games", "0"], "at least one random game"),
        (["match", "random", "--game", "hexapawn"], "needs 2 agents, one per seat, not 1"),
        (["match", "random", "human", "--game", "hexapawn"], "zermelo play"),
        (["match", "random", "random", "--game", "hexapawn", "--games", "0"], "at least one game"),
        (["play", "hexapawn", "--as", "3"], "--as 3 is not a seat of hexapawn; use 1 to 2, or 0 to watch"),
        (["play", "hexapawn", "--vs", "human", "--as", "0"], "leave out --as"),
        (["play", "hexapawn", "--vs", "nobody"], "there is no agent 'nobody'"),
    ],
)
def test_a_malformed_request_is_code_2(zermelo, arguments, sentence):
    said = zermelo(*arguments)
    assert said.code == 2
    assert sentence in said.sentence


# -- moves and positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ("moves: a1a3", "move 1: a1a3 is not legal here; try a1a2, b1b2 or c1c2"),
        ("moves: a1a2 a1a2", "move 2: a1a2 is not legal here"),
        ("nonsense", "is not a position of hexapawn; the start is 'ppp/.../PPP w'"),
        ("ppp/xyz/PPP w", "has a letter that is not a pawn"),
        ("P../.../..p w", "is impossible: only one side"),
    ],
)
def test_bad_positions_are_refused(zermelo, command, position, sentence):
    said = zermelo(*command, "hexapawn", position)
    assert said.code == 1
    assert sentence in said.sentence


@pytest.mark.parametrize("command", ["best", "solve"])
def test_a_game_that_is_over_has_no_best_move(zermelo, command):
    said = zermelo(command, "hexapawn", "P../.../... b")
    assert said.code == 1
    assert "the game is over in 'P../.../... b': White wins" in said.sentence


# -- algorithms that do not fit ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["best", "pig", "--agent", "alphabeta"],
        ["tree", "pig", "--algorithm", "alphabeta"],
        ["play", "pig", "--vs", "alphabeta"],
        ["match", "alphabeta", "random", "--game", "pig"],
    ],
)
def test_an_algorithm_that_does_not_fit_names_one_that_does(zermelo, arguments):
    said = zermelo(*arguments)
    assert said.code == 1
    assert said.sentence.startswith("alpha-beta needs")
    assert said.sentence.endswith("pig has dice: use expectiminimax")


# -- files with mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [*COMMANDS, ["match", "random", "random", "--game"]])
@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("class Countdown(Game):", "class Countdown(Game:", "SyntaxError"),
        ("class Countdown(Game):", "class Countdown(Gmae):", "NameError: name 'Gmae' is not defined"),
        ("    def result(", "    def outcome(", "lacks result"),
        ("(state[0] - action", "(state[0] - acton", "name 'acton' is not defined"),
        ("return (state[0] - action, 1 - state[1])", "return None", "None"),
        ("return state[1]", "return 7", "to_move should be 0 to 1"),
        ("return -1 if player == state[1] else 1", "return float('nan')", "utility should be a finite number"),
        ("return -1 if player == state[1] else 1", "return 1", "should sum to 0"),
        ("return (5, 0)", "return [5, (number for number in (0,))]", "list of the rules cannot be copied"),
    ],
)
def test_a_mistake_in_a_game_file_is_named(zermelo, file, command, old, new, sentence):
    assert old in GAME
    path = file(GAME.replace(old, new))
    said = zermelo(*command, path)
    assert said.code == 1
    assert sentence in said.sentence
    assert "mygame.py" in said.sentence or "Countdown" in said.sentence


@pytest.mark.parametrize("command", COMMANDS)
def test_chances_must_sum_to_one(zermelo, file, command):
    said = zermelo(*command, file(DICE))
    assert said.code == 1
    assert "probabilities should sum to 1, but they sum to 0.9" in said.sentence


def test_a_file_without_a_game_says_so(zermelo, file):
    assert "has no game in it" in zermelo("best", file("x = 1\n")).sentence


@pytest.mark.compiled
def test_a_mistake_that_only_the_search_meets_names_file_and_line(zermelo, file):
    text = GAME + "\n    def evaluate(self, state, player):\n        return state[0] / state[2]\n"
    said = zermelo("best", file(text), "--agent", "minimax:depth=1")
    assert said.code == 1
    last = said.err.splitlines()[-1]
    assert last.startswith("zermelo: the game's file has a mistake: IndexError")
    assert f"(mygame.py, line {len(text.splitlines())})" in last


ENDLESS = GAME.replace("(state[0] - action, 1 - state[1])", "(state[0] % 5 + 1, 1 - state[1])")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["best", "--time", "200ms", "--agent", "minimax"], marks=pytest.mark.both),
        ["solve", "--time", "2s"],
        pytest.param(["solve", "--time", "3s"], marks=[pytest.mark.compiled, pytest.mark.long]),
        ["tree", "--depth", "3"],
        ["tree"],
        ["perft"],
        ["match", "random", "random", "--games", "1", "--game"],
    ],
)
def test_an_endless_game_ends_with_an_answer(zermelo, file, arguments):
    assert zermelo(*arguments, file(ENDLESS)).code == 0


# -- files to write ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments", [["tree", "tree", "--svg"], ["match", "random", "random", "--game", "nim", "--games", "1", "--save"]]
)
def test_a_file_that_cannot_be_written_is_named(zermelo, tmp_path, arguments):
    said = zermelo(*arguments, tmp_path / "no" / "folder.txt")
    assert said.code == 2
    assert said.sentence.endswith("folder.txt cannot be written: No such file or directory")


# -- everything else -----------------------------------------------------------------------------------------


def of_our_own(body):
    """A function that counts as one of the package."""
    names = {}
    exec(compile(f"def function(*arguments): {body}", package.__file__, "exec"), names)
    return names["function"]


def test_an_internal_mistake_is_still_one_sentence(zermelo, monkeypatch):
    monkeypatch.setattr("zermelo.search.perft", of_our_own("return 1 / 0"))
    said = zermelo("perft", "nim")
    assert said.code == 1
    assert said.sentence.startswith("ZeroDivisionError: division by zero; this is a bug in zermelo")


def test_debugging_shows_the_traceback(zermelo, monkeypatch):
    monkeypatch.setattr("zermelo.search.perft", lambda *arguments: 1 / 0)
    monkeypatch.setenv("ZERMELO_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        zermelo("perft", "nim")


@pytest.mark.parametrize(("error", "words"), [(RecursionError(), "--depth"), (MemoryError(), "memory")])
def test_depth_and_memory_have_words_of_their_own(error, words):
    sentence, code = errors.describe_error(error)
    assert words in sentence
    assert code == 1


def test_control_c_is_quiet(zermelo, monkeypatch):
    monkeypatch.setattr("zermelo.search.perft", of_our_own("raise KeyboardInterrupt"))
    said = zermelo("perft", "nim")
    assert said.code == 130
    assert "Traceback" not in said.err


@pytest.mark.parametrize("agent", ["auto", "random", "expectiminimax"])
def test_dice_that_are_to_be_rolled_are_refused_with_a_remedy(zermelo, agent):
    said = zermelo("best", "backgammon", "--agent", agent)
    assert said.code == 1
    assert said.sentence == (
        f"the dice are to be rolled here, so {agent} has nothing to choose; "
        'give the roll: zermelo best backgammon "moves: 12"'
    )


@pytest.mark.parametrize("command", [*COMMANDS, ["check"], ["match", "random", "random", "--game"]])
@pytest.mark.parametrize("error", ["KeyboardInterrupt", "SystemExit(3)", "GeneratorExit"])
def test_rules_that_end_the_program_are_named(zermelo, file, command, error):
    """Only a person presses Ctrl-C."""
    said = zermelo(*command, file(GAME.replace("return -1 if", f"raise {error}\n        return -1 if")))
    assert said.code == 1
    assert error.partition("(")[0] in said.err + said.out
    if command != ["check"] or "Keyboard" in error:
        assert "mygame.py" in said.sentence


@pytest.mark.parametrize("error", ["KeyboardInterrupt", "SystemExit(3)", "GeneratorExit", "BaseException(3)"])
def test_rules_that_end_the_program_late_are_named(zermelo, file, error):
    """The random games begin at the start and never come there."""
    path = file(GAME.replace("return (state[0] -", f"if state[0] == 9: raise {error}\n        return (state[0] -"))
    said = zermelo("solve", path, "9,0")
    assert said.code == 1
    assert f"it raises {error.partition('(')[0]}" in said.sentence
    assert "(mygame.py, line 18)" in said.sentence


@pytest.mark.parametrize("wrong", ["utility_range = 5", "players = '2'", "utility_range = -(10**400), 10**400"])
def test_a_game_with_a_wrong_declaration_is_not_described(zermelo, file, wrong):
    """It was once called a bug in zermelo."""
    said = zermelo("games", file(GAME.replace("def initial", f"{wrong}\n\n    def initial", 1)))
    assert said.code == 1
    assert "bug in zermelo" not in said.sentence


@pytest.mark.parametrize("command", [["solve"], ["best", "--agent", "minimax"]])
def test_a_helper_that_calls_itself_without_end_is_named(zermelo, file, command):
    """Not the search went too deep."""
    helper = "def deep(n): return deep(n + 1)\n\n\nclass Countdown"
    text = GAME.replace("return (state[0] -", "if state[0] == 9: deep(0)\n        return (state[0] -")
    said = zermelo(*command, file(text.replace("class Countdown", helper)), "9,0")
    assert said.code == 1
    assert said.sentence.startswith("the game's file has a mistake: RecursionError")
    assert "(mygame.py, line 5)" in said.sentence


@pytest.mark.compiled
def test_a_game_that_does_not_compile_is_a_note(zermelo, file):
    text = GAME.replace(
        "return range(1, min(state[0], 2) + 1)", "return [n for n in (1, 2) if str.isdigit(str(n)) and n <= state[0]]"
    )
    said = zermelo("best", file(text), "--agent", "minimax", "--json")
    assert said.json["best"] == "2"
    notes = [line for line in said.err.splitlines() if line.startswith("note: ")]
    assert len(notes) == 1
    assert "runs interpreted" in notes[0]


def test_the_module_leaves_with_the_exit_code_of_the_command():
    ran = subprocess.run([sys.executable, "-m", "zermelo", "nonsense"], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("zermelo: no such command 'nonsense'")


def test_rules_that_never_end_are_refused_with_their_place(zermelo, tmp_path, monkeypatch):
    monkeypatch.setattr(precheck, "PATIENCE", 0.5)
    path = tmp_path / "forever.py"
    path.write_text(
        GAME.replace("        return range(", "        while state[0] < 3:\n            pass\n        return range(")
    )
    said = zermelo("solve", path)
    assert said.code == 1
    assert "Countdown: actions (forever.py:" in said.sentence
    assert "is still running after 0.5 seconds; it must end" in said.sentence


# -- hostile input -------------------------------------------------------------------------------------------

LONG = "x" * 100_000
WRONG_GAMES = ["", " ", ":", "::", "ü", LONG, "nowhere.py", "loop.py", "folder.py", "broken.py", "bytes.py", "other.py"]
WRONG_GAMES += ["none.py", "countdown.py:Nobody", "countdown.py:Game", "countdown.py:Countdown:x=1", "hexapawn:rows"]
WRONG_GAMES += [
    "hexapawn:rows=99999999999999999999",
    "hexapawn:rows=-1",
    "tree:max(",
    "tree:" + "max(" * 3000,
    "..",
    "/",
]


@pytest.fixture
def hostile_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "broken.py").write_text("class Broken(:\n")
    (tmp_path / "bytes.py").write_bytes(b"\x00\xff\xfe")
    (tmp_path / "other.py").write_text("import something_that_is_not_there\n")
    (tmp_path / "none.py").write_text("x = 1\n")
    (tmp_path / "countdown.py").write_text(GAME)


def assert_one_sentence(said):
    assert said.code in (1, 2), said
    assert "Traceback" not in said.err
    assert "mistake in zermelo" not in said.err
    assert len([line for line in said.err.splitlines() if line.startswith("zermelo: ")]) == 1
    assert len(said.err) < 1500


@pytest.mark.usefixtures("hostile_folder")
@pytest.mark.parametrize("game", WRONG_GAMES, ids=lambda game: game[:30])
def test_a_game_that_cannot_be_gets_one_sentence_from_every_command(zermelo, game):
    for command in (*COMMANDS, ["check"], ["match", "random", "random", "--game"], ["uci"], ["gtp"]):
        assert_one_sentence(zermelo(*command, game))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "position", [LONG, "moves: zz", "moves: " + "a1a2 " * 50, "(((((", "[" * 5000, "-1", "ü", "\0"]
)
def test_a_position_that_cannot_be_gets_one_sentence(zermelo, command, position):
    for game in ("hexapawn", "pig", "nim", "trio"):
        assert_one_sentence(zermelo(*command, game, "--", position))


@pytest.mark.parametrize("value", ["-1", "0", "nan", "inf", "1e999", "x", "1.5.5", LONG, "0x10", "9" * 30])
def test_a_limit_that_cannot_be_gets_one_sentence(zermelo, value):
    for option in ("--time", "--nodes", "--depth"):
        assert_one_sentence(zermelo("best", "hexapawn", option, value))


def test_a_terminal_that_cannot_write_a_letter_gets_a_question_mark():
    ran = subprocess.run(
        [sys.executable, "-m", "zermelo", "games", "hexapawn"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "hexapawn" in ran.stdout
    assert "?" in ran.stdout


@pytest.mark.parametrize(
    ("place", "sentence"), [("cache", "the next start is instant"), ("file", "the result cannot be saved")]
)
def test_only_what_can_be_saved_is_promised_for_the_next_start(monkeypatch, tmp_path, capsys, place, sentence):
    """A file stands where the folder should be: as on a full disk, nothing can be written there."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / place))
    heard = []
    monkeypatch.setattr("zermelo.kernel.on_compile", heard.append)
    request.announce_compiling(package.find("hexapawn"))
    heard[0]("negamax", "hexapawn")
    heard[0]("negamax", "hexapawn")
    assert capsys.readouterr().err.count(f"compiling hexapawn; {sentence}") == 1


def test_nothing_is_promised_of_rules_that_may_not_compile(monkeypatch, file, capsys):
    heard = []
    monkeypatch.setattr("zermelo.kernel.on_compile", heard.append)
    game = package.find(str(file(GAME)))
    request.announce_compiling(game)
    heard[0]("negamax", game.name)
    assert f"compiling {game.name}; if its rules compile, the next start is instant …" in capsys.readouterr().err
