"""The union of two sets of labels: classes, categories or columns."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[Any]
"""Distinct values in ascending order: int64, float64, bool, or object holding str."""


class Placement(NamedTuple):
    """The positions `at` of the labels of a set in a larger one of `size` labels."""

    size: int
    at: NDArray[np.intp]


def union(mine: Labels, theirs: Labels) -> tuple[Labels, Placement | None, Placement | None]:
    """The union of both sets, and the positions of each of them in it; None if they are the same.

    >>> labels, mine, theirs = union(np.array([1, 3]), np.array([1, 2, 3]))
    >>> labels.tolist(), mine.at.tolist(), theirs
    ([1, 2, 3], [0, 2], None)
    """
    if mine is theirs or np.array_equal(mine, theirs):
        return mine, None, None
    if not mine.size or not theirs.size:
        labels = mine if mine.size else theirs
        return labels, _placement(mine, labels), _placement(theirs, labels)
    if _is_text(mine) != _is_text(theirs):
        raise TypeError(f"text and numbers do not mix: {_some(mine)} and {_some(theirs)}")
    labels = np.union1d(mine, theirs)
    return labels, _placement(mine, labels), _placement(theirs, labels)


def _placement(labels: Labels, among: Labels) -> Placement | None:
    if labels.size == among.size:
        return None
    return Placement(among.size, np.searchsorted(among, labels))


def _is_text(labels: Labels) -> bool:
    return labels.dtype.kind in "OUT"


def _some(labels: Labels) -> str:
    return ", ".join(map(repr, labels[:3].tolist()))
