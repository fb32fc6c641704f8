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
