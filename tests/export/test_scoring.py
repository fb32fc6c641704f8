"""What it takes to score a row, and which models have no plain formula."""

import numpy as np
import pyarrow as pa
import pytest

from likely import BayesNetwork, GaussianClassifier, LogisticRegression, NaiveBayes
from likely.data.schema import ColumnSchema, Schema
from likely.export.scoring import IMPOSSIBLE, scoring
from likely.families import Poisson
from likely.priors import MaximumLikelihood
from likely.store import Origin, Stored

from .models import TABLE, X, fitted, stored

NUMBERS = X.select(["normal", "bins"])


def test_all_columns_have_terms():
    found = scoring(fitted("families"))
    assert found.columns == list(range(len(X.column_names)))
    assert found.start.tolist() == fitted("families").model.log_prior().tolist()
    assert not found.may_be_impossible


def test_numbers_are_finite_where_cells_are_impossible():
    model = NaiveBayes(Poisson(MaximumLikelihood())).fit(pa.table({"n": [0, 0, 3]}), ["a", "a", "b"])
    found = scoring(stored(model))
    assert found.may_be_impossible
    assert found.terms[0].weight[0] == IMPOSSIBLE
    assert np.isfinite(found.terms[0].weight).all()


def test_a_sentinel_that_is_no_number():
    model = fitted("families")
    assert scoring(model._replace(origin=Origin(missing=float("nan")))).missing is None
    assert scoring(model._replace(origin=Origin(missing="?"))).missing == "?"


def test_two_classes_of_a_logistic_regression():
    y = ["a" if label == "lion" else "b" for label in TABLE["y"].to_pylist()]
    model = LogisticRegression().fit(NUMBERS, y)
    found = scoring(stored(model))
    assert found.start[0] == 0.0
    assert all(term.weight[0] == 0.0 for term in found.terms if hasattr(term, "weight"))


def refused(model, table=NUMBERS):
    with pytest.raises(ValueError, match="can't be exported") as error:
        scoring(stored(model.fit(table.drop_null(), TABLE.select([*table.column_names, "y"]).drop_null()["y"])))
    return str(error.value)


def test_columns_that_vary_together_are_required():
    whole = TABLE.select(["normal", "bins", "y"]).drop_null()
    for covariance, required in (("full", True), ("diagonal", False)):
        model = GaussianClassifier(covariance, shrinkage=0).fit(whole.drop_columns("y"), whole["y"])
        found = scoring(stored(model))
        assert found.columns == [0, 1]
        assert {term.cell.required for term in found.terms} == {required}


def test_networks():
    assert refused(BayesNetwork(structure="tan")) == "column 'bins' is read as Network, which can't be exported"


def test_curves_and_pairs():
    model = LogisticRegression(interactions=[("normal", "bins")])
    assert refused(model).startswith("the model has curves or pairs of columns, which can't be exported; fit it with")


def test_dates_of_files():
    schema = Schema((ColumnSchema("born", "date"),))
    with pytest.raises(ValueError, match=r"column 'born' is read as a date, which can't.*--type born=ignore"):
        scoring(Stored(fitted("families").model, Origin(schema=schema.plain())))
