"""Texts, scored by how badly they fit all other classes together."""

from dataclasses import dataclass

import numpy as np

from likely.families.block import Block
from likely.families.cells import Array
from likely.families.family import Observations
from likely.families.word_loo import words_loo
from likely.families.word_scores import WordScores
from likely.families.words import Words
from likely.statistics import Tallies


@dataclass(frozen=True, repr=False)
class TextComplement(Words):
    """-sum of x_w log((N'_w + a) / (N' + a V)), for a text that has the word w x_w times: see `Words`. A score, not a
    likelihood.

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
    Complement : columns of counts.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import TextComplement
    >>> nb = NaiveBayes(TextComplement()).fit(["cheap pills", "lunch at noon"], ["spam", "ham"])
    >>> nb.predict(["pills", "noon"]).tolist()
    ['spam', 'ham']
    """

    def word_scores(self, tallies: Tallies, size: int, totals: Array) -> WordScores:
        each, common, extra = against_others(tallies, size, totals, self.pseudocount)
        return WordScores(tallies, np.zeros(tallies.classes), each, common, extra)

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        words_loo(block.statistics, self.reading, self.least(block.statistics), (0.0, 1.0, self.pseudocount), seen, out)


def against_others(tallies: Tallies, size: int, totals: Array, a: float) -> tuple[Array, Array, Array]:
    """-log of the share of each token outside each class, as the `each`, `common` and `extra` of `WordScores`."""
    of_words, outside = tallies.of_words(), totals.sum() - totals + a * size
    others = np.repeat(of_words, np.diff(tallies.starts)) - tallies.totals
    each = np.log(outside, out=np.zeros(len(outside)), where=outside > 0)
    with np.errstate(divide="ignore"):
        common = -np.log(of_words + a)
        extra = -np.log(np.maximum(others, 0) + a) - np.repeat(common, np.diff(tallies.starts))
    return each, common, extra
