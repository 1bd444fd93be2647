"""Expectiminimax for a team: layers of maximum, minimum and mean in any order.

Alpha-beta in the layers where a player maximises or minimises. In the layers of dice, or of a modelled player, Star1:
every outcome not yet searched lies between the least and the greatest payoff, so the mean lies in an interval, and once
the interval is outside the window, the search of the node ends. Star2 first searches one good reply to each outcome,
which narrows the interval cheaply. [Michie 1966; Ballard 1983; Hauk, Buro & Schaeffer 2004]

Fail-soft: with v the value to this depth and r the result, r <= alpha means v <= r, r >= beta means v >= r, and
otherwise r = v. A result is proved if the same holds for the value of the whole game. An interval found by a probe may
rest on estimates, so each outcome has its own mark: a mean is proved only if every bound that it relies on is.

Best-reply search: between two moves of the team only one of the opponents minimises, the one that lowers the value
most; the others play the first move by the game's `order`. [Schadd & Winands 2011; Esser et al. 2013]
"""

from __future__ import annotations

from typing import NamedTuple

from zermelo.core.game import Game, State
from zermelo.kernel import U64, kernel, state
from zermelo.search.alphabeta.mate_distance import INFINITE
from zermelo.search.expectiminimax.outcomes import list_outcomes
from zermelo.search.expectiminimax.table_steps import (
    Hit,
    bound_of,
    is_cutoff,
    probe_table,
    store_value,
    table_key,
    veil_of,
)
from zermelo.search.expectiminimax.techniques import Techniques
from zermelo.search.expectiminimax.workspace import MAX, MIN, OUTCOME, ExpectiminimaxWorkspace, Outcome
from zermelo.search.runtime.ordering import ordering_score, reward_cutoff, score_moves
from zermelo.search.runtime.path import Ply, next_ply
from zermelo.search.runtime.table import LOWER, NO_MOVE, NOTHING, UPPER, unveil_move, veil_move
from zermelo.search.runtime.workspace import STUCK, TOO_WIDE

FAR = 250
"""Maximum length of a line in plies."""


@kernel
def expectiminimax_kernel(
    game: Game,
    how: Techniques,
    state: State,
    alpha: float,
    beta: float,
    depth: int,
    ply: Ply,
    top: int,
    work: ExpectiminimaxWorkspace,
) -> float:
    """The value of a state for the team, where alpha < beta; meaningless once the workspace is stopped."""
    if work.enter_node():
        return 0.0
    work.variation.clear(ply)
    if game.is_terminal(state):
        return work.report(team_payoff(game, state, work), True)
    if depth <= 0 or ply >= FAR:
        return work.report(team_evaluation(game, state, work), False)
    work.note_ply(ply)
    return search_layer(game, how, state, alpha, beta, depth, ply, top, work)


def search_layer(
    game: Game,
    how: Techniques,
    state: State,
    alpha: float,
    beta: float,
    depth: int,
    ply: Ply,
    top: int,
    work: ExpectiminimaxWorkspace,
) -> float:
    """The value of an inner node: from the table, or that of a choice or a mean, which is then stored."""
    mover = game.to_move(state)
    role = work.role_of(mover)
    key = table_key(game, how, state, work) if how.table else U64(0)
    hit = probe_table(how, key, work)
    if how.table and hit.kind != NOTHING:
        work.hits += 1
        if is_cutoff(hit, alpha, beta, depth):
            return work.report(hit.value, hit.is_proved)
    value, move = 0.0, NO_MOVE
    if role in (MAX, MIN):
        veil = veil_of(game, how, state, key, work) if how.table and how.symmetry else 0
        table_move = unveil_move(hit.move, veil) if how.symmetry else hit.move
        node = Choice(mover, role == MAX, alpha, beta, depth, ply, top)
        value, move = search_choice(game, how, state, node, table_move, work)
        move = veil_move(move, veil) if how.symmetry else min(move, NO_MOVE)
    else:
        value = search_chance(game, how, state, mover, role, alpha, beta, depth, ply, top, work)
    if how.table and not work.is_stopped():
        store_value(how, key, value, bound_of(value, alpha, beta), move, depth, work)
    return value


def team_payoff(game: Game, state: State, work: ExpectiminimaxWorkspace) -> float:
    """The team's payoff at the end."""
    found = 0.0
    for index in range(work.team_size):
        found += float(game.utility(state, work.team[index]))
    return found


def team_evaluation(game: Game, state: State, work: ExpectiminimaxWorkspace) -> float:
    """The evaluation of a position for the team."""
    found = 0.0
    for index in range(work.team_size):
        found += float(game.evaluate(state, work.team[index]))
    return found


# -- the mean of outcomes -------------------------------------------------------------------------------


def search_chance(
    game: Game,
    how: Techniques,
    state: State,
    mover: int,
    role: int,
    alpha: float,
    beta: float,
    depth: int,
    ply: Ply,
    top: int,
    work: ExpectiminimaxWorkspace,
) -> float:
    """The mean of the outcomes: Star2's probes, and if they are not enough, Star1 with their intervals."""
    pushed = list_outcomes(game, how, state, mover, role, top, work)
    if work.is_stopped():
        return 0.0
    least, most, is_probed = work.lowest, work.highest, depth >= 2
    if how.probes and is_probed:
        least, most, are_floors_proved, are_ceilings_proved = probe_outcomes(
            game, how, state, alpha, beta, depth, ply, top, pushed, work
        )
        if work.is_stopped():
            return 0.0
        if least >= beta or most <= alpha:
            work.cutoffs += 1
            return work.report(least, are_floors_proved) if least >= beta else work.report(most, are_ceilings_proved)
    return star1_mean(game, how, state, alpha, beta, least, most, is_probed, depth, ply, top, pushed, work)


def probe_outcomes(
    game: Game,
    how: Techniques,
    state: State,
    alpha: float,
    beta: float,
    depth: int,
    ply: Ply,
    top: int,
    pushed: int,
    work: ExpectiminimaxWorkspace,
) -> tuple[float, float, bool, bool]:
    """Star2's probing phase: the interval of the mean, and whether its ends are proved.

    The phase ends as soon as the interval is outside the window. [Ballard 1983]
    """
    low, high = work.lowest, work.highest
    least, most, are_floors_proved, are_ceilings_proved = low, high, True, True
    for place in range(top, pushed, OUTCOME):
        outcome = work.outcome(place)
        probe_outcome(game, how, state, outcome, alpha, beta, least, most, depth, ply, pushed, work)
        if work.is_stopped():
            break
        floor, ceiling, is_proved = outcome.floor, outcome.ceiling, outcome.is_proved
        are_floors_proved = are_floors_proved and (is_proved or floor == low)
        are_ceilings_proved = are_ceilings_proved and (is_proved or ceiling == high)
        least += outcome.probability * (floor - low)
        most += outcome.probability * (ceiling - high)
        if least >= beta or most <= alpha:
            break
    return least, most, are_floors_proved, are_ceilings_proved


def probe_outcome(
    game: Game,
    how: Techniques,
    state: State,
    outcome: Outcome,
    alpha: float,
    beta: float,
    least: float,
    most: float,
    depth: int,
    ply: Ply,
    pushed: int,
    work: ExpectiminimaxWorkspace,
) -> None:
    """Set the interval of an outcome: from its payoff, the table, or the search of one reply."""
    low, high = work.lowest, work.highest
    child = game.result(state, outcome.action)
    if game.is_terminal(child):
        payoff = team_payoff(game, child, work)
        outcome.narrow(payoff, payoff, True)
        return
    outcome.narrow(low, high, True)
    key = table_key(game, how, child, work) if how.table else U64(0)
    hit = probe_table(how, key, work)
    if how.table and hit.kind != NOTHING and hit.depth == depth - 1:
        floor = hit.value if hit.kind != UPPER else low
        outcome.narrow(floor, hit.value if hit.kind != LOWER else high, hit.is_proved)
        return
    role = work.role_of(game.to_move(child))
    if (role == MAX and beta < high) or (role == MIN and alpha > low):
        lower, upper = star2_window(role == MAX, alpha, beta, least, most, outcome.probability, work)
        probe_reply(game, how, child, role == MAX, key, hit, outcome, lower, upper, depth, ply, pushed, work)


def star2_window(
    is_max: bool,
    alpha: float,
    beta: float,
    least: float,
    most: float,
    probability: float,
    work: ExpectiminimaxWorkspace,
) -> tuple[float, float]:
    """The window for the reply to an outcome, if the other outcomes are as bad or as good as they can be.

    A floor that lifts the mean to beta is high enough, and a ceiling that lowers it to alpha is low enough. A window
    closed by rounding is opened again.
    """
    low, high = work.lowest, work.highest
    if is_max:
        enough = min(high, low + (beta - least) / probability)
        return low, enough if enough > low else high
    enough = max(low, high + (alpha - most) / probability)
    return enough if enough < high else low, high


def probe_reply(
    game: Game,
    how: Techniques,
    child: State,
    is_max: bool,
    key: U64,
    hit: Hit,
    outcome: Outcome,
    lower: float,
    upper: float,
    depth: int,
    ply: Ply,
    pushed: int,
    work: ExpectiminimaxWorkspace,
) -> None:
    """Search one reply to an outcome: its value is a floor if the team replies, a ceiling if an opponent does."""
    after = next_ply(ply)
    work.ordering.note_played(after, outcome.action)
    veil = veil_of(game, how, child, key, work) if how.table and how.symmetry else 0
    chosen = first_reply(game, how, child, hit, veil, after, work)
    if work.is_stopped():
        return
    reply = game.result(child, work.moves.generated[chosen])
    value = expectiminimax_kernel(game, how, reply, lower, upper, depth - 2, next_ply(after), pushed, work)
    if work.is_stopped():
        return
    if is_max:
        outcome.narrow(value, work.highest, work.is_proved)
    else:
        outcome.narrow(work.lowest, value, work.is_proved)
    stored = veil_move(chosen, veil) if how.symmetry else min(chosen, NO_MOVE)
    store_value(how, key, value, LOWER if is_max else UPPER, stored, depth - 1, work)


def first_reply(
    game: Game, how: Techniques, state: State, hit: Hit, veil: int, ply: Ply, work: ExpectiminimaxWorkspace
) -> int:
    """The number of the reply that Star2 probes: the table's move, or the first one by the game's `order`.

    The generated moves stay in their buffer. The search gives up if there are none, or too many.
    """
    count = game.fill_actions(state, work.moves.buffer(), 0)
    if count == 0 or not work.moves.is_room(0, count):
        work.give_up(STUCK if count == 0 else TOO_WIDE)
        return 0
    table_move = unveil_move(hit.move, veil) if how.symmetry else hit.move
    if hit.kind != NOTHING and table_move < count:
        return table_move
    found, highest = 0, -INFINITE
    if how.sorts:
        mover = game.to_move(state)
        for index in range(count):
            action = work.moves.generated[index]
            score = ordering_score(game, how, state, action, False, mover, ply, work.ordering)
            if score > highest:
                found, highest = index, score
    return found


def star1_mean(
    game: Game,
    how: Techniques,
    state: State,
    alpha: float,
    beta: float,
    least: float,
    most: float,
    is_probed: bool,
    depth: int,
    ply: Ply,
    top: int,
    pushed: int,
    work: ExpectiminimaxWorkspace,
) -> float:
    """The mean of the outcomes, or a bound once it is outside the window. [Ballard 1983]

    `least` and `most` are the sums of the floors and ceilings of the outcomes not yet searched, by probability.
    """
    total, all_proved, after = 0.0, True, next_ply(ply)
    floor, ceiling, is_proved, lower, upper = work.lowest, work.highest, True, -INFINITE, INFINITE
    for place in range(top, pushed, OUTCOME):
        outcome = work.outcome(place)
        action, probability = outcome.action, outcome.probability
        if how.probes and is_probed:
            floor, ceiling = outcome.floor, outcome.ceiling
            is_proved = outcome.is_proved
        if how.stars:
            least -= probability * floor
            most -= probability * ceiling
            lower, upper = star1_window(alpha - total - most, beta - total - least, probability, floor, ceiling)
        value = floor
        if not how.probes or floor < ceiling:
            work.ordering.note_played(after, action)
            child = game.result(state, action)
            value = expectiminimax_kernel(game, how, child, lower, upper, depth - 1, after, pushed, work)
            if work.is_stopped():
                return 0.0
            all_proved = all_proved and work.is_proved
        total += probability * value
        is_low = how.stars and floor < lower and value <= lower
        if how.stars and (is_low or (upper < ceiling and value >= upper)):
            work.cutoffs += 1
            total = min(alpha, total + most) if is_low else max(beta, total + least)
            if how.probes and is_probed:
                all_proved = all_proved and is_rest_proved(is_low, place, pushed, work)
            return work.report(total, all_proved)
        # At a bound of its interval, a value is bounded by the search on one side and by the interval on the other.
        all_proved = all_proved and (is_proved or floor < value < ceiling)
    return work.report(total, all_proved)


def star1_window(missing: float, spare: float, probability: float, floor: float, ceiling: float) -> tuple[float, float]:
    """The window of an outcome: outside it, the mean is outside its window, whatever the other outcomes are.

    The outcome must add more than `missing` to the mean and less than `spare`. A window closed by rounding is replaced
    by the outcome's interval.
    """
    lower, upper = max(floor, missing / probability), min(ceiling, spare / probability)
    return (floor, ceiling) if lower >= upper else (lower, upper)


def is_rest_proved(is_low: bool, place: int, pushed: int, work: ExpectiminimaxWorkspace) -> bool:
    """Whether the outcomes after a place have proved ceilings (if the mean is low) or proved floors."""
    for later in range(place + OUTCOME, pushed, OUTCOME):
        outcome = work.outcome(later)
        is_known = outcome.ceiling == work.highest if is_low else outcome.floor == work.lowest
        if not (outcome.is_proved or is_known):
            return False
    return True


# -- the choice of a player -----------------------------------------------------------------------------


@state
class Choice(NamedTuple):
    """A node where a player maximises or minimises."""

    mover: int
    is_max: bool
    alpha: float
    beta: float
    depth: int
    ply: int
    top: int
    """The place of its first move on the stack."""


def search_choice(
    game: Game, how: Techniques, state: State, node: Choice, table_move: int, work: ExpectiminimaxWorkspace
) -> tuple[float, int]:
    """The value of the best move for the team or its opponents, and the number of that move if known."""
    count = game.fill_actions(state, work.moves.buffer(), 0)
    if count == 0 or not work.moves.is_room(node.top, count):
        work.give_up(STUCK if count == 0 else TOO_WIDE)
        return 0.0, NO_MOVE
    pushed, unseen = node.top + count, work.moves.push_generated(node.top, count, table_move)
    expected = NO_MOVE
    if how.reply and not node.is_max:
        expected = first_in_order(game, state, count, work)
        if work.has_replied:
            work.moves.push(node.top, work.moves.generated[expected], 0.0, expected)
            pushed, unseen = node.top + 1, node.top
    best, move = search_moves(game, how, state, node, pushed, unseen, expected, work)
    return (best if node.is_max else -best), move


def first_in_order(game: Game, state: State, count: int, work: ExpectiminimaxWorkspace) -> int:
    """The number of the generated move with the highest `order`."""
    found, highest = 0, -INFINITE
    for index in range(count):
        score = float(game.order(state, work.moves.generated[index]))
        if score > highest:
            found, highest = index, score
    return found


def search_moves(
    game: Game,
    how: Techniques,
    state: State,
    node: Choice,
    pushed: int,
    unseen: int,
    expected: int,
    work: ExpectiminimaxWorkspace,
) -> tuple[float, int]:
    """The best value of the moves on the stack, seen by the mover, and its move number; NO_MOVE if it fails low.

    In best-reply search, the move `expected` alone does not count as a reply.
    """
    moves, ply, last, all_proved = work.moves, Ply(node.ply), pushed, True
    floor, ceiling = (node.alpha, node.beta) if node.is_max else (-node.beta, -node.alpha)
    best, best_move, best_action, is_best_proved = -INFINITE, NO_MOVE, 0, False
    had_replied = how.reply and work.has_replied
    if how.narrow:
        last = min(pushed, node.top + work.width)
        all_proved = last == pushed
    for first in range(node.top, last):
        select_move(game, how, state, node.mover, ply, first, unseen, pushed, work)
        action, number = moves.action(first), moves.number(first)
        work.ordering.note_played(next_ply(ply), action)
        if how.reply:
            work.has_replied = not node.is_max and (number != expected or had_replied)
        lower, upper = (max(floor, best), ceiling) if how.cutoffs else (-INFINITE, INFINITE)
        value = search_child(game, how, game.result(state, action), node, lower, upper, first, pushed, work)
        if work.is_stopped():
            return 0.0, NO_MOVE
        is_proved = work.is_proved
        all_proved = all_proved and is_proved
        if value > best:
            best, best_move, best_action, is_best_proved = value, number, action, is_proved
            if value > floor:
                work.variation.update(ply, action)
        if how.cutoffs and best >= ceiling:
            work.count_cutoff(first == node.top)
            if how.killers or how.history:
                reward_cutoff(how, node.mover, ply, node.depth, node.top, first, moves, work.ordering)
            break
    if how.reply:
        work.has_replied = had_replied
    if how.killers and best > floor:
        work.ordering.note_countermove(ply, best_action)
    work.is_proved = is_best_proved if best >= ceiling else all_proved
    return best, best_move if best > floor else NO_MOVE


def select_move(
    game: Game,
    how: Techniques,
    state: State,
    mover: int,
    ply: Ply,
    first: int,
    unseen: int,
    pushed: int,
    work: ExpectiminimaxWorkspace,
) -> None:
    """Swap the most promising move to `first`; score the moves from `unseen` on before."""
    if how.sorts and first == unseen:
        score_moves(game, how, state, mover, ply, first, pushed, work.moves, work.ordering)
    if how.sorts and first >= unseen:
        work.moves.select_next(first, pushed)


def search_child(
    game: Game,
    how: Techniques,
    child: State,
    node: Choice,
    lower: float,
    limit: float,
    first: int,
    pushed: int,
    work: ExpectiminimaxWorkspace,
) -> float:
    """The value of a move, seen by the mover: principal variation search (PVS).

    All moves but the first are searched with a null window; one that fails high is searched again.
    [Marsland & Campbell 1982]
    """
    upper, value = limit, 0.0
    if how.pvs and first > node.top and limit - lower > 2 * work.null_window:
        upper = lower + work.null_window
        upper = upper if upper > lower else limit  # next to a very large value the null window is lost to rounding
    while True:
        low, high = (lower, upper) if node.is_max else (-upper, -lower)
        value = expectiminimax_kernel(game, how, child, low, high, node.depth - 1, Ply(node.ply + 1), pushed, work)
        value = value if node.is_max else -value
        if work.is_stopped() or upper == limit or not lower < value < limit:  # this form also ends for a NaN
            return value
        upper = limit
