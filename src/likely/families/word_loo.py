"""Scores of texts by their words, each text left out of what was counted; or counted only after it was scored."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads
from likely.families.cells import Array, Codes
from likely.families.family import Observations
from likely.statistics import Tallies
from likely.text import Bags, Tokens
from likely.text.bags import halves

if TYPE_CHECKING:
    from scipy.sparse import csr_array


def words_loo(
    tallies: Tallies, reading: Tokens, least: float, shares: tuple[float, float, float], seen: Observations, out: Array
) -> Array:
    """Adds what the words of each text add, of its class and of all others by the first two of `shares`; the last is
    the pseudo-count. Returns how often all words that are known count."""
    lengths = np.empty(len(seen.y))
    words = None if tallies.words is None else tallies.words.table
    texts, start, end = seen.cells.span
    read = reading.reading, reading.stopped, words, tallies.starts, tallies.at, tallies.totals
    given = *read, seen.y, seen.weight, shares, least, tallies.fixed, out, lengths
    _native.score_texts_left_out(texts, start, end, *given)
    return lengths


def odds_loo(
    tallies: Tallies,
    root: bool,
    least: float,
    pseudocounts: Array,
    bags: Bags,
    rows: NDArray[np.int64],
    seen: Observations,
) -> tuple[Array, Array]:
    """What the words of some rows of the bags add, of each class and all others alike, by several pseudo-counts:
    rows x pseudo-counts x classes; and how often all that are known count."""
    out, lengths = np.empty((len(rows), len(pseudocounts), tallies.classes)), np.empty(len(rows))
    counted = tallies.starts, tallies.at, tallies.totals

    def work(part: slice) -> None:
        weight = None if seen.weight is None else seen.weight[part]
        given = *counted, seen.y[part], weight, pseudocounts, least, tallies.fixed, out[part], lengths[part]
        _native.odds_left_out(bags.starts, bags.ids, bags.counts, rows[part], root, *given)

    threads.run(work, halves(np.diff(bags.starts)[rows]))
    return out, lengths


def odds_replayed(
    counts: "csr_array", y: Codes, classes: int, pseudocount: float, growth: Array | None = None
) -> tuple[Array, Array]:
    """What the odds of `Text` are of each text at scale 1, after those before it; and sqrt(tokens known).

    `counts` are those of `Tokens(sublinear=True).matrix`, without `root`, which is taken here. A class that has no text
    yet has minus infinity. `growth` is how much a text weighs: where it doubles, all before counts half.
    """
    rows = counts.shape[0]
    out, lengths = np.empty((rows, classes)), np.empty(rows)
    _native.score_texts_replayed(
        counts.indptr.astype(np.int64),
        counts.indices.astype(np.int32, copy=False),
        np.ascontiguousarray(counts.data, np.float64),
        counts.shape[1],
        y,
        np.ones(rows) if growth is None else growth,
        pseudocount,
        out,
        lengths,
    )
    return out, lengths
