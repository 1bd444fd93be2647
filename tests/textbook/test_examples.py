"""Every script in examples/ runs and says what a lecturer would point at."""

import os
import runpy
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from zermelo.games import find
from zermelo.solve import solve
from zermelo.testing import check

pytestmark = pytest.mark.plain

EXAMPLES = Path(__file__).parents[2] / "examples"

SAID = {
    "alpha_beta.py": ["│  ├╌ b ✂ 2 ≤ α = 3", "best move first      53 of 729", "Knuth & Moore        53"],
    "chance_pruning.py": ["   └╌ f (1/6) ✂ 3.333 ≤ α = 4", "    8           7,907           4,961           4,442"],
    "kuhn.py": [
        "            0                   -1/18         -1/18 and 1/18",
        "          1/3                   -1/18 ",
    ],
    "mygame.py": ["you win in 11 moves", "Lost for whoever is to move: 4, 8, 12, 16, 20 matches", "┝━ 1 ▼ 1"],
    "own_bot.py": ["  expectiminimax:depth=1  2 won, 0 drawn, 0 lost  score 100.0 %  mean payoff 2.50", "  runner  "],
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


@pytest.mark.both
def test_kuhn_poker_keeps_the_contract_with_all_its_views_and_their_pictures():
    details = {found.name: found.detail for found in check(find(str(EXAMPLES / "kuhn.py"))).checks if found.passed}
    assert [details[name] for name in ("views", "worlds", "view picture")] == [*["22 positions"] * 2, "44 positions"]


def test_kuhn_s_equilibrium_loses_a_chip_in_eighteen_games_and_any_other_bluff_loses_more():
    """-1/18 [Kuhn 1950]; who always bluffs with J can be exploited."""
    kuhn = runpy.run_path(str(EXAMPLES / "kuhn.py"))
    game, fair = kuhn["Kuhn"](), kuhn["equilibrium"](Fraction(1, 6))
    assert kuhn["value"](game, game.initial(), fair) == Fraction(-1, 18)
    assert kuhn["best_answers"](game, fair) == [Fraction(-1, 18), Fraction(1, 18)]
    assert kuhn["best_answers"](game, fair | {(0, 0): 1})[1] > Fraction(1, 18)
