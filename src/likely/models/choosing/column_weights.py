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
from likely.optimize.softmax.evidence import evidence_pass, least

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

LEAST_ROWS = 100
"""With fewer rows, no weights are chosen."""

PULL = 10.0
"""Twice the penalty, in nats, of a weight that differs by one from the mean of all. On the same tables 3 gave 0.1538
and 0.3573, 10 as above, 30 gave 0.1555 and 0.3582."""

LARGEST = 1e4
"""Log-likelihood ratios of two classes are cut to this: a larger one decides alone with any weight."""

ENOUGH = 1e-2
"""The optimisation ends when a step would gain less than this, in nats of all rows together."""


def weighted(blocks: Sequence[Block], sample: Sample, model: "NaiveBayesModel") -> tuple[Block, ...]:
    """The blocks, which have counted these rows, with column weights. Texts, sparse columns and columns that vary
    together have none."""
    kinds, classes = sample.table.kinds, len(sample.classes)
    sizes = [_weighted_columns(block, kinds) for block in blocks]
    if not sum(sizes) or classes < 2 or len(sample) < LEAST_ROWS:
        return tuple(blocks)
    rows = CELLS // (classes * sum(sizes))
    together = sum(sizes) > MOST_COLUMNS or rows < 4 * sum(sizes)
    sample = sample.at_most(ROWS if together else rows)
    offset = model.loo_log_prior(sample)
    parts = []
    for block, size in zip(blocks, sizes, strict=True):
        if not size:
            block.loo_scores(sample, slice(None), offset)
        elif together:
            parts.append(np.zeros((len(sample), classes, 1)))
            replace(block, column_weights=None).loo_scores(sample, slice(None), parts[-1][:, :, 0])
        else:
            with naming(block.frame, 0):
                parts.append(block.family.loo_contributions(block, block.observe(sample)))
    evidence = parts[0] if len(parts) == 1 else np.sum(parts, axis=0) if together else np.concatenate(parts, axis=2)
    weights = best_weights(evidence, offset, sample)
    weights = np.full(sum(sizes), weights[0]) if together else weights
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


def best_weights(evidence: Array, prior: Array, sample: Sample) -> Array:
    """The weights, 0 or more, of the least log loss. They are shrunk towards their mean, and the mean towards 1 with
    the weight of one row.

    `evidence` is rows x classes x columns. Rows whose own class is impossible, or was the only row of its class, are
    not used.
    """
    y, weight, own = sample.y, sample.weight, (np.arange(len(sample)), sample.y)
    known = np.isfinite(evidence[own]).all(axis=1) & np.isfinite(prior[own])
    if not known.all():
        evidence, prior, y = evidence[known], prior[known], y[known]
        weight = None if weight is None else weight[known]
    columns = evidence.shape[2]
    ridge = PULL * (np.eye(columns) - 1 / columns) + 1 / columns**2
    passed = evidence_pass(evidence, y, prior, weight, largest=LARGEST)
    return least(passed, ridge, np.ones(columns), low=0.0, enough=ENOUGH)[0]
