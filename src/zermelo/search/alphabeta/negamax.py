"""Alpha-beta with all its techniques, for any zero-sum game of two players without dice.

Values are seen by the side to move. Fail-soft: with v the value to this depth and r the result, r <= alpha means
v <= r, r >= beta means v >= r, and otherwise r = v, unless a bet was wrong (see `techniques`). After each call the
workspace says whether the result is proved: then it holds whatever lies beyond the horizon.

A null window (the question "better than alpha?" of principal variation search) has the width `null_window` of the
workspace, which is less than the difference of two values. With a ply cost, values show the distance to the end (see
`mate_distance`).
[Knuth & Moore 1975; Pearl 1980; Marsland & Campbell 1982; Slate & Atkin 1977]
"""

from __future__ import annotations

from zermelo.core.game import NO_ACTION, Game, State
from zermelo.kernel import U64, kernel, mix, msb
from zermelo.search.alphabeta.finish import finish
from zermelo.search.alphabeta.mate_distance import INFINITE, MOST_PLIES, delayed, is_distinct, known_bounds
from zermelo.search.alphabeta.pruning import (
    FUTILE_DEPTH,
    Node,
    can_prune_late_move,
    demote_losing_captures,
    is_futile,
    judge,
    lmr_reduction,
    may_null_move,
    null_move_reduction,
    refine_static_value,
    singular_bound,
)
from zermelo.search.alphabeta.quiescence import quiesce
from zermelo.search.alphabeta.table_steps import (
    ETC_DEPTH,
    Hit,
    etc_cutoff,
    is_cutoff,
    probe_table,
    store_value,
    table_key,
    value_in_bank,
    veil_of,
)
from zermelo.search.alphabeta.techniques import Techniques
from zermelo.search.alphabeta.workspace import AlphaBetaWorkspace
from zermelo.search.runtime.move_stack import NOISY
from zermelo.search.runtime.ordering import keep_noisy, reward_cutoff, score_moves
from zermelo.search.runtime.path import Ply, next_ply
from zermelo.search.runtime.table import NO_MOVE, PROVED, UNKNOWN
from zermelo.search.runtime.workspace import STUCK, TOO_LONG, TOO_WIDE

FAR = 250
"""With a horizon, the maximum length of a line, extensions included."""
NEW, DRAWN, FORBIDDEN = range(3)
"""Kinds of positions under the rule for repetition."""
FAILED_HIGH = -1
"""The search without the table's move found an equally good move."""


@kernel
def negamax(
    game: Game,
    how: Techniques,
    state: State,
    alpha: float,
    beta: float,
    depth: int,
    ply: Ply,
    top: int,
    work: AlphaBetaWorkspace,
) -> float:
    """The value of a state where alpha < beta; meaningless once the workspace is stopped.

    Longer than other functions, because it shows the order of the steps, most of which may end the search of the node.
    """
    if not how.to_the_end and (depth <= 0 or ply >= FAR):
        return quiesce(game, how, state, alpha, beta, 0, ply, top, work)
    if how.shallow_tail and ply > 0 and game.is_nearly_over(state):
        work.variation.clear(ply)
        return work.report(finish(game, how, state, alpha, beta, ply, top, work), True)
    if work.enter_node():
        return 0.0
    entered, mover, key, count = work.nodes, game.to_move(state), U64(0), 0
    work.variation.clear(ply)
    if how.table and not how.to_the_end:
        key = table_key(game, how, state, work)
        work.table.prefetch(key)
    if game.is_terminal(state):
        paid = float(game.utility(state, mover))
        return work.report(paid, is_distinct(work, paid))
    if how.to_the_end and (ply >= MOST_PLIES or work.is_too_deep(ply)):
        work.give_up(TOO_LONG)
        return 0.0
    work.note_ply(ply)
    if how.bounds:
        floor, ceiling = known_bounds(game, state, mover, work)
        if floor >= beta or floor >= ceiling:
            return work.report(floor, True)
        if ceiling <= alpha:
            return work.report(ceiling, True)
        alpha, beta = max(alpha, floor), min(beta, ceiling)
    node = judge(game, how, state, mover, alpha, beta, ply, top, work)  # the table's entry arrives meanwhile
    banked = value_in_bank(game, how, state, mover, work)
    if how.table and how.to_the_end:
        key = table_key(game, how, state, work)
        work.table.prefetch(key)
        count = game.fill_candidates(state, work.moves.buffer(), 0)
    veil = veil_of(game, how, state, key, work)
    hit = probe_table(how, key, veil, banked, work)
    is_whole = not how.singular or node.excluded < 0
    if how.table and is_cutoff(how, hit, alpha, beta, depth, is_whole and not node.is_open):
        return work.report(hit.value, hit.depth == PROVED)
    if node.is_threatened and not how.to_the_end:  # check extension
        depth += 1
    static_value = refine_static_value(node, hit, work)
    if how.futility and is_futile(game, node, static_value, beta, depth):
        return work.report(static_value, False)
    if how.null_move and may_null_move(game, state, node, static_value, beta, depth, work):
        value = null_move_value(game, how, state, beta, depth, ply, top, work)
        if work.is_stopped():
            return 0.0
        if value >= beta:
            return work.report(value if value < work.win_threshold else beta, False)
    if not (how.table and how.to_the_end):
        buffer = work.moves.buffer()
        count = game.fill_actions(state, buffer, 0) if how.strict else game.fill_candidates(state, buffer, 0)
    if not work.moves.is_room(top, count):
        work.give_up(TOO_WIDE)
        return 0.0
    pushed, unseen = push_moves(game, how, state, node, hit.move, count, work)
    may_cut = how.etc and how.table and (how.to_the_end or depth >= ETC_DEPTH)
    if may_cut and ply > 0 and not node.is_open:  # the root needs a best move too
        value = etc_cutoff(game, how, state, mover, beta, depth, ply, top, pushed, work)
        if value > -INFINITE:
            return value
    has_one_reply = how.one_reply and not node.is_threatened and pushed == top + 1
    if has_one_reply and not how.to_the_end and is_whole:  # one-reply extension
        depth += 1
    singular = NO_MOVE
    if how.singular:
        ask = singular_bound(game, node, hit, depth, work)
        if ask > -INFINITE:
            singular = find_singular(game, how, state, hit, ask, depth, ply, pushed, work)
            if work.is_stopped():
                return 0.0
            if singular == FAILED_HIGH and ask >= beta:  # multi-cut
                return work.report(ask, False)
    best, best_move = search_moves(
        game, how, state, node, static_value, alpha, beta, depth, pushed, unseen, singular, work
    )
    if work.is_stopped():
        return 0.0
    if ply == 0:
        work.best = best_move
    if how.table and is_whole:
        effort = msb(U64(work.nodes - entered)) + 1 if how.to_the_end else depth
        store_value(game, how, key, veil, banked, best, best_move, alpha, beta, effort, work)
    return best


def null_move_value(
    game: Game,
    how: Techniques,
    state: State,
    beta: float,
    depth: int,
    ply: Ply,
    top: int,
    work: AlphaBetaWorkspace,
) -> float:
    """Null-move pruning: the value of a null move, searched to a reduced depth with a null window. [Beal 1989]"""
    after = next_ply(ply)
    work.ordering.note_played(after, NO_ACTION)
    other = game.after_pass(state)
    there = U64(0)
    if how.repeats:
        there = mix(game.key(game.repetition_key(other)))
        work.path.enter(after, there)
    reduced = depth - 1 - null_move_reduction(depth)
    value = -negamax(game, how, other, -beta, -beta + work.null_window, reduced, after, top, work)
    if how.repeats:
        work.path.leave(there)
    return value


def push_moves(
    game: Game,
    how: Techniques,
    state: State,
    node: Node,
    table_move: int,
    count: int,
    work: AlphaBetaWorkspace,
) -> tuple[int, int]:
    """Push the generated moves except the excluded one, the table's move first.

    Returns the new top and the place of the first move without a score.
    """
    moves, top, excluded, pushed = work.moves, node.top, node.excluded, node.top
    for index in range(count):
        if not how.singular or index != excluded:
            moves.push(pushed, moves.generated[index], 0.0, index)
            pushed += 1
    if not (table_move < count and table_move != excluded):
        return pushed, top
    moves.swap(top, top + table_move - (1 if 0 <= excluded < table_move else 0))
    if how.quiescence and game.is_noisy(state, moves.action(top)):
        moves.set_marks(top, table_move | NOISY)
    return pushed, top + 1


def find_singular(
    game: Game,
    how: Techniques,
    state: State,
    hit: Hit,
    ask: float,
    depth: int,
    ply: Ply,
    pushed: int,
    work: AlphaBetaWorkspace,
) -> int:
    """Singular extension: the table's move if all others are below `ask`, otherwise FAILED_HIGH."""
    work.exclude(ply, hit.move)
    value = negamax(game, how, state, ask - work.null_window, ask, (depth - 1) // 2, ply, pushed, work)
    work.exclude(ply, -1)
    work.variation.clear(ply)
    return hit.move if value < ask else FAILED_HIGH


def search_moves(
    game: Game,
    how: Techniques,
    state: State,
    node: Node,
    static_value: float,
    alpha: float,
    beta: float,
    depth: int,
    pushed: int,
    unseen: int,
    singular: int,
    work: AlphaBetaWorkspace,
) -> tuple[float, int]:
    """The best value of the moves on the stack and the number of that move; the workspace says whether it is proved.

    Longer than other functions, because each step changes the stack or the best value for the next one.
    """
    ply, moves = Ply(node.ply), work.moves
    best, best_move, all_proved, is_best_proved = -INFINITE, UNKNOWN, True, False
    tried, quiet, first = 0, 0, node.top
    hoped = static_value + (depth + 1) * game.swing if how.futility else INFINITE
    is_hopeless = how.futility and node.is_calm and depth <= FUTILE_DEPTH and hoped <= alpha
    while first < pushed:
        if first == unseen:
            if is_hopeless and (tried == 0 or best > -work.win_threshold):  # futility pruning
                pushed = keep_noisy(game, state, moves, first, pushed)
                best, all_proved = max(best, hoped), False
                if first == pushed:
                    break
            score_moves(game, how, state, node.mover, ply, first, pushed, moves, work.ordering)
        if first >= unseen:
            moves.select_next(first, pushed)
        if how.see and tried > 0:
            demote_losing_captures(game, state, first, pushed, moves)
        is_quiet = not moves.is_noisy(first)
        may_prune = is_quiet and node.is_calm and tried > 0 and best > -work.win_threshold
        if may_prune and (is_hopeless or can_prune_late_move(how, depth, quiet)):
            pushed = moves.remove_quiet(first, pushed)
            best, all_proved = max(best, hoped) if is_hopeless else best, False
            continue
        action, number, score = moves.action(first), moves.number(first), moves.score(first)
        first += 1
        quiet += 1 if is_quiet else 0
        child = game.result(state, action)
        there = mix(game.key(game.repetition_key(child))) if how.repeats else U64(0)
        kind = judge_repetition(game, child, there, ply, work) if how.repeats else NEW
        if how.repeats and kind == FORBIDDEN:
            all_proved = False  # the move may be allowed on another path to this node
            continue
        value, is_proved = game.middle(), False
        if kind == NEW:
            fewer = lmr_reduction(node, is_quiet, score, tried, depth, work) if how.lmr else 0
            deeper = 1 if how.singular and number == singular else 0
            is_scout = how.pvs and tried > 0 and node.is_open
            floor, ceiling = (max(alpha, best), beta) if how.cutoffs else (-INFINITE, INFINITE)
            work.ordering.note_played(next_ply(ply), action)
            value = search_child(
                game, how, child, there, node, floor, ceiling, is_scout, depth - 1 + deeper, fewer, pushed, work
            )
            if work.is_stopped():
                return 0.0, UNKNOWN
            is_proved = work.is_proved
        else:
            work.variation.clear(next_ply(ply))
        tried += 1
        all_proved = all_proved and is_proved
        if value > best:
            best, best_move, is_best_proved = value, number, is_proved
            if value > alpha:
                work.variation.update(ply, action)
        if how.cutoffs and best >= beta:
            if kind == NEW:
                work.count_cutoff(tried == 1)
                if is_quiet and (how.killers or how.history):
                    reward_cutoff(how, node.mover, ply, depth, node.top, first - 1, moves, work.ordering)
            break
    if tried == 0 and best == -INFINITE:
        if how.singular and node.excluded >= 0:
            return work.report(alpha, False), UNKNOWN
        if game.repetition >= 0:
            work.give_up(STUCK)
            return 0.0, UNKNOWN
        best, all_proved = game.middle(), False
    is_proved = is_best_proved if best >= beta or best >= work.win_threshold else all_proved
    return work.report(best, is_proved), best_move


def judge_repetition(game: Game, child: State, there: U64, ply: Ply, work: AlphaBetaWorkspace) -> int:
    """The kind of the position after a move: new, a draw by repetition, or a forbidden repetition."""
    times = work.path.times_before(next_ply(ply), there)
    if game.repetition < 0 and times > 0:
        return FORBIDDEN
    if game.repetition > 0 and times + 1 >= game.repetition and not game.is_terminal(child):
        return DRAWN
    return NEW


def search_child(
    game: Game,
    how: Techniques,
    child: State,
    there: U64,
    node: Node,
    floor: float,
    ceiling: float,
    is_scout: bool,
    depth: int,
    fewer: int,
    pushed: int,
    work: AlphaBetaWorkspace,
) -> float:
    """The value of a move: principal variation search (PVS) with late move reductions (LMR).

    A move is first searched with `fewer` plies, and with a null window if it is a scout. If it fails high, it is
    searched again, first to the full depth, then with the full window. [Marsland & Campbell 1982; Reinefeld 1983]
    """
    after = Ply(node.ply + 1)
    if how.repeats:
        work.path.enter(after, there)
    is_same = game.to_move(child) == node.mover
    upper = floor + work.null_window if is_scout else ceiling
    value = 0.0
    while True:
        near, far = delayed(work, floor, -1.0), delayed(work, upper, -1.0)
        low, high = (near, far) if is_same else (-far, -near)
        value = negamax(game, how, child, low, high, depth - fewer, after, pushed, work)
        value = delayed(work, value if is_same else -value, 1.0)
        if value <= floor or work.is_stopped():
            break
        if fewer > 0:
            fewer = 0
        elif upper < ceiling and value < ceiling:
            upper = ceiling
        else:
            break
    if how.repeats:
        work.path.leave(there)
    return value
