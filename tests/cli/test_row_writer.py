"""Rows to files of every format."""

import csv
import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from likely.cli.row_writer import RowWriter

BATCHES = [
    pa.table({"a": pa.array([1, None]), "b": ["x", "y"]}),
    pa.table({"a": pa.array([3, 4]), "b": ['with "quotes", and\nlines', ""]}),
]
ROWS = [row for batch in BATCHES for row in batch.to_pylist()]


def write(path: Path) -> None:
    with RowWriter(str(path)) as writer:
        for batch in BATCHES:
            writer.write(batch)
            assert not path.exists()


@pytest.mark.parametrize(("name", "delimiter"), [("out.csv", ","), ("out.TSV", "\t"), ("out", ",")])
def test_text(name: str, delimiter: str, tmp_path: Path) -> None:
    write(tmp_path / name)
    with (tmp_path / name).open(newline="") as file:
        found = list(csv.DictReader(file, delimiter=delimiter))
    assert found == [{key: "" if cell is None else str(cell) for key, cell in row.items()} for row in ROWS]
    assert (tmp_path / name).read_text().startswith(f"a{delimiter}b\n1{delimiter}x\n")  # quotes only where needed


def test_parquet(tmp_path: Path) -> None:
    write(tmp_path / "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == ROWS


def test_parquet_has_dictionaries_only_of_what_repeats(tmp_path: Path) -> None:
    columns = {"mostly": [k / 7 for k in range(3000)], "few": [0.5, 1.5] * 1500, "text": ["x"] * 3000}
    with RowWriter(str(tmp_path / "out.parquet")) as writer:
        writer.write(pa.table(columns))
    group = pq.read_metadata(tmp_path / "out.parquet").row_group(0)
    found = {group.column(j).path_in_schema: group.column(j).has_dictionary_page for j in range(group.num_columns)}
    assert found == {"mostly": False, "few": True, "text": True}
    assert pq.read_table(tmp_path / "out.parquet").to_pydict() == columns


def test_json_lines(tmp_path: Path) -> None:
    write(tmp_path / "out.jsonl")
    assert [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()] == ROWS


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_an_error_leaves_what_was_there(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text("before")

    def interrupted() -> None:
        with RowWriter(str(path)) as writer:
            writer.write(BATCHES[0])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_cells_that_csv_has_no_form_for_are_json(tmp_path: Path) -> None:
    table = pa.table(
        {
            "list": pa.array([[1, 2], None]),
            "object": pa.array([{"a": "x, y"}, {"a": None}]),
            "map": pa.array([[("k", 1)], []], pa.map_(pa.string(), pa.int64())),
            "bytes": pa.array([b"caf\xc3\xa9", b"\xff"]),
            "view": pa.array(["v", "w"], pa.string_view()),
        }
    )
    path = tmp_path / "t.csv"
    with RowWriter(str(path)) as writer:
        writer.write(table)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["list"] for row in rows] == ["[1, 2]", ""]
    assert [json.loads(row["object"]) for row in rows] == [{"a": "x, y"}, {"a": None}]
    assert [row["bytes"] for row in rows] == ["caf\xe9", "/w=="]
    assert [row["view"] for row in rows] == ["v", "w"]
    assert json.loads(rows[0]["map"]) == [["k", 1]]
