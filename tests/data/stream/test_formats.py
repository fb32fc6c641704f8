"""Parquet, Arrow and JSON by lines: what was written is read, batch by batch."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likely.data.stream import formats

TABLE = pa.table({"n": [1, 2, None], "word": ["a", None, "c"]})


def read(batches):
    return pa.concat_tables(list(batches))


def test_parquet(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "ROWS", 2)
    path = str(tmp_path / "t.parquet")
    pq.write_table(TABLE, path)
    batches = list(formats.parquet(path))
    assert [batch.num_rows for batch in batches] == [2, 1]
    assert read(batches) == TABLE


@pytest.mark.parametrize("new", [pa.ipc.new_file, pa.ipc.new_stream], ids=["file", "stream"])
def test_arrow(tmp_path, new):
    path = str(tmp_path / "t.arrow")
    with pa.OSFile(path, "wb") as sink, new(sink, TABLE.schema) as writer:
        writer.write_table(TABLE, 2)
    batches = list(formats.arrow(path))
    assert [batch.num_rows for batch in batches] == [2, 1]
    assert read(batches) == TABLE


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("block", [7, 40, 1 << 20])
def test_json_lines_of_any_block(tmp_path, monkeypatch, packed, block):
    monkeypatch.setattr(formats, "JSON_BLOCK", block)
    path = tmp_path / ("t.jsonl.gz" if packed else "t.jsonl")
    lines = "".join(json.dumps(row) + "\n" for row in TABLE.to_pylist()) + "\n"
    path.write_bytes(gzip.compress(lines.encode()) if packed else lines.encode())
    rows = [row for batch in formats.json_lines(str(path)) for row in batch.to_pylist()]
    assert rows == TABLE.to_pylist()


def test_values_of_several_types_are_text(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"a": 1, "b": 2}\n{"a": "x", "b": 2.5}\n{"a": [1]}\n')
    assert read(formats.json_lines(str(path))).to_pylist() == [
        {"a": "1", "b": 2.0},
        {"a": "x", "b": 2.5},
        {"a": "[1]", "b": None},
    ]


@pytest.mark.parametrize(
    ("line", "told"), [("{", "t.jsonl, line 2, is no JSON"), ("[1]", "t.jsonl, line 2, is no object")]
)
def test_a_line_that_is_no_object_is_named(tmp_path, line, told):
    path = tmp_path / "t.jsonl"
    path.write_text(f'{{"a": 1}}\n{line}\n')
    with pytest.raises(ValueError, match=told):
        list(formats.json_lines(str(path)))


def test_lists_of_several_types_are_json(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"a": [1, {"b": 2}]}\n{"a": null}\n')
    (table,) = formats.json_lines(str(tmp_path / "t.jsonl"))
    assert table["a"].to_pylist() == ['[1, {"b": 2}]', None]


def test_folders_named_by_a_column_and_types_of_others(tmp_path):
    folder = tmp_path / "year=2024" / "place=__HIVE_DEFAULT_PARTITION__" / "name=a%2Fb"
    folder.mkdir(parents=True)
    cells = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([bytes(16)], pa.binary(16)))
    pq.write_table(pa.table({"x": cells, "name": ["own"]}), folder / "0.parquet", store_schema=True)
    file = formats.TypedFile(str(folder / "0.parquet"), formats.parquet)
    (table,) = file.tables()
    assert table.to_pylist() == [{"x": bytes(16), "name": "own", "year": "2024", "place": None}]
    assert file.sample()[0].to_pylist() == table.to_pylist()


@pytest.mark.parametrize(("size", "starts"), [(1, [0, 2, 4, 6]), (1 << 30, [0])])
def test_row_groups_of_parquet_are_parts(tmp_path, monkeypatch, size, starts):
    monkeypatch.setattr(formats, "PART_BYTES", size)
    pq.write_table(pa.table({"n": range(7)}), tmp_path / "t.parquet", row_group_size=2)
    file = formats.TypedFile(str(tmp_path / "t.parquet"), formats.parquet)
    parts = file.split()
    assert file.least_rows == 7
    assert [part.start for part in parts] == starts
    rows = [read(part.tables())["n"].to_pylist() for part in parts]
    assert [part[0] for part in rows] == starts
    assert [n for part in rows for n in part] == list(range(7))


def test_other_formats_are_one_part(tmp_path):
    file = formats.TypedFile("t.arrow", formats.arrow)
    assert file.split() == [file]
    assert file.least_rows == 0


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1, "b": "x"}, {"a": 2}]',
        '[\n  {\n    "a": 1, "b": "x"},\n  {"a": 2}\n]\n',
        '{"data": [{"a": 1, "b": "x"}, {"a": 2}], "count": 2}',
        '{"a": 1, "b": "x"}\n{"a": 2}\n',
    ],
)
def test_json_as_one_document_or_lines(tmp_path, text):
    (tmp_path / "t.json").write_text(text)
    tables = list(formats.json_document(str(tmp_path / "t.json")))
    assert pa.concat_tables(tables).to_pydict() == {"a": [1, 2], "b": ["x", None]}


def test_an_object_with_a_list_on_one_line_is_a_row(tmp_path):
    (tmp_path / "t.json").write_text('{"a": 1, "b": [2]}')
    (table,) = formats.json_document(str(tmp_path / "t.json"))
    assert table.to_pydict() == {"a": [1], "b": [[2]]}


@pytest.mark.parametrize(
    ("text", "told"), [("[1, 2]", "is JSON, but no list of objects"), ("{x", "line 1, is no JSON")]
)
def test_json_that_is_no_table(tmp_path, text, told):
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(ValueError, match=told):
        list(formats.json_document(str(tmp_path / "t.json")))


def test_large_json_must_be_lines(tmp_path, monkeypatch):
    monkeypatch.setattr(formats, "LONGEST_ROW", 10)
    (tmp_path / "t.json").write_text('[{"a": 1}, {"a": 2}]')
    with pytest.raises(ValueError, match="write an object on each line"):
        list(formats.json_document(str(tmp_path / "t.json")))
