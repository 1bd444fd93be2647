"""What a player can force within a number of plies, in games where positions may repeat.

What is not over within the plies counts as not forced, and the forcer never repeats a position. A move of the other
side that repeats one is left out where the rule forbids it, or where it makes a draw that is good enough.

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

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import Action, Game, State, knows, legal_actions
from zermelo.core.referee import Referee
from zermelo.core.repetition import Repetition
from zermelo.core.wrapped import Wrapped
from zermelo.kernel import U64, Memory, kernel, load, load_word, mix, number, store, store_word
from zermelo.search.alphabeta.techniques import Techniques
from zermelo.search.legacy_ordering import NUMBER, is_room, reward_cutoff, score_move, select_next, stack_moves
from zermelo.search.legacy_table import (
    DEEPEST,
    LOWER,
    NO_MOVE,
    PROVED,
    UPPER,
    Table,
    depth_in,
    kind_in,
    move_in,
    probe,
    store_entry,
    unveiled,
    veiled,
)
from zermelo.search.legacy_workspace import (
    BEFORE,
    BEST,
    CUTOFFS,
    DEEPEST_PLY,
    FIRST_CUTOFFS,
    HITS,
    IS_PROVED,
    MOVES,
    NULL_WINDOW,
    PATH,
    PLAYED,
    PLY_COST,
    RING,
    SALT,
    SEEN,
    SEEN_KINDS,
    TOO_WIDE,
    WIN_THRESHOLD,
    Workspace,
    enter,
    fill_space,
    leave,
    remember,
)

ALWAYS = 1 << 30
"""The answer holds on every path to the position that does not meet its proof."""
NEVER = -(1 << 29)
"""The answer is not remembered."""
NOWHERE = -(1 << 30)
DEPENDS = IS_PROVED
"""The cell for the first ply of the path on which the answer depends."""
HEIGHT, RANKS, RANK_GROUPS, IS_RANKED, IS_DRAW_ENOUGH, IS_LOOP_DRAW = (
    PLY_COST,
    NULL_WINDOW,
    WIN_THRESHOLD,
    CUTOFFS,
    FIRST_CUTOFFS,
    DEEPEST_PLY,
)
"""Cells that forcing has no other use for: the height of the last answer, the memory of ranks, and its questions."""
GROUP = 8
"""Words in a group of ranks, one line of the processor's cache: 56 bits of the position's key, 8 of the rank.

The first word says how far below UNRANKED a rank was that found no room.
"""
RANKS_SHARE = 0.25
"""The part of the memory that the ranks for each player's questions take."""
UNRANKED = 255
OPEN, FORCED, REFUTED = range(3)
NO_NUMBER = -1
REFUTATION = U64(0x9E3779B97F4A7C15)
"""What is not forced has keys of its own: symmetric positions share them, but a proof meets only its own positions."""


@kernel
def force(
    game: Game,
    how: Techniques,
    forcer: int,
    wanted: float,
    state: State,
    depth: int,
    ply: int,
    least: int,
    top: int,
    memory: int,
) -> bool:
    """Whether the forcer gets the wanted payoff within the depth; meaningless once the workspace is stopped.

    `least` is the least rank of the positions on the path before this one.
    """
    entered = load(memory, NODES) + 1
    store(memory, NODES, entered)
    store(memory, DEPENDS, ALWAYS)
    store(memory, HEIGHT, 0)
    if entered >= load(memory, LIMIT):
        return False
    is_ranked = how.table and load(memory, IS_RANKED) != 0
    spot = load_word(memory, PATH + load(memory, BEFORE) + ply)
    judged = verdict(game, how, forcer, wanted, state)
    is_other = is_ranked and spot != mix(game.key(state))
    if judged == FORCED and is_other and verdict(game, how, forcer, wanted, game.repetition_key(state)) != FORCED:
        lower_rank(memory, spot, 0)
    if judged == REFUTED or (judged == FORCED and ply > 0) or depth <= 0:  # at the root, a move is asked for
        return judged == FORCED and ply > 0
    key, weak_key, veil, table_move = U64(0), U64(0), 0, NO_MOVE
    if how.table:
        full = mix(game.key(state))
        key = full ^ load_word(memory, SALT)
        shared = mix(game.key(game.canonical(state))) if how.symmetry else full
        weak_key, veil = shared ^ mix(key ^ full ^ REFUTATION), number((shared ^ full) & U64(NO_MOVE)) % NO_MOVE
        word, known_height = probe(memory, key)
        if kind_in(word) == LOWER:
            table_move = move_in(word)
            if ply > 0 and (not is_ranked or least >= known_height):
                store(memory, HITS, load(memory, HITS) + 1)
                store(memory, HEIGHT, int(known_height))
                return True
        else:
            word, _ = probe(memory, weak_key)
            if kind_in(word) == UPPER:
                if depth_in(word) >= depth:
                    store(memory, HITS, load(memory, HITS) + 1)
                    return False
                table_move = unveiled(move_in(word), veil)
        if is_ranked:
            least = min(least, rank_of(memory, spot))
            if is_other and verdict(game, how, forcer, wanted, game.repetition_key(state)) == FORCED:
                least = 0
    mover = game.to_move(state)
    count = game.fill_actions(state, fill_space(memory), 0)
    if not is_room(top, count):
        give_up(memory, TOO_WIDE)
        return False
    pushed, unseen = top + count, stack_moves(memory, top, count, table_move)
    is_forcing = mover == forcer
    is_draw_enough = load(memory, IS_DRAW_ENOUGH) != 0
    is_forced, depends, height, best_move, tried = not is_forcing, ALWAYS, 0, NO_NUMBER, 0
    first = top
    while first < pushed:
        if first == unseen:
            for place in range(first, pushed):
                score_move(game, how, state, mover, ply, place, memory)
        if first >= unseen:
            select_next(memory, first, pushed)
        cell = MOVES + 3 * first
        action, marks = load(memory, cell), load(memory, cell + 2)
        first += 1
        child = game.result(state, action)
        spot_after = mix(game.key(game.repetition_key(child)))
        before = repeated_ply(game, memory, ply, spot_after)
        if before != NOWHERE and (game.repetition < 0 or not game.is_terminal(child)):
            if game.repetition >= 0 and is_draw_enough == is_forcing:  # the draw decides
                is_forced, depends, best_move = is_forcing, before, marks & NUMBER
                break
            depends = min(depends, before)
            continue
        tried += 1
        enter(memory, ply + 1, spot_after)
        store(memory, PLAYED + ((ply + 1) & (RING - 1)), action)
        answer = force(game, how, forcer, wanted, child, depth - 1, ply + 1, least, pushed, memory)
        leave(memory, spot_after)
        if load(memory, NODES) >= load(memory, LIMIT):
            return False
        if answer == is_forcing:  # it decides: a forcing move, or one that escapes
            is_forced, depends, best_move = answer, load(memory, DEPENDS), marks & NUMBER
            height = load(memory, HEIGHT)
            reward_cutoff(memory, how, mover, ply, depth, top, first - 1)
            break
        depends, height = min(depends, load(memory, DEPENDS)), max(height, load(memory, HEIGHT))
    if tried == 0 and best_move == NO_NUMBER:  # no move is left, which is a draw
        is_forced = is_draw_enough
    if depends >= ply:
        depends = ALWAYS
    height = min(height + 1, UNRANKED)
    if is_forced and is_ranked:
        lower_rank(memory, spot, height)
        if height == UNRANKED:
            depends = NEVER
    store(memory, DEPENDS, depends)
    store(memory, HEIGHT, height)
    if ply == 0:
        store(memory, BEST, best_move)
    if how.table and depends == ALWAYS:
        found = best_move if best_move != NO_NUMBER else NO_MOVE
        if is_forced:
            store_entry(memory, key, float(height), LOWER, found, PROVED)
        else:
            store_entry(memory, weak_key, 0.0, UPPER, veiled(found, veil), min(depth, DEEPEST))
    return is_forced


def verdict(game: Game, how: Techniques, forcer: int, wanted: float, state: State) -> int:
    """FORCED or REFUTED if the rules or the game's bounds say so, otherwise OPEN."""
    if game.is_terminal(state):
        return FORCED if float(game.utility(state, forcer)) >= wanted else REFUTED
    if how.bounds:
        low, high = game.bounds(state, forcer)
        if low >= wanted:
            return FORCED
        if high < wanted:
            return REFUTED
    return OPEN


def repeated_ply(game: Game, memory: int, ply: int, spot: U64) -> int:
    """NOWHERE if a move to this position is not a repetition; otherwise the first ply on which that depends.

    ALWAYS if the game so far, which all paths share, is enough.
    """
    if load(memory, SEEN + number(spot & U64(SEEN_KINDS - 1))) == 0:
        return NOWHERE
    root = PATH + load(memory, BEFORE)
    times, since = 0, ALWAYS
    for cell in range(root + ply, PATH - 1, -1):
        if load_word(memory, cell) == spot:
            times += 1
            if cell > root:
                since = cell - root
            if cell >= root and load(memory, IS_LOOP_DRAW) != 0:
                return since
    return since if times > 0 and times + 1 >= game.repetition else NOWHERE


# -- ranks -------------------------------------------------------------------------------------------------------------


def rank_of(memory: int, spot: U64) -> int:
    """At most the least height at which a position was part of a forced line; UNRANKED if it never was."""
    ranks, tag = load(memory, RANKS), mix(spot ^ load_word(memory, SALT)) | U64(UNRANKED)
    first = group_of(memory, tag)
    for cell in range(first + 1, first + GROUP):
        word = load_word(ranks, cell)
        if word | U64(UNRANKED) == tag and word != U64(0):
            return number(word & U64(UNRANKED))
    return UNRANKED - load(ranks, first)


def lower_rank(memory: int, spot: U64, height: int) -> None:
    """Let a position have at most this rank. In a full group the highest one is given up, and bounds those unknown."""
    ranks, tag = load(memory, RANKS), mix(spot ^ load_word(memory, SALT)) | U64(UNRANKED)
    first = group_of(memory, tag)
    highest, place = height, first
    for cell in range(first + 1, first + GROUP):
        word = load_word(ranks, cell)
        rank = number(word & U64(UNRANKED))
        if word == U64(0) or word | U64(UNRANKED) == tag:
            store_word(ranks, cell, (tag ^ U64(UNRANKED)) | U64(height if word == U64(0) else min(height, rank)))
            return
        if rank > highest:
            highest, place = rank, cell
    store(ranks, first, max(load(ranks, first), UNRANKED - highest))
    if place > first:  # this position may have been given up before
        store_word(ranks, place, (tag ^ U64(UNRANKED)) | U64(min(height, UNRANKED - load(ranks, first))))


def group_of(memory: int, tag: U64) -> int:
    """The first cell of the group where a position's rank is."""
    return GROUP * number(((tag >> 32) * load_word(memory, RANK_GROUPS)) >> 32)


class Numbered(Wrapped):
    """A game whose moves are not whole numbers, with their numbers as moves."""

    def actions(self, state: State) -> Iterable[Action]:
        return range(sum(1 for _ in self.game.actions(state)))

    def result(self, state: State, action: Action) -> State:
        return self.game.result(state, self._named(state, action))

    def order(self, state: State, action: Action) -> float:
        return self.game.order(state, self._named(state, action))

    def _named(self, state: State, number: int) -> Action:
        return next(islice(self.game.actions(state), number, None))


class Forcing:
    """The memory of the proofs about one game: a table of very nearly `megabytes`, ranks, and a workspace."""

    def __init__(self, game: Game, megabytes: float = 256) -> None:
        self.game = self.rules = game
        known = {"order": "order", "bounds": "bounds", "symmetry": "canonical"}
        self.names = ["killers", "history", *(name for name, method in known.items() if knows(game, method))]
        self.how = Techniques("table", *self.names)
        self.table = Table(megabytes * (1 - 2 * RANKS_SHARE))
        self.workspace = Workspace(self.table)
        groups = int(megabytes * RANKS_SHARE * 1024 * 1024) // (8 * GROUP)
        self.workspace.cells[RANK_GROUPS] = groups
        self.ranks = [Memory(groups * GROUP) for _ in range(2)]
        self.asked: list[float | None] = [None, None]
        self.questions, self.salts = 0, [0, 0]
        self.best: Action | None = None
        self._search: Callable[..., bool] | None = None

    @property
    def hits(self) -> int:
        return self.workspace.cells[HITS]

    @property
    def salt(self) -> int:
        """What tells the answers to the last question from those to others."""
        return self.workspace.cells[SALT]

    def prepare(self, referee: Referee) -> bool:
        """Compile; False if it would run interpreted. The game so far is remembered."""
        if not all(isinstance(action, int) for action in legal_actions(self.game, referee.state)):
            self.rules = Numbered(self.game)
        remember(self.workspace, referee)
        return force.prepare(self.rules, self.how, 0, 0.0, referee.state, 0, 0, 0, 0, self.workspace.address)

    def forgo_table(self, state: State) -> bool:
        """From now on nothing is remembered, and nothing overlooked; False if that runs interpreted."""
        self.how, self._search = Techniques(*self.names), None
        return force.prepare(self.rules, self.how, 0, 0.0, state, 0, 0, 0, 0, self.workspace.address)

    def is_forced(self, state: State, forcer: int, wanted: float, depth: int) -> bool:
        """Whether a player can force a payoff within `depth` plies; meaningless once the workspace is stopped."""
        self._pose(forcer, wanted + 0.0)
        if self._search is None:
            self._search = force.runner(self.rules, self.how, 0, 0.0, state, 0, 0, 0, 0, self.workspace.address)
        arguments = self.rules, self.how, forcer, wanted + 0.0, state, depth, 0, UNRANKED, 0, self.workspace.address
        is_forced = self._search(*arguments)
        best = self.workspace.cells[BEST]
        self.best = None
        if is_forced and best != NO_NUMBER and self.game.to_move(state) == forcer:
            self.best = next(islice(self.game.actions(state), best, None), None)
        return bool(is_forced)

    def _pose(self, forcer: int, wanted: float) -> None:
        """Write the constants of one search into the workspace."""
        rule, cells = self.game.repetition, self.workspace.cells
        if self.asked[forcer] != wanted:  # then older ranks, and what was remembered with them, are of no use
            self.asked[forcer], self.questions = wanted, self.questions + 1
            self.salts[forcer] = number(mix(U64(self.questions)) >> 1)
            self.ranks[forcer] = Memory(len(self.ranks[forcer]))
        cells[SALT], cells[RANKS] = self.salts[forcer], self.ranks[forcer].address
        # A draw pays both the middle of the scale. Unless that is zero, payoffs do not cancel, and it proves nothing.
        is_enough = wanted <= -abs(sum(map(float, self.game.utility_range)) / 2)
        cells[BEST] = NO_NUMBER
        cells[IS_DRAW_ENOUGH] = int(is_enough)
        # Repetitions that do the forcer no harm need no ranks.
        cells[IS_RANKED] = int(rule is Repetition.FORBIDDEN or not is_enough)
        # Who can come back to a position once can do so until it is a draw, unless clocks make another state of it.
        has_clocks = rule is Repetition.DRAW_AT_THREE and knows(self.game, "repetition_key")
        cells[IS_LOOP_DRAW] = int(not (has_clocks and is_enough))
