"""`likely evaluate`: a model on rows that it has not learned."""

import json
from pathlib import Path

import numpy as np
import pytest

from likely import store
from likely.cli.evaluate import figures
from likely.data import read
from likely.validation import measures
from likely.validation.result import Result

from .animals import ANIMALS, COLUMNS, LABELS, fit
from .command import likely, refused, worked


def test_rows_that_were_not_learned(parts: tuple[Path, Path], tmp_path: Path) -> None:
    path = fit(parts[0], tmp_path / "m.likely")
    found = json.loads(worked(likely("evaluate", path, parts[1], "--json")))
    model = store.load(path).model
    wrong = model.predict(read(COLUMNS.slice(60))) != LABELS[60:]
    assert found["rows"] == 62
    assert found["error"] == pytest.approx(wrong.mean())
    assert found["interval"][0] < found["error"] < found["interval"][1]
    assert "95 % interval" in worked(likely("evaluate", path, parts[1]))


def test_calibrated_probabilities_are_those_that_are_judged(logistic: Path) -> None:
    stored = store.load(logistic)
    p, y = stored.predict_proba(read(COLUMNS)), np.searchsorted(stored.model.classes, LABELS)
    found = json.loads(worked(likely("evaluate", logistic, ANIMALS, "--json", "--learned", "no")))
    assert found["log_loss"] == pytest.approx(measures.log_loss(p, y.astype(np.int32)))


def test_a_class_that_was_never_learned(parts: tuple[Path, Path], tmp_path: Path) -> None:
    path = fit(parts[0], tmp_path / "m.likely")
    parts[1].write_text(parts[1].read_text().replace("warthog", "boar"))
    assert "The model has never learned boar." in worked(likely("evaluate", path, parts[1]))


def test_a_target_of_another_name(fitted: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(ANIMALS.read_text().replace("animal", "beast", 1))
    assert "there is no column 'animal'" in refused(likely("evaluate", fitted, path))
    assert worked(likely("evaluate", fitted, path, "-t", "beast")) == worked(
        likely("evaluate", fitted, ANIMALS)
    ).replace(str(ANIMALS), str(path))


def test_what_is_told_of_a_result() -> None:
    p = np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]])
    y = np.array([0, 0, 1], np.int32)
    found = figures(Result("so", np.array(["a", "b"]), np.arange(3), y, p.argmax(axis=1).astype(np.int32), np.log(p)))
    assert (found["rows"], found["error"]) == (3, pytest.approx(1 / 3))
    assert found["log_loss"] == pytest.approx(-np.log([0.9, 0.4, 0.8]).mean())
    assert found["confusion"].tolist() == [[1, 1], [0, 1]]


def test_decisions_compared_with_the_most_probable_class(parts: tuple[Path, Path], tmp_path: Path) -> None:
    model = fit(parts[0], tmp_path / "m.likely")
    costs = ("--cost", "lion as hyena: 20, lion as warthog: 20")
    found = json.loads(worked(likely("evaluate", model, parts[1], *costs, "--json")))["decisions"]
    assert found["cost"] <= found["cost_by_most_probable"]
    assert found["unsure"] == 0
    shown = worked(likely("evaluate", model, parts[1], "--threshold", "lion=0.2"))
    assert shown.startswith("“lion” is ")
    assert "your threshold" in shown
    assert "threshold    flagged" in shown
    unsure = json.loads(worked(likely("evaluate", model, parts[1], "--abstain", 0.95, "--json")))["decisions"]
    assert unsure["unsure"] > 0
    assert unsure["error"] <= found["error"]
    assert "decisions" not in json.loads(worked(likely("evaluate", model, parts[1], "--json")))


def test_learned_rows_are_left_out(parts: tuple[Path, Path], tmp_path: Path) -> None:
    path = fit(parts[0], tmp_path / "m.likely")
    new = json.loads(worked(likely("evaluate", path, parts[1], "--json")))
    both = worked(likely("evaluate", path, ANIMALS))
    assert "60 of these 122 rows were learned: the figures are of the 62 new rows alone." in both
    assert json.loads(worked(likely("evaluate", path, ANIMALS, "--json"))) == new
    assert json.loads(worked(likely("evaluate", path, ANIMALS, "--json", "--learned", "no")))["rows"] == 122


def test_without_a_digest_it_is_not_known(parts: tuple[Path, Path], tmp_path: Path) -> None:
    path = fit(parts[0], tmp_path / "m.likely", "--no-digest")
    assert "It is not known whether the model has learned some" in worked(likely("evaluate", path, parts[0]))
    assert "not known" not in worked(likely("evaluate", path, parts[0], "--learned", "no"))


def test_the_rows_learned_have_the_error_that_fit_reports(tmp_path: Path) -> None:
    """Families, bins and weights are chosen without the rows that are judged, as in `fit` and `report`."""
    fitted = json.loads(worked(likely("fit", ANIMALS, "-t", "animal", "-o", tmp_path / "m.likely", "--json")))
    again = json.loads(worked(likely("evaluate", tmp_path / "m.likely", ANIMALS, "--json")))
    assert again["log_loss"] == pytest.approx(fitted["validation"]["log_loss"], rel=1e-9)
    assert "chosen 10 times" in worked(likely("evaluate", tmp_path / "m.likely", ANIMALS))
