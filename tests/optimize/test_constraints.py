"""Constraints between weights, and what bad ones say."""

import numpy as np
import pytest

from likely.optimize import Bounds, Infeasible, Linear, equal, increasing, minimize

TARGET = np.array([3.0, 1.0, 2.0, 5.0, 4.0])


def square(x):
    return float((x - TARGET) @ (x - TARGET))


def test_increasing_is_isotonic_regression():
    """Pool adjacent violators: (3, 1, 2) have the mean 2, (5, 4) the mean 4.5."""
    found = minimize(square, np.zeros(5), at_most=increasing(range(5), 5))
    np.testing.assert_allclose(found.x, [2, 2, 2, 4.5, 4.5], atol=1e-8)


def test_the_order_is_that_of_the_columns_named():
    found = minimize(square, np.zeros(5), at_most=increasing([3, 0], 5))
    np.testing.assert_allclose(found.x, [4, 1, 2, 4, 4], atol=1e-8)


def test_equal_weights_are_their_mean():
    found = minimize(square, np.zeros(5), equalities=equal([0, 2, 3], 5))
    mean = (3 + 2 + 5) / 3
    np.testing.assert_allclose(found.x, [mean, 1, mean, mean, 4], atol=1e-8)


def test_bad_columns():
    with pytest.raises(ValueError, match=r"^there is no column 5 among 5$"):
        increasing([0, 5], 5)
    with pytest.raises(ValueError, match=r"^each column may be named once$"):
        equal([1, 1], 5)


@pytest.mark.parametrize(
    ("constraints", "error", "message"),
    [
        ({"at_most": 3.0}, TypeError, r"^a constraint is Bounds, Linear or a function, or a list of these, not float$"),
        ({"at_most": [3.0]}, TypeError, r"^at_most\[0\] is called with x, but float cannot be called$"),
        ({"equalities": Bounds(0, 1)}, TypeError, r"^equalities is Bounds, which belong in at_most$"),
        ({"at_most": Bounds([0, 1])}, ValueError, r"^the bounds in at_most have the shape \(2,\); one number or 5"),
        (
            {"at_most": [Bounds(np.nan)]},
            ValueError,
            r"^a bound in at_most\[0\] is NaN; without a bound it is infinite$",
        ),
        ({"at_most": Bounds(np.inf)}, ValueError, r"^a bound in at_most allows no finite number$"),
        ({"at_most": Linear([1, 1])}, ValueError, r"^the matrix of at_most has the shape \(2,\); x has 5 numbers"),
        ({"equalities": Linear(np.eye(5), [1, 2])}, ValueError, r"^the bound of equalities has the shape \(2,\)"),
        ({"at_most": Linear(np.ones(5), np.inf)}, ValueError, r"^at_most has a number that is not finite; leave out"),
        (
            {"at_most": Bounds(2, [3, 3, 1, 3, 3])},
            Infeasible,
            r"^no point satisfies all of x\[2\] >= 2 and x\[2\] <= 1$",
        ),
    ],
)
def test_bad_constraints(constraints, error, message):
    with pytest.raises(error, match=message):
        minimize(square, np.zeros(5), **constraints)
