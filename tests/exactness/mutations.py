"""Old bugs put back, one by one: a harness that does not find them proves nothing.

    PYTHONPATH=src:tests python -m exactness.mutations [NAME ...]

A mutation replaces a text of the package that occurs exactly once by the mistaken one. The package is copied to a
temporary folder, the mutation is applied there, and the harness runs against the copy in a process of its own,
interpreted unless only machine code has the bug. It must find a contradiction.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "zermelo"
SECONDS = 300


@dataclass(frozen=True)
class Mutation:
    """A bug of the package and how the harness is to look for it."""

    name: str
    file: str
    """Below `src/zermelo`."""
    right: str
    """What stands there, exactly once."""
    wrong: str
    kinds: tuple[str, ...]
    """Kinds of games that show it; fewer are quicker."""
    ways: tuple[str, ...] = ()
    """All of them if none is named."""
    more: tuple[tuple[str, str, str], ...] = field(default=())
    """Further replacements: file, right, wrong."""
    games: int = 3000
    """Of each kind, at most."""
    is_compiled: bool = False
    """Whether only machine code has the bug."""

    def replacements(self) -> list[tuple[str, str, str]]:
        return [(self.file, self.right, self.wrong), *self.more]


class NotApplicable(Exception):
    """The text to be replaced is not there, or more than once: the mutation has to be written anew."""


def apply(mutation: Mutation, package: Path) -> None:
    """Put the bug into a copy of the package."""
    for file, right, wrong in mutation.replacements():
        path = package / file
        text = path.read_text(encoding="utf-8")
        if (count := text.count(right)) != 1:
            raise NotApplicable(f"{mutation.name}: {right!r} occurs {count} times in {file}, not once")
        path.write_text(text.replace(right, wrong), encoding="utf-8")


@dataclass(frozen=True)
class Outcome:
    """Whether the bug was found, how long that took, and what was printed."""

    is_found: bool
    seconds: float
    text: str


def hunt(mutation: Mutation | None, seconds: float = SECONDS) -> Outcome:
    """Run the harness against a copy of the package with this bug, or as it is; until the first contradiction."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "src" / "zermelo"
        shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__"))
        if mutation is not None:
            apply(mutation, package)
        command = [sys.executable, "-m", "exactness", "--stop"]
        for kind in mutation.kinds if mutation else ():
            command += ["--kind", kind]
        for way in mutation.ways if mutation else ():
            command += ["--way", way]
        command += ["--games", str(mutation.games if mutation else 20)]
        path = os.pathsep.join([str(package.parent), str(TESTS)])
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        is_compiled = mutation is not None and mutation.is_compiled
        environment |= {
            "NUMBA_DISABLE_JIT": "0" if is_compiled else "1",
            "ZERMELO_CACHE_DIR": str(Path(folder) / "cache"),
        }
        start = time.monotonic()
        try:
            done = subprocess.run(
                command, env=environment, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired as error:
            return Outcome(False, seconds, f"nothing within {seconds} s\n{_text(error.stdout)}")
        is_found = done.returncode == 1 and "run it again with" in done.stdout
        return Outcome(is_found, time.monotonic() - start, done.stdout + done.stderr)


def _text(output: bytes | str | None) -> str:
    return output.decode() if isinstance(output, bytes) else output or ""


MUTATIONS: tuple[Mutation, ...] = (
    Mutation(
        "-0.5 and 0.5 taken for one payoff",
        "solve/forcing.py",
        "= mix(U64(self.questions)) >> 1",
        "= mix(U64(hash(wanted) & 0xFFFFFFFF)) >> 1",
        kinds=("superko", "draw_at_two"),
        ways=("the-function-solve",),
    ),
    Mutation(
        "proofs that forget the way",
        "solve/forcing.py",
        "if ply > 0 and (not work.is_ranked or least >= height):",
        "if ply > 0:",
        kinds=("mazes",),
        ways=("the-function-solve",),
    ),
    Mutation(
        "a history that the command drops",
        "cli/answers.py",
        "prove(referee.game, referee, limit",
        "prove(referee.game, referee.state, limit",
        kinds=("superko",),
        ways=("the-command",),
    ),
    Mutation(
        "a history that the agent drops",
        "arena/agents.py",
        "prove(referee.game, open_table(referee), self.limit",
        "prove(referee.game, open_table(referee).state, self.limit",
        kinds=("superko",),
        ways=("an-agent-through-a-game",),
    ),
    Mutation(
        "max^n and earlier moves that may tie",
        "search/expectiminimax/maxn.py",
        "first_unproved > best_move if has_most",
        "is_best_proved if has_most",
        kinds=("many",),
        ways=("layers-through-a-game",),
    ),
    Mutation(
        "outcomes that were only estimated",
        "search/expectiminimax/expectiminimax.py",
        "is_proved = outcome.is_proved",
        "is_proved = True",
        kinds=("dice", "bushes"),
        ways=("layers-through-a-game",),
    ),
    Mutation(
        "payoffs seen taken for all there are",
        "search/mcts/payoff_scale.py",
        "return cls(UNITY if is_bounded else MEASURED_UNITY, magnitude, low, high, floor, ceiling)",
        "return cls(UNITY if is_bounded else MEASURED_UNITY, magnitude, low, high, low, high)",
        kinds=("ladder", "unbounded"),
        ways=("mcts-through-a-game",),
    ),
    Mutation(
        "numbers beyond 64 bits",
        "kernel/guarding.py",
        "return not is_ours(module) and not is_standard(module)",
        "return False",
        kinds=("factors",),
        ways=("the-function-solve",),
        is_compiled=True,
    ),
    Mutation(
        "small chances taken for none",
        "equilibrium/flatten.py",
        "    rounding = CLOSE * abs(value)\n",
        "    rounding = 1e-12\n",
        kinds=("hidden",),
        ways=("an-equilibrium",),
    ),
    Mutation(
        "an information set that forgets what was done",
        "equilibrium/flatten.py",
        "key = information_key(game, state, mover, harvest.chains[last[mover]])",
        "key = information_key(game, state, mover, first_chain(mover))",
        kinds=("hidden",),
        ways=("an-equilibrium",),
    ),
    Mutation(
        "a value that nothing certifies",
        "equilibrium/programme.py",
        "    if least != most:\n",
        "    if least > most:\n",
        kinds=("hidden",),
        ways=("an-equilibrium",),
        more=(
            (
                "equilibrium/programme.py",
                "        exact = refine(programme, basis, is_stopped)\n",
                "        exact = tuple(([round(1000 * share) for share in plan], 1000) for plan in floating)\n",
            ),
        ),
    ),
    Mutation(
        "equilibria that are not complete",
        "equilibrium/bimatrix.py",
        "if labels | found == complete for y",
        "if (labels | found).bit_count() >= rows + cols - 1 for y",
        kinds=("tables",),
    ),
    Mutation(
        "objects taken for their hashes",
        "kernel/states.py",
        "return U64(number) if index == 0 else mix(U64(number) ^ mix(U64(index)))",
        "return U64(number)",
        kinds=("objects",),
    ),
    Mutation(
        "objects of different classes taken for one",
        "kernel/states.py",
        'return hash_numbers((_class_word(f"{type(value).__module__}.{type(value).__qualname__}"), *fields))',
        "return hash_numbers(tuple(fields))",
        kinds=("objects",),
    ),
    Mutation(
        "a tuple of one number taken for that number",
        "kernel/states.py",
        "return GOLDEN if is_tuple else mix(GOLDEN)",
        "return GOLDEN",
        kinds=("objects",),
    ),
    Mutation(
        "division by zero",
        "kernel/guarding.py",
        "return not is_ours(module) and not is_standard(module)",
        "return False",
        kinds=("division",),
        ways=("the-function-solve",),
        is_compiled=True,
    ),
    Mutation(
        "the end belongs to chance",
        "core/checked.py",
        "return 0 if is_over else mover",
        "return mover",
        kinds=("trees", "transpositions"),
    ),
    Mutation(
        "payoffs that are not numbers",
        "core/checked.py",
        "and not (low - SLACK <= payoff <= high + SLACK and not math.isinf(payoff)):",
        "and payoff > 1e300:",
        kinds=("not_numbers",),
    ),
    Mutation(
        "bounds shown as estimates",
        "search/alphabeta/engine.py",
        "        found = move.finished\n",
        "        found = Finished(move.value, self.depth, move.is_proved, move.nodes, move.finished.line)\n",
        kinds=("bushes", "trees"),
        ways=("a-search-that-is-stopped",),
    ),
    Mutation(
        "distances of a selective search called exact",
        "search/alphabeta/engine.py",
        'distance_kind="exact" if distance == 1 else "upper"',
        'distance_kind="exact"',
        kinds=("bushes",),
        ways=("the-command",),
        games=10_000,
    ),
    Mutation(
        "payoffs that almost always sum to the same number",
        "equilibrium/flatten.py",
        "        if len(totals) == 1:\n",
        "        if totals:\n",
        kinds=("hidden_constant",),
        more=(("equilibrium/flatten.py", "np.ptp(sums) <= ROUNDING", "np.ptp(sums) <= 4"),),
    ),
)
"""The bugs that gave the harness its reason, as they would be in today's sources."""


def main() -> int:
    wanted = sys.argv[1:]
    missed = 0
    for mutation in MUTATIONS:
        if wanted and mutation.name not in wanted:
            continue
        outcome = hunt(mutation)
        missed += not outcome.is_found
        print(f"{'found' if outcome.is_found else 'MISSED'} after {outcome.seconds:.1f} s: {mutation.name}", flush=True)
        if not outcome.is_found or wanted:
            print(outcome.text)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
