"""onnxruntime gives the probabilities that predict gives."""

import builtins

import numpy as np
import onnxruntime
import pyarrow as pa
import pytest

from likely import NaiveBayes
from likely.export.onnx import graph
from likely.export.scoring import scoring
from likely.families import Categorical, Histogram, Poisson
from likely.priors import MaximumLikelihood

from .models import COMPLETE, GAUSSIANS, MARGINALISED, MODELS, NEW, WITH_GAPS, expected, fitted, gaussian, stored


def run(model, table):
    """Labels and probabilities, of inputs as docs/export.md describes them."""
    known, inputs = scoring(model), {}
    for j in known.columns:
        cells = table[known.names[j]].to_pylist()
        if known.kinds[j] == "category":
            inputs[known.names[j]] = np.array([["" if cell is None else cell] for cell in cells], object)
        else:
            inputs[known.names[j]] = np.array([[np.nan if cell is None else float(cell)] for cell in cells])
    return onnxruntime.InferenceSession(graph(known)).run(["label", "probabilities"], inputs)


def assert_as_predicted(model, table):
    labels, p = run(model, table)
    wanted = expected(model, table)
    np.testing.assert_allclose(p, wanted, atol=1e-5)
    clear = np.sort(wanted, axis=1)[:, -1] - np.sort(wanted, axis=1)[:, -2] > 1e-5
    assert clear.any()
    assert (np.asarray(labels)[clear] == model.model.classes[wanted.argmax(axis=1)][clear]).all()


@pytest.mark.parametrize("name", [name for name in MODELS if name != "isotonic"])
def test_as_predicted(name):
    assert_as_predicted(fitted(name), NEW)


@pytest.mark.parametrize("name", GAUSSIANS)
def test_gaussians(name):
    assert_as_predicted(gaussian(name), COMPLETE)
    gaps = np.array([None in row.values() for row in WITH_GAPS.to_pylist()])
    p = run(gaussian(name), WITH_GAPS)[1]
    if name in MARGINALISED:
        np.testing.assert_allclose(p, expected(gaussian(name), WITH_GAPS), atol=1e-5)
    else:
        lacks = gaps if name != "one family of several" else np.isnan(p).any(axis=1)
        assert lacks.any()
        assert np.isnan(p[lacks]).all()


def test_what_is_impossible():
    table = pa.table({"colour": ["red", "red", "blue", "green"], "visits": [0, 0, 3, 4]})
    families = {"colour": Categorical(MaximumLikelihood()), "visits": Poisson(MaximumLikelihood())}
    model = stored(NaiveBayes(families).fit(table, ["a", "a", "a", "b"]))
    assert_as_predicted(model, pa.table({"colour": ["red", "blue", "green", "pink"], "visits": [0, 2, 0, 0]}))


@pytest.mark.parametrize("labels", [[3, 1], [True, False], ["é", "it's"]])
def test_classes_of_any_type(labels):
    nb = NaiveBayes({"x": Histogram(bins=1), "z": "gaussian"}, missing_values=-9.0)
    table = pa.table({"x": [1.0, 2.0, 8.0, 9.0], "z": [1.0, -9.0, 7.0, 8.0]})
    assert_as_predicted(stored(nb.fit(table, np.repeat(labels, 2))), table)


def test_an_empty_text_that_is_a_category():
    table = pa.table({"c": ["", "", "b", "b"]})
    assert_as_predicted(stored(NaiveBayes("categorical").fit(table, ["p", "p", "q", "q"])), table)


def test_curves_are_refused():
    with pytest.raises(ValueError, match="an isotonic calibration can't be exported to ONNX"):
        graph(scoring(fitted("isotonic")))


def test_columns_without_names():
    nb = NaiveBayes("gaussian").fit(np.array([[1.0], [2.0], [8.0], [9.0]]), ["a", "a", "b", "b"])
    with pytest.raises(
        ValueError, match="ONNX needs names for its inputs, but the model has column 0; name the columns"
    ):
        graph(scoring(stored(nb)))


def test_without_the_package(monkeypatch):
    imported = builtins.__import__

    def missing(name, *rest):
        if name == "onnx":
            raise ImportError
        return imported(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ImportError, match=r"ONNX needs the package onnx: pip install 'likely\[onnx\]'"):
        graph(scoring(fitted("families")))
