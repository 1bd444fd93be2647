"""What an answer claims about a position, and whether brute force contradicts it."""

import math
from dataclasses import dataclass

from exactness.brute import Truth, truth_of
from zermelo.core.analysis import Analysis, MoveAnalysis
from zermelo.core.game import CHANCE
from zermelo.core.referee import Referee

TOLERANCE = 1e-9
KINDS = ("exact", "lower", "upper", "estimate")


class Contradiction(Exception):
    """A claim that brute force does not confirm, as a sentence that begins with what kind of claim it is."""


@dataclass
class Seen:
    """How many claims were checked: a harness that checks nothing finds nothing."""

    exact: int = 0
    bounds: int = 0
    estimates: int = 0
    interpreted: int = 0
    """Answers that say they ran interpreted."""

    def note(self, kind: str) -> None:
        if kind == "exact":
            self.exact += 1
        elif kind == "estimate":
            self.estimates += 1
        else:
            self.bounds += 1


class Judge:
    """Checks answers about positions of one game."""

    def __init__(self, game, seen: Seen | None = None) -> None:
        low, high = game.utility_range
        self.truths = [truth_of(game)]
        self.seen = seen or Seen()
        self.game = game
        self.largest = max([1.0, *(abs(end) for end in (low, high) if math.isfinite(end))])

    def prepare(self, referee: Referee) -> None:
        """Work out the value; where the rules fail somewhere, as if they paid the least there, and the most."""
        self.truths[0].worth(referee)
        if self.truths[0].is_poisoned:
            self.truths = [truth_of(self.game, poison) for poison in self.game.utility_range]

    @property
    def is_poisoned(self) -> bool:
        return len(self.truths) > 1

    def check(self, referee: Referee, analysis: Analysis, tolerance: float = TOLERANCE) -> None:
        """Raise Contradiction if something is claimed that is not so."""
        self.seen.interpreted += analysis.stats.get("compiled") is False
        for truth in self.truths:
            self._check(referee.copy(), analysis, truth, tolerance * self.largest + analysis.error)

    def check_estimates(self, referee: Referee, analysis: Analysis) -> None:
        """Where nothing but sound techniques are used, an estimate is what some finished depth found."""
        referee, truth, mover = referee.copy(), self.truths[0], referee.to_move
        sign = 1 if mover == 0 else -1
        names = {self.game.format_action(referee.state, action): action for action in referee.legal()}
        for move in analysis.moves:
            if move.kind != "estimate" or not math.isfinite(move.value[mover]):
                continue
            self.seen.note("estimate")
            referee.play(names[move.move])
            depths = range(analysis.stats["depth"] + 2)
            found = [sign * truth.at_depth(referee, depth) for depth in depths]
            referee.undo()
            if all(abs(move.value[mover] - value) > 1e-7 * self.largest for value in found):
                said = ", ".join(f"{value:g}" for value in found)
                raise Contradiction(
                    f"estimate: {move.move} is said to be worth {move.value[mover]!r}; by depths it is {said}"
                )

    def check_claim(self, referee: Referee, what: str, kind: str, values: tuple[float, ...], player: int) -> None:
        """A value of a kind, for a player; its numbers may be unknown."""
        for truth in self.truths:
            self._check_claim(what, kind, values, truth.values(referee), player, TOLERANCE * self.largest)

    def check_value(self, referee: Referee, value: float, player: int, what: str) -> None:
        """A number that says what the position is worth to a player."""
        self.seen.note("exact")
        for truth in self.truths:
            true = truth.values(referee)[player]
            if not abs(true - value) <= TOLERANCE * max(self.largest, abs(true)):
                raise Contradiction(f"value: {what} says {value!r} for player {player}; it is {true!r}")

    def _check(self, referee: Referee, analysis: Analysis, truth: Truth, slack: float) -> None:
        if referee.is_over:
            self._check_claim("position", analysis.kind, analysis.value, truth.values(referee), 0, slack)
            return
        mover, values = referee.to_move, truth.values(referee)
        self._check_claim("position", analysis.kind, analysis.value, values, max(mover, 0), slack)
        if mover == CHANCE:
            return
        worths = truth.moves(referee)
        names = [move.move for move in analysis.moves]
        if len(set(names)) < len(names):
            raise Contradiction(f"moves: one comes twice among {names}")
        for name in [*names, *([] if analysis.best is None else [analysis.best])]:
            if name not in worths:
                raise Contradiction(f"moves: {name} is not legal; {sorted(worths)} are")
        for move in analysis.moves:
            self._check_claim(f"move {move.move}", move.kind, move.value, worths[move.move].payoffs, mover, slack)
            if move.line and move.line[0] != move.move:
                raise Contradiction(f"line: that of {move.move} begins with {move.line[0]}")
            self._check_line(referee, move.line, move.kind, worths[move.move].payoffs, mover, truth, slack)
            if move.distance is not None and move.kind == "exact":
                self._check_distance(f"move {move.move}", move, worths[move.move].distance, 1)
        if analysis.kind == "exact":
            if analysis.best is None:
                raise Contradiction("best: the value is exact and there is no best move")
            if worths[analysis.best].payoffs[mover] < values[mover] - slack:
                worth = worths[analysis.best].payoffs[mover]
                raise Contradiction(f"best: {analysis.best} gets {worth!r}; {values[mover]!r} can be had")
            if analysis.distance is not None:
                self._check_distance("position", analysis, truth.worth(referee).distance, 0)
        if analysis.line and analysis.line[0] != analysis.best:
            raise Contradiction(f"line: it begins with {analysis.line[0]}, and the best move is {analysis.best}")
        self._check_line(referee, analysis.line, analysis.kind, values, mover, truth, slack)

    def _check_claim(self, what: str, kind: str, claimed, true, mover: int, slack: float) -> None:
        if kind not in KINDS:
            raise Contradiction(f"kind: {what} is {kind!r}")
        self.seen.note(kind)
        if kind == "estimate":
            return
        said = f"{what}: {kind} {tuple(claimed)}; it is {tuple(true)}"
        if kind == "exact":
            if len(claimed) != len(true) or math.isnan(claimed[mover]):
                raise Contradiction(said)
            for one, other in zip(claimed, true, strict=True):
                if not math.isnan(one) and abs(one - other) > slack:
                    raise Contradiction(said)
            return
        sign = 1 if kind == "upper" else -1
        if not sign * claimed[mover] >= sign * true[mover] - slack:
            raise Contradiction(said)

    def _check_line(self, referee: Referee, line, kind: str, values, mover: int, truth: Truth, slack: float) -> None:
        """All its moves are legal, and if the value is exact it stays what it is along the line."""
        referee, topic = referee.copy(), "line" if kind == "exact" else "line-of-an-estimate"
        for ply, name in enumerate(line):
            legal = {self.game.format_action(referee.state, action): action for action in referee.legal()}
            if name not in legal:
                raise Contradiction(f"{topic}: {' '.join(line)} is not legal at ply {ply}; {sorted(legal)} are")
            is_roll = referee.to_move == CHANCE
            referee.play(legal[name])
            if kind != "exact" or is_roll:
                kind = "estimate"
                continue
            after = truth.values(referee)
            if abs(after[mover] - values[mover]) > slack:
                raise Contradiction(
                    f"line: {' '.join(line)} is worth {values[mover]!r} at first, {after[mover]!r} after ply {ply + 1}"
                )

    @staticmethod
    def _check_distance(what: str, claim: Analysis | MoveAnalysis, true: int | None, more: int) -> None:
        if true is None:
            return
        true += more
        if claim.distance < true or (claim.distance_kind == "exact" and claim.distance != true):
            raise Contradiction(f"distance: {what} ends after {claim.distance} ({claim.distance_kind}); it is {true}")
