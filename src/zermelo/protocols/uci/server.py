"""The UCI server: Zermelo as an engine for other programs.

Stefan Meyer-Kahlen, "Description of the universal chess interface" (2004). Only `quit` and the end of the input end the
server: a line that is not understood is answered with an `info string`, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from zermelo.core.errors import UsageError, ZermeloError
from zermelo.core.game import Game
from zermelo.core.referee import Referee
from zermelo.protocols.output import LineWriter, WriteLine
from zermelo.protocols.referees import reopen
from zermelo.protocols.uci.dialect import dialect_of
from zermelo.protocols.uci.options import Options
from zermelo.protocols.uci.orders import read_order
from zermelo.protocols.uci.report import complaint, sentence
from zermelo.protocols.uci.searches import MakeEngine, Search, Searches, Weaken


class Server:
    """One game, one position, one engine."""

    def __init__(
        self,
        game: Game,
        make: MakeEngine,
        write: WriteLine,
        title: str = "Zermelo",
        elos: tuple[int, int] | None = None,
        weaken: Weaken | None = None,
    ) -> None:
        """`weaken` limits an engine's strength to an Elo in the range `elos`."""
        self.game, self.title = game, title
        self.dialect = dialect_of(game)
        self.options = Options(self.dialect.variant, elos=elos)
        self.is_debugging = False
        self._output = LineWriter(write)
        self._start = Referee(game)
        self._start_text = ""
        self._moves: list[str] = []
        self.referee = self._start
        self._searches = Searches(game, make, self.write, weaken)
        self._commands: dict[str, Callable[[str], None]] = {
            "uci": self._uci,
            "debug": self._debug,
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": lambda rest: self._searches.clear(),
            "position": self._position,
            "go": self._go,
            "stop": lambda rest: self._searches.stop(),
            "ponderhit": lambda rest: self._searches.hit(),
            "d": self._draw,
            "register": lambda rest: None,
        }

    def serve(self, lines: Iterable[str]) -> None:
        """Answer until `quit` or the end of the input, and every `go` even then; `quit` stops the searches."""
        is_hurried = True
        try:
            for line in lines:
                if not self.handle(line) or not self._output.is_open:
                    break
            else:
                is_hurried = False
        finally:
            self._searches.close(is_hurried, lambda: self._output.is_open)

    def handle(self, line: str) -> bool:
        """Answer one line; return False if it is `quit`."""
        words = line.split(maxsplit=1)
        if not words:
            return True
        if words[0] == "quit":
            return False
        command = self._commands.get(words[0])
        if command is None:
            self.complain(
                f"{words[0]!r} is not a command of this engine; the commands are {', '.join(self._commands)}, quit"
            )
            return True
        try:
            command(words[1].strip() if len(words) > 1 else "")
        except Exception as error:
            self.write(complaint(error))
        return True

    def write(self, text: str) -> None:
        self._output.write(text)

    def complain(self, text: str) -> None:
        self.write(sentence(text))

    # -- commands -------------------------------------------------------------------------------------

    def _uci(self, rest: str) -> None:
        of_which = "" if self.dialect.variant == "chess" else f" ({self.dialect.variant})"
        for line in (
            f"id name {self.title}{of_which}",
            "id author The Zermelo developers",
            *Options(self.dialect.variant, elos=self.options.elos).lines(),
            "uciok",
        ):
            self.write(line)

    def _debug(self, rest: str) -> None:
        if rest not in ("on", "off"):
            self.complain(f"debug must be on or off, not {rest!r}")
        else:
            self.is_debugging = rest == "on"

    def _isready(self, rest: str) -> None:
        self._searches.when_ready(self.options, lambda: self.write("readyok"))

    def _setoption(self, rest: str) -> None:
        name, value = _name_and_value(rest)
        if name.lower() == "clear hash":
            self._searches.clear()
        else:
            self.options = self.options.with_option(name, value)

    def _position(self, rest: str) -> None:
        """Set a position; if a move is not legal, the current position stays."""
        text, moves = _start_and_moves(rest)
        goes_on = text == self._start_text and moves[: len(self._moves)] == self._moves
        if goes_on:
            referee, played = self.referee.copy(), len(self._moves)
        else:
            referee, played = Referee(self.game, self.game.parse_state(text) if text else None), 0
        for number, move in enumerate(moves[played:], played + 1):
            referee = reopen(referee)
            try:
                referee.play(self.dialect.read(referee.state, move))
            except ZermeloError as error:
                raise type(error)(f"position: move {number}: {error}") from None
        self.referee, self._start_text, self._moves = referee, text, moves

    def _go(self, rest: str) -> None:
        referee = reopen(self.referee).copy()
        order = read_order(
            rest.split(),
            referee.to_move,
            self.options.move_overhead / 1000,
            lambda text: self.dialect.read(referee.state, text),
        )
        for words in order.complaints:
            self.complain(words)
        if self.is_debugging:
            self.complain(f"go: {order.limit}, {order.clock or 'no clock'}")
        self._searches.go(Search(referee, order, self.options, self.dialect, self.write))

    def _draw(self, rest: str) -> None:
        from zermelo.draw import board_text, last_cells

        state = self.referee.state
        board = board_text(self.game.picture(state), last=last_cells(self.referee))
        self.write(f"{board}\n\nFen: {self.game.format_state(state)}")


def _start_and_moves(rest: str) -> tuple[str, list[str]]:
    """Read the text of a position, empty for the start, and the moves from there."""
    before, _, after = f" {rest} ".replace("\t", " ").partition(" moves ")
    kind, _, text = before.strip().partition(" ")
    if kind == "startpos" and not text.strip():
        return "", after.split()
    if kind != "fen" or not text.strip():
        raise UsageError(f"position needs 'startpos' or 'fen' and a position, then optional 'moves'; not {rest!r}")
    return text.strip(), after.split()


def _name_and_value(rest: str) -> tuple[str, str]:
    before, _, value = f" {rest} ".partition(" value ")
    key, _, name = before.strip().partition(" ")
    if key != "name" or not name.strip():
        raise UsageError(f"setoption needs 'name', a name, 'value' and a value; not {rest!r}")
    return " ".join(name.split()), value.strip()
