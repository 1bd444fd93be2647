"""The GTP server: Zermelo as an engine for other programs.

Every command gets exactly one answer, in the order of arrival. A command that is unknown or fails is answered with a
question mark and a sentence, and changes nothing. Only `quit` and the end of the input end the server.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from zermelo.core.analysis import Analysis, Progress
from zermelo.core.errors import Refused
from zermelo.core.game import Action, Game
from zermelo.core.limit import Limit
from zermelo.core.referee import Referee
from zermelo.games.go import Go
from zermelo.games.go.notation import PASS
from zermelo.protocols.gtp import clocks, go_board
from zermelo.protocols.gtp.clocks import Clocks
from zermelo.protocols.gtp.colours import player_of
from zermelo.protocols.gtp.commands import INTERRUPT, Command, Failure, plain, read_command
from zermelo.protocols.gtp.report import report_line, winrate
from zermelo.protocols.gtp.search_control import GtpEngine, MakeEngine, SearchControl
from zermelo.protocols.gtp.session import Session, name_of
from zermelo.protocols.output import LineWriter, WriteLine, describe_error
from zermelo.protocols.serial_executor import SerialExecutor

RESIGN = "resign"
HOPELESS, SURE_VISITS = 0.05, 500
"""Resign a game of Go below this share of won playouts, if the best move has at least this many visits."""
MOVES_LEFT = 28
ANALYZE_COMMANDS = (
    "string/Score of the board/final_score",
    "plist/Stones that count as alive/final_status_list alive",
    "varc/What it would play/reg_genmove %c",
    "string/Position in SGF/printsgf",
    "none/Undo several moves/gg-undo %s",
)

Run = Callable[[tuple[str, ...]], str]


@dataclass(frozen=True)
class AnalyzeRequest:
    """The arguments of an `analyze` command."""

    player: int
    interval: float
    most: int
    is_fine: bool


class Server:
    """One game and the engine that searches it."""

    def __init__(
        self,
        game: Game,
        make: MakeEngine,
        write: WriteLine,
        title: str = "Zermelo",
        version: str = "",
        make_at: Callable[[str], MakeEngine] | None = None,
    ) -> None:
        """`make_at` makes engines that play at a level, if there are any."""
        if game.players != 2 or game.chance or game.hidden:
            raise Refused(f"GTP supports two players without dice and hidden information, so not {game.name}")
        self._make, self._title, self._version = make, title, version
        self.session = Session.of(game)
        self.clocks = Clocks()
        self._engine: tuple[Game, GtpEngine] | None = None
        self._output, self._control = LineWriter(write), SearchControl()
        self._executor = SerialExecutor(lambda error: self._output.write(f"? {describe_error(error)}\n"))
        self._streams: dict[str, Callable[[Command], None]] = {
            f"{dialect}-{what}": stream
            for dialect in ("lz", "kata")
            for what, stream in (("analyze", self._analyze), ("genmove_analyze", self._genmove_analyze))
        }
        self._commands: dict[str, Run] = {
            "protocol_version": lambda words: "2",
            "name": self._name,
            "version": lambda words: self._version,
            "known_command": lambda words: str(_one(words) in self.commands).lower(),
            "list_commands": lambda words: "\n".join(self.commands),
            "quit": lambda words: "",
            "boardsize": lambda words: self._set(self.session.resize(_whole(words))),
            "query_boardsize": lambda words: str(self.session.size),
            "clear_board": lambda words: self._set(self.session.clear()),
            "komi": self._komi,
            "get_komi": lambda words: f"{self.session.komi:g}",
            "play": self._play,
            "gogui-play_sequence": self._play_sequence,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": lambda words: self._set(self.session.undo()),
            "gg-undo": lambda words: self._set(self.session.undo(_whole(words) if words else 1)),
            "showboard": lambda words: self._board(),
            "time_settings": lambda words: self._set_clocks(Clocks.set(clocks.read_settings(words))),
            "kgs-time_settings": lambda words: self._set_clocks(Clocks.set(clocks.read_kgs_settings(words))),
            "time_left": self._time_left,
            "final_score": self._final_score,
            "cputime": lambda words: f"{time.process_time():.3f}",
            "gogui-interrupt": lambda words: "",
        }
        if make_at is not None:
            self._commands["zermelo-level"] = lambda words: self._replace_engine(make_at(_one(words)))
        if isinstance(game, Go):
            self._commands |= {
                "fixed_handicap": lambda words: self._place(self.session.fixed_points(_whole(words))),
                "place_free_handicap": lambda words: self._place(self.session.fixed_points(_whole(words), True)),
                "set_free_handicap": lambda words: self._set(go_board.with_free_handicap(self.session, words)),
                "final_status_list": lambda words: go_board.status_list(self.session, _one(words)),
                "loadsgf": self._loadsgf,
                "printsgf": self._printsgf,
                "gogui-analyze_commands": lambda words: "\n".join(ANALYZE_COMMANDS),
            }

    @property
    def commands(self) -> list[str]:
        return [*self._commands, *self._streams]

    # -- lines ----------------------------------------------------------------------------------------

    def serve(self, lines: Iterable[str]) -> None:
        """Answer until `quit` or the end of the input."""
        try:
            for line in lines:
                if not self.handle(line) or not self._output.is_open:
                    break
        finally:
            self._control.end()
            self._executor.close(self._is_late)

    def handle(self, line: str) -> bool:
        """Queue a line, which is answered after those before it. Return False if it is `quit`."""
        if INTERRUPT.fullmatch(plain(line)):
            self._control.interrupt()
        command = read_command(line)
        self._control.receive()
        self._executor.add(lambda: self._work(command))
        return command is None or command.name != "quit"

    def _is_late(self) -> bool:
        if not self._output.is_open:
            self._control.interrupt()
        return self._control.is_late

    def _work(self, command: Command | None) -> None:
        """Answer a command."""
        self._control.take()
        if command is None or not self._output.is_open:
            return
        try:
            if command.name in self._streams:
                self._streams[command.name](command)
                return
            if command.name not in self._commands:
                raise Failure("unknown command")  # noqa: TRY301 - failures are reported in one place
            answer = command.answer(self._commands[command.name](command.arguments))
        except Exception as error:
            answer = command.failure(describe_error(error))
        self._output.write(answer)

    # -- the board ------------------------------------------------------------------------------------

    def _name(self, words: tuple[str, ...]) -> str:
        game = self.session.game
        return self._title if isinstance(game, Go) else f"{self._title} ({game.name})"

    def _set(self, session: Session) -> str:
        self.session = session
        return ""

    def _set_clocks(self, found: Clocks) -> str:
        self.clocks = found
        return ""

    def _replace_engine(self, make: MakeEngine) -> str:
        self._make, self._engine = make, None
        return ""

    def _komi(self, words: tuple[str, ...]) -> str:
        try:
            komi = float(_one(words))
        except ValueError:
            raise Failure("komi not a float") from None
        if not isinstance(self.session.game, Go):
            if komi == 0:
                return ""
            raise Failure(f"{self.session.game.name} has no komi")
        return self._set(self.session.with_komi(komi))

    def _play(self, words: tuple[str, ...]) -> str:
        if len(words) < 2:
            raise Failure("invalid color or coordinate: a colour and a move are expected")
        return self._set(self.session.play_text(self._player(words[:1]), " ".join(words[1:])))

    def _play_sequence(self, words: tuple[str, ...]) -> str:
        if len(words) % 2:
            raise Failure("syntax error: pairs of a colour and a move are expected")
        session = self.session
        for colour, move in zip(words[::2], words[1::2], strict=True):
            session = session.play_text(self._player((colour,)), move)
        return self._set(session)

    def _place(self, points: list[int]) -> str:
        """Place a handicap; return the points of its stones."""
        session = self.session.with_handicap(points)
        self._set(session)
        return " ".join(name_of(session.go, point) for point in points)

    def _loadsgf(self, words: tuple[str, ...]) -> str:
        before = int(words[-1]) if len(words) > 1 and words[-1].isdecimal() else None
        name = " ".join(words if before is None else words[:-1])
        return self._set(go_board.load_sgf(self.session, name, before))

    def _printsgf(self, words: tuple[str, ...]) -> str:
        if words:
            raise Failure("printsgf does not write files; without a name it answers with the game")
        return go_board.sgf_text(self.session)

    def _board(self) -> str:
        session = self.session
        if isinstance(session.game, Go):
            return "\n" + "\n".join(go_board.board_lines(session))
        from zermelo.draw import board_text

        state = session.now.state
        mover = "the game is over" if session.is_over else f"{session.game.seat(session.to_move)} to move"
        board = board_text(session.game.picture(state))
        return f"\n{board}\n{session.game.format_state(state)}; {mover}; moves played: {len(session.now.moves)}"

    def _final_score(self, words: tuple[str, ...]) -> str:
        is_go = isinstance(self.session.game, Go)
        return go_board.score_text(self.session) if is_go else go_board.result_of(self.session)

    def _time_left(self, words: tuple[str, ...]) -> str:
        player = self._player(words[:1])
        return self._set_clocks(self.clocks.with_left(player, clocks.read_left(words[1:])))

    def _player(self, words: tuple[str, ...]) -> int:
        if len(words) != 1:
            raise Failure("syntax error: a colour is expected")
        return player_of(self.session.game, words[0])

    # -- searching ------------------------------------------------------------------------------------

    def _reg_genmove(self, words: tuple[str, ...]) -> str:
        player = self._player(words)
        return self._text(player, self._choose_move(player, is_playing=False))

    def _genmove(self, words: tuple[str, ...]) -> str:
        player = self._player(words)
        return self._play_found(player, self._choose_move(player, is_playing=True))

    def _play_found(self, player: int, move: Action | None) -> str:
        """Play the move, and return it in notation; None resigns."""
        text = self._text(player, move)
        if move is not None:
            self._set(self.session.play(player, move))
        return text

    def _text(self, player: int, move: Action | None) -> str:
        if move is None:
            return RESIGN
        game = self.session.game
        if isinstance(game, Go) and move == game.squares:
            return PASS
        referee, _ = self.session.turn_to(player)
        return game.format_action(referee.state, move)

    def _choose_move(self, player: int, is_playing: bool, progress: Progress | None = None) -> Action | None:
        """Search for the move to play within the limit, None to resign; a pass if a game of Go is over."""
        if self.session.is_over and isinstance(self.session.game, Go):
            return self.session.game.squares
        referee, _ = self.session.turn_to(player)
        began = time.monotonic()
        with self._control.search() as stop:
            found = self._search(referee, self._limit(player), stop, progress)
        if is_playing:
            self.clocks = self.clocks.after(player, time.monotonic() - began)
            if _is_hopeless(referee.game, found):
                return None
        return found.action

    def _search(
        self, referee: Referee, limit: Limit | None, stop: threading.Event, progress: Progress | None
    ) -> Analysis:
        """Search with the engine, within its own limit if there is no other."""
        if self._engine is None or self._engine[0] is not referee.game:
            self._engine = None
            self._engine = referee.game, self._make(referee.game)
        engine = self._engine[1]
        self._control.prepare(engine, referee.state)
        return engine.think(referee, engine.limit if limit is None else limit, stop, progress)

    def _limit(self, player: int) -> Limit | None:
        """The limit from the clock, if there is one. In Go we expect to fill almost half of the empty points."""
        game, moves = self.session.game, MOVES_LEFT
        if isinstance(game, Go):
            state = self.session.now.state
            stones = sum(map(len, go_board.chains(game, state)))
            moves = max(20, (game.squares - stones) * 45 // 100)
        seconds = self.clocks.budget(player, moves)
        return None if seconds is None else Limit(time=seconds)

    # -- analysis -------------------------------------------------------------------------------------

    def _analyze(self, command: Command) -> None:
        """Report the analysis at intervals until another command arrives."""
        request = self._read_request(command)
        referee, _ = self.session.turn_to(request.player)
        with (
            Stream(self._output, command, referee.game, request) as stream,
            self._control.search(ends_with_a_line=True) as stop,
        ):
            stream.show(self._search(referee, Limit(), stop, stream.progress))
            stop.wait()

    def _genmove_analyze(self, command: Command) -> None:
        request = self._read_request(command)
        with Stream(self._output, command, self.session.game, request) as stream:
            move = self._choose_move(request.player, is_playing=True, progress=stream.progress)
            stream.write(f"play {self._play_found(request.player, move)}")

    def _read_request(self, command: Command) -> AnalyzeRequest:
        """Read `kata-analyze b 50 maxmoves 10`; colour and interval are optional, other words are ignored."""
        words, player = list(command.arguments), self.session.to_move
        if words and words[0].lower() in ("b", "w", "black", "white"):
            player = self._player((words.pop(0),))
        if words and words[0].isdecimal():
            words.insert(0, "interval")
        if len(words) % 2:
            raise Failure("syntax error: pairs of a word and its value are expected after the interval")
        pairs = dict(zip(words[::2], words[1::2], strict=True))
        if unknown := {"avoid", "allow"} & set(pairs):
            raise Failure(f"{' and '.join(sorted(unknown))} is not supported")
        interval, most = _whole((pairs.get("interval", "100"),)), _whole((pairs.get("maxmoves", "1000"),))
        return AnalyzeRequest(player, interval / 100, most, command.name.startswith("kata-"))


class Stream:
    """An answer that is written line by line. It starts with the first line; an error before that is a failure."""

    def __init__(self, output: LineWriter, command: Command, game: Game, request: AnalyzeRequest) -> None:
        self._output, self._command, self._game, self._request = output, command, game, request
        self._next = -math.inf
        self._is_begun = False

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        """End the answer; after its first line an error must not become a second answer."""
        if error is None or self._is_begun:
            self.write("")
            return isinstance(error, Exception)
        return False

    def progress(self, found: Analysis) -> None:
        """Write a line if the interval has passed."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + self._request.interval
            self.show(found)

    def show(self, found: Analysis) -> None:
        if line := report_line(self._game, found, self._request.most, self._request.is_fine):
            self.write(line)

    def write(self, text: str) -> None:
        begin = "" if self._is_begun else f"={self._command.id}\n"
        self._is_begun = True
        self._output.write(begin + text)


def _is_hopeless(game: Game, found: Analysis) -> bool:
    """Whether a game of Go is as good as lost, judged by enough playouts."""
    if not isinstance(game, Go) or game.margin or not found.moves:
        return False
    best = found.moves[0]
    return (best.visits or 0) >= SURE_VISITS and winrate(game, found, found.value) < HOPELESS


def _one(words: tuple[str, ...]) -> str:
    if len(words) != 1:
        raise Failure("syntax error: one word is expected")
    return words[0]


def _whole(words: tuple[str, ...]) -> int:
    word = _one(words)
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise Failure(f"syntax error: {word!r} is not a whole number")
    return int(word)
