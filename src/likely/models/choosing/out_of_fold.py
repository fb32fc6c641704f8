"""What columns add to the score of each row, if the other folds choose families, bins and priors.

Leave-one-out removes a row from the sums, but not from the choices made by looking at it. With many columns and few
rows, these choices alone make noise look informative. For 120 rows x 400 numbers without information, the log loss on
new rows was 0.863 with families and one weight chosen by leave-one-out. By folds it is 0.702, and always predicting the
shares has 0.693 (`python -m bench accuracy --only many_columns`).
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Array, Sample
from likely.families import Block
from likely.models.class_prior import ClassPrior, class_probabilities

FOLDS = 5

MOSTLY = 0.9
"""The least share of different rows. Identical rows are in one fold, so without many of them the other folds know less
than all rows do: with 60 rows of one category, the weight by folds had log loss 0.395 on new rows, a weight of 1 0.306.
And rows that repeat are of few columns, among which few look informative by chance."""

Chosen = Callable[[Sample], Sequence[Block]]
"""The blocks that some rows choose, which have counted them."""


def folds(blocks: Sequence[Block], sample: Sample) -> NDArray[np.intp] | None:
    """The fold of each row; None if too many rows repeat others. Folds are stratified, and identical rows are in the
    same fold, so neither the order of rows matters, nor whether a row occurs twice or weighs 2."""
    cells = [np.asarray(block.read(sample.table), np.float64) for block in blocks]
    rows = np.column_stack([sample.y, *(np.where(np.isnan(of), np.inf, of) for of in cells)])
    different, which = np.unique(rows, axis=0, return_inverse=True)
    if len(different) < MOSTLY * sample.weights.sum():
        return None
    shuffled = np.random.default_rng(0).permutation(len(different))
    fold = np.empty(len(different), np.intp)
    fold[shuffled[np.argsort(different[shuffled, 0], kind="stable")]] = np.arange(len(different)) % FOLDS
    return fold[which.ravel()]


def out_of_fold(
    chosen: Chosen,
    sample: Sample,
    fold: NDArray[np.intp],
    blocks: Sequence[Block],
    together: bool,
    class_prior: ClassPrior,
) -> tuple[Array, Array]:
    """The evidence of the columns of these blocks: rows x classes x columns, or x 1 if all together; and the log prior
    of each row and class. A column that the other folds did not choose, or cannot read, adds nothing."""
    keys = [(block.family.marks_missing, j) for block in blocks for j in block.columns]
    place = {key: 0 if together else at for at, key in enumerate(keys)}
    evidence = np.zeros((len(sample), len(sample.classes), 1 if together else len(keys)))
    prior = np.empty(evidence.shape[:2])
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
