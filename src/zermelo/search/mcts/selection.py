"""Selection: which child of a node the next simulation goes to.

UCB1 [Auer, Cesa-Bianchi & Fischer 2002], its tuned variant from the same paper, PUCT [Rosin 2011; Silver et al. 2017],
first-play urgency [Gelly & Wang 2006], progressive bias and widening [Chaslot et al. 2008].
"""

from __future__ import annotations

import math

from zermelo.core.game import CHANCE
from zermelo.kernel import load, load_real
from zermelo.search.mcts.desk import BIAS, EXPLORATION, IMPLICIT, TRUST, UNIT, URGENCY, WIDENING
from zermelo.search.mcts.later import list_moves, mixed, same_move, witness
from zermelo.search.mcts.manner import SUM, VISITS, Manner, column_of
from zermelo.search.mcts.playout import fraction
from zermelo.search.mcts.tables import spread, weight
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK, NOBODY, PASSED

ALWAYS_WIDE = 2


def selected(how: Manner, tree: int, node: int, children: int, mover: int, desk: int) -> int:
    """The child to go to: the one with the highest score, or as chance will have it."""
    first, count = children >> COUNT_BITS, children & COUNT_MASK
    if how.chance and mover == CHANCE:
        return fallen(how, tree, first, first + count * how.width, desk)
    if how.widening:
        looked_at = min(count, ALWAYS_WIDE + int(float(load(tree, node + VISITS)) ** load_real(desk, WIDENING)))
        found = best_of(how, tree, node, first, looked_at, mover, desk)
        if found != NOBODY:
            return found
    found = best_of(how, tree, node, first, count, mover, desk)
    return found if found != NOBODY else first


def fallen(how: Manner, tree: int, child: int, end: int, desk: int) -> int:
    """The child that chance goes to."""
    luck = fraction(desk) - load_real(tree, child + how.likelihood)
    while luck >= 0 and child + how.width < end:
        child += how.width
        luck -= load_real(tree, child + how.likelihood)
    return child


def best_of(how: Manner, tree: int, node: int, first: int, count: int, mover: int, desk: int) -> int:
    """The child with the highest score among the first ones; nobody, if all are settled."""
    visits = max(1, load(tree, first + PASSED if how.transpositions else node + VISITS))
    breadth = load_real(desk, EXPLORATION) * (math.sqrt(visits) if how.puct else spread(visits, desk))
    column, unit = SUM + column_of(how, mover), load_real(desk, UNIT)
    if how.is_opposed and mover == 1:
        unit = -unit
    asked = NOBODY
    if how.grave:
        asked = witness(tree, node, mover, desk)
        if asked != NOBODY and asked != node:
            list_moves(how, tree, asked, mover, desk)
    untried = 0.0
    if how.urgency or how.puct or how.rave:
        untried = unit * load(tree, node + column) / visits - load_real(desk, URGENCY)
    certain = load_real(tree, node + (how.low if mover == 0 else how.high)) if how.solver else 0.0
    best, chosen, child = -math.inf, NOBODY, first
    for _ in range(count):
        if not (how.solver and is_pointless(how, tree, child, certain, mover)):
            tried = load(tree, child + VISITS)
            if how.untried_first and tried == 0:
                return child
            score = worth(how, tree, node, child, tried, asked, column, unit, untried, mover, desk)
            if how.tuned:
                score += breadth * uncertainty(how, tree, child, tried, column, score, spread(visits, desk), desk)
            elif how.puct:
                score += breadth * load_real(tree, child + how.share) / (1 + tried)
            else:
                score += breadth * weight(tried if how.untried_first else max(1, tried), desk)
            if how.bias:
                score += load_real(desk, BIAS) * load_real(tree, child + how.guess) / (1 + tried)
            if score > best:
                best, chosen = score, child
        child += how.width
    return chosen


def worth(
    how: Manner,
    tree: int,
    node: int,
    child: int,
    tried: int,
    asked: int,
    column: int,
    unit: float,
    untried: float,
    mover: int,
    desk: int,
) -> float:
    """What a child seems to be worth to the mover: the mean of its payoffs, and what else is known of it."""
    visits, total = float(tried), unit * load(tree, child + column)
    if how.priors:
        visits += load_real(desk, TRUST)
        total += load_real(desk, TRUST) * load_real(tree, child + how.guess)
    mean = total / visits if how.untried_first or visits > 0 else untried
    if how.implicit:
        implied = load_real(tree, child + how.implied)
        mean += load_real(desk, IMPLICIT) * ((implied if mover == 0 else -implied) - mean)
    if how.grave and asked != node:
        found = same_move(how, tree, asked, child, mover, desk) if asked != NOBODY else NOBODY
        return mixed(how, tree, found, visits, mean, unit, desk) if found != NOBODY else mean
    return mixed(how, tree, child, visits, mean, unit, desk) if how.rave else mean


def uncertainty(
    how: Manner, tree: int, child: int, tried: int, column: int, mean: float, breadth: float, desk: int
) -> float:
    """What UCB1-Tuned makes of the visits: less where payoffs vary little. From -1 to 1 no variance exceeds 1."""
    weighed = weight(tried if how.untried_first else max(1, tried), desk)
    squares = load(tree, child + how.squares + column - SUM) * load_real(desk, UNIT)
    variance = squares * weighed * weighed - mean * mean + 4 * math.sqrt(2) * breadth * weighed
    return weighed * math.sqrt(max(0.0, min(1.0, variance)))


def is_pointless(how: Manner, tree: int, child: int, certain: float, mover: int) -> bool:
    """The child is proved to be no better than what the mover has for certain."""
    if mover == 0:
        return load_real(tree, child + how.high) <= certain
    return load_real(tree, child + how.low) >= certain
