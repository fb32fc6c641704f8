"""`likely forget`: rows that a model shall not have learned."""

from pathlib import Path

import numpy as np

from .animals import ANIMALS, fit, scores
from .command import likely, refused, worked


def test_what_was_learned_is_forgotten(parts: tuple[Path, Path], tmp_path: Path) -> None:
    north, whole = fit(parts[0], tmp_path / "north.likely"), fit(ANIMALS, tmp_path / "whole.likely")
    assert worked(likely("forget", whole, parts[1])) == f"{whole}: forgot 62 rows; 60 left\n"
    np.testing.assert_allclose(scores(whole), scores(north), rtol=1e-9)


def test_what_was_never_learned_is_not(parts: tuple[Path, Path], tmp_path: Path) -> None:
    north = fit(parts[0], tmp_path / "north.likely")
    before = north.read_bytes()
    assert "some of these rows were never learned" in refused(likely("forget", north, ANIMALS))
    assert north.read_bytes() == before


def test_logistic_regression_forgets_nothing(logistic: Path) -> None:
    assert "which can't add or remove rows" in refused(likely("forget", logistic, ANIMALS))
