"""A review of a game: what each move gave away, which move was better, and the line that shows why.

Every position is analysed once, in the order of the game, so the agent keeps its table from move to move. The value of
a move is the value of the position after it. Where dice are rolled next, or where the players see different things, the
two positions cannot be compared, and it is the value that the analysis before it has for the move.

A move is a slip if it loses a good share of the expectation, which is the chance to win.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from zermelo.arena.agents import Agent
from zermelo.core.analysis import Analysis
from zermelo.core.errors import IllegalMove, Refused
from zermelo.core.game import CHANCE, Game
from zermelo.core.referee import Referee, table_for_agent
from zermelo.core.scoresheet import BLUNDER, GLYPHS, INACCURACY, MISTAKE, Line, Move, Scoresheet
from zermelo.core.winning_chances import expectation
from zermelo.draw.value_texts import value_in_words


@dataclass(frozen=True)
class Slip:
    """How bad a move is."""

    name: str
    plural: str
    mark: int
    """The mark on a scoresheet, a key of GLYPHS."""
    least: float
    """Minimum loss of expectation."""

    @property
    def glyph(self) -> str:
        return GLYPHS[self.mark]


SLIPS = (
    Slip("blunder", "blunders", BLUNDER, 0.3),
    Slip("mistake", "mistakes", MISTAKE, 0.15),
    Slip("inaccuracy", "inaccuracies", INACCURACY, 0.07),
)
"""The worst first. The command and the page both mark moves by this table."""

LONGEST_LINE = 12
"""Maximum plies of a better line."""
ALL_MOVES = 10_000
"""More moves than a position has."""


def slip_of(loss: float | None) -> Slip | None:
    """The slip for a loss of expectation; None if the loss is too small or unknown."""
    return next((slip for slip in SLIPS if loss is not None and loss >= slip.least), None)


@dataclass(frozen=True)
class ReviewedMove:
    """One move of a player."""

    ply: int
    """The ply, counted from 0, rolls of dice included."""
    player: int
    move: str
    before: Analysis
    """The analysis of the position in which it was played."""
    after: Analysis
    """The analysis of the position after it, seen by the player who made it."""
    loss: float | None
    """The expectation that was lost, from 0 to 1; None if it is unknown."""

    @property
    def slip(self) -> Slip | None:
        return slip_of(self.loss)

    @property
    def best(self) -> str | None:
        """The better move; None if this one is the best."""
        return None if self.before.best == self.move else self.before.best

    @property
    def line(self) -> tuple[str, ...]:
        """The line that begins with the better move."""
        return () if self.best is None else self.before.line[:LONGEST_LINE]

    def to_json(self, label: str) -> dict[str, Any]:
        before, after = self.before.to_json(), self.after.to_json()
        return {
            "ply": self.ply + 1,
            "label": label,
            "player": self.player,
            "move": self.move,
            "before": {"value": before["value"], "kind": before["kind"], "distance": before["distance"]},
            "after": {"value": after["value"], "kind": after["kind"], "distance": after["distance"]},
            "loss": None if self.loss is None else round(self.loss, 4),
            "slip": None if self.slip is None else self.slip.name,
            "best": self.before.best,
            "line": list(self.before.line[:LONGEST_LINE]),
        }


# -- finding ---------------------------------------------------------------------------------------------


def count_positions(sheet: Scoresheet) -> int:
    """Maximum number of analyses in a review."""
    if not sheet.game.chance:
        return len(sheet.line.moves) + 1
    return 1 + sum(turn.player != CHANCE for turn in sheet.replay().turns)


def review_moves(sheet: Scoresheet, agent: Agent) -> Iterator[ReviewedMove | None]:
    """The moves of a checked sheet, each when it is reviewed, and None after every analysis.

    KeyboardInterrupt if the user stops an analysis.
    """
    game, turns = sheet.game, sheet.replay().turns
    if _is_local(game):
        with suppress(AttributeError):  # of agents that cannot be changed, none searches for the best move only
            agent.lines = ALL_MOVES
    referee = Referee(game, sheet.start)
    waiting: tuple[int, Analysis] | None = None
    for ply, turn in enumerate([*turns, None]):
        if turn is None and waiting is None:
            return
        here = _analysis(referee, agent)
        if here is not None:
            yield None
        if waiting is not None and here is not None:
            last, before = waiting
            yield _review_move(game, last, turns[last].player, turns[last].text, before, here)
        waiting = None
        if turn is None:
            return
        if here is not None and turn.player != CHANCE:
            waiting = ply, here
        referee.play(turn.action)
        if waiting is not None and _is_own_value_used(referee) and here is not None:
            waiting = None
            yield _review_move(game, ply, turn.player, turn.text, here, _value_of(here, turn.text))


def _is_local(game: Game) -> bool:
    """Whether the values of two positions in a row may say nothing about the move between them."""
    return game.chance or game.hidden


def _is_own_value_used(referee: Referee) -> bool:
    """Whether the move to this position has the value that the analysis before it found."""
    return referee.game.hidden or (not referee.is_over and referee.to_move == CHANCE)


def _analysis(referee: Referee, agent: Agent) -> Analysis | None:
    """The agent's analysis; at the end of the game, the payoffs; None if dice are to be rolled."""
    game = referee.game
    if referee.is_over:
        payoffs = referee.utilities()
        return Analysis(game.spec(), game.format_state(referee.state), 0, "", payoffs, "exact", distance=0)
    if referee.to_move == CHANCE:
        return None
    found = agent.choose(table_for_agent(referee))
    if found.stopped == "user":
        raise KeyboardInterrupt
    if not math.isfinite(found.value[referee.to_move]):
        raise Refused(f"{agent.name} does not say what a position is worth, so it cannot review; use auto")
    return found


def _value_of(before: Analysis, text: str) -> Analysis:
    """What an analysis says about one of its moves; the value is unknown if it says nothing."""
    unknown = tuple(math.nan for _ in before.value)
    for move in before.moves:
        if move.move == text:
            distance = None if move.distance is None else move.distance - 1
            return replace(before, value=move.value, kind=move.kind, action=None, actions=(), distance=distance)
    return replace(before, value=unknown, kind="estimate", action=None, actions=(), distance=None)


def _review_move(game: Game, ply: int, player: int, text: str, before: Analysis, after: Analysis) -> ReviewedMove:
    loss: float | None = 0.0
    if before.best != text:
        expected = expectation(before, before.value, before.kind, game, player)
        got = expectation(after, after.value, after.kind, game, player)
        loss = None if expected is None or got is None else max(0.0, expected - got)
    return ReviewedMove(ply, player, text, replace(before, to_move=player), _seen_by(player, after, game), loss)


def _seen_by(player: int, after: Analysis, game: Game) -> Analysis:
    """The analysis in the view of another player: what the mover gets at least is the most that an opponent gets."""
    kind = after.kind
    if after.to_move != player and kind in ("lower", "upper"):
        is_duel = game.players == 2 and game.zero_sum
        kind = "estimate" if not is_duel else "upper" if kind == "lower" else "lower"
    return replace(after, to_move=player, kind=kind)


# -- writing ---------------------------------------------------------------------------------------------


def annotate(sheet: Scoresheet, moves: Iterable[ReviewedMove], annotator: tuple[str, str] | None = None) -> Scoresheet:
    """The sheet with a mark, a comment and the better line at each slip; everything else stays as it is.

    `annotator` is a header with its value, which is set if the sheet has none.
    """
    found = list(sheet.line.moves)
    for reviewed in moves:
        if reviewed.slip is not None and reviewed.best is not None:
            found[reviewed.ply] = _annotate_move(found[reviewed.ply], reviewed, sheet)
    headers = dict(sheet.headers)
    if annotator is not None:
        headers.setdefault(*annotator)
    return replace(sheet, line=replace(sheet.line, moves=tuple(found)), headers=headers)


def _annotate_move(move: Move, reviewed: ReviewedMove, sheet: Scoresheet) -> Move:
    """Add mark, comment and better line to a move, except for what is already there; the author's own mark stays."""
    assert reviewed.slip is not None
    marks = move.marks if any(mark in GLYPHS for mark in move.marks) else (reviewed.slip.mark, *move.marks)
    comment = describe_slip(reviewed, sheet.game)
    comments = move.comments if comment in move.comments else (*move.comments, comment)
    line = Line.of(_legal_part(sheet, reviewed))
    is_known = any(one.moves[: len(line.moves)] == line.moves for one in move.variations)
    variations = move.variations if is_known or not line.moves else (*move.variations, line)
    return replace(move, marks=marks, comments=comments, variations=variations)


def describe_slip(reviewed: ReviewedMove, game: Game) -> str:
    """`Blunder: from +0.34 to -5.02 pawns for White; better is Nf3.`"""
    assert reviewed.slip is not None
    before, after = value_in_words(reviewed.before, game), value_in_words(reviewed.after, game)
    unit = f" {game.unit_name}" if game.unit_name else " %"
    if before.endswith(unit) and after.endswith(unit):
        before = before.removesuffix(unit)
    seat = game.seat(reviewed.player)
    return f"{reviewed.slip.name.capitalize()}: from {before} to {after} for {seat}; better is {reviewed.best}."


def _legal_part(sheet: Scoresheet, reviewed: ReviewedMove) -> tuple[str, ...]:
    """The better line as far as it can be played: a search may run past a draw by repetition."""
    referee = Referee(sheet.game, sheet.start)
    referee.play_line(sheet.moves[: reviewed.ply])
    played = 0
    with suppress(IllegalMove):
        for text in reviewed.line:
            referee.play_text(text)
            played += 1
    return reviewed.line[:played]


# -- counting --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tally:
    """How one player did."""

    player: int
    moves: int
    slips: tuple[int, ...]
    """The number of each kind, in the order of SLIPS."""
    mean_loss: float | None
    """The mean loss of the moves whose loss is known; None if there are none."""

    def to_json(self) -> dict[str, Any]:
        counts = {slip.plural: count for slip, count in zip(SLIPS, self.slips, strict=True)}
        mean = None if self.mean_loss is None else round(self.mean_loss, 4)
        return {"player": self.player, "moves": self.moves, **counts, "mean_loss": mean}


def tally(moves: Iterable[ReviewedMove], game: Game) -> list[Tally]:
    """The tally of each player."""
    reviewed = list(moves)
    found = []
    for player in range(game.players):
        own = [one for one in reviewed if one.player == player]
        losses = [one.loss for one in own if one.loss is not None]
        counts = tuple(sum(one.slip == slip for one in own) for slip in SLIPS)
        found.append(Tally(player, len(own), counts, sum(losses) / len(losses) if losses else None))
    return found
