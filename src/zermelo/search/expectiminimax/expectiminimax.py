"""Expectiminimax: the maximum, the minimum and the mean of the values below, in layers of any order, for a team.

Alpha-beta in the layers where a player maximises or minimises. In the others, where dice or players decide who do
neither, Star1: every outcome not yet searched lies between the least and the greatest payoff, so the mean lies in an
interval, and once that is outside the window the rest does not matter. Star2 first asks what one good reply does to
each outcome, which narrows the interval cheaply. [Ballard 1983; Hauk, Buro & Schaeffer 2004]

Fail-soft: with v the value to this depth and r the result, r <= alpha says v <= r, r >= beta says v >= r, anything
between is v itself. The table believes only what was searched to the very depth that is asked for. A result is proved
if what it says holds for the value of the whole game too. An interval that a probe found may rest on estimates, so each
outcome has a mark of its own: a mean is proved only if every edge that it relies on is.

Best-reply search: between two moves of the team only one of the opponents minimises, whichever hurts most; the others
play the move that the game would try first. [Schadd & Winands 2011; Esser et al. 2013]
"""

from __future__ import annotations

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import U64, kernel, load, load_real, load_word, mix, number, store, store_real
from zermelo.search.alphabeta.mate_distance import INFINITE
from zermelo.search.expectiminimax.models import habit, preferred, reliability
from zermelo.search.expectiminimax.techniques import Techniques
from zermelo.search.expectiminimax.workspace import (
    DICE,
    HABITUAL,
    HAS_REPLIED,
    HIGHEST,
    IMPROBABLE,
    LOWEST,
    MAX,
    MIN,
    MOST_SEATS,
    ROLES,
    SKILLED,
    TEAM,
    TEAM_SIZE,
    WIDTH,
)
from zermelo.search.legacy_ordering import (
    NUMBER,
    is_room,
    ordering_score,
    push,
    reward_cutoff,
    reward_reply,
    score_move,
    select_next,
    stack_moves,
    swap,
)
from zermelo.search.legacy_table import (
    EXACT,
    LOWER,
    NO_MOVE,
    NOTHING,
    UPPER,
    depth_in,
    kind_in,
    move_in,
    probe,
    store_entry,
    unveiled,
    veiled,
)
from zermelo.search.legacy_workspace import (
    CUTOFFS,
    DEEPEST_PLY,
    FIRST_CUTOFFS,
    HITS,
    MOST_MOVES,
    MOVES,
    NULL_WINDOW,
    PLAYED,
    RING,
    SALT,
    STUCK,
    TOO_WIDE,
    end_line,
    fill_space,
    last_is_proved,
    note_line,
    set_proved,
)

FAR = 250
"""No line is longer than this many plies."""
DEEPEST_KEPT = 62
"""Deeper searches are not stored in the table."""


@kernel
def expectiminimax_kernel(
    game: Game, how: Techniques, state: State, alpha: float, beta: float, depth: int, ply: int, top: int, memory: int
) -> float:
    """What a state is worth to the team, where alpha < beta; meaningless once the workspace is stopped."""
    entered = load(memory, NODES) + 1
    store(memory, NODES, entered)
    if entered >= load(memory, LIMIT):
        return 0.0
    end_line(memory, ply)
    if game.is_terminal(state):
        set_proved(memory, True)
        return team_payoff(game, state, memory)
    if depth <= 0 or ply >= FAR:
        set_proved(memory, False)
        return team_evaluation(game, state, memory)
    if ply > load(memory, DEEPEST_PLY):
        store(memory, DEEPEST_PLY, ply)
    mover = game.to_move(state)
    role = role_of(mover, memory)
    key, veil, table_move = U64(0), 0, NO_MOVE
    if how.table:
        key = key_of(game, how, state, memory)
        veil = veil_of(game, how, state, key, memory)
        word, value = probe(memory, key)
        kind = kind_in(word)
        if kind != NOTHING:
            store(memory, HITS, load(memory, HITS) + 1)
            table_move = unveiled(move_in(word), veil)
            is_enough = value >= beta if kind == LOWER else value <= alpha
            if depth_in(word) >> 1 == depth and (is_enough or kind == EXACT):
                set_proved(memory, depth_in(word) & 1 == 1)
                return value
    if role not in (MAX, MIN):
        # A mean. Two places of the stack for each outcome: the move and its probability; between what it must lie, and
        # whether that is proved.
        low, high = load_real(memory, LOWEST), load_real(memory, HIGHEST)
        pushed = list_outcomes(game, how, state, mover, role, top, memory)
        if pushed < 0:
            give_up(memory, TOO_WIDE if pushed == -1 else STUCK)
            return 0.0
        least, most, floors_proved, ceilings_proved = low, high, True, True
        if how.probes and depth >= 2:
            for place in range(top, pushed, 2):
                cell = MOVES + 3 * place
                child, probability = game.result(state, load(memory, cell)), load_real(memory, cell + 1)
                floor, ceiling, is_proved, is_asked = low, high, True, False
                if game.is_terminal(child):
                    floor = team_payoff(game, child, memory)
                    ceiling = floor
                else:
                    turn = role_of(game.to_move(child), memory)
                    child_key = U64(0)
                    if how.table:
                        child_key = key_of(game, how, child, memory)
                        word, value = probe(memory, child_key)
                        if kind_in(word) != NOTHING and depth_in(word) >> 1 == depth - 1:
                            floor = value if kind_in(word) != UPPER else floor
                            ceiling = value if kind_in(word) != LOWER else ceiling
                            is_proved = depth_in(word) & 1 == 1
                            is_asked = True
                    if not is_asked and ((turn == MAX and beta < high) or (turn == MIN and alpha > low)):
                        store(memory, PLAYED + ((ply + 1) & (RING - 1)), load(memory, cell))
                        chosen = first_reply(game, how, child, turn, ply + 1, child_key, memory)
                        if chosen < 0:
                            give_up(memory, TOO_WIDE if chosen == -1 else STUCK)
                            return 0.0
                        reply = game.result(child, load(fill_space(memory), chosen))
                        if turn == MAX:
                            need = min(high, low + (beta - least) / probability)
                            need = need if need > low else high  # a window that rounding closed
                            floor = expectiminimax_kernel(
                                game, how, reply, low, need, depth - 2, ply + 2, pushed, memory
                            )
                        else:
                            need = max(low, high + (alpha - most) / probability)
                            need = need if need < high else low
                            ceiling = expectiminimax_kernel(
                                game, how, reply, need, high, depth - 2, ply + 2, pushed, memory
                            )
                        if load(memory, NODES) >= load(memory, LIMIT):
                            return 0.0
                        is_proved = last_is_proved(memory)
                        if how.table and depth - 1 <= DEEPEST_KEPT:
                            effort = 2 * (depth - 1) + (1 if is_proved else 0)
                            stored = veiled(chosen, veil_of(game, how, child, child_key, memory))
                            if turn == MAX:
                                store_entry(memory, child_key, floor, LOWER, stored, effort)
                            else:
                                store_entry(memory, child_key, ceiling, UPPER, stored, effort)
                store_real(memory, cell + 3, floor)
                store_real(memory, cell + 4, ceiling)
                store(memory, cell + 5, 1 if is_proved else 0)
                floors_proved = floors_proved and (is_proved or floor == low)
                ceilings_proved = ceilings_proved and (is_proved or ceiling == high)
                least += probability * (floor - low)
                most += probability * (ceiling - high)
                if least >= beta or most <= alpha:
                    store(memory, CUTOFFS, load(memory, CUTOFFS) + 1)
                    set_proved(memory, floors_proved if least >= beta else ceilings_proved)
                    note_value(memory, how, key, least if least >= beta else most, alpha, beta, NO_MOVE, depth)
                    return least if least >= beta else most
        total, all_proved, has_marks = 0.0, True, how.probes and depth >= 2
        for place in range(top, pushed, 2):
            cell = MOVES + 3 * place
            probability = load_real(memory, cell + 1)
            floor, ceiling, is_proved = low, high, True
            if has_marks:
                floor, ceiling = load_real(memory, cell + 3), load_real(memory, cell + 4)
                is_proved = load(memory, cell + 5) != 0
            need_alpha, need_beta = -INFINITE, INFINITE
            if how.stars:
                least -= probability * floor
                most -= probability * ceiling
                need_alpha = max(floor, (alpha - total - most) / probability)
                need_beta = min(ceiling, (beta - total - least) / probability)
                if need_alpha >= need_beta:
                    need_alpha, need_beta = floor, ceiling
            value = floor
            if not how.probes or floor < ceiling:
                child = game.result(state, load(memory, cell))
                store(memory, PLAYED + ((ply + 1) & (RING - 1)), load(memory, cell))
                value = expectiminimax_kernel(
                    game, how, child, need_alpha, need_beta, depth - 1, ply + 1, pushed, memory
                )
                if load(memory, NODES) >= load(memory, LIMIT):
                    return 0.0
                all_proved = all_proved and last_is_proved(memory)
            total += probability * value
            if how.stars and floor < need_alpha and value <= need_alpha:
                total = min(alpha, total + most)
                all_proved = all_proved and (not has_marks or are_proved(memory, place + 2, pushed, 4, high))
                store(memory, CUTOFFS, load(memory, CUTOFFS) + 1)
                break
            if how.stars and need_beta < ceiling and value >= need_beta:
                total = max(beta, total + least)
                all_proved = all_proved and (not has_marks or are_proved(memory, place + 2, pushed, 3, low))
                store(memory, CUTOFFS, load(memory, CUTOFFS) + 1)
                break
            # On an edge of its interval a value is bounded from one side by the search, from the other by the edge.
            all_proved = all_proved and (is_proved or floor < value < ceiling)
        set_proved(memory, all_proved)
        end_line(memory, ply)
        note_value(memory, how, key, total, alpha, beta, NO_MOVE, depth)
        return total
    # A choice. Values are seen by the side to move: what is worst for the team is best for its opponents.
    is_max = role == MAX
    floor, ceiling = (alpha, beta) if is_max else (-beta, -alpha)
    space = fill_space(memory)
    count = game.fill_actions(state, space, 0)
    if count == 0 or not is_room(top, count):
        give_up(memory, STUCK if count == 0 else TOO_WIDE)
        return 0.0
    pushed, unseen = top + count, stack_moves(memory, top, count, table_move)
    expected, has_replied = NO_MOVE, 0
    if how.reply:
        has_replied = load(memory, HAS_REPLIED)
        if not is_max:
            expected = first_in_order(game, state, space, count)
        if not is_max and has_replied != 0:
            push(memory, top, load(space, expected), 0.0, expected)
            pushed, unseen = top + 1, top
    best, best_move, best_action, all_proved, is_best_proved = -INFINITE, NO_MOVE, 0, True, False
    null_window = load_real(memory, NULL_WINDOW)
    last = pushed
    if how.narrow:
        last = min(pushed, top + load(memory, WIDTH))
        all_proved = last == pushed
    for first in range(top, last):
        if first == unseen and how.sorts:
            for place in range(first, pushed):
                score_move(game, how, state, mover, ply, place, memory)
        if first >= unseen and how.sorts:
            select_next(memory, first, pushed)
        cell = MOVES + 3 * first
        action, index = load(memory, cell), load(memory, cell + 2) & NUMBER
        store(memory, PLAYED + ((ply + 1) & (RING - 1)), action)
        if how.reply:
            store(memory, HAS_REPLIED, 0 if is_max else 1 if index != expected else has_replied)
        child = game.result(state, action)
        lower = max(floor, best) if how.cutoffs else -INFINITE
        limit = ceiling if how.cutoffs else INFINITE
        upper = lower + null_window if how.pvs and first > top and limit - lower > 2 * null_window else limit
        upper = upper if upper > lower else limit  # beside a very large value the null window vanishes
        value = 0.0
        while True:
            low, high = (lower, upper) if is_max else (-upper, -lower)
            value = expectiminimax_kernel(game, how, child, low, high, depth - 1, ply + 1, pushed, memory)
            value = value if is_max else -value
            if load(memory, NODES) >= load(memory, LIMIT):
                return 0.0
            if upper == limit or not lower < value < limit:  # so that it ends for what is not a number, too
                break
            upper = limit
        is_proved = last_is_proved(memory)
        all_proved = all_proved and is_proved
        if value > best:
            best, best_move, best_action, is_best_proved = value, index, action, is_proved
            if value > floor:
                note_line(memory, ply, action)
        if how.cutoffs and best >= ceiling:
            store(memory, CUTOFFS, load(memory, CUTOFFS) + 1)
            if first == top:
                store(memory, FIRST_CUTOFFS, load(memory, FIRST_CUTOFFS) + 1)
            if how.killers or how.history:
                reward_cutoff(memory, how, mover, ply, depth, top, first)
            break
    if how.reply:
        store(memory, HAS_REPLIED, has_replied)
    if how.killers and best > floor:
        reward_reply(memory, ply, best_action)
    set_proved(memory, is_best_proved if best >= ceiling else all_proved)
    value = best if is_max else -best
    stored = veiled(best_move, veil) if best > floor else NO_MOVE
    note_value(memory, how, key, value, alpha, beta, stored, depth)
    return value


def role_of(mover: int, memory: int) -> int:
    return DICE if mover == CHANCE else load(memory, ROLES + (mover & (MOST_SEATS - 1)))


def are_proved(memory: int, first: int, pushed: int, edge: int, trivial: float) -> bool:
    """Whether the outcomes from a place of the stack on have a proved floor (edge 3) or ceiling (edge 4)."""
    for place in range(first, pushed, 2):
        cell = MOVES + 3 * place
        if load(memory, cell + 5) == 0 and load_real(memory, cell + edge) != trivial:
            return False
    return True


def team_payoff(game: Game, state: State, memory: int) -> float:
    """The team's payoff at the end."""
    found = 0.0
    for index in range(load(memory, TEAM_SIZE)):
        found += float(game.utility(state, load(memory, TEAM + index)))
    return found


def team_evaluation(game: Game, state: State, memory: int) -> float:
    """The evaluation of a position for the team."""
    found = 0.0
    for index in range(load(memory, TEAM_SIZE)):
        found += float(game.evaluate(state, load(memory, TEAM + index)))
    return found


def key_of(game: Game, how: Techniques, state: State, memory: int) -> U64:
    """The key under which a state stands in the table."""
    key = mix(game.key(game.canonical(state)) if how.symmetry else game.key(state)) ^ load_word(memory, SALT)
    if how.reply and load(memory, HAS_REPLIED) != 0:
        key = mix(key)
    return key


def veil_of(game: Game, how: Techniques, state: State, key: U64, memory: int) -> int:
    """What hides a move number from the mirror images of a state, which share its key: 0 if there are none."""
    if not (how.table and how.symmetry):
        return 0
    return number((mix(game.key(state)) ^ load_word(memory, SALT) ^ key) & U64(255)) % NO_MOVE


def note_value(
    memory: int, how: Techniques, key: U64, value: float, alpha: float, beta: float, move: int, depth: int
) -> None:
    """Store the value of a position in the table, and whether it is proved."""
    if how.table and depth <= DEEPEST_KEPT:
        bound = UPPER if value <= alpha else LOWER if value >= beta else EXACT
        store_entry(memory, key, value, bound, move, 2 * depth + (1 if last_is_proved(memory) else 0))


def first_in_order(game: Game, state: State, space: int, count: int) -> int:
    """The number of the move that the game would try first, among those in the space for them."""
    found, highest = 0, -INFINITE
    for index in range(count):
        score = float(game.order(state, load(space, index)))
        if score > highest:
            found, highest = index, score
    return found


def first_reply(game: Game, how: Techniques, state: State, role: int, ply: int, key: U64, memory: int) -> int:
    """The number of the reply that Star2 probes first; the generated moves stay in their buffer.

    Less than 0 if it fails, as in `list_outcomes`.
    """
    space = fill_space(memory)
    count = game.fill_actions(state, space, 0)
    if count == 0 or not is_room(0, count):
        return -2 if count == 0 else -1
    if how.table:
        word, _ = probe(memory, key)
        known = unveiled(move_in(word), veil_of(game, how, state, key, memory))
        if kind_in(word) != NOTHING and known < count:
            return known
    found, highest = 0, -INFINITE
    if how.sorts:
        mover = game.to_move(state)
        for index in range(count):
            score = ordering_score(game, how, state, load(space, index), False, mover, ply, memory)
            if score > highest:
                found, highest = index, score
    return found


def list_outcomes(game: Game, how: Techniques, state: State, mover: int, role: int, top: int, memory: int) -> int:
    """Push the outcomes, with probabilities that sum to one; returns the new top, or less than 0 if it fails."""
    pushed = top
    if role == DICE:
        for action, probability in game.outcomes(state):
            if pushed + 2 > MOST_MOVES:
                return -1
            if probability > 0:
                push(memory, pushed, action, float(probability), 0)
                pushed += 2
    else:
        space = fill_space(memory)
        count = game.fill_actions(state, space, 0)
        if not is_room(top + count, count):
            return -1
        total = 0.0
        for index in range(count):
            weight = 1.0
            if how.models and role == HABITUAL:
                weight = habit(game, state, load(space, index), memory)
            push(memory, pushed, load(space, index), weight, 0)
            total += weight
            pushed += 2
        spared = 0.0
        if how.models and role == SKILLED:
            spared = reliability(mover, memory)
        for place in range(top, pushed, 2):
            cell = MOVES + 3 * place + 1
            store_real(memory, cell, (1 - spared) * load_real(memory, cell) / total)
        if how.models and role == SKILLED and count > 0:
            chosen = MOVES + 3 * (top + 2 * preferred(game, state, mover, top, pushed, memory)) + 1
            store_real(memory, chosen, load_real(memory, chosen) + spared)
            pushed = without_impossible(top, pushed, memory)
    if how.narrow:
        pushed = without_improbable(top, pushed, load_real(memory, IMPROBABLE), memory)
    return pushed if pushed > top else -2


def without_impossible(top: int, pushed: int, memory: int) -> int:
    """Remove outcomes of probability 0 from the stack; returns the new top."""
    kept = top
    for place in range(top, pushed, 2):
        if load_real(memory, MOVES + 3 * place + 1) > 0:
            swap(memory, kept, place)
            kept += 2
    return kept


def without_improbable(top: int, pushed: int, least: float, memory: int) -> int:
    """Remove outcomes less probable than `least`, unless none would be left; the others share their probability."""
    kept, total = top, 0.0
    for place in range(top, pushed, 2):
        if load_real(memory, MOVES + 3 * place + 1) >= least:
            total += load_real(memory, MOVES + 3 * place + 1)
    if total == 0.0:
        return pushed
    for place in range(top, pushed, 2):
        probability = load_real(memory, MOVES + 3 * place + 1)
        if probability >= least:
            swap(memory, kept, place)
            store_real(memory, MOVES + 3 * kept + 1, probability / total)
            kept += 2
    return kept
