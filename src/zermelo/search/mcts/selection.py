"""Selection: the child of a node that the next simulation goes to.

UCB1 [Auer, Cesa-Bianchi & Fischer 2002], its tuned variant from the same paper, PUCT [Rosin 2011; Silver et al. 2017],
first-play urgency [Gelly & Wang 2006], progressive bias and widening [Chaslot et al. 2008], implicit minimax backups
[Lanctot et al. 2014].
"""

from __future__ import annotations

import math
from typing import NamedTuple

from zermelo.core.game import CHANCE
from zermelo.kernel import state
from zermelo.search.mcts.rave import find_same_move, mix_rave, reference_node
from zermelo.search.mcts.techniques import Techniques, column_of
from zermelo.search.mcts.tree import NO_NODE, Children, Node, Tree, count_of, first_of
from zermelo.search.mcts.workspace import MctsWorkspace

ALWAYS_WIDE = 2


@state
class Parent(NamedTuple):
    """The data of a node that all scores of its children use."""

    node: int
    mover: int
    column: int
    """The mover's column of the payoff sums."""
    unit: float
    """Factor from stored payoffs to the scale from -1 to 1, seen by the mover."""
    sqrt_log: float
    """The square root of the logarithm of the visits."""
    breadth: float
    """The weight of a child's exploration term."""
    untried: float
    """First-play urgency: the mean of a child without visits."""
    certain: float
    """MCTS-Solver: the proved payoff that the mover can get."""
    reference: int
    """GRAVE's reference node."""


def select_child(how: Techniques, tree: Tree, node: Node, children: Children, mover: int, work: MctsWorkspace) -> Node:
    """The child with the highest score; at a chance node, a random one."""
    if how.chance and mover == CHANCE:
        return sample_outcome(tree, children, work)
    count = count_of(children)
    if how.widening:
        found = best_child(how, tree, node, children, progressive_widening(tree, node, count, work), mover, work)
        if found != NO_NODE:
            return found
    found = best_child(how, tree, node, children, count, mover, work)
    return found if found != NO_NODE else first_of(children)


def sample_outcome(tree: Tree, children: Children, work: MctsWorkspace) -> Node:
    """Draw a child of a chance node by its probability."""
    child, end = first_of(children), tree.child(children, count_of(children))
    luck = work.fraction() - tree.likelihood(child)
    while luck >= 0 and tree.sibling(child) < end:
        child = tree.sibling(child)
        luck -= tree.likelihood(child)
    return child


def progressive_widening(tree: Tree, node: Node, count: int, work: MctsWorkspace) -> int:
    """Progressive widening: how many of the `count` moves to consider. [Chaslot et al. 2008; Coulom 2007]"""
    return min(count, ALWAYS_WIDE + int(float(tree.visits(node)) ** work.widening))


def best_child(
    how: Techniques, tree: Tree, node: Node, children: Children, count: int, mover: int, work: MctsWorkspace
) -> Node:
    """The child with the highest score among the first `count`; NO_NODE if MCTS-Solver excludes all."""
    parent = judge_parent(how, tree, node, children, mover, work)
    best, chosen = -math.inf, NO_NODE
    for index in range(count):
        child = tree.child(children, index)
        if not (how.solver and is_excluded_by_solver(tree, child, parent)):
            visits = tree.visits(child)
            if how.untried_first and visits == 0:
                return child
            score = score_child(how, tree, child, visits, parent, work)
            if score > best:
                best, chosen = score, child
    return chosen


def judge_parent(
    how: Techniques, tree: Tree, node: Node, children: Children, mover: int, work: MctsWorkspace
) -> Parent:
    visits = max(1, tree.traversals(children) if how.transpositions else tree.visits(node))
    sqrt_log = 0.0 if how.puct and not how.tuned else work.ucb.sqrt_log(visits)
    breadth = work.exploration * (math.sqrt(visits) if how.puct else sqrt_log)
    column, unit = column_of(how, mover), work.unit
    if how.is_opposed and mover == 1:
        unit = -unit
    reference = reference_node(tree, node, mover, work) if how.grave else NO_NODE
    untried = 0.0
    if how.urgency or how.puct or how.rave:
        untried = unit * tree.total(node, column) / visits - work.urgency
    certain = 0.0
    if how.solver:
        certain = tree.lower_bound(node) if mover == 0 else tree.upper_bound(node)
    return Parent(node, mover, column, unit, sqrt_log, breadth, untried, certain, reference)


def is_excluded_by_solver(tree: Tree, child: Node, parent: Parent) -> bool:
    """MCTS-Solver: whether the child is proved no better than what the mover can get anyway. [Winands et al. 2008]"""
    if parent.mover == 0:
        return tree.upper_bound(child) <= parent.certain
    return tree.lower_bound(child) >= parent.certain


def score_child(how: Techniques, tree: Tree, child: Node, visits: int, parent: Parent, work: MctsWorkspace) -> float:
    """The upper confidence bound of a child: its mean plus its exploration term.

    UCB1 [Auer, Cesa-Bianchi & Fischer 2002], UCB1-Tuned, or PUCT [Rosin 2011]; then progressive bias.
    """
    score = mean_of(how, tree, child, visits, parent, work)
    if how.tuned:
        score += parent.breadth * ucb1_tuned_width(how, tree, child, visits, score, parent, work)
    elif how.puct:
        score += parent.breadth * tree.prior_share(child) / (1 + visits)
    else:
        score += parent.breadth * inverse_sqrt(how, visits, work)
    if how.bias:  # progressive bias
        score += work.bias * tree.prior(child) / (1 + visits)
    return score


def mean_of(how: Techniques, tree: Tree, child: Node, visits: int, parent: Parent, work: MctsWorkspace) -> float:
    """The estimated value of a child for the mover: its mean payoff, mixed with priors, implicit minimax and RAVE."""
    weight, total = float(visits), parent.unit * tree.total(child, parent.column)
    if how.priors:
        weight += work.trust
        total += work.trust * tree.prior(child)
    mean = total / weight if how.untried_first or weight > 0 else parent.untried
    if how.implicit:
        implicit = tree.implicit_value(child)
        mean += work.implicit * ((implicit if parent.mover == 0 else -implicit) - mean)
    if how.grave and parent.reference != parent.node:
        if parent.reference == NO_NODE:
            return mean
        found = find_same_move(tree, Node(parent.reference), child, parent.mover, work)
        return mix_rave(tree, found, weight, mean, parent.unit, work) if found != NO_NODE else mean
    return mix_rave(tree, child, weight, mean, parent.unit, work) if how.rave else mean


def ucb1_tuned_width(
    how: Techniques, tree: Tree, child: Node, visits: int, mean: float, parent: Parent, work: MctsWorkspace
) -> float:
    """UCB1-Tuned: less exploration where payoffs vary little; their variance is at most 1. [Auer et al. 2002]"""
    weighed = inverse_sqrt(how, visits, work)
    squares = tree.squares(child, parent.column) * work.unit
    variance = squares * weighed * weighed - mean * mean + 4 * math.sqrt(2) * parent.sqrt_log * weighed
    return weighed * math.sqrt(max(0.0, min(1.0, variance)))


def inverse_sqrt(how: Techniques, visits: int, work: MctsWorkspace) -> float:
    return work.ucb.inverse_sqrt(visits if how.untried_first else max(1, visits))
