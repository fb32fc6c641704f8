"""Sums of numbers by class, dense or sparse, which Bernoulli, Poisson, Exponential and Multinomial count."""

from typing import Any

import numpy as np

from likely import _native
from likely.families.cells import Array, check, csr
from likely.families.family import Observations
from likely.statistics import Totals
from likely.statistics.sums import exact


def totals(seen: Observations, cells: Any, kind: int, needs: str) -> Totals:
    """Sum and number of `cells` by class; an error names the cells of `seen`, which they were computed from."""
    whole = seen.weight is None and cells.dtype.kind in "iub"
    total = np.zeros((seen.classes, cells.shape[1]))
    if isinstance(cells, np.ndarray):
        number = np.zeros_like(total)
        check(_native.totals(cells, seen.y, seen.weight, kind, total, number), seen.cells, needs)
    else:
        number = np.bincount(seen.y, seen.weight, seen.classes).astype(np.float64)[:, None]
        check(_native.csr_totals(*csr(cells), seen.y, seen.weight, kind, total), seen.cells, needs)
    return Totals(exact(total, whole), exact(number, seen.weight is None))


def number_of(statistics: Totals, column: int) -> Array:
    """The number of values counted in a column, for each class."""
    return np.asarray(np.broadcast_to(statistics.seen, statistics.total.shape)[:, column])
