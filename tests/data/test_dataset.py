"""Files of all formats as one table, batch by batch."""

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv as arrow_csv
from pyarrow import feather
from pyarrow import parquet as pq

from likely.data.dataset import Dataset
from likely.data.stream import csv, csv_sample, formats, raw
from likely.errors import BadCell

TABLE = pa.table({"a": [1, 2, 3], "b": [0.5, None, 2.5], "c": ["x", "y y", None]})


def read(data: Dataset) -> pa.Table:
    return pa.concat_tables([batch.table for batch in data])


def cells(table: pa.Table) -> dict[str, list[Any]]:
    return table.to_pydict()


def arrow_stream(table: pa.Table, path: str) -> None:
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)


def arrow_file(table: pa.Table, path: str) -> None:
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)


def json_lines(table: pa.Table, path: str) -> None:
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))


def compressed(table: pa.Table, path: str) -> None:
    with pa.output_stream(path, compression="detect") as stream:
        arrow_csv.write_csv(table, stream)


WRITERS = {
    "t.csv": arrow_csv.write_csv,
    "t": arrow_csv.write_csv,
    "t.tsv": lambda table, path: arrow_csv.write_csv(table, path, arrow_csv.WriteOptions(delimiter="\t")),
    "t.csv.gz": compressed,
    "t.csv.zst": compressed,
    "t.parquet": pq.write_table,
    "t.feather": feather.write_feather,
    "t.arrow": arrow_file,
    "stream.arrow": arrow_stream,
    "t.jsonl": json_lines,
    "t.ndjson": json_lines,
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_format(name: str, tmp_path: Path) -> None:
    path = str(tmp_path / name)
    WRITERS[name](TABLE, path)
    assert cells(read(Dataset(path))) == cells(TABLE)


def test_json_by_lines_may_be_compressed_and_leave_values_out(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1}\n\n{"b": "x", "a": null}\n{"a": 3}'))
    assert cells(read(Dataset(path))) == {"a": [1, None, 3], "b": [None, "x", None]}


def test_several_files_are_one_table_whatever_the_order_of_their_columns(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("a,b\n1,x\n")
    pq.write_table(pa.table({"b": ["y"], "a": [2.5]}), tmp_path / "2.parquet")
    stream = Dataset(str(tmp_path / "1.csv"), str(tmp_path / "2.parquet"))
    assert cells(read(stream)) == {"a": [1.0, 2.5], "b": ["x", "y"]}
    batches = list(stream)
    assert [(Path(batch.file).name, batch.first) for batch in batches] == [("1.csv", 0), ("2.parquet", 0)]


def test_a_file_without_a_column_that_the_first_has(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("a,b\n1,x\n")
    (tmp_path / "2.csv").write_text("a\n1\n")
    with pytest.raises(ValueError, match=r"2\.csv has no column 'b', which .*1\.csv has"):
        read(Dataset(str(tmp_path / "1.csv"), str(tmp_path / "2.csv")))


@pytest.mark.parametrize(
    ("first", "later", "found"),
    [
        ("1", "2.5", [1.0, 2.5]),
        ("1.5", "many", [1.5, None]),
        ("", "7", [None, 7]),
        ("", "7.5", [None, 7.5]),
        ("", "x", [None, "x"]),
        ("x", "7", ["x", "7"]),
        ("1", "1_0", [1, None]),
        ("1", "it's\n2", [1, None]),
        ("1", "007", ["1", "007"]),
    ],
)
def test_a_cell_far_into_the_file_is_seen_before_any_row_is_read(
    first: str, later: str, found: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw, "BLOCK", 64)
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + f"{first},k\n" * 100 + f'"{later}",k\n')
    column = read(Dataset(path))["a"].to_pylist()
    assert column == found[:1] * 100 + found[1:]


@pytest.mark.parametrize("later", ["many", "unknown", "2.5"])
def test_a_cell_that_was_not_seen_is_missing_and_counted(
    later: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is read again, and the schema that is stored has the text as one that marks a missing cell."""
    monkeypatch.setattr(raw, "BLOCK", 64)
    monkeypatch.setattr(csv_sample, "PART", 8)
    path = tmp_path / "t.csv"
    rows = [f"{i},k" for i in range(1000)]
    rows[970] = f"{later},k"
    path.write_text("a,b\n" + "\n".join(rows) + "\n")
    data = Dataset(path, types={"a": "integer"})
    column = read(data)["a"].to_pylist()
    assert column == [i if i != 970 else None for i in range(1000)]
    assert data.unread["a"].texts == {later: 1}
    assert data.unread["a"].place == f"{path}, line 972"
    assert data.learned_schema()["a"].missing == (later,)
    (finding,) = [one for one in data.findings() if one.kind == "unread"]
    assert f"1 of 1,000 cells is '{later}'" in finding.says
    again = Dataset(path, schema=data.learned_schema(), strict=True)
    assert read(again)["a"].null_count == 1


def test_a_cell_that_a_family_could_not_read_is_found_where_all_rows_were_looked_at_too() -> None:
    data = Dataset(pa.table({"a": [1.5, -1e200, 2.5] * 10}))
    data.unread.note(BadCell("numbers", 1, "a", -1e200))
    (finding,) = [one for one in data.findings() if one.kind == "unread"]
    assert finding.says == "numbers, and 1 of 30 cells is '-1e+200': read as missing"


def test_json_types_that_are_contradicted_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "JSON_BLOCK", 64)
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1, "b": 1}\n' * 20 + '{"a": 1.5, "b": "x"}\n' + '{"a": 2, "b": 2, "c": true}\n' * 20)
    found = read(Dataset(path))
    assert found["a"].to_pylist() == [1.0] * 20 + [1.5] + [2.0] * 20
    assert found["b"].to_pylist() == [1] * 20 + [None] + [2] * 20
    assert found["c"].to_pylist() == [None] * 21 + [True] * 20


def test_what_stands_for_a_missing_cell(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n?,none\n3,NA\n")
    assert cells(read(Dataset(path, missing=["none"]))) == {"a": [1, None, 3], "b": ["x", None, None]}


def test_cells_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1.50,007\n?,1e3\n")
    (batch,) = Dataset(path)
    assert cells(batch.written()) == {"a": ["1.50", "?"], "b": ["007", "1e3"]}
    assert cells(batch.table) == {"a": [1.5, None], "b": ["007", "1e3"]}


def test_names_that_are_there_twice(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b,a\n1,2,3\n")
    dataset = Dataset(path)
    assert dataset.schema.names == ["a", "b", "a 2"]
    assert [finding.kind for finding in dataset.findings() if finding.column == str(path)] == ["same_name"]
    with pytest.raises(ValueError, match="the table has 2 columns of the name 'a'; names must differ"):
        read(Dataset(pa.table([[1], [2]], names=["a", "a"])))


@pytest.mark.parametrize(
    ("content", "says"), [("", "is empty"), ("\n \n", "is empty"), ("a,b\n", "a header, and no rows")]
)
def test_nothing_to_read(content: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content)
    with pytest.raises(ValueError, match=says):
        read(Dataset(path))


@pytest.mark.parametrize("name", ["t.parquet", "t.arrow"])
def test_a_file_that_is_not_what_its_name_says(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=rf"{name} is no {name[2:]} file"):
        read(Dataset(str(tmp_path / name)))


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", r"t\.jsonl, line 3, is no JSON"),
        ("[1]", r"t\.jsonl, line 3, is no object with names and values"),
    ],
)
def test_a_line_that_is_not_in_order(line: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(f'{{"a": 1}}\n{{"a": 2}}\n{line}\n')
    with pytest.raises(ValueError, match=says):
        read(Dataset(path))


def test_the_place_of_a_row(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,"one\ntwo"\n\n2,x\n')
    pq.write_table(TABLE, tmp_path / "t.parquet")
    stream = Dataset(str(path), str(tmp_path / "t.parquet"))
    assert stream.place(str(path), 0) == f"{path}, line 2"
    assert stream.place(str(path), 0, 1) == f"{path}, line 5"
    assert stream.place("t.parquet", 1) == "t.parquet, row 2"


def test_a_header_that_may_be_a_row(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("1,2.5\n3,4\n3,5\n")
    (finding,) = (one for one in Dataset(path).findings() if one.kind == "header")
    assert finding.option == "--no-header"
    assert read(Dataset(path, header=False)).to_pydict() == {"column 1": [1, 3, 3], "column 2": [2.5, 4.0, 5.0]}


def test_bytes_of_another_encoding_far_into_the_file_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv, "HEAD", 16)
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n" + "ü,1\n".encode() * 50 + "ö,2\n".encode("cp1252"))
    data = Dataset(path)
    assert read(data)["a"].to_pylist() == ["ü"] * 50 + ["ö"]
    (finding,) = (one for one in data.findings() if one.kind == "encoding")
    assert finding.numbers == {"line": 52}


def test_parts_have_the_schema_of_all_and_the_rows_of_their_own(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(formats, "PART_BYTES", 1)
    pq.write_table(pa.table({"a": [1, 2, 3], "b": ["1", "2", "x"]}), tmp_path / "1.parquet", row_group_size=2)
    pq.write_table(pa.table({"a": [4, 5], "b": ["7", "?"]}), tmp_path / "2.parquet")
    whole = Dataset(tmp_path / "1.parquet", tmp_path / "2.parquet")
    whole.schema = Dataset(pa.table({"a": [1], "b": ["1"]}), types={"b": "number"}).schema  # of rows without an "x"
    parts = [pickle.loads(pickle.dumps(part)) for part in whole.split()]
    assert [part.schema for part in parts] == [whole.schema] * 3
    assert [(batch.first, batch.table["a"].to_pylist()) for part in parts for batch in part] == [
        (0, [1, 2]),
        (2, [3]),
        (0, [4, 5]),
    ]
    assert parts[1].unread["b"].texts == {"x": 1}
    assert parts[1].unread["b"].place.endswith("1.parquet, row 3")


def test_a_part_may_have_no_rows(tmp_path: Path) -> None:
    pq.write_table(TABLE, tmp_path / "1.parquet")
    (part,) = Dataset(tmp_path / "1.parquet").split()
    pq.write_table(TABLE.slice(0, 0), tmp_path / "1.parquet")
    assert list(part) == []


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("empty", [0, 1, 2])
def test_a_file_without_rows_among_others(name: str, empty: int, tmp_path: Path) -> None:
    paths = [tmp_path / f"{at}-{name}" for at in range(3)]
    for at, path in enumerate(paths):
        WRITERS[name](TABLE.slice(0, 0) if at == empty else TABLE, str(path))
    found = Dataset(*paths)
    assert cells(read(found)) == cells(pa.concat_tables([TABLE, TABLE]))
    with pytest.raises(ValueError, match="there is a header, and no rows"):
        read(Dataset(paths[empty]))
