"""What GaussianClassifier is tried on: correlated rows of three classes, covariances and shrinkages."""

from itertools import product

import numpy as np
import pytest

COVARIANCES = ("full", "tied", "diagonal", "spherical")
SETTLED = [*product(COVARIANCES, (0.0, 0.3)), ("full", (0.1, 0.2)), ("tied", 1.0)]

settled = pytest.mark.parametrize(("covariance", "shrinkage"), SETTLED)
every_covariance = pytest.mark.parametrize("covariance", COVARIANCES)


X = (
    np.random.default_rng(0).normal(size=(60, 3))
    @ [[1, 0.5, 0], [0, 1, -0.4], [0, 0, 1]]
    * (1 + np.arange(60)[:, None] % 3 / 2)
)
X += np.arange(60)[:, None] % 3 * [1.5, 0, 1]


def log_odds(scores):
    """Of each class against the first: what scores are, up to what all classes share."""
    return scores - scores[:, :1]
