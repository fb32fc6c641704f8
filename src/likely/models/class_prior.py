"""p(y): how probable each class is before anything of a row is known."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from likely.families.family import Array, Codes, log_share, without
from likely.priors import Dirichlet, Prior
from likely.statistics import Labels

ClassPrior = Literal["frequencies", "uniform"] | Dirichlet | dict[Any, float] | tuple[float, ...]


def class_probabilities(prior: ClassPrior, classes: Labels, rows: NDArray[Any]) -> Array:
    """p(y): as often as in the rows learned, all alike, as given, or frequencies with imagined rows."""
    if not rows.any():
        raise ValueError("no rows are left to go by: everything learned has been forgotten")
    if isinstance(prior, str):
        if prior not in ("frequencies", "uniform"):
            raise ValueError(f"class_prior is 'frequencies', 'uniform', a Dirichlet or numbers, not {prior!r}")
        if prior == "uniform":
            return np.full(len(classes), 1 / len(classes))
        return np.asarray(rows / rows.sum(), np.float64)
    if isinstance(prior, Prior):
        counts = rows + prior.proportions(len(classes))
        return np.asarray(counts / counts.sum(), np.float64)
    if isinstance(prior, dict):
        absent = [label for label in classes.tolist() if label not in prior]
        if absent:
            raise ValueError(f"class_prior has no number for class {absent[0]!r}")
        prior = tuple(prior[label] for label in classes.tolist())
    p = np.asarray(prior, np.float64)
    if p.shape != classes.shape:
        raise ValueError(f"class_prior has {p.size} numbers for {len(classes)} classes")
    if not (p >= 0).all() or abs(p.sum() - 1) > 1e-9:
        raise ValueError(f"class_prior must be probabilities that sum to 1, not {p.tolist()}")
    return p


def left_out_log_prior(prior: ClassPrior, classes: Labels, rows: NDArray[Any], y: Codes, weight: Array | None) -> Array:
    """log p(y) for each row, as if it had not been counted: its own class has one less, and so have all together."""
    if isinstance(prior, Prior):
        counts = rows + prior.proportions(len(classes))
    elif isinstance(prior, str) and prior == "frequencies":
        counts = rows
    else:  # what is given does not depend on the rows
        with np.errstate(divide="ignore"):
            return np.tile(np.log(class_probabilities(prior, classes, rows)), (len(y), 1))
    if weight is None and len(y) > len(classes):  # all rows of a class have the same
        each = np.arange(len(classes), dtype=np.int32)
        return left_out_log_prior(prior, classes, rows, each, np.ones(len(classes)))[y]
    w = np.ones(len(y)) if weight is None else weight
    left = np.tile(counts.astype(np.float64), (len(y), 1))
    left[np.arange(len(y)), y] = without(counts[y], w)
    total = without(counts.sum(), w)[:, None]
    return np.where(total > 0, log_share(left, total), -np.log(len(classes)))  # of no rows at all, all are alike
