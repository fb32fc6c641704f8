"""The evidence of statistics: the log probability of the rows counted, whatever the parameters are.

It is what is left when the parameters are integrated out under their prior, in closed form where that is conjugate. Two
readings of the same rows are weighed by it without a row held back: one with more parameters spreads its belief over
more tables, and pays for it.

A prior that is no distribution, such as maximum likelihood, has no evidence. In its place stands a weak one: half a
count of each cell; for a normal, one row of the mean and the variance of the column at large.
"""

from math import log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.families.bernoulli import Bernoulli
from likely.families.categorical import Categorical
from likely.families.complement import Complement
from likely.families.family import Array, Family
from likely.families.gaussian import Gaussian
from likely.families.histogram import Histogram
from likely.families.multinomial import Multinomial
from likely.families.poisson import Poisson
from likely.families.text import Text
from likely.priors import Dirichlet, Prior
from likely.statistics import Counts, Frame, Moments, Scatter, Statistics, Tallies, Totals


def log_evidence(family: Family, statistics: Statistics, frame: Frame) -> Array:
    """Of the cells of each class and column: classes x columns.

    What depends on the rows alone is left out: log x! of Poisson. Of a family whose columns vary together it is that of
    each column by itself, and of tokens that of each against all others.
    """
    if isinstance(statistics, Tallies):
        assert isinstance(family, Text)
        words = np.full(len(statistics.starts) - 1, family.imagined or 0.5)
        return of_words(statistics, words)[:, None]
    if isinstance(statistics, Scatter):
        return _numbers(Gaussian().prior, statistics.moments)
    if isinstance(statistics, Moments):
        return _numbers(family.prior, statistics)
    if isinstance(statistics, Counts):
        assert isinstance(family, Categorical)
        return _categories(family, statistics, frame)
    assert isinstance(statistics, Totals)
    total = statistics.total.astype(np.float64)
    if isinstance(family, Bernoulli):
        zero, one = _proper(family.prior, 2)
        return of_bits(total, statistics.seen - total, one, zero)
    if isinstance(family, Poisson):
        gamma = family.prior.gamma()
        a, b = (gamma.a, gamma.b) if gamma.a > 0 and gamma.b > 0 else (0.5, 0.5)
        return of_counts(total, statistics.seen, a, b)
    assert isinstance(family, (Multinomial, Complement))
    each = _proper(family.prior, total.shape[1])
    return of_bits(total, total.sum(axis=1, keepdims=True) - total, each, each.sum() - each)


def of_cells(counts: Array, imagined: Array) -> Array:
    """Of proportions, under Dirichlet(imagined): classes x cells to classes."""
    from scipy.special import gammaln

    each = (gammaln(counts + imagined) - gammaln(imagined)).sum(axis=-1)
    return np.asarray(each + gammaln(imagined.sum()) - gammaln(imagined.sum() + counts.sum(axis=-1)))


def of_columns(counts: Array, imagined: Array, column: NDArray[np.intp], columns: int) -> Array:
    """The same of several columns at once, `column` being that of each cell: classes x cells to classes x columns."""
    from scipy.special import gammaln

    def by_column(cells: Array) -> Array:
        return np.bincount(column, cells, columns).astype(np.float64)

    apart = gammaln(counts + imagined) - gammaln(imagined)
    total = np.maximum(by_column(imagined), 1e-300)
    each = [by_column(own) - gammaln(total + by_column(seen)) for own, seen in zip(apart, counts, strict=True)]
    return np.asarray(each + gammaln(total))


def of_bits(ones: Array, zeros: Array, a: Any, b: Any) -> Array:
    """Of a probability, under Beta(a, b)."""
    from scipy.special import betaln

    return np.asarray(betaln(ones + a, zeros + b) - betaln(a, b))


def of_counts(events: Array, rows: Array, a: Any, b: Any) -> Array:
    """Of a rate, under Gamma(a, b), but for factorials."""
    from scipy.special import gammaln

    return np.asarray(a * np.log(b) - gammaln(a) + gammaln(a + events) - (a + events) * np.log(b + rows))


def of_numbers(moments: Moments, mean: Any, mean_rows: float, variance: Any, variance_rows: float) -> Array:
    """Of a mean and a variance, under NormalInverseGamma. A column that is constant tells nothing."""
    from scipy.special import gammaln

    n, alpha = np.asarray(moments.n, np.float64), 1 + variance_rows / 2
    beta = np.broadcast_to(variance_rows * np.asarray(variance) / 2, n.shape)
    squares = moments.m2 + mean_rows * n / (mean_rows + n) * (moments.mean - mean) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = (
            gammaln(alpha + n / 2)
            - gammaln(alpha)
            + alpha * np.log(beta)
            - (alpha + n / 2) * np.log(beta + squares / 2)
            + 0.5 * np.log(mean_rows / (mean_rows + n))
            - n / 2 * log(2 * pi)
        )
    return np.where((n == 0) | (beta <= 0), 0.0, logs)


def of_words(tallies: Tallies, imagined: Array) -> Array:
    """Of the words of each class, drawn one by one, with so many imagined of each."""
    from scipy.special import gammaln

    each = np.repeat(imagined, np.diff(tallies.starts))
    seen = np.bincount(tallies.at, gammaln(tallies.totals + each) - gammaln(each), tallies.classes)
    return np.asarray(seen + gammaln(imagined.sum()) - gammaln(imagined.sum() + tallies.of_classes()))


def _categories(family: Categorical, statistics: Counts, frame: Frame) -> Array:
    logs = np.empty((statistics.classes, len(frame.columns)))
    for j, size in enumerate(frame.sizes):
        cells = slice(frame.starts[j], frame.starts[j + 1])
        counts = np.pad(statistics.table[:, cells].astype(np.float64), ((0, 0), (0, int(family.unseen))))
        logs[:, j] = of_cells(counts, _proper(family.prior, counts.shape[1]))
        if isinstance(family, Histogram):
            assert frame.edges is not None
            logs[:, j] -= counts[:, :size] @ np.log(np.diff(frame.edges[j]))
    return logs


def _numbers(prior: Prior, moments: Moments) -> Array:
    """Where the mean or the variance is not given, or worth no row, that of all classes together, as one row."""
    normal, column = prior.normal(), moments.pooled()
    mean = column.mean if normal.mean is None else normal.mean
    known = normal.variance is not None and normal.variance_rows > 0
    variance = normal.variance if known else column.total / np.maximum(column.n, 1e-300)
    return of_numbers(moments, mean, normal.mean_rows or 1.0, variance, normal.variance_rows or 1.0)


def _proper(prior: Prior, cells: int) -> Array:
    alpha = np.asarray(prior.dirichlet(cells).alpha, np.float64)
    return alpha if (alpha > 0).all() else Dirichlet(0.5).dirichlet(cells).alpha
