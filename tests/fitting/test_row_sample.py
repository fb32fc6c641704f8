"""Rows that are kept are a random sample, few enough, and the same whatever parts they lie in."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from likely.data import Sample, read
from likely.engines.engine import added
from likely.fitting import row_sample
from likely.fitting.row_sample import RowSample, least_step


def part(start: int, stop: int, weighted: bool = False) -> RowSample:
    rows = np.arange(start, stop)
    weight = rows + 0.5 if weighted else None
    y = (rows % 2).astype(np.int32)
    return RowSample.of(Sample(read(pa.table({"at": rows})), y, np.array(["a", "b"]), weight), start)


@pytest.mark.parametrize("cuts", [[8000], [1, 2, 4000, 8000], list(range(800, 8001, 800))])
def test_rows_are_chosen_by_their_place_alone(cuts: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_sample, "MOST_ROWS", 2400)
    parts = [part(start, stop, weighted=True) for start, stop in zip([0, *cuts[:-1]], cuts, strict=True)]
    found = added(parts)
    assert (found.rows, found.step) == (8000, 4)
    assert found.count == pytest.approx(2000, abs=4 * np.sqrt(8000 * 3 / 16))
    expected = np.flatnonzero(row_sample.mixed(np.arange(8000, dtype=np.uint64)) % np.uint64(4) == 0)
    assert found.at.tolist() == expected.tolist()
    sample = found.sample(np.array(["a", "b", "c"]))
    assert sample.table.numbers([0], slice(None))[:, 0].tolist() == expected.tolist()
    assert sample.y.tolist() == (expected % 2).tolist()
    assert sample.weight is not None
    assert sample.weight.tolist() == (expected + 0.5).tolist()


def test_no_period_of_the_rows_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every second row is of class b, and every step-th would be of class a."""
    monkeypatch.setattr(row_sample, "MOST_ROWS", 600)
    found = part(0, 8000)
    assert found.step >= 16
    assert found.sample(np.array(["a", "b"])).y.mean() == pytest.approx(0.5, abs=0.1)


def test_few_are_all_kept() -> None:
    found = part(0, 5) + part(5, 9)
    assert (found.step, found.at.tolist()) == (1, list(range(9)))
    classes: Any = np.array(["0", "a", "b"])
    assert found.sample(classes).y.tolist() == [1, 2] * 4 + [1]
    assert found.sample(classes).weight is None


def test_large_rows_are_thinned_to_a_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_sample, "MOST_BYTES", 1)
    found = part(0, 5000)
    assert 500 < found.count <= 1000


def test_how_parts_are_added_makes_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_sample, "MOST_ROWS", 500)
    parts = [part(start, start + 700) for start in range(0, 7000, 700)]
    in_turn = added(parts)
    in_a_tree = added([added(parts[:3]), added([added(parts[3:7]), added(parts[7:])])])
    assert in_turn.step == in_a_tree.step
    assert in_turn.at.tolist() == in_a_tree.at.tolist()


@pytest.mark.parametrize(("rows", "size", "step"), [(300, 1, 1), (1000, 1, 4), (9000, 1, 32), (1000, 1 << 30, 16)])
def test_the_step_that_a_sample_has_at_the_least(
    rows: int, size: int, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_sample, "MOST_ROWS", 300)
    monkeypatch.setattr(row_sample, "FEW", 60)
    assert least_step(rows, size) == step
