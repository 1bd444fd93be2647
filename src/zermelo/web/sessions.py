"""A session: one game with all its branches, its players and its current node.

Every change is stored before it is made here, so a move that was acknowledged is never lost.
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
"""Seconds that a request waits for another one to change the same session."""
KEPT = 256
"""Sessions that are kept in memory although they are not in use."""


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
    """A lock that raises Refused after `PATIENCE` seconds, since a user's rules may never end."""

    def __init__(self, game: Game) -> None:
        self._lock, self._game = threading.RLock(), game

    def __enter__(self) -> None:
        if not self._lock.acquire(timeout=PATIENCE):
            raise _still_at_work(self._game.name)

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def _still_at_work(name: str) -> Refused:
    return Refused(f"the rules of {name} have been running for {PATIENCE:g} seconds; they may never end")


class Session:
    """One game. It is not thread-safe: take the lock."""

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
        """What was left out of an imported scoresheet; lost when the session is loaded again."""
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

    # -- reading -------------------------------------------------------------------------------------

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
        """The agent's seat or CHANCE if it moves at this node and the node is the current one; otherwise None."""
        with self.lock:
            if number != self.current or self.referee.is_over:
                return None
            mover = self.referee.to_move
            is_theirs = self.dice == "rolled" if mover == CHANCE else self.players[mover].agent is not None
            return mover if is_theirs else None

    def moves_for_analysis(self, number: int) -> list[str]:
        """The moves that lead to a node for a search; Refused if the search would reveal hidden information."""
        with self.lock:
            moves = self.moves_to(number)
            if self.game.hidden and not self.referee.is_over:
                raise Refused("an analysis would reveal what is hidden; wait until the game is over")
            return moves

    def viewer(self) -> int | None:
        """The seat whose view the page shows: the mover's if it is a person, or the only person's."""
        people = [seat for seat, player in enumerate(self.players) if player.agent is None]
        if not self.referee.is_over and self.referee.to_move in people:
            return self.referee.to_move
        return people[0] if len(people) == 1 else None

    def position(self) -> Position:
        if self._position is None or self._position.node != self.current:
            self._position = position_of(self.referee, self.current, self.viewer(), self._last)
        return self._position

    def state(self) -> SessionState:
        """Everything the page shows; with hidden information only the viewer's own moves."""
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
        """The position some moves after a node, without playing them; up to the end of the game."""
        with self.lock:
            referee = Referee.at(self.game, self.start)
            if self.game.hidden:
                raise Refused("a preview would reveal what is hidden in this game")
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
        """The game so far in its standard notation."""
        form = scoresheet_of(self.game)
        with self.lock:
            if form is None or (self.game.hidden and not self.referee.is_over):
                return ScoresheetText(name="", text="")
            return ScoresheetText(name=form.name, text=form.write(self.referee, self._reading()))

    def _reading(self) -> Reading | None:
        """The headers of the imported scoresheet, and its result if the current node is its end."""
        sheet = self.imported
        if sheet is None:
            return None
        return Reading(self.referee, sheet.headers, sheet.result if self.current == sheet.moves else "")

    # -- changing ------------------------------------------------------------------------------------

    def play(self, text: str, number: int | None = None) -> None:
        """Play a move, as typed by a person, at a node; a new move starts a branch."""
        with self.lock:
            if number is not None and number != self.current:
                self.go(number)
            known = self.position().board.touches
            if text in known:
                self._add(text, known[text])
            else:
                self._add(read_move(self.referee, text))

    def roll(self, number: int) -> bool:
        """Roll the dice if chance moves at the node; the same node always gives the same roll."""
        with self.lock:
            if self.mover_at(number) != CHANCE:  # another request was faster
                return False
            game, state = self.game, self.referee.state
            actions, chances = zip(*game.outcomes(state), strict=True)
            luck = random.Random(f"{self.seed}/dice/{self.current}")
            self._add(game.format_action(state, luck.choices(actions, chances)[0]))
            return True

    def go(self, number: int) -> None:
        """Go to a node of the tree."""
        with self.lock:
            self.node(number)
            if number != self.current:
                self._store.go(self.id, number)
                self._set_up(number)

    def sit(self, players: list[Player], dice: Literal["rolled", "chosen"]) -> None:
        """Set the players from now on."""
        with self.lock:
            seated = check_players(players, self)
            self._refuse_peeking(seated)
            self._store.seat(self.id, [player.model_dump() for player in seated], dice)
            self.players, self.dice, self._position = seated, dice, None
            self.version += 1

    def _refuse_peeking(self, players: list[Player]) -> None:
        """Refuse a person at a seat that an agent had while something is hidden."""
        is_secret = self.game.hidden and len(self.nodes) > 1 and not self.referee.is_over
        newcomers = [seat for seat, player in enumerate(players) if player.agent is None and self.players[seat].agent]
        if is_secret and newcomers:
            raise Refused("a person at this seat would now see what is hidden; start a new game")

    def judge(self, number: int, judgement: Judgement) -> None:
        """Store the judgement of a node; an estimate never replaces a proof."""
        with self.lock:
            before = self.node(number).judgement
            if before is not None and before.kind == "exact" and judgement.kind != "exact":
                return
            self._store.judge(self.id, number, judgement.model_dump())
            self.nodes[number].judgement = judgement

    def judge_end(self) -> None:
        """If the game is over, store its result as the judgement."""
        if self.referee.is_over:
            self.judge(self.current, judge_payoffs(self.game, self.referee.utilities()))

    def _add(self, move: str, touched: list[int] | None = None) -> None:
        known = next((node for node in self.nodes if node.parent == self.current and node.move == move), None)
        if known is not None:
            self.go(known.number)
            return
        if len(self.nodes) >= MOST_NODES:
            raise Refused(f"this game has reached the limit of {MOST_NODES:,} moves with all branches; start a new one")
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
        """Undo and replay moves until the node is reached."""
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
    """Return the players; UsageError if their number is wrong or one of them cannot play the game."""
    game = session.game
    if len(players) != game.players:
        raise UsageError(f"{game.name} needs {game.players} players, not {len(players)}")
    for player in players:
        if player.agent is not None and player.agent not in session.facts.agents:
            raise UsageError(f"{player.agent} cannot play {game.name}; choose {', '.join(session.facts.agents)}")
    return players


def _node(stored: StoredNode) -> Node:
    judgement = Judgement(**stored.judgement) if stored.judgement else None
    parent = None if stored.parent < 0 else stored.parent
    return Node(stored.number, parent, stored.move, stored.player, judgement=judgement)


class Sessions:
    """All sessions, in memory and in the store."""

    def __init__(self, catalogue: Catalogue, store: Store) -> None:
        self.catalogue, self.store = catalogue, store
        self._live: WeakValueDictionary[str, Session] = WeakValueDictionary()
        """All sessions in use: there are never two objects of one session."""
        self._kept: OrderedDict[str, Session] = OrderedDict()
        self._loading: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def create(self, wanted: NewSession) -> Session:
        """Create a session; errors say what is wrong with the request."""
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
        """Return the session; UsageError if it is unknown. Loading blocks only requests for the same session."""
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
        """Run `work` on the session and return its result; reload the session first if another server has changed it.

        A session whose rules were interrupted is loaded again, since its state may be incomplete.
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
            raise UnknownSession("this game no longer exists; start a new one")
        try:
            session = Session(stored, self.catalogue, self.store)
        except ValidationError:
            raise Refused(DAMAGED) from None
        if len(session.players) != session.game.players:
            raise Refused(DAMAGED)
        return session

    def _keep(self, session: Session) -> None:
        """Keep the session in memory; the caller holds the lock."""
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
    """Set up the position and play the moves."""
    if wanted.position.strip().startswith("moves:"):
        raise UsageError("send moves in the field `moves`; a position is the game's own text")
    referee = Referee.at(game, wanted.position)
    for number, move in enumerate(wanted.moves, 1):
        try:
            referee.play_text(_parse_typed_move(referee, move))
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from None
    return referee


def _read_scoresheet(game: Game, wanted: NewSession) -> Reading:
    """Read the game of a scoresheet."""
    form = scoresheet_of(game)
    if form is None:
        raise UsageError(f"{game.name} has no notation for whole games; give a position or moves")
    if wanted.position.strip() or wanted.moves:
        raise UsageError("a scoresheet has its own position and moves; leave out the others")
    reading = form.read_whole(game, wanted.scoresheet)
    if (count := len(reading.referee.turns)) > MOST_MOVES:
        raise UsageError(f"this game has {count} moves; the page accepts at most {MOST_MOVES}")
    return reading


def _start_of(referee: Referee) -> str:
    """The start of the game as text; "" for the usual start."""
    game = referee.game
    return "" if referee.start == game.initial() else game.format_state(referee.start)


def _parse_typed_move(referee: Referee, text: str) -> str:
    """Return the move in the game's notation; most texts are in it already, which is quick to check."""
    try:
        referee.game.parse_action(referee.state, text)
    except IllegalMove:
        return read_move(referee, text)
    return text


def _usual_players(game: Game, level: int) -> list[Player]:
    """A person at the first seat, the computer at the others."""
    return [Player(), *(Player(agent="auto", level=level) for _ in range(game.players - 1))]
