"""Which family reads which column, and whether a missing cell tells anything: by left-out likelihood.

A candidate is judged by the probability it gives to each value when that row is left out of its own count: no data
is held back, and a family with many parameters cannot win by memorising. On whole numbers densities and probabilities
are comparable, as each stands for an interval of width one; a density there is at most 1.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from likely.data.table import Table
from likely.families import FAMILIES, Bernoulli, Categorical, Family, Gaussian, Histogram, Multinomial, Poisson
from likely.families.family import Array, Codes
from likely.models.block import Plan, naming
from likely.priors import Prior
from likely.statistics import Frame

ROWS = 20_000
"""Rows looked at in choosing: evenly spaced in a larger table. The standard error of a mean log likelihood is then
below 0.01 a row, and columns on which two families differ by less don't care."""

Missing = Literal["ignore", "value", "auto"]


def plan(
    table: Table,
    y: Codes,
    classes: int,
    weight: Array | None,
    families: Any,
    smoothing: Prior | None,
    missing: Missing,
) -> tuple[Plan, ...]:
    """The blocks in which a table will be counted."""
    look = Look(table, y, classes, weight, smoothing)
    chosen: list[Family | None] = given(table, families)
    for kind in ("bool", "int", "float", "category", "sparse"):
        undecided = [j for j, family in enumerate(chosen) if family is None and table.kinds[j] == kind]
        if undecided:
            for j, family in zip(undecided, look.best(kind, undecided), strict=True):
                chosen[j] = family
    groups: list[tuple[Family, list[int]]] = []
    for j, family in enumerate(chosen):
        assert family is not None
        group = next((columns for other, columns in groups if other == family), None)
        if group is None:
            groups.append((family, [j]))
        else:
            group.append(j)
    plans = [Plan(family, tuple(columns), look.frame(family, columns)) for family, columns in groups]
    telling = look.telling_absences(missing)
    if telling:
        names = tuple(table.names[j] for j in telling)
        plans.append(Plan(look.with_prior(Bernoulli), tuple(telling), Frame(names), absence=True))
    return tuple(plans)


def given(table: Table, families: Any) -> list[Family | None]:
    """The family of each column as far as the user said; None where it is to be chosen."""
    columns = len(table.names)
    if families is None or families == "auto":
        return [None] * columns
    if not isinstance(families, Mapping):
        return [as_family(families)] * columns
    chosen: list[Family | None] = [None] * columns
    for column, family in families.items():
        if column in table.names:
            chosen[table.names.index(column)] = as_family(family)
        elif isinstance(column, int) and -columns <= column < columns:
            chosen[column] = as_family(family)
        else:
            some = ", ".join(map(repr, table.names[:5])) + (", ..." if columns > 5 else "")
            raise ValueError(f"families names a column {column!r}, but the columns are {some}")
    return chosen


def as_family(family: Any) -> Family:
    if isinstance(family, str) and family.lower() in FAMILIES:
        return FAMILIES[family.lower()]()
    if isinstance(family, type) and issubclass(family, Family):
        return family()
    if isinstance(family, Family):
        return family
    raise ValueError(f"{family!r} is not a family; the families are {', '.join(FAMILIES)}")


class Look:
    """The rows that are looked at in choosing."""

    def __init__(self, table: Table, y: Codes, classes: int, weight: Array | None, smoothing: Prior | None) -> None:
        self.step = max(1, -(-table.rows // ROWS))
        self.table = table if self.step == 1 else table.every(self.step)
        self.y = np.ascontiguousarray(y[:: self.step])
        self.weight = None if weight is None else np.ascontiguousarray(weight[:: self.step])
        self.classes, self.smoothing = classes, smoothing
        self.frames: dict[type[Family], tuple[list[int], Frame]] = {}

    def with_prior(self, family: type[Family]) -> Family:
        return family() if self.smoothing is None else family(prior=self.smoothing)  # type: ignore[call-arg]

    def best(self, kind: str, columns: list[int]) -> Sequence[Family]:
        if kind == "bool":
            return [self.with_prior(Bernoulli)] * len(columns)
        if kind == "category":
            return [self.with_prior(Categorical)] * len(columns)
        if kind == "sparse":
            block = self.table.numbers(columns, slice(None), sparse=True)
            counts = not block.data.size or block.data.min() >= 0
            return [self.with_prior(Multinomial if counts else Gaussian)] * len(columns)
        names = tuple(self.table.names[j] for j in columns)
        numbers = self.table.numbers(columns, slice(None))
        whole = np.full(len(columns), kind == "int")
        candidates = [Gaussian, Histogram, *([Poisson, Categorical] if kind == "int" else [])]
        values = []
        for candidate in candidates:
            family = self.with_prior(candidate)
            with naming(Frame(names), 0, self.step):
                values.append(self._left_out(family, columns, numbers, whole))
        return [self.with_prior(candidates[best]) for best in np.argmax(values, axis=0)]

    def _left_out(self, family: Family, columns: list[int], numbers: Array, whole: NDArray[np.bool]) -> Array:
        """The log probability of each column, each row left out; -inf for a column that the family cannot read."""
        fits = np.ones(len(columns), np.bool)
        if isinstance(family, Poisson):
            fits = ~(numbers < 0).any(axis=0)
            numbers = np.where(fits, numbers, 0)
        block, frame = numbers, self._frame(family, columns, numbers)
        if family.reads == "categories":
            block, frame = Plan(family, tuple(columns), frame).read(self.table, slice(None), None)
        logs = self._logs(family, block, self.y, self.classes, frame)
        if isinstance(family, Gaussian):
            logs = np.where(whole, np.minimum(logs, 0.0), logs)
        return np.where(fits, self._sum(logs), -np.inf)

    def _logs(self, family: Family, block: Any, y: Codes, classes: int, frame: Frame) -> Array:
        """A row that weighs w is w rows: each is judged with one of them left out."""
        one = None if self.weight is None else np.minimum(self.weight, 1.0)
        return family.left_out(family.count(block, y, classes, self.weight, frame), block, y, one, frame)

    def _sum(self, logs: Array) -> Array:
        return logs.sum(axis=0) if self.weight is None else np.where(self.weight > 0, logs.T * self.weight, 0.0).sum(axis=1)

    def frame(self, family: Family, columns: list[int]) -> Frame:
        if family.reads == "categories" or (self.table.kinds[columns[0]] == "sparse" and family.sparse):
            return Frame(tuple(self.table.names[j] for j in columns))
        tried, frame = self.frames.get(type(family), ([], None))
        if frame is not None and family == self.with_prior(type(family)) and set(columns) <= set(tried):
            return frame.of([tried.index(j) for j in columns])
        return self._frame(family, columns, self.table.numbers(columns, slice(None)))

    def _frame(self, family: Family, columns: list[int], numbers: Array) -> Frame:
        names = tuple(self.table.names[j] for j in columns)
        whole = np.array([self.table.kinds[j] == "int" for j in columns])
        with naming(Frame(names), 0, self.step):
            frame = family.frame(names, numbers, self.y, self.classes, self.weight, whole)
        self.frames[type(family)] = columns, frame
        return frame

    def telling_absences(self, missing: Missing) -> list[int]:
        """The columns in which a missing cell is information: all or none as the user says, or where it depends on
        the class more than a left-out count of all classes together explains.
        """
        if missing not in ("ignore", "value", "auto"):
            raise ValueError(f"missing is 'ignore', 'value' or 'auto', not {missing!r}")
        columns = [j for j, kind in enumerate(self.table.kinds) if kind != "sparse"]
        if missing == "ignore" or not columns:
            return []
        if missing == "value":
            return columns
        family = self.with_prior(Bernoulli)
        frame = Frame(tuple(self.table.names[j] for j in columns))
        block, _ = Plan(family, tuple(columns), frame, absence=True).read(self.table, slice(None), None)
        together = np.zeros_like(self.y)
        apart, pooled = (
            self._sum(self._logs(family, block, y, classes, frame))
            for y, classes in ((self.y, self.classes), (together, 1))
        )
        return [j for j, tells in zip(columns, apart > pooled, strict=True) if tells]
