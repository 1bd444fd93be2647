"""Alpha-beta and the transposition table: keys, probing, enhanced transposition cutoffs, storing."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.core.game import Game, State
from zermelo.kernel import U64, Words, mix, state
from zermelo.search.alphabeta.mate_distance import INFINITE, delayed
from zermelo.search.alphabeta.techniques import Techniques
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace
from zermelo.search.runtime.path import Ply, next_ply
from zermelo.search.runtime.table import (
    DEEPEST,
    EXACT,
    LOWER,
    NO_MOVE,
    NOTHING,
    PROVED,
    UPPER,
    depth_in,
    kind_in,
    move_in,
    unveil_move,
    veil_move,
    veil_of_keys,
)

ETC_DEPTH = 2


@state
class Hit(NamedTuple):
    """The table's entry for a position."""

    kind: int
    """EXACT, LOWER or UPPER; NOTHING if the position is not in the table."""
    value: float
    depth: int
    move: int
    """The number of the best move; NO_MOVE if unknown."""


def table_key(game: Game, how: Techniques, state: State, work: AlphaBetaWorkspace) -> U64:
    """The table key of a state."""
    if how.bank and work.ply_cost == 0.0:
        state = game.without_bank(state)
    return mix(game.key(game.canonical(state)) if how.symmetry else game.key(state)) ^ work.salt


def veil_of(game: Game, how: Techniques, state: State, key: U64, work: AlphaBetaWorkspace) -> int:
    """The veil of a state's move numbers, which differs among mirror images with the same key; 0 without symmetry."""
    if not (how.table and how.symmetry):
        return 0
    if how.bank and work.ply_cost == 0.0:
        state = game.without_bank(state)
    return veil_of_keys(mix(game.key(state)) ^ work.salt, key)


def value_in_bank(game: Game, how: Techniques, state: State, player: int, work: AlphaBetaWorkspace) -> float:
    """The bank, which the table leaves out of a value; 0 with a ply cost, because a value is then not a sum."""
    return float(game.bank(state, player)) if how.bank and work.ply_cost == 0.0 else 0.0


def probe_table(how: Techniques, key: U64, veil: int, banked: float, work: AlphaBetaWorkspace) -> Hit:
    """Look up a position in the transposition table. [Slate & Atkin 1977]"""
    if not how.table:
        return Hit(NOTHING, 0.0, 0, NO_MOVE)
    word, value = work.table.probe(key)
    kind = kind_in(word)
    if kind == NOTHING:
        return Hit(NOTHING, value + banked, 0, NO_MOVE)
    work.hits += 1
    return Hit(kind, value + banked, depth_in(word), unveil_move(move_in(word), veil))


def is_cutoff(how: Techniques, hit: Hit, alpha: float, beta: float, depth: int, is_allowed: bool) -> bool:
    """Whether the table's value ends the search of a node; with a horizon only if `is_allowed`."""
    if hit.kind == NOTHING:
        return False
    is_deep = hit.depth == depth if how.strict else hit.depth >= depth
    is_usable = how.to_the_end or (is_deep and is_allowed)
    is_enough = hit.value >= beta if hit.kind == LOWER else hit.value <= alpha
    return is_usable and (is_enough or hit.kind == EXACT)


def etc_cutoff(
    game: Game,
    how: Techniques,
    state: State,
    mover: int,
    beta: float,
    depth: int,
    ply: Ply,
    top: int,
    pushed: int,
    work: AlphaBetaWorkspace,
) -> float:
    """Enhanced transposition cutoffs (ETC): the value of a reply that the table proves good enough, or -INFINITE.

    [Plaat, Schaeffer, Pijls & de Bruin 1996]
    """
    asked, keys = top, Words(work.moves.buffer())
    while asked < pushed:  # prefetch all first, so that their entries arrive together
        child = game.result(state, work.moves.action(asked))
        if how.shallow_tail and game.is_nearly_over(child):
            break  # if this one is missing, its siblings are hardly ever in the table
        child_key = table_key(game, how, child, work)
        work.table.prefetch(child_key)
        keys[asked - top] = child_key
        asked += 1
    for index in range(asked - top):
        word, value = work.table.probe(keys[index])
        kind = kind_in(word)
        is_deep = depth_in(word) == depth - 1 if how.strict else depth_in(word) >= depth - 1
        if kind != NOTHING and (how.to_the_end or is_deep):
            child = game.result(state, work.moves.action(top + index))
            if how.repeats and work.path.times_before(next_ply(ply), mix(game.key(game.repetition_key(child)))) > 0:
                continue  # the table knows nothing of repetitions
            is_same = game.to_move(child) == mover
            value += value_in_bank(game, how, child, mover if is_same else 1 - mover, work)
            value = delayed(work, value if is_same else -value, 1.0)
            if value >= beta and (kind == EXACT or kind == (LOWER if is_same else UPPER)):
                return work.report(value, depth_in(word) == PROVED)
    return -INFINITE


def store_value(
    game: Game,
    how: Techniques,
    key: U64,
    veil: int,
    banked: float,
    best: float,
    best_move: int,
    alpha: float,
    beta: float,
    effort: int,
    work: AlphaBetaWorkspace,
) -> None:
    """Store a value. A value that failed low has no best move, unless the search has no horizon."""
    bound = UPPER if best <= alpha else LOWER if best >= beta else EXACT
    if bound == UPPER:
        best_move = NO_MOVE if not how.to_the_end else best_move
    is_lasting = work.is_proved and not how.to_the_end and not how.strict and game.repetition >= 0
    work.table.store(
        key, best - banked, bound, veil_move(best_move, veil), PROVED if is_lasting else min(effort, DEEPEST)
    )
