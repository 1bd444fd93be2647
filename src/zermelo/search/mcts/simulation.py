"""Simulations: select, expand, play out, back up, over and over again.

A node's first visits are playouts; then it gets children. Payoffs are kept as whole numbers, in the unit that stands in
the workspace: sums of them do not depend on the order in which threads add them.

[Kocsis & Szepesvari 2006; Coulom 2006]
"""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import kernel, mix
from zermelo.search.mcts.backup import back_up, back_up_implicit, pay, pay_all
from zermelo.search.mcts.expansion import expand, introduce
from zermelo.search.mcts.open_loop import select_open
from zermelo.search.mcts.parallel import LINGERS, add_virtual_loss, flush_ledger, hot_plies, worst
from zermelo.search.mcts.playout import Playout, draw_outcome, play_out
from zermelo.search.mcts.proofs import back_up_bounds, narrow_bounds, narrow_from_children
from zermelo.search.mcts.rave import back_up_rave, forget_reference_nodes
from zermelo.search.mcts.selection import select_child
from zermelo.search.mcts.techniques import Techniques
from zermelo.search.mcts.tree import NO_CHILDREN, NO_NODE, ROOT, Children, Node, Tree
from zermelo.search.mcts.workspace import MOST_PATH_NODES, MctsWorkspace
from zermelo.search.runtime.path import Ply


@kernel
def simulate(game: Game, how: Techniques, policy: Playout, root: State, tree: Tree, work: MctsWorkspace) -> int:
    """Simulate until the limit, until the tree is full or the root is proved; returns the number of simulations."""
    before = work.nodes
    run_simulations(game, how, policy, root, tree, work)  # numba compiles again what a kernel itself calls
    return work.nodes - before


@kernel
def simulate_world(
    game: Game,
    how: Techniques,
    policy: Playout,
    world: State,
    tree: Tree,
    own: MctsWorkspace,
    work: MctsWorkspace,
) -> bool:
    """One simulation from a state that fits what the player has seen, in a workspace of its own.

    It is counted in the workspace of the search. Returns whether the search goes on.
    """
    own.limit = own.nodes + 1
    run_simulations(game, how, policy, world, tree, own)
    work.nodes += 1
    work.deepest_ply = own.deepest_ply
    work.trouble = own.trouble
    return not work.is_stopped() and not tree.header().is_full


def run_simulations(game: Game, how: Techniques, policy: Playout, root: State, tree: Tree, work: MctsWorkspace) -> None:
    header, node = tree.header(), ROOT
    if header.is_fresh:
        header.is_fresh = False
        introduce(game, how, root, node, tree.children(node), tree, work)
    shared_plies, left = 0, 0
    while not work.is_stopped() and not header.is_full:
        if how.solver and tree.is_proved(node):
            break
        work.nodes += 1
        depth = simulate_once(game, how, policy, root, shared_plies, tree, work)
        if how.lingers:  # the next few simulations begin with the same hot nodes
            if shared_plies == 0:
                shared_plies, left = hot_plies(tree, depth, work), LINGERS
            left -= 1
            if left == 0:
                shared_plies = 0
    if how.shared:
        flush_ledger(how, tree, work)


def simulate_once(
    game: Game, how: Techniques, policy: Playout, root: State, first: int, tree: Tree, work: MctsWorkspace
) -> int:
    """One simulation, whose first `first` plies are those of the last one; returns its depth within the tree."""
    if how.solver:
        work.is_news = False
    if how.trail:
        work.trail_length = 0
    if how.grave:
        forget_reference_nodes(work)
    if how.open:
        state, depth, is_paid = descend_open(game, how, root, tree, work)
    else:
        state, depth, is_paid = descend(game, how, root, first, tree, work)
    loss_from = MOST_PATH_NODES
    if not is_paid:
        if how.shared:
            loss_from = add_virtual_loss(how, tree, depth, work)
        last = tree.action(Node(work.path_nodes[depth]))
        pay(game, how, play_out(game, how, policy, state, last, work), work)
    if depth > work.deepest_ply:
        work.deepest_ply = depth
    back_up(how, tree, depth, loss_from, work)
    if how.rave:
        back_up_rave(how, tree, depth, work)
    if how.learns:
        policy.learn(how, work)
    if how.implicit:
        back_up_implicit(how, tree, depth, work)
    if how.repeats:
        leave_path(depth, work)
    if how.solver and work.is_news:
        back_up_bounds(how, tree, depth, work)
    return depth


# -- down the tree ---------------------------------------------------------------------------------------


def descend(
    game: Game, how: Techniques, state: State, first: int, tree: Tree, work: MctsWorkspace
) -> tuple[State, int, bool]:
    """Select a child, and the child of that, until the payoffs are known or a playout has to find them.

    Returns the state, the depth in the tree, and whether the payoffs are written.
    """
    node, depth, landmark = ROOT, 0, NO_CHILDREN
    if how.lingers:
        for ply in range(1, first + 1):
            node = Node(work.path_nodes[ply])
            state = game.result(state, tree.action(node))
        depth = first
    while True:
        work.path_nodes[depth] = node
        if how.solver and tree.is_proved(node):
            work.payoffs[0] = work.fixed(tree.lower_bound(node))
            work.is_news = how.shared  # two threads that prove siblings at once may both have missed what follows
            return state, depth, True
        children = tree.published_children(node)
        if children == NO_CHILDREN:
            children, is_paid = visit_leaf(game, how, state, node, tree, work)
            if is_paid:
                return state, depth, True
        is_circle = how.transpositions and children > 0 and children == landmark
        if children <= 0 or is_circle or depth + 1 >= MOST_PATH_NODES or (depth > 0 and work.is_halted()):
            return state, depth, False
        mover = game.to_move(state)
        work.movers[depth] = mover
        if how.transpositions and how.solver:  # others may have proved something of the children
            work.is_news = narrow_from_children(how, tree, node, mover)
            if tree.is_proved(node):
                work.payoffs[0] = work.fixed(tree.lower_bound(node))
                return state, depth, True
        if how.transpositions:
            tree.add_traversal_atomically(children)
            if depth & (depth - 1) == 0:  # whoever goes round in a circle comes to one of these again
                landmark = children
        node = select_child(how, tree, node, children, mover, work)
        state = game.result(state, tree.action(node))
        if how.trail:
            work.note_move(mover, tree.action(node))
        depth += 1
        if how.repeats and is_repetition(game, how, state, node, mover, depth, work):
            return state, depth, True


def descend_open(game: Game, how: Techniques, state: State, tree: Tree, work: MctsWorkspace) -> tuple[State, int, bool]:
    """The same in an open tree: a node has the children that its moves have had, and dice are rolled anew."""
    node, depth, rolls = ROOT, 0, 0
    while True:
        work.path_nodes[depth] = node
        if game.is_terminal(state):
            pay(game, how, state, work)
            return state, depth, True
        mover = game.to_move(state)
        if how.chance and mover == CHANCE:
            if rolls >= work.playout_plies or work.is_halted():
                pay(game, how, state, work)
                return state, depth, True
            outcome = draw_outcome(game, state, work)
            if not work.is_halted():
                state = game.result(state, outcome)
            rolls += 1
            continue
        child = NO_NODE
        if depth == 0 or tree.visits(node) >= work.expansion:
            child = select_open(game, how, state, node, tree, work)
        if child == NO_NODE or depth + 1 >= MOST_PATH_NODES or (depth > 0 and work.is_halted()):
            return state, depth, False
        node = child
        work.movers[depth] = mover
        state = game.result(state, tree.action(node))
        if how.trail:
            work.note_move(mover, tree.action(node))
        depth += 1
        if how.repeats and is_repetition(game, how, state, node, mover, depth, work):
            return state, depth, True


def visit_leaf(
    game: Game, how: Techniques, state: State, node: Node, tree: Tree, work: MctsWorkspace
) -> tuple[Children, bool]:
    """Expand a leaf that has enough visits; pay if the game is over, or if its own bounds prove the value.

    Returns the children, or NO_CHILDREN, and whether the payoffs are written.
    """
    if game.is_terminal(state):
        pay(game, how, state, work)
        if how.solver and game.repetition >= 0:
            value = float(game.utility(state, 0))
            work.is_news = narrow_bounds(how, tree, node, value, value)
        return NO_CHILDREN, True
    visits = tree.visits(node)
    if visits >= work.expansion:
        return expand(game, how, state, node, tree, work), False
    if how.bounds and visits == 0:
        low, high = game.bounds(state, 0)
        work.is_news = narrow_bounds(how, tree, node, float(low), float(high))
        if tree.is_proved(node):
            work.payoffs[0] = work.fixed(tree.lower_bound(node))
            return NO_CHILDREN, True
    return NO_CHILDREN, False


# -- repetition ------------------------------------------------------------------------------------------


def is_repetition(
    game: Game, how: Techniques, state: State, node: Node, mover: int, depth: int, work: MctsWorkspace
) -> bool:
    """Put the position on the path; if it may not be repeated, or ends the game by that, pay for it."""
    key = mix(game.key(game.repetition_key(state)))
    times = work.path.times_before(Ply(depth), key)
    work.path.enter(Ply(depth), key)
    if game.repetition < 0 and times > 0:
        work.path_nodes[depth] = node
        pay_all(how, worst(how, mover, work), work)
        return True
    if game.repetition > 0 and times + 1 >= game.repetition and not game.is_terminal(state):
        work.path_nodes[depth] = node
        pay_all(how, work.middle, work)
        return True
    return False


def leave_path(depth: int, work: MctsWorkspace) -> None:
    """Take the positions of the simulation from the path."""
    for ply in range(1, depth + 1):
        work.path.leave(work.path.key_at(Ply(ply)))
