"""The notes' example, multinomial likelihood on the simplex, scipy's solvers, and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint
from scipy.optimize import minimize as scipy_minimize
from scipy.special import xlogy

from likely.optimize import Bounds, Function, Linear, Unsolved, kkt, minimize


def random_problem(seed):
    """A smooth convex objective in 4 numbers within 5 inequalities, two of them functions if asked for."""
    rng = np.random.default_rng(seed)
    rows, matrix, bound = rng.normal(size=(9, 4)), rng.normal(size=(5, 4)), 0.2 + rng.random(5)
    objective = Function(
        lambda x: np.logaddexp(0, rows @ x).sum() + x @ x / 20,
        lambda x: rows.T @ (1 / (1 + np.exp(-rows @ x))) + x / 10,
    )
    return objective, matrix, bound, rng


@pytest.mark.parametrize(
    "at_most",
    [Linear([-1, -1], -2), lambda x: 2 - x[0] - x[1], [lambda x: [2 - x[0] - x[1]]]],
    ids=["linear", "f", "list"],
)
@pytest.mark.parametrize("start", [[0.0, 0.0], [5.0, -3.0], [1.0, 1.0]])
def test_the_notes_example(at_most, start):
    found = minimize(lambda x: x[0] ** 2 + x[1] ** 2, start, at_most=at_most)
    np.testing.assert_allclose(found.x, [1, 1], rtol=1e-10)
    np.testing.assert_allclose(np.ravel(found.multipliers.at_most), 2, rtol=1e-10)
    assert found.value == pytest.approx(2, rel=1e-10)
    assert found.kkt.holds(1e-10)


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=6).filter(any))
def test_multinomial_likelihood_on_the_simplex(counts):
    """Lagrange: count / p = multiplier, so p = counts / n and the multiplier is n."""
    counts = np.array(counts, float)
    k = len(counts)
    found = minimize(
        lambda p: -xlogy(counts, p).sum(), np.full(k, 1 / k), equalities=Linear(np.ones(k), 1), at_most=Bounds(0)
    )
    np.testing.assert_allclose(found.x, counts / counts.sum(), atol=1e-7)
    assert found.multipliers.equalities == pytest.approx(counts.sum(), rel=1e-6)
    np.testing.assert_allclose(found.multipliers.at_most.low, np.where(counts == 0, counts.sum(), 0), rtol=1e-6)


def test_class_priors_within_limits_against_a_grid():
    counts, low, high = np.array([80.0, 15.0, 5.0]), np.array([0.1, 0.2, 0.1]), np.array([0.6, 0.5, 0.5])
    found = minimize(
        lambda p: -xlogy(counts, p).sum(),
        np.full(3, 1 / 3),
        equalities=Linear(np.ones(3), 1),
        at_most=Bounds(low, high),
    )
    grid = np.arange(1, 1000) / 1000
    p = np.stack(np.meshgrid(grid, grid), -1).reshape(-1, 2)
    p = np.column_stack([p, 1 - p.sum(axis=1)])
    p = p[((p >= low - 1e-9) & (p <= high + 1e-9)).all(axis=1)]
    best = p[np.argmin(-(np.log(p) @ counts))]
    np.testing.assert_allclose(found.x, best, atol=1.1e-3)
    assert found.value <= -(np.log(p) @ counts).max() + 1e-9


@given(st.integers(0, 2**32 - 1))
def test_no_worse_than_scipy(seed):
    objective, matrix, bound, _ = random_problem(seed)
    found = minimize(objective, np.zeros(4), at_most=Linear(matrix, bound))
    theirs = scipy_minimize(
        objective, np.zeros(4), jac=objective.gradient, method="SLSQP", constraints=LinearConstraint(matrix, ub=bound)
    )
    assert found.value <= theirs.fun + 1e-9
    assert found.value == pytest.approx(theirs.fun, rel=1e-5)
    assert found.kkt.worst < 1e-12


@given(st.integers(0, 2**32 - 1))
def test_constraints_given_as_functions_are_the_same_constraints(seed):
    objective, matrix, bound, _ = random_problem(seed)
    linear = minimize(objective, np.zeros(4), at_most=Linear(matrix, bound))
    general = minimize(objective, np.zeros(4), at_most=Function(lambda x: matrix @ x - bound, lambda x: matrix))
    np.testing.assert_allclose(general.x, linear.x, atol=1e-8)
    np.testing.assert_allclose(general.multipliers.at_most, linear.multipliers.at_most, atol=1e-7)


@given(st.integers(0, 2**32 - 1), st.floats(1e-6, 1e6))
def test_multipliers_scale_with_the_objective(seed, scale):
    objective, matrix, bound, _ = random_problem(seed)
    scaled = Function(lambda x: scale * objective(x), lambda x: scale * objective.gradient(x))
    one, other = (minimize(f, np.zeros(4), at_most=Linear(matrix, bound)) for f in (objective, scaled))
    np.testing.assert_allclose(other.x, one.x, atol=1e-8)
    np.testing.assert_allclose(other.multipliers.at_most, scale * one.multipliers.at_most, rtol=1e-6, atol=1e-9 * scale)


@given(st.integers(0, 2**32 - 1), st.permutations(range(5)))
def test_multipliers_follow_their_constraints(seed, order):
    objective, matrix, bound, _ = random_problem(seed)
    one = minimize(objective, np.zeros(4), at_most=Linear(matrix, bound))
    other = minimize(objective, np.zeros(4), at_most=[Linear(matrix[k], bound[k]) for k in order])
    np.testing.assert_allclose(other.multipliers.at_most, one.multipliers.at_most[list(order)], atol=1e-9)


@given(st.integers(0, 2**32 - 1))
def test_a_multiplier_is_what_a_bound_costs(seed):
    """d min / d bound = -multiplier."""
    objective, matrix, bound, rng = random_problem(seed)
    k, step = rng.integers(5), 1e-5
    one = minimize(objective, np.zeros(4), at_most=Linear(matrix, bound))
    ends = [
        minimize(objective, np.zeros(4), at_most=Linear(matrix, bound + s * step * np.eye(5)[k])).value for s in (-1, 1)
    ]
    assert -(ends[1] - ends[0]) / (2 * step) == pytest.approx(one.multipliers.at_most[k], abs=1e-4)


@given(st.integers(0, 2**32 - 1))
def test_the_certificate_needs_no_solver(seed):
    objective, matrix, bound, _ = random_problem(seed)
    found = minimize(objective, np.zeros(4), at_most=Linear(matrix, bound))
    alone = kkt(objective, found.x, at_most=Linear(matrix, bound))
    assert alone.worst < 1e-9
    if alone.unique:
        np.testing.assert_allclose(alone.multipliers.at_most, found.multipliers.at_most, atol=1e-8)


def test_what_cannot_be_certified_is_not_returned():
    """A kink where the gradient given jumps: no multiplier makes it zero."""
    kink = Function(lambda x: abs(x[0] - 0.3), lambda x: np.sign(x - 0.3), lambda x: np.zeros((1, 1)))
    with pytest.raises(
        Unsolved, match=r"^no certificate: the best point found, x = \[.*\], leaves stationarity 1\.0e\+00"
    ):
        minimize(kink, [1.0], limit=30)
    with pytest.raises(ValueError, match=r"^limit is the most steps that may be taken, 1 or more, not 0$"):
        minimize(kink, [1.0], limit=0)


def test_the_start_may_lie_anywhere_and_is_not_changed():
    start = np.array([100.0, -50.0])
    found = minimize(lambda x: float((x - 1) @ (x - 1)), start, at_most=Bounds(0, 0.5))
    assert found.x.tolist() == [0.5, 0.5]
    assert start.tolist() == [100, -50]
