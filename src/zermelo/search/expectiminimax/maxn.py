"""Max^n: a value is the payoffs of all players, and each seat has its own payoff weights.

The mover takes the move whose weighted payoff is highest: its own payoff, or the negative of another player's. Between
equals the earlier move of the game's list is taken, in whatever order they are tried, so that an answer is that of the
textbook. [Luckhardt & Irani 1986]

If the sum of payoffs has a limit, shallow pruning: once the mover has so much that the player before can get no more
here than elsewhere, the position will not be chosen, and its other moves do not matter. Once the mover has the greatest
payoff there is, only earlier moves can still be taken instead. [Korf 1991]

Payoffs are proved if no horizon can change them. All moves have to be proved for that: one that seems to be worth less
may be worth as much when it is seen to its end, and if it is an earlier one, it is taken, which changes what the others
get. Only moves after one that is worth the most there is do not matter.
"""

from __future__ import annotations

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import Game, State
from zermelo.kernel import U64, kernel, load, load_real, load_word, mix, replaced, store
from zermelo.search.alphabeta.mate_distance import INFINITE
from zermelo.search.expectiminimax.expectiminimax import FAR, list_outcomes, role_of
from zermelo.search.expectiminimax.maxn_table import (
    is_proved_at,
    move_at,
    payoffs_at,
    plies_at,
    probe_payoffs,
    store_payoffs,
)
from zermelo.search.expectiminimax.techniques import Techniques
from zermelo.search.expectiminimax.workspace import (
    AGAINST,
    HIGHEST,
    IS_CUT,
    MAX,
    MAX_PAYOFF_SUM,
    MIN,
    MIN_REST_SUM,
    MOST_SEATS,
    NO_PLAYER,
    OWN,
    PAYOFF_WEIGHTS,
    ROUNDED,
    WIDTH,
)
from zermelo.search.legacy_ordering import NUMBER, is_room, reward_cutoff, score_move, select_next, stack_moves
from zermelo.search.legacy_table import NO_MOVE
from zermelo.search.legacy_workspace import (
    CUTOFFS,
    DEEPEST_PLY,
    FIRST_CUTOFFS,
    HITS,
    MOVES,
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


@kernel
def maxn_kernel(
    game: Game,
    how: Techniques,
    state: State,
    parent: int,
    bound: float,
    is_tie_lost: bool,
    depth: int,
    ply: int,
    top: int,
    memory: int,
) -> tuple[float, ...]:
    """The payoffs of all players; meaningless once the workspace is stopped.

    `parent` is the player who chose to come here, maximises their own payoff and has `bound` elsewhere, or NO_PLAYER;
    if a tie is lost, they need more than `bound`.
    """
    entered = load(memory, NODES) + 1
    store(memory, NODES, entered)
    store(memory, IS_CUT, 0)
    if entered >= load(memory, LIMIT):
        return game.zeros
    end_line(memory, ply)
    if game.is_terminal(state):
        set_proved(memory, True)
        return game.utilities(state)
    if depth <= 0 or ply >= FAR:
        set_proved(memory, False)
        return game.evaluations(state)
    if ply > load(memory, DEEPEST_PLY):
        store(memory, DEEPEST_PLY, ply)
    mover = game.to_move(state)
    role = role_of(mover, memory)
    key, table_move = U64(0), NO_MOVE
    if how.table:
        key = mix(game.key(state)) ^ load_word(memory, SALT)
        entry = probe_payoffs(game, memory, key)
        if entry != 0:
            store(memory, HITS, load(memory, HITS) + 1)
            table_move = move_at(entry)
            if plies_at(entry) == depth:
                set_proved(memory, is_proved_at(entry))
                return payoffs_at(game, entry)
    best = game.zeros
    if role not in (MAX, MIN, OWN, AGAINST):
        pushed = list_outcomes(game, how, state, mover, role, top, memory)
        if pushed < 0:
            give_up(memory, TOO_WIDE if pushed == -1 else STUCK)
            return best
        all_proved = True
        for place in range(top, pushed, 2):
            action, probability = load(memory, MOVES + 3 * place), load_real(memory, MOVES + 3 * place + 1)
            store(memory, PLAYED + ((ply + 1) & (RING - 1)), action)
            child = game.result(state, action)
            value = maxn_kernel(game, how, child, NO_PLAYER, 0.0, False, depth - 1, ply + 1, pushed, memory)
            if load(memory, NODES) >= load(memory, LIMIT):
                return best
            all_proved = all_proved and last_is_proved(memory)
            for player in range(game.players):
                best = replaced(best, player, best[player] + probability * value[player])
        set_proved(memory, all_proved)
        end_line(memory, ply)
        if how.table:
            store_payoffs(game, memory, key, best, NO_MOVE, depth, all_proved)
        return best
    count = game.fill_actions(state, fill_space(memory), 0)
    if count == 0 or not is_room(top, count):
        give_up(memory, STUCK if count == 0 else TOO_WIDE)
        return best
    pushed, unseen = top + count, stack_moves(memory, top, count, table_move)
    own, best_move, is_best_proved, is_cut = -INFINITE, count, False, False
    first_unproved, last = count, pushed
    if how.narrow:
        last = min(pushed, top + load(memory, WIDTH))
        first_unproved = count if last == pushed else 0
    is_selfish = role == OWN and how.cutoffs
    for first in range(top, last):
        if first == unseen and how.sorts:
            for place in range(first, pushed):
                score_move(game, how, state, mover, ply, place, memory)
        if first >= unseen and how.sorts:
            select_next(memory, first, pushed)
        action, number = load(memory, MOVES + 3 * first), load(memory, MOVES + 3 * first + 2) & NUMBER
        if is_selfish and own >= load_real(memory, HIGHEST) and number > best_move:
            continue
        store(memory, PLAYED + ((ply + 1) & (RING - 1)), action)
        child = game.result(state, action)
        chooser = mover if is_selfish and first > top else NO_PLAYER
        value = maxn_kernel(game, how, child, chooser, own, number > best_move, depth - 1, ply + 1, pushed, memory)
        if load(memory, NODES) >= load(memory, LIMIT):
            return best
        is_proved = last_is_proved(memory)
        if not is_proved:
            first_unproved = min(first_unproved, number)
        worth = value[mover] if role == OWN else weighted_payoff(game, value, mover, memory)
        if worth > own or (worth == own and number < best_move):
            best, own, best_move, is_best_proved = value, worth, number, is_proved
            note_line(memory, ply, action)
            if is_selfish and parent != NO_PLAYER and parent != mover:
                rest = load_real(memory, MAX_PAYOFF_SUM) - own - load_real(memory, MIN_REST_SUM)
                if rest < bound - load_real(memory, ROUNDED) or (rest <= bound and is_tie_lost):
                    is_cut = True
                    store(memory, CUTOFFS, load(memory, CUTOFFS) + 1)
                    if first == top:
                        store(memory, FIRST_CUTOFFS, load(memory, FIRST_CUTOFFS) + 1)
                    if how.killers or how.history:
                        reward_cutoff(memory, how, mover, ply, depth, top, first)
                    break
    has_most = is_selfish and own >= load_real(memory, HIGHEST)
    set_proved(
        memory, is_best_proved if is_cut else first_unproved > best_move if has_most else first_unproved == count
    )
    store(memory, IS_CUT, 1 if is_cut else 0)
    if how.table:
        store_payoffs(game, memory, key, best, best_move, 0 if is_cut else depth, last_is_proved(memory))
    return best


def weighted_payoff(game: Game, value: tuple[float, ...], seat: int, memory: int) -> float:
    """What payoffs are worth to a seat, by its payoff weights."""
    found = 0.0
    for player in range(game.players):
        found += load_real(memory, PAYOFF_WEIGHTS + MOST_SEATS * (seat & (MOST_SEATS - 1)) + player) * value[player]
    return found
