"""Programs that play Go as agents: `gtp:gnugo --mode gtp --chinese-rules --level 10`, with a clock `…,time=5s`.

The program comes first, with its arguments. `time` is our option, the only limit that the protocol supports.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.arena.agents import Agent, Resigned
from zermelo.core.analysis import Analysis
from zermelo.core.errors import Refused
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Table, open_table
from zermelo.protocols.gtp.client import Board
from zermelo.protocols.gtp.program import GtpProgram


class GtpAgent(Agent):
    """Plays the moves of another program. The program is started when it is needed, and again if it has ended."""

    def __init__(self, name: str, command: Sequence[str], limit: Limit) -> None:
        self.name, self.command, self.limit = name, command, limit
        self._program: GtpProgram | None = None
        self._board: Board | None = None

    def choose(self, referee: Table) -> Analysis:
        move = self._start(referee.game).move(open_table(referee))
        if move is None:
            raise Resigned("resigned")
        stopped = "time" if self.limit.time is not None else "done"
        return Analysis.of(referee, self.name, move, limit=self.limit, stopped=stopped)

    def require(self, game: Game) -> None:
        """Start the program and check that it plays this game."""
        if game.players != 2 or game.chance or game.hidden:
            raise Refused(f"GTP supports two players without dice and hidden information, so not {game.name}")
        self._start(game).check_game()

    def for_game(self, seed: int) -> Agent:
        if self._board is not None:
            self._board.clear()
        return self

    def close(self) -> None:
        """End the program; it is started again when it is needed."""
        if self._program is not None:
            self._program.close()
        self._program = self._board = None

    def _start(self, game: Game) -> Board:
        if self._program is not None and not self._program.is_alive:
            self.close()
        if self._program is None:
            self._program = GtpProgram(self.command)
        if self._board is None or self._board.game is not game:
            self._board = Board(self._program, game, self.limit)
        return self._board
