"""The evidence of statistics: the log probability of the rows counted, whatever the parameters are.

It is what is left when the parameters are integrated out under their prior, in closed form where that is conjugate. Two
readings of the same rows are weighed by it without a row held back: one with more parameters spreads its probability
over more tables, and pays for it. A prior that is no distribution, such as maximum likelihood, has no evidence. In its
place stands a weak one: half a count of each cell; for a normal, one row of the mean and the variance of the column at
large.

The Bayes factor of a column weighs "it depends on the class" against "it does not". If it does, each class has
parameters of its own, expected to be those of the column at large, more or less. If it does not, all classes have those
of the column at large.
"""

from collections.abc import Callable
from math import log, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.priors import Dirichlet, Prior
from likely.statistics import Moments, Tallies

Array = NDArray[np.float64]

ALIKE = (1.0, 4.0, 16.0)
"""How alike classes are that differ: as if this many rows of the column at large had been seen of each, for each cell.
Not knowing, all three, each as likely: `python -m bench accuracy --only relevance` shows what it keeps of noise."""


def of_cells(counts: Array, pseudocounts: Array) -> Array:
    """Of proportions, under Dirichlet(pseudocounts): classes x cells to classes."""
    from scipy.special import gammaln

    each = (gammaln(counts + pseudocounts) - gammaln(pseudocounts)).sum(axis=-1)
    return np.asarray(each + gammaln(pseudocounts.sum()) - gammaln(pseudocounts.sum() + counts.sum(axis=-1)))


def of_columns(counts: Array, pseudocounts: Array, column: NDArray[np.intp], columns: int) -> Array:
    """The same of several columns at once, `column` being that of each cell: classes x cells to classes x columns."""
    from scipy.special import gammaln

    def by_column(cells: Array) -> Array:
        return np.bincount(column, cells, columns).astype(np.float64)

    apart = gammaln(counts + pseudocounts) - gammaln(pseudocounts)
    total = np.maximum(by_column(pseudocounts), 1e-300)
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


def of_numbers(moments: Moments, prior: Prior) -> Array:
    """Of a mean and a variance, under a normal prior. Where one of them is not given, or worth no row, it is that of
    all classes together, as one row."""
    normal, column = prior.normal(), moments.pooled()
    mean = column.mean if normal.mean is None else normal.mean
    known = normal.variance is not None and normal.variance_rows > 0
    variance = normal.variance if known else column.total / np.maximum(column.n, 1e-300)
    return _of_moments(moments, mean, normal.mean_rows or 1.0, variance, normal.variance_rows or 1.0)


def _of_moments(moments: Moments, mean: Any, mean_rows: float, variance: Any, variance_rows: float) -> Array:
    """A column that is constant is not informative."""
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


def of_words(tallies: Tallies, pseudocounts: Array) -> Array:
    """Of the words of each class, drawn one by one, with these pseudo-counts."""
    from scipy.special import gammaln

    each = np.repeat(pseudocounts, np.diff(tallies.starts))
    seen = np.bincount(tallies.at, gammaln(tallies.totals + each) - gammaln(each), tallies.classes)
    return np.asarray(seen + gammaln(pseudocounts.sum()) - gammaln(pseudocounts.sum() + tallies.of_classes()))


def proper(prior: Prior, cells: int) -> Array:
    """Pseudo-counts of a prior, or those of a weak one where it is no distribution."""
    alpha = np.asarray(prior.dirichlet(cells).alpha, np.float64)
    return alpha if (alpha > 0).all() else Dirichlet(0.5).dirichlet(cells).alpha


# Bayes factors


def averaged(log_factor: Callable[[float], Array]) -> Array:
    """The mean over how alike the classes may be."""
    logs = [log_factor(alike) for alike in ALIKE]
    return np.asarray(np.logaddexp.reduce(logs) - np.log(len(logs)))


def factor_of_cells(counts: Array, sizes: NDArray[np.int64]) -> Array:
    """Of columns with these numbers of cells, one after the other: 100,000 of them one by one took half a minute."""
    return averaged(lambda alike: _factor_of_cells(counts, sizes, alike))


def _factor_of_cells(counts: Array, sizes: NDArray[np.int64], alike: float) -> Array:
    column, of_all = np.repeat(np.arange(len(sizes)), sizes), counts.sum(axis=0)
    seen = of_all > 0
    counts, column, of_all = counts[:, seen], column[seen], of_all[seen]
    cells = np.bincount(column, minlength=len(sizes))
    share = of_all / np.bincount(column, of_all, len(sizes))[column]
    apart = of_columns(counts, alike * cells[column] * share, column, len(sizes)).sum(axis=0)
    return np.where(cells > 1, apart - np.bincount(column, of_all * np.log(share), len(sizes)), 0.0)


def factor_of_bins(counts: Array, sizes: NDArray[np.int64]) -> Array:
    """Bins were cut to describe a column, finer than its dependence on the class may show: so with neighbours merged
    in pairs once, twice and so on. All are as probable a priori.
    """
    logs, times = np.full(len(sizes), -np.inf), np.zeros(len(sizes))
    while (several := sizes > 1).any():
        for alike in ALIKE:
            found = _factor_of_cells(counts, sizes, alike)
            logs[several], times = np.logaddexp(logs, found)[several], times + several
        pairs = -(-sizes // 2)
        within = np.arange(pairs.sum()) - np.repeat(np.cumsum(pairs) - pairs, pairs)
        counts = np.add.reduceat(counts, np.repeat(np.cumsum(sizes) - sizes, pairs) + 2 * within, axis=1)
        sizes = pairs
    return np.where(times > 0, logs - np.log(np.maximum(times, 1)), 0.0)


def factor_of_bits(ones: Array, seen: Array) -> Array:
    """Of columns of ones and zeros, or of tokens each against all others."""
    both = np.stack([np.broadcast_to(seen, ones.shape) - ones, ones], axis=2).reshape(len(ones), -1)
    return factor_of_cells(both.astype(np.float64), np.full(ones.shape[1], 2))


def factor_of_counts(events: Array, seen: Array) -> Array:
    """Of rates."""
    rows = np.broadcast_to(seen, events.shape)
    all_events, all_rows = events.sum(axis=0), rows.sum(axis=0)
    rate = np.where(all_events > 0, all_events, 1.0) / np.maximum(all_rows, 1e-300)
    together = all_events * np.log(rate) - all_rows * rate
    apart = averaged(lambda alike: of_counts(events, rows, alike * rate, alike).sum(axis=0) - together)
    return np.where(all_events > 0, apart, 0.0)


def factor_of_numbers(moments: Moments) -> Array:
    """Of means and variances."""
    column = moments.pooled()
    variance = column.total / np.maximum(column.n, 1e-300)
    together = -0.5 * column.n * (1 + np.log(2 * np.pi * np.where(variance > 0, variance, 1.0)))
    apart = averaged(lambda alike: _of_moments(moments, column.mean, alike, variance, alike).sum(axis=0) - together)
    return np.where(variance > 0, apart, 0.0)


def factor_of_words(tallies: Tallies) -> Array:
    """Of a text as a whole."""
    of_all = tallies.of_words()
    if not len(of_all):
        return np.zeros(1)
    share = of_all / max(of_all.sum(), 1e-300)
    together = (of_all * np.log(share, out=np.zeros(len(share)), where=share > 0)).sum()

    def apart(alike: float) -> Array:
        pseudocounts = np.maximum(alike * len(share) * share, 1e-300)
        return np.array([of_words(tallies, pseudocounts).sum() - together])

    return averaged(apart)
