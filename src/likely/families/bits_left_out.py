"""Texts of words that are there or not, each scored as if it had never been counted."""

import numpy as np
from numpy.typing import NDArray

from likely.families.family import Array, Codes, log_share, without
from likely.statistics import Tallies, Vocabulary
from likely.text import Texts, Tokens


def bits_left_out(
    statistics: Tallies,
    how: Tokens,
    least: float,
    imagined: float,
    block: Texts,
    y: Codes,
    weight: Array | None,
    out: Array,
) -> None:
    """Adds to out the scores of "bernoulli" texts that were counted. A word of which less than `least` is left is then
    not known."""
    if least:
        statistics = statistics.of_cells(statistics.of_words() >= least)
    size, classes = len(statistics.starts) - 1, statistics.classes
    known = statistics.words if statistics.words is not None else Vocabulary.of(())
    _, starts, tokens, _ = how.rows(block, known)
    row = np.repeat(np.arange(len(y)), np.diff(starts))
    w = np.ones(len(y)) if weight is None else weight
    rest = without(statistics.of_words()[tokens], w[row])
    gone = ((rest == 0) | (rest < least)) & (not statistics.fixed)
    sizes = size - np.bincount(row[gone], minlength=len(y))
    keys = np.repeat(np.arange(size), np.diff(statistics.starts)) * classes + statistics.at
    there = block.there()
    for k in range(classes):
        at = np.searchsorted(keys, tokens.astype(np.int64) * classes + k)
        at = np.minimum(at, max(len(keys) - 1, 0))
        hit = keys[at] == tokens.astype(np.int64) * classes + k if len(keys) else np.zeros(len(tokens), np.bool)
        counts = np.where(hit, statistics.totals[at] if len(keys) else 0.0, 0.0)
        logs, constant = _of_class(statistics, imagined, k, y == k, w, row, counts, gone, sizes)
        out[:, k] += np.where(there, constant + np.bincount(row[~gone], logs[~gone], len(y)), 0.0)


def _of_class(
    statistics: Tallies,
    a: float,
    k: int,
    own: NDArray[np.bool],
    w: Array,
    row: NDArray[np.int64],
    counts: Array,
    gone: NDArray[np.bool],
    sizes: NDArray[np.int64],
) -> tuple[Array, Array]:
    """Of class k, the log odds of the words of each row, and the log probability that no word is there."""
    texts = without(np.full(len(own), float(statistics.texts[k, 0])), np.where(own, w, 0.0))
    totals = statistics.totals[statistics.at == k]
    left = np.where(own[row], without(counts, w[row]), counts)
    constant = np.empty(len(own))
    for n in np.unique(texts):
        same = texts == n
        less = np.log(np.maximum(n - totals, 0.0) + a)
        # A row left out takes its own words from the totals; what is gone is in no total any more.
        counted = same[row] & (counts > 0)
        change = np.where(gone, 0.0, np.log(np.maximum(n - left, 0.0) + a))
        change -= np.log(np.maximum(n - counts, 0.0) + a)
        seen = len(totals) - np.bincount(row[counted & gone], minlength=len(own))
        sums = less.sum() + np.bincount(row[counted], change[counted], len(own)) + (sizes - seen) * np.log(n + a)
        constant[same] = (sums - sizes * np.log(n + 2 * a))[same]
    return log_share(left + a, texts[row] - left + a), constant
