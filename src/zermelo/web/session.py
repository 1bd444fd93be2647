"""A session: one game with all its branches, its players and its current node.

Every change is stored before it is made here, so a move that was acknowledged is never lost.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from zermelo.arena.review import SLIPS
from zermelo.core.errors import IllegalMove, Refused, UsageError
from zermelo.core.game import CHANCE, Game
from zermelo.core.referee import Referee
from zermelo.core.typed_moves import read_move
from zermelo.draw.wording import capitalise
from zermelo.games.library.scoresheets import form_of, has_own_form
from zermelo.web.analysis_view import judge_payoffs, summarise
from zermelo.web.boards import position_of
from zermelo.web.branches import line_to
from zermelo.web.catalogue import Catalogue
from zermelo.web.game_clock import GameClock
from zermelo.web.game_tree import GameTree, Node
from zermelo.web.messages import (
    ClockSettings,
    ClockState,
    Judged,
    Judgement,
    Moved,
    Player,
    Position,
    ScoresheetText,
    Seated,
    SessionState,
    Slip,
    TreeNode,
    Went,
)
from zermelo.web.seat_orders import seat_order
from zermelo.web.session_lock import SessionLock
from zermelo.web.store import Store, StoredClock, StoredNode, StoredSession

MOST_NODES = 5_000
REVEALED = "the end has shown what was hidden, so no other moves are played here; start a new game"


@dataclass
class Changes:
    """What changed in a session, for its pages."""

    added: int | None = None
    visited: list[int] = field(default_factory=list)
    judged: list[int] = field(default_factory=list)
    is_tried: bool = False
    """Whether a person made a move that no other person can notice."""
    is_seated: bool = False
    is_out_of_time: bool = False


@dataclass(frozen=True)
class Turn:
    """An agent or the dice are to move at the current node."""

    node: int
    player: Player | None
    """None means the dice."""
    is_last: bool
    """Whether no move follows; otherwise the game was taken back, and nothing moves by itself."""
    is_after_roll: bool

    def is_same(self, other: Turn | None) -> bool:
        """Whether the same player moves at the same node."""
        return other is not None and (self.node, self.player) == (other.node, other.player)


@dataclass(frozen=True)
class Standing:
    """What the server needs to know about a session after each change."""

    node: int
    turn: Turn | None
    can_analyse: bool
    has_people: bool
    curtain: int | None = None
    """The seat whose view is covered (see `Session.curtain`)."""
    tries: int = 0
    """How many moves of the person to move nobody else can notice; of an agent's they are a secret."""
    clock: ClockState | None = field(default=None, compare=False)
    may_clock_run: bool = False

    @property
    def place(self) -> tuple[int, int]:
        """What an analysis belongs to."""
        return self.node, self.tries


class Session:
    """One game. It is not thread-safe: take the lock."""

    def __init__(self, stored: StoredSession, catalogue: Catalogue, store: Store) -> None:
        self.id, self.key, self.options, self.start = stored.id, stored.game, stored.options, stored.start
        self.seed, self.current = stored.seed, stored.current
        self.dice: Literal["rolled", "chosen"] = stored.dice
        self.players = [Player(**player) for player in stored.players]
        self.game: Game = catalogue.game(self.key, self.options)
        self.facts = catalogue.facts(self.key, self.options)
        self.lock = SessionLock(self.game.name)
        self.changes = Changes()
        """Since the changes were taken last."""
        self.tree = GameTree(_node(node) for node in stored.nodes)
        self.imported = stored.sheet
        self.note = ""
        """What was left out of an imported scoresheet, or that the rules are new; it is not stored."""
        self.clock = _clock(stored.clock)
        self._may_clock_run = False
        """Whether a page is open and there is no pause."""
        self._store = store
        self._position: Position | None = None
        self._last: list[int] | None = None
        """The cells of the move that led here, if they are known."""
        for number in self.tree.path(self.current):
            self.tree.visit(number)
        self.referee = Referee.at(self.game, self.start)
        self._played: list[int] = []
        self._is_revealed = self.game.hidden and self._has_end()
        """Whether a line of a game with hidden information has reached its end, where everything is shown."""
        self._tries: list[str] = []
        """An agent's moves that no person can notice, after the current node; they are stored with the next move."""
        self._set_up(self.current)
        self.changes = Changes()
        self._seen = self._sight()

    # -- reading -------------------------------------------------------------------------------------

    @property
    def nodes(self) -> list[Node]:
        return self.tree.nodes

    @property
    def is_over(self) -> bool:
        """Whether the game is over at the current node, by its rules or because the time of a side is up."""
        return self.referee.is_over or self._is_lost_on_time()

    def _is_lost_on_time(self) -> bool:
        return self.clock is not None and self.clock.lost_at == self.current

    def mover_at(self, number: int) -> int | None:
        """The agent's seat or CHANCE if it moves at this node and the node is the current one; otherwise None."""
        with self.lock:
            if number != self.current or self.is_over:
                return None
            mover = self.referee.to_move
            is_theirs = self.dice == "rolled" if mover == CHANCE else self.players[mover].agent is not None
            return mover if is_theirs else None

    def standing(self) -> Standing:
        """Whose turn it is, and what else the server needs to know."""
        with self.lock:
            node, mover, is_over = self.nodes[self.current], self.mover_at(self.current), self.is_over
            turn = None
            if mover is not None:
                player = None if mover == CHANCE else self.players[mover]
                is_after_roll = node.parent is not None and node.player == CHANCE
                turn = Turn(node.number, player, node.next is None, is_after_roll)
            can_analyse = not is_over and (self._sees_turn() if self.game.hidden else self.referee.to_move != CHANCE)
            has_people = any(player.agent is None for player in self.players)
            clock = None if self.clock is None else self.clock.state()
            tries = len(self._tries) if mover is None else 0
            return Standing(
                node.number, turn, can_analyse, has_people, self.curtain(), tries, clock, self._may_clock_run
            )

    def _sees_turn(self) -> bool:
        """Whether it is the turn of the seat whose view the page shows."""
        return self.viewer(self.curtain()) == self.referee.to_move

    def is_person(self, seat: int) -> bool:
        return seat != CHANCE and self.players[seat].agent is None

    def unjudged(self) -> list[int]:
        """The nodes of the line that a review analyses: those without a judgement where a player chooses."""
        line = self.tree.line_through(self.current)
        is_rolled = [node.next is not None and self.nodes[node.next].player == CHANCE for node in line]
        return [node.number for node, rolled in zip(line, is_rolled, strict=True) if not (node.judgement or rolled)]

    def moves_for_analysis(self, number: int) -> list[str]:
        """The moves that lead to a node for a search; Refused if the search would reveal hidden information."""
        with self.lock:
            moves = self.moves_to(number)
            if self.game.hidden and not self.referee.is_over:
                raise Refused("an analysis would reveal what is hidden; wait until the game is over")
            return moves

    def seat_order(self, number: int, lifted: int | None = None) -> dict[str, Any]:
        """What a search may know at the current node, where something is hidden: what the person to move has seen."""
        with self.lock:
            if number != self.current:
                raise Refused("while something is hidden, only the current position is analysed; go there first")
            seat = self.viewer(lifted)
            if seat is None:
                raise Refused("an analysis would reveal what is hidden; wait until the game is over")
            return {"game": self.key, "options": self.options, **seat_order(self.referee.seat(seat))}

    def finished_line(self, number: int) -> list[str]:
        """The moves that lead to the end of a game with hidden information; Refused before the end."""
        with self.lock:
            if not self.game.hidden:
                raise Refused(f"in {self.facts.title} nothing is hidden; the review judges its moves")
            if not self.referee.is_over or number != self.current:
                raise Refused("the costs of decisions are shown when the game is over")
            if self.start:
                raise Refused("this game did not begin at its start, so what the players have seen is not known")
            return self.moves_to(number)

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, player in enumerate(self.players) if player.agent is None]

    def is_shared(self) -> bool:
        """Whether several people play a game in which something is hidden, and the end has not shown it yet."""
        return self.game.hidden and len(self.people) > 1 and not self.referee.is_over and not self._is_revealed

    def curtain(self) -> int | None:
        """The person to move, if other people at the page must not see what this one sees."""
        return self.referee.to_move if self.is_shared() and self.referee.to_move in self.people else None

    def viewer(self, lifted: int | None = None) -> int | None:
        """The seat whose view the page shows: the mover's if it is a person, or the only person's.

        If several people share what is hidden, it is nobody's until the mover has lifted the curtain.
        """
        people, curtain = self.people, self.curtain()
        if curtain is not None:
            return curtain if lifted == curtain else None
        if not self.referee.is_over and self.referee.to_move in people:
            return self.referee.to_move
        return people[0] if len(people) == 1 else None

    def position(self, lifted: int | None = None) -> Position:
        """The position as the page shows it; `lifted` is the seat whose player has lifted the curtain."""
        if lifted is not None and lifted == self.curtain():
            return position_of(self.referee, self.current, lifted)
        if self._position is None or self._position.node != self.current:
            position = position_of(self.referee, self.current, self.viewer(), self._last)
            self._position = self._lost_on_time(position) if self._is_lost_on_time() else position
        return self._position

    def _lost_on_time(self, position: Position) -> Position:
        """The same position with the game over."""
        assert self.clock is not None
        assert self.clock.loser is not None
        outcome = capitalise(f"{self.game.seat(1 - self.clock.loser)} wins on time")
        board = position.board.model_copy(update={"touches": {}, "aliases": {}})
        over = {"to_move": CHANCE, "mover": "", "is_over": True, "outcome": outcome, "moves": [], "odds": {}}
        return position.model_copy(update={**over, "board": board})

    def state(self, lifted: int | None = None) -> SessionState:
        """Everything the page shows; with hidden information only the viewer's own moves."""
        is_secret = self.game.hidden and not self.referee.is_over
        viewer, curtain = self.viewer(lifted), self.curtain()
        return SessionState(
            id=self.id,
            game=self.facts,
            title=self.game.full_title(),
            options=self.options,
            start=self.start,
            players=self.players,
            dice=self.dice,
            levels=self.facts.levels,
            nodes=[_tree_node(node, is_secret, viewer) for node in self.nodes],
            current=self.current,
            position=self.position(lifted),
            slips=[Slip(least=slip.least, sign=slip.glyph, word=slip.name) for slip in SLIPS],
            clock=None if self.clock is None else self.clock.state(),
            curtain=None if curtain == lifted else curtain,
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
                referee.play_line(self.tree.moves_to(number))
        for move in moves:
            if referee.is_over:
                break
            referee.play_text(move)
        return position_of(referee, number)

    def sheet(self) -> ScoresheetText:
        """The game so far in its standard notation."""
        form = form_of(self.game)
        with self.lock:
            if not has_own_form(self.game) or (self.game.hidden and not self.referee.is_over):
                return ScoresheetText(name="", text="")
            headers, result = {}, ""
            if self.imported is not None:  # its result counts at its end only
                headers = self.imported.headers
                result = self.imported.result if self.current == self.imported.moves else ""
            sheet = form.sheet(self.referee, headers, result)
            return ScoresheetText(
                name=form.name, text=form.write(replace(sheet, line=line_to(self.tree, self.current)))
            )

    # -- events --------------------------------------------------------------------------------------

    def take_events(self) -> list[tuple[str, Moved | Went | Seated | Judged]] | None:
        """What changed since the last time, as events for the pages; None if they need the whole state.

        With hidden information that is so if another seat looks, if the end reveals everything, and after every change
        that several people share: pages that have lifted it and those that have not see different things.
        """
        with self.lock:
            changes, self.changes = self.changes, Changes()
            seen, self._seen = self._seen, self._sight()
            if seen != self._seen or (changes != Changes() and self.is_shared()):
                return None
            found: list[tuple[str, Moved | Went | Seated | Judged]] = []
            if changes.is_seated:
                found.append(("seated", Seated(players=self.players, dice=self.dice, position=self.position())))
            if changes.visited:
                visited, current, position = changes.visited, self.current, self.position()
                if changes.added is None:
                    found.append(("went", Went(visited=visited, current=current, position=position)))
                else:
                    node = _tree_node(self.nodes[changes.added], *self._seen)
                    found.append(("moved", Moved(node=node, visited=visited, current=current, position=position)))
            elif changes.is_out_of_time:
                found.append(("went", Went(visited=[], current=self.current, position=self.position())))
            is_secret, _ = self._seen
            for number in changes.judged:
                judgement = self.nodes[number].judgement
                if number != changes.added and judgement is not None and not is_secret:
                    found.append(("judged", Judged(node=number, judgement=judgement)))
            return found

    def _sight(self) -> tuple[bool, int | None]:
        """Whether something is hidden now, and from whom."""
        if not self.game.hidden:
            return False, None
        return not self.referee.is_over, self.viewer()

    # -- changing ------------------------------------------------------------------------------------

    def play(self, text: str, number: int | None = None) -> None:
        """Play a move, as typed by a person, at a node; a new move starts a branch."""
        with self.lock:
            if number is not None and number != self.current:
                self.go(number)
            self._refuse_hidden_turn()
            try:
                self._play(text)
            except IllegalMove:
                if self.curtain() is None:
                    raise
                raise Refused("this move is not legal here") from None  # the legal ones are behind the curtain

    def _play(self, text: str) -> None:
        if self._is_lost_on_time() or self.lose_on_time():
            raise Refused(f"the game is over: {self.position().outcome}; go back to play on without a clock")
        known = self.position().board.touches
        move = text if text in known else read_move(self.referee, text)
        if self._is_unseen(move):
            self._try(move)
        else:
            self._add(move, known.get(text))

    def _refuse_hidden_turn(self) -> None:
        """Refuse to make a hidden move of an agent or of the dice: the legal ones may show what is hidden."""
        if self.game.hidden and not self.referee.is_over and not self.is_person(self.referee.to_move):
            mover = self.game.seat(self.referee.to_move)
            raise Refused(f"the moves of {mover} are hidden here; wait until it has moved")

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

    def answer(self, turn: Turn, found: dict[str, Any]) -> None:
        """Play an agent's move, unless it is no longer that agent's turn."""
        with self.lock:
            if not turn.is_same(self.standing().turn):
                return
            if found["chance"] is not None and found["kind"] == "exact":  # the estimate of a weak agent is not stored
                self.judge(turn.node, summarise(found))
            self._play(found["best"])

    def _try(self, move: str) -> None:
        """Make a move that nobody else can notice; it is stored with the move that ends the turn."""
        if self._is_revealed:
            raise Refused(REVEALED)
        is_person = self.is_person(self.referee.to_move)
        self.referee.play_text(move)
        self._tries.append(move)
        if is_person:
            self._position, self.changes.is_tried = None, True

    def _is_unseen(self, move: str) -> bool:
        """Whether no other person can notice a move after which the same player is to move: a try that failed.

        Such moves are one node of the tree together with the move that ends the turn, because their number is a secret.
        """
        mover = self.referee.to_move
        people = [seat for seat in self.people if seat != mover] if self.game.hidden else []
        if not people:
            return False
        before, after = self.referee.state, self.referee.copy()
        after.play_text(move)
        if after.is_over or after.to_move != mover:
            return False
        return all(self.game.view(before, seat) == self.game.view(after.state, seat) for seat in people)

    def moves_to(self, number: int) -> list[str]:
        """The moves that lead to a node; at the current one, with an agent's moves that no person has noticed."""
        moves = [move for one in self.tree.path(number) for move in self._moves_of(one)]
        return moves + (self._tries if number == self.current else [])

    def _moves_of(self, number: int) -> list[str]:
        """The moves of a node: several if an agent has made some that no person has noticed."""
        move = self.nodes[number].move
        return move.split() if self.game.hidden else [move]

    def undo(self) -> None:
        """Go back to the last turn of a person, or to the start."""
        with self.lock:
            node = self.nodes[self.current]
            while node.parent is not None and not self.is_person(node.player):
                node = self.nodes[node.parent]
            self.go(node.parent or 0)

    def redo(self) -> None:
        """Go forward to the next turn of a person, or to the end of the line."""
        with self.lock:
            number = self.nodes[self.current].next
            while number is not None:
                after = self.nodes[number].next
                if after is None or self.is_person(self.nodes[after].player):
                    self.go(number)
                    return
                number = after

    def go(self, number: int) -> None:
        """Go to a node of the tree."""
        with self.lock:
            self.tree.node(number)
            if number != self.current:
                self._store.go(self.id, number)
                self._set_up(number)

    def sit(self, players: list[Player], dice: Literal["rolled", "chosen"]) -> None:
        """Set the players from now on."""
        with self.lock:
            seated = check_players(players, self)
            check_dice(dice, self.game)
            self._refuse_peeking(seated)
            self._store.seat(self.id, [player.model_dump() for player in seated], dice)
            self.players, self.dice, self._position = seated, dice, None
            self.changes.is_seated = True

    def _refuse_peeking(self, players: list[Player]) -> None:
        """Refuse a person at a seat that an agent had while something is hidden."""
        is_secret = self.game.hidden and len(self.nodes) > 1 and not self.referee.is_over
        newcomers = [seat for seat, player in enumerate(players) if player.agent is None and self.players[seat].agent]
        if is_secret and newcomers:
            raise Refused("a person at this seat would now see what is hidden; start a new game")

    def judge(self, number: int, judgement: Judgement) -> None:
        """Store the judgement of a node; an estimate never replaces a proof."""
        with self.lock:
            before = self.tree.node(number).judgement
            if before == judgement or (before is not None and before.kind == "exact" and judgement.kind != "exact"):
                return
            self._store.judge(self.id, number, judgement.model_dump())
            self.nodes[number].judgement = judgement
            self.changes.judged.append(number)

    def judge_end(self) -> None:
        """If the game is over, store its result as the judgement."""
        if self.referee.is_over:
            self.judge(self.current, judge_payoffs(self.game, self.referee.utilities()))

    def _add(self, move: str, touched: list[int] | None = None) -> None:
        text = " ".join([*self._tries, move])
        known = self.tree.child(self.current, text)
        if known is not None:
            self.go(known)
            return
        if self._is_revealed:
            raise Refused(REVEALED)
        if len(self.nodes) >= MOST_NODES:
            raise Refused(f"this game has reached the limit of {MOST_NODES:,} moves with all branches; start a new one")
        mover, parent, number = self.referee.to_move, self.current, len(self.nodes)
        self.referee.play_text(move)
        try:
            self._store.add(self.id, StoredNode(number, parent, text, mover), self._clock_after(mover))
        except BaseException:
            self.referee.undo()
            raise
        if self.clock is not None and self.clock.running == mover:
            self.clock.run(None)
            self.clock.add_increment(mover)
        self._tries = []
        self.tree.add(Node(number, parent, text, mover))
        self.changes.added = number
        self._played.append(number)
        self._arrive(number)
        self._last = touched
        self.judge_end()

    def _set_up(self, number: int) -> None:
        """Undo and replay moves until the node is reached."""
        for _ in self._tries:
            self.referee.undo()
        self._tries = []
        wanted = self.tree.path(number)
        shared = next((k for k, (a, b) in enumerate(zip(self._played, wanted, strict=False)) if a != b), None)
        shared = min(len(self._played), len(wanted)) if shared is None else shared
        while len(self._played) > shared:
            for _ in self._moves_of(self._played.pop()):
                self.referee.undo()
        for one in wanted[shared:]:
            self.referee.play_line(self._moves_of(one))
            self._played.append(one)
        self._arrive(number)

    def _has_end(self) -> bool:
        """Whether the game is over at the end of a line."""
        for leaf in self.tree.leaves():
            referee = Referee.at(self.game, self.start)
            referee.play_line(move for one in self.tree.path(leaf) for move in self._moves_of(one))
            if referee.is_over:
                return True
        return False

    def _arrive(self, number: int) -> None:
        self.current, self._position, self._last = number, None, None
        self._is_revealed |= self.game.hidden and self.referee.is_over
        self.changes.visited.append(number)
        self.tree.visit(number)
        self._switch_clock()

    # -- the clock -----------------------------------------------------------------------------------

    def let_clock_run(self, may_run: bool) -> None:
        """Let the clock run from now on, or stop it: no page is open, or there is a pause."""
        with self.lock:
            self._may_clock_run = may_run
            self._switch_clock()
            if not may_run and self.clock is not None:
                self._store.set_clock(self.id, _stored_clock(self.clock))

    def lose_on_time(self) -> bool:
        """Whether the time of the side to move is up; then it has lost from now on."""
        with self.lock:
            if self.clock is None or not self.clock.is_up():
                return False
            self.clock.lose(self.current)
            self._store.set_clock(self.id, _stored_clock(self.clock))
            self._position, self.changes.is_out_of_time = None, True
            return True

    def _switch_clock(self) -> None:
        """Let the time of the side to move run, at the end of the line and until a side has lost."""
        if self.clock is None:
            return
        is_running = self._may_clock_run and self.clock.loser is None and not self.referee.is_over
        mover = self.referee.to_move if is_running and self.nodes[self.current].next is None else CHANCE
        self.clock.run(None if mover == CHANCE else mover)

    def _clock_after(self, mover: int) -> StoredClock | None:
        """What the clock shows after a move that is made now."""
        if self.clock is None:
            return None
        after = replace(self.clock, left=list(self.clock.left))
        after.run(None)
        if self.clock.running == mover:
            after.add_increment(mover)
        return _stored_clock(after)


def _clock(stored: StoredClock | None) -> GameClock | None:
    if stored is None:
        return None
    settings = ClockSettings(seconds=stored.seconds, increment=stored.increment)
    return GameClock(settings, list(stored.times), stored.loser, stored.lost_at)


def _stored_clock(clock: GameClock) -> StoredClock:
    settings, times = clock.settings, [clock.time_left(seat) for seat in range(2)]
    return StoredClock(settings.seconds, settings.increment, times, clock.loser, clock.lost_at)


def check_players(players: list[Player], session: Session) -> list[Player]:
    """Return the players; UsageError if their number is wrong or one of them cannot play the game."""
    game = session.game
    if len(players) != game.players:
        raise UsageError(f"{game.name} needs {game.players} players, not {len(players)}")
    for player in players:
        if player.agent is not None and player.agent not in session.facts.agents:
            raise UsageError(f"{player.agent} cannot play {game.name}; choose {', '.join(session.facts.agents)}")
    return players


def check_dice(dice: Literal["rolled", "chosen"], game: Game) -> None:
    """UsageError if a person would choose what is dealt to another seat."""
    if dice == "chosen" and game.hidden:
        raise UsageError(f"what the dice of {game.name} show is hidden, so they are rolled, not chosen")


def _tree_node(node: Node, is_secret: bool, viewer: int | None) -> TreeNode:
    """The node as the viewer may see it: with hidden information only with their own move."""
    return TreeNode(
        number=node.number,
        parent=node.parent,
        move="…" if is_secret and node.player != viewer else node.move,
        player=node.player,
        next=node.next,
        judgement=None if is_secret else node.judgement,
    )


def _node(stored: StoredNode) -> Node:
    judgement = Judgement(**stored.judgement) if stored.judgement else None
    parent = None if stored.parent < 0 else stored.parent
    return Node(stored.number, parent, stored.move, stored.player, judgement=judgement)
