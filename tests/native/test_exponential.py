"""exp and log(1 + x) of four numbers, as they are seen in the losses of rows."""

import mpmath
import numpy as np
import pytest

from likely.optimize.softmax.dense import DenseRows

FAR = [0.0, 1e-300, 1e-17, 1e-8, 0.3, 0.69314718, 1.0, 5.0, 36.0, 40.0, 300.0, 699.0, 707.0, 745.0, 1e4]


@pytest.mark.parametrize("score", [*FAR, *(-score for score in FAR)])
@pytest.mark.parametrize("rows", [1, 4, 7])
def test_the_loss_of_any_score_is_exact(score, rows):
    """log(1 + exp(score)) of rows of the first class, but for 3e-308 a row below which there is nothing."""
    x, y = np.full((rows, 1), score), np.zeros(rows, np.int32)
    loss, gradient, slope = DenseRows(x, y, 2).passed(np.ones((1, 1)), np.zeros(1))
    with mpmath.workdps(40):
        power = mpmath.exp(mpmath.mpf(score))
        expected, share = float(mpmath.log1p(power)), float(power / (1 + power))
    np.testing.assert_allclose(loss, rows * expected, rtol=1e-14, atol=4e-308 * rows)
    np.testing.assert_allclose(slope, [rows * share], rtol=1e-14, atol=4e-308 * rows)
    np.testing.assert_allclose(gradient, [[rows * share * score]], rtol=1e-14, atol=1e-300)
