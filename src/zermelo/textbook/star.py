"""Star1 and Star2: alpha-beta for chance nodes, where utilities are bounded.   [Ballard 1983]

After some outcomes of a die its mean lies in an interval, because every outcome not yet seen lies within the
game's `utility_range`. A six-sided die with utilities in [-10, 10]:

    seen            the mean is between
    10              -6.67 and 10
    10, 10          -3.33 and 10
    10, 10, -10     -3.33 and  6.67

When the interval leaves (alpha, beta), the other outcomes are cut. Results prove what alpha-beta's do.
Star2 first probes one reply to each outcome: a cheap bound that often makes the cut at once.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import kernel
from zermelo.textbook.minimax import INFINITY, UNLIMITED

UNKNOWN = INFINITY


def mean_interval(seen: list[tuple[float, float]], low: float, high: float) -> tuple[float, float]:
    """Where a mean lies after some pairs (probability, value), when all other values are within [low, high]."""
    total = sum(probability * value for probability, value in seen)
    unseen = 1 - sum(probability for probability, _ in seen)
    return total + unseen * low, total + unseen * high


@kernel
def star1(
    game: Game, state: State, player: int, depth: int = UNLIMITED, alpha: float = -INFINITY, beta: float = INFINITY
) -> float:
    """The expected value of the state for `player` as far as it matters between alpha and beta."""
    if game.is_terminal(state):
        return float(game.utility(state, player))
    if depth == 0:
        return float(game.evaluate(state, player))
    mover = game.to_move(state)
    if mover == CHANCE:
        low, high = game.utility_range
        total, unseen = 0.0, 1.0
        for action, probability in game.outcomes(state):
            if probability == 0:
                continue
            unseen -= probability
            need_alpha = max(low, (alpha - total - unseen * high) / probability)
            need_beta = min(high, (beta - total - unseen * low) / probability)
            value = star1(game, game.result(state, action), player, depth - 1, need_alpha, need_beta)
            total += probability * value
            if low < need_alpha and value <= need_alpha:
                return min(alpha, total + unseen * high)
            if need_beta < high and value >= need_beta:
                return max(beta, total + unseen * low)
        return total
    if mover == player:
        best = -INFINITY
        for action in game.actions(state):
            best = max(best, star1(game, game.result(state, action), player, depth - 1, max(alpha, best), beta))
            if best >= beta:
                break
    else:
        best = INFINITY
        for action in game.actions(state):
            best = min(best, star1(game, game.result(state, action), player, depth - 1, alpha, min(beta, best)))
            if best <= alpha:
                break
    return best


@kernel
def star2(
    game: Game,
    state: State,
    player: int,
    depth: int = UNLIMITED,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    first: float = UNKNOWN,
) -> float:
    """Star1 that probes first: what one reply achieves bounds each outcome before it is searched.

    `first` is the value of the first move where a probe has already found it.
    """
    if game.is_terminal(state):
        return float(game.utility(state, player))
    if depth == 0:
        return float(game.evaluate(state, player))
    mover = game.to_move(state)
    if mover == CHANCE:
        low, high = game.utility_range
        least, most = low, high  # of the mean, as far as it is known
        floors, ceilings = [low], [high]  # of the outcomes; the first entry only tells the compiler the type
        for action, probability in game.outcomes(state):
            child, floor, ceiling = game.result(state, action), low, high
            if depth > 1 and probability > 0 and not game.is_terminal(child) and game.to_move(child) != CHANCE:
                reply = first_reply(game, child)
                if game.to_move(child) == player:
                    need_beta = min(high, low + (beta - least) / probability)
                    floor = star2(game, reply, player, depth - 2, low, need_beta)
                    least += probability * (floor - low)
                else:
                    need_alpha = max(low, high + (alpha - most) / probability)
                    ceiling = star2(game, reply, player, depth - 2, need_alpha, high)
                    most += probability * (ceiling - high)
                if least >= beta:
                    return least
                if most <= alpha:
                    return most
            floors.append(floor)
            ceilings.append(ceiling)
        total, index = 0.0, 0
        for action, probability in game.outcomes(state):
            index += 1
            if probability == 0:
                continue
            least -= probability * floors[index]
            most -= probability * ceilings[index]
            need_alpha = max(floors[index], (alpha - total - most) / probability)
            need_beta = min(ceilings[index], (beta - total - least) / probability)
            first = floors[index] if floors[index] > low else ceilings[index] if ceilings[index] < high else UNKNOWN
            value = star2(game, game.result(state, action), player, depth - 1, need_alpha, need_beta, first)
            total += probability * value
            if floors[index] < need_alpha and value <= need_alpha:
                return min(alpha, total + most)
            if need_beta < ceilings[index] and value >= need_beta:
                return max(beta, total + least)
        return total
    is_max = mover == player
    best = -INFINITY if is_max else INFINITY
    for action in game.actions(state):
        value = first
        if value == UNKNOWN:
            child = game.result(state, action)
            if is_max:
                value = star2(game, child, player, depth - 1, max(alpha, best), beta)
            else:
                value = star2(game, child, player, depth - 1, alpha, min(beta, best))
        first = UNKNOWN
        best = max(best, value) if is_max else min(best, value)
        if best >= beta if is_max else best <= alpha:
            break
    return best


def first_reply(game: Game, state: State) -> State:
    """The state after the first legal move."""
    for action in game.actions(state):
        return game.result(state, action)
    return state
