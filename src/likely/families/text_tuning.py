"""The choice of the pseudo-count of words, the scale of their log odds, and idf, by leave-one-out log loss."""

from typing import NamedTuple

import numpy as np

from likely.families.cells import Array, Codes
from likely.optimize.softmax.evidence import evidence_pass, least

COUNTS = tuple(10.0 ** (step / 2) for step in range(-6, 1))
"""Pseudo-counts to choose from: those chosen on the sets of `python -m bench accuracy --only texts` lie between."""


class TextTuning(NamedTuple):
    """The pseudo-count of each word, the scale of the log odds, and whether rare words weigh more (idf)."""

    pseudocount: float
    scale: float
    idf: bool = False


UNTUNED = TextTuning(0.01, 1.0)


def idf_of(of_words: Array, tokens: float, texts: float) -> Array:
    """1 + log((1 + n) / (1 + n_w)) for each word, if n_w of n texts have it.

    n_w is derived from the counts. A text of m tokens counts as sqrt(m), and a word in it as 1 / sqrt(m). If all texts
    have the same length and a word occurs once in a text, n_w = N_w N / n. So models with idf learn, forget and merge
    like counts.
    """
    texts_with = np.minimum(texts, of_words * (tokens / max(texts, 1e-300)))
    return np.asarray(1 + np.log((1 + texts) / (1 + texts_with)))


def scaled(evidence: Array, y: Codes, mean: Array) -> tuple[float, float]:
    """The scale of the evidence with the least mean log loss of the classes, and that loss.

    As in Platt scaling, one text in n + 2 counts as a text of another class, so that a few texts without an error do
    not make the model over-confident. A prior with the weight of one text holds the scale at 1 if there is nothing to
    choose by.
    """
    passed = evidence_pass(evidence[:, :, None], y, weight=mean, smooth=True)
    scale, loss = least(passed, np.eye(1) / len(evidence), np.zeros(1), logs=True)
    return float(scale[0]), loss
