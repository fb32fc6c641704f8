"""Standard errors against statsmodels, and rows left out against fits without them."""

import numpy as np
import pytest
import scipy.sparse as sp

from likely.models.logistic import information, rows_of, solve

from .problems import drawn


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
    scores, leverage, _ = information(rows_of(x, y, classes, weight), found, c).left_out()
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


def test_of_sparse_rows_the_diagonal():
    x, y = drawn(4, 300, 5, 2)
    found = solve(x, y, 2)
    exact, rough = (information(rows_of(kind(x), y, 2), found) for kind in (np.asarray, sp.csr_matrix))
    assert rough.covariance is None
    assert np.all(rough.standard_errors <= exact.standard_errors * (1 + 1e-9) + np.where([0, 0, 0, 0, 0, 1], np.inf, 0))
    for found in (exact, rough):
        scores, leverage, _ = found.left_out()
        assert scores.shape == (300, 1)
        assert np.isfinite(scores).all()
        assert np.all((leverage > 0) & (leverage < 1))
