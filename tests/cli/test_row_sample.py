"""Rows that are kept are a random sample, few enough, and the same whatever batches they came in."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from likely.cli import row_sample
from likely.cli.labelled_batches import LabelledBatch
from likely.cli.row_sample import RowSample
from likely.data import Sample, read
from likely.data.dataset import Batch


def part(start: int, stop: int, weighted: bool = False) -> LabelledBatch:
    rows = np.arange(start, stop)
    columns = pa.table({"at": rows})
    weight = rows + 0.5 if weighted else None
    sample = Sample(read(columns), (rows % 2).astype(np.int32), np.array(["a", "b"]), weight)
    return LabelledBatch(columns, sample, Batch(columns, "", 0, lambda: columns))


@pytest.mark.parametrize("cuts", [[8000], [1, 2, 4000, 8000], list(range(800, 8001, 800))])
def test_rows_are_chosen_by_their_place_alone(cuts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_sample, "MOST_ROWS", 2400)
    found = RowSample()
    for start, stop in zip([0, *cuts[:-1]], cuts, strict=True):
        found.add(part(start, stop, weighted=True))
    assert (found.rows, found.step) == (8000, 4)
    assert found.count == pytest.approx(2000, abs=4 * np.sqrt(8000 * 3 / 16))
    expected = np.flatnonzero(row_sample._hash(np.arange(8000)) % np.uint64(4) == 0)
    assert found.at.tolist() == expected.tolist()
    sample = found.sample(np.array(["a", "b", "c"]))
    assert sample.table.numbers([0], slice(None))[:, 0].tolist() == expected.tolist()
    assert sample.y.tolist() == (expected % 2).tolist()
    assert sample.weight is not None
    assert sample.weight.tolist() == (expected + 0.5).tolist()


def test_no_period_of_the_rows_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second row is of class b, and every step-th would be of class a."""
    monkeypatch.setattr(row_sample, "MOST_ROWS", 600)
    found = RowSample()
    found.add(part(0, 8000))
    assert found.step >= 16
    assert found.sample(np.array(["a", "b"])).y.mean() == pytest.approx(0.5, abs=0.1)


def test_few_are_all_kept() -> None:
    found = RowSample()
    found.add(part(0, 5))
    found.add(part(5, 9))
    assert (found.step, found.at.tolist()) == (1, list(range(9)))
    classes: Any = np.array(["0", "a", "b"])
    assert found.sample(classes).y.tolist() == [1, 2] * 4 + [1]
    assert found.sample(classes).weight is None


def test_large_rows_are_thinned_to_a_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_sample, "MOST_BYTES", 1)
    found = RowSample()
    found.add(part(0, 5000))
    assert 500 < found.count <= 1000
