"""Star1 and Star2: alpha-beta for chance nodes, for bounded utilities.   [Ballard 1983]

After some outcomes of a die its mean lies in an interval, because every outcome not yet seen lies within the
game's `utility_range`, and so must its evaluations. A six-sided die with utilities in [-10, 10]:

    seen            the mean is between
    10              -6.67 and 10
    10, 10          -3.33 and 10
    10, 10, -10     -3.33 and  6.67

When the interval leaves (alpha, beta), the other outcomes are cut. Results prove what alpha-beta's do, up to rounding.
Star2 first probes one reply to each outcome: a cheap bound that often makes the cut at once.
"""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import kernel
from zermelo.textbook.minimax import INFINITY, UNLIMITED

UNKNOWN = INFINITY


def mean_interval(seen: list[tuple[float, float]], low: float, high: float) -> tuple[float, float]:
    """The interval of a mean, given some pairs (probability, value), if all other values are within [low, high]."""
    total = sum(probability * value for probability, value in seen)
    unseen = 1 - sum(probability for probability, _ in seen)
    return total + unseen * low, total + unseen * high


@kernel
def star1(
    game: Game, state: State, player: int, depth: int = UNLIMITED, alpha: float = -INFINITY, beta: float = INFINITY
) -> float:
    """The expected value of the state for `player`, exact between alpha and beta and otherwise a bound."""
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
    """Star1 with probing: one reply bounds each outcome before it is searched.

    `first` is the value of the first move if a probe has found it.
    """
    if first == UNKNOWN and game.is_terminal(state):
        return float(game.utility(state, player))
    if depth == 0:
        return float(game.evaluate(state, player))
    mover = game.to_move(state)
    if mover == CHANCE:
        low, high = float(game.utility_range[0]), float(game.utility_range[1])
        least, most = low, high  # of the mean, as far as it is known
        floors, ceilings, replies = [low], [high], [UNKNOWN]  # of the outcomes; the compiler learns the types here
        for action, probability in game.outcomes(state):
            child, floor, ceiling, reply = game.result(state, action), low, high, UNKNOWN
            if depth > 1 and probability > 0 and game.to_move(child) != CHANCE:
                if game.is_terminal(child):
                    floor = ceiling = ending(game, child, player)
                elif game.to_move(child) == player:
                    need_beta = min(high, low + (beta - least) / probability)
                    floor = reply = star2(game, first_reply(game, child), player, depth - 2, low, need_beta)
                else:
                    need_alpha = max(low, high + (alpha - most) / probability)
                    ceiling = reply = star2(game, first_reply(game, child), player, depth - 2, need_alpha, high)
                least += probability * (floor - low)
                most += probability * (ceiling - high)
                if least >= beta:
                    return least
                if most <= alpha:
                    return most
            floors.append(floor)
            ceilings.append(ceiling)
            replies.append(reply)
        total, index = 0.0, 0
        for action, probability in game.outcomes(state):
            index += 1
            if probability == 0:
                continue
            floor, ceiling = floors[index], ceilings[index]
            least -= probability * floor
            most -= probability * ceiling
            if floor == ceiling:
                total += probability * floor
                continue
            need_alpha = max(floor, (alpha - total - most) / probability)
            need_beta = min(ceiling, (beta - total - least) / probability)
            child = game.result(state, action)
            value = star2(game, child, player, depth - 1, need_alpha, need_beta, replies[index])
            total += probability * value
            if floor < need_alpha and value <= need_alpha:
                return min(alpha, total + most)
            if need_beta < ceiling and value >= need_beta:
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


@kernel
def ending(game: Game, state: State, player: int) -> float:
    """The utility of a position that is over; a kernel, so that observers see the look at it."""
    return float(game.utility(state, player))


def first_reply(game: Game, state: State) -> State:
    """The state after the first legal move."""
    for action in game.actions(state):
        return game.result(state, action)
    return state
