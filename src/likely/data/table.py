"""The contract of a table: named columns of one kind each, read a slice of rows at a time."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Mapping, Sequence
from copy import copy
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.text import Texts

Kind = Literal["bool", "int", "float", "category", "sparse", "text", "empty"]
"""What a column holds; "empty" if it has neither a value nor a type, so it is not known yet how to read it."""
Labels = NDArray[Any]


class Table(ABC):
    """Rows are read in slices, so nothing of the size of the table is ever copied."""

    names: Sequence[Hashable]
    """Of the columns; their positions where they have none."""
    kinds: tuple[Kind, ...]
    rows: int
    row_bytes: int
    """About how many bytes a row takes, by which rows are divided into pieces."""

    periods: Mapping[int, float] = {}
    """The period of each periodic column, such as a time of day."""

    untyped: Sequence[int] = ()
    """Columns that hold nothing, and whose kind is not known."""

    @abstractmethod
    def numbers(self, columns: Sequence[int], rows: slice, sparse: bool = False) -> Any:
        """These columns as an array of rows x columns, NaN where a cell is missing. With `sparse`, it may be CSR."""

    @abstractmethod
    def categories(
        self, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None
    ) -> tuple[NDArray[np.int32], list[Labels]]:
        """These columns as codes, rows x columns, and what the codes stand for.

        Codes are positions among the `known` labels, or without them among those found, in order of appearance. -1 is
        a missing cell; the code after the last known label is a value that is none of them.
        """

    def texts(self, column: int, rows: slice) -> Texts:
        """A column of texts."""
        raise ValueError(f"column {self.names[column]!r} holds numbers, and its family reads text")

    def must_have(self, learned: Sequence[Hashable]) -> None:
        """Raises unless it has the columns that were learned, in their order; names count where both have them."""
        if len(self.names) != len(learned):
            raise ValueError(f"the table has {len(self.names)} columns, the model was learned from {len(learned)}")
        if isinstance(self.names, range) or isinstance(learned, range):
            return
        for j, (here, there) in enumerate(zip(self.names, learned, strict=True)):
            if here != there:
                raise ValueError(f"column {j} of the table is {here!r}, but the model learned {there!r} there")

    def missing(self, columns: Sequence[int], rows: slice) -> NDArray[np.bool]:
        """Which cells of these columns are missing, whatever they hold: rows x columns."""
        if {"text", "category", "empty"}.isdisjoint(self.kinds[j] for j in columns):
            return np.isnan(np.asarray(self.numbers(columns, rows), np.float64))
        return np.column_stack([self._missing(j, rows) for j in columns])

    def _missing(self, column: int, rows: slice) -> NDArray[np.bool]:
        if self.kinds[column] == "empty":
            return np.ones(len(range(*rows.indices(self.rows))), np.bool)
        if self.kinds[column] == "text":
            return ~self.texts(column, rows).there()
        if self.kinds[column] == "category":
            return np.asarray(self.categories([column], rows, None)[0][:, 0] < 0)
        return np.isnan(np.asarray(self.numbers([column], rows), np.float64)[:, 0])

    def without_values(self) -> list[int]:
        """The columns that hold no value. What is not stored of a sparse one is 0, and so a value."""
        some = [] if set(self.kinds) == {"sparse"} else [j for j, kind in enumerate(self.kinds) if kind != "sparse"]
        for rows in (slice(0, 1), slice(0, self.rows)):  # most have a value in the first row
            if some:
                some = np.array(some)[self.missing(some, rows).all(axis=0)].tolist()
        return some

    def emptied(self, columns: Collection[int]) -> Self:
        """The same with these columns marked as empty."""
        marked = copy(self)
        marked.kinds = tuple("empty" if j in columns else kind for j, kind in enumerate(self.kinds))
        return marked

    def lowest(self, columns: Sequence[int]) -> NDArray[Any]:
        """The lowest number in each of these columns; the largest that its type has, where there is none."""
        return self._extreme(columns, np.fmin)

    def highest(self, columns: Sequence[int]) -> NDArray[Any]:
        """The highest number in each of these columns; the smallest that its type has, where there is none."""
        return self._extreme(columns, np.fmax)

    @abstractmethod
    def _extreme(self, columns: Sequence[int], least: np.ufunc) -> NDArray[Any]:
        """The lowest number in each of these columns by `fmin`, the highest by `fmax`."""

    @abstractmethod
    def every(self, step: int) -> Self:
        """Every `step`-th row."""

    @abstractmethod
    def take(self, rows: NDArray[np.intp]) -> Self:
        """These rows, in this order."""

    @abstractmethod
    def joined(self, others: Sequence[Any]) -> "Table":
        """These rows and then those of other tables, which have the same columns."""


def encode_numbers(
    block: NDArray[Any],
    valid: NDArray[np.bool] | None,
    known: Sequence[Labels] | None,
    names: Sequence[Hashable],
) -> tuple[NDArray[np.int32], list[Labels]]:
    """Codes of the columns of a block of numbers, and what they stand for. `valid` marks the cells that have a
    value."""
    codes = np.empty((block.shape[1], block.shape[0]), np.int32)
    if known is None:
        found = _native.encode_numbers(block, valid, None, codes)
        return codes.T, [
            _signed(labels).astype(np.bool) if block.dtype.kind == "b" else _signed(labels) for labels in found
        ]
    for j, (name, labels) in enumerate(zip(names, known, strict=True)):
        if labels.dtype.kind in "OUT" and labels.size and _present(block[:, j], valid).any():
            raise ValueError(f"column {name!r} was learned as text, such as {labels[0]!r}, and now holds numbers")
    given = [np.zeros(0, np.int64) if labels.dtype.kind in "OUT" else labels for labels in known]
    if any(labels.dtype.kind == "f" for labels in given):
        block = block.astype(np.float64)
    if block.dtype.kind != "f" and any(numbers.dtype == np.uint64 for numbers in (block, *given)):
        _encode_beyond_int64(block, valid, given, codes)
    else:
        type_ = np.float64 if block.dtype.kind == "f" else np.int64
        _native.encode_numbers(block, valid, [np.ascontiguousarray(labels, type_) for labels in given], codes)
    return codes.T, list(known)


def _present(column: NDArray[Any], valid: NDArray[np.bool] | None) -> NDArray[np.bool]:
    return np.asarray(column == column if valid is None else (column == column) & valid.any(axis=1))


def _encode_beyond_int64(
    block: NDArray[Any], valid: NDArray[np.bool] | None, known: list[Labels], codes: NDArray[np.int32]
) -> None:
    """Number by number: as 64 bits, 2^64 - 1 and -1 would be equal."""
    for j, labels in enumerate(known):
        code = {label: at for at, label in enumerate(labels.tolist())}
        codes[j] = [code.get(number, len(code)) for number in block[:, j].tolist()]
        if valid is not None:
            codes[j][~valid[:, j]] = -1


def _signed(labels: Labels) -> Labels:
    """Labels as int64 where they fit, so they are the same whatever width they had."""
    if labels.dtype != np.uint64 or (labels > np.iinfo(np.int64).max).any():
        return labels
    return labels.astype(np.int64)


def extreme_number(values: NDArray[Any], there: Any, least: np.ufunc) -> Any:
    """The lowest or highest number of each column. Without any: the highest of the type for the lowest, and the
    reverse."""
    kind, low = values.dtype.kind, least is np.fmin
    if kind == "f":
        none: Any = np.inf if low else -np.inf
    else:
        none = low if kind == "b" else np.iinfo(values.dtype).max if low else np.iinfo(values.dtype).min
    return least.reduce(values, axis=0, initial=none, where=there)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and value == value
