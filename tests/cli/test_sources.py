"""What DATA names."""

import gzip
import io
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from likely.cli.sources import is_mail, naming, opened
from likely.cli.text_source import Folders
from likely.data.dataset import Batch, Dataset
from likely.data.schema import ColumnSchema, Schema
from likely.errors import BadCell, Degenerate

from .animals import COLUMNS, FORMATS, TABLE

LETTER = "From a@example.org Mon Jan  1 10:00:00 2024\nSubject: hello\n\nHow are you?\n\n"


@pytest.mark.parametrize("name", FORMATS)
def test_files_are_tables(name: str, tmp_path: Path) -> None:
    FORMATS[name](TABLE, tmp_path / name)
    for data in (str(tmp_path / name), str(tmp_path), str(tmp_path / "t.*")):
        with opened([data]) as source:
            assert type(source) is Dataset
            assert sum(batch.table.num_rows for batch in source) == 122


@pytest.mark.parametrize("name", [name for name in FORMATS if not name.endswith(".tsv")])
def test_the_format_of_standard_input_is_found_out(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FORMATS[name](TABLE, tmp_path / name)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO((tmp_path / name).read_bytes())))
    with opened(["-"]) as source:
        assert sum(batch.table.num_rows for batch in source) == 122


def test_folders_are_classes(tmp_path: Path) -> None:
    for label in ("fun", "study"):
        (tmp_path / label / "deeper").mkdir(parents=True)
        for i in range(3):
            (tmp_path / label / "deeper" / f"{i}.txt").write_text(f"{label} {i}")
    (tmp_path / "study" / "latin.txt").write_bytes("caf\xe9".encode("latin-1"))
    (tmp_path / "study" / ".hidden").write_text("no")
    with opened([str(tmp_path)]) as source:
        assert type(source) is Folders
        (batch,) = source
        assert sorted(batch.table["text"].to_pylist()) == [
            "caf\xe9",
            *(f"{k} {i}" for k in ("fun", "study") for i in range(3)),
        ]
        assert batch.table["class"].to_pylist().count("study") == 4
        assert source.place("", 0) == batch.table["file"][0].as_py()


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there are no texts in it"), opened([str(tmp_path)]):
        pass


@pytest.mark.parametrize("layout", ["box.mbox", "plain", "plain.gz", "maildir", "folders"])
def test_mail_is_told_by_its_look(layout: str, tmp_path: Path) -> None:
    path = tmp_path / layout
    if layout in ("box.mbox", "plain"):
        path.write_text(LETTER)
    elif layout == "plain.gz":
        path.write_bytes(gzip.compress(LETTER.encode()))
    elif layout == "maildir":
        (path / "cur").mkdir(parents=True)
        (path / "cur" / "1:2,").write_text("Subject: hello\n\nHow are you?\n")
    else:
        (path / "inside" / "cur").mkdir(parents=True)
        (path / "inside" / "cur" / "1:2,").write_text("Subject: hello\n\nHow are you?\n")
    assert is_mail(path)
    with opened([str(path)]) as source:
        assert source.kind == "mail"
        (batch,) = source
    assert batch.table["subject"].to_pylist() == ["hello"]


def test_a_table_that_begins_as_mail_is_a_table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("From here,y\n1,a\n")
    assert not is_mail(tmp_path / "t.csv")


def test_a_name_of_nothing() -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file"), opened(["no/such*"]):
        pass


def test_errors_are_placed() -> None:
    source: Any = SimpleNamespace(place=lambda file, first, row: f"{file}, line {first + row + 2}")
    batch = Batch(COLUMNS, "f", 10, lambda: COLUMNS)
    with pytest.raises(BadCell, match=r"^f, line 15: weights; column 'w' has 1$") as caught, naming(source, batch):
        raise BadCell("weights", 3, "w", 1)
    assert (caught.value.row, caught.value.column) == (3, "w")
    with pytest.raises(ValueError, match=r"^f: all is bad, row 3, too$"), naming(source, batch):
        raise ValueError("all is bad, row 3, too")
    with pytest.raises(ValueError, match=r"^all is bad$"), naming(source, batch._replace(file="")):
        raise ValueError("all is bad")
    with pytest.raises(Degenerate, match=r"^f: no variance; use a prior$"), naming(source, batch):
        raise Degenerate("no variance", None, None, "use a prior")


def test_folders_of_one_name_add_up(tmp_path: Path) -> None:
    for place in ("one", "two"):
        (tmp_path / place / "fun").mkdir(parents=True)
        (tmp_path / place / "fun" / "1.txt").write_text(place)
    with opened([str(tmp_path / "one"), str(tmp_path / "two")]) as source:
        (batch,) = source
    assert sorted(batch.table["text"].to_pylist()) == ["one", "two"]


def test_a_file_that_would_not_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "box.mbox").write_text(LETTER)
    (tmp_path / "d.csv").write_text("a,b\n1,2\n")
    data = [str(tmp_path / "box.mbox"), str(tmp_path / "d.csv")]
    with pytest.raises(ValueError, match=r"box\.mbox is mail, and .*d\.csv is not; use one kind"), opened(data):
        pass


def test_files_beside_tables_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "train-0.csv").write_text("a,b\n1,2\n")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "test-0.csv").write_text("a,b\n1,3\n")
    (tmp_path / "notes.txt").write_text("no table")
    (tmp_path / "_SUCCESS").write_text("")
    with opened([str(tmp_path)]) as source:
        assert sum(batch.table.num_rows for batch in source) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"Not used: {tmp_path / 'notes.txt'} (no table).",
        f"{tmp_path} has files named test, train: all are read. Name files to read some of them.",
    ]


def test_a_table_among_texts_is_a_text(tmp_path: Path) -> None:
    (tmp_path / "spam").mkdir()
    (tmp_path / "spam" / "list.csv").write_text("a,b\n")
    with opened([str(tmp_path)]) as source:
        assert source.kind == "texts"
    (tmp_path / "spam" / "0.parquet").write_text("")
    with opened([str(tmp_path)]) as source:
        assert source.kind == "table"


def test_columns_that_a_model_does_not_know_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "d.csv"
    path.write_text("a,b,c,d\n1,2,3,4\n")
    with opened([str(path)], schema=Schema((ColumnSchema("a", "integer"), ColumnSchema("c", "ignore")))) as source:
        list(source)
    assert capsys.readouterr().err == f"{path} has columns that the model does not know: 'b', 'd'.\n"


def test_the_ending_of_a_folder_says_nothing_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "x.tsv.d").mkdir()
    (tmp_path / "x.tsv.d" / "d.csv").write_text("a,b\n1,2\n")
    with opened([str(tmp_path / "x.tsv.d" / "d.csv")]) as source:
        (batch,) = source
    assert batch.table.column_names == ["a", "b"]
