"""A session: one game with all its branches, who sits where, and where in it the person is.

Every change is written to the store before it is made here, so that nobody hears of a move that could be lost.
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar
from weakref import WeakValueDictionary

from pydantic import ValidationError

from zermelo.core.errors import IllegalMove, Refused, UsageError
from zermelo.core.game import CHANCE, Game
from zermelo.core.referee import Referee
from zermelo.core.typed_moves import read_move
from zermelo.games.library.scoresheets import Reading, scoresheet_of
from zermelo.web.analysis_view import judge_payoffs
from zermelo.web.boards import position_of
from zermelo.web.catalogue import Catalogue
from zermelo.web.levels import LEVELS
from zermelo.web.messages import (
    MOST_MOVES,
    Judgement,
    NewSession,
    Player,
    Position,
    ScoresheetText,
    SessionState,
    TreeNode,
)
from zermelo.web.store import DAMAGED, Outdated, Store, StoredNode, StoredSession, StoredSheet
from zermelo.web.threads import TooLong

Result = TypeVar("Result")

MOST_NODES = 5_000
PATIENCE = 10.0
"""Seconds that somebody waits for another's change of the same session."""
KEPT = 256
"""Sessions that are kept in memory although nobody looks at them."""


@dataclass
class Node:
    """A move of the game; the root has none."""

    number: int
    parent: int | None
    move: str
    player: int
    next: int | None = None
    judgement: Judgement | None = None


class SessionLock:
    """Lets one thread in at a time; who has waited long is reason so, for rules of somebody's own may never end."""

    def __init__(self, game: Game) -> None:
        self._lock, self._game = threading.RLock(), game

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=PATIENCE):
            raise _still_at_work(self._game.name)

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _still_at_work(name: str) -> Refused:
    reason = f"the rules of {name} have been at work on one move for {PATIENCE:g} seconds"
    return Refused(f"{reason}; do they come to an end?")


class Session:
    """One game being played. Not for two threads at a time: take the lock."""

    def __init__(self, stored: StoredSession, catalogue: Catalogue, store: Store) -> None:
        self.id, self.key, self.options, self.start = stored.id, stored.game, stored.options, stored.start
        self.seed, self.current = stored.seed, stored.current
        self.dice: str = stored.dice
        self.players = [Player(**player) for player in stored.players]
        self.game: Game = catalogue.game(self.key, self.options)
        self.facts = catalogue.facts(self.key, self.options)
        self.lock = SessionLock(self.game)
        self.version = time.time_ns() // 1000
        """By the clock, so that it also grows from one run of the server to the next."""
        self.nodes = [_node(node) for node in stored.nodes]
        self.imported = stored.sheet
        self.note = ""
        """What of an imported scoresheet was left out; known until the session is loaded again."""
        self._store = store
        self._position: Position | None = None
        self._last: list[int] | None = None
        """The cells of the move that led here, if they are known."""
        for node in self.nodes[1:]:
            self.nodes[node.parent or 0].next = node.number
        for number in self.path(self.current):
            self._remember(number)
        self.referee = Referee.at(self.game, self.start)
        self._played: list[int] = []
        self._set_up(self.current)

    # -- looking -------------------------------------------------------------------------------------

    def path(self, number: int) -> list[int]:
        """The nodes from the first move to this one."""
        found = []
        node = self.node(number)
        while node.parent is not None:
            found.append(node.number)
            node = self.nodes[node.parent]
        return found[::-1]

    def node(self, number: int) -> Node:
        if not 0 <= number < len(self.nodes):
            raise UsageError(f"there is no node {number} in this game; its nodes are 0 to {len(self.nodes) - 1}")
        return self.nodes[number]

    def moves_to(self, number: int) -> list[str]:
        return [self.nodes[one].move for one in self.path(number)]

    def mover_at(self, number: int) -> int | None:
        """The agent's seat or CHANCE, if it is their turn at the node and the session is there; otherwise None."""
        with self.lock:
            if number != self.current or self.referee.is_over:
                return None
            mover = self.referee.to_move
            is_theirs = self.dice == "rolled" if mover == CHANCE else self.players[mover].agent is not None
            return mover if is_theirs else None

    def moves_for_analysis(self, number: int) -> list[str]:
        """The moves that lead to a node that a search may look at; Refused where that would tell what is hidden."""
        with self.lock:
            moves = self.moves_to(number)
            if self.game.hidden and not self.referee.is_over:
                raise Refused("what a search thinks would tell what is hidden; wait until the game is over")
            return moves

    def viewer(self) -> int | None:
        """The seat through whose eyes the page looks: a person's, the mover's if they are one."""
        people = [seat for seat, player in enumerate(self.players) if player.agent is None]
        if not self.referee.is_over and self.referee.to_move in people:
            return self.referee.to_move
        return people[0] if len(people) == 1 else None

    def position(self) -> Position:
        if self._position is None or self._position.node != self.current:
            self._position = position_of(self.referee, self.current, self.viewer(), self._last)
        return self._position

    def state(self) -> SessionState:
        """Everything the page shows; of a hidden game only what the viewer did."""
        is_secret = self.game.hidden and not self.referee.is_over
        viewer = self.viewer()
        return SessionState(
            id=self.id,
            version=self.version,
            game=self.facts,
            title=self.game.spec(),
            options=self.options,
            start=self.start,
            players=self.players,
            dice=self.dice,
            levels=[level.name for level in LEVELS],
            nodes=[
                TreeNode(
                    number=node.number,
                    parent=node.parent,
                    move="…" if is_secret and node.player != viewer else node.move,
                    player=node.player,
                    next=node.next,
                    judgement=None if is_secret else node.judgement,
                )
                for node in self.nodes
            ],
            current=self.current,
            position=self.position(),
            note=self.note,
        )

    def preview(self, number: int, moves: Sequence[str]) -> Position:
        """The position some moves after a node, without playing them; as far as they can be played."""
        with self.lock:
            referee = Referee.at(self.game, self.start)
            if self.game.hidden:
                raise Refused("what lies ahead is hidden in this game")
            if number == self.current:
                referee = self.referee.copy()
            else:
                referee.play_line(self.moves_to(number))
        for move in moves:
            if referee.is_over:
                break
            referee.play_text(move)
        return position_of(referee, number)

    def sheet(self) -> ScoresheetText:
        """The game so far in the form that its players use."""
        form = scoresheet_of(self.game)
        with self.lock:
            if form is None or (self.game.hidden and not self.referee.is_over):
                return ScoresheetText(name="", text="")
            return ScoresheetText(name=form.name, text=form.write(self.referee, self._reading()))

    def _reading(self) -> Reading | None:
        """What the imported scoresheet said of the line that is on the board; its result only at its end."""
        sheet = self.imported
        if sheet is None:
            return None
        return Reading(self.referee, sheet.headers, sheet.result if self.current == sheet.moves else "")

    # -- changing ------------------------------------------------------------------------------------

    def play(self, text: str, number: int | None = None) -> None:
        """Play a move, typed as a person would, at a node; a move that is not known there begins a branch."""
        with self.lock:
            if number is not None and number != self.current:
                self.go(number)
            known = self.position().board.touches
            if text in known:
                self._add(text, known[text])
            else:
                self._add(read_move(self.referee, text))

    def roll(self, number: int) -> bool:
        """Throw the dice if they are to be thrown at the node; a way that was once gone is gone again."""
        with self.lock:
            if self.mover_at(number) != CHANCE:  # somebody else was faster
                return False
            game, state = self.game, self.referee.state
            actions, chances = zip(*game.outcomes(state), strict=True)
            luck = random.Random(f"{self.seed}/dice/{self.current}")
            self._add(game.format_action(state, luck.choices(actions, chances)[0]))
            return True

    def go(self, number: int) -> None:
        """To a node of the tree."""
        with self.lock:
            self.node(number)
            if number != self.current:
                self._store.go(self.id, number)
                self._set_up(number)

    def sit(self, players: list[Player], dice: Literal["rolled", "chosen"]) -> None:
        """Who sits where from now on."""
        with self.lock:
            seated = check_players(players, self)
            self._refuse_peeking(seated)
            self._store.seat(self.id, [player.model_dump() for player in seated], dice)
            self.players, self.dice, self._position = seated, dice, None
            self.version += 1

    def _refuse_peeking(self, players: list[Player]) -> None:
        """While something is hidden nobody may sit down where others have been dealt cards."""
        is_secret = self.game.hidden and len(self.nodes) > 1 and not self.referee.is_over
        newcomers = [seat for seat, player in enumerate(players) if player.agent is None and self.players[seat].agent]
        if is_secret and newcomers:
            raise Refused("a person who sat down there now would see what is hidden; begin a new game")

    def judge(self, number: int, judgement: Judgement) -> None:
        """Remember what a search thinks of a node; a proof is never replaced by a guess."""
        with self.lock:
            before = self.node(number).judgement
            if before is not None and before.kind == "exact" and judgement.kind != "exact":
                return
            self._store.judge(self.id, number, judgement.model_dump())
            self.nodes[number].judgement = judgement

    def judge_end(self) -> None:
        """Where the game is over, everybody knows what it is worth."""
        if self.referee.is_over:
            self.judge(self.current, judge_payoffs(self.game, self.referee.utilities()))

    def _add(self, move: str, touched: list[int] | None = None) -> None:
        known = next((node for node in self.nodes if node.parent == self.current and node.move == move), None)
        if known is not None:
            self.go(known.number)
            return
        if len(self.nodes) >= MOST_NODES:
            raise Refused(f"this game has {MOST_NODES:,} moves with all its branches, and no more are kept; begin anew")
        mover, parent, number = self.referee.to_move, self.current, len(self.nodes)
        self.referee.play_text(move)
        try:
            self._store.add(self.id, StoredNode(number, parent, move, mover))
        except BaseException:
            self.referee.undo()
            raise
        self.nodes.append(Node(number, parent, move, mover))
        self._played.append(number)
        self._arrive(number)
        self._last = touched
        self.judge_end()

    def _set_up(self, number: int) -> None:
        """Undo and play until the board shows the node."""
        wanted = self.path(number)
        shared = next((k for k, (a, b) in enumerate(zip(self._played, wanted, strict=False)) if a != b), None)
        shared = min(len(self._played), len(wanted)) if shared is None else shared
        while len(self._played) > shared:
            self.referee.undo()
            self._played.pop()
        for one in wanted[shared:]:
            self.referee.play_text(self.nodes[one].move)
            self._played.append(one)
        self._arrive(number)

    def _arrive(self, number: int) -> None:
        self.current, self._position, self._last = number, None, None
        self.version += 1
        self._remember(number)

    def _remember(self, number: int) -> None:
        parent = self.nodes[number].parent
        if parent is not None:
            self.nodes[parent].next = number


def check_players(players: list[Player], session: Session) -> list[Player]:
    """The players; UsageError if they are too few, too many, or one of them cannot play the game."""
    game = session.game
    if len(players) != game.players:
        raise UsageError(f"{game.name} has {game.players} seats, and {len(players)} players were named")
    for player in players:
        if player.agent is not None and player.agent not in session.facts.agents:
            raise UsageError(f"{player.agent} cannot play {game.name}; choose {', '.join(session.facts.agents)}")
    return players


def _node(stored: StoredNode) -> Node:
    judgement = Judgement(**stored.judgement) if stored.judgement else None
    parent = None if stored.parent < 0 else stored.parent
    return Node(stored.number, parent, stored.move, stored.player, judgement=judgement)


class Sessions:
    """All sessions: those in memory, and those in the store."""

    def __init__(self, catalogue: Catalogue, store: Store) -> None:
        self.catalogue, self.store = catalogue, store
        self._live: WeakValueDictionary[str, Session] = WeakValueDictionary()
        """All that are in use somewhere: there are never two objects of one session that both write."""
        self._kept: OrderedDict[str, Session] = OrderedDict()
        self._loading: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def create(self, wanted: NewSession) -> Session:
        """A new game; errors say what is wrong with the request."""
        game = self.catalogue.game(wanted.game, wanted.options)
        options, start = dict(wanted.options), wanted.position.strip()
        sheet, note = None, ""
        if wanted.scoresheet.strip():
            reading = _read_scoresheet(game, wanted)
            referee, note = reading.referee, reading.note
            options, start = referee.game.chosen_options(), _start_of(referee)
            sheet = StoredSheet(len(referee.turns), dict(reading.headers), reading.result)
        else:
            referee = _replay(game, wanted)
        nodes = [StoredNode(0, -1, "", CHANCE)]
        nodes += [StoredNode(one, one - 1, turn.text, turn.player) for one, turn in enumerate(referee.turns, 1)]
        players = wanted.players or _usual_players(game, wanted.level)
        stored = StoredSession(
            secrets.token_urlsafe(12),
            wanted.game,
            options,
            start,
            secrets.randbelow(1 << 30),
            [player.model_dump() for player in players],
            wanted.dice,
            len(nodes) - 1,
            nodes,
            sheet,
        )
        session = Session(stored, self.catalogue, self.store)
        session.note = note
        check_players(players, session)
        self.store.create(stored)
        session.judge_end()
        with self._lock:
            self._keep(session)
        return session

    def get(self, name: str) -> Session:
        """The session; UsageError if it is not known. Who loads one makes only those wait who want the same."""
        with self._lock:
            if (session := self._live.get(name)) is not None:
                self._keep(session)
                return session
            loading = self._loading.setdefault(name, threading.Lock())
        if not loading.acquire(timeout=PATIENCE):
            raise _still_at_work("this game")
        try:
            with self._lock:
                session = self._live.get(name)
            if session is None:
                session = self._load(name)
            with self._lock:
                session = self._live.get(name, session)  # never two objects of one session
                self._keep(session)
            return session
        finally:
            with self._lock:
                self._loading.pop(name, None)
            loading.release()

    def change(self, name: str, work: Callable[[Session], Result]) -> Result:
        """The result of `work` on the session; if another server has changed it meanwhile, of the session as it is now.

        A session whose rules were interrupted is loaded anew: what it holds may be half done.
        """
        session = self.get(name)
        try:
            with session.lock:
                self.store.require_same(session.id, session.current, len(session.nodes) - 1)
                return work(session)
        except Outdated:
            self._drop(session)
        except TooLong:
            self._drop(session)
            raise
        session = self.get(name)
        with session.lock:
            return work(session)

    def delete(self, name: str) -> None:
        with self._lock:
            self._kept.pop(name, None)
            self._live.pop(name, None)
        self.store.delete(name)

    def _load(self, name: str) -> Session:
        stored = self.store.load(name)
        if stored is None:
            raise UnknownSession("this game is not known here any more; begin a new one")
        try:
            session = Session(stored, self.catalogue, self.store)
        except ValidationError:
            raise Refused(DAMAGED) from None
        if len(session.players) != session.game.players:
            raise Refused(DAMAGED)
        return session

    def _keep(self, session: Session) -> None:
        """With the lock taken."""
        self._live[session.id] = self._kept[session.id] = session
        self._kept.move_to_end(session.id)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def _drop(self, session: Session) -> None:
        with self._lock:
            if self._live.get(session.id) is session:
                del self._live[session.id]
            if self._kept.get(session.id) is session:
                del self._kept[session.id]


class UnknownSession(UsageError):
    """There is no such session."""


def _replay(game: Game, wanted: NewSession) -> Referee:
    """The game after the moves that are to be played from the position."""
    if wanted.position.strip().startswith("moves:"):
        raise UsageError("moves go into the field of that name; a position is the game's own text")
    referee = Referee.at(game, wanted.position)
    for number, move in enumerate(wanted.moves, 1):
        try:
            referee.play_text(_parse_typed_move(referee, move))
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from None
    return referee


def _read_scoresheet(game: Game, wanted: NewSession) -> Reading:
    """The game of a scoresheet, at its end."""
    form = scoresheet_of(game)
    if form is None:
        raise UsageError(f"{game.name} has no scoresheet that can be read; give a position or moves")
    if wanted.position.strip() or wanted.moves:
        raise UsageError("a scoresheet has its own position and moves; leave the others out")
    reading = form.read_whole(game, wanted.scoresheet)
    if (count := len(reading.referee.turns)) > MOST_MOVES:
        raise UsageError(f"this game has {count} moves, and the page takes at most {MOST_MOVES}")
    return reading


def _start_of(referee: Referee) -> str:
    """Where the game began, as text; nothing if that is where every game does."""
    game = referee.game
    return "" if referee.start == game.initial() else game.format_state(referee.start)


def _parse_typed_move(referee: Referee, text: str) -> str:
    """The move that a text means; most are written as the game writes them, which is found out at once."""
    try:
        referee.game.parse_action(referee.state, text)
    except IllegalMove:
        return read_move(referee, text)
    return text


def _usual_players(game: Game, level: int) -> list[Player]:
    """A person first, then the computer."""
    return [Player(), *(Player(agent="auto", level=level) for _ in range(game.players - 1))]
