"""Text with a delimiter: CSV and TSV, of any encoding, compressed or not."""

import codecs
import csv
import io
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

import pyarrow as pa
from pyarrow import csv as arrow_csv

from likely.data.arrow import NO_CAST
from likely.data.stream.conform import parsed
from likely.data.stream.types import Widened, wider
from likely.errors import BadCell

BLOCK = 2 << 20
"""Bytes read at a time. With 8 MB `likely fit` of a CSV of 170 MB takes as long, and 416 MB, not 272."""
LARGEST_BLOCK = 1 << 30
HEAD = 1 << 20
"""Bytes looked at to find out how a file is written."""
DELIMITERS = ",\t;|"
_BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


class Dialect(NamedTuple):
    """How a file is written."""

    encoding: str
    delimiter: str
    names: Sequence[str]


def dialect(path: str, encoding: str | None = None) -> Dialect:
    """Found out from the first megabyte, and the first line."""
    with pa.input_stream(path, compression="detect") as stream:
        head = stream.read(HEAD)
        while head and b"\n" not in head and (more := stream.read(HEAD)):
            head += more
    if not head.strip():
        raise ValueError(f"{path} is empty")
    encoding = encoding or _encoding(head)
    try:
        text = codecs.getincrementaldecoder(encoding)("strict").decode(head).removeprefix("\ufeff")
    except (LookupError, UnicodeDecodeError):
        raise ValueError(f"{path} is not in {encoding}; say in which encoding it is") from None
    first = text.splitlines()[0]
    delimiter = "\t" if ".tsv" in path.lower() else max(DELIMITERS, key=_outside_quotes(first).count)
    names = next(csv.reader(io.StringIO(text), delimiter=delimiter))
    return Dialect(encoding, delimiter, names)


def _encoding(head: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return encoding
    for start, encoding in ((0, "utf-16-be"), (1, "utf-16-le")):
        if len(head) > 1 and not any(head[start:200:2]):
            return encoding
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"


def _outside_quotes(line: str) -> str:
    return re.sub(r'"[^"]*"', "", line)


def batches(
    path: str, how: Dialect, types: Mapping[str, pa.DataType], missing: Sequence[str], block: int
) -> Iterator[pa.Table]:
    """Tables of about `block` bytes each. Columns that `types` does not name have the type of their first cells.

    Raises TypeConflict where a cell is not of its column's type, TooLong where a row is longer than a block, and
    ValueError where a row is not in order.
    """
    here = set(how.names)  # a search of the list takes a minute where there are 100,000
    read_as = {name: type_ for name, type_ in types.items() if name in here}
    uneven: list[arrow_csv.InvalidRow] = []
    done = 0
    try:
        with _reader(path, how, read_as, missing, block, uneven) as reader:
            read_as = dict(zip(reader.schema.names, reader.schema.types, strict=True))
            for batch in reader:
                yield pa.Table.from_batches([batch])
                done += 1
    except pa.ArrowInvalid as error:
        if uneven:
            raise ValueError(_uneven(path, how) or f"{path} can't be read as CSV: {error}") from None
        with suppress(pa.ArrowInvalid):  # which a row longer than a block raises again
            as_written = _reader(path, how, dict.fromkeys(how.names, pa.large_binary()), missing, block, uneven)
            _find_conflict(next(islice(as_written, done, None)), read_as)
        if block < LARGEST_BLOCK:
            raise TooLong(path) from None
        raise ValueError(f"{path} can't be read as CSV: {error}") from None
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not in {how.encoding}: byte {error.object[error.start]:#04x} stands for nothing"
        ) from None


def _reader(
    path: str,
    how: Dialect,
    types: Mapping[str, pa.DataType],
    missing: Sequence[str],
    block: int,
    uneven: list[arrow_csv.InvalidRow],
) -> arrow_csv.CSVStreamingReader:
    """Appends a row that has more cells than the header, or fewer, to `uneven`, and raises ArrowInvalid there."""

    def refuse(row: arrow_csv.InvalidRow) -> str:
        uneven.append(row)
        return "error"

    nulls = [*arrow_csv.ConvertOptions().null_values, *missing]
    return arrow_csv.open_csv(
        pa.input_stream(path, compression="detect"),
        arrow_csv.ReadOptions(block_size=block, encoding=how.encoding),
        arrow_csv.ParseOptions(delimiter=how.delimiter, newlines_in_values=True, invalid_row_handler=refuse),
        arrow_csv.ConvertOptions(column_types=dict(types), null_values=nulls, strings_can_be_null=True),
    )


def _find_conflict(batch: pa.RecordBatch, types: Mapping[str, pa.DataType]) -> None:
    """Raises TypeConflict for the first column of a batch of bytes that has a cell not of the column's type."""
    for name, type_ in types.items():
        cells = batch.column(name).drop_null()
        try:
            parsed(pa.chunked_array([cells.cast(pa.large_string())]), name, [type_], str(type_))
        except BadCell as error:
            raise TypeConflict(name, error.value) from None
        except NO_CAST:
            raise TypeConflict(name, None) from None


class TooLong(Widened):
    """A row that seems not to fit into a block: nothing else is wrong with it."""


class TypeConflict(Widened):
    """A cell that is not of its column's type."""

    def __init__(self, column: str, value: str | None) -> None:
        super().__init__(column)
        self.column = column
        self.value = value
        """None if its bytes are no text in the encoding."""

    def resolved(self, type_: pa.DataType) -> pa.DataType:
        return wider(type_, self.value or "")


def line_of(path: str, how: Dialect, row: int) -> int:
    """The line on which a row begins, the header being on line 1."""
    return next(line for at, (line, _) in enumerate(_records(path, how)) if at == row + 1)


def _uneven(path: str, how: Dialect) -> str | None:
    """The first row that has more cells than the header, or fewer."""
    for line, cells in _records(path, how):
        if cells and len(cells) != len(how.names):
            return f"{path}, line {line}, has {len(cells)} cells where the header has {len(how.names)}"
    return None


def _records(path: str, how: Dialect) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line on which it begins. Lines that are empty are no rows."""
    csv.field_size_limit(sys.maxsize)
    with pa.input_stream(path, compression="detect") as stream:
        reader = csv.reader(io.TextIOWrapper(stream, how.encoding, "replace", newline=""), delimiter=how.delimiter)
        line = 1
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1
