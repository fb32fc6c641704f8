"""`likely describe`: what is in a model file."""

import json
from pathlib import Path

import numpy as np
import pytest

from likely import store

from .animals import ANIMALS, fit
from .command import likely, worked


def test_what_is_in_the_file(tmp_path: Path) -> None:
    path = fit(ANIMALS, tmp_path / "m.likely")
    told = worked(likely("describe", path))
    for line in (
        "model: naive Bayes",
        "target: animal",
        "lion       42",
        "sightings    Poisson()",
        "validation error: 1",
    ):
        assert line in told
    found = json.loads(worked(likely("describe", path, "--json")))
    assert found["classes"] == {"hyena": 46, "lion": 42, "warthog": 34}
    rate = next(line for line in found["lines"] if line["column"] == "sightings")
    assert rate["parameter"] == "rate"


def test_weights_of_a_logistic_regression(logistic: Path) -> None:
    model = store.load(logistic).model
    told = worked(likely("describe", logistic))
    assert f"C: {model.c}" in told
    assert "model: logistic regression" in told
    assert "calibration: " in told
    found = json.loads(worked(likely("describe", logistic, "--json")))
    assert list(map(repr, found["classes"].values())) == ["46", "42", "34"]  # rows, where they have no weights
    weights, bias = model.weights
    assert found["lines"][0] == {"column": "bias", "parameter": "", "values": pytest.approx(bias)}
    told_weights = np.array([line["values"] for line in found["lines"][1:]])
    assert sorted(map(tuple, told_weights.tolist())) == sorted(map(tuple, weights.T.tolist()))
    assert (np.diff(np.abs(told_weights).max(axis=1)) <= 0).all()
    assert found["parameters"] == weights.size + bias.size


def test_the_blend_has_its_own_name(blend: Path) -> None:
    assert "model: blend\n" in worked(likely("describe", blend))


def test_two_classes_have_the_weights_of_the_second(tmp_path: Path) -> None:
    path, output = tmp_path / "t.csv", tmp_path / "m.likely"
    path.write_text("x,y\n" + "".join(f"{i % 7 + i % 2},{'ab'[i % 2]}\n" for i in range(40)))
    worked(likely("fit", path, "-t", "y", "-o", output, "--model", "logistic"))
    found = json.loads(worked(likely("describe", output, "--json")))
    assert all(line["values"][0] == 0 for line in found["lines"])


def test_all_parameters_however_many(tmp_path: Path) -> None:
    path, output = tmp_path / "t.csv", tmp_path / "m.likely"
    path.write_text("x,y\n" + "".join(f"v{i % 80},{'ab'[i % 2]}\n" for i in range(160)))
    worked(likely("fit", path, "-t", "y", "-o", output))
    assert "more; --all shows them" in worked(likely("describe", output))
    assert "v79" in worked(likely("describe", output, "--all"))
