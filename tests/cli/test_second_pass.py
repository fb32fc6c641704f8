"""Figures of all rows, and labels to check with their file and row, in a second pass over the files."""

import json
from pathlib import Path

import dask
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv
from pyarrow import parquet as pq

from likely.store import load
from likely.validation import leave_one_out

from .command import likely, worked

ROWS = 900
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, ROWS)
WRONG = np.arange(5, ROWS, 10)
LABELS = Y.copy()
LABELS[WRONG] = (Y[WRONG] + RNG.integers(1, 3, len(WRONG))) % 3
TABLE = pa.table(
    {
        **{f"x{j}": RNG.normal(3 * Y) for j in range(4)},
        "word": np.array(["red", "green", "blue"])[RNG.integers(0, 3, ROWS)],
        "y": np.array(["a", "b", "c"])[LABELS],
    }
)


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster that is this process, and a part for each row group."""
    monkeypatch.setattr("likely.data.stream.formats.PART_BYTES", 1)
    monkeypatch.setattr("likely.engines.dask.connected", lambda *_: dask.config.set(scheduler="threads"))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for at in range(3):
        pq.write_table(TABLE.slice(300 * at, 300), tmp_path / "in" / f"{at}.parquet", row_group_size=100)
    return tmp_path / "in"


def test_figures_are_of_all_rows_even_where_the_sample_is_of_few(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("likely.fitting.row_sample.MOST_ROWS", 500)
    arguments = ("fit", files, "-t", "y", "-o", tmp_path / "m.likely", "--engine", "dask", "--json")
    sampled = json.loads(worked(likely(*arguments)))["validation"]
    found = json.loads(worked(likely(*arguments, "--validate-all")))["validation"]
    assert sampled["rows"] < 500
    stored = load(tmp_path / "m.likely")
    table, labels = TABLE.drop_columns("y"), TABLE["y"].to_pylist()
    whole = leave_one_out(stored.model, table, labels, frame="kept")
    assert found["rows"] == ROWS
    assert np.sum(found["confusion"]) == ROWS
    assert found["error"] == pytest.approx(whole.error, abs=0.01)  # smoothing was chosen by the sample
    assert stored.origin.left_out == ROWS
    assert stored.origin.wrong == round(found["error"] * ROWS)


def test_labels_to_check_are_named_by_their_file_and_row(files: Path, tmp_path: Path) -> None:
    arguments = ("fit", files, "-t", "y", "-o", tmp_path / "m.likely", "--engine", "dask", "--validate-all")
    found = json.loads(worked(likely(*arguments, "--json")))["validation"]
    places = [f"{row // 300}.parquet, row {row % 300 + 1}" for row in WRONG]
    named = [one["where"].rpartition("/")[2] for one in found["suspects"]]
    assert found["labels_to_check"] == len(named) > 50
    assert len(set(named) & set(places)) > 0.9 * len(named)
    shown = worked(likely(*arguments))
    assert "leave-one-out, on all rows" in shown
    assert f"{found['labels_to_check']} of 900 rows are surprising: check their labels" in shown
    assert named[0] in shown


def test_lines_of_csv(tmp_path: Path) -> None:
    for at in range(3):
        csv.write_csv(TABLE.slice(300 * at, 300), tmp_path / f"{at}.csv")
    arguments = ("fit", tmp_path / "*.csv", "-t", "y", "-o", tmp_path / "m.likely", "--engine", "dask")
    shown = worked(likely(*arguments, "--validate-all", "--calibrate"))
    lines = [f"{row // 300}.csv, line {row % 300 + 2} " for row in WRONG]
    assert sum(line in shown for line in lines) >= 8  # of ten that are shown


def test_it_needs_an_engine(files: Path, tmp_path: Path) -> None:
    done = likely("fit", files, "-t", "y", "-o", tmp_path / "m.likely", "--validate-all")
    assert done.code == 2
    assert "rows are read again only on a cluster; add --engine" in " ".join(done.err.split())
