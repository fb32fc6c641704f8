"""The contract of files: all that a dataset asks of one, whatever its format."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, Self, TypeVar

import pyarrow as pa

from likely.data.findings import Finding
from likely.data.schema import ColumnSchema
from likely.data.summary import ColumnSummary

B = TypeVar("B")
"""A block: some whole rows, as the format holds them. Only the file that it comes from can read it."""


class TableFile(ABC, Generic[B]):
    """One table: a file, a sheet, a query to a database, or a table in memory."""

    path: str
    """Its name, also in messages."""
    start = 0
    """The number of its first row, where it is part of a larger file."""
    names: Sequence[str] | None = None
    """Its columns; None: they are known only once rows are read."""

    ragged = False
    """Whether rows may leave out columns that they have no value for."""
    parallel = False
    """Whether threads may read blocks before they are asked for."""

    @property
    def least_rows(self) -> int:
        """How many rows it surely has, as far as that is known without reading them."""
        return 0

    def split(self) -> list[Self]:
        """Parts of its rows that can be read in parallel."""
        return [self]

    @abstractmethod
    def sample(self) -> tuple[pa.Table, bool]:
        """Rows from all over the file, and whether they are all of it. Without rows: a table without columns."""

    @abstractmethod
    def blocks(self) -> Iterator[B]:
        """All rows, in their order."""

    @abstractmethod
    def cells(self, block: B, columns: Sequence[ColumnSchema]) -> pa.Table:
        """At least those of these columns that the block has. Categories have no blanks around them. Other cells may
        still be texts, or of another type than their column."""

    @abstractmethod
    def written(self, block: B) -> pa.Table:
        """All columns of a block, as they are in the file."""

    @abstractmethod
    def place(self, first: int, row: int, block: B | None = None) -> str:
        """Where row `first + row` is, for people. A block that begins with row `first` makes it faster."""

    def marks(self, names: Sequence[str]) -> dict[str, Counter[str]]:
        """How often each text that marks a missing cell occurs in these columns of the sample."""
        return {}

    @abstractmethod
    def findings(self, seen: Mapping[str, ColumnSummary]) -> Iterator[Finding]:
        """What is worth knowing of how it is read."""
