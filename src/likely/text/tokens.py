"""How a text is read as tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads
from likely.priors import short
from likely.statistics import Tallies, Vocabulary
from likely.text.texts import Texts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

TEXT_PIECE = 16 << 20
"""Bytes of text that a thread reads at a time. Each piece has its own vocabulary; they are joined afterwards."""


def tokenize(text: str, lower: bool = True) -> list[str]:
    """The words of a text: exactly `re.findall(r"\\w\\w+", text.lower())`."""
    return _native.tokenize(text, lower)


@dataclass(frozen=True, repr=False)
class Tokens:
    """Which tokens of a text are counted, and how.

    Tokens are words: two or more letters, digits or underscores in a row. With `ngrams=(1, 2)` they are single words
    and pairs of neighbours. With `whole` a word is everything between white space, such as "from:ann@example.org".
    With `characters` tokens are n-grams of characters of each word, with a space before and after it.

    `stop` words are ignored, before neighbours are paired. `hashing` is a number of buckets: then words are not stored,
    only counts of buckets, so that memory is bounded. With `binary` a token counts once in a text; with `sublinear`
    1 + log(n) times if it occurs n times. With `root` the counts of a text of n tokens are divided by sqrt(n), so that
    they sum to sqrt(n): the words of a text are correlated, and the hundredth adds less than the first. A token with a
    total below `minimum` is counted but unknown: it adds nothing to scores.
    """

    ngrams: tuple[int, int] = (1, 1)
    lower: bool = True
    minimum: float = 1
    whole: bool = False
    characters: bool = False
    stop: frozenset[str] | None = None
    hashing: int | None = None
    binary: bool = False
    sublinear: bool = False
    root: bool = False

    def __post_init__(self) -> None:
        shortest, longest = self.ngrams
        whole_numbers = isinstance(shortest, int) and isinstance(longest, int)
        if not (whole_numbers and 1 <= shortest <= longest <= 100):
            raise ValueError(f"ngrams is (shortest, longest), of 1 to 100 tokens, not {self.ngrams}")
        if not 1 <= self.minimum < float("inf"):
            raise ValueError(f"minimum is how often a token must have been counted, 1 or more, not {self.minimum}")
        if self.hashing is not None and not 1 <= self.hashing < 2**31:
            raise ValueError(f"hashing is a number of buckets from 1 to 2^31 - 1, not {self.hashing}")
        if isinstance(self.stop, str):
            raise ValueError(f"stop is a set of words, not {self.stop!r}")
        if self.stop is not None:
            words = (word.lower() for word in self.stop) if self.lower else self.stop
            object.__setattr__(self, "stop", frozenset(words))

    def __repr__(self) -> str:
        return short(self)

    def of(self, text: str) -> list[str]:
        """The different tokens of a text, by their first occurrence."""
        texts, start, end = Texts.of((text,)).span
        words, *_ = _native.rows_of_texts(texts, start, end, (*self.reading[:-1], 0), self.stopped, None)
        return list(Vocabulary(words))

    def matrix(
        self, texts: Texts | Sequence[str | None], vocabulary: Vocabulary | None = None
    ) -> tuple["csr_array", Vocabulary]:
        """The count of each token in each text, a row for a text and a column for a token; and the vocabulary.

        Columns are the words of `vocabulary` or, if it is None, all tokens with a total of `minimum` or more. A text
        that is None has an empty row.
        """
        from scipy.sparse import csr_array

        texts = texts if isinstance(texts, Texts) else Texts.of(texts)
        parts = list(threads.each(lambda rows: self.rows(texts[rows], vocabulary), _pieces(texts)))
        words = Vocabulary.of(()) if vocabulary is None else vocabulary
        starts, indices = [np.zeros(1, np.int64)], []
        for part_words, ends, columns, _ in parts:
            if vocabulary is None and self.hashing is None:
                words, at = words.joined(part_words)
                columns = at.astype(np.int32)[columns]
            starts.append(ends[1:] + starts[-1][-1])
            indices.append(columns)
        counts = np.concatenate([counts for *_, counts in parts])
        shape = len(texts), self.hashing or len(words)
        rows = np.concatenate(starts)
        rows = rows.astype(np.int32) if rows[-1] < 2**31 else rows  # scikit-learn's solvers need int32
        matrix = csr_array((counts, np.concatenate(indices), rows), shape=shape)
        if self.minimum > 1 and vocabulary is None and self.hashing is None:
            often = matrix.sum(axis=0) >= self.minimum
            matrix, words = matrix[:, often], words.chosen(often)
        return matrix, words

    def rows(
        self, texts: Texts, vocabulary: Vocabulary | None
    ) -> tuple[Vocabulary, NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """`matrix` by one thread: the words, and the starts of rows, the tokens in them and their counts."""
        known = None if vocabulary is None else vocabulary.table
        words, *rows = _native.rows_of_texts(*texts.span, self.reading, self.stopped, known)
        return Vocabulary(words), *rows  # type: ignore[return-value]

    def tally(
        self,
        texts: Texts | Sequence[str | None],
        y: NDArray[np.int32],
        classes: int,
        weight: NDArray[np.float64] | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> Tallies:
        """How often each token occurs in the texts of each class; `y` has the class codes.

        It takes one pass over the texts, without a matrix of texts and tokens.
        """
        texts = texts if isinstance(texts, Texts) else Texts.of(texts)
        for values in (y,) if weight is None else (y, weight):
            if len(values) != len(texts):
                raise ValueError(f"there are {len(texts)} texts, and {len(values)} classes or weights for them")

        def work(rows: slice) -> Tallies:
            part = None if weight is None else weight[rows]
            return self.tally_piece(texts[rows], y[rows], classes, part, vocabulary)

        return threads.total(work, _pieces(texts))

    def tally_piece(
        self,
        texts: Texts,
        y: NDArray[np.int32],
        classes: int,
        weight: NDArray[np.float64] | None,
        vocabulary: Vocabulary | None,
    ) -> Tallies:
        """`tally` by one thread."""
        known = None if vocabulary is None else vocabulary.table
        words, starts, at, totals = _native.tally_texts(
            *texts.span, y, weight, classes, self.reading, self.stopped, known
        )
        counted = np.bincount(y, texts.there() * (1.0 if weight is None else weight), classes)[:, None]
        if self.hashing is not None:
            return Tallies(None, starts, at, totals, counted, fixed=True)
        own = Vocabulary(words) if vocabulary is None else vocabulary
        return Tallies(own, starts, at, totals, counted, fixed=vocabulary is not None)

    @property
    def reading(self) -> tuple[bool, bool, bool, int, int, bool, bool, bool, int]:
        """The options as the argument of kernels."""
        how = self.lower, self.whole, self.characters
        return *how, *self.ngrams, self.binary, self.sublinear, self.root, self.hashing or 0

    @property
    def stopped(self) -> _native.Words | None:
        """The stop words as the argument of kernels."""
        return _table(self.stop) if self.stop else None


@lru_cache(maxsize=16)
def _table(words: frozenset[str]) -> _native.Words:
    return Vocabulary.of(sorted(words)).table


def _pieces(texts: Texts) -> list[slice]:
    """Slices of texts with about `TEXT_PIECE` bytes each."""
    parts = np.cumsum(texts.sizes()) // TEXT_PIECE
    cuts = [0, *(np.flatnonzero(np.diff(parts)) + 1), len(texts)]
    return [slice(int(a), int(b)) for a, b in pairwise(cuts) if a < b] or [slice(0, 0)]
