"""Odds ratios and their intervals against statsmodels."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from numpy.testing import assert_allclose
from scipy.sparse import csr_array, hstack

from likely import LogisticRegression

from ...optimize.softmax.problems import drawn


def test_two_classes():
    x, y = drawn(1, 500, 3, 2)
    x = x * [1.0, 10.0, 0.1] + [0.0, 100.0, 5.0]
    told = LogisticRegression(np.inf, tol=1e-12).fit(x, y).odds_ratios(x, y, level=0.9)
    peer = sm.Logit(y, sm.add_constant(x)).fit(disp=0, tol=1e-12)
    order = [3, 0, 1, 2]
    assert_allclose([told.lines[j].weight for j in order], peer.params, rtol=1e-5, atol=1e-6)
    assert_allclose([told.lines[j].standard_error for j in order], peer.bse, rtol=1e-5)
    ends = np.exp(peer.conf_int(0.1))
    assert_allclose([told.lines[j][-2:] for j in order], ends, rtol=1e-4)


def test_many_classes_are_told_against_the_first():
    x, y = drawn(2, 600, 2, 4)
    told = LogisticRegression(np.inf, tol=1e-12).fit(x, y).odds_ratios(x, y)
    peer = sm.MNLogit(y, sm.add_constant(x)).fit(disp=0, tol=1e-12)
    found = np.array([[line.weight, line.standard_error] for line in told.lines]).reshape(3, 3, 2)[:, [2, 0, 1]]
    assert_allclose(found[:, :, 0], peer.params.T, rtol=1e-4, atol=1e-5)
    assert_allclose(found[:, :, 1], peer.bse.T, rtol=1e-4)
    assert {line.of_class for line in told.lines} == {1, 2, 3}


def test_it_prints_names():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"age": rng.normal(40, 10, 80), "kind": rng.choice(["a", "b"], 80)})
    y = rng.integers(0, 2, 80)
    shown = str(LogisticRegression().fit(table, y).odds_ratios(table, y)).splitlines()
    assert shown[0].split() == ["weight", "std.", "error", "odds", "ratio", "95%", "from", "to"]
    assert [line.split()[0] for line in shown[1:]] == ["age", "kind", "kind", "bias"]


def test_too_many_unknowns():
    few, y = drawn(3, 100, 2, 2)
    x = hstack([csr_array(few), csr_array((100, 4998))], "csr")
    model = LogisticRegression().fit(x, y)
    with pytest.raises(ValueError, match="5000 features of 2 classes are too many for the covariance of their weights"):
        model.odds_ratios(x, y)


def test_a_sparse_matrix_as_the_dense_one():
    x, y = drawn(3, 300, 4, 3)
    x[np.abs(x) < 0.5] = 0.0
    told = [
        [
            line[3:]
            for line in LogisticRegression(2.0, standardize=False, tol=1e-12).fit(each, y).odds_ratios(each, y).lines
        ]
        for each in (x, csr_array(x))
    ]
    assert_allclose(told[1], told[0], rtol=1e-5, atol=1e-6)


def test_a_level_that_is_none():
    x, y = drawn(4, 50, 2, 2)
    with pytest.raises(ValueError, match="level is a share between 0 and 1, not 95"):
        LogisticRegression().fit(x, y).odds_ratios(x, y, level=95)
