"""The contract of files: the same table in any format, read through it alone."""

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import csv as arrow_csv
from pyarrow import parquet as pq

from likely.data.schema import ColumnSchema
from likely.data.stream.recognition import Excerpt, files_of
from likely.data.stream.table_file import TableFile

TABLE = pa.table({"n": [1, 2, 3], "word": ["a", None, " c "]})
COLUMNS = [ColumnSchema("n", "integer"), ColumnSchema("word", "category"), ColumnSchema("not here", "number")]
CSV = {"encoding": None, "delimiter": None, "header": True, "missing": ("", "a")}
FORMATS = {"csv": arrow_csv.write_csv, "parquet": pq.write_table}


def file_of(name: str, folder: Path) -> TableFile[Any]:
    if name == "memory":
        (file,) = files_of(TABLE, Excerpt(), CSV)
    else:
        FORMATS[name](TABLE, folder / f"t.{name}")
        (file,) = files_of(folder, Excerpt(), CSV)
    return file


@pytest.mark.parametrize("name", ["csv", "parquet", "memory"])
def test_a_file_of_any_format(name: str, tmp_path: Path) -> None:
    file = file_of(name, tmp_path)
    assert files_of(file, Excerpt(), CSV) == [file]
    assert file.sample()[0].num_rows == 3
    assert file.sample()[1]
    assert [part.start for part in file.split()] == [0]
    assert file.least_rows == (3 if name == "parquet" else 0)
    assert file.names == (["n", "word"] if name == "csv" else None)
    assert not file.ragged
    assert list(file.findings({})) == []
    (block,) = file.blocks()
    cells = file.cells(block, COLUMNS)
    assert cells["n"].to_pylist() == [1, 2, 3]
    assert cells["word"].to_pylist()[1:] == [None, "c"]
    assert file.written(block)["word"].to_pylist() == ["a", None, " c "]
    assert file.marks(["word"]) == ({"word": {"a": 1}} if name == "csv" else {})


@pytest.mark.parametrize(("name", "where"), [("csv", "line 4"), ("parquet", "row 3")])
def test_where_a_row_is_with_its_block_or_without(name: str, where: str, tmp_path: Path) -> None:
    file = file_of(name, tmp_path)
    (block,) = file.blocks()
    place = f"{tmp_path}{os.sep}t.{name}, {where}"
    assert [file.place(0, 2, block), file.place(0, 2), file.place(1, 1)] == [place] * 3


def test_a_folder_without_a_table(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no table in this folder"):
        files_of(tmp_path, Excerpt(), CSV)
