from pathlib import Path

import pytest

from likely.cli.desk_rows import rows_of
from likely.cli.options import Reading


def test_a_table_that_has_some_labels(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("id,size,note,kind\na,1,one two,x\nb,2,three four,\nc,3,five six, x \n")
    rows = rows_of((str(path),), "kind", Reading(texts=("note",)))
    assert rows.given == ["x", None, "x"]
    assert rows.columns.column_names == ["note"]
    assert rows.shown.column_names == ["id", "size", "note"]
    assert (rows.texts, rows.target, rows.kind) == (["note"], "kind", "table")
    assert rows.schema is not None


def test_without_a_column_of_texts_all_columns_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("size,colour\n" + "1,red\n2,blue\n" * 20)
    rows = rows_of((str(path),), None, Reading())
    assert rows.given is None
    assert rows.columns.column_names == ["size", "colour"]
    assert rows.target == "label"


def test_folders(tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("first")
    (tmp_path / "two.txt").write_text("second")
    rows = rows_of((str(tmp_path),), None, Reading())
    assert rows.given is None
    assert sorted(rows.columns["text"].to_pylist()) == ["first", "second"]
    for name in ("ham", "spam"):
        (tmp_path / "all" / name).mkdir(parents=True)
        (tmp_path / "all" / name / "x.txt").write_text(f"text of {name}")
    rows = rows_of((str(tmp_path / "all"),), None, Reading())
    assert sorted(filter(None, rows.given or [])) == ["ham", "spam"]
    assert rows.shown.column_names == ["file", "text"]


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match="no column 'kind'; the columns are 'a', 'b'"):
        rows_of((str(path),), "kind", Reading())


def test_mail_has_a_place_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "x.mbox"
    path.write_text("From a\nSubject: x\n\nhello\n")
    with pytest.raises(ValueError, match="likely desk mail"):
        rows_of((str(path),), None, Reading())
