"""The model file: a vocabulary of a million words, written, read, and asked for the first time."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.table import Row, milliseconds
from bench.timing import best
from likely import store
from likely.data import read
from likely.families import Block, Text
from likely.models.learned import Learned
from likely.models.naive_bayes import NaiveBayesModel
from likely.statistics import Counts, Frame, Tallies, Vocabulary

WORDS, CLASSES = 1_000_000, 20


def stored() -> Iterator[Row]:
    """A million words, each in some of 20 classes: saved, and loaded up to the answer to one text."""
    model = _model()
    text = " ".join(model.blocks[0].statistics.words[::4000])
    with TemporaryDirectory() as place:
        path = Path(place, "model.likely")

        def first() -> None:
            store.load(path).model.predict_proba(read([text]))

        def all_words() -> None:
            loaded = store.load(path).model
            loaded.blocks[0].statistics.words.table  # noqa: B018 - made here
            loaded.predict_proba(read([text]))

        store.save(path, model, store.Origin())
        lazily, eagerly = best(first, all_words)
        size = path.stat().st_size / 1e6
    what = f"{WORDS:,} words, {CLASSES} classes, {size:.0f} MB: loaded, one text"
    yield Row(what, milliseconds(lazily), "100 ms", "100 ms", 0.1 / lazily, 1)
    yield Row(what, milliseconds(lazily), "a table of all words", milliseconds(eagerly), eagerly / lazily)


def _model() -> NaiveBayesModel:
    rng = np.random.default_rng(0)
    words = Vocabulary.of(f"{number:x}" for number in rng.permutation(50 * WORDS)[:WORDS])
    sizes = np.minimum(rng.geometric(0.35, WORDS), CLASSES)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    first = np.repeat(rng.integers(CLASSES - sizes + 1), sizes)
    at = (first + np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)).astype(np.int32)
    rows = np.full((CLASSES, 1), 1000)
    tallies = Tallies(words, starts, at, rng.geometric(0.3, len(at)).astype(np.float64), rows.astype(np.float64))
    block = Block(Text(), [0], Frame(range(1)), None, tallies)
    return NaiveBayesModel(learned=Learned(range(1), ("text",), np.arange(CLASSES), Counts(rows), (block,)))
