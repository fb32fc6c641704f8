"""Which columns depend on the class (by the Bayes factors of `likely.families.evidence`), and which pairs of columns
act together on it (by those of `likely.models.choosing.pairs`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from likely.data import Sample, read
from likely.data.sample import Array
from likely.families import Block
from likely.models.choosing.pairs import PairEvidence, ranked_pairs
from likely.printing import aligned
from likely.tabular import Cells, Tabular
from likely.typing import Classifier, Column, LabelsLike, TableLike
from likely.validation.learner import Model

SHOWN = 20
"""How many columns are printed: the most relevant and the least relevant ones."""


class PairFactor(NamedTuple):
    """Two columns, and the log Bayes factor of "they act together on the class" against "each by itself"."""

    first: Any
    second: Any
    log_factor: float


@dataclass(frozen=True, eq=False)
class Relevance(Tabular):
    """The log Bayes factor of each column for "depends on the class" against "does not depend", the largest first.

    See Also
    --------
    relevance : makes it.
    """

    columns: list[Any]
    log_factors: Array
    pairs: list[PairFactor] = field(default_factory=list)
    """Pairs of columns with the log Bayes factor of "they act together on the class" against "each by itself", the
    largest first."""

    def __getitem__(self, column: Any) -> float:
        if column not in self.columns:
            raise KeyError(f"there is no column {column!r}")
        return float(self.log_factors[self.columns.index(column)])

    def __len__(self) -> int:
        return len(self.columns)

    def cells(self) -> Cells:
        """The columns, then the pairs of columns."""
        pairs = {"column": [*self.columns, *(pair.first for pair in self.pairs)]}
        pairs["with"] = [None] * len(self.columns) + [pair.second for pair in self.pairs]
        return pairs | {"log Bayes factor": [*self.log_factors.tolist(), *(pair.log_factor for pair in self.pairs)]}

    @property
    def relevant(self) -> list[Column]:
        """The columns with more evidence for than against."""
        return [column for column, log_factor in zip(self.columns, self.log_factors, strict=True) if log_factor > 0]

    def __str__(self) -> str:
        lines: list[tuple[str, ...]] = [("column", "", "log Bayes factor")]
        lines += [(str(c), "", f"{f:.1f}") for c, f in zip(self.columns, self.log_factors, strict=True)]
        if len(lines) > SHOWN + 1:
            half = SHOWN // 2
            lines = [*lines[: half + 1], (f"{len(lines) - 1 - SHOWN} more", "", "..."), *lines[-half:]]
        together = [pair for pair in self.pairs[: SHOWN // 2] if pair.log_factor > 0]
        lines += [("act together", "", ""), *(_line(pair) for pair in together)] if together else []
        return aligned(lines)


def relevance(model: Classifier | Model, X: TableLike | None = None, y: LabelsLike | None = None) -> Relevance:
    """How informative each column is: the log Bayes factor of "depends on the class".

    It is computed from the sums of the model alone, in closed form. A log factor above 0 is evidence that a column
    depends on the class, as its family reads it; a difference of 3 is a factor of 20. If a model counts missing cells,
    whether a cell is missing is a separate column.

    Parameters
    ----------
    model : fitted classifier
        Naive Bayes, or a blend shrunk towards it.
    X : table, optional
        Rows, to rank pairs of columns too.
    y : labels, optional
        The class of each of these rows.

    Returns
    -------
    Relevance
        The columns, the most informative first, and the pairs.

    See Also
    --------
    weigh : compare whole models.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.validation import relevance
    >>> relevance(NaiveBayes().fit(X, y)).columns[0]
    'sightings'
    """
    known: Any = getattr(model, "model_", model)
    if not hasattr(known, "counts_rows"):
        raise ValueError(f"this {type(model).__name__} has learned nothing yet; call fit first")
    blocks: tuple[Block, ...] = (
        known.blocks if known.counts_rows or known.generative is None else known.generative.blocks
    )
    found = [
        (name, factor)
        for block in blocks
        for name, factor in zip(block.frame.columns, block.family.log_bayes_factor(block).tolist(), strict=True)
    ]
    found.sort(key=lambda pair: -pair[1])
    return Relevance([name for name, _ in found], np.array([factor for _, factor in found]), _pairs(known, X, y))


def _pairs(model: Any, x: Any, y: Any) -> list[PairFactor]:
    if x is not None:
        classes, codes = np.unique(np.asarray(y), return_inverse=True)
        evidence: Sequence[PairEvidence] = ranked_pairs(Sample(read(x), codes.astype(np.int32), classes))
    else:
        evidence = () if model.counts_rows else model.known.evidence
    names = model.names
    return [PairFactor(names[pair.first], names[pair.second], pair.log_factor) for pair in evidence]


def _line(pair: PairFactor) -> tuple[str, ...]:
    return f"{pair.first} × {pair.second}", "", f"{pair.log_factor:.1f}"
