"""Simulations: select, expand, play out, back up.

A node's first visits are playouts; then it gets children. Payoffs are stored as whole numbers, so that sums do not
depend on the order in which threads add them.

[Kocsis & Szepesvari 2006; Coulom 2006]
"""

from __future__ import annotations

from zermelo.core.game import CHANCE, Game, State
from zermelo.kernel import kernel, mix
from zermelo.search.mcts.backup import back_up, back_up_implicit, write_equal_payoffs, write_payoffs
from zermelo.search.mcts.expansion import expand, initialise_children
from zermelo.search.mcts.open_loop import select_open
from zermelo.search.mcts.parallel import LINGERS, add_virtual_loss, flush_ledger, hot_plies, loss_payoff
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
def simulate_worlds(
    game: Game, how: Techniques, policy: Playout, known: State, player: int, tree: Tree, work: MctsWorkspace
) -> int:
    """Simulate until the limit or until the tree is full, every time from another world that looks to the player like
    the known one; returns the number of simulations."""
    before = work.nodes
    while not work.is_stopped() and not tree.header().is_full:
        work.nodes += 1
        world = game.other_world(known, player, work.draw())
        simulate_once(game, how, policy, world, 0, tree, work)
    return work.nodes - before


def run_simulations(game: Game, how: Techniques, policy: Playout, root: State, tree: Tree, work: MctsWorkspace) -> None:
    header, node = tree.header(), ROOT
    if header.is_fresh:
        header.is_fresh = False
        initialise_children(game, how, root, node, tree.children(node), tree, work)
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
    """Run one simulation, which shares its first `first` plies with the last one; returns its depth in the tree."""
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
        write_payoffs(game, how, play_out(game, how, policy, state, last, work), work)
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
    """Select a child, then its child, until the payoffs are known or a playout is needed.

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
            work.payoffs[0] = work.to_stored(tree.lower_bound(node))
            work.is_news = how.shared  # two threads that prove siblings at once may both miss the parent's proof
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
        if how.transpositions and how.solver:  # other paths may have narrowed the children's bounds
            work.is_news = narrow_from_children(how, tree, node, mover)
            if tree.is_proved(node):
                work.payoffs[0] = work.to_stored(tree.lower_bound(node))
                return state, depth, True
        if how.transpositions:
            tree.add_traversal_atomically(children)
            if depth & (depth - 1) == 0:  # every cycle comes back to one of these
                landmark = children
        node = select_child(how, tree, node, children, mover, work)
        state = game.result(state, tree.action(node))
        if how.trail:
            work.note_move(mover, tree.action(node))
        depth += 1
        if how.repeats and is_repetition(game, how, state, node, mover, depth, work):
            return state, depth, True


def descend_open(game: Game, how: Techniques, state: State, tree: Tree, work: MctsWorkspace) -> tuple[State, int, bool]:
    """The same in an open tree: children are added one by one, and dice are rolled anew."""
    node, depth, rolls = ROOT, 0, 0
    while True:
        work.path_nodes[depth] = node
        if game.is_terminal(state):
            write_payoffs(game, how, state, work)
            return state, depth, True
        mover = game.to_move(state)
        if how.chance and mover == CHANCE:
            if rolls >= work.playout_plies or work.is_halted():
                write_payoffs(game, how, state, work)
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
    """Expand a leaf that has enough visits; write the payoffs of a terminal position, or of one the bounds prove.

    Returns the children, or NO_CHILDREN, and whether the payoffs are written.
    """
    if game.is_terminal(state):
        write_payoffs(game, how, state, work)
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
            work.payoffs[0] = work.to_stored(tree.lower_bound(node))
            return NO_CHILDREN, True
    return NO_CHILDREN, False


# -- repetition ------------------------------------------------------------------------------------------


def is_repetition(
    game: Game, how: Techniques, state: State, node: Node, mover: int, depth: int, work: MctsWorkspace
) -> bool:
    """Put the position on the path; write the payoffs if it is a forbidden repetition or a draw by repetition."""
    key = mix(game.key(game.repetition_key(state)))
    times = work.path.times_before(Ply(depth), key)
    work.path.enter(Ply(depth), key)
    if game.repetition < 0 and times > 0:
        work.path_nodes[depth] = node
        write_equal_payoffs(how, loss_payoff(how, mover, work), work)
        return True
    if game.repetition > 0 and times + 1 >= game.repetition and not game.is_terminal(state):
        work.path_nodes[depth] = node
        write_equal_payoffs(how, work.middle, work)
        return True
    return False


def leave_path(depth: int, work: MctsWorkspace) -> None:
    """Take the positions of the simulation from the path."""
    for ply in range(1, depth + 1):
        work.path.leave(work.path.key_at(Ply(ply)))
