"""What limits of probabilities cost."""

from typing import Any

import numpy as np

from likely.families import Categorical
from likely.limits import Within
from likely.models.class_prior import limited
from likely.models.naive_bayes import NaiveBayes
from likely.optimize import Sides
from likely.statistics import Counts


def multipliers(model: NaiveBayes, column: Any = None) -> Sides:
    """In log-likelihood per unit of probability, of the limits of classes, or of classes x the values of a column."""
    if column is None:
        if not isinstance(model.class_prior, Within):
            raise ValueError("the class prior has no limits; give class_prior=likely.limits.Within(...)")
        return limited(model.class_prior, model.classes, model.known.rows.table[:, 0]).limits
    for block in model.known.blocks:
        if column not in block.frame.columns or block.plan.absence:
            continue
        if not (isinstance(block.family, Categorical) and isinstance(block.family.prior, Within)):
            raise ValueError(f"column {column!r} has no limits; give Categorical(prior=likely.limits.Within(...))")
        at = block.frame.columns.index(column)
        assert isinstance(block.statistics, Counts)
        found = block.family.limited(block.statistics, block.frame).of_classes(at)
        values = block.frame.sizes[at]
        low, high = (np.stack([own.limits[side] for own in found])[:, :values] for side in (0, 1))
        return Sides(low, high)
    raise ValueError(f"there is no column {column!r}")
