"""The digest changes whenever compiled code could, and only then. No compiler is needed to see it."""

import copy
import enum
import subprocess
import sys
import time
from typing import NamedTuple

import pytest
from little_rules import Heap, Take
from processes import environment, run, write

import zermelo.kernel.digest as digest_module
from zermelo.core.meter import Meter, Metered
from zermelo.kernel import U64, Static, kernel, state
from zermelo.kernel.digest import code_digest, digest

pytestmark = pytest.mark.plain

FACTOR = 3
TABLE = (1, 2, 3)


def helper(number):
    return FACTOR * number


def deep(number):
    return helper(number) + 1


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Plain(Static):
    def __init__(self, option=1):
        self.option = option

    def ask(self, number):
        return deep(number) + TABLE[number]

    @property
    def twice(self):
        return 2 * self.option


def test_equal_objects_have_equal_digests():
    assert digest(Plain()) == digest(Plain())
    assert len({digest(game) for game in (Take(), Take(7, 3), Metered(Take(), Meter.allocate()).game)}) == 1
    assert digest(Metered(Take(), Meter.allocate())) == digest(Metered(Take(), Meter.allocate(5)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 2),
        (1, 1.0),
        (1, True),
        (1, U64(1)),
        (0.0, -0.0),
        ((1, 2), (1, 3)),
        ((1, 2), ((1, 2),)),
        (Heap(1, 2), (1, 2)),
        (Colour.RED, Colour.GREEN),
        ("a", "b"),
        ([1], [2]),
        ({1: 2}, {1: 3}),
        ({1, 2}, {1, 3}),
        (Plain(1), Plain(2)),
        (helper, deep),
        (None, 0),
    ],
)
def test_other_attributes_have_other_digests(one, other):
    assert digest(Plain(one)) == digest(Plain(one)) != digest(Plain(other))


def test_arrays_count_by_their_content():
    np = pytest.importorskip("numpy")
    arrays = [np.zeros(3), np.ones(3), np.zeros(3, dtype=np.int64), np.zeros((3, 1))]
    assert len({digest(Plain(array)) for array in arrays}) == 4
    assert digest(Plain(np.arange(4))) == digest(Plain(np.arange(4)))


@pytest.mark.parametrize(
    ("name", "value"),
    [("FACTOR", 4), ("TABLE", (1, 2, 4)), ("helper", lambda number: number), ("deep", lambda number: number)],
)
def test_names_in_methods_change_the_digest(name, value, monkeypatch):
    before = digest(Plain())
    monkeypatch.setitem(globals(), name, value)
    assert digest(Plain()) != before
    monkeypatch.undo()
    assert digest(Plain()) == before


def test_unused_names_do_not_change_the_digest(monkeypatch):
    before = digest(Plain())
    monkeypatch.setitem(globals(), "OTHER", 5)
    assert digest(Plain()) == before


@pytest.mark.parametrize(
    "change",
    [
        {"ask": lambda self, number: number},
        {"twice": property(lambda self: 3 * self.option)},
        {"limit": 5},
        {"runtime": ("option",)},
        {"helper": staticmethod(lambda number: number)},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_class_of_the_same_name_with_other_members_is_another(change):
    same = type("Plain", (Plain,), {})
    other = type("Plain", (Plain,), change)
    assert digest(same()) == digest(type("Plain", (Plain,), {})()) != digest(other())


def test_default_values_and_variables_around_a_function_count():
    def make(around, default):
        def inner(number, other=default):
            return number + around + other

        return inner

    assert code_digest(make(1, 2)) == code_digest(make(1, 2))
    assert len({code_digest(make(around, default)) for around in (1, 2) for default in (1, 2)}) == 4


def test_kernels_and_states_count():
    def with_state(annotation):
        position = state(NamedTuple("Position", [("field", annotation)]))
        return type("Using", (Static,), {"make": lambda self: position(1)})()

    def with_kernel(number):
        inner = kernel(lambda static: number)
        return type("Using", (Static,), {"ask": lambda self: inner(self)})()

    assert digest(with_state(int)) == digest(with_state(int)) != digest(with_state(float))
    assert digest(with_kernel(1)) == digest(with_kernel(1)) != digest(with_kernel(2))


def test_a_circle_of_functions_comes_to_an_end():
    assert code_digest(ping) == code_digest(ping) != code_digest(pong)


def ping(number):
    return pong(number - 1)


def pong(number):
    return ping(number - 2)


def test_the_digests_of_all_games_are_the_same_in_every_process(tmp_path):
    """Sets, hashes and addresses differ from process to process."""
    script = write(
        tmp_path,
        "script.py",
        """
    from zermelo.games import all_games
    from zermelo.kernel.digest import digest

    class Local(type(next(all_games()))):
        moves = frozenset({"a", "b", "c"})

    print(*map(digest, all_games()), digest(Local()))
    """,
    )
    printed = [
        subprocess.run(
            [sys.executable, str(script)],
            env=environment(tmp_path, PYTHONHASHSEED=seed),
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for seed in "12"
    ]
    assert printed[0] == printed[1]
    assert len(set(printed[0])) == len(printed[0])


def test_a_change_is_a_change_of_the_digest_until_the_object_is_frozen():
    plain, outer = Plain(1), Plain(Plain(1))
    before = digest(plain)
    plain.option = 2
    assert digest(plain) == digest(Plain(2)) != before
    outer.freeze()
    for frozen in (outer, outer.option):
        with pytest.raises(AttributeError, match=r"Plain\.option cannot change once the game is compiled"):
            frozen.option = 3
    again = copy.copy(outer)
    again.option = 3
    assert digest(again) == digest(Plain(3))


def test_docstrings_do_not_count_and_constants_do():
    sources = [
        'def found(number):\n    """One."""\n    return number + 1, "text"',
        'def found(number):\n    """Another."""\n    # with a comment\n    return number + 1, "text"',
        'def found(number):\n    """One."""\n    return number + 2, "text"',
        'def found(number):\n    """One."""\n    return number + 1, "other"',
    ]
    made = []
    for source in sources:
        space = {"__name__": "zermelo.somewhere"}
        exec(source, space)
        made.append(code_digest(space["found"]))
    assert made[0] == made[1]
    assert len(set(made)) == 3


def test_docstrings_of_modules_and_classes_do_not_count_either():
    def told(source):
        return list(digest_module._instructions(compile(source, "<source>", "exec")))

    text = '"""{0}"""\nclass Made:\n    """{0}"""\n    size = {1}\n    def ask(self):\n        """{0}"""\n'
    assert told(text.format("One.", 3)) == told(text.format("Another.", 3)) != told(text.format("One.", 4))
    assert told("class Made:\n    size = 'three'") != told("class Made:\n    size = 'four'")


def test_methods_that_are_never_compiled_do_not_count():
    class Wordy(Take):
        def format_action(self, state, action):
            return "one"

    wordy = digest(Wordy())
    Wordy.format_action = lambda self, state, action: "another"
    assert digest(Wordy()) == wordy
    Wordy.result = lambda self, state, action: state
    assert digest(Wordy()) != wordy


def test_earlier_work_of_the_process_does_not_change_the_digest(tmp_path):
    """Caches that fill while games are played and drawn are not part of the rules."""
    script = """
    import sys
    from zermelo import Limit, Referee, analyse
    from zermelo.draw import board_text
    from zermelo.games import all_games
    from zermelo.kernel.digest import digest

    if sys.argv[1] == "late":
        for game in all_games():
            referee = Referee(game)
            for _ in range(3):
                if legal := referee.legal():
                    referee.play(legal[0])
                    board_text(game.picture(referee.state))
                    game.parse_state(game.format_state(referee.state))
            if legal and referee.to_move >= 0:
                analyse(game, referee, "mcts", Limit(nodes=3))
    print(*map(digest, all_games()))
    """
    path = write(tmp_path, "script.py", script)
    early, late = (run(path, tmp_path, when, NUMBA_DISABLE_JIT="1") for when in ("early", "late"))
    assert early == late


def test_a_file_that_has_changed_meanwhile_equals_no_other(tmp_path, monkeypatch):
    """The functions in memory may be older than the file of the package that they come from."""
    path = tmp_path / "installed.py"
    path.write_text("x = 1")
    monkeypatch.setattr(digest_module, "_IMPORTED", time.time_ns() + 10**12)
    before = digest_module._file_stamp(str(path))
    assert before == digest_module._file_stamp(str(path))
    monkeypatch.setattr(digest_module, "_IMPORTED", time.time_ns() - 10**12)
    assert digest_module._file_stamp(str(path)) != before
