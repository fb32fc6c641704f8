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
from likely.optimize.softmax.evidence import evidence_pass, least

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

LEAST_ROWS = 100
"""Fewer decide nothing."""

PULL = 10.0
"""Twice the nats that a weight costs which differs by one from the mean of all. On the same tables 3 gave 0.1538 and
0.3573, 10 as above, 30 gave 0.1555 and 0.3582."""

LARGEST = 1e4
"""A cell with a larger log-likelihood ratio of two classes decides alone at any weight."""

ENOUGH = 1e-2
"""Nats of all rows together: a step that would win less is the last."""


def weighted(blocks: Sequence[Block], sample: Sample, model: "NaiveBayesModel") -> tuple[Block, ...]:
    """The blocks, which have counted these rows, with weights of their columns. Texts, sparse columns and those that
    vary together have none."""
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
    found = best_weights(evidence, offset, sample)
    found = np.full(sum(sizes), found[0]) if together else found
    ends = np.cumsum(sizes)
    return tuple(
        replace(block, column_weights=found[end - size : end]) if size else block
        for block, size, end in zip(blocks, sizes, ends, strict=True)
    )


def _weighted_columns(block: Block, kinds: Sequence[Kind]) -> int:
    if not block.family.independent or any(kinds[j] == "sparse" for j in block.columns):
        return 0
    return len(block.columns)


def best_weights(evidence: Array, prior: Array, sample: Sample) -> Array:
    """The weights, 0 or more, of the least log loss; shrunk towards their mean, and that towards 1 by the weight of one
    row.

    `evidence` is rows x classes x columns. A row whose class has no other, or none that could be it, says nothing.
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
