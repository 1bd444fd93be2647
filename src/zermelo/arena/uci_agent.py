"""UCI engines as agents: `uci:stockfish`, `uci:stockfish,UCI_LimitStrength=true,UCI_Elo=2200,time=1s`.

The program and its arguments come first, then options separated by commas. `time`, `nodes` and `depth` are our options;
all others are the program's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zermelo.arena.agents import Agent
from zermelo.core.analysis import Analysis
from zermelo.core.game import Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Table, open_table
from zermelo.protocols.uci.client import ask, choose_game
from zermelo.protocols.uci.dialect import Dialect
from zermelo.protocols.uci.program import UciProgram


class UciAgent(Agent):
    """Plays the best move of another program. The program is started when it is needed, and again if it has ended."""

    def __init__(self, name: str, command: Sequence[str], options: Mapping[str, str], limit: Limit) -> None:
        self.name, self.command, self.options, self.limit = name, command, options, limit
        self._program: UciProgram | None = None
        self._dialect: Dialect | None = None
        self._is_new_game = True

    def choose(self, referee: Table) -> Analysis:
        program, dialect = self._start(referee.game)
        if self._is_new_game:
            program.send("ucinewgame")
            program.get_ready()
            self._is_new_game = False
        return ask(program, dialect, open_table(referee), self.limit, self.name)

    def require(self, game: Game) -> None:
        """Start the program, set its options and check that it plays the game."""
        self._start(game)

    def for_game(self, seed: int) -> Agent:
        self._is_new_game = True
        return self

    def close(self) -> None:
        """End the program; it is started again when it is needed."""
        if self._program is not None:
            self._program.close()
        self._program = self._dialect = None

    def _start(self, game: Game) -> tuple[UciProgram, Dialect]:
        if self._program is not None and not self._program.is_alive:
            self.close()
        if self._program is None:
            self._program, self._is_new_game = UciProgram(self.command), True
            try:
                for option, value in self.options.items():
                    self._program.set(option, value)
            except BaseException:
                self.close()
                raise
        if self._dialect is None or self._dialect.game is not game:
            self._dialect = choose_game(self._program, game)
        return self._program, self._dialect
