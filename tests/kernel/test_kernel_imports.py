"""The compiler is loaded when something is compiled, and not before; without it everything works all the same."""

import importlib.util
import pkgutil
import re

import pytest
from processes import answers, write

import zermelo

pytestmark = pytest.mark.plain

HEAVY = ("numba", "llvmlite", "numpy", "scipy")
COMPILER = ("bridge", "cache", "guarding", "instructions", "linking", "refusals", "unbound")
WITH_NUMBA = {f"zermelo.kernel.{name}" for name in COMPILER}


WITH_NUMPY = re.compile(
    r"zermelo\.(equilibrium\.\w+|(arena|cli)\.exploit|cli\.nash|(bench|cli)\.equilibrium|draw\.strategies|inside\.regret\w*"
    r"|web\.(equilibrium_process|mixtures|solution_view))"
)
"""Modules about equilibria, which others load only when they are needed."""


def modules():
    return [found.name for found in pkgutil.walk_packages(zermelo.__path__, "zermelo.") if "__main__" not in found.name]


def test_importing_anything_does_not_load_the_compiler(tmp_path):
    """Each module on its own, one after the other in one process: the first that loads too much is named."""
    names = sorted(set(modules()) - WITH_NUMBA)
    script = write(
        tmp_path,
        "script.py",
        f"""
    import importlib, sys
    import zermelo

    for name in {[name for name in names if not WITH_NUMPY.fullmatch(name)]}:
        importlib.import_module(name)
        print(name, *(module for module in {HEAVY} if module in sys.modules))
    import zermelo.games
    zermelo.games.names()
    zermelo.games.find("connect-four").initial()
    print("games", *(module for module in {HEAVY} if module in sys.modules))
    for name in {[name for name in names if WITH_NUMPY.fullmatch(name)]}:
        importlib.import_module(name)
        print(name, *(module for module in {HEAVY} if module in sys.modules and module != "numpy"))
    """,
    )
    loaded = answers(script, tmp_path / "cache")
    assert len(loaded) > 30
    assert {name: heavy for name, heavy in loaded.items() if heavy} == {}


def test_only_the_compilers_modules_import_numba():
    for name in modules():
        spec = importlib.util.find_spec(name)
        with open(spec.origin, encoding="utf-8") as source:
            imports = [line.split()[1].partition(".")[0] for line in source if line.startswith(("import ", "from "))]
        assert ("numba" in imports) == (name in WITH_NUMBA), name


EVERYTHING = """
    import sys
    from zermelo.core.guards import suitable_algorithms
    from zermelo.core.limit import Limit
    from zermelo.games import find
    from zermelo.kernel import is_enabled
    from zermelo.search import analyse, perft
    from zermelo.solve import solve
    from zermelo.testing import check

    print("enabled", is_enabled())
    hexapawn, pig = find("hexapawn"), find("pig:target=4")
    print("solved", solve(hexapawn).value)
    print("perft", perft(hexapawn, None, 5))
    for game in (hexapawn, pig):
        for algorithm in suitable_algorithms(game):
            if algorithm not in ("solve", "random", "determinised"):
                found = analyse(game, game.initial(), algorithm, Limit(depth=3, nodes=500))
                print(f"{game.name}-{algorithm}", found.best)
    print("checked", check(hexapawn, games=3).conformant)
    print("loaded", "numba" in sys.modules and sys.modules["numba"] is not None)
    """


@pytest.mark.parametrize("missing", ["switched off", "not installed"])
def test_without_the_compiler_everything_works(missing, tmp_path):
    hide = "import sys\n    sys.modules['numba'] = None\n" if missing == "not installed" else ""
    script = write(tmp_path, "script.py", f"\n    {hide}{EVERYTHING}")
    variables = {"NUMBA_DISABLE_JIT": "1"} if missing == "switched off" else {}
    found = answers(script, tmp_path / "cache", **variables)
    assert found["enabled"] == "False"
    assert found["solved"] == "(-1.0, 1.0)"
    assert found["perft"] == "70"
    assert found["checked"] == "True"
    assert found["loaded"] == "False"
    assert {name for name in found if "-" in name} >= {"hexapawn-alphabeta", "pig-expectiminimax", "pig-maxn"}
    assert not (tmp_path / "cache").exists()


@pytest.mark.compiled
def test_a_compiler_that_cannot_be_loaded_is_one_sentence(tmp_path):
    """As when numba and numpy do not fit together."""
    (tmp_path / "numba").mkdir()
    write(tmp_path / "numba", "__init__.py", "raise ImportError('Numba needs NumPy 2.3 or less')\n")
    script = write(
        tmp_path,
        "script.py",
        """
    import warnings
    from zermelo.games import find
    from zermelo.textbook.minimax import minimax

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for name in ("hexapawn", "hexapawn:cols=2"):
            game = find(name)
            print(name, minimax.run(game, game.initial(), 0))
    print("said", *(str(warning.message) for warning in told))
    """,
    )
    assert answers(script, tmp_path / "cache", NUMBA_DISABLE_JIT="0") == {
        "hexapawn": "-1.0",
        "hexapawn:cols=2": "-1.0",
        "said": "the compiler cannot be loaded (Numba needs NumPy 2.3 or less); everything runs interpreted",
    }
