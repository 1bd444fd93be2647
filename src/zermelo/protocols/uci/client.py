"""Ask another program for a move: send the position and the limit, return the answer as an `Analysis`."""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass, field

from zermelo.core.analysis import Analysis, MoveAnalysis, Stopped
from zermelo.core.errors import IllegalMove, Refused
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.protocols.uci.dialect import Dialect, dialect_of
from zermelo.protocols.uci.program import UciProgram

LATE, LONGEST = 5.0, 600.0
"""Seconds: how late an answer may be, and how long one without a time limit may take."""
_SCORE = re.compile(r"\bscore (cp|mate) (-?\d{1,9})\b")
_NUMBER = re.compile(r"\b(depth|seldepth|nodes|nps|time) (\d{1,18})\b")


@dataclass
class EngineInfo:
    """The last report of a program about its best line."""

    score: tuple[str, int] | None = None
    numbers: dict[str, int] = field(default_factory=dict)
    line: list[str] = field(default_factory=list)

    def read(self, text: str) -> None:
        """Read an `info` line; bounds, lines other than the first, and `info string` are skipped."""
        if not text.startswith("info ") or text.startswith("info string"):
            return
        before, _, line = text.partition(" pv ")
        if re.search(r"\b(lowerbound|upperbound)\b", before) or re.search(r"\bmultipv (?!1\b)", before):
            return
        self.numbers.update((name, int(number)) for name, number in _NUMBER.findall(before))
        if score := _SCORE.search(before):
            self.score = score[1], int(score[2])
            self.line = line.split()

    @property
    def plies_to_mate(self) -> int | None:
        if self.score is None or self.score[0] != "mate":
            return None
        moves = self.score[1]
        return 2 * moves - 1 if moves > 0 else -2 * moves


def choose_game(program: UciProgram, game: Game) -> Dialect:
    """Set the program's variant to the game; Refused if it does not play it."""
    dialect = dialect_of(game)
    offered = program.options.get("uci_variant")
    if offered is not None and dialect.variant.lower() in map(str.lower, offered.choices):
        program.set("UCI_Variant", dialect.variant)
    elif dialect.variant != "chess" or (offered is not None and offered.choices):
        known = " or ".join(offered.choices) if offered is not None else "chess"
        raise Refused(f"{program.name} plays {known}, not {dialect.variant}")
    return dialect


def ask(program: UciProgram, dialect: Dialect, referee: Referee, limit: Limit, name: str) -> Analysis:
    """Return the program's answer; ProgramFault if it fails, IllegalMove if its move is not legal.

    Ctrl-C makes it answer at once.
    """
    program.send(position_command(dialect, referee))
    program.get_ready()
    program.send(go_command(limit))
    patience = LONGEST if limit.time is None else limit.time + LATE
    info, stopped = EngineInfo(), _reason(limit)
    try:
        word = _best_move(program, info, patience)
    except KeyboardInterrupt:
        word, stopped = _stop(program, info), "user"
    if word is None:
        word = _stop(program, info)
    if word is None:
        raise program.fault(f"did not move within {patience:g} s, nor after `stop`, and was ended")
    return _analysis(dialect, referee, word, info, limit, stopped, program, name)


def _best_move(program: UciProgram, info: EngineInfo, seconds: float) -> str | None:
    """Read the word after `bestmove`; None if it does not come in time."""
    deadline = time.monotonic() + seconds
    while (line := program.next_line(deadline - time.monotonic())) is not None:
        words = line.split()
        if words[:1] == ["bestmove"]:
            return words[1] if len(words) > 1 else "nothing"
        info.read(line)
    return None


def _stop(program: UciProgram, info: EngineInfo) -> str | None:
    try:
        program.send("stop")
        return _best_move(program, info, LATE)
    except KeyboardInterrupt:
        program.close()
        raise


def _reason(limit: Limit) -> Stopped:
    return "time" if limit.time is not None else "nodes" if limit.nodes is not None else "depth"


def position_command(dialect: Dialect, referee: Referee) -> str:
    """The game from its start, so that the program knows the repetitions."""
    game, turns = referee.game, referee.turns
    start = referee.start
    text = "startpos" if start == game.initial() else f"fen {game.format_state(start)}"
    moves = [dialect.write(turn.state, turn.action) for turn in turns]
    return f"position {text}" + (f" moves {' '.join(moves)}" if moves else "")


def go_command(limit: Limit) -> str:
    """A `go` with all parts of the limit."""
    parts = [
        f" movetime {max(1, round(1000 * limit.time))}" if limit.time is not None else "",
        f" nodes {limit.nodes}" if limit.nodes is not None else "",
        f" depth {limit.depth}" if limit.depth is not None else "",
    ]
    return "go" + "".join(parts)


def _analysis(
    dialect: Dialect,
    referee: Referee,
    word: str,
    info: EngineInfo,
    limit: Limit,
    stopped: Stopped,
    program: UciProgram,
    name: str,
) -> Analysis:
    game, state = referee.game, referee.state
    try:
        best = dialect.read(state, word)
    except IllegalMove:
        raise IllegalMove(f"{program.name} answered {word}, which is not legal here") from None
    line = dialect.read_line(state, info.line) if info.line[:1] == [word] else (best,)
    value = math.nan if info.score is None else dialect.value(*info.score)
    values = tuple(value if player == referee.to_move else 0.0 - value for player in range(game.players))
    depth, nodes = info.numbers.get("depth", 0), info.numbers.get("nodes", 0)
    return Analysis.of(
        referee,
        name,
        best,
        value=values,
        actions=line,
        distance=info.plies_to_mate,
        distance_kind="upper",
        moves=(MoveAnalysis(best, values, "estimate", depth=depth, nodes=nodes, actions=line),),
        stats={
            "nodes": nodes,
            "seconds": info.numbers.get("time", 0) / 1000,
            "nodes_per_second": info.numbers.get("nps", 0),
            "depth": depth,
        },
        limit=limit,
        stopped=stopped,
    )
