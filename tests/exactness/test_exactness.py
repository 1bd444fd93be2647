"""Whatever is called exact, lower or upper is so: random games of every kind, asked about in every way.

A minute of fixed seeds here; in `make check-long` EXACTNESS_GAMES games (10,000) with new seeds from EXACTNESS_SEED on.
To look at one kind by hand: `PYTHONPATH=src:tests python -m exactness --kind superko --games 500`.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exactness.brute import Truth
from exactness.description import CHANCE, Description, Move, Node
from exactness.kinds import KINDS, NONSENSE
from exactness.running import Tally, contradiction, placed, play
from exactness.ways import WAYS
from zermelo.core.errors import IllegalMove

pytestmark = pytest.mark.plain

GAMES = int(os.environ.get("EXACTNESS_GAMES", "10000"))
SEED = int(os.environ.get("EXACTNESS_SEED", str(int(time.time()))))
QUICK = 16
"""Games of each kind in `make test`."""
KNOWS = ("evaluate", "order")
SHOWN = 2
COMPILED = (
    ("transpositions", ("the-function-solve", "the-engine-through-a-game", "mcts-through-a-game")),
    ("circles", ("the-function-solve", "the-engine-through-a-game", "layers-through-a-game")),
    ("dice", ("the-function-solve", "layers-through-a-game")),
    ("not_numbers", ("the-function-solve", "the-engine-through-a-game", "layers-through-a-game")),
    ("factors", ("the-function-solve",)),
    ("division", ("the-function-solve",)),
    ("superko", ("the-function-solve", "solve-through-a-game")),
    ("many", ("the-function-solve", "layers-through-a-game")),
)
"""Kinds for the compiler, with the ways that need few kernels; `make check-long` asks every way."""

few = pytest.mark.filterwarnings("ignore:.*runs interpreted")


def explored(kind, seeds, **more):
    """Play the games of a kind; fail with the smallest games that are contradicted."""
    tally, shown = Tally(), {}
    for seed in seeds:
        for finding in play(kind, seed, tally, **more):
            shown.setdefault(finding.topic, finding)
            if len(shown) >= SHOWN:
                break
        if len(shown) >= SHOWN:
            break
    assert not shown, "\n\n".join(str(finding.shrunk()) for finding in shown.values())
    return tally


@pytest.mark.no_cover
@pytest.mark.parametrize("kind", KINDS)
def test_brute_force_contradicts_no_claim(kind):
    tally = explored(kind, range(QUICK))
    if kind not in NONSENSE:
        assert sum(seen.exact for seen in tally.seen.values()) > QUICK, "hardly anything was claimed"


@pytest.mark.compiled
@few
@pytest.mark.parametrize(("kind", "names"), COMPILED, ids=[kind for kind, _ in COMPILED])
def test_brute_force_contradicts_no_claim_of_machine_code(kind, names):
    players = {"players": 3} if kind == "many" else {}
    tally = explored(kind, range(60), count=4, names=names, fixed=KNOWS, **players)
    if kind not in NONSENSE:
        assert sum(seen.interpreted for seen in tally.seen.values()) == 0, "some answers ran interpreted"


@pytest.mark.compiled
@pytest.mark.long
def test_a_second_start_answers_as_the_first(tmp_path):
    """States change their types after the first move: half of a circle of kernels must not come from the cache."""
    package = Path(__file__).parents[1]
    environment = {
        **os.environ,
        "ZERMELO_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": os.pathsep.join([*sys.path, str(package)]),
    }
    command = [sys.executable, "-m", "exactness", "--kind", "typed", "--games", "10", "--asks", "2", "--knows", ""]
    for start in ("first", "second"):
        done = subprocess.run(
            [*command, "--way", "the-function-solve", "--way", "the-textbook", "--no-shrink"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, f"the {start} start:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


def test_circles_behind_an_impossible_outcome_are_seen():
    """Brute force once looked for circles from the start only, and never came back from this one."""
    start = Node(CHANCE, (Move(1), Move(2, weight=0)))
    circle = Node(CHANCE, (Move(2), Move(1)))
    described = Description((start, Node(payoffs=(1.0, -1.0)), circle), history=(1,))
    game, referee = placed(described)
    assert Truth(game).values(referee) == (1.0, -1.0)


def test_a_history_that_is_not_legal_any_more_is_no_smaller_game():
    """Shrinking once ended with a StopIteration instead of the contradiction that it was to make smaller."""
    described = Description((Node(0, (Move(1),)), Node(payoffs=(1.0, -1.0))), history=(1,))
    with pytest.raises(IllegalMove, match="is not legal in a game that was made smaller"):
        placed(described)


def test_a_win_that_pays_a_rounding_less_has_no_distance():
    """The engine stopped at the nearer end, and gave its distance although another end pays more."""
    less, most = 3.3333333333333332e16, 3.3333333333333336e16
    start, between = Node(0, (Move(1), Move(2))), Node(1, (Move(3),))
    ends = (Node(payoffs=(less, -less)), Node(payoffs=(most, -most)))
    described = Description((start, between, *ends), low=-most, high=most)
    options = {"techniques": "strong", "strict": False, "limits": [{}], "lines": 1, "threads": 1, "megabytes": 0.05}
    assert contradiction(described, "the-engine-through-a-game", {**options, "seed": 721}) is None


# -- with new seeds ----------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_thousands_of_new_games(kind, monkeypatch):
    """Interpreted, so that every game can know something else."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    explored(kind, range(SEED, SEED + GAMES // len(KINDS) + 1))


@pytest.mark.compiled
@pytest.mark.long
@few
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in NONSENSE])
def test_hundreds_of_new_games_by_machine_code(kind):
    """Of the same knowledge, so that little is compiled."""
    explored(kind, range(SEED, SEED + GAMES // (10 * len(KINDS)) + 1), fixed=KNOWS)


def test_every_way_is_asked():
    """The kinds and ways are those that are documented here; one that is forgotten checks nothing."""
    assert len(KINDS) >= 34
    assert set(WAYS) == {
        "the-function-analyse",
        "the-engine-through-a-game",
        "a-search-that-is-stopped",
        "layers-through-a-game",
        "mcts-through-a-game",
        "the-function-solve",
        "solve-through-a-game",
        "an-agent-through-a-game",
        "the-command",
        "a-review",
        "a-recorded-tree",
        "the-textbook",
        "an-equilibrium",
        "a-best-response",
        "choices-at-once",
        "the-command-nash",
    }
