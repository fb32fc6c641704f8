"""Leave-one-out of rows with a category that no other row has: without the row, the category is unseen."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely.families.cells import Array, log_share, without
from likely.families.family import Observations
from likely.limits import Within

if TYPE_CHECKING:
    from likely.families.block import Block
    from likely.families.categorical import Categorical


def unlearn_own_categories(family: Any, block: "Block", seen: Observations, scores: Array) -> NDArray[np.bool]:
    """Corrects leave-one-out scores that treat the row's own category as known, with a count of 0. Returns which rows
    have a category that no other row has. For families of categories."""
    alone, w = np.zeros(len(seen.y), np.bool), seen.weights
    for j, (a, b) in enumerate(pairwise(block.frame.starts.tolist())):
        counts = np.asarray(block.statistics.table[:, a:b], np.float64)
        codes = seen.cells[:, j]
        there = np.append(counts.sum(axis=0), np.inf)[np.where(codes < 0, b - a, codes)]
        rows = np.flatnonzero((codes >= 0) & (codes < b - a) & (w > 0) & (there <= w * (1 + 1e-9)))
        times = 1.0 if block.column_weights is None else block.column_weights[j]
        if not rows.size or times == 0:
            continue
        alone[rows] = True
        of_rows = Observations(codes[rows], seen.y[rows], seen.classes, w[rows])
        if isinstance(family.prior, Within):
            assert block.frame.cells is not None
            scores[rows] += times * _limited_change(family, counts, block.frame.cells[j], of_rows)
        elif family.unseen:
            scores[rows] += times * _change(family, counts, of_rows)
        else:
            scores[rows] = -np.inf
    return alone


def _change(family: Any, counts: Array, seen: Observations) -> Array:
    """What to add to the scores: log p of an unseen value when one value fewer is known, minus log p of a known value
    with a count of 0."""
    each = np.arange(len(seen.y))
    of_class = np.tile(counts.sum(axis=1), (len(each), 1))
    of_class[each, seen.y] = without(of_class[each, seen.y], seen.weights)
    of_value = counts[:, seen.cells].T.copy()
    of_value[each, seen.y] = without(of_value[each, seen.y], seen.weights)
    before = family.prior.proportions(counts.shape[1] + 1)
    after = family.prior.proportions(counts.shape[1])
    unknown = log_share(np.full(of_class.shape, after[-1]), of_class + after.sum())
    return unknown - log_share(of_value + before[seen.cells][:, None], of_class + before.sum())


def _limited_change(family: "Categorical", counts: Array, values: NDArray[Any], seen: Observations) -> Array:
    """`_change` under the constraints of the prior, row by row."""
    change = np.full((len(seen.y), len(counts)), -np.inf)
    for row, (k, cell, weight) in enumerate(zip(seen.y, seen.cells, seen.weights, strict=True)):
        left = counts.copy()
        left[k, cell] = without(left[k, cell], weight)
        if family.unseen:
            unknown = _log_within(family, np.delete(left, cell, axis=1), np.delete(values, cell))[:, -1]
            change[row] = unknown - _log_within(family, left, values)[:, cell]
    return change


def _log_within(family: "Categorical", counts: Array, values: NDArray[Any]) -> Array:
    """log p of the values of a column in each class; the last is for an unseen value."""
    assert isinstance(family.prior, Within)
    cells = np.pad(counts, ((0, 0), (0, int(family.unseen))))
    pseudocounts = family.inner_prior.proportions(cells.shape[1])
    with np.errstate(divide="ignore"):
        return np.log([family.prior.fitted(own + pseudocounts, values.tolist()).p for own in cells])
