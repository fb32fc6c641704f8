"""Text with a delimiter: CSV and TSV, of any encoding, compressed or not, as blocks of whole rows."""

import codecs
import csv
import io
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
from pyarrow import csv as arrow_csv

from likely.data.parsing import cast, is_text
from likely.data.stream import raw
from likely.data.stream.types import common

HEAD = 1 << 20
"""Bytes looked at to find out how a file is written."""
LONGEST_ROW = 64 << 20
"""Bytes of the longest row that is read. What goes on for longer has a quote that is not closed, or is no table."""
PARTS, PART = 16, 1 << 20
"""How many parts of a file are looked at for its schema, and the bytes of each; a file that is not larger than all of
them is looked at whole."""
DELIMITERS = ",\t;|"
LEADING_ZERO = re.compile(rb"(?:\A|[^\w.:/-])[+-]?0\d")


class CsvBlock(NamedTuple):
    """Some whole rows, as UTF-8."""

    data: bytes
    line: int
    """That the first of them begins on, counted from 1; 0 where that is not known."""


class Unreadable(Exception):
    """A cell of a block is not of the type that its column has."""


class CsvFile:
    """How a file is written, found out from its first megabyte unless it is said; and its rows."""

    def __init__(
        self,
        path: str,
        encoding: str | None = None,
        delimiter: str | None = None,
        header: bool = True,
        missing: Sequence[str] = ("",),
        pipe: raw.ByteStream | None = None,
    ) -> None:
        self.path, self.missing, self.pipe = path, list(missing), pipe
        head = self._head(pipe or raw.opened(path))
        if not head.strip(b"\0 \t\r\n\xef\xbb\xbf\xfe\xff"):
            raise ValueError(f"{path} is empty")
        if head.startswith(b"PK\x03\x04"):
            raise ValueError(f"{path} is a workbook or an archive, and no CSV")
        self.head = head
        self.encoding = encoding or raw.encoding_of(head)
        try:
            text = raw.decoder(self.encoding)(head, False).removeprefix("\ufeff")
        except UnicodeDecodeError:
            raise ValueError(f"{path} is not in {self.encoding}; name its encoding") from None
        begins = len(text) - len(text.lstrip("\r\n"))
        said = re.match(r"sep=(.)\r?\n", text[begins:])
        self.newline = b"\r" if "\r" in text and "\n" not in text else b"\n"
        self.skipped = text[:begins].count(self.newline.decode()) + (said is not None)
        """Lines before the first row: empty ones, and the one in which a spreadsheet names its delimiter."""
        text = text[begins + (said.end() if said else 0) :]
        self.delimiter = delimiter or (said[1] if said else _delimiter(text, path))
        first = self._first(text)
        self.header = header
        self.names = [name if header and name.strip() else f"column {j + 1}" for j, name in enumerate(first)]
        self.first = first
        """The cells of the first row, be they names or not."""
        self.repaired: int | None = None
        """The first line with a byte that is not of the encoding, and was read as cp1252."""
        self.rows = 0

    def _head(self, stream: raw.ByteStream) -> bytes:
        """Enough to hold a row, and of a pipe no more than has arrived."""
        head = b""
        while len(head) < HEAD and (more := stream.read(HEAD)):
            head += more
            if self.pipe is not None and b"\n" in head:
                break
        while b"\n" not in head and b"\r" not in head and len(head) < LONGEST_ROW and (more := stream.read(len(head))):
            head += more
        if self.pipe is None:
            stream.close()
        return head

    def _first(self, text: str) -> list[str]:
        csv.field_size_limit(sys.maxsize)
        return next(csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter))

    # Blocks of rows

    def blocks(self) -> Iterator[CsvBlock]:
        """All rows, without the header, in blocks of about raw.BLOCK bytes."""
        stream = self._utf8()
        line, waiting, skip = 1, b"", self.skipped
        try:
            header = self.header
            while True:
                more = stream.read(max(raw.BLOCK, len(waiting)))
                data = waiting + more
                if not more and data and not data.endswith(self.newline):
                    data += self.newline
                while skip and (end := data.find(self.newline) + 1):
                    data, line, skip = data[end:], line + 1, skip - 1
                end = 0 if skip else raw.row_end(data, self.delimiter.encode(), self.newline)
                if not end and len(data) > LONGEST_ROW:
                    raise ValueError(
                        f"{self.path}, line {line}: a row of more than {LONGEST_ROW >> 20} MB does not end; a quote "
                        "may not be closed, or this is no CSV"
                    )
                if end and header:
                    first = self._end_of_first(data)
                    line += data.count(self.newline, 0, first)
                    data, end, header = data[first:], end - first, False
                if end > 0:
                    yield CsvBlock(self._checked(data[:end], line), line)
                    line += data.count(self.newline, 0, end)
                waiting = data[end:] if end > 0 else data
                if not more:
                    if waiting.strip():
                        raise ValueError(f"{self.path}: a quote that opens after line {line - 1} is not closed")
                    return
        finally:
            stream.close()

    def _utf8(self) -> raw.Utf8:
        return raw.Utf8(_Again(self.head, self.pipe) if self.pipe else raw.opened(self.path), self.path, self.encoding)

    def _end_of_first(self, data: bytes) -> int:
        """Where the header ends: the first end of a row."""
        at = data.find(self.newline) + 1
        while at and not raw.row_end(data[:at], self.delimiter.encode(), self.newline):
            at = data.find(self.newline, at) + 1
        return at

    def _checked(self, data: bytes, line: int) -> bytes:
        if data.isascii():
            return data
        try:
            data.decode()
        except UnicodeDecodeError as error:
            self.repaired = self.repaired or line + data.count(self.newline, 0, error.start)
            return raw.repaired(data)
        return data

    def spread(self) -> tuple[list[CsvBlock], bool]:
        """Blocks from all over the file, and whether they are all of it."""
        size = Path(self.path).stat().st_size
        plain = codecs.lookup(self.encoding).name in ("utf-8", "cp1252", "ascii", "iso8859-1")
        if raw.compression(self.path) is None and plain and size > PARTS * PART:
            return self._sought(size), False
        found: list[CsvBlock] = []
        step, whole = 1, True
        for at, block in enumerate(self.blocks()):
            if at % step == 0:
                found.append(block)
            if len(found) > PARTS * PART // raw.BLOCK + PARTS:
                found, step, whole = found[::2], 2 * step, False
        if not whole:
            ends = (raw.row_end(block.data[:PART], self.delimiter.encode(), self.newline) for block in found)
            found = [
                block._replace(data=block.data[:end] if end else block.data)
                for block, end in zip(found, ends, strict=True)
            ]
        return found, whole

    def _sought(self, size: int) -> list[CsvBlock]:
        """From places evenly spaced, each from the first end of a row there. Whether that is in a quoted cell is seen
        from how many cells the rows have."""
        first = next(self.blocks())
        found = [
            CsvBlock(first.data[: raw.row_end(first.data[:PART], self.delimiter.encode(), self.newline)], first.line)
        ]
        found = found if found[0].data else [first]
        with Path(self.path).open("rb") as file:
            for part in range(1, PARTS):
                file.seek(part * size // PARTS)
                data = file.read(PART)
                if self.encoding != "utf-8":
                    data = raw.decoder(self.encoding)(data, True).encode()
                for quoted in (False, True):
                    begins = self._begins(data, quoted)
                    end = raw.row_end(data[begins:], self.delimiter.encode(), self.newline)
                    block = CsvBlock(data[begins : begins + end], 0)
                    if end and self._even(block):
                        found.append(block._replace(data=raw.repaired(block.data)))
                        break
        return found

    def _begins(self, data: bytes, quoted: bool) -> int:
        """Where the first row begins, if the data begin inside a quoted cell or outside."""
        at = data.find(b'"') + 1 if quoted else 0
        return data.find(self.newline, at) + 1

    def _even(self, block: CsvBlock) -> bool:
        rows = islice(self._records(block), 1000)
        return all(len(cells) == len(self.names) for _, cells in rows)

    # Blocks as tables

    def table(
        self, block: CsvBlock, types: Mapping[str, pa.DataType] | None, only: Sequence[str] | None = None
    ) -> pa.Table:
        """The cells of a block by these types; None: by the types that Arrow finds. Raises Unreadable where a cell is
        not of its type, ValueError where a row has another number of cells than the header."""
        return self._parsed(block, types, self.missing, only)

    def written(self, block: CsvBlock) -> pa.Table:
        """The cells as they are written. Those that are empty are missing."""
        return self._parsed(block, dict.fromkeys(self.names, pa.large_string()), [""], None)

    def _parsed(
        self,
        block: CsvBlock,
        types: Mapping[str, pa.DataType] | None,
        missing: Sequence[str],
        only: Sequence[str] | None,
    ) -> pa.Table:
        uneven: list[arrow_csv.InvalidRow] = []

        def refuse(row: arrow_csv.InvalidRow) -> str:
            uneven.append(row)
            return "error"

        how = arrow_csv.ParseOptions(delimiter=self.delimiter, newlines_in_values=True, invalid_row_handler=refuse)
        convert = arrow_csv.ConvertOptions(
            column_types=types, null_values=list(missing), strings_can_be_null=True, include_columns=only
        )
        size = len(block.data) + 1
        try:
            return arrow_csv.read_csv(
                pa.py_buffer(block.data),
                arrow_csv.ReadOptions(column_names=self.names, block_size=size, use_threads=False),
                how,
                convert,
            )
        except pa.ArrowInvalid as error:
            if uneven or types is None:
                raise ValueError(self._uneven(block) or f"{self.path} can't be read as CSV: {error}") from None
            raise Unreadable(str(error)) from None

    def _uneven(self, block: CsvBlock) -> str | None:
        """The first row that has more cells than the header, or fewer."""
        for line, cells in self._records(block):
            if cells and len(cells) != len(self.names):
                where = f"{self.path}, line {line}," if block.line else self.path
                return f"{where} has {len(cells)} cells where the header has {len(self.names)}"
        return None

    def line_of(self, block: CsvBlock, row: int) -> int:
        """The line on which a row of a block begins."""
        return next(islice((line for line, _ in self._records(block)), row, None))

    def _records(self, block: CsvBlock) -> Iterator[tuple[int, list[str]]]:
        """Each row with the line on which it begins. Lines that are empty are no rows."""
        csv.field_size_limit(sys.maxsize)
        text = block.data.decode("utf-8", "replace").replace("\0", "\ufffd")
        reader, before = csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter), 0
        for cells in reader:
            if cells:
                yield block.line + before, cells
            before = reader.line_num

    def sample(self) -> tuple[pa.Table, bool]:
        """Rows from all over the file, and whether they are all. A column has a type if all its cells here are of it,
        else its cells are texts as they are written; so are numbers where one begins with a zero, as 007."""
        blocks, whole = self.spread()
        tables = [self.table(block, None) for block in blocks]
        if not tables:
            raise ValueError(f"{self.path}: there is a header, and no rows")
        types = {name: _common([table.schema.field(j).type for table in tables]) for j, name in enumerate(self.names)}
        zeros = any(LEADING_ZERO.search(block.data) for block in blocks)
        texts = [name for name, type_ in types.items() if is_text(type_)]
        again = [name for name in texts if not all(is_text(table.schema.field(name).type) for table in tables)]
        again += [
            name
            for name, type_ in types.items()
            if zeros and (pa.types.is_integer(type_) or pa.types.is_floating(type_))
        ]
        if again:
            written = [self.table(block, dict.fromkeys(again, pa.large_string()), again) for block in blocks]
            for name in again:
                cells = [table[name] for table in written]
                if is_text(types[name]) or _has_leading_zero(cells):
                    types[name] = pa.large_string()
                    tables = [_with(table, name, column) for table, column in zip(tables, cells, strict=True)]
        schema = pa.schema(list(types.items()))
        return pa.concat_tables([table.cast(schema) for table in tables]), whole


class _Again:
    """What was read of a pipe to look at it, and then the rest."""

    def __init__(self, head: bytes, pipe: raw.ByteStream) -> None:
        self.head, self.pipe = head, pipe

    def read(self, size: int) -> bytes:
        head, self.head = self.head, b""
        return head or self.pipe.read(size)

    def close(self) -> None:
        self.pipe.close()


def _common(types: list[pa.DataType]) -> pa.DataType:
    found = pa.null()
    for type_ in types:
        found = common(found, type_)
    return found


def _with(table: pa.Table, name: str, column: pa.ChunkedArray) -> pa.Table:
    return table.set_column(table.column_names.index(name), name, cast(column, pa.large_string()))


def _has_leading_zero(columns: Sequence[pa.ChunkedArray]) -> bool:
    import pyarrow.compute as pc

    return any(pc.any(pc.match_substring_regex(column, r"^\s*[+-]?0\d")).as_py() for column in columns)


def _delimiter(text: str, path: str) -> str:
    """The one that gives the most cells, the same number in each of the first rows; of TSV a tab."""
    if ".tsv" in Path(path.lower()).suffixes:
        return "\t"
    csv.field_size_limit(sys.maxsize)
    lines = text[: 1 << 16]
    lines = lines[: lines.rfind("\n") + 1] or text
    first = re.sub(r'"[^"]*"', "", text.splitlines()[0])
    widths = {}
    for delimiter in DELIMITERS:
        rows = [len(row) for row in islice(csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter), 50) if row]
        widths[delimiter] = rows[0] if rows and len(set(rows)) == 1 else 0
    best = max(DELIMITERS, key=lambda one: (widths[one], first.count(one)))
    return best if widths[best] > 1 else max(DELIMITERS, key=first.count)
