"""The format of a file."""

import gzip
from pathlib import Path

import pytest

from likely.data.stream.formats import TypedFile
from likely.data.stream.recognition import Excerpt, recognised

CSV = {"encoding": None, "delimiter": None, "header": True, "missing": ("",)}


@pytest.mark.parametrize(
    ("name", "reader"),
    [
        ("t.parquet", "parquet"),
        ("t.ipc", "arrow"),
        ("t.jsonl.gz", "json_lines"),
        ("t.json", "json_document"),
        ("t.json.gz", "json_document"),
        ("t.jsonl.csv", None),
        ("t.parquet.bak", None),
        ("x.parquet.d/t", None),
    ],
)
def test_a_format_by_the_ending_of_the_name(name: str, reader: str | None, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("a,b\n1,2\n")
    file = recognised(str(tmp_path / name), Excerpt(), CSV)
    assert getattr(getattr(file, "read", None), "__name__", None) == reader
    assert isinstance(file, TypedFile) == (reader is not None)


@pytest.mark.parametrize(
    ("part", "says"),
    [
        (Excerpt(query="SELECT 1"), r"t\.csv is no database, so there is nothing for --query to ask"),
        (Excerpt(sheet="x"), r"t\.csv is no workbook, so it has no sheet 'x'"),
    ],
)
def test_options_for_another_format(part: Excerpt, says: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=says):
        recognised(str(tmp_path / "t.csv"), part, CSV)


def test_a_password_is_not_shown() -> None:
    file = recognised("postgresql://ann:secret@db.example.org/shop", Excerpt(query="SELECT 1"), CSV)
    assert file.path == "postgresql://ann:***@db.example.org/shop"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\n<!DOCTYPE html><table>", r"t\.csv is a page of the web, which is not read; save it as CSV or Parquet"),
        (b"@RELATION r\n", r"t\.csv is a file of Weka"),
        (b"\x80\x04\x95", r"t\.csv is a pickle"),
        (gzip.compress(b"%PDF-1.7", mtime=0), r"t\.csv is a PDF"),
    ],
)
def test_formats_that_are_not_read(data: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(ValueError, match=says):
        recognised(str(tmp_path / "t.csv"), Excerpt(), CSV)


def test_json_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text('[{"a": 1}]')
    assert isinstance(recognised(str(tmp_path / "t.txt"), Excerpt(), CSV), TypedFile)
