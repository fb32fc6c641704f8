"""How a file of CSV is laid out: what separates its cells, and where its rows begin."""

import csv
import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from likely.data.schema import MISSING
from likely.data.stream.blanks import split_at_blanks

DELIMITERS = ",\t;|"
BLANKS = " "
"""As a delimiter: any number of blanks."""
LOOKED_AT = 100
"""Rows that show a layout."""
MOST_LINES = 30
"""Lines before the header, such as a title, that are no rows."""

BELOW = 2
"""The most lines of a header below its first."""


class CsvLayout(NamedTuple):
    delimiter: str
    first: list[str]
    """The cells of the first row, be they names or not."""
    before: int = 0
    """Lines before it that are no rows: titles and comments."""
    below: int = 0
    """Further lines of a header: questions in full, units."""
    extra: int | None = None
    """The cell of each row that the header has no name for: 0 or the last."""


def layout_of(text: str, path: str, delimiter: str | None, header: bool) -> CsvLayout:
    """The layout of a file that begins with this text. Its delimiter is detected unless it is given."""
    lines = text[: 1 << 18]
    lines = lines[: lines.rfind("\n") + 1] or text
    tried = [delimiter] if delimiter else ["\t"] if ".tsv" in Path(path.lower()).suffixes else list(DELIMITERS)
    found = [_laid_out(_rows(lines, one), one, header) for one in tried]
    good = [layout for layout in found if layout is not None]
    first = re.sub(r'"[^"]*"', "", text.splitlines()[0])
    if good:
        return max(good, key=lambda one: (not one.before, len(one.first), first.count(one.delimiter)))
    if delimiter is None and (blanks := _laid_out(_rows(lines, BLANKS), BLANKS, header)) is not None:
        return blanks
    best = max(tried, key=first.count)
    return CsvLayout(best, _rows(text, best, 1)[0][1])


def _rows(text: str, delimiter: str, most: int = LOOKED_AT) -> list[tuple[int, list[str]]]:
    """The first rows, each with the number of lines before it."""
    if delimiter == BLANKS:
        lines = list(enumerate(split_at_blanks(text.splitlines()[:most])))
        return [(at, cells) for at, cells in lines if cells]
    return list(rows_in(text, delimiter, most))


def rows_in(text: str, delimiter: str, most: int | None = None) -> Iterator[tuple[int, list[str]]]:
    """Each row with the number of lines before it. Lines that are empty are no rows."""
    csv.field_size_limit(sys.maxsize)
    reader, before = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), 0
    for cells in islice(reader, most):
        if cells:
            yield before, cells
        before = reader.line_num


def _laid_out(rows: list[tuple[int, list[str]]], delimiter: str, header: bool) -> CsvLayout | None:
    """None unless all rows have the same number of cells, at least two. A few lines before them may differ."""
    width = len(rows[-1][1]) if rows else 0
    begins = next((at for at in range(len(rows)) if all(len(cells) == width for _, cells in rows[at:])), 0)
    if width < 2 or begins > MOST_LINES or (begins and len(rows) - begins < 2):
        return None
    extra = None
    if header and begins and len(rows[begins - 1][1]) == width - 1 > 0:
        extra = _extra([cells for _, cells in rows[begins:]])
        if extra is not None and _names_numbers([cells for _, cells in rows[begins:]]):
            extra = None  # a title
        begins -= extra is not None
    elif header:
        begins = _without_titles(rows, begins, width)
    names, body = rows[begins][1], [cells for _, cells in rows[begins + 1 :]]
    many = len(body) > 2 * BELOW  # else the first may not be left out to see what columns are
    numeric = [at for at in range(width) if _are_numbers(cells[at] for cells in body[BELOW * many :])]
    shift = 0 if extra != 0 else 1
    named = [at for at in numeric if shift <= at < len(names) + shift and _is_name(names[at - shift])]
    before = [cells for _, cells in rows[:begins]]
    comments = all(cells[0].lstrip().startswith("#") for cells in before)
    titles = named and all(len(cells) < width or not any(cells[1:]) for cells in before)
    if (begins and not comments and not titles) or (delimiter == BLANKS and not numeric):
        return None
    below = 0
    if header and many and len(named) > 1:
        below = next((at for at in range(BELOW) if not _is_header(body[at], named)), BELOW)
    return CsvLayout(delimiter, names, rows[begins][0], below, extra)


def _without_titles(rows: Sequence[tuple[int, list[str]]], begins: int, width: int) -> int:
    """Where rows begin after titles, which a spreadsheet writes into the first of many columns."""
    filled = [[at for at, cell in enumerate(cells) if cell.strip()] for _, cells in rows]
    titles = next((at for at in range(begins, len(rows)) if filled[at] not in ([], [0])), begins)
    return titles if width > 2 and titles <= MOST_LINES and 2 * len(filled[titles]) >= width else begins


def _names_numbers(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row has a name over numbers."""
    names, *body = rows
    return any(_is_name(name) and _are_numbers(row[at] for row in body) for at, name in enumerate(names))


def _extra(rows: Sequence[Sequence[str]]) -> int | None:
    """Where rows have one cell more than the header: at the end, if that is empty; or first, as R writes names."""
    if not any(row[-1].strip() for row in rows):
        return len(rows[0]) - 1
    return 0 if len(rows) > 1 and len(rows[0]) > 2 and len({row[0] for row in rows}) == len(rows) else None


def _is_name(cell: str) -> bool:
    return cell.strip() not in MISSING and not _is_number(cell)


def _is_header(cells: Sequence[str], numeric: Sequence[int]) -> bool:
    """Whether a row has texts in all columns of numbers in which it has a cell."""
    there = [cells[at] for at in numeric if cells[at].strip() not in MISSING]
    return bool(there) and 2 * len(there) > len(numeric) and not any(map(_is_number, there))


def _are_numbers(cells: Iterable[str]) -> bool:
    there = [cell for cell in cells if cell.strip() not in MISSING]
    return bool(there) and all(map(_is_number, there))


_NUMBER = re.compile(r"\s*[+-]?(?:\d[\d.,]*|[.,]\d+)(?:[eE][+-]?\d+)?\s*%?\s*|\s*\d{4}-\d\d-\d\d(?:[ T][\d:.]+)?\s*")


def _is_number(cell: str) -> bool:
    """Also a number with a decimal comma, and a date as a computer writes it."""
    return _NUMBER.fullmatch(cell) is not None
