"""Column weights: factors of log p(x_j | y), chosen by leave-one-out log loss.

Naive Bayes assumes that columns are independent given the class. It counts the same evidence in several columns several
times, and is then over-confident. With the score log p(y) + the sum of w_j log p(x_j | y) a column can weigh less, or
nothing. The weights minimise the leave-one-out log loss: a convex problem with one number per column. The statistics do
not change.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.data.sample import Array, Sample
from likely.data.table import Kind
from likely.families import Block
from likely.families.block import naming
from likely.models.choosing.out_of_fold import Chosen, folds, out_of_fold
from likely.optimize.softmax.evidence import Passed, evidence_pass, least

if TYPE_CHECKING:
    from likely.models.naive_bayes import NaiveBayesModel

CELLS = 500_000
"""The number of cells times classes used to choose, in evenly spaced rows. Mean error and log loss over the tables of
`python -m bench accuracy --only tables` were 0.1541 and 0.3583 with half as many, 0.1535 and 0.3559 with this many,
0.1532 and 0.3556 with twice as many."""

MOST_COLUMNS = 256
"""With more columns, all share one weight; also if `CELLS` allows fewer than four rows for each column, as with many
classes."""

ROWS = 2_000
"""Rows used to choose a shared weight."""

FEW_ROWS = 100
"""With fewer rows, all columns share one weight of at most 1."""

REFIT = 2
"""With fewer than this many rows for each column, or fewer than FEW_ROWS, rows are judged by what other folds chose
(`out_of_fold`), not by leave-one-out, unless rows repeat."""

MOST_CELLS = 10_000_000
"""With more cells, there are no folds: all rows would be read six times."""

SHRUNK = 0.25
"""Twice the penalty, in nats, of one weight for all columns, times the square of its logarithm, if rows are few. That
weight is above 0 and at most 1."""

PULL = 10.0
"""Twice the penalty, in nats, of a weight that differs by one from the mean of all. On the same tables 3 gave 0.1538
and 0.3573, 10 as above, 30 gave 0.1555 and 0.3582. It is larger with fewer than PULLED rows for each column."""

PULLED = 5
"""Without it the log loss of 500 rows x 200 numbers without information was 0.718, and is 0.705; of 120 x 200 it was
0.787, and is 0.703."""

LARGEST = 1e4
"""Log-likelihood ratios of two classes are cut to this: a larger one decides alone with any weight."""

ENOUGH = 1e-2
"""The optimisation ends when a step would gain less than this, in nats of all rows together."""


def weighted(blocks: Sequence[Block], sample: Sample, model: "NaiveBayesModel", chosen: Chosen) -> tuple[Block, ...]:
    """The blocks, which have counted these rows, with column weights. Texts, sparse columns and columns that vary
    together have none. `chosen` returns the blocks that some of the rows choose."""
    kinds, classes = sample.table.kinds, len(sample.classes)
    sizes = [_weighted_columns(block, kinds) for block in blocks]
    columns = sum(sizes)
    if not columns or (sample.class_weights > 1).sum() < 2:
        return tuple(blocks)
    rows = CELLS // (classes * columns)
    together = columns > MOST_COLUMNS or rows < 4 * columns or len(sample) < FEW_ROWS
    of_columns = [block for block, size in zip(blocks, sizes, strict=True) if size]
    fold = None
    if len(sample) < max(FEW_ROWS, REFIT * columns) and len(sample) * columns <= MOST_CELLS:
        sample = sample if sample.weight is None else sample.take(np.flatnonzero(sample.weight))
        fold = folds(of_columns, sample)
    judged = sample
    if fold is not None:
        evidence, offset = out_of_fold(chosen, sample, fold, of_columns, together, model.class_prior)
    else:
        sample = sample.at_most(ROWS if together else rows)
        judged = unit_weights(sample) if len(sample) < FEW_ROWS else sample
        evidence, offset = _left_out(of_columns, judged, together), model.loo_log_prior(judged)
    for block, size in zip(blocks, sizes, strict=True):
        if not size:
            block.loo_scores(judged, slice(None), offset)
    choose = shared_weight if len(sample) < FEW_ROWS or (fold is not None and together) else best_weights
    weights = choose(evidence, offset, sample)
    weights = np.full(columns, weights[0]) if together else weights
    ends = np.cumsum(sizes)
    return tuple(
        replace(block, column_weights=weights[end - size : end]) if size else block
        for block, size, end in zip(blocks, sizes, ends, strict=True)
    )


def _weighted_columns(block: Block, kinds: Sequence[Kind]) -> int:
    """How many columns of the block have weights: all or none."""
    if not block.family.independent or any(kinds[j] == "sparse" for j in block.columns):
        return 0
    return len(block.columns)


def unit_weights(sample: Sample) -> Sample:
    """The sample with weights of at most 1: a row of weight w counts as w rows, and leave-one-out leaves out one."""
    return sample if sample.weight is None else sample.weighing(np.minimum(sample.weight, 1.0))


def _left_out(blocks: Sequence[Block], sample: Sample, together: bool) -> Array:
    """Leave-one-out: rows x classes x columns, or x 1 if all together."""
    parts = []
    for block in blocks:
        if together:
            parts.append(np.zeros((len(sample), len(sample.classes), 1)))
            replace(block, column_weights=None).loo_scores(sample, slice(None), parts[-1][:, :, 0])
        else:
            with naming(block.frame, 0):
                parts.append(block.family.loo_contributions(block, block.observe(sample)))
    return parts[0] if len(parts) == 1 else np.sum(parts, axis=0) if together else np.concatenate(parts, axis=2)


def best_weights(evidence: Array, prior: Array, sample: Sample) -> Array:
    """The weights, 0 or more, of the least log loss. They are shrunk towards their mean, and the mean towards 1 with
    the weight of one row.

    `evidence` is rows x classes x columns. Rows whose own class is impossible, or was the only row of its class, are
    not used.
    """
    columns = evidence.shape[2]
    pull = PULL * max(1.0, PULLED * columns / max(len(sample), 1))
    ridge = pull * (np.eye(columns) - 1 / columns) + 1 / columns**2
    return least(_passed(evidence, prior, sample), ridge, np.ones(columns), low=0.0, enough=ENOUGH)[0]


def shared_weight(evidence: Array, prior: Array, sample: Sample) -> Array:
    """One weight for all, above 0 and at most 1, of the least log loss."""
    found = least(_passed(evidence, prior, sample), np.full((1, 1), SHRUNK), np.zeros(1), logs=True, enough=ENOUGH)[0]
    return np.minimum(found, 1.0)


def _passed(evidence: Array, prior: Array, sample: Sample) -> Passed:
    y, weight, own = sample.y, sample.weight, (np.arange(len(sample)), sample.y)
    known = np.isfinite(evidence[own]).all(axis=1) & np.isfinite(prior[own])
    if not known.all():
        evidence, prior, y = evidence[known], prior[known], y[known]
        weight = None if weight is None else weight[known]
    return evidence_pass(evidence, y, prior, weight, largest=LARGEST)
