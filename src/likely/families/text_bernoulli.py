"""Texts as one bit for each known word: whether the text has it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from likely.families.block import Block
from likely.families.cells import Array, log_share, without
from likely.families.family import Observations
from likely.families.word_scores import WordScores
from likely.families.words import Words
from likely.statistics import Tallies, Vocabulary
from likely.text import Tokens


@dataclass(frozen=True, repr=False)
class TextBernoulli(Words):
    """log p(x | y) = sum of log q_w over the words in the text, and of log(1 - q_w) over all other known words, with
    q_w = (n_w + a) / (n + 2 a): see `Words`.

    Parameters
    ----------
    tokens : Tokens, default `Tokens()`
        How texts are read as words.
    prior : Prior, default `Laplace()`
        A pseudo-count for each word.
    vocabulary : tuple of str, optional
        The words that are counted; all words by default.

    See Also
    --------
    Text : the default for texts.
    Bernoulli : columns of bits.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import TextBernoulli
    >>> nb = NaiveBayes(TextBernoulli()).fit(["cheap pills", "lunch at noon"], ["spam", "ham"])
    >>> nb.predict(["pills", "noon"]).tolist()
    ['spam', 'ham']
    """

    needs_prior: ClassVar[bool] = True
    scores_few: ClassVar[bool] = False

    @property
    def reading(self) -> Tokens:
        return replace(self.tokens or Tokens(), binary=True, root=False)

    def word_scores(self, tallies: Tallies, size: int, totals: Array) -> WordScores:
        a, at, texts = self.pseudocount, tallies.at, tallies.texts[:, 0]
        each = np.log(a) - np.log(texts + a)
        absent = np.log(np.maximum(texts[at] - tallies.totals, 0.0) + a)
        constant = (len(tallies.starts) - 1) * log_share(texts + a, texts + 2 * a)
        constant += np.bincount(at, absent - np.log(texts[at] + a), len(texts))
        return WordScores(tallies, constant, each, None, np.log(tallies.totals + a) - absent - each[at])

    def parameter_count(self, block: Block) -> int:
        return int(block.statistics.classes * (len(block.statistics.starts) - 1))

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        tallies, least = block.statistics, self.least(block.statistics)
        if least:
            tallies = tallies.of_cells(tallies.of_words() >= least)
        known = tallies.words if tallies.words is not None else Vocabulary.of(())
        _, starts, tokens, _ = self.reading.rows(seen.cells, known)
        row = np.repeat(np.arange(len(seen.y)), np.diff(starts))
        rest = without(tallies.of_words()[tokens], seen.weights[row])
        gone = ((rest == 0) | (rest < least)) & (not tallies.fixed)
        there = seen.cells.there()
        for k, counts in enumerate(_by_class(tallies, tokens)):
            logs, constant = self._of_class(tallies, k, seen, row, counts, gone)
            out[:, k] += np.where(there, constant + np.bincount(row[~gone], logs[~gone], len(seen.y)), 0.0)

    def _of_class(
        self,
        tallies: Tallies,
        k: int,
        seen: Observations,
        row: NDArray[np.int64],
        counts: Array,
        gone: NDArray[np.bool],
    ) -> tuple[Array, Array]:
        """For class k: the log odds of the words of each row, and the log probability of a text without any word.
        `gone` marks words that no other row has."""
        a, own, rows = self.pseudocount, seen.y == k, len(seen.y)
        texts = without(np.full(rows, float(tallies.texts[k, 0])), np.where(own, seen.weights, 0.0))
        totals = tallies.totals[tallies.at == k]
        sizes = len(tallies.starts) - 1 - np.bincount(row[gone], minlength=rows)
        left = np.where(own[row], without(counts, seen.weights[row]), counts)
        constant = np.empty(rows)
        for n in np.unique(texts):
            same = texts == n
            less = np.log(np.maximum(n - totals, 0.0) + a)
            # Leaving a row out subtracts its own words from the totals; words that are gone are in no total.
            counted = same[row] & (counts > 0)
            change = np.where(gone, 0.0, np.log(np.maximum(n - left, 0.0) + a))
            change -= np.log(np.maximum(n - counts, 0.0) + a)
            present = len(totals) - np.bincount(row[counted & gone], minlength=rows)
            sums = less.sum() + np.bincount(row[counted], change[counted], rows) + (sizes - present) * np.log(n + a)
            constant[same] = (sums - sizes * np.log(n + 2 * a))[same]
        return log_share(left + a, texts[row] - left + a), constant


def _by_class(tallies: Tallies, tokens: NDArray[np.int32]) -> Iterator[Array]:
    """The counts of these tokens in each class, one class at a time."""
    word = np.repeat(np.arange(len(tallies.starts) - 1), np.diff(tallies.starts))
    for k in range(tallies.classes):
        mine = tallies.at == k
        yield np.bincount(word[mine], tallies.totals[mine], len(tallies.starts) - 1).astype(np.float64)[tokens]
