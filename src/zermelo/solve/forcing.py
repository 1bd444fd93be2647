"""What a player can force in so many plies, in games where positions may repeat.

What is not over within the plies counts as not forced, and the forcer never repeats a position. A move of the other
side that repeats one is left out where the rule forbids it, or where it makes a draw that is good enough. An answer for
which a move was left out holds as long as the repeated position lies on the way, so it depends on the ply where it
does. At that very ply it holds on every way, and only such answers go into the table [Kishimoto & Mueller, "A general
solution to the graph history interaction problem", 2004, for what else would happen].

That something is not forced may still be wrong on a way where the move that escapes is forbidden. Then too little is
found to be forced, never too much; without a table that does not happen.

On the remembered positions the plies still needed become fewer with every move, so the forcer does not come back to one
of them: no way on which they are met makes them illegal.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import Action, Game, State, knows
from zermelo.core.referee import Referee
from zermelo.kernel import U64, kernel, load, load_word, mix, number, store
from zermelo.search.engine.desk import (
    BEFORE,
    BEST,
    HITS,
    IS_PROVED,
    MOVES,
    PATH,
    PLAYED,
    RING,
    SALT,
    SEEN,
    SEEN_KINDS,
    TOO_WIDE,
    Desk,
    enter,
    fill_space,
    leave,
    remember,
)
from zermelo.search.engine.ordering import NUMBER, is_room, look_at, praise, pull, stack_moves
from zermelo.search.engine.table import (
    DEEPEST,
    LOWER,
    NO_MOVE,
    NOTHING,
    PROVED,
    UPPER,
    Table,
    depth_in,
    keep,
    kind_in,
    look_up,
    move_in,
)
from zermelo.search.engine.techniques import Techniques

ALWAYS = 1 << 30
"""The answer holds on every way to the position."""
NOWHERE = -(1 << 30)
DEPENDS = IS_PROVED
"""The cell for the first ply of the way on which the answer depends."""


@kernel
def force(
    game: Game,
    how: Techniques,
    forcer: int,
    wanted: float,
    state: State,
    depth: int,
    ply: int,
    top: int,
    memory: int,
) -> bool:
    """Whether the forcer gets what is wanted within the depth; meaningless once the desk is stopped."""
    entered = load(memory, NODES) + 1
    store(memory, NODES, entered)
    store(memory, DEPENDS, ALWAYS)
    if entered >= load(memory, LIMIT):
        return False
    if game.is_terminal(state):
        return float(game.utility(state, forcer)) >= wanted
    if how.bounds:
        low, high = game.bounds(state, forcer)
        if low >= wanted:
            return True
        if high < wanted:
            return False
    if depth <= 0:
        return False
    key, word, table_move = U64(0), U64(0), NO_MOVE
    if how.table:
        key = mix(game.key(game.canonical(state)) if how.symmetry else game.key(state)) ^ load_word(memory, SALT)
        word, _ = look_up(memory, key)
    if how.table and kind_in(word) != NOTHING:
        store(memory, HITS, load(memory, HITS) + 1)
        if kind_in(word) == LOWER and ply > 0:
            return True
        if kind_in(word) == UPPER and depth_in(word) >= depth:
            return False
        table_move = move_in(word)
    mover = game.to_move(state)
    count = game.fill_candidates(state, fill_space(memory), 0)
    if not is_room(top, count):
        give_up(memory, TOO_WIDE)
        return False
    pushed, unseen = top + count, stack_moves(memory, top, count, table_move)
    is_forcing = mover == forcer
    is_draw_enough = (game.utility_range[0] + game.utility_range[1]) / 2 >= wanted
    is_forced, depends, best_move, tried = not is_forcing, ALWAYS, NO_MOVE, 0
    first = top
    while first < pushed:
        if first == unseen:
            for place in range(first, pushed):
                look_at(game, how, state, mover, ply, place, memory)
        if first >= unseen:
            pull(memory, first, pushed)
        cell = MOVES + 3 * first
        action, marks = load(memory, cell), load(memory, cell + 2)
        first += 1
        child = game.result(state, action)
        spot = mix(game.key(game.timeless(child)))
        before = last_ply_of(memory, ply, spot)
        if before != NOWHERE:
            if not is_forcing and game.repetition >= 0 and not is_draw_enough:
                is_forced, depends, best_move = False, before, marks & NUMBER
                break
            depends = min(depends, before)
            continue
        tried += 1
        enter(memory, ply + 1, spot)
        store(memory, PLAYED + ((ply + 1) & (RING - 1)), action)
        answer = force(game, how, forcer, wanted, child, depth - 1, ply + 1, pushed, memory)
        leave(memory, spot)
        if load(memory, NODES) >= load(memory, LIMIT):
            return False
        if answer == is_forcing:  # it decides: a forcing move, or one that escapes
            is_forced, depends, best_move = answer, load(memory, DEPENDS), marks & NUMBER
            praise(memory, how, mover, ply, depth, top, first - 1)
            break
        depends = min(depends, load(memory, DEPENDS))
    if tried == 0 and best_move == NO_MOVE:  # nobody can move any more, which is a draw
        is_forced = is_draw_enough
    if depends >= ply:
        depends = ALWAYS
    store(memory, DEPENDS, depends)
    if ply == 0:
        store(memory, BEST, best_move)
    if how.table and depends == ALWAYS:
        kind, worth = (LOWER, PROVED) if is_forced else (UPPER, min(depth, DEEPEST))
        keep(memory, key, 0.0, kind, best_move, worth)
    return is_forced


def last_ply_of(memory: int, ply: int, spot: U64) -> int:
    """The last ply up to this one where the position was on the path; before the first it is below 0."""
    if load(memory, SEEN + number(spot & U64(SEEN_KINDS - 1))) == 0:
        return NOWHERE
    root = PATH + load(memory, BEFORE)
    for cell in range(root + ply, PATH - 1, -1):
        if load_word(memory, cell) == spot:
            return cell - root
    return NOWHERE


class Forcing:
    """The memory of the proofs about one game: a table of very nearly `megabytes`, and a desk."""

    def __init__(self, game: Game, megabytes: float = 256) -> None:
        self.game = game
        known = {"order": "order", "bounds": "bounds", "symmetry": "canonical"}
        self.names = ["killers", "history", *(name for name, method in known.items() if knows(game, method))]
        self.how = Techniques("table", *self.names)
        self.table = Table(megabytes)
        self.desk = Desk(self.table.address, self.table.clusters)
        self.best: Action | None = None
        self._search: Callable[..., bool] | None = None

    @property
    def hits(self) -> int:
        return self.desk.cells[HITS]

    def prepare(self, referee: Referee) -> bool:
        """Compile; False if it would run interpreted. The game so far is remembered."""
        remember(self.desk, referee)
        return force.prepare(self.game, self.how, 0, 0.0, referee.state, 0, 0, 0, self.desk.address)

    def forgo_table(self) -> None:
        """From now on nothing is remembered, and nothing overlooked."""
        self.how, self._search = Techniques(*self.names), None

    def is_forced(self, state: State, forcer: int, wanted: float, depth: int) -> bool:
        """Whether a player gets so much within so many plies; meaningless once the desk is stopped."""
        self.desk.cells[SALT] = number(mix(U64(forcer + 1) ^ mix(U64(hash(wanted) & 0xFFFFFFFF))) >> 1)
        if self._search is None:
            self._search = force.runner(self.game, self.how, 0, 0.0, state, 0, 0, 0, self.desk.address)
        is_forced = self._search(self.game, self.how, forcer, float(wanted), state, depth, 0, 0, self.desk.address)
        best = self.desk.cells[BEST]
        self.best = None
        if is_forced and best != NO_MOVE and self.game.to_move(state) == forcer:
            self.best = next(islice(self.game.candidates(state), best, None), None)
        return bool(is_forced)
