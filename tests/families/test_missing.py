"""Whether a cell is missing, of any column."""

import numpy as np
import pandas as pd
import pytest

from likely import NaiveBayes
from likely.data import read
from likely.families import Bernoulli, Missing, Plan
from likely.priors import Laplace
from likely.statistics import Frame


def test_it_reads_a_one_where_a_cell_is_missing_whatever_the_column_holds():
    table = pd.DataFrame({"number": [1.0, None, 3.0], "text": ["x", "y", None], "flag": [None, True, False]})
    plan = Plan(Missing(), [0, 1, 2], Frame(("number", "text", "flag")))
    assert plan.read(read(table)).tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]


def test_it_reads_some_rows():
    plan = Plan(Missing(), [0], Frame((0,)))
    assert plan.read(read(np.array([[1.0], [np.nan], [2.0]])), slice(1, 3)).tolist() == [[1], [0]]


def test_texts_may_be_missing_too():
    assert Plan(Missing(), [0], Frame((0,))).read(read(["good", None, ""])).tolist() == [[0], [1], [0]]
    assert Missing().for_kind("text") == Missing()


X = np.array([[1.0], [np.nan], [2.0], [np.nan], [np.nan], [3.0]])
Y = np.array([0, 0, 0, 1, 1, 1])


def test_named_for_a_column_it_is_the_family_of_bits_of_what_is_missing():
    model = NaiveBayes("missing").fit(X, Y)
    bits = NaiveBayes(Bernoulli()).fit(np.isnan(X), Y)
    np.testing.assert_allclose(model.predict_joint_log_proba(X), bits.predict_joint_log_proba(np.isnan(X)), rtol=1e-12)


@pytest.mark.parametrize("missing", ["value", "auto"])
def test_beside_the_family_of_a_column_it_is_a_column_of_its_own(missing):
    """(2 + 1) / (3 + 2) of class 1 are missing, (1 + 1) / (3 + 2) of class 0."""
    x, y = np.tile(X, (9, 1)), np.tile(Y, 9)
    model = NaiveBayes("gaussian", missing=missing, smoothing=Laplace()).fit(x, y)
    assert [type(block.family).__name__ for block in model.model_.known.blocks] == ["Gaussian", "Missing"]
    np.testing.assert_allclose(
        model.predict_joint_log_proba([[np.nan]]), np.log([[0.5 * (9 + 1) / (27 + 2), 0.5 * (18 + 1) / (27 + 2)]])
    )
    assert model.families_.keys() == {0}
    reasons = model.explain([[np.nan]])[0].reasons
    assert [(reason.column, reason.value) for reason in reasons] == [(0, None), ("0 missing", True)]


def test_it_is_never_chosen_for_a_column():
    assert Missing.auto == ()
    assert Missing.marks_missing
    assert not Bernoulli.marks_missing
