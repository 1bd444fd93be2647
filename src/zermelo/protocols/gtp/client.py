"""Ask another program for a move: send the board and the new moves, read a move or `resign`.

The rules have to be set on the program's command line: most programs score by territory unless asked for area.
"""

from __future__ import annotations

from zermelo.core.errors import IllegalMove, Refused
from zermelo.core.game import Action, Game, State
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games.go import Go
from zermelo.games.go.notation import COLUMNS, rows_from_top
from zermelo.games.go.position import stones_of
from zermelo.protocols.gtp.colours import letter_of
from zermelo.protocols.gtp.program import READY, GtpProgram, Refusal

LATE, LONGEST = 5.0, 600.0
"""Seconds: how late a move may be, and how long a move without a time limit may take."""
RESIGN = "resign"


class Board:
    """The board of the program: the game, the start and the moves that were sent to it."""

    def __init__(self, program: GtpProgram, game: Game, limit: Limit) -> None:
        self.program, self.game, self.limit = program, game, limit
        self._start: State = None
        self._moves: list[tuple[str, str]] | None = None
        self._has_moved = False

    def clear(self) -> None:
        """Set the board up again for the next game."""
        self._moves = None

    def check_game(self) -> None:
        """Raise Refused if the program does not play on such a board."""
        try:
            self._set_up(self.game.initial())
        except Refusal as error:
            raise Refused(f"{self.program.name} does not play {self.game}: {error}") from None

    def move(self, referee: Referee) -> Action | None:
        """Return the program's move, or None if it resigns; IllegalMove if the move is not legal."""
        self._follow(referee)
        moves, self._moves = self._moves, None
        letter, limit = letter_of(self.game, referee.to_move), self.limit
        if limit.time is not None and "time_left" in self.program.commands:
            self.program.ask(f"time_left {letter} {_seconds(limit.time)} 1")
        patience = LONGEST if limit.time is None else limit.time + LATE if self._has_moved else limit.time + READY
        try:
            word = self.program.ask(f"genmove {letter}", patience).lower()
        except KeyboardInterrupt:
            self.program.close()  # the protocol has no command to stop a search
            raise
        self._has_moved = True
        if word == RESIGN:
            return None
        try:
            found = self.game.parse_action(referee.state, word)
        except IllegalMove:
            raise IllegalMove(f"{self.program.name} answered {word or 'nothing'}, which is not legal here") from None
        self._moves = [*(moves or []), (letter, self.game.format_action(referee.state, found))]
        return found

    # -- sending --------------------------------------------------------------------------------------

    def _follow(self, referee: Referee) -> None:
        """Send the game so far; only the new moves if it continues what the program has on its board."""
        turns = referee.turns
        start = referee.start
        moves = [(letter_of(self.game, turn.player), turn.text) for turn in turns]
        known, self._moves = self._moves, None
        if known is None or start != self._start or not self._take_back(known, moves):
            self._set_up(start)
            known = []
        for letter, move in moves[_common_prefix(known, moves) :]:
            try:
                self.program.ask(f"play {letter} {move}")
            except Refusal as error:
                raise Refusal(f"{error}; the move is legal here, so the program plays by other rules") from None
        self._start, self._moves = start, moves

    def _take_back(self, known: list[tuple[str, str]], moves: list[tuple[str, str]]) -> bool:
        """Take back moves that are not part of the game; return False if the program cannot."""
        back = len(known) - _common_prefix(known, moves)
        if back and "undo" not in self.program.commands:
            return False
        try:
            for _ in range(back):
                self.program.ask("undo")
        except Refusal:
            return False
        return True

    def _set_up(self, start: State) -> None:
        """Send the board size, komi, the clock, and the stones of the start."""
        ask, game = self.program.ask, self.game
        if "size" in game.options():
            ask(f"boardsize {game.options()['size']}")
        ask("clear_board")
        if isinstance(game, Go):
            ask(f"komi {game.komi:g}")
        if self.limit.time is not None and "time_settings" in self.program.commands:
            ask(f"time_settings 0 {_seconds(self.limit.time)} 1")
        if isinstance(game, Go):
            self._place(game, start)
        elif start != game.initial():
            raise Refused(f"GTP cannot set up another start of {game.name}; play from the usual one")

    def _place(self, game: Go, start: State) -> None:
        """Place the stones one by one, which captures none: each has the liberties of the final board, or more."""
        black, white = (_names(game, start, symbol) for symbol in "XO")
        if game.handicap and len(black) == game.handicap and not white:
            for command in (f"set_free_handicap {' '.join(black)}", f"fixed_handicap {game.handicap}"):
                if command.split()[0] in self.program.commands:
                    self.program.ask(command)
                    return
        for letter, names in (("b", black), ("w", white)):
            for name in names:
                self.program.ask(f"play {letter} {name}")


def _names(game: Go, state: State, symbol: str) -> list[str]:
    rows = rows_from_top(game.board, *stones_of(state))
    return [
        f"{COLUMNS[col]}{game.size - below}"
        for below, row in enumerate(rows)
        for col, found in enumerate(row)
        if found == symbol
    ]


def _common_prefix(known: list[tuple[str, str]], moves: list[tuple[str, str]]) -> int:
    """The number of moves that both begin with."""
    count = 0
    while count < min(len(known), len(moves)) and known[count] == moves[count]:
        count += 1
    return count


def _seconds(time: float) -> int:
    """Whole seconds, as the protocol needs them."""
    return max(1, int(time))
