"""Expansion: create the children of a node, with their priors and proved bounds. [Coulom 2006]"""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import FILL_MASK, U64, mix
from zermelo.search.mcts.techniques import Techniques
from zermelo.search.mcts.tree import NO_CHILDREN, Children, Node, Tree, count_of
from zermelo.search.mcts.workspace import MctsWorkspace

ALMOST = 0.98
"""Limit of the absolute value of a prior, on a scale from -1 to 1."""


def expand(game: Game, how: Techniques, state: State, node: Node, tree: Tree, work: MctsWorkspace) -> Children:
    """Create the children of a node; NO_CHILDREN if there is no room or another thread is expanding it."""
    if how.shared and not tree.claim_expansion(node):
        return NO_CHILDREN
    key = U64(0)
    if how.transpositions:
        key = mix(game.key(state))
        known = tree.find_children(key)
        if known > 0:
            tree.publish_children(node, known)
            return known
    count = work.usable(list_children(game, how, state, work))
    children = tree.new_block(node, count) if count > 0 else NO_CHILDREN
    if children == NO_CHILDREN:
        tree.set_children(node, NO_CHILDREN)
        return NO_CHILDREN
    for index in range(count):
        child = tree.child(children, index)
        tree.erase(child)
        tree.set_action(child, work.generated[index])
    initialise_children(game, how, state, node, children, tree, work)
    if how.transpositions:
        tree.clear_traversals(children)
        tree.register(key, children)
    tree.publish_children(node, children)
    return children


def list_children(game: Game, how: Techniques, state: State, work: MctsWorkspace) -> int:
    """Write the moves of a position, or the outcomes of chance with their probabilities; returns their number.

    The rules are called only once, because the memory is laid out by the result, and a second result might not fit.
    """
    count = 0
    if how.chance and game.to_move(state) == CHANCE:
        for action, probability in game.outcomes(state):
            work.generated[count & FILL_MASK] = action
            work.likelihoods[count & FILL_MASK] = probability
            count += 1
    elif how.is_opposed:
        count = game.fill_candidates(state, work.buffer(), 0)
    else:
        count = game.fill_actions(state, work.buffer(), 0)
    return count


def initialise_children(
    game: Game, how: Techniques, state: State, node: Node, children: Children, tree: Tree, work: MctsWorkspace
) -> None:
    """Initialise new children: moves, probabilities, bounds and priors."""
    mover, count = game.to_move(state), count_of(children)
    if mover != CHANCE:
        shuffle_moves(tree, children, work)  # of equals the first is taken: shuffle, so that it may be any of them
    if how.solver:
        for index in range(count):
            tree.set_bounds(tree.child(children, index), work.floor, work.ceiling)
    if how.chance and mover == CHANCE:
        for index in range(count):
            tree.set_likelihood(tree.child(children, index), work.likelihoods[index])
    if how.looks and mover != CHANCE:
        set_priors(game, how, state, tree.action(node), children, tree, work)
    if how.implicit:
        for index in range(count):
            child = tree.child(children, index)
            tree.set_implicit_value(child, evaluate_position(game, game.result(state, tree.action(child)), 0, work))


def shuffle_moves(tree: Tree, children: Children, work: MctsWorkspace) -> None:
    """Shuffle the moves of new children [Fisher & Yates 1938]."""
    for index in range(count_of(children) - 1, 0, -1):
        here, there = tree.child(children, index), tree.child(children, work.below(index + 1))
        action = tree.action(here)
        tree.set_action(here, tree.action(there))
        tree.set_action(there, action)


def evaluate_position(game: Game, state: State, player: int, work: MctsWorkspace) -> float:
    """The payoff of a terminal position, or else the game's evaluation, on a scale from -1 to 1."""
    value = float(game.utility(state, player)) if game.is_terminal(state) else float(game.evaluate(state, player))
    return value / work.magnitude * work.unit * work.unity


def set_priors(
    game: Game, how: Techniques, state: State, last: int, children: Children, tree: Tree, work: MctsWorkspace
) -> None:
    """Write the priors of the moves: the game's `prior`, or else `evaluate` after each move."""
    mover, count, total = game.to_move(state), count_of(children), 0.0
    for index in range(count):
        child = tree.child(children, index)
        action, prior = tree.action(child), 0.0
        if how.prior:
            weight = float(game.prior(state, last, action))
            prior = (weight - 1) / (weight + 1)
        else:
            prior = evaluate_position(game, game.result(state, action), mover, work)
        prior = max(-ALMOST, min(prior, ALMOST))
        tree.set_prior(child, prior)
        if how.puct:
            tree.set_prior_share(child, (1 + prior) / (1 - prior))
            total += (1 + prior) / (1 - prior)
    if how.puct:
        for index in range(count):
            child = tree.child(children, index)
            tree.set_prior_share(child, tree.prior_share(child) / total)
    if how.widening:
        sort_by_prior(tree, children)


def sort_by_prior(tree: Tree, children: Children) -> None:
    """Insertion sort of new children by prior, the best first (progressive widening). [Coulom 2007]"""
    for index in range(1, count_of(children)):
        place = index
        child = tree.child(children, place)
        while place > 0 and tree.prior(child) > tree.prior(tree.child(children, place - 1)):
            before = tree.child(children, place - 1)
            tree.swap_cells(child, before)
            place, child = place - 1, before
