"""Columns that depend on the class, and those in which a missing cell does."""

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse
from numpy.testing import assert_allclose

from likely import NaiveBayes
from likely.data import read
from likely.validation import cross_validate, leave_one_out, relevance

from ...validation.tables import mixed, with_noise
from .choices import ROWS_HERE, Y, learned, marked_missing

# Columns


def test_select_drops_what_has_no_evidence():
    x, y = mixed(400)
    model = NaiveBayes(select="auto", column_weights=False).fit(with_noise(x, 40), y)
    plain = NaiveBayes().fit(with_noise(x, 40), y)
    assert list(model.families_) == [name for name in plain.families_ if name in relevance(plain).relevant]
    kept = with_noise(x, 40).select(list(model.families_))
    same = NaiveBayes({name: plain.families_[name] for name in kept.column_names}).fit(kept, y)
    assert_allclose(model.predict_proba(with_noise(x, 40)), same.predict_proba(kept), rtol=1e-9)


def test_random_columns_cost_little_with_select():
    x, y = mixed(400)
    noisy = with_noise(x, 100)
    plain, chosen = (
        cross_validate(NaiveBayes(select="auto", column_weights=False), table, y, 5).log_loss for table in (x, noisy)
    )
    without = cross_validate(NaiveBayes(column_weights=False), noisy, y, 5).log_loss
    assert chosen - plain < 0.1
    assert without - plain > 0.15


def test_left_out_the_columns_are_chosen_anew():
    x, y = mixed(200)
    result = leave_one_out(NaiveBayes(select="auto"), with_noise(x, 20), y)
    assert any(" the columns that count " in note and "were chosen 10 times" in note for note in result.notes)


def test_one_column_is_kept_at_least_and_learning_goes_on():
    y = np.arange(60) % 2
    x = np.random.default_rng(0).normal(size=(60, 3))
    model = NaiveBayes("gaussian", select="auto").fit(x, y)
    assert len(model.families_) >= 1
    before = list(model.families_)
    assert list(model.partial_fit(x, y).families_) == before
    assert model.predict(x).shape == (60,)
    assert len(model.explain(x)[0].reasons) == len(before)


def test_what_select_may_be():
    with pytest.raises(ValueError, match="select is 'auto' or None, not True"):
        NaiveBayes(select=True).fit(read(np.zeros((2, 1))), [0, 1])


# Missing cells


def with_holes(rng, probabilities):
    """Normal columns, with holes as often as said for each class."""
    x = rng.normal(size=(ROWS_HERE, len(probabilities)))
    for j, by_class in enumerate(probabilities):
        x[rng.random(ROWS_HERE) < np.array(by_class)[Y], j] = np.nan
    return x


def test_ignore_counts_no_missing_cells(rng):
    assert marked_missing(learned(with_holes(rng, [(0.1, 0.5)]), missing="ignore")) == []


def test_value_counts_the_missing_cells_of_every_column(rng):
    assert marked_missing(learned(with_holes(rng, [(0.1, 0.5), (0, 0)]), missing="value")) == [0, 1]


def test_auto_counts_missing_cells_where_they_depend_on_the_class(rng):
    x = with_holes(rng, [(0.1, 0.5), (0.3, 0.3), (0.0, 0.0), (0.0, 0.05)])
    assert marked_missing(learned(x, missing="auto")) == [0, 3]


def test_auto_looks_at_every_kind_of_column(rng):
    hole = rng.random(ROWS_HERE) < np.array([0.1, 0.5])[Y]
    frame = pa.table(
        {
            "text": pa.array(np.where(hole, None, "x").tolist()),
            "flag": pa.array(np.where(hole, None, True).tolist()),
            "whole": pa.array(np.where(hole, None, 3).tolist()),
            "full": pa.array(["x"] * ROWS_HERE),
        }
    )
    assert marked_missing(learned(frame, missing="auto")) == ["text", "flag", "whole"]


def test_a_sentinel_is_a_missing_cell():
    x = np.where(Y == 1, -999.0, 1.0)[:, None] + np.zeros((1, 2))
    x[0] = 2.0
    assert marked_missing(learned(x, missing="auto", missing_values=-999)) == [0, 1]


def test_missing_cells_of_a_sparse_matrix_are_zeros():
    assert marked_missing(learned(scipy.sparse.csr_array(np.eye(4)), missing="value")) == []


def test_missing_that_is_none_of_the_three():
    with pytest.raises(ValueError, match=r"^missing is 'ignore', 'value' or 'auto', not 'maybe'$"):
        learned(np.array([[1.0], [2.0]]), missing="maybe")
