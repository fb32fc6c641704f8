"""`likely sample`: rows drawn from a model."""

import csv
import io
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from .animals import ANIMALS, fit
from .command import likely, refused, worked


def test_rows_look_like_those_learned(tmp_path: Path) -> None:
    path = fit(ANIMALS, tmp_path / "m.likely")
    told = worked(likely("sample", path, "-n", 500, "--seed", 1))
    assert told == worked(likely("sample", path, "-n", 500, "--seed", 1))
    assert told != worked(likely("sample", path, "-n", 500, "--seed", 2))
    rows = list(csv.DictReader(io.StringIO(told)))
    assert list(rows[0]) == ANIMALS.read_text().splitlines()[0].split(",")
    share = Counter(row["animal"] for row in rows)["lion"] / 500
    assert share == pytest.approx(42 / 122, abs=4 * np.sqrt(0.25 / 500))
    worked(likely("sample", path, "-o", tmp_path / "drawn.csv"))
    worked(likely("evaluate", path, tmp_path / "drawn.csv"))


def test_many_rows_are_written_in_pieces(fitted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.cli.sample.PIECE", 7)
    worked(likely("sample", fitted, "-n", 20, "-o", tmp_path / "drawn.csv"))
    assert len((tmp_path / "drawn.csv").read_text().splitlines()) == 21


def test_logistic_regression_draws_nothing(logistic: Path, tmp_path: Path) -> None:
    output = tmp_path / "drawn.csv"
    assert "is a logistic regression, which has no distribution of rows" in refused(
        likely("sample", logistic, "-o", output)
    )
    assert not output.exists()
