"""Drift: which columns of new rows differ from the learned rows.

A column has moved if it depends on whether a row is old or new. So it is judged in the same way as a column and the
class: by the Bayes factor of "depends" against "does not depend", from sums alone. Of the columns that are reported, a
share of `FALSE` is expected not to have moved (the false discovery rate).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import numpy as np

from likely.data import Sample, Table, read
from likely.families import Block
from likely.models.learned import Learned, count
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import aligned, number, probability
from likely.statistics import Counts
from likely.tabular import Cells, Tabular
from likely.typing import Classifier, TableLike
from likely.validation.class_shift import ClassShift, shift_of
from likely.validation.learner import Model
from likely.validation.measures import Array

FALSE = 0.05
"""The expected share of columns that did not move, among those that are reported as moved."""

ROWS = 10_000
"""The most new rows to measure the size of a change on, evenly spaced in a larger table."""

SIZES = "Divergence: 0.02 is small, like a mean that moves by a fifth of its standard deviation; 0.5 is a whole one."

NEW, OLD = np.array(["new"]), np.array(["old"])


class ColumnDrift(NamedTuple):
    column: Any
    moved: bool
    log_bayes_factor: float
    """Of "moved" against "did not move"."""
    divergence: float
    """The Kullback-Leibler divergence of the new values from the old, in nats per row: 0.02 is a shift of a mean by a
    fifth of a standard deviation."""
    change: str
    """The parameters that changed most, before and after."""


@dataclass(frozen=True, eq=False)
class Drift(Tabular):
    """The columns, the most changed first. `print(drift)` shows a line for each that moved.

    See Also
    --------
    drift : makes it.
    """

    columns: list[ColumnDrift]
    classes: ClassShift | None = None
    """The shares of the classes among the new rows, as a model with calibrated probabilities estimates them."""
    within: list[ColumnDrift] | None = None
    """The columns that moved by more than these shares explain. They break the assumption of the estimate of the
    shares."""

    @property
    def moved(self) -> list[ColumnDrift]:
        return [one for one in self.columns if one.moved]

    def cells(self) -> Cells:
        return {name: [getattr(one, name) for one in self.columns] for name in ColumnDrift._fields}

    @property
    def caption(self) -> str:
        return f"{len(self.moved)} of {len(self.columns)} columns moved."

    def __str__(self) -> str:
        moved = self.moved
        lines: list[tuple[str, ...]] = [("column", "old to new", "divergence")]
        lines += [(str(one.column), one.change, f"{one.divergence:.3f}") for one in moved]
        shares = [] if self.classes is None else [str(self.classes), *self._explained()]
        return "\n".join([self.caption, *([aligned(lines, "<<>"), SIZES] if moved else []), *shares])

    def _explained(self) -> list[str]:
        """Whether the columns moved because the classes did."""
        if not self.within:
            return ["These shares explain how the columns moved."] if self.moved and self.classes_moved else []
        names = ", ".join(str(moved.column) for moved in self.within[:3]) + (", ..." if len(self.within) > 3 else "")
        which = f"Column {names}" if len(self.within) == 1 else f"{len(self.within)} columns ({names})"
        return [
            f"{which} moved within classes too, but “after” assumes no such change: use the mean prediction instead."
        ]

    @property
    def classes_moved(self) -> bool:
        return self.classes is not None and self.classes.moved


def drift(old: Classifier | Model | TableLike, new: TableLike) -> Drift:
    """Compares the distribution of each column in new rows with that in the rows learned.

    Parameters
    ----------
    old : fitted classifier or table
        A model that counts rows is enough; its rows are not needed. The columns of a table are read as naive Bayes
        reads them.
    new : table
        New rows; they need no labels.

    Returns
    -------
    Drift
        The columns, the most changed first; `print` shows those that moved. For a classifier with `calibrate=True`,
        also the shares of the classes: without calibration, they would seem to shift when they do not.

    See Also
    --------
    class_shift : whether the classes have other shares.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.validation import drift
    >>> model = NaiveBayes().fit(X, y)
    >>> [one.column for one in drift(model, X.assign(shoulder_cm=X["shoulder_cm"] * 2)).moved]
    ['shoulder_cm']
    """
    inner: Any = getattr(old, "model_", old)
    if not isinstance(inner, NaiveBayesModel):
        if hasattr(inner, "unlearned"):
            raise TypeError(
                f"{inner.name} keeps no distribution of its columns; compare the old table with the new one"
            )
        return _drift(_learned(read(old)), read(new))
    found = _drift(_of_all_classes(inner.known), read(new, getattr(old, "missing_values", None)))
    if getattr(old, "calibration_", None) is None:
        return found
    return with_classes(found, inner, read(new, getattr(old, "missing_values", None)), shift_of(old, new))


def with_classes(found: Drift, model: NaiveBayesModel, new: Table, shift: ClassShift) -> Drift:
    """The drift with the new shares of the classes, and the columns that these do not explain.

    For that, the old sums of each class are scaled to its new share, and compared with the new rows. No class is scaled
    up, so that the evidence is not overstated.
    """
    ratio = np.divide(shift.after, shift.before, out=np.zeros(len(shift.after)), where=shift.before > 0)
    beyond = _drift(_of_all_classes(model.known, ratio / max(float(ratio.max()), 1e-300)), new)
    moved = {one.column for one in found.moved}
    return replace(found, classes=shift, within=[one for one in beyond.moved if one.column in moved])


def _learned(table: Table) -> Learned:
    rows = Sample(table, np.zeros(table.rows, np.int32), OLD)
    return NaiveBayesModel(missing="value", column_weights=False).learn(rows).known


def _of_all_classes(learned: Learned, parts: Array | None = None) -> Learned:
    """The sums of all classes added up to one class; `parts` is the factor of each class."""

    def together(statistics: Any) -> Any:
        each = [statistics.of_some_classes(slice(k, k + 1)) for k in range(len(learned.classes))]
        return reduce(
            add, each if parts is None else [one * part for one, part in zip(each, parts.tolist(), strict=True)]
        )

    blocks = tuple(
        replace(block, column_weights=None, statistics=together(block.statistics)) for block in learned.blocks
    )
    rows = Counts(
        (learned.rows.table if parts is None else learned.rows.table * parts[:, None]).sum(axis=0, keepdims=True)
    )
    return replace(learned, classes=OLD, rows=rows, blocks=blocks)


def _drift(before: Learned, table: Table) -> Drift:
    table.must_have(before.names)
    sample = Sample(table, np.zeros(table.rows, np.int32), NEW)
    both = before + count(before.blocks, sample)
    judged = sample.at_most(ROWS).among(both.classes)
    found = [one for block in both.blocks for one in _of_block(block, judged)]
    found.sort(key=lambda one: -one.log_bayes_factor)
    return Drift(_flagged(found))


def _of_block(block: Block, sample: Sample) -> list[ColumnDrift]:
    factors = block.family.log_bayes_factor(block)
    new, old = 0, 1  # in the order of the labels
    parts = block.family.loo_contributions(block, block.observe(sample))
    far: Array = (parts[:, new] - parts[:, old]).mean(axis=0)
    lines = list(block.family.describe(block.parameters, block.frame))
    found = []
    for at, (name, factor) in enumerate(zip(block.frame.columns, factors.tolist(), strict=True)):
        own = sorted((line for line in lines if line.column == at), key=lambda line: -_change(*line.values[[old, new]]))
        change = ", ".join(_shown(line.name, *line.values[[old, new]]) for line in own[:2])
        if factor > 0 or not block.family.marks_missing:  # the column of missing cells is shown only if it moved
            found.append(ColumnDrift(name, False, factor, float(far[at]), change))
    return found


def _change(before: float, after: float) -> float:
    """The size of a change, relative to its variance as in a chi-square statistic: so a change between two low
    probabilities does not rank first."""
    return (after - before) ** 2 / max(abs(before) + abs(after), 1e-300)


def _shown(name: str, before: float, after: float) -> str:
    """A change of a probability as a sentence about shares of rows."""
    thing = name.removeprefix("probability of ")
    show = number if thing == name else probability
    return f"{thing}: {show(before)} to {show(after)}"


def _flagged(found: list[ColumnDrift]) -> list[ColumnDrift]:
    """The columns that moved: the first ones for which the mean probability of "did not move" is at most `FALSE`, each
    with a Bayes factor above 1. The prior probability is one half."""
    not_moved = 1 / (1 + np.exp(np.clip([one.log_bayes_factor for one in found], -700, 700)))
    share = np.cumsum(not_moved) / np.arange(1, len(found) + 1)
    moved = (share <= FALSE) & (not_moved < 0.5)
    return [one._replace(moved=bool(ok)) for one, ok in zip(found, moved, strict=True)]
