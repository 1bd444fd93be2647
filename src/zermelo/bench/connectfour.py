"""Connect Four: exact scores of random positions, beside a C++ twin of Pascal Pons' solver on the same positions.

    class            stones      plies to the end      nodes of Pons' solver, on positions of his own
    end-easy         29 to 41     1 to 14                       51
    middle-easy      15 to 28     1 to 14                      450
    middle-medium    15 to 28    15 to 28                   39,900
    begin-easy        8 to 14     1 to 14                    3,300
    begin-medium      8 to 14    15 to 28                1,200,000
    begin-hard        1 to 14    29 to 41               65,900,000

A position is reached by N random moves and has no move that wins at once. Every proof, ours and the twin's, starts with
an empty table of 64 MB that is touched before the clock starts. The speed of the easy classes is not reported: their
proofs take microseconds, and starting them from Python takes longer.

[Pascal Pons: "Solving Connect 4: how to build a perfect AI", 2015-2019]
"""

from __future__ import annotations

import random
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zermelo.bench.cpp import build
from zermelo.bench.measurement import Measurement
from zermelo.bench.speed import time_call
from zermelo.core.errors import RulesError
from zermelo.games.connectfour import ConnectFour, Position
from zermelo.kernel import popcount
from zermelo.solve.proof import Proof

SOURCE = "connectfour_twin.cpp"
GAME = ConnectFour(scored=True)
MEGABYTES = 64


@dataclass(frozen=True)
class Class:
    """Positions by their stones and by the plies to the end if both play perfectly."""

    name: str
    stones: range
    plies: range
    published: int
    """Nodes, the mean of a thousand positions."""
    positions: int
    """The number of positions measured here."""


CLASSES = (
    Class("end-easy", range(29, 42), range(1, 15), 51, 200),
    Class("middle-easy", range(15, 29), range(1, 15), 450, 200),
    Class("middle-medium", range(15, 29), range(15, 29), 39_900, 100),
    Class("begin-easy", range(8, 15), range(1, 15), 3_300, 50),
    Class("begin-medium", range(8, 15), range(15, 29), 1_200_000, 10),
)


@dataclass
class Totals:
    """The totals of one side over the positions of a class."""

    nodes: int = 0
    seconds: float = 0.0

    @property
    def speed(self) -> float:
        """In million positions a second."""
        return self.nodes / self.seconds / 1e6


def measurements() -> Iterator[Measurement]:
    yield from compare(CLASSES)


def compare(classes: tuple[Class, ...]) -> Iterator[Measurement]:
    """Measure both sides on positions of these classes; RulesError if their scores differ."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "solver"
        build(SOURCE, program)
        proof = Proof(GAME, MEGABYTES)
        proof.prepare(GAME.initial())
        for kind in classes:
            texts = draw_positions(kind, proof)
            ours, theirs = Totals(), Totals()
            for text, answer in zip(texts, _twins_answers(program, texts), strict=True):
                score, nodes, seconds = prove(proof, GAME.position_after(text))
                if score != answer[0]:
                    raise RulesError(f"connect-four {text}: {score:+} here and {answer[0]:+} in the twin; they differ")
                ours.nodes, ours.seconds = ours.nodes + nodes, ours.seconds + seconds
                theirs.nodes, theirs.seconds = theirs.nodes + answer[1], theirs.seconds + answer[2]
            yield from _report(kind, ours, theirs)


def _report(kind: Class, ours: Totals, theirs: Totals) -> Iterator[Measurement]:
    yield Measurement(
        f"connect-four {kind.name}, {kind.positions} positions (published: {kind.published:,} nodes)",
        round(ours.nodes / kind.positions),
        round(theirs.nodes / kind.positions),
        "C++ twin",
        theirs.nodes / ours.nodes,
        "nodes",
    )
    if not kind.name.endswith("easy"):
        yield Measurement(
            f"connect-four {kind.name}, speed",
            round(ours.speed, 2),
            round(theirs.speed, 2),
            "C++ twin",
            ours.speed / theirs.speed,
            "million positions/s",
        )


def _twins_answers(program: Path, texts: list[str]) -> list[tuple[int, int, float]]:
    """Score, nodes and seconds of each position."""
    questions = "".join(f"{text}\n" for text in texts)
    answers = subprocess.run([program], input=questions, check=True, capture_output=True, text=True).stdout.splitlines()
    return [(int(score), int(nodes), float(seconds)) for score, nodes, seconds in map(str.split, answers)]


def prove(proof: Proof, state: Position) -> tuple[int, int, float]:
    """The score for the side to move, the nodes of its proof, and its seconds; the table is empty at first."""
    proof.table.memory.clear()
    before = proof.workspace.nodes
    value, seconds = time_call(lambda: proof.value(state))
    return round(value) * (1 - 2 * GAME.to_move(state)), proof.workspace.nodes - before, seconds


# -- positions of a class ------------------------------------------------------------------------------------


def draw_positions(kind: Class, proof: Proof) -> list[str]:
    """Random positions of a class, as the columns that were played; always the same."""
    rng = random.Random(kind.name)
    found: list[str] = []
    while len(found) < kind.positions:
        text = play_at_random(rng, rng.choice(kind.stones))
        if text and belongs(kind, proof, GAME.position_after(text)):
            found.append(text)
    return found


def play_at_random(rng: random.Random, stones: int) -> str:
    """Play this many random moves; return "" if the game is over by then, or one more stone wins it."""
    state, text = GAME.initial(), ""
    for _ in range(stones):
        if GAME.is_terminal(state):
            return ""
        action = rng.choice(list(GAME.actions(state)))
        text += GAME.format_action(state, action)
        state = GAME.result(state, action)
    return "" if GAME.is_terminal(state) or GAME.wins_at_once(state) else text


def belongs(kind: Class, proof: Proof, state: Position) -> bool:
    """Whether the game ends after as many plies as the class says; null-window searches answer it."""
    proof.table.memory.clear()
    return not ends_within(proof, state, kind.plies.start - 1) and ends_within(proof, state, kind.plies.stop - 1)


def ends_within(proof: Proof, state: Position, plies: int) -> bool:
    """Whether one side can force a win with one of the next stones, or the board is full by then."""
    ply, mover = popcount(state.filled), GAME.to_move(state)
    if GAME.cells - ply <= plies:
        return True
    sides = (mover, plies - 1 + plies % 2), (1 - mover, plies - plies % 2)
    return any(last > 0 and _wins_by(proof, state, player, ply + last) for player, last in sides)


def _wins_by(proof: Proof, state: Position, player: int, ply: int) -> bool:
    """Whether a player can force a win with stone number `ply` or sooner."""
    worth = float(GAME.win_value(ply))
    if player == 0:
        return proof.within(state, worth - proof.null_window, worth) >= worth
    return proof.within(state, -worth, -worth + proof.null_window) <= -worth
