"""`zermelo review`: the games of a file with their mistakes marked, and what would have been better."""

from __future__ import annotations

import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zermelo import __version__
from zermelo.arena.agents import Agent, agent
from zermelo.arena.records import parse_records
from zermelo.arena.review import (
    SLIPS,
    ReviewedMove,
    annotate,
    count_positions,
    describe_slip,
    review_moves,
    tally,
)
from zermelo.cli.request import announce_compiling, find_game, print_json, read_file
from zermelo.cli.terminal import StatusLine, note
from zermelo.core.errors import UsageError
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.core.outcome import describe_result
from zermelo.core.scoresheet import Line, Scoresheet
from zermelo.draw.wording import capitalise
from zermelo.games.library.plain_sheets import find_registered
from zermelo.games.library.scoresheets import PLAIN_FORM, Form, recognise

REVIEW_LIMIT = Limit(time=1.0)
"""For each position."""


@dataclass
class GameReview:
    """One game of the file, and what is known of its moves so far."""

    sheet: Scoresheet
    form: Form
    number: int
    """In the file, from 1."""
    of: int
    """How many games are reviewed."""
    moves: list[ReviewedMove] = field(default_factory=list)

    def label(self, ply: int) -> str:
        """`12. ` or `12... `, as it is written before the move."""
        label = self.form.label(self.sheet, ply)
        return f"{label} " if label.endswith(".") else f"{label}. "


def show_review(
    path: str,
    game: str,
    number: int | None,
    agent_text: str,
    limit: Limit,
    seed: int,
    output: Path | None,
    as_json: bool,
) -> None:
    """Review the games of a file, or one of them."""
    form, games = _read(path, game, number)
    first = games[0].sheet.game
    if not game:
        announce_compiling(first)
    searcher = agent(agent_text, limit, seed, default=REVIEW_LIMIT)
    searcher.require(first)
    writer = _Writer(form, searcher, output, is_shown=not as_json and output is None, has_summary=not as_json)
    progress = _Progress(games)
    is_interrupted = False
    for one in games:
        try:
            if not is_interrupted:
                progress.review(one, searcher)
        except KeyboardInterrupt:
            is_interrupted = True
            note(f"stopped in game {one.number}; what is reviewed so far is written" if one.of > 1 else _STOPPED)
        writer.add(one)
    writer.finish()
    if any(move.before.stopped != "done" and not move.before.stats.get("compiled", True) for move in games[0].moves):
        note("the search ran interpreted, so it did not see far")
    if as_json:
        found = [_as_json(one) for one in games if one.moves or not is_interrupted]
        stopped = "user" if is_interrupted else "done"
        about = {"agent": searcher.name, "limit": searcher.limit.to_json(), "seed": seed, "stopped": stopped}
        print_json({**about, "games": found, "text": writer.text})
    if is_interrupted:
        raise KeyboardInterrupt


_STOPPED = "stopped; what is reviewed so far is written"


# -- reading ---------------------------------------------------------------------------------------------


def _read(path: str, game: str, number: int | None) -> tuple[Form, list[GameReview]]:
    """The form of the file and its games, with checked moves; errors name the file's line or the game."""
    text, own = read_file(path), find_game(game) if game else None
    if re.match(r'\s*\{\s*"', text):
        form, found = PLAIN_FORM, _read_records(path, text, own)
    else:
        form, rules = recognise(text, path, own)
        found = form.read(rules, text)
    sheets = list(enumerate(found, 1))
    if number is not None and number > len(sheets):
        count = "1 game" if len(sheets) == 1 else f"{len(sheets)} games"
        raise UsageError(f"{path} has {count}, so there is no --number {number}")
    chosen = [sheets[number - 1]] if number is not None else sheets
    games = []
    with StatusLine() as status:
        for one, sheet in chosen:
            status.show(f"reading game {one} of {len(sheets)}")
            games.append(GameReview(form.check_one(sheet, one, len(sheets)), form, one, len(chosen)))
    for game_review in games:
        for sentence in game_review.sheet.notes:
            note(f"game {game_review.number}: {sentence}" if game_review.of > 1 else sentence)
    return form, games


def _read_records(path: str, text: str, own: Game | None) -> list[Scoresheet]:
    """The games that `zermelo match` or `zermelo play` has saved."""
    sheets = []
    games: dict[str, Game] = {}
    for record in parse_records(path, text.splitlines()):
        game = games.setdefault(record.game, own or find_registered(record.game))
        names = {capitalise(game.seat(seat)): record.agents[agent] for seat, agent in enumerate(record.seats)}
        start = game.parse_state(record.start) if record.start else None
        result = describe_result(game, record.result) if record.result is not None else ""
        sheets.append(Scoresheet(game, Line.of(record.moves), names, result, start))
    if not sheets:
        raise UsageError(f"there is no game in {path}")
    return sheets


# -- progress --------------------------------------------------------------------------------------------


class _Progress:
    """Reviews games one after the other, and shows how long it will take."""

    def __init__(self, games: list[GameReview]) -> None:
        self._counts = {one.number: count_positions(one.sheet) for one in games}
        self._total = sum(self._counts.values())
        self._done = 0
        self._started = time.monotonic()

    def review(self, one: GameReview, searcher: Agent) -> None:
        end = self._done + self._counts[one.number]
        with StatusLine() as status:
            status.show(self._text(one))
            for found in review_moves(one.sheet, searcher):
                if found is None:
                    self._done += 1
                else:
                    one.moves.append(found)
                status.show(self._text(one))
        self._done = end

    def _text(self, one: GameReview) -> str:
        game = f"game {one.number} of {one.of}, " if one.of > 1 else ""
        text = f"reviewing {game}{self._done} of {self._total} positions"
        if one.moves:
            last = one.moves[-1]
            text += f", {one.label(last.ply)}{last.move}{last.slip.glyph if last.slip else ''}"
        if not self._done:
            return text
        left = (time.monotonic() - self._started) / self._done * (self._total - self._done)
        return f"{text}, about {_duration(left)} left"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


# -- answering -------------------------------------------------------------------------------------------


class _Writer:
    """Writes each game as soon as it is reviewed; a file, which may be the one that was read, at the end."""

    def __init__(self, form: Form, searcher: Agent, output: Path | None, is_shown: bool, has_summary: bool) -> None:
        self._form = form if form.keeps_annotations else PLAIN_FORM
        if self._form is not form:
            note(f"{form.name} has no place for comments and variations, so the review is written as plain text")
        self._annotator = f"Zermelo {__version__}, {searcher.name}{_limit_text(searcher.limit)}"
        self._output, self._is_shown, self._has_summary = output, is_shown, has_summary
        self._texts: list[str] = []

    @property
    def text(self) -> str:
        """All games so far."""
        return "\n".join(self._texts)

    def add(self, one: GameReview) -> None:
        sheet = one.sheet
        if one.moves:
            sheet = annotate(sheet, one.moves, (self._form.annotator, self._annotator))
        text = self._form.write(sheet)
        if self._is_shown:
            print(end="\n" * bool(self._texts) + text, flush=True)
        self._texts.append(text)
        if self._has_summary and one.moves:
            for row in ["", *summary(one, has_slips=self._output is not None)]:
                print(row, file=sys.stderr)

    def finish(self) -> None:
        if self._output is None:
            return
        try:
            self._output.write_text(self.text, encoding="utf-8")
        except OSError as error:
            raise UsageError(f"{self._output} cannot be written: {error.strerror or error}") from None


def _limit_text(limit: Limit) -> str:
    return "".join(
        [
            f", {limit.time:g} s a move" if limit.time is not None else "",
            f", {limit.nodes:,} nodes a move" if limit.nodes is not None else "",
            f", depth {limit.depth}" if limit.depth is not None else "",
        ]
    )


def summary(one: GameReview, has_slips: bool) -> list[str]:
    """The table of the players; before it each slip in one line, if asked."""
    game = one.sheet.game
    rows = [f"game {one.number}"] if one.of > 1 else []
    if has_slips:
        rows += [
            f"{one.label(move.ply)}{move.move}{move.slip.glyph}  {describe_slip(move, game)}"
            for move in one.moves
            if move.slip is not None
        ]
    players = tally(one.moves, game)
    names = [_name_of(one.sheet, player.player) for player in players]
    wide = max(map(len, names))
    counted = [slip.plural for slip in reversed(SLIPS)]
    rows.append("  ".join([" " * wide, "moves", *counted, "mean loss"]))
    for name, player in zip(names, players, strict=True):
        loss = "-" if player.mean_loss is None else f"{100 * player.mean_loss:.1f} %"
        cells = [f"{count:>{len(title)}}" for count, title in zip(reversed(player.slips), counted, strict=True)]
        rows.append("  ".join([f"{name:<{wide}}", f"{player.moves:>5}", *cells, f"{loss:>9}"]))
    return rows


def _name_of(sheet: Scoresheet, player: int) -> str:
    """`White (Anna)`; the names in the headers are those of PGN or of SGF."""
    seat = sheet.game.seat(player)
    name = sheet.headers.get(capitalise(seat)) or sheet.headers.get(f"P{seat[:1].upper()}") or "?"
    return seat if name == "?" else f"{seat} ({name})"


def _as_json(one: GameReview) -> dict[str, Any]:
    sheet = one.sheet
    return {
        "number": one.number,
        "game": sheet.game.spec(),
        "headers": dict(sheet.headers),
        "result": sheet.result,
        "moves": [move.to_json(one.label(move.ply).strip()) for move in one.moves],
        "players": [player.to_json() for player in tally(one.moves, sheet.game)],
    }
