"""Everything that one pass computes of a part of the rows. The totals of parts add up to those of all rows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from likely.data import Sample
from likely.data.row_digest import RowDigest
from likely.data.unread import UnreadCells
from likely.engines.engine import FAN
from likely.families import Plan
from likely.fitting.row_sample import RowSample
from likely.models.learned import Learned, count

Plans = Mapping[str, Sequence[Plan]]
"""The plans of several models, by their names."""

MOST_CLASSES = 10_000
"""The most classes. With 50,000 the probabilities of the validated rows alone would take 18.6 GiB."""


MOST_SHIPPED = 1 << 30
"""The most bytes of statistics on a cluster, where a task adds FAN of them. Those of a million words in 20 classes are
0.25 GB."""


@dataclass(frozen=True, eq=False)
class PartTotals:
    """The statistics of models, a sample of the rows, and some counts of them. Those of an empty part are empty."""

    counted: Mapping[str, Learned] = field(default_factory=dict)
    sample: RowSample | None = None
    classes: Counter[Any] = field(default_factory=Counter)
    """The number of rows of each class."""
    missing: Counter[str] = field(default_factory=Counter)
    """The number of missing cells of each column, if the caller has counted them."""
    unread: UnreadCells = field(default_factory=UnreadCells)
    """The cells of columns in files that do not have the column's type."""
    digest: RowDigest | None = None
    """The digest of the rows, if the caller has computed it."""
    shipped: bool = False
    """Whether statistics are sent between machines, and so must not be too large."""

    @classmethod
    def of(cls, plans: Plans, sample: Sample, place: int, step: int = 1) -> Self:
        """The totals of a part whose first row has this place, with a sample of at most one row in `step`."""
        if not len(sample):
            return cls()
        rows = np.bincount(sample.y, minlength=len(sample.classes)).tolist()
        classes = Counter({label: n for label, n in zip(sample.classes.tolist(), rows, strict=True) if n})
        counted = {name: count(each, sample) for name, each in plans.items()}
        return cls(counted, RowSample.of(sample, place, step), _limited(classes))

    def __add__(self, other: Self) -> Self:
        if other.sample is None or self.sample is None:
            return self if other.sample is None else other
        counted = {name: learned + other.counted[name] for name, learned in self.counted.items()}
        if self.shipped:
            refuse_large(counted)
        return replace(
            self,
            counted=counted,
            sample=self.sample + other.sample,
            classes=_limited(self.classes + other.classes),
            missing=Counter({name: n + other.missing[name] for name, n in self.missing.items()}),
            unread=self.unread + other.unread,
            digest=None if self.digest is None or other.digest is None else self.digest + other.digest,
        )

    @property
    def count(self) -> int:
        return 0 if self.sample is None else self.sample.rows

    @property
    def rows(self) -> RowSample:
        if self.sample is None:
            raise ValueError("there are no rows to learn from")
        return self.sample


def refuse_large(counted: Mapping[str, Learned]) -> None:
    """Raises ValueError if statistics are too large to be added in the memory of a worker; names the largest column."""
    sizes = {
        block.frame.columns[0]: sum(getattr(array, "nbytes", 0) for array in block.statistics.arrays().values())
        for learned in counted.values()
        for block in learned.blocks
    }
    if sum(sizes.values()) > MOST_SHIPPED:
        column = max(sizes, key=lambda name: sizes[name])
        raise ValueError(
            f"what is counted of column {column!r} takes {sizes[column] / 1e9:.3g} GB, and a worker adds {FAN} of "
            "these at a time; count words in buckets, as Tokens(hashing=2**22) does, or leave out identifiers"
        )


def _limited(classes: Counter[Any]) -> Counter[Any]:
    if len(classes) > MOST_CLASSES:
        raise ValueError(
            f"there are more than {MOST_CLASSES:,} classes: the target looks like a number or an identifier"
        )
    return classes
