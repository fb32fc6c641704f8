"""Interactions: pairs of columns (a, b) with an effect on the class that is not the sum of two separate effects.

Without an interaction, log p(y | a, b) is a sum of a function of a and a function of b. Iterative proportional fitting
fits that p to the counts of (a, y) and (b, y). With an interaction, each cell (a, b) has its own distribution of
classes, with a Dirichlet prior m p. The log Bayes factor of "interaction" against "none" is

    log of the mean over m of  product over cells of  DirichletMultinomial(counts | m p)  -  sum of counts log p

It is above 0 where counts differ from p by more than chance, and below 0 where they do not. All of it is computed from
counts of pairs, in one pass over the rows.
"""

from typing import NamedTuple

import numpy as np

from likely.data.sample import Array, Codes, Sample
from likely.engines import threads
from likely.statistics.joint import JointCells, pairs

CELLS = 6
"""Cells of a column: quantile bins of a number, or the most frequent categories and a last cell for all others."""
MOST_COLUMNS = 64
"""If there are more columns, the most informative ones are paired: 2,016 pairs."""
ROWS = 20_000
"""The most rows that are counted."""
STRENGTHS = (1.0, 3.0, 10.0, 30.0, 100.0)
"""The values of m: how many rows the prior m p weighs. All are equally probable."""
STEPS = 20
"""Steps of iterative proportional fitting; each one divides the error by a factor."""


class PairEvidence(NamedTuple):
    """The positions of two columns, and the log Bayes factor of an interaction between them."""

    first: int
    second: int
    log_factor: float


def ranked_pairs(sample: Sample) -> list[PairEvidence]:
    """All pairs of the columns of numbers and categories, the one with the most evidence first."""
    sample = sample.at_most(ROWS)
    columns, codes = _coded(sample)
    classes = len(sample.classes)
    if len(columns) > MOST_COLUMNS:
        best = np.sort(np.argsort(-_alone(codes, sample), kind="stable")[:MOST_COLUMNS])
        columns, codes = [columns[at] for at in best.tolist()], np.ascontiguousarray(codes[best])
    if len(columns) < 2 or classes < 2:
        return []
    both = pairs(range(len(columns)))
    cells = JointCells((CELLS,) * len(columns), both)
    table = cells.count(codes, sample.y, classes, sample.weight).reshape(classes, len(both), CELLS + 1, CELLS + 1)
    counts = np.moveaxis(table[:, :, 1:, 1:], 0, -1).astype(np.float64)
    parts = threads.pieces(len(both), 64 * counts[0].nbytes)
    factors = np.concatenate(list(threads.each(lambda part: log_factors(counts[part]), parts)))
    evidence = [PairEvidence(columns[a], columns[b], f) for (a, b), f in zip(both, factors.tolist(), strict=True)]
    return sorted(evidence, key=lambda pair: -pair.log_factor)


def log_factors(counts: Array) -> Array:
    """The log Bayes factors from counts: pairs x cells of the first x cells of the second x classes."""
    from scipy.special import gammaln  # imported here, so that reading a model file does not wait for it

    p = additive(counts)
    one_by_one = np.sum(counts * np.log(p), axis=(1, 2, 3))
    rows, logs = counts.sum(axis=3), []
    for m in STRENGTHS:
        own = np.sum(gammaln(counts + m * p) - gammaln(m * p), axis=3) + gammaln(m) - gammaln(rows + m)
        logs.append(own.sum(axis=(1, 2)))
    return np.asarray(np.logaddexp.reduce(logs, axis=0) - np.log(len(STRENGTHS)) - one_by_one)


def additive(counts: Array) -> Array:
    """p(y | a, b) without an interaction, fitted to the counts of (a, y) and of (b, y), in the shape of `counts`. Half
    a row with the shares of all classes is added to each cell of a and of b, so that no class is impossible."""
    shares = counts.sum(axis=(1, 2)) + 0.5
    shares = 0.5 * shares / shares.sum(axis=1, keepdims=True)
    of_cells = counts.sum(axis=3, keepdims=True) + 1e-9
    first, second = counts.sum(axis=2) + shares[:, None], counts.sum(axis=1) + shares[:, None]
    p = of_cells * np.ones(counts.shape[3]) / counts.shape[3]
    for _ in range(STEPS):
        p *= (first / np.maximum(p.sum(axis=2), 1e-300))[:, :, None]
        p *= (second / np.maximum(p.sum(axis=1), 1e-300))[:, None]
        p *= of_cells / p.sum(axis=3, keepdims=True)
    return np.asarray(np.maximum(p / p.sum(axis=3, keepdims=True), 1e-12))


def _alone(codes: Codes, sample: Sample) -> Array:
    """How informative each column is by itself: the gain of log likelihood, in nats."""
    columns, classes = len(codes), len(sample.classes)
    cells = JointCells((CELLS,) * columns, tuple((j,) for j in range(columns)))
    table = cells.count(codes, sample.y, classes, sample.weight).reshape(classes, columns, 1, CELLS + 1)
    counts = np.moveaxis(table[..., 1:], 0, -1).astype(np.float64)
    shares = counts.sum(axis=(1, 2)) + 0.5
    p = (shares / shares.sum(axis=1, keepdims=True))[:, None, None]
    gain = np.log(counts + p) - np.log(counts.sum(axis=3, keepdims=True) + 1) - np.log(p)
    return np.asarray(np.sum(counts * gain, axis=(1, 2, 3)))


def _coded(sample: Sample) -> tuple[list[int], Codes]:
    """The columns of numbers and categories with at least two cells, and their codes: columns x rows."""
    table, columns, coded = sample.table, list[int](), list[Codes]()
    rows = slice(0, table.rows)
    for j, kind in enumerate(table.kinds):
        if kind in ("int", "float", "bool"):
            x = np.asarray(table.numbers([j], rows), np.float64)[:, 0]
            cuts = np.unique(x[np.isfinite(x)])
            if len(cuts) > CELLS:
                cuts = np.unique(np.quantile(x[np.isfinite(x)], np.arange(1, CELLS) / CELLS))
            codes = np.where(np.isnan(x), -1, np.minimum(np.searchsorted(cuts, x), CELLS - 1))
        elif kind == "category":
            codes = table.categories([j], rows, None)[0][:, 0]
            order = np.argsort(-np.bincount(codes[codes >= 0]), kind="stable")
            rank = np.empty(len(order) + 1, np.int64)
            rank[order], rank[-1] = np.minimum(np.arange(len(order)), CELLS - 1), -1  # the last is code -1
            codes = rank[codes]
        else:
            continue
        if codes.max(initial=-1) != codes[codes >= 0].min(initial=CELLS):
            columns.append(j)
            coded.append(codes.astype(np.int32))
    return columns, np.ascontiguousarray(coded, np.int32).reshape(len(coded), len(sample))
