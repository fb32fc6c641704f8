"""Scores of texts by their words, each text left out of what was counted; or counted only after it was scored."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads
from likely.families.cells import Array, Codes
from likely.families.family import Observations
from likely.statistics import Tallies, Vocabulary
from likely.text import Bags, Texts, Tokens
from likely.text.bags import halves


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
    return _odds(_native.odds_left_out, root, tallies, least, pseudocounts, bags, rows, seen)


def rare_odds_loo(
    tallies: Tallies, least: float, pseudocounts: Array, bags: Bags, rows: NDArray[np.int64], seen: Observations
) -> tuple[Array, Array]:
    """The same with words weighted by idf, and the length of each text's vector. `tallies` count texts as the root of
    their length."""
    texts = float(tallies.texts.sum())
    return _odds(_native.rare_odds_left_out, texts, tallies, least, pseudocounts, bags, rows, seen)


def _odds(
    kernel: Callable[..., None],
    option: float,
    tallies: Tallies,
    least: float,
    pseudocounts: Array,
    bags: Bags,
    rows: NDArray[np.int64],
    seen: Observations,
) -> tuple[Array, Array]:
    out, lengths = np.empty((len(rows), len(pseudocounts), tallies.classes)), np.empty(len(rows))
    counted = option, tallies.starts, tallies.at, tallies.totals

    def work(part: slice) -> None:
        weight = None if seen.weight is None else seen.weight[part]
        given = *counted, seen.y[part], weight, pseudocounts, least, tallies.fixed, out[part], lengths[part]
        kernel(bags.starts, bags.ids, bags.counts, rows[part], *given)

    threads.run(work, halves(np.diff(bags.starts)[rows]))
    return out, lengths


class OddsReplay:
    """Time-ordered texts, some at a time, each scored by those before it and then counted.

    `reading` is without `root`, which is taken here. A class that has no text yet has minus infinity.
    """

    def __init__(self, reading: Tokens, classes: int, pseudocount: float) -> None:
        self.reading, self.classes, self.pseudocount = reading, classes, pseudocount
        self._words, self._past = Vocabulary.of(()), _native.PastTexts(classes)

    def next(self, texts: Texts, y: Codes, growth: Array | None = None) -> tuple[Array, Array]:
        """What the odds of `Text` with idf are of each text at scale 1, after those before it; and its length, |x idf|.

        `growth` is how much a text weighs: where it doubles, all before counts half.
        """
        found, starts, columns, times = self.reading.rows(texts, None)
        self._words, at = self._words.joined(found)
        rows = len(texts)
        out, lengths = np.empty((rows, self.classes)), np.empty(rows)
        _native.score_texts_replayed(
            starts,
            at.astype(np.int32)[columns],
            times,
            len(self._words),
            y,
            np.ones(rows) if growth is None else growth,
            self.pseudocount,
            out,
            lengths,
            self._past,
        )
        return out, lengths
