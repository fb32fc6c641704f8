"""The certificate against conditions worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.optimize import Bounds, Function, Linear, Multipliers, Sides, kkt, minimize

NOTES = {"at_most": Linear([-1, -1], -2)}


def square(x):
    return float(x @ x)


EXACT = Function(square, lambda x: 2 * x, lambda x: 2 * np.eye(len(x)))


def test_the_notes_example():
    found = kkt(EXACT, [1.0, 1.0], **NOTES)
    assert found.multipliers.at_most == pytest.approx(2)
    assert found.worst < 1e-15
    assert found.holds()
    assert found.curvature == 2
    assert found.unique


def test_each_condition_by_hand():
    """At (1.5, 0.5), which is active, with the multiplier 2: 2 x - 2 = (1, -1), of the largest term 3."""
    found = kkt(EXACT, [1.5, 0.5], **NOTES, multipliers=Multipliers([], 2.0))
    assert found.stationarity == pytest.approx(1 / 3)
    assert (found.feasibility, found.sign, found.complementarity) == (0, 0, 0)
    # At (0, 0) 2 is missing, in a sum of sizes 0 and 2.
    found = kkt(EXACT, [0.0, 0.0], **NOTES, multipliers=Multipliers([], 3.0))
    assert found.feasibility == pytest.approx(2 / 2)
    assert found.complementarity == pytest.approx(3 * 2)
    # At (3, 3) the constraint is loose by 4, and a multiplier of -0.5 has the wrong sign.
    found = kkt(EXACT, [3.0, 3.0], **NOTES, multipliers=Multipliers([], -0.5))
    assert found.sign == pytest.approx(0.5)
    assert found.complementarity == pytest.approx(0.5 * 4 / 18)
    assert found.stationarity == pytest.approx(6.5 / 6)
    assert not found.holds(0.1)


def test_multipliers_by_least_squares_are_not_negative():
    """The minimum without the constraint lies inside it, on its edge the gradient points the other way."""
    found = kkt(lambda x: square(x - 3), [1.0, 1.0], **NOTES)
    assert found.multipliers.at_most == 0
    assert found.stationarity == pytest.approx(1)


def test_equalities_take_over_what_they_can():
    constraints = {"equalities": Linear([1, 1, 1], 1), "at_most": Bounds(0)}
    found = kkt(lambda p: -3 * np.log(p[0]) - np.log(p[1]), [0.75, 0.25, 0.0], **constraints)
    assert found.multipliers.equalities == pytest.approx(4)
    np.testing.assert_allclose(found.multipliers.at_most.low, [0, 0, 4], atol=1e-7)
    assert found.holds(1e-9)


def test_curvature_along_what_is_left_free():
    """x0^2 - x1^2 on x1 = 0 bends up, on x0 = 0 down."""

    def saddle(x):
        return x[0] ** 2 - x[1] ** 2

    assert kkt(saddle, [0.0, 0.0], equalities=Linear([0, 1])).curvature == pytest.approx(2, rel=1e-6)
    assert kkt(saddle, [0.0, 0.0], equalities=Linear([1, 0])).curvature == pytest.approx(-2, rel=1e-6)
    assert kkt(saddle, [0.0, 0.0], equalities=Linear(np.eye(2))).curvature == np.inf
    assert kkt(square, np.zeros(21)).curvature is None
    assert kkt(EXACT, np.zeros(21)).curvature == 2


def test_a_constraint_that_bends_adds_its_curvature():
    """min -x0 on the unit circle: the multiplier 1/2 times the Hessian 2 I."""
    found = kkt(lambda x: -x[0], [1.0, 0.0], equalities=lambda x: x @ x - 1)
    assert found.multipliers.equalities == pytest.approx(0.5)
    assert found.curvature == pytest.approx(1, rel=1e-6)


def test_a_weight_fixed_by_equal_bounds_is_one_constraint():
    found = kkt(EXACT, [2.0, 0.0], at_most=Bounds([2, -1], [2, 1]))
    assert found.unique
    assert found.holds(1e-12)
    assert found.multipliers.at_most.low[0] - found.multipliers.at_most.high[0] == pytest.approx(4)
    assert not kkt(EXACT, [2.0, 0.0], at_most=Linear([[1, 0], [-1, 0]], [2, -2])).unique


@given(st.integers(0, 2**32 - 1))
def test_where_it_holds_no_neighbour_within_the_constraints_is_lower(seed):
    """Of a convex problem, whatever point and multipliers: what may be gained is bounded by the four numbers."""
    rng = np.random.default_rng(seed)
    matrix, bound, target = rng.normal(size=(5, 3)), rng.random(5), rng.normal(size=3)

    def objective(x):
        return square(x - target)

    x = minimize(objective, np.zeros(3), at_most=Linear(matrix, bound)).x + 1e-3 * rng.normal(size=3)
    found = kkt(objective, x, at_most=Linear(matrix, bound))
    assert found.holds(1e-9) <= bool((matrix @ x <= bound + 1e-8).all())
    others = x + rng.normal(size=(2000, 3))
    inside = others[(others @ matrix.T <= bound).all(axis=1)]
    lower = min([objective(other) for other in inside], default=np.inf)
    gradient = 2 * (x - target) + found.multipliers.at_most @ matrix
    reach = np.linalg.norm(others - x, axis=1).max()
    gain = np.linalg.norm(gradient) * reach - found.multipliers.at_most @ (matrix @ x - bound)
    assert lower >= objective(x) - gain - 1e-12


def test_bad_points():
    with pytest.raises(ValueError, match=r"^x must be finite; x\[0\] is inf$"):
        kkt(square, [np.inf])
    with pytest.raises(ValueError, match=r"^the objective is nan at x, where there is nothing to check$"):
        kkt(lambda x: np.nan, [0.0])


def test_it_is_printed_as_a_table():
    exact = kkt(EXACT, [1.0, 1.0], at_most=Bounds(1), multipliers=Multipliers([], Sides([2, 2], [0, 0])))
    assert str(exact).splitlines()[0] == "stationarity     0.0e+00"
    assert "(gradients by differences, known to " in str(kkt(square, [1.0]))
