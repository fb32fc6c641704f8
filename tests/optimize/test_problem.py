"""Multipliers come as constraints were given."""

import numpy as np
import pytest

from likely.optimize import Bounds, Linear, Multipliers, Sides, kkt, minimize


def objective(x):
    return float((x - 3) @ (x - 3))


def test_one_constraint_has_one_multiplier():
    found = minimize(objective, np.zeros(2), at_most=Linear([1, 1], 2)).multipliers
    assert found.equalities == []
    assert isinstance(found.at_most, float)
    assert found.at_most == pytest.approx(4)


def test_lists_and_shapes_are_kept():
    constraints = [Linear([1.0, 1.0], 3), lambda x: np.array([[x[0] - 9, x[1] - 9]]), Bounds(-1, [0.5, np.inf])]
    found = minimize(objective, np.zeros(2), equalities=[Linear([[0.0, 1.0]], 1.5)], at_most=constraints).multipliers
    assert found.equalities[0].shape == (1,)
    assert found.equalities[0] == pytest.approx([3])
    assert found.at_most[0] == pytest.approx(0, abs=1e-9)
    assert found.at_most[1].tolist() == [[0, 0]]
    assert isinstance(found.at_most[2], Sides)
    np.testing.assert_allclose(found.at_most[2].high, [5, 0], atol=1e-9)
    np.testing.assert_allclose(found.at_most[2].low, [0, 0])


def test_they_go_back_in_as_they_came_out():
    constraints = {"equalities": Linear([1.0, -1.0], 0.5), "at_most": [Bounds(high=1), Linear([[1.0, 1.0]], 1)]}
    found = minimize(objective, np.zeros(2), **constraints)
    again = kkt(objective, found.x, **constraints, multipliers=found.multipliers)
    assert again.worst == found.kkt.worst


@pytest.mark.parametrize(
    ("multipliers", "error", "message"),
    [
        (Multipliers([], [1.0]), ValueError, r"^1 multipliers were given for 2 constraints$"),
        (
            Multipliers([], [[1.0, 2.0], Sides(0.0, 0.0)]),
            ValueError,
            r"^the multipliers of at_most\[0\] have the shape",
        ),
        (Multipliers([], [np.nan, Sides([0, 0], [0, 0])]), ValueError, r"^a multiplier of at_most\[0\] is not finite$"),
        (Multipliers([], [1.0, 2.0]), TypeError, r"^the multipliers of at_most\[1\] must be Sides\(low, high\)$"),
        (Multipliers([], [1.0, Sides([0, 0], [0, 1])]), ValueError, r"^a bound of at_most\[1\] that is infinite has"),
    ],
)
def test_bad_multipliers(multipliers, error, message):
    with pytest.raises(error, match=message):
        kkt(objective, [0.0, 0.0], at_most=[Linear([1, 1], 2), Bounds(0)], multipliers=multipliers)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (3.0, r"^start must be a vector of one number or more, but has the shape \(\)$"),
        ([], r"^start must be a vector of one number or more, but has the shape \(0,\)$"),
        ([[1.0]], r"^start must be a vector of one number or more, but has the shape \(1, 1\)$"),
        ([0.0, np.nan], r"^start must be finite; start\[1\] is nan$"),
    ],
)
def test_bad_starts(start, message):
    with pytest.raises(ValueError, match=message):
        minimize(objective, start)


def test_a_constraint_that_changes_its_shape():
    with pytest.raises(ValueError, match=r"^at_most has the shape \(1,\) at one point and \(2,\) at another$"):
        minimize(objective, [0.0, 0.0], at_most=lambda x: x[:1] if x[0] == 0 else x)
