"""Max^n: a value is the vector of all players' payoffs, and each seat maximises its own weighted payoff.

The weighted payoff is the seat's own payoff, or the negative of another player's. Of equal moves the first in the
game's list is taken, whatever the order of search, so that the answer is that of the textbook. [Luckhardt & Irani 1986]

Shallow pruning, if the sum of payoffs has a limit: once the mover has so much that the parent's player can get no more
here than elsewhere, the position will not be chosen, and its other moves are skipped. Once the mover has the greatest
possible payoff, only earlier moves can still be taken instead. [Korf 1991]

Payoffs are proved if no horizon can change them. That requires all moves to be proved: a deeper search of a move that
seems worse may find it equal, and an earlier equal move would be taken, which changes the other players' payoffs. Only
moves after one with the greatest possible payoff do not matter.

The payoffs of a node stand in the workspace, in a row for each ply.
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.core.game import Game, State
from zermelo.kernel import U64, Reals, kernel, mix, state
from zermelo.search.alphabeta.mate_distance import INFINITE
from zermelo.search.expectiminimax.expectiminimax import FAR, select_move
from zermelo.search.expectiminimax.maxn_table import copy_payoffs
from zermelo.search.expectiminimax.outcomes import list_outcomes
from zermelo.search.expectiminimax.techniques import Techniques
from zermelo.search.expectiminimax.workspace import (
    AGAINST,
    MAX,
    MIN,
    NO_PLAYER,
    OUTCOME,
    OWN,
    SEAT,
    ExpectiminimaxWorkspace,
)
from zermelo.search.runtime.ordering import reward_cutoff
from zermelo.search.runtime.path import Ply, next_ply
from zermelo.search.runtime.table import NO_MOVE
from zermelo.search.runtime.workspace import STUCK, TOO_WIDE


@kernel
def maxn_kernel(
    game: Game,
    how: Techniques,
    state: State,
    parent: int,
    bound: float,
    is_tie_lost: bool,
    depth: int,
    ply: Ply,
    top: int,
    work: ExpectiminimaxWorkspace,
) -> bool:
    """Write the payoffs of all players into this ply's row; False if the parent will not choose them.

    `parent` is the player who chose this move, maximises their own payoff and has `bound` elsewhere, or NO_PLAYER. If a
    tie is lost, they need more than `bound`. Payoffs that will not be chosen are not exact. Meaningless once the
    workspace is stopped.
    """
    if work.enter_node():
        return False
    work.variation.clear(ply)
    if game.is_terminal(state):
        return report_payoffs(game, game.utilities(state), True, ply, work)
    if depth <= 0 or ply >= FAR:
        return report_payoffs(game, game.evaluations(state), False, ply, work)
    work.note_ply(ply)
    return search_layer(game, how, state, parent, bound, is_tie_lost, depth, ply, top, work)


def search_layer(
    game: Game,
    how: Techniques,
    state: State,
    parent: int,
    bound: float,
    is_tie_lost: bool,
    depth: int,
    ply: Ply,
    top: int,
    work: ExpectiminimaxWorkspace,
) -> bool:
    """Find the payoffs of an inner node: from the table, or those of a choice or a mean, which are then stored."""
    payoffs, mover = work.payoffs(ply), game.to_move(state)
    role = work.role_of(mover)
    key, move, is_exact = U64(0), NO_MOVE, True
    if how.table:
        key = mix(game.key(state)) ^ work.salt
        entry = work.payoff_table.probe(game, key)
        if entry.address != 0:
            work.hits += 1
            move = entry.move()
            if entry.depth() == depth:
                copy_payoffs(game, entry.payoffs, payoffs)
                work.is_proved = entry.is_proved()
                return True
    if role in (MAX, MIN, OWN, AGAINST):
        node = Chooser(mover, role == OWN, parent, bound, is_tie_lost, depth, ply, top)
        move, is_exact = search_moves(game, how, state, node, move, work)
    else:
        move = NO_MOVE
        search_outcomes(game, how, state, mover, role, depth, ply, top, work)
    if how.table and not work.is_stopped():
        work.payoff_table.store(game, key, payoffs, move, depth if is_exact else 0, work.is_proved)
    return is_exact


def report_payoffs(
    game: Game, payoffs: tuple[float, ...], is_proved: bool, ply: Ply, work: ExpectiminimaxWorkspace
) -> bool:
    """Put exact payoffs into the row of a ply, and record whether they are proved."""
    row = work.payoffs(ply)
    for player in range(game.players):
        row[player] = float(payoffs[player])
    work.is_proved = is_proved
    return True


def search_outcomes(
    game: Game,
    how: Techniques,
    state: State,
    mover: int,
    role: int,
    depth: int,
    ply: Ply,
    top: int,
    work: ExpectiminimaxWorkspace,
) -> None:
    """Find the mean payoffs of the outcomes of dice, or of a modelled player."""
    mean, after, all_proved = work.payoffs(ply), next_ply(ply), True
    pushed, payoffs = list_outcomes(game, how, state, mover, role, top, work), work.payoffs(after)
    for player in range(game.players):
        mean[player] = 0.0
    for place in range(top, pushed, OUTCOME):
        outcome = work.outcome(place)
        action, probability = outcome.action, outcome.probability
        work.ordering.note_played(after, action)
        child = game.result(state, action)
        maxn_kernel(game, how, child, NO_PLAYER, 0.0, False, depth - 1, after, pushed, work)
        if work.is_stopped():
            return
        all_proved = all_proved and work.is_proved
        for player in range(game.players):
            mean[player] = mean[player] + probability * payoffs[player]
    work.is_proved = all_proved


@state
class Chooser(NamedTuple):
    """A node where a player takes the best move, and how it was reached."""

    mover: int
    is_selfish: bool
    """The mover maximises its own payoff."""
    parent: int
    bound: float
    is_tie_lost: bool
    depth: int
    ply: int
    top: int
    """The place of its first move on the stack."""


def search_moves(
    game: Game, how: Techniques, state: State, node: Chooser, table_move: int, work: ExpectiminimaxWorkspace
) -> tuple[int, bool]:
    """Find the payoffs of the mover's best move; returns its number, and False after a cutoff."""
    moves, ply, after, is_exact = work.moves, Ply(node.ply), Ply(node.ply + 1), True
    count = game.fill_actions(state, moves.buffer(), 0)
    if count == 0 or not moves.is_room(node.top, count):
        work.give_up(STUCK if count == 0 else TOO_WIDE)
        return NO_MOVE, False
    pushed, unseen = node.top + count, moves.push_generated(node.top, count, table_move)
    own, best_move, is_best_proved, first_unproved, last = -INFINITE, count, False, count, pushed
    if how.narrow:
        last = min(pushed, node.top + work.width)
        first_unproved = count if last == pushed else 0
    may_prune = node.is_selfish and how.cutoffs
    for first in range(node.top, last):
        select_move(game, how, state, node.mover, ply, first, unseen, pushed, work)
        action, number = moves.action(first), moves.number(first)
        if may_prune and own >= work.highest and number > best_move:
            continue
        work.ordering.note_played(after, action)
        child, chooser = game.result(state, action), node.mover if may_prune and first > node.top else NO_PLAYER
        maxn_kernel(game, how, child, chooser, own, number > best_move, node.depth - 1, after, pushed, work)
        if work.is_stopped():
            return NO_MOVE, False
        is_proved, payoffs = work.is_proved, work.payoffs(after)
        if not is_proved:
            first_unproved = min(first_unproved, number)
        worth = payoffs[node.mover & SEAT] if node.is_selfish else weighted_payoff(game, payoffs, node.mover, work)
        if worth > own or (worth == own and number < best_move):
            own, best_move, is_best_proved = worth, number, is_proved
            copy_payoffs(game, payoffs, work.payoffs(ply))
            work.variation.update(ply, action)
            if may_prune and is_shallow_cutoff(node, own, work):
                is_exact = False
                work.count_cutoff(first == node.top)
                if how.killers or how.history:
                    reward_cutoff(how, node.mover, ply, node.depth, node.top, first, moves, work.ordering)
                break
    has_most = may_prune and own >= work.highest
    is_proved = first_unproved > best_move if has_most else first_unproved == count
    work.is_proved = is_proved if is_exact else is_best_proved
    return best_move, is_exact


def is_shallow_cutoff(node: Chooser, own: float, work: ExpectiminimaxWorkspace) -> bool:
    """Shallow pruning: whether the parent can get no more here than elsewhere. [Korf 1991]"""
    if node.parent in (NO_PLAYER, node.mover):
        return False
    rest = work.max_payoff_sum - own - work.min_rest_sum
    return rest < node.bound - work.rounded or (rest <= node.bound and node.is_tie_lost)


def weighted_payoff(game: Game, payoffs: Reals, seat: int, work: ExpectiminimaxWorkspace) -> float:
    """The weighted sum of payoffs for a seat."""
    found = 0.0
    for player in range(game.players):
        found += work.payoff_weight(seat, player) * payoffs[player]
    return found
