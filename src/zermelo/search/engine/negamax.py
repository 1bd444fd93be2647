"""Alpha-beta with everything that makes it strong, for any game of two opponents without dice.

Values are seen by the side to move. Fail-soft: with v the value to this depth and r the result, r <= alpha says v <= r,
r >= beta says v >= r, anything between is v itself; bets apart (see `techniques`). After each call the desk says
whether the result is proved: it then holds whatever lies beyond the horizon.

Windows of no width (a scout's question "better than alpha?") are as wide as the desk's GRAIN, less than two values can
differ by. With haste, a win loses a little with every ply and a defeat gains it, so that values tell the distance to
the end. [Knuth & Moore 1975; Pearl 1980; Marsland & Campbell 1982; Slate & Atkin 1977]
"""

from __future__ import annotations

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import NO_ACTION, Game, State
from zermelo.kernel import U64, kernel, load, load_real, load_word, mix, msb, number, store, store_real, store_word
from zermelo.search.engine.desk import (
    BEST,
    CERTAIN,
    CUTOFFS,
    DEEPEST_PLY,
    EXCLUDED,
    FIRST_CUTOFFS,
    GRAIN,
    HASTE,
    HITS,
    MOVES,
    PLAYED,
    REDUCTIONS,
    RING,
    SALT,
    STUCK,
    TOO_LONG,
    TOO_WIDE,
    end_line,
    enter,
    fill_space,
    is_settled,
    is_too_deep,
    leave,
    note_line,
    settle,
    times_before,
)
from zermelo.search.engine.finish import finish
from zermelo.search.engine.haste import INFINITE, MOST_PLIES, is_told, known_bounds, slowed
from zermelo.search.engine.ordering import (
    LAST,
    LOSING,
    NOISY,
    NUMBER,
    REPLY,
    exchange,
    is_room,
    look_at,
    noisy_only,
    praise,
    pull,
    push,
    without_quiet,
)
from zermelo.search.engine.quiescence import quiesce
from zermelo.search.engine.table import (
    DEEPEST,
    EXACT,
    LOWER,
    NO_MOVE,
    NOTHING,
    PROVED,
    UNKNOWN,
    UPPER,
    depth_in,
    fetch_entry,
    keep,
    kind_in,
    look_up,
    move_in,
    unveiled,
    veiled,
)
from zermelo.search.engine.techniques import Techniques

FAR = 250
"""With a horizon, no line is looked at beyond so many plies, whatever the extensions."""
FUTILE_DEPTH, LATE_DEPTH, REDUCED_DEPTH, SINGULAR_DEPTH, NULL_DEPTH, TRANSPOSED_DEPTH = 6, 5, 3, 8, 3, 2
SINGULAR_SHARE = 1 / 40
"""Of `swing`, per ply: by so much a singular move is better than all others."""


@kernel
def negamax(
    game: Game, how: Techniques, state: State, alpha: float, beta: float, depth: int, ply: int, top: int, memory: int
) -> float:
    """The value of a state where alpha < beta; meaningless once the desk says stopped."""
    if not how.to_the_end and (depth <= 0 or ply >= FAR):
        return quiesce(game, how, state, alpha, beta, 0, ply, top, memory)
    if how.ending and ply > 0 and game.is_nearly_over(state):
        end_line(memory, ply)
        value = finish(game, how, state, alpha, beta, ply, top, memory)
        settle(memory, True)
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
        fetch_entry(memory, key)
    if game.is_terminal(state):
        paid = float(game.utility(state, mover))
        settle(memory, is_told(memory, paid))
        return paid
    if how.to_the_end and (ply >= MOST_PLIES or is_too_deep(memory, ply)):
        give_up(memory, TOO_LONG)
        return 0.0
    if ply > load(memory, DEEPEST_PLY):
        store(memory, DEEPEST_PLY, ply)
    grain = load_real(memory, GRAIN)
    if how.bounds:
        floor, ceiling = known_bounds(game, state, mover, memory)
        if floor >= beta or floor >= ceiling:
            settle(memory, True)
            return floor
        if ceiling <= alpha:
            settle(memory, True)
            return ceiling
        alpha, beta = max(alpha, floor), min(beta, ceiling)
    # A closed window that ends at 0 grows by the haste of a ply at every ply, for a draw has none.
    is_open = beta - alpha > 2 * grain + ply * load_real(memory, HASTE)
    excluded = -1
    if how.singular:
        excluded = load(memory, EXCLUDED + (ply & (RING - 1))) - 1
    # The evaluation; meanwhile the table's entry arrives.
    is_threatened = how.threats and game.is_threatened(state)
    certain = load_real(memory, CERTAIN)
    stand = 0.0
    has_stand = (how.futility or how.null_move or how.late) and not is_open and not is_threatened
    if has_stand:
        stand = float(game.evaluate(state, mover))
    # What the table knows.
    table_move, table_value, table_depth, table_kind = NO_MOVE, 0.0, 0, NOTHING
    space, count = fill_space(memory), 0
    banked = in_bank(game, how, state, mover, memory)
    if how.table and how.to_the_end:
        key = key_of(game, how, state, memory)
        fetch_entry(memory, key)
        count = game.fill_candidates(state, space, 0)
    veil = veil_of(game, how, state, key, memory)
    if how.table:
        word, table_value = look_up(memory, key)
        table_value += banked
        table_kind = kind_in(word)
        if table_kind != NOTHING:
            store(memory, HITS, load(memory, HITS) + 1)
            table_move, table_depth = unveiled(move_in(word), veil), depth_in(word)
            is_deep = table_depth == depth if how.strict else table_depth >= depth
            is_usable = how.to_the_end or (is_deep and not is_open and (not how.singular or excluded < 0))
            is_enough = table_value >= beta if table_kind == LOWER else table_value <= alpha
            if is_usable and (is_enough or table_kind == EXACT):
                settle(memory, table_depth == PROVED)
                return table_value
    # Bets on the evaluation.
    if is_threatened and not how.to_the_end:
        depth += 1
    is_calm = has_stand and abs(beta) < certain and (not how.singular or excluded < 0)
    if has_stand:
        if (table_kind == LOWER and table_value > stand) or (table_kind == UPPER and table_value < stand):
            stand = table_value if abs(table_value) < certain else stand
        if how.futility and is_calm and depth <= FUTILE_DEPTH and stand - depth * game.swing >= beta:
            settle(memory, False)
            return stand
        if how.null_move and is_calm and depth >= NULL_DEPTH and stand >= beta:
            last = load(memory, PLAYED + (ply & (RING - 1)))
            if last != NO_ACTION and game.may_pass(state):
                store(memory, PLAYED + ((ply + 1) & (RING - 1)), NO_ACTION)
                fewer = 3 + depth // 4
                other = game.passed(state)
                there = U64(0)
                if how.repeats:
                    there = mix(game.key(game.timeless(other)))
                    enter(memory, ply + 1, there)
                value = -negamax(game, how, other, -beta, -beta + grain, depth - 1 - fewer, ply + 1, top, memory)
                if how.repeats:
                    leave(memory, there)
                if load(memory, NODES) >= load(memory, LIMIT):
                    return 0.0
                if value >= beta:
                    settle(memory, False)
                    return value if value < certain else beta
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
    # The move of the table is tried before the others are even looked at.
    unseen = top
    if table_move < count and table_move != excluded:
        exchange(memory, top, top + table_move - (1 if 0 <= excluded < table_move else 0))
        if how.quiescence and game.is_noisy(state, load(memory, MOVES + 3 * top)):
            store(memory, MOVES + 3 * top + 2, table_move | NOISY)
        unseen = top + 1
    is_asked = how.transposed and how.table and (how.to_the_end or depth >= TRANSPOSED_DEPTH)
    if is_asked and ply > 0 and not is_open:  # at the root a best move is wanted too
        asked = top
        while asked < pushed:  # all of them first, so that their entries arrive together
            child = game.result(state, load(memory, MOVES + 3 * asked))
            if how.ending and game.is_nearly_over(child):
                break  # it is not in the table, and its sisters hardly
            child_key = key_of(game, how, child, memory)
            fetch_entry(memory, child_key)
            store_word(space, asked - top, child_key)
            asked += 1
        for index in range(asked - top):
            word, value = look_up(memory, load_word(space, index))
            kind = kind_in(word)
            is_deep = depth_in(word) == depth - 1 if how.strict else depth_in(word) >= depth - 1
            if kind != NOTHING and (how.to_the_end or is_deep):
                child = game.result(state, load(memory, MOVES + 3 * (top + index)))
                if how.repeats and times_before(memory, ply + 1, mix(game.key(game.timeless(child)))) > 0:
                    continue  # the table says nothing of a repetition
                is_same = game.to_move(child) == mover
                value += in_bank(game, how, child, mover if is_same else 1 - mover, memory)
                value = slowed(memory, value if is_same else -value, 1.0)
                if value >= beta and (kind == EXACT or kind == (LOWER if is_same else UPPER)):
                    settle(memory, depth_in(word) == PROVED)
                    return value
    is_forced = how.forced and not is_threatened and pushed == top + 1
    if is_forced and not how.to_the_end and (not how.singular or excluded < 0):
        depth += 1
    # A move without which the position is much worse deserves a closer look.
    singular = NO_MOVE
    if how.singular and depth >= SINGULAR_DEPTH and excluded < 0 and table_move != NO_MOVE:
        is_trusted = table_depth >= depth - 3 and table_kind != UPPER and abs(table_value) < certain
        if is_trusted:
            ask = table_value - depth * SINGULAR_SHARE * min(game.swing, game.unit)
            store(memory, EXCLUDED + (ply & (RING - 1)), table_move + 1)
            value = negamax(game, how, state, ask - grain, ask, (depth - 1) // 2, ply, pushed, memory)
            store(memory, EXCLUDED + (ply & (RING - 1)), 0)
            if load(memory, NODES) >= load(memory, LIMIT):
                return 0.0
            if value < ask:
                singular = table_move
            elif ask >= beta:
                settle(memory, False)
                return ask
            end_line(memory, ply)
    best, best_move, all_proved, is_best_proved = -INFINITE, UNKNOWN, True, False
    tried, quiet = 0, 0
    hoped = stand + (depth + 1) * game.swing if how.futility else INFINITE
    is_hopeless = how.futility and is_calm and depth <= FUTILE_DEPTH and hoped <= alpha
    first = top
    while first < pushed:
        if first == unseen:
            if is_hopeless and (tried == 0 or best > -certain):
                pushed = noisy_only(game, state, memory, first, pushed)
                best, all_proved = max(best, hoped), False
                if first == pushed:
                    break
            for place in range(first, pushed):
                look_at(game, how, state, mover, ply, place, memory)
        if first >= unseen:
            pull(memory, first, pushed)
        cell = MOVES + 3 * first
        if how.exchange:
            while tried > 0 and load(memory, cell + 2) & (NOISY | LOSING) == NOISY:
                if game.exchange(state, load(memory, cell)) >= 0:
                    break
                store(memory, cell + 2, load(memory, cell + 2) | LOSING)  # behind the quiet moves
                store_real(memory, cell + 1, load_real(memory, cell + 1) + LAST)
                pull(memory, first, pushed)
        action, marks = load(memory, cell), load(memory, cell + 2)
        is_quiet = marks & NOISY == 0
        if is_calm and is_quiet and tried > 0 and best > -certain:
            is_late = how.late and depth <= LATE_DEPTH and quiet > 3 + depth * depth
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
        if how.reductions and depth >= REDUCED_DEPTH and tried >= 2 and is_quiet and not is_threatened:
            fewer = load(memory, REDUCTIONS + 64 * min(depth, 63) + min(tried, 63))
            if is_open or load_real(memory, cell + 1) >= REPLY:
                fewer -= 1
            fewer = max(0, min(fewer, depth - 2))
        floor = max(alpha, best) if how.cutoffs else -INFINITE
        ceiling = beta if how.cutoffs else INFINITE
        upper = floor + grain if how.scout and tried > 0 and is_open else ceiling
        value = 0.0
        while True:
            near, far = slowed(memory, floor, -1.0), slowed(memory, upper, -1.0)
            low, high = (near, far) if is_same else (-far, -near)
            value = negamax(game, how, child, low, high, depth - 1 - fewer + deeper, ply + 1, pushed, memory)
            value = slowed(memory, value if is_same else -value, 1.0)
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
        is_proved = is_settled(memory)
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
                praise(memory, how, mover, ply, depth, top, first - 1)
            break
    if tried == 0 and best == -INFINITE:
        if how.singular and excluded >= 0:
            settle(memory, False)
            return alpha
        if game.repetition >= 0:
            give_up(memory, STUCK)
            return 0.0
        best, all_proved = game.middle(), False
    is_proved = all_proved
    if best >= beta or best >= certain:
        is_proved = is_best_proved
    settle(memory, is_proved)
    if ply == 0:
        store(memory, BEST, best_move)
    if how.table and (not how.singular or excluded < 0):
        bound = UPPER if best <= alpha else LOWER if best >= beta else EXACT
        effort = msb(U64(load(memory, NODES) - entered)) + 1 if how.to_the_end else depth
        if bound == UPPER:
            best_move = NO_MOVE if not how.to_the_end else best_move
        is_lasting = is_proved and not how.to_the_end and not how.strict and game.repetition >= 0
        stored = veiled(best_move, veil)
        keep(memory, key, best - banked, bound, stored, PROVED if is_lasting else min(effort, DEEPEST))
    return best


def key_of(game: Game, how: Techniques, state: State, memory: int) -> U64:
    """The key under which a state stands in the table."""
    if how.bank and load_real(memory, HASTE) == 0.0:
        state = game.without_bank(state)
    return mix(game.key(game.canonical(state)) if how.symmetry else game.key(state)) ^ load_word(memory, SALT)


def veil_of(game: Game, how: Techniques, state: State, key: U64, memory: int) -> int:
    """What hides a move number from the mirror images of a state, which share its key: 0 if there are none."""
    if not (how.table and how.symmetry):
        return 0
    if how.bank and load_real(memory, HASTE) == 0.0:
        state = game.without_bank(state)
    return number((mix(game.key(state)) ^ load_word(memory, SALT) ^ key) & U64(255)) % NO_MOVE


def in_bank(game: Game, how: Techniques, state: State, player: int, memory: int) -> float:
    """What the table leaves out of a state's value; with haste a value is not a sum, and it is all in the table."""
    return float(game.bank(state, player)) if how.bank and load_real(memory, HASTE) == 0.0 else 0.0
