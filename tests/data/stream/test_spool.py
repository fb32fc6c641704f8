"""Pipes written to disk: all of their bytes, under a name that tells their format."""

import io
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from likely.data.stream.spool import ending_of, spooled

TABLE = pa.table({"a": [1]})


def parquet() -> bytes:
    sink = io.BytesIO()
    pq.write_table(TABLE, sink)
    return sink.getvalue()


def arrow(file: bool) -> bytes:
    sink = io.BytesIO()
    with (pa.ipc.new_file if file else pa.ipc.new_stream)(sink, TABLE.schema) as writer:
        writer.write_table(TABLE)
    return sink.getvalue()


@pytest.mark.parametrize(
    ("data", "ending"),
    [
        (parquet(), ".parquet"),
        (arrow(True), ".arrow"),
        (arrow(False), ".arrow"),
        (b'{"a": 1}\n', ".jsonl"),
        (b"a,b\n1,2\n", ""),
        (b"PAR,b\n", ""),
        (b"", ""),
    ],
)
def test_a_file_has_the_bytes_of_the_pipe_and_the_ending_of_its_format(data: bytes, ending: str) -> None:
    assert ending_of(data) == ending
    with spooled(io.BytesIO(data), "rows") as path:
        assert path.name == "rows" + ending
        assert path.read_bytes() == data
        assert list(path.parent.iterdir()) == [path]


def test_a_pipe_longer_than_one_block_is_written_whole() -> None:
    data = b"0123456789abcde\n" * 100_000
    with spooled(io.BytesIO(data), "rows") as path:
        assert path.read_bytes() == data


def test_an_ending_follows_the_dots_of_a_name() -> None:
    with spooled(io.BytesIO(b"{}"), "the.rows") as path:
        assert path.name == "the.rows.jsonl"


def test_nothing_is_left_on_disk() -> None:
    with spooled(io.BytesIO(b"{}"), "rows") as path:
        assert path.exists()
    assert not path.parent.exists()


def test_nothing_is_left_on_disk_after_an_error() -> None:
    seen: list[Path] = []

    def fail() -> None:
        with spooled(io.BytesIO(b"a"), "rows") as path:
            seen.append(path)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert not seen[0].parent.exists()
