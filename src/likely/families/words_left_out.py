"""Scores of texts by their words, each text left out of its own count."""

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads
from likely.families.family import Array, Codes
from likely.statistics import Tallies
from likely.text import Bags, Texts, Tokens
from likely.text.bags import halves


def words_left_out(
    statistics: Tallies,
    how: Tokens,
    least: float,
    event: tuple[float, float, float],
    block: Texts,
    y: Codes,
    weight: Array | None,
    out: Array,
) -> Array:
    """Adds what the words of each text tell, of its class and of all others by the shares in `event`, of which the last
    is the count imagined; and how often all that are known count."""
    lengths = np.empty(len(y))
    words = None if statistics.words is None else statistics.words.table
    _native.score_texts_left_out(
        *block.span,
        how.reading,
        how.stopped,
        words,
        statistics.starts,
        statistics.at,
        statistics.totals,
        y,
        weight,
        event,
        least,
        statistics.fixed,
        out,
        lengths,
    )
    return lengths


def odds_left_out(
    statistics: Tallies,
    how: Tokens,
    least: float,
    imagined: Array,
    read: Bags,
    which: NDArray[np.int64],
    y: Codes,
    weight: Array | None,
) -> tuple[Array, Array]:
    """What the words of some of the rows read tell, of each class and all others alike, by several counts imagined:
    rows x counts x classes; and how often all that are known count."""
    out, lengths = np.empty((len(which), len(imagined), statistics.classes)), np.empty(len(which))

    def work(part: slice) -> None:
        _native.odds_left_out(
            read.starts,
            read.ids,
            read.counts,
            which[part],
            how.root,
            statistics.starts,
            statistics.at,
            statistics.totals,
            y[part],
            None if weight is None else weight[part],
            imagined,
            least,
            statistics.fixed,
            out[part],
            lengths[part],
        )

    threads.run(work, halves(np.diff(read.starts)[which]))
    return out, lengths
