"""Dual values against closed forms, weak duality, and what is not convex."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from likely.optimize import Bounds, Function, Linear, Multipliers, NotConvex, Sides, dual

SQUARE = Function(lambda x: x @ x, lambda x: 2 * x, lambda x: 2 * np.eye(len(x)))
NOTES = {"at_most": Linear([-1, -1], -2)}


def test_the_notes_example():
    found = dual(SQUARE, [0.0, 0.0], **NOTES)
    assert found.value == pytest.approx(2, abs=1e-14)
    assert found.gap == pytest.approx(0, abs=1e-14)
    assert found.multipliers.at_most == pytest.approx(2)
    np.testing.assert_allclose(found.x, [1, 1])
    assert found.within < 1e-14
    assert found.convexity == "Hessians without negative eigenvalues at 42 points"


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0, 3.0, 10.0])
def test_at_other_multipliers_it_is_the_notes_formula(alpha):
    """2 alpha - alpha^2 / 2, least at x = alpha / 2."""
    for objective in (SQUARE, SQUARE.value):
        found = dual(objective, [0.0, 0.0], **NOTES, multipliers=Multipliers([], alpha))
        assert found.value == pytest.approx(2 * alpha - alpha**2 / 2, abs=1e-9)
        np.testing.assert_allclose(found.x, alpha / 2, atol=1e-6)
        assert found.gap == pytest.approx(2 - found.value, abs=1e-9)


def test_without_a_hessian_convexity_rests_on_pairs():
    assert dual(SQUARE.value, [0.0, 0.0], **NOTES).convexity.startswith(
        "not above the mean of two points in the middle"
    )


def test_entropy_and_its_conjugate():
    """min sum p log p on the simplex: -log k; at another multiplier m the dual is -m - k exp(-1 - m)."""
    k = 4

    def entropy(p):
        return float(np.sum(p * np.log(p))) if (p > 0).all() else np.inf

    constraints = {"equalities": Linear(np.ones(k), 1)}
    found = dual(entropy, np.full(k, 0.2), **constraints)
    assert found.value == pytest.approx(-np.log(k), abs=1e-9)
    assert found.gap == pytest.approx(0, abs=1e-9)
    found = dual(entropy, np.full(k, 0.2), **constraints, multipliers=Multipliers(-0.7, []))
    assert found.value == pytest.approx(0.7 - k * np.exp(-0.3), abs=1e-8)


@given(st.integers(0, 2**32 - 1))
def test_the_dual_of_a_quadratic_program(seed):
    """-(g + A'm)' H^-1 (g + A'm) / 2 - m'b, never above the minimum, and equal to it at its multipliers."""
    rng = np.random.default_rng(seed)
    root, gradient = rng.normal(size=(3, 3)) + 2 * np.eye(3), rng.normal(size=3)
    hessian, matrix, bound = root @ root.T + 0.1 * np.eye(3), rng.normal(size=(4, 3)), rng.random(4)
    objective = Function(
        lambda x: x @ hessian @ x / 2 + gradient @ x, lambda x: hessian @ x + gradient, lambda x: hessian
    )
    best = dual(objective, np.zeros(3), at_most=Linear(matrix, bound))
    assert abs(best.gap) < 1e-12
    multipliers = rng.exponential(size=4)
    found = dual(objective, np.zeros(3), at_most=Linear(matrix, bound), multipliers=Multipliers([], multipliers))
    pull = gradient + matrix.T @ multipliers
    exact = -pull @ np.linalg.solve(hessian, pull) / 2 - multipliers @ bound
    assert found.value == pytest.approx(exact, rel=1e-9, abs=1e-9)
    assert found.gap >= best.gap - 1e-12


def test_a_linear_program():
    """Its Lagrangian is flat at the multipliers of the minimum and has no least value elsewhere."""
    cost, matrix, bound = np.array([1.0, 2.0]), np.array([[-1.0, -1.0], [1.0, -2.0]]), np.array([-1.0, 2.0])
    objective = Function(lambda x: cost @ x, lambda x: cost, lambda x: np.zeros((2, 2)))
    constraints = {"at_most": [Linear(matrix, bound), Bounds(0)]}
    truth = linprog(cost, matrix, bound)
    found = dual(objective, [3.0, 3.0], **constraints)
    assert found.value == pytest.approx(truth.fun, abs=1e-10)
    assert found.gap == pytest.approx(0, abs=1e-10)
    other = dual(objective, [3.0, 3.0], **constraints, multipliers=Multipliers([], [np.ones(2), Sides([0, 0], [0, 0])]))
    assert other.value == -np.inf
    assert other.gap == np.inf


def test_what_is_not_convex():
    bent = Function(lambda x: np.sin(x[0]), lambda x: np.cos(x), lambda x: -np.sin(x)[:, None])
    with pytest.raises(NotConvex, match=r"^the objective is not convex: its Hessian has the eigenvalue -"):
        dual(bent, [-1.0], at_most=Bounds(-4, 4))
    with pytest.raises(
        NotConvex, match=r"^the objective is not convex: in the middle between two points it lies above"
    ):
        dual(bent.value, [-1.0], at_most=Bounds(-4, 4))
    with pytest.raises(NotConvex, match=r"^at_most is not convex: "):
        dual(SQUARE, [2.0, 2.0], at_most=lambda x: 1 - x @ x)
    with pytest.raises(NotConvex, match=r"^equalities is not linear, so the problem is not convex$"):
        dual(lambda x: x[0], [1.0, 1.0], equalities=lambda x: x @ x - 1)


def test_a_multiplier_below_zero():
    with pytest.raises(ValueError, match=r"^the multiplier of at_most is -1; in at_most none is below 0$"):
        dual(SQUARE, [0.0, 0.0], **NOTES, multipliers=Multipliers([], -1.0))
