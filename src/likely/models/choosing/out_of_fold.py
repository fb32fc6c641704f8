"""What columns add to scores, of each row by what the rows of other folds choose: families, bins and priors too.

Leave-one-out leaves a row out of the sums, and not out of what was chosen by looking at it. Where columns are many and
rows are few, these choices alone make noise look informative: of 120 rows x 400 numbers without information, by
leave-one-out each family and one weight for all, the log loss of new rows was 0.863, and it is 0.702 by folds, where
predicting the shares has 0.693 (`python -m bench accuracy --only many_columns`).
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Array, Sample
from likely.families import Block
from likely.models.class_prior import ClassPrior, class_probabilities

FOLDS = 5

Chosen = Callable[[Sample], Sequence[Block]]
"""The blocks that these rows choose, which have counted them."""


def folds(blocks: Sequence[Block], sample: Sample) -> NDArray[np.intp]:
    """The number of each row's fold: the rows of a class are in all folds alike, and rows that are the same in one.
    Neither their order nor whether a row is there twice or weighs 2 makes a difference."""
    cells = [np.asarray(block.read(sample.table), np.float64) for block in blocks]
    rows = np.column_stack([sample.y, *(np.where(np.isnan(of), np.inf, of) for of in cells)])
    different, which = np.unique(rows, axis=0, return_inverse=True)
    shuffled = np.random.default_rng(0).permutation(len(different))
    found = np.empty(len(different), np.intp)
    found[shuffled[np.argsort(different[shuffled, 0], kind="stable")]] = np.arange(len(different)) % FOLDS
    return found[which.ravel()]


def out_of_fold(
    chosen: Chosen, sample: Sample, blocks: Sequence[Block], together: bool, class_prior: ClassPrior
) -> tuple[Array, Array]:
    """Rows x classes x columns of these blocks, or x 1 if all together; and the log prior of each row and class. A
    column that the other folds did not choose, or whose cells they cannot read, adds nothing."""
    keys = [(block.family.marks_missing, j) for block in blocks for j in block.columns]
    place = {key: 0 if together else at for at, key in enumerate(keys)}
    evidence = np.zeros((len(sample), len(sample.classes), 1 if together else len(keys)))
    prior, fold = np.empty(evidence.shape[:2]), folds(blocks, sample)
    for f in range(FOLDS):
        rows = np.flatnonzero(fold == f)
        if not len(rows) or len(rows) == len(sample):
            prior[rows] = -np.inf  # nothing to judge them by
            continue
        own, others = sample.take(rows), sample.without(rows)
        with np.errstate(divide="ignore"):
            prior[rows] = np.log(class_probabilities(class_prior, sample.classes, others.class_weights))
        for block in chosen(others):
            kept = block.family.suits(own.table, block.columns)
            kept &= np.array([(block.family.marks_missing, j) in place for j in block.columns])
            if not block.family.independent or not kept.any():
                continue
            some = block if kept.all() else block.of(kept)
            if together:
                scores = np.zeros((len(rows), len(sample.classes)))
                some.score(own.table, slice(None), scores)
                evidence[rows, :, 0] += scores
            else:
                at = [place[some.family.marks_missing, j] for j in some.columns]
                parts = some.family.contributions(some.parameters, some.read(own.table))
                evidence[rows[:, None], :, np.array(at)] = parts.transpose(0, 2, 1)
    return evidence, prior
