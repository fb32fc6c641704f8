"""Sums of numbers by class, dense or sparse: what Bernoulli, Poisson, Exponential and Multinomial count."""

from typing import Any

import numpy as np

from likely import _native
from likely.families.cells import Array, check, csr
from likely.families.family import Observations
from likely.statistics import Totals
from likely.statistics.sums import exact


def totals(seen: Observations, cells: Any, kind: int, needs: str) -> Totals:
    """Sum and number of the cells by class, which stand for those observed."""
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
    """How many values of a column were counted, per class."""
    return np.asarray(np.broadcast_to(statistics.seen, statistics.total.shape)[:, column])
