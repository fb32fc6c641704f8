"""How much each column counts: weights of log p(x_j | y), chosen by left-out log loss.

Naive Bayes takes columns to be independent given the class. What several of them say alike it counts several times, and
is too sure. With log p(y) + the sum of w_j log p(x_j | y) a column can count less, or not at all. The weights are those
under which the classes of the rows, each left out of its own count, are most probable: a convex problem of one number
per column. No row is held back for it, and what is counted stays as it is.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.data.table import Table
from likely.families.family import Array, Codes
from likely.families.weighable import Weighable
from likely.models.block import Block
from likely.models.class_prior import ClassPrior, left_out_log_prior
from likely.statistics import Labels

CELLS = 500_000
"""Cells times classes that are looked at, in rows evenly spaced. Mean error and log loss over the tables of
`python -m bench accuracy --only tables` were 0.1541 and 0.3583 with half as many, 0.1535 and 0.3559 with these, 0.1532
and 0.3556 with twice as many."""

MOST_COLUMNS = 256
"""Of more columns, or of so many classes that less than four rows a column could be looked at, all have one weight."""

ROWS = 2_000
"""Rows looked at for one weight."""

LEAST_ROWS = 100
"""Fewer tell nothing for certain."""

PULL = 10.0
"""Twice the nats that a weight costs which differs by one from the mean of all. On the same tables 3 gave 0.1538 and
0.3573, 10 as above, 30 gave 0.1555 and 0.3582."""

LARGEST = 1e4
"""A cell that tells two classes apart by more decides alone at any weight."""

ENOUGH = 1e-2
"""Nats of all rows together: a step that would win less is the last."""


def weighed(
    blocks: Sequence[Block],
    table: Table,
    y: Codes,
    weight: Array | None,
    classes: Labels,
    seen: NDArray[np.float64],
    class_prior: ClassPrior,
) -> tuple[Block, ...]:
    """The blocks with weights chosen by rows of the table, which they have counted; `seen` is how much of each class
    they have. Texts, sparse columns and those that vary together count once."""
    chosen = [isinstance(block.family, Weighable) and "sparse" not in _kinds(block, table) for block in blocks]
    sizes = [len(block.plan.columns) if weighable else 0 for block, weighable in zip(blocks, chosen, strict=True)]
    if not sum(sizes) or len(classes) < 2 or table.rows < LEAST_ROWS:
        return tuple(blocks)
    rows = CELLS // (len(classes) * sum(sizes))
    together = sum(sizes) > MOST_COLUMNS or rows < 4 * sum(sizes)
    step = max(1, -(-table.rows // (ROWS if together else rows)))
    if step > 1:
        table, y = table.every(step), np.ascontiguousarray(y[::step])
        weight = None if weight is None else np.ascontiguousarray(weight[::step])
    prior = left_out_log_prior(class_prior, classes, seen, y, weight)
    parts = []
    for block, weighable in zip(blocks, chosen, strict=True):
        if not weighable:
            block.score_left_out(table, slice(None), y, weight, prior)
        elif together:
            parts.append(np.zeros((len(y), len(classes), 1)))
            once = replace(block, plan=replace(block.plan, weights=None))
            once.score_left_out(table, slice(None), y, weight, parts[-1][:, :, 0])
        else:
            parts.append(block.contributions_left_out(table, slice(None), y, weight))
    evidence = np.sum(parts, axis=0) if together else np.concatenate(parts, axis=2)
    weights = best_weights(evidence, prior, y, weight)
    found = np.full(sum(sizes), weights[0]) if together else weights
    ends = np.cumsum(sizes)
    return tuple(
        replace(block, plan=replace(block.plan, weights=found[end - size : end])) if size else block
        for block, size, end in zip(blocks, sizes, ends, strict=True)
    )


def _kinds(block: Block, table: Table) -> set[str]:
    return {table.kinds[j] for j in block.plan.columns}


def best_weights(evidence: Array, prior: Array, y: Codes, weight: Array | None) -> Array:
    """The weights, 0 or more, of the least log loss; drawn to their mean, and that to 1 by the weight of one row.

    `evidence` is rows x classes x columns. A row whose class has no other, or none that could be it, tells nothing.
    """
    own = np.arange(len(y)), y
    mine, mine_before = evidence[own], prior[own]
    told = np.isfinite(mine).all(axis=1) & np.isfinite(mine_before)
    used = slice(None) if told.all() else told
    evidence = np.ascontiguousarray(evidence[used] - mine[used, None, :])
    np.clip(evidence, -LARGEST, LARGEST, out=evidence)
    prior = np.ascontiguousarray(prior[used] - mine_before[used, None])
    times = None if weight is None else np.ascontiguousarray(weight[used])
    columns = evidence.shape[2]
    pull = PULL * (np.eye(columns) - 1 / columns) + 1 / columns**2

    def at(weights: Array) -> tuple[float, Array, Array]:
        gradient, curvature = np.zeros(columns), np.zeros((columns, columns))
        loss = _native.weighing_pass(evidence, prior, times, weights, gradient, curvature)
        pulled = pull @ (weights - 1)
        return loss + 0.5 * float((weights - 1) @ pulled), gradient + pulled, curvature + pull

    weights = np.ones(columns)
    loss, gradient, curvature = at(weights)
    while True:
        free = (weights > 0) | (gradient < 0)
        step = np.zeros(columns)
        step[free] = np.linalg.solve(curvature if free.all() else curvature[np.ix_(free, free)], -gradient[free])
        if -gradient @ step < ENOUGH:
            return np.maximum(weights + step, 0.0)
        length = 1.0
        while True:
            there = np.maximum(weights + length * step, 0.0)
            moved = at(there)
            if moved[0] <= loss + 1e-4 * float(gradient @ (there - weights)):
                break
            length /= 2
            if length < 1e-6:
                return weights
        weights, (loss, gradient, curvature) = there, moved
