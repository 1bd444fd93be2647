"""What the textbook's tests share: how much a search looked at, and what a fail-soft result must prove."""

from trees import Inner
from zermelo.core.meter import Meter, Metered


def looked_at(search, game, *arguments):
    """The value of `search(game, *arguments)`, and how many positions it looked at."""
    meter = Meter.allocate()
    return search(Metered(game, meter), *arguments), meter.nodes


def is_proved(result, alpha, beta, value, slack=0.0):
    """Whether what the result claims is true: v <= r below the window, v >= r above it, v = r inside.

    Where means are involved, `slack` allows for rounding, on the edges of the window too.
    """
    if abs(result - value) <= slack:
        return True
    return (result <= alpha + slack and value <= result) or (result >= beta - slack and value >= result)


def even_dice(tree):
    """The tree with dice of one, two or four equal faces, so that means of whole numbers are exact."""
    if not isinstance(tree, Inner):
        return tree
    children = tuple(map(even_dice, tree.children))
    return Inner(tree.kind, children[:2] if tree.kind == "chance" and len(children) == 3 else children)
