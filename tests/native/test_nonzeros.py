"""Products of columns, of rows with any share of zeros."""

import numpy as np
import pytest

from likely import _native


@pytest.mark.parametrize("share", [0.0, 0.02, 0.2, 0.24, 0.26, 0.5, 1.0])
@pytest.mark.parametrize("columns", [1, 3, 30, 70])
def test_products_whatever_the_share_of_zeros(columns, share):
    rng = np.random.default_rng(columns)
    x = rng.normal(size=(200, columns)) * (rng.random((200, columns)) < share)
    x[64:128] = 0  # a block that has nothing, beside others that have
    weight = rng.random(200) * (rng.random(200) < 0.8)
    z = np.hstack([x, np.ones((200, 1))])
    out = np.ones((columns + 1, columns + 1))
    assert _native.weighted_products(x, None, weight, out) == -1
    np.testing.assert_allclose(out, 1 + z.T @ (weight[:, None] * z), rtol=1e-12, atol=1e-12)


def test_zeros_are_those_left_after_the_shift():
    x = np.repeat([[1.0, 5.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]], 70, axis=0)
    x[3, 1] = 6.0
    out = np.zeros((9, 9))
    assert _native.weighted_products(x, x[0], np.ones(70), out) == -1
    expected = np.zeros((9, 9))
    expected[1, 1] = expected[1, 8] = expected[8, 1] = 1.0
    expected[8, 8] = 70.0
    np.testing.assert_array_equal(out, expected)
