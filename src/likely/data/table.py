"""The contract of a table: named columns of one kind each, read a slice of rows at a time."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

Kind = Literal["bool", "int", "float", "category", "sparse"]
Labels = NDArray[Any]


class Table(ABC):
    """Rows are read in slices, so nothing of the size of the table is ever copied."""

    names: Sequence[Hashable]
    """Of the columns; their positions where they have none."""
    kinds: tuple[Kind, ...]
    rows: int
    row_bytes: int
    """About how many bytes a row takes: how rows are parted into pieces."""

    @abstractmethod
    def numbers(self, columns: Sequence[int], rows: slice, sparse: bool = False) -> Any:
        """These columns as an array of rows x columns, NaN where a cell is missing; or, if `sparse` may be, as CSR."""

    @abstractmethod
    def categories(
        self, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None
    ) -> tuple[NDArray[np.int32], list[Labels]]:
        """These columns as codes, rows x columns, and what the codes stand for.

        Codes are positions among the `known` labels, or without them among those found, in order of appearance. -1 is
        a missing cell; the code after the last known label is a value that is none of them.
        """

    @abstractmethod
    def every(self, step: int) -> Self:
        """One row in so many."""


def encode_numbers(
    block: NDArray[Any], whole: Sequence[bool], known: Sequence[Labels] | None, names: Sequence[Hashable]
) -> tuple[NDArray[np.int32], list[Labels]]:
    """Codes of the columns of a block of numbers; labels are int64 where the column is of whole numbers."""
    from likely import _native

    codes = np.empty((block.shape[1], block.shape[0]), np.int32)
    if known is None:
        found = _native.encode_numbers(block, None, codes)
        return codes.T, [labels.astype(np.int64) if ints else labels for labels, ints in zip(found, whole, strict=True)]
    type_ = np.float64 if block.dtype.kind == "f" else np.int64
    for name, labels in zip(names, known, strict=True):
        if labels.dtype.kind in "OUT":
            raise ValueError(f"column {name!r} was learned as text, such as {labels[0]!r}, and now holds numbers")
    if type_ is np.int64 and any(labels.dtype.kind == "f" for labels in known):
        block, type_ = block.astype(np.float64), np.float64
    _native.encode_numbers(block, [np.ascontiguousarray(labels, type_) for labels in known], codes)
    return codes.T, list(known)
