"""Raw strings to models beside scikit-learn, fastText and Vowpal Wabbit: words whose frequencies follow Zipf's law."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from bench.corpora import newsgroups
from bench.table import Row, milliseconds
from bench.timing import Work, best, peak_memory
from likely import NaiveBayes
from likely.text import Tokens

PAIR_BYTES = 200
"""What a pair of a word and a class in which it was seen may take while texts are learned."""


def texts() -> Iterator[Row]:
    """80,000 texts of some 200 words of 300,000, 20 classes: about 110 MB."""
    x, y = _corpus(80_000, 300_000, 20)
    ours, peer = NaiveBayes("multinomial"), make_pipeline(CountVectorizer(), MultinomialNB())
    used = peak_memory(lambda: ours.fit(x, y), warm=False)
    pairs = ours.model_.known.blocks[0].statistics.totals.size
    name = f"Text 110 MB, memory of fit a word and class, of {pairs / 1e6:.1f}M"
    yield Row(name, f"{used / pairs:.0f} bytes", f"{PAIR_BYTES} bytes", "", PAIR_BYTES / max(used / pairs, 1), 1)
    yield from _beside("Text 110 MB", ours, peer, x, y, (25, 20, 15))
    (taken,) = best(lambda: ours.fit(x, y), seconds=1)
    with tempfile.TemporaryDirectory() as folder:
        for peer_name, work in _file_readers(Path(folder), x, y):
            (theirs,) = best(work, seconds=0, least=1)
            times = milliseconds(taken), peer_name, milliseconds(theirs)
            yield Row("Text 110 MB, strings to model", *times, theirs / taken, 1)


def words() -> Iterator[Row]:
    """20,000 texts of some 200 words of a million, 100 classes."""
    x, y = _corpus(20_000, 1_000_000, 100)
    peer = make_pipeline(CountVectorizer(), MultinomialNB())
    yield from _beside("Text, 1M words, 100 classes", NaiveBayes("multinomial"), peer, x, y, (None, None, None))


def news() -> Iterator[Row]:
    """The training posts of 20 Newsgroups."""
    posts = newsgroups()
    x, y = [text for text, held in zip(posts.texts, posts.test, strict=True) if not held], posts.y[~posts.test]
    peer = make_pipeline(CountVectorizer(), MultinomialNB())
    yield from _beside("20 Newsgroups", NaiveBayes("multinomial"), peer, x, y, (25, 20, 15))
    default = NaiveBayes()
    taken, theirs = best(lambda: default.fit(x, y), lambda: peer.fit(x, y), seconds=1, least=2)
    times = milliseconds(taken), "scikit-learn", milliseconds(theirs)
    yield Row("20 Newsgroups, strings to model, smoothing chosen", *times, theirs / taken)


def _beside(name: str, ours: Any, peer: Any, x: list[str], y: Any, targets: tuple[float | None, ...]) -> Iterator[Row]:
    works: dict[str, tuple[Work, Work]] = {
        "strings to model": (lambda: ours.fit(x, y), lambda: peer.fit(x, y)),
        "strings to classes": (lambda: ours.predict(x), lambda: peer.predict(x)),
        "strings to matrix": (lambda: Tokens().matrix(x), lambda: CountVectorizer().fit_transform(x)),
    }
    for (work, (mine, theirs)), target in zip(works.items(), targets, strict=True):
        taken, peers = best(mine, theirs, seconds=1, least=2)
        yield Row(f"{name}, {work}", milliseconds(taken), "scikit-learn", milliseconds(peers), peers / taken, target)


def _file_readers(folder: Path, x: list[str], y: Any) -> Iterator[tuple[str, Work]]:
    """Peers that read files of a form of their own: writing it is not counted, reading it is."""
    import fasttext
    import vowpalwabbit

    lines = folder / "fasttext", folder / "vw"
    lines[0].write_text("".join(f"__label__{k} {text}\n" for text, k in zip(x, y, strict=True)))
    lines[1].write_text("".join(f"{k + 1} | {text}\n" for text, k in zip(x, y, strict=True)))
    yield (
        "fastText supervised, 1 epoch, 2 threads",
        lambda: fasttext.train_supervised(str(lines[0]), epoch=1, thread=2, verbose=0),
    )
    options = f"--oaa {max(y) + 1} -b 20 --quiet -d {lines[1]}"
    yield "Vowpal Wabbit, 1 pass", lambda: vowpalwabbit.Workspace(options).finish()


def _corpus(texts: int, words: int, classes: int) -> tuple[list[str], NDArray[np.int64]]:
    rng = np.random.default_rng(6)
    names = np.array(
        [f"w{np.base_repr(i * 7919 % words, 36).lower() * (1 + (i % 3 == 0))}" for i in range(words)], object
    )
    lengths = rng.poisson(200, texts)
    ranks = np.minimum((words ** rng.random(lengths.sum())).astype(np.int64), words - 1)
    drawn, ends = names[ranks], np.cumsum(lengths)
    x = [" ".join(drawn[end - length : end]) for end, length in zip(ends, lengths, strict=True)]
    return x, rng.integers(0, classes, texts)
