"""Tidy trees: parents centred over their children, subtrees as close as their outlines allow, never overlapping.

Subtrees are pushed together level by level along their outlines [Reingold & Tilford 1981]. Packed from the left, what
is small leans left; packed from the right, it leans right; the mean of both packings is fair, and it keeps every
distance because each packing does [compare Buchheim, Jünger & Leipert 2002].
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeAlias

Extent: TypeAlias = tuple[float, float]
"""The extent of a box to the left and to the right of its centre line; both positive."""

Outline: TypeAlias = list[tuple[float, float]]
"""The leftmost and rightmost coordinate of a subtree on each level, with the root's centre at 0."""

_NOTHING = (float("inf"), float("-inf"))


def tidy(extents: Sequence[Extent], children: Sequence[Sequence[int]], gap: float) -> list[float]:
    """The centre lines of the boxes; the leftmost box begins at 0.

    Box 0 is the root and children have higher numbers than their parents. Boxes of one level are at least `gap` apart.
    """
    shifts = [0.0] * len(extents)
    outlines: list[Outline] = [[] for _ in extents]
    for box in reversed(range(len(extents))):
        below = [outlines[child] for child in children[box]]
        places = _places(below, gap)
        middle = (places[0] + places[-1]) / 2 if places else 0.0
        for child, place in zip(children[box], places, strict=True):
            shifts[child] = place - middle
            outlines[child] = _shift(outlines[child], place - middle)
        left, right = extents[box]
        outlines[box] = [(-left, right), *_merge([outlines[child] for child in children[box]])]
        for child in children[box]:
            outlines[child] = []
    centres = [0.0] * len(extents)
    centres[0] = -min(left for left, _ in outlines[0])
    for box, below_box in enumerate(children):
        for child in below_box:
            centres[child] = centres[box] + shifts[child]
    return centres


def _places(outlines: list[Outline], gap: float) -> list[float]:
    """The places of the roots of sibling subtrees, the first at 0."""
    from_left = _pack(outlines, gap)
    mirrored = [[(-right, -left) for left, right in outline] for outline in reversed(outlines)]
    from_right = [from_left[-1] - place for place in reversed(_pack(mirrored, gap))]
    return [(one + other) / 2 for one, other in zip(from_left, from_right, strict=True)]


def _pack(outlines: list[Outline], gap: float) -> list[float]:
    """Place each subtree as far left as those before it allow."""
    places: list[float] = []
    front: list[float] = []
    for outline in outlines:
        place = max((edge + gap - left for edge, (left, _) in zip(front, outline, strict=False)), default=0.0)
        places.append(place)
        reach = [place + right for _, right in outline]
        front = [max(edges) for edges in zip_longest(front, reach, fillvalue=float("-inf"))]
    return places


def _shift(outline: Outline, shift: float) -> Outline:
    return [(left + shift, right + shift) for left, right in outline]


def _merge(outlines: list[Outline]) -> Outline:
    levels = zip_longest(*outlines, fillvalue=_NOTHING)
    return [(min(left for left, _ in level), max(right for _, right in level)) for level in levels]
