"""Raw strings to models beside scikit-learn: about 100 MB of words whose frequencies follow Zipf's law."""

from collections.abc import Iterator

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from bench.table import Row, milliseconds
from bench.timing import best
from likely import NaiveBayes
from likely.text import Tokens

TEXTS, WORDS, LENGTH, CLASSES = 80_000, 300_000, 200, 20


def texts() -> Iterator[Row]:
    """80,000 texts of some 200 words of 300,000, 20 classes."""
    x, y = _corpus()
    ours, peer = NaiveBayes("multinomial"), make_pipeline(CountVectorizer(), MultinomialNB())
    works = {
        "strings to model": (lambda: ours.fit(x, y), lambda: peer.fit(x, y), 25),
        "strings to classes": (lambda: ours.predict(x), lambda: peer.predict(x), 20),
        "strings to matrix": (lambda: Tokens().matrix(x), lambda: CountVectorizer().fit_transform(x), 15),
    }
    for name, (mine, theirs, target) in works.items():
        taken, peers = best(mine, theirs, seconds=1, least=2)
        times = milliseconds(taken), "scikit-learn", milliseconds(peers)
        yield Row(f"Text 100 MB, {name}", *times, peers / taken, target)


def _corpus() -> tuple[list[str], np.ndarray]:
    rng = np.random.default_rng(6)
    words = np.array(
        [f"w{np.base_repr(i * 7919 % WORDS, 36).lower() * (1 + (i % 3 == 0))}" for i in range(WORDS)], object
    )
    lengths = rng.poisson(LENGTH, TEXTS)
    ranks = np.minimum((WORDS ** rng.random(lengths.sum())).astype(np.int64), WORDS - 1)
    drawn, ends = words[ranks], np.cumsum(lengths)
    x = [" ".join(drawn[end - length : end]) for end, length in zip(ends, lengths, strict=True)]
    return x, rng.integers(0, CLASSES, TEXTS)
