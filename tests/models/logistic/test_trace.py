"""The path of textbook methods to the weights of a fit."""

import numpy as np
import pytest

from likely import LogisticRegression
from likely.limits import Rising

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 2)) * [1.0, 30.0]
Y = (X @ [1.0, 0.05] + RNG.normal(size=200) > 0).astype(int)
MODEL = LogisticRegression(2.0, tol=1e-12).fit(X, Y)


@pytest.mark.parametrize("method", ["newton", "gradient"])
def test_it_ends_at_the_weights_of_the_fit(method):
    trace = MODEL.trace(X, Y, method=method)
    assert trace.converged
    assert trace.names == ("0", "1", "bias")
    assert (np.diff(trace.values) <= 1e-9).all()
    np.testing.assert_allclose(trace.x[:2] / X.std(axis=0), MODEL.coef_[0], rtol=1e-4)
    np.testing.assert_allclose(2.0 * 200 * trace.values[-1], MODEL.objective_, rtol=1e-8)


def test_newton_takes_fewer_steps():
    assert len(MODEL.trace(X, Y)) < len(MODEL.trace(X, Y, method="gradient"))


def test_weights_shrunk_towards_naive_bayes():
    blend = LogisticRegression(0.5, shrink_to="naive_bayes", tol=1e-12).fit(X, Y)
    trace = blend.trace(X, Y)
    np.testing.assert_allclose(0.5 * 200 * trace.values[-1], blend.objective_, rtol=1e-8)


def test_more_classes_by_the_gradient():
    three = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
    model = LogisticRegression(0.1, tol=1e-12).fit(X, three)
    trace = model.trace(X, three, method="gradient")
    assert len(trace.names) == 9
    np.testing.assert_allclose(0.1 * 200 * trace.values[-1], model.objective_, rtol=1e-5)
    with pytest.raises(ValueError, match="two classes"):
        model.trace(X, three)


def test_what_has_no_trace():
    with pytest.raises(ValueError, match="'newton' or 'gradient', not 'sgd'"):
        MODEL.trace(X, Y, method="sgd")
    limited = LogisticRegression(limits=[Rising(0)]).fit(X, Y)
    with pytest.raises(ValueError, match="without constraints"):
        limited.trace(X, Y)
    wide = np.random.default_rng(1).normal(size=(400, 320))
    with pytest.raises(ValueError, match="at most 300 weights and biases of a dense table, and there are 321"):
        LogisticRegression().fit(wide, np.arange(400) % 2).trace(wide, np.arange(400) % 2)
