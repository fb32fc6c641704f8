"""What-if: the prediction for one row that you edit, and the reasons."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from likely.data import Table, read
from likely.data.dataset import Dataset
from likely.data.dates import features
from likely.data.schema import Schema
from likely.data.stream.columns import texts
from likely.models.explain import Reasons, explanation
from likely.store import Stored

STEPS = 100
"""A slider has at least this many steps from the lowest number of a column to the highest."""


@dataclass(frozen=True)
class RowField:
    """A cell that you can change."""

    name: str
    type: str
    choices: list[str]
    """The categories that were learned; empty for other columns."""
    range: tuple[float, float, float] | None
    """The lowest and the highest number in the data, and the step of a slider; None for other columns."""


@dataclass(frozen=True)
class WhatIf:
    stored: Stored
    schema: Schema
    rows: pa.Table | None = None
    """The data; None if the desk was opened without data."""

    @cached_property
    def fields(self) -> list[RowField]:
        """The columns that the model reads, in the order of the schema."""
        model, target = self.stored.model, self.stored.origin.target
        names = {str(name) for name in model.names}
        read_of = [column for column in self.schema.columns if column.type != "ignore" and column.name != target]
        shown = [column for column in read_of if column.name in names or column.type == "date"]
        return [
            RowField(column.name, column.type, self._choices(column.name), self._range(column.name)) for column in shown
        ]

    @property
    def counted(self) -> Any:
        """The generative part of the model: for the blend, its naive Bayes."""
        return getattr(self.stored.model, "generative", None) or self.stored.model

    @cached_property
    def texts(self) -> list[str]:
        """The columns that are read as texts."""
        return [name for name, family in self.counted.chosen_families.items() if family.reads == "text"]

    def _choices(self, name: str) -> list[str]:
        for block in self.counted.blocks:
            if name in block.frame.columns and block.frame.cells is not None:
                return [str(label) for label in block.frame.cells[list(block.frame.columns).index(name)]]
        return []

    def _range(self, name: str) -> tuple[float, float, float] | None:
        if self.rows is None or name not in self.rows.column_names:
            return None
        column = self.rows[name]
        if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
            return None
        ends = pc.min_max(column).as_py()
        low, high = ends["min"], ends["max"]
        if low is None or not np.isfinite(high - low) or low == high:
            return None
        if pa.types.is_integer(column.type):
            return low, high, 1
        step = 10.0 ** np.floor(np.log10((high - low) / STEPS))
        figures = max(0, -int(np.floor(np.log10(step))))
        return round(np.floor(low / step) * step, figures), round(np.ceil(high / step) * step, figures), step

    def table(self, cells: Mapping[str, str]) -> Table:
        """A table of one row with these cells; an empty cell is missing."""
        columns = {
            field.name: texts([cells[field.name]]) if cells.get(field.name) else pa.nulls(1, pa.large_string())
            for field in self.fields
        }
        dataset = Dataset(pa.table(columns), schema=self.schema, strict=True)
        (batch,) = list(dataset)
        found = features(batch.table, self.schema.columns)
        return read(found.select([str(name) for name in self.stored.model.names]))

    def answer(self, cells: Mapping[str, str]) -> tuple[Reasons, NDArray[np.float64]]:
        """The reasons, and p(y | x) of each class."""
        table = self.table(cells)
        return explanation(self.stored.model, table)[0], self.stored.predict_proba(table)[0]
