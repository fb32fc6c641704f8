"""The evidence: the log marginal likelihood of the rows counted, with the parameters integrated out.

Under a conjugate prior it has a closed form. It compares two models of the same rows without a holdout: a model with
more parameters spreads its probability over more tables, and is penalised for it. An improper prior, such as maximum
likelihood, has no evidence. Then a weak prior is used: half a count for each cell, or for a normal one row with the
mean and the variance of the whole column.

The Bayes factor of a column compares "it depends on the class" with "it does not". If it does, each class has its own
parameters, with a prior centred on those of the whole column. If it does not, all classes have those of the whole
column.
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
"""How similar the classes are expected to be if they differ: the prior of a class has this many rows of the whole
column, for each cell. All three are averaged with equal probability: `python -m bench accuracy --only relevance` shows
how much noise is then kept."""


def of_cells(counts: Array, pseudocounts: Array) -> Array:
    """The log evidence of proportions, under Dirichlet(pseudocounts): classes x cells to classes."""
    from scipy.special import gammaln

    each = (gammaln(counts + pseudocounts) - gammaln(pseudocounts)).sum(axis=-1)
    return np.asarray(each + gammaln(pseudocounts.sum()) - gammaln(pseudocounts.sum() + counts.sum(axis=-1)))


def of_columns(counts: Array, pseudocounts: Array, column: NDArray[np.intp], columns: int) -> Array:
    """`of_cells` for several columns at once; `column` is the column of each cell: classes x cells to classes x
    columns."""
    from scipy.special import gammaln

    def by_column(cells: Array) -> Array:
        return np.bincount(column, cells, columns).astype(np.float64)

    apart = gammaln(counts + pseudocounts) - gammaln(pseudocounts)
    total = np.maximum(by_column(pseudocounts), 1e-300)
    each = [by_column(own) - gammaln(total + by_column(seen)) for own, seen in zip(apart, counts, strict=True)]
    return np.asarray(each + gammaln(total))


def of_bits(ones: Array, zeros: Array, a: Any, b: Any) -> Array:
    """The log evidence of a probability, under Beta(a, b)."""
    from scipy.special import betaln

    return np.asarray(betaln(ones + a, zeros + b) - betaln(a, b))


def of_counts(events: Array, rows: Array, a: Any, b: Any) -> Array:
    """The log evidence of a rate, under Gamma(a, b), without the factorials of the counts."""
    from scipy.special import gammaln

    return np.asarray(a * np.log(b) - gammaln(a) + gammaln(a + events) - (a + events) * np.log(b + rows))


def of_numbers(moments: Moments, prior: Prior) -> Array:
    """The log evidence of a mean and a variance, under a normal prior. If the prior does not have one of them, or gives
    it no rows, it is that of all classes together, with one row."""
    normal, column = prior.normal(), moments.pooled()
    mean = column.mean if normal.mean is None else normal.mean
    known = normal.variance is not None and normal.variance_rows > 0
    variance = normal.variance if known else column.total / np.maximum(column.n, 1e-300)
    return _of_moments(moments, mean, normal.mean_rows or 1.0, variance, normal.variance_rows or 1.0)


def _of_moments(moments: Moments, mean: Any, mean_rows: float, variance: Any, variance_rows: float) -> Array:
    """The log evidence of each class and column: 0 for a constant column, which is not informative."""
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
    """The log evidence of the words of each class, sampled independently, with these pseudo-counts."""
    from scipy.special import gammaln

    each = np.repeat(pseudocounts, np.diff(tallies.starts))
    seen = np.bincount(tallies.at, gammaln(tallies.totals + each) - gammaln(each), tallies.classes)
    return np.asarray(seen + gammaln(pseudocounts.sum()) - gammaln(pseudocounts.sum() + tallies.of_classes()))


def proper(prior: Prior, cells: int) -> Array:
    """The pseudo-counts of a prior; 0.5 for each cell if the prior is improper."""
    alpha = np.asarray(prior.dirichlet(cells).alpha, np.float64)
    return alpha if (alpha > 0).all() else Dirichlet(0.5).dirichlet(cells).alpha


# Bayes factors


def averaged(log_factor: Callable[[float], Array]) -> Array:
    """The log of the mean Bayes factor over `ALIKE`."""
    logs = [log_factor(alike) for alike in ALIKE]
    return np.asarray(np.logaddexp.reduce(logs) - np.log(len(logs)))


def factor_of_cells(counts: Array, sizes: NDArray[np.int64]) -> Array:
    """The log Bayes factors of columns with these numbers of cells, all at once: one at a time, 100,000 columns took
    half a minute."""
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
    """The log Bayes factors of binned columns. Bins describe a column, and may be too fine to show how it depends on
    the class. So neighbouring bins are also merged in pairs, once, twice and so on, all with equal prior probability.
    """
    logs, times = np.full(len(sizes), -np.inf), np.zeros(len(sizes))
    while (several := sizes > 1).any():
        for alike in ALIKE:
            factors = _factor_of_cells(counts, sizes, alike)
            logs[several], times = np.logaddexp(logs, factors)[several], times + several
        pairs = -(-sizes // 2)
        within = np.arange(pairs.sum()) - np.repeat(np.cumsum(pairs) - pairs, pairs)
        counts = np.add.reduceat(counts, np.repeat(np.cumsum(sizes) - sizes, pairs) + 2 * within, axis=1)
        sizes = pairs
    return np.where(times > 0, logs - np.log(np.maximum(times, 1)), 0.0)


def factor_of_bits(ones: Array, seen: Array) -> Array:
    """The log Bayes factors of columns of ones and zeros, or of tokens, each against all others."""
    both = np.stack([np.broadcast_to(seen, ones.shape) - ones, ones], axis=2).reshape(len(ones), -1)
    return factor_of_cells(both.astype(np.float64), np.full(ones.shape[1], 2))


def factor_of_counts(events: Array, seen: Array) -> Array:
    """The log Bayes factors of rates."""
    rows = np.broadcast_to(seen, events.shape)
    all_events, all_rows = events.sum(axis=0), rows.sum(axis=0)
    rate = np.where(all_events > 0, all_events, 1.0) / np.maximum(all_rows, 1e-300)
    together = all_events * np.log(rate) - all_rows * rate
    apart = averaged(lambda alike: of_counts(events, rows, alike * rate, alike).sum(axis=0) - together)
    return np.where(all_events > 0, apart, 0.0)


def factor_of_numbers(moments: Moments) -> Array:
    """The log Bayes factors of means and variances."""
    column = moments.pooled()
    variance = column.total / np.maximum(column.n, 1e-300)
    together = -0.5 * column.n * (1 + np.log(2 * np.pi * np.where(variance > 0, variance, 1.0)))
    apart = averaged(lambda alike: _of_moments(moments, column.mean, alike, variance, alike).sum(axis=0) - together)
    return np.where(variance > 0, apart, 0.0)


def factor_of_words(tallies: Tallies) -> Array:
    """The log Bayes factor of a whole text: an array of one."""
    of_all = tallies.of_words()
    if not len(of_all):
        return np.zeros(1)
    share = of_all / max(of_all.sum(), 1e-300)
    together = (of_all * np.log(share, out=np.zeros(len(share)), where=share > 0)).sum()

    def apart(alike: float) -> Array:
        pseudocounts = np.maximum(alike * len(share) * share, 1e-300)
        return np.array([of_words(tallies, pseudocounts).sum() - together])

    return averaged(apart)
