"""Max^n: layers in which each seat has a wish of its own, and values are payoffs of all players.

Whoever chooses takes the move whose payoffs are worth most by their wish: their own payoff, or somebody else's ruin.
Between equals the earlier move of the game's list is taken, in whatever order they are tried, so that an answer is that
of the textbook. [Luckhardt & Irani 1986]

Where all payoffs together have a limit, shallow pruning: once the mover has so much that no more is left for the player
before than that one has elsewhere, the position will not be chosen, and its other moves do not matter. Once the mover
has all there is to have, only earlier moves can still be taken instead. [Korf 1991]

Payoffs are proved if no horizon can change them. All moves have to be proved for that: one that seems to be worth less
may be worth as much when it is seen to its end, and if it is an earlier one, it is taken, which changes what the others
get. Only moves after one that is worth the most there is do not matter.
"""

from __future__ import annotations

from zermelo.core.counters import LIMIT, NODES, give_up
from zermelo.core.game import Game, State
from zermelo.kernel import U64, kernel, load, load_real, load_word, mix, replaced, store
from zermelo.search.engine.desk import (
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
    is_settled,
    note_line,
    settle,
)
from zermelo.search.engine.haste import INFINITE
from zermelo.search.engine.ordering import NUMBER, is_room, look_at, praise, pull, stack_moves
from zermelo.search.engine.table import NO_MOVE
from zermelo.search.expectiminimax.desk import (
    AGAINST,
    HIGHEST,
    IS_CUT,
    MAX,
    MIN,
    MOST_SEATS,
    NOBODY,
    OWN,
    ROUNDED,
    SPARED,
    TOGETHER,
    WIDTH,
    WISHES,
)
from zermelo.search.expectiminimax.layered import FAR, list_outcomes, role_of
from zermelo.search.expectiminimax.payoffs import (
    is_proved_at,
    keep_payoffs,
    move_at,
    payoffs_at,
    place_of_payoffs,
    plies_at,
)
from zermelo.search.expectiminimax.techniques import Layers


@kernel
def tupled(
    game: Game,
    how: Layers,
    state: State,
    parent: int,
    bound: float,
    is_tie_lost: bool,
    depth: int,
    ply: int,
    top: int,
    memory: int,
) -> tuple[float, ...]:
    """The payoffs of all players; meaningless once the desk says stopped.

    `parent` is the player who chose to come here and looks for their own payoff, of which they have `bound` elsewhere,
    or nobody; if a tie is lost, they need more than that.
    """
    entered = load(memory, NODES) + 1
    store(memory, NODES, entered)
    store(memory, IS_CUT, 0)
    if entered >= load(memory, LIMIT):
        return game.zeros
    end_line(memory, ply)
    if game.is_terminal(state):
        settle(memory, True)
        return game.utilities(state)
    if depth <= 0 or ply >= FAR:
        settle(memory, False)
        return game.evaluations(state)
    if ply > load(memory, DEEPEST_PLY):
        store(memory, DEEPEST_PLY, ply)
    mover = game.to_move(state)
    role = role_of(mover, memory)
    key, table_move = U64(0), NO_MOVE
    if how.table:
        key = mix(game.key(state)) ^ load_word(memory, SALT)
        entry = place_of_payoffs(game, memory, key)
        if entry != 0:
            store(memory, HITS, load(memory, HITS) + 1)
            table_move = move_at(entry)
            if plies_at(entry) == depth:
                settle(memory, is_proved_at(entry))
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
            value = tupled(game, how, child, NOBODY, 0.0, False, depth - 1, ply + 1, pushed, memory)
            if load(memory, NODES) >= load(memory, LIMIT):
                return best
            all_proved = all_proved and is_settled(memory)
            for player in range(game.players):
                best = replaced(best, player, best[player] + probability * value[player])
        settle(memory, all_proved)
        end_line(memory, ply)
        if how.table:
            keep_payoffs(game, memory, key, best, NO_MOVE, depth, all_proved)
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
                look_at(game, how, state, mover, ply, place, memory)
        if first >= unseen and how.sorts:
            pull(memory, first, pushed)
        action, number = load(memory, MOVES + 3 * first), load(memory, MOVES + 3 * first + 2) & NUMBER
        if is_selfish and own >= load_real(memory, HIGHEST) and number > best_move:
            continue
        store(memory, PLAYED + ((ply + 1) & (RING - 1)), action)
        child = game.result(state, action)
        chooser = mover if is_selfish and first > top else NOBODY
        value = tupled(game, how, child, chooser, own, number > best_move, depth - 1, ply + 1, pushed, memory)
        if load(memory, NODES) >= load(memory, LIMIT):
            return best
        is_proved = is_settled(memory)
        if not is_proved:
            first_unproved = min(first_unproved, number)
        worth = value[mover] if role == OWN else wished(game, value, mover, memory)
        if worth > own or (worth == own and number < best_move):
            best, own, best_move, is_best_proved = value, worth, number, is_proved
            note_line(memory, ply, action)
            if is_selfish and parent != NOBODY and parent != mover:
                rest = load_real(memory, TOGETHER) - own - load_real(memory, SPARED)
                if rest < bound - load_real(memory, ROUNDED) or (rest <= bound and is_tie_lost):
                    is_cut = True
                    store(memory, CUTOFFS, load(memory, CUTOFFS) + 1)
                    if first == top:
                        store(memory, FIRST_CUTOFFS, load(memory, FIRST_CUTOFFS) + 1)
                    if how.killers or how.history:
                        praise(memory, how, mover, ply, depth, top, first)
                    break
    has_most = is_selfish and own >= load_real(memory, HIGHEST)
    settle(memory, is_best_proved if is_cut else first_unproved > best_move if has_most else first_unproved == count)
    store(memory, IS_CUT, 1 if is_cut else 0)
    if how.table:
        keep_payoffs(game, memory, key, best, best_move, 0 if is_cut else depth, is_settled(memory))
    return best


def wished(game: Game, value: tuple[float, ...], seat: int, memory: int) -> float:
    """What payoffs are worth to a seat."""
    found = 0.0
    for player in range(game.players):
        found += load_real(memory, WISHES + MOST_SEATS * (seat & (MOST_SEATS - 1)) + player) * value[player]
    return found
