"""`likely learn`: more rows, as if they had been there from the start."""

from pathlib import Path

import numpy as np

from likely import store

from .animals import ANIMALS, fit, scores
from .command import likely, refused, worked


def test_to_learn_in_parts_is_to_learn_at_once(parts: tuple[Path, Path], tmp_path: Path) -> None:
    north, whole = fit(parts[0], tmp_path / "north.likely"), fit(ANIMALS, tmp_path / "whole.likely")
    assert worked(likely("learn", north, parts[1])) == f"{north}: learned 62 rows; 122 in all\n"
    np.testing.assert_allclose(scores(north), scores(whole), rtol=1e-12)
    assert (store.load(north).origin.rows, store.load(north).origin.wrong) == (122, None)


def test_another_file_leaves_the_first(parts: tuple[Path, Path], tmp_path: Path) -> None:
    north = fit(parts[0], tmp_path / "north.likely")
    before = north.read_bytes()
    worked(likely("learn", north, parts[1], "-o", tmp_path / "more.likely"))
    assert north.read_bytes() == before
    assert store.load(tmp_path / "more.likely").origin.rows == 122


def test_a_row_that_cannot_be_learned_changes_nothing(parts: tuple[Path, Path], tmp_path: Path) -> None:
    north = fit(parts[0], tmp_path / "north.likely")
    before = north.read_bytes()
    parts[1].write_text(parts[1].read_text().replace("\n", "\nmaybe,1,1,4,-3,savanna,lion\n", 1))
    assert f"{parts[1]}, line 2: column 'has_fur' has 'maybe'" in refused(likely("learn", north, parts[1]))
    assert north.read_bytes() == before


def test_logistic_regression_takes_nothing_in(logistic: Path) -> None:
    said = refused(likely("learn", logistic, ANIMALS))
    assert said.startswith(f"{logistic} is a logistic regression")
    assert "fit it again on all rows" in said
