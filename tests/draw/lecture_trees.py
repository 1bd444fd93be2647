"""The lectures' trees as a search would record them, and random trees, built by hand: only drawing is under test."""

from math import inf

from hypothesis import strategies as st

from zermelo.textbook.trace import Node


def end(value, move="", window=None, probability=None):
    return Node(None, "terminal", None, move, probability, window, value)


def cut(move, reason):
    return Node(None, "cut", None, move, reason=reason)


def alpha_beta():
    """Max of three min nodes over (3 12 8) (2 4 6) (14 5 2); alpha-beta skips 4 and 6."""
    first = [end(3, "b1", (-inf, inf)), end(12, "b2", (-inf, 3)), end(8, "b3", (-inf, 3))]
    second = [end(2, "c1", (3, inf)), cut("c2", "2 ≤ α = 3"), cut("c3", "2 ≤ α = 3")]
    third = [end(14, "d1", (3, inf)), end(5, "d2", (3, 14)), end(2, "d3", (3, 5))]
    replies = [
        Node(None, "min", 1, "a1", None, (-inf, inf), 3, children=first),
        Node(None, "min", 1, "a2", None, (3, inf), 2, "upper", children=second),
        Node(None, "min", 1, "a3", None, (3, inf), 2, "upper", children=third),
    ]
    return Node(None, "max", 0, "", None, (-inf, inf), 3, children=replies)


def expectimax():
    """Thirds over (3 12 9) (2 4 6) (15 6 0): 8, 4 and 7, so 8."""
    dice = []
    for move, payoffs in (("left", (3, 12, 9)), ("middle", (2, 4, 6)), ("right", (15, 6, 0))):
        ends = [end(value, face, probability=1 / 3) for face, value in zip("123", payoffs, strict=True)]
        dice.append(Node(None, "chance", -1, move, value=sum(payoffs) / 3, children=ends))
    return Node(None, "max", 0, value=8.0, children=dice)


def three_agents():
    """Max^n: each of three players maximises their own entry; the root is worth (5, 2, 5)."""
    payoffs = [(1, 6, 6), (7, 1, 2), (6, 1, 2), (7, 2, 1), (5, 1, 7), (1, 5, 2), (7, 7, 1), (5, 2, 5)]
    level = [end(payoff, "lr"[number % 2]) for number, payoff in enumerate(payoffs)]
    for player in (2, 1, 0):
        pairs = [level[number : number + 2] for number in range(0, len(level), 2)]
        level = [
            Node(None, "max", player, "lr"[number % 2], value=max((n.value for n in pair), key=lambda v: v[player]))
            for number, pair in enumerate(pairs)
        ]
        for node, pair in zip(level, pairs, strict=True):
            node.children = pair
    level[0].move = ""
    return level[0]


def uniform(branching, depth, move=""):
    """Every node has as many children; all values 0."""
    if depth == 0:
        return end(0, move)
    children = [uniform(branching, depth - 1, str(number)) for number in range(branching)]
    return Node(None, "max" if depth % 2 else "min", depth % 2, move, value=0, children=children)


HOSTILE = ["", "e4", "<&\">'", "]]>", "\x00\x1b[31m", "a\nb", "𝔸", "漢字", "\ud800", "e2e4" * 6]

moves = st.sampled_from(HOSTILE) | st.text(max_size=12)
numbers = st.sampled_from([0, 1, -8, 0.5, 1 / 3, 12, inf, -inf, 1e-9, 123456.789])
values = st.none() | numbers | st.tuples(numbers, numbers, numbers)
windows = st.none() | st.tuples(numbers, numbers)
chances = st.none() | st.sampled_from([0.5, 1 / 3, 0.123456, 1.0])
bounds = st.sampled_from(["exact", "lower", "upper", "estimate"])


@st.composite
def nodes(draw, children=None):
    below = draw(children) if children is not None else []
    kinds = ["max", "min", "chance"] if below else ["max", "terminal", "horizon", "cut"]
    kind = draw(st.sampled_from(kinds))
    if kind == "cut":
        return cut(draw(moves), draw(moves))
    player = draw(st.sampled_from([0, 1, 2]))
    return Node(
        None, kind, player, draw(moves), draw(chances), draw(windows), draw(values), draw(bounds), children=below
    )


trees = st.recursive(nodes(), lambda below: nodes(st.lists(below, min_size=1, max_size=4)), max_leaves=25)
