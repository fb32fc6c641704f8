"""Rows from all over a file of CSV."""

import gzip
from pathlib import Path

import pytest

from likely.data.stream import csv_sample, raw
from likely.data.stream.csv import CsvFile

LINES = [f'{i},"a, ""quoted""\ncell {i}"' for i in range(400)]


@pytest.mark.parametrize("packed", [False, True])
def test_rows_are_whole_wherever_parts_begin(packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_sample, "PART", 300)
    monkeypatch.setattr(raw, "BLOCK", 300)
    data = "\n".join(["n,text", *LINES, ""]).encode()
    path = tmp_path / "t.csv"
    path.write_bytes(gzip.compress(data) if packed else data)
    table, whole = csv_sample.csv_sample(CsvFile(str(path)))
    assert not whole
    numbers = table["n"].to_pylist()
    assert table["text"].to_pylist() == [f'a, "quoted"\ncell {n}' for n in numbers]
    assert len(numbers) < 400
    assert max(numbers) - min(numbers) > 300  # not the first rows alone


def test_a_small_file_is_looked_at_whole(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1,007\n2,8\n")
    table, whole = csv_sample.csv_sample(CsvFile(str(tmp_path / "t.csv")))
    assert whole
    assert table.to_pydict() == {"a": [1, 2], "b": ["007", "8"]}
