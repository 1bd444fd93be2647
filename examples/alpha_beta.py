"""Alpha-beta on the lecture's tree, and the effect of move ordering.

python examples/alpha_beta.py                     the tree as text
python examples/alpha_beta.py alpha-beta.svg      and as a picture
"""

import random
import sys
from pathlib import Path

from zermelo.draw import tree_svg, tree_text
from zermelo.games.tree import Tree
from zermelo.textbook import minimax, trace

LECTURE = "max(min(3 12 8) min(2 4 6) min(14 5 2))"


def uniform_tree(branching, depth, order, kind="max"):
    """A random tree as text, with its value; `order` is the sort key of a node's moves, from the loss of each."""
    if depth == 0:
        leaf = random.randint(-999, 999)
        return str(leaf), leaf
    below = "min" if kind == "max" else "max"
    children = [uniform_tree(branching, depth - 1, order, below) for _ in range(branching)]
    children.sort(key=lambda child: order(-child[1] if kind == "max" else child[1]))
    best = max if kind == "max" else min
    return f"{kind}({' '.join(text for text, _ in children)})", best(value for _, value in children)


def leaves(algorithm, text):
    return len(trace(algorithm, Tree(text)).leaves())


def main():
    random.seed(1)
    root = trace("alphabeta", Tree(LECTURE))
    print(tree_text(root))
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(tree_svg(root), encoding="utf-8")

    print("\nLeaves that alpha-beta looks at in a tree of 3 moves and 6 plies")
    orders = {"best move first": lambda loss: loss, "no order": lambda loss: 0, "worst move first": lambda loss: -loss}
    for name, order in orders.items():
        text, value = uniform_tree(3, 6, order)
        assert minimax(Tree(text), 0, 0) == value
        print(f"{name:18}{leaves('alphabeta', text):5} of {leaves('minimax', text)}")
    print(f"{'Knuth & Moore':18}{3**3 + 3**3 - 1:5}")


if __name__ == "__main__":
    main()
