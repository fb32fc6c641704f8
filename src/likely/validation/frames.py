"""What of a model's frame was chosen by the rows learned, so that a row left out of the sums is not out of it."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from likely.data.table import Table
from likely.families import Categorical, Histogram
from likely.families.family import log_share, without
from likely.limits import Within
from likely.models.block import Block
from likely.models.choose import given
from likely.models.naive_bayes import NaiveBayes
from likely.models.selecting import Selecting
from likely.priors import Auto
from likely.validation.measures import Array, Codes

Choice = Literal["anew", "kept"]
"""Whether what rows choose is chosen without the rows that are judged, or once with all in view."""

CHOSEN = ("int", "float", "category")
"""Kinds of columns whose family is chosen by their values, unless it is named."""


def chosen_by_rows(model: NaiveBayes) -> list[str]:
    """What was chosen by looking at the rows, in words; nothing where the user had said it all."""
    named = {j for _, columns in given(model.names, model.families) for j in columns}
    open_ = [model.names[j] for j, kind in enumerate(model.kinds) if j not in named and kind in CHOSEN]
    found = [f"the families of {_listed(open_)}"] if open_ else []
    for block in model.known.blocks:
        columns, family = _listed(list(block.frame.columns)), block.family
        if isinstance(family, Histogram) and not isinstance(family.bins, tuple):
            found.append(f"the bins of {columns}")
        if family.tuning_rows(block.frame):
            found.append(f"the options of {type(family).__name__} for {columns}")
    if isinstance(model, Selecting):
        found.append("the columns that count")
    weighed = [column for column, weight in model.weights.items() if weight != 1]
    if weighed:
        found.append(f"the weights of {_listed(weighed)}")
    if isinstance(model.smoothing, Auto):
        found.append("the strength of the priors")
    if model.missing == "auto":
        found.append("the columns in which a missing cell tells something")
    return found


def leaves_open(model: NaiveBayes, table: Table) -> bool:
    """Whether it will choose by looking at rows for certain; where not, `chosen_by_rows` tells once it has learned."""
    named = {j for _, columns in given(table.names, model.families) for j in columns}
    open_ = any(j not in named and kind in CHOSEN for j, kind in enumerate(table.kinds))
    return open_ or model.weighs or model.missing == "auto" or isinstance(model.smoothing, Auto)


def in_view(chosen: list[str]) -> tuple[str, ...]:
    """What was chosen, as notes of a result."""
    return tuple(f"{what[0].upper()}{what[1:]} were chosen with all rows in view." for what in chosen)


def _listed(names: list[object]) -> str:
    return ", ".join(map(repr, names[:4])) + (f" and {len(names) - 4} more columns" if len(names) > 4 else "")


def without_own_categories(model: NaiveBayes, table: Table, y: Codes, weight: Array | None, scores: Array) -> int:
    """Corrects left-out scores for rows that alone have a category: without the row it is one that nobody knows. Tells
    how many rows those are.
    """
    alone = np.zeros(table.rows, np.bool)
    for block in model.known.blocks:
        if type(block.family) is Categorical:
            for rows in _own_categories(block, table, y, weight, scores):
                alone[rows] = True
    return int(alone.sum())


def _own_categories(
    block: Block, table: Table, y: Codes, weight: Array | None, scores: Array
) -> Iterator[np.ndarray[tuple[int], np.dtype[np.intp]]]:
    family, counts, frame = block.family, block.statistics.table, block.frame  # type: ignore[attr-defined]
    assert isinstance(family, Categorical)
    codes = block.read(table, slice(None))
    w = np.ones(table.rows) if weight is None else weight
    for j, (a, b) in enumerate(pairwise(frame.starts.tolist())):
        of_column = np.asarray(counts[:, a:b], np.float64)
        here = codes[:, j]
        there = np.append(of_column.sum(axis=0), np.inf)[np.where(here < 0, b - a, here)]
        rows = np.flatnonzero((here >= 0) & (here < b - a) & (w > 0) & (there <= w * (1 + 1e-9)))
        if not rows.size:
            continue
        own, value = y[rows], here[rows]
        seen = np.tile(of_column.sum(axis=1), (len(rows), 1))
        each = np.arange(len(rows))
        seen[each, own] = without(seen[each, own], w[rows])
        counted = of_column[:, value].T.copy()
        counted[each, own] = without(counted[each, own], w[rows])
        times = 1.0 if block.plan.weights is None else block.plan.weights[j]
        if times == 0:
            continue
        if isinstance(family.prior, Within):
            assert frame.cells is not None
            for row, k, cell in zip(rows, own, value, strict=True):
                left = of_column.copy()
                left[k, cell] = without(left[k, cell], w[row])
                scores[row] -= times * _log_within(family, left, frame.cells[j])[:, cell]
                unknown = _log_within(family, np.delete(left, cell, axis=1), np.delete(frame.cells[j], cell))[:, -1]
                scores[row] += times * unknown if family.unseen else -np.inf
            yield rows
            continue
        with_it = family.prior.proportions(b - a + family.unseen)
        scores[rows] -= times * log_share(counted + with_it[value][:, None], seen + with_it.sum())
        if family.unseen:
            left = family.prior.proportions(b - a)
            scores[rows] += times * log_share(np.full(seen.shape, left[-1]), seen + left.sum())
        else:
            scores[rows] = -np.inf
        yield rows


def _log_within(family: Categorical, counts: Array, values: Any) -> Array:
    """log p of the values of a column, and last of one not seen, in each class, within the limits of the prior."""
    assert isinstance(family.prior, Within)
    cells = np.pad(counts, ((0, 0), (0, int(family.unseen))))
    imagined = family.imagining.proportions(cells.shape[1])
    with np.errstate(divide="ignore"):
        return np.log([family.prior.fitted(own + imagined, values.tolist()).p for own in cells])
