"""A dataset: rows of files of any format, or of a table in memory, read by one schema that is settled once."""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.data.findings import Finding, TargetSummary, check
from likely.data.inference import Hints, infer
from likely.data.schema import Schema, column_type
from likely.data.stream.ahead import ahead_of
from likely.data.stream.places import absolute
from likely.data.stream.recognition import Excerpt, files_of
from likely.data.stream.table_file import TableFile
from likely.data.stream.types import together
from likely.data.summary import ColumnSummary, alone, twins
from likely.data.typed_cells import TypedCells, trimmed_categories, typed_cells
from likely.data.unread import UnreadCells
from likely.typing import TableLike


class Batch(NamedTuple):
    """Some rows of a file."""

    table: pa.Table
    """The columns of the schema, of its types."""
    file: str
    first: int
    """The number of the first row in its file, counted from 0."""
    written: Callable[[], pa.Table]
    """All columns of the file, as they are written."""
    kept: NDArray[np.int64] | None = None
    """The rows of the block that the table still has; None: all."""

    def after_first(self, row: int) -> int:
        """How many rows after `first` a row of the table is in its file."""
        return row if self.kept is None else int(self.kept[row])


def as_it_is(table: pa.Table) -> pa.Table:
    return table


class Dataset:
    """Rows of one or several files with the same columns, read a batch at a time.

    The format follows from a file's name: `.csv` and `.tsv`, `.parquet`, `.arrow`, `.feather`, `.jsonl` and `.ndjson`;
    workbooks (`.xlsx`, `.ods`), SQLite and DuckDB (`shop.db::table`) are recognised; any other is read as CSV. A folder
    is read as the tables in it; URLs name files (`s3://`) or databases (`postgresql://`). A frame of pandas or polars
    and an Arrow table are read as they are.

    Parameters
    ----------
    *data : str, path or table
        Files, folders, URLs, or tables in memory.
    schema : Schema, optional
        What each column is read as. By default it is inferred from rows of all the data.
    types : dict, optional
        The types of some columns, which override the schema: `{"zip": "category"}`.
    missing : iterable of str, optional
        More texts that mark a missing cell.
    not_missing : iterable of str, optional
        Texts that do not mark one, such as "NA" where it is a name.
    decimal, thousands : str, optional
        The decimal sign, and what separates thousands; detected by default.
    header : bool, default True
        Whether CSV has the names of the columns in its first line.
    delimiter, encoding : str, optional
        Of CSV; detected by default.
    sheet, query : str, optional
        The sheet of a workbook; the query to a database.
    kept : collection of str, optional
        Columns that are read even if they look like identifiers, such as the target.
    strict : bool, default False
        Whether a cell that is not of its column's type is an error. By default it is missing, and counted in `unread`.

    See Also
    --------
    Schema : what each column is read as.
    read : a table in memory.

    Examples
    --------
    >>> from likely.data import Dataset
    >>> from likely.datasets import ANIMALS
    >>> dataset = Dataset(ANIMALS, types={"legs": "category"})
    >>> {column.name: column.type for column in dataset.schema.columns}["legs"]
    'category'
    >>> sum(batch.table.num_rows for batch in dataset)
    122
    """

    kind = "table"
    whole_data = True
    """Whether it is all data. A part of them may have no rows."""

    def __init__(
        self,
        *data: str | os.PathLike[str] | TableLike,
        schema: Schema | None = None,
        types: Mapping[str, str] | None = None,
        missing: Iterable[str] = (),
        not_missing: Iterable[str] = (),
        decimal: str | None = None,
        thousands: str | None = None,
        header: bool = True,
        delimiter: str | None = None,
        encoding: str | None = None,
        sheet: str | None = None,
        query: str | None = None,
        kept: Collection[str] = (),
        strict: bool = False,
    ) -> None:
        self.given = {name: column_type(name, said) for name, said in (types or {}).items()}
        self.hints, self.kept, self.strict = Hints(decimal, thousands), kept, strict
        self.excerpt, self._given_schema = Excerpt(sheet, query), schema
        of_all, dropped = schema or Schema((), header=header), set(not_missing)
        self.options: dict[str, Any] = {
            "encoding": encoding or of_all.encoding,
            "delimiter": delimiter or of_all.delimiter,
            "header": of_all.header,
            "missing": tuple(dict.fromkeys(mark for mark in (*of_all.missing, *missing) if mark not in dropped)),
        }
        self.data = list(data)
        self.unread = UnreadCells(strict)
        self.unknown: dict[str, str] = {}
        """Columns that are not in the schema, with the file that has them."""
        self.owners: dict[str, str] = {}
        """The first file that has each column."""
        self.rows = 0
        """Rows that were read since the last beginning."""
        self.unlabelled = 0
        """Rows of these that have no class."""

    # The schema

    @cached_property
    def files(self) -> list[TableFile[Any]]:
        return [file for one in self.data for file in files_of(one, self.excerpt, self.options)]

    @cached_property
    def _sampled(self) -> tuple[pa.Table, bool]:
        seen = [(file, *file.sample()) for file in self.files]
        seen = [one for one in seen if one[1].num_rows]  # Spark writes files without rows among others
        if not seen:
            raise self._no_rows()
        self.owners.update({name: file.path for file, sample, _ in reversed(seen) for name in sample.column_names})
        for file, sample, _ in seen:
            self._must_have(file, sample.column_names, self.owners)
        samples = [sample for _, sample, _ in seen]
        return (samples[0] if len(samples) == 1 else together(samples)), all(whole for _, _, whole in seen)

    def _no_rows(self) -> ValueError:
        return ValueError(f"{_some([file.path for file in self.files], str)}: there is a header, and no rows")

    def _must_have(self, file: TableFile[Any], here: Iterable[str], names: Iterable[str]) -> None:
        present = set(here)
        absent = next((name for name in names if name not in present), None)
        if absent is not None and not file.ragged:
            raise ValueError(f"{file.path} has no column {absent!r}, which {self.owners[absent]} has")

    @cached_property
    def _inferred(self) -> tuple[Schema, dict[str, ColumnSummary]]:
        table, _ = self._sampled
        for name in self.given:
            if name not in table.column_names:
                raise ValueError(
                    f"there is no column {name!r} to give a type; the columns are {_some(table.column_names)}"
                )
        described = () if self._given_schema is None else self._given_schema.columns
        given = {column.name: column for column in described} | self.given
        found, summaries = infer(table, given, self.kept, self.hints)
        if self.strict:  # what a model says of its columns was inferred, too
            summaries = {name: replace(seen, given=name in self.given) for name, seen in summaries.items()}
        return Schema(tuple(found), **self.options), summaries

    @cached_property
    def schema(self) -> Schema:
        if self.strict and self._given_schema is not None:
            return replace(self._given_schema.with_columns(self.given.values()), **self.options)
        return self._inferred[0]

    @property
    def summaries(self) -> dict[str, ColumnSummary]:
        """Of the columns, by the rows that the schema was inferred from."""
        return self._inferred[1]

    @property
    def whole(self) -> bool:
        """Whether the schema was inferred from all rows."""
        return self._sampled[1]

    def sample(self) -> pa.Table:
        """Rows from all over the data, of the schema's types."""
        return typed_cells(trimmed_categories(self._sampled[0], self.schema.columns), self.schema, self.strict).table

    def findings(self, target: TargetSummary | None = None) -> list[Finding]:
        """What is worth knowing of the columns. After all rows were read, what was seen in them is counted too."""
        table, _ = self._sampled
        seen = self.unread.counted_in(self.summaries, self.rows)
        label = None if target is None else target.name
        if label is not None and label in table.column_names:
            seen = alone(table, seen, label)
        read = [column.name for column in self.schema.columns if column.type != "ignore" and column.name != label]
        seen = twins(table, seen, read)
        named = [name for name, one in seen.items() if one.missing and self.schema[name].type == "category"]
        for file in self.files:
            for name, marks in file.marks(named).items():
                seen[name] = replace(seen[name], marks=Counter(seen[name].marks) + marks)
        files = [finding for file in self.files for finding in file.findings(seen)]
        return [*files, *check(self.learned_schema(), seen, target)]

    def learned_schema(self) -> Schema:
        """The schema with the texts that were read as missing among those that mark a missing cell."""
        return self.unread.marked_in(self.schema)

    # Parts

    @property
    def least_rows(self) -> int:
        """How many rows it surely has, as far as its files say so."""
        return sum(file.least_rows for file in self.files)

    def split(self) -> list[Self]:
        """The same data in parts that can be read in parallel, here or on other machines: files, and row groups of
        Parquet. Each part has the schema of all."""
        return [self._part(part) for file in self.files for part in file.split()]

    def _part(self, file: TableFile[Any]) -> Self:
        part, elsewhere = copy(self), copy(file)
        elsewhere.path = absolute(file.path)
        part.__dict__.pop("_sampled", None)
        part.__dict__.pop("_inferred", None)
        part.__dict__.update(schema=self.schema, data=[], files=[elsewhere], unknown={}, whole_data=False)
        return part

    # Batches

    def __iter__(self) -> Iterator[Batch]:
        """All rows, from the beginning whenever it is asked for."""
        self.rows, self.unlabelled, self.unread = 0, 0, UnreadCells(self.strict)
        for file in self.files:
            first = file.start
            for block, (table, unread) in self._read(file):
                for name, cells in unread.items():
                    self.unread.add(self.schema[name], cells, partial(file.place, first, block=block))
                yield Batch(table, file.path, first, partial(file.written, block))
                first += table.num_rows
                self.rows += table.num_rows
        if not self.rows and self.whole_data:
            raise self._no_rows()

    def _read(self, file: TableFile[Any]) -> Iterator[tuple[Any, TypedCells]]:
        """The blocks of a file, each with its rows by the schema."""
        columns = [column for column in self.schema.columns if column.type != "ignore"]

        def read(block: Any) -> tuple[Any, TypedCells]:
            cells = file.cells(block, columns)
            if file.names is None:
                self._check(file, cells.column_names)
            return block, typed_cells(cells, self.schema, self.strict)

        if file.names is not None:
            self._check(file, file.names)
        return ahead_of(read, file.blocks()) if file.parallel else map(read, file.blocks())

    def _check(self, file: TableFile[Any], names: Sequence[str]) -> None:
        """Notes the columns that are not in the schema. Raises ValueError where one of the schema's is missing."""
        for name in names:
            if name not in self.schema:
                self.unknown.setdefault(name, file.path)
        wanted = [column.name for column in self.schema.columns if column.type != "ignore"]
        self._must_have(file, names, () if self.strict else wanted)
        if file.names is not None and not {*names} & {*wanted}:
            raise ValueError(f"{file.path}: it has none of the columns {_some(wanted, most=5)}")

    def with_values(self, batch: Batch, name: str) -> Batch:
        """The batch without the rows that have no value in the column of classes. They are counted in `unlabelled`."""
        cells = batch.table[name]
        if not cells.null_count or not self.whole_data:
            return batch
        there = cells.is_valid()
        self.unlabelled += cells.null_count
        return batch._replace(table=batch.table.filter(there), kept=np.flatnonzero(there.to_numpy()))

    def notes(self) -> list[str]:
        """What of the data was not used: columns that a model does not know, and rows without a class."""
        by_file: dict[str, list[str]] = {}
        for name, file in self.unknown.items():
            by_file.setdefault(file, []).append(name)
        found = [f"{file} has columns that the model does not know: {_some(names)}." for file, names in by_file.items()]
        found += self.unread.notes() if self.strict else []
        if self.unlabelled:
            left_out = f"{self.unlabelled:,} of {self.rows:,} rows, which have no class"
            found.append(f"Left out: {left_out}; row numbers count the others.")
        return found

    def place(self, path: str, first: int, row: int = 0) -> str:
        """Where a row is, for people."""
        file = next((file for file in self.files if file.path == path), None)
        return f"{path}, row {first + row + 1}" if file is None else file.place(first, row)


def _some(names: Sequence[str], shown: Callable[[str], str] = repr, most: int = 8) -> str:
    return ", ".join(map(shown, names[:most])) + (", ..." if len(names) > most else "")
