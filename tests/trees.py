"""Random game trees for tests, with an evaluation that knows nothing of the package.

A tree here is a leaf (a number, or a tuple with one per player) or an `Inner` node. `text_of` writes it in the
package's text form, `plain_values` computes what each player gets when all play for themselves.
"""

from fractions import Fraction
from typing import NamedTuple

from hypothesis import strategies as st


class Inner(NamedTuple):
    kind: str  # max, min, chance, p1, p2 ...
    children: tuple
    weights: tuple = ()  # of chance; empty for equal ones


def text_of(tree):
    if isinstance(tree, Inner):
        total = sum(tree.weights)
        labels = [f"{weight}/{total}:" for weight in tree.weights] or [""] * len(tree.children)
        branches = (label + text_of(child) for label, child in zip(labels, tree.children, strict=True))
        return f"{tree.kind}({' '.join(branches)})"
    return f"<{','.join(map(str, tree))}>" if isinstance(tree, tuple) else str(tree)


def plain_values(tree):
    """One exact value per player; of several best moves the first is played."""
    if not isinstance(tree, Inner):
        return tuple(map(Fraction, tree)) if isinstance(tree, tuple) else (Fraction(tree), -Fraction(tree))
    values = [plain_values(child) for child in tree.children]
    if tree.kind == "chance":
        weights = tree.weights or (1,) * len(values)
        return tuple(
            sum(w * v for w, v in zip(weights, column, strict=True)) / sum(weights)
            for column in zip(*values, strict=True)
        )
    player = {"max": 0, "min": 1}.get(tree.kind) if tree.kind[0] != "p" else int(tree.kind[1:]) - 1
    return max(values, key=lambda value: value[player])


def depth_of(tree):
    return 1 + max(map(depth_of, tree.children)) if isinstance(tree, Inner) else 0


def random_tree(rng, *, depth=4, branching=3, players=2, chance=True, most=4):
    """A tree of at most this depth; layers come in any order and small whole numbers make ties common.

    With two players the leaves are plain numbers, otherwise tuples.
    """
    if depth == 0 or rng.random() < 0.15:
        utilities = tuple(rng.randint(-most, most) for _ in range(players))
        return utilities[0] if players == 2 else utilities
    kind = rng.choice(kinds_of(players, chance))
    count = rng.randint(1, branching)
    children = tuple(
        random_tree(rng, depth=depth - 1, branching=branching, players=players, chance=chance, most=most)
        for _ in range(count)
    )
    weights = tuple(rng.randint(1, 4) for _ in children) if kind == "chance" and rng.random() < 0.7 else ()
    return Inner(kind, children, weights)


def kinds_of(players, chance):
    kinds = ["max", "min"] if players == 2 else [f"p{number}" for number in range(1, players + 1)]
    return kinds + ["chance"] * chance


def trees(*, players=2, chance=True, branching=4, most=4, leaves=20):
    """A hypothesis strategy for the same trees; failures shrink to small ones."""
    numbers = st.integers(-most, most)
    leaf = numbers if players == 2 else st.tuples(*[numbers] * players)

    def inner(children):
        several = st.lists(children, min_size=1, max_size=branching).map(tuple)
        moves = st.builds(Inner, st.sampled_from(kinds_of(players, chance=False)), several)
        weighted = st.lists(st.tuples(st.integers(1, 4), children), min_size=1, max_size=branching)
        dice = weighted.map(lambda pairs: Inner("chance", tuple(c for _, c in pairs), tuple(w for w, _ in pairs)))
        evenly = several.map(lambda found: Inner("chance", found))
        return st.one_of(moves, dice, evenly) if chance else moves

    return st.recursive(leaf, inner, max_leaves=leaves)
