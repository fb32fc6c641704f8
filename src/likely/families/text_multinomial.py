"""Texts whose tokens are sampled independently, with the probabilities of the class."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.families import evidence
from likely.families.block import Block
from likely.families.cells import Array, Codes
from likely.families.family import Observations
from likely.families.word_loo import words_loo
from likely.families.word_scores import FewTexts, WordScores
from likely.families.words import Words
from likely.priors import Dirichlet
from likely.statistics import Tallies


@dataclass(frozen=True, repr=False)
class TextMultinomial(Words):
    """log p(x | y) = sum of x_w log((N_w + a) / (N + a V)), for a text that has the word w x_w times: see `Words`.

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
    Multinomial : columns of counts.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import TextMultinomial
    >>> nb = NaiveBayes(TextMultinomial()).fit(["cheap pills", "lunch at noon"], ["spam", "ham"])
    >>> nb.predict(["pills", "noon"]).tolist()
    ['spam', 'ham']
    """

    generative: ClassVar[bool] = True

    def word_scores(self, tallies: Tallies, size: int, totals: Array) -> WordScores:
        a, nothing = self.pseudocount, np.zeros(tallies.classes)
        each = -np.log(totals + a * size, out=nothing.copy(), where=totals + a * size > 0)
        if a == 0:
            return WordScores(tallies, nothing, each, None, np.log(tallies.totals), strict=True)
        return WordScores(tallies, nothing, each + np.log(a), None, np.log1p(tallies.totals / a))

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        words_loo(block.statistics, self.reading, self.least(block.statistics), (1.0, 0.0, self.pseudocount), seen, out)

    def sample(self, parameters: WordScores | FewTexts, y: Codes, rng: "np.random.Generator") -> Any:
        scores = parameters.of_all
        words = scores.tallies.words
        if words is None or self.reading.characters or self.reading.ngrams != (1, 1):
            return super().sample(parameters, y, rng)
        share = np.exp(scores.dense)
        share[~share.any(axis=1)] = 1.0  # a class without counts: uniform
        share /= share.sum(axis=1, keepdims=True)
        length = scores.tallies.of_classes() / np.maximum(scores.tallies.texts[:, 0], 1e-300)
        texts = np.empty((len(y), 1), object)
        for i, k in enumerate(y):
            count = rng.poisson(length[k])
            numbers = rng.choice(len(words), count, p=share[k]).tolist() if count else []
            texts[i, 0] = " ".join(words[number] for number in numbers)
        return texts

    def parameter_posterior(self, block: Block, column: int) -> Dirichlet:
        """The posterior of the shares of all tokens, in the order of their numbers."""
        tallies = block.statistics
        counts = np.zeros((tallies.classes, len(tallies.starts) - 1))
        counts[tallies.at, np.repeat(np.arange(counts.shape[1]), np.diff(tallies.starts))] = tallies.totals
        return Dirichlet(np.full(counts.shape[1], self.pseudocount)).posterior(counts)

    def log_evidence(self, block: Block) -> Array:
        words = np.full(len(block.statistics.starts) - 1, self.pseudocount or 0.5)
        return evidence.of_words(block.statistics, words)[:, None]
