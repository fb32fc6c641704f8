"""Whether a cell is missing, for a column of any kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.data.table import Kind, Labels, Table
from likely.families.bernoulli import Bernoulli
from likely.families.block import Plan
from likely.families.family import Family
from likely.families.formula import Cell
from likely.priors import Laplace, Prior
from likely.statistics import Frame


@dataclass(frozen=True, repr=False)
class Missing(Bernoulli):
    """Bernoulli of an indicator that is 1 where the column's cell is missing.

    See Also
    --------
    likely.NaiveBayes : `missing="value"` and `missing="auto"` make it.
    """

    prior: Prior = Laplace()
    threshold: float | None = None
    auto: ClassVar[tuple[Kind, ...]] = ()
    sparse: ClassVar[bool] = False
    marks_missing: ClassVar[bool] = True

    def for_kind(self, kind: Kind) -> Family:
        return self

    def read(
        self, table: Table, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None = None
    ) -> tuple[Any, None]:
        return table.missing(columns, rows).astype(np.float64), None

    def cells(self, plan: Plan, at: int) -> tuple[Cell, ...]:
        return (Cell(plan.columns[at], "missing"),)

    def value(self, cell: Any, frame: Frame, column: int) -> bool:
        return bool(cell)
