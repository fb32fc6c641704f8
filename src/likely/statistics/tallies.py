"""How often each word occurs in the texts of each class. The families of texts count this."""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.errors import NeverLearned
from likely.statistics.labels import Placement
from likely.statistics.sums import Statistics, check_numbers
from likely.statistics.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class Tallies(Statistics):
    """A sparse table: totals of only those pairs of a word and a class that have been seen. With a million words and a
    hundred classes, most words are in few classes. The words are stored with their totals, and two tallies are aligned
    by word when they are added.

    `at[starts[i]:starts[i + 1]]` are the classes in which word i has been seen, and the same slice of `totals` is how
    often.
    """

    words: Vocabulary | None
    """None if words are hashed, and tokens are numbers of buckets."""
    starts: NDArray[np.int64]
    at: NDArray[np.int32]
    totals: NDArray[np.float64]
    """Whole numbers, and so exact, unless rows had weights."""
    texts: NDArray[Any]
    """The number of texts of each class: classes x 1."""
    fixed: bool = False
    """Whether the words are a fixed vocabulary or buckets, which stay when their totals become 0."""

    def __add__(self, other: Self) -> Self:
        return self._summed(other, 1.0, self.texts + other.texts)

    def __sub__(self, other: Self) -> Self:
        texts = self.texts - other.texts
        less = texts < -1e-9 * (1 + np.abs(self.texts))
        if less.any():
            raise NeverLearned(int(np.argmax(less)), 0)
        left = self._summed(other, -1.0, np.maximum(texts, 0))
        beyond = (left.of_classes() > 0) & (left.texts[:, 0] <= 1e-9 * self.texts[:, 0])  # words without a text
        if beyond.any():
            raise NeverLearned(int(np.argmax(beyond)), 0)
        return left if left.fixed else left.of_cells(np.diff(left.starts) > 0)

    def _summed(self, other: Self, sign: float, texts: NDArray[Any]) -> Self:
        words, at, size = None, np.arange(len(other.starts) - 1), len(self.starts) - 1
        if (self.words is None) != (other.words is None) or (self.words is None and len(at) != size):
            raise ValueError("tallies of words and of buckets, or of different numbers of buckets, do not add")
        if self.words is not None and other.words is not None:
            words, at = self.words.joined(other.words)
            size = len(words)
        theirs = other.starts, other.at, other.totals
        starts, pairs, totals, of_class, word = _native.add_tallies(
            self.starts, self.at, self.totals, *theirs, at, size, sign
        )
        if word >= 0:
            raise NeverLearned(of_class, word)
        return type(self)(words, starts, pairs, totals, texts, self.fixed)

    def __mul__(self, factor: float) -> Self:
        return replace(self, totals=self.totals * factor, texts=self.texts * factor)

    @property
    def present(self) -> NDArray[Any]:
        return self.texts

    @property
    def classes(self) -> int:
        return len(self.texts)

    def placed(self, classes: Placement | None, cells: Placement | None) -> Self:
        if classes is None:
            return self
        texts = np.zeros((classes.size, 1), self.texts.dtype)
        texts[classes.at] = self.texts
        return replace(self, at=classes.at.astype(np.int32)[self.at], texts=texts)

    def of_cells(self, kept: NDArray[np.bool]) -> Self:
        """The totals of some of the words."""
        if self.words is None or kept.all():
            return self
        sizes = np.diff(self.starts)
        pairs = np.repeat(kept, sizes)
        starts = np.concatenate([[0], np.cumsum(sizes[kept])])
        return replace(self, words=self.words.chosen(kept), starts=starts, at=self.at[pairs], totals=self.totals[pairs])

    def of_numbers(self, words: Vocabulary, numbers: NDArray[np.int64]) -> Self:
        """The totals of `words`, whose numbers in this tally are `numbers`; those with -1 are not in the result."""
        kept = numbers >= 0
        first, last = self.starts[numbers[kept]], self.starts[numbers[kept] + 1]
        starts = np.concatenate([[0], np.cumsum(last - first)])
        pairs = np.arange(starts[-1]) + np.repeat(first - starts[:-1], last - first)
        return replace(self, words=words.chosen(kept), starts=starts, at=self.at[pairs], totals=self.totals[pairs])

    def of_some_classes(self, at: slice) -> Self:
        first, last, _ = at.indices(self.classes)
        kept = (self.at >= first) & (self.at < last)
        starts = np.concatenate([[0], np.cumsum(kept)])[self.starts]
        part = replace(
            self, starts=starts, at=self.at[kept] - np.int32(first), totals=self.totals[kept], texts=self.texts[at]
        )
        return part if part.fixed else part.of_cells(np.diff(starts) > 0)

    def check(self, classes: int, cells: int) -> None:
        """`cells` is the number of buckets, if words are hashed."""
        starts, at = self.starts, self.at
        size = cells if self.words is None else len(self.words)
        fits = starts.dtype == np.int64 and at.dtype == np.int32 and self.totals.dtype == np.float64
        fits = fits and starts.ndim == at.ndim == 1 and at.shape == self.totals.shape
        fits = fits and self.texts.shape == (classes, 1) and isinstance(self.fixed, bool)
        fits = fits and len(starts) == size + 1 and starts[0] == 0 and starts[-1] == len(at)
        if not fits or (np.diff(starts) < 0).any():
            raise ValueError("a tally is not in order")
        if at.size and (at.min() < 0 or at.max() >= classes):
            raise ValueError("a tally names a class that is not there")
        check_numbers("totals", self.totals)
        check_numbers("texts", self.texts)

    def of_words(self) -> NDArray[np.float64]:
        """The total of each word, over all classes."""
        size = len(self.starts) - 1
        return np.bincount(np.repeat(np.arange(size), np.diff(self.starts)), self.totals, size).astype(np.float64)

    def of_classes(self) -> NDArray[np.float64]:
        """The total of each class, over all words."""
        return np.bincount(self.at, self.totals, self.classes).astype(np.float64)

    def differences(self) -> NDArray[np.float64]:
        """For each word, the sum over classes of |total - expected|; expected if all classes used it equally often."""
        of_words, size = self.of_words(), len(self.starts) - 1
        rates = self.of_classes() / max(self.totals.sum(), 1e-300)
        word = np.repeat(np.arange(size), np.diff(self.starts))
        apart = np.abs(self.totals - of_words[word] * rates[self.at])
        return np.bincount(word, apart, size).astype(np.float64)
