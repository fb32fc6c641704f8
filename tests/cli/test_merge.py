"""`likely merge`: one model of several that have learned apart."""

from pathlib import Path

import numpy as np

from likely import store

from .animals import ANIMALS, fit, scores
from .command import likely, refused, worked


def test_to_learn_apart_is_to_learn_at_once(parts: tuple[Path, Path], tmp_path: Path) -> None:
    north, south = (fit(part, tmp_path / f"{part.stem}.likely") for part in parts)
    merged, whole = tmp_path / "merged.likely", fit(ANIMALS, tmp_path / "whole.likely")
    assert worked(likely("merge", north, south, "-o", merged)) == f"{merged}: 2 models with 122 rows\n"
    np.testing.assert_allclose(scores(merged), scores(whole), rtol=1e-12)
    assert store.load(merged).origin.rows == 122


def test_models_that_read_differently_do_not_merge(parts: tuple[Path, Path], tmp_path: Path) -> None:
    north = fit(parts[0], tmp_path / "north.likely")
    worked(likely("fit", parts[1], "-t", "animal", "-o", tmp_path / "south.likely"))
    said = refused(likely("merge", north, tmp_path / "south.likely", "-o", tmp_path / "both.likely"))
    assert "south.likely cannot be merged with" in said
    assert not (tmp_path / "both.likely").exists()


def test_models_of_other_tables_do_not_merge(fitted: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("legs,b,animal\n" + "".join(f"{i % 5},{i},{'pq'[i % 2]}\n" for i in range(20)))
    worked(likely("fit", other, "-t", "animal", "-o", tmp_path / "other.likely"))
    said = refused(likely("merge", fitted, tmp_path / "other.likely", "-o", tmp_path / "both.likely"))
    assert "the models have different columns: only one of them has 'has_fur', 'shoulder_cm', 'teeth_mm', ..." in said


def test_models_of_other_kinds_do_not_merge(fitted: Path, logistic: Path, tmp_path: Path) -> None:
    both = tmp_path / "both.likely"
    assert "is a logistic regression" in refused(likely("merge", fitted, logistic, "-o", both))
    numbers = tmp_path / "numbers.csv"
    numbers.write_text("a,b,y\n" + "".join(f"{i},{i * i % 7},{'pq'[i % 2]}\n" for i in range(20)))
    worked(likely("fit", numbers, "-t", "y", "-o", tmp_path / "g.likely", "--model", "gaussian"))
    assert "are different kinds of model" in refused(likely("merge", fitted, tmp_path / "g.likely", "-o", both))
    assert not both.exists()
