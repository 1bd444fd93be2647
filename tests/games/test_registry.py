import os
import subprocess
import sys
from importlib.metadata import EntryPoint

import pytest

from zermelo.core.errors import RulesError, UsageError
from zermelo.core.game import Game
from zermelo.games import all_games, describe, find, names
from zermelo.games.library import registry

pytestmark = pytest.mark.plain

COUNTDOWN = """
from zermelo.core.game import Game

class {name}(Game):
    def __init__(self, start: int = 5) -> None:
        self.start = start
    def initial(self): return (self.start, 0)
    def to_move(self, state): return state[1]
    def actions(self, state): return range(1, min(2, state[0]) + 1)
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def utility(self, state, player): return -1 if player == state[1] else 1
"""


@pytest.fixture
def write(tmp_path):
    """Write a file below the test's own folder and give its path as a spec would have it."""

    def written(source, name="mygame.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
        return str(path)

    return written


# -- names ------------------------------------------------------------------------------------------------


def test_the_games_have_the_names_of_the_design():
    assert names()[:7] == ["tree", "tic-tac-toe", "hexapawn", "connect-four", "nim", "pig", "trio"]


def test_all_games_are_found_by_their_own_names():
    assert [game.name for game in all_games()] == names()


def test_options_follow_the_name():
    game = find("hexapawn:rows=4,cols=5")
    assert (game.rows, game.cols) == (4, 5)
    assert find(" nim:heaps=1-2-3, misere=yes ").options() == {"heaps": (1, 2, 3), "misere": True}


def test_describe_returns_a_games_declarations():
    assert describe("trio") == {
        "name": "trio",
        "summary": "Three players drop stones into columns; the first with a line of three takes all three points.",
        "players": 3,
        "zero_sum": False,
        "chance": False,
        "hidden": False,
        "parameters": {"cols": 4, "rows": 4, "line": 3},
    }
    assert describe("pig:target=20")["parameters"] == {"target": 20}


def test_a_game_without_a_docstring_has_no_summary(write):
    assert describe(write(COUNTDOWN.format(name="Countdown")))["summary"] == ""
    assert describe("hexapawn")["summary"].startswith("Pawns step forward")


def test_one_game_imports_neither_the_others_nor_the_compiler():
    script = (
        "import sys; from zermelo.games import find; find('nim');"
        "heavy = {'numpy', 'numba', 'importlib.metadata'} & set(sys.modules);"
        "others = [m for m in ('tree', 'hexapawn', 'pig', 'trio') if 'zermelo.games.' + m in sys.modules];"
        "assert not heavy and not others, (heavy, others)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env={**os.environ, "PYTHONPATH": ":".join(sys.path)})


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("hexpawn", r"there is no game 'hexpawn'; did you mean hexapawn or hex\?"),
        ("Tic_Tac_Toe", r"did you mean tic-tac-toe\?"),
        ("connect4", r"did you mean connect-four\?"),
        ("", r"there is no game ''; try tree, .* or a file of your own as path/mygame.py:MyGame"),
        ("xyzzy", r"there is no game 'xyzzy'; try tree"),
        ("hexapawn:row=4", r"hexapawn has no option 'row'; try rows or cols"),
        ("hexapawn:rows=four", r"hexapawn: rows=four is not understood; the default is rows=3"),
        ("hexapawn:rows", r"hexapawn: 'rows' is not an option; write name=value"),
        ("hexapawn:rows=", r"'rows=' is not an option"),
        ("hexapawn:rows=4,", r"'an empty option' is not an option"),
        ("hexapawn:rows=4,rows=5", r"rows is given twice"),
        ("hexapawn:rows=1", r"hexapawn has 3 rows or more"),
        ("nim:heaps=3-x", r"nim: heaps=3-x is not understood; the default is heaps=3-4-5"),
        ("nim:misere=perhaps", r"the default is misere=false"),
    ],
)
def test_a_spec_that_names_no_game_gets_one_sentence(spec, sentence):
    with pytest.raises(UsageError, match=sentence):
        find(spec)


def test_a_name_that_is_a_file_beside_the_user_is_pointed_to(write, tmp_path, monkeypatch):
    write(COUNTDOWN.format(name="Countdown"), "countdown.py")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"the file beside you is called countdown\.py"):
        find("countdown")


# -- plug-ins ---------------------------------------------------------------------------------------------


@pytest.fixture
def plug_in(monkeypatch):
    """Pretend that one plug-in is installed."""

    def installed(name, value):
        found = EntryPoint(name, value, registry.GROUP)
        monkeypatch.setattr(registry, "_plug_ins", lambda: [found])

    return installed


def test_a_plug_in_joins_by_its_entry_point(plug_in):
    plug_in("pawns", "zermelo.games.hexapawn:Hexapawn")
    assert names()[-1] == "pawns"
    assert find("pawns:rows=4").rows == 4


def test_a_plug_in_cannot_take_the_name_of_a_built_in_game(plug_in):
    plug_in("nim", "zermelo.games.hexapawn:Hexapawn")
    assert names().count("nim") == 1
    assert find("nim").name == "nim"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("nowhere.to.be.found:Game", r"the plug-in game broken \(nowhere.*\) cannot be imported: ModuleNotFoundError"),
        ("zermelo.games.hexapawn:WHITE", r"the plug-in game broken .* is not a Game class"),
        ("zermelo.core.game:Game", r"lacks initial and to_move and actions and result and utility"),
    ],
)
def test_a_broken_plug_in_is_named(plug_in, value, sentence):
    plug_in("broken", value)
    with pytest.raises(RulesError, match=sentence):
        find("broken")


def test_built_in_games_do_not_look_for_plug_ins(monkeypatch):
    monkeypatch.setattr(registry, "_plug_ins", lambda: pytest.fail("looked for plug-ins"))
    assert find("nim").name == "nim"


# -- a file of one's own --------------------------------------------------------------------------------------


def test_a_class_in_a_file_is_a_game(write):
    path = write(COUNTDOWN.format(name="Countdown"))
    assert find(f"{path}:Countdown").initial() == (5, 0)
    assert find(f"{path}:Countdown:start=9").initial() == (9, 0)
    assert find(path).initial() == (5, 0)
    assert find(f"{path}:start=7").initial() == (7, 0)
    assert isinstance(find(path), Game)


def test_paths_may_be_relative_and_from_home(write, tmp_path, monkeypatch):
    write(COUNTDOWN.format(name="Countdown"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert type(find("mygame.py")) is type(find("~/mygame.py:Countdown")) is type(find(f"{tmp_path}/mygame.py"))


def test_the_module_is_a_real_one(write):
    game = find(write(COUNTDOWN.format(name="Countdown")))
    module = sys.modules[type(game).__module__]
    assert module.__name__.startswith("zermelo_file_mygame_")
    assert module.Countdown is type(game)


def test_the_same_file_gives_the_same_class_until_it_changes(write):
    path = write(COUNTDOWN.format(name="Countdown"))
    first = type(find(path))
    assert type(find(path)) is first
    write(COUNTDOWN.format(name="Countdown").replace("int = 5", "int = 6"))
    assert find(path).initial() == (6, 0)
    assert type(find(path)) is not first


def test_two_files_of_the_same_name_do_not_meet(write):
    one = write(COUNTDOWN.format(name="Countdown"), "one/mygame.py")
    two = write(COUNTDOWN.format(name="Countdown").replace("int = 5", "int = 8"), "two/mygame.py")
    assert (find(one).start, find(two).start, find(one).start) == (5, 8, 5)


HELPED = "from numbers_of_mine import START\n" + COUNTDOWN.format(name="Countdown").replace("int = 5", "int = START")


def test_a_file_may_import_the_modules_beside_it(write):
    write("START = 4", "one/numbers_of_mine.py")
    before = list(sys.path)
    assert find(write(HELPED, "one/mygame.py")).start == 4
    assert sys.path == before


def test_an_edited_helper_is_read_again_and_another_folders_helper_is_another(write):
    write("START = 4", "one/numbers_of_mine.py")
    write("START = 7", "two/numbers_of_mine.py")
    one, two = write(HELPED, "one/mygame.py"), write(HELPED, "two/mygame.py")
    assert (find(one).start, find(two).start, find(one).start) == (4, 7, 4)
    write("START = 6", "one/numbers_of_mine.py")
    assert find(one).start == 6


def test_a_missing_file_is_named():
    with pytest.raises(UsageError, match=r"there is no file no/where\.py; give the path of a Python file"):
        find("no/where.py:MyGame")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("x = 1\ndef f(:\n", r"mygame.py cannot be imported: SyntaxError: .*\(mygame.py, line 2\)"),
        ("x = 1\n\ny = undefined\n", r"cannot be imported: NameError: .*undefined.* \(mygame.py, line 3\)"),
        ("raise ValueError('first\\nsecond')", r"ValueError: first second \(mygame.py, line 1\)"),
        ("import sys\nsys.exit(3)", r"SystemExit: 3 \(mygame.py, line 2\)"),
        ("import not_a_module_at_all", r"ModuleNotFoundError: .*\(mygame.py, line 1\)"),
        ("x = 1\x00", r"cannot be imported: (SyntaxError|ValueError)"),
        ("x = 1", r"mygame.py has no game in it; derive a class from zermelo's Game"),
        ("from zermelo.games.hexapawn import Hexapawn", r"has no game in it"),
        (
            "from zermelo.core.game import Game\nclass Half(Game):\n    def initial(self): return 0\n"
            "    def to_move(self, state): return 0\n    def actions(self, state): return ()\n",
            r"mygame.py:Half lacks result and utility; a game has the five methods initial, to_move",
        ),
    ],
)
def test_a_file_with_a_mistake_gets_one_sentence(write, source, sentence):
    with pytest.raises(RulesError, match=sentence) as caught:
        find(write(source))
    assert "\n" not in str(caught.value)


def test_a_file_that_fails_leaves_no_module_behind(write):
    before = set(sys.modules)
    with pytest.raises(RulesError):
        find(write("x = 1 / 0"))
    assert set(sys.modules) == before


def test_an_error_in_a_helper_names_the_helper(write):
    write("START = 1 / 0", "numbers_of_mine.py")
    with pytest.raises(RulesError, match=r"ZeroDivisionError: division by zero \(numbers_of_mine.py, line 1\)"):
        find(write(HELPED))


def test_after_a_broken_edit_the_next_good_one_counts(write):
    path = write(COUNTDOWN.format(name="Countdown"))
    find(path)
    write("oops(")
    with pytest.raises(RulesError, match="SyntaxError"):
        find(path)
    write(COUNTDOWN.format(name="Countdown"))
    assert find(path).start == 5


def test_a_file_with_several_games_needs_a_class_name(write):
    path = write(COUNTDOWN.format(name="One") + COUNTDOWN.format(name="Two"))
    with pytest.raises(UsageError, match=r"has several games; say which: .*mygame.py:One or .*mygame.py:Two"):
        find(path)
    assert type(find(f"{path}:Two")).__name__ == "Two"


def test_a_class_that_is_not_there_is_refused_with_those_that_are(write):
    path = write(COUNTDOWN.format(name="One") + "class Plain: pass\n")
    with pytest.raises(UsageError, match=r"has no class Tow; try One"):
        find(f"{path}:Tow")
    with pytest.raises(RulesError, match=r"mygame.py:Plain is not a Game class"):
        find(f"{path}:Plain")


def test_a_constructor_may_refuse(write):
    refusing = COUNTDOWN.format(name="Countdown").replace(
        "self.start = start", "self.start = start; assert start < 9, 'at most eight'"
    )
    path = write(refusing)
    with pytest.raises(
        UsageError, match=r"cannot be made with start=9: AssertionError: at most eight \(mygame.py, line 6\)"
    ):
        find(f"{path}:start=9")


def test_an_option_without_a_default_must_be_given(write):
    path = write(COUNTDOWN.format(name="Countdown").replace("start: int = 5", "start"))
    with pytest.raises(UsageError, match=r"mygame.py:Countdown needs start; write .*mygame.py:Countdown:start=\.\.\."):
        find(path)
    assert find(f"{path}:start=3").start == "3"
