"""Rows that are kept are evenly spaced, few enough, and the same whatever batches they came in."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from likely.cli import kept
from likely.cli.kept import Kept
from likely.cli.labelled import Labelled
from likely.data import read
from likely.data.stream import Batch


def part(start: int, stop: int, weighted: bool = False) -> Labelled:
    rows = np.arange(start, stop)
    columns = pa.table({"at": rows})
    weight = rows + 0.5 if weighted else None
    return Labelled(
        columns, read(columns), np.array(["a", "b"]), (rows % 2).astype(np.int32), weight, Batch(columns, "", 0)
    )


@pytest.mark.parametrize("cuts", [[1000], [1, 2, 500, 1000], list(range(100, 1001, 100))])
def test_rows_are_evenly_spaced(cuts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_ROWS", 300)
    found = Kept()
    for start, stop in zip([0, *cuts[:-1]], cuts, strict=True):
        found.add(part(start, stop, weighted=True))
    assert (found.rows, found.step, found.count) == (1000, 4, 250)
    assert found.at.tolist() == list(range(0, 1000, 4))
    table, y, weight = found.rows_of(np.array(["a", "b", "c"]), None)
    assert table.numbers([0], slice(0, 250))[:, 0].tolist() == list(range(0, 1000, 4))
    assert y.tolist() == [0] * 250
    assert weight is not None
    assert weight.tolist() == (np.arange(0, 1000, 4) + 0.5).tolist()


def test_few_are_all_kept() -> None:
    found = Kept()
    found.add(part(0, 5))
    found.add(part(5, 9))
    assert (found.step, found.at.tolist()) == (1, list(range(9)))
    classes: Any = np.array(["0", "a", "b"])
    assert found.rows_of(classes, None)[1].tolist() == [1, 2] * 4 + [1]
    assert found.rows_of(classes, None)[2] is None


def test_large_rows_are_thinned_to_a_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_BYTES", 1)
    found = Kept()
    found.add(part(0, 5000))
    assert 500 < found.count <= 1000
