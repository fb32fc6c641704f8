"""Predictions for labelled rows: those learned are known again, and judged by leave-one-out where they must be."""

import json
from pathlib import Path

import numpy as np
import pytest

from likely import store
from likely.cli.predicted_rows import TOO_GOOD
from likely.data import Sample, read
from likely.data.row_digest import RowDigest
from likely.validation import measures

from .animals import ANIMALS, COLUMNS, LABELS, fit, halves
from .command import likely, worked


def same(one: RowDigest | None, other: RowDigest | None) -> bool:
    assert one is not None
    assert other is not None
    return np.array_equal(one.marks, other.marks) and np.array_equal(one.times, other.times)


def test_learned_rows_are_judged_by_leave_one_out(tmp_path: Path) -> None:
    path = fit(ANIMALS, tmp_path / "m.likely")
    found = json.loads(worked(likely("evaluate", path, ANIMALS, "--json")))
    model = store.load(path).model
    y = np.searchsorted(model.classes, LABELS).astype(np.int32)
    brute = np.empty((len(y), len(model.classes)))
    everything = Sample(read(COLUMNS), y, model.classes)
    for row in range(len(y)):
        one = everything.take(np.array([row]))
        brute[row] = model.forget(one).predict_proba(one.table)[0]
    assert found["log_loss"] == pytest.approx(measures.log_loss(brute, y), rel=1e-9)
    assert ", leave-one-out" in worked(likely("evaluate", path, ANIMALS))
    asked = fit(ANIMALS, tmp_path / "n.likely", "--no-digest")
    assert json.loads(worked(likely("evaluate", asked, ANIMALS, "--json", "--learned", "yes"))) == found


def test_a_model_that_does_not_count_says_that_its_figures_are_too_good(tmp_path: Path) -> None:
    path = tmp_path / "m.likely"
    worked(likely("fit", ANIMALS, "-t", "animal", "-o", path, "--model", "logistic"))
    assert TOO_GOOD in worked(likely("evaluate", path, ANIMALS))


def test_calibration_is_applied_to_leave_one_out(tmp_path: Path) -> None:
    path = tmp_path / "m.likely"
    worked(likely("fit", ANIMALS, "-t", "animal", "-o", path, "--calibrate"))
    plain, calibrated = store.load(path), json.loads(worked(likely("evaluate", path, ANIMALS, "--json")))
    sample = Sample(read(COLUMNS), np.searchsorted(plain.model.classes, LABELS).astype(np.int32), plain.model.classes)
    assert plain.calibration is not None
    p = plain.calibration(np.log(plain.model.loo_proba(sample, plain.model.loo_scores(sample))))
    assert calibrated["log_loss"] == pytest.approx(measures.log_loss(p, sample.y), rel=1e-9)


def test_the_digest_learns_forgets_and_merges_with_the_model(tmp_path: Path) -> None:
    whole = store.load(fit(ANIMALS, tmp_path / "whole.likely")).digest
    north, south = halves(tmp_path)
    path, other = fit(north, tmp_path / "n.likely"), fit(south, tmp_path / "s.likely")
    worked(likely("merge", path, other, "-o", tmp_path / "merged.likely"))
    assert same(store.load(tmp_path / "merged.likely").digest, whole)
    first = store.load(path).digest
    worked(likely("learn", path, south))
    assert same(store.load(path).digest, whole)
    worked(likely("forget", path, south))
    assert same(store.load(path).digest, first)
    bare = fit(south, tmp_path / "bare.likely", "--no-digest")
    worked(likely("merge", path, bare, "-o", tmp_path / "merged.likely"))
    assert store.load(tmp_path / "merged.likely").digest is None
    worked(likely("learn", bare, north))
    assert store.load(bare).digest is None


def test_rows_are_known_again_in_another_format(tmp_path: Path) -> None:
    """Whatever types a file gives its columns, the model reads them by its own schema."""
    path = fit(ANIMALS, tmp_path / "m.likely")
    header, *lines = ANIMALS.read_text().splitlines()
    names = header.split(",")
    rows = [dict(zip(names, line.split(","), strict=True)) for line in lines]
    other = tmp_path / "t.jsonl"
    other.write_text("".join(json.dumps({k: v or None for k, v in row.items()}) + "\n" for row in rows))
    assert ", leave-one-out" in worked(likely("evaluate", path, other))
