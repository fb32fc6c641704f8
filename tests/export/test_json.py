"""The recipe of docs/export.md gives the probabilities that predict gives."""

import doctest
import json
from pathlib import Path

import numpy as np
import pytest

from likely.export.json import FORMAT, document
from likely.export.scoring import scoring

from .models import COMPLETE, GAUSSIANS, MARGINALISED, MODELS, NEW, expected, fitted, gaussian

PAGE = Path(__file__).parents[2] / "docs" / "export.md"


@pytest.fixture(scope="module")
def recipe():
    """The functions of the page's first block of Python."""
    block = PAGE.read_text().split("```python\n")[1].split("```")[0]
    found: dict = {}
    for example in doctest.DocTestParser().get_examples(block):
        exec(example.source, found)
    return found["predict_proba"]


@pytest.mark.parametrize("name", [name for name in MODELS if name != "isotonic"])
def test_scored_by_hand(recipe, name):
    model = json.loads(document(scoring(fitted(name))))
    found = [recipe(model, row) for row in NEW.to_pylist()]
    np.testing.assert_allclose(found, expected(fitted(name)), atol=1e-9, rtol=1e-9)


@pytest.mark.parametrize("name", GAUSSIANS)
def test_gaussians_by_hand(recipe, name):
    model = json.loads(document(scoring(gaussian(name))))
    found = [recipe(model, row) for row in COMPLETE.to_pylist()]
    np.testing.assert_allclose(found, expected(gaussian(name), COMPLETE), atol=1e-9, rtol=1e-9)
    gap = {**COMPLETE.to_pylist()[0], "normal": None}
    if name in MARGINALISED:
        assert sum(recipe(model, gap)) == pytest.approx(1)
    else:
        with pytest.raises(ValueError, match="column 'normal' can't be missing"):
            recipe(model, gap)


def test_isotonic_curves_by_hand(recipe):
    stored = fitted("isotonic")
    model = json.loads(document(scoring(stored)))
    before = np.array([recipe(model, row) for row in NEW.to_pylist()])
    p = np.column_stack([np.interp(before[:, k], c["x"], c["y"]) for k, c in enumerate(model["calibration"]["curves"])])
    p /= p.sum(axis=1, keepdims=True)
    if winner := model["calibration"]["winner"]:
        for row in p:
            first = row.argmax()
            old, new = row[first], np.interp(row[first], winner["x"], winner["y"])
            row *= (1 - new) / (1 - old) if old < 1 else 0.0
            row[first] = new
        p /= p.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(p, expected(stored), atol=1e-9, rtol=1e-9)


def test_a_cell_that_can_not_be_read(recipe):
    model = json.loads(document(scoring(fitted("families"))))
    with pytest.raises(ValueError, match=r"column 'visits' can't be 1\.5"):
        recipe(model, {**NEW.to_pylist()[0], "visits": 1.5})


def test_what_is_written():
    model = json.loads(document(scoring(fitted("families"))))
    assert (model["format"], model["model"]) == (FORMAT, "NaiveBayes")
    assert model["classes"] == ["a 'tiger'", "lion", "Ω"]
    colour = next(term for term in model["terms"] if term["column"] == "colour" and term["read"] == "category")
    assert colour["by"] == sorted(["red", "green's", 'b"l\\ue'])
    assert np.shape(colour["scores"]) == (4, 3)
