"""Text with a delimiter: CSV and TSV, of any encoding, compressed or not, as blocks of whole rows."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import pyarrow as pa
from pyarrow import csv as arrow_csv

from likely.data.findings import Finding
from likely.data.parsing import ARROW, trimmed
from likely.data.schema import ColumnSchema
from likely.data.stream import raw
from likely.data.stream.blanks import TabSeparated
from likely.data.stream.csv_findings import csv_findings
from likely.data.stream.csv_layout import BLANKS, layout_of, rows_in
from likely.data.stream.csv_sample import csv_sample, marks_in
from likely.data.stream.names import column_names
from likely.data.stream.table_file import TableFile
from likely.data.summary import ColumnSummary

HEAD = 1 << 20
"""Bytes that are read to detect how a file is written."""
LONGEST_ROW = 64 << 20
"""Bytes of the longest row that is read. A longer one has a quote that is not closed, or the file is no table."""


class CsvBlock(NamedTuple):
    """Some whole rows, as UTF-8."""

    data: bytes
    line: int
    """The line on which the first row begins, counted from 1; 0 if that is not known."""


class CsvFile(TableFile[CsvBlock]):
    """How a file is written, which is detected from its first megabyte unless it is given; and its rows."""

    names: list[str]

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
        self.parallel = pipe is None  # rows of a pipe are needed as they arrive
        head = self._head(pipe or raw.opened(path))
        if not head.strip(b"\0 \t\r\n\xef\xbb\xbf\xfe\xff"):
            raise ValueError(f"{path} is empty")
        if head.startswith(b"PK\x03\x04"):
            raise ValueError(f"{path} is a workbook or an archive, and no CSV")
        if len(head) >= LONGEST_ROW and b"\n" not in head and b"\r" not in head:
            raise self._endless(1)
        self.head = head
        self.encoding = encoding or raw.encoding_of(head)
        try:
            text = raw.decoder(self.encoding)(head, False).removeprefix("\ufeff")
        except UnicodeDecodeError:
            raise ValueError(f"{path} is not in {self.encoding}; name its encoding") from None
        begins = len(text) - len(text.lstrip("\r\n"))
        said = re.match(r"sep=(.)\r?\n", text[begins:])
        self.newline = b"\r" if "\r" in text and "\n" not in text else b"\n"
        empty = text[:begins].count(self.newline.decode()) + (said is not None)
        text = text[begins + (said.end() if said else 0) :]
        self.layout = layout_of(text, path, delimiter or (said[1] if said else None), header)
        self.skipped = empty + self.layout.before
        """Lines before the first row: empty ones, titles, and the one in which a spreadsheet names its delimiter."""
        self.blanks = self.layout.delimiter == BLANKS
        self.delimiter = "\t" if self.blanks else self.layout.delimiter
        self.header = header
        cells = list(self.layout.first) if header else [""] * len(self.layout.first)
        if self.layout.extra is not None:
            cells.insert(self.layout.extra, "")
        self.names = column_names(cell.strip('"') if self.blanks else cell for cell in cells)
        self.repaired: int | None = None
        """The first line with a byte that is not of the encoding, and was read as cp1252."""

    def _head(self, stream: raw.ByteStream) -> bytes:
        """The beginning of the file, with at least one row. Of a pipe, no more than has arrived."""
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

    def sample(self) -> tuple[pa.Table, bool]:
        return csv_sample(self)

    def marks(self, names: Sequence[str]) -> dict[str, Counter[str]]:
        return {} if self.pipe is not None else marks_in(self, names)

    def findings(self, seen: Mapping[str, ColumnSummary]) -> Iterator[Finding]:
        return csv_findings(self, seen)

    # Blocks of rows

    def blocks(self) -> Iterator[CsvBlock]:
        """All rows, without the header, in blocks of about raw.BLOCK bytes."""
        stream = self._utf8()
        line, waiting, skip = 1, b"", self.skipped
        try:
            header = 1 + self.layout.below if self.header else 0
            while True:
                more = stream.read(max(raw.BLOCK, len(waiting)))
                data = waiting + more
                if not more:
                    data = data.removesuffix(b"\x1a")  # which ended a file in CP/M, and for some programs still does
                    data += b"" if not data or data.endswith(self.newline) else self.newline
                while skip and (end := data.find(self.newline) + 1):
                    data, line, skip = data[end:], line + 1, skip - 1
                end = 0 if skip else self.row_end(data)
                if not end and len(data) > LONGEST_ROW:
                    raise self._endless(line)
                while header and end > 0:
                    first = self._end_of_first(data)
                    line += data.count(self.newline, 0, first)
                    data, end, header = data[first:], end - first, header - 1
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

    def _endless(self, line: int) -> ValueError:
        return ValueError(
            f"{self.path}, line {line}: a row of more than {LONGEST_ROW >> 20} MB does not end; a quote may not be "
            "closed, or this is no CSV"
        )

    def _utf8(self) -> raw.ByteStream:
        stream = _Again(self.head, self.pipe) if self.pipe else raw.opened(self.path)
        utf8 = raw.Utf8(stream, self.path, self.encoding)
        return TabSeparated(utf8) if self.blanks else utf8

    def _end_of_first(self, data: bytes) -> int:
        """Where the header ends: the first end of a row."""
        at = data.find(self.newline) + 1
        while at and not self.row_end(data[:at]):
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

    def row_end(self, data: bytes) -> int:
        """Where the last whole row ends, 0 if none does."""
        return raw.row_end(data, self.delimiter.encode(), self.newline)

    # Blocks as tables

    def cells(self, block: CsvBlock, columns: Sequence[ColumnSchema]) -> pa.Table:
        here = set(self.names)
        chosen = [column for column in columns if column.name in here]
        return self.table(block, {one.name: ARROW[one.type] if one.plain else pa.large_string() for one in chosen})

    def table(self, block: CsvBlock, types: Mapping[str, pa.DataType] | None, blank: bool = False) -> pa.Table:
        """The columns that these types are of; None: all columns, of the types that Arrow finds. Where a cell
        is not of its type, all columns are texts. Texts have no blanks around them. Those that are blank are missing,
        unless `blank` keeps them. Raises ValueError where a row has another number of cells than the header."""
        table = self._parsed(block, types, self.missing)
        if not self._padded(block.data):
            return table
        marks = [mark for mark in self.missing if mark or not blank]
        return pa.table([trimmed(cells, marks) for cells in table.columns], names=table.column_names)

    def _padded(self, data: bytes) -> bool:
        """Whether a cell may have a blank at its ends."""
        if b" " not in data:
            return False
        import numpy as np

        cells, ends = np.frombuffer(data, np.uint8), np.zeros(256, bool)
        ends[np.frombuffer(self.delimiter.encode() + b'\r\n"', np.uint8)] = True
        blanks = np.flatnonzero(cells == ord(" "))
        return bool(ends[cells[blanks - 1]].any() or ends[cells[(blanks + 1) % len(cells)]].any())

    def written(self, block: CsvBlock, names: Sequence[str] | None = None) -> pa.Table:
        """The cells of all columns, or of some, as they are written. Those that are empty are missing."""
        return self._parsed(block, dict.fromkeys(names or self.names, pa.large_string()), [""])

    def _parsed(self, block: CsvBlock, types: Mapping[str, pa.DataType] | None, missing: Sequence[str]) -> pa.Table:
        uneven: list[arrow_csv.InvalidRow] = []

        def refuse(row: arrow_csv.InvalidRow) -> str:
            uneven.append(row)
            return "error"

        how = arrow_csv.ParseOptions(delimiter=self.delimiter, newlines_in_values=True, invalid_row_handler=refuse)
        convert = arrow_csv.ConvertOptions(column_types=types, null_values=missing, strings_can_be_null=True)
        convert.include_columns = list(types or ())
        whole = arrow_csv.ReadOptions(column_names=self.names, block_size=len(block.data) + 1, use_threads=False)
        try:
            return arrow_csv.read_csv(pa.py_buffer(block.data), whole, how, convert)
        except pa.ArrowInvalid as error:
            texts = types and dict.fromkeys(types, pa.large_string())
            if uneven or types == texts:
                raise ValueError(self._uneven(block) or f"{self.path} can't be read as CSV: {error}") from None
            return self._parsed(block, texts, missing)

    def _uneven(self, block: CsvBlock) -> str | None:
        """The first row that has more cells than the header, or fewer."""
        for line, cells in self.records(block):
            if cells and len(cells) != len(self.names):
                where = f"{self.path}, line {line}," if block.line else self.path
                return f"{where} has {len(cells)} cells where the header has {len(self.names)}"
        return None

    def place(self, first: int, row: int, block: CsvBlock | None = None) -> str:
        if block is None and self.pipe is not None:
            return f"{self.path}, row {first + row + 1}"
        blocks, row = (self.blocks(), first + row) if block is None else ([block], row)
        lines = (line for block in blocks for line, _ in self.records(block))
        line = next(islice(lines, row, None), None)
        return self.path if line is None else f"{self.path}, line {line}"

    def records(self, block: CsvBlock) -> Iterator[tuple[int, list[str]]]:
        """Each row with the line on which it begins. Lines that are empty are no rows."""
        text = block.data.decode("utf-8", "replace").replace("\0", "\ufffd")
        return ((block.line + before, cells) for before, cells in rows_in(text, self.delimiter))


class _Again:
    """A pipe from its beginning: what was already read of it, and then the rest."""

    def __init__(self, head: bytes, pipe: raw.ByteStream) -> None:
        self.head, self.pipe = head, pipe

    def read(self, size: int) -> bytes:
        head, self.head = self.head, b""
        return head or self.pipe.read(size)

    def close(self) -> None:
        self.pipe.close()
