"""Sheets of workbooks of Excel and LibreOffice."""

import io
from collections.abc import Iterator

import pyarrow as pa

from likely.data.stream import places
from likely.data.stream.formats import ROWS
from likely.data.stream.records import table_of


def workbook(path: str, sheet: str | None = None) -> Iterator[pa.Table]:
    """A sheet of a workbook: the one of this name, or the first. Row 1 has the names."""
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
        raise ValueError(f"{path} can't be read as a workbook: {error}") from None
    if sheet is not None and sheet not in book.sheet_names:
        raise ValueError(f"{path} has no sheet {sheet!r}; it has {', '.join(map(repr, book.sheet_names))}")
    rows = book.get_sheet_by_name(sheet or book.sheet_names[0]).to_python()
    if not rows:
        raise ValueError(f"{path} is empty")
    names = [str(name).strip() or f"column {j + 1}" for j, name in enumerate(rows[0])]
    for start in range(1, len(rows), ROWS):
        part = zip(*rows[start : start + ROWS], strict=True)
        yield table_of(names, [[None if cell == "" else cell for cell in column] for column in part])
