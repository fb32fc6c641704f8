"""Counts the statistics of plans in a database."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely.data.read import columns_table
from likely.data.sample import Sample
from likely.families import Block, Plan
from likely.families.formula import Cell
from likely.sql.expressions import number, reading
from likely.sql.rows import QueryRows, as_column
from likely.statistics import Frame, Labels
from likely.statistics.sums import Aggregate


class SqlCounting:
    """Counts the statistics of plans by queries. The sample shows the types of the columns, and the range of
    numbers."""

    def __init__(self, rows: QueryRows, sample: Sample) -> None:
        self.rows, self.sample, self.dialect = rows, sample, rows.dialect

    def block(self, plan: Plan) -> Block:
        kind, columns = plan.family.counts_in[0], range(len(plan.columns))
        if kind.aggregates == ("cells",):
            frame, table = self._cells([plan.family.cells(plan, at)[0] for at in columns], plan.frame)
            return plan.counted(kind.of_aggregates([{"cells": table}]), frame)
        read = zip(*(plan.family.cells(plan, at) for at in columns), strict=True)
        found = [self._aggregated(cells, self._shifts(plan), kind.aggregates) for cells in read]
        return plan.counted(kind.of_aggregates(found), plan.frame)

    def check_empty(self) -> None:
        """Raises for a column that has values, but none in the sample, so that no family was chosen for it."""
        table = self.sample.table
        names = [str(name) for name, kind in zip(table.names, table.kinds, strict=True) if kind == "empty"]
        found = self._by_class([(self.rows.column(name), ["count({x})"]) for name in names]).sum(axis=0)
        for name, values in zip(names, found.tolist(), strict=True):
            if values:
                raise ValueError(
                    f"column {name!r} has {values:,} values in {self.rows.number:,} rows, and none in the sample of "
                    f"{len(self.sample):,}; name its family, or leave it out of the query"
                )

    def _by_class(self, asked: Sequence[tuple[str, Sequence[str]]]) -> NDArray[Any]:
        """The values of aggregates as objects: classes x aggregates."""
        found = self.rows.aggregated(asked)
        table = np.empty((len(self.sample.classes), sum(len(aggregates) for _, aggregates in asked)), object)
        for k, label in enumerate(self.sample.classes.tolist()):
            table[k] = found[label]
        return table

    def _aggregated(
        self, cells: Sequence[Cell], shifts: Sequence[float], wanted: Sequence[Aggregate]
    ) -> dict[Aggregate, NDArray[Any]]:
        """The wanted aggregates of cells that are read in the same way; each is classes x columns."""
        asked, checks = list[tuple[str, Sequence[str]]](), self._checks(cells[0])
        shifts = shifts if "mean" in wanted else [0.0] * len(cells)
        for cell, shift in zip(cells, shifts, strict=True):
            x = self._expression(cell)
            read = reading(self.dialect, cell, x)
            asked.append((f"{read} - {self.dialect.number(shift)}" if shift else read, self._aggregates(wanted)))
            asked.append((x, checks))
        table = self._by_class(asked).reshape(len(self.sample.classes), len(cells), -1)
        self._check(cells, table[:, :, len(wanted) :])
        found = {one: _numbers(table[:, :, i], one == "count") for i, one in enumerate(wanted)}
        if "mean" in found:
            found["mean"] = np.where(found["count"] > 0, found["mean"] + np.array(shifts), 0.0)
        return found

    def _cells(self, cells: Sequence[Cell], frame: Frame) -> tuple[Frame, NDArray[np.int64]]:
        """The frame with all values or bins of the columns, and how often each occurs: classes x values of all
        columns."""
        if checks := self._checks(cells[0]):
            table = self._by_class([(self._expression(cell), checks) for cell in cells])
            self._check(cells, table.reshape(len(table), len(cells), len(checks)))
        codes = {label: k for k, label in enumerate(self.sample.classes.tolist())}
        labels, tables = list[Labels](), list[NDArray[np.int64]]()
        for cell in cells:
            x = self._expression(cell)
            counted = self.rows.counted(reading(self.dialect, cell, x) if cell.reading == "bin" else x)
            found = [(codes[label], *rest) for label, *rest in counted if rest[0] is not None and rest[0] == rest[0]]
            values = self._labels(cell, [value for _, value, _ in found])
            place = {value: at for at, value in enumerate(values.tolist())}
            table = np.zeros((len(codes), len(values)), np.int64)
            for k, value, often in found:
                table[k, place[value]] += often
            labels.append(values)
            tables.append(table)
        return frame if frame.edges is not None else frame.holding(tuple(labels)), np.hstack(tables)

    def _labels(self, cell: Cell, values: list[Any]) -> Labels:
        """The distinct values, in the type that a table in memory would have; or all bins."""
        if cell.reading == "bin":
            return np.arange(len(cell.by) + 1)
        if not values:
            return np.zeros(0, object)
        column = columns_table([as_column(values)], [self.sample.table.names[cell.column]], None)
        return column.categories([0], slice(None), None)[1][0]

    def _expression(self, cell: Cell) -> str:
        """The SQL for the column of a cell, as a number if it has numbers."""
        column = self.rows.column(str(self.sample.table.names[cell.column]))
        kind = self.sample.table.kinds[cell.column]
        is_number = kind in ("bool", "int", "float") and cell.reading != "category"
        return number(self.dialect, column, kind) if is_number else column

    def _aggregates(self, wanted: Sequence[Aggregate]) -> list[str]:
        variance = self.dialect.variance or "avg(({x} - {mean}) * ({x} - {mean}))"
        sql = {"count": "count({x})", "sum": "sum({x})", "mean": "avg({x})", "variance": variance}
        return [sql[one] for one in wanted]

    def _shifts(self, plan: Plan) -> list[float]:
        """A value near the mean of each column. It is subtracted before sums are computed, so that they lose no
        digits."""
        block = Block(plan.family, plan.columns, plan.frame)
        values = np.asarray(plan.family.features(block, plan.read(self.sample.table)), np.float64)
        there = np.isfinite(values)
        means = np.where(there, values, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
        return [float(f"{mean:.6g}") for mean in means.tolist()]

    def _checks(self, cell: Cell) -> Sequence[str]:
        """Aggregates that show whether a column has values that its family can't read. Only SQLite can mix texts and
        numbers in a column; it sorts texts after numbers, so a maximum finds them."""
        if cell.reading in ("category", "missing"):
            return ()
        whole = f"max(CASE WHEN {{x}} <> {self.dialect.whole.format('{x}')} THEN {{x}} END)"
        return ("min({x})", "max({x})", *([whole] if cell.whole else []))

    def _check(self, cells: Sequence[Cell], found: NDArray[Any]) -> None:
        """Raises for a column with a cell that its family can't read; `found` is classes x columns x checks."""
        for at, cell in enumerate(cells):
            for value in found[:, at].ravel().tolist():
                if value is None:
                    continue
                is_text = isinstance(value, (str, bytes))
                if is_text or not cell.low <= value <= cell.high or (cell.whole and value != np.floor(value)):
                    name = self.sample.table.names[cell.column]
                    raise ValueError(f"{cell.needs}; column {name!r} has {value!r}")


def _numbers(values: NDArray[Any], whole: bool) -> NDArray[Any]:
    """Aggregates as numbers. NULL becomes 0: databases return it for no values."""
    numbers = [0 if value is None else value for value in values.ravel().tolist()]
    return np.array(numbers, np.int64 if whole else np.float64).reshape(values.shape)
