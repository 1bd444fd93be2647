"""Whether a player can force a payoff within a number of plies, in games with repetitions.

A game that is not over within the plies counts as not forced, and the forcer never repeats a position. A move of the
other side that repeats one is left out if the rule forbids it, or if the draw is enough for the forcer.

"Forced" must be true on the path where it is used (the graph history interaction [Kishimoto & Mueller, "A general
solution to the graph history interaction problem", 2004]); "not forced" may be too pessimistic, which proves nothing.
An answer is remembered only if every move that was left out repeats a position below its own. It has a height, one more
than those of the answers it rests on, and the least height at which a position was part of a forced line is its rank.
An answer of height h rests on positions of rank below h only. So it holds on a path whose positions all have rank h or
more: no line of its proof meets the path. On any other path it is searched again, the remembered move first, which is
Kawano's simulation ["Using similar positions to search game trees", 1996]. ADR 11 has the argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, NamedTuple

from zermelo.core.game import Action, Game, State, knows, legal_actions
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.core.wrapped import Wrapped
from zermelo.kernel import U64, Memory, Words, inline, kernel, mix, state
from zermelo.search.alphabeta import Techniques
from zermelo.search.runtime import (
    DEEPEST,
    LOWER,
    NO_MOVE,
    PROVED,
    TOO_WIDE,
    UPPER,
    Ply,
    Table,
    Workspace,
    depth_in,
    kind_in,
    move_in,
    next_ply,
    reward_cutoff,
    score_moves,
    unveil_move,
    veil_move,
    veil_of_keys,
)
from zermelo.solve.ranks import GROUP, UNRANKED, Ranks, memory_of

ALWAYS = 1 << 30
"""The answer holds on every path to the position that does not meet its proof."""
NEVER = -(1 << 29)
"""The answer is not stored."""
NOWHERE = -(1 << 30)
RANKS_SHARE = 0.25
"""Share of the memory for the ranks of each player's questions."""
OPEN, FORCED, REFUTED = range(3)
NO_NUMBER = -1
REFUTATION = U64(0x9E3779B97F4A7C15)
"""Salt for the keys of "not forced": symmetric positions share them, unlike those of proofs."""


class ForcingWorkspace(Workspace):
    """The workspace of one question, "can this player force that payoff?", and the support of its last answer."""

    depends: int
    """The first ply of the path on which the last answer depends, or ALWAYS, or NEVER."""
    height: int
    """The height of the last answer."""
    is_ranked: bool
    """Whether ranks decide which answers hold on a path; not needed if repetitions cannot hurt the forcer."""
    is_draw_enough: bool
    """Whether a draw is enough for the forcer."""
    is_loop_draw: bool
    """Whether a repetition below the root counts as a draw at once."""
    ranks: Ranks = inline(Ranks)


@state
class Keys(NamedTuple):
    """The table keys of a state."""

    forced: U64
    refuted: U64
    veil: int
    """The veil of the state's move numbers, which differs among symmetric states with the same second key."""


@state
class Recollection(NamedTuple):
    """The table's entry for a state."""

    answer: int
    """FORCED, REFUTED, or OPEN if it must be searched."""
    move: int
    """The number of the move to try first; NO_MOVE if unknown."""


@state
class Answer(NamedTuple):
    """The result of the moves of a state: whether the payoff is forced, and the support of that answer."""

    is_forced: bool
    depends: int
    height: int
    move: int
    """The number of the deciding move; NO_NUMBER if all moves are needed."""


@kernel
def force(
    game: Game,
    how: Techniques,
    forcer: int,
    wanted: float,
    state: State,
    depth: int,
    ply: Ply,
    least: int,
    top: int,
    work: ForcingWorkspace,
) -> bool:
    """Whether the forcer gets the `wanted` payoff within the depth; meaningless once the workspace is stopped.

    `least` is the least rank of the positions on the path before this one.
    """
    is_stopped = work.enter_node()
    work.depends, work.height = ALWAYS, 0
    if is_stopped:
        return False
    judged = verdict(game, how, forcer, wanted, state)
    if judged == FORCED:
        rank_end(game, how, forcer, wanted, state, ply, work)
    if judged == REFUTED or (judged == FORCED and ply > 0) or depth <= 0:  # the root needs a move
        return judged == FORCED and ply > 0
    keys = keys_of(game, how, state, work)
    known = probe_table(how, keys, depth, ply, least, work)
    if known.answer != OPEN:
        return known.answer == FORCED
    least = least_rank(game, how, forcer, wanted, state, ply, least, work)
    count = game.fill_actions(state, work.moves.buffer(), 0)
    if not work.moves.is_room(top, count):
        work.give_up(TOO_WIDE)
        return False
    unseen = work.moves.push_generated(top, count, known.move)
    answer = search_moves(game, how, forcer, wanted, state, depth, ply, least, top, top + count, unseen, work)
    if work.is_stopped():
        return False
    if ply == 0:
        work.best = answer.move
    remember_answer(how, keys, answer, depth, ply, work)
    return answer.is_forced


# -- steps -------------------------------------------------------------------------------------------------------------


def verdict(game: Game, how: Techniques, forcer: int, wanted: float, state: State) -> int:
    """FORCED or REFUTED if the rules or the game's bounds decide, otherwise OPEN."""
    if game.is_terminal(state):
        return FORCED if float(game.utility(state, forcer)) >= wanted else REFUTED
    if how.bounds:
        low, high = game.bounds(state, forcer)
        if low >= wanted:
            return FORCED
        if high < wanted:
            return REFUTED
    return OPEN


def rank_end(
    game: Game, how: Techniques, forcer: int, wanted: float, state: State, ply: Ply, work: ForcingWorkspace
) -> None:
    """Set the rank of a decided position to 0, unless `least_rank` finds that without the table."""
    if how.table and work.is_ranked:
        spot = work.path.key_at(ply)
        is_other = spot != mix(game.key(state))
        if is_other and verdict(game, how, forcer, wanted, game.repetition_key(state)) != FORCED:
            work.ranks.lower(spot, 0)


def least_rank(
    game: Game,
    how: Techniques,
    forcer: int,
    wanted: float,
    state: State,
    ply: Ply,
    least: int,
    work: ForcingWorkspace,
) -> int:
    """The least rank of the positions on the path, this one included."""
    if how.table and work.is_ranked:
        spot = work.path.key_at(ply)
        is_other = spot != mix(game.key(state))
        if is_other and verdict(game, how, forcer, wanted, game.repetition_key(state)) == FORCED:
            return 0  # its rank is not stored
        return min(least, work.ranks.rank_of(spot))
    return least


def keys_of(game: Game, how: Techniques, state: State, work: ForcingWorkspace) -> Keys:
    """The keys of a state in the table."""
    if not how.table:
        return Keys(U64(0), U64(0), 0)
    full = mix(game.key(state))
    shared = mix(game.key(game.canonical(state))) if how.symmetry else full
    refuted = shared ^ mix(work.salt ^ REFUTATION)
    return Keys(full ^ work.salt, refuted, veil_of_keys(full, shared))


def probe_table(how: Techniques, keys: Keys, depth: int, ply: Ply, least: int, work: ForcingWorkspace) -> Recollection:
    """Look up an answer, and write its height into the workspace.

    "Forced" holds only if no position on the path has a rank below its height (see the module).
    """
    if not how.table:
        return Recollection(OPEN, NO_MOVE)
    word, height = work.table.probe(keys.forced)
    if kind_in(word) == LOWER:
        if ply > 0 and (not work.is_ranked or least >= height):
            work.hits += 1
            work.height = int(height)
            return Recollection(FORCED, move_in(word))
        return Recollection(OPEN, move_in(word))
    word, _ = work.table.probe(keys.refuted)
    if kind_in(word) != UPPER:
        return Recollection(OPEN, NO_MOVE)
    if depth_in(word) >= depth:
        work.hits += 1
        return Recollection(REFUTED, NO_MOVE)
    return Recollection(OPEN, unveil_move(move_in(word), keys.veil))


def search_moves(
    game: Game,
    how: Techniques,
    forcer: int,
    wanted: float,
    state: State,
    depth: int,
    ply: Ply,
    least: int,
    top: int,
    pushed: int,
    unseen: int,
    work: ForcingWorkspace,
) -> Answer:
    """Search the moves on the stack until one decides: a forcing move of the forcer, or a refutation."""
    moves, mover, after = work.moves, game.to_move(state), next_ply(ply)
    is_forcing = mover == forcer
    depends, height, tried, first = ALWAYS, 0, 0, top
    while first < pushed:
        if first == unseen:
            score_moves(game, how, state, mover, ply, first, pushed, moves, work.ordering)
        if first >= unseen:
            moves.select_next(first, pushed)
        action, move = moves.action(first), moves.number(first)
        first += 1
        child = game.result(state, action)
        spot = mix(game.key(game.repetition_key(child)))
        before = repeated_ply(game, ply, spot, work)
        if before != NOWHERE and (game.repetition < 0 or not game.is_terminal(child)):
            if game.repetition >= 0 and work.is_draw_enough == is_forcing:  # the draw decides
                return Answer(is_forcing, before, height, move)
            depends = min(depends, before)
            continue
        tried += 1
        work.path.enter(after, spot)
        work.ordering.note_played(after, action)
        is_forced = force(game, how, forcer, wanted, child, depth - 1, after, least, pushed, work)
        work.path.leave(spot)
        if work.is_stopped():
            return Answer(False, NEVER, 0, NO_NUMBER)
        if is_forced == is_forcing:
            reward_cutoff(how, mover, ply, depth, top, first - 1, moves, work.ordering)
            return Answer(is_forced, work.depends, work.height, move)
        depends, height = min(depends, work.depends), max(height, work.height)
    if tried == 0:  # no move is left, which is a draw
        return Answer(work.is_draw_enough, depends, height, NO_NUMBER)
    return Answer(not is_forcing, depends, height, NO_NUMBER)


def repeated_ply(game: Game, ply: Ply, spot: U64, work: ForcingWorkspace) -> int:
    """NOWHERE if a move to this position is not a repetition; otherwise the first ply that this depends on.

    ALWAYS if it depends only on the game so far, which all paths share.
    """
    path = work.path
    if not path.may_hold(spot):
        return NOWHERE
    times, since = 0, ALWAYS
    for earlier in range(ply, -path.before - 1, -1):
        if path.key_at(Ply(earlier)) == spot:
            times += 1
            if earlier > 0:
                since = earlier
            if earlier >= 0 and work.is_loop_draw:
                return since
    return since if times > 0 and times + 1 >= game.repetition else NOWHERE


def remember_answer(how: Techniques, keys: Keys, answer: Answer, depth: int, ply: Ply, work: ForcingWorkspace) -> None:
    """Record the support of the answer, lower the rank of a forced position, and store what holds on every path."""
    depends = ALWAYS if answer.depends >= ply else answer.depends
    height = min(answer.height + 1, UNRANKED)
    if how.table and work.is_ranked and answer.is_forced:
        work.ranks.lower(work.path.key_at(ply), height)
        if height == UNRANKED:
            depends = NEVER
    work.depends, work.height = depends, height
    if how.table and depends == ALWAYS:
        move = answer.move if answer.move != NO_NUMBER else NO_MOVE
        if answer.is_forced:
            work.table.store(keys.forced, float(height), LOWER, move, PROVED)
        else:
            work.table.store(keys.refuted, 0.0, UPPER, veil_move(move, keys.veil), min(depth, DEEPEST))


# -- questions ---------------------------------------------------------------------------------------------------------


class Numbered(Wrapped):
    """A game with moves that are not whole numbers, wrapped so that their indices are the moves."""

    def actions(self, state: State) -> Iterable[Action]:
        return range(sum(1 for _ in self.game.actions(state)))

    def result(self, state: State, action: Action) -> State:
        return self.game.result(state, self._action(state, action))

    def order(self, state: State, action: Action) -> float:
        return self.game.order(state, self._action(state, action))

    def _action(self, state: State, number: int) -> Action:
        return next(islice(self.game.actions(state), number, None))


class Forcing:
    """The memory of the proofs of one game: a table of about `megabytes`, ranks, and a workspace."""

    def __init__(self, game: Game, megabytes: float = 256) -> None:
        self.game = self.rules = game
        known = {"order": "order", "bounds": "bounds", "symmetry": "canonical"}
        self.names = ["killers", "history", *(name for name, method in known.items() if knows(game, method))]
        self.how = Techniques("table", *self.names)
        self.table = Table(megabytes * (1 - 2 * RANKS_SHARE))
        self.workspace = ForcingWorkspace.create(self.table)
        self.ranks = [memory_of(megabytes * RANKS_SHARE) for _ in range(2)]
        self.workspace.ranks.groups = U64(len(self.ranks[0]) // GROUP)
        self.asked: list[float | None] = [None, None]
        self.questions, self.salts = 0, [U64(0), U64(0)]
        self.best: Action | None = None
        self._search: Callable[..., bool] | None = None

    @property
    def hits(self) -> int:
        return self.workspace.hits

    @property
    def salt(self) -> U64:
        """The part of the keys that distinguishes the last question from others."""
        return self.workspace.salt

    def prepare(self, referee: Referee) -> bool:
        """Put the game so far on the path, and compile; False if the search runs interpreted."""
        if not all(isinstance(action, int) for action in legal_actions(self.game, referee.state)):
            self.rules = Numbered(self.game)
        self.workspace.remember(referee)
        return force.prepare(*self._question(referee.state, 0, 0.0, 0))

    def forgo_table(self, state: State) -> bool:
        """Search without the table from now on, which finds everything; False if that runs interpreted."""
        self.how, self._search = Techniques(*self.names), None
        return force.prepare(*self._question(state, 0, 0.0, 0))

    def is_forced(self, state: State, forcer: int, wanted: float, depth: int) -> bool:
        """Whether a player can force a payoff within `depth` plies; meaningless once the workspace is stopped."""
        self._pose(forcer, wanted + 0.0)
        question = self._question(state, forcer, wanted + 0.0, depth)
        if self._search is None:
            self._search = force.runner(*question)
        is_forced, best = self._search(*question), self.workspace.best
        self.best = None
        if is_forced and best != NO_NUMBER and self.game.to_move(state) == forcer:
            self.best = next(islice(self.game.actions(state), best, None), None)
        return bool(is_forced)

    def _question(self, state: State, forcer: int, wanted: float, depth: int) -> tuple[Any, ...]:
        """The arguments of `force` at the root."""
        return self.rules, self.how, forcer, wanted, state, depth, Ply(0), UNRANKED, 0, self.workspace

    def _pose(self, forcer: int, wanted: float) -> None:
        """Write the constants of one search into the workspace."""
        rule, work = self.game.repetition, self.workspace
        if self.asked[forcer] != wanted:  # then older ranks, and answers stored with them, are useless
            self.asked[forcer], self.questions = wanted, self.questions + 1
            self.salts[forcer] = mix(U64(self.questions)) >> 1
            self.ranks[forcer] = Memory(len(self.ranks[forcer]))
        work.salt = work.ranks.salt = self.salts[forcer]
        work.ranks.words = Words(self.ranks[forcer].address)
        work.best = NO_NUMBER
        is_enough = wanted <= self.game.middle()
        work.is_draw_enough = is_enough
        # No ranks are needed if repetitions cannot hurt the forcer.
        work.is_ranked = rule is Repetition.FORBIDDEN or not is_enough
        # A player who can repeat a position once can repeat it until it is a draw, unless clocks change the state.
        has_clocks = rule is Repetition.DRAW_AT_THREE and knows(self.game, "repetition_key")
        work.is_loop_draw = not (has_clocks and is_enough)
