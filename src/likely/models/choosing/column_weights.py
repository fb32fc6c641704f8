"""How much each column counts: weights of log p(x_j | y), chosen by leave-one-out log loss.

Naive Bayes takes columns to be independent given the class. What several of them say alike it counts several times, and
is over-confident. With log p(y) + the sum of w_j log p(x_j | y) a column can count less, or not at all. The weights are
those of the least leave-one-out log loss: a convex problem of one number per column. What is counted stays as it is.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.data.sample import Array, Sample
from likely.data.table import Kind
from likely.families import Block
from likely.families.block import naming
from likely.models.choosing.out_of_fold import Chosen, out_of_fold
from likely.optimize.softmax.evidence import Passed, evidence_pass, least

if TYPE_CHECKING:
    from likely.models.naive_bayes import NaiveBayesModel

CELLS = 500_000
"""Cells times classes that are looked at, in rows evenly spaced. Mean error and log loss over the tables of
`python -m bench accuracy --only tables` were 0.1541 and 0.3583 with half as many, 0.1535 and 0.3559 with these, 0.1532
and 0.3556 with twice as many."""

MOST_COLUMNS = 256
"""More columns share one weight; so do all where many classes leave fewer than four rows a column to look at."""

ROWS = 2_000
"""Rows looked at for one weight."""

FEW_ROWS = 100
"""Of fewer rows all columns share one weight."""

REFIT = 2
"""Where rows are fewer than this many a column, or FEW_ROWS, each is judged by what other rows chose (`out_of_fold`),
not leave-one-out by what it chose itself."""

MOST_CELLS = 10_000_000
"""Rows of more cells together are not looked at six times."""

SHRUNK = 0.25
"""Twice the nats that one weight of all columns costs, times the square of its logarithm, where rows are few: it is 1,
or less by any factor, and never 0."""

PULL = 10.0
"""Twice the nats that a weight costs which differs by one from the mean of all. On the same tables 3 gave 0.1538 and
0.3573, 10 as above, 30 gave 0.1555 and 0.3582. It is more where there are fewer than PULLED rows a column."""

PULLED = 5
"""With PULL alone the log loss of 500 rows x 200 numbers without information was 0.718, and is 0.705; of 120 x 200 it
was 0.787, and is 0.703."""

LARGEST = 1e4
"""A cell with a larger log-likelihood ratio of two classes decides alone at any weight."""

ENOUGH = 1e-2
"""Nats of all rows together: a step that would win less is the last."""


def weighted(blocks: Sequence[Block], sample: Sample, model: "NaiveBayesModel", chosen: Chosen) -> tuple[Block, ...]:
    """The blocks, which have counted these rows, with weights of their columns. Texts, sparse columns and those that
    vary together have none. `chosen` are the blocks that other rows would choose."""
    kinds, classes = sample.table.kinds, len(sample.classes)
    sizes = [_weighted_columns(block, kinds) for block in blocks]
    columns = sum(sizes)
    if not columns or (sample.class_weights > 1).sum() < 2:
        return tuple(blocks)
    rows = CELLS // (classes * columns)
    together = columns > MOST_COLUMNS or rows < 4 * columns or len(sample) < FEW_ROWS
    refit = len(sample) < max(FEW_ROWS, REFIT * columns) and len(sample) * columns <= MOST_CELLS
    of_columns = [block for block, size in zip(blocks, sizes, strict=True) if size]
    if refit:
        sample = sample if sample.weight is None else sample.take(np.flatnonzero(sample.weight))
        evidence, offset = out_of_fold(chosen, sample, of_columns, together, model.class_prior)
    else:
        sample = sample.at_most(ROWS if together else rows)
        evidence, offset = _left_out(of_columns, sample, together), model.loo_log_prior(sample)
    for block, size in zip(blocks, sizes, strict=True):
        if not size:
            block.loo_scores(sample, slice(None), offset)
    found = shared_weight(evidence, offset, sample) if refit and together else best_weights(evidence, offset, sample)
    found = np.full(columns, found[0]) if together else found
    ends = np.cumsum(sizes)
    return tuple(
        replace(block, column_weights=found[end - size : end]) if size else block
        for block, size, end in zip(blocks, sizes, ends, strict=True)
    )


def _weighted_columns(block: Block, kinds: Sequence[Kind]) -> int:
    if not block.family.independent or any(kinds[j] == "sparse" for j in block.columns):
        return 0
    return len(block.columns)


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
    """The weights, 0 or more, of the least log loss; shrunk towards their mean, and that towards 1 by the weight of one
    row.

    `evidence` is rows x classes x columns. A row whose class has no other, or none that could be it, says nothing.
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
