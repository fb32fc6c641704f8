"""Networks of few rows: what they choose, and the scale of log p(x | y), by 5-fold cross-validation.

Among many pairs of columns, some look dependent by chance. Leave-one-out does not see that, since the edges were chosen
with the row in view. So each fold chooses its own bins, edges and families, and predicts the rows of the others.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Sample
from likely.families import Block, Plan
from likely.models.choosing.column_weights import FEW_ROWS
from likely.models.choosing.out_of_fold import FOLDS, folds
from likely.models.class_prior import class_probabilities
from likely.models.learned import count
from likely.models.network.loss import ScoredRows, scaled_loss
from likely.models.network.numbers import is_density
from likely.models.network.scale import scalable, scale, scaled

if TYPE_CHECKING:
    from likely.models.network.model import NetworkModel

A_COLUMN = 15
"""With fewer rows than this for each column, or fewer than FEW_ROWS, rows are few: there are as many edges to choose
from as pairs of columns."""


class Way(NamedTuple):
    """A network that may be chosen."""

    kind: Any
    bins: int
    plan: Plan


Refitted = Callable[[Sample, Way | None], Sequence[Block]]
"""The blocks that some rows choose, and have counted, with the kind of structure and the bins of a way; with densities
alone if it is None."""


def few(sample: Sample, columns: int) -> bool:
    """Whether rows are so few that their choices look better on them than on new rows."""
    return len(sample) < max(FEW_ROWS, A_COLUMN * columns)


def scale_of_few(sample: Sample, blocks: Sequence[Block]) -> float | None:
    """The scale that few rows have chosen with the structure; None if rows are many, or repeat."""
    columns = sum(len(block.columns) for block in blocks)
    chosen = columns and few(sample, columns) and folds(blocks, sample) is not None
    return scale(blocks) if chosen else None


def chosen_by_folds(
    model: "NetworkModel", sample: Sample, ways: Sequence[Way], beside: Sequence[Plan], refitted: Refitted
) -> tuple[Plan, ...]:
    """The plans of the first way, and those outside the network. If rows are few, the way and the scale with the least
    loss by 5-fold cross-validation."""
    plans = [*(way.plan for way in ways[:1]), *beside]
    read = [plan for plan in plans if plan.family.network is not None or is_density(plan, sample.table.kinds)]
    columns = sum(len(plan.columns) for plan in read)
    if not columns or not few(sample, columns) or (sample.class_weights > 1).sum() < 2 or not scalable(read):
        return tuple(plans)
    if sample.weight is not None:
        sample = sample.take(np.flatnonzero(sample.weight))
    fold = folds(count(read, sample).blocks, sample)
    if fold is None:
        return tuple(plans)
    all_ways: list[Way | None] = [*ways] or [None]
    tried = [(*scaled_loss(_out_of_fold(model, sample, fold, way, refitted)), way) for way in all_ways]
    _, chosen, best = min(tried, key=lambda each: each[0])
    network = [] if best is None else [best.plan]
    if not model.column_weights:
        return (*network, *beside)
    return tuple(scaled(plan, chosen) if plan in network or plan in read else plan for plan in (*network, *beside))


def _out_of_fold(
    model: "NetworkModel", sample: Sample, fold: NDArray[np.intp], way: Way | None, refitted: Refitted
) -> ScoredRows:
    """The scores of each row by what the other folds choose."""
    prior, scores = np.full((2, len(sample), len(sample.classes)), -np.inf)
    for f in range(FOLDS):
        rows = np.flatnonzero(fold == f)
        if not len(rows) or len(rows) == len(sample):
            continue
        own, others = sample.take(rows), sample.without(rows)
        with np.errstate(divide="ignore"):
            prior[rows] = np.log(class_probabilities(model.class_prior, sample.classes, others.class_weights))
        of_fold = np.zeros((len(rows), len(sample.classes)))
        for block in refitted(others, way):
            if block.family.network is None:
                kept = block.family.suits(own.table, block.columns)
                block = block if kept.all() else block.of(kept)
            if block.columns:
                block.score(own.table, slice(None), of_fold)
        scores[rows] = of_fold
    return ScoredRows(prior, scores, sample)
