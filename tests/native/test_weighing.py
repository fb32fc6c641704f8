"""The log loss of classes by weights of columns, its gradient and its curvature."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp

from likely import _native


def passed(evidence, prior, times, weights):
    gradient, curvature = np.zeros(len(weights)), np.zeros((len(weights), len(weights)))
    return _native.weighing_pass(evidence, prior, times, weights, gradient, curvature), gradient, curvature


@pytest.mark.parametrize("classes", [1, 2, 3, 7])
@pytest.mark.parametrize("columns", [1, 4, 9])
@pytest.mark.parametrize("weighted", [False, True])
def test_against_the_sums_written_out(classes, columns, weighted):
    rng = np.random.default_rng(classes + columns)
    evidence, prior = rng.normal(size=(20, classes, columns)), rng.normal(size=(20, classes))
    evidence[:, 0], prior[:, 0] = 0, 0
    times, weights = rng.random(20) if weighted else None, rng.random(columns)
    w = np.ones(20) if times is None else times
    scores = prior + evidence @ weights
    p = np.exp(scores - logsumexp(scores, axis=1)[:, None])
    loss, gradient, curvature = passed(evidence, prior, times, weights)
    assert_allclose(loss, w @ logsumexp(scores, axis=1), rtol=1e-12)
    assert_allclose(gradient, np.einsum("i,ik,ikj->j", w, p, evidence), rtol=1e-10, atol=1e-12)
    apart = evidence - np.einsum("ik,ikj->ij", p, evidence)[:, None, :]
    assert_allclose(curvature, np.einsum("i,ik,ika,ikb->ab", w, p, apart, apart), rtol=1e-10, atol=1e-12)


def test_a_class_that_cannot_be():
    evidence, prior = np.full((1, 3, 2), 5.0), np.array([[0.0, -np.inf, 1.0]])
    evidence[:, 0] = 0
    loss, gradient, curvature = passed(evidence, prior, None, np.ones(2))
    without = passed(evidence[:, [0, 2]], np.ascontiguousarray(prior[:, [0, 2]]), None, np.ones(2))
    assert_allclose(loss, without[0])
    assert_allclose(gradient, without[1])
    assert_allclose(curvature, without[2])
