"""Which rows were learned: a digest of bounded size, in which rows can be looked up and from which none can be read."""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

Marks = NDArray[np.uint32]

MOST = 1 << 15
"""The most rows that a digest holds, in at most 164 KB. Of more rows, it holds those whose hash ends in enough
zeros."""
OFTEN = 255
MARK = 24
"""Bits of a row's hash that are kept: few enough that many other rows share them, so a mark reveals no row."""


class KnownRows(NamedTuple):
    """What a digest says of rows."""

    checked: NDArray[np.bool]
    """Whether it can say anything of a row."""
    learned: NDArray[np.bool]
    """Whether a row equals one that was learned."""
    chance: float
    """The probability that a row that was not learned equals one that was: the share of learned rows that another
    learned row equals, and the probability that two different rows have the same mark."""


@dataclass(frozen=True, eq=False)
class RowDigest:
    """A sum as statistics are: digests of parts add up to that of the whole, in any order, and rows can be taken out.

    A mark is 24 bits of a hash of the row's cells and its class, and the number of zeros in which the rest ends. Of
    about one row in 2^level there is a mark: of those whose hash ends in `level` zeros. There is no salt: digests of
    several files must add up, and it would lie in the same file.
    """

    level: int
    marks: Marks
    """Sorted, each once."""
    times: NDArray[np.uint8]
    """How often each was learned. 255 means 255 times or more, and no longer changes."""

    def __post_init__(self) -> None:
        fits = self.marks.ndim == 1 and self.marks.shape == self.times.shape and 0 <= self.level <= 64 - MARK
        if not fits or not (self.times > 0).all() or not (self.marks[1:] > self.marks[:-1]).all():
            raise ValueError("the digest of learned rows is not in order")

    @classmethod
    def of(cls, marks: Marks) -> Self:
        found, times = np.unique(marks, return_counts=True)
        return cls(0, found, np.minimum(times, OFTEN).astype(np.uint8))._thinned()

    def __add__(self, other: Self) -> Self:
        return self._with(other, 1)

    def __sub__(self, other: Self) -> Self:
        """Without these rows; those that were never learned change nothing."""
        return self._with(other, -1)

    def _with(self, other: Self, sign: int) -> Self:
        level = max(self.level, other.level)
        mine, theirs = self._at(level), other._at(level)
        marks, at = np.unique(np.concatenate([mine.marks, theirs.marks]), return_inverse=True)
        times = np.zeros(len(marks), np.int64)
        np.add.at(times, at[: len(mine.marks)], mine.times)
        often = times == OFTEN
        np.add.at(times, at[len(mine.marks) :], sign * theirs.times.astype(np.int64))
        times[often | (times > OFTEN)] = OFTEN
        there = times > 0
        return type(self)(level, marks[there], times[there].astype(np.uint8))._thinned()

    def _thinned(self) -> Self:
        found = self
        while len(found.marks) > MOST and found.level < 64 - MARK:
            found = found._at(found.level + 1)
        return found

    def _at(self, level: int) -> Self:
        kept = _zeros(self.marks) >= level
        return type(self)(level, self.marks[kept], self.times[kept])

    def look_up(self, marks: Marks) -> KnownRows:
        checked = _zeros(marks) >= self.level
        total, alike = int(self.times.sum()), int(self.times[self.times > 1].sum())
        chance = alike / max(total, 1) + len(self.marks) * 2.0**-MARK
        return KnownRows(checked, checked & np.isin(marks, self.marks), min(chance, 1.0))


def _zeros(marks: Marks) -> Marks:
    return marks & np.uint32(0xFF)
