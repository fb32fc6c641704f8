"""Columns that vary together: the amounts of shrinkage are those under which rows left out are most probable."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from likely.families import MultivariateGaussian
from likely.families.covariance import Shrinkage
from likely.families.shrinkage import GRID
from likely.statistics import Frame

from .blocks import counted, observed
from .gaussians import FRAME, drawn


def loo_merit(amounts: Shrinkage, x: np.ndarray, y: np.ndarray) -> float:
    """The log probability of rows given their classes, each refitted without itself, written out by Friedman."""
    whole, merit = ~np.isnan(x).any(axis=1), 0.0
    for i in range(len(y)):
        rest = whole & (np.arange(len(y)) != i)
        rows = {k: x[rest & (y == k)] for k in np.unique(y)}
        squares = {k: (r - r.mean(axis=0)).T @ (r - r.mean(axis=0)) for k, r in rows.items() if len(r)}
        own, n = rows[y[i]], rest.sum()
        mixed = (1 - amounts.tied) * squares.get(y[i], 0.0) + amounts.tied * sum(squares.values())
        mixed = mixed / ((1 - amounts.tied) * len(own) + amounts.tied * n)
        covariance = (1 - amounts.diagonal) * mixed + amounts.diagonal * np.diag(np.diag(mixed))
        there = ~np.isnan(x[i])
        part = covariance[np.ix_(there, there)]
        if np.linalg.eigvalsh(part / np.sqrt(np.outer(np.diag(part), np.diag(part))))[0] < 1e-10:
            return -np.inf
        merit += stats.multivariate_normal(own.mean(axis=0)[there], part).logpdf(x[i][there])
    return merit


def best(shape: str, x: np.ndarray, y: np.ndarray) -> Shrinkage:
    corner = MultivariateGaussian(shape)._corner
    return max({corner(Shrinkage(*pair)) for pair in product(GRID, GRID)}, key=lambda amounts: loo_merit(amounts, x, y))


def tuned(shape: str, x: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None, classes: int = 2) -> Shrinkage:
    family = MultivariateGaussian(shape)
    seen = observed(x, y, classes, weight)
    return family.tuned(counted(family, seen, FRAME), seen).amounts


BOTH = drawn((20, 20), 4)
TUNING = {
    "few rows": drawn((6, 7)),
    "classes alike": drawn((9, 11), 1, scale=0.0),
    "classes unlike": drawn((25, 20), 2, scale=1.0),
    "too few rows for a covariance": drawn((3, 12), 3),
    "columns nearly alike": (
        BOTH[0] * [1.0, 0.1, 0.1] + BOTH[0][:, :1] * ((1 - 2 * BOTH[1][:, None]) * [0, 1, 1]),
        BOTH[1],
    ),
}


@pytest.mark.parametrize("table", TUNING)
@pytest.mark.parametrize("shape", ["full", "tied", "diagonal"])
def test_the_amounts_are_those_under_which_rows_left_out_are_most_probable(shape, table):
    x, y = TUNING[table]
    assert tuned(shape, x, y) == best(shape, x, y)


def test_the_tables_are_tuned_differently():
    """Or the test above would be passed by one answer to all."""
    assert len({tuned("full", x, y) for x, y in TUNING.values()}) == len(TUNING)


def test_rows_with_missing_cells_have_their_say():
    x, y = TUNING["few rows"]
    x = x.copy()
    x[[0, 3, 5], [1, 0, 2]] = np.nan
    assert tuned("full", x, y) == best("full", x, y)


def test_a_row_that_weighs_three_is_three_rows():
    x, y = TUNING["few rows"]
    times = np.arange(len(y)) % 4
    assert tuned("full", x, y, times.astype(np.float64)) == best("full", x.repeat(times, 0), y.repeat(times))


def test_a_class_without_rows_has_no_say():
    """One that never came, or that has a missing cell in every row."""
    x, y = TUNING["columns nearly alike"]
    assert best("full", x, y).diagonal == 0
    assert tuned("full", x, y, classes=3) == best("full", x, y)


def test_amounts_that_were_given_are_not_tuned():
    family = MultivariateGaussian(shrinkage=0.25)
    assert family.tuning_rows(FRAME) == 0
    assert MultivariateGaussian().tuning_rows(FRAME) == 10_000
    assert 200 <= MultivariateGaussian().tuning_rows(Frame(range(500))) < 1000
