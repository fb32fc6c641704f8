"""Rows from all over a file of CSV, by which its schema is inferred."""

import codecs
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

import pyarrow as pa

from likely.data.number_forms import EITHER
from likely.data.parsing import is_text, trimmed
from likely.data.stream import places, raw
from likely.data.stream.columns import texts
from likely.data.stream.types import common_types, together

if TYPE_CHECKING:
    from likely.data.stream.csv import CsvBlock, CsvFile

PARTS, PART = 16, 1 << 20
"""How many parts of a file are sampled, and the bytes of each. A file that is not larger than all of them is read
whole."""
EVEN = 200
"""Rows that must have as many cells as the header to show that the first does not begin inside a quoted cell."""


def csv_sample(file: "CsvFile") -> tuple[pa.Table, bool]:
    """Rows from all over the file, and whether they are all. A column has a type if all its cells here are of it. Else
    its cells are texts, as they are written. So are numbers if one begins with a zero, as 007, and numbers such as
    1.234 in a file with semicolons, where a comma may be a decimal sign. Without rows, the table has no columns."""
    blocks, whole = _spread(file)
    tables = [file.table(block, None, blank=True) for block in blocks]
    types = common_types(tables)
    zeros = any(raw.may_have_leading_zero(block.data) for block in blocks)
    text = [name for name, type_ in types.items() if is_text(type_)]
    again = [name for name in text if not all(is_text(table.schema.field(name).type) for table in tables)]
    again += [
        name
        for name, type_ in types.items()
        if (zeros and pa.types.is_integer(type_)) or (pa.types.is_floating(type_) and (zeros or file.delimiter == ";"))
    ]
    written = [file.table(block, dict.fromkeys(again, pa.large_string()), blank=True) for block in blocks if again]
    for name in again:
        cells, at = [table[name] for table in written], file.names.index(name)
        if is_text(types[name]) or _has_leading_zero(cells) or _may_be_thousands(types[name], cells):
            tables = [table.set_column(at, name, column) for table, column in zip(tables, cells, strict=True)]
    return together(tables), whole


def marks_in(file: "CsvFile", names: Sequence[str]) -> dict[str, Counter[str]]:
    """How often each text that marks a missing cell occurs in these columns of the sample."""
    import pyarrow.compute as pc

    found: dict[str, Counter[str]] = defaultdict(Counter)
    here = [name for name in names if name in file.names]
    for block in _spread(file)[0] if here else ():
        table = file.written(block, here)
        for name in here:
            cells = trimmed(table[name])
            counted = pc.value_counts(cells.filter(pc.is_in(cells, texts(mark for mark in file.missing if mark))))
            found[name].update({one["values"]: one["counts"] for one in counted.to_pylist()})
    return found


def _spread(file: "CsvFile") -> "tuple[list[CsvBlock], bool]":
    """Blocks from all over the file, and whether they are all of it."""
    with places.opened(file.path) as opened:
        size = opened.size()
    plain = codecs.lookup(file.encoding).name in ("utf-8", "cp1252", "ascii", "iso8859-1")
    if raw.compression(file.path) is None and plain and not file.blanks and size > PARTS * PART:
        return _sought(file, size), False
    found: list[CsvBlock] = []
    step, whole = 1, True
    for at, block in enumerate(file.blocks()):
        if at % step == 0:
            found.append(block)
        if len(found) > PARTS * PART // raw.BLOCK + PARTS:
            found, step, whole = found[::2], 2 * step, False
    return found if whole else [_beginning(file, block) for block in found], whole


def _beginning(file: "CsvFile", block: "CsvBlock") -> "CsvBlock":
    """Its first rows, of up to PART bytes; all rows if the first is longer."""
    return block._replace(data=block.data[: file.row_end(block.data[:PART])] or block.data)


def _sought(file: "CsvFile", size: int) -> "list[CsvBlock]":
    """From evenly spaced places, each from the first end of a row there. If that is inside a quoted cell, rows do not
    have as many cells as the header."""
    first = next(file.blocks())
    found = [_beginning(file, first)]
    with places.opened(file.path) as opened:
        for part in range(1, PARTS):
            opened.seek(part * size // PARTS)
            data = opened.read(PART)
            if file.encoding != "utf-8":
                data = raw.decoder(file.encoding)(data, True).encode()
            for start in (0, data.find(b'"') + 1):  # outside of quotes, if the data begin outside or inside of them
                rows = data[data.find(file.newline, start) + 1 :]
                block = first._replace(data=rows[: file.row_end(rows)], line=0)
                widths = {len(cells) for _, cells in islice(file.records(block), EVEN)}
                if block.data and widths <= {len(file.names)}:
                    found.append(block._replace(data=raw.repaired(block.data)))
                    break
    return found


def _has_leading_zero(columns: Sequence[pa.ChunkedArray]) -> bool:
    import pyarrow.compute as pc

    return any(pc.any(pc.match_substring_regex(column, r"^\s*[+-]?0\d")).as_py() for column in columns)


def _may_be_thousands(type_: pa.DataType, columns: Sequence[pa.ChunkedArray]) -> bool:
    """Whether the points in these numbers may separate thousands: three digits follow each of them."""
    import pyarrow.compute as pc

    return bool(pa.types.is_floating(type_)) and all(
        pc.all(pc.match_substring_regex(column, rf"^\s*{EITHER.pattern}\s*$")).as_py() is not False
        for column in columns
    )
