"""Scores of texts by their words, leave-one-out, or time-ordered: each text is scored before it is counted."""

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
    """Adds the leave-one-out scores of the words of each text to `out`. `shares` are the factors of a class's own log
    shares and of those of all other classes, and the pseudo-count. Returns the sum of the known token counts of each
    text."""
    lengths = np.empty(len(seen.y))
    words = None if tallies.words is None else tallies.words.table
    texts, start, end = seen.cells.span
    read = reading.reading, reading.stopped, words, tallies.starts, tallies.at, tallies.totals
    arguments = *read, seen.y, seen.weight, shares, least, tallies.fixed, out, lengths
    _native.score_texts_left_out(texts, start, end, *arguments)
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
    """The leave-one-out log odds of the words of some rows of the bags, each class against all others, for several
    pseudo-counts: rows x pseudo-counts x classes; and the sum of the known token counts of each row."""
    return _odds(_native.odds_left_out, root, tallies, least, pseudocounts, bags, rows, seen)


def rare_odds_loo(
    tallies: Tallies, least: float, pseudocounts: Array, bags: Bags, rows: NDArray[np.int64], seen: Observations
) -> tuple[Array, Array]:
    """`odds_loo` with words weighted by idf, and the length of each text's vector. `tallies` count texts as the root of
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
        arguments = *counted, seen.y[part], weight, pseudocounts, least, tallies.fixed, out[part], lengths[part]
        kernel(bags.starts, bags.ids, bags.counts, rows[part], *arguments)

    threads.run(work, halves(np.diff(bags.starts)[rows]))
    return out, lengths


class OddsReplay:
    """Time-ordered texts, in batches: each text is scored from those before it, and then counted.

    `reading` has no `root`; the root is taken here. A class without a text so far has a score of minus infinity.
    """

    def __init__(self, reading: Tokens, classes: int, pseudocount: float) -> None:
        self.reading, self.classes, self.pseudocount = reading, classes, pseudocount
        self._words, self._past = Vocabulary.of(()), _native.PastTexts(classes)

    def next(self, texts: Texts, y: Codes, growth: Array | None = None) -> tuple[Array, Array]:
        """The log odds of `Text` with idf at scale 1 for each text, from those before it; and its length, |x idf|.

        `growth` is the weight of each text. Weights that grow with time discount older texts: after they double, an
        older text counts half.
        """
        new_words, starts, columns, times = self.reading.rows(texts, None)
        self._words, at = self._words.joined(new_words)
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
