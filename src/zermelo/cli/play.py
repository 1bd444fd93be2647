"""`zermelo play`: a game in the terminal, with hints, undo and help."""

from __future__ import annotations

import contextlib
import random
import re
import secrets
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

from zermelo.arena.agents import DEFAULT_LIMIT, Agent, Resigned, agent
from zermelo.arena.auto import AutoAgent
from zermelo.arena.level_agent import LevelAgent
from zermelo.arena.levels import at_level, level
from zermelo.arena.records import Ending, Record, write_record
from zermelo.cli.games import rules
from zermelo.cli.request import find_game
from zermelo.cli.terminal import StatusLine, has_colour, show_held_messages, style
from zermelo.cli.warmup import Warmup, quick_move
from zermelo.core.analysis import Analysis
from zermelo.core.errors import IllegalMove, UsageError, ZermeloError
from zermelo.core.game import CHANCE, Game
from zermelo.core.limit import Limit
from zermelo.core.outcome import describe_result
from zermelo.core.referee import Referee, table_for_agent
from zermelo.core.typed_moves import format_moves, read_move
from zermelo.draw import analysis_text, board_text, last_cells
from zermelo.draw.analyses import mixture_text
from zermelo.draw.wording import capitalise, prospects

HELP = """\
Type a move, as in {move}, and press Enter. The first letters are enough if only one move starts with them.
  moves      list the legal moves
  hint       suggest a move
  undo       take back your last move
  eval       show a value for every move
  position   show the position as text
  save       save the game to a file (save NAME chooses the file)
  resign     resign the game
  quit       leave the game"""


class Leave(Exception):
    """The player leaves the game."""


class Resign(Exception):
    """The player resigns."""


def play_game(spec: str, position: str, vs: str, at: str | None, seat: int, limit: Limit, seed: int | None) -> None:
    """Play a game until its end, or until the player leaves."""
    game = find_game(spec)
    vs = vs if at is None else at_level(vs, at)
    if not 0 <= seat <= game.players:
        raise UsageError(f"--as {seat} is not a seat of {game.name}; use 1 to {game.players}, or 0 to watch")
    game_seed = secrets.randbelow(1_000_000) if seed is None else seed
    opponents: list[Agent | None] = [None] * game.players
    if vs.strip().lower() != "human":
        opponent = agent(vs, limit, game_seed)
        opponent.require(game)
        opponents = [None if player == seat - 1 else opponent for player in range(game.players)]
    elif seat == 0:
        raise UsageError("--vs human gives every seat to a person; leave out --as")
    helper = AutoAgent(limit=DEFAULT_LIMIT if limit == Limit() else limit, seed=game_seed)
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - arrow keys and history at the prompt
    Session(game, Referee.at(game, position), opponents, helper, game_seed, spec).run()


class Session:
    """One game between people and agents at one terminal."""

    def __init__(
        self, game: Game, referee: Referee, opponents: list[Agent | None], helper: AutoAgent, seed: int, typed: str
    ) -> None:
        """`typed` is the game as the user typed it."""
        self.typed = typed
        self.game, self.referee, self.opponents, self.helper, self.seed = game, referee, opponents, helper, seed
        self.start = game.format_state(referee.state) if not referee.turns and referee.state != game.initial() else ""
        self.warmup = Warmup()
        self.record_ending: Ending = "unfinished"
        self.result: tuple[float, ...] | None = None

    def run(self) -> None:
        self._greet()
        for opponent in self.opponents:
            if opponent is not None:
                self.warmup.begin(opponent, self.referee)
        if None not in self.opponents:
            self._board()
        try:
            while not self.referee.is_over:
                self._turn()
        except (Leave, EOFError, KeyboardInterrupt):
            print("\nGood-bye.")
        except Resign:
            loser = self.referee.to_move
            self._end(f"{self.game.seat(loser)} resigns", "resigned")
        else:
            if None in self.opponents:
                self._board()
            self.result = self.referee.utilities()
            self._end(describe_result(self.game, self.result), "played")
        self._farewell()

    # -- turns -----------------------------------------------------------------------------------------

    def _turn(self) -> None:
        player = self.referee.to_move
        if player == CHANCE:
            self.referee.roll(random.Random(f"{self.seed}/dice/{len(self.referee.turns)}"))
            if not self._is_secret():
                print(f"The dice: {style(self.referee.turns[-1].text, '1')}")
            self._show_watchers()
        elif (opponent := self.opponents[player]) is not None:
            self._answer(player, opponent)
        else:
            self._ask(player)

    def _answer(self, player: int, opponent: Agent) -> None:
        """Let an agent move. Ctrl-C stops its search: it plays the best move so far, or the best one by evaluation."""
        try:
            self._get_ready(opponent, self._seat_name(player))
        except KeyboardInterrupt:
            action, how = quick_move(self.referee), " without a search: it is not ready yet"
        else:
            with StatusLine() as status:
                status.show(f"{self._seat_name(player)} is thinking …")
                try:
                    found = opponent.choose(table_for_agent(self.referee))
                except Resigned:
                    raise Resign from None
            if found.action is None:
                where = "" if self._is_secret() else f" in {self.game.format_state(self.referee.state)!r}"
                raise IllegalMove(f"{opponent.name} found no move{where}")
            action, how = found.action, ""
        self.referee.play(action)
        before, turn = self.referee.turns[-2:] if len(self.referee.turns) > 1 else (None, self.referee.turns[-1])
        is_again = before is not None and before.player == player
        if not (self._is_secret() and is_again):  # how often a player tries is hidden, too
            what = "has moved" if self._is_secret() else f"plays {style(turn.text, '1')}"
            print(f"{self._seat_name(player)} {what}{how}")
        self._show_watchers()

    def _show_watchers(self) -> None:
        """Show the board to people who only watch, once no more dice are to be rolled."""
        if None not in self.opponents and (self.referee.is_over or self.referee.to_move != CHANCE):
            self._board()

    def _ask(self, player: int) -> None:
        """Let a person move: read commands until there is a move."""
        self._board(player)
        while True:
            show_held_messages()
            text = input("Your move: " if self._is_alone() else f"{self._seat_name(player)}, your move: ").strip()
            if not text:
                print(f"Type a move, as in {format_moves(self.referee)[0]}, or help.")
                continue
            try:
                move = read_move(self.referee, text)
            except IllegalMove as error:
                word, _, rest = text.partition(" ")
                if (command := self._commands().get(word.lower())) is None:
                    print(error)
                elif command(rest.strip()):
                    return
            else:
                self.referee.play_text(move)
                return

    # -- commands; each returns whether the turn is over ---------------------------------------------------

    def _commands(self) -> dict[str, Callable[[str], bool]]:
        return {
            "help": self._help,
            "?": self._help,
            "moves": self._moves,
            "hint": self._hint,
            "undo": self._undo,
            "eval": self._eval,
            "position": self._position,
            "save": self._save,
            "resign": self._resign,
            "quit": self._quit,
            "exit": self._quit,
            "q": self._quit,
        }

    def _help(self, _rest: str) -> bool:
        self._rules()
        print(HELP.format(move=format_moves(self.referee)[0]))
        return False

    def _moves(self, _rest: str) -> bool:
        moves = format_moves(self.referee)
        if any(move[0].isdigit() for move in moves):
            print(_wrap("  ".join(moves)))
        else:
            print(_wrap("  ".join(f"{number}:{move}" for number, move in enumerate(moves, 1))))
            print("You can type the number too.")
        return False

    def _hint(self, _rest: str) -> bool:
        if (found := self._think()) is not None:
            mixture = mixture_text(found)
            promise = (
                f"an equilibrium plays {mixture}" if mixture else prospects(found, self.game, self.referee.to_move)
            )
            print(f"Hint: {style(str(found.best), '1')} - {promise}")
        return False

    def _eval(self, _rest: str) -> bool:
        if (found := self._think(lines=len(self.referee.legal()))) is not None:
            print(analysis_text(found, self.game))
        return False

    def _undo(self, _rest: str) -> bool:
        """Go back to the last turn of a person."""
        if not any(self._is_person(turn.player) for turn in self.referee.turns):
            print("You have no move to take back yet.")
            return False
        while not self._is_person(self.referee.undo().player):
            pass
        return True

    def _position(self, _rest: str) -> bool:
        if self._is_secret():
            print("The position includes what is hidden; it is shown when the game is over.")
            return False
        print(self.game.format_state(self.referee.state))
        if self.referee.turns and not self.start:
            print(f"moves: {self._line()}")
        return False

    def _save(self, rest: str) -> bool:
        if self._is_secret():
            print("A record would show what is hidden; the game can be saved when it is over.")
            return False
        name = rest or re.sub(r"[^a-z0-9]+", "-", self.game.spec().lower()).strip("-") + ".jsonl"
        try:
            write_record(Path(name).expanduser(), self._record())
        except ZermeloError as error:
            print(error)
        else:
            print(f"Saved in {name}.")
        return False

    def _resign(self, _rest: str) -> bool:
        raise Resign

    def _quit(self, _rest: str) -> bool:
        raise Leave

    # -- words -----------------------------------------------------------------------------------------

    def _greet(self) -> None:
        print(style(self.game.full_title(), "1"))
        self._rules()
        for player, opponent in enumerate(self.opponents):
            if opponent is not None:
                print(f"{self._seat_name(player)} is the computer ({self._describe(opponent)}).")
            elif self._is_alone():
                print(f"You are {self.game.seat(player)}.")
        if any(opponent is None for opponent in self.opponents):
            print("Commands: moves, hint, undo, help, quit.")

    def _describe(self, opponent: Agent) -> str:
        if isinstance(opponent, LevelAgent):
            return f"level {opponent.number}: {level(self.game, opponent.number).describe()}"
        return opponent.name

    def _rules(self) -> None:
        for sentence in rules(self.game):
            print(_wrap(sentence))

    def _board(self, player: int = CHANCE) -> None:
        """Show the board; while something is hidden, only what this player may see."""
        game, state = self.game, self.referee.state
        if self._is_secret():
            shown = board_text(game.view_picture(game.view(state, player), player), has_colour(sys.stdout))
        else:
            shown = board_text(game.picture(state), has_colour(sys.stdout), last_cells(self.referee))
        print(f"\n{shown}\n")

    def _is_secret(self) -> bool:
        """Whether something must stay hidden: people play a hidden game. Those who only watch may see everything."""
        return self.game.hidden and None in self.opponents and not self.referee.is_over

    def _end(self, verdict: str, ending: Ending) -> None:
        self.record_ending = ending
        print(style(f"{capitalise(verdict)}{self._cheer()}", "1"))

    def _cheer(self) -> str:
        """Praise for the one person at the table, if they won."""
        if self.result is None or not self._is_alone() or self.game.players == 1:
            return "."
        own, best = self.result[self.opponents.index(None)], max(self.result)
        return " - well done!" if own == best and self.result.count(best) == 1 else "."

    def _farewell(self) -> None:
        if self._is_secret() and self.record_ending == "unfinished":
            print("What is hidden stays hidden, because the game is not over.")
        elif self.referee.turns and not self.start:
            print(f"moves: {self._line()}")
            begun = " ".join(turn.text for turn in self.referee.turns[:2])
            print(f"To continue from any point: zermelo play {shlex.quote(self.typed)} 'moves: {begun}'")

    def _is_alone(self) -> bool:
        """Whether one person plays against agents."""
        return self.opponents.count(None) == 1

    def _seat_name(self, player: int) -> str:
        return capitalise(self.game.seat(player))

    def _is_person(self, player: int) -> bool:
        return player != CHANCE and self.opponents[player] is None

    def _think(self, lines: int = 1) -> Analysis | None:
        """Return the helper's analysis of this many moves; print the reason and return None if there is none."""
        try:
            self._get_ready(self.helper, "the hint")
        except KeyboardInterrupt:
            print("Not ready yet; try again in a moment.")
            return None
        with StatusLine() as status:
            status.show("thinking …")
            try:
                self.helper.lines = lines
                found = self.helper.choose(table_for_agent(self.referee))
            except ZermeloError as error:
                print(error)
                return None
        return found

    def _get_ready(self, agent: Agent, name: str) -> None:
        """Wait until the agent is compiled in the background."""
        with StatusLine() as status:
            status.show(f"{name} is getting ready …")
            self.warmup.wait(agent, self.referee, show_held_messages)

    def _line(self) -> str:
        return " ".join(turn.text for turn in self.referee.turns)

    def _record(self) -> Record:
        names = tuple(opponent.name if opponent is not None else "human" for opponent in self.opponents)
        return Record(
            game=self.game.spec(),
            agents=names,
            seats=tuple(range(self.game.players)),
            seed=self.seed,
            number=1,
            opening=0,
            moves=tuple(turn.text for turn in self.referee.turns),
            result=self.result,
            ending=self.record_ending,
            start=self.start,
        )


def _wrap(text: str) -> str:
    return textwrap.fill(text, min(shutil.get_terminal_size().columns, 80))
