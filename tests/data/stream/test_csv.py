"""CSV as it comes: encodings, delimiters, quotes, and rows that are not in order."""

import codecs
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from likely.data.dataset import Dataset
from likely.data.stream import csv, raw

TEXT = 'name,städte\n"Köln, am Rhein",2\n"sagt ""ja""\nund geht",3\n'
CELLS = {"name": ["Köln, am Rhein", 'sagt "ja"\nund geht'], "städte": [2, 3]}


def cells(path: Path, **options: Any) -> dict[str, list[Any]]:
    return pa.concat_tables([batch.table for batch in Dataset(path, **options)]).to_pydict()


ENCODED = {
    "utf-8": TEXT.encode(),
    "utf-8 with a mark": codecs.BOM_UTF8 + TEXT.encode(),
    "utf-16": TEXT.encode("utf-16"),
    "utf-16-le": TEXT.encode("utf-16-le"),
    "utf-16-be": TEXT.encode("utf-16-be"),
    "utf-16-be with a mark": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "cp1252": TEXT.encode("cp1252"),
}


@pytest.mark.parametrize("data", ENCODED.values(), ids=ENCODED)
def test_an_encoding_is_found_out(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(data)
    assert cells(path) == CELLS


def test_an_encoding_can_be_said(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a\n€\n".encode("cp1252"))
    assert cells(path, encoding="cp1252") == {"a": ["€"]}
    with pytest.raises(ValueError, match=r"t\.csv is not in utf-8; name its encoding"):
        cells(path, encoding="utf-8")


def test_bytes_that_are_no_utf8_far_into_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv, "HEAD", 64)
    monkeypatch.setattr(raw, "BLOCK", 64)
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + b"x,1\n" * 100 + "ü,2\n".encode("latin-1"))
    assert cells(path)["a"] == ["x"] * 100 + ["ü"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_delimiter_is_found_out(delimiter: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f'a{delimiter}"b, c; d"\n1{delimiter}2\n')
    assert cells(path) == {"a": [1], "b, c; d": [2]}


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ('1,2\n"x\ny",2\n3\n', r"t\.csv, line 5, has 1 cells where the header has 2"),
        ("1,2\n1,2,3\n", r"t\.csv, line 3, has 3 cells where the header has 2"),
    ],
)
def test_a_row_with_other_cells_than_the_header(rows: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + rows)
    with pytest.raises(ValueError, match=says):
        cells(path)


def test_many_columns(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    names = [f"column {j}" for j in range(5_000)]
    path.write_text(",".join(names) + "\n" + ",".join(map(str, range(5_000))) + "\n")
    found = cells(path)
    assert list(found) == names
    assert found["column 777"] == [777]


def test_a_row_that_is_longer_than_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raw, "BLOCK", 64)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "x,1\n" * 50 + "y" * 5000 + ",2\n")
    assert cells(path)["a"] == ["x"] * 50 + ["y" * 5000]
