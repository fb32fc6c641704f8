"""All rows at once."""

from pathlib import Path

import numpy as np
import pytest

from likely.cli.options import Reading
from likely.cli.sources import Tables
from likely.cli.whole import whole

from .animals import COLUMNS, LABELS, halves

PLAIN = Reading(None, (), (), None, None, None)


def test_all_rows_of_all_files(tmp_path: Path) -> None:
    source = Tables([str(path) for path in halves(tmp_path)])
    found = whole(source, "animal", PLAIN)
    assert (found.rows, found.y.tolist(), found.weight) == (122, LABELS.tolist(), None)
    table = found.table(None)
    assert list(table.names) == COLUMNS.column_names
    assert found.size == pytest.approx(COLUMNS.nbytes, rel=0.5)
    assert found.place(source, 59) == f"{tmp_path}/north.csv, line 61"
    assert found.place(source, 60) == f"{tmp_path}/south.csv, line 2"
    with pytest.raises(ValueError, match=r"south\.csv, line 3: column 'a' has -1"), found.naming(source):
        raise ValueError("column 'a', row 61, has -1")


def test_weights(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,w,y\n1,2,p\n3,0.5,q\n")
    weight = whole(Tables([str(path)]), "y", PLAIN._replace(weights="w")).weight
    assert weight is not None
    assert weight.tolist() == [2.0, 0.5]


def test_a_type_that_is_widened_late_is_that_of_all_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.data.stream.csv.BLOCK", 256)
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "".join(f"{i},{'pq'[i % 2]}\n" for i in range(500)) + "0.5,p\n")
    found = whole(Tables([str(path)]), "y", PLAIN)
    assert found.table(None).kinds == ("float",)
    assert found.table(None).numbers([0], slice(500, 501))[0, 0] == 0.5
    assert (np.unique(found.y) == ["p", "q"]).all()
