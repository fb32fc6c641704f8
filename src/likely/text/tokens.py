"""How a text is read as tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.engines import threads
from likely.statistics import Tallies, Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array

TEXT_PIECE = 16 << 20
"""Bytes of text that a thread reads at a time. Each piece has words of its own, which are joined afterwards."""


def tokenize(text: str, lower: bool = True) -> list[str]:
    """The words of a text: exactly `re.findall(r"\\w\\w+", text.lower())`."""
    return _native.tokenize(text, lower)


@dataclass(frozen=True)
class Tokens:
    """What is counted of a text.

    Tokens are words, two or more letters, digits or underscores on end. With `ngrams=(1, 2)` they are single words and
    pairs of neighbours. With `characters` they are runs of so many characters, over the words with a space about each.

    `stop` words are passed over, before neighbours are paired. `hashing` is a number of buckets: tokens are then not
    kept, only counted by bucket, and memory is bounded. With `binary` a token counts once in a text; with `sublinear`
    1 + log(n) times if it is there n times.
    """

    ngrams: tuple[int, int] = (1, 1)
    lower: bool = True
    characters: bool = False
    stop: frozenset[str] | None = None
    hashing: int | None = None
    binary: bool = False
    sublinear: bool = False

    def __post_init__(self) -> None:
        shortest, longest = self.ngrams
        if not 1 <= shortest <= longest <= 100:
            raise ValueError(f"ngrams is (shortest, longest), of 1 to 100 tokens, not {self.ngrams}")
        if self.hashing is not None and not 1 <= self.hashing < 2**31:
            raise ValueError(f"hashing is a number of buckets from 1 to 2^31 - 1, not {self.hashing}")
        if self.stop is not None and not isinstance(self.stop, frozenset):
            object.__setattr__(self, "stop", frozenset(self.stop))

    def of(self, text: str) -> list[str]:
        """The different tokens of a text, in the order in which they first come."""
        words, *_ = _native.rows_of_texts(_native.Texts((text,)), 0, 1, (*self._reading[:-1], 0), self._stop, None)
        return list(Vocabulary(words))

    def matrix(
        self, texts: Sequence[str | None], vocabulary: Vocabulary | None = None
    ) -> tuple["csr_array", Vocabulary]:
        """How often each token is in each text, a row for a text and a column for a token; and the vocabulary.

        With a vocabulary given, of its words alone. A text that is None has an empty row.
        """
        from scipy.sparse import csr_array

        known = None if vocabulary is None else vocabulary.table
        given = _native.Texts(tuple(texts))
        parts = list(
            threads.each(
                lambda rows: _native.rows_of_texts(given, rows.start, rows.stop, self._reading, self._stop, known),
                _pieces(texts),
            )
        )
        words = Vocabulary.of(()) if vocabulary is None else vocabulary
        starts, indices = [np.zeros(1, np.int64)], []
        for found, ends, columns, _ in parts:
            if vocabulary is None and self.hashing is None:
                words, at = words.joined(Vocabulary(found))
                columns = at.astype(np.int32)[columns]
            starts.append(ends[1:] + starts[-1][-1])
            indices.append(columns)
        counts = np.concatenate([counts for *_, counts in parts])
        shape = len(given), self.hashing or len(words)
        return csr_array((counts, np.concatenate(indices), np.concatenate(starts)), shape=shape), words

    def tally(
        self,
        texts: Sequence[str | None],
        y: NDArray[np.int32],
        classes: int,
        weight: NDArray[np.float64] | None = None,
        vocabulary: Vocabulary | None = None,
    ) -> Tallies:
        """How often each token is in the texts of each class; `y` are codes of the classes.

        One pass over the texts, and no matrix of texts and tokens.
        """
        known = None if vocabulary is None else vocabulary.table
        given = _native.Texts(tuple(texts))
        there = np.fromiter((text is not None for text in texts), np.bool, len(given))

        def work(rows: slice) -> Tallies:
            codes, part = y[rows], None if weight is None else weight[rows]
            words, starts, at, totals = _native.tally_texts(
                given, rows.start, rows.stop, codes, part, classes, self._reading, self._stop, known
            )
            counted = np.bincount(codes, there[rows] * (1.0 if part is None else part), classes)[:, None]
            own = Vocabulary(words) if vocabulary is None else vocabulary
            return Tallies(None if self.hashing else own, starts, at, totals, counted)

        return threads.total(work, _pieces(texts))

    @property
    def _reading(self) -> tuple[bool, bool, int, int, bool, bool, int]:
        return self.lower, self.characters, *self.ngrams, self.binary, self.sublinear, self.hashing or 0

    @property
    def _stop(self) -> Any:
        return None if not self.stop else Vocabulary.of(sorted(self.stop)).table


def _pieces(texts: Sequence[str | None]) -> list[slice]:
    """Texts parted so that each piece has some megabytes."""
    sizes = np.fromiter((len(text or "") for text in texts), np.int64, len(texts))
    ends = np.cumsum(sizes) // TEXT_PIECE
    cuts = [0, *(np.flatnonzero(np.diff(ends)) + 1), len(texts)]
    return [slice(int(a), int(b)) for a, b in pairwise(cuts) if a < b] or [slice(0, 0)]
