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
