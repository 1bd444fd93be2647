"""Alpha-beta with everything that makes it strong, for any game of two opponents without dice.

Values are seen by the side to move. Fail-soft: with v the value to this depth and r the result, r <= alpha says v <= r,
r >= beta says v >= r, anything between is v itself; bets apart (see `techniques`). After each call the workspace says
whether the result is proved: it then holds whatever lies beyond the horizon.

A null window (the question "better than alpha?" of principal variation search) is as wide as NULL_WINDOW in the
workspace, which is less than two values can differ by. With a ply cost, a win loses a little with every ply and a loss
gains it, so that values show the distance to the end (see `mate_distance`).
[Knuth & Moore 1975; Pearl 1980; Marsland & Campbell 1982; Slate & Atkin 1977]
"""

from __future__ import annotations

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import NO_ACTION, Game, State
from zermelo.kernel import U64, kernel, load, load_real, load_word, mix, msb, number, store, store_real, store_word
from zermelo.search.alphabeta.finish import finish
from zermelo.search.alphabeta.mate_distance import INFINITE, MOST_PLIES, delayed, is_distinct, known_bounds
from zermelo.search.alphabeta.ordering import (
    LAST,
    LOSING,
    NOISY,
    NUMBER,
    REPLY,
    is_room,
    noisy_only,
    push,
    reward_cutoff,
    score_move,
    select_next,
    swap,
    without_quiet,
)
from zermelo.search.alphabeta.quiescence import quiesce
from zermelo.search.alphabeta.table import (
    DEEPEST,
    EXACT,
    LOWER,
    NO_MOVE,
    NOTHING,
    PROVED,
    UNKNOWN,
    UPPER,
    depth_in,
    kind_in,
    move_in,
    prefetch,
    probe,
    store_entry,
    unveiled,
    veiled,
)
from zermelo.search.alphabeta.techniques import Techniques
from zermelo.search.alphabeta.workspace import (
    BEST,
    CUTOFFS,
    DEEPEST_PLY,
    EXCLUDED,
    FIRST_CUTOFFS,
    HITS,
    MOVES,
    NULL_WINDOW,
    PLAYED,
    PLY_COST,
    REDUCTIONS,
    RING,
    SALT,
    STUCK,
    TOO_LONG,
    TOO_WIDE,
    WIN_THRESHOLD,
    end_line,
    enter,
    fill_space,
    is_too_deep,
    last_is_proved,
    leave,
    note_line,
    set_proved,
    times_before,
)

FAR = 250
"""With a horizon, no line is longer than this many plies, whatever the extensions."""
FUTILE_DEPTH, LATE_MOVE_DEPTH, LMR_DEPTH, SINGULAR_DEPTH, NULL_DEPTH, ETC_DEPTH = 6, 5, 3, 8, 3, 2
SINGULAR_SHARE = 1 / 40
"""Share of `swing`, per ply, by which a singular move must be better than all others."""


@kernel
def negamax(
    game: Game, how: Techniques, state: State, alpha: float, beta: float, depth: int, ply: int, top: int, memory: int
) -> float:
    """The value of a state where alpha < beta; meaningless once the workspace is stopped."""
    if not how.to_the_end and (depth <= 0 or ply >= FAR):
        return quiesce(game, how, state, alpha, beta, 0, ply, top, memory)
    if how.shallow_tail and ply > 0 and game.is_nearly_over(state):
        end_line(memory, ply)
        value = finish(game, how, state, alpha, beta, ply, top, memory)
        set_proved(memory, True)
        return value
    entered = load(memory, NODES) + 1
    store(memory, NODES, entered)
    if entered >= load(memory, LIMIT):
        return 0.0
    mover = game.to_move(state)
    end_line(memory, ply)
    key = U64(0)
    if how.table and not how.to_the_end:
        key = key_of(game, how, state, memory)
        prefetch(memory, key)
    if game.is_terminal(state):
        paid = float(game.utility(state, mover))
        set_proved(memory, is_distinct(memory, paid))
        return paid
    if how.to_the_end and (ply >= MOST_PLIES or is_too_deep(memory, ply)):
        give_up(memory, TOO_LONG)
        return 0.0
    if ply > load(memory, DEEPEST_PLY):
        store(memory, DEEPEST_PLY, ply)
    null_window = load_real(memory, NULL_WINDOW)
    if how.bounds:
        floor, ceiling = known_bounds(game, state, mover, memory)
        if floor >= beta or floor >= ceiling:
            set_proved(memory, True)
            return floor
        if ceiling <= alpha:
            set_proved(memory, True)
            return ceiling
        alpha, beta = max(alpha, floor), min(beta, ceiling)
    # A null window that ends at 0 grows by one ply cost at every ply, because a draw has no ply cost.
    is_open = beta - alpha > 2 * null_window + ply * load_real(memory, PLY_COST)
    excluded = -1
    if how.singular:
        excluded = load(memory, EXCLUDED + (ply & (RING - 1))) - 1
    # The evaluation; meanwhile the table's entry arrives.
    is_threatened = how.threats and game.is_threatened(state)
    win_threshold = load_real(memory, WIN_THRESHOLD)
    static_value = 0.0
    has_static_value = (how.futility or how.null_move or how.late_move_pruning) and not is_open and not is_threatened
    if has_static_value:
        static_value = float(game.evaluate(state, mover))
    # What the table knows.
    table_move, table_value, table_depth, table_kind = NO_MOVE, 0.0, 0, NOTHING
    space, count = fill_space(memory), 0
    banked = in_bank(game, how, state, mover, memory)
    if how.table and how.to_the_end:
        key = key_of(game, how, state, memory)
        prefetch(memory, key)
        count = game.fill_candidates(state, space, 0)
    veil = veil_of(game, how, state, key, memory)
    if how.table:
        word, table_value = probe(memory, key)
        table_value += banked
        table_kind = kind_in(word)
        if table_kind != NOTHING:
            store(memory, HITS, load(memory, HITS) + 1)
            table_move, table_depth = unveiled(move_in(word), veil), depth_in(word)
            is_deep = table_depth == depth if how.strict else table_depth >= depth
            is_usable = how.to_the_end or (is_deep and not is_open and (not how.singular or excluded < 0))
            is_enough = table_value >= beta if table_kind == LOWER else table_value <= alpha
            if is_usable and (is_enough or table_kind == EXACT):
                set_proved(memory, table_depth == PROVED)
                return table_value
    # Bets on the static evaluation: futility pruning and null-move pruning.
    if is_threatened and not how.to_the_end:
        depth += 1
    is_calm = has_static_value and abs(beta) < win_threshold and (not how.singular or excluded < 0)
    if has_static_value:
        if (table_kind == LOWER and table_value > static_value) or (table_kind == UPPER and table_value < static_value):
            static_value = table_value if abs(table_value) < win_threshold else static_value
        if how.futility and is_calm and depth <= FUTILE_DEPTH and static_value - depth * game.swing >= beta:
            set_proved(memory, False)
            return static_value
        if how.null_move and is_calm and depth >= NULL_DEPTH and static_value >= beta:
            last = load(memory, PLAYED + (ply & (RING - 1)))
            if last != NO_ACTION and game.may_pass(state):
                store(memory, PLAYED + ((ply + 1) & (RING - 1)), NO_ACTION)
                fewer = 3 + depth // 4
                other = game.passed(state)
                there = U64(0)
                if how.repeats:
                    there = mix(game.key(game.timeless(other)))
                    enter(memory, ply + 1, there)
                value = -negamax(game, how, other, -beta, -beta + null_window, depth - 1 - fewer, ply + 1, top, memory)
                if how.repeats:
                    leave(memory, there)
                if load(memory, NODES) >= load(memory, LIMIT):
                    return 0.0
                if value >= beta:
                    set_proved(memory, False)
                    return value if value < win_threshold else beta
    # The moves.
    pushed = top
    if not (how.table and how.to_the_end):
        count = game.fill_actions(state, space, 0) if how.strict else game.fill_candidates(state, space, 0)
    if not is_room(pushed, count):
        give_up(memory, TOO_WIDE)
        return 0.0
    for index in range(count):
        if not how.singular or index != excluded:
            push(memory, pushed, load(space, index), 0.0, index)
            pushed += 1
    # The table's move is tried before the others are even scored.
    unseen = top
    if table_move < count and table_move != excluded:
        swap(memory, top, top + table_move - (1 if 0 <= excluded < table_move else 0))
        if how.quiescence and game.is_noisy(state, load(memory, MOVES + 3 * top)):
            store(memory, MOVES + 3 * top + 2, table_move | NOISY)
        unseen = top + 1
    is_asked = how.etc and how.table and (how.to_the_end or depth >= ETC_DEPTH)
    if is_asked and ply > 0 and not is_open:  # enhanced transposition cutoffs; the root needs a best move too
        asked = top
        while asked < pushed:  # all of them first, so that their entries arrive together
            child = game.result(state, load(memory, MOVES + 3 * asked))
            if how.shallow_tail and game.is_nearly_over(child):
                break  # it is not in the table, and its siblings hardly ever are
            child_key = key_of(game, how, child, memory)
            prefetch(memory, child_key)
            store_word(space, asked - top, child_key)
            asked += 1
        for index in range(asked - top):
            word, value = probe(memory, load_word(space, index))
            kind = kind_in(word)
            is_deep = depth_in(word) == depth - 1 if how.strict else depth_in(word) >= depth - 1
            if kind != NOTHING and (how.to_the_end or is_deep):
                child = game.result(state, load(memory, MOVES + 3 * (top + index)))
                if how.repeats and times_before(memory, ply + 1, mix(game.key(game.timeless(child)))) > 0:
                    continue  # the table says nothing of a repetition
                is_same = game.to_move(child) == mover
                value += in_bank(game, how, child, mover if is_same else 1 - mover, memory)
                value = delayed(memory, value if is_same else -value, 1.0)
                if value >= beta and (kind == EXACT or kind == (LOWER if is_same else UPPER)):
                    set_proved(memory, depth_in(word) == PROVED)
                    return value
    has_one_reply = how.one_reply and not is_threatened and pushed == top + 1
    if has_one_reply and not how.to_the_end and (not how.singular or excluded < 0):
        depth += 1
    # Singular extension: a move without which the position is much worse is searched a ply deeper.
    singular = NO_MOVE
    if how.singular and depth >= SINGULAR_DEPTH and excluded < 0 and table_move != NO_MOVE:
        is_trusted = table_depth >= depth - 3 and table_kind != UPPER and abs(table_value) < win_threshold
        if is_trusted:
            ask = table_value - depth * SINGULAR_SHARE * min(game.swing, game.unit)
            store(memory, EXCLUDED + (ply & (RING - 1)), table_move + 1)
            value = negamax(game, how, state, ask - null_window, ask, (depth - 1) // 2, ply, pushed, memory)
            store(memory, EXCLUDED + (ply & (RING - 1)), 0)
            if load(memory, NODES) >= load(memory, LIMIT):
                return 0.0
            if value < ask:
                singular = table_move
            elif ask >= beta:
                set_proved(memory, False)
                return ask
            end_line(memory, ply)
    best, best_move, all_proved, is_best_proved = -INFINITE, UNKNOWN, True, False
    tried, quiet = 0, 0
    hoped = static_value + (depth + 1) * game.swing if how.futility else INFINITE
    is_hopeless = how.futility and is_calm and depth <= FUTILE_DEPTH and hoped <= alpha
    first = top
    while first < pushed:
        if first == unseen:
            if is_hopeless and (tried == 0 or best > -win_threshold):
                pushed = noisy_only(game, state, memory, first, pushed)
                best, all_proved = max(best, hoped), False
                if first == pushed:
                    break
            for place in range(first, pushed):
                score_move(game, how, state, mover, ply, place, memory)
        if first >= unseen:
            select_next(memory, first, pushed)
        cell = MOVES + 3 * first
        if how.see:
            while tried > 0 and load(memory, cell + 2) & (NOISY | LOSING) == NOISY:
                if game.exchange(state, load(memory, cell)) >= 0:
                    break
                store(memory, cell + 2, load(memory, cell + 2) | LOSING)  # behind the quiet moves
                store_real(memory, cell + 1, load_real(memory, cell + 1) + LAST)
                select_next(memory, first, pushed)
        action, marks = load(memory, cell), load(memory, cell + 2)
        is_quiet = marks & NOISY == 0
        if is_calm and is_quiet and tried > 0 and best > -win_threshold:
            is_late = how.late_move_pruning and depth <= LATE_MOVE_DEPTH and quiet > 3 + depth * depth
            if is_late or is_hopeless:
                pushed = without_quiet(memory, first, pushed)
                best, all_proved = max(best, hoped) if is_hopeless else best, False
                continue
        first += 1
        quiet += 1 if is_quiet else 0
        child = game.result(state, action)
        place = U64(0)
        if how.repeats:
            place = mix(game.key(game.timeless(child)))
            times = times_before(memory, ply + 1, place)
            if game.repetition < 0 and times > 0:
                all_proved = False  # on another way here the move may be allowed
                continue
            if game.repetition > 0 and times + 1 >= game.repetition and not game.is_terminal(child):
                tried += 1
                all_proved = False
                middle = game.middle()
                if middle > best:
                    best, best_move, is_best_proved = middle, marks & NUMBER, False
                    if best > alpha:
                        end_line(memory, ply + 1)
                        note_line(memory, ply, action)
                    if how.cutoffs and best >= beta:
                        break
                continue
            enter(memory, ply + 1, place)
        store(memory, PLAYED + ((ply + 1) & (RING - 1)), action)
        is_same = game.to_move(child) == mover
        deeper = 1 if how.singular and marks & NUMBER == singular else 0
        fewer = 0
        if how.lmr and depth >= LMR_DEPTH and tried >= 2 and is_quiet and not is_threatened:
            fewer = load(memory, REDUCTIONS + 64 * min(depth, 63) + min(tried, 63))
            if is_open or load_real(memory, cell + 1) >= REPLY:
                fewer -= 1
            fewer = max(0, min(fewer, depth - 2))
        floor = max(alpha, best) if how.cutoffs else -INFINITE
        ceiling = beta if how.cutoffs else INFINITE
        upper = floor + null_window if how.pvs and tried > 0 and is_open else ceiling
        value = 0.0
        while True:
            near, far = delayed(memory, floor, -1.0), delayed(memory, upper, -1.0)
            low, high = (near, far) if is_same else (-far, -near)
            value = negamax(game, how, child, low, high, depth - 1 - fewer + deeper, ply + 1, pushed, memory)
            value = delayed(memory, value if is_same else -value, 1.0)
            if load(memory, NODES) >= load(memory, LIMIT):
                return 0.0
            if value <= floor:
                break
            if fewer > 0:
                fewer = 0
            elif upper < ceiling and value < ceiling:
                upper = ceiling
            else:
                break
        if how.repeats:
            leave(memory, place)
        tried += 1
        is_proved = last_is_proved(memory)
        all_proved = all_proved and is_proved
        if value > best:
            best, best_move, is_best_proved = value, marks & NUMBER, is_proved
            if value > alpha:
                note_line(memory, ply, action)
        if how.cutoffs and best >= beta:
            store(memory, CUTOFFS, load(memory, CUTOFFS) + 1)
            if tried == 1:
                store(memory, FIRST_CUTOFFS, load(memory, FIRST_CUTOFFS) + 1)
            if is_quiet and (how.killers or how.history):
                reward_cutoff(memory, how, mover, ply, depth, top, first - 1)
            break
    if tried == 0 and best == -INFINITE:
        if how.singular and excluded >= 0:
            set_proved(memory, False)
            return alpha
        if game.repetition >= 0:
            give_up(memory, STUCK)
            return 0.0
        best, all_proved = game.middle(), False
    is_proved = all_proved
    if best >= beta or best >= win_threshold:
        is_proved = is_best_proved
    set_proved(memory, is_proved)
    if ply == 0:
        store(memory, BEST, best_move)
    if how.table and (not how.singular or excluded < 0):
        bound = UPPER if best <= alpha else LOWER if best >= beta else EXACT
        effort = msb(U64(load(memory, NODES) - entered)) + 1 if how.to_the_end else depth
        if bound == UPPER:
            best_move = NO_MOVE if not how.to_the_end else best_move
        is_lasting = is_proved and not how.to_the_end and not how.strict and game.repetition >= 0
        stored = veiled(best_move, veil)
        store_entry(memory, key, best - banked, bound, stored, PROVED if is_lasting else min(effort, DEEPEST))
    return best


def key_of(game: Game, how: Techniques, state: State, memory: int) -> U64:
    """The key under which a state stands in the table."""
    if how.bank and load_real(memory, PLY_COST) == 0.0:
        state = game.without_bank(state)
    return mix(game.key(game.canonical(state)) if how.symmetry else game.key(state)) ^ load_word(memory, SALT)


def veil_of(game: Game, how: Techniques, state: State, key: U64, memory: int) -> int:
    """What hides a move number from the mirror images of a state, which share its key: 0 if there are none."""
    if not (how.table and how.symmetry):
        return 0
    if how.bank and load_real(memory, PLY_COST) == 0.0:
        state = game.without_bank(state)
    return number((mix(game.key(state)) ^ load_word(memory, SALT) ^ key) & U64(255)) % NO_MOVE


def in_bank(game: Game, how: Techniques, state: State, player: int, memory: int) -> float:
    """The part of a state's value that the table leaves out; 0 with a ply cost, because a value is then not a sum."""
    return float(game.bank(state, player)) if how.bank and load_real(memory, PLY_COST) == 0.0 else 0.0
