"""The class prior p(y)."""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from likely.families.cells import Array, Codes, log_share, without
from likely.limits import Within
from likely.priors import Dirichlet, Prior
from likely.statistics import Labels

if TYPE_CHECKING:
    from likely.optimize import Proportions

ClassPrior = Literal["frequencies", "uniform"] | Dirichlet | Within | dict[Any, float] | tuple[float, ...]


def settled(prior: Any) -> Any:
    """A copy of the option as a model stores it, so that later changes of yours don't change the model: numbers as a
    tuple in the order of the classes, or as a dict by class (a pandas Series has the classes as its index). None means
    "frequencies"."""
    if prior is None:
        return "frequencies"
    if isinstance(prior, (str, Prior)):
        return prior
    if hasattr(prior, "index") and hasattr(prior, "to_dict"):
        if not prior.index.is_unique:
            raise ValueError("class_prior has several numbers for a class")
        prior = prior.to_dict()
    if isinstance(prior, dict):
        return {key: float(number) if isinstance(number, np.floating) else number for key, number in prior.items()}
    return tuple(np.asarray(prior).tolist()) if np.ndim(prior) == 1 else prior


def class_probabilities(prior: ClassPrior, classes: Labels, rows: NDArray[Any]) -> Array:
    """p(y): the frequencies in the rows learned, with or without pseudo-counts; uniform; or the specified numbers."""
    if not rows.any():
        raise ValueError("no rows are left to go by: everything learned has been forgotten")
    if isinstance(prior, str):
        if prior not in ("frequencies", "uniform"):
            raise ValueError(f"class_prior is 'frequencies', 'uniform', a Dirichlet or numbers, not {prior!r}")
        if prior == "uniform":
            return np.full(len(classes), 1 / len(classes))
        return np.asarray(rows / rows.sum(), np.float64)
    if isinstance(prior, Within):
        return limited(prior, classes, rows).p
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


def loo_log_prior(prior: ClassPrior, classes: Labels, rows: NDArray[Any], y: Codes, weight: Array | None) -> Array:
    """Leave-one-out log p(y) for each row: its own class has one row less, and so has the total."""
    if isinstance(prior, Within):
        return _limited_loo(prior, classes, rows, y, weight)
    if isinstance(prior, Prior):
        counts = rows + prior.proportions(len(classes))
    elif isinstance(prior, str) and prior == "frequencies":
        counts = rows
    else:  # the other priors do not depend on the rows
        with np.errstate(divide="ignore"):
            return np.tile(np.log(class_probabilities(prior, classes, rows)), (len(y), 1))
    if weight is None and len(y) > len(classes):  # all rows of a class have the same
        each = np.arange(len(classes), dtype=np.int32)
        return loo_log_prior(prior, classes, rows, each, np.ones(len(classes)))[y]
    w = np.ones(len(y)) if weight is None else weight
    left = np.tile(counts.astype(np.float64), (len(y), 1))
    left[np.arange(len(y)), y] = without(counts[y], w)
    total = without(counts.sum(), w)[:, None]
    return np.where(total > 0, log_share(left, total), -np.log(len(classes)))  # without any rows: uniform


def limited(prior: Within, classes: Labels, rows: NDArray[Any]) -> "Proportions":
    """p(y) under constraints, and their multipliers."""
    pseudocounts = 0.0 if prior.prior is None else prior.prior.proportions(len(classes))
    try:
        return prior.fitted(np.asarray(rows + pseudocounts, np.float64), classes.tolist())
    except ValueError as error:
        raise ValueError(f"class_prior: {error}") from None


def _limited_loo(prior: Within, classes: Labels, rows: NDArray[Any], y: Codes, weight: Array | None) -> Array:
    """`loo_log_prior` under constraints, computed once for each pair of class and weight."""
    cases = np.stack([y, np.ones(len(y)) if weight is None else weight])
    each, which = np.unique(cases, axis=1, return_inverse=True)
    logs = np.empty((each.shape[1], len(classes)))
    for log, (k, own) in zip(logs, each.T, strict=True):
        left = rows.astype(np.float64)
        left[int(k)] = without(left[int(k)], own)
        with np.errstate(divide="ignore"):
            log[:] = np.log(limited(prior, classes, left).p)
    return logs[which]
