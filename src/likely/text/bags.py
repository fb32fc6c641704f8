"""Texts that are read once, and then counted in several ways and scored many times, since reading takes the longest."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads
from likely.statistics import Tallies, Vocabulary
from likely.text.texts import Texts
from likely.text.tokens import Tokens


class Bags(NamedTuple):
    """The different tokens of each text, as numbers below `size`, and the count of each. Counts are not divided by the
    root of the text's length, since that depends on which tokens are known."""

    starts: NDArray[np.int64]
    ids: NDArray[np.int32]
    counts: NDArray[np.float64]
    size: int
    there: NDArray[np.bool]

    @classmethod
    def of(cls, texts: Texts, how: Tokens, words: Vocabulary | None) -> "Bags":
        """The bags of known words, or of buckets if `words` is None."""
        table = None if words is None else words.table
        reading = *how.reading[:-2], False, how.reading[-1]

        def read(rows: slice) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
            _, *found = _native.rows_of_texts(*texts[rows].span, reading, how.stopped, table)
            return tuple(found)  # type: ignore[return-value]

        starts, ids, counts = zip(*threads.each(read, halves(texts.sizes())), strict=True)
        size = len(words) if words is not None else how.hashing or 0
        return cls(_joined(list(starts)), np.concatenate(ids), np.concatenate(counts), size, texts.there())

    def tally(self, how: Tokens, y: NDArray[np.int32], classes: int, weight: NDArray[np.float64] | None) -> Tallies:
        """The tally of the texts, with numbers instead of words."""
        totals = _native.tally_rows(self.starts, self.ids, self.counts, self.size, how.root, y, weight, classes)
        return Tallies(
            None, *totals, np.bincount(y, self.there * (1.0 if weight is None else weight), classes)[:, None]
        )


class Sequences(NamedTuple):
    """The words of each text in order, as numbers."""

    starts: NDArray[np.int64]
    ids: NDArray[np.int32]
    size: int
    there: NDArray[np.bool]

    @classmethod
    def of(cls, texts: Texts, how: Tokens) -> "Sequences":
        def read(rows: slice) -> tuple[_native.Words, NDArray[np.int64], NDArray[np.int32]]:
            return _native.tokens_of_texts(*texts[rows].span, how.reading, how.stopped)

        parts = list(threads.each(read, halves(texts.sizes())))
        words, ids = Vocabulary(parts[0][0]), [parts[0][2]]
        for part_words, _, numbers in parts[1:]:
            words, at = words.joined(Vocabulary(part_words))
            ids.append(at.astype(np.int32)[numbers])
        return cls(_joined([starts for _, starts, _ in parts]), np.concatenate(ids), len(words), texts.there())

    def bags(self, how: Tokens) -> Bags:
        """The bags, with pairs of neighbours if `how` reads them."""
        size, starts, ids, counts = _native.rows_of_tokens(self.starts, self.ids, self.size, how.reading)
        return Bags(starts, ids, counts, size, self.there)


def halves(sizes: NDArray[np.int64]) -> list[slice]:
    """Slices that divide rows of these sizes into two parts of about the same total size."""
    ends = np.cumsum(sizes)
    middle = int(np.searchsorted(ends - sizes / 2, ends[-1] / 2)) if len(ends) else 0
    return [slice(middle), slice(middle, len(sizes))]


def _joined(starts: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The starts of the rows of all parts, one after the other."""
    before = np.cumsum([0, *(of_part[-1] for of_part in starts)])
    return np.concatenate([[0], *(of_part[1:] + first for of_part, first in zip(starts, before, strict=False))])
