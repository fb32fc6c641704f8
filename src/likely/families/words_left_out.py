"""Scores of texts by their words, each text left out of its own count."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.family import Array, Codes
from likely.statistics import Tallies
from likely.text import Texts, Tokens


class ReadTexts(NamedTuple):
    """Texts that have been read, to be scored many times: reading takes ten times as long."""

    ends: NDArray[np.int64]
    ids: NDArray[np.int32]
    counts: Array
    present: NDArray[np.bool]

    @classmethod
    def of(cls, block: Texts, how: Tokens, statistics: Tallies) -> "ReadTexts":
        """In their whole length: what is left of a text decides what its root is."""
        _, ends, ids, counts = replace(how, root=False).rows(block, statistics.words)
        return cls(ends, ids, counts, block.there())

    def there(self) -> NDArray[np.bool]:
        return self.present


def words_left_out(
    statistics: Tallies,
    how: Tokens,
    least: float,
    event: tuple[float, float, float],
    block: Texts | ReadTexts,
    y: Codes,
    weight: Array | None,
    out: Array,
) -> Array:
    """Adds what the words of each text tell, of its class and of all others by the shares in `event`, of which the last
    is the count imagined; and how often all that are known count."""
    lengths = np.empty(len(y))
    starts, at, totals, fixed = statistics.starts, statistics.at, statistics.totals, statistics.fixed
    if isinstance(block, ReadTexts):
        ends, ids, counts, _ = block
        _native.score_rows_left_out(
            ends, ids, counts, how.root, starts, at, totals, y, weight, event, least, fixed, out, lengths
        )
    else:
        texts, start, end = block.span
        words = None if statistics.words is None else statistics.words.table
        _native.score_texts_left_out(
            texts, start, end, how.reading, how.stopped, words, starts, at, totals, y, weight, event, least, fixed, out,
            lengths,
        )  # fmt: skip
    return lengths
