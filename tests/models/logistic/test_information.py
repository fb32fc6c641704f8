"""Standard errors against statsmodels, and rows left out against fits without them."""

import numpy as np
import pytest
import scipy.sparse as sp

from likely.models.logistic.information import information
from likely.optimize.softmax import rows_of

from ...optimize.softmax.problems import drawn, solve


def test_standard_errors_of_statsmodels():
    import statsmodels.api as sm

    x, y = drawn(1, 500, 4, 2)
    peer = sm.Logit(y, sm.add_constant(x)).fit(disp=0)
    found = solve(x, y, 2, np.inf, tol=1e-10)
    errors = information(rows_of(x, y, 2), found, np.inf).standard_errors
    np.testing.assert_allclose(np.append(errors[0, -1], errors[0, :-1]), peer.bse, rtol=1e-5)


def test_standard_errors_of_differences_between_classes():
    """All that is known without a penalty, and what statsmodels gives."""
    import statsmodels.api as sm

    x, y = drawn(2, 600, 2, 3)
    peer = sm.MNLogit(y, sm.add_constant(x)).fit(disp=0)
    found = solve(x, y, 3, np.inf, tol=1e-10)
    covariance = information(rows_of(x, y, 3), found, np.inf).covariance
    less = np.zeros((6, 9))
    for k in (1, 2):
        for j in range(3):
            less[(k - 1) * 3 + j, k * 3 + j], less[(k - 1) * 3 + j, j] = 1, -1
    errors = np.sqrt(np.diag(less @ covariance @ less.T)).reshape(2, 3)
    np.testing.assert_allclose(errors[:, [2, 0, 1]].T, peer.bse, rtol=1e-4)


@pytest.mark.parametrize(("classes", "c"), [(2, 1.0), (2, 0.01), (3, 1.0), (4, 0.1)])
@pytest.mark.parametrize("weighted", [False, True])
def test_scores_with_a_row_left_out(classes, c, weighted):
    x, y = drawn(3, 150, 4, classes)
    weight = np.random.default_rng(0).integers(1, 3, 150).astype(float) if weighted else None
    found = solve(x, y, classes, c, weight=weight, tol=1e-12)
    scores, leverage, _ = information(rows_of(x, y, classes, weight), found, c).loo()
    assert np.all((leverage > 0) & (leverage < 1))
    full = x @ found.weights.T + found.bias
    for i in range(0, 150, 10):
        rest = np.arange(150) != i
        without = None if weight is None else weight[rest]
        refit = solve(x[rest], y[rest], classes, c, weight=without, tol=1e-12)
        true = refit.weights @ x[i] + refit.bias
        if classes > 2:
            true, here, before = true - true.mean(), scores[i] - scores[i].mean(), full[i] - full[i].mean()
        else:
            here, before = scores[i], full[i]
        # What one step leaves is small beside what leaving out changes.
        assert np.linalg.norm(here - true) <= 0.15 * np.linalg.norm(before - true) + 1e-6


def test_scores_given_change_as_a_row_is_left_out_as_far_as_the_penalty_holds_them():
    x, y = drawn(3, 100, 3, 2)
    change, moved = np.where(y == 1, -2.0, 2.0)[:, None], {}
    for c in (1e-6, 1e3):
        rows, found = rows_of(x, y, 2, penalise_bias=True), solve(x, y, 2, c, penalise_bias=True)
        moved[c] = information(rows, found, c, change).loo().scores - information(rows, found, c).loo().scores
    np.testing.assert_allclose(moved[1e-6], change, atol=0.01)
    np.testing.assert_allclose(moved[1e3], 0, atol=0.01)


@pytest.mark.parametrize("standardised", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("classes", "c"), [(2, 1.0), (2, np.inf), (3, 0.3), (4, np.inf)])
def test_sparse_rows_tell_what_the_same_rows_dense_do(classes, c, weighted, standardised):
    x, y = drawn(4, 300, 6, classes)
    x[np.abs(x) < 0.8] = 0.0
    weight = np.linspace(0.5, 2, 300) if weighted else None
    rest = (x.mean(axis=0), x.std(axis=0)) if standardised else (None, None)
    found = solve(x, y, classes, c, weight=weight, means=rest[0], scales=rest[1], tol=1e-10)
    dense, sparse = (
        information(rows_of(kind(x), y, classes, weight, *rest), found, c) for kind in (np.asarray, sp.csr_array)
    )
    np.testing.assert_allclose(sparse.covariance, dense.covariance, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(sparse.standard_errors, dense.standard_errors, rtol=1e-9)
    for ours, theirs in zip(sparse.loo(), dense.loo(), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-11)


def test_standard_errors_of_words():
    """Of counts as a bag of words has them, by statsmodels."""
    import statsmodels.api as sm

    rng = np.random.default_rng(5)
    x = rng.poisson(0.3, (800, 12)).astype(float)
    y = (rng.random(800) < 1 / (1 + np.exp(-x @ rng.normal(size=12) + 0.3))).astype(np.int32)
    peer = sm.Logit(y, sm.add_constant(x)).fit(disp=0)
    words = sp.csr_array(x)
    errors = information(rows_of(words, y, 2), solve(words, y, 2, np.inf, tol=1e-10), np.inf).standard_errors[0]
    np.testing.assert_allclose(np.append(errors[-1], errors[:-1]), peer.bse, rtol=1e-5)


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_weights_that_are_not_determined_have_no_covariance(kind):
    x, y = drawn(6, 100, 3, 2)
    x = np.column_stack([x, np.zeros(100)])
    told = information(rows_of(kind(x), y, 2), solve(x, y, 2, np.inf), np.inf)
    assert told.covariance is None
    assert told.standard_errors[0, 3] > 1e100
    assert np.isfinite(told.loo().scores).all()


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_of_too_many_unknowns_the_diagonal(kind):
    x, y = drawn(4, 60, 4200, 2)
    x[np.abs(x) < 1.5] = 0.0
    found = solve(x, y, 2)
    told = information(rows_of(kind(x), y, 2), found)
    assert told.covariance is None
    p = 1 / (1 + np.exp(-(x @ found.weights[0] + found.bias)))
    curves = np.append(1 + x.T**2 @ (p * (1 - p)), (p * (1 - p)).sum())
    np.testing.assert_allclose(told.standard_errors[0], 1 / np.sqrt(curves), rtol=1e-9)
    scores, leverage, _ = told.loo()
    assert scores.shape == (60, 1)
    assert np.isfinite(scores).all()
    assert np.all(leverage > 0)
