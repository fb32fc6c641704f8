"""A random sample of rows in parts. The samples of parts add up to a sample of all rows."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from likely.data import Sample
from likely.data.row_marks import mixed
from likely.statistics import Labels

MOST_ROWS = 100_000
MOST_BYTES = 32 << 20
"""The 95 % interval of an error on 100,000 rows is at most 0.6 % wide; more rows would add little."""
FEW = 1_000
"""The sample keeps this many rows, however large they are."""
SURELY = 1.1
"""A hash that selects each row with probability 1/2 almost surely selects between 1 / SURELY and SURELY times half of
the rows."""


def least_step(rows: int, size: int) -> int:
    """The largest step that the sample of a table with at least these rows and bytes is almost sure to reach."""
    step = 1
    while rows > SURELY * MOST_ROWS * step or (rows > SURELY * FEW * step and size > SURELY * MOST_BYTES * step):
        step *= 2
    return step


@dataclass(frozen=True, eq=False)
class RowSample:
    """Rows chosen by a hash of their place. So the sample does not depend on the order of rows, on a period in them, on
    the division into parts, or on the order of addition."""

    rows: int
    """The number of rows of all parts so far."""
    step: int
    """About one row in `step`, a power of 2, is in the sample."""
    samples: tuple[Sample, ...]
    places: tuple[NDArray[np.int64], ...]

    @classmethod
    def of(cls, sample: Sample, place: int, step: int = 1) -> Self:
        """The sample of a part whose first row has this place. Its step is at least `step`, which is a lower bound on
        the step of the sample of all rows."""
        return cls(len(sample), 1, (sample,), (place + np.arange(len(sample)),))._at(step)._thinned()

    def __add__(self, other: Self) -> Self:
        step = max(self.step, other.step)
        mine, theirs = self._at(step), other._at(step)
        rows = self.rows + other.rows
        return type(self)(rows, step, mine.samples + theirs.samples, mine.places + theirs.places)._thinned()

    @property
    def count(self) -> int:
        return sum(map(len, self.places))

    def _thinned(self) -> Self:
        """The sample with the step doubled until it is within MOST_ROWS and MOST_BYTES."""
        thinned = self
        while thinned.count > MOST_ROWS or (thinned.count > FEW and thinned._bytes > MOST_BYTES):
            thinned = thinned._at(2 * thinned.step)
        return thinned

    @property
    def _bytes(self) -> int:
        return sum(len(sample) * sample.table.row_bytes for sample in self.samples)

    def _at(self, step: int) -> Self:
        if step == self.step:
            return self
        kept = [np.flatnonzero(mixed(places.astype(np.uint64)) % np.uint64(step) == 0) for places in self.places]
        samples = tuple(sample.take(rows) for sample, rows in zip(self.samples, kept, strict=True))
        places = tuple(places[rows] for places, rows in zip(self.places, kept, strict=True))
        return type(self)(self.rows, step, samples, places)

    @property
    def at(self) -> NDArray[np.int64]:
        """The places of the sampled rows."""
        return np.concatenate(self.places)

    @property
    def joined(self) -> Sample:
        """The sampled rows."""
        first, *others = self.samples
        return first.joined(others)

    def sample(self, classes: Labels) -> Sample:
        """The sampled rows, with their classes as positions in `classes`."""
        return self.joined.among(classes)
