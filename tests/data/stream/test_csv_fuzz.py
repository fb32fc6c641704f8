"""CSV of any bytes: the same cells as Python's csv module reads, or one sentence."""

import csv as python_csv
import io
from pathlib import Path

import numpy as np
import pytest

from likely.data.stream import raw
from likely.data.stream.csv import CsvFile

PIECES = [
    b"a",
    b"1",
    b"2.5",
    b'"',
    b'""',
    b",",
    b",",
    b"\n",
    b"\n",
    b"\r\n",
    b" ",
    b"\xc3\xbc",
    b'"x,y"',
    b'"l\nm"',
    b"0",
    b"-",
]
CELLS = [
    b"",
    b"a",
    b"1",
    b"2.5",
    b'5" pipe',
    b'"x,y"',
    b'"l\nm"',
    b'"say ""hi"""',
    b" ",
    b"\xc3\xbc",
    b'"q"r',
    b'""',
    b'a"b"',
]
FILES = 300


def some(rng: np.random.Generator) -> bytes:
    """Anything, or rows of two cells."""
    if rng.random() < 0.5:
        return b"".join(PIECES[at] for at in rng.integers(0, len(PIECES), rng.integers(1, 60)))
    cells = [CELLS[at] for at in rng.integers(0, len(CELLS), 2 * rng.integers(1, 20))]
    return b"".join(one + b"," + other + b"\n" for one, other in zip(cells[::2], cells[1::2], strict=True))


def cells_of(path: Path) -> list[list[str]] | None:
    """None if the file is refused in one sentence."""
    try:
        file = CsvFile(str(path), delimiter=",", encoding="utf-8")
        tables = [file.written(block) for block in file.blocks()]
    except ValueError as error:
        return None if "\n" not in str(error) else [[str(error)]]
    return [[cell or "" for cell in row.values()] for table in tables for row in table.to_pylist()]


@pytest.mark.parametrize("block", [16, 1 << 20])
def test_cells_are_those_of_the_csv_module(block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "BLOCK", block)
    rng, path, read = np.random.default_rng(0), tmp_path / "t.csv", 0
    for _ in range(FILES):
        body = some(rng)
        path.write_bytes(b"p,q\n" + body)
        rows = [row for row in python_csv.reader(io.StringIO(body.decode(), newline="")) if row]
        found = cells_of(path)
        if found is None:
            assert any(len(row) != 2 for row in rows) or body.count(b'"') % 2, body
        else:
            assert found == rows, body
            read += 1
    assert read > FILES // 3
