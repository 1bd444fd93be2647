"""Selection: which child of a node the next simulation goes to.

UCB1 [Auer, Cesa-Bianchi & Fischer 2002], its tuned variant from the same paper, PUCT [Rosin 2011; Silver et al. 2017],
first-play urgency [Gelly & Wang 2006], progressive bias and widening [Chaslot et al. 2008].
"""

from __future__ import annotations

import math

from zermelo.core.game import CHANCE
from zermelo.kernel import load, load_real
from zermelo.search.mcts.playout import fraction
from zermelo.search.mcts.rave import list_moves, mix_rave, reference_node, same_move
from zermelo.search.mcts.techniques import SUM, VISITS, Techniques, column_of
from zermelo.search.mcts.tree import COUNT_BITS, COUNT_MASK, NO_NODE, PASSED
from zermelo.search.mcts.ucb_tables import inverse_sqrt, sqrt_log
from zermelo.search.mcts.workspace import BIAS, EXPLORATION, IMPLICIT, TRUST, UNIT, URGENCY, WIDENING

ALWAYS_WIDE = 2


def select_child(how: Techniques, tree: int, node: int, children: int, mover: int, memory: int) -> int:
    """The child to go to: the one with the highest score, or one drawn at random at a chance node."""
    first, count = children >> COUNT_BITS, children & COUNT_MASK
    if how.chance and mover == CHANCE:
        return sample_outcome(how, tree, first, first + count * how.width, memory)
    if how.widening:
        looked_at = min(count, ALWAYS_WIDE + int(float(load(tree, node + VISITS)) ** load_real(memory, WIDENING)))
        found = best_of(how, tree, node, first, looked_at, mover, memory)
        if found != NO_NODE:
            return found
    found = best_of(how, tree, node, first, count, mover, memory)
    return found if found != NO_NODE else first


def sample_outcome(how: Techniques, tree: int, child: int, end: int, memory: int) -> int:
    """A child of a chance node, drawn by probability."""
    luck = fraction(memory) - load_real(tree, child + how.likelihood)
    while luck >= 0 and child + how.width < end:
        child += how.width
        luck -= load_real(tree, child + how.likelihood)
    return child


def best_of(how: Techniques, tree: int, node: int, first: int, count: int, mover: int, memory: int) -> int:
    """The child with the highest score among the first `count`; NO_NODE if all are proved to be no better."""
    visits = max(1, load(tree, first + PASSED if how.transpositions else node + VISITS))
    breadth = load_real(memory, EXPLORATION) * (math.sqrt(visits) if how.puct else sqrt_log(visits, memory))
    column, unit = SUM + column_of(how, mover), load_real(memory, UNIT)
    if how.is_opposed and mover == 1:
        unit = -unit
    asked = NO_NODE
    if how.grave:
        asked = reference_node(tree, node, mover, memory)
        if asked != NO_NODE and asked != node:
            list_moves(how, tree, asked, mover, memory)
    untried = 0.0
    if how.urgency or how.puct or how.rave:
        untried = unit * load(tree, node + column) / visits - load_real(memory, URGENCY)
    certain = load_real(tree, node + (how.low if mover == 0 else how.high)) if how.solver else 0.0
    best, chosen, child = -math.inf, NO_NODE, first
    for _ in range(count):
        if not (how.solver and is_pointless(how, tree, child, certain, mover)):
            tried = load(tree, child + VISITS)
            if how.untried_first and tried == 0:
                return child
            score = worth(how, tree, node, child, tried, asked, column, unit, untried, mover, memory)
            if how.tuned:
                score += breadth * uncertainty(how, tree, child, tried, column, score, sqrt_log(visits, memory), memory)
            elif how.puct:
                score += breadth * load_real(tree, child + how.share) / (1 + tried)
            else:
                score += breadth * inverse_sqrt(tried if how.untried_first else max(1, tried), memory)
            if how.bias:
                score += load_real(memory, BIAS) * load_real(tree, child + how.guess) / (1 + tried)
            if score > best:
                best, chosen = score, child
        child += how.width
    return chosen


def worth(
    how: Techniques,
    tree: int,
    node: int,
    child: int,
    tried: int,
    asked: int,
    column: int,
    unit: float,
    untried: float,
    mover: int,
    memory: int,
) -> float:
    """What a child seems to be worth to the mover: the mean of its payoffs, and what else is known of it."""
    visits, total = float(tried), unit * load(tree, child + column)
    if how.priors:
        visits += load_real(memory, TRUST)
        total += load_real(memory, TRUST) * load_real(tree, child + how.guess)
    mean = total / visits if how.untried_first or visits > 0 else untried
    if how.implicit:
        implied = load_real(tree, child + how.implied)
        mean += load_real(memory, IMPLICIT) * ((implied if mover == 0 else -implied) - mean)
    if how.grave and asked != node:
        found = same_move(how, tree, asked, child, mover, memory) if asked != NO_NODE else NO_NODE
        return mix_rave(how, tree, found, visits, mean, unit, memory) if found != NO_NODE else mean
    return mix_rave(how, tree, child, visits, mean, unit, memory) if how.rave else mean


def uncertainty(
    how: Techniques, tree: int, child: int, tried: int, column: int, mean: float, breadth: float, memory: int
) -> float:
    """What UCB1-Tuned makes of the visits: less where payoffs vary little. From -1 to 1 no variance exceeds 1."""
    weighed = inverse_sqrt(tried if how.untried_first else max(1, tried), memory)
    squares = load(tree, child + how.squares + column - SUM) * load_real(memory, UNIT)
    variance = squares * weighed * weighed - mean * mean + 4 * math.sqrt(2) * breadth * weighed
    return weighed * math.sqrt(max(0.0, min(1.0, variance)))


def is_pointless(how: Techniques, tree: int, child: int, certain: float, mover: int) -> bool:
    """The child is proved to be no better than what the mover has for certain."""
    if mover == 0:
        return load_real(tree, child + how.high) <= certain
    return load_real(tree, child + how.low) >= certain
