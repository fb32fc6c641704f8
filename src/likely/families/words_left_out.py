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
        _, *rows = replace(how, root=False).rows(block, statistics.words)
        return cls(*rows, block.there())

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
    tally = statistics.starts, statistics.at, statistics.totals
    rest = y, weight, event, least, statistics.fixed, out, lengths
    if isinstance(block, ReadTexts):
        _native.score_rows_left_out(*block[:3], how.root, *tally, *rest)
    else:
        words = None if statistics.words is None else statistics.words.table
        _native.score_texts_left_out(*block.span, how.reading, how.stopped, words, *tally, *rest)
    return lengths
