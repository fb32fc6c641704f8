"""All rows at once."""

from pathlib import Path

import numpy as np
import pytest

from likely.cli.in_memory_table import read_all
from likely.cli.options import Reading
from likely.data.dataset import Dataset
from likely.errors import BadCell

from .animals import COLUMNS, LABELS, halves

PLAIN = Reading()


def test_all_rows_of_all_files(tmp_path: Path) -> None:
    source = Dataset(*halves(tmp_path))
    found = read_all(source, "animal", PLAIN)
    sample = found.sample()
    assert (found.rows, found.y.tolist(), sample.weight) == (122, LABELS.tolist(), None)
    assert sample.classes[sample.y].tolist() == LABELS.tolist()
    assert list(sample.table.names) == COLUMNS.column_names
    assert found.size == pytest.approx(COLUMNS.nbytes, rel=0.5)
    assert found.place(source, 59) == f"{tmp_path}/north.csv, line 61"
    assert found.place(source, 60) == f"{tmp_path}/south.csv, line 2"
    with pytest.raises(ValueError, match=r"south\.csv, line 3: needed; column 'a' has -1"), found.naming(source):
        raise BadCell("needed", 61, "a", -1)


def test_weights(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,w,y\n1,2,p\n3,0.5,q\n")
    weight = read_all(Dataset(path), "y", PLAIN._replace(weights="w")).sample().weight
    assert weight is not None
    assert weight.tolist() == [2.0, 0.5]


def test_a_type_that_is_widened_late_is_that_of_all_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.data.stream.raw.BLOCK", 256)
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "".join(f"{i},{'pq'[i % 2]}\n" for i in range(500)) + "0.5,p\n")
    found = read_all(Dataset(path), "y", PLAIN)
    table = found.sample().table
    assert table.kinds == ("float",)
    assert table.numbers([0], slice(500, 501))[0, 0] == 0.5
    assert (np.unique(found.y) == ["p", "q"]).all()
