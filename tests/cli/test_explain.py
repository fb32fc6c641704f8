"""`likely explain`: why a row gets its class."""

import json
from pathlib import Path

import numpy as np
import pytest

from likely import store
from likely.data import read
from likely.models.explain import Explanation, explanation
from likely.models.logistic.reasons import LogisticExplanation

from .animals import ANIMALS, COLUMNS
from .command import likely, refused, worked


def test_it_is_what_the_library_explains(fitted: Path) -> None:
    reasons = Explanation(store.load(fitted).model, read(COLUMNS))[14]
    told = worked(likely("explain", fitted, ANIMALS, "--row", 14))
    assert told.endswith(f"{reasons}\n")
    assert told.startswith("row 14: hyena, with probability 0.")
    found = json.loads(worked(likely("explain", fitted, ANIMALS, "--row", 14, "--json")))
    assert found["prediction"] == "hyena"
    total = found["class_prior"]["lion"] + sum(reason["adds"]["lion"] for reason in found["reasons"])
    assert total == pytest.approx(found["score"]["lion"])


def test_logistic_regression_begins_with_a_bias(logistic: Path) -> None:
    stored, table = store.load(logistic), read(COLUMNS)
    told = worked(likely("explain", logistic, ANIMALS, "--row", 14))
    assert told.endswith(f"{LogisticExplanation(stored.model, table)[14]}\n")
    found = json.loads(worked(likely("explain", logistic, ANIMALS, "--row", 14, "--json")))
    chance = dict(zip(stored.model.classes.tolist(), stored.predict_proba(table)[14], strict=True))
    assert found["probability"] == pytest.approx(chance)  # calibrated, as predict tells it
    total = found["bias"]["lion"] + sum(reason["adds"]["lion"] for reason in found["reasons"])
    assert total == pytest.approx(found["score"]["lion"])
    assert total == pytest.approx(stored.model.score(table)[14, stored.model.classes.tolist().index("lion")])


def test_a_row_that_is_not_there(fitted: Path) -> None:
    assert "there is no row 122: there are 122 rows" in refused(likely("explain", fitted, ANIMALS, "--row", 122))
    refused(likely("explain", fitted, ANIMALS, "--row", -1), 2)


def test_each_kind_of_model_has_its_explanation(fitted: Path, logistic: Path) -> None:
    table = read(COLUMNS)
    for path, kind in ((fitted, Explanation), (logistic, LogisticExplanation)):
        model = store.load(path).model
        found = explanation(model, table)
        assert type(found) is kind
        np.testing.assert_allclose(found[3].scores, model.score(table)[3])


def test_a_cell_that_no_model_reads_is_named_by_its_line(fitted: Path, logistic: Path, tmp_path: Path) -> None:
    lines = ANIMALS.read_text().splitlines()
    at = lines[0].split(",").index("shoulder_cm")
    cells = lines[6].split(",")
    lines[6] = ",".join([*cells[:at], "-1e200", *cells[at + 1 :]])
    (tmp_path / "new.csv").write_text("\n".join(lines) + "\n")
    for model in (fitted, logistic):
        for command in ("explain", "predict"):
            said = refused(likely(command, model, tmp_path / "new.csv", *(["--row", 5] * (command == "explain"))))
            assert "new.csv, line 7: " in said
            assert said.endswith("needs finite numbers, up to 1e150; column 'shoulder_cm' has -1e+200")
