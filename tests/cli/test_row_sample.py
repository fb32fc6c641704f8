"""Rows that are kept are evenly spaced, few enough, and the same whatever batches they came in."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from likely.cli import row_sample
from likely.cli.labelled_batches import LabelledBatch
from likely.cli.row_sample import RowSample
from likely.data import Sample, read
from likely.data.stream import Batch


def part(start: int, stop: int, weighted: bool = False) -> LabelledBatch:
    rows = np.arange(start, stop)
    columns = pa.table({"at": rows})
    weight = rows + 0.5 if weighted else None
    sample = Sample(read(columns), (rows % 2).astype(np.int32), np.array(["a", "b"]), weight)
    return LabelledBatch(columns, sample, Batch(columns, "", 0))


@pytest.mark.parametrize("cuts", [[1000], [1, 2, 500, 1000], list(range(100, 1001, 100))])
def test_rows_are_evenly_spaced(cuts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_sample, "MOST_ROWS", 300)
    found = RowSample()
    for start, stop in zip([0, *cuts[:-1]], cuts, strict=True):
        found.add(part(start, stop, weighted=True))
    assert (found.rows, found.step, found.count, found.batches) == (1000, 4, 250, len(cuts))
    assert found.at.tolist() == list(range(0, 1000, 4))
    sample = found.sample(np.array(["a", "b", "c"]), None)
    assert sample.table.numbers([0], slice(0, 250))[:, 0].tolist() == list(range(0, 1000, 4))
    assert sample.y.tolist() == [0] * 250
    assert sample.weight is not None
    assert sample.weight.tolist() == (np.arange(0, 1000, 4) + 0.5).tolist()


def test_few_are_all_kept() -> None:
    found = RowSample()
    found.add(part(0, 5))
    found.add(part(5, 9))
    assert (found.step, found.at.tolist()) == (1, list(range(9)))
    classes: Any = np.array(["0", "a", "b"])
    assert found.sample(classes, None).y.tolist() == [1, 2] * 4 + [1]
    assert found.sample(classes, None).weight is None


def test_large_rows_are_thinned_to_a_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_sample, "MOST_BYTES", 1)
    found = RowSample()
    found.add(part(0, 5000))
    assert 500 < found.count <= 1000
