"""Every script in examples/ runs and says what a lecturer would point at."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from zermelo.games import find
from zermelo.solve import solve
from zermelo.testing import check

EXAMPLES = Path(__file__).parents[2] / "examples"

SAID = {
    "alpha_beta.py": ["│  ├╌ b ✂ 2 ≤ α = 3", "best move first      53 of 729", "Knuth & Moore        53"],
    "chance_pruning.py": ["   └╌ f (1/6) ✂ 3.333 ≤ α = 4", "    8           7,907           4,961           4,442"],
    "mygame.py": ["you win in 11 moves", "Lost for whoever is to move: 4, 8, 12, 16, 20 matches", "┝━ 1 ▼ 1"],
    "own_bot.py": ["  expectiminimax:depth=1  2 won, 0 drawn, 0 lost  score 100.0 %  mean payoff 3", "  runner  "],
    "pacman.py": ["minimax               -6.00          -0.81", "expectimax           -14.00           3.31", "● −6"],
}


def run(script, *arguments):
    """What the script prints; interpreted, because that starts faster."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-W", "error", str(EXAMPLES / script), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("script", sorted(SAID))
def test_the_example_says_what_it_should(script):
    said = run(script)
    for line in SAID[script]:
        assert line in said


def test_every_example_is_run():
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(SAID)


def test_alpha_beta_writes_its_picture(tmp_path):
    run("alpha_beta.py", tmp_path / "tree.svg")
    assert "2 ≤ α = 3" in (tmp_path / "tree.svg").read_text(encoding="utf-8")


def test_the_games_of_the_examples_are_games_for_the_command():
    game = find(str(EXAMPLES / "mygame.py"))
    assert solve(game).best == "1"
    assert check(find(str(EXAMPLES / "pacman.py")), games=5).conformant
