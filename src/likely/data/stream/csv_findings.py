"""What is worth knowing of how a file of CSV is laid out."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from likely.data.findings import Finding
from likely.data.inference import is_text_type
from likely.data.schema import MISSING
from likely.data.stream.places import partition_of
from likely.data.summary import ColumnSummary, is_number
from likely.printing import safe

if TYPE_CHECKING:
    from likely.data.stream.csv import CsvFile


def csv_findings(file: "CsvFile", seen: Mapping[str, ColumnSummary]) -> Iterator[Finding]:
    """Lines that were left out, columns that were renamed, and what may be wrong with the first line."""
    layout = file.layout
    if layout.before:
        lines = "its first line comes" if layout.before == 1 else f"its first {layout.before} lines come"
        yield Finding("before", file.path, f"{lines} before the names of the columns: left out")
    if layout.below:
        line = file.skipped + 1
        lines = f"line {line + 1} has" if layout.below == 1 else f"lines {line + 1} and {line + 2} have"
        yield Finding("below", file.path, f"{lines} texts in columns of numbers, like a header: left out")
    if layout.extra == 0:
        yield Finding("extra", file.path, "rows have one cell more than the header: the first is read as 'column 1'")
    is_row = file.header and len(file.layout.first) > 1 and _is_row(file, seen)
    stripped = [cell.strip() for cell in file.layout.first] if file.header else []
    for at, name in enumerate(stripped if not is_row else ()):
        read = file.names[at + (layout.extra == 0)]
        if name and read != name and name in stripped[:at]:
            says = f"has {stripped.count(name)} columns of the name {safe(name)!r}: column {at + 1} is read as"
            yield Finding("same_name", file.path, f"{says} {safe(read)!r}")
    if is_row:
        says = f"its first line, {safe(', '.join(stripped[:3]))}, may be a row and not the names of columns"
        yield Finding("header", file.path, says, "--no-header")
    if file.repaired is not None:
        says = f"line {file.repaired} has bytes that are not UTF-8: they are read as Windows-1252"
        yield Finding("encoding", file.path, says, "--encoding", {"line": file.repaired})
    for name, cell in partition_of(file.path).items():
        yield Finding("folder", file.path, f"its folder {name}={cell} is no column, as it would be of Parquet")


def _is_row(file: "CsvFile", seen: Mapping[str, ColumnSummary]) -> bool:
    """Whether the names of columns could be a row: numbers over numbers, values of other rows over categories, and a
    code with digits over codes that hardly ever repeat."""
    if all(map(is_number, file.layout.first)):
        return True
    numbers = 0
    for name in file.layout.first:
        cells = seen.get(name.strip())
        if name.strip() in MISSING and name.strip():
            continue
        if cells is None:
            return False
        code = is_text_type(cells.arrow) and cells.distinct_share > 0.9 and any(mark.isdigit() for mark in name)
        if not (is_number(name) or code or name.strip() in cells.values):
            return False
        numbers += is_number(name)
    return numbers > 0
