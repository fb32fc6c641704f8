"""The audit of rows in parts, such as on a cluster: labels that may be wrong, and where they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from likely.printing import aligned
from likely.statistics import Labels
from likely.tabular import Cells, Tabular
from likely.validation.measures import Array, Codes
from likely.validation.mislabelled import SHOWN, headline, least_share, spoken_against

REMEMBERED = 1000
"""The most rows whose place is kept."""

STEPS, LEAST = 64, 37
"""Log probabilities are counted in bins of width 1 / STEPS, down to -LEAST: no calibrated one is lower."""


class PartSuspect(NamedTuple):
    partition: int
    row: int
    """Its position in its partition, from 0."""
    label: Any
    looks_like: Any
    probability: float
    """The leave-one-out probability of its label."""


@dataclass(frozen=True, eq=False)
class PartAudit(Tabular):
    """The rows with the least probable labels. The audits of parts add up to the audit of all rows."""

    classes: Labels
    rows: int
    fits: Array
    """Counts by probability, the most probable first: of pairs of a row and a class, of pairs of a row and its label,
    and of those of the latter that the columns are evidence against."""
    least: tuple[PartSuspect, ...] = ()
    """The least probable of the labels that the columns are evidence against, the least probable first; not all of them
    are suspect."""

    @classmethod
    def empty(cls, classes: Labels) -> Self:
        return cls(classes, 0, np.zeros((3, STEPS * LEAST)))

    @classmethod
    def of(cls, classes: Labels, p: Array, y: Codes, share: Array, number: int, first: int = 0) -> Self:
        """The audit of the rows of part `number`, from its row `first` on, by their calibrated leave-one-out
        probabilities. `share` is the share of each class among the rows of all parts."""
        with np.errstate(divide="ignore"):
            at = np.minimum(-np.log(p) * STEPS, STEPS * LEAST - 1).astype(np.int64)
        own = np.take_along_axis(p, y[:, None], axis=1)[:, 0]
        labels = np.take_along_axis(at, y[:, None], axis=1)[:, 0]
        against = np.flatnonzero(spoken_against(p, y, share))
        binned = (at.ravel(), labels, labels[against])
        fits = np.array([np.bincount(bins, minlength=STEPS * LEAST) for bins in binned], np.float64)
        chosen = against[np.argsort(own[against], kind="stable")][:REMEMBERED]
        others = p[chosen]
        others[np.arange(len(chosen)), y[chosen]] = -1.0
        named, instead = classes[y[chosen]].tolist(), classes[others.argmax(axis=1)].tolist()
        least = tuple(
            PartSuspect(number, first + int(row), label, other, float(own[row]))
            for row, label, other in zip(chosen, named, instead, strict=True)
        )
        return cls(classes, len(y), fits, least)

    def __add__(self, other: Self) -> Self:
        least = sorted((*self.least, *other.least), key=lambda one: (one.probability, one[:2]))[:REMEMBERED]
        return type(self)(self.classes, self.rows + other.rows, self.fits + other.fits, tuple(least))

    def __len__(self) -> int:
        """How many labels are more probably wrong than right."""
        most = 2 * self._floor
        found = sum(one.probability <= most for one in self.least)
        if found < REMEMBERED:
            return found
        return max(found, int(self.fits[2, int(np.ceil(-np.log(min(most, 1.0)) * STEPS)) :].sum()))

    @property
    def noise(self) -> float:
        """The estimated share of wrong labels."""
        return min(1.0, self._floor * (len(self.classes) - 1))

    @property
    def _floor(self) -> float:
        pairs, labels = self.fits[:2, self.fits[0] > 0][:, ::-1]
        return max(least_share(labels, pairs), 1 / self.rows)

    @property
    def suspects(self) -> tuple[PartSuspect, ...]:
        """The rows whose label is suspect, the least probable first; at most REMEMBERED of them."""
        return self.least[: len(self)]

    def cells(self) -> Cells:
        """The suspects."""
        return {name: [getattr(suspect, name) for suspect in self.suspects] for name in PartSuspect._fields}

    def __str__(self) -> str:
        return self.shown([f"{suspect.partition}, row {suspect.row}" for suspect in self.suspects[:SHOWN]], "partition")

    def shown(self, places: list[str], where: str) -> str:
        """The first suspects as a table, with the place of each."""
        if not len(self):
            return f"none of {self.rows:,} rows is surprising"
        lines: list[tuple[str, ...]] = [(where, "label", "probability", "looks like")]
        for one, place in zip(self.suspects, places, strict=False):
            lines.append((place, str(one.label), f"{one.probability:.4f}", str(one.looks_like)))
        more = [f"and {len(self) - len(places):,} more"] if len(self) > len(places) else []
        return "\n".join([headline(len(self), self.rows), aligned(lines), *more])
