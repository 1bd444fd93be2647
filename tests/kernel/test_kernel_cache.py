"""Compiled kernels on disk: the next process finds them, an edit never does."""

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from little_rules import Switch, Take, width
from processes import answers, environment, write

import zermelo
from zermelo.kernel import Kernel, Static, kernel
from zermelo.kernel.compiler import CannotCompile

# -- processes -----------------------------------------------------------------------------------------

TAKE = """
    from typing import NamedTuple
    from zermelo.core.game import Game
    from zermelo.kernel import U64, kernel, state

    @state
    class Heap(NamedTuple):
        left: int
        word: U64

    class {name}(Game):
        def __init__(self, most=3):
            self.most = most

        def initial(self):
            return Heap(6, U64(1))

        def to_move(self, state):
            return state.left % 2

        def actions(self, state):
            for stones in range(1, self.most + 1):
                if stones <= state.left:
                    yield stones

        def result(self, state, action):
            return Heap(state.left - ({taken}), state.word << 1)

        def utility(self, state, player):
            return 0

    @kernel
    def {kernel}(game: Game, state: Heap) -> Heap:
        for action in game.actions(state):
            state = game.result(state, action)
            if state.word == U64(4):
                break
        return state
"""


def take(name, taken="action"):
    return TAKE.format(name=name, taken=taken, kernel=f"played_{name.lower()}")


def test_the_next_process_compiles_nothing(tmp_path):
    """Neither for a game in a module nor for one in the script itself, whose classes have no importable name."""
    write(tmp_path, "in_a_module.py", take("Module"))
    script = write(
        tmp_path,
        "script.py",
        take("Main")
        + """
    from zermelo.kernel import on_compile
    from zermelo.textbook.minimax import minimax

    compiled = []
    on_compile(lambda kernel, game: compiled.append(kernel))
    from in_a_module import Heap as ModuleHeap, Module, played_module
    for game, played, heap in ((Main(), played_main, Heap), (Module(), played_module, ModuleHeap)):
        found = played.run(game, game.initial())
        again = played.run(game, game.initial())
        print(type(game).__name__, type(found) is heap, type(found.word).__name__, found == again, tuple(found))
        minimax.run(game, game.initial(), 0)
    print("compiled", *compiled)
    """,
    )
    first, second = (answers(script, tmp_path / "cache") for _ in range(2))
    assert first["Main"] == first["Module"] == "True U64 True (3, U64(0x4))"
    assert first.pop("compiled").split() == ["played_main", "minimax", "played_module", "minimax"]
    assert second.pop("compiled") == ""
    assert second == first


PITS, COUNTERS, PERFT = "games/mancala/pits.py", "core/counters.py", "search/perft.py"
ONES = "ONES = U64(0x0101_0101_0101_0101)"
ALL = {"nim", "kalah", "hexapawn"}
WITHOUT_EFFECT = (
    # a file of the package, what stands there, what it becomes
    (PITS, ONES, f"{ONES}  # a comment"),
    (PITS, '"""Boards of pits', '"""About boards of pits'),
    (PITS, "MOST_SEEDS = 127", "MOST_SEEDS = 126"),
    (PITS, ONES, f"{ONES} | U64(0)"),
    (COUNTERS, '"""', '"""Another word. '),
    (COUNTERS, "NEVER = 1 << 62", "NEVER = 1 << 62\nADDED = 3"),
)
EDITS = (
    # edits that are made together, and the games that are compiled again
    ([("games/nim.py", "class Nim(Game):", "class Nim(Game):\n    swing = 7.0\n")], {"nim"}),
    (WITHOUT_EFFECT, set()),
    ([(PITS, "& (bit(8 * pits) - U64(1))", "& (bit(8 * pits) - U64(3))")], {"kalah"}),
    ([(PERFT, "    total = 0\n", "    total = 0 * depth\n")], ALL),
    ([(PERFT, "        return self.reason != GO_ON", "        return self.reason > GO_ON")], ALL),
)


def test_an_edit_compiles_again_what_can_reach_it_and_nothing_else(tmp_path):
    """An edit of a game or of a docstring leaves other kernels cached; one of a shared helper does not."""
    package = tmp_path / "src" / "zermelo"
    shutil.copytree(Path(zermelo.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "static"))
    script = write(
        tmp_path,
        "script.py",
        """
    from zermelo import find, perft
    from zermelo.kernel import on_compile

    compiled = set()
    on_compile(lambda kernel, game: compiled.add(game.partition("[")[0].lower()))
    for name in ("nim", "kalah", "hexapawn"):
        perft(find(name), None, 2)
    print("compiled", *sorted(compiled))
    """,
    )

    def compiled_again():
        return set(answers(script, tmp_path / "cache", PYTHONPATH=str(package.parent))["compiled"].split())

    def edit(name, before, after):
        path = package / name
        text = path.read_text()
        assert before in text
        path.write_text(text.replace(before, after, 1))
        os.utime(path, (0, 0))

    assert compiled_again() == ALL
    assert compiled_again() == set()
    for edits, wanted in EDITS:
        for name, before, after in edits:
            edit(name, before, after)
        assert compiled_again() == wanted, edits


def test_edits_are_seen(tmp_path):
    """Without a digest of all that is inlined, the cache answers with stale rules: 21 instead of 150."""
    helpers = write(tmp_path, "helpers.py", "LIMIT = 3\nOTHER = 1\n\ndef taken(action):\n    return action\n")
    (tmp_path / "deep").mkdir()
    deeper = write(tmp_path / "deep", "deeper.py", "def deepest(action):\n    return action\n")
    table = write(tmp_path, "table.json", "[0, 1, 2, 3]")
    imports = "\n    import json, pathlib, sys\n    import helpers, deep.deeper\n    from helpers import LIMIT, taken\n"
    imports += "    TABLE = tuple(json.loads((pathlib.Path(__file__).parent / 'table.json').read_text()))\n"
    games = {
        "Function": "taken(action)",
        "Constant": "action - (action > LIMIT)",
        "Module": "helpers.taken(action)",
        "Package": "deep.deeper.deepest(action)",
        "Data": "TABLE[action]",
        "Own": "min(action, 3)",
    }
    for name, rule in games.items():
        write(tmp_path, f"{name.lower()}.py", take(name, rule) + imports)
    write(tmp_path, "still.py", take("Still"))
    names = [*games, "Still"]
    script = write(
        tmp_path,
        "script.py",
        f"""
    import importlib
    from zermelo.kernel import on_compile

    compiled = []
    on_compile(lambda kernel, game: compiled.append(game))
    for name in {names}:
        module = importlib.import_module(name.lower())
        game = getattr(module, name)()
        print(name, getattr(module, "played_" + name.lower()).run(game, game.initial()).left)
    print("compiled", *compiled)
    """,
    )
    before = answers(script, tmp_path / "cache")
    assert before.pop("compiled").split() == names
    assert set(before.values()) == {"3"}  # one stone, and two more

    helpers.write_text("LIMIT = 0\nOTHER = 1\n\ndef taken(action):\n    return 2 * action\n")
    deeper.write_text("def deepest(action):\n    return 2 * action\n")
    table.write_text("[0, 3, 2, 3]")
    own = tmp_path / "own.py"
    own.write_text(own.read_text().replace("min(action, 3)", "min(action, 3) + 1"))
    after = answers(script, tmp_path / "cache")
    assert after.pop("compiled").split() == [*games], "the game whose files did not change is still there"
    assert after == {
        "Function": "0",
        "Constant": "5",
        "Module": "0",
        "Package": "0",
        "Data": "1",
        "Own": "1",
        "Still": "3",
    }


def test_an_edit_of_your_own_kernel_is_detected(tmp_path):
    """The numbers change, the instructions of the kernels do not."""
    source = """
    from zermelo.kernel import Static, kernel
    FACTOR = {factor}

    @kernel
    def scaled(static: Static, number: int) -> int:
        return FACTOR * number

    @kernel
    def raised(static: Static, number: int) -> int:
        return number + {added}

    print("scaled", scaled.run(Static(), 10))
    print("raised", raised.run(Static(), 10))
    """
    for factor, added in ((2, 3), (4, 5)):
        script = write(tmp_path, "script.py", source.format(factor=factor, added=added))
        assert answers(script, tmp_path / "cache") == {"scaled": str(10 * factor), "raised": str(10 + added)}


def test_two_processes_at_once(tmp_path):
    script = write(
        tmp_path,
        "script.py",
        take("Main") + "\n    print(tuple(played_main.run(Main(), Main().initial())))\n",
    )
    started = [
        subprocess.Popen(
            [sys.executable, str(script)], env=environment(tmp_path / "cache"), stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    assert {process.communicate(timeout=300)[0] for process in started} == {"(3, U64(0x4))\n"}
    assert [process.returncode for process in started] == [0, 0]
    assert len(list((tmp_path / "cache").iterdir())) == 1, "one entry, and nothing half-written"


# -- one process: a new kernel object of the same function has nothing in memory, as in a new process -----


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE_DIR", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def fresh(kernel):
    return Kernel(kernel.function)


def hits(kernel):
    from zermelo.kernel.bridge import dispatcher

    return dispatcher(kernel)._cache.hits


def count(kernel, game=None):
    game = game or Take(5, 2)
    assert kernel.run_compiled(game, game.initial()) == kernel(game, game.initial())
    return hits(kernel)


def test_attributes_are_part_of_the_name(cache):
    for most in (2, 3, 4):
        count(fresh(width), Take(5, most))
    assert len(list(cache.iterdir())) == 3
    assert all(path.name.startswith("little_rules.width.Take.") for path in cache.iterdir())


class Reader(Static):
    """A number that travels with the call; its type is the code's."""

    runtime = ("value",)

    def __init__(self, value):
        self.value = value


@kernel
def read(reader: Reader) -> float:
    return reader.value + 0.5


def test_types_of_numbers_that_travel_are_part_of_the_name(cache):
    """Two variants once shared one file, and each deleted the other's."""
    for _ in range(2):
        again = fresh(read)
        assert [again.run_compiled(Reader(value)) for value in (1, 2.25)] == [1.5, 2.75]
    assert hits(again) == len(list(cache.iterdir())) == 2


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "nonsense"])
def test_a_damaged_entry_is_ignored(cache, damage):
    assert count(fresh(width)) == 0
    [entry] = cache.iterdir()
    content = bytearray(entry.read_bytes())
    if damage == "cut":
        content = content[: len(content) // 2]
    elif damage == "flipped":
        content[len(content) // 2] ^= 1
    else:
        content = b"" if damage == "empty" else b"nonsense"
    entry.write_bytes(content)
    assert count(fresh(width)) == 0
    assert count(fresh(width)) == 1, "the damaged entry was replaced"


def test_a_directory_that_cannot_be_made_costs_time_only(cache):
    cache.write_text("this is a file")
    assert count(fresh(width)) == 0
    assert count(fresh(width)) == 0
    assert cache.read_text() == "this is a file"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for the superuser")
def test_a_read_only_directory_costs_time_only(cache):
    cache.mkdir()
    cache.chmod(0o555)
    assert count(fresh(width)) == 0
    assert list(cache.iterdir()) == []


def test_a_full_disk_costs_time_only(cache, monkeypatch):
    def no_space(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "open", no_space)
    assert count(fresh(width)) == 0


def test_the_entries_used_longest_ago_go_first(cache, monkeypatch):
    from zermelo.kernel import cache as cache_module

    used = {}
    for age, stones in enumerate((3, 4, 5)):
        count(fresh(width), Take(stones))
        [entry] = set(cache.iterdir()) - set(used)
        used[entry] = stones
        os.utime(entry, (1000 + age, 1000 + age))
    oldest, second, third = used
    assert count(fresh(width), Take(3)) == 1  # which makes it the youngest
    others = [write(cache, name, "x" * 10_000) for name in ("diary.txt", "numba.nbi")]
    monkeypatch.setattr(cache_module, "LIMIT", sum(path.stat().st_size for path in (oldest, third)) + 1000)
    count(fresh(width), Take(6))
    left = set(cache.iterdir()) - set(others)
    assert second not in left
    assert third not in left
    assert oldest in left
    assert len(left) == 2, "the new entry, and the one that was used last"
    assert all(path.exists() for path in others), "only compiled kernels are deleted"


def test_an_entry_larger_than_the_limit_is_kept_until_the_next(cache, monkeypatch):
    from zermelo.kernel import cache as cache_module

    monkeypatch.setattr(cache_module, "LIMIT", 10)
    for stones in (3, 4):
        count(fresh(width), Take(stones))
        assert len(list(cache.iterdir())) == 1
    assert count(fresh(width), Take(4)) == 1


def test_threads_compile_once_and_agree(cache):
    kernel, game = fresh(width), Switch(4)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(kernel.run_compiled(game, game.initial()))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [4 + 3 + 2 + 1] * 4
    assert len(list(cache.iterdir())) == 1


def test_listeners_hear_what_is_compiled_and_nothing_else(cache, monkeypatch):
    from zermelo.kernel import compiler, on_compile

    monkeypatch.setattr(compiler, "_listeners", [])
    heard = []
    on_compile(lambda kernel, game: heard.append((kernel, game)))
    for _ in range(2):
        count(fresh(width))
    assert heard == [("width", "Take")]


def test_the_directory_is_the_users_by_default(monkeypatch, tmp_path):
    from zermelo.kernel import cache as cache_module

    monkeypatch.delenv("ZERMELO_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_module.directory().parts[-2:] == ("zermelo", "kernels")


# -- what must never be read or written ------------------------------------------------------------------


def test_files_that_others_can_write_are_not_read(cache):
    assert count(fresh(width)) == 0
    [entry] = cache.iterdir()
    entry.chmod(0o666)
    assert count(fresh(width)) == 0, "another user may have put code there"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_files_of_others_are_not_read(cache):
    assert count(fresh(width)) == 0
    [entry] = cache.iterdir()
    os.chown(entry, 12345, 12345)
    assert count(fresh(width)) == 0


def test_an_entry_under_the_name_of_another_is_not_read(cache):
    assert count(fresh(width), Take(3)) == 0
    [old] = cache.iterdir()
    assert count(fresh(width), Take(4)) == 0
    [new] = set(cache.iterdir()) - {old}
    new.write_bytes(old.read_bytes())
    assert count(fresh(width), Take(4)) == 0


def test_a_pipe_in_the_place_of_an_entry_does_not_hang(cache):
    assert count(fresh(width)) == 0
    [entry] = cache.iterdir()
    entry.unlink()
    os.mkfifo(entry)
    assert count(fresh(width)) == 0


def test_a_full_disk_leaves_nothing_half_written(cache, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    cache.mkdir(exist_ok=True)
    monkeypatch.setattr(Path, "replace", full)
    assert count(fresh(width)) == 0
    assert list(cache.iterdir()) == []


def test_abandoned_files_are_deleted(cache):
    cache.mkdir(exist_ok=True)
    old, young = cache / "old.1.2.partial", cache / "young.1.2.partial"
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    assert count(fresh(width)) == 0
    assert not old.exists()
    assert young.exists()


def test_nothing_is_saved_or_read_if_the_compiler_changed_after_its_import(cache, monkeypatch):
    from zermelo.kernel import cache as cache_module

    assert count(fresh(width)) == 0
    monkeypatch.setattr(cache_module, "compiler_had_changed", lambda: True)
    assert count(fresh(width)) == 0
    assert len(list(cache.iterdir())) == 1


def test_nothing_is_saved_once_the_compiler_has_changed(cache, monkeypatch):
    from zermelo.kernel import cache as cache_module

    monkeypatch.setattr(cache_module, "compiler_has_changed", lambda: True)
    assert count(fresh(width)) == 0
    assert not cache.exists()


class Unspeakable(Take):
    """A game that does not compile."""

    def actions(self, state):
        yield from sorted(str(action) for action in super().actions(state))


def test_a_kernel_that_failed_for_one_game_is_saved_for_the_next(cache):
    """numba does not report a compilation that failed; the next one was taken for a part of it, and never saved."""
    once, again = fresh(width), fresh(width)
    with pytest.raises(CannotCompile):
        once.run_compiled(Unspeakable(5, 2), Take(5, 2).initial())
    assert count(once) == 0
    assert len(list(cache.iterdir())) == 1
    assert count(again) == 1


def test_a_user_without_a_home_has_no_cache(cache, monkeypatch):
    from zermelo.kernel import cache as cache_module

    monkeypatch.setattr(cache_module, "directory", lambda: Path("~/.cache/zermelo"))
    monkeypatch.delenv("ZERMELO_CACHE_DIR")
    assert count(fresh(width)) == 0
    assert not Path("~").exists()


# -- one signature a kernel, whatever a game's first state looks like ---------------------------------------

ZOO = """
    from zermelo import Game

    class Take(Game):
        first = (9, 0)
        def initial(self): return self.first
        def to_move(self, state): return state[1]
        def actions(self, state): return range(1, min(3, state[0]) + 1)
        def result(self, state, taken): return (state[0] - taken, 1 - state[1])
        def utility(self, state, player): return -1 if player == state[1] else 1

    class Flag(Take):
        first = (9, 0, False)
        def result(self, state, taken): return (state[0] - taken, 1 - state[1], True)

    class Moved(Take):
        first = (9, 0, 0)
        def result(self, state, taken): return (state[0] - taken, 1 - state[1], 1)

    class Truth(Take):
        first = (9, 0, 0)
        def result(self, state, taken): return (state[0] - taken, 1 - state[1], True)

    class Branches(Take):
        def result(self, state, taken):
            if state[1] == 0:
                return (state[0] - taken, 1)
            return (state[0] - taken, 0)

    class Nested(Take):
        first = (9, 0, (0, (0, 0)))
        def result(self, state, taken): return (state[0] - taken, 1 - state[1], (1, (True, state[2][1][1] + 1)))

    class Halves(Take):
        first = (9, 0, 0)
        def result(self, state, taken): return (state[0] - taken, 1 - state[1], state[2] + 0.5)
"""
PLAYED = """
    import sys, warnings
    import zoo
    from zermelo import solve
    from zermelo.kernel import on_compile
    from zermelo.search import perft
    from zermelo.textbook import minimax

    compiled = []
    on_compile(lambda kernel, game: compiled.append(game))
    warnings.simplefilter("ignore")
    for name in sys.argv[1:]:
        if name == "Halves":
            print("compiled", *compiled)
        game = getattr(zoo, name)()
        print(name, perft(game, None, 4), solve(game).value[0], minimax.run(game, game.initial(), 0))
    if "Halves" not in sys.argv:
        print("compiled", *compiled)
"""


@pytest.mark.parametrize(
    "names",
    [
        ("Flag",),
        pytest.param(("Flag", "Moved", "Truth", "Branches", "Nested", "Halves"), marks=pytest.mark.long),
    ],
)
def test_games_of_every_type_start_twice(names, tmp_path):
    """A state whose type differs from that of the next one once put half of a recursive kernel into the cache."""
    write(tmp_path, "zoo.py", ZOO)
    script = write(tmp_path, "script.py", PLAYED)
    first, second = (answers(script, tmp_path / "cache", *names, PYTHONPATH=str(tmp_path)) for _ in range(2))
    assert set(first.pop("compiled").split()) == set(names) - {"Halves"}
    assert second.pop("compiled") == ""
    assert first == second == dict.fromkeys(names, "66 1.0 1.0")
