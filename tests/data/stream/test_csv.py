"""CSV as it comes: encodings, delimiters, quotes, and rows that are not in order."""

import codecs
from pathlib import Path
from typing import Any

import pytest

from likely.data.stream import Stream, csv

TEXT = 'name,städte\n"Köln, am Rhein",2\n"sagt ""ja""\nund geht",3\n'
CELLS = {"name": ["Köln, am Rhein", 'sagt "ja"\nund geht'], "städte": [2, 3]}


def cells(path: Path, **options: Any) -> dict[str, list[Any]]:
    from .test_stream import read

    return read(Stream([str(path)], **options)).to_pydict()


ENCODED = {
    "utf-8": TEXT.encode(),
    "utf-8 with a mark": codecs.BOM_UTF8 + TEXT.encode(),
    "utf-16": TEXT.encode("utf-16"),
    "utf-16-le": TEXT.encode("utf-16-le"),
    "utf-16-be": TEXT.encode("utf-16-be"),
    "utf-16-be with a mark": codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
    "latin-1": TEXT.encode("latin-1"),
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
    with pytest.raises(ValueError, match=r"t\.csv is not in utf-8; say in which encoding it is"):
        cells(path, encoding="utf-8")


def test_bytes_that_are_no_utf8_far_into_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv, "HEAD", 64)
    monkeypatch.setattr(csv, "BLOCK", 64)
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
    monkeypatch.setattr(csv, "BLOCK", 64)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "x,1\n" * 50 + "y" * 5000 + ",2\n")
    assert cells(path)["a"] == ["x"] * 50 + ["y" * 5000]


@pytest.mark.parametrize(
    ("first", "later", "type_"),
    [
        ("1", "2.5", "double"),
        ("1", " 2.5", "double"),
        ("1", "x", "large_string"),
        ("", "1", "int64"),
        ("true", "maybe", "large_string"),
        ("2020-01-01", "soon", "large_string"),
        ("12:30:00", "noon", "large_string"),
        ("2020-01-01 10:00", "2020-01-01T10:00:00Z", "large_string"),
        ("0.5", "1'000", "large_string"),
    ],
)
@pytest.mark.parametrize("name", ["a", "driver's visits", "CSV column #7: x"])
def test_a_later_cell_widens_the_type_of_a_column_of_any_name(
    name: str, first: str, later: str, type_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from .test_stream import read

    monkeypatch.setattr(csv, "BLOCK", 256)
    path = tmp_path / "t.csv"
    path.write_text(f"b,{name}\n" + f" 7,{first}\n" * 100 + f"8,{later}\n")
    table = read(Stream([str(path)]))
    assert str(table[name].type) == type_
    assert str(table["b"].type) == "int64"
    assert (table.num_rows, table["b"].to_pylist()[-1]) == (101, 8)
