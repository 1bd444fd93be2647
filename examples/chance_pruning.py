"""Pruning at chance nodes: the node counts of expectiminimax, Star1 and Star2 in pig.

python examples/chance_pruning.py
"""

from zermelo.core.meter import Meter, Metered
from zermelo.draw import tree_text
from zermelo.games.pig import Pig
from zermelo.games.tree import Tree
from zermelo.textbook import expectiminimax, star1, star2, trace

SEARCHES = (expectiminimax, star1, star2)


def looks(search, game, depth):
    """The value, and the number of nodes visited."""
    meter = Meter.allocate()
    return search.run(Metered(game, meter), game.initial(), 0, depth), meter.nodes


def main():
    print("Two of six faces show -10: four tens could not lift the mean above 10/3, so the rest is cut.\n")
    print(tree_text(trace("star1", Tree("max(4 chance(-10 -10 10 10 10 10))"))))

    print("\nPig to 100: positions looked at\n")
    print("plies" + "".join(f"{search.__name__:>16}" for search in SEARCHES) + "           value")
    for depth in range(1, 9):
        found = [looks(search, Pig(), depth) for search in SEARCHES]
        assert max(abs(value - found[0][0]) for value, _ in found) < 1e-9
        print(f"{depth:5}" + "".join(f"{nodes:16,}" for _, nodes in found) + f"{found[0][0]:16.4f}")


if __name__ == "__main__":
    main()
