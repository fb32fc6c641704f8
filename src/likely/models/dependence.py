"""Whether a column depends on the class: the evidence that it does against the evidence that it does not.

If it does, each class has parameters of its own, believed to be those of the column at large, more or less. They are
integrated out in closed form. If it does not, all classes have those of the column at large.
"""

import numpy as np
from numpy.typing import NDArray

from likely.families import Bernoulli, Family, Histogram, Poisson
from likely.families.evidence import of_columns, of_counts, of_numbers, of_words
from likely.families.family import Array
from likely.models.block import Block
from likely.statistics import Counts, Frame, Moments, Scatter, Statistics, Tallies, Totals

ALIKE = (1.0, 4.0, 16.0)
"""How alike classes are that differ: as if so many rows of the column at large had been seen of each, for each cell.
Not knowing, all three, each as likely: `python -m bench accuracy --only relevance` shows what it keeps of noise."""


def log_factors(block: Block) -> Array:
    """Of each column of a block, that its cells differ by class against that they do not: the mean over how alike the
    classes may be, and of bins over how many.
    """
    if isinstance(block.family, Histogram):
        assert isinstance(block.statistics, Counts)
        return _of_bins(block.statistics.table.astype(np.float64), np.diff(block.frame.starts))
    logs = [_log_factors(block.family, block.statistics, block.frame, times) for times in ALIKE]
    return np.asarray(np.logaddexp.reduce(logs) - np.log(len(logs)))


def _of_bins(counts: Array, sizes: NDArray[np.int64]) -> Array:
    """Bins were cut to describe a column, finer than its dependence on the class may show: so with neighbours merged
    in pairs once, twice and so on. All are as probable beforehand.
    """
    logs, times = np.full(len(sizes), -np.inf), np.zeros(len(sizes))
    while (several := sizes > 1).any():
        for alike in ALIKE:
            found = _of_cells(counts, sizes, alike)
            logs[several], times = np.logaddexp(logs, found)[several], times + several
        pairs = -(-sizes // 2)
        within = np.arange(pairs.sum()) - np.repeat(np.cumsum(pairs) - pairs, pairs)
        counts = np.add.reduceat(counts, np.repeat(np.cumsum(sizes) - sizes, pairs) + 2 * within, axis=1)
        sizes = pairs
    return np.where(times > 0, logs - np.log(np.maximum(times, 1)), 0.0)


def _log_factors(family: Family, statistics: Statistics, frame: Frame, times: float) -> Array:
    """With so many rows imagined for each cell, drawn from the column at large; that the classes do not differ is the
    same with rows without end.
    """
    if isinstance(statistics, Tallies):
        of_all = statistics.of_words()
        if not len(of_all):
            return np.zeros(1)
        share = of_all / max(of_all.sum(), 1e-300)
        apart = of_words(statistics, np.maximum(times * len(share) * share, 1e-300)).sum()
        return np.array([apart - (of_all * np.log(share, out=np.zeros(len(share)), where=share > 0)).sum()])
    if isinstance(statistics, Counts):
        return _of_cells(statistics.table.astype(np.float64), np.diff(frame.starts), times)
    if isinstance(statistics, (Moments, Scatter)):
        return _of_moments(statistics if isinstance(statistics, Moments) else statistics.moments, times)
    assert isinstance(statistics, Totals)
    total = statistics.total.astype(np.float64)
    seen = np.broadcast_to(statistics.seen, total.shape).astype(np.float64)
    if isinstance(family, Poisson):
        return _of_rates(total, seen, times)
    if not isinstance(family, Bernoulli):  # a token against all others
        seen = np.broadcast_to(total.sum(axis=1, keepdims=True), total.shape)
    both = np.stack([seen - total, total], axis=2).reshape(len(total), -1)
    return _of_cells(both, np.full(total.shape[1], 2), times)


def _of_cells(counts: Array, sizes: NDArray[np.int64], times: float) -> Array:
    """Of columns with so many cells each, one after the other: 100,000 of them one by one took half a minute."""
    column, of_all = np.repeat(np.arange(len(sizes)), sizes), counts.sum(axis=0)
    seen = of_all > 0
    counts, column, of_all = counts[:, seen], column[seen], of_all[seen]
    cells = np.bincount(column, minlength=len(sizes))
    share = of_all / np.bincount(column, of_all, len(sizes))[column]
    apart = of_columns(counts, times * cells[column] * share, column, len(sizes)).sum(axis=0)
    return np.where(cells > 1, apart - np.bincount(column, of_all * np.log(share), len(sizes)), 0.0)


def _of_rates(events: Array, rows: Array, times: float) -> Array:
    all_events, all_rows = events.sum(axis=0), rows.sum(axis=0)
    rate = np.where(all_events > 0, all_events, 1.0) / np.maximum(all_rows, 1e-300)
    apart = of_counts(events, rows, times * rate, times).sum(axis=0)
    return np.where(all_events > 0, apart - (all_events * np.log(rate) - all_rows * rate), 0.0)


def _of_moments(moments: Moments, times: float) -> Array:
    column = moments.pooled()
    variance = column.total / np.maximum(column.n, 1e-300)
    apart = of_numbers(moments, column.mean, times, variance, times).sum(axis=0)
    together = -0.5 * column.n * (1 + np.log(2 * np.pi * np.where(variance > 0, variance, 1.0)))
    return np.where(variance > 0, apart - together, 0.0)
