"""Parquet files as row groups, all by one schema."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from likely.engines import parquet
from likely.engines.parquet import row_groups


def test_row_groups_of_a_folder_a_pattern_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ba":
        pq.write_table(pa.table({"x": [f"{name}{at}" for at in range(10)]}), tmp_path / f"{name}.parquet", 3)
    monkeypatch.setattr(parquet, "PART", 100)
    for paths in (tmp_path, str(tmp_path / "?.parquet"), [tmp_path / "a.parquet", str(tmp_path / "b.parquet")]):
        schema, parts = row_groups(paths)
        assert schema.names == ["x"]
        assert [Path(part.file).name[0] for part in parts] == sorted(Path(part.file).name[0] for part in parts)
        cells = [cell for part in parts for cell in part.read()["x"].to_pylist()]
        assert cells == [f"{name}{at}" for name in "ab" for at in range(10)]
        assert len(parts) > 2
    monkeypatch.setattr(parquet, "PART", 1 << 20)
    assert len(row_groups(tmp_path)[1]) == 2


def test_files_that_differ_in_small_ways_are_read_by_one_schema(tmp_path: Path) -> None:
    pq.write_table(pa.table({"n": pa.array([1, 2], pa.int32()), "w": ["a", "b"]}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"w": pa.nulls(2), "n": [1.5, np.nan]}), tmp_path / "1.parquet")
    words = pa.array(["c", "a"]).dictionary_encode()
    pq.write_table(pa.table({"n": pa.array([5, None], pa.int64()), "w": words}), tmp_path / "2.parquet")
    pq.write_table(pa.table({"n": [7.0]}), tmp_path / "3.parquet")
    schema, parts = row_groups(tmp_path)
    assert schema.field("n").type == pa.float64()
    whole = pa.concat_tables([part.read() for part in parts])
    assert whole["n"].to_pylist()[:2] == [1.0, 2.0]
    assert whole["w"].to_pylist() == ["a", "b", None, None, "c", "a", None]


def test_what_is_not_there_or_does_not_fit_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no Parquet file of this name, or in this folder"):
        row_groups(tmp_path)
    pq.write_table(pa.table({"n": [1]}), tmp_path / "0.parquet")
    pq.write_table(pa.table({"n": ["one"]}), tmp_path / "1.parquet")
    with pytest.raises(ValueError, match=r"1\.parquet has other columns than .*0\.parquet: .*int64.*string"):
        row_groups(tmp_path)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "0.parquet").write_text("n,y\n1,a\n")
    with pytest.raises(ValueError, match=r"0\.parquet: Parquet magic bytes not found"):
        row_groups(tmp_path)
    pq.write_table(pa.table({"n": [1.5, 2.5] * 1000}), tmp_path / "0.parquet")
    (_, (part,)) = row_groups(tmp_path)
    whole = (tmp_path / "0.parquet").read_bytes()
    (tmp_path / "0.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ValueError, match=r"0\.parquet: "):
        part.read()
    with pytest.raises(ValueError, match=r"s3://bucket/0\.parquet is an address, and tasks open paths; give session"):
        row_groups("s3://bucket/0.parquet")
