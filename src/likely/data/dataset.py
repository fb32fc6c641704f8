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

from likely.data.file_findings import findings_of
from likely.data.findings import Finding, TargetSummary, check
from likely.data.inference import Hints, infer
from likely.data.parsing import ARROW, is_text, trimmed, values
from likely.data.schema import MISSING, ColumnSchema, Schema, column_type
from likely.data.stream import places
from likely.data.stream.ahead import ahead_of
from likely.data.stream.csv import CsvBlock, CsvFile, Unreadable
from likely.data.stream.csv_sample import csv_sample, marks_in
from likely.data.stream.formats import TypedFile, together
from likely.data.stream.places import absolute
from likely.data.stream.recognition import Excerpt, recognised
from likely.data.summary import ColumnSummary, alone, twins
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
    """All columns of the file as they are there."""
    kept: NDArray[np.int64] | None = None
    """The rows that are left of those that were read; None: all."""

    def after_first(self, row: int) -> int:
        """How many rows of its file a row of the table comes after the first."""
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
    """Whether it is all data, and no part of them, which may be without rows."""

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
        if schema is not None:
            header, delimiter, encoding = (
                schema.header, delimiter or schema.delimiter, encoding or schema.encoding
            )  # fmt: skip
        self.excerpt = Excerpt(sheet, query)
        self.added = tuple(missing)
        dropped = set(not_missing)
        marks = MISSING if schema is None else schema.missing
        self.missing = tuple(dict.fromkeys(mark for mark in (*marks, *self.added) if mark not in dropped))
        self.options = {"encoding": encoding, "delimiter": delimiter, "header": header, "missing": self.missing}
        self._given_schema = schema
        self.data = list(data)
        self.unread = UnreadCells(strict)
        self.unknown: dict[str, str] = {}
        """Columns that are not in the schema, with the file that has them."""
        self.owners: dict[str, str] = {}
        """The first file that has each column."""
        self.rows = 0
        """Of all batches that were read since the last beginning."""
        self.unlabelled = 0
        """Rows of these that have no class."""

    # The schema

    @cached_property
    def files(self) -> list[CsvFile | TypedFile]:
        found = [self._file(one) for given in self.data for one in _each(given)]
        for file in found:
            if isinstance(file, CsvFile):
                _distinct(file.names, file.path)
        return found

    def _file(self, one: Any) -> CsvFile | TypedFile:
        if isinstance(one, (CsvFile, TypedFile)):
            return one
        if not isinstance(one, (str, os.PathLike)):
            return TypedFile("the table", partial(_in_memory, one))
        return recognised(os.fspath(one), self.excerpt, self.options)

    @cached_property
    def _sampled(self) -> tuple[pa.Table, bool]:
        seen = [(file, *_sample(file)) for file in self.files]
        seen = [one for one in seen if one[1].num_rows]  # Spark writes files without rows among others
        if not seen:
            raise self._no_rows()
        for file, sample, _ in seen:
            _distinct(sample.column_names, file.path)
            self.owners |= {name: file.path for name in sample.column_names if name not in self.owners}
        for file, sample, _ in seen:
            self._must_have(file, sample.column_names, self.owners)
        samples = [sample for _, sample, _ in seen]
        return (samples[0] if len(samples) == 1 else together(samples)), all(whole for _, _, whole in seen)

    def _no_rows(self) -> ValueError:
        return ValueError(f"{_some([file.path for file in self.files], str)}: there is a header, and no rows")

    def _must_have(self, file: CsvFile | TypedFile, here: Iterable[str], names: Iterable[str]) -> None:
        present = set(here)
        absent = next((name for name in names if name not in present), None)
        if absent is not None and not file.ragged:
            raise ValueError(f"{file.path} has no column {absent!r}, which {self.owners[absent]} has")

    @cached_property
    def _inferred(self) -> tuple[Schema, dict[str, ColumnSummary]]:
        table, _ = self._sampled
        given = dict(self.given)
        if self._given_schema is not None:
            given = {**{column.name: column for column in self._given_schema.columns}, **given}
        for name in self.given:
            if name not in table.column_names:
                raise ValueError(
                    f"there is no column {name!r} to give a type; the columns are {_some(table.column_names)}"
                )
        found, summaries = infer(table, given, self.kept, self.hints)
        if self.strict:  # what a model says of its columns was inferred, too
            summaries = {name: replace(seen, given=name in self.given) for name, seen in summaries.items()}
        return Schema(tuple(found), self.missing, **_but(self.options, "missing")), summaries

    @cached_property
    def schema(self) -> Schema:
        if self.strict and self._given_schema is not None:
            return replace(
                self._given_schema.with_columns(self.given.values()),
                missing=self.missing,
                **_but(self.options, "missing"),
            )
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
        return self._typed(self._sampled[0], lambda row: "", counting=False)

    def findings(self, target: TargetSummary | None = None) -> list[Finding]:
        """What is worth knowing of the columns. After all rows were read, what was seen in them is counted too."""
        seen = self._seen()
        if target is not None and target.name in self._sampled[0].column_names:
            seen = alone(self._sampled[0], seen, target.name)
        label = None if target is None else target.name
        read = [column.name for column in self.schema.columns if column.type != "ignore" and column.name != label]
        seen = twins(self._sampled[0], seen, read)
        seen = self._with_marks(seen)
        files = [finding for file in self.files for finding in findings_of(file, seen)]
        return [*files, *check(self.learned_schema(), seen, target)]

    def _with_marks(self, seen: dict[str, ColumnSummary]) -> dict[str, ColumnSummary]:
        """With the marks of missing cells that columns of categories have."""
        found = dict(seen)
        named = [name for name, one in seen.items() if one.missing and self.schema[name].type == "category"]
        for file in self.files:
            if isinstance(file, CsvFile) and file.pipe is None and named:
                for name, marks in marks_in(file, named).items():
                    found[name] = replace(found[name], marks=Counter(found[name].marks) + Counter(marks))
        return found

    def _seen(self) -> dict[str, ColumnSummary]:
        found = dict(self.summaries)
        for name, unread in self.unread.items():
            if name in found:
                texts = {**found[name].unread, **dict(unread.texts.most_common())}
                found[name] = replace(found[name], rows=max(self.rows, found[name].rows), unread=texts)
        return found

    def learned_schema(self) -> Schema:
        """The schema with the texts that were met, and read as missing, among those that mark a missing cell."""
        met = {name: [text for text in unread.texts if text] for name, unread in self.unread.items()}
        changed = [
            replace(column, missing=tuple(dict.fromkeys([*column.missing, *met[column.name]])))
            for column in self.schema.columns
            if met.get(column.name)
        ]
        return self.schema.with_columns(changed)

    # Parts

    @property
    def least_rows(self) -> int:
        """How many rows it surely has, as far as its files say so."""
        return sum(file.least_rows for file in self.files)

    def split(self) -> list[Self]:
        """The same data in parts that can be read side by side, here or on other machines: files, and groups of rows of
        Parquet. Each has the schema of all."""
        return [self._part(part) for file in self.files for part in file.split()]

    def _part(self, file: CsvFile | TypedFile) -> Self:
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
            for table, written in self._tables(file):
                yield Batch(table, file.path, first, written)
                first += table.num_rows
                self.rows += table.num_rows
        if not self.rows and self.whole_data:
            raise self._no_rows()

    def _tables(self, file: CsvFile | TypedFile) -> Iterator[tuple[pa.Table, Callable[[], pa.Table]]]:
        names = [column.name for column in self.schema.columns if column.type != "ignore"]
        if isinstance(file, TypedFile):
            first = file.start
            for table in file.tables():
                _distinct(table.column_names, file.path)
                self._note_unknown(table.column_names, file.path)
                self._must_have(file, table.column_names, () if self.strict else names)
                yield self._typed(table, partial(self.place, file.path, first)), partial(as_it_is, table)
                first += table.num_rows
            return
        self._note_unknown(file.names, file.path)
        self._must_have(file, file.names, () if self.strict else names)
        here = set(file.names)
        chosen = [column for column in self.schema.columns if column.type != "ignore" and column.name in here]
        if not chosen:
            known = ", ".join(map(repr, names[:5])) + (", ..." if len(names) > 5 else "")
            raise ValueError(f"{file.path}: it has none of the columns {known}")
        read = partial(self._parsed, file, chosen)
        pairs = map(read, file.blocks()) if file.pipe is not None else ahead_of(read, file.blocks())
        for block, table, unread in pairs:
            for column in chosen:
                if column.name in unread:
                    self.unread.add(column, unread[column.name], partial(_line, file, block))
            yield table, partial(file.written, block)

    def _parsed(
        self, file: CsvFile, chosen: Sequence[ColumnSchema], block: CsvBlock
    ) -> tuple[CsvBlock, pa.Table, dict[str, Any]]:
        types = {column.name: ARROW[column.type] if column.plain else pa.large_string() for column in chosen}
        try:
            table = file.table(block, types, list(types))
        except Unreadable:
            table = file.table(block, dict.fromkeys(types, pa.large_string()), list(types))
        unread: dict[str, Any] = {}
        marks = self._marks()
        found = [
            self._values(cells, column, marks, unread) for cells, column in zip(table.columns, chosen, strict=True)
        ]
        return block, pa.table(found, names=list(types)), unread

    def _marks(self) -> list[str]:
        """What marks a missing cell besides what every file has."""
        return [mark for mark in self.missing if mark not in MISSING]

    def _values(self, cells: Any, column: ColumnSchema, marks: list[str], unread: dict[str, Any]) -> pa.ChunkedArray:
        if cells.type == ARROW[column.type] and not marks and not column.missing:
            return cells
        found, bad = values(cells, column, marks)
        if bad is not None:
            unread[column.name] = cells, bad
        return found

    def _typed(self, table: pa.Table, place: Callable[[int], str], counting: bool = True) -> pa.Table:
        here = dict(zip(table.column_names, table.columns, strict=True))
        unread: dict[str, Any] = {}
        found, marks = {}, self._marks()
        for column in self.schema.columns:
            if column.type == "ignore" or (self.strict and column.name not in here):
                continue
            cells = here.get(column.name, pa.chunked_array([pa.nulls(table.num_rows)]))
            if column.type == "category" and is_text(cells.type):
                cells = trimmed(cells, [""])
            found[column.name] = self._values(cells, column, marks, unread)
            if counting and column.name in unread:
                self.unread.add(column, unread[column.name], place)
        return pa.table(found)

    def _note_unknown(self, names: Iterable[str], path: str) -> None:
        for name in names:
            if name not in self.schema:
                self.unknown.setdefault(name, path)

    def with_values(self, batch: Batch, name: str) -> Batch:
        """The batch without the rows that have no value in the column of classes; how many these are is noted."""
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
        if self.strict:
            for name, unread in self.unread.items():
                some = ", ".join(f"{text!r} ({times:,})" for text, times in unread.texts.most_common(3))
                found.append(f"Read as missing in column {name!r}: {some}.")
        if self.unlabelled:
            left_out = f"{self.unlabelled:,} of {self.rows:,} rows, which have no class"
            found.append(f"Left out: {left_out}; row numbers count the others.")
        return found

    def place(self, path: str, first: int, row: int = 0) -> str:
        """Where a row is, for people."""
        file = next((file for file in self.files if file.path == path), None)
        if not isinstance(file, CsvFile) or file.pipe is not None:
            return f"{path}, row {first + row + 1}"
        left = first + row
        for block in file.blocks():
            rows = sum(1 for _ in file.records(block))
            if left < rows:
                return f"{path}, line {file.line_of(block, left)}"
            left -= rows
        return path


def _in_memory(table: Any, _: str) -> Iterator[pa.Table]:
    if isinstance(table, pa.Table):
        yield table
    elif hasattr(table, "__arrow_c_stream__"):
        yield pa.RecordBatchReader.from_stream(table).read_all()
    else:
        raise TypeError(f"data are names of files, or a frame of pandas, polars or Arrow, not {type(table).__name__}")


def _line(file: CsvFile, block: CsvBlock, row: int) -> str:
    return f"{file.path}, line {file.line_of(block, row)}"


def _but(options: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key != name}


def _some(names: Sequence[str], shown: Callable[[str], str] = repr) -> str:
    return ", ".join(map(shown, names[:8])) + (", ..." if len(names) > 8 else "")


def _sample(file: CsvFile | TypedFile) -> tuple[pa.Table, bool]:
    return csv_sample(file) if isinstance(file, CsvFile) else file.sample()


def _each(given: Any) -> list[Any]:
    """The tables of a folder; a file or a table as it is."""
    if not isinstance(given, (str, os.PathLike)) or not places.is_folder(os.fspath(given)):
        return [given]
    tables, _ = places.tables_in(os.fspath(given))
    if not tables:
        raise ValueError(f"{os.fspath(given)}: there is no table in this folder")
    return tables


def _distinct(names: Sequence[str], file: str) -> None:
    name, times = Counter(names).most_common(1)[0] if names else ("", 1)
    if times > 1:
        raise ValueError(f"{file} has {times} columns of the name {name!r}; names must differ")
