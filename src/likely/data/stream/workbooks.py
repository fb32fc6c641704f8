"""Sheets of workbooks of Excel and LibreOffice."""

import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from likely.data.stream import places
from likely.data.stream.csv_layout import MOST_LINES
from likely.data.stream.formats import ROWS
from likely.data.stream.names import column_names
from likely.data.stream.records import table_of
from likely.printing import safe


def workbook(path: str, sheet: str | None = None, said: dict[str, str] | None = None) -> Iterator[pa.Table]:
    """A sheet of a workbook: the one of this name, or the first. Its first row has the names. What was not read is
    added to `said`, with the option that changes it."""
    try:
        from python_calamine import CalamineWorkbook
    except ImportError:
        raise ImportError(
            f"{path} is a workbook; reading it needs python-calamine: pip install 'likely[excel]'"
        ) from None
    try:
        with places.opened(path) as file:
            book = CalamineWorkbook.from_filelike(io.BytesIO(file.read()))
    except Exception as error:  # its errors have no common class
        if inside := _archived(path):
            raise ValueError(f"{path} is an archive with {inside}; unpack it first") from None
        raise ValueError(f"{path} can't be read as a workbook: {error}") from None
    if sheet is not None and sheet not in book.sheet_names:
        raise ValueError(f"{path} has no sheet {sheet!r}; it has {', '.join(map(repr, book.sheet_names))}")
    said = {} if said is None else said
    if sheet is None and len(book.sheet_names) > 1:
        others = ", ".join(map(repr, book.sheet_names[1:4])) + (", ..." if len(book.sheet_names) > 4 else "")
        said[f"its first sheet, {book.sheet_names[0]!r}, is read; others are {others}"] = "--sheet"
    rows = book.get_sheet_by_name(sheet or book.sheet_names[0]).to_python()
    if not rows:
        raise ValueError(f"{path} is empty")
    first = _first_of(rows)
    if first:
        said[f"row {first + 1} has the names of columns; what is above it is left out"] = ""
    names = column_names(map(str, rows[first]))
    for start in range(first + 1, len(rows), ROWS):
        part = zip(*rows[start : start + ROWS], strict=True)
        yield table_of(names, [[None if cell == "" else cell for cell in column] for column in part])


def _first_of(rows: Sequence[Sequence[Any]]) -> int:
    """The row with the names: where the first, a title, has one cell of many, the first that has half of them."""
    filled = [sum(cell != "" for cell in row) for row in rows[: MOST_LINES + 1]]
    if len(rows[0]) < 3 or filled[0] > 1:
        return 0
    return next((at for at, cells in enumerate(filled) if 2 * cells >= len(rows[0])), 0)


def _archived(path: str) -> str:
    """Some names of files in an archive; "" if it is none."""
    with places.opened(path) as file:
        try:
            names = zipfile.ZipFile(io.BytesIO(file.read())).namelist()
        except zipfile.BadZipFile:
            return ""
    return ", ".join(safe(name) for name in names[:3]) + (", ..." if len(names) > 3 else "")
