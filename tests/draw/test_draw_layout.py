import itertools

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from zermelo.draw.layout import tidy

pytestmark = pytest.mark.plain

extents = st.tuples(st.floats(0, 50), st.floats(0, 50))


@st.composite
def forests(draw):
    """Extents, and for each box its parent: a random tree with parents before children."""
    boxes = draw(st.lists(extents, min_size=1, max_size=40))
    parents = [draw(st.integers(0, max(0, number - 1))) for number in range(len(boxes))]
    return boxes, parents


def children_of(parents):
    return [[n for n, parent in enumerate(parents) if n and parent == box] for box in range(len(parents))]


def depths_of(parents):
    depths = [0]
    for parent in parents[1:]:
        depths.append(depths[parent] + 1)
    return depths


def from_the_left(children, box=0):
    """Boxes as they are met from the left: on each level, in their order."""
    yield box
    for child in children[box]:
        yield from from_the_left(children, child)


@settings(deadline=None)
@given(forests(), st.floats(0, 20))
@example(([(0.0, 0.0)] * 10 + [(1.0, 0.0)], [0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1]), 0.0)
@example(([(0.0, 0.0), (9.0, 7.740799890770668), (0.0, 0.0), (6.579914992017958, 0.0)], [0, 0, 0, 0]), 0.0)
def test_boxes_of_one_level_keep_their_distance(forest, gap):
    boxes, parents = forest
    children, depths = children_of(parents), depths_of(parents)
    x = tidy(boxes, children, gap)
    for depth in set(depths):
        level = [n for n in from_the_left(children) if depths[n] == depth]
        for one, other in itertools.pairwise(level):
            assert x[other] - boxes[other][0] - (x[one] + boxes[one][1]) >= gap - 1e-6


@settings(deadline=None)
@given(forests())
def test_siblings_stand_in_order_and_parents_over_their_middle(forest):
    boxes, parents = forest
    children = children_of(parents)
    x = tidy(boxes, children, 1)
    for box, below in enumerate(children):
        places = [x[child] for child in below]
        assert places == sorted(places)
        if below:
            assert abs(x[box] - (places[0] + places[-1]) / 2) < 1e-6


@settings(deadline=None)
@given(forests())
def test_the_figure_begins_at_zero(forest):
    boxes, parents = forest
    x = tidy(boxes, children_of(parents), 1)
    assert abs(min(centre - left for centre, (left, _) in zip(x, boxes, strict=True))) < 1e-6


def test_subtrees_close_up_under_each_other():
    """A deep narrow subtree beside a shallow wide one needs less room than their widths together."""
    children = [[1, 2], [3], [], [4, 5, 6], [], [], []]
    x = tidy([(5, 5)] * 7, children, 2)
    assert x[2] - x[1] == 12  # neighbours on their own level: the three grandchildren lie below and do not push
    assert x[6] == x[2]


def test_small_subtrees_between_large_ones_are_spread_fairly():
    """The mean of both packings is symmetric: a leaf between two wide subtrees stands in the middle."""
    wide = [4, 5, 6, 7], [8, 9, 10, 11]
    children = [[1, 2, 3], wide[0], [], wide[1], *([[]] * 8)]
    x = tidy([(5, 5)] * 12, children, 2)
    assert x[2] == (x[1] + x[3]) / 2 == x[0]


def test_a_chain_of_a_thousand_boxes_is_laid_out():
    children = [[n + 1] for n in range(999)] + [[]]
    assert tidy([(1, 1)] * 1000, children, 1) == [1.0] * 1000
