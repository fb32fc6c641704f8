"""What networks of few rows choose by folds."""

import numpy as np
import pandas as pd
import pytest

from likely import BayesNetwork
from likely.models.choosing.column_weights import FEW_ROWS
from likely.models.network.few_rows import A_COLUMN, few, scale_of_few

from ...samples import sample_of


def noise(rows, columns, kind, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, columns)) if kind == "numbers" else rng.integers(0, 4, (rows, columns)).astype(str)
    return pd.DataFrame(x, columns=[f"c{j}" for j in range(columns)]), rng.integers(0, 2, rows)


def loss_of(model, x, y):
    p = model.predict_proba(x)
    return -np.log(p[np.arange(len(y)), y]).mean()


@pytest.mark.parametrize("kind", ["numbers", "categories"])
@pytest.mark.parametrize(("rows", "columns"), [(120, 20), (120, 40)])
def test_columns_without_information_leave_it_unsure(kind, rows, columns):
    x, y = noise(rows + 1000, columns, kind)
    found = BayesNetwork().fit(x[:rows], y[:rows])
    plain = BayesNetwork(column_weights=False).fit(x[:rows], y[:rows])
    assert loss_of(found, x[rows:], y[rows:]) < 0.693 + 0.07
    assert loss_of(found, x[rows:], y[rows:]) < loss_of(plain, x[rows:], y[rows:])


def test_which_rows_are_few():
    x, y = noise(FEW_ROWS, 6, "categories")
    sample = sample_of(BayesNetwork().fit(x, y)._read(x), y)
    assert not few(sample, FEW_ROWS // A_COLUMN)
    assert few(sample, FEW_ROWS // A_COLUMN + 1)
    assert few(sample.take(np.arange(FEW_ROWS - 1)), 1)


def test_many_rows_leave_the_scale_to_leave_one_out():
    x, y = noise(400, 3, "categories")
    model = BayesNetwork().fit(x, y)
    sample = sample_of(model._read(x), y)
    assert scale_of_few(sample, model.model_.blocks) is None
    x, y = noise(40, 12, "categories")
    model = BayesNetwork().fit(x, y)
    assert scale_of_few(sample_of(model._read(x), y), model.model_.blocks) == model.column_weights_["c0"]


def test_rows_that_repeat_are_judged_by_leave_one_out():
    """One column of two values: identical rows would be in one fold, unknown to the others."""
    y = np.arange(60) % 2
    x = pd.DataFrame({"c": np.array(["a", "b"])[np.where(np.arange(60) % 5, y, 1 - y)]})
    assert loss_of(BayesNetwork().fit(x, y), x, y) < 0.52


def test_copies_of_a_category_do_not_make_it_sure():
    """Always predicting the shares has 0.693."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1060)
    c = np.array(list("abc"))[np.where(rng.random(1060) < 0.6, y, rng.integers(0, 3, 1060))]
    x = pd.DataFrame({f"c{j}": c for j in range(30)})
    assert loss_of(BayesNetwork().fit(x[:60], y[:60]), x[60:], y[60:]) < 0.65
    assert loss_of(BayesNetwork(column_weights=False).fit(x[:60], y[:60]), x[60:], y[60:]) > 0.693
